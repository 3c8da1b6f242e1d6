//! What a variable or a term stands for.

use crate::board::{Cell, Cells, Digit, Digits, House, Houses};
use crate::language::Kind;

/// A value. Its sets and numbers are plain ones unless a logic says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value<C = Cells, D = Digits, H = Houses, N = i64> {
    /// A cell.
    Cell(Cell),
    /// A digit.
    Digit(Digit),
    /// A house.
    House(House),
    /// A number.
    Number(N),
    /// A set of cells.
    Cells(C),
    /// A set of digits.
    Digits(D),
    /// A set of houses.
    Houses(H),
}

/// One value for each variable of a clause, in its order.
pub type Bindings = Vec<Value>;

impl<C, D, H, N> Value<C, D, H, N> {
    /// What kind of thing it is.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Cell(_) => Kind::Cell,
            Value::Digit(_) => Kind::Digit,
            Value::House(_) => Kind::House,
            Value::Number(_) => Kind::Number,
            Value::Cells(_) => Kind::Cells,
            Value::Digits(_) => Kind::Digits,
            Value::Houses(_) => Kind::Houses,
        }
    }

    /// The cell, if it is one.
    pub fn as_cell(&self) -> Option<Cell> {
        if let Value::Cell(cell) = self { Some(*cell) } else { None }
    }
    /// The digit, if it is one.
    pub fn as_digit(&self) -> Option<Digit> {
        if let Value::Digit(digit) = self { Some(*digit) } else { None }
    }
    /// The house, if it is one.
    pub fn as_house(&self) -> Option<House> {
        if let Value::House(house) = self { Some(*house) } else { None }
    }
    /// The number, if it is one.
    pub fn as_number(&self) -> Option<&N> {
        if let Value::Number(number) = self { Some(number) } else { None }
    }
    /// The set of cells, if it is one.
    pub fn as_cells(&self) -> Option<&C> {
        if let Value::Cells(cells) = self { Some(cells) } else { None }
    }
    /// The set of digits, if it is one.
    pub fn as_digits(&self) -> Option<&D> {
        if let Value::Digits(digits) = self { Some(digits) } else { None }
    }
    /// The set of houses, if it is one.
    pub fn as_houses(&self) -> Option<&H> {
        if let Value::Houses(houses) = self { Some(houses) } else { None }
    }
}

impl Value {
    /// The empty set of things of this kind, or of sets of this kind; zero for numbers.
    pub fn nothing(kind: Kind) -> Value {
        match kind {
            Kind::Cell | Kind::Cells => Value::Cells(Cells::EMPTY),
            Kind::Digit | Kind::Digits => Value::Digits(Digits::EMPTY),
            Kind::House | Kind::Houses => Value::Houses(Houses::EMPTY),
            Kind::Number => Value::Number(0),
        }
    }

    /// The members of a set, in order; none of anything else.
    pub fn members(&self) -> Vec<Value> {
        match self {
            Value::Cells(cells) => cells.iter().map(Value::Cell).collect(),
            Value::Digits(digits) => digits.iter().map(Value::Digit).collect(),
            Value::Houses(houses) => houses.iter().map(Value::House).collect(),
            _ => Vec::new(),
        }
    }

    /// A set with one more member of its kind.
    pub fn with(mut self, member: Value) -> Value {
        match (&mut self, member) {
            (Value::Cells(set), Value::Cell(cell)) => set.insert(cell),
            (Value::Digits(set), Value::Digit(digit)) => set.insert(digit),
            (Value::Houses(set), Value::House(house)) => set.insert(house),
            (set, member) => unreachable!("{member:?} is no member of {set:?}"),
        }
        self
    }

    /// Calls `see` with every subset that has so many members, smaller ones first and in order,
    /// until it says to stop; whether it did.
    pub fn each_subset(&self, least: i64, most: i64, see: &mut dyn FnMut(Value) -> bool) -> bool {
        fn grow(
            members: &[Value],
            wanted: usize,
            chosen: Value,
            see: &mut dyn FnMut(Value) -> bool,
        ) -> bool {
            if wanted == 0 {
                return see(chosen);
            }
            (0..members.len().saturating_sub(wanted - 1))
                .any(|i| grow(&members[i + 1..], wanted - 1, chosen.with(members[i]), see))
        }
        let members = self.members();
        let sizes = least.max(0)..=most.min(members.len() as i64);
        sizes
            .into_iter()
            .any(|size| grow(&members, size as usize, Value::nothing(self.kind()), see))
    }
}

//! Values that depend on the state: a set whose members are partly certain, partly a proposition.

use std::fmt::Debug;

use crate::board::{Cell, Digit, House, Index, Set};
use crate::trace::Value;

use super::encode::Encoder;
use super::sat::Lit;

/// A set: some members for sure, some if their literal holds (ascending, never constant).
#[derive(Clone, PartialEq, Debug)]
pub struct Fuzzy<T: Index + Debug, const W: usize> {
    /// Members in every state.
    pub sure: Set<T, W>,
    /// Members in some states.
    pub maybe: Vec<(T, Lit)>,
}

impl<T: Index + Debug, const W: usize> Fuzzy<T, W> {
    /// A set that does not depend on the state.
    pub fn fixed(sure: Set<T, W>) -> Self {
        Fuzzy { sure, maybe: Vec::new() }
    }

    /// From members in ascending order, each with its condition.
    pub fn collect(members: impl IntoIterator<Item = (T, Lit)>) -> Self {
        let mut set = Fuzzy::fixed(Set::EMPTY);
        for (member, literal) in members {
            match literal {
                Lit::TRUE => set.sure.insert(member),
                Lit::FALSE => {}
                _ => set.maybe.push((member, literal)),
            }
        }
        set
    }

    /// The set itself, where it does not depend on the state.
    pub fn if_fixed(&self) -> Option<Set<T, W>> {
        self.maybe.is_empty().then_some(self.sure)
    }

    /// Everything that may be a member.
    pub fn widest(&self) -> Set<T, W> {
        let mut all = self.sure;
        for &(member, _) in &self.maybe {
            all.insert(member);
        }
        all
    }

    /// When this is a member.
    pub fn contains(&self, item: T) -> Lit {
        if self.sure.contains(item) {
            return Lit::TRUE;
        }
        let place = self.maybe.binary_search_by(|(member, _)| member.cmp(&item));
        place.map_or(Lit::FALSE, |i| self.maybe[i].1)
    }

    fn combine(
        &self,
        other: &Self,
        universe: Set<T, W>,
        mut condition: impl FnMut(Lit, Lit) -> Lit,
    ) -> Self {
        let members = universe.iter().map(|m| (m, condition(self.contains(m), other.contains(m))));
        Fuzzy::collect(members.collect::<Vec<_>>())
    }

    /// `S + T`
    pub fn union(&self, other: &Self, encoder: &mut Encoder) -> Self {
        if self.maybe.is_empty() && other.maybe.is_empty() {
            return Fuzzy::fixed(self.sure | other.sure);
        }
        let all = self.widest() | other.widest();
        self.combine(other, all, |a, b| encoder.or(vec![a, b]))
    }

    /// `S & T`
    pub fn intersection(&self, other: &Self, encoder: &mut Encoder) -> Self {
        if self.maybe.is_empty() && other.maybe.is_empty() {
            return Fuzzy::fixed(self.sure & other.sure);
        }
        let both = self.widest() & other.widest();
        self.combine(other, both, |a, b| encoder.and(vec![a, b]))
    }

    /// `S \ T`
    pub fn difference(&self, other: &Self, encoder: &mut Encoder) -> Self {
        if self.maybe.is_empty() && other.maybe.is_empty() {
            return Fuzzy::fixed(self.sure - other.sure);
        }
        let left = self.widest() - other.sure;
        self.combine(other, left, |a, b| encoder.and(vec![a, !b]))
    }

    /// Conditions that together say `S within T`.
    pub fn within(&self, other: &Self, encoder: &mut Encoder, out: &mut Vec<Lit>) {
        for member in self.widest() - other.sure {
            let (here, there) = (self.contains(member), other.contains(member));
            out.push(encoder.or(vec![!here, there]));
        }
    }

    /// Conditions that together say `S = T`.
    pub fn equals(&self, other: &Self, encoder: &mut Encoder, out: &mut Vec<Lit>) {
        self.within(other, encoder, out);
        other.within(self, encoder, out);
    }
}

/// A set of cells.
pub type FuzzyCells = Fuzzy<Cell, 10>;
/// A set of digits.
pub type FuzzyDigits = Fuzzy<Digit, 1>;
/// A set of houses.
pub type FuzzyHouses = Fuzzy<House, 2>;

/// A number: `fixed`, plus how many of `counted` hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Amount {
    /// What is certain.
    pub fixed: i64,
    /// What counts one each if it holds.
    pub counted: Vec<Lit>,
}

impl Amount {
    /// The sum.
    pub fn plus(mut self, other: Amount) -> Amount {
        self.fixed += other.fixed;
        self.counted.extend(other.counted);
        self
    }
    /// Minus a count is the count of what does not hold, less all of them.
    pub fn negated(self) -> Amount {
        let fixed = -self.fixed - self.counted.len() as i64;
        Amount { fixed, counted: self.counted.into_iter().map(|l| !l).collect() }
    }
    fn scaled(&self, factor: i64) -> Amount {
        let once = if factor < 0 { self.clone().negated() } else { self.clone() };
        let nothing = Amount { fixed: 0, counted: Vec::new() };
        (0..factor.unsigned_abs().min(1000)).fold(nothing, |sum, _| sum.plus(once.clone()))
    }
    /// The product.
    pub fn times(self, other: Amount, encoder: &mut Encoder) -> Amount {
        if self.counted.is_empty() {
            return other.scaled(self.fixed);
        }
        let mut product = self.scaled(other.fixed);
        let count = Amount { fixed: 0, counted: other.counted.clone() };
        product = product.plus(count.scaled(self.fixed));
        for &a in &self.counted {
            for &b in &other.counted {
                product.counted.push(encoder.and(vec![a, b]));
            }
        }
        product
    }
}

/// What a term stands for under a binding.
#[derive(Clone, PartialEq, Debug)]
pub enum Symbol {
    /// A cell.
    Cell(Cell),
    /// A digit.
    Digit(Digit),
    /// A house.
    House(House),
    /// A number.
    Number(Amount),
    /// A set of cells.
    Cells(FuzzyCells),
    /// A set of digits.
    Digits(FuzzyDigits),
    /// A set of houses.
    Houses(FuzzyHouses),
}

impl Symbol {
    /// The symbol of a value that does not depend on the state.
    pub fn of(value: Value) -> Symbol {
        match value {
            Value::Cell(cell) => Symbol::Cell(cell),
            Value::Digit(digit) => Symbol::Digit(digit),
            Value::House(house) => Symbol::House(house),
            Value::Number(fixed) => Symbol::Number(Amount { fixed, counted: Vec::new() }),
            Value::Cells(cells) => Symbol::Cells(Fuzzy::fixed(cells)),
            Value::Digits(digits) => Symbol::Digits(Fuzzy::fixed(digits)),
            Value::Houses(houses) => Symbol::Houses(Fuzzy::fixed(houses)),
        }
    }

    /// The value, where it does not depend on the state.
    pub fn if_fixed(&self) -> Option<Value> {
        match self {
            Symbol::Cell(cell) => Some(Value::Cell(*cell)),
            Symbol::Digit(digit) => Some(Value::Digit(*digit)),
            Symbol::House(house) => Some(Value::House(*house)),
            Symbol::Number(amount) => {
                amount.counted.is_empty().then_some(Value::Number(amount.fixed))
            }
            Symbol::Cells(set) => set.if_fixed().map(Value::Cells),
            Symbol::Digits(set) => set.if_fixed().map(Value::Digits),
            Symbol::Houses(set) => set.if_fixed().map(Value::Houses),
        }
    }
}

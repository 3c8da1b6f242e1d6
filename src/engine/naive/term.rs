//! The value of a term once its variables are bound.

use crate::board::{Cell, Cells, Digit, Digits, Grid, HouseKind, Houses, Layout};
use crate::language::{
    Arithmetic, Clause, ConstantSet, Function, Head, Kind, Literal, SetOperation, Term, Var,
};
use crate::trace::Value;

/// The variables of a clause while its body is being solved.
pub(super) type Environment = Vec<Option<Value>>;

/// What terms are evaluated on.
#[derive(Clone, Copy)]
pub(super) struct State<'a> {
    pub grid: &'a Grid,
    pub parameter: Option<i64>,
}

impl State<'_> {
    pub fn layout(&self) -> &Layout {
        self.grid.layout()
    }

    /// Everything that a scalar variable of this kind can be.
    pub fn domain(&self, kind: Kind) -> Option<Value> {
        match kind {
            Kind::Cell => Some(Value::Cells(self.layout().all_cells())),
            Kind::Digit => Some(Value::Digits(self.layout().all_digits())),
            Kind::House => Some(Value::Houses(self.layout().all_houses())),
            _ => None,
        }
    }

    /// The value of a term whose variables are bound.
    pub fn value(&self, term: &Term, bound: &Environment) -> Value {
        match term {
            Term::Var(v) => bound[v.index()].expect("a term waits for its variables"),
            Term::Cell { row, column } => {
                Value::Cell(self.layout().cell_at(usize::from(*row), usize::from(*column)))
            }
            Term::Digit(digit) => Value::Digit(*digit),
            Term::Number(number) => Value::Number(*number),
            Term::Parameter => {
                Value::Number(self.parameter.expect("only rules with a parameter name it"))
            }
            Term::Arithmetic(operation, left, right) => {
                let (left, right) = (self.number(left, bound), self.number(right, bound));
                Value::Number(match operation {
                    Arithmetic::Add => left.saturating_add(right),
                    Arithmetic::Subtract => left.saturating_sub(right),
                    Arithmetic::Multiply => left.saturating_mul(right),
                })
            }
            Term::Size(set) => Value::Number(size(&self.value(set, bound)) as i64),
            Term::Constant(constant) => self.constant(*constant),
            Term::Set(kind, members) => {
                let members = members.iter().map(|member| self.value(member, bound));
                members.fold(empty(*kind), |set, member| union(set, lone(member)))
            }
            Term::Lone(member) => lone(self.value(member, bound)),
            Term::CellsOf(house) => match self.value(house, bound) {
                Value::House(house) => Value::Cells(self.layout().cells(house)),
                other => unreachable!("{other:?} is not a house"),
            },
            Term::Operation(operation, left, right) => {
                let (left, right) = (self.value(left, bound), self.value(right, bound));
                match operation {
                    SetOperation::Union => union(left, right),
                    SetOperation::Intersection => intersection(left, right),
                    SetOperation::Difference => difference(left, right),
                }
            }
            Term::Call(function, arguments) => self.call(*function, arguments, bound),
        }
    }

    fn constant(&self, constant: ConstantSet) -> Value {
        let kind = |kind| self.layout().houses_of_kind(kind);
        match constant {
            ConstantSet::Digits => Value::Digits(self.layout().all_digits()),
            ConstantSet::Rows => Value::Houses(kind(HouseKind::Row)),
            ConstantSet::Columns => Value::Houses(kind(HouseKind::Column)),
            ConstantSet::Boxes => Value::Houses(kind(HouseKind::Box)),
            ConstantSet::Lines => Value::Houses(kind(HouseKind::Row) | kind(HouseKind::Column)),
            ConstantSet::Houses => Value::Houses(self.layout().all_houses()),
            ConstantSet::Unsolved => Value::Cells(self.grid.unsolved()),
        }
    }

    fn call(&self, function: Function, arguments: &[Term], bound: &Environment) -> Value {
        let (layout, grid) = (self.layout(), self.grid);
        match function {
            Function::Candidates => {
                let cells = self.cells(&arguments[0], bound);
                let live = |d: &Digit| grid.plane(*d).meets(&cells);
                Value::Digits(layout.digits().filter(live).collect())
            }
            Function::Spots => {
                let digits = self.digits(&arguments[0], bound);
                let planes = digits.iter().fold(Cells::EMPTY, |all, d| all | grid.plane(d));
                Value::Cells(planes & self.cells(&arguments[1], bound))
            }
            Function::Missing => {
                let Value::House(house) = self.value(&arguments[0], bound) else {
                    unreachable!("missing() takes a house");
                };
                let placed = layout.cells(house) & grid.placed();
                let missing = |d: &Digit| !grid.plane(*d).meets(&placed);
                Value::Digits(layout.digits().filter(missing).collect())
            }
            Function::Peers => Value::Cells(*layout.peers(self.cell(&arguments[0], bound))),
            Function::CommonPeers => {
                let cells = self.cells(&arguments[0], bound);
                let common = cells.iter().fold(layout.all_cells(), |all, c| all & *layout.peers(c));
                Value::Cells(common)
            }
            Function::Cells => {
                let houses = self.houses(&arguments[0], bound);
                let cells = houses.iter().fold(Cells::EMPTY, |all, h| all | layout.cells(h));
                Value::Cells(cells)
            }
            Function::Touching => {
                let houses = self.houses(&arguments[0], bound);
                let cells = self.cells(&arguments[1], bound);
                let meets = houses.iter().filter(|h| layout.cells(*h).meets(&cells));
                Value::Houses(meets.collect())
            }
            Function::Row => Value::House(layout.row(self.cell(&arguments[0], bound))),
            Function::Column => Value::House(layout.column(self.cell(&arguments[0], bound))),
            Function::Box => Value::House(layout.box_of(self.cell(&arguments[0], bound))),
        }
    }

    pub fn cell(&self, term: &Term, bound: &Environment) -> Cell {
        match self.value(term, bound) {
            Value::Cell(cell) => cell,
            other => unreachable!("{other:?} is not a cell"),
        }
    }
    pub fn digit(&self, term: &Term, bound: &Environment) -> Digit {
        match self.value(term, bound) {
            Value::Digit(digit) => digit,
            other => unreachable!("{other:?} is not a digit"),
        }
    }
    pub fn number(&self, term: &Term, bound: &Environment) -> i64 {
        match self.value(term, bound) {
            Value::Number(number) => number,
            other => unreachable!("{other:?} is not a number"),
        }
    }
    pub fn cells(&self, term: &Term, bound: &Environment) -> Cells {
        match self.value(term, bound) {
            Value::Cells(cells) => cells,
            other => unreachable!("{other:?} is not a set of cells"),
        }
    }
    pub fn digits(&self, term: &Term, bound: &Environment) -> Digits {
        match self.value(term, bound) {
            Value::Digits(digits) => digits,
            other => unreachable!("{other:?} is not a set of digits"),
        }
    }
    fn houses(&self, term: &Term, bound: &Environment) -> Houses {
        match self.value(term, bound) {
            Value::Houses(houses) => houses,
            other => unreachable!("{other:?} is not a set of houses"),
        }
    }

    /// Whether the layout has every cell and digit that the clause names. A clause about `r9c9`
    /// or about the digit 9 has no match on a grid of four rows.
    pub fn has_all_named_by(&self, clause: &Clause) -> bool {
        let size = self.layout().size();
        let mut all = true;
        each_term(clause, &mut |term| match term {
            Term::Cell { row, column } => all &= usize::from(*row.max(column)) < size,
            Term::Digit(digit) => all &= digit.index() < size,
            _ => {}
        });
        all
    }
}

/// How many members a set has.
pub(super) fn size(set: &Value) -> usize {
    match set {
        Value::Cells(cells) => cells.len(),
        Value::Digits(digits) => digits.len(),
        Value::Houses(houses) => houses.len(),
        other => unreachable!("{other:?} is not a set"),
    }
}

/// The members of a set in order.
pub(super) fn members(set: &Value) -> Vec<Value> {
    match set {
        Value::Cells(cells) => cells.iter().map(Value::Cell).collect(),
        Value::Digits(digits) => digits.iter().map(Value::Digit).collect(),
        Value::Houses(houses) => houses.iter().map(Value::House).collect(),
        other => unreachable!("{other:?} is not a set"),
    }
}

/// Whether a thing is in a set.
pub(super) fn contains(set: &Value, member: Value) -> bool {
    match (set, member) {
        (Value::Cells(cells), Value::Cell(cell)) => cells.contains(cell),
        (Value::Digits(digits), Value::Digit(digit)) => digits.contains(digit),
        (Value::Houses(houses), Value::House(house)) => houses.contains(house),
        (set, member) => unreachable!("{member:?} cannot be in {set:?}"),
    }
}

/// Whether a set is within another.
pub(super) fn within(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Cells(a), Value::Cells(b)) => a.within(b),
        (Value::Digits(a), Value::Digits(b)) => a.within(b),
        (Value::Houses(a), Value::Houses(b)) => a.within(b),
        (a, b) => unreachable!("{a:?} and {b:?} are not sets of one kind"),
    }
}

/// The empty set of things of a kind.
pub(super) fn empty(kind: Kind) -> Value {
    match kind {
        Kind::Cell | Kind::Cells => Value::Cells(Cells::EMPTY),
        Kind::Digit | Kind::Digits => Value::Digits(Digits::EMPTY),
        Kind::House | Kind::Houses => Value::Houses(Houses::EMPTY),
        Kind::Number => unreachable!("there are no sets of numbers"),
    }
}

/// The set of one thing.
pub(super) fn lone(member: Value) -> Value {
    match member {
        Value::Cell(cell) => Value::Cells(Cells::only(cell)),
        Value::Digit(digit) => Value::Digits(Digits::only(digit)),
        Value::House(house) => Value::Houses(Houses::only(house)),
        other => unreachable!("there are no sets of {other:?}"),
    }
}

macro_rules! set_operation {
    ($(#[$doc:meta])* $name:ident, $apply:expr) => {
        $(#[$doc])*
        pub(super) fn $name(left: Value, right: Value) -> Value {
            match (left, right) {
                (Value::Cells(a), Value::Cells(b)) => Value::Cells($apply(a, b)),
                (Value::Digits(a), Value::Digits(b)) => Value::Digits($apply(a, b)),
                (Value::Houses(a), Value::Houses(b)) => Value::Houses($apply(a, b)),
                (a, b) => unreachable!("{a:?} and {b:?} are not sets of one kind"),
            }
        }
    };
}
set_operation! {
    /// `S + T`
    union, |a, b| a | b
}
set_operation! {
    /// `S & T`
    intersection, |a, b| a & b
}
set_operation! {
    /// `S \ T`
    difference, |a, b| a - b
}

/// Calls `see` with every term of a clause, and with the terms inside them.
fn each_term(clause: &Clause, see: &mut impl FnMut(&Term)) {
    for head in &clause.heads {
        match head {
            Head::Place(a, b) | Head::Eliminate(a, b) => {
                inside(a, see);
                inside(b, see);
            }
            Head::Helper(terms) => terms.iter().for_each(|term| inside(term, see)),
            Head::Contradiction => {}
        }
    }
    for goal in &clause.body {
        each_term_of(&goal.literal, see);
    }
}

fn each_term_of(literal: &Literal, see: &mut impl FnMut(&Term)) {
    match literal {
        Literal::In(a, b) | Literal::Within(a, b) | Literal::Compare(_, a, b) => {
            inside(a, see);
            inside(b, see);
        }
        Literal::Choose(a, b, c) => [a, b, c].into_iter().for_each(|term| inside(term, see)),
        Literal::Relation(_, terms) | Literal::Call(_, terms) => {
            terms.iter().for_each(|term| inside(term, see));
        }
        Literal::Not(literal) => each_term_of(literal, see),
        Literal::Forall(_, set, body) => {
            inside(set, see);
            body.iter().for_each(|literal| each_term_of(literal, see));
        }
    }
}

fn inside(term: &Term, see: &mut impl FnMut(&Term)) {
    see(term);
    match term {
        Term::Arithmetic(_, a, b) | Term::Operation(_, a, b) => {
            inside(a, see);
            inside(b, see);
        }
        Term::Size(a) | Term::Lone(a) | Term::CellsOf(a) => inside(a, see),
        Term::Set(_, terms) | Term::Call(_, terms) => {
            terms.iter().for_each(|term| inside(term, see));
        }
        _ => {}
    }
}

/// The variables of a term.
pub(super) fn variables_of_term(term: &Term) -> Vec<Var> {
    let mut variables = Vec::new();
    inside(term, &mut |term| {
        if let Term::Var(v) = term {
            variables.push(*v);
        }
    });
    variables
}

/// The variables of a literal, without those local to a `forall`.
pub(super) fn variables_of(literal: &Literal) -> Vec<Var> {
    match literal {
        Literal::Forall(local, set, body) => {
            let mut variables = variables_of_term(set);
            variables.extend(body.iter().flat_map(variables_of).filter(|v| v != local));
            variables
        }
        Literal::Not(literal) => variables_of(literal),
        _ => {
            let mut variables = Vec::new();
            each_term_of(literal, &mut |term| {
                if let Term::Var(v) = term {
                    variables.push(*v);
                }
            });
            variables
        }
    }
}

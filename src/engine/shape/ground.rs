//! What is known before any puzzle is: terms and conditions that do not look at the candidates.

use crate::board::{Cell, Cells, Digits, House, HouseKind, Houses, Layout};
use crate::language::{
    Arithmetic, ConstantSet, Function, Literal, Relation, SetOperation, Term, Var,
};
use crate::trace::Value;

/// A clause's variables as far as they are bound, on a layout, with the rule's parameter.
#[derive(Clone)]
pub struct Ground<'a> {
    /// The layout.
    pub layout: &'a Layout,
    /// The parameter's value.
    pub parameter: Option<i64>,
    /// The variables.
    pub bound: Vec<Option<Value>>,
}

impl Ground<'_> {
    /// The value of a term, if it is known without looking at the candidates.
    pub fn value(&self, term: &Term) -> Option<Value> {
        Some(match term {
            Term::Var(v) => self.bound[v.index()]?,
            Term::Cell { row, column } => {
                let (row, column) = (usize::from(*row), usize::from(*column));
                let size = self.layout.size();
                if row >= size || column >= size {
                    return None;
                }
                Value::Cell(self.layout.cell_at(row, column))
            }
            Term::Digit(digit) if digit.index() < self.layout.size() => Value::Digit(*digit),
            Term::Digit(_) => return None,
            Term::Number(n) => Value::Number(*n),
            Term::Parameter => Value::Number(self.parameter?),
            Term::Arithmetic(operation, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Value::Number(match operation {
                    Arithmetic::Add => left.checked_add(right)?,
                    Arithmetic::Subtract => left.checked_sub(right)?,
                    Arithmetic::Multiply => left.checked_mul(right)?,
                })
            }
            Term::Size(set) => Value::Number(match self.value(set)? {
                Value::Cells(s) => s.len() as i64,
                Value::Digits(s) => s.len() as i64,
                Value::Houses(s) => s.len() as i64,
                _ => return None,
            }),
            Term::Constant(set) => constant(self.layout, *set)?,
            Term::Set(kind, members) => {
                let mut set = empty(*kind)?;
                for member in members {
                    set = operate(SetOperation::Union, set, lone(self.value(member)?)?)?;
                }
                set
            }
            Term::Lone(member) => lone(self.value(member)?)?,
            Term::CellsOf(house) => Value::Cells(self.layout.cells(self.house(house)?)),
            Term::Operation(operation, left, right) => {
                operate(*operation, self.value(left)?, self.value(right)?)?
            }
            Term::Call(function, arguments) => self.call(*function, arguments)?,
        })
    }

    fn call(&self, function: Function, arguments: &[Term]) -> Option<Value> {
        let layout = self.layout;
        Some(match function {
            Function::Candidates | Function::Spots | Function::Missing => return None,
            Function::Peers => Value::Cells(*layout.peers(self.cell(&arguments[0])?)),
            Function::CommonPeers => {
                let cells = self.cells(&arguments[0])?;
                let all = layout.all_cells();
                Value::Cells(cells.iter().fold(all, |common, cell| common & *layout.peers(cell)))
            }
            Function::Cells => {
                let houses = self.houses(&arguments[0])?;
                Value::Cells(houses.iter().fold(Cells::EMPTY, |all, h| all | layout.cells(h)))
            }
            Function::Touching => {
                let (houses, cells) = (self.houses(&arguments[0])?, self.cells(&arguments[1])?);
                let meets = |h: &House| layout.cells(*h).meets(&cells);
                Value::Houses(houses.iter().filter(meets).collect())
            }
            Function::Row => Value::House(layout.row(self.cell(&arguments[0])?)),
            Function::Column => Value::House(layout.column(self.cell(&arguments[0])?)),
            Function::Box => Value::House(layout.box_of(self.cell(&arguments[0])?)),
        })
    }

    /// Whether a condition holds, if that is known without looking at the candidates.
    pub fn holds(&self, literal: &Literal) -> Option<bool> {
        Some(match literal {
            Literal::In(member, set) => {
                operate(SetOperation::Difference, lone(self.value(member)?)?, self.value(set)?)
                    .map(is_empty)?
            }
            Literal::Within(left, right) => {
                operate(SetOperation::Difference, self.value(left)?, self.value(right)?)
                    .map(is_empty)?
            }
            Literal::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                comparison.holds(&left, &right)
            }
            Literal::Relation(Relation::Sees, cells) => {
                self.layout.sees(self.cell(&cells[0])?, self.cell(&cells[1])?)
            }
            Literal::Not(inner) => !self.holds(inner)?,
            _ => return None,
        })
    }

    /// A set of cells, if known.
    pub fn cells(&self, term: &Term) -> Option<Cells> {
        if let Value::Cells(cells) = self.value(term)? { Some(cells) } else { None }
    }
    /// A set of houses, if known.
    pub fn houses(&self, term: &Term) -> Option<Houses> {
        if let Value::Houses(houses) = self.value(term)? { Some(houses) } else { None }
    }
    /// A number, if known.
    pub fn number(&self, term: &Term) -> Option<i64> {
        if let Value::Number(number) = self.value(term)? { Some(number) } else { None }
    }
    /// A cell, if known.
    pub fn cell(&self, term: &Term) -> Option<Cell> {
        if let Value::Cell(cell) = self.value(term)? { Some(cell) } else { None }
    }
    fn house(&self, term: &Term) -> Option<House> {
        if let Value::House(house) = self.value(term)? { Some(house) } else { None }
    }

    /// The members of a set that is known.
    pub fn members(&self, set: &Term) -> Option<Vec<Value>> {
        Some(match self.value(set)? {
            Value::Cells(cells) => cells.iter().map(Value::Cell).collect(),
            Value::Digits(digits) => digits.iter().map(Value::Digit).collect(),
            Value::Houses(houses) => houses.iter().map(Value::House).collect(),
            _ => return None,
        })
    }
}

/// A constant set; `unsolved` is not known beforehand.
fn constant(layout: &Layout, set: ConstantSet) -> Option<Value> {
    let kind = |kind| layout.houses_of_kind(kind);
    Some(match set {
        ConstantSet::Digits => Value::Digits(layout.all_digits()),
        ConstantSet::Rows => Value::Houses(kind(HouseKind::Row)),
        ConstantSet::Columns => Value::Houses(kind(HouseKind::Column)),
        ConstantSet::Boxes => Value::Houses(kind(HouseKind::Box)),
        ConstantSet::Lines => Value::Houses(kind(HouseKind::Row) | kind(HouseKind::Column)),
        ConstantSet::Houses => Value::Houses(layout.all_houses()),
        ConstantSet::Unsolved => return None,
    })
}

fn empty(kind: crate::language::Kind) -> Option<Value> {
    use crate::language::Kind;
    Some(match kind {
        Kind::Cell => Value::Cells(Cells::EMPTY),
        Kind::Digit => Value::Digits(Digits::EMPTY),
        Kind::House => Value::Houses(Houses::EMPTY),
        _ => return None,
    })
}

fn lone(member: Value) -> Option<Value> {
    Some(match member {
        Value::Cell(cell) => Value::Cells(Cells::only(cell)),
        Value::Digit(digit) => Value::Digits(Digits::only(digit)),
        Value::House(house) => Value::Houses(Houses::only(house)),
        _ => return None,
    })
}

fn is_empty(set: Value) -> bool {
    match set {
        Value::Cells(s) => s.is_empty(),
        Value::Digits(s) => s.is_empty(),
        Value::Houses(s) => s.is_empty(),
        _ => false,
    }
}

fn operate(operation: SetOperation, left: Value, right: Value) -> Option<Value> {
    macro_rules! apply {
        ($l:expr, $r:expr) => {
            match operation {
                SetOperation::Union => $l | $r,
                SetOperation::Intersection => $l & $r,
                SetOperation::Difference => $l - $r,
            }
        };
    }
    Some(match (left, right) {
        (Value::Cells(l), Value::Cells(r)) => Value::Cells(apply!(l, r)),
        (Value::Digits(l), Value::Digits(r)) => Value::Digits(apply!(l, r)),
        (Value::Houses(l), Value::Houses(r)) => Value::Houses(apply!(l, r)),
        _ => return None,
    })
}

/// Whether a variable occurs in a term.
pub fn mentions(term: &Term, var: Var) -> bool {
    match term {
        Term::Var(v) => *v == var,
        Term::Arithmetic(_, l, r) | Term::Operation(_, l, r) => {
            mentions(l, var) || mentions(r, var)
        }
        Term::Size(t) | Term::Lone(t) | Term::CellsOf(t) => mentions(t, var),
        Term::Set(_, terms) | Term::Call(_, terms) => terms.iter().any(|t| mentions(t, var)),
        _ => false,
    }
}

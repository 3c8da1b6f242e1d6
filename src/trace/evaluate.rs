//! Terms and conditions with every variable bound, worked out directly on a grid.
//!
//! There is no search here, so this is all that checking a trace has to trust.

use crate::board::{Candidate, Cells, Digit, Digits, Grid, HouseKind, Houses};
use crate::language::{
    Arithmetic, ConstantSet, Function, Head, Kind, Literal, PredicateId, Relation, SetOperation,
    Term,
};

use super::step::{Conclusion, Value};

/// A grid and a value for each variable of a clause.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The state.
    pub grid: &'a Grid,
    /// The rule's parameter, if it has one.
    pub parameter: Option<i64>,
    /// The variables.
    pub bindings: &'a [Value],
}

/// Tells whether a helper holds for these arguments.
pub type Helpers<'a> = &'a dyn Fn(PredicateId, &[Value]) -> bool;

impl Scene<'_> {
    /// A term's value; nothing if it names a cell or a digit that this layout does not have.
    pub fn term(&self, term: &Term) -> Option<Value> {
        let layout = self.grid.layout();
        Some(match term {
            Term::Var(var) => self.bindings[var.index()],
            Term::Cell { row, column } => {
                let (row, column) = (usize::from(*row), usize::from(*column));
                let size = layout.size();
                (row < size && column < size).then(|| Value::Cell(layout.cell_at(row, column)))?
            }
            Term::Digit(digit) => {
                (digit.number() <= layout.size()).then_some(Value::Digit(*digit))?
            }
            Term::Number(number) => Value::Number(*number),
            Term::Parameter => Value::Number(self.parameter?),
            Term::Arithmetic(operation, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Value::Number(match operation {
                    Arithmetic::Add => left.checked_add(right)?,
                    Arithmetic::Subtract => left.checked_sub(right)?,
                    Arithmetic::Multiply => left.checked_mul(right)?,
                })
            }
            Term::Size(set) => Value::Number(match self.term(set)? {
                Value::Cells(cells) => cells.len(),
                Value::Digits(digits) => digits.len(),
                Value::Houses(houses) => houses.len(),
                _ => return None,
            } as i64),
            Term::Constant(constant) => self.constant(*constant),
            Term::Set(kind, members) => {
                let empty = match kind {
                    Kind::Cell => Value::Cells(Cells::EMPTY),
                    Kind::Digit => Value::Digits(Digits::EMPTY),
                    _ => Value::Houses(Houses::EMPTY),
                };
                let mut set = empty;
                for member in members {
                    set = combine(SetOperation::Union, set, lone(self.term(member)?)?)?;
                }
                set
            }
            Term::Lone(member) => lone(self.term(member)?)?,
            Term::CellsOf(house) => match self.term(house)? {
                Value::House(house) => Value::Cells(layout.cells(house)),
                _ => return None,
            },
            Term::Operation(operation, left, right) => {
                combine(*operation, self.term(left)?, self.term(right)?)?
            }
            Term::Call(function, arguments) => {
                let arguments: Vec<Value> =
                    arguments.iter().map(|a| self.term(a)).collect::<Option<_>>()?;
                self.function(*function, &arguments)?
            }
        })
    }

    fn number(&self, term: &Term) -> Option<i64> {
        match self.term(term)? {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    fn constant(&self, constant: ConstantSet) -> Value {
        let layout = self.grid.layout();
        let of = |kind| layout.houses_of_kind(kind);
        match constant {
            ConstantSet::Digits => Value::Digits(layout.all_digits()),
            ConstantSet::Rows => Value::Houses(of(HouseKind::Row)),
            ConstantSet::Columns => Value::Houses(of(HouseKind::Column)),
            ConstantSet::Boxes => Value::Houses(of(HouseKind::Box)),
            ConstantSet::Lines => Value::Houses(of(HouseKind::Row) | of(HouseKind::Column)),
            ConstantSet::Houses => Value::Houses(layout.all_houses()),
            ConstantSet::Unsolved => Value::Cells(self.grid.unsolved()),
        }
    }

    fn function(&self, function: Function, arguments: &[Value]) -> Option<Value> {
        let (grid, layout) = (self.grid, self.grid.layout());
        Some(match (function, arguments) {
            (Function::Candidates, [Value::Cells(cells)]) => {
                Value::Digits(layout.digits().filter(|&d| grid.plane(d).meets(cells)).collect())
            }
            (Function::Spots, [Value::Digits(digits), Value::Cells(cells)]) => {
                let planes = digits.iter().fold(Cells::EMPTY, |all, d| all | grid.plane(d));
                Value::Cells(planes & *cells)
            }
            (Function::Missing, [Value::House(house)]) => {
                let placed = grid.placed() & layout.cells(*house);
                let missing = |d: &Digit| !grid.plane(*d).meets(&placed);
                Value::Digits(layout.digits().filter(missing).collect())
            }
            (Function::Peers, [Value::Cell(cell)]) => Value::Cells(*layout.peers(*cell)),
            (Function::CommonPeers, [Value::Cells(cells)]) => {
                Value::Cells(cells.iter().fold(layout.all_cells(), |all, c| all & *layout.peers(c)))
            }
            (Function::Cells, [Value::Houses(houses)]) => {
                Value::Cells(houses.iter().fold(Cells::EMPTY, |all, h| all | layout.cells(h)))
            }
            (Function::Touching, [Value::Houses(houses), Value::Cells(cells)]) => {
                Value::Houses(houses.iter().filter(|&h| layout.cells(h).meets(cells)).collect())
            }
            (Function::Row, [Value::Cell(cell)]) => Value::House(layout.row(*cell)),
            (Function::Column, [Value::Cell(cell)]) => Value::House(layout.column(*cell)),
            (Function::Box, [Value::Cell(cell)]) => Value::House(layout.box_of(*cell)),
            _ => return None,
        })
    }

    /// What heads come to; nothing for a helper's head.
    pub fn conclude(&self, heads: &[Head]) -> Option<Conclusion> {
        let mut conclusion = Conclusion::default();
        for head in heads {
            match head {
                Head::Place(cell, digit) => match (self.term(cell)?, self.term(digit)?) {
                    (Value::Cell(cell), Value::Digit(digit)) => {
                        conclusion.add_place(self.grid, Candidate { cell, digit });
                    }
                    _ => return None,
                },
                Head::Eliminate(cells, digits) => match (self.term(cells)?, self.term(digits)?) {
                    (Value::Cells(cells), Value::Digits(digits)) => {
                        conclusion.add_eliminate(self.grid, cells, digits);
                    }
                    _ => return None,
                },
                Head::Contradiction => conclusion.contradiction = true,
                Head::Helper(_) => return None,
            }
        }
        conclusion.finish();
        Some(conclusion)
    }

    /// Whether a condition holds; `helpers` answers for the helpers it calls.
    pub fn holds(&self, literal: &Literal, helpers: Helpers) -> bool {
        self.truth(literal, helpers).unwrap_or(false)
    }

    fn truth(&self, literal: &Literal, helpers: Helpers) -> Option<bool> {
        let terms =
            |terms: &[Term]| -> Option<Vec<Value>> { terms.iter().map(|t| self.term(t)).collect() };
        Some(match literal {
            Literal::In(member, set) => {
                let member = lone(self.term(member)?)?;
                is_within(member, self.term(set)?)
            }
            Literal::Choose(subset, size, set) => {
                let (subset, size) = (self.term(subset)?, self.number(size)?);
                set_size(subset) == usize::try_from(size).ok()?
                    && is_within(subset, self.term(set)?)
            }
            Literal::Within(left, right) => is_within(self.term(left)?, self.term(right)?),
            Literal::Compare(comparison, left, right) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                comparison.holds(&left, &right)
            }
            Literal::Relation(relation, arguments) => self.relation(*relation, &terms(arguments)?),
            Literal::Call(predicate, arguments) => helpers(*predicate, &terms(arguments)?),
            Literal::Not(inner) => !self.holds(inner, helpers),
            Literal::Forall(var, set, body) => {
                let mut bindings = self.bindings.to_vec();
                members(self.term(set)?).into_iter().all(|member| {
                    bindings[var.index()] = member;
                    let scene = Scene { bindings: &bindings, ..*self };
                    body.iter().all(|literal| scene.holds(literal, helpers))
                })
            }
        })
    }

    fn relation(&self, relation: Relation, arguments: &[Value]) -> bool {
        let (grid, layout) = (self.grid, self.grid.layout());
        match (relation, arguments) {
            (Relation::Sees, &[Value::Cell(a), Value::Cell(b)]) => layout.sees(a, b),
            (Relation::Given, &[Value::Cell(cell)]) => grid.given().contains(cell),
            (Relation::Live, &[Value::Cell(cell), Value::Digit(digit)]) => {
                grid.plane(digit).contains(cell)
            }
            (
                Relation::Rectangle,
                &[Value::Cell(a), Value::Cell(b), Value::Cell(c), Value::Cell(t)],
            ) => {
                let (row, column) = (|x| layout.row_index(x), |x| layout.column_index(x));
                let corners = |a, b, c, t| {
                    row(a) == row(b)
                        && column(a) == column(c)
                        && row(c) == row(t)
                        && column(b) == column(t)
                        && row(a) != row(c)
                        && column(a) != column(b)
                };
                let boxes: Houses = [a, b, c, t].into_iter().map(|x| layout.box_of(x)).collect();
                (corners(a, b, c, t) || corners(a, c, b, t)) && boxes.len() == 2
            }
            (Relation::Orientation, &[lines, across]) => {
                let rows = self.constant(ConstantSet::Rows);
                let columns = self.constant(ConstantSet::Columns);
                (lines, across) == (rows, columns) || (lines, across) == (columns, rows)
            }
            _ => false,
        }
    }
}

/// The set of one thing.
pub fn lone(value: Value) -> Option<Value> {
    match value {
        Value::Cell(cell) => Some(Value::Cells(Cells::only(cell))),
        Value::Digit(digit) => Some(Value::Digits(Digits::only(digit))),
        Value::House(house) => Some(Value::Houses(Houses::only(house))),
        _ => None,
    }
}

/// The members of a set, in order.
pub fn members(value: Value) -> Vec<Value> {
    match value {
        Value::Cells(cells) => cells.iter().map(Value::Cell).collect(),
        Value::Digits(digits) => digits.iter().map(Value::Digit).collect(),
        Value::Houses(houses) => houses.iter().map(Value::House).collect(),
        _ => Vec::new(),
    }
}

/// How many members a set has.
pub fn set_size(value: Value) -> usize {
    match value {
        Value::Cells(cells) => cells.len(),
        Value::Digits(digits) => digits.len(),
        Value::Houses(houses) => houses.len(),
        _ => 0,
    }
}

fn is_within(left: Value, right: Value) -> bool {
    combine(SetOperation::Difference, left, right).is_some_and(|rest| set_size(rest) == 0)
}

/// Union, intersection or difference; nothing if these are not two sets of one kind.
pub fn combine(operation: SetOperation, left: Value, right: Value) -> Option<Value> {
    macro_rules! apply {
        ($left:expr, $right:expr) => {
            match operation {
                SetOperation::Union => $left | $right,
                SetOperation::Intersection => $left & $right,
                SetOperation::Difference => $left - $right,
            }
        };
    }
    match (left, right) {
        (Value::Cells(a), Value::Cells(b)) => Some(Value::Cells(apply!(a, b))),
        (Value::Digits(a), Value::Digits(b)) => Some(Value::Digits(apply!(a, b))),
        (Value::Houses(a), Value::Houses(b)) => Some(Value::Houses(apply!(a, b))),
        _ => None,
    }
}

//! Terms under a binding, as sets of propositions about the state.
//!
//! What does not depend on the state is evaluated away. A set is asked for within a limit, so that
//! `unsolved & H` speaks of nine cells, not of the whole grid.

use crate::board::{Cell, Cells, Digit, Digits, House, HouseKind, Houses};
use crate::language::{Arithmetic, ConstantSet, Function, SetOperation, Term};

use super::encode::Encoder;
use super::sat::Lit;
use super::symbol::{Amount, Fuzzy, FuzzyCells, FuzzyDigits, FuzzyHouses, Symbol};

/// The variables of a clause while its bindings are walked through.
pub type Environment = Vec<Option<Symbol>>;

/// A condition that the method cannot put into propositions, such as a negated recursive helper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beyond;

/// Helpers inside `not` and `forall`: when does one hold of these arguments?
pub trait Helpers {
    /// The condition, or that there is none of a size we can handle.
    fn holds(
        &mut self,
        encoder: &mut Encoder,
        helper: crate::language::PredicateId,
        arguments: Vec<Option<Symbol>>,
    ) -> Result<Lit, Beyond>;
}

/// Evaluates terms and conditions of one clause.
pub struct Evaluator<'a> {
    /// Makes the propositions.
    pub encoder: &'a mut Encoder,
    /// The rule's parameter.
    pub parameter: Option<i64>,
}

impl Evaluator<'_> {
    /// A term's value. Its variables are bound.
    pub fn term(&mut self, term: &Term, bound: &Environment) -> Symbol {
        match term {
            Term::Var(v) => bound[v.index()].clone().expect("a term waits for its variables"),
            Term::Cell { row, column } => {
                Symbol::Cell(self.encoder.layout().cell_at(usize::from(*row), usize::from(*column)))
            }
            Term::Digit(digit) => Symbol::Digit(*digit),
            Term::Number(_) | Term::Parameter | Term::Arithmetic(..) | Term::Size(_) => {
                Symbol::Number(self.number(term, bound))
            }
            Term::Constant(ConstantSet::Digits) => self.any_digits(term, bound),
            Term::Constant(ConstantSet::Unsolved) | Term::CellsOf(_) => self.any_cells(term, bound),
            Term::Constant(_) => self.any_houses(term, bound),
            Term::Set(kind, _) => match kind {
                crate::language::Kind::Cell => self.any_cells(term, bound),
                crate::language::Kind::Digit => self.any_digits(term, bound),
                _ => self.any_houses(term, bound),
            },
            Term::Lone(member) => match self.term(member, bound) {
                Symbol::Cell(cell) => Symbol::Cells(Fuzzy::fixed(Cells::only(cell))),
                Symbol::Digit(digit) => Symbol::Digits(Fuzzy::fixed(Digits::only(digit))),
                Symbol::House(house) => Symbol::Houses(Fuzzy::fixed(Houses::only(house))),
                other => unreachable!("{other:?} is not scalar"),
            },
            Term::Operation(_, left, _) => match self.shape(left, bound) {
                Shape::Cells => self.any_cells(term, bound),
                Shape::Digits => self.any_digits(term, bound),
                Shape::Houses => self.any_houses(term, bound),
            },
            Term::Call(function, arguments) => match function {
                Function::Candidates | Function::Missing => self.any_digits(term, bound),
                Function::Touching => self.any_houses(term, bound),
                Function::Row | Function::Column | Function::Box => {
                    let cell = self.cell(&arguments[0], bound);
                    let layout = self.encoder.layout();
                    Symbol::House(match function {
                        Function::Row => layout.row(cell),
                        Function::Column => layout.column(cell),
                        _ => layout.box_of(cell),
                    })
                }
                _ => self.any_cells(term, bound),
            },
        }
    }

    /// What a set term is a set of.
    fn shape(&self, term: &Term, bound: &Environment) -> Shape {
        match term {
            Term::Var(v) => match bound[v.index()] {
                Some(Symbol::Digits(_)) => Shape::Digits,
                Some(Symbol::Houses(_)) => Shape::Houses,
                _ => Shape::Cells,
            },
            Term::Constant(ConstantSet::Digits) => Shape::Digits,
            Term::Constant(ConstantSet::Unsolved) => Shape::Cells,
            Term::Constant(_) => Shape::Houses,
            Term::Set(crate::language::Kind::Digit, _) => Shape::Digits,
            Term::Set(crate::language::Kind::House, _) => Shape::Houses,
            Term::Lone(member) => match &**member {
                Term::Digit(_) => Shape::Digits,
                Term::Call(..) => Shape::Houses,
                Term::Var(v) => match bound[v.index()] {
                    Some(Symbol::Digit(_)) => Shape::Digits,
                    Some(Symbol::House(_)) => Shape::Houses,
                    _ => Shape::Cells,
                },
                _ => Shape::Cells,
            },
            Term::Operation(_, left, _) => self.shape(left, bound),
            Term::Call(Function::Candidates | Function::Missing, _) => Shape::Digits,
            Term::Call(Function::Touching, _) => Shape::Houses,
            _ => Shape::Cells,
        }
    }

    fn any_cells(&mut self, term: &Term, bound: &Environment) -> Symbol {
        let all = self.encoder.layout().all_cells();
        Symbol::Cells(self.cells(term, bound, all))
    }
    fn any_digits(&mut self, term: &Term, bound: &Environment) -> Symbol {
        let all = self.encoder.layout().all_digits();
        Symbol::Digits(self.digits(term, bound, all))
    }
    fn any_houses(&mut self, term: &Term, bound: &Environment) -> Symbol {
        Symbol::Houses(self.houses(term, bound))
    }

    /// The cell a term stands for.
    pub fn cell(&mut self, term: &Term, bound: &Environment) -> Cell {
        match self.term(term, bound) {
            Symbol::Cell(cell) => cell,
            other => unreachable!("{other:?} is not a cell"),
        }
    }

    /// The digit a term stands for.
    pub fn digit(&mut self, term: &Term, bound: &Environment) -> Digit {
        match self.term(term, bound) {
            Symbol::Digit(digit) => digit,
            other => unreachable!("{other:?} is not a digit"),
        }
    }

    fn house(&mut self, term: &Term, bound: &Environment) -> House {
        match self.term(term, bound) {
            Symbol::House(house) => house,
            other => unreachable!("{other:?} is not a house"),
        }
    }

    /// The cells of a set term that are within the limit.
    pub fn cells(&mut self, term: &Term, bound: &Environment, limit: Cells) -> FuzzyCells {
        let all = |cells: Cells| Fuzzy::fixed(cells & limit);
        match term {
            Term::Var(v) => match &bound[v.index()] {
                Some(Symbol::Cells(set)) => {
                    let maybe = set.maybe.iter().filter(|(c, _)| limit.contains(*c));
                    Fuzzy { sure: set.sure & limit, maybe: maybe.copied().collect() }
                }
                other => unreachable!("{other:?} is not a set of cells"),
            },
            Term::Constant(_) => Fuzzy::collect(
                limit.iter().map(|c| (c, !self.encoder.placed(c))).collect::<Vec<_>>(),
            ),
            Term::Set(_, members) => {
                all(members.iter().map(|member| self.cell(member, bound)).collect())
            }
            Term::Lone(member) => all(Cells::only(self.cell(member, bound))),
            Term::CellsOf(house) => {
                let house = self.house(house, bound);
                all(self.encoder.layout().cells(house))
            }
            Term::Operation(operation, left, right) => match operation {
                SetOperation::Union => {
                    let left = self.cells(left, bound, limit);
                    let right = self.cells(right, bound, limit - left.sure);
                    left.union(&right, self.encoder)
                }
                SetOperation::Intersection => {
                    // The side that depends on the state last, and only where it matters.
                    let (first, last) = if **left == Term::Constant(ConstantSet::Unsolved) {
                        (right, left)
                    } else {
                        (left, right)
                    };
                    let first = self.cells(first, bound, limit);
                    let last = self.cells(last, bound, first.widest());
                    first.intersection(&last, self.encoder)
                }
                SetOperation::Difference => {
                    let left = self.cells(left, bound, limit);
                    let right = self.cells(right, bound, left.widest());
                    left.difference(&right, self.encoder)
                }
            },
            Term::Call(function, arguments) => match function {
                Function::Spots => {
                    let cells = self.cells(&arguments[1], bound, limit);
                    let every = self.encoder.layout().all_digits();
                    let digits = self.digits(&arguments[0], bound, every);
                    let members = cells.widest();
                    let spot = |cell: Cell| {
                        let mut some = Vec::new();
                        for digit in digits.widest() {
                            let here = self.encoder.possible(cell, digit);
                            some.push(self.encoder.and(vec![digits.contains(digit), here]));
                        }
                        let some = self.encoder.or(some);
                        (cell, self.encoder.and(vec![some, cells.contains(cell)]))
                    };
                    Fuzzy::collect(members.iter().map(spot).collect::<Vec<_>>())
                }
                Function::Peers => {
                    let cell = self.cell(&arguments[0], bound);
                    all(*self.encoder.layout().peers(cell))
                }
                Function::CommonPeers => {
                    let every = self.encoder.layout().all_cells();
                    let set = self.cells(&arguments[0], bound, every);
                    let layout = self.encoder.layout().clone();
                    let common = set.sure.iter().fold(limit, |rest, c| rest & *layout.peers(c));
                    let sees_all = |cell: Cell| {
                        let unseen = set.maybe.iter().filter(|(c, _)| !layout.sees(*c, cell));
                        (cell, self.encoder.and(unseen.map(|&(_, l)| !l).collect()))
                    };
                    Fuzzy::collect(common.iter().map(sees_all).collect::<Vec<_>>())
                }
                Function::Cells => {
                    let houses = self.houses(&arguments[0], bound);
                    let layout = self.encoder.layout().clone();
                    let covered = |cell: Cell| {
                        let around = layout.houses_of(cell).iter();
                        (cell, self.encoder.or(around.map(|h| houses.contains(h)).collect()))
                    };
                    Fuzzy::collect(limit.iter().map(covered).collect::<Vec<_>>())
                }
                other => unreachable!("{other:?} gives no cells"),
            },
            other => unreachable!("{other:?} is not a set of cells"),
        }
    }

    /// The digits of a set term that are within the limit.
    pub fn digits(&mut self, term: &Term, bound: &Environment, limit: Digits) -> FuzzyDigits {
        let all = |digits: Digits| Fuzzy::fixed(digits & limit);
        match term {
            Term::Var(v) => match &bound[v.index()] {
                Some(Symbol::Digits(set)) => {
                    let maybe = set.maybe.iter().filter(|(d, _)| limit.contains(*d));
                    Fuzzy { sure: set.sure & limit, maybe: maybe.copied().collect() }
                }
                other => unreachable!("{other:?} is not a set of digits"),
            },
            Term::Constant(_) => all(self.encoder.layout().all_digits()),
            Term::Set(_, members) => {
                all(members.iter().map(|member| self.digit(member, bound)).collect())
            }
            Term::Lone(member) => all(Digits::only(self.digit(member, bound))),
            Term::Operation(operation, left, right) => {
                let left = self.digits(left, bound, limit);
                let right = self.digits(right, bound, limit);
                self.combine(*operation, left, right)
            }
            Term::Call(Function::Candidates, arguments) => {
                let every = self.encoder.layout().all_cells();
                let cells = self.cells(&arguments[0], bound, every);
                let live = |digit: Digit| {
                    let mut some = Vec::new();
                    for cell in cells.widest() {
                        let here = self.encoder.possible(cell, digit);
                        some.push(self.encoder.and(vec![cells.contains(cell), here]));
                    }
                    (digit, self.encoder.or(some))
                };
                Fuzzy::collect(limit.iter().map(live).collect::<Vec<_>>())
            }
            Term::Call(Function::Missing, arguments) => {
                let house = self.house(&arguments[0], bound);
                let cells = self.encoder.layout().cells(house);
                let missing = |digit: Digit| {
                    let mut nowhere = Vec::new();
                    for cell in cells {
                        let placed = self.encoder.placed(cell);
                        let here = self.encoder.possible(cell, digit);
                        nowhere.push(!self.encoder.and(vec![placed, here]));
                    }
                    (digit, self.encoder.and(nowhere))
                };
                Fuzzy::collect(limit.iter().map(missing).collect::<Vec<_>>())
            }
            other => unreachable!("{other:?} is not a set of digits"),
        }
    }

    /// The houses of a set term.
    pub fn houses(&mut self, term: &Term, bound: &Environment) -> FuzzyHouses {
        let layout = self.encoder.layout().clone();
        match term {
            Term::Var(v) => match &bound[v.index()] {
                Some(Symbol::Houses(set)) => set.clone(),
                other => unreachable!("{other:?} is not a set of houses"),
            },
            Term::Constant(constant) => {
                let kind = |kind| layout.houses_of_kind(kind);
                Fuzzy::fixed(match constant {
                    ConstantSet::Rows => kind(HouseKind::Row),
                    ConstantSet::Columns => kind(HouseKind::Column),
                    ConstantSet::Boxes => kind(HouseKind::Box),
                    ConstantSet::Lines => kind(HouseKind::Row) | kind(HouseKind::Column),
                    _ => layout.all_houses(),
                })
            }
            Term::Set(_, members) => {
                Fuzzy::fixed(members.iter().map(|member| self.house(member, bound)).collect())
            }
            Term::Lone(member) => Fuzzy::fixed(Houses::only(self.house(member, bound))),
            Term::Operation(operation, left, right) => {
                let (left, right) = (self.houses(left, bound), self.houses(right, bound));
                self.combine(*operation, left, right)
            }
            Term::Call(_, arguments) => {
                let houses = self.houses(&arguments[0], bound);
                let all = houses.widest().iter().fold(Cells::EMPTY, |all, h| all | layout.cells(h));
                let cells = self.cells(&arguments[1], bound, all);
                let touched = |house: House| {
                    let inside = layout.cells(house) & cells.widest();
                    let some = inside.iter().map(|c| cells.contains(c)).collect();
                    let some = self.encoder.or(some);
                    (house, self.encoder.and(vec![houses.contains(house), some]))
                };
                Fuzzy::collect(houses.widest().iter().map(touched).collect::<Vec<_>>())
            }
            other => unreachable!("{other:?} is not a set of houses"),
        }
    }

    fn combine<T: crate::board::Index + std::fmt::Debug, const W: usize>(
        &mut self,
        operation: SetOperation,
        left: Fuzzy<T, W>,
        right: Fuzzy<T, W>,
    ) -> Fuzzy<T, W> {
        match operation {
            SetOperation::Union => left.union(&right, self.encoder),
            SetOperation::Intersection => left.intersection(&right, self.encoder),
            SetOperation::Difference => left.difference(&right, self.encoder),
        }
    }

    /// A number term.
    pub fn number(&mut self, term: &Term, bound: &Environment) -> Amount {
        let fixed = |fixed| Amount { fixed, counted: Vec::new() };
        match term {
            Term::Var(v) => match &bound[v.index()] {
                Some(Symbol::Number(amount)) => amount.clone(),
                other => unreachable!("{other:?} is not a number"),
            },
            Term::Number(number) => fixed(*number),
            Term::Parameter => fixed(self.parameter.expect("only rules with a parameter name it")),
            Term::Size(set) => match self.term(set, bound) {
                Symbol::Cells(set) => size_of(&set),
                Symbol::Digits(set) => size_of(&set),
                Symbol::Houses(set) => size_of(&set),
                other => unreachable!("{other:?} has no size"),
            },
            Term::Arithmetic(operation, left, right) => {
                let (left, right) = (self.number(left, bound), self.number(right, bound));
                match operation {
                    Arithmetic::Add => left.plus(right),
                    Arithmetic::Subtract => left.plus(right.negated()),
                    Arithmetic::Multiply => left.times(right, self.encoder),
                }
            }
            other => unreachable!("{other:?} is not a number"),
        }
    }
}

enum Shape {
    Cells,
    Digits,
    Houses,
}

fn size_of<T: crate::board::Index + std::fmt::Debug, const W: usize>(set: &Fuzzy<T, W>) -> Amount {
    let counted = set.maybe.iter().map(|&(_, literal)| literal).collect();
    Amount { fixed: set.sure.len() as i64, counted }
}

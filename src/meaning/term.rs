//! The value of a term.
//!
//! A set is asked for among some things only, so that `unsolved & H` speaks of nine cells, not of
//! the whole grid. Asked for among all, it is the whole set.

use crate::board::{Cell, Cells, Digit, Digits, House, Houses, Set};
use crate::language::SetOperation::{Difference, Intersection, Union};
use crate::language::{ConstantSet, Function, Kind, Term, Var};

use super::logic::{Environment, Logic, Meant, Member, NoValue, Number, Valued};
use super::value::Value;

/// Where terms and conditions are worked out: a logic, and the rule's parameter.
pub struct Reading<'a, L: Logic> {
    /// What truths are.
    pub logic: &'a mut L,
    /// The rule's parameter, if it has one.
    pub parameter: Option<i64>,
}

/// What a variable has been bound to.
fn held<V>(v: Var, bound: &[Option<V>]) -> Valued<&V> {
    bound[v.index()].as_ref().ok_or(NoValue::Unbound)
}

impl<'a, L: Logic> Reading<'a, L> {
    /// Where there is no parameter.
    pub fn new(logic: &'a mut L) -> Reading<'a, L> {
        Reading { logic, parameter: None }
    }

    /// A term's value.
    pub fn value(&mut self, term: &Term, bound: &Environment<L>) -> Valued<Meant<L>> {
        if let Term::Var(v) = term {
            return held(*v, bound).cloned();
        }
        let kind = |v: Var| Some(bound[v.index()].as_ref()?.kind());
        Ok(match term.kind_by(&kind).ok_or(NoValue::Unbound)? {
            Kind::Cell => Value::Cell(self.cell(term, bound)?),
            Kind::Digit => Value::Digit(self.digit(term, bound)?),
            Kind::House => Value::House(self.house(term, bound)?),
            Kind::Number => Value::Number(self.number(term, bound)?),
            Kind::Cells => {
                let all = self.logic.all_cells();
                Value::Cells(self.set(term, bound, all)?)
            }
            Kind::Digits => {
                let all = self.logic.layout().all_digits();
                Value::Digits(self.set(term, bound, all)?)
            }
            Kind::Houses => {
                let all = self.logic.layout().houses_and_groups();
                Value::Houses(self.set(term, bound, all)?)
            }
        })
    }

    /// The cell that a term stands for.
    pub fn cell(&mut self, term: &Term, bound: &Environment<L>) -> Valued<Cell> {
        match term {
            Term::Var(v) => Ok(held(*v, bound)?.as_cell().expect("the variable is of this kind")),
            Term::Cell { .. } if self.logic.is_general() => Err(NoValue::Beyond),
            Term::Cell { row, column } => {
                let (row, column) = (usize::from(*row), usize::from(*column));
                let layout = self.logic.layout();
                let here = row < layout.size() && column < layout.size();
                if here { Ok(layout.cell_at(row, column)) } else { Err(NoValue::NotHere) }
            }
            other => unreachable!("{other:?} is not a cell"),
        }
    }

    /// The digit that a term stands for.
    pub fn digit(&mut self, term: &Term, bound: &Environment<L>) -> Valued<Digit> {
        match term {
            Term::Var(v) => Ok(held(*v, bound)?.as_digit().expect("the variable is of this kind")),
            Term::Digit(digit) if digit.index() < self.logic.layout().size() => Ok(*digit),
            Term::Digit(_) => Err(NoValue::NotHere),
            other => unreachable!("{other:?} is not a digit"),
        }
    }

    /// The house that a term stands for.
    pub fn house(&mut self, term: &Term, bound: &Environment<L>) -> Valued<House> {
        match term {
            Term::Var(v) => Ok(held(*v, bound)?.as_house().expect("the variable is of this kind")),
            Term::Call(..) if self.logic.is_general() => Err(NoValue::Beyond),
            Term::Call(function, arguments) => {
                let cell = self.cell(&arguments[0], bound)?;
                let layout = self.logic.layout();
                match function {
                    Function::Row => Ok(layout.row(cell)),
                    Function::Column => Ok(layout.column(cell)),
                    Function::Box => layout.box_of(cell).ok_or(NoValue::NotHere),
                    other => unreachable!("{other:?} gives no house"),
                }
            }
            other => unreachable!("{other:?} is not a house"),
        }
    }

    /// A number.
    pub fn number(&mut self, term: &Term, bound: &Environment<L>) -> Valued<L::Number> {
        match term {
            Term::Var(v) => match held(*v, bound)? {
                Value::Number(number) => Ok(number.clone()),
                other => unreachable!("{other:?} is not a number"),
            },
            Term::Number(number) => Ok(L::Number::fixed(*number)),
            Term::Parameter => self.parameter.map(L::Number::fixed).ok_or(NoValue::Unbound),
            Term::Size(set) => Ok(match self.value(set, bound)? {
                Value::Cells(set) => self.logic.size(&set),
                Value::Digits(set) => self.logic.size(&set),
                Value::Houses(set) => self.logic.size(&set),
                other => unreachable!("{other:?} is not a set"),
            }),
            Term::Arithmetic(operation, left, right) => {
                let (left, right) = (self.number(left, bound)?, self.number(right, bound)?);
                self.logic.arithmetic(*operation, &left, &right)
            }
            other => unreachable!("{other:?} is not a number"),
        }
    }

    /// Those of some things that are in a set.
    pub fn set<T: Kinded<L, W>, const W: usize>(
        &mut self,
        term: &Term,
        bound: &Environment<L>,
        among: Set<T, W>,
    ) -> Valued<L::Set<T, W>> {
        let fixed = match term {
            Term::Var(v) => {
                let held = held(*v, bound)?;
                let Some(set) = T::set(held) else { unreachable!("{held:?} is no such set") };
                return Ok(self.logic.among(set, among));
            }
            Term::Operation(operation, left, right) => {
                // The side that depends on the state last, and only where it matters.
                let turned = *operation == Intersection && **left == UNSOLVED;
                let (first, last) = if turned { (right, left) } else { (left, right) };
                let first = self.set(first, bound, among)?;
                let rest = match operation {
                    Union => among - L::sure(&first),
                    Intersection | Difference => L::widest(&first),
                };
                let last = self.set(last, bound, rest)?;
                return Ok(self.logic.combine(*operation, &first, &last));
            }
            Term::Set(_, members) => members
                .iter()
                .map(|member| T::one(self, (member, bound)))
                .collect::<Valued<Set<T, W>>>()?,
            Term::Lone(member) => Set::only(T::one(self, (member, bound))?),
            other => return T::named(self, (other, bound), among),
        };
        Ok(self.logic.fixed(fixed & among))
    }

    /// Those of the cells that are in a set for which the language has a word.
    fn cells(&mut self, (term, bound): TermIn<L>, among: Cells) -> Valued<CellSet<L>> {
        let (function, arguments) = match term {
            Term::Call(function, arguments) => (function, arguments),
            Term::CellsOf(house) => {
                let house = self.house(house, bound)?;
                return Ok(self.logic.cells_of(house, among));
            }
            &UNSOLVED => {
                let (all, placed) = (self.logic.there(among), self.logic.placed(among)?);
                return Ok(self.logic.combine(Difference, &all, &placed));
            }
            other => unreachable!("{other:?} is not a set of cells"),
        };
        match function {
            // spots(Ds, S): the cells of S where a digit of Ds is possible.
            Function::Spots => {
                let all = self.logic.layout().all_digits();
                let cells = self.set(&arguments[1], bound, among)?;
                let digits = self.set(&arguments[0], bound, all)?;
                let widest = L::widest(&cells);
                let planes = self.logic.union_over(&digits, |logic, d| logic.plane(d, widest))?;
                Ok(self.logic.combine(Intersection, &planes, &cells))
            }
            // peers(C): the cells that see C.
            Function::Peers => {
                let cell = self.cell(&arguments[0], bound)?;
                Ok(self.logic.peers(cell, among))
            }
            // common_peers(S): all cells but those that do not see one of S.
            Function::CommonPeers => {
                let cells = self.set(&arguments[0], bound, self.logic.all_cells())?;
                let among_them = self.logic.fixed(among);
                let blind = self.logic.union_over(&cells, |logic, cell: Cell| {
                    let peers = logic.peers(cell, among);
                    Ok(logic.combine(Difference, &among_them, &peers))
                })?;
                let there = self.logic.there(among);
                Ok(self.logic.combine(Difference, &there, &blind))
            }
            // cells(Hs): the cells of the houses.
            Function::Cells => {
                let all = self.logic.layout().houses_and_groups();
                let houses = self.set(&arguments[0], bound, all)?;
                self.logic.union_over(&houses, |logic, house| Ok(logic.cells_of(house, among)))
            }
            other => unreachable!("{other:?} gives no cells"),
        }
    }

    /// Those of the digits that are in a set for which the language has a word.
    fn digits(&mut self, (term, bound): TermIn<L>, among: Digits) -> Valued<DigitSet<L>> {
        let all = self.logic.all_cells();
        match term {
            Term::Constant(ConstantSet::Digits) => {
                Ok(self.logic.fixed(self.logic.layout().all_digits() & among))
            }
            // candidates(S): the digits that are possible in a cell of S.
            Term::Call(Function::Candidates, arguments) => {
                let cells = self.set(&arguments[0], bound, all)?;
                let widest = L::widest(&cells);
                self.logic.filter(&self.logic.fixed(among), |logic, digit| {
                    let plane = logic.plane(digit, widest)?;
                    Ok(logic.meets(&plane, &cells))
                })
            }
            // missing(H): the digits that are not in a placed cell of H.
            Term::Call(Function::Missing, arguments) => {
                let house = self.house(&arguments[0], bound)?;
                let cells = self.logic.cells_of(house, all);
                let placed = self.logic.placed(L::widest(&cells))?;
                let placed = self.logic.combine(Intersection, &placed, &cells);
                self.logic.filter(&self.logic.fixed(among), |logic, digit| {
                    let plane = logic.plane(digit, L::widest(&placed))?;
                    let there = logic.meets(&plane, &placed);
                    Ok(logic.not(there))
                })
            }
            other => unreachable!("{other:?} is not a set of digits"),
        }
    }

    /// Those of the houses that are in a set for which the language has a word.
    fn houses(&mut self, (term, bound): TermIn<L>, among: Houses) -> Valued<HouseSet<L>> {
        match term {
            Term::Constant(constant) => {
                let houses = self.logic.houses_called(*constant);
                Ok(self.logic.existing(houses & among))
            }
            // touching(Hs, S): the houses of Hs that have a cell of S.
            Term::Call(Function::Touching, arguments) => {
                let houses: HouseSet<L> = self.set(&arguments[0], bound, among)?;
                let mut reached = self.logic.all_cells();
                if !self.logic.is_general() {
                    let layout = self.logic.layout();
                    let touched = L::widest(&houses).iter();
                    reached = touched.fold(Cells::EMPTY, |all, house| all | layout.cells(house));
                }
                let cells = self.set(&arguments[1], bound, reached)?;
                self.logic.filter(&houses, |logic, house| {
                    let house = logic.cells_of(house, reached);
                    Ok(logic.meets(&house, &cells))
                })
            }
            other => unreachable!("{other:?} is not a set of houses"),
        }
    }
}

const UNSOLVED: Term = Term::Constant(ConstantSet::Unsolved);

type CellSet<L> = <L as Logic>::Set<Cell, 10>;
type DigitSet<L> = <L as Logic>::Set<Digit, 1>;
type HouseSet<L> = <L as Logic>::Set<House, 2>;

/// A term, and what its variables stand for.
type TermIn<'t, L> = (&'t Term, &'t Environment<L>);

/// What sets are made of: cells, digits, houses.
pub trait Kinded<L: Logic, const W: usize>: Member {
    /// The one that a term stands for.
    fn one(reading: &mut Reading<L>, asked: TermIn<L>) -> Valued<Self>;
    /// The set that a value is, if it is a set of these.
    fn set(value: &Meant<L>) -> Option<&L::Set<Self, W>>;
    /// Those that are in a set for which the language has a word.
    fn named(
        reading: &mut Reading<L>,
        asked: TermIn<L>,
        among: Set<Self, W>,
    ) -> Valued<L::Set<Self, W>>;
}

macro_rules! kinded {
    ($type:ident $words:literal, $one:ident, $set:ident, $named:ident) => {
        impl<L: Logic> Kinded<L, $words> for $type {
            fn one(reading: &mut Reading<L>, (term, bound): TermIn<L>) -> Valued<$type> {
                reading.$one(term, bound)
            }
            fn set(value: &Meant<L>) -> Option<&L::Set<$type, $words>> {
                value.$set()
            }
            fn named(
                reading: &mut Reading<L>,
                asked: TermIn<L>,
                among: Set<$type, $words>,
            ) -> Valued<L::Set<$type, $words>> {
                reading.$named(asked, among)
            }
        }
    };
}
kinded!(Cell 10, cell, as_cells, cells);
kinded!(Digit 1, digit, as_digits, digits);
kinded!(House 2, house, as_houses, houses);

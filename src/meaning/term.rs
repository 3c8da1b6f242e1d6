//! The value of a term.
//!
//! A set is asked for among some things only, so that `unsolved & H` speaks of nine cells, not of
//! the whole grid. Asked for among all, it is the whole set.

use crate::board::{Cell, Cells, Digit, Digits, House, Houses};
use crate::language::{ConstantSet, Function, Kind, SetOperation, Term};

use super::logic::{Environment, Logic, Meant, NoValue, Number};
use super::value::Value;

/// Where terms and conditions are worked out: a logic, and the rule's parameter.
pub struct Reading<'a, L: Logic> {
    /// What truths are.
    pub logic: &'a mut L,
    /// The rule's parameter, if it has one.
    pub parameter: Option<i64>,
}

type CellSet<L> = <L as Logic>::Set<Cell, 10>;
type DigitSet<L> = <L as Logic>::Set<Digit, 1>;
type HouseSet<L> = <L as Logic>::Set<House, 2>;

impl<'a, L: Logic> Reading<'a, L> {
    /// Where there is no parameter.
    pub fn new(logic: &'a mut L) -> Reading<'a, L> {
        Reading { logic, parameter: None }
    }

    /// A term's value.
    pub fn value(&mut self, term: &Term, bound: &Environment<L>) -> Result<Meant<L>, NoValue> {
        if let Term::Var(v) = term {
            return bound[v.index()].clone().ok_or(NoValue::Unbound);
        }
        let kind = |v: crate::language::Var| Some(bound[v.index()].as_ref()?.kind());
        Ok(match term.kind_by(&kind).ok_or(NoValue::Unbound)? {
            Kind::Cell => Value::Cell(self.cell(term, bound)?),
            Kind::Digit => Value::Digit(self.digit(term, bound)?),
            Kind::House => Value::House(self.house(term, bound)?),
            Kind::Number => Value::Number(self.number(term, bound)?),
            Kind::Cells => {
                let all = self.logic.all_cells();
                Value::Cells(self.cells(term, bound, all)?)
            }
            Kind::Digits => {
                let all = self.logic.layout().all_digits();
                Value::Digits(self.digits(term, bound, all)?)
            }
            Kind::Houses => {
                let all = self.logic.layout().houses_and_groups();
                Value::Houses(self.houses(term, bound, all)?)
            }
        })
    }

    /// The cell that a term stands for.
    pub fn cell(&mut self, term: &Term, bound: &Environment<L>) -> Result<Cell, NoValue> {
        match term {
            Term::Var(v) => match bound[v.index()] {
                Some(Value::Cell(cell)) => Ok(cell),
                None => Err(NoValue::Unbound),
                Some(ref other) => unreachable!("{other:?} is not a cell"),
            },
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
    pub fn digit(&mut self, term: &Term, bound: &Environment<L>) -> Result<Digit, NoValue> {
        match term {
            Term::Var(v) => match bound[v.index()] {
                Some(Value::Digit(digit)) => Ok(digit),
                None => Err(NoValue::Unbound),
                Some(ref other) => unreachable!("{other:?} is not a digit"),
            },
            Term::Digit(digit) if digit.index() < self.logic.layout().size() => Ok(*digit),
            Term::Digit(_) => Err(NoValue::NotHere),
            other => unreachable!("{other:?} is not a digit"),
        }
    }

    /// The house that a term stands for.
    pub fn house(&mut self, term: &Term, bound: &Environment<L>) -> Result<House, NoValue> {
        match term {
            Term::Var(v) => match bound[v.index()] {
                Some(Value::House(house)) => Ok(house),
                None => Err(NoValue::Unbound),
                Some(ref other) => unreachable!("{other:?} is not a house"),
            },
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
    pub fn number(&mut self, term: &Term, bound: &Environment<L>) -> Result<L::Number, NoValue> {
        match term {
            Term::Var(v) => match &bound[v.index()] {
                Some(Value::Number(number)) => Ok(number.clone()),
                None => Err(NoValue::Unbound),
                Some(other) => unreachable!("{other:?} is not a number"),
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

    /// Those of the cells that are in a set.
    pub fn cells(
        &mut self,
        term: &Term,
        bound: &Environment<L>,
        among: Cells,
    ) -> Result<CellSet<L>, NoValue> {
        let fixed = match term {
            Term::Var(v) => {
                return match &bound[v.index()] {
                    Some(Value::Cells(set)) => Ok(self.logic.among(set, among)),
                    None => Err(NoValue::Unbound),
                    Some(other) => unreachable!("{other:?} is not a set of cells"),
                };
            }
            Term::Operation(operation, left, right) => {
                return self.cells_of_two(*operation, left, right, bound, among);
            }
            Term::Call(function, arguments) => {
                return self.cells_by(*function, arguments, bound, among);
            }
            Term::Constant(ConstantSet::Unsolved) => {
                let (all, placed) = (self.logic.there(among), self.logic.placed(among)?);
                return Ok(self.logic.difference(&all, &placed));
            }
            Term::Set(_, members) => members
                .iter()
                .map(|member| self.cell(member, bound))
                .collect::<Result<Cells, NoValue>>()?,
            Term::Lone(member) => Cells::only(self.cell(member, bound)?),
            Term::CellsOf(house) => {
                let house = self.house(house, bound)?;
                return Ok(self.logic.cells_of(house, among));
            }
            other => unreachable!("{other:?} is not a set of cells"),
        };
        Ok(self.logic.fixed(fixed & among))
    }

    fn cells_of_two(
        &mut self,
        operation: SetOperation,
        left: &Term,
        right: &Term,
        bound: &Environment<L>,
        among: Cells,
    ) -> Result<CellSet<L>, NoValue> {
        match operation {
            SetOperation::Union => {
                let left = self.cells(left, bound, among)?;
                let right = self.cells(right, bound, among - L::sure(&left))?;
                Ok(self.logic.union(&left, &right))
            }
            SetOperation::Intersection => {
                // The side that depends on the state last, and only where it matters.
                let turned = *left == Term::Constant(ConstantSet::Unsolved);
                let (first, last) = if turned { (right, left) } else { (left, right) };
                let first = self.cells(first, bound, among)?;
                let last = self.cells(last, bound, L::widest(&first))?;
                Ok(self.logic.intersection(&first, &last))
            }
            SetOperation::Difference => {
                let left = self.cells(left, bound, among)?;
                let right = self.cells(right, bound, L::widest(&left))?;
                Ok(self.logic.difference(&left, &right))
            }
        }
    }

    /// The sets of cells that functions give.
    fn cells_by(
        &mut self,
        function: Function,
        arguments: &[Term],
        bound: &Environment<L>,
        among: Cells,
    ) -> Result<CellSet<L>, NoValue> {
        match function {
            // spots(Ds, S): the cells of S where a digit of Ds is possible.
            Function::Spots => {
                let all = self.logic.layout().all_digits();
                let cells = self.cells(&arguments[1], bound, among)?;
                let digits = self.digits(&arguments[0], bound, all)?;
                let widest = L::widest(&cells);
                let plane = |logic: &mut L, digit| logic.plane(digit, widest);
                let planes = self.logic.union_over(&digits, plane)?;
                Ok(self.logic.intersection(&planes, &cells))
            }
            // peers(C): the cells that see C.
            Function::Peers => {
                let cell = self.cell(&arguments[0], bound)?;
                Ok(self.logic.peers(cell, among))
            }
            // common_peers(S): all cells but those that do not see one of S.
            Function::CommonPeers => {
                let all = self.logic.all_cells();
                let cells = self.cells(&arguments[0], bound, all)?;
                let among_them = self.logic.fixed(among);
                let blind = |logic: &mut L, cell| {
                    let peers = logic.peers(cell, among);
                    Ok(logic.difference(&among_them, &peers))
                };
                let blind = self.logic.union_over(&cells, blind)?;
                let there = self.logic.there(among);
                Ok(self.logic.difference(&there, &blind))
            }
            // cells(Hs): the cells of the houses.
            Function::Cells => {
                let all = self.logic.layout().houses_and_groups();
                let houses = self.houses(&arguments[0], bound, all)?;
                self.logic.union_over(&houses, |logic, house| Ok(logic.cells_of(house, among)))
            }
            other => unreachable!("{other:?} gives no cells"),
        }
    }

    /// Those of the digits that are in a set.
    pub fn digits(
        &mut self,
        term: &Term,
        bound: &Environment<L>,
        among: Digits,
    ) -> Result<DigitSet<L>, NoValue> {
        let fixed = match term {
            Term::Var(v) => {
                return match &bound[v.index()] {
                    Some(Value::Digits(set)) => Ok(self.logic.among(set, among)),
                    None => Err(NoValue::Unbound),
                    Some(other) => unreachable!("{other:?} is not a set of digits"),
                };
            }
            Term::Operation(operation, left, right) => {
                let left = self.digits(left, bound, among)?;
                let right = self.digits(right, bound, among)?;
                return Ok(self.combine(*operation, &left, &right));
            }
            // candidates(S): the digits that are possible in a cell of S.
            Term::Call(Function::Candidates, arguments) => {
                let all = self.logic.all_cells();
                let cells = self.cells(&arguments[0], bound, all)?;
                let widest = L::widest(&cells);
                let among = self.logic.fixed(among);
                return self.logic.filter(&among, |logic, digit| {
                    let plane = logic.plane(digit, widest)?;
                    Ok(logic.meets(&plane, &cells))
                });
            }
            // missing(H): the digits that are not in a placed cell of H.
            Term::Call(Function::Missing, arguments) => {
                let house = self.house(&arguments[0], bound)?;
                let all = self.logic.all_cells();
                let cells = self.logic.cells_of(house, all);
                let placed = self.logic.placed(L::widest(&cells))?;
                let placed = self.logic.intersection(&placed, &cells);
                let among = self.logic.fixed(among);
                return self.logic.filter(&among, |logic, digit| {
                    let plane = logic.plane(digit, L::widest(&placed))?;
                    let there = logic.meets(&plane, &placed);
                    Ok(logic.not(there))
                });
            }
            Term::Constant(ConstantSet::Digits) => self.logic.layout().all_digits(),
            Term::Set(_, members) => members
                .iter()
                .map(|member| self.digit(member, bound))
                .collect::<Result<Digits, NoValue>>()?,
            Term::Lone(member) => Digits::only(self.digit(member, bound)?),
            other => unreachable!("{other:?} is not a set of digits"),
        };
        Ok(self.logic.fixed(fixed & among))
    }

    /// Those of the houses that are in a set.
    pub fn houses(
        &mut self,
        term: &Term,
        bound: &Environment<L>,
        among: Houses,
    ) -> Result<HouseSet<L>, NoValue> {
        let fixed = match term {
            Term::Var(v) => {
                return match &bound[v.index()] {
                    Some(Value::Houses(set)) => Ok(self.logic.among(set, among)),
                    None => Err(NoValue::Unbound),
                    Some(other) => unreachable!("{other:?} is not a set of houses"),
                };
            }
            Term::Operation(operation, left, right) => {
                let left = self.houses(left, bound, among)?;
                let right = self.houses(right, bound, among)?;
                return Ok(self.combine(*operation, &left, &right));
            }
            // touching(Hs, S): the houses of Hs that have a cell of S.
            Term::Call(Function::Touching, arguments) => {
                let houses = self.houses(&arguments[0], bound, among)?;
                let mut reached = self.logic.all_cells();
                if !self.logic.is_general() {
                    let layout = self.logic.layout();
                    let touched = L::widest(&houses).iter();
                    reached = touched.fold(Cells::EMPTY, |all, house| all | layout.cells(house));
                }
                let cells = self.cells(&arguments[1], bound, reached)?;
                return self.logic.filter(&houses, |logic, house| {
                    let house = logic.cells_of(house, reached);
                    Ok(logic.meets(&house, &cells))
                });
            }
            Term::Constant(constant) => {
                let houses = self.logic.houses_called(*constant);
                return Ok(self.logic.existing(houses & among));
            }
            Term::Set(_, members) => members
                .iter()
                .map(|member| self.house(member, bound))
                .collect::<Result<Houses, NoValue>>()?,
            Term::Lone(member) => Houses::only(self.house(member, bound)?),
            other => unreachable!("{other:?} is not a set of houses"),
        };
        Ok(self.logic.fixed(fixed & among))
    }

    fn combine<T: super::logic::Member, const W: usize>(
        &mut self,
        operation: SetOperation,
        left: &L::Set<T, W>,
        right: &L::Set<T, W>,
    ) -> L::Set<T, W> {
        match operation {
            SetOperation::Union => self.logic.union(left, right),
            SetOperation::Intersection => self.logic.intersection(left, right),
            SetOperation::Difference => self.logic.difference(left, right),
        }
    }
}

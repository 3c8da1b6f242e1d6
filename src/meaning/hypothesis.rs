//! What is supposed, and what is asked of where it leads.

use crate::board::{Candidate, Cells, Digits, Grid, Set};
use crate::language::{Head, PredicateId, Supposition, Term};

use super::logic::{Environment, Logic, Meant, Member, NoValue, Number, Valued};
use super::term::Reading;
use super::value::Value;

/// What is supposed of a state, or asked of the state to which that leads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Supposed {
    /// The cell is this digit; asked: no other is possible there.
    Place(Candidate),
    /// No cell of these is one of these digits; asked: none of them is possible there.
    Eliminate(Cells, Digits),
    /// There is no solution.
    Contradiction,
    /// A helper holds of these; only asked.
    Fact(PredicateId, Vec<Value>),
}

/// What is supposed, and the level under which rules run then.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hypothesis {
    /// All that is supposed at once.
    pub supposed: Vec<Supposed>,
    /// Loaded rules of a level under this one run.
    pub below: i64,
}

impl Supposed {
    /// Makes it so. Where that is impossible, a cell is left without a candidate.
    pub fn apply(&self, grid: &mut Grid) {
        match self {
            Supposed::Place(place) => {
                grid.conclude_place(*place);
            }
            Supposed::Eliminate(cells, digits) => {
                for digit in *digits {
                    for cell in *cells {
                        grid.eliminate(Candidate { cell, digit });
                    }
                }
            }
            Supposed::Contradiction | Supposed::Fact(..) => {}
        }
    }

    /// Whether it is so on a state without a contradiction; nothing if a helper cannot be told.
    pub fn holds(
        &self,
        grid: &Grid,
        helper: impl FnOnce(PredicateId, &[Value]) -> Option<bool>,
    ) -> Option<bool> {
        Some(match self {
            Supposed::Place(place) => {
                grid.candidates(place.cell).within(&Digits::only(place.digit))
            }
            Supposed::Eliminate(cells, digits) => {
                !digits.iter().any(|digit| grid.plane(digit).meets(cells))
            }
            Supposed::Contradiction => false,
            Supposed::Fact(asked, arguments) => return helper(*asked, arguments),
        })
    }
}

/// A value that depends on nothing.
fn plain<L: Logic>(value: &Meant<L>) -> Valued<Value> {
    fn set<L: Logic, T: Member, const W: usize>(of: &L::Set<T, W>) -> Valued<Set<T, W>> {
        let sure = L::sure(of);
        if sure == L::widest(of) { Ok(sure) } else { Err(NoValue::Beyond) }
    }
    Ok(match value {
        Value::Cell(cell) => Value::Cell(*cell),
        Value::Digit(digit) => Value::Digit(*digit),
        Value::House(house) => Value::House(*house),
        Value::Cells(cells) => Value::Cells(set::<L, _, _>(cells)?),
        Value::Digits(digits) => Value::Digits(set::<L, _, _>(digits)?),
        Value::Houses(houses) => Value::Houses(set::<L, _, _>(houses)?),
        Value::Number(number) => Value::Number(number.if_fixed().ok_or(NoValue::Beyond)?),
    })
}

impl Hypothesis {
    /// The state with all of it applied.
    pub fn on(&self, grid: &Grid) -> Grid {
        let mut grid = grid.clone();
        self.supposed.iter().for_each(|supposed| supposed.apply(&mut grid));
        grid
    }
}

impl<L: Logic> Reading<'_, L> {
    /// A supposition with its terms worked out: the hypothesis, and what is asked.
    pub fn supposition(
        &mut self,
        supposition: &Supposition,
        bound: &Environment<L>,
    ) -> Valued<(Hypothesis, Supposed)> {
        Ok((self.hypothesis(supposition, bound)?, self.supposed(&supposition.goal, bound)?))
    }

    /// The hypothesis alone.
    pub fn hypothesis(
        &mut self,
        supposition: &Supposition,
        bound: &Environment<L>,
    ) -> Valued<Hypothesis> {
        let supposed = supposition.hypotheses.iter().map(|head| self.supposed(head, bound));
        let supposed = supposed.collect::<Valued<Vec<Supposed>>>()?;
        Ok(Hypothesis { supposed, below: supposition.level(self.parameter) })
    }

    /// What a head says, if what it is about does not depend on the state.
    fn supposed(&mut self, head: &Head, bound: &Environment<L>) -> Valued<Supposed> {
        Ok(match head {
            Head::Place(cell, digit) => Supposed::Place(Candidate {
                cell: self.cell(cell, bound)?,
                digit: self.digit(digit, bound)?,
            }),
            Head::Eliminate(cells, digits) => {
                let (all_cells, all_digits) =
                    (self.logic.layout().all_cells(), self.logic.layout().all_digits());
                let cells = self.set(cells, bound, all_cells)?;
                let digits = self.set(digits, bound, all_digits)?;
                let fixed =
                    L::sure(&cells) == L::widest(&cells) && L::sure(&digits) == L::widest(&digits);
                if !fixed {
                    return Err(NoValue::Beyond);
                }
                Supposed::Eliminate(L::widest(&cells), L::widest(&digits))
            }
            Head::Contradiction => Supposed::Contradiction,
            Head::Asked(helper, terms) => {
                let value = |term: &Term| plain::<L>(&self.value(term, bound)?);
                let values = terms.iter().map(value).collect::<Valued<Vec<Value>>>()?;
                Supposed::Fact(*helper, values)
            }
            other => unreachable!("{other:?} is neither supposed nor asked"),
        })
    }
}

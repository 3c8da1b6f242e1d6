//! What is supposed, and what is asked of where it leads.

use crate::board::{Candidate, Cells, Digits, Grid};
use crate::language::{Head, Supposition};

use super::logic::{Environment, Logic, NoValue};
use super::term::Reading;

/// What is supposed of a state, or asked of the state to which that leads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Supposed {
    /// The cell is this digit; asked: no other is possible there.
    Place(Candidate),
    /// No cell of these is one of these digits; asked: none of them is possible there.
    Eliminate(Cells, Digits),
    /// There is no solution.
    Contradiction,
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
            Supposed::Contradiction => {}
        }
    }

    /// Whether it is so on a state without a contradiction.
    pub fn holds(&self, grid: &Grid) -> bool {
        match self {
            Supposed::Place(place) => {
                grid.candidates(place.cell).within(&Digits::only(place.digit))
            }
            Supposed::Eliminate(cells, digits) => {
                !digits.iter().any(|digit| grid.plane(digit).meets(cells))
            }
            Supposed::Contradiction => false,
        }
    }
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
    ) -> Result<(Hypothesis, Supposed), NoValue> {
        Ok((self.hypothesis(supposition, bound)?, self.supposed(&supposition.goal, bound)?))
    }

    /// The hypothesis alone.
    pub fn hypothesis(
        &mut self,
        supposition: &Supposition,
        bound: &Environment<L>,
    ) -> Result<Hypothesis, NoValue> {
        let supposed = supposition.hypotheses.iter().map(|head| self.supposed(head, bound));
        let supposed = supposed.collect::<Result<Vec<Supposed>, NoValue>>()?;
        Ok(Hypothesis { supposed, below: supposition.level(self.parameter) })
    }

    /// What a head says, if what it is about does not depend on the state.
    fn supposed(&mut self, head: &Head, bound: &Environment<L>) -> Result<Supposed, NoValue> {
        Ok(match head {
            Head::Place(cell, digit) => Supposed::Place(Candidate {
                cell: self.cell(cell, bound)?,
                digit: self.digit(digit, bound)?,
            }),
            Head::Eliminate(cells, digits) => {
                let (all_cells, all_digits) =
                    (self.logic.layout().all_cells(), self.logic.layout().all_digits());
                let cells = self.cells(cells, bound, all_cells)?;
                let digits = self.digits(digits, bound, all_digits)?;
                let fixed =
                    L::sure(&cells) == L::widest(&cells) && L::sure(&digits) == L::widest(&digits);
                if !fixed {
                    return Err(NoValue::Beyond);
                }
                Supposed::Eliminate(L::widest(&cells), L::widest(&digits))
            }
            Head::Contradiction => Supposed::Contradiction,
            other => unreachable!("{other:?} is neither supposed nor asked"),
        })
    }
}

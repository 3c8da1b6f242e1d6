//! Matches, steps and how a run ends. The same for every technique.

use crate::board::{Candidate, Cells, Digits, Grid, Hole};
use crate::language::Head;
use crate::meaning::{Bindings, Facts, Scene, Value};

/// What a match changes on the state it was found on; both lists sorted, no candidate that was
/// gone already, no cell that was placed already.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Conclusion {
    /// Digits placed. What a placement takes from the peers is not listed under `eliminates`.
    pub places: Vec<Candidate>,
    /// Candidates eliminated.
    pub eliminates: Vec<Candidate>,
    /// The rule says that there is no solution.
    pub contradiction: bool,
}

impl Conclusion {
    /// What heads come to on a state; nothing if a term has no value or a helper cannot be told,
    /// or for a helper's head.
    pub fn of(heads: &[Head], grid: &Grid, scene: &Scene, facts: &dyn Facts) -> Option<Conclusion> {
        let mut conclusion = Conclusion::default();
        for head in heads {
            match head {
                Head::Each(head, generator) => {
                    let mut add = |way: &Scene| conclusion.add(head, grid, way).is_some();
                    if !scene.clone().each_way(generator, facts, &mut add) {
                        return None;
                    }
                }
                head => conclusion.add(head, grid, scene)?,
            }
        }
        conclusion.finish();
        Some(conclusion)
    }

    /// Adds a head without `for`.
    fn add(&mut self, head: &Head, grid: &Grid, scene: &Scene) -> Option<()> {
        match head {
            Head::Place(cell, digit) => match (scene.value(cell)?, scene.value(digit)?) {
                (Value::Cell(cell), Value::Digit(digit)) => {
                    self.add_place(grid, Candidate { cell, digit });
                }
                _ => return None,
            },
            Head::Eliminate(cells, digits) => match (scene.value(cells)?, scene.value(digits)?) {
                (Value::Cells(cells), Value::Digits(digits)) => {
                    self.add_eliminate(grid, cells, digits);
                }
                _ => return None,
            },
            Head::Contradiction => self.contradiction = true,
            Head::Helper(_) | Head::Asked(..) | Head::Each(..) => return None,
        }
        Some(())
    }

    /// Adds `place(cell, digit)`, as far as it changes this state.
    ///
    /// Placing a digit that is impossible there leaves the cell without a candidate.
    pub fn add_place(&mut self, grid: &Grid, candidate: Candidate) {
        if !grid.is_possible(candidate) {
            let cell = candidate.cell;
            let rest = grid.candidates(cell);
            self.eliminates.extend(rest.iter().map(|digit| Candidate { cell, digit }));
        } else if !grid.placed().contains(candidate.cell) {
            self.places.push(candidate);
        }
    }

    /// Adds `eliminate(cells, digits)`, as far as it changes this state.
    pub fn add_eliminate(&mut self, grid: &Grid, cells: Cells, digits: Digits) {
        for digit in digits {
            let live = grid.plane(digit) & cells;
            self.eliminates.extend(live.iter().map(|cell| Candidate { cell, digit }));
        }
    }

    /// Sorts both lists and drops what is in them twice; the last thing to do after adding.
    pub fn finish(&mut self) {
        for list in [&mut self.places, &mut self.eliminates] {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// Makes it so; whether anything changed. Candidates only ever vanish.
    pub fn apply(&self, grid: &mut Grid) -> bool {
        let mut changed = false;
        for &place in &self.places {
            changed |= grid.conclude_place(place);
        }
        for &candidate in &self.eliminates {
            changed |= grid.eliminate(candidate);
        }
        changed
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.eliminates.is_empty() && !self.contradiction
    }
}

/// What all matches of a pass change together, on the state before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// Digits placed.
    pub places: Vec<Candidate>,
    /// Candidates eliminated: the cells of each digit.
    pub eliminates: Vec<Cells>,
    /// A match says that there is no solution.
    pub contradiction: bool,
}

impl Changes {
    /// Adds a match.
    pub fn add(&mut self, conclusion: &Conclusion) {
        self.places.extend(&conclusion.places);
        for &Candidate { cell, digit } in &conclusion.eliminates {
            if self.eliminates.len() <= digit.index() {
                self.eliminates.resize(digit.index() + 1, Cells::EMPTY);
            }
            self.eliminates[digit.index()].insert(cell);
        }
        self.contradiction |= conclusion.contradiction;
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.eliminates.iter().all(|cells| cells.is_empty())
    }

    /// Makes it so, all at once; whether anything changed. A placement takes the other digits of
    /// its cell, its digit from the cell's peers, and what it excludes, from such as are placed
    /// with it too.
    pub fn apply(&self, grid: &mut Grid) -> bool {
        let layout = grid.layout().clone();
        let mut gone = self.eliminates.clone();
        gone.resize(layout.size(), Cells::EMPTY);
        let mut placed = Cells::EMPTY;
        for &Candidate { cell, digit } in &self.places {
            placed.insert(cell);
            for other in layout.digits().filter(|other| *other != digit) {
                gone[other.index()].insert(cell);
            }
            gone[digit.index()] |= *layout.peers(cell);
            for &(other, cells) in layout.excluded(Candidate { cell, digit }) {
                gone[other.index()] |= cells;
            }
        }
        grid.change(&gone, placed)
    }
}

/// One way in which a clause's body is true.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Match {
    /// Which instance: its place in [`crate::language::RuleSet::instances`].
    pub instance: usize,
    /// Which clause of the rule.
    pub clause: usize,
    /// The variables.
    pub bindings: Bindings,
    /// What follows.
    pub conclusion: Conclusion,
}

/// What a run did at one point: instance, clause, conclusion. The bindings are found again when
/// someone asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Which instance.
    pub instance: usize,
    /// Which clause.
    pub clause: usize,
    /// What was concluded.
    pub conclusion: Conclusion,
}

/// The steps of a run, in order.
pub type Trace = Vec<Step>;

/// How a run ends. None of these is an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every cell is placed.
    Solved,
    /// No rule has anything left to say.
    Stuck,
    /// No solution is left.
    Contradiction {
        /// What is empty; nothing where a rule concluded `contradiction`.
        hole: Option<Hole>,
        /// The instance that emptied it, unless the puzzle came so.
        instance: Option<usize>,
        /// How many steps (or passes, without a trace) had been made.
        step: usize,
    },
}

/// A run in numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// How often each instance fired: the steps of a trace, or without one the passes that changed
    /// something.
    pub firings: Vec<u64>,
    /// Inferences as a Prolog would count them, when asked for.
    pub inferences: Option<u64>,
    /// Instances stopped by the budget.
    pub cut_off: Vec<usize>,
}

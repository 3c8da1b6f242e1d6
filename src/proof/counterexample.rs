//! From a model to a puzzle that a student can check by eye.
//!
//! A raw model is unreadable. So the state is made the pencil marks of a puzzle, as many cells as
//! possible are given, and the solution is made the only one: the enumerator finds another, a
//! clause forbids it, and so on. Before it is shown, the naive evaluator must find the match on
//! the state, and the enumerator the solution of the puzzle.

use std::sync::Arc;

use crate::board::{Candidate, Cells, Digit, Grid, Index, Layout};
use crate::engine::Naive;
use crate::language::RuleSet;
use crate::meaning::Truth;
use crate::search::{Auto, Ending, Limits, Solver};
use crate::trace::Match;

use super::budget::{ENUMERATING, NAIVE_A_STEP};
use super::encode::Encoder;
use super::inquiry::{Claim, OnModel};
use super::sat::{Answer, Lit};
use super::stage::Scope;
use super::walk::Flow;

/// A puzzle on which a rule concludes something false.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The state on which the rule matches; its givens are the puzzle.
    pub state: Grid,
    /// A solution of the puzzle, by number, that the state contains.
    pub solution: Vec<u8>,
    /// Whether it is the only one.
    pub unique: bool,
    /// Whether the state is just the puzzle's pencil marks.
    pub plain_marks: bool,
    /// The match, as the naive evaluator finds it.
    pub found: Match,
    /// What it concludes, against the solution.
    pub wrong: Claim,
}

/// Steps of the evaluator's look at a state, which comes after every model.
const LOOK: u64 = 1_000_000;
/// Guesses of the enumerator.
const GUESSES: u64 = 100_000;
/// Rounds of forbidding other solutions.
const MOST_ROUNDS: usize = 40;
/// Conflicts a single call may cost.
const CONFLICTS: u64 = 1_000;
/// Conflicts that one attempt may cost in all.
const CONFLICTS_IN_ALL: u64 = 4_000;
/// Models tried before giving up.
const MOST_MODELS: usize = 12;

/// Makes counterexamples of models, for one instance and one encoder.
pub(super) struct Maker<'a> {
    rules: &'a RuleSet,
    instance: usize,
    marks: Option<Lit>,
    only_one: Option<Lit>,
    tried: usize,
    /// What came of it.
    pub made: Option<Counterexample>,
}

impl OnModel for Maker<'_> {
    fn model(
        &mut self,
        encoder: &mut Encoder,
        literals: &[Lit],
        scope: Scope,
        claim: Claim,
    ) -> Flow {
        self.tried += 1;
        self.made = self.make(encoder, literals, (scope, claim));
        if self.made.is_some() || self.tried >= MOST_MODELS { Flow::Stop } else { Flow::Next }
    }
}

impl<'a> Maker<'a> {
    /// For an instance of these rules.
    pub(super) fn new(rules: &'a RuleSet, instance: usize) -> Maker<'a> {
        Maker { rules, instance, marks: None, only_one: None, tried: 0, made: None }
    }

    /// Plain pencil marks and one solution, else any state and one solution, else any state.
    fn make(
        &mut self,
        encoder: &mut Encoder,
        literals: &[Lit],
        about: (Scope, Claim),
    ) -> Option<Counterexample> {
        for (plain_marks, unique) in [(true, true), (false, true), (false, false)] {
            if !unique && self.rules.rule_of(self.instance).assumes_unique {
                continue;
            }
            let made = self.attempt(encoder, literals, about, plain_marks, unique);
            if made.is_some() {
                return made;
            }
        }
        None
    }

    fn attempt(
        &mut self,
        encoder: &mut Encoder,
        literals: &[Lit],
        about: (Scope, Claim),
        plain_marks: bool,
        unique: bool,
    ) -> Option<Counterexample> {
        let layout = encoder.layout().clone();
        let mut base = literals.to_vec();
        base.push(encoder.whole_grid());
        if plain_marks {
            base.push(self.marks(encoder));
        }
        if unique {
            base.push(*self.only_one.get_or_insert_with(|| encoder.variable()));
        }
        for cell in layout.all_cells() {
            // What is placed was given: a puzzle as it comes.
            let (placed, given) = (encoder.placed(cell), encoder.given(cell));
            encoder.clause(&[!placed, given]);
        }
        wish(encoder, &mut base, about)?;
        let enough = encoder.conflicts() + CONFLICTS_IN_ALL;
        for _ in 0..MOST_ROUNDS {
            if encoder.conflicts() > enough {
                return None;
            }
            if encoder.solve(&base, CONFLICTS) != Answer::Model {
                return None;
            }
            let solution = encoder.solution_found()?;
            let state = give_most(encoder, &base, &solution)?;
            let numbers: Vec<u8> = solution.iter().map(|d| d.number() as u8).collect();
            encoder.count_steps(ENUMERATING);
            let other = other_solution(&state, &numbers)?;
            if let (true, Some(other)) = (unique, &other) {
                // One of the cells that differ must be given, or hold something else.
                let mut clause: Vec<Lit> = self.only_one.iter().map(|&l| !l).collect();
                for cell in layout.all_cells() {
                    if other[cell.index()] != numbers[cell.index()] {
                        clause.push(encoder.given(cell));
                        clause.push(!encoder.solution(cell, solution[cell.index()]));
                    }
                }
                encoder.clause(&clause);
                continue;
            }
            let (found, wrong) = self.check(encoder, &state, &numbers)?;
            let unique = other.is_none();
            return Some(Counterexample {
                state,
                solution: numbers,
                unique,
                plain_marks,
                found,
                wrong,
            });
        }
        None
    }

    /// Where this holds, the state is just the pencil marks of the givens.
    fn marks(&mut self, encoder: &mut Encoder) -> Lit {
        if let Some(marks) = self.marks {
            return marks;
        }
        let layout = encoder.layout().clone();
        let marks = encoder.variable();
        for cell in layout.all_cells() {
            for digit in layout.digits() {
                let mut clause = vec![!marks, encoder.given(cell), encoder.possible(cell, digit)];
                for peer in *layout.peers(cell) {
                    let (given, there) = (encoder.given(peer), encoder.solution(peer, digit));
                    clause.push(encoder.and(vec![given, there]));
                }
                if !layout.open()[digit.index()].contains(cell) {
                    continue;
                }
                for (other, cells) in layout.excluded(Candidate { cell, digit }) {
                    for peer in *cells {
                        let (given, there) = (encoder.given(peer), encoder.solution(peer, *other));
                        clause.push(encoder.and(vec![given, there]));
                    }
                }
                encoder.clause(&clause);
            }
        }
        self.marks = Some(marks);
        marks
    }

    /// The match on this state that goes against the solution, by the naive evaluator.
    fn check(
        &self,
        encoder: &mut Encoder,
        state: &Grid,
        solution: &[u8],
    ) -> Option<(Match, Claim)> {
        let (found, _, steps) = Naive::within(self.rules, LOOK).look_anyway(self.instance, state);
        encoder.count_steps(steps / NAIVE_A_STEP);
        found.into_iter().find_map(|found| {
            let wrong = wrong(&found, solution)?;
            Some((found, wrong))
        })
    }
}

/// What a match says against a solution, if anything.
pub(super) fn wrong(found: &Match, solution: &[u8]) -> Option<Claim> {
    let holds = |c: &&Candidate| usize::from(solution[c.cell.index()]) == c.digit.number();
    let conclusion = &found.conclusion;
    if conclusion.contradiction {
        Some(Claim::Contradiction)
    } else if let Some(place) = conclusion.places.iter().find(|c| !holds(c)) {
        Some(Claim::Place(*place))
    } else {
        Some(Claim::Eliminate(*conclusion.eliminates.iter().find(holds)?))
    }
}

/// Adds that the cells named are open with two candidates, and that the digit in question has two spots in the houses
/// named, as far as that can be. Nothing if not even the base can be.
fn wish(encoder: &mut Encoder, base: &mut Vec<Lit>, (scope, claim): (Scope, Claim)) -> Option<()> {
    if encoder.solve(base, CONFLICTS) != Answer::Model {
        return None;
    }
    let layout = encoder.layout().clone();
    let mut wishes: Vec<Lit> = scope.cells.iter().map(|cell| !encoder.placed(cell)).collect();
    for cell in scope.cells {
        let candidates: Vec<Lit> = layout.digits().map(|d| encoder.possible(cell, d)).collect();
        wishes.push(encoder.at_least(&candidates, 2));
    }
    if let Claim::Place(Candidate { digit, .. }) | Claim::Eliminate(Candidate { digit, .. }) = claim
    {
        for house in scope.houses {
            let cells = layout.cells(house).iter();
            let spots: Vec<Lit> = cells.map(|cell| encoder.possible(cell, digit)).collect();
            wishes.push(encoder.at_least(&spots, 2));
        }
    }
    for wish in wishes {
        base.push(wish);
        if encoder.solve(base, CONFLICTS) != Answer::Model {
            base.pop();
        }
    }
    Some(())
}

/// The state with this solution and as many givens as can be.
fn give_most(encoder: &mut Encoder, base: &[Lit], solution: &[Digit]) -> Option<Grid> {
    let layout = encoder.layout().clone();
    let mut fixed = base.to_vec();
    for cell in layout.all_cells() {
        fixed.push(encoder.solution(cell, solution[cell.index()]));
    }
    // All at once; those to blame are put aside and then tried one by one.
    let mut giving: Vec<Lit> = layout.all_cells().iter().map(|c| encoder.given(c)).collect();
    let mut aside = Vec::new();
    loop {
        let assumptions: Vec<Lit> = fixed.iter().chain(&giving).copied().collect();
        match encoder.solve(&assumptions, CONFLICTS) {
            Answer::Model => break,
            Answer::None => {
                let core = encoder.core();
                let before = giving.len();
                aside.extend(giving.iter().filter(|given| core.contains(given)));
                giving.retain(|given| !core.contains(given));
                if giving.len() == before {
                    return None;
                }
            }
            Answer::Unknown => return None,
        }
    }
    fixed.extend(giving);
    let mut best = encoder.state_found(solution, false);
    for given in aside {
        fixed.push(given);
        if encoder.solve(&fixed, CONFLICTS) == Answer::Model {
            best = encoder.state_found(solution, false);
        } else {
            fixed.pop();
        }
    }
    Some(best)
}

/// A solution of the state's givens other than this one. Nothing at all if the enumerator does not
/// know it as one, or gives up.
fn other_solution(state: &Grid, solution: &[u8]) -> Option<Option<Vec<u8>>> {
    let puzzle = puzzle_of(state)?;
    let limits = Limits { solutions: 2, work: GUESSES, seed: 0 };
    let answer = Auto::default().solve(&puzzle, &limits);
    if answer.ending == Ending::GaveUp {
        return None;
    }
    let other = answer.solutions.iter().find(|found| found[..] != *solution).cloned();
    let known = answer.solutions.iter().any(|found| found[..] == *solution);
    if other.is_none() && !known { None } else { Some(other) }
}

/// The givens of a state as a puzzle.
pub fn puzzle_of(state: &Grid) -> Option<Grid> {
    let layout: &Arc<Layout> = state.layout();
    let mut numbers = vec![0; layout.cell_count()];
    let given: Cells = state.given();
    for (cell, number) in numbers.iter_mut().enumerate() {
        if given.contains(Index::at(cell)) {
            *number = state.digits()[cell];
        }
    }
    Grid::from_givens(layout.clone(), &numbers).ok()
}

//! A verdict is defended before it is given: the rule is run.
//!
//! The states are those that the solver makes for a clause's body, and random ones that contain a
//! solution, on the layout in question and on 4 × 4. A solution lost refutes the rule, whatever
//! was proved; a clause that was never seen firing is not called sound on the strength of a proof
//! alone.

use std::sync::Arc;

use crate::board::{Candidate, Cell, Cells, Digit, Grid, Layout};
use crate::engine::{Deducer, Engine, Options, Worker};
use crate::generate::full_grid;
use crate::language::{Head, RuleSet};
use crate::random::Random;
use crate::search::{Auto, Limits, Solver};
use crate::trace::{Changes, Match, Outcome};

use super::counterexample::{Counterexample, puzzle_of, wrong};
use super::encode::Encoder;
use super::inquiry::{Claim, OnModel};
use super::sat::Lit;
use super::stage::Scope;
use super::walk::Flow;

/// Random states on small layouts, and on others: a pass on 9 × 9 takes a hundred times as long.
const SMALL_STATES: u64 = 1_000;
const LARGE_STATES: u64 = 100;
/// Models of a clause's body that are looked at until one makes it fire.
const MOST_MODELS: usize = 6;
/// Bindings that one look at a state may try; a look that is cut off says nothing.
const BUDGET: u64 = 300_000;
/// Looks that may be cut off before no more are taken.
const MOST_CUT_OFF: usize = 3;

/// Inferences that all looks together may take, and the states that are looked at all the same.
const INFERENCES: u64 = 4_000_000;
const FEWEST_STATES: u64 = 6;
/// Passes that one look may take.
const MOST_PASSES: usize = 20;

/// A rule on trial.
pub struct Defence<'a> {
    rules: &'a RuleSet,
    instance: usize,
    unique: bool,
    /// This instance alone.
    worker: Worker,
    layout: Arc<Layout>,
    cut_off: usize,
    /// How many states the rule was run on.
    pub states: u64,
    /// Whether each clause was seen to change something.
    pub fired: Vec<bool>,
    /// A state on which the rule goes against a solution.
    pub lost: Option<Box<Counterexample>>,
}

impl<'a> Defence<'a> {
    /// For an instance on a layout.
    pub fn new(rules: &'a RuleSet, instance: usize, layout: &Arc<Layout>) -> Defence<'a> {
        let chosen = &rules.instances()[instance];
        let rule = rules.rule(chosen.rule);
        let alone = rules.in_order(&[instance]);
        // The states of such a rule have one solution.
        let options = Options { budget: BUDGET, assume_unique: true, ..Options::default() };
        Defence {
            rules,
            instance,
            unique: rule.assumes_unique,
            worker: Engine::with(&alone, layout, options).expect("it may assume that").worker(),
            layout: layout.clone(),
            cut_off: 0,
            states: 0,
            fired: vec![false; rule.clauses.len()],
            lost: None,
        }
    }

    /// Runs the rule on a state; `solution` is one that the state contains, or there is none.
    pub fn look(&mut self, state: &Grid, solution: Option<&[u8]>) {
        if self.lost.is_some() || self.cut_off >= MOST_CUT_OFF {
            return;
        }
        self.states += 1;
        // The end is enough to see that nothing was lost, and much sooner there.
        if self.fired.iter().all(|&fired| fired) {
            let mut end = state.clone();
            let report = self.worker.fixpoint(&mut end);
            let contradicts = matches!(report.outcome, Outcome::Contradiction { .. });
            let keeps = |solution: &[u8]| !contradicts && contains(&end, solution);
            if solution.is_none_or(keeps) {
                self.cut_off += usize::from(!report.cut_off.is_empty());
                return;
            }
        }
        let mut state = state.clone();
        for _ in 0..MOST_PASSES {
            let matches = self.worker.matches(0, &state);
            self.cut_off += usize::from(!self.worker.cut_off().is_empty());
            let mut changes = Changes::default();
            for found in matches.into_iter().filter(|found| !found.conclusion.is_empty()) {
                self.fired[found.clause] = true;
                changes.add(&found.conclusion);
                if let Some(solution) = solution
                    && let Some(claim) = wrong(&found, solution)
                {
                    return self.lose(&state, solution, found, claim);
                }
            }
            if changes.contradiction || !changes.apply(&mut state) {
                return;
            }
        }
    }

    fn lose(&mut self, state: &Grid, solution: &[u8], found: Match, wrong: Claim) {
        let unique = is_unique(state);
        if self.unique && !unique {
            return;
        }
        let plain_marks = puzzle_of(state).is_some_and(|puzzle| puzzle == *state);
        self.lost = Some(Box::new(Counterexample {
            state: state.clone(),
            solution: solution.to_vec(),
            unique,
            plain_marks,
            found: Match { instance: self.instance, ..found },
            wrong,
        }));
    }

    /// How many states can be afforded, by the inferences that a few of them take.
    fn affordable(&mut self) -> u64 {
        self.worker.count_inferences(true);
        let mut dearest = 1;
        for number in 0..2 {
            let random = &mut Random::for_item(SEED, number);
            let solution = full_grid(&self.layout, random);
            let mut state = state(&self.layout, &solution, random, self.unique, false);
            let report = self.worker.fixpoint(&mut state);
            dearest = dearest.max(report.inferences.unwrap_or(0));
            // What was cut off took the whole budget.
            if !report.cut_off.is_empty() {
                dearest = dearest.max(BUDGET);
            }
        }
        self.worker.count_inferences(false);
        (INFERENCES / dearest).max(FEWEST_STATES)
    }

    /// Runs the rule on random states.
    pub fn sample(&mut self) {
        let count = if self.layout.size() <= 6 { SMALL_STATES } else { LARGE_STATES };
        let count = count.min(self.affordable());
        let contradicts =
            |clause: &crate::language::Clause| clause.heads.contains(&Head::Contradiction);
        let rule = self.rules.rule(self.rules.instances()[self.instance].rule);
        let contradicts = rule.clauses.iter().any(contradicts);
        // A few full grids, many states of each.
        let grids = count.div_ceil(50);
        for number in 0..grids {
            let random = &mut Random::for_item(SEED, number);
            let solution = full_grid(&self.layout, random);
            for _ in 0..count.div_ceil(grids) {
                let state = state(&self.layout, &solution, random, self.unique, false);
                self.look(&state, Some(&solution));
                if contradicts {
                    let hopeless = self::state(&self.layout, &solution, random, false, true);
                    self.look(&hopeless, None);
                }
            }
            if self.lost.is_some() || self.cut_off >= MOST_CUT_OFF {
                return;
            }
        }
    }
}

/// Whether a state still has every candidate of a solution.
fn contains(state: &Grid, solution: &[u8]) -> bool {
    let digit = |cell: Cell| Digit::new(usize::from(solution[cell.index()]));
    let there = |cell| state.is_possible(Candidate { cell, digit: digit(cell) });
    state.layout().all_cells().iter().all(there)
}

/// Any number will do; the same one gives the same verdicts.
const SEED: u64 = 0x5eed;

/// Some candidates, some cells placed, some of these given: a state that contains the solution.
/// With `puzzle`, what is placed is given, and most is; with `lies`, some of the solution's own
/// candidates are gone.
fn state(
    layout: &Arc<Layout>,
    solution: &[u8],
    random: &mut Random,
    puzzle: bool,
    lies: bool,
) -> Grid {
    let digit_of = |cell: Cell| Digit::new(usize::from(solution[cell.index()]));
    let mut grid = Grid::empty(layout.clone());
    let mut given = Cells::EMPTY;
    // Eighths of the cells that are placed, and of the wrong candidates that are gone.
    let placed = if puzzle { 3 + random.below(5) } else { random.below(8) };
    let gone = *random.pick(&[0, 0, 1, 3, 5, 6, 7]);
    for cell in layout.all_cells() {
        if random.below(8) < placed {
            grid.place(Candidate { cell, digit: digit_of(cell) });
            if puzzle || random.below(2) == 0 {
                given.insert(cell);
            }
        }
    }
    for cell in grid.unsolved() {
        for digit in layout.digits() {
            let wrong = digit != digit_of(cell) || (lies && random.below(6) == 0);
            if wrong && random.below(8) < gone {
                grid.eliminate(Candidate { cell, digit });
            }
        }
    }
    Grid::from_parts(layout.clone(), grid.planes().to_vec(), grid.placed(), given)
}

/// Whether the givens of a state have one solution.
fn is_unique(state: &Grid) -> bool {
    let limits = Limits { solutions: 2, work: 1_000_000, seed: 0 };
    puzzle_of(state)
        .is_some_and(|puzzle| Auto::default().solve(&puzzle, &limits).solutions.len() == 1)
}

/// Runs the rule on the states that the solver makes.
pub struct Witness<'d, 'a> {
    /// The rule on trial.
    pub defence: &'d mut Defence<'a>,
    /// The clause in question.
    pub clause: usize,
    /// Models seen so far.
    pub models: usize,
}

impl OnModel for Witness<'_, '_> {
    fn model(&mut self, encoder: &mut Encoder, _: &[Lit], _: Scope, _: Claim) -> Flow {
        self.models += 1;
        if let Some(solution) = encoder.solution_found() {
            let numbers: Vec<u8> = solution.iter().map(|digit| digit.number() as u8).collect();
            for wide in [false, true] {
                let state = encoder.state_found(&solution, wide);
                self.defence.look(&state, Some(&numbers));
            }
        }
        let enough = self.defence.fired[self.clause]
            || self.defence.lost.is_some()
            || self.models >= MOST_MODELS;
        if enough { Flow::Stop } else { Flow::Next }
    }
}

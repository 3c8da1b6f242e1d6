//! A verdict is defended before it is given: the rule is run.
//!
//! The states are those that the solver makes for a clause's body, and random ones that contain a
//! solution, on the layout in question and on 4 × 4. A solution lost refutes the rule, whatever
//! was proved; a clause that was never seen firing is not called sound on the strength of a proof
//! alone.

use std::sync::{Arc, OnceLock};

use crate::board::{Candidate, Cell, Cells, Digit, Grid, Layout};
use crate::engine::{BackEnds, Deducer, Engine, Options, Worker};
use crate::generate::full_grid;
use crate::language::{Clause, Head, RuleSet};
use crate::random::Random;
use crate::search::{Auto, Limits, Solver};
use crate::trace::{Changes, Match, Outcome};

use super::budget::{Budget, ENUMERATING, NAIVE_A_STEP};
use super::counterexample::{Counterexample, puzzle_of, wrong};
use super::encode::Encoder;
use super::inquiry::{Claim, OnModel};
use super::sat::Lit;
use super::stage::Scope;
use super::walk::Flow;

/// Random states on small layouts, and on others: a pass on 9 × 9 takes a hundred times as long.
const SMALL_STATES: u64 = 1_000;
const LARGE_STATES: u64 = 100;
/// States with few candidates left, where a clause was not seen firing yet, and how many times the
/// usual bindings a look at one may try: patterns of many parts are there, and cheap to find.
const LATE_STATES: u64 = 600;
const LATE_BINDINGS: u64 = 20;
/// Models of a clause's body that are looked at until one makes it fire.
const MOST_MODELS: usize = 6;
/// Helpers for which the joins have plans made; each takes its time.
const MOST_HELPERS: usize = 60;
/// Times as many bindings that a look may try for a rule that supposes.
const SUPPOSING: u64 = 6;
/// Steps that a match takes: it is told whole.
const MATCHING: u64 = 4;
/// Passes that one look may take.
const MOST_PASSES: usize = 20;
/// Bindings of joins that take a step of the budget, and the steps that it takes to set a state up
/// and to make plans.
const BINDINGS_A_STEP: u64 = 20;
const LOOKING: u64 = 30;
const PLANNING: u64 = 500;

/// A rule on trial.
pub(super) struct Defence<'a> {
    rules: &'a RuleSet,
    instance: usize,
    unique: bool,
    /// This instance alone.
    worker: Worker,
    layout: Arc<Layout>,
    budget: Budget,
    /// Steps besides those of the worker.
    steps: u64,
    /// How many states the rule was run on.
    pub states: u64,
    /// Whether each clause was seen to change something.
    pub fired: Vec<bool>,
    /// A state on which the rule goes against a solution.
    pub lost: Option<Box<Counterexample>>,
}

impl<'a> Defence<'a> {
    /// For an instance on a layout.
    pub(super) fn new(
        rules: &'a RuleSet,
        instance: usize,
        layout: &Arc<Layout>,
        budget: Budget,
    ) -> Defence<'a> {
        let chosen = &rules.instances()[instance];
        let rule = rules.rule(chosen.rule);
        Defence {
            rules,
            instance,
            unique: rule.assumes_unique,
            worker: worker(rules, instance, layout, budget.bindings()),
            layout: layout.clone(),
            budget,
            steps: PLANNING,
            states: 0,
            fired: vec![false; rule.clauses.len()],
            lost: None,
        }
    }

    /// The steps taken so far.
    pub(super) fn spent(&self) -> u64 {
        let (bindings, naive) = self.worker.spent();
        self.steps + bindings / BINDINGS_A_STEP + naive / NAIVE_A_STEP
    }

    /// Whether there is nothing to look for, or nothing left to do it with.
    fn is_over(&self) -> bool {
        self.lost.is_some() || self.spent() >= self.budget.left()
    }

    /// Runs the rule on a state; `solution` is one that the state contains, or there is none.
    pub(super) fn look(&mut self, state: &Grid, solution: Option<&[u8]>) {
        if self.is_over() {
            return;
        }
        self.states += 1;
        self.steps += LOOKING;
        // The end is enough to see that nothing was lost, and much sooner there.
        if self.fired.iter().all(|&fired| fired) {
            let mut end = state.clone();
            let report = self.worker.fixpoint(&mut end);
            let contradicts = matches!(report.outcome, Outcome::Contradiction { .. });
            let keeps = |solution: &[u8]| !contradicts && contains(&end, solution);
            if solution.is_none_or(keeps) {
                return;
            }
        }
        let mut state = state.clone();
        for _ in 0..MOST_PASSES {
            let matches = self.worker.matches(0, &state);
            self.steps += MATCHING * matches.len() as u64;
            let mut changes = Changes::default();
            for found in matches.into_iter().filter(|found| !found.conclusion.is_empty()) {
                // Where there is no solution, only those that say so are asked.
                self.fired[found.clause] |= solution.is_some() || found.conclusion.contradiction;
                changes.add(&found.conclusion);
                if let Some(solution) = solution
                    && let Some(claim) = wrong(&found, solution)
                {
                    return self.lose(&state, solution, found, claim);
                }
            }
            if changes.contradiction || !changes.apply(&mut state) || self.is_over() {
                return;
            }
        }
    }

    fn lose(&mut self, state: &Grid, solution: &[u8], found: Match, wrong: Claim) {
        self.steps += ENUMERATING;
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

    /// Runs the rule on random states.
    pub(super) fn sample(&mut self) {
        let count = if self.layout.size() <= 6 { SMALL_STATES } else { LARGE_STATES };
        let contradicts = |clause: &Clause| clause.heads.contains(&Head::Contradiction);
        let rule = self.rules.rule_of(self.instance);
        let contradicts = rule.clauses.iter().any(contradicts);
        // A few full grids, many states of each.
        let grids = count.div_ceil(50);
        for number in 0..grids {
            let (solution, mut random) = numbered(&self.layout, number);
            let random = &mut random;
            for _ in 0..count.div_ceil(grids) {
                let state = state(&self.layout, &solution, random, self.unique, false);
                self.look(&state, Some(&solution));
                if contradicts {
                    let hopeless = self::state(&self.layout, &solution, random, false, true);
                    self.look(&hopeless, None);
                }
            }
            if self.is_over() {
                return;
            }
        }
        if self.layout.size() > 6 && !self.fired.iter().all(|&fired| fired) {
            self.sample_late();
        }
    }

    /// Runs the rule on random states with few candidates, until each clause was seen to fire.
    fn sample_late(&mut self) {
        let (bindings, naive) = self.worker.spent();
        self.steps += PLANNING + bindings / BINDINGS_A_STEP + naive / NAIVE_A_STEP;
        let bindings = LATE_BINDINGS * self.budget.bindings();
        self.worker = worker(self.rules, self.instance, &self.layout, bindings);
        for number in 0..LATE_STATES {
            let (solution, _) = numbered(&self.layout, number % 2);
            let mut random = Random::for_item(LATE_SEED, number);
            let state = late_state(&self.layout, &solution, &mut random, self.unique);
            self.look(&state, Some(&solution));
            if self.is_over() || self.fired.iter().all(|&fired| fired) {
                return;
            }
        }
    }
}

/// An instance on its own, with so many bindings for a look.
fn worker(rules: &RuleSet, instance: usize, layout: &Arc<Layout>, bindings: u64) -> Worker {
    let rule = rules.rule_of(instance);
    let helpers = rules.reachable(rule.clauses.iter().flat_map(Clause::calls)).len();
    let back_ends = if helpers > MOST_HELPERS { BackEnds::Naive } else { BackEnds::All };
    // What is common to all branches of a hypothesis is looked for candidate by candidate.
    let more = if rule.supposes() { SUPPOSING } else { 1 };
    let bindings = (more * bindings / rule.clauses.len() as u64).max(1_000);
    // The states of a rule that assumes one solution have one.
    let options =
        Options { budget: bindings, assume_unique: true, back_ends, ..Options::default() };
    let alone = rules.in_order(&[instance]);
    Engine::with(&alone, layout, options).expect("it may assume that").worker()
}

/// Whether a state still has every candidate of a solution.
fn contains(state: &Grid, solution: &[u8]) -> bool {
    let digit = |cell: Cell| Digit::new(usize::from(solution[cell.index()]));
    let there = |cell| state.is_possible(Candidate { cell, digit: digit(cell) });
    state.layout().all_cells().iter().all(there)
}

/// Any number will do; the same one gives the same verdicts.
const SEED: u64 = 0x5eed;
const LATE_SEED: u64 = 0x1a7e;

/// The full grid with this number, and what is drawn after it. Those of 9 × 9 are made once: one
/// takes as long as many looks.
fn numbered(layout: &Arc<Layout>, number: u64) -> (Vec<u8>, Random) {
    static NINES: [OnceLock<(Vec<u8>, Random)>; 2] = [const { OnceLock::new() }; 2];
    let make = || {
        let mut random = Random::for_item(SEED, number);
        (full_grid(layout, &mut random), random)
    };
    match NINES.get(number as usize).filter(|_| layout.is_classic_nine()) {
        Some(made) => made.get_or_init(make).clone(),
        None => make(),
    }
}

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

/// A state in which half of the cells are placed or more, and few wrong candidates are left in the
/// others.
fn late_state(layout: &Arc<Layout>, solution: &[u8], random: &mut Random, puzzle: bool) -> Grid {
    let digit_of = |cell: Cell| Digit::new(usize::from(solution[cell.index()]));
    let mut grid = Grid::empty(layout.clone());
    let placed = 3 + random.below(3);
    let gone = 2 + random.below(4);
    for cell in layout.all_cells() {
        if random.below(8) < placed {
            grid.place(Candidate { cell, digit: digit_of(cell) });
        }
    }
    for cell in grid.unsolved() {
        for digit in layout.digits() {
            if digit != digit_of(cell) && random.below(8) < gone {
                grid.eliminate(Candidate { cell, digit });
            }
        }
    }
    let given = if puzzle { grid.placed() } else { Cells::EMPTY };
    Grid::from_parts(layout.clone(), grid.planes().to_vec(), grid.placed(), given)
}

/// Whether the givens of a state have one solution.
fn is_unique(state: &Grid) -> bool {
    let limits = Limits { solutions: 2, work: 100_000, seed: 0 };
    puzzle_of(state)
        .is_some_and(|puzzle| Auto::default().solve(&puzzle, &limits).solutions.len() == 1)
}

/// Runs the rule on the states that the solver makes.
pub(super) struct Witness<'d, 'a> {
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

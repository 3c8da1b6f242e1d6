//! Rules for whatever sizes turn up, and the one way from them to a search.
//!
//! ```text
//! grid ─▸ one solution, where a rule assumes it? ─▸ rules to the fixpoint ─▸ search of what is left
//!             └ no: refused
//! ```
//!
//! A grid that the rules solve has no other solution, as no rule takes one away; and one that they
//! find contradictory has none. Both hold only while no rule assumes that there is one solution, and
//! while all are bundled ones: a user's may be wrong. With such rules the search starts from the grid
//! itself.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::board::simd::Planes;
use crate::board::{Candidate, Digit, Grid, Layout};
use crate::engine::{AssumesUnique, Deducer, Engine, Exhausted, Options, Worker};
use crate::language::{Instance, Origin, RuleSet};
use crate::trace::{Outcome, Report};

use super::last_resort::Auto;
use super::misled::{WrongStep, has_lost_one};
use super::nine::Enumerator;
use super::solver::{Answer, Effort, Ending, Limits, Solver};
use super::unique::{has_one_solution, is_exhausted};

/// Rules, compiled once for each layout; shared by threads.
pub struct Reasoner {
    rules: RuleSet,
    options: Options,
    /// The first rule that assumes one solution.
    assumes: Option<AssumesUnique>,
    /// Whether some rule is a user's own, so perhaps wrong.
    has_own: bool,
    compiled: Mutex<Compiled>,
}

/// Engines by size for classic layouts, and those for others.
type Compiled = (BTreeMap<usize, Engine>, VecDeque<Engine>);

/// Layouts that are no classic ones for which engines and workers are kept: a list may bring one a
/// puzzle.
const MOST_LAYOUTS: usize = 8;

/// One thread's workers, by size for classic layouts, and those for others.
#[derive(Default)]
pub struct Workers {
    by_size: Vec<Option<Worker>>,
    others: VecDeque<Worker>,
    /// For lists of 9×9 grids.
    enumerator: Option<Box<Enumerator>>,
}

/// A rule is for puzzles with one solution, and this one has none or several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotUnique {
    /// The rule.
    pub rule: String,
}

impl fmt::Display for NotUnique {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rule = &self.rule;
        write!(f, "rule {rule} is for puzzles with one solution, and this one has none or several")
    }
}

impl std::error::Error for NotUnique {}

/// What became of a grid.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// What the rules left.
    pub after_rules: Grid,
    /// What they did.
    pub report: Report,
    /// What the search found; nothing where it was not needed.
    pub answer: Option<Answer>,
}

/// What became of a 9×9 grid of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InShort {
    /// The first solution.
    pub digits: [u8; 81],
    /// What the rules alone decided.
    pub decided: [u8; 81],
    /// The guesses of the search; nothing where the rules alone solved it.
    pub guesses: Option<u64>,
    /// Whether there are others.
    pub has_others: bool,
}

impl Reasoner {
    /// A reasoner with these rules. Whether a puzzle has one solution is looked up where it must.
    pub fn new(rules: RuleSet, options: Options) -> Reasoner {
        let assumes = AssumesUnique::find(&rules);
        let is_own = |instance: &Instance| rules.rule(instance.rule).origin == Origin::User;
        let has_own = rules.instances().iter().any(is_own);
        Reasoner { rules, options, assumes, has_own, compiled: Mutex::default() }
    }

    /// Whether what follows from the rules can be relied on without another look.
    fn is_trusted(&self) -> bool {
        self.assumes.is_none() && !self.has_own
    }

    /// Whether a wrong rule has led from a grid to where a solution of it is lost.
    pub fn is_misled(&self, grid: &Grid, report: &Report, end: &Grid) -> bool {
        self.has_own && has_lost_one(grid, report, end)
    }

    /// The step at which that happens, and the instance whose step it is.
    pub fn wrong_step(&self, workers: &mut Workers, grid: &Grid) -> Option<(usize, WrongStep)> {
        let (_, trace) = self.worker(workers, grid).ok()?.trace(&mut grid.clone());
        let wrong = WrongStep::find(grid, trace.iter().map(|step| &step.conclusion))?;
        Some((trace[wrong.number - 1].instance, wrong))
    }

    /// The rules.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Refuses a grid that the rules are not for.
    pub fn check(&self, grid: &Grid) -> Result<(), NotUnique> {
        match &self.assumes {
            Some(AssumesUnique { rule }) if !has_one_solution(grid) => {
                Err(NotUnique { rule: rule.clone() })
            }
            _ => Ok(()),
        }
    }

    /// The engine for a grid, which must have one solution if a rule assumes so.
    pub fn engine(&self, grid: &Grid) -> Result<Engine, NotUnique> {
        self.check(grid)?;
        Ok(self.compiled(grid.layout()))
    }

    /// The worker for a grid, which must have one solution if a rule assumes so.
    pub fn worker<'a>(
        &self,
        workers: &'a mut Workers,
        grid: &Grid,
    ) -> Result<&'a mut Worker, NotUnique> {
        self.check(grid)?;
        Ok(self.of_layout(workers, grid.layout()))
    }

    /// The worker for 9×9 grids, if it needs to know nothing of them.
    #[inline]
    pub fn nine<'a>(&self, workers: &'a mut Workers) -> Option<&'a mut Worker> {
        if !self.is_trusted() {
            return None;
        }
        if workers.by_size.get(9).is_none_or(Option::is_none) {
            self.of_layout(workers, &Layout::classic(9)?);
        }
        workers.by_size[9].as_mut()
    }

    fn of_layout<'a>(&self, workers: &'a mut Workers, layout: &Arc<Layout>) -> &'a mut Worker {
        let size = layout.size();
        if !layout.is_boxed() {
            let is_it = |worker: &Worker| worker.engine().layout() == layout;
            let place = workers.others.iter().position(is_it).unwrap_or_else(|| {
                if workers.others.len() == MOST_LAYOUTS {
                    workers.others.pop_front();
                }
                workers.others.push_back(self.compiled(layout).worker());
                workers.others.len() - 1
            });
            return &mut workers.others[place];
        }
        if workers.by_size.len() <= size {
            workers.by_size.resize_with(size + 1, || None);
        }
        workers.by_size[size].get_or_insert_with(|| self.compiled(layout).worker())
    }

    fn compiled(&self, layout: &Arc<Layout>) -> Engine {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            let is_exhausted = Some(Exhausted(is_exhausted));
            let options = Options { assume_unique: true, is_exhausted, ..self.options };
            Engine::with(&self.rules, layout, options).expect("the caller checks the grid")
        };
        let (classic, others) = &mut *compiled;
        if layout.is_boxed() {
            return classic.entry(layout.size()).or_insert_with(make).clone();
        }
        if let Some(engine) = others.iter().find(|engine| engine.layout() == layout) {
            return engine.clone();
        }
        if others.len() == MOST_LAYOUTS {
            others.pop_front();
        }
        others.push_back(make());
        others[others.len() - 1].clone()
    }

    /// What the rules alone decide.
    pub fn deduce(&self, workers: &mut Workers, grid: &Grid) -> Result<(Grid, Report), NotUnique> {
        let mut end = grid.clone();
        let report = self.worker(workers, grid)?.fixpoint(&mut end);
        Ok((end, report))
    }

    /// The rules first, then a search of what they leave.
    pub fn solve(
        &self,
        workers: &mut Workers,
        solver: &mut dyn Solver,
        grid: &Grid,
        limits: &Limits,
    ) -> Result<Solved, NotUnique> {
        let (after_rules, report) = self.deduce(workers, grid)?;
        let is_decided = match report.outcome {
            Outcome::Solved => self.is_trusted(),
            Outcome::Contradiction { .. } => !self.has_own,
            Outcome::Stuck => false,
        };
        let start = if self.is_trusted() { &after_rules } else { grid };
        let answer = (!is_decided).then(|| solver.solve(start, limits));
        Ok(Solved { after_rules, report, answer })
    }

    /// The same for a 9×9 grid of a list; nothing if there is no solution, or more to say.
    #[inline]
    pub fn solve_in_short(&self, workers: &mut Workers, digits: &[u8; 81]) -> Option<InShort> {
        let mut decided = [0; 81];
        let worker = self.nine(workers)?;
        match worker.deduce_digits(digits, &mut decided) {
            Ok(Outcome::Solved) => {
                Some(InShort { digits: decided, decided, guesses: None, has_others: false })
            }
            Ok(Outcome::Stuck) => {
                let planes = worker.planes();
                let empty = || Box::new(Enumerator::new(&Planes::EMPTY));
                let enumerator = workers.enumerator.get_or_insert_with(empty);
                enumerator.start(&planes);
                let digits = enumerator.next()?;
                let has_others = enumerator.advance();
                let guesses = Some(enumerator.counters().guesses);
                Some(InShort { digits, decided, guesses, has_others })
            }
            _ => None,
        }
    }
}

impl Solved {
    /// The solutions: of the search, or the one that the rules found.
    pub fn solutions(&self) -> Vec<Vec<u8>> {
        match &self.answer {
            Some(answer) => answer.solutions.clone(),
            None if self.after_rules.is_solved() => vec![self.after_rules.digits()],
            None => Vec::new(),
        }
    }

    /// How it ended.
    pub fn ending(&self) -> Ending {
        self.answer.as_ref().map_or(Ending::Complete, |answer| answer.ending)
    }
}

/// A grid with every cell placed.
pub fn filled(grid: &Grid, solution: &[u8]) -> Grid {
    let mut full = grid.clone();
    for cell in grid.unsolved() {
        full.place(Candidate { cell, digit: Digit::new(solution[cell.index()] as usize) });
    }
    full
}

/// The method `rules`: what `solve` does. A puzzle that the rules are not for is only searched.
pub(super) struct RulesFirst {
    reasoner: Reasoner,
    workers: Workers,
}

impl RulesFirst {
    /// With these rules.
    pub(super) fn new(rules: &RuleSet) -> RulesFirst {
        let reasoner = Reasoner::new(rules.clone(), Options::default());
        RulesFirst { reasoner, workers: Workers::default() }
    }
}

impl Solver for RulesFirst {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        let (reasoner, workers) = (&self.reasoner, &mut self.workers);
        if let Ok(worker) = reasoner.worker(workers, grid) {
            worker.count_inferences(true);
        }
        let Ok(solved) = reasoner.solve(workers, &mut Auto::default(), grid, limits) else {
            return Auto::default().solve(grid, limits);
        };
        let inferences = solved.report.inferences.unwrap_or(0);
        let (solutions, ending) = (solved.solutions(), solved.ending());
        let by_rules = Effort { nodes: 1, tries: 1, ..Effort::default() };
        let mut effort = solved.answer.map_or(by_rules, |answer| answer.effort);
        effort.work += inferences;
        Answer { solutions, ending, effort }
    }
}

//! The engine: rules compiled for a layout, and the workers that run them, one a thread.
//!
//! Lowest level first; after a pass that changed something, again from the easiest. Without a
//! trace a pass fires all its matches; with one, the least match of the first instance that has
//! any. The end is the same.

use std::sync::Arc;

use crate::board::{Candidate, Digit, Grid, Layout};
use crate::language::RuleSet;
use crate::trace::{Conclusion, Match, Outcome, Report, Step, Trace};

use super::join::{Effects, Ended, Joins};
use super::plain::{Act, Pass, each_answer, each_tight};
use super::plan::Plan;
use super::{Deducer, Naive};

/// Rules compiled for a layout. Cheap to clone; shared between threads.
#[derive(Clone)]
pub struct Engine {
    compiled: Arc<Compiled>,
}

struct Compiled {
    rules: Arc<RuleSet>,
    layout: Arc<Layout>,
    plans: Vec<Plan>,
    budget: u64,
}

/// Bindings that one pass of one clause may try before it is cut off, unless told otherwise.
pub const BUDGET: u64 = 100_000_000;

impl Engine {
    /// Compiles rules for a layout.
    pub fn new(rules: &RuleSet, layout: &Arc<Layout>) -> Engine {
        Engine::with_budget(rules, layout, BUDGET)
    }

    /// Compiles rules for a layout, with another budget of bindings for a pass.
    pub fn with_budget(rules: &RuleSet, layout: &Arc<Layout>, budget: u64) -> Engine {
        let plans = rules.instances().iter().map(|i| Plan::new(rules, i, layout)).collect();
        let (rules, layout) = (Arc::new(rules.clone()), layout.clone());
        Engine { compiled: Arc::new(Compiled { rules, layout, plans, budget }) }
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.compiled.rules
    }
    /// The layout.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.compiled.layout
    }
    /// The plan of each instance.
    pub fn plans(&self) -> &[Plan] {
        &self.compiled.plans
    }
    /// The same rules with the generic join for every instance: what the other back ends are
    /// judged by.
    pub fn with_joins_only(&self) -> Engine {
        let Compiled { rules, layout, plans, budget } = &*self.compiled;
        let plans = vec![Plan::Join; plans.len()];
        let (rules, layout, budget) = (rules.clone(), layout.clone(), *budget);
        Engine { compiled: Arc::new(Compiled { rules, layout, plans, budget }) }
    }
    /// A worker of its own for a thread.
    pub fn worker(&self) -> Worker {
        Worker::new(self.clone())
    }
}

/// Runs an engine's rules; has the scratch memory for it.
pub struct Worker {
    engine: Engine,
    naive: Naive,
    joins: Joins,
    /// Whether the joins have the state at hand.
    loaded: bool,
    /// For each instance, whether the join has a plan for all its clauses.
    joinable: Vec<bool>,
    count_inferences: bool,
}

/// What a pass did.
struct Fired {
    firings: u64,
    contradiction: bool,
    ended: Ended,
}

impl Worker {
    fn new(engine: Engine) -> Worker {
        let (rules, layout) = (engine.rules().clone(), engine.layout().clone());
        let mut joins = Joins::new(rules.clone(), layout);
        joins.set_budget(engine.compiled.budget);
        let joinable = rules
            .instances()
            .iter()
            .enumerate()
            .map(|(i, instance)| {
                let clauses = rules.rule(instance.rule).clauses.len();
                (0..clauses).all(|clause| joins.supports(i, clause))
            })
            .collect();
        let naive = Naive::new(&rules);
        Worker { engine, naive, joins, loaded: false, joinable, count_inferences: false }
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Whether to count inferences: what a Prolog would have called, whatever the back end.
    pub fn count_inferences(&mut self, wanted: bool) {
        self.count_inferences = wanted;
    }

    /// The plan of an instance in words: the back end, then its details, a line each.
    pub fn describe(&mut self, instance: usize) -> Vec<String> {
        let plan = &self.engine.compiled.plans[instance];
        let mut lines = match plan {
            Plan::Join if !self.joinable[instance] => vec!["naive evaluator".to_string()],
            plan => vec![plan.back_end().to_string()],
        };
        lines.extend(plan.describe(self.engine.layout()));
        if *plan == Plan::Join && self.joinable[instance] {
            for clause in 0..self.clause_count(instance) {
                lines.extend(self.joins.describe(instance, clause));
            }
        }
        lines
    }

    fn clause_count(&self, instance: usize) -> usize {
        let rules = self.engine.rules();
        rules.rule(rules.instances()[instance].rule).clauses.len()
    }

    fn load(&mut self, grid: &Grid) {
        if !self.loaded {
            self.joins.load(grid);
            self.loaded = true;
        }
    }

    /// Fires all matches of an instance.
    fn fire(&mut self, instance: usize, grid: &mut Grid) -> Fired {
        let engine = self.engine.clone();
        let pass = match &engine.compiled.plans[instance] {
            Plan::Planes(planes) => Pass::of_planes(grid, planes),
            Plan::Hall(halls) => Pass::of_halls(grid, halls),
            Plan::Join if self.joinable[instance] => return self.fire_join(instance, grid),
            Plan::Join => return self.fire_naive(instance, grid),
        };
        let firings = pass.apply(grid);
        Fired { firings, contradiction: false, ended: Ended::Complete }
    }

    fn fire_join(&mut self, instance: usize, grid: &mut Grid) -> Fired {
        self.load(grid);
        let mut fired = Fired { firings: 0, contradiction: false, ended: Ended::Complete };
        let mut all = Vec::new();
        for clause in 0..self.clause_count(instance) {
            let mut effects = Effects::default();
            if self.joins.effects(instance, clause, &mut effects) == Ended::CutOff {
                fired.ended = Ended::CutOff;
            }
            all.push(effects);
        }
        for mut effects in all {
            for (digit, &cells) in effects.eliminates.iter().enumerate() {
                grid.eliminate_all(Digit::at(digit), cells);
            }
            effects.places.sort_unstable();
            for place in effects.places {
                grid.conclude_place(place);
            }
            fired.firings += effects.firings;
            fired.contradiction |= effects.contradiction;
        }
        fired
    }

    fn fire_naive(&mut self, instance: usize, grid: &mut Grid) -> Fired {
        let mut fired = Fired { firings: 0, contradiction: false, ended: Ended::Complete };
        for found in self.naive.matches(instance, grid) {
            fired.contradiction |= found.conclusion.contradiction;
            fired.firings += u64::from(found.conclusion.apply(grid) || fired.contradiction);
            if fired.contradiction {
                break;
            }
        }
        fired
    }

    /// The least effective match of an instance: its clause and conclusion.
    fn least(&mut self, instance: usize, grid: &Grid) -> (Option<Step>, Ended) {
        let engine = self.engine.clone();
        let mut ended = Ended::Complete;
        for clause in 0..self.clause_count(instance) {
            let mut least: Option<Conclusion> = None;
            let mut see = |act: Act| {
                let conclusion = conclusion(act);
                if least.as_ref().is_none_or(|other| conclusion < *other) {
                    least = Some(conclusion);
                }
            };
            match &engine.compiled.plans[instance] {
                Plan::Planes(planes) => {
                    each_answer(grid, planes.effect, &planes.clauses[clause], &mut see);
                }
                Plan::Hall(halls) => each_tight(grid, &halls[clause], &mut see),
                Plan::Join if self.joinable[instance] => {
                    self.load(grid);
                    let (found, how) = self.joins.least(instance, clause);
                    least = found;
                    if how == Ended::CutOff {
                        ended = Ended::CutOff;
                    }
                }
                Plan::Join => {
                    let mut found = self.naive.matches(instance, grid).into_iter();
                    let step = found.find(|m| !m.conclusion.is_empty()).map(|m| Step {
                        instance,
                        clause: m.clause,
                        conclusion: m.conclusion,
                    });
                    return (step, ended);
                }
            }
            if let Some(conclusion) = least {
                return (Some(Step { instance, clause, conclusion }), ended);
            }
        }
        (None, ended)
    }

    /// To the fixpoint: all matches a pass, or one a step.
    fn run(&mut self, grid: &mut Grid, mut trace: Option<&mut Trace>) -> Report {
        let count = self.engine.rules().instances().len();
        let mut report = Report {
            outcome: Outcome::Stuck,
            firings: vec![0; count],
            passes: 0,
            inferences: self.count_inferences.then_some(0),
            cut_off: Vec::new(),
        };
        let (mut steps, mut last) = (0, None);
        let contradiction = |hole, instance, step| Outcome::Contradiction { hole, instance, step };
        'state: loop {
            self.loaded = false;
            if let Some(hole) = grid.hole() {
                report.outcome = contradiction(Some(hole), last, steps);
                break;
            }
            if grid.is_solved() {
                report.outcome = Outcome::Solved;
                break;
            }
            for instance in 0..count {
                report.passes += 1;
                if let Some(inferences) = &mut report.inferences {
                    *inferences += self.inferences(instance, grid);
                }
                let fired = match &mut trace {
                    None => self.fire(instance, grid),
                    Some(trace) => self.step(instance, grid, trace),
                };
                if fired.ended == Ended::CutOff && !report.cut_off.contains(&instance) {
                    report.cut_off.push(instance);
                }
                if fired.firings == 0 {
                    continue;
                }
                report.firings[instance] += fired.firings;
                steps += 1;
                last = Some(instance);
                if fired.contradiction {
                    report.outcome = contradiction(None, last, steps);
                    break 'state;
                }
                continue 'state;
            }
            break;
        }
        report.cut_off.sort_unstable();
        report
    }

    /// Makes the least match of an instance a step.
    fn step(&mut self, instance: usize, grid: &mut Grid, trace: &mut Trace) -> Fired {
        let (step, ended) = self.least(instance, grid);
        let Some(step) = step else { return Fired { firings: 0, contradiction: false, ended } };
        step.conclusion.apply(grid);
        let contradiction = step.conclusion.contradiction;
        trace.push(step);
        Fired { firings: 1, contradiction, ended }
    }

    /// What a Prolog would count for a pass over an instance.
    fn inferences(&mut self, instance: usize, grid: &Grid) -> u64 {
        self.load(grid);
        (0..self.clause_count(instance)).map(|c| self.joins.inferences(instance, c)).sum()
    }
}

/// What a match comes to.
fn conclusion(act: Act) -> Conclusion {
    let mut conclusion = Conclusion::default();
    match act {
        Act::Place(candidate) => conclusion.places.push(candidate),
        Act::Eliminate(gone) => {
            for &(digit, cells) in gone {
                let gone = cells.iter().map(|cell| Candidate { cell, digit });
                conclusion.eliminates.extend(gone);
            }
        }
    }
    conclusion.finish();
    conclusion
}

impl Deducer for Worker {
    fn fixpoint(&mut self, grid: &mut Grid) -> Report {
        self.run(grid, None)
    }

    fn trace(&mut self, grid: &mut Grid) -> (Report, Trace) {
        let mut trace = Trace::new();
        let report = self.run(grid, Some(&mut trace));
        (report, trace)
    }

    fn next_step(&mut self, grid: &Grid) -> Option<Step> {
        self.loaded = false;
        if grid.hole().is_some() {
            return None;
        }
        (0..self.engine.plans().len()).find_map(|instance| self.least(instance, grid).0)
    }

    fn matches(&mut self, instance: usize, grid: &Grid) -> Vec<Match> {
        if !self.joinable[instance] {
            return self.naive.matches(instance, grid);
        }
        self.joins.load(grid);
        self.loaded = false;
        let clauses = 0..self.clause_count(instance);
        clauses.flat_map(|clause| self.joins.matches(instance, clause).0).collect()
    }

    fn witness(&mut self, step: &Step, before: &Grid) -> Option<Match> {
        if !self.joinable[step.instance] {
            return self.naive.witness(step, before);
        }
        self.joins.load(before);
        self.loaded = false;
        self.joins.witness(step)
    }
}

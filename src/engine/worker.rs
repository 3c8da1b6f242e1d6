//! The workers that run an engine's rules, one a thread.
//!
//! Lowest level first; after a pass that changed something, again from the easiest. Without a
//! trace a pass fires all its matches; with one, the least match of the first instance that has
//! any. The end is the same.

use crate::board::{Candidate, Digit, Grid};
use crate::trace::{Conclusion, Match, Outcome, Report, Step, Trace};

use super::compiled::{BackEnds, Engine};
use super::fast::Fast;
use super::join::{Effects, Ended, Joins};
use super::nine::Stop;
use super::plain::{Act, Pass, each_answer, each_tight};
use super::plan::Plan;
use super::{Deducer, Naive};

/// Runs an engine's rules; has the scratch memory for it.
pub struct Worker {
    pub(super) engine: Engine,
    naive: Naive,
    joins: Joins,
    /// Whether the joins have the state at hand.
    pub(super) loaded: bool,
    /// For each instance, whether the join has a plan for all its clauses.
    joinable: Vec<bool>,
    count_inferences: bool,
    pub(super) fast: Fast,
}

/// What a pass did.
pub(super) struct Fired {
    pub firings: u64,
    pub contradiction: bool,
    pub ended: Ended,
}

impl Worker {
    pub(super) fn new(engine: Engine) -> Worker {
        let (rules, layout) = (engine.rules().clone(), engine.layout().clone());
        let mut joins = Joins::new(rules.clone(), layout);
        joins.set_budget(engine.compiled.options.budget);
        let naive_only = engine.compiled.options.back_ends == BackEnds::Naive;
        let joinable = rules
            .instances()
            .iter()
            .enumerate()
            .map(|(i, instance)| {
                let clauses = rules.rule(instance.rule).clauses.len();
                !naive_only && (0..clauses).all(|clause| joins.supports(i, clause))
            })
            .collect();
        let naive = Naive::within(&rules, engine.compiled.options.budget);
        let fast = Fast::new(rules.instances().len());
        Worker { engine, naive, joins, loaded: false, joinable, count_inferences: false, fast }
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
    pub(super) fn fire(&mut self, instance: usize, grid: &mut Grid) -> Fired {
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
        let (found, cut_off) = self.naive.matches_within_budget(instance, grid);
        let ended = if cut_off { Ended::CutOff } else { Ended::Complete };
        let mut fired = Fired { firings: 0, contradiction: false, ended };
        for found in found {
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
                    let (found, cut_off) = self.naive.matches_within_budget(instance, grid);
                    ended = if cut_off { Ended::CutOff } else { ended };
                    let mut found = found.into_iter();
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
    pub(super) fn run(&mut self, grid: &mut Grid, mut trace: Option<&mut Trace>) -> Report {
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
            let first = if trace.is_some() { self.skip(grid, 0) } else { 0 };
            report.passes += first as u64;
            for instance in first..count {
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

    /// The first instance that may have an effective match: registers see at once which have
    /// none. All are tried where inferences are counted.
    fn skip(&mut self, grid: &Grid, from: usize) -> usize {
        if !self.engine.uses_registers() || self.count_inferences {
            return from;
        }
        match self.first_to_fire(grid, from) {
            Some(Stop::Fires(instance) | Stop::Join(instance)) => instance,
            Some(Stop::Stuck) => self.engine.plans().len(),
            Some(Stop::Solved | Stop::Doubtful) | None => from,
        }
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
        if !self.engine.fits(grid) {
            return self.naive.fixpoint(grid);
        }
        if self.engine.uses_registers()
            && !self.count_inferences
            && let Some(report) = self.fast_fixpoint(grid)
        {
            return report;
        }
        self.run(grid, None)
    }

    fn trace(&mut self, grid: &mut Grid) -> (Report, Trace) {
        if !self.engine.fits(grid) {
            return self.naive.trace(grid);
        }
        let mut trace = Trace::new();
        let report = self.run(grid, Some(&mut trace));
        (report, trace)
    }

    fn next_step(&mut self, grid: &Grid) -> Option<Step> {
        if !self.engine.fits(grid) {
            return self.naive.next_step(grid);
        }
        self.loaded = false;
        if grid.hole().is_some() {
            return None;
        }
        (0..self.engine.plans().len()).find_map(|instance| self.least(instance, grid).0)
    }

    fn matches(&mut self, instance: usize, grid: &Grid) -> Vec<Match> {
        if !self.joinable[instance] || !self.engine.fits(grid) {
            return self.naive.matches(instance, grid);
        }
        self.joins.load(grid);
        self.loaded = false;
        let clauses = 0..self.clause_count(instance);
        clauses.flat_map(|clause| self.joins.matches(instance, clause).0).collect()
    }

    fn witness(&mut self, step: &Step, before: &Grid) -> Option<Match> {
        if !self.joinable[step.instance] || !self.engine.fits(before) {
            return self.naive.witness(step, before);
        }
        self.joins.load(before);
        self.loaded = false;
        self.joins.witness(step)
    }
}

//! The workers that run an engine's rules, one a thread.

use crate::board::Grid;
use crate::trace::{Changes, Conclusion, Match, Report, Step, Trace};

use super::compiled::{BackEnds, Engine};
use super::join::{Effects, Ended, Joins};
use super::plan::Plan;
use super::whole::{Desk, Passes};
use super::{Deducer, Naive};

/// Runs an engine's rules; has the scratch memory for it.
pub struct Worker {
    pub(super) engine: Engine,
    naive: Naive,
    joins: Joins,
    /// Whether the joins have the state at hand.
    pub(super) loaded: bool,
    /// For each instance, whether the join has a plan for all its clauses; known when asked for.
    joinable: Vec<Option<bool>>,
    /// As many plans as instances: what a run uses that is not to ask the whole board.
    pub(super) joins_only: Vec<Plan>,
    pub(super) count_inferences: bool,
    pub(super) desk: Desk,
    pub(super) passes: Passes,
    pub(super) cut_off: Vec<usize>,
    pub(super) inferences: u64,
}

impl Worker {
    pub(super) fn new(engine: Engine) -> Worker {
        let (rules, layout) = (engine.rules().clone(), engine.layout().clone());
        let mut joins = Joins::new(rules.clone(), layout.clone());
        joins.set_budget(engine.compiled.options.budget);
        let count = rules.instances().len();
        let naive_only = engine.compiled.options.back_ends == BackEnds::Naive;
        Worker {
            naive: Naive::within(&rules, engine.compiled.options.budget),
            joins,
            loaded: false,
            joinable: vec![naive_only.then_some(false); count],
            joins_only: vec![Plan::Join; count],
            count_inferences: false,
            desk: Desk::new(&layout, engine.uses_registers()),
            passes: Passes { firings: vec![0; count], ..Passes::default() },
            cut_off: Vec::new(),
            inferences: 0,
            engine,
        }
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
        let plan = self.engine.compiled.plans[instance].clone();
        let mut lines = match plan {
            Plan::Join if !self.is_joinable(instance) => vec!["naive evaluator".to_string()],
            _ => vec![plan.back_end().to_string()],
        };
        lines.extend(plan.describe(self.engine.layout()));
        if plan == Plan::Join && self.is_joinable(instance) {
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

    fn is_joinable(&mut self, instance: usize) -> bool {
        let clauses = self.clause_count(instance);
        let joins = &mut self.joins;
        *self.joinable[instance]
            .get_or_insert_with(|| (0..clauses).all(|clause| joins.supports(instance, clause)))
    }

    fn load(&mut self, grid: &Grid) {
        if !self.loaded {
            self.joins.load(grid);
            self.loaded = true;
        }
    }

    /// The instances that were cut off in the last run: once, for they are not tried again.
    pub fn cut_off(&self) -> &[usize] {
        &self.cut_off
    }

    fn note_cut_off(&mut self, instance: usize, ended: Ended) {
        if ended == Ended::CutOff && !self.cut_off.contains(&instance) {
            self.cut_off.push(instance);
        }
    }

    fn naive_matches(&mut self, instance: usize, grid: &Grid) -> Vec<Match> {
        let (found, is_cut_off) = self.naive.matches_within_budget(instance, grid);
        self.note_cut_off(instance, if is_cut_off { Ended::CutOff } else { Ended::Complete });
        found
    }

    /// What all matches of an instance change, found match by match.
    pub(super) fn changes(&mut self, instance: usize, grid: &Grid) -> Changes {
        let mut changes = Changes::default();
        if self.cut_off.contains(&instance) {
            return changes;
        }
        if !self.is_joinable(instance) {
            for found in self.naive_matches(instance, grid) {
                changes.add(&found.conclusion);
            }
            return changes;
        }
        self.load(grid);
        let mut effects = Effects::default();
        for clause in 0..self.clause_count(instance) {
            let ended = self.joins.effects(instance, clause, &mut effects);
            self.note_cut_off(instance, ended);
        }
        let Effects { eliminates, places, contradiction, .. } = effects;
        Changes { places, eliminates, contradiction }
    }

    /// The least effective match of an instance: its clause and conclusion.
    pub(super) fn least(&mut self, instance: usize, grid: &Grid) -> Option<Step> {
        let step = |clause, conclusion: Conclusion| Step { instance, clause, conclusion };
        if self.cut_off.contains(&instance) {
            return None;
        }
        if !self.is_joinable(instance) {
            let mut found = self.naive_matches(instance, grid).into_iter();
            let found = found.find(|found| !found.conclusion.is_empty())?;
            return Some(step(found.clause, found.conclusion));
        }
        self.load(grid);
        (0..self.clause_count(instance)).find_map(|clause| {
            let (least, ended) = self.joins.least(instance, clause);
            self.note_cut_off(instance, ended);
            least.map(|conclusion| step(clause, conclusion))
        })
    }

    /// Counts what a Prolog would call for a pass over an instance: by the join's plans, whatever
    /// the back end, or by the definition where there are none.
    pub(super) fn infer(&mut self, instance: usize, grid: &Grid) {
        if !self.count_inferences {
            return;
        }
        let clauses = 0..self.clause_count(instance);
        self.inferences += if clauses.clone().all(|c| self.joins.supports(instance, c)) {
            self.load(grid);
            clauses.map(|clause| self.joins.inferences(instance, clause)).sum()
        } else {
            self.naive.inferences(instance, grid)
        };
    }
}

impl Deducer for Worker {
    fn fixpoint(&mut self, grid: &mut Grid) -> Report {
        if self.engine.fits(grid) { self.run(grid) } else { self.naive.fixpoint(grid) }
    }

    fn trace(&mut self, grid: &mut Grid) -> (Report, Trace) {
        if self.engine.fits(grid) { self.run_by_steps(grid) } else { self.naive.trace(grid) }
    }

    fn next_step(&mut self, grid: &Grid) -> Option<Step> {
        if !self.engine.fits(grid) {
            return self.naive.next_step(grid);
        }
        self.begin();
        if grid.hole().is_some() { None } else { self.first_step(grid) }
    }

    fn matches(&mut self, instance: usize, grid: &Grid) -> Vec<Match> {
        if !self.engine.fits(grid) || !self.is_joinable(instance) {
            return self.naive.matches(instance, grid);
        }
        self.joins.load(grid);
        self.loaded = false;
        let clauses = 0..self.clause_count(instance);
        clauses.flat_map(|clause| self.joins.matches(instance, clause).0).collect()
    }

    fn witness(&mut self, step: &Step, before: &Grid) -> Option<Match> {
        if !self.engine.fits(before) || !self.is_joinable(step.instance) {
            return self.naive.witness(step, before);
        }
        self.joins.load(before);
        self.loaded = false;
        self.joins.witness(step)
    }
}

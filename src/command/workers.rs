//! Rules compiled for whatever sizes turn up, and each thread's workers for them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};

use crate::board::{Grid, Hole, Layout};
use crate::engine::{Deducer, Engine, Options, Worker};
use crate::language::{Instance, RuleSet};
use crate::trace::{Outcome, Report};

/// What is said where the budget of a rule ran out.
pub const CUT_OFF: &str = "there is too much to try, and it was cut off";

/// What is to be said of the rules that were cut off, if there are any.
pub fn cut_off(rules: &RuleSet, instances: &[usize]) -> Option<String> {
    let names = instances.iter().map(|&i| rules.instances()[i].name.as_str());
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| format!("rule {}: {CUT_OFF}", names.join(", ")))
}

/// The rules of a run, compiled once for each size.
pub struct Engines {
    rules: RuleSet,
    options: Options,
    proves_uniqueness: bool,
    compiled: Mutex<BTreeMap<usize, Engine>>,
}

/// One thread's workers, by size.
#[derive(Default)]
pub struct Workers {
    by_size: Vec<Option<Worker>>,
}

impl Engines {
    /// Engines for these rules.
    pub fn new(rules: RuleSet, options: Options) -> Engines {
        let assumes = |i: &Instance| rules.rule(i.rule).assumes_unique;
        let proves_uniqueness = !rules.instances().iter().any(assumes);
        Engines { rules, options, proves_uniqueness, compiled: Mutex::new(BTreeMap::new()) }
    }

    /// The rules.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Whether a solution by these rules is the only one.
    pub fn prove_uniqueness(&self) -> bool {
        self.proves_uniqueness
    }

    /// The worker for grids of this size.
    pub fn worker<'a>(&self, workers: &'a mut Workers, size: usize) -> &'a mut Worker {
        if workers.by_size.len() <= size {
            workers.by_size.resize_with(size + 1, || None);
        }
        workers.by_size[size].get_or_insert_with(|| {
            let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
            let engine = compiled.entry(size).or_insert_with(|| {
                let layout = Layout::classic(size).expect("readers make classic sizes only");
                Engine::with(&self.rules, &layout, self.options)
            });
            engine.worker()
        })
    }

    /// Why there is no solution, for people: found again step by step.
    pub fn contradiction(&self, workers: &mut Workers, grid: &Grid) -> String {
        let worker = self.worker(workers, grid.layout().size());
        let (report, _) = worker.trace(&mut grid.clone());
        let Outcome::Contradiction { hole, instance, step } = report.outcome else {
            return "contradiction".to_string();
        };
        let layout = grid.layout();
        let what = match hole {
            Some(Hole::Cell(cell)) => format!("no candidate left in {}", layout.cell_name(cell)),
            Some(Hole::House(house, digit)) => {
                format!("no spot left for {digit} in {}", layout.house_name(house))
            }
            None => "a rule says so".to_string(),
        };
        match instance {
            Some(i) => {
                let name = &self.rules.instances()[i].name;
                format!("contradiction: {what} after {name} (step {step})")
            }
            None => format!("contradiction: {what}"),
        }
    }

    /// The rules that a run needed: how often each, the hardest, the inferences.
    pub fn members(&self, report: &Report, object: &mut Map<String, Value>) {
        let instances = self.rules.instances();
        let used = || instances.iter().zip(&report.firings).filter(|(_, count)| **count > 0);
        let mut counts = Map::new();
        for (instance, count) in used() {
            counts.insert(instance.name.clone(), json!(count));
        }
        object.insert("rules".into(), Value::Object(counts));
        let hardest = used().max_by_key(|(instance, _)| instance.level);
        object.insert("hardest".into(), json!(hardest.map(|(instance, _)| &instance.name)));
        object.insert("inferences".into(), json!(report.inferences));
        if !report.cut_off.is_empty() {
            let names: Vec<&str> =
                report.cut_off.iter().map(|&i| instances[i].name.as_str()).collect();
            object.insert("cut_off".into(), json!(names));
        }
    }

    /// The hardest rule that a run needed.
    pub fn hardest(&self, report: &Report) -> Option<&str> {
        let used = self.rules.instances().iter().zip(&report.firings).filter(|(_, n)| **n > 0);
        used.max_by_key(|(instance, _)| instance.level).map(|(instance, _)| instance.name.as_str())
    }
}

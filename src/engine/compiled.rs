//! The engine: rules compiled for a layout.

use std::sync::Arc;

use crate::board::{Grid, Layout};
use crate::language::RuleSet;

use super::plan::Plan;
use super::worker::Worker;

/// Rules compiled for a layout. Cheap to clone; shared between threads.
#[derive(Clone)]
pub struct Engine {
    pub(super) compiled: Arc<Compiled>,
}

pub(super) struct Compiled {
    pub rules: Arc<RuleSet>,
    pub layout: Arc<Layout>,
    pub plans: Vec<Plan>,
    pub options: Options,
}

/// Which back ends an engine may use. All give the same results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BackEnds {
    /// The naive evaluator for everything.
    Naive,
    /// The generic join for everything it has a plan for.
    Join,
    /// Also plane programs and the Hall operator, on plain bit sets.
    Plain,
    /// Also the 9×9 board in vector registers.
    All,
}

/// How an engine is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Bindings that one pass of one clause may try before it is cut off.
    pub budget: u64,
    /// Which back ends it may use.
    pub back_ends: BackEnds,
}

impl Default for Options {
    fn default() -> Options {
        Options { budget: super::naive::BUDGET, back_ends: BackEnds::All }
    }
}

impl Engine {
    /// Compiles rules for a layout.
    pub fn new(rules: &RuleSet, layout: &Arc<Layout>) -> Engine {
        Engine::with(rules, layout, Options::default())
    }

    /// Compiles rules for a layout, with other options.
    pub fn with(rules: &RuleSet, layout: &Arc<Layout>, options: Options) -> Engine {
        let plan = |instance| match options.back_ends {
            BackEnds::Naive | BackEnds::Join => Plan::Join,
            BackEnds::Plain | BackEnds::All => Plan::new(rules, instance, layout),
        };
        let plans = rules.instances().iter().map(plan).collect();
        let (rules, layout) = (Arc::new(rules.clone()), layout.clone());
        Engine { compiled: Arc::new(Compiled { rules, layout, plans, options }) }
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
    /// Whether it was compiled for the layout of a grid.
    pub fn fits(&self, grid: &Grid) -> bool {
        **grid.layout() == *self.compiled.layout
    }
    /// Whether the board is kept in vector registers.
    pub fn uses_registers(&self) -> bool {
        self.compiled.options.back_ends == BackEnds::All && self.layout().is_classic_nine()
    }
    /// A worker of its own for a thread.
    pub fn worker(&self) -> Worker {
        Worker::new(self.clone())
    }
}

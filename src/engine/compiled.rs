//! The engine: rules compiled for a layout.

use std::fmt;
use std::sync::Arc;

use crate::board::{Grid, Layout};
use crate::language::{Origin, Rule, RuleSet};

use super::fit::Unfit;
use super::plan::Plan;
use super::worker::Worker;

/// Rules compiled for a layout. Cheap to clone; shared between threads.
#[derive(Clone)]
pub struct Engine {
    compiled: Arc<Compiled>,
}

struct Compiled {
    rules: Arc<RuleSet>,
    layout: Arc<Layout>,
    plans: Vec<Plan>,
    options: Options,
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
    /// Whether the caller knows that every grid comes from a puzzle with one solution. Without it
    /// there is no engine for rules that assume so.
    pub assume_unique: bool,
    /// Whether it is clear that no sound rule has anything to say of a grid. It is asked before
    /// hypotheses, whose last round takes the longest and finds nothing, and only where all rules
    /// are bundled, as these are proved.
    pub is_exhausted: Option<Exhausted>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            budget: super::naive::BUDGET,
            back_ends: BackEnds::All,
            assume_unique: false,
            is_exhausted: None,
        }
    }
}

/// A look at a grid: see [`Options::is_exhausted`].
#[derive(Clone, Copy, Debug)]
pub struct Exhausted(pub fn(&Grid) -> bool);

impl PartialEq for Exhausted {
    fn eq(&self, other: &Exhausted) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}
impl Eq for Exhausted {}

/// A rule assumes that the puzzle has one solution, and nobody said that it has.
///
/// ```
/// use dokulog::board::Layout;
/// use dokulog::engine::Engine;
/// use dokulog::language::bundled;
///
/// let nine = Layout::classic(9).expect("there are 9×9 puzzles");
/// let refusal = Engine::new(&bundled::rules(), &nine).err().expect("some assume it");
/// assert!(refusal.to_string().contains("assumes that the puzzle has one solution"));
/// let others = bundled::rules().keep(|rule, _| !rule.assumes_unique);
/// assert!(Engine::new(&others, &nine).is_ok());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssumesUnique {
    /// The rule's name.
    pub rule: String,
}

impl fmt::Display for AssumesUnique {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "rule {} assumes that the puzzle has one solution", self.rule)
    }
}

impl std::error::Error for AssumesUnique {}

impl AssumesUnique {
    /// The first rule of a set that does, if any.
    pub fn find(rules: &RuleSet) -> Option<AssumesUnique> {
        let rule = rules.instances().iter().map(|i| rules.rule(i.rule)).find(|r| r.assumes_unique);
        rule.map(|rule| AssumesUnique { rule: rule.name.clone() })
    }
}

impl Engine {
    /// Compiles rules for a layout; none of them may assume that the puzzle has one solution.
    pub fn new(rules: &RuleSet, layout: &Arc<Layout>) -> Result<Engine, AssumesUnique> {
        Engine::with(rules, layout, Options::default())
    }

    /// Compiles rules for grids that come from puzzles with one solution, or for rules that do not
    /// care: the caller answers for it.
    pub fn assuming_unique(rules: &RuleSet, layout: &Arc<Layout>) -> Engine {
        Engine::compile(rules, layout, Options { assume_unique: true, ..Options::default() })
    }

    /// Compiles rules for a layout, with other options.
    pub fn with(
        rules: &RuleSet,
        layout: &Arc<Layout>,
        options: Options,
    ) -> Result<Engine, AssumesUnique> {
        match AssumesUnique::find(rules).filter(|_| !options.assume_unique) {
            Some(refusal) => Err(refusal),
            None => Ok(Engine::compile(rules, layout, options)),
        }
    }

    fn compile(rules: &RuleSet, layout: &Arc<Layout>, options: Options) -> Engine {
        let plan = |instance| match options.back_ends {
            BackEnds::Naive | BackEnds::Join => {
                Unfit::find(rules, instance, layout).map_or(Plan::Join, Plan::Off)
            }
            BackEnds::Plain | BackEnds::All => Plan::new(rules, instance, layout),
        };
        let plans: Vec<Plan> = rules.instances().iter().map(plan).collect();
        for (instance, plan) in rules.instances().iter().zip(&plans) {
            log::info!("size {}: {} runs as {}", layout.size(), instance.name, plan.back_end());
        }
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
    /// How it was made.
    pub(super) fn options(&self) -> Options {
        self.compiled.options
    }
    /// What may be asked before hypotheses: only of rules that are proved.
    pub(super) fn is_exhausted(&self) -> Option<Exhausted> {
        let is_own = |rule: &Rule| rule.origin == Origin::User;
        self.options().is_exhausted.filter(|_| !self.rules().rules().iter().any(is_own))
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

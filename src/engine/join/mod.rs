//! The generic join over bit sets: any clause of any rule, on any layout.
//!
//! A clause is compiled to an order of its variables. The domain of each variable is the
//! intersection of everything that the variables bound before it say about it, so a step of the
//! join is a few ANDs. Helpers are tables made once a state and shared by all rules.
//!
//! ```text
//! Joins::new(rules, layout)
//!   load(grid)                       one state; forgets the tables of the last one
//!   effects(instance, clause, …)     what a pass changes, all matches at once
//!   least(instance, clause)          the conclusion a trace takes first
//!   matches(instance, clause)        every match with all its bindings
//!   witness(step)                    one match with a given conclusion
//!   inferences(instance, clause)     what a Prolog would have counted
//!   describe(instance, clause)       the plan in words
//! ```

use std::sync::Arc;

use crate::board::{Candidate, Cells, Grid, Layout};
use crate::language::RuleSet;
use crate::trace::{Conclusion, Match, Step};

/// What a pass of a clause takes away and places. Only what is new on the state loaded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Candidates to eliminate: the cells of each digit.
    pub eliminates: Vec<Cells>,
    /// Digits to place in cells not placed yet; repeated if several matches say so.
    pub places: Vec<Candidate>,
    /// Whether a match concludes that there is no solution.
    pub contradiction: bool,
    /// How many matches had an effect (the plan may join some of them into one).
    pub firings: u64,
}

/// Whether a run of a plan saw everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Every match was seen.
    Complete,
    /// The budget of bindings ran out first.
    CutOff,
}

/// The join plans of a rule set on a layout, and the state they run on. Clone it for each thread.
#[derive(Clone)]
pub struct Joins {
    rules: Arc<RuleSet>,
    layout: Arc<Layout>,
    budget: u64,
}

impl Joins {
    /// No plan yet: each is made when it is first wanted.
    pub fn new(rules: Arc<RuleSet>, layout: Arc<Layout>) -> Joins {
        Joins { rules, layout, budget: u64::MAX }
    }

    /// How many bindings a run of a plan may try before it is cut off.
    pub fn set_budget(&mut self, bindings: u64) {
        self.budget = bindings;
    }

    /// Whether there is a plan for a clause; if not, the naive evaluator has to do it.
    pub fn supports(&mut self, instance: usize, clause: usize) -> bool {
        let _ = (&self.rules, &self.layout, self.budget, instance, clause);
        false
    }

    /// Makes this the state that the plans run on.
    pub fn load(&mut self, grid: &Grid) {
        let _ = grid;
    }

    /// Adds what all matches of a clause change. A clause without a plan changes nothing.
    pub fn effects(&mut self, instance: usize, clause: usize, effects: &mut Effects) -> Ended {
        let _ = (instance, clause, effects);
        Ended::Complete
    }

    /// The least conclusion of a match that changes something.
    pub fn least(&mut self, instance: usize, clause: usize) -> (Option<Conclusion>, Ended) {
        let _ = (instance, clause);
        (None, Ended::Complete)
    }

    /// Every match of a clause, sorted, those that change nothing included.
    pub fn matches(&mut self, instance: usize, clause: usize) -> (Vec<Match>, Ended) {
        let _ = (instance, clause);
        (Vec::new(), Ended::Complete)
    }

    /// The least match with the step's conclusion; the state before the step must be loaded.
    pub fn witness(&mut self, step: &Step) -> Option<Match> {
        let _ = step;
        None
    }

    /// Inferences of a pass over a clause, the tables it needs included unless an earlier pass
    /// over the state loaded has paid for them.
    ///
    /// One for each body literal called (a scan opened, a test made, a definition evaluated, a
    /// node of `choose`) and one for each head produced.
    pub fn inferences(&mut self, instance: usize, clause: usize) -> u64 {
        let _ = (instance, clause);
        0
    }

    /// The plan of a pass in words: the order of the variables, their domains, the cost.
    pub fn describe(&mut self, instance: usize, clause: usize) -> Vec<String> {
        let _ = (instance, clause);
        Vec::new()
    }
}

//! A run with all its reasons: for each step the state before it and its account.

use crate::board::Grid;

use super::sentence::Account;
use super::step::Outcome;

/// A step that can be told: the state before it, and why it follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToldStep {
    /// The state before.
    pub before: Grid,
    /// The match and its derivations.
    pub account: Account,
}

/// A run from its first state to its last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// The steps in order.
    pub steps: Vec<ToldStep>,
    /// The state at the end.
    pub end: Grid,
    /// How it ended.
    pub outcome: Outcome,
    /// Instances that were cut off: more may follow from them.
    pub cut_off: Vec<usize>,
}

impl Story {
    /// The state at the start.
    pub fn start(&self) -> &Grid {
        self.steps.first().map_or(&self.end, |step| &step.before)
    }

    /// The state after a step, counted from 0.
    pub fn after(&self, step: usize) -> &Grid {
        self.steps.get(step + 1).map_or(&self.end, |next| &next.before)
    }
}

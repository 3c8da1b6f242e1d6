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

mod bits;
mod code;
mod plan;
mod program;
mod run;
mod table;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::board::{Candidate, Cells, Digits, Grid, Layout};
use crate::language::RuleSet;
use crate::trace::{Conclusion, Match, Step};

use bits::{Middle, Narrow, Wide};
use program::Program;
use run::Wanted;

pub use plan::Purpose;

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

impl Ended {
    /// Complete only if both are.
    fn and(self, other: Ended) -> Ended {
        if self == Ended::Complete { other } else { self }
    }
}

/// The join plans of a rule set on a layout, and the state they run on. Clone it for each thread.
///
/// Plans are made when they are first wanted.
#[derive(Clone)]
pub struct Joins {
    program: AnyWidth,
    /// How much a binding counts: see `Program::weight`.
    weight: u64,
}

/// A program in the narrowest words that hold the layout.
#[derive(Clone)]
enum AnyWidth {
    Narrow(Box<Program<Narrow>>),
    Middle(Box<Program<Middle>>),
    Wide(Box<Program<Wide<10>>>),
}

macro_rules! any_width {
    ($joins:expr, $program:ident => $do:expr) => {
        match &mut $joins.program {
            AnyWidth::Narrow($program) => $do,
            AnyWidth::Middle($program) => $do,
            AnyWidth::Wide($program) => $do,
        }
    };
}

impl Joins {
    /// Joins of these rules on this layout.
    pub fn new(rules: Arc<RuleSet>, layout: Arc<Layout>) -> Joins {
        let (cells, houses) = (layout.cell_count(), layout.houses_and_groups().len());
        let program = if cells <= 128 && houses <= 64 {
            AnyWidth::Narrow(Box::new(Program::new(rules, layout)))
        } else if cells <= 256 {
            AnyWidth::Middle(Box::new(Program::new(rules, layout)))
        } else {
            AnyWidth::Wide(Box::new(Program::new(rules, layout)))
        };
        Joins { program, weight: 1 }
    }

    /// How many bindings a run of a plan may try before it is cut off.
    pub fn set_budget(&mut self, bindings: u64) {
        self.weight = any_width!(self, program => program.weight());
        any_width!(self, program => program.budget = bindings / self.weight);
    }

    /// How many bindings all runs have tried, one under `forall` as heavy as in the budget.
    pub fn spent(&self) -> u64 {
        let spent = match &self.program {
            AnyWidth::Narrow(program) => program.spent,
            AnyWidth::Middle(program) => program.spent,
            AnyWidth::Wide(program) => program.spent,
        };
        spent.saturating_mul(self.weight)
    }

    /// Whether there is a plan for a clause; if not, the naive evaluator has to do it.
    pub fn supports(&mut self, instance: usize, clause: usize, purpose: Purpose) -> bool {
        any_width!(self, program => program.supports(instance, clause, purpose))
    }

    /// Makes this the state that the plans run on.
    pub fn load(&mut self, grid: &Grid) {
        any_width!(self, program => program.load(grid));
    }

    /// Asks clauses that look at one digit at a time about these alone, as long as this state is at
    /// hand: effects, and the least conclusion.
    pub fn ask(&mut self, digits: Digits) {
        any_width!(self, program => program.ask(digits));
    }

    /// Adds what all matches of a clause change. A clause without a plan changes nothing.
    pub fn effects(&mut self, instance: usize, clause: usize, effects: &mut Effects) -> Ended {
        any_width!(self, program => program.effects(instance, clause, effects))
    }

    /// The least conclusion of a match that changes something. Where it is known to, and conclusions
    /// do nothing but take candidates away: the first of all these, with which the least begins.
    pub fn least(
        &mut self,
        instance: usize,
        clause: usize,
        first: Option<Candidate>,
    ) -> (Option<Conclusion>, Ended) {
        any_width!(self, program => program.least(instance, clause, first))
    }

    /// Every match of a clause, in canonical order, those that change nothing included.
    pub fn matches(&mut self, instance: usize, clause: usize) -> (Vec<Match>, Ended) {
        let (found, ended) =
            any_width!(self, program => program.matches(instance, clause, Wanted::All));
        let whole = |(bindings, conclusion)| Match { instance, clause, bindings, conclusion };
        (found.into_iter().map(whole).collect(), ended)
    }

    /// The least match with the step's conclusion; the state before the step must be loaded.
    pub fn witness(&mut self, step: &Step) -> Option<Match> {
        let Step { instance, clause, conclusion } = step;
        let (instance, clause) = (*instance, *clause);
        let (found, _) = any_width!(self, program => program.matches(instance, clause, Wanted::Like(conclusion)));
        let (bindings, conclusion) = found.into_iter().next()?;
        Some(Match { instance, clause, bindings, conclusion })
    }

    /// Inferences of a pass over a clause, the tables it needs included unless an earlier pass
    /// over the state loaded has paid for them.
    ///
    /// One for each body literal called (a scan opened, a test made, a definition evaluated, a
    /// node of `choose`) and one for each head produced.
    pub fn inferences(&mut self, instance: usize, clause: usize) -> u64 {
        any_width!(self, program => program.inferences(instance, clause))
    }

    /// The plan of a pass in words: the order of the variables, their domains, the cost.
    pub fn describe(&mut self, instance: usize, clause: usize) -> Vec<String> {
        any_width!(self, program => program.describe(instance, clause))
    }
}

//! The method `rules`: what `solve` does. Rules to the fixpoint, then the search of what is left.

use crate::board::Grid;
use crate::engine::{Deducer, Engine};
use crate::language::RuleSet;
use crate::trace::Outcome;

use super::last_resort::Auto;
use super::solver::{Answer, Effort, Ending, Limits, Solver};

/// Rules first. A grid that they solve has no other solution, as no rule takes one away; and one
/// that they find contradictory has none.
pub struct RulesFirst {
    /// The rules.
    pub rules: RuleSet,
}

impl Solver for RulesFirst {
    fn unit(&self) -> &'static str {
        "inferences"
    }

    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        let mut worker = Engine::new(&self.rules, grid.layout()).worker();
        worker.count_inferences(true);
        let mut grid = grid.clone();
        let report = worker.fixpoint(&mut grid);
        let inferences = report.inferences.unwrap_or(0);
        let by_rules = Effort { work: inferences, nodes: 1, tries: 1, ..Effort::default() };
        match report.outcome {
            Outcome::Solved => Answer {
                solutions: vec![grid.digits()],
                ending: Ending::Complete,
                effort: by_rules,
            },
            Outcome::Contradiction { .. } => {
                Answer { solutions: Vec::new(), ending: Ending::Complete, effort: by_rules }
            }
            Outcome::Stuck => {
                let mut answer = Auto::default().solve(&grid, limits);
                answer.effort.work += inferences;
                answer
            }
        }
    }
}

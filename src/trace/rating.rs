//! How hard a run was: the hardest rule decides the grade, all steps together the score.

use std::fmt;

use crate::language::{Instance, RuleSet};

use super::step::{Step, Trace};

/// How hard the steps of a run were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The last instance in firing order that was used, if any was.
    pub hardest: Option<usize>,
    /// The sum of the levels of all steps.
    pub score: i64,
}

/// What the level of the hardest rule is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// Singles: levels up to 11.
    Easy,
    /// A box and a line: up to 29.
    Medium,
    /// Subsets and fish: up to 47.
    Hard,
    /// Wings and patterns of one digit: up to 58.
    VeryHard,
    /// Colouring, chains, uniqueness: above.
    Extreme,
}

impl Rating {
    /// The rating of the steps of a run.
    pub fn of(rules: &RuleSet, trace: &Trace) -> Rating {
        let level = |step: &Step| i64::from(rules.instances()[step.instance].level);
        Rating {
            hardest: trace.iter().map(|step| step.instance).max(),
            score: trace.iter().map(level).sum(),
        }
    }

    /// The hardest instance.
    pub fn rule<'a>(&self, rules: &'a RuleSet) -> Option<&'a Instance> {
        self.hardest.map(|instance| &rules.instances()[instance])
    }

    /// The grade.
    pub fn grade(&self, rules: &RuleSet) -> Grade {
        match self.rule(rules).map_or(0, |instance| instance.level) {
            ..=11 => Grade::Easy,
            12..=29 => Grade::Medium,
            30..=47 => Grade::Hard,
            48..=58 => Grade::VeryHard,
            _ => Grade::Extreme,
        }
    }
}

impl Grade {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Easy => "easy",
            Grade::Medium => "medium",
            Grade::Hard => "hard",
            Grade::VeryHard => "very hard",
            Grade::Extreme => "extreme",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! How hard a run was: the hardest rule decides the grade; that, and how much of it is needed, the
//! score.

use std::fmt;

use crate::language::{Instance, RuleSet};

use super::step::Outcome;

/// How hard the steps of a run were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The last instance in firing order that was used, if any was.
    pub hardest: Option<usize>,
    /// The level of the hardest rule, a thousand times, and what it takes: its steps and the steps
    /// inside their hypotheses.
    pub score: i64,
}

/// What a level counts in a score: more than what is done on one level.
const A_LEVEL: i64 = 1_000;

/// The highest level of singles. Every cell takes one of them, so their number says nothing.
const SINGLES: i32 = 11;

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
    /// The rating of a run, by the instance of each step and how many steps there are inside its
    /// hypotheses. A puzzle that is not solved takes more than the hardest rule at hand.
    pub fn of(
        rules: &RuleSet,
        steps: impl Iterator<Item = (usize, usize)> + Clone,
        outcome: &Outcome,
    ) -> Rating {
        let level = |instance: usize| rules.instances()[instance].level;
        let hardest = steps.clone().map(|(instance, _)| instance).max();
        let top = hardest.map_or(0, level);
        let (top, effort) = match outcome {
            Outcome::Stuck => {
                let loaded = rules.instances().iter().map(|instance| instance.level).max();
                (loaded.unwrap_or(0).saturating_add(1), 0)
            }
            _ if top <= SINGLES => (top, 0),
            _ => {
                let of_top = steps.filter(|(instance, _)| level(*instance) == top);
                (top, of_top.map(|(_, inside)| 1 + inside as i64).sum())
            }
        };
        let score = i64::from(top) * A_LEVEL + effort.min(A_LEVEL - 1);
        Rating { hardest, score }
    }

    /// The hardest instance.
    pub fn rule<'a>(&self, rules: &'a RuleSet) -> Option<&'a Instance> {
        self.hardest.map(|instance| &rules.instances()[instance])
    }

    /// The grade.
    pub fn grade(&self, rules: &RuleSet) -> Grade {
        match self.rule(rules).map_or(0, |instance| instance.level) {
            ..=SINGLES => Grade::Easy,
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

//! Which of the puzzles made are kept: those that rules solve, and how. Puzzle number k of a seed
//! depends on the seed and k alone, whoever makes the others.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::{Grid, Layout};
use crate::engine::{Deducer, Engine, Options, Unfit, Worker};
use crate::language::{Instance, Rule, RuleSet};
use crate::search::nine::Enumerator;
use crate::search::{Auto, Ending, Limits, Solver};
use crate::trace::Outcome;

use super::covered::{self, Covered};
use super::puzzle::Maker;

/// What puzzles must be like beyond their clues.
#[derive(Default)]
pub struct Wanted {
    /// The rules that must solve them, unless anything goes.
    pub rules: Option<RuleSet>,
    /// The hardest rule's level, where it matters.
    pub levels: Option<RangeInclusive<i64>>,
    /// Whether the rules must not solve them.
    pub beyond_rules: bool,
    /// The rules that must not.
    not_by: Option<RuleSet>,
    /// The instances that they do not have, by name.
    required: BTreeSet<String>,
    options: Options,
    /// Puzzles looked at so far.
    tried: AtomicU64,
}

impl Wanted {
    /// Puzzles that these rules solve; every puzzle made has one solution.
    pub fn solved_by(rules: RuleSet, options: Options) -> Wanted {
        let options = Options { assume_unique: true, ..options };
        Wanted { rules: Some(rules), options, ..Wanted::default() }
    }

    /// Puzzles that they do not solve without these instances.
    pub fn requiring(self, required: impl Fn(&Rule, &Instance) -> bool) -> Wanted {
        let Some(rules) = &self.rules else { return self };
        let is_meant = |i: &&Instance| required(rules.rule(i.rule), i);
        let required = rules.instances().iter().filter(is_meant).map(|i| i.name.clone()).collect();
        let mut wanted = Wanted { required, ..self };
        let without = wanted.rules.as_ref().map(|rules| rules.keep(|_, i| !wanted.requires(i)));
        wanted.not_by = without;
        wanted
    }

    /// Whether puzzles must need an instance.
    pub fn requires(&self, instance: &Instance) -> bool {
        self.required.contains(&instance.name)
    }

    /// How many puzzles the rules have looked at so far.
    pub fn tried(&self) -> u64 {
        self.tried.load(Ordering::Relaxed)
    }

    /// Why the rule required is not run on a layout, where it is not.
    pub fn unfit(&self, layout: &Layout) -> Option<Unfit> {
        let rules = self.rules.as_ref()?;
        let required = rules.instances().iter().filter(|i| self.requires(i));
        let mut unfit = required.map(|i| Unfit::find(rules, i, layout));
        unfit.next().flatten().filter(|_| unfit.all(|other| other.is_some()))
    }

    /// A worker for some of the rules.
    pub(super) fn worker(&self, rules: &RuleSet, layout: &Arc<Layout>) -> Worker {
        let engine = Engine::with(rules, layout, self.options);
        engine.expect("the options say that there is one solution").worker()
    }

    /// Why no puzzle needs the rule required, as far as that is seen: the end of a sentence.
    pub fn why_none(&self, name: &str, layout: &Arc<Layout>, seed: u64) -> String {
        match covered::by(self, layout, seed) {
            Covered::Unknown => String::new(),
            Covered::Spared(1) => {
                format!("; a puzzle was looked at where {name} fires, and others do without it")
            }
            Covered::Spared(count) => format!(
                "; of {count} puzzles looked at where {name} fires, none needs it beside the others"
            ),
            Covered::By(names) => match &names[..] {
                [one] => format!("; the easier rule {one} leaves {name} nothing to do"),
                _ => format!("; the easier rules {} leave {name} nothing to do", names.join(", ")),
            },
        }
    }
}

/// Makes and judges puzzles, one a thread.
pub struct Judge {
    layout: Arc<Layout>,
    solver: Option<Worker>,
    lesser: Option<Worker>,
    enumerator: Enumerator,
}

impl Judge {
    /// One for puzzles of a layout.
    pub fn new(wanted: &Wanted, layout: &Arc<Layout>) -> Judge {
        let worker = |rules: &RuleSet| wanted.worker(rules, layout);
        Judge {
            layout: layout.clone(),
            solver: wanted.rules.as_ref().map(worker),
            lesser: wanted.not_by.as_ref().map(worker),
            enumerator: Enumerator::of_digits(&[0; 81]),
        }
    }

    /// The puzzle with this number, unless the attempts run out, or it is not to go on.
    pub fn make(
        &mut self,
        wanted: &Wanted,
        maker: &Maker,
        number: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Vec<u8>> {
        let Judge { layout, solver, lesser, enumerator } = self;
        let mut is_unique = |puzzle: &[u8]| match <&[u8; 81]>::try_from(puzzle) {
            Ok(digits) if layout.is_classic_nine() => {
                enumerator.start_digits(digits);
                enumerator.count_up_to(2) == 1
            }
            _ => goes_on() && has_one_solution(layout, puzzle),
        };
        let mut is_wanted = |puzzle: &[u8]| {
            let Some(solver) = solver else { return true };
            wanted.tried.fetch_add(1, Ordering::Relaxed);
            let grid = Grid::from_givens(layout.clone(), puzzle);
            let grid = grid.expect("the clues are those of a full grid");
            let report = solver.fixpoint(&mut grid.clone());
            let rules = wanted.rules.as_ref().expect("a solver has its rules");
            let used = rules.instances().iter().zip(&report.firings).filter(|(_, n)| **n > 0);
            let hardest = used.map(|(instance, _)| i64::from(instance.level)).max().unwrap_or(0);
            (report.outcome == Outcome::Solved) != wanted.beyond_rules
                && wanted.levels.as_ref().is_none_or(|levels| levels.contains(&hardest))
                && lesser.as_mut().is_none_or(|lesser| {
                    lesser.fixpoint(&mut grid.clone()).outcome != Outcome::Solved
                })
        };
        let made = maker.puzzle_while(layout, number, &mut is_unique, &mut is_wanted, goes_on);
        made.filter(|_| goes_on())
    }
}

/// For sizes other than nine; what cannot be decided within the budget counts as no.
pub(super) fn has_one_solution(layout: &Arc<Layout>, puzzle: &[u8]) -> bool {
    let Ok(grid) = Grid::from_givens(layout.clone(), puzzle) else { return false };
    let limits = Limits { solutions: 2, work: 1_000_000, seed: 0 };
    let answer = Auto::default().solve(&grid, &limits);
    answer.ending == Ending::Complete && answer.solutions.len() == 1
}

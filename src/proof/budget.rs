//! How much work there may be, so that any rule file ends: one number, in steps.
//!
//! A step is what takes about a microsecond. Everything that takes time is counted in it: bindings
//! walked through, conditions unfolded, literals written, what the solver sets and learns, states
//! that the rule is run on. It is counted and not timed, so a verdict does not depend on the
//! machine. What takes memory is limited in proportion.

use crate::language::MOST_CONDITIONS;

/// Steps of the naive evaluator that take one of these.
pub(super) const NAIVE_A_STEP: u64 = 5;
/// What it takes to see whether a puzzle has one solution: most need few guesses.
pub(super) const ENUMERATING: u64 = 500;

/// Work that may be done, and how much of it is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    whole: u64,
    left: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(Budget::USUAL)
    }
}

impl Budget {
    /// Steps for one rule with its parameter, unless told otherwise.
    pub const USUAL: u64 = 8_000_000;

    /// Literals in clauses, of which twelve million take some 300 MB.
    const LITERALS: u64 = 10_000_000;
    /// Subsets tried at one step of a walk, which all stand in memory.
    const SUBSETS: u64 = 50_000;
    /// Bindings that one helper under `not` or `forall` may have.
    const WAYS: u64 = 20_000;
    /// Questions that one clause of a recursive helper may cost before its rows are taken as they
    /// come.
    const ROW_QUESTIONS: u64 = 4_000;

    /// Bindings that one look at a state may try; a look that is cut off says less, not more.
    const BINDINGS: u64 = 60_000;
    const FEWEST_BINDINGS: u64 = 5_000;
    /// Conditions that may be made whatever the budget: those of a plain rule.
    const FEWEST_CONDITIONS: usize = 1_000;

    /// So many steps.
    pub const fn new(steps: u64) -> Budget {
        Budget { whole: steps, left: steps }
    }

    /// No end of them: for tests on single states.
    pub const fn endless() -> Budget {
        Budget::new(u64::MAX)
    }

    /// Steps that may still be taken.
    pub fn left(self) -> u64 {
        self.left
    }

    /// Whether none is left.
    pub fn is_spent(self) -> bool {
        self.left == 0
    }

    /// Takes some.
    pub fn spend(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }

    /// What is left, but no more than one part of so many of the whole.
    pub fn part(self, parts: u64) -> Budget {
        Budget { left: self.left.min(self.whole / parts), ..self }
    }

    /// What is left, but for one part of so many of the whole.
    pub fn but(self, parts: u64) -> Budget {
        Budget { left: self.left.saturating_sub(self.whole / parts), ..self }
    }

    /// Literals that all clauses may have together.
    pub fn literals(self) -> u64 {
        self.scaled(Budget::LITERALS)
    }

    /// Subsets that one step of a walk may go through.
    pub fn subsets(self) -> usize {
        self.scaled(Budget::SUBSETS) as usize
    }

    /// Bindings of one helper under `not` or `forall`.
    pub fn ways(self) -> usize {
        self.scaled(Budget::WAYS) as usize
    }

    /// Questions about one clause of a recursive helper.
    pub fn row_questions(self) -> u64 {
        self.scaled(Budget::ROW_QUESTIONS)
    }

    /// Conditions made while helpers are unfolded.
    pub fn conditions(self) -> usize {
        (self.scaled(MOST_CONDITIONS as u64) as usize).max(Budget::FEWEST_CONDITIONS)
    }

    /// Bindings that one look at a state may try.
    pub fn bindings(self) -> u64 {
        self.scaled(Budget::BINDINGS).max(Budget::FEWEST_BINDINGS)
    }

    /// What belongs to this budget where `usual` belongs to the usual one.
    fn scaled(self, usual: u64) -> u64 {
        let scaled = u128::from(usual) * u128::from(self.whole) / u128::from(Budget::USUAL);
        u64::try_from(scaled).unwrap_or(u64::MAX)
    }
}

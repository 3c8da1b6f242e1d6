//! Every way to solve a puzzle, by name.

use crate::board::Layout;
use crate::language::RuleSet;

use super::last_resort::{Auto, Enumerate, Sat};
use super::reasoner::RulesFirst;
use super::solver::Solver;
use super::sources::{
    Annealing, Backtracking, CrossEntropy, Family, FirstEnumerator, LearnedEntropy,
    SecondEnumerator, TreeSearch, Version,
};

/// A way to solve a puzzle, as the command line names it.
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// What its [`super::Effort::work`] counts, in the plural.
    pub unit: &'static str,
    /// How much work it may do unless told otherwise.
    pub budget: u64,
    /// Whether it draws random numbers, so that several tries differ.
    pub is_random: bool,
    make: fn(&RuleSet) -> Box<dyn Solver>,
}

impl Method {
    /// The solver, with the rules it may need.
    pub fn solver(&self, rules: &RuleSet) -> Box<dyn Solver> {
        (self.make)(rules)
    }

    /// Whether it knows all that a layout asks; the sources' methods know classic ones.
    pub fn suits(&self, layout: &Layout) -> bool {
        ["rules", "auto", "enumerate", "sat"].contains(&self.name) || layout.is_boxed()
    }

    /// The method with this name.
    pub fn named(name: &str) -> Option<&'static Method> {
        METHODS.iter().find(|method| method.name == name)
    }
}

/// The work of a search unless told otherwise.
pub(super) const SEARCH: u64 = 1_000_000_000;

/// The fillings of cross-entropy unless told otherwise.
const LEARNED: u64 = 2_000_000;

/// The methods, in the order in which they are raced.
pub static METHODS: [Method; 15] = [
    Method {
        name: "rules",
        about: "the rules, and `auto` for what they leave",
        unit: "inferences",
        budget: SEARCH,
        is_random: false,
        make: |rules| Box::new(RulesFirst::new(rules)),
    },
    Method {
        name: "auto",
        about: "enumerate; where the tree grows too large, sat goes on",
        unit: "guesses and conflicts",
        budget: SEARCH,
        is_random: false,
        make: |_| Box::new(Auto::default()),
    },
    Method {
        name: "enumerate",
        about: "singles and locked candidates, guesses where there are the fewest alternatives",
        unit: "guesses",
        budget: SEARCH,
        is_random: false,
        make: |_| Box::new(Enumerate),
    },
    Method {
        name: "sat",
        about: "a SAT solver; solutions in no particular order",
        unit: "conflicts",
        budget: SEARCH,
        is_random: false,
        make: |_| Box::new(Sat),
    },
    Method {
        name: "p2a",
        about: "the source's first enumerator: rules with N = 2, then fewest candidates first",
        unit: "inferences",
        budget: SEARCH,
        is_random: false,
        make: |rules| Box::new(FirstEnumerator::new(rules)),
    },
    Method {
        name: "p2b",
        about: "the source's second enumerator: over the list of empty cells, no rules",
        unit: "inferences",
        budget: SEARCH,
        is_random: false,
        make: |_| Box::new(SecondEnumerator),
    },
    Method {
        name: "tree",
        about: "a tree over the empty cells in reading order",
        unit: "cells looked at",
        budget: SEARCH,
        is_random: false,
        make: |_| Box::new(TreeSearch),
    },
    Method {
        name: "backtrack",
        about: "backtracking, version 1: cells in reading order",
        unit: "look-ups",
        budget: SEARCH,
        is_random: false,
        make: |_| Box::new(Backtracking(Version::Plain)),
    },
    Method {
        name: "sorted",
        about: "backtracking, version 2: cells with the fewest digits first, sorted once",
        unit: "look-ups",
        budget: SEARCH,
        is_random: false,
        make: |_| Box::new(Backtracking(Version::Sorted)),
    },
    Method {
        name: "memo",
        about: "backtracking, version 3: the same with a table of each house's digits",
        unit: "look-ups",
        budget: SEARCH,
        is_random: false,
        make: |_| Box::new(Backtracking(Version::Memorised)),
    },
    Method {
        name: "anneal",
        about: "simulated annealing with restarts; may find nothing",
        unit: "moves",
        budget: 400_000_000,
        is_random: true,
        make: |_| Box::new(Annealing),
    },
    Method {
        name: "entropy-sum",
        about: "cross-entropy, one parameter a cell, after the rules; may find nothing",
        unit: "fillings",
        budget: LEARNED,
        is_random: true,
        make: |rules| Box::new(LearnedEntropy::new(Family::Sum, rules)),
    },
    Method {
        name: "entropy-cell",
        about: "cross-entropy, one distribution a cell, after the rules; may find nothing",
        unit: "fillings",
        budget: LEARNED,
        is_random: true,
        make: |rules| Box::new(LearnedEntropy::new(Family::Cell, rules)),
    },
    Method {
        name: "entropy-sum-source",
        about: "as the source has it: one multinomial over the sum; rarely finds anything",
        unit: "fillings",
        budget: 100_000,
        is_random: true,
        make: |_| Box::new(CrossEntropy(Family::Sum)),
    },
    Method {
        name: "entropy-cell-source",
        about: "as the source has it: one distribution a cell; rarely finds anything",
        unit: "fillings",
        budget: 100_000,
        is_random: true,
        make: |_| Box::new(CrossEntropy(Family::Cell)),
    },
];

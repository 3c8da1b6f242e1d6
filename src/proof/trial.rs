//! Rules on trial: run on puzzles whose solution is known.
//!
//! A trial proves nothing, but a rule that takes away a digit of the solution is caught with the
//! puzzle in hand, and so is a set of rules whose end depends on the order of firing.

use crate::board::{Candidate, Cell, Digit, Grid};
use crate::engine::{Deducer, Engine, Naive};
use crate::language::RuleSet;
use crate::random::Random;
use crate::search::lost;
use crate::trace::Match;

/// A match that contradicts the solution.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    /// The match.
    pub found: Match,
    /// The state it was found on.
    pub before: Grid,
    /// The digit of the solution that it takes away.
    pub lost: Candidate,
}

/// How a run without mistakes ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Finish {
    /// The last state.
    pub end: Grid,
    /// Matches that changed something, by instance.
    pub firings: Vec<u64>,
    /// The instances that tried too much on some state, and were left out from then on.
    pub cut_off: Vec<usize>,
}

/// Runs the rules to the end, easiest first, and holds every match against the solution.
pub fn follow(rules: &RuleSet, puzzle: &Grid, solution: &[u8]) -> Result<Finish, Box<Mistake>> {
    follow_within(rules, puzzle, solution, u64::MAX)
}

/// The same; a rule may try so many bindings on a state.
pub fn follow_within(
    rules: &RuleSet,
    puzzle: &Grid,
    solution: &[u8],
    budget: u64,
) -> Result<Finish, Box<Mistake>> {
    let naive = Naive::within(rules, budget);
    let mut end = puzzle.clone();
    let mut firings = vec![0; rules.instances().len()];
    let mut cut_off = Vec::new();
    loop {
        let found = naive.easiest_but(&end, &mut cut_off);
        if found.is_empty() {
            return Ok(Finish { end, firings, cut_off });
        }
        for found in &found {
            if let Some(lost) = loss(found, &end, solution) {
                return Err(Box::new(Mistake { found: found.clone(), before: end, lost }));
            }
        }
        for found in found {
            if found.conclusion.apply(&mut end) {
                firings[found.instance] += 1;
            }
        }
    }
}

/// The first candidate of the solution that a match takes away.
fn loss(found: &Match, before: &Grid, solution: &[u8]) -> Option<Candidate> {
    let mut after = before.clone();
    found.conclusion.apply(&mut after);
    if found.conclusion.contradiction {
        let first = Candidate { cell: Cell::at(0), digit: Digit::new(usize::from(solution[0])) };
        return Some(first);
    }
    lost(&after, solution)
}

/// The order of a shuffled run that ends in another state than `end`, if one of `runs` does.
pub fn disorder(
    rules: &RuleSet,
    puzzle: &Grid,
    end: &Grid,
    runs: usize,
    random: &mut Random,
) -> Option<Vec<usize>> {
    (0..runs).find_map(|_| {
        let mut order: Vec<usize> = (0..rules.instances().len()).collect();
        random.shuffle(&mut order);
        let mut other = puzzle.clone();
        Engine::assuming_unique(&rules.in_order(&order), puzzle.layout())
            .worker()
            .fixpoint(&mut other);
        (other.planes() != end.planes()).then_some(order)
    })
}

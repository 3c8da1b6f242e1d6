//! The methods `enumerate`, `sat` and `auto`: what `solve` and `count` turn to after the rules.

use crate::board::Grid;

use super::any;
use super::nine;
use super::sat::SatEnumerator;
use super::solver::{Answer, Effort, Ending, Limits, Solver};

/// Guesses without a solution after which `auto` leaves the tree to the SAT solver. The 16×16
/// puzzles that need more take the SAT solver some 10 ms; 9×9 puzzles never get there.
const PATIENCE: u64 = 2_000;

/// A search that gives one solution after the other.
enum Search {
    Nine(Box<nine::Enumerator>),
    Any(Box<any::Enumerator>),
    Sat(Box<SatEnumerator>),
}

impl Search {
    fn tree(grid: &Grid) -> Search {
        if grid.layout().is_classic_nine() {
            Search::Nine(Box::new(nine::Enumerator::of_grid(grid).count_placements()))
        } else {
            Search::Any(Box::new(any::Enumerator::new(grid)))
        }
    }

    fn sat(grid: &Grid, conflicts: u64) -> Search {
        Search::Sat(Box::new(SatEnumerator::new(grid, conflicts)))
    }

    /// The next solution, with no more than `work` done for it.
    fn next(&mut self, work: u64) -> Result<Option<Vec<u8>>, Ending> {
        match self {
            Search::Nine(search) => {
                let next = search.next_within(work).map_err(|_| Ending::GaveUp)?;
                Ok(next.map(|digits| digits.to_vec()))
            }
            Search::Any(search) => search.next_within(work).map_err(|_| Ending::GaveUp),
            Search::Sat(search) => search.find_next(),
        }
    }

    fn effort(&self) -> Effort {
        let (work, placements, backtracks) = match self {
            Search::Nine(search) => {
                let counters = search.counters();
                (counters.guesses, counters.placements, counters.backtracks)
            }
            Search::Any(search) => (search.guesses(), search.placements(), search.backtracks()),
            Search::Sat(search) => (search.conflicts(), 0, search.conflicts()),
        };
        Effort { work, nodes: work + 1, placements, backtracks, tries: 1, conflicts: 0 }
    }

    /// Adds solutions until there are enough, or no more, or the work is done.
    fn collect(&mut self, solutions: &mut Vec<Vec<u8>>, limits: &Limits, patience: u64) -> Ending {
        while solutions.len() < limits.solutions {
            let left = limits.work.saturating_sub(self.effort().work);
            match self.next(left.min(patience)) {
                Ok(Some(solution)) => solutions.push(solution),
                Ok(None) => return Ending::Complete,
                Err(ending) => return ending,
            }
        }
        Ending::Enough
    }
}

/// The method `enumerate`: guess, conclude, take back.
pub struct Enumerate;

impl Solver for Enumerate {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        let mut search = Search::tree(grid);
        let mut solutions = Vec::new();
        let ending = search.collect(&mut solutions, limits, u64::MAX);
        Answer { solutions, ending, effort: search.effort() }
    }
}

/// The method `sat`.
pub struct Sat;

impl Solver for Sat {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        let mut search = Search::sat(grid, limits.work);
        let mut solutions = Vec::new();
        let ending = search.collect(&mut solutions, limits, u64::MAX);
        Answer { solutions, ending, effort: search.effort() }
    }
}

/// The method `auto`: enumerates; the SAT solver goes on where the tree grows too large.
#[derive(Default)]
pub struct Auto {
    took: Option<&'static str>,
}

impl Solver for Auto {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        self.took = Some("enumerate");
        let mut search = Search::tree(grid);
        let mut solutions = Vec::new();
        let patience = if grid.layout().is_classic_nine() { u64::MAX } else { PATIENCE };
        let mut ending = search.collect(&mut solutions, limits, patience);
        let mut effort = search.effort();
        if ending == Ending::GaveUp && effort.work < limits.work {
            self.took = Some("sat");
            let mut sat = SatEnumerator::new(grid, limits.work - effort.work);
            solutions.iter().for_each(|known| sat.forbid(known));
            let mut search = Search::Sat(Box::new(sat));
            ending = search.collect(&mut solutions, limits, u64::MAX);
            effort.add(&search.effort());
        }
        Answer { solutions, ending, effort }
    }
    fn took(&self) -> Option<&'static str> {
        self.took
    }
}

//! Text 003: the two enumerators of the Prolog project.
//!
//! Both count inferences as the project's own definition has them: one for a placement, one for
//! each update, one for each cell examined.

use crate::board::{Candidate, Cell, Digits, Grid};
use crate::engine::{Deducer, Engine};
use crate::language::RuleSet;
use crate::trace::Outcome;

use super::Record;
use crate::search::solver::{Answer, Ending, Limits, Solver};

/// The first enumerator: deductions, and reductions with N = 2, then enumeration with the fewest
/// candidates first at every node. Each placement looks at every cell of the grid.
pub struct FirstEnumerator {
    rules: RuleSet,
}

impl FirstEnumerator {
    /// With those of the rules that suit the treatment beforehand: N up to 2, and true of puzzles
    /// with several solutions.
    pub fn new(rules: &RuleSet) -> FirstEnumerator {
        let rules = rules.keep(|rule, instance| {
            !rule.assumes_unique && instance.parameter.is_none_or(|n| n <= 2)
        });
        FirstEnumerator { rules }
    }
}

impl Solver for FirstEnumerator {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        let mut treated = grid.clone();
        let engine = Engine::new(&self.rules, grid.layout());
        let mut worker = engine.expect("rules that assume one solution are left out").worker();
        worker.count_inferences(true);
        let report = worker.fixpoint(&mut treated);
        let mut record = Record::new(&treated, limits);
        record.effort.work = report.inferences.unwrap_or(0);
        if matches!(report.outcome, Outcome::Contradiction { .. }) {
            return Answer { solutions: vec![], ending: Ending::Complete, effort: record.effort };
        }
        let cut_short = !choose_first(&mut record, &treated);
        record.answer(cut_short)
    }
}

/// Whether everything was searched. The state is the list of all cells with their candidates, and
/// is copied at each choice, as Prolog would keep it.
fn choose_first(record: &mut Record, grid: &Grid) -> bool {
    record.effort.nodes += 1;
    record.effort.work += grid.layout().cell_count() as u64;
    let open = grid.unsolved().iter().map(|cell| (grid.candidates(cell), cell));
    let Some((digits, cell)) = open.min_by_key(|(digits, _)| digits.len()) else {
        record.numbers = grid.digits();
        record.found();
        return true;
    };
    for digit in digits {
        if record.is_over() {
            return false;
        }
        let mut next = grid.clone();
        next.place(Candidate { cell, digit });
        let updated = grid.plane(digit) & *grid.layout().peers(cell);
        record.effort.work += 1 + grid.layout().cell_count() as u64 + updated.len() as u64;
        if !choose_first(record, &next) {
            return false;
        }
    }
    true
}

/// The second enumerator: no treatment beforehand; the empty cells with their possible digits in
/// one list, so that a placement looks only at what is still empty. For each digit the rows,
/// columns and boxes where it is missing are kept too.
pub struct SecondEnumerator;

impl Solver for SecondEnumerator {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        let mut record = Record::new(grid, limits);
        let empty: Vec<(Cell, Digits)> =
            grid.unsolved().iter().map(|cell| (cell, grid.candidates(cell))).collect();
        record.effort.work += grid.layout().cell_count() as u64;
        let cut_short = !choose_empty(&mut record, &empty);
        record.answer(cut_short)
    }
}

/// Whether everything was searched.
fn choose_empty(record: &mut Record, empty: &[(Cell, Digits)]) -> bool {
    record.effort.nodes += 1;
    record.effort.work += empty.len() as u64;
    let Some(&(cell, digits)) = empty.iter().min_by_key(|(_, digits)| digits.len()) else {
        record.found();
        return true;
    };
    for digit in digits {
        if record.is_over() {
            return false;
        }
        // The digit leaves the list of incomplete houses of each house of the cell.
        record.effort.work += 1 + record.layout.houses_of(cell).len() as u64;
        record.numbers[cell.index()] = digit.number() as u8;
        let mut next = Vec::with_capacity(empty.len());
        for &(other, mut left) in empty.iter().filter(|(other, _)| *other != cell) {
            record.effort.work += 1;
            if record.layout.sees(cell, other) && left.contains(digit) {
                record.effort.work += 1;
                left.remove(digit);
            }
            next.push((other, left));
        }
        let whole = next.iter().any(|(_, left)| left.is_empty()) || choose_empty(record, &next);
        record.numbers[cell.index()] = 0;
        if !whole {
            return false;
        }
    }
    true
}

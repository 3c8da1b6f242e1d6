//! Text 002: backtracking by example, in the tutorial's three versions.

use crate::board::{Cell, Digit, Digits, Grid, Houses};

use super::Record;
use crate::search::solver::{Answer, Limits, Solver};

/// How far the tutorial has got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// Cells in reading order, houses looked through cell by cell.
    Plain,
    /// Cells with the fewest possible digits first, sorted once at the start.
    Sorted,
    /// The same, with a table of the digits of each house instead of looking through it.
    Memorised,
}

/// The tutorial's solver. It goes on after a solution if more are asked for: that is its test of
/// uniqueness.
pub struct Backtracking(pub Version);

impl Solver for Backtracking {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        let mut record = Record::new(grid, limits);
        let mut present = vec![Digits::EMPTY; grid.layout().house_count()];
        for cell in grid.placed() {
            if let Some(digit) = grid.digit_at(cell) {
                mark(&mut present, grid.layout().houses_of(cell), digit, true);
            }
        }
        let mut blanks = record.blanks();
        let mut walk = Walk { version: self.0, record: &mut record, present };
        if self.0 != Version::Plain {
            // The tutorial puts cells at the head of its list, then sorts by insertion before
            // equals: two reversals, so equal cells stay in reading order.
            blanks.sort_by_key(|&cell| walk.possible_count(cell));
        }
        let cut_short = !walk.go(&blanks);
        record.answer(cut_short)
    }
}

struct Walk<'a, 'b> {
    version: Version,
    record: &'a mut Record<'b>,
    /// The digits of each house, kept by the memorised version alone.
    present: Vec<Digits>,
}

fn mark(present: &mut [Digits], houses: Houses, digit: Digit, there: bool) {
    for house in houses {
        let digits = &mut present[house.index()];
        if there { digits.insert(digit) } else { digits.remove(digit) }
    }
}

impl Walk<'_, '_> {
    /// Whether everything was searched.
    fn go(&mut self, blanks: &[Cell]) -> bool {
        let Some((&cell, rest)) = blanks.split_first() else {
            self.record.found();
            return true;
        };
        self.record.effort.nodes += 1;
        for digit in self.record.layout.digits() {
            if !self.is_absent(cell, digit) {
                continue;
            }
            if self.record.is_over() {
                return false;
            }
            self.put(cell, digit, true);
            let whole = self.go(rest);
            self.put(cell, digit, false);
            if !whole {
                return false;
            }
        }
        true
    }

    fn put(&mut self, cell: Cell, digit: Digit, there: bool) {
        self.record.numbers[cell.index()] = if there { digit.number() as u8 } else { 0 };
        if self.version == Version::Memorised {
            mark(&mut self.present, self.record.layout.houses_of(cell), digit, there);
        }
    }

    /// Whether the digit is in none of the cell's houses.
    fn is_absent(&mut self, cell: Cell, digit: Digit) -> bool {
        let record = &mut *self.record;
        if !record.allowed[cell.index()].contains(digit) {
            return false;
        }
        let number = digit.number() as u8;
        for house in record.layout.houses_of(cell) {
            if self.version == Version::Memorised {
                record.effort.work += 1;
                if self.present[house.index()].contains(digit) {
                    return false;
                }
                continue;
            }
            for &other in record.layout.cells_in_order(house) {
                record.effort.work += 1;
                if record.numbers[other.index()] == number {
                    return false;
                }
            }
        }
        true
    }

    fn possible_count(&mut self, cell: Cell) -> usize {
        self.record.layout.digits().filter(|&digit| self.is_absent(cell, digit)).count()
    }
}

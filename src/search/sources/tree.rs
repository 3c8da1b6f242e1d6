//! Text 001: a tree over the empty cells, in reading order, that finds every solution.

use crate::board::{Cell, Digit, Grid};

use super::Record;
use crate::search::solver::{Answer, Limits, Solver};

/// One level of the tree a cell; at each node every digit that its row, column and box allow.
pub struct TreeSearch;

impl Solver for TreeSearch {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        let mut record = Record::new(grid, limits);
        let blanks = record.blanks();
        let cut_short = !grow(&mut record, &blanks, 0);
        record.answer(cut_short)
    }
}

/// Whether the whole subtree was searched.
fn grow(record: &mut Record, blanks: &[Cell], level: usize) -> bool {
    let Some(&cell) = blanks.get(level) else {
        record.found();
        return true;
    };
    record.effort.nodes += 1;
    let possible: Vec<Digit> =
        record.layout.digits().filter(|&digit| is_possible(record, cell, digit)).collect();
    for digit in possible {
        if record.is_over() {
            return false;
        }
        record.numbers[cell.index()] = digit.number() as u8;
        let whole = grow(record, blanks, level + 1);
        record.numbers[cell.index()] = 0;
        if !whole {
            return false;
        }
    }
    true
}

/// Looks through the houses of the cell, one cell after the other.
fn is_possible(record: &mut Record, cell: Cell, digit: Digit) -> bool {
    if !record.allowed[cell.index()].contains(digit) {
        return false;
    }
    let number = digit.number() as u8;
    for house in record.layout.houses_of(cell) {
        for &other in record.layout.cells_in_order(house) {
            record.effort.work += 1;
            if record.numbers[other.index()] == number {
                return false;
            }
        }
    }
    true
}

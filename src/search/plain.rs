//! Counting solutions the plain way: fewest candidates first, nothing else.
//!
//! Short enough to be right at a glance, for any layout. It judges the enumerator.

use crate::board::{Candidate, Cell, Digit, Digits, Layout};

/// Digits by number, 0 for blank, one a cell.
pub type Numbers = Vec<u8>;

/// Calls `found` with each solution of a puzzle, in order, until it answers `false`.
pub fn each_solution(layout: &Layout, puzzle: &[u8], found: &mut dyn FnMut(&[u8]) -> bool) {
    let mut search = Search { layout, numbers: puzzle.to_vec(), found };
    search.go();
}

/// How many solutions there are, but no more than `limit`.
pub fn count(layout: &Layout, puzzle: &[u8], limit: usize) -> usize {
    let mut count = 0;
    if limit > 0 {
        each_solution(layout, puzzle, &mut |_| {
            count += 1;
            count < limit
        });
    }
    count
}

struct Search<'a> {
    layout: &'a Layout,
    numbers: Numbers,
    found: &'a mut dyn FnMut(&[u8]) -> bool,
}

impl Search<'_> {
    /// Whether to go on.
    fn go(&mut self) -> bool {
        let blanks = (0..self.numbers.len()).filter(|&c| self.numbers[c] == 0).map(Cell::at);
        let choice = blanks.map(|cell| (self.possible(cell), cell)).min_by_key(|(d, _)| d.len());
        let Some((digits, cell)) = choice else {
            return (self.found)(&self.numbers);
        };
        for digit in digits {
            self.numbers[cell.index()] = digit.number() as u8;
            if !self.go() {
                return false;
            }
        }
        self.numbers[cell.index()] = 0;
        true
    }

    fn possible(&self, cell: Cell) -> Digits {
        let seen = self.layout.peers(cell).iter().map(|peer| self.numbers[peer.index()]);
        let used: Digits = seen.filter(|&n| n > 0).map(|n| Digit::new(n as usize)).collect();
        let free = |digit: &Digit| {
            let (cell, digit) = (cell, *digit);
            let excluded = self.layout.excluded(Candidate { cell, digit }).iter();
            let has = |c: Cell, d: &Digit| usize::from(self.numbers[c.index()]) == d.number();
            self.layout.open()[digit.index()].contains(cell) && { excluded }
                .all(|(d, cells)| cells.iter().all(|c| !has(c, d)))
        };
        (self.layout.all_digits() - used).iter().filter(free).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_grids_have_as_many_solutions_as_they_say() {
        let nine = Layout::classic(9).expect("9 is a classic size");
        let read = |text: &str| -> Numbers {
            text.bytes().map(|b| if b == b'.' { 0 } else { b - b'0' }).collect()
        };
        let mut escargot = read(
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
        );
        assert_eq!(count(&nine, &escargot, 10), 1);
        escargot[78] = 0;
        assert_eq!(count(&nine, &escargot, 1000), 90);
    }

    #[test]
    fn there_are_288_grids_of_four() {
        let four = Layout::classic(4).expect("4 is a classic size");
        assert_eq!(count(&four, &[0; 16], 1000), 288);
    }
}

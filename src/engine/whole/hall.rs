//! The Hall operator: N things that together have at most N partners leave them to nobody else.

use crate::board::{Digit, Houses};
use crate::engine::shape::{Hall, Incidence};

use super::Board;

/// What all tight sets that are asked for take away.
#[inline(always)]
pub(super) fn taken<B: Board>(
    board: &B,
    memo: &mut B::Memo,
    x: B::Set,
    placed: B::Set,
    hall: &Hall,
) -> B::Set {
    let suspects = board.suspects(memo, x, placed, hall);
    if suspects.is_empty() {
        return board.none();
    }
    let mut gone = board.store(board.none());
    match hall.incidence {
        Incidence::Lines { rows, columns } => {
            let planes = board.store(x);
            for digit in suspects {
                let digit = Digit::at(digit.index());
                by_lines(
                    board,
                    board.rows(&planes, digit),
                    digit,
                    hall,
                    [rows, columns],
                    &mut gone,
                );
            }
        }
        Incidence::Cells(_) | Incidence::Digits(_) => {
            let (all, open) = (board.by_cell(x), board.by_cell(x - placed));
            by_houses(board, suspects, &all, &open, hall, &mut gone);
        }
    }
    board.load(&gone) & x
}

fn by_houses<B: Board>(
    board: &B,
    houses: Houses,
    all: &B::ByCell,
    open: &B::ByCell,
    hall: &Hall,
    gone: &mut B::AtRest,
) {
    for house in houses {
        let cells = board.cells(house);
        let mut table = Table::new(cells.len());
        let mut placed_digits = 0;
        for (i, &cell) in cells.iter().enumerate() {
            table.partners[i] = board.digits(all, cell);
            let is_open = board.digits(open, cell) != 0;
            table.choice |= u32::from(is_open || hall.with_placed) << i;
            placed_digits |= if is_open { 0 } else { table.partners[i] };
        }
        let mut edges = if matches!(hall.incidence, Incidence::Digits(_)) {
            let mut by_digit = table.transposed(board.layout().size());
            by_digit.choice &= if hall.with_placed { u32::MAX } else { !placed_digits };
            by_digit.taken(hall.size).transposed(cells.len())
        } else {
            table.taken(hall.size)
        };
        for (i, &cell) in cells.iter().enumerate() {
            for digit in members(&mut edges.partners[i]) {
                board.insert(gone, cell, Digit::at(digit));
            }
        }
    }
}

fn by_lines<B: Board>(
    board: &B,
    rows: [u32; 25],
    digit: Digit,
    hall: &Hall,
    [by_rows, by_columns]: [bool; 2],
    gone: &mut B::AtRest,
) {
    let size = board.layout().size();
    let mut table = Table::new(size);
    table.partners = rows;
    table.choice = u32::MAX >> (32 - size);
    let mut edges = Table::new(size);
    if by_rows {
        edges.add(&table.taken(hall.size));
    }
    if by_columns {
        edges.add(&table.transposed(size).taken(hall.size).transposed(size));
    }
    for row in 0..size {
        for column in members(&mut edges.partners[row]) {
            board.insert(gone, board.layout().cell_at(row, column), digit);
        }
    }
}

fn members(bits: &mut u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (*bits != 0).then(|| bits.trailing_zeros() as usize);
        *bits &= bits.wrapping_sub(1);
        lowest
    })
}

/// Things and the partners of each.
#[derive(Clone)]
struct Table {
    partners: [u32; 25],
    things: usize,
    /// The things that may be chosen.
    choice: u32,
}

impl Table {
    fn new(things: usize) -> Table {
        Table { partners: [0; 25], things, choice: 0 }
    }

    /// The partners as things; all may be chosen.
    fn transposed(&self, partners: usize) -> Table {
        let mut turned = Table::new(partners);
        turned.choice = u32::MAX >> (32 - partners);
        for (i, &mask) in self.partners.iter().enumerate().take(self.things) {
            for partner in members(&mut { mask }) {
                turned.partners[partner] |= 1 << i;
            }
        }
        turned
    }

    fn add(&mut self, other: &Table) {
        for (mine, its) in self.partners.iter_mut().zip(other.partners) {
            *mine |= its;
        }
    }

    /// The partners that each thing loses to sets of `size` others with at most `size` partners.
    fn taken(&self, size: usize) -> Table {
        let mut edges = Table::new(self.things);
        self.each_tight(size, 0, 0, 0, &mut |set, union| {
            for i in (0..self.things).filter(|i| set >> i & 1 == 0) {
                edges.partners[i] |= self.partners[i] & union;
            }
        });
        edges
    }

    /// Calls `see` with the sets that go on from `set` with things from `from` on, and the
    /// partners of each.
    fn each_tight(
        &self,
        size: usize,
        from: usize,
        set: u32,
        union: u32,
        see: &mut dyn FnMut(u32, u32),
    ) {
        let have = set.count_ones() as usize;
        if have == size {
            return see(set, union);
        }
        for i in from..(self.things + have + 1).saturating_sub(size) {
            let joined = union | self.partners[i];
            if self.choice >> i & 1 == 1 && joined.count_ones() as usize <= size {
                self.each_tight(size, i + 1, set | 1 << i, joined, see);
            }
        }
    }
}

//! Which houses, and which digits by their rows and columns, have tight sets.
//!
//! With q unsolved cells in a house, n cells with n digits leave q − n digits with q − n cells: so
//! one list of tight sets of cells answers for cells and for digits, of every size. The same holds
//! for the rows and columns of a digit. It is made again only when the candidates changed; what
//! the sets take away is found by [`super::hall`].

use crate::board::simd::{ByCell, Lanes, Planes, Tight, lane};
use crate::engine::shape::{Hall, Incidence};

/// The cells of each house: rows, columns, boxes; where they stand in [`ByCell`].
const HOUSES: [[u8; 9]; 27] = {
    let mut houses = [[0; 9]; 27];
    let mut i = 0;
    while i < 81 {
        let (a, b) = (i / 9, i % 9);
        let in_box = 27 * (a / 3) + 3 * (a % 3) + 9 * (b / 3) + b % 3;
        houses[a][b] = ByCell::place(i) as u8;
        houses[9 + b][a] = ByCell::place(i) as u8;
        houses[18 + a][b] = ByCell::place(in_box) as u8;
        i += 1;
    }
    houses
};

/// For tables numbered 0 to 26: which have a tight set of each size, by things and by partners.
#[derive(Clone, Copy, Default)]
struct Sizes {
    /// Bit t of the n-th: table t has a tight set of n things.
    things: [u32; 10],
    /// Bit t of the n-th: table t has a tight set that all but n things are in.
    partners: [u32; 10],
    /// How many things of each table are not placed.
    open: [u8; 27],
    /// Bit t: table t has a set with fewer partners than things, so there is no solution and the
    /// sizes say nothing.
    over: u32,
}

impl Sizes {
    /// Forgets some tables.
    #[inline(always)]
    fn forget(&mut self, tables: u32) {
        for size in 0..10 {
            self.things[size] &= !tables;
            self.partners[size] &= !tables;
        }
        self.over &= !tables;
    }

    /// Takes in a table: the partners of its first `open` things.
    #[inline(always)]
    fn set<L: Lanes>(&mut self, table: usize, masks: &[u16; 9], open: usize) {
        self.open[table] = open as u8;
        if open < 2 {
            return;
        }
        let tight: Tight = L::tight(masks, open);
        if tight.over {
            self.over |= 1 << table;
            return;
        }
        for (high, &word) in tight.sets.iter().enumerate() {
            let mut sets = word;
            while sets != 0 {
                let size = (sets.trailing_zeros().count_ones() + high.count_ones()) as usize;
                self.things[size] |= 1 << table;
                self.partners[open - size] |= 1 << table;
                sets &= sets - 1;
            }
        }
    }

    /// The tables with a tight set of `size` things, or partners; placed things are tight too and
    /// may make up the number.
    #[inline(always)]
    fn tables(&self, by_partners: bool, hall: &Hall) -> u32 {
        let by_size = if by_partners { &self.partners } else { &self.things };
        if !hall.with_placed {
            return by_size[hall.size] | self.over;
        }
        let mut tables = self.over;
        for (size, &some) in by_size.iter().enumerate().take(hall.size + 1).skip(1) {
            let mut some = some;
            while some != 0 {
                let table = some.trailing_zeros() as usize;
                tables |= u32::from(self.takes(table, size, hall)) << table;
                some &= some - 1;
            }
        }
        tables
    }

    /// Whether a tight set of this size in a table is meant.
    #[inline(always)]
    fn takes(&self, table: usize, size: usize, hall: &Hall) -> bool {
        let placed = if hall.with_placed { 9 - usize::from(self.open[table]) } else { 0 };
        size >= 1 && size <= hall.size && hall.size - size <= placed
    }
}

/// The tables of one board.
#[derive(Clone)]
pub struct Memo {
    /// The board when the houses' tables were made: candidates, and those of placed cells.
    seen: Planes,
    seen_placed: Planes,
    /// Candidates of the cells not placed.
    cells: ByCell,
    houses: Sizes,
    /// The board when the digits' tables were made.
    seen_lines: Planes,
    lines: Sizes,
}

/// All bits differ from any board: nothing is up to date.
const UNSEEN: Planes = Planes([u32::MAX; 32]);

impl Default for Memo {
    fn default() -> Memo {
        Memo {
            seen: UNSEEN,
            seen_placed: UNSEEN,
            cells: ByCell::EMPTY,
            houses: Sizes::default(),
            seen_lines: UNSEEN,
            lines: Sizes::default(),
        }
    }
}

impl Memo {
    /// Another board begins.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.seen = UNSEEN;
        self.seen_placed = UNSEEN;
        self.seen_lines = UNSEEN;
    }

    /// The houses, or digits, that may have a tight set that is asked for and takes something
    /// away; what is placed has left its houses.
    #[inline(always)]
    pub fn suspects<L: Lanes>(&mut self, x: L, placed: L, hall: &Hall) -> u32 {
        match hall.incidence {
            Incidence::Cells(houses) => {
                self.refresh_houses(x, placed);
                self.houses.tables(false, hall) & houses.words()[0] as u32
            }
            Incidence::Digits(houses) => {
                self.refresh_houses(x, placed);
                self.houses.tables(true, hall) & houses.words()[0] as u32
            }
            Incidence::Lines { rows, columns } => {
                self.refresh_lines(x, placed);
                let by_rows = if rows { self.lines.tables(false, hall) } else { 0 };
                let by_columns = if columns { self.lines.tables(true, hall) } else { 0 };
                by_rows | by_columns
            }
        }
    }

    /// Makes the tables of the houses whose cells changed.
    #[inline(always)]
    fn refresh_houses<L: Lanes>(&mut self, x: L, placed: L) {
        let changed = (x ^ L::load(&self.seen)) | (placed ^ L::load(&self.seen_placed));
        if changed.is_empty() {
            return;
        }
        let mut dirty = houses_of(changed.any_digit().bands());
        x.store(&mut self.seen);
        placed.store(&mut self.seen_placed);
        self.cells = (x - placed).by_cell();
        self.houses.forget(dirty);
        while dirty != 0 {
            let house = dirty.trailing_zeros() as usize;
            dirty &= dirty - 1;
            let (masks, open) = self.open_cells(house);
            self.houses.set::<L>(house, &masks, open);
        }
    }

    /// The candidates of a house's unsolved cells, and how many these are.
    #[inline(always)]
    fn open_cells(&self, house: usize) -> ([u16; 9], usize) {
        let (mut masks, mut open) = ([0; 9], 0);
        for &place in &HOUSES[house] {
            let mask = self.cells.0[place as usize];
            masks[open] = mask;
            open += usize::from(mask != 0);
        }
        (masks, open)
    }

    /// Makes the tables of the digits whose candidates changed.
    #[inline(always)]
    fn refresh_lines<L: Lanes>(&mut self, x: L, placed: L) {
        let mut open = Planes::EMPTY;
        (x - placed).store(&mut open);
        for digit in 0..9 {
            let at = [lane(digit, 0), lane(digit, 1), lane(digit, 2)];
            if at.iter().any(|&i| open.0[i] != self.seen_lines.0[i]) {
                self.lines.forget(1 << digit);
                let (masks, count) = open_rows(&open, digit);
                self.lines.set::<L>(digit, &masks, count);
            }
        }
        self.seen_lines = open;
    }
}

/// The columns of a digit's candidates in each row where it is not placed, and how many rows.
#[inline(always)]
fn open_rows(open: &Planes, digit: usize) -> ([u16; 9], usize) {
    let (mut masks, mut count) = ([0; 9], 0);
    for row in 0..9 {
        let mask = (open.0[lane(digit, row / 3)] >> (9 * (row % 3))) as u16 & 511;
        masks[count] = mask;
        count += usize::from(mask != 0);
    }
    (masks, count)
}

/// The houses of some cells: rows, columns, boxes.
#[inline(always)]
fn houses_of(bands: [u32; 3]) -> u32 {
    let (mut rows, mut columns, mut boxes) = (0, 0, 0);
    for (band, &cells) in bands.iter().enumerate() {
        let mut any = 0;
        for row in 0..3 {
            let part = cells >> (9 * row) & 511;
            any |= part;
            rows |= u32::from(part != 0) << (3 * band + row);
        }
        columns |= any;
        for i in 0..3 {
            boxes |= u32::from(any >> (3 * i) & 7 != 0) << (3 * band + i);
        }
    }
    rows | columns << 9 | boxes << 18
}

//! Tight sets of cells and digits, house by house, and of rows and columns, digit by digit.
//!
//! With q unsolved cells in a house, n cells with n digits leave q − n digits with q − n cells: so
//! one list of tight sets of cells answers for cells and for digits, of every size. The same holds
//! for the rows and columns of a digit. A table is made again only when its candidates changed.

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
}

impl Sizes {
    /// Takes in a table with `open` things.
    #[inline(always)]
    fn set(&mut self, table: usize, open: usize, tight: &Tight) {
        self.open[table] = open as u8;
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
            return by_size[hall.size];
        }
        let mut tables = 0;
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

    /// What all tight sets that are asked for take away: how many sets, and the candidates.
    ///
    /// Nothing if some set has fewer partners than things: then there is no solution.
    #[inline(always)]
    pub fn tight<L: Lanes>(&mut self, x: L, placed: L, hall: &Hall) -> Option<(u64, L)> {
        let (tables, by_partners) = match hall.incidence {
            Incidence::Cells(houses) => {
                self.refresh_houses(x, placed)?;
                (self.houses.tables(false, hall) & houses.words()[0] as u32, [true, false])
            }
            Incidence::Digits(houses) => {
                self.refresh_houses(x, placed)?;
                (self.houses.tables(true, hall) & houses.words()[0] as u32, [false, true])
            }
            Incidence::Lines { rows, columns } => {
                self.refresh_lines(x, placed)?;
                let rows_tables = if rows { self.lines.tables(false, hall) } else { 0 };
                let column_tables = if columns { self.lines.tables(true, hall) } else { 0 };
                (rows_tables | column_tables, [rows, columns])
            }
        };
        if tables == 0 {
            return Some((0, L::splat(0)));
        }
        let mut gone = Planes::EMPTY;
        let count = match hall.incidence {
            Incidence::Lines { .. } => self.fire_lines::<L>(tables, by_partners, hall, &mut gone),
            _ => self.fire_houses::<L>(tables, by_partners, hall, &mut gone),
        };
        Some((count, L::load(&gone) & x))
    }

    /// Makes the tables of the houses whose cells changed.
    #[inline(always)]
    fn refresh_houses<L: Lanes>(&mut self, x: L, placed: L) -> Option<()> {
        let changed = (x ^ L::load(&self.seen)) | (placed ^ L::load(&self.seen_placed));
        if changed.is_empty() {
            return Some(());
        }
        let mut dirty = houses_of(changed.any_digit().bands());
        x.store(&mut self.seen);
        placed.store(&mut self.seen_placed);
        self.cells = (x - placed).by_cell();
        for size in 0..10 {
            self.houses.things[size] &= !dirty;
            self.houses.partners[size] &= !dirty;
        }
        while dirty != 0 {
            let house = dirty.trailing_zeros() as usize;
            dirty &= dirty - 1;
            let (masks, _, open) = self.open_cells(house);
            self.houses.open[house] = open as u8;
            if open >= 2 {
                let tight = L::tight(&masks, open);
                if tight.over {
                    return None;
                }
                self.houses.set(house, open, &tight);
            }
        }
        Some(())
    }

    /// The candidates of a house's unsolved cells, where these cells stand, and how many.
    #[inline(always)]
    fn open_cells(&self, house: usize) -> ([u16; 9], [u8; 9], usize) {
        let (mut masks, mut places, mut open) = ([0; 9], [0; 9], 0);
        for &place in &HOUSES[house] {
            let mask = self.cells.0[place as usize];
            (masks[open], places[open]) = (mask, place);
            open += usize::from(mask != 0);
        }
        (masks, places, open)
    }

    #[inline(always)]
    fn fire_houses<L: Lanes>(
        &self,
        mut tables: u32,
        by: [bool; 2],
        hall: &Hall,
        gone: &mut Planes,
    ) -> u64 {
        let mut count = 0;
        while tables != 0 {
            let house = tables.trailing_zeros() as usize;
            tables &= tables - 1;
            let (masks, places, open) = self.open_cells(house);
            for set in members(&L::tight(&masks, open)) {
                let size = set.count_ones() as usize;
                let things = by[0] && self.houses.takes(house, size, hall);
                if !(things || by[1] && self.houses.takes(house, open - size, hall)) {
                    continue;
                }
                count += 1;
                let inside = (0..open).filter(|i| set >> i & 1 == 1);
                let union = inside.fold(0, |union, i| union | masks[i]);
                for i in (0..open).filter(|i| set >> i & 1 == 0) {
                    let (band, cell) = (usize::from(places[i]) / 32, places[i] % 32);
                    let mut digits = masks[i] & union;
                    while digits != 0 {
                        let digit = digits.trailing_zeros() as usize;
                        gone.0[lane(digit, band)] |= 1 << cell;
                        digits &= digits - 1;
                    }
                }
            }
        }
        count
    }

    /// Makes the tables of the digits whose candidates changed.
    #[inline(always)]
    fn refresh_lines<L: Lanes>(&mut self, x: L, placed: L) -> Option<()> {
        let mut open = Planes::EMPTY;
        (x - placed).store(&mut open);
        for digit in 0..9 {
            let at = [lane(digit, 0), lane(digit, 1), lane(digit, 2)];
            if at.iter().all(|&i| open.0[i] == self.seen_lines.0[i]) {
                continue;
            }
            for size in 0..10 {
                self.lines.things[size] &= !(1 << digit);
                self.lines.partners[size] &= !(1 << digit);
            }
            let (masks, _, count) = open_rows(&open, digit);
            self.lines.open[digit] = count as u8;
            if count >= 2 {
                let tight = L::tight(&masks, count);
                if tight.over {
                    return None;
                }
                self.lines.set(digit, count, &tight);
            }
        }
        self.seen_lines = open;
        Some(())
    }

    #[inline(always)]
    fn fire_lines<L: Lanes>(
        &self,
        mut tables: u32,
        by: [bool; 2],
        hall: &Hall,
        gone: &mut Planes,
    ) -> u64 {
        let mut count = 0;
        while tables != 0 {
            let digit = tables.trailing_zeros() as usize;
            tables &= tables - 1;
            let (masks, rows, open) = open_rows(&self.seen_lines, digit);
            for set in members(&L::tight(&masks, open)) {
                let size = set.count_ones() as usize;
                let things = by[0] && self.lines.takes(digit, size, hall);
                if !(things || by[1] && self.lines.takes(digit, open - size, hall)) {
                    continue;
                }
                count += 1;
                let inside = (0..open).filter(|i| set >> i & 1 == 1);
                let union = inside.fold(0, |union, i| union | masks[i]);
                for i in (0..open).filter(|i| set >> i & 1 == 0) {
                    let (band, row) = (usize::from(rows[i]) / 3, rows[i] % 3);
                    gone.0[lane(digit, band)] |= u32::from(masks[i] & union) << (9 * row);
                }
            }
        }
        count
    }
}

/// The columns of a digit's candidates in each row where it is not placed, those rows, how many.
#[inline(always)]
fn open_rows(open: &Planes, digit: usize) -> ([u16; 9], [u8; 9], usize) {
    let (mut masks, mut rows, mut count) = ([0; 9], [0; 9], 0);
    for row in 0..9 {
        let mask = (open.0[lane(digit, row / 3)] >> (9 * (row % 3))) as u16 & 511;
        (masks[count], rows[count]) = (mask, row as u8);
        count += usize::from(mask != 0);
    }
    (masks, rows, count)
}

/// The sets of a table, as bits.
fn members(tight: &Tight) -> impl Iterator<Item = usize> + use<> {
    let sets = tight.sets;
    (0..512).filter(move |s| sets[s / 64] >> (s % 64) & 1 == 1)
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

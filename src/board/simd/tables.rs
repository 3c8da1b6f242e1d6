//! The same candidates cell by cell, and sets of cells with few digits: plain versions, for any
//! machine. The vector versions in `x86_tables.rs` give the same answers.

use super::{Planes, lane};

/// The digits of each cell as nine bits: cell `c` of band `b` at `32 * b + c`, the rest is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct ByCell(pub [u16; 96]);

impl ByCell {
    /// No digits anywhere.
    pub const EMPTY: ByCell = ByCell([0; 96]);

    /// Where the digits of a cell stand, counting all 81 cells from 0.
    #[inline(always)]
    pub const fn place(cell: usize) -> usize {
        32 * (cell / 27) + cell % 27
    }
}

/// Sets of masks that have as many bits as masks, for up to nine masks of nine bits.
///
/// Bit `s` of `sets` stands for the set of the masks whose bits are in `s`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tight {
    /// Sets with exactly as many bits as members, some of these bits in other masks too.
    pub sets: [u64; 8],
    /// Whether some set has fewer bits than members: then there is no solution.
    pub over: bool,
}

impl Tight {
    /// No sets.
    pub const NONE: Tight = Tight { sets: [0; 8], over: false };
}

/// The candidates of each cell.
pub(super) fn by_cell(planes: &Planes) -> ByCell {
    let mut cells = ByCell::EMPTY;
    for (digit, band) in (0..27).map(|i| (i / 3, i % 3)) {
        let mut bits = planes.0[lane(digit, band)];
        while bits != 0 {
            cells.0[32 * band + bits.trailing_zeros() as usize] |= 1 << digit;
            bits &= bits - 1;
        }
    }
    cells
}

/// The cells of each number from 1 to 9.
pub(super) fn from_numbers(numbers: &[u8; 81]) -> Planes {
    let mut planes = Planes::EMPTY;
    for (cell, &number) in numbers.iter().enumerate() {
        if (1..=9).contains(&number) {
            planes.0[lane(number as usize - 1, cell / 27)] |= 1 << (cell % 27);
        }
    }
    planes
}

/// The number of each cell's highest candidate, 0 where there is none.
pub(super) fn to_numbers(planes: &Planes, numbers: &mut [u8; 81]) {
    *numbers = [0; 81];
    for (digit, band) in (0..27).map(|i| (i / 3, i % 3)) {
        let mut bits = planes.0[lane(digit, band)];
        while bits != 0 {
            numbers[27 * band + bits.trailing_zeros() as usize] = digit as u8 + 1;
            bits &= bits - 1;
        }
    }
}

/// The tight sets of `count` masks: all unions, by doubling.
pub(super) fn tight(masks: &[u16; 9], count: usize) -> Tight {
    let mut found = Tight::NONE;
    let (mut union, mut rest) = ([0u16; 512], [0u16; 512]);
    for (i, &mask) in masks.iter().enumerate().take(count) {
        for s in 0..1 << i {
            (union[s | 1 << i], rest[s | 1 << i]) = (union[s] | mask, rest[s]);
            rest[s] |= mask;
        }
    }
    for s in 1..1usize << count {
        let (bits, members) = (union[s].count_ones(), s.count_ones());
        found.over |= bits < members;
        if bits == members && union[s] & rest[s] != 0 {
            found.sets[s / 64] |= 1 << (s % 64);
        }
    }
    found
}

//! Where the variables of a body have their values, and what expressions may look at.

use std::cell::Cell;

use super::super::bits::{Bits, Width};
use super::super::table::Tables;
use super::super::view::{Statics, View};

/// How many scalar variables a body may have. A power of two above the number of variables that
/// bodies are limited to, so that a slot is found without a check.
pub(in crate::engine::join) const SLOTS: usize = 32;
/// How many sets of cells, and sets of digits or houses; a clause with more has no plan. They are
/// kept small as a frame is copied with its program; a power of two, too.
pub(in crate::engine::join) const REGISTERS: usize = 16;
/// How many scans of rows a body may have.
pub(in crate::engine::join) const SCANS: usize = 6;

/// The variables bound so far. A number has a place of its own beside each slot. A slot can be set
/// through a shared reference, so that `forall` can go through its set in the middle of a term.
#[derive(Clone)]
pub(in crate::engine::join) struct Frame<W: Width> {
    pub slots: [Cell<u32>; SLOTS],
    pub numbers: [i64; SLOTS],
    pub cells: [W::Cells; REGISTERS],
    pub small: [W::Small; REGISTERS],
    /// The numbers of those sets that came from rows.
    pub cells_numbers: [u16; REGISTERS],
    pub small_numbers: [u16; REGISTERS],
}

/// The values that variables have not taken yet: of cells and of digits and houses by slot, of
/// orientations by the register of their lines.
#[derive(Clone)]
pub(in crate::engine::join) struct Left<W: Width> {
    pub cells: [W::Cells; SLOTS],
    pub small: [W::Small; SLOTS],
    pub across: [bool; REGISTERS],
    /// Which run this is.
    pub run: u64,
    /// By scan: the rows that are left.
    pub rows: [RowsLeft<W>; SCANS],
}

/// The rows of a scan that passed its sieves and were not taken yet: as bits, from row `64 * from`
/// on, those of the first words taken already.
#[derive(Clone)]
pub(in crate::engine::join) struct RowsLeft<W: Width> {
    pub from: usize,
    pub word: usize,
    pub bits: Vec<u64>,
    /// For ends of a chain: what was sieved, by a number made of what by, and what is to be sieved by.
    pub sieved: Vec<Sieved<W>>,
    pub by: Sieves<W>,
    /// For ends of a chain: those that passed, as bits by end.
    pub ends: Vec<u64>,
}

/// What to sieve by: what must not be met and what must be held, sieve by sieve.
#[derive(Clone)]
pub(in crate::engine::join) struct Sieves<W: Width> {
    pub group: usize,
    pub cells: Vec<(W::Cells, W::Cells)>,
    pub small: Vec<(W::Small, W::Small)>,
}

/// The rows of a group that passed sieves, in one run.
#[derive(Clone)]
pub(in crate::engine::join) struct Sieved<W: Width> {
    pub run: u64,
    pub by: Sieves<W>,
    pub rows: Vec<u64>,
}

impl<W: Width> Sieves<W> {
    fn new() -> Self {
        Sieves { group: 0, cells: Vec::new(), small: Vec::new() }
    }

    #[inline]
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.group == other.group && self.cells == other.cells && self.small == other.small
    }

    /// Becomes the same as another.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.group = other.group;
        self.cells.clone_from(&other.cells);
        self.small.clone_from(&other.small);
    }
}

impl<W: Width> Sieved<W> {
    pub(crate) fn new() -> Self {
        Sieved { run: 0, by: Sieves::new(), rows: Vec::new() }
    }
}

impl<W: Width> RowsLeft<W> {
    fn new() -> Self {
        RowsLeft {
            from: 0,
            word: 0,
            bits: Vec::new(),
            sieved: Vec::new(),
            by: Sieves::new(),
            ends: Vec::new(),
        }
    }
}

impl<W: Width> RowsLeft<W> {
    /// All rows from one on, before another; how many words they are in.
    #[inline(always)]
    pub(crate) fn open(&mut self, first: usize, end: usize) -> usize {
        (self.from, self.word) = (first / 64, 0);
        let words = end.div_ceil(64) - self.from;
        self.bits.clear();
        self.bits.resize(words, !0);
        self.bits[0] &= !0 << (first % 64);
        self.bits[words - 1] &= !0 >> (64 * (self.from + words) - end);
        words
    }
}

/// The variables' values, taken and left, kept from one run to the next.
#[derive(Clone)]
pub(in crate::engine::join) struct Memory<W: Width> {
    pub frame: Frame<W>,
    pub left: Left<W>,
}

impl<W: Width> Memory<W> {
    pub(crate) fn new() -> Self {
        Memory {
            frame: Frame {
                slots: [const { Cell::new(0) }; SLOTS],
                numbers: [0; SLOTS],
                cells: [W::Cells::EMPTY; REGISTERS],
                small: [W::Small::EMPTY; REGISTERS],
                cells_numbers: [0; REGISTERS],
                small_numbers: [0; REGISTERS],
            },
            left: Left {
                cells: [W::Cells::EMPTY; SLOTS],
                small: [W::Small::EMPTY; SLOTS],
                across: [false; REGISTERS],
                run: 0,
                rows: std::array::from_fn(|_| RowsLeft::new()),
            },
        }
    }
}

/// Everything an expression may look at.
#[derive(Clone, Copy)]
pub(in crate::engine::join) struct Scene<'a, W: Width> {
    pub statics: &'a Statics<W>,
    pub view: &'a View<W>,
    pub tables: &'a Tables<W>,
}

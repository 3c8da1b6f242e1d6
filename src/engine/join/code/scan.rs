//! Going through the rows of a table that has sets in it.

use crate::language::Comparison;

use super::super::bits::{Bits, Width};
use super::super::table::Numbers;
use super::{CellsSet, Frame, REGISTERS, SLOTS, Scalar, Scene, SmallSet, Sort};

/// A column of a row: what it must be, or what it comes to.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) enum RowTerm {
    Scalar(Scalar),
    /// The set in a register, which came from a row itself, so that its number is known.
    CellsNumber(u8),
    SmallNumber(u8),
    Cells(CellsSet),
    Small(SmallSet),
}

/// Where a column of a row goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::engine::join) enum Goes {
    Slot(u8),
    Cells(u8),
    Small(u8),
}

/// What the set of a column must not meet, or what must be within it.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) struct Sieve<S> {
    /// Which of the open columns.
    pub place: u8,
    pub outside: Vec<S>,
    pub inside: Vec<S>,
}

impl<S: Sort> Sieve<S> {
    /// All that the set must not meet, and all that must be within it.
    pub(crate) fn values<W: Width>(
        &self,
        scene: &Scene<W>,
        frame: &Frame<W>,
    ) -> (S::Bits<W>, S::Bits<W>) {
        let union = |sets: &[S]| {
            sets.iter().fold(S::Bits::<W>::EMPTY, |all, set| all.or(set.value(scene, frame)))
        };
        (union(&self.outside), union(&self.inside))
    }
}

/// That the spots of a digit in the set of a column all see each of some cells. Whose spots see a
/// cell is kept.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) struct Seen {
    /// Which of the open columns.
    pub place: u8,
    pub digit: Scalar,
    pub by: CellsSet,
}

/// How an open column, by its value or the number of its set, compares with a variable that is bound.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::engine::join) struct Compared {
    pub place: u8,
    pub comparison: Comparison,
    pub with: Goes,
}

/// Bind the open columns to each row of a key.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) struct Scan {
    /// Which scan of the plan, and the rows.
    pub number: u8,
    pub rows: u16,
    pub key: Vec<RowTerm>,
    /// Where the open columns go.
    pub open: Vec<Goes>,
    /// Pairs of open columns that must be the same, or must not be.
    pub same: Vec<(u8, u8)>,
    pub unlike: Vec<(u8, u8)>,
    pub compared: Vec<Compared>,
    pub seen: Vec<Seen>,
    pub cells: Vec<Sieve<CellsSet>>,
    pub small: Vec<Sieve<SmallSet>>,
    pub reached: Option<Reached>,
    /// For the beginnings of a chain: the ends that are gone through next.
    pub ends: Option<Box<Ends>>,
}

/// Ends of a chain that are the same whatever its beginning, but for which it reaches.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) struct Ends {
    pub scan: Scan,
    /// Which open column of the beginnings tells their rows of bits, and the table of the ends.
    pub place: u8,
    pub table: u16,
}

/// Only ends of a chain that one beginning reaches: the ends, and the slot that tells which
/// beginning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::engine::join) struct Reached {
    pub ends: u16,
    pub slot: u8,
}

impl Reached {
    /// The ends that are reached, as bits.
    #[inline]
    pub(crate) fn row<'s, W: Width>(self, scene: &Scene<'s, W>, frame: &Frame<W>) -> &'s [u64] {
        let beginning = frame.slots[self.slot as usize % SLOTS].get() as usize;
        scene.tables.reach(self.ends as usize).row(beginning)
    }
}

/// The key that some columns make; nothing if a set has no number, so is in no table.
#[inline]
pub(in crate::engine::join) fn key<W: Width>(
    terms: &[RowTerm],
    scene: &Scene<W>,
    frame: &Frame<W>,
) -> Option<u128> {
    let numbers = &scene.tables.numbers;
    let mut key = 0;
    for term in terms {
        let part = match term {
            RowTerm::Scalar(scalar) => scalar.value(scene, frame) as u16,
            RowTerm::CellsNumber(register) => frame.cells_numbers[*register as usize],
            RowTerm::SmallNumber(register) => frame.small_numbers[*register as usize],
            RowTerm::Cells(set) => numbers.cells.find(set.value(scene, frame))?,
            RowTerm::Small(set) => numbers.small.find(set.value(scene, frame))?,
        };
        key = key << 16 | u128::from(part);
    }
    Some(key)
}

impl Goes {
    /// Puts a value, or a set by its number, where it goes.
    #[inline(always)]
    pub(crate) fn put_number<W: Width>(
        self,
        value: u16,
        numbers: &Numbers<W>,
        frame: &mut Frame<W>,
    ) {
        match self {
            Goes::Slot(slot) => frame.slots[slot as usize % SLOTS].set(u32::from(value)),
            Goes::Cells(register) => {
                let register = register as usize % REGISTERS;
                frame.cells[register] = numbers.cells.sets[value as usize];
                frame.cells_numbers[register] = value;
            }
            Goes::Small(register) => {
                let register = register as usize % REGISTERS;
                frame.small[register] = numbers.small.sets[value as usize];
                frame.small_numbers[register] = value;
            }
        }
    }

    /// The value or number there.
    #[inline(always)]
    pub(crate) fn number<W: Width>(self, frame: &Frame<W>) -> u16 {
        match self {
            Goes::Slot(slot) => frame.slots[slot as usize].get() as u16,
            Goes::Cells(register) => frame.cells_numbers[register as usize],
            Goes::Small(register) => frame.small_numbers[register as usize],
        }
    }
}

//! Plane programs and the Hall operator: rules as a few operations on the whole board.
//!
//! What such a rule means is written once, over [`Board`]; two boards exist, and any other that
//! has these operations will do:
//!
//! ```text
//!             questions   which candidates are alone, which are locked out
//! meaning     hall        N things with at most N partners, and what they take away
//!             run         placing, eliminating, and the fixpoint
//!             trials      a fixpoint for each of many hypotheses
//!           ─────────────────────────────────────────────────────────────
//!             lanes       the 9×9 board in vector registers
//! boards       └ memo     which of its houses have tight sets, kept until they change
//!             bits        bit sets, for any houses
//! ```

mod bits;
mod hall;
mod held;
mod lanes;
mod memo;
mod questions;
mod run;
mod trials;

use std::ops::{BitAnd, BitOr, Sub};

use crate::board::{Cell, Digit, House, Houses, Layout};

use super::shape::{Hall, Kinds, Pair};

pub use held::{Task, WholeBoard};
pub use run::{Passes, Purpose, Record, Recorded, Stop};
pub use trials::{Reached, Trials};

/// Sets of candidates, and what holds of the houses they stand in. A candidate of one digit has
/// nothing to do with those of others, but for the operations on cells.
///
/// A *segment* is where a box and a line of one direction meet.
pub trait Board {
    /// A set of candidates.
    type Set: Copy
        + BitAnd<Output = Self::Set>
        + BitOr<Output = Self::Set>
        + Sub<Output = Self::Set>;
    /// A set of segments, digit by digit.
    type Segments: Copy + BitAnd<Output = Self::Segments> + BitOr<Output = Self::Segments>;
    /// A set of candidates in memory, where single ones can be added.
    type AtRest: Clone + PartialEq;
    /// The digits of each cell.
    type ByCell;
    /// What is remembered from one question for tight sets to the next.
    type Memo;

    /// Its houses.
    fn layout(&self) -> &Layout;
    /// From memory.
    fn load(&self, planes: &Self::AtRest) -> Self::Set;
    /// To memory.
    fn store(&self, set: Self::Set) -> Self::AtRest;
    /// No candidates.
    fn none(&self) -> Self::Set;
    /// Every digit in every cell.
    fn all(&self) -> Self::Set;
    /// Whether there are none.
    fn is_empty(&self, set: Self::Set) -> bool;

    /// Every digit of the cells of these.
    fn same_cell(&self, set: Self::Set) -> Self::Set;
    /// The same digit in the cells that see these, and what else they exclude; themselves too.
    fn same_house(&self, set: Self::Set) -> Self::Set;
    /// Those alone in their cell.
    fn alone_in_cell(&self, set: Self::Set) -> Self::Set;
    /// Those alone of their digit in a house of these kinds.
    fn alone_in_house(&self, set: Self::Set, kinds: Kinds) -> Self::Set;
    /// Those with another in their cell, or of their digit in a cell they see, or excluded by one.
    fn crowded(&self, set: Self::Set) -> Self::Set;
    /// Whether every cell has one, and every house one of each digit.
    fn is_everywhere(&self, set: Self::Set) -> bool;
    /// Those of the pairs that apply.
    fn by_pairs(&self, set: Self::Set, pairs: &[Pair]) -> Self::Set;

    /// The segments with one of these.
    fn segments(&self, set: Self::Set, line: Line) -> Self::Segments;
    /// The segments that are the only one of their box or line.
    fn only(&self, segments: Self::Segments, of: Whole, line: Line) -> Self::Segments;
    /// The segments in a box or on a line with another one that is in the set.
    fn beside(&self, segments: Self::Segments, of: Whole, line: Line) -> Self::Segments;
    /// The digit in all cells of its segments.
    fn fill(&self, segments: Self::Segments, line: Line) -> Self::Set;

    /// The houses, or for lines the digits as houses of that number, that may have an effective
    /// tight set; what is placed has left its houses.
    fn suspects(
        &self,
        memo: &mut Self::Memo,
        set: Self::Set,
        placed: Self::Set,
        hall: &Hall,
    ) -> Houses;
    /// The digits of each cell.
    fn by_cell(&self, set: Self::Set) -> Self::ByCell;
    /// The digits of a cell, a bit each.
    fn digits(&self, cells: &Self::ByCell, cell: Cell) -> u32;
    /// The columns of a digit's candidates in each row, a bit each.
    fn rows(&self, planes: &Self::AtRest, digit: Digit) -> [u32; 25];
    /// Adds a candidate.
    fn insert(&self, planes: &mut Self::AtRest, cell: Cell, digit: Digit);

    /// The cells of a house in order.
    fn cells(&self, house: House) -> &[Cell] {
        self.layout().cells_in_order(house)
    }
}

/// The direction of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// Rows.
    Row,
    /// Columns.
    Column,
}

/// What segments are parts of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whole {
    /// A box.
    Box,
    /// A line.
    Line,
}

#[cfg(test)]
mod tests;

//! What a truth is, and what sets and numbers are made of.

use std::fmt::Debug;

use crate::board::{Candidate, Cell, Cells, Digit, House, HouseKind, Houses, Index, Layout, Set};
use crate::language::{Arithmetic, Comparison, ConstantSet, SetOperation};

use super::value::Value;

/// Why something has no value here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoValue {
    /// A variable is not bound.
    Unbound,
    /// The layout has no such cell or digit.
    NotHere,
    /// It depends on a state, and there is none.
    NoState,
    /// A number outside of 64 bits.
    TooLarge,
    /// More work than is allowed.
    TooMuch,
    /// The logic has no way to say it.
    Beyond,
}

/// A value, or why there is none.
pub type Valued<T> = Result<T, NoValue>;

/// Something that sets are made of.
pub trait Member: Index + Debug {}
impl<T: Index + Debug> Member for T {}

/// A value over a logic.
pub type Meant<L> = Value<
    <L as Logic>::Set<Cell, 10>,
    <L as Logic>::Set<Digit, 1>,
    <L as Logic>::Set<House, 2>,
    <L as Logic>::Number,
>;

/// The variables of a clause, as far as they are bound.
pub type Environment<L> = Vec<Option<Meant<L>>>;

/// The arguments of a helper, as far as they are given.
pub type Given<L> = Vec<Option<Meant<L>>>;

/// The numbers of a logic.
pub trait Number: Clone + Debug {
    /// A number that depends on nothing.
    fn fixed(number: i64) -> Self;
    /// The number, where it depends on nothing.
    fn if_fixed(&self) -> Option<i64>;
}

/// The board that a logic is about.
pub trait OnLayout {
    /// The layout.
    fn layout(&self) -> &Layout;
    /// Whether the layout is not known: cells have no place, and what they share may be anything.
    fn is_general(&self) -> bool {
        false
    }
    /// All cells.
    fn all_cells(&self) -> Cells {
        self.layout().all_cells()
    }
    /// The houses that a word stands for; none for a word that stands for something else.
    fn houses_called(&self, word: ConstantSet) -> Houses {
        houses_called(self.layout(), word)
    }
}

/// A logic. What the words of the language mean is said with these operations alone.
pub trait Logic: OnLayout + Sized {
    /// A truth.
    type Bit: Clone + PartialEq + Debug;
    /// A set: for each thing the truth that it is a member.
    type Set<T: Member, const W: usize>: Clone + PartialEq + Debug;
    /// A number.
    type Number: Number;

    /// True or false.
    fn constant(&self, truth: bool) -> Self::Bit;
    /// The contrary.
    fn not(&mut self, bit: Self::Bit) -> Self::Bit;
    /// All of these.
    fn all(&mut self, bits: Vec<Self::Bit>) -> Self::Bit;
    /// One of these.
    fn any(&mut self, bits: Vec<Self::Bit>) -> Self::Bit;

    /// A set that depends on nothing.
    fn fixed<T: Member, const W: usize>(&self, set: Set<T, W>) -> Self::Set<T, W>;
    /// What is a member for sure.
    fn sure<T: Member, const W: usize>(set: &Self::Set<T, W>) -> Set<T, W>;
    /// Everything that may be a member.
    fn widest<T: Member, const W: usize>(set: &Self::Set<T, W>) -> Set<T, W>;
    /// When this is a member.
    fn contains<T: Member, const W: usize>(&self, set: &Self::Set<T, W>, item: T) -> Self::Bit;
    /// The members that are among these.
    fn among<T: Member, const W: usize>(
        &self,
        set: &Self::Set<T, W>,
        limit: Set<T, W>,
    ) -> Self::Set<T, W>;
    /// `S + T`, `S & T` or `S \ T`.
    fn combine<T: Member, const W: usize>(
        &mut self,
        operation: SetOperation,
        left: &Self::Set<T, W>,
        right: &Self::Set<T, W>,
    ) -> Self::Set<T, W>;
    /// The union of what `each` gives for the members of a set.
    fn union_over<S: Member, const V: usize, T: Member, const W: usize>(
        &mut self,
        over: &Self::Set<S, V>,
        each: impl FnMut(&mut Self, S) -> Valued<Self::Set<T, W>>,
    ) -> Valued<Self::Set<T, W>>;
    /// The members for which `keep` holds.
    fn filter<T: Member, const W: usize>(
        &mut self,
        set: &Self::Set<T, W>,
        keep: impl FnMut(&mut Self, T) -> Valued<Self::Bit>,
    ) -> Valued<Self::Set<T, W>>;
    /// Whether two sets have a member in common.
    fn meets<T: Member, const W: usize>(
        &mut self,
        left: &Self::Set<T, W>,
        right: &Self::Set<T, W>,
    ) -> Self::Bit;
    /// Conditions that together say `S within T`.
    fn within<T: Member, const W: usize>(
        &mut self,
        left: &Self::Set<T, W>,
        right: &Self::Set<T, W>,
        out: &mut Vec<Self::Bit>,
    );
    /// How many members there are.
    fn size<T: Member, const W: usize>(&mut self, set: &Self::Set<T, W>) -> Self::Number;

    /// Arithmetic.
    fn arithmetic(
        &mut self,
        operation: Arithmetic,
        left: &Self::Number,
        right: &Self::Number,
    ) -> Valued<Self::Number>;
    /// When a comparison of numbers holds.
    fn compare(&mut self, how: Comparison, a: &Self::Number, b: &Self::Number)
    -> Valued<Self::Bit>;

    /// Those of the houses that there are.
    fn existing(&mut self, among: Houses) -> Self::Set<House, 2> {
        self.fixed(among)
    }
    /// Those of the cells that there are.
    fn there(&mut self, among: Cells) -> Self::Set<Cell, 10> {
        self.fixed(among)
    }
    /// Those of the cells that are in a house.
    fn cells_of(&mut self, house: House, among: Cells) -> Self::Set<Cell, 10> {
        let cells = self.layout().cells(house);
        self.fixed(cells & among)
    }
    /// Those of the cells that see a cell.
    fn peers(&mut self, cell: Cell, among: Cells) -> Self::Set<Cell, 10> {
        let peers = *self.layout().peers(cell);
        self.fixed(peers & among)
    }
    /// Whether two cells see each other.
    fn sees(&mut self, a: Cell, b: Cell) -> Self::Bit {
        let sees = self.layout().sees(a, b);
        self.constant(sees)
    }
    /// Whether two candidates exclude each other by value.
    fn excludes(&mut self, a: Candidate, b: Candidate) -> Self::Bit {
        let excludes = self.layout().excludes(a, b);
        self.constant(excludes)
    }

    /// Those of the cells where a digit is still possible.
    fn plane(&mut self, digit: Digit, among: Cells) -> Valued<Self::Set<Cell, 10>>;
    /// Those of the cells that are placed.
    fn placed(&mut self, among: Cells) -> Valued<Self::Set<Cell, 10>>;
    /// Whether a cell was given.
    fn given(&mut self, cell: Cell) -> Valued<Self::Bit>;
    /// Whether a candidate is still possible.
    fn possible(&mut self, candidate: Candidate) -> Valued<Self::Bit> {
        let plane = self.plane(candidate.digit, Cells::only(candidate.cell))?;
        Ok(self.contains(&plane, candidate.cell))
    }
}

/// The houses of a layout that a word stands for; none for a word that stands for something else.
pub fn houses_called(layout: &Layout, word: ConstantSet) -> Houses {
    let kind = |kind| layout.houses_of_kind(kind);
    match word {
        ConstantSet::Rows => kind(HouseKind::Row),
        ConstantSet::Columns => kind(HouseKind::Column),
        ConstantSet::Boxes => kind(HouseKind::Box),
        ConstantSet::Lines => kind(HouseKind::Row) | kind(HouseKind::Column),
        ConstantSet::Houses => layout.all_houses(),
        ConstantSet::Groups => layout.groups(),
        ConstantSet::Pieces if layout.is_jigsaw() => kind(HouseKind::Box),
        ConstantSet::Pieces | ConstantSet::Digits | ConstantSet::Unsolved => Houses::EMPTY,
    }
}

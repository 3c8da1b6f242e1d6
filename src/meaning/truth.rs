//! Truths that depend on something, and the logic of sets and numbers made of them.

use std::fmt::Debug;

use crate::board::{Candidate, Cell, Cells, Digit, House, Houses, Set};
use crate::language::{Arithmetic, Comparison, SetOperation};

use super::amount::Amount;
use super::fuzzy::Fuzzy;
use super::logic::{Logic, Member, OnLayout, Valued};

/// A kind of truth: how truths combine, and what the state's own ones are.
pub trait Truth: OnLayout + Sized {
    /// A truth.
    type Bit: Clone + PartialEq + Debug;
    /// True or false.
    fn constant(truth: bool) -> Self::Bit;
    /// The contrary.
    fn not(bit: Self::Bit) -> Self::Bit;
    /// All of these.
    fn and(&mut self, bits: Vec<Self::Bit>) -> Self::Bit;
    /// One of these.
    fn or(&mut self, bits: Vec<Self::Bit>) -> Self::Bit {
        let bits = bits.into_iter().map(Self::not).collect();
        Self::not(self.and(bits))
    }
    /// At least so many of these, for every number from none to `most`.
    fn reached(&mut self, bits: &[Self::Bit], most: usize) -> Vec<Self::Bit>;
    /// A truth of which nothing is known.
    fn unknown(&mut self) -> Self::Bit;
    /// The candidate is still possible.
    fn possible(&mut self, candidate: Candidate) -> Self::Bit;
    /// The cell is placed.
    fn placed(&mut self, cell: Cell) -> Self::Bit;
    /// The cell was given.
    fn given(&mut self, cell: Cell) -> Self::Bit;
    /// There is such a cell. Where the layout is not known, this and what follows say which cells
    /// and houses there are, and what they have to do with each other.
    fn there(&mut self, _: Cell) -> Self::Bit {
        Self::constant(true)
    }
    /// There is such a house.
    fn exists(&mut self, _: House) -> Self::Bit {
        Self::constant(true)
    }
    /// The cell is in the house.
    fn is_in(&mut self, cell: Cell, house: House) -> Self::Bit {
        Self::constant(self.layout().cells(house).contains(cell))
    }
    /// The cells see each other.
    fn sees(&mut self, a: Cell, b: Cell) -> Self::Bit {
        Self::constant(self.layout().sees(a, b))
    }
    /// The candidates exclude each other by value.
    fn excludes(&mut self, a: Candidate, b: Candidate) -> Self::Bit {
        Self::constant(self.layout().excludes(a, b))
    }
}

impl<K: Truth> Logic for K {
    type Bit = K::Bit;
    type Set<T: Member, const W: usize> = Fuzzy<T, W, K::Bit>;
    type Number = Amount<K::Bit>;

    fn constant(&self, truth: bool) -> K::Bit {
        K::constant(truth)
    }
    fn not(&mut self, bit: K::Bit) -> K::Bit {
        K::not(bit)
    }
    fn all(&mut self, bits: Vec<K::Bit>) -> K::Bit {
        self.and(bits)
    }
    fn any(&mut self, bits: Vec<K::Bit>) -> K::Bit {
        self.or(bits)
    }

    fn fixed<T: Member, const W: usize>(&self, set: Set<T, W>) -> Fuzzy<T, W, K::Bit> {
        Fuzzy::fixed(set)
    }
    fn sure<T: Member, const W: usize>(set: &Fuzzy<T, W, K::Bit>) -> Set<T, W> {
        set.sure
    }
    fn widest<T: Member, const W: usize>(set: &Fuzzy<T, W, K::Bit>) -> Set<T, W> {
        set.widest()
    }
    fn contains<T: Member, const W: usize>(&self, set: &Fuzzy<T, W, K::Bit>, item: T) -> K::Bit {
        set.contains::<K>(item)
    }
    fn among<T: Member, const W: usize>(
        &self,
        set: &Fuzzy<T, W, K::Bit>,
        limit: Set<T, W>,
    ) -> Fuzzy<T, W, K::Bit> {
        let maybe = set.maybe.iter().filter(|(item, _)| limit.contains(*item));
        Fuzzy { sure: set.sure & limit, maybe: maybe.cloned().collect() }
    }
    fn combine<T: Member, const W: usize>(
        &mut self,
        operation: SetOperation,
        left: &Fuzzy<T, W, K::Bit>,
        right: &Fuzzy<T, W, K::Bit>,
    ) -> Fuzzy<T, W, K::Bit> {
        match operation {
            SetOperation::Union => {
                let all = left.widest() | right.widest();
                left.combine(right, all, self, |truth, a, b| truth.or(vec![a, b]))
            }
            SetOperation::Intersection => {
                let both = left.widest() & right.widest();
                left.combine(right, both, self, |truth, a, b| truth.and(vec![a, b]))
            }
            SetOperation::Difference => {
                let rest = left.widest() - right.sure;
                left.combine(right, rest, self, |truth, a, b| truth.and(vec![a, K::not(b)]))
            }
        }
    }
    fn union_over<S: Member, const V: usize, T: Member, const W: usize>(
        &mut self,
        over: &Fuzzy<S, V, K::Bit>,
        mut each: impl FnMut(&mut Self, S) -> Valued<Fuzzy<T, W, K::Bit>>,
    ) -> Valued<Fuzzy<T, W, K::Bit>> {
        let mut parts = Vec::new();
        for item in over.widest() {
            parts.push((each(self, item)?, over.contains::<K>(item)));
        }
        let all = parts.iter().fold(Set::EMPTY, |all, (part, _)| all | part.widest());
        Ok(Fuzzy::collect::<K>(all.iter().map(|item| {
            let mut some = Vec::new();
            for (part, present) in parts.iter().filter(|(part, _)| part.may_contain(item)) {
                some.push(self.and(vec![present.clone(), part.contains::<K>(item)]));
            }
            (item, self.or(some))
        })))
    }
    fn filter<T: Member, const W: usize>(
        &mut self,
        set: &Fuzzy<T, W, K::Bit>,
        mut keep: impl FnMut(&mut Self, T) -> Valued<K::Bit>,
    ) -> Valued<Fuzzy<T, W, K::Bit>> {
        let mut kept = Vec::new();
        for item in set.widest() {
            let bit = keep(self, item)?;
            kept.push((item, self.and(vec![set.contains::<K>(item), bit])));
        }
        Ok(Fuzzy::collect::<K>(kept))
    }
    fn meets<T: Member, const W: usize>(
        &mut self,
        left: &Fuzzy<T, W, K::Bit>,
        right: &Fuzzy<T, W, K::Bit>,
    ) -> K::Bit {
        if left.sure.meets(&right.sure) {
            return K::constant(true);
        }
        let mut some = Vec::new();
        for item in left.widest() & right.widest() {
            some.push(self.and(vec![left.contains::<K>(item), right.contains::<K>(item)]));
        }
        self.or(some)
    }
    fn within<T: Member, const W: usize>(
        &mut self,
        left: &Fuzzy<T, W, K::Bit>,
        right: &Fuzzy<T, W, K::Bit>,
        out: &mut Vec<K::Bit>,
    ) {
        for item in left.widest() - right.sure {
            let absent = K::not(left.contains::<K>(item));
            out.push(self.or(vec![absent, right.contains::<K>(item)]));
        }
    }
    fn size<T: Member, const W: usize>(&mut self, set: &Fuzzy<T, W, K::Bit>) -> Amount<K::Bit> {
        let counted = set.maybe.iter().map(|(_, bit)| bit.clone()).collect();
        Amount::Sum { fixed: set.sure.len() as i64, counted }
    }

    fn arithmetic(
        &mut self,
        operation: Arithmetic,
        left: &Amount<K::Bit>,
        right: &Amount<K::Bit>,
    ) -> Valued<Amount<K::Bit>> {
        left.arithmetic(operation, right, self)
    }
    fn compare(
        &mut self,
        comparison: Comparison,
        left: &Amount<K::Bit>,
        right: &Amount<K::Bit>,
    ) -> Valued<K::Bit> {
        left.compare(comparison, right, self)
    }

    fn existing(&mut self, among: Houses) -> Fuzzy<House, 2, K::Bit> {
        match self.is_general() {
            true => Fuzzy::collect::<K>(among.iter().map(|h| (h, Truth::exists(self, h)))),
            false => Fuzzy::fixed(among),
        }
    }
    fn there(&mut self, among: Cells) -> Fuzzy<Cell, 10, K::Bit> {
        match self.is_general() {
            true => Fuzzy::collect::<K>(among.iter().map(|c| (c, Truth::there(self, c)))),
            false => Fuzzy::fixed(among),
        }
    }
    fn cells_of(&mut self, house: House, among: Cells) -> Fuzzy<Cell, 10, K::Bit> {
        match self.is_general() {
            true => Fuzzy::collect::<K>(among.iter().map(|c| (c, self.is_in(c, house)))),
            false => Fuzzy::fixed(self.layout().cells(house) & among),
        }
    }
    fn peers(&mut self, cell: Cell, among: Cells) -> Fuzzy<Cell, 10, K::Bit> {
        match self.is_general() {
            true => Fuzzy::collect::<K>(among.iter().map(|c| (c, Truth::sees(self, cell, c)))),
            false => Fuzzy::fixed(*self.layout().peers(cell) & among),
        }
    }
    fn sees(&mut self, a: Cell, b: Cell) -> K::Bit {
        Truth::sees(self, a, b)
    }
    fn excludes(&mut self, a: Candidate, b: Candidate) -> K::Bit {
        Truth::excludes(self, a, b)
    }

    fn plane(&mut self, digit: Digit, among: Cells) -> Valued<Fuzzy<Cell, 10, K::Bit>> {
        let live = |cell| (cell, Truth::possible(self, Candidate { cell, digit }));
        Ok(Fuzzy::collect::<K>(among.iter().map(live)))
    }
    fn placed(&mut self, among: Cells) -> Valued<Fuzzy<Cell, 10, K::Bit>> {
        let placed = |cell| (cell, Truth::placed(self, cell));
        Ok(Fuzzy::collect::<K>(among.iter().map(placed)))
    }
    fn given(&mut self, cell: Cell) -> Valued<K::Bit> {
        Ok(Truth::given(self, cell))
    }
}

//! Truth as it is on a state, or as far as it does not depend on one.

use crate::board::{Cell, Cells, Digit, Grid, Layout, Set};
use crate::language::{Arithmetic, Comparison, SetOperation};

use super::logic::{Logic, Member, NoValue, Number, OnLayout, Valued};

/// True and false, bits and numbers.
#[derive(Clone, Copy)]
pub struct Plain<'a> {
    layout: &'a Layout,
    grid: Option<&'a Grid>,
}

impl<'a> Plain<'a> {
    /// On a state.
    pub fn on(grid: &'a Grid) -> Plain<'a> {
        Plain { layout: grid.layout(), grid: Some(grid) }
    }

    /// On a layout: what is known before any puzzle is.
    pub fn without_state(layout: &'a Layout) -> Plain<'a> {
        Plain { layout, grid: None }
    }

    /// The layout.
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    fn grid(&self) -> Valued<&'a Grid> {
        self.grid.ok_or(NoValue::NoState)
    }
}

impl Number for i64 {
    fn fixed(number: i64) -> i64 {
        number
    }
    fn if_fixed(&self) -> Option<i64> {
        Some(*self)
    }
}

impl OnLayout for Plain<'_> {
    fn layout(&self) -> &Layout {
        self.layout
    }
}

impl Logic for Plain<'_> {
    type Bit = bool;
    type Set<T: Member, const W: usize> = Set<T, W>;
    type Number = i64;

    fn constant(&self, truth: bool) -> bool {
        truth
    }
    fn not(&mut self, bit: bool) -> bool {
        !bit
    }
    fn all(&mut self, bits: Vec<bool>) -> bool {
        bits.into_iter().all(|bit| bit)
    }
    fn any(&mut self, bits: Vec<bool>) -> bool {
        bits.into_iter().any(|bit| bit)
    }

    fn fixed<T: Member, const W: usize>(&self, set: Set<T, W>) -> Set<T, W> {
        set
    }
    fn sure<T: Member, const W: usize>(set: &Set<T, W>) -> Set<T, W> {
        *set
    }
    fn widest<T: Member, const W: usize>(set: &Set<T, W>) -> Set<T, W> {
        *set
    }
    fn contains<T: Member, const W: usize>(&self, set: &Set<T, W>, item: T) -> bool {
        set.contains(item)
    }
    fn among<T: Member, const W: usize>(&self, set: &Set<T, W>, limit: Set<T, W>) -> Set<T, W> {
        *set & limit
    }
    fn combine<T: Member, const W: usize>(
        &mut self,
        operation: SetOperation,
        a: &Set<T, W>,
        b: &Set<T, W>,
    ) -> Set<T, W> {
        operation.of(*a, *b)
    }
    fn union_over<S: Member, const V: usize, T: Member, const W: usize>(
        &mut self,
        over: &Set<S, V>,
        mut each: impl FnMut(&mut Self, S) -> Valued<Set<T, W>>,
    ) -> Valued<Set<T, W>> {
        over.iter().try_fold(Set::EMPTY, |all, item| Ok(all | each(self, item)?))
    }
    fn filter<T: Member, const W: usize>(
        &mut self,
        set: &Set<T, W>,
        mut keep: impl FnMut(&mut Self, T) -> Valued<bool>,
    ) -> Valued<Set<T, W>> {
        let mut kept = Set::EMPTY;
        for item in set.iter() {
            if keep(self, item)? {
                kept.insert(item);
            }
        }
        Ok(kept)
    }
    fn meets<T: Member, const W: usize>(&mut self, a: &Set<T, W>, b: &Set<T, W>) -> bool {
        a.meets(b)
    }
    fn within<T: Member, const W: usize>(
        &mut self,
        a: &Set<T, W>,
        b: &Set<T, W>,
        out: &mut Vec<bool>,
    ) {
        out.push(a.within(b));
    }
    fn size<T: Member, const W: usize>(&mut self, set: &Set<T, W>) -> i64 {
        set.len() as i64
    }

    fn arithmetic(&mut self, operation: Arithmetic, a: &i64, b: &i64) -> Valued<i64> {
        operation.of(*a, *b).ok_or(NoValue::TooLarge)
    }
    fn compare(&mut self, comparison: Comparison, a: &i64, b: &i64) -> Valued<bool> {
        Ok(comparison.holds(a, b))
    }

    fn plane(&mut self, digit: Digit, among: Cells) -> Valued<Cells> {
        Ok(self.grid()?.plane(digit) & among)
    }
    fn placed(&mut self, among: Cells) -> Valued<Cells> {
        Ok(self.grid()?.placed() & among)
    }
    fn given(&mut self, cell: Cell) -> Valued<bool> {
        Ok(self.grid()?.given().contains(cell))
    }
}

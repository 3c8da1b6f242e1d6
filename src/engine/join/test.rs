//! Conditions compiled for a layout: whether they hold, once all their variables are bound.

use crate::language::Comparison;

use super::bits::{Bits, Width};
use super::expression::{CellsTerm, Frame, Number, Over, Scalar, Scene, SmallTerm};

/// A condition on variables that are all bound.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(super) enum Test {
    CellIn(Scalar, CellsTerm),
    SmallIn(Scalar, SmallTerm),
    CellsWithin(CellsTerm, CellsTerm),
    SmallWithin(SmallTerm, SmallTerm),
    /// They have something in common.
    CellsMeet(CellsTerm, CellsTerm),
    CellsEqual(CellsTerm, CellsTerm),
    SmallEqual(SmallTerm, SmallTerm),
    Scalars(Comparison, Scalar, Scalar),
    Numbers(Comparison, Number, Number),
    /// At most so many.
    FewCells(CellsTerm, u8),
    FewSmall(SmallTerm, u8),
    Not(Box<Test>),
    All(Vec<Test>),
    Every {
        slot: u8,
        over: Over,
        tests: Vec<Test>,
    },
}

impl Test {
    pub fn holds<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> bool {
        match self {
            Test::CellIn(cell, cells) => {
                cells.value(scene, frame).contains(cell.value(scene, frame))
            }
            Test::SmallIn(item, small) => {
                small.value(scene, frame).contains(item.value(scene, frame))
            }
            Test::CellsWithin(a, b) => a.value(scene, frame).within(b.value(scene, frame)),
            Test::SmallWithin(a, b) => a.value(scene, frame).within(b.value(scene, frame)),
            Test::CellsMeet(a, b) => a.value(scene, frame).meets(b.value(scene, frame)),
            Test::CellsEqual(a, b) => a.value(scene, frame) == b.value(scene, frame),
            Test::SmallEqual(a, b) => a.value(scene, frame) == b.value(scene, frame),
            Test::Scalars(comparison, a, b) => {
                comparison.holds(&a.value(scene, frame), &b.value(scene, frame))
            }
            Test::Numbers(comparison, a, b) => {
                comparison.holds(&a.value(scene, frame), &b.value(scene, frame))
            }
            Test::FewCells(cells, count) => cells.value(scene, frame).at_most(*count as usize),
            Test::FewSmall(small, count) => small.value(scene, frame).at_most(*count as usize),
            Test::Not(test) => !test.holds(scene, frame),
            Test::All(tests) => tests.iter().all(|test| test.holds(scene, frame)),
            Test::Every { slot, over, tests } => over.each(scene, frame, |item| {
                frame.slots[*slot as usize].set(item as u32);
                tests.iter().all(|test| test.holds(scene, frame))
            }),
        }
    }
}

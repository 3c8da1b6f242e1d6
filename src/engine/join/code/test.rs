//! Conditions compiled for a layout: whether they hold, once all their variables are bound.

use crate::language::Comparison;

use super::super::bits::{Bits, Width};
use super::{
    AnySet, CellsSet, Frame, Number, REGISTERS, Reached, RowTerm, Scalar, Scene, SmallSet, Sort,
    key,
};

/// A condition on variables that are all bound.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(in crate::engine::join) enum Test {
    Cells(SetTest<CellsSet>),
    Small(SetTest<SmallSet>),
    Scalars(Comparison, Scalar, Scalar),
    Numbers(Comparison, Number, Number),
    Not(Box<Test>),
    All(Vec<Test>),
    Every {
        slot: u8,
        over: AnySet,
        tests: Vec<Test>,
    },
    /// Of the sets of cells in two registers, the first has the lower number, or the same.
    InOrder(u8, u8),
    /// The rows have one with this key, which is reached.
    Row(u16, Vec<RowTerm>, Option<Reached>),
}

/// A condition on sets of one sort.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(in crate::engine::join) enum SetTest<S> {
    In(Scalar, S),
    Within(S, S),
    /// They have something in common.
    Meet(S, S),
    Equal(S, S),
    /// At most so many.
    Few(S, u8),
}

impl AnySet {
    /// Whether something is in it.
    pub(crate) fn contains(self, item: Scalar) -> Test {
        match self {
            AnySet::Cells(set) => Test::Cells(SetTest::In(item, set)),
            AnySet::Small(set) => Test::Small(SetTest::In(item, set)),
        }
    }
}

impl Test {
    pub(crate) fn holds<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> bool {
        match self {
            Test::Cells(test) => test.holds(scene, frame),
            Test::Small(test) => test.holds(scene, frame),
            Test::Scalars(comparison, a, b) => {
                comparison.holds(&a.value(scene, frame), &b.value(scene, frame))
            }
            Test::Numbers(comparison, a, b) => {
                comparison.holds(&a.value(scene, frame), &b.value(scene, frame))
            }
            Test::Not(test) => !test.holds(scene, frame),
            Test::All(tests) => tests.iter().all(|test| test.holds(scene, frame)),
            Test::Every { slot, over, tests } => over.each(scene, frame, |item| {
                frame.slots[*slot as usize].set(item as u32);
                tests.iter().all(|test| test.holds(scene, frame))
            }),
            Test::InOrder(a, b) => {
                let number = |register: &u8| frame.cells_numbers[*register as usize % REGISTERS];
                number(a) <= number(b)
            }
            Test::Row(rows, terms, reached) => key(terms, scene, frame).is_some_and(|key| {
                let rows = &scene.tables.rows[*rows as usize];
                rows.group(key).is_some_and(|group| {
                    let (first, end) = rows.of(group);
                    reached.map_or(first < end, |reached| {
                        let reached = reached.row(scene, frame);
                        (first..end).any(|row| rows.is_reached(reached, row))
                    })
                })
            }),
        }
    }
}

impl<S: Sort> SetTest<S> {
    #[inline(always)]
    fn holds<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> bool {
        let value = |set: &S| set.value(scene, frame);
        match self {
            SetTest::In(item, set) => value(set).contains(item.value(scene, frame)),
            SetTest::Within(a, b) => value(a).within(value(b)),
            SetTest::Meet(a, b) => value(a).meets(value(b)),
            SetTest::Equal(a, b) => value(a) == value(b),
            SetTest::Few(set, count) => value(set).at_most(*count as usize),
        }
    }
}

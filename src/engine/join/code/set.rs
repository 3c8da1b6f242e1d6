//! Sets compiled for a layout, given the variables bound.
//!
//! Sets of cells are wider than sets of digits or houses, and other things can be said about
//! them. What can be said about both is [`Set`], written once over [`Sort`]; the rest are atoms.

use std::fmt::Debug;

use super::super::bits::{Bits, Width};
use super::{CellsAtom, Frame, Left, REGISTERS, SLOTS, Scalar, Scene, SmallAtom, Test};

/// Cells, or digits and houses: what only sets of this sort can be.
pub(in crate::engine::join) trait Sort: Clone + PartialEq + Debug {
    /// The set as bits.
    type Bits<W: Width>: Bits;

    /// The value, with the usual atoms in line: for the innermost loops.
    fn quick<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> Self::Bits<W>;
    /// Everything that a Prolog has to go through, where the atom cannot be scanned.
    fn instead_of_scan(&self) -> Option<Self>;
    /// A set of either sort, if it is of this one.
    fn of(any: &AnySet) -> Option<&Set<Self>>;
    /// The registers of this sort.
    fn registers<W: Width>(frame: &Frame<W>) -> &[Self::Bits<W>; REGISTERS];
    fn registers_mut<W: Width>(frame: &mut Frame<W>) -> &mut [Self::Bits<W>; REGISTERS];
    /// What variables of this sort have not taken yet.
    fn left<W: Width>(left: &mut Left<W>) -> &mut [Self::Bits<W>; SLOTS];
}

/// A set.
///
/// An atom is larger than everything else, so that both have one tag and are told apart at once.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) enum Set<S> {
    Atom(S),
    Register(u8),
    Only(Scalar),
    /// Those before this one.
    Before(Scalar),
    And(Box<Set<S>>, Box<Set<S>>),
    Or(Box<Set<S>>, Box<Set<S>>),
    Minus(Box<Set<S>>, Box<Set<S>>),
    /// What a variable must be if `left` is to be within `right` and so many variables, it among
    /// them.
    Rest {
        left: Box<Set<S>>,
        right: Option<Box<Set<S>>>,
        variables: u8,
        everything: Box<Set<S>>,
    },
    /// Those of everything that are in `each` whatever member of `over` stands in the slot.
    Every {
        slot: u8,
        over: Box<AnySet>,
        each: Box<Set<S>>,
        everything: Box<Set<S>>,
    },
    /// Those of a set for which the tests hold, each standing in the slot.
    Filter {
        slot: u8,
        over: Box<Set<S>>,
        tests: Vec<Test>,
    },
}

/// A set of cells.
pub(in crate::engine::join) type CellsSet = Set<CellsAtom>;
/// A set of digits or of houses.
pub(in crate::engine::join) type SmallSet = Set<SmallAtom>;

/// A set of either sort.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) enum AnySet {
    Cells(CellsSet),
    Small(SmallSet),
}

/// Does the same with a set of either sort.
macro_rules! of_any {
    ($any:expr, $set:ident => $do:expr) => {
        match $any {
            $crate::engine::join::code::AnySet::Cells($set) => $do,
            $crate::engine::join::code::AnySet::Small($set) => $do,
        }
    };
}
pub(in crate::engine::join) use of_any;

impl AnySet {
    /// Calls `visit` with each member until it says no; whether it never did.
    pub fn each<W: Width>(
        &self,
        scene: Scene<W>,
        frame: &Frame<W>,
        visit: impl FnMut(usize) -> bool,
    ) -> bool {
        of_any!(self, set => set.value(scene, frame).iter().all(visit))
    }
}

impl<S: Sort> Set<S> {
    /// Those of this one only.
    pub fn minus(self, other: Set<S>) -> Set<S> {
        Set::Minus(Box::new(self), Box::new(other))
    }
    /// In both.
    pub fn and(self, other: Set<S>) -> Set<S> {
        Set::And(Box::new(self), Box::new(other))
    }
    /// In one of them.
    pub fn or(self, other: Set<S>) -> Set<S> {
        Set::Or(Box::new(self), Box::new(other))
    }

    /// The value, with the usual cases in line: for the innermost loops.
    #[inline(always)]
    pub fn quick<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> S::Bits<W> {
        match self {
            Set::Rest { left, right, variables, everything } => {
                let mut rest = left.simple(scene, frame);
                if let Some(right) = right {
                    rest = rest.minus(right.simple(scene, frame));
                }
                rest_of(rest, *variables as usize, || everything.simple(scene, frame))
            }
            other => other.simple(scene, frame),
        }
    }

    /// The value, with the simplest cases in line.
    #[inline(always)]
    pub fn simple<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> S::Bits<W> {
        match self {
            Set::Atom(atom) => atom.quick(scene, frame),
            Set::Register(register) => S::registers(frame)[*register as usize % REGISTERS],
            Set::Only(item) => S::Bits::<W>::only(item.value(scene, frame)),
            other => other.value(scene, frame),
        }
    }

    #[inline(never)]
    pub fn value<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> S::Bits<W> {
        match self {
            Set::Atom(atom) => atom.quick(scene, frame),
            Set::Register(register) => S::registers(frame)[*register as usize],
            Set::Only(item) => S::Bits::<W>::only(item.value(scene, frame)),
            Set::Before(item) => S::Bits::<W>::first_n(item.value(scene, frame)),
            Set::And(a, b) => a.simple(scene, frame).and(b.simple(scene, frame)),
            Set::Or(a, b) => a.simple(scene, frame).or(b.simple(scene, frame)),
            Set::Minus(a, b) => a.simple(scene, frame).minus(b.simple(scene, frame)),
            Set::Rest { .. } => self.quick(scene, frame),
            Set::Every { slot, over, each, everything } => {
                let mut all = everything.value(scene, frame);
                over.each(scene, frame, |item| {
                    frame.slots[*slot as usize].set(item as u32);
                    all = all.and(each.value(scene, frame));
                    !all.is_empty()
                });
                all
            }
            Set::Filter { slot, over, tests } => {
                let over = over.value(scene, frame);
                let fails = |&item: &usize| {
                    frame.slots[*slot as usize].set(item as u32);
                    !tests.iter().all(|test| test.holds(scene, frame))
                };
                over.iter()
                    .filter(fails)
                    .fold(over, |kept, item| kept.minus(S::Bits::<W>::only(item)))
            }
        }
    }
}

/// `rest` within so many variables: each must be one of them, unless there are fewer.
#[inline(always)]
fn rest_of<B: Bits>(rest: B, variables: usize, everything: impl Fn() -> B) -> B {
    let mut more = rest;
    for _ in 0..variables {
        if more.is_empty() {
            return everything();
        }
        more.pop();
    }
    if more.is_empty() { rest } else { B::EMPTY }
}

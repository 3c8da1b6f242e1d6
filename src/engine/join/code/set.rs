//! Sets compiled for a layout, given the variables bound.
//!
//! Sets of cells are wider than sets of digits or houses, and other things can be said about
//! them. What can be said about both is written once, in [`sort_of_sets`]; each of the two is one
//! flat enum all the same, so that one look tells what it is.

use std::fmt::Debug;

use super::super::bits::{Bits, Width};
use super::{CellsSet, Frame, Left, REGISTERS, SLOTS, Scalar, Scene, SmallSet, Test};

/// Sets of cells, or of digits and houses.
pub(in crate::engine::join) trait Sort: Clone + PartialEq + Debug {
    /// The set as bits.
    type Bits<W: Width>: Bits;

    /// The value.
    fn value<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> Self::Bits<W>;
    /// The value, with the usual cases in line: for the innermost loops.
    fn quick<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> Self::Bits<W>;
    /// Everything that a Prolog has to go through, where the set cannot be scanned.
    fn instead_of_scan(&self) -> Option<Self>;
    /// A set of either sort, if it is of this one.
    fn of(any: &AnySet) -> Option<&Self>;
    /// The registers of this sort.
    fn registers_mut<W: Width>(frame: &mut Frame<W>) -> &mut [Self::Bits<W>; REGISTERS];
    /// What variables of this sort have not taken yet.
    fn left<W: Width>(left: &mut Left<W>) -> &mut [Self::Bits<W>; SLOTS];

    /// What a register holds.
    fn register(register: u8) -> Self;
    /// Just this.
    fn only(item: Scalar) -> Self;
    /// Those before this one.
    fn before(item: Scalar) -> Self;
    /// In both.
    fn and(self, other: Self) -> Self;
    /// In one of them.
    fn or(self, other: Self) -> Self;
    /// Those of this one only.
    fn minus(self, other: Self) -> Self;
    /// What a variable must be if `left` is to be within `right` and so many variables, it among
    /// them.
    fn rest(left: Self, right: Option<Self>, variables: u8, everything: Self) -> Self;
    /// Those of everything that are in `each` whatever member of `over` stands in the slot.
    fn every(slot: u8, over: AnySet, each: Self, everything: Self) -> Self;
    /// Those of a set for which the tests hold, each standing in the slot.
    fn filter(slot: u8, over: Self, tests: Vec<Test>) -> Self;
}

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
    pub(crate) fn each<W: Width>(
        &self,
        scene: &Scene<W>,
        frame: &Frame<W>,
        visit: impl FnMut(usize) -> bool,
    ) -> bool {
        of_any!(self, set => set.value(scene, frame).iter().all(visit))
    }
}

/// A sort of sets: its name, the bits and the place in a frame that it has, and what only sets of
/// this sort can be. The type has `own_quick`, `own_value` and `own_instead_of_scan` for those.
macro_rules! sort_of_sets {
    ($(#[$about:meta])* $name:ident, $any:ident, $place:ident, { $($own:tt)* }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug)]
        #[repr(u8)]
        pub(in crate::engine::join) enum $name {
            $($own)*
            Register(u8),
            Only(Scalar),
            Before(Scalar),
            And(Box<$name>, Box<$name>),
            Or(Box<$name>, Box<$name>),
            Minus(Box<$name>, Box<$name>),
            Rest { left: Box<$name>, right: Option<Box<$name>>, variables: u8, everything: Box<$name> },
            Every { slot: u8, over: Box<AnySet>, each: Box<$name>, everything: Box<$name> },
            Filter { slot: u8, over: Box<$name>, tests: Vec<Test> },
        }

        impl $name {
            /// The value, with the simplest cases in line.
            #[inline(always)]
            fn simple<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> W::$any {
                match self {
                    $name::Register(register) => frame.$place[*register as usize % REGISTERS],
                    $name::Only(item) => W::$any::only(item.value(scene, frame)),
                    other => other.own_quick(scene, frame),
                }
            }
        }

        impl Sort for $name {
            type Bits<W: Width> = W::$any;

            #[inline(never)]
            fn value<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> W::$any {
                match self {
                    $name::Register(register) => frame.$place[*register as usize % REGISTERS],
                    $name::Only(item) => W::$any::only(item.value(scene, frame)),
                    $name::Before(item) => W::$any::first_n(item.value(scene, frame)),
                    $name::And(a, b) => a.simple(scene, frame).and(b.simple(scene, frame)),
                    $name::Or(a, b) => a.simple(scene, frame).or(b.simple(scene, frame)),
                    $name::Minus(a, b) => a.simple(scene, frame).minus(b.simple(scene, frame)),
                    $name::Rest { .. } => self.quick(scene, frame),
                    $name::Every { slot, over, each, everything } => {
                        let mut all = everything.value(scene, frame);
                        over.each(scene, frame, |item| {
                            frame.slots[*slot as usize].set(item as u32);
                            all = all.and(each.value(scene, frame));
                            !all.is_empty()
                        });
                        all
                    }
                    $name::Filter { slot, over, tests } => {
                        let over = over.value(scene, frame);
                        let fails = |&item: &usize| {
                            frame.slots[*slot as usize].set(item as u32);
                            !tests.iter().all(|test| test.holds(scene, frame))
                        };
                        let gone = over.iter().filter(fails);
                        gone.fold(over, |kept, item| kept.minus(W::$any::only(item)))
                    }
                    own => own.own_value(scene, frame),
                }
            }

            #[inline(always)]
            fn quick<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> W::$any {
                match self {
                    $name::Rest { left, right, variables, everything } => {
                        let mut rest = left.simple(scene, frame);
                        if let Some(right) = right {
                            rest = rest.minus(right.simple(scene, frame));
                        }
                        rest_of(rest, *variables as usize, || everything.simple(scene, frame))
                    }
                    other => other.simple(scene, frame),
                }
            }

            fn instead_of_scan(&self) -> Option<Self> {
                match self {
                    $name::Rest { everything, .. } | $name::Every { everything, .. } => {
                        Some((**everything).clone())
                    }
                    own => own.own_instead_of_scan(),
                }
            }

            fn of(any: &AnySet) -> Option<&Self> {
                if let AnySet::$any(set) = any { Some(set) } else { None }
            }

            #[inline(always)]
            fn registers_mut<W: Width>(frame: &mut Frame<W>) -> &mut [W::$any; REGISTERS] {
                &mut frame.$place
            }
            #[inline(always)]
            fn left<W: Width>(left: &mut Left<W>) -> &mut [W::$any; SLOTS] {
                &mut left.$place
            }

            fn register(register: u8) -> Self {
                $name::Register(register)
            }
            fn only(item: Scalar) -> Self {
                $name::Only(item)
            }
            fn before(item: Scalar) -> Self {
                $name::Before(item)
            }
            fn and(self, other: Self) -> Self {
                $name::And(Box::new(self), Box::new(other))
            }
            fn or(self, other: Self) -> Self {
                $name::Or(Box::new(self), Box::new(other))
            }
            fn minus(self, other: Self) -> Self {
                $name::Minus(Box::new(self), Box::new(other))
            }
            fn rest(left: Self, right: Option<Self>, variables: u8, everything: Self) -> Self {
                let (left, everything) = (Box::new(left), Box::new(everything));
                $name::Rest { left, right: right.map(Box::new), variables, everything }
            }
            fn every(slot: u8, over: AnySet, each: Self, everything: Self) -> Self {
                let (each, everything) = (Box::new(each), Box::new(everything));
                $name::Every { slot, over: Box::new(over), each, everything }
            }
            fn filter(slot: u8, over: Self, tests: Vec<Test>) -> Self {
                $name::Filter { slot, over: Box::new(over), tests }
            }
        }
    };
}
pub(super) use sort_of_sets;

/// `rest` within so many variables: each must be one of them, unless there are fewer.
#[inline(always)]
pub(super) fn rest_of<B: Bits>(rest: B, variables: usize, everything: impl Fn() -> B) -> B {
    let mut more = rest;
    for _ in 0..variables {
        if more.is_empty() {
            return everything();
        }
        more.pop();
    }
    if more.is_empty() { rest } else { B::EMPTY }
}

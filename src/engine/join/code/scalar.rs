//! Single things: a cell, digit or house; a key of a table; a number.

use crate::language::Arithmetic;

use super::super::bits::{Bits, Width};
use super::{AnySet, Frame, SLOTS, Scene, Sort, of_any};

/// A cell, digit or house.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(in crate::engine::join) enum Scalar {
    Slot(u8),
    Constant(u16),
    Row(Box<Scalar>),
    Column(Box<Scalar>),
    Box(Box<Scalar>),
}

impl Scalar {
    #[inline(always)]
    pub(crate) fn value<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> usize {
        match self {
            Scalar::Slot(slot) => frame.slots[*slot as usize % SLOTS].get() as usize,
            other => other.computed(scene, frame),
        }
    }

    #[inline(never)]
    fn computed<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> usize {
        match self {
            Scalar::Slot(slot) => frame.slots[*slot as usize % SLOTS].get() as usize,
            Scalar::Constant(value) => *value as usize,
            Scalar::Row(cell) => scene.statics.row[cell.value(scene, frame)] as usize,
            Scalar::Column(cell) => scene.statics.column[cell.value(scene, frame)] as usize,
            Scalar::Box(cell) => scene.statics.box_of[cell.value(scene, frame)] as usize,
        }
    }
}

/// Where to look in an index of a table: which index, and the key as a sum of products.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) struct Lookup {
    pub index: u16,
    /// The slots that the key is made of; unused ones have the stride zero.
    slots: [u8; 2],
    strides: [u64; 2],
    /// What no slot holds, and further slots.
    further: Vec<(Scalar, u64)>,
}

impl Lookup {
    pub(crate) fn new(index: u16, key: Vec<(Scalar, u64)>) -> Lookup {
        let mut lookup = Lookup { index, slots: [0; 2], strides: [0; 2], further: Vec::new() };
        let mut used = 0;
        for (scalar, stride) in key {
            match scalar {
                Scalar::Slot(slot) if used < 2 => {
                    (lookup.slots[used], lookup.strides[used]) = (slot, stride);
                    used += 1;
                }
                scalar => lookup.further.push((scalar, stride)),
            }
        }
        lookup
    }

    #[inline(always)]
    pub(crate) fn key<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> u64 {
        let slot = |i: usize| frame.slots[self.slots[i] as usize % SLOTS].get();
        let part = |i: usize| u64::from(slot(i)) * self.strides[i];
        let key = part(0) + part(1);
        if self.further.is_empty() { key } else { key + self.rest_of_key(scene, frame) }
    }

    #[inline(never)]
    fn rest_of_key<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> u64 {
        let part = |(scalar, stride): &(Scalar, u64)| scalar.value(scene, frame) as u64 * stride;
        self.further.iter().map(part).sum()
    }
}

/// A number.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(in crate::engine::join) enum Number {
    Constant(i64),
    Slot(u8),
    Size(AnySet),
    Arithmetic(Arithmetic, Box<Number>, Box<Number>),
}

impl Number {
    pub(crate) fn value<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> i64 {
        match self {
            Number::Constant(number) => *number,
            Number::Slot(slot) => frame.numbers[*slot as usize],
            Number::Size(set) => of_any!(set, set => set.value(scene, frame).len() as i64),
            Number::Arithmetic(operation, a, b) => {
                let (a, b) = (a.value(scene, frame), b.value(scene, frame));
                // A number outside of 64 bits is one that another condition excludes.
                operation.of(a, b).unwrap_or(i64::MAX)
            }
        }
    }
}

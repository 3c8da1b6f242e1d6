//! What has been given a place, by some columns of a tuple: a node of a graph, a row of bits.
//!
//! Where those columns have few values, they make one number, and the place is looked up by that; else
//! they are hashed.
//!
//! ```text
//! columns   S, by number     X of 9        key  9 · S + X
//!           #0               3             3        → place 0
//!           #7               1             64       → place 1
//! ```

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::KeyHasher;

/// Columns that a key may have.
const MOST_COLUMNS: usize = 6;
/// Keys at most that are looked up by number: of all scalars together, and beside the number of a
/// set, of which there may be 65,535.
const MOST_SCALARS: u64 = 1 << 16;
const MOST_BESIDE_SET: u64 = 64;
/// Stands for no place.
const NONE: u32 = u32::MAX;

/// Places by key.
#[derive(Clone, Default)]
pub(super) struct Places {
    /// What each column is multiplied with, if keys have numbers.
    strides: Option<[u64; MOST_COLUMNS]>,
    bits: u32,
    /// By number, with the numbers that have a place.
    places: Vec<u32>,
    touched: Vec<u32>,
    hashed: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
}

impl Places {
    /// Forgets all places, and takes keys of columns with so many values each, or of sets by number;
    /// so many bits hold any of them.
    pub(super) fn begin(&mut self, values: impl Iterator<Item = Option<usize>> + Clone, bits: u32) {
        self.touched.iter().for_each(|&key| self.places[key as usize] = NONE);
        self.touched.clear();
        self.hashed.clear();
        self.bits = bits;
        let scalars = values.clone().flatten().fold(1u64, |all, n| all.saturating_mul(n as u64));
        let fits = match values.clone().filter(Option::is_none).count() {
            0 => scalars <= MOST_SCALARS,
            1 => scalars <= MOST_BESIDE_SET,
            _ => false,
        };
        self.strides = (fits && values.clone().count() <= MOST_COLUMNS).then(|| {
            let mut strides = [scalars; MOST_COLUMNS];
            let mut next = 1;
            for (stride, values) in strides.iter_mut().zip(values) {
                if let Some(values) = values {
                    *stride = next;
                    next *= values as u64;
                }
            }
            strides
        });
    }

    #[inline(always)]
    fn key(&self, columns: &[usize], tuple: &[u16]) -> u64 {
        let value = |column: usize| u64::from(tuple[column]);
        let Some(strides) = &self.strides else {
            return columns.iter().fold(0, |key, &column| key << self.bits | value(column));
        };
        match *columns {
            // Mostly it is a set or a cell, and a digit.
            [a, b] => value(a) * strides[0] + value(b) * strides[1],
            _ => columns.iter().zip(strides).map(|(&column, stride)| value(column) * stride).sum(),
        }
    }

    /// The place of a key, if it has one.
    #[inline]
    pub(super) fn find(&self, columns: &[usize], tuple: &[u16]) -> Option<usize> {
        let key = self.key(columns, tuple);
        let place = match self.strides {
            Some(_) => self.places.get(key as usize).copied().filter(|&place| place != NONE),
            None => self.hashed.get(&key).copied(),
        };
        place.map(|place| place as usize)
    }

    /// The place of a key; this one if it has none.
    #[inline]
    pub(super) fn of(&mut self, columns: &[usize], tuple: &[u16], new: usize) -> usize {
        let key = self.key(columns, tuple);
        let place = match self.strides {
            Some(_) => {
                if key as usize >= self.places.len() {
                    self.places.resize((key as usize + 1).next_power_of_two(), NONE);
                }
                &mut self.places[key as usize]
            }
            None => self.hashed.entry(key).or_insert(NONE),
        };
        if *place == NONE {
            *place = new as u32;
            if self.strides.is_some() {
                self.touched.push(key as u32);
            }
        }
        *place as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_place() {
        let mut places = Places::default();
        // Numbered, numbered beside a set, hashed.
        for values in [[Some(9), Some(81)], [None, Some(9)], [None, None]] {
            places.begin(values.into_iter(), 16);
            let mut random = crate::random::Random::new(5);
            let mut slow: Vec<[u16; 3]> = Vec::new();
            for _ in 0..500 {
                let tuple = [random.below(9) as u16, 7, random.below(9) as u16];
                let known = slow.iter().position(|other| *other == tuple);
                assert_eq!(places.find(&[0, 2], &tuple), known);
                if known.is_none() {
                    slow.push(tuple);
                }
                let expected = known.unwrap_or(slow.len() - 1);
                assert_eq!(places.of(&[0, 2], &tuple, slow.len() - 1), expected);
            }
        }
    }
}

//! Cells, digits and houses as small numbers, and sets of them as bits.

use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// Something counted from zero that a [`Set`] can hold.
pub trait Index: Copy + Ord {
    /// Its number, from zero.
    fn index(self) -> usize;
    /// The thing with this number.
    fn at(index: usize) -> Self;
}

macro_rules! index {
    ($(#[$doc:meta])* $name:ident($number:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name($number);

        impl Index for $name {
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
            #[inline]
            fn at(index: usize) -> Self {
                $name(index as $number)
            }
        }

        impl $name {
            /// Its number, from zero.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
            /// The one with this number, from zero.
            #[inline]
            pub fn at(index: usize) -> Self {
                $name(index as $number)
            }
        }
    };
}

index! {
    /// A cell, numbered row by row from the top left.
    Cell(u16)
}
index! {
    /// A digit; its index is one less than what is written in the grid.
    Digit(u8)
}
index! {
    /// A house: rows first, then columns, then boxes, then any further ones of the layout.
    House(u8)
}

impl Digit {
    /// The digit written as `number`, from 1.
    pub fn new(number: usize) -> Digit {
        debug_assert!(number >= 1);
        Digit::at(number - 1)
    }
    /// The number as written, from 1.
    pub fn number(self) -> usize {
        self.index() + 1
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// A set of `T`, one bit each, in `W` words. Iterates in ascending order.
pub struct Set<T, const W: usize> {
    words: [u64; W],
    of: PhantomData<fn() -> T>,
}

/// A set of cells, up to 25 × 25.
pub type Cells = Set<Cell, 10>;
/// A set of digits, up to 25.
pub type Digits = Set<Digit, 1>;
/// A set of houses, up to 128.
pub type Houses = Set<House, 2>;

impl<T: Index, const W: usize> Set<T, W> {
    /// The empty set.
    pub const EMPTY: Self = Set { words: [0; W], of: PhantomData };

    /// The set of one thing.
    pub fn only(item: T) -> Self {
        let mut set = Self::EMPTY;
        set.insert(item);
        set
    }

    /// The first `count` things.
    pub fn first_n(count: usize) -> Self {
        let mut set = Self::EMPTY;
        for (w, word) in set.words.iter_mut().enumerate() {
            let here = count.saturating_sub(64 * w).min(64);
            *word = if here == 64 { u64::MAX } else { (1 << here) - 1 };
        }
        set
    }

    /// The bits, lowest first.
    #[inline]
    pub fn words(&self) -> &[u64; W] {
        &self.words
    }

    /// The set with these bits.
    #[inline]
    pub fn from_words(words: [u64; W]) -> Self {
        Set { words, of: PhantomData }
    }

    /// Adds `item`.
    #[inline]
    pub fn insert(&mut self, item: T) {
        self.words[item.index() / 64] |= 1 << (item.index() % 64);
    }

    /// Takes `item` out.
    #[inline]
    pub fn remove(&mut self, item: T) {
        self.words[item.index() / 64] &= !(1 << (item.index() % 64));
    }

    /// Whether `item` is in the set.
    #[inline]
    pub fn contains(&self, item: T) -> bool {
        self.words[item.index() / 64] >> (item.index() % 64) & 1 == 1
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Whether every member is in `other`.
    #[inline]
    pub fn within(&self, other: &Self) -> bool {
        (0..W).all(|w| self.words[w] & !other.words[w] == 0)
    }

    /// Whether some member is in `other`.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        (0..W).any(|w| self.words[w] & other.words[w] != 0)
    }

    /// The lowest member.
    #[inline]
    pub fn first(&self) -> Option<T> {
        (0..W)
            .find(|&w| self.words[w] != 0)
            .map(|w| T::at(64 * w + self.words[w].trailing_zeros() as usize))
    }

    /// The one member, if there is exactly one.
    #[inline]
    pub fn single(&self) -> Option<T> {
        if self.len() == 1 { self.first() } else { None }
    }

    /// The members in ascending order.
    pub fn iter(&self) -> Members<T, W> {
        Members { rest: *self, word: 0 }
    }
}

/// The members of a [`Set`] in ascending order.
pub struct Members<T, const W: usize> {
    rest: Set<T, W>,
    word: usize,
}

impl<T: Index, const W: usize> Iterator for Members<T, W> {
    type Item = T;
    #[inline]
    fn next(&mut self) -> Option<T> {
        while self.word < W {
            let bits = &mut self.rest.words[self.word];
            if *bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(T::at(64 * self.word + bit));
            }
            self.word += 1;
        }
        None
    }
}

impl<T: Index, const W: usize> IntoIterator for Set<T, W> {
    type Item = T;
    type IntoIter = Members<T, W>;
    fn into_iter(self) -> Members<T, W> {
        self.iter()
    }
}

impl<T: Index, const W: usize> IntoIterator for &Set<T, W> {
    type Item = T;
    type IntoIter = Members<T, W>;
    fn into_iter(self) -> Members<T, W> {
        self.iter()
    }
}

impl<T: Index, const W: usize> FromIterator<T> for Set<T, W> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = Self::EMPTY;
        for item in items {
            set.insert(item);
        }
        set
    }
}

impl<T, const W: usize> Clone for Set<T, W> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const W: usize> Copy for Set<T, W> {}
/// The empty set.
impl<T: Index, const W: usize> Default for Set<T, W> {
    fn default() -> Self {
        Self::EMPTY
    }
}
impl<T, const W: usize> PartialEq for Set<T, W> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}
impl<T, const W: usize> Eq for Set<T, W> {}
impl<T, const W: usize> std::hash::Hash for Set<T, W> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.words.hash(state)
    }
}
impl<T, const W: usize> PartialOrd for Set<T, W> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
/// Sets are ordered as their sorted members would be read as words: lowest difference first.
impl<T, const W: usize> Ord for Set<T, W> {
    fn cmp(&self, other: &Self) -> Ordering {
        for w in 0..W {
            let difference = self.words[w] ^ other.words[w];
            if difference != 0 {
                let lowest = difference & difference.wrapping_neg();
                let has_it = self.words[w] & lowest != 0;
                let (owner, rest) = if has_it { (self, other) } else { (other, self) };
                let _ = owner;
                let above = !(lowest | (lowest - 1));
                let rest_goes_on =
                    rest.words[w] & above != 0 || rest.words[w + 1..].iter().any(|&x| x != 0);
                return match (has_it, rest_goes_on) {
                    (true, true) | (false, false) => Ordering::Less,
                    (true, false) | (false, true) => Ordering::Greater,
                };
            }
        }
        Ordering::Equal
    }
}

impl<T: Index + fmt::Debug, const W: usize> fmt::Debug for Set<T, W> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

macro_rules! operator {
    ($trait:ident $method:ident, $assign:ident $assign_method:ident, $apply:expr) => {
        impl<T, const W: usize> $trait for Set<T, W> {
            type Output = Self;
            #[inline]
            fn $method(mut self, other: Self) -> Self {
                self.$assign_method(other);
                self
            }
        }
        impl<T, const W: usize> $assign for Set<T, W> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                let apply: fn(u64, u64) -> u64 = $apply;
                for w in 0..W {
                    self.words[w] = apply(self.words[w], other.words[w]);
                }
            }
        }
    };
}
operator!(BitAnd bitand, BitAndAssign bitand_assign, |a, b| a & b);
operator!(BitOr bitor, BitOrAssign bitor_assign, |a, b| a | b);
operator!(Sub sub, SubAssign sub_assign, |a, b| a & !b);

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(numbers: &[usize]) -> Cells {
        numbers.iter().map(|&i| Cell::at(i)).collect()
    }

    #[test]
    fn members_come_in_order() {
        let found: Vec<usize> = cells(&[624, 3, 64, 63]).iter().map(|c| c.index()).collect();
        assert_eq!(found, [3, 63, 64, 624]);
    }

    #[test]
    fn order_is_that_of_the_member_lists() {
        let lists: [&[usize]; 7] = [&[], &[0], &[0, 1], &[0, 1, 200], &[0, 200], &[1], &[200]];
        for a in lists {
            for b in lists {
                assert_eq!(cells(a).cmp(&cells(b)), a.cmp(b), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn first_n_counts() {
        for n in [0, 1, 63, 64, 65, 625] {
            assert_eq!(Cells::first_n(n).len(), n);
        }
    }
}

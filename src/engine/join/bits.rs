//! Sets as plain bits, in the narrowest words that hold a layout.
//!
//! Joins are written once over [`Width`]: 128 bits hold the cells of 9 × 9, and the rest is
//! for larger boards.

use crate::board::Cells;

/// A set of small numbers.
pub(super) trait Bits: Copy + Eq + Send + Sync + 'static {
    /// No number.
    const EMPTY: Self;
    /// Just this number.
    fn only(item: usize) -> Self;
    /// The numbers below `count`.
    fn first_n(count: usize) -> Self;
    /// In both.
    fn and(self, other: Self) -> Self;
    /// In one of them.
    fn or(self, other: Self) -> Self;
    /// In this one only.
    fn minus(self, other: Self) -> Self;
    /// Whether there is none.
    fn is_empty(self) -> bool;
    /// Whether it is in the set.
    fn contains(self, item: usize) -> bool;
    /// How many there are.
    fn len(self) -> usize;
    /// Takes out the lowest; the set must not be empty.
    fn pop(&mut self) -> usize;
    /// A number to find the set by.
    fn hash(self) -> u64;
    /// The numbers from `64 * place` on, from bit 0.
    fn word(self, place: usize) -> u64;
    /// The set with this for its first word, and nothing else.
    fn of_word(word: u64) -> Self;

    /// Whether there are at most so many; fast for few.
    #[inline]
    fn at_most(mut self, count: usize) -> bool {
        for _ in 0..count {
            if self.is_empty() {
                return true;
            }
            self.pop();
        }
        self.is_empty()
    }
    /// The only member, if there is one and no other.
    #[inline]
    fn lone(mut self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let member = self.pop();
        self.is_empty().then_some(member)
    }
    /// Whether all are in the other.
    #[inline]
    fn within(self, other: Self) -> bool {
        self.minus(other).is_empty()
    }
    /// Whether some are in the other.
    #[inline]
    fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }
    /// Adds one.
    #[inline]
    fn insert(&mut self, item: usize) {
        *self = self.or(Self::only(item));
    }
    /// Calls `see` with each member in ascending order.
    #[inline(always)]
    fn each(mut self, mut see: impl FnMut(usize)) {
        while !self.is_empty() {
            see(self.pop());
        }
    }
    /// What becomes of `start` with each member. A fold over [`Bits::iter`] is not in line, and
    /// takes each member out of all words at once.
    #[inline(always)]
    fn gather<T: Copy>(self, start: T, with: impl Fn(T, usize) -> T) -> T {
        let mut all = start;
        self.each(|item| all = with(all, item));
        all
    }
    /// The members in ascending order.
    #[inline]
    fn iter(self) -> BitMembers<Self> {
        BitMembers(self)
    }
}

/// The members of a set, ascending.
pub(super) struct BitMembers<B>(B);

impl<B: Bits> Iterator for BitMembers<B> {
    type Item = usize;
    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() { None } else { Some(self.0.pop()) }
    }
}

macro_rules! bits {
    ($number:ty, $pop:path, $each:path) => {
        impl Bits for $number {
            const EMPTY: Self = 0;
            #[inline]
            fn only(item: usize) -> Self {
                1 << item
            }
            #[inline]
            fn first_n(count: usize) -> Self {
                if count >= <$number>::BITS as usize { !0 } else { (1 << count) - 1 }
            }
            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline]
            fn minus(self, other: Self) -> Self {
                self & !other
            }
            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline]
            fn contains(self, item: usize) -> bool {
                self >> item & 1 == 1
            }
            #[inline]
            fn len(self) -> usize {
                self.count_ones() as usize
            }
            #[inline]
            fn at_most(mut self, count: usize) -> bool {
                if count > 3 {
                    return self.len() <= count;
                }
                for _ in 0..count {
                    self &= self.wrapping_sub(1);
                }
                self == 0
            }
            #[inline]
            fn pop(&mut self) -> usize {
                $pop(self)
            }
            #[inline(always)]
            fn each(self, see: impl FnMut(usize)) {
                $each(self, see);
            }
            #[inline]
            fn hash(self) -> u64 {
                hash_words(self as u64, (self as u128 >> 64) as u64)
            }
            #[inline]
            fn word(self, place: usize) -> u64 {
                (self as u128 >> (64 * place)) as u64
            }
            #[inline]
            fn of_word(word: u64) -> Self {
                word as $number
            }
        }
    };
}
bits!(u64, pop_one_word, each_of_one_word);
bits!(u128, pop_two_words, each_of_two_words);

#[inline(always)]
fn hash_words(low: u64, high: u64) -> u64 {
    let mixed = (low ^ high.rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

#[inline(always)]
fn pop_one_word(set: &mut u64) -> usize {
    let item = set.trailing_zeros() as usize;
    *set &= *set - 1;
    item
}
#[inline(always)]
fn each_of_one_word(mut set: u64, mut see: impl FnMut(usize)) {
    while set != 0 {
        see(pop_one_word(&mut set));
    }
}

/// Two words by turns take half the instructions of one number of 128 bits.
#[inline(always)]
fn pop_two_words(set: &mut u128) -> usize {
    let (low, high) = (*set as u64, (*set >> 64) as u64);
    if low != 0 {
        *set = u128::from(low & (low - 1)) | u128::from(high) << 64;
        low.trailing_zeros() as usize
    } else {
        *set = u128::from(high & high.wrapping_sub(1)) << 64;
        64 + high.trailing_zeros() as usize
    }
}
#[inline(always)]
fn each_of_two_words(set: u128, mut see: impl FnMut(usize)) {
    each_of_one_word(set as u64, &mut see);
    each_of_one_word((set >> 64) as u64, |item| see(64 + item));
}

/// A set in `N` words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Words<const N: usize>([u64; N]);

impl<const N: usize> Words<N> {
    #[inline]
    fn zip(mut self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        for w in 0..N {
            self.0[w] = join(self.0[w], other.0[w]);
        }
        self
    }
}

impl<const N: usize> Bits for Words<N> {
    const EMPTY: Self = Words([0; N]);
    #[inline]
    fn only(item: usize) -> Self {
        let mut words = [0; N];
        words[item / 64] = 1 << (item % 64);
        Words(words)
    }
    fn first_n(count: usize) -> Self {
        Words(std::array::from_fn(|w| u64::first_n(count.saturating_sub(64 * w).min(64))))
    }
    #[inline]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
    #[inline]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
    #[inline]
    fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
    #[inline]
    fn is_empty(self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }
    #[inline]
    fn contains(self, item: usize) -> bool {
        self.0[item / 64] >> (item % 64) & 1 == 1
    }
    #[inline]
    fn len(self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }
    #[inline]
    fn pop(&mut self) -> usize {
        for (w, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                return 64 * w + word.pop();
            }
        }
        unreachable!("popped from an empty set")
    }
    fn hash(self) -> u64 {
        self.0.iter().fold(0, |hash, &word| hash_words(hash, word))
    }
    #[inline]
    fn word(self, place: usize) -> u64 {
        self.0[place]
    }
    #[inline]
    fn of_word(word: u64) -> Self {
        let mut words = [0; N];
        words[0] = word;
        Words(words)
    }
}

/// How wide the sets of a layout are.
pub(super) trait Width: Copy + Send + Sync + 'static {
    /// A set of cells.
    type Cells: Bits;
    /// A set of digits or of houses.
    type Small: Bits;
    /// From the board's sets.
    fn narrow(cells: &Cells) -> Self::Cells;
    /// To the board's sets.
    fn widen(cells: Self::Cells) -> Cells;
}

/// Up to 128 cells and 64 houses: 9 × 9 and smaller.
#[derive(Clone, Copy)]
pub(super) struct Narrow;
/// Up to `64 * N` cells and 128 houses.
#[derive(Clone, Copy)]
pub(super) struct Wide<const N: usize>;

/// Up to 256 cells. On the web the size of the program counts for more than the speed of large
/// boards: they all take the widest words.
#[cfg(not(target_family = "wasm"))]
pub(super) type Middle = Wide<4>;
#[cfg(target_family = "wasm")]
pub(super) type Middle = Wide<10>;

impl Width for Narrow {
    type Cells = u128;
    type Small = u64;
    #[inline]
    fn narrow(cells: &Cells) -> u128 {
        let words = cells.words();
        words[0] as u128 | (words[1] as u128) << 64
    }
    fn widen(cells: u128) -> Cells {
        let mut words = [0; 10];
        (words[0], words[1]) = (cells as u64, (cells >> 64) as u64);
        Cells::from_words(words)
    }
}

impl<const N: usize> Width for Wide<N> {
    type Cells = Words<N>;
    type Small = u128;
    #[inline]
    fn narrow(cells: &Cells) -> Words<N> {
        Words(std::array::from_fn(|w| cells.words()[w]))
    }
    fn widen(cells: Words<N>) -> Cells {
        Cells::from_words(std::array::from_fn(|w| cells.0.get(w).copied().unwrap_or(0)))
    }
}

//! The candidates of a 9×9 board in vector registers: the type on which deduction and
//! enumeration run.
//!
//! A *lane* is one digit in one band (three rows): 27 bits, the cells of the band row by row. Nine
//! digits and three bands make 27 lanes, two 512-bit or four 256-bit registers:
//!
//! ```text
//! lane       0  1  2  3 │ 4  5  6  7 │ 8  9 10 11 │ 12 13 14 15
//! digit      1  2  3  4 │ 1  2  3  4 │ 1  2  3  4 │  9  9  9  –
//! band       1  1  1  1 │ 2  2  2  2 │ 3  3  3  3 │  1  2  3  –
//! lane      16 17 18 19 │20 21 22 23 │24 25 26 27 │ 28 29 30 31
//! digit      5  6  7  8 │ 5  6  7  8 │ 5  6  7  8 │  –  –  –  –
//!
//! bit of a lane    0  1  2 │ 3  4  5 │ 6  7  8      first row of the band
//!                  9 10 11 │12 13 14 │15 16 17
//!                 18 19 20 │21 22 23 │24 25 26      bits 27 to 31 are 0
//! ```
//!
//! A quarter holds one band, so going through the digits of a cell folds a register onto itself
//! and leaves the answer where the next step needs it; going through the bands of a column turns
//! the quarters. Lanes and bits marked `–` are always 0.
//!
//! # Writing a kernel
//!
//! A kernel is a struct with its arguments and one method that is generic over [`Lanes`]:
//!
//! ```
//! use dokulog::board::simd::{self, Kernel, Lanes, Planes};
//!
//! /// Cells with exactly one candidate.
//! struct Singles<'a>(&'a Planes);
//!
//! impl Kernel for Singles<'_> {
//!     type Output = [u32; 3];
//!     #[inline(always)]
//!     fn run<L: Lanes>(self) -> [u32; 3] {
//!         let [one, two] = L::load(self.0).digits_2();
//!         (one - two).bands()
//!     }
//! }
//!
//! assert_eq!(simd::run(Singles(&Planes::FULL)), [0; 3]);
//! ```
//!
//! [`run`] picks the best instructions of this machine once for the whole kernel, so a kernel
//! should be a whole fixpoint or search, not one operation. Everything a kernel calls with lanes in
//! its arguments must be `#[inline(always)]` too (closures are not: use functions), else the
//! compiler has no registers to pass them in. `unsafe` is confined to `x86`.

mod portable;
mod tables;
#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(target_arch = "x86_64")]
mod x86_tables;

use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr, Sub};

use super::sets::{Cell, Cells, Digit};

pub use tables::{ByCell, Tight};

/// All 27 cells of a band.
pub const BAND: u32 = (1 << 27) - 1;

/// The lane of a digit (from 0) in a band (from 0).
#[inline(always)]
pub const fn lane(digit: usize, band: usize) -> usize {
    match digit {
        0..4 => 4 * band + digit,
        4..8 => 12 + 4 * band + digit,
        _ => 12 + band,
    }
}

/// The 81 cells as three bands of 27 bits.
#[inline]
pub fn bands(cells: Cells) -> [u32; 3] {
    let bits = cells.words()[0] as u128 | (cells.words()[1] as u128) << 64;
    std::array::from_fn(|band| (bits >> (27 * band)) as u32 & BAND)
}

/// The planes at rest: what [`Lanes`] are loaded from and stored to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Planes(pub [u32; 32]);

impl Planes {
    /// No candidates.
    pub const EMPTY: Planes = Planes([0; 32]);
    /// All 729 candidates.
    pub const FULL: Planes = {
        let mut lanes = [0; 32];
        let mut i = 0;
        while i < 27 {
            lanes[lane(i / 3, i % 3)] = BAND;
            i += 1;
        }
        Planes(lanes)
    };

    /// The planes with these cells for each of the nine digits.
    pub fn from_cells(cells: &[Cells]) -> Planes {
        let mut planes = Planes::EMPTY;
        for (digit, cells) in cells.iter().enumerate() {
            for (band, cells) in bands(*cells).into_iter().enumerate() {
                planes.0[lane(digit, band)] = cells;
            }
        }
        planes
    }

    /// The planes with these cells for every digit.
    pub fn splat(cells: Cells) -> Planes {
        let bands = bands(cells);
        let mut planes = Planes::EMPTY;
        for digit in 0..9 {
            for (band, &cells) in bands.iter().enumerate() {
                planes.0[lane(digit, band)] = cells;
            }
        }
        planes
    }

    /// The cells of one digit.
    pub fn cells(&self, digit: Digit) -> Cells {
        let part = |band| (self.0[lane(digit.index(), band)] as u128) << (27 * band);
        let bits = part(0) | part(1) | part(2);
        let mut words = *Cells::EMPTY.words();
        (words[0], words[1]) = (bits as u64, (bits >> 64) as u64);
        Cells::from_words(words)
    }

    /// Whether a candidate is there.
    #[inline]
    pub fn contains(&self, cell: Cell, digit: Digit) -> bool {
        self.0[lane(digit.index(), cell.index() / 27)] >> (cell.index() % 27) & 1 == 1
    }

    /// Adds a candidate.
    #[inline]
    pub fn insert(&mut self, cell: Cell, digit: Digit) {
        self.0[lane(digit.index(), cell.index() / 27)] |= 1 << (cell.index() % 27);
    }

    /// Takes a candidate away.
    #[inline]
    pub fn remove(&mut self, cell: Cell, digit: Digit) {
        self.0[lane(digit.index(), cell.index() / 27)] &= !(1 << (cell.index() % 27));
    }
}

/// Bits in registers. All operators work on every lane at once; `-` is set difference, as for
/// [`Cells`]; shifts move bits within their lane.
pub trait Bits:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Sub<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The same bits in all lanes, unused ones included: for masks.
    fn splat(bits: u32) -> Self;
    /// Arithmetic `(self << N) - self`: a lone bit becomes a run of `N`.
    fn run_of(self, n: u32) -> Self;
    /// Bits in at least one of three.
    #[inline(always)]
    fn any_of(a: Self, b: Self, c: Self) -> Self {
        a | b | c
    }
    /// Bits in at least two of three.
    #[inline(always)]
    fn two_of(a: Self, b: Self, c: Self) -> Self {
        (a & b) | (c & (a | b))
    }
    /// Bits in exactly one of three.
    #[inline(always)]
    fn one_of(a: Self, b: Self, c: Self) -> Self {
        (a ^ b ^ c) - (a & b & c)
    }
    /// The first where the mask has a one, the second elsewhere.
    #[inline(always)]
    fn select(mask: Self, yes: Self, no: Self) -> Self {
        (yes & mask) | (no - mask)
    }
    /// For each lane the next band of its digit, and the one after that.
    fn turn(self) -> [Self; 2];
    /// Bits in any band of the digit.
    #[inline(always)]
    fn any_band(self) -> Self {
        let [next, last] = self.turn();
        Self::any_of(self, next, last)
    }
}

/// The whole board in registers.
pub trait Lanes: Bits {
    /// A set of cells, not of one digit's candidates.
    type Cells: CellSet;
    /// From memory.
    fn load(planes: &Planes) -> Self;
    /// To memory.
    fn store(self, planes: &mut Planes);
    /// Half as many lanes: digits 5 to 8 share those of digits 1 to 4. For heads, which leave most
    /// bits of a lane free, each step is taken once then instead of twice.
    type Pairs: Bits;
    /// Digits 5 to 8 go to the lanes of digits 1 to 4, `n` bits further up, where nothing is.
    fn pair(self, n: u32) -> Self::Pairs;
    /// Back to their own lanes, these bits of each digit.
    fn unpair(pairs: Self::Pairs, n: u32, bits: u32) -> Self;
    /// The same bits in all 27 lanes: for comparisons.
    #[inline(always)]
    fn all(bits: u32) -> Self {
        Self::splat(bits) & Self::load(&LANES)
    }
    /// A set of cells, in the lanes of all digits.
    fn at(cells: Self::Cells) -> Self;
    /// For each band its bits, in the lanes of all digits.
    fn from_bands(bands: [u32; 3]) -> Self;
    /// The bits of the three bands, of a value that is equal for all digits.
    fn bands(self) -> [u32; 3];
    /// Whether no bit is set.
    fn is_empty(self) -> bool;
    /// The lanes with a bit set, one bit a lane.
    fn lanes(self) -> u32;
    /// Whether one of the 27 lanes has no bit set.
    #[inline(always)]
    fn has_empty_lane(self) -> bool {
        self.lanes() & 0x0fff_7fff != 0x0fff_7fff
    }
    /// Arithmetic sum, lane by lane.
    fn plus(self, other: Self) -> Self;
    /// Cells that at least one digit has.
    fn count_1(self) -> Self::Cells;
    /// Cells that at least one, two digits have.
    fn count_2(self) -> [Self::Cells; 2];
    /// Bits that at least one digit has, in the lanes of all digits.
    #[inline(always)]
    fn any_digit(self) -> Self {
        Self::at(self.count_1())
    }
    /// Bits that at least one, two digits have, in the lanes of all digits.
    #[inline(always)]
    fn digits_2(self) -> [Self; 2] {
        let [one, two] = self.count_2();
        [Self::at(one), Self::at(two)]
    }
    /// Bits that at least one, two, three, four digits have, in the lanes of all digits.
    fn digits_4(self) -> [Self; 4];
    /// The digits of each cell.
    #[inline(always)]
    fn by_cell(self) -> ByCell {
        let mut planes = Planes::EMPTY;
        self.store(&mut planes);
        tables::by_cell(&planes)
    }
    /// The cells of each number from 1 to 9.
    #[inline(always)]
    fn from_numbers(numbers: &[u8; 81]) -> Self {
        Self::load(&tables::from_numbers(numbers))
    }
    /// The number of each cell's highest candidate, 0 where there is none.
    #[inline(always)]
    fn to_numbers(self, numbers: &mut [u8; 81]) {
        let mut planes = Planes::EMPTY;
        self.store(&mut planes);
        tables::to_numbers(&planes, numbers);
    }
    /// Sets of the first `count` masks that have as many bits as members.
    #[inline(always)]
    fn tight(masks: &[u16; 9], count: usize) -> Tight {
        tables::tight(masks, count)
    }
}

/// A set of the 81 cells, in the registers where [`Lanes`] find it cheapest.
pub trait CellSet: Copy + Sub<Output = Self> {
    /// No cells.
    fn none() -> Self;
    /// Whether all 81 cells are in it.
    fn is_all(self) -> bool;
    /// Whether both are the same set.
    fn is_same(self, other: Self) -> bool;
    /// The cells band by band.
    fn bands(self) -> [u32; 3];
}

/// Ones in the 27 lanes that are used.
const LANES: Planes = {
    let mut lanes = Planes::FULL.0;
    let mut i = 0;
    while i < 32 {
        if lanes[i] != 0 {
            lanes[i] = u32::MAX;
        }
        i += 1;
    }
    Planes(lanes)
};

/// A computation on lanes, with its arguments. See the [module](self) for how to write one.
pub trait Kernel {
    /// What it computes.
    type Output;
    /// Computes it. Must be `#[inline(always)]`, and so must all it calls with lanes.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Instructions that lanes can be made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// Two 512-bit registers, three-operand logic.
    Avx512,
    /// Four 256-bit registers.
    Avx2,
    /// Plain arrays, any machine.
    Portable,
}

impl Isa {
    /// All of them, best first.
    pub const ALL: [Isa; 3] = [Isa::Avx512, Isa::Avx2, Isa::Portable];
}

/// Runs a kernel with the best instructions that this machine has.
#[inline(always)]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    return x86::run(kernel);
    #[cfg(not(target_arch = "x86_64"))]
    kernel.run::<portable::Array>()
}

/// Runs a kernel with chosen instructions, if this machine has them: for tests.
pub fn run_on<K: Kernel>(isa: Isa, kernel: K) -> Option<K::Output> {
    #[cfg(target_arch = "x86_64")]
    if isa != Isa::Portable {
        return x86::run_on(isa, kernel);
    }
    (isa == Isa::Portable).then(|| kernel.run::<portable::Array>())
}

#[cfg(test)]
mod tests;

//! Lanes as a plain array. Slow, obvious, and the judge of the others.

use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr, Sub};

use super::{BAND, Bits, CellSet, Lanes, Planes, lane};

/// The lanes in the order of [`Planes`].
#[derive(Clone, Copy)]
pub(super) struct Array([u32; 32]);

macro_rules! operator {
    ($trait:ident $method:ident, $apply:expr) => {
        impl $trait for Array {
            type Output = Array;
            #[inline]
            fn $method(self, other: Array) -> Array {
                let apply: fn(u32, u32) -> u32 = $apply;
                Array(std::array::from_fn(|i| apply(self.0[i], other.0[i])))
            }
        }
    };
}
operator!(BitAnd bitand, |a, b| a & b);
operator!(BitOr bitor, |a, b| a | b);
operator!(BitXor bitxor, |a, b| a ^ b);
operator!(Sub sub, |a, b| a & !b);

impl Shl<u32> for Array {
    type Output = Array;
    #[inline]
    fn shl(self, n: u32) -> Array {
        Array(self.0.map(|bits| bits << n))
    }
}

impl Shr<u32> for Array {
    type Output = Array;
    #[inline]
    fn shr(self, n: u32) -> Array {
        Array(self.0.map(|bits| bits >> n))
    }
}

/// The cells band by band.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Bands([u32; 3]);

impl Sub for Bands {
    type Output = Bands;
    #[inline]
    fn sub(self, other: Bands) -> Bands {
        Bands(std::array::from_fn(|band| self.0[band] & !other.0[band]))
    }
}

impl CellSet for Bands {
    fn none() -> Bands {
        Bands([0; 3])
    }
    fn is_all(self) -> bool {
        self.0 == [BAND; 3]
    }
    fn is_same(self, other: Bands) -> bool {
        self == other
    }
    fn bands(self) -> [u32; 3] {
        self.0
    }
}

impl Array {
    /// Bits that at least one to `N` digits have, band by band.
    fn count<const N: usize>(self) -> [[u32; 3]; N] {
        let mut counts = [[0; 3]; N];
        for (digit, band) in (0..27).map(|i| (i / 3, i % 3)) {
            let bits = self.0[lane(digit, band)];
            for n in (1..N).rev() {
                counts[n][band] |= counts[n - 1][band] & bits;
            }
            counts[0][band] |= bits;
        }
        counts
    }
}

impl Bits for Array {
    fn splat(bits: u32) -> Array {
        Array([bits; 32])
    }
    fn run_of(self, n: u32) -> Array {
        Array(self.0.map(|bits| (bits << n).wrapping_sub(bits)))
    }
    fn turn(self) -> [Array; 2] {
        [1, 2].map(|steps| {
            let mut lanes = [0; 32];
            for digit in 0..9 {
                for band in 0..3 {
                    lanes[lane(digit, band)] = self.0[lane(digit, (band + steps) % 3)];
                }
            }
            Array(lanes)
        })
    }
}

impl Lanes for Array {
    type Cells = Bands;
    /// Every digit stays where it is.
    type Pairs = Array;
    fn pair(self, _: u32) -> Array {
        self
    }
    fn unpair(pairs: Array, _: u32, bits: u32) -> Array {
        pairs & Array::splat(bits)
    }
    fn load(planes: &Planes) -> Array {
        Array(planes.0)
    }
    fn store(self, planes: &mut Planes) {
        planes.0 = self.0;
    }
    fn at(cells: Bands) -> Array {
        Array::from_bands(cells.0)
    }
    fn from_bands(bands: [u32; 3]) -> Array {
        let mut lanes = [0; 32];
        for digit in 0..9 {
            for (band, &bits) in bands.iter().enumerate() {
                lanes[lane(digit, band)] = bits;
            }
        }
        Array(lanes)
    }
    fn bands(self) -> [u32; 3] {
        std::array::from_fn(|band| self.0[lane(0, band)])
    }
    fn is_empty(self) -> bool {
        self.0 == [0; 32]
    }
    fn lanes(self) -> u32 {
        (0..32).map(|lane| u32::from(self.0[lane] != 0) << lane).sum()
    }
    fn plus(self, other: Array) -> Array {
        Array(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }
    fn count_1(self) -> Bands {
        let [any] = self.count::<1>();
        Bands(any)
    }
    fn count_2(self) -> [Bands; 2] {
        self.count().map(Bands)
    }
    fn digits_4(self) -> [Array; 4] {
        self.count().map(Array::from_bands)
    }
}

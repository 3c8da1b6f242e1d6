//! Lanes in four 256-bit registers.

use std::arch::x86_64::*;
use std::ops::Sub;

use super::super::{BAND, Bits, ByCell, CellSet, Lanes, Planes, Tight, x86_tables};
use super::{BY_ONE, BY_TWO, TURN_1, TURN_2, fold, load_bands, store_bands};

/// Four 256-bit registers: bands 1 and 2, then band 3 and digit 9, of digits 1 to 4; the same of
/// digits 5 to 8 (without digit 9).
#[derive(Clone, Copy)]
pub(super) struct Half(
    pub(super) __m256i,
    pub(super) __m256i,
    pub(super) __m256i,
    pub(super) __m256i,
);

/// Two 256-bit registers: those of digits 1 to 4 and 9, and in between their bits those of digits 5
/// to 8.
#[derive(Clone, Copy)]
pub(super) struct HalfPairs(pub(super) __m256i, pub(super) __m256i);

/// Cells in two 256-bit registers: bands 1 and 2 in their halves, band 3 in the lower half, the
/// upper half is of no meaning.
#[derive(Clone, Copy)]
pub(super) struct HalfCells(__m256i, __m256i);

/// An instruction on each of the four registers.
macro_rules! each {
    ($op:ident($a:ident, $b:ident)) => {
        Half($op($a.0, $b.0), $op($a.1, $b.1), $op($a.2, $b.2), $op($a.3, $b.3))
    };
}

impl Half {
    /// The three lanes of digit 9: the first two each in its band's half, the third in both.
    #[inline(always)]
    unsafe fn nine(self) -> (__m256i, __m256i) {
        unsafe {
            let to = _mm256_setr_epi32(4, 4, 4, 4, 5, 5, 5, 5);
            (
                _mm256_permutevar8x32_epi32(self.1, to),
                _mm256_permutevar8x32_epi32(self.1, _mm256_set1_epi32(6)),
            )
        }
    }

    /// From bands 1 and 2 in their halves, and band 3 in the lower half.
    #[inline(always)]
    unsafe fn spread(first: __m256i, third: __m256i) -> Half {
        unsafe {
            let third = _mm256_zextsi128_si256(_mm256_castsi256_si128(third));
            let to = _mm256_setr_epi32(0, 0, 0, 0, 0, 4, 0, 0);
            let nine = _mm256_permutevar8x32_epi32(first, to);
            let nine = _mm256_blend_epi32::<0b0011_0000>(third, nine);
            let twice = _mm256_permute2x128_si256::<0>(third, third);
            Half(first, _mm256_blend_epi32::<0b0100_0000>(nine, twice), first, third)
        }
    }

    /// Bands 1 and 2 and then 3 (with digit 9) turned by one, by two.
    #[inline(always)]
    unsafe fn turn_bands(first: __m256i, third: __m256i) -> [(__m256i, __m256i); 2] {
        unsafe {
            let second = _mm256_permute2x128_si256::<0x11>(first, first);
            [
                (
                    _mm256_permute2x128_si256::<0x21>(first, third),
                    _mm256_blend_epi32::<0xf0>(first, _mm256_shuffle_epi32::<TURN_1>(third)),
                ),
                (
                    _mm256_permute2x128_si256::<0x20>(third, first),
                    _mm256_blend_epi32::<0xf0>(second, _mm256_shuffle_epi32::<TURN_2>(third)),
                ),
            ]
        }
    }

    /// Every quarter's four lanes joined.
    #[inline(always)]
    unsafe fn join(any: __m256i) -> __m256i {
        unsafe {
            let any = _mm256_or_si256(any, _mm256_shuffle_epi32::<BY_TWO>(any));
            _mm256_or_si256(any, _mm256_shuffle_epi32::<BY_ONE>(any))
        }
    }

    /// Arithmetic difference, lane by lane.
    #[inline(always)]
    unsafe fn sub_each(self, other: Half) -> Half {
        unsafe { each!(_mm256_sub_epi32(self, other)) }
    }
}

// SAFETY (all blocks): as for `Half`.
impl Bits for HalfPairs {
    #[inline(always)]
    fn splat(bits: u32) -> HalfPairs {
        let all = unsafe { _mm256_set1_epi32(bits as i32) };
        HalfPairs(all, all)
    }
    #[inline(always)]
    fn run_of(self, n: u32) -> HalfPairs {
        let far = self << n;
        unsafe { HalfPairs(_mm256_sub_epi32(far.0, self.0), _mm256_sub_epi32(far.1, self.1)) }
    }
    #[inline(always)]
    fn turn(self) -> [HalfPairs; 2] {
        let [one, two] = unsafe { Half::turn_bands(self.0, self.1) };
        [HalfPairs(one.0, one.1), HalfPairs(two.0, two.1)]
    }
}

// SAFETY (all blocks): a `Half` exists or is made for a kernel that `run_half` runs, so the machine
// has AVX2.
impl Bits for Half {
    #[inline(always)]
    fn splat(bits: u32) -> Half {
        let all = unsafe { _mm256_set1_epi32(bits as i32) };
        Half(all, all, all, all)
    }
    #[inline(always)]
    fn run_of(self, n: u32) -> Half {
        unsafe { (self << n).sub_each(self) }
    }
    #[inline(always)]
    fn turn(self) -> [Half; 2] {
        unsafe {
            let (low, high) = (Half::turn_bands(self.0, self.1), Half::turn_bands(self.2, self.3));
            [
                Half(low[0].0, low[0].1, high[0].0, high[0].1),
                Half(low[1].0, low[1].1, high[1].0, high[1].1),
            ]
        }
    }
}

// SAFETY (all blocks): as above.
impl Lanes for Half {
    type Cells = HalfCells;
    type Pairs = HalfPairs;
    #[inline(always)]
    fn pair(self, n: u32) -> HalfPairs {
        let far = self << n;
        unsafe { HalfPairs(_mm256_or_si256(self.0, far.2), _mm256_or_si256(self.1, far.3)) }
    }
    #[inline(always)]
    fn unpair(pairs: HalfPairs, n: u32, bits: u32) -> Half {
        let far = pairs >> n;
        Half(pairs.0, pairs.1, far.0, far.1) & Half::splat(bits)
    }
    #[inline(always)]
    fn at(cells: HalfCells) -> Half {
        unsafe { Half::spread(cells.0, cells.1) }
    }
    #[inline(always)]
    fn load(planes: &Planes) -> Half {
        let at = planes.0.as_ptr().cast::<__m256i>();
        unsafe {
            Half(
                _mm256_load_si256(at),
                _mm256_load_si256(at.add(1)),
                _mm256_load_si256(at.add(2)),
                _mm256_load_si256(at.add(3)),
            )
        }
    }
    #[inline(always)]
    fn store(self, planes: &mut Planes) {
        let at = planes.0.as_mut_ptr().cast::<__m256i>();
        unsafe {
            _mm256_store_si256(at, self.0);
            _mm256_store_si256(at.add(1), self.1);
            _mm256_store_si256(at.add(2), self.2);
            _mm256_store_si256(at.add(3), self.3);
        }
    }
    #[inline(always)]
    fn from_bands([a, b, c]: [u32; 3]) -> Half {
        let (a, b, c) = (a as i32, b as i32, c as i32);
        unsafe {
            let first = _mm256_setr_epi32(a, a, a, a, b, b, b, b);
            Half(
                first,
                _mm256_setr_epi32(c, c, c, c, a, b, c, 0),
                first,
                _mm256_setr_epi32(c, c, c, c, 0, 0, 0, 0),
            )
        }
    }
    #[inline(always)]
    fn bands(self) -> [u32; 3] {
        unsafe {
            [
                _mm256_extract_epi32::<0>(self.0) as u32,
                _mm256_extract_epi32::<4>(self.0) as u32,
                _mm256_extract_epi32::<0>(self.1) as u32,
            ]
        }
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        unsafe {
            let any =
                _mm256_or_si256(_mm256_or_si256(self.0, self.1), _mm256_or_si256(self.2, self.3));
            _mm256_testz_si256(any, any) == 1
        }
    }
    #[inline(always)]
    fn lanes(self) -> u32 {
        unsafe {
            let zero = _mm256_setzero_si256();
            // Two registers' comparisons packed to 16 bits, then all four to 8: packing works in
            // quarters, so that the quarters come out as 0, 2, 4, 6, 1, 3, 5, 7.
            let low = _mm256_packs_epi32(
                _mm256_cmpeq_epi32(self.0, zero),
                _mm256_cmpeq_epi32(self.1, zero),
            );
            let high = _mm256_packs_epi32(
                _mm256_cmpeq_epi32(self.2, zero),
                _mm256_cmpeq_epi32(self.3, zero),
            );
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            let packed = _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high), order);
            !_mm256_movemask_epi8(packed) as u32
        }
    }
    #[inline(always)]
    fn plus(self, other: Half) -> Half {
        unsafe { each!(_mm256_add_epi32(self, other)) }
    }
    #[inline(always)]
    fn count_1(self) -> HalfCells {
        unsafe {
            let (nine, last) = self.nine();
            let first = Half::join(_mm256_or_si256(self.0, self.2));
            let third = Half::join(_mm256_or_si256(self.1, self.3));
            HalfCells(_mm256_or_si256(first, nine), _mm256_or_si256(third, last))
        }
    }
    #[inline(always)]
    fn count_2(self) -> [HalfCells; 2] {
        unsafe {
            let (nine, last) = self.nine();
            fold!(_mm256_shuffle_epi32, _mm256_or_si256, _mm256_and_si256, self.0, self.2
                => one two);
            fold!(_mm256_shuffle_epi32, _mm256_or_si256, _mm256_and_si256, self.1, self.3
                => one3 two3);
            let two = _mm256_or_si256(two, _mm256_and_si256(one, nine));
            let two3 = _mm256_or_si256(two3, _mm256_and_si256(one3, last));
            [
                HalfCells(_mm256_or_si256(one, nine), _mm256_or_si256(one3, last)),
                HalfCells(two, two3),
            ]
        }
    }
    #[inline(always)]
    fn digits_4(self) -> [Half; 4] {
        unsafe {
            let (nine, last) = self.nine();
            fold!(_mm256_shuffle_epi32, _mm256_or_si256, _mm256_and_si256, self.0, self.2
                => one two three four);
            fold!(_mm256_shuffle_epi32, _mm256_or_si256, _mm256_and_si256, self.1, self.3
                => one3 two3 three3 four3);
            let four = _mm256_or_si256(four, _mm256_and_si256(three, nine));
            let four3 = _mm256_or_si256(four3, _mm256_and_si256(three3, last));
            let three = _mm256_or_si256(three, _mm256_and_si256(two, nine));
            let three3 = _mm256_or_si256(three3, _mm256_and_si256(two3, last));
            let two = _mm256_or_si256(two, _mm256_and_si256(one, nine));
            let two3 = _mm256_or_si256(two3, _mm256_and_si256(one3, last));
            let one = _mm256_or_si256(one, nine);
            let one3 = _mm256_or_si256(one3, last);
            [
                Half::spread(one, one3),
                Half::spread(two, two3),
                Half::spread(three, three3),
                Half::spread(four, four3),
            ]
        }
    }
    #[inline(always)]
    fn by_cell(self) -> ByCell {
        let (mut planes, mut cells) = (Planes::EMPTY, ByCell::EMPTY);
        self.store(&mut planes);
        let at = cells.0.as_mut_ptr().cast::<__m256i>();
        unsafe {
            for (i, half) in x86_tables::by_cell_half(&planes).into_iter().enumerate() {
                _mm256_store_si256(at.add(i), half);
            }
        }
        cells
    }
    #[inline(always)]
    fn from_numbers(numbers: &[u8; 81]) -> Half {
        Half::load(&unsafe { x86_tables::from_numbers_half(load_bands(numbers)) })
    }
    #[inline(always)]
    fn to_numbers(self, numbers: &mut [u8; 81]) {
        let mut planes = Planes::EMPTY;
        self.store(&mut planes);
        unsafe { store_bands(x86_tables::to_numbers_half(&planes), numbers) }
    }
    #[inline(always)]
    fn tight(masks: &[u16; 9], count: usize) -> Tight {
        unsafe { x86_tables::tight_half(masks, count) }
    }
}

impl Sub for HalfCells {
    type Output = HalfCells;
    #[inline(always)]
    fn sub(self, other: HalfCells) -> HalfCells {
        // SAFETY: a `HalfCells` exists, so the machine has AVX2.
        unsafe {
            HalfCells(_mm256_andnot_si256(other.0, self.0), _mm256_andnot_si256(other.1, self.1))
        }
    }
}

// SAFETY (all blocks): as for `Half`.
impl CellSet for HalfCells {
    #[inline(always)]
    fn none() -> HalfCells {
        unsafe { HalfCells(_mm256_setzero_si256(), _mm256_setzero_si256()) }
    }
    #[inline(always)]
    fn is_all(self) -> bool {
        unsafe {
            let all = _mm256_set1_epi32(BAND as i32);
            self.is_same(HalfCells(all, all))
        }
    }
    #[inline(always)]
    fn is_same(self, other: HalfCells) -> bool {
        unsafe {
            let first = _mm256_xor_si256(self.0, other.0);
            let third = _mm256_xor_si256(self.1, other.1);
            let third = _mm256_zextsi128_si256(_mm256_castsi256_si128(third));
            let differs = _mm256_or_si256(first, third);
            _mm256_testz_si256(differs, differs) == 1
        }
    }
    #[inline(always)]
    fn bands(self) -> [u32; 3] {
        Half::at(self).bands()
    }
}

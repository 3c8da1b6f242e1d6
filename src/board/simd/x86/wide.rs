//! Lanes in two 512-bit registers.

use std::arch::x86_64::*;
use std::ops::Sub;

use super::super::{BAND, Bits, ByCell, CellSet, Lanes, Planes, Tight, x86_tables};
use super::{AND_OR, ANY, BY_ONE, BY_TWO, ONE, SELECT, TWO, fold, load_bands, store_bands};

/// Two 512-bit registers: lanes 0 to 15, lanes 16 to 31.
#[derive(Clone, Copy)]
pub(super) struct Wide(pub(super) __m512i, pub(super) __m512i);

/// One 512-bit register: lanes 0 to 15, and in between their bits those of lanes 16 to 31.
#[derive(Clone, Copy)]
pub(super) struct WidePairs(pub(super) __m512i);

/// Cells in one 512-bit register: each band in the four lanes of its quarter, the last quarter is
/// of no meaning.
#[derive(Clone, Copy)]
pub(super) struct WideCells(__m512i);

impl Wide {
    /// The three lanes of digit 9, each in its band's quarter.
    #[inline(always)]
    unsafe fn nine(self) -> __m512i {
        unsafe {
            let to =
                _mm512_setr_epi32(12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 15);
            _mm512_permutexvar_epi32(to, self.0)
        }
    }

    /// Each band of a quarter for all digits.
    #[inline(always)]
    unsafe fn spread(quarters: __m512i) -> Wide {
        unsafe {
            let to = _mm512_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 0, 4, 8, 0);
            Wide(
                _mm512_maskz_permutexvar_epi32(0x7fff, to, quarters),
                _mm512_maskz_mov_epi32(0x0fff, quarters),
            )
        }
    }
}

/// What both have, for each register. Operations on three operands go by their truth tables.
macro_rules! bits {
    ($type:ident($($at:tt)*)) => {
        // SAFETY (all blocks): the value exists or is made for a kernel that `run_wide` runs, so the
        // machine has AVX-512.
        impl Bits for $type {
            #[inline(always)]
            fn splat(bits: u32) -> $type {
                let all = unsafe { _mm512_set1_epi32(bits as i32) };
                $type($(bits!(all $at)),*)
            }
            #[inline(always)]
            fn run_of(self, n: u32) -> $type {
                let far = self << n;
                unsafe { $type($(_mm512_sub_epi32(far.$at, self.$at)),*) }
            }
            bits!($type($($at)*) any_of ANY);
            bits!($type($($at)*) two_of TWO);
            bits!($type($($at)*) one_of ONE);
            bits!($type($($at)*) select SELECT);
            #[inline(always)]
            fn turn(self) -> [$type; 2] {
                unsafe {
                    let one =
                        _mm512_setr_epi32(4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 13, 14, 12, 15);
                    let two =
                        _mm512_setr_epi32(8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 14, 12, 13, 15);
                    [
                        $type($(_mm512_permutexvar_epi32(one, self.$at)),*),
                        $type($(_mm512_permutexvar_epi32(two, self.$at)),*),
                    ]
                }
            }
        }
    };
    ($type:ident($($at:tt)*) $name:ident $table:ident) => {
        #[inline(always)]
        fn $name(a: $type, b: $type, c: $type) -> $type {
            unsafe { $type($(_mm512_ternarylogic_epi32::<$table>(a.$at, b.$at, c.$at)),*) }
        }
    };
    ($all:ident $at:tt) => { $all };
}
bits!(Wide(0 1));
bits!(WidePairs(0));

// SAFETY (all blocks): a `Wide` exists or is made for a kernel that `run_wide` runs, so the machine
// has AVX-512.
impl Lanes for Wide {
    type Cells = WideCells;
    type Pairs = WidePairs;
    #[inline(always)]
    fn pair(self, n: u32) -> WidePairs {
        WidePairs(unsafe { _mm512_or_si512(self.0, (self << n).1) })
    }
    #[inline(always)]
    fn unpair(pairs: WidePairs, n: u32, bits: u32) -> Wide {
        Wide(pairs.0, (pairs >> n).0) & Wide::splat(bits)
    }
    #[inline(always)]
    fn at(cells: WideCells) -> Wide {
        unsafe { Wide::spread(cells.0) }
    }
    #[inline(always)]
    fn load(planes: &Planes) -> Wide {
        let at = planes.0.as_ptr().cast::<__m512i>();
        unsafe { Wide(_mm512_load_si512(at), _mm512_load_si512(at.add(1))) }
    }
    #[inline(always)]
    fn store(self, planes: &mut Planes) {
        let at = planes.0.as_mut_ptr().cast::<__m512i>();
        unsafe {
            _mm512_store_si512(at, self.0);
            _mm512_store_si512(at.add(1), self.1);
        }
    }
    #[inline(always)]
    fn from_bands([a, b, c]: [u32; 3]) -> Wide {
        let (a, b, c) = (a as i32, b as i32, c as i32);
        unsafe { Wide::spread(_mm512_setr_epi32(a, a, a, a, b, b, b, b, c, c, c, c, 0, 0, 0, 0)) }
    }
    #[inline(always)]
    fn bands(self) -> [u32; 3] {
        let mut at_rest = Planes::EMPTY;
        self.store(&mut at_rest);
        [at_rest.0[0], at_rest.0[4], at_rest.0[8]]
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        unsafe {
            let any = _mm512_or_si512(self.0, self.1);
            _mm512_test_epi32_mask(any, any) == 0
        }
    }
    #[inline(always)]
    fn lanes(self) -> u32 {
        unsafe {
            let low = _mm512_test_epi32_mask(self.0, self.0);
            let high = _mm512_test_epi32_mask(self.1, self.1);
            u32::from(low) | u32::from(high) << 16
        }
    }
    #[inline(always)]
    fn plus(self, other: Wide) -> Wide {
        unsafe { Wide(_mm512_add_epi32(self.0, other.0), _mm512_add_epi32(self.1, other.1)) }
    }
    #[inline(always)]
    fn count_1(self) -> WideCells {
        unsafe {
            let any = _mm512_or_si512(self.0, self.1);
            let any = _mm512_or_si512(any, _mm512_shuffle_epi32::<BY_TWO>(any));
            let any = _mm512_ternarylogic_epi32::<ANY>(
                any,
                _mm512_shuffle_epi32::<BY_ONE>(any),
                self.nine(),
            );
            WideCells(any)
        }
    }
    #[inline(always)]
    fn count_2(self) -> [WideCells; 2] {
        unsafe {
            fold!(_mm512_shuffle_epi32, _mm512_or_si512, _mm512_and_si512, self.0, self.1 => one two);
            let nine = self.nine();
            let two = _mm512_ternarylogic_epi32::<AND_OR>(one, nine, two);
            [WideCells(_mm512_or_si512(one, nine)), WideCells(two)]
        }
    }
    #[inline(always)]
    fn digits_4(self) -> [Wide; 4] {
        unsafe {
            fold!(_mm512_shuffle_epi32, _mm512_or_si512, _mm512_and_si512, self.0, self.1
                => one two three four);
            let nine = self.nine();
            let four = _mm512_ternarylogic_epi32::<AND_OR>(three, nine, four);
            let three = _mm512_ternarylogic_epi32::<AND_OR>(two, nine, three);
            let two = _mm512_ternarylogic_epi32::<AND_OR>(one, nine, two);
            let one = _mm512_or_si512(one, nine);
            [Wide::spread(one), Wide::spread(two), Wide::spread(three), Wide::spread(four)]
        }
    }
    #[inline(always)]
    fn by_cell(self) -> ByCell {
        let (mut planes, mut cells) = (Planes::EMPTY, ByCell::EMPTY);
        self.store(&mut planes);
        let at = cells.0.as_mut_ptr().cast::<__m512i>();
        unsafe {
            let [a, b, c] = x86_tables::by_cell_wide(&planes);
            _mm512_store_si512(at, a);
            _mm512_store_si512(at.add(1), b);
            _mm512_store_si512(at.add(2), c);
        }
        cells
    }
    #[inline(always)]
    fn from_numbers(numbers: &[u8; 81]) -> Wide {
        Wide::load(&unsafe { x86_tables::from_numbers_wide(load_bands(numbers)) })
    }
    #[inline(always)]
    fn to_numbers(self, numbers: &mut [u8; 81]) {
        let mut planes = Planes::EMPTY;
        self.store(&mut planes);
        unsafe { store_bands(x86_tables::to_numbers_wide(&planes), numbers) }
    }
    #[inline(always)]
    fn tight(masks: &[u16; 9], count: usize) -> Tight {
        unsafe { x86_tables::tight_wide(masks, count) }
    }
}

impl Sub for WideCells {
    type Output = WideCells;
    #[inline(always)]
    fn sub(self, other: WideCells) -> WideCells {
        // SAFETY: a `WideCells` exists, so the machine has AVX-512.
        WideCells(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }
}

// SAFETY (all blocks): as for `Wide`.
impl CellSet for WideCells {
    #[inline(always)]
    fn none() -> WideCells {
        WideCells(unsafe { _mm512_setzero_si512() })
    }
    #[inline(always)]
    fn is_all(self) -> bool {
        unsafe {
            let all = _mm512_set1_epi32(BAND as i32);
            _mm512_mask_cmpneq_epi32_mask(0x0fff, self.0, all) == 0
        }
    }
    #[inline(always)]
    fn is_same(self, other: WideCells) -> bool {
        unsafe { _mm512_mask_cmpneq_epi32_mask(0x0fff, self.0, other.0) == 0 }
    }
    #[inline(always)]
    fn bands(self) -> [u32; 3] {
        Wide::at(self).bands()
    }
}

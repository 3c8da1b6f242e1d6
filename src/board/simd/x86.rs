//! Lanes in AVX-512 and AVX2 registers. The only file with `unsafe`.
//!
//! Every `unsafe` here has one reason: an instruction is used that the machine might not have.
//! `Wide` and `Half` are private and reach a kernel only through [`run`] and [`run_on`], which
//! ask the machine first; so whoever holds a value of these types has the instructions. (Loads and
//! stores go through references to 64-byte aligned [`Planes`].)

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr, Sub};
use std::sync::atomic::{AtomicU8, Ordering};

use super::{BAND, ByCell, CellSet, Isa, Kernel, Lanes, Planes, Tight, portable, x86_tables};

/// Two 512-bit registers: lanes 0 to 15, lanes 16 to 31.
#[derive(Clone, Copy)]
struct Wide(__m512i, __m512i);

/// Four 256-bit registers: bands 1 and 2, then band 3 and digit 9, of digits 1 to 4; the same of
/// digits 5 to 8 (without digit 9).
#[derive(Clone, Copy)]
struct Half(__m256i, __m256i, __m256i, __m256i);

/// Cells in one 512-bit register: each band in the four lanes of its quarter, the last quarter is
/// of no meaning.
#[derive(Clone, Copy)]
struct WideCells(__m512i);

/// Cells in two 256-bit registers: bands 1 and 2 in their halves, band 3 in the lower half, the
/// upper half is of no meaning.
#[derive(Clone, Copy)]
struct HalfCells(__m256i, __m256i);

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt,lzcnt")]
fn run_wide<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Wide>()
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_half<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Half>()
}

/// Whether this machine has what `run_wide` or `run_half` enables.
fn has(isa: Isa) -> bool {
    let common = is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt");
    match isa {
        Isa::Avx512 => {
            common
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
        }
        Isa::Avx2 => common && is_x86_feature_detected!("avx2"),
        Isa::Portable => true,
    }
}

/// The best instructions, found once: 0 is not asked yet, else one more than the place in
/// [`Isa::ALL`].
static BEST: AtomicU8 = AtomicU8::new(0);

#[cold]
fn find_best() -> u8 {
    let best = 1 + Isa::ALL.iter().position(|&isa| has(isa)).unwrap_or(2) as u8;
    BEST.store(best, Ordering::Relaxed);
    best
}

#[inline]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    let mut best = BEST.load(Ordering::Relaxed);
    if best == 0 {
        best = find_best();
    }
    match best {
        // SAFETY: `find_best` saw that the machine has the instructions.
        1 => unsafe { run_wide(kernel) },
        // SAFETY: as above.
        2 => unsafe { run_half(kernel) },
        _ => kernel.run::<portable::Array>(),
    }
}

pub(super) fn run_on<K: Kernel>(isa: Isa, kernel: K) -> Option<K::Output> {
    if !has(isa) {
        return None;
    }
    match isa {
        // SAFETY: `has` saw that the machine has the instructions.
        Isa::Avx512 => Some(unsafe { run_wide(kernel) }),
        // SAFETY: as above.
        Isa::Avx2 => Some(unsafe { run_half(kernel) }),
        Isa::Portable => Some(kernel.run::<portable::Array>()),
    }
}

macro_rules! operator {
    ($trait:ident $method:ident, ($a:ident, $b:ident) => $wide:ident $half:ident($x:ident, $y:ident)) => {
        impl $trait for Wide {
            type Output = Wide;
            #[inline(always)]
            fn $method(self, other: Wide) -> Wide {
                let ($a, $b) = (self, other);
                // SAFETY: a `Wide` exists, so the machine has AVX-512.
                unsafe { Wide($wide($x.0, $y.0), $wide($x.1, $y.1)) }
            }
        }
        impl $trait for Half {
            type Output = Half;
            #[inline(always)]
            fn $method(self, other: Half) -> Half {
                let ($a, $b) = (self, other);
                // SAFETY: a `Half` exists, so the machine has AVX2.
                unsafe {
                    let low = ($half($x.0, $y.0), $half($x.1, $y.1));
                    Half(low.0, low.1, $half($x.2, $y.2), $half($x.3, $y.3))
                }
            }
        }
    };
}
operator!(BitAnd bitand, (a, b) => _mm512_and_si512 _mm256_and_si256(a, b));
operator!(BitOr bitor, (a, b) => _mm512_or_si512 _mm256_or_si256(a, b));
operator!(BitXor bitxor, (a, b) => _mm512_xor_si512 _mm256_xor_si256(a, b));
operator!(Sub sub, (a, b) => _mm512_andnot_si512 _mm256_andnot_si256(b, a));

macro_rules! shift {
    ($trait:ident $method:ident, $wide:ident, $half:ident) => {
        impl $trait<u32> for Wide {
            type Output = Wide;
            #[inline(always)]
            fn $method(self, n: u32) -> Wide {
                // SAFETY: a `Wide` exists, so the machine has AVX-512.
                unsafe {
                    let n = _mm_cvtsi32_si128(n as i32);
                    Wide($wide(self.0, n), $wide(self.1, n))
                }
            }
        }
        impl $trait<u32> for Half {
            type Output = Half;
            #[inline(always)]
            fn $method(self, n: u32) -> Half {
                // SAFETY: a `Half` exists, so the machine has AVX2.
                unsafe {
                    let n = _mm_cvtsi32_si128(n as i32);
                    Half($half(self.0, n), $half(self.1, n), $half(self.2, n), $half(self.3, n))
                }
            }
        }
    };
}
shift!(Shl shl, _mm512_sll_epi32, _mm256_sll_epi32);
shift!(Shr shr, _mm512_srl_epi32, _mm256_srl_epi32);

/// Truth tables of three-operand logic: bit `4a + 2b + c` is the answer.
const ANY: i32 = 0b1111_1110;
const TWO: i32 = 0b1110_1000;
const ONE: i32 = 0b0001_0110;
/// `a ? b : c`.
const SELECT: i32 = 0b1100_1010;
/// `(a & b) | c`.
const AND_OR: i32 = 0b1110_1010;

/// Each of the four lanes of a quarter with the one two, or one, further on.
const BY_TWO: i32 = 0b01_00_11_10;
const BY_ONE: i32 = 0b10_11_00_01;
/// The first three lanes of a quarter turned by one, by two.
const TURN_1: i32 = 0b11_00_10_01;
const TURN_2: i32 = 0b11_01_00_10;

/// Folds the four lanes of every quarter: from "at least n of the folded digits" in four lanes to
/// the same of all of them, in all four lanes. Starts from two registers with a digit a lane.
macro_rules! fold {
    ($shuffle:ident, $or:ident, $and:ident, $a:expr, $b:expr => $one:ident $two:ident) => {
        let (o1, o2) = ($or($a, $b), $and($a, $b));
        let (s1, s2) = ($shuffle::<BY_TWO>(o1), $shuffle::<BY_TWO>(o2));
        let (p1, p2) = ($or(o1, s1), $or($or(o2, s2), $and(o1, s1)));
        let (t1, t2) = ($shuffle::<BY_ONE>(p1), $shuffle::<BY_ONE>(p2));
        let ($one, $two) = ($or(p1, t1), $or($or(p2, t2), $and(p1, t1)));
    };
    ($shuffle:ident, $or:ident, $and:ident, $a:expr, $b:expr
     => $one:ident $two:ident $three:ident $four:ident) => {
        let (o1, o2) = ($or($a, $b), $and($a, $b));
        let (s1, s2) = ($shuffle::<BY_TWO>(o1), $shuffle::<BY_TWO>(o2));
        let (p1, p2) = ($or(o1, s1), $or($or(o2, s2), $and(o1, s1)));
        let (p3, p4) = ($or($and(o2, s1), $and(o1, s2)), $and(o2, s2));
        let (t1, t2) = ($shuffle::<BY_ONE>(p1), $shuffle::<BY_ONE>(p2));
        let (t3, t4) = ($shuffle::<BY_ONE>(p3), $shuffle::<BY_ONE>(p4));
        let ($one, $two) = ($or(p1, t1), $or($or(p2, t2), $and(p1, t1)));
        let $three = $or($or(p3, t3), $or($and(p2, t1), $and(p1, t2)));
        let $four = $or($or($or(p4, t4), $and(p2, t2)), $or($and(p3, t1), $and(p1, t3)));
    };
}

impl Wide {
    /// The same permutation of both registers.
    #[inline(always)]
    unsafe fn permute(self, to: __m512i) -> Wide {
        unsafe { Wide(_mm512_permutexvar_epi32(to, self.0), _mm512_permutexvar_epi32(to, self.1)) }
    }

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

// SAFETY (all blocks): a `Wide` exists or is made for a kernel that `run_wide` runs, so the machine
// has AVX-512.
impl Lanes for Wide {
    type Cells = WideCells;
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
    fn splat(bits: u32) -> Wide {
        let all = unsafe { _mm512_set1_epi32(bits as i32) };
        Wide(all, all)
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
    fn run_of(self, n: u32) -> Wide {
        let far = self << n;
        unsafe { Wide(_mm512_sub_epi32(far.0, self.0), _mm512_sub_epi32(far.1, self.1)) }
    }
    #[inline(always)]
    fn any_of(a: Wide, b: Wide, c: Wide) -> Wide {
        unsafe {
            Wide(
                _mm512_ternarylogic_epi32::<ANY>(a.0, b.0, c.0),
                _mm512_ternarylogic_epi32::<ANY>(a.1, b.1, c.1),
            )
        }
    }
    #[inline(always)]
    fn two_of(a: Wide, b: Wide, c: Wide) -> Wide {
        unsafe {
            Wide(
                _mm512_ternarylogic_epi32::<TWO>(a.0, b.0, c.0),
                _mm512_ternarylogic_epi32::<TWO>(a.1, b.1, c.1),
            )
        }
    }
    #[inline(always)]
    fn one_of(a: Wide, b: Wide, c: Wide) -> Wide {
        unsafe {
            Wide(
                _mm512_ternarylogic_epi32::<ONE>(a.0, b.0, c.0),
                _mm512_ternarylogic_epi32::<ONE>(a.1, b.1, c.1),
            )
        }
    }
    #[inline(always)]
    fn select(mask: Wide, yes: Wide, no: Wide) -> Wide {
        unsafe {
            Wide(
                _mm512_ternarylogic_epi32::<SELECT>(mask.0, yes.0, no.0),
                _mm512_ternarylogic_epi32::<SELECT>(mask.1, yes.1, no.1),
            )
        }
    }
    #[inline(always)]
    fn turn(self) -> [Wide; 2] {
        unsafe {
            let one = _mm512_setr_epi32(4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 13, 14, 12, 15);
            let two = _mm512_setr_epi32(8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 14, 12, 13, 15);
            [self.permute(one), self.permute(two)]
        }
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
        unsafe {
            Half(
                _mm256_sub_epi32(self.0, other.0),
                _mm256_sub_epi32(self.1, other.1),
                _mm256_sub_epi32(self.2, other.2),
                _mm256_sub_epi32(self.3, other.3),
            )
        }
    }
}

// SAFETY (all blocks): a `Half` exists or is made for a kernel that `run_half` runs, so the machine
// has AVX2.
impl Lanes for Half {
    type Cells = HalfCells;
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
    fn splat(bits: u32) -> Half {
        let all = unsafe { _mm256_set1_epi32(bits as i32) };
        Half(all, all, all, all)
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

/// The numbers of the 27 cells of each band (and five more bytes).
#[inline(always)]
unsafe fn load_bands(numbers: &[u8; 81]) -> [__m256i; 3] {
    let mut padded = [0; 96];
    padded[..81].copy_from_slice(numbers);
    let at = padded.as_ptr();
    // SAFETY: 54 + 32 bytes are there.
    unsafe { [0, 27, 54].map(|from| _mm256_loadu_si256(at.add(from).cast())) }
}

/// The numbers of the 27 cells of each band, one after the other.
#[inline(always)]
unsafe fn store_bands(bands: [__m256i; 3], numbers: &mut [u8; 81]) {
    let mut padded = [0; 96];
    let at: *mut u8 = padded.as_mut_ptr();
    for (band, bytes) in bands.into_iter().enumerate() {
        // SAFETY: 54 + 32 bytes are there.
        unsafe { _mm256_storeu_si256(at.add(27 * band).cast(), bytes) }
    }
    numbers.copy_from_slice(&padded[..81]);
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

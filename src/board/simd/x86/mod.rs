//! Lanes in AVX-512 and AVX2 registers. The only folder with `unsafe`.
//!
//! Every `unsafe` here has one reason: an instruction is used that the machine might not have.
//! `Wide` and `Half` are private and reach a kernel only through [`run`] and [`run_on`], which
//! ask the machine first; so whoever holds a value of these types has the instructions. (Loads and
//! stores go through references to 64-byte aligned [`Planes`].)

mod half;
mod wide;

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr, Sub};
use std::sync::atomic::{AtomicU8, Ordering};

use super::{Isa, Kernel, portable};
use half::{Half, HalfPairs};
use wide::{Wide, WidePairs};

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
    ($trait:ident $method:ident, $type:ident($($at:tt)*), ($a:ident, $b:ident) => $op:ident($x:ident, $y:ident)) => {
        impl $trait for $type {
            type Output = $type;
            #[inline(always)]
            fn $method(self, other: $type) -> $type {
                let ($a, $b) = (self, other);
                // SAFETY: the value exists, so the machine has the instructions.
                unsafe { $type($($op($x.$at, $y.$at)),*) }
            }
        }
    };
}
operator!(BitAnd bitand, Wide(0 1), (a, b) => _mm512_and_si512(a, b));
operator!(BitAnd bitand, WidePairs(0), (a, b) => _mm512_and_si512(a, b));
operator!(BitOr bitor, Wide(0 1), (a, b) => _mm512_or_si512(a, b));
operator!(BitOr bitor, WidePairs(0), (a, b) => _mm512_or_si512(a, b));
operator!(BitXor bitxor, Wide(0 1), (a, b) => _mm512_xor_si512(a, b));
operator!(BitXor bitxor, WidePairs(0), (a, b) => _mm512_xor_si512(a, b));
operator!(Sub sub, Wide(0 1), (a, b) => _mm512_andnot_si512(b, a));
operator!(Sub sub, WidePairs(0), (a, b) => _mm512_andnot_si512(b, a));
operator!(BitAnd bitand, Half(0 1 2 3), (a, b) => _mm256_and_si256(a, b));
operator!(BitAnd bitand, HalfPairs(0 1), (a, b) => _mm256_and_si256(a, b));
operator!(BitOr bitor, Half(0 1 2 3), (a, b) => _mm256_or_si256(a, b));
operator!(BitOr bitor, HalfPairs(0 1), (a, b) => _mm256_or_si256(a, b));
operator!(BitXor bitxor, Half(0 1 2 3), (a, b) => _mm256_xor_si256(a, b));
operator!(BitXor bitxor, HalfPairs(0 1), (a, b) => _mm256_xor_si256(a, b));
operator!(Sub sub, Half(0 1 2 3), (a, b) => _mm256_andnot_si256(b, a));
operator!(Sub sub, HalfPairs(0 1), (a, b) => _mm256_andnot_si256(b, a));

macro_rules! shift {
    ($trait:ident $method:ident, $type:ident($($at:tt)*), $shift:ident) => {
        impl $trait<u32> for $type {
            type Output = $type;
            #[inline(always)]
            fn $method(self, n: u32) -> $type {
                // SAFETY: the value exists, so the machine has the instructions.
                unsafe {
                    let n = _mm_cvtsi32_si128(n as i32);
                    $type($($shift(self.$at, n)),*)
                }
            }
        }
    };
}
shift!(Shl shl, Wide(0 1), _mm512_sll_epi32);
shift!(Shl shl, WidePairs(0), _mm512_sll_epi32);
shift!(Shr shr, Wide(0 1), _mm512_srl_epi32);
shift!(Shr shr, WidePairs(0), _mm512_srl_epi32);
shift!(Shl shl, Half(0 1 2 3), _mm256_sll_epi32);
shift!(Shl shl, HalfPairs(0 1), _mm256_sll_epi32);
shift!(Shr shr, Half(0 1 2 3), _mm256_srl_epi32);
shift!(Shr shr, HalfPairs(0 1), _mm256_srl_epi32);

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
use fold;

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

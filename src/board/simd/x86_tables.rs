//! `tables.rs` in vector instructions. Each function asks for its instructions by
//! `#[target_feature]`, so nothing here is unsafe; `x86` calls them where the machine has them.

use std::arch::x86_64::*;

use super::tables::Tight;
use super::{BAND, Planes, lane};

/// The nine digits of one band.
macro_rules! digits {
    ($planes:ident, $band:expr, |$digit:ident, $bits:ident| $body:expr) => {
        for $digit in 0..9 {
            let $bits = $planes.0[lane($digit, $band)];
            $body
        }
    };
}

/// The candidates of the 27 cells of each band.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn by_cell_wide(planes: &Planes) -> [__m512i; 3] {
    let mut cells = [_mm512_setzero_si512(); 3];
    for (band, cells) in cells.iter_mut().enumerate() {
        digits!(planes, band, |digit, bits| {
            *cells = _mm512_mask_add_epi16(*cells, bits, *cells, _mm512_set1_epi16(1 << digit));
        });
    }
    cells
}

/// The candidates of the 27 cells of each band, in two halves.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn by_cell_half(planes: &Planes) -> [__m256i; 6] {
    let mut cells = [_mm256_setzero_si256(); 6];
    let each = _mm256_setr_epi16(
        1,
        2,
        4,
        8,
        0x10,
        0x20,
        0x40,
        0x80,
        0x100,
        0x200,
        0x400,
        0x800,
        0x1000,
        0x2000,
        0x4000,
        i16::MIN,
    );
    for (half, cells) in cells.iter_mut().enumerate() {
        digits!(planes, half / 2, |digit, bits| {
            let bits = _mm256_set1_epi16((bits >> (16 * (half % 2))) as i16);
            let is_in = _mm256_cmpeq_epi16(_mm256_and_si256(bits, each), each);
            let bit = _mm256_and_si256(is_in, _mm256_set1_epi16(1 << digit));
            *cells = _mm256_or_si256(*cells, bit);
        });
    }
    cells
}

/// The cells of each number, from the numbers of the 27 cells of each band.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn from_numbers_wide(bands: [__m256i; 3]) -> Planes {
    let mut planes = Planes::EMPTY;
    for (band, numbers) in bands.into_iter().enumerate() {
        for digit in 0..9 {
            let bits = _mm256_cmpeq_epi8_mask(numbers, _mm256_set1_epi8(digit as i8 + 1));
            planes.0[lane(digit, band)] = bits & BAND;
        }
    }
    planes
}

/// The cells of each number, from the numbers of the 27 cells of each band.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_numbers_half(bands: [__m256i; 3]) -> Planes {
    let mut planes = Planes::EMPTY;
    for (band, numbers) in bands.into_iter().enumerate() {
        for digit in 0..9 {
            let is_it = _mm256_cmpeq_epi8(numbers, _mm256_set1_epi8(digit as i8 + 1));
            planes.0[lane(digit, band)] = _mm256_movemask_epi8(is_it) as u32 & BAND;
        }
    }
    planes
}

/// The number of each cell's highest candidate, for the 27 cells of each band.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn to_numbers_wide(planes: &Planes) -> [__m256i; 3] {
    let mut numbers = [_mm256_setzero_si256(); 3];
    for (band, numbers) in numbers.iter_mut().enumerate() {
        digits!(planes, band, |digit, bits| {
            *numbers = _mm256_mask_set1_epi8(*numbers, bits, digit as i8 + 1);
        });
    }
    numbers
}

/// The number of each cell's highest candidate, for the 27 cells of each band.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn to_numbers_half(planes: &Planes) -> [__m256i; 3] {
    let mut numbers = [_mm256_setzero_si256(); 3];
    let byte = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3,
        3, 3,
    );
    let each = _mm256_set1_epi64x(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]));
    for (band, numbers) in numbers.iter_mut().enumerate() {
        digits!(planes, band, |digit, bits| {
            let bits = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), byte);
            let is_in = _mm256_cmpeq_epi8(_mm256_and_si256(bits, each), each);
            let number = _mm256_and_si256(is_in, _mm256_set1_epi8(digit as i8 + 1));
            *numbers = _mm256_max_epu8(*numbers, number);
        });
    }
    numbers
}

/// Which of 64 sets have a member, by the number of the member: bit `s` of the i-th is bit i of s.
const HAS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Which of 64 sets have the ninth bit: in their union, in the rest.
///
/// The other eight bits are one byte, 64 sets a register; the ninth would double that, so it is
/// kept apart, one bit a set.
#[inline(always)]
fn ninth(masks: &[u16; 9], low: usize) -> (u64, u64) {
    let (mut union, mut rest) = (0, 0);
    for i in 0..low {
        let has_it = 0u64.wrapping_sub(u64::from(masks[i] >> 8));
        union |= HAS[i] & has_it;
        rest |= !HAS[i] & has_it;
    }
    (union, rest)
}

/// The sixth and higher masks joined: those in `high`, and the others.
#[inline(always)]
fn joined(masks: &[u16; 9], count: usize, high: usize) -> (u16, u16) {
    let (mut inside, mut outside) = (0, 0);
    for (i, &mask) in masks.iter().enumerate().take(count).skip(6) {
        let is_in = 0u16.wrapping_sub((high >> (i - 6) & 1) as u16);
        inside |= mask & is_in;
        outside |= mask & !is_in;
    }
    (inside, outside)
}

/// Sets of `count` masks that are tight: see [`Tight`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,popcnt,lzcnt")]
pub(super) fn tight_wide(masks: &[u16; 9], count: usize) -> Tight {
    let mut found = Tight::NONE;
    let low = count.min(6);
    let (mut union, mut rest) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    for i in 0..low {
        let mask = _mm512_set1_epi8(masks[i] as i8);
        union = _mm512_or_si512(union, _mm512_maskz_mov_epi8(HAS[i], mask));
        rest = _mm512_or_si512(rest, _mm512_maskz_mov_epi8(!HAS[i], mask));
    }
    let (nine, nine_rest) = ninth(masks, low);
    let sizes = _mm512_set_epi64(
        SIZES[7], SIZES[6], SIZES[5], SIZES[4], SIZES[3], SIZES[2], SIZES[1], SIZES[0],
    );
    let real = if count >= 6 { u64::MAX } else { (1 << (1 << count)) - 1 };
    for high in 0..1usize << count.saturating_sub(6) {
        let (inside, outside) = joined(masks, count, high);
        let all = _mm512_or_si512(union, _mm512_set1_epi8(inside as i8));
        let others = _mm512_or_si512(rest, _mm512_set1_epi8(outside as i8));
        let nine = nine | 0u64.wrapping_sub(u64::from(inside >> 8));
        let nine_rest = nine_rest | 0u64.wrapping_sub(u64::from(outside >> 8));
        let bits = popcount_wide(all);
        let bits = _mm512_mask_add_epi8(bits, nine, bits, _mm512_set1_epi8(1));
        let members = _mm512_add_epi8(sizes, _mm512_set1_epi8(high.count_ones() as i8));
        let shared = _mm512_test_epi8_mask(all, others) | (nine & nine_rest);
        found.sets[high] = _mm512_cmpeq_epi8_mask(bits, members) & shared & real;
        found.over |= _mm512_cmplt_epu8_mask(bits, members) & real != 0;
    }
    found
}

/// The sizes of 64 sets, eight a word.
const SIZES: [i64; 8] = {
    let mut sizes = [0; 8];
    let mut s = 0;
    while s < 64 {
        sizes[s / 8] |= ((s as u32).count_ones() as i64) << (8 * (s % 8));
        s += 1;
    }
    sizes
};

/// How many bits each byte has: by tables of its two halves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn popcount_wide(bytes: __m512i) -> __m512i {
    let table = _mm512_set4_epi32(0x0403_0302, 0x0302_0201, 0x0302_0201, 0x0201_0100);
    let nibble = _mm512_set1_epi8(0x0f);
    let low = _mm512_shuffle_epi8(table, _mm512_and_si512(bytes, nibble));
    let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), nibble);
    _mm512_add_epi8(low, _mm512_shuffle_epi8(table, high))
}

/// Sets of `count` masks that are tight: see [`Tight`].
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub(super) fn tight_half(masks: &[u16; 9], count: usize) -> Tight {
    let mut found = Tight::NONE;
    let low = count.min(6);
    let zero = _mm256_setzero_si256();
    let (mut union, mut rest) = ([zero; 2], [zero; 2]);
    for i in 0..low {
        let mask = _mm256_set1_epi8(masks[i] as i8);
        for half in 0..2 {
            let has_it = spread_half((HAS[i] >> (32 * half)) as u32);
            union[half] = _mm256_or_si256(union[half], _mm256_and_si256(has_it, mask));
            rest[half] = _mm256_or_si256(rest[half], _mm256_andnot_si256(has_it, mask));
        }
    }
    let (nine, nine_rest) = ninth(masks, low);
    let sizes = [
        _mm256_setr_epi64x(SIZES[0], SIZES[1], SIZES[2], SIZES[3]),
        _mm256_setr_epi64x(SIZES[4], SIZES[5], SIZES[6], SIZES[7]),
    ];
    let real = if count >= 6 { u64::MAX } else { (1 << (1 << count)) - 1 };
    for high in 0..1usize << count.saturating_sub(6) {
        let (inside, outside) = joined(masks, count, high);
        let nine = nine | 0u64.wrapping_sub(u64::from(inside >> 8));
        let nine_rest = nine_rest | 0u64.wrapping_sub(u64::from(outside >> 8));
        let (mut equal, mut one_less, mut fewer, mut shared) = (0u64, 0u64, 0u64, 0u64);
        for half in 0..2 {
            let all = _mm256_or_si256(union[half], _mm256_set1_epi8(inside as i8));
            let others = _mm256_or_si256(rest[half], _mm256_set1_epi8(outside as i8));
            let bits = popcount_half(all);
            let members = _mm256_add_epi8(sizes[half], _mm256_set1_epi8(high.count_ones() as i8));
            let less = _mm256_sub_epi8(members, _mm256_set1_epi8(1));
            let apart = _mm256_cmpeq_epi8(_mm256_and_si256(all, others), zero);
            equal |= bits_half(_mm256_cmpeq_epi8(bits, members)) << (32 * half);
            one_less |= bits_half(_mm256_cmpeq_epi8(bits, less)) << (32 * half);
            fewer |= bits_half(_mm256_cmpgt_epi8(less, bits)) << (32 * half);
            shared |= (!bits_half(apart) & 0xffff_ffff) << (32 * half);
        }
        let is_tight = (equal & !nine) | (one_less & nine);
        found.sets[high] = is_tight & (shared | (nine & nine_rest)) & real;
        found.over |= (fewer | (one_less & !nine)) & real != 0;
    }
    found
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits_half(bytes: __m256i) -> u64 {
    u64::from(_mm256_movemask_epi8(bytes) as u32)
}

/// A byte of ones for each bit.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_half(bits: u32) -> __m256i {
    let byte = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3,
        3, 3,
    );
    let each = _mm256_set1_epi64x(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]));
    let bits = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), byte);
    _mm256_cmpeq_epi8(_mm256_and_si256(bits, each), each)
}

/// How many bits each byte has: by tables of its two halves.
#[inline]
#[target_feature(enable = "avx2")]
fn popcount_half(bytes: __m256i) -> __m256i {
    let table =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    let nibble = _mm256_set1_epi8(0x0f);
    let low = _mm256_shuffle_epi8(table, _mm256_and_si256(bytes, nibble));
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble);
    _mm256_add_epi8(low, _mm256_shuffle_epi8(table, high))
}

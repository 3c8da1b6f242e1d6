//! The signs people write digits with.

/// The blanks of every layout but rows with spaces.
pub(super) const BLANKS: &[u8] = b"0.*_-?";

/// Among pencil marks: a cell that has no candidate. A blank there is one that has them all.
pub(super) const NOTHING: u8 = b'~';

/// In a [`Alphabet::table`]: this byte is no sign of the alphabet.
pub(super) const STRAY: u8 = 255;

/// Which signs stand for the digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Alphabet {
    /// `1-9`, then `A-P`: 0 is a blank.
    #[default]
    One,
    /// `0-9`, then `A-O`: 0 is the first digit. Only beyond nine digits.
    Zero,
    /// `A-Y`.
    Letters,
    /// `1` to `25`, written out.
    Numbers,
}

impl Alphabet {
    /// The sign of a digit written as `number` (from 1).
    pub fn sign(self, number: u8) -> u8 {
        match self {
            Alphabet::Letters => b'A' + number - 1,
            Alphabet::Zero if number <= 10 => b'0' + number - 1,
            Alphabet::Zero => b'A' + number - 11,
            _ if number <= 9 => b'0' + number,
            _ => b'A' + number - 10,
        }
    }

    /// The blank to write, given the one people prefer.
    pub fn blank(self, preferred: u8) -> u8 {
        if self == Alphabet::Zero { b'.' } else { preferred }
    }

    /// What every byte stands for: a number from 1, 0 for a blank, or 255 for a stray sign.
    pub fn table(self, size: usize) -> [u8; 256] {
        let mut table = [STRAY; 256];
        for &blank in BLANKS {
            table[blank as usize] = 0;
        }
        let one_sign = if self == Alphabet::Numbers { size.min(9) } else { size };
        for number in 1..=one_sign as u8 {
            let sign = self.sign(number);
            table[sign as usize] = number;
            table[sign.to_ascii_lowercase() as usize] = number;
        }
        table
    }

    /// The signs in words: `1-9`, `1-9 A-G`.
    pub fn name(self, size: usize) -> String {
        let last = self.sign(size as u8) as char;
        match self {
            Alphabet::Numbers => format!("1-{size}"),
            Alphabet::Letters => format!("A-{last}"),
            Alphabet::One if size <= 9 => format!("1-{last}"),
            Alphabet::One if size == 10 => "1-9 A".to_string(),
            Alphabet::One => format!("1-9 A-{last}"),
            Alphabet::Zero if size <= 10 => format!("0-{last}"),
            Alphabet::Zero => format!("0-9 A-{last}"),
        }
    }

    /// The blanks in words.
    pub fn blanks(self) -> &'static str {
        if self == Alphabet::Zero { ". * _ - ?" } else { "0 . * _ - ?" }
    }

    /// The alphabet that explains how often each sign was seen, for puzzles of this size.
    pub fn of_signs(size: usize, counts: &[usize; 256]) -> Alphabet {
        let count =
            |sign: u8| counts[sign as usize].max(counts[sign.to_ascii_lowercase() as usize]);
        let has = |mut signs: std::ops::RangeInclusive<u8>| signs.any(|sign| count(sign) > 0);
        let letters = has(b'A'..=b'Z');
        if letters && !has(b'1'..=b'9') {
            return Alphabet::Letters;
        }
        let has_blanks = BLANKS[1..].iter().any(|&blank| count(blank) > 0);
        // In a full grid every digit is there as often as any other.
        let is_full = count(b'0') == count(Alphabet::Zero.sign(size as u8));
        let zero_is_a_digit = size > 9
            && count(b'0') > 0
            && (has_blanks || is_full)
            && !has(Alphabet::One.sign(size as u8)..=b'Z');
        if zero_is_a_digit { Alphabet::Zero } else { Alphabet::One }
    }
}

/// The size whose grids have this many cells, if there is one.
pub(super) fn size_of_square(count: usize) -> Option<usize> {
    crate::board::SIZES.into_iter().find(|n| n * n == count)
}

/// The size whose grids have this many candidates, if there is one.
pub(super) fn size_of_cube(count: usize) -> Option<usize> {
    crate::board::SIZES.into_iter().find(|n| n * n * n == count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SIZES;

    #[test]
    fn signs_are_read_as_they_are_written() {
        for size in SIZES {
            for alphabet in [Alphabet::One, Alphabet::Letters, Alphabet::Zero] {
                let table = alphabet.table(size);
                for number in 1..=size as u8 {
                    assert_eq!(table[alphabet.sign(number) as usize], number);
                }
                assert_eq!(table[alphabet.blank(b'0') as usize], 0);
            }
        }
    }

    #[test]
    fn the_signs_tell_the_alphabet() {
        let of = |size, text: &str| {
            let mut counts = [0; 256];
            text.bytes().for_each(|b| counts[b as usize] += 1);
            Alphabet::of_signs(size, &counts)
        };
        assert_eq!(of(16, "123.G"), Alphabet::One);
        assert_eq!(of(16, "0123.F"), Alphabet::Zero);
        assert_eq!(of(16, "00123F"), Alphabet::One);
        assert_eq!(of(16, "0123456789ABCDEF"), Alphabet::Zero);
        assert_eq!(of(16, "ABP."), Alphabet::Letters);
        assert_eq!(of(9, "012.9"), Alphabet::One);
        assert_eq!(Alphabet::One.name(16), "1-9 A-G");
    }
}

//! The short way for lists of 81 signs a line: no grid is built, nothing is allocated.
//!
//! One look-up a sign tells everything: each digit counts in four bits of its own, so the sum
//! over a house shows a digit that is there twice, and a stray sign shows in any sum.
//!
//! ```text
//! bit 47      40 39   36        8 7     4 3     0
//!     [ stray ×2 ][ nines ] … [ twos ][ ones ][ 0 ]
//! ```

use super::alphabet::{Alphabet, STRAY};

/// Bits of a sum that are only set if something is wrong: more than one of a digit, or a stray.
const WRONG: u64 = 0x00fe_eeee_eeee_eee0;

/// Reads lines of 81 signs `1-9`.
pub struct FastLines {
    counts: [u64; 256],
}

impl FastLines {
    /// A reader, if the list is written in the digits.
    pub fn new(alphabet: Alphabet) -> Option<FastLines> {
        if alphabet != Alphabet::One {
            return None;
        }
        let counts = alphabet.table(9).map(|digit| match digit {
            0 => 0,
            STRAY => 2 << 40,
            digit => 1 << (4 * digit),
        });
        Some(FastLines { counts })
    }

    /// Reads a line of 81 signs without clashes, and says whether it was one.
    #[inline]
    pub fn read(&self, line: &[u8; 81], digits: &mut [u8; 81]) -> bool {
        for (digit, sign) in digits.iter_mut().zip(line) {
            let number = sign.wrapping_sub(b'0');
            *digit = if number <= 9 { number } else { 0 };
        }
        self.wrong(line) & WRONG == 0
    }

    /// The union of the sums over all houses.
    #[inline]
    fn wrong(&self, line: &[u8; 81]) -> u64 {
        let mut columns = [0; 9];
        let mut union = 0;
        for band in line.chunks_exact(27) {
            let mut boxes = [0; 3];
            for row in band.chunks_exact(9) {
                let mut sum = 0;
                for i in 0..3 {
                    let counts: [u64; 3] =
                        std::array::from_fn(|j| self.counts[row[3 * i + j] as usize]);
                    for j in 0..3 {
                        columns[3 * i + j] += counts[j];
                    }
                    let segment = counts[0] + counts[1] + counts[2];
                    boxes[i] += segment;
                    sum += segment;
                }
                union |= sum;
            }
            union |= boxes[0] | boxes[1] | boxes[2];
        }
        columns.iter().fold(union, |union, sum| union | sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Grid, Layout};
    use crate::random::Random;

    #[test]
    fn it_agrees_with_the_long_way() {
        let fast = FastLines::new(Alphabet::One).expect("digits");
        let layout = Layout::classic(9).expect("9 is a classic size");
        let table = Alphabet::One.table(9);
        let mut random = Random::new(7);
        for round in 0..20_000 {
            let mut line = [b'.'; 81];
            for _ in 0..2 + round % 6 {
                line[random.below(81)] = b"123456789"[random.below(9)];
            }
            if random.below(4) == 0 {
                line[random.below(81)] = random.below(256) as u8;
            }
            let numbers: Vec<u8> = line.iter().map(|sign| table[*sign as usize]).collect();
            let good =
                !numbers.contains(&STRAY) && Grid::from_givens(layout.clone(), &numbers).is_ok();
            let mut digits = [0; 81];
            assert_eq!(fast.read(&line, &mut digits), good, "{}", line.escape_ascii());
            assert!(!good || digits[..] == numbers[..]);
        }
    }
}

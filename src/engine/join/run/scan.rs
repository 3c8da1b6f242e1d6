//! Running a scan: the rows of a key, sieved.

use super::super::bits::{Bits, Width};
use super::super::code::{Compared, Frame, Scan, Scene, Sort, key};
use super::super::table::Rows;
use super::{Runner, Sink};

/// How many rows that are sieved cost as much as a binding tried; measured, roughly.
const ROWS_A_BINDING: u64 = 32;

/// Leaves those rows of a group, as bits from a word on, that pass the sieves of a scan.
#[inline(always)]
pub(super) fn sieve<W: Width>(
    scan: &Scan,
    (scene, frame): (&Scene<W>, &Frame<W>),
    rows: &Rows<W>,
    group: (usize, usize),
    bits: &mut [u64],
) {
    for sieve in &scan.small {
        rows.small[sieve.place as usize].keep(sieve.values(scene, frame), group, bits);
    }
    for seen in &scan.seen {
        let digit = seen.digit.value(scene, frame);
        let (members, plane) = (&rows.cells[seen.place as usize], scene.view.planes[digit]);
        seen.by.value(scene, frame).each(|cell| {
            let number = digit * scene.statics.cells + cell;
            let unseen = || plane.minus(scene.statics.peers[cell]);
            members.drop_kept(number, unseen, group.1, bits);
        });
    }
    for sieve in &scan.cells {
        rows.cells[sieve.place as usize].keep(sieve.values(scene, frame), group, bits);
    }
}

impl<W: Width, K: Sink<W>, const COUNT: bool> Runner<'_, W, K, COUNT> {
    /// Sieves the rows of a scan and goes to the first.
    pub(super) fn open_rows(&mut self, scan: &Scan) -> bool {
        self.count(1);
        let (scene, frame) = (self.scene, &*self.frame);
        let Some(key) = key(&scan.key, scene, frame) else { return false };
        let rows: &Rows<W> = &scene.tables.rows[scan.rows as usize];
        let Some(group) = rows.group(key) else { return false };
        let (first, end) = rows.of(group);
        if first == end {
            return false;
        }
        let left = &mut self.left.rows[scan.number as usize];
        let words = left.open(first, end);
        if let Some(reached) = scan.reached {
            rows.keep_reached(reached.row(scene, frame), left.from, &mut left.bits);
            self.keep_sieved(scan, rows, group, words);
        } else {
            sieve(scan, (scene, frame), rows, (group, left.from), &mut left.bits);
        }
        self.budget = self.budget.saturating_sub((end - first) as u64 / ROWS_A_BINDING);
        if let Some(ends) = &scan.ends
            && !COUNT
            && !self.keep_reaching(scan, ends)
        {
            return false;
        }
        self.next_row(scan)
    }

    /// Goes to the next row that passed the sieves.
    #[inline(always)]
    pub(super) fn next_row(&mut self, scan: &Scan) -> bool {
        let rows: &Rows<W> = &self.scene.tables.rows[scan.rows as usize];
        let left = &mut self.left.rows[scan.number as usize];
        while let Some(word) = left.bits.get_mut(left.word) {
            if *word == 0 {
                left.word += 1;
                continue;
            }
            let row = 64 * (left.from + left.word) + word.trailing_zeros() as usize;
            *word &= *word - 1;
            let is_same =
                |&(a, b): &(u8, u8)| rows.values[a as usize][row] == rows.values[b as usize][row];
            let holds = |test: &Compared| {
                let value = rows.values[test.place as usize][row];
                test.comparison.holds(&value, &test.with.number(self.frame))
            };
            if scan.same.iter().all(is_same)
                && !scan.unlike.iter().any(is_same)
                && scan.compared.iter().all(holds)
            {
                for (goes, values) in scan.open.iter().zip(&rows.values) {
                    goes.put_number(values[row], &self.scene.tables.numbers, self.frame);
                }
                return self.spend();
            }
        }
        false
    }
}

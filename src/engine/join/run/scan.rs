//! Running a scan: the rows of a key, sieved.

use super::super::bits::{Bits, Width};
use super::super::code::{SIEVES, Scan, key};
use super::super::table::Rows;
use super::{Runner, Sink};

/// How many rows that do not pass cost as much as a binding tried; measured, roughly.
const ROWS_A_BINDING: u64 = 8;

impl<W: Width, K: Sink<W>, const COUNT: bool> Runner<'_, W, K, COUNT> {
    /// Goes to the first row of a scan.
    pub(super) fn open_rows(&mut self, scan: &Scan) -> bool {
        self.count(1);
        let (scene, frame) = (self.scene, &*self.frame);
        let Some(key) = key(&scan.key, scene, frame) else { return false };
        let first = SIEVES * scan.number as usize;
        for sieve in &scan.cells {
            self.left.cells_sieves[first + sieve.place as usize] = sieve.values(scene, frame);
        }
        for sieve in &scan.small {
            self.left.small_sieves[first + sieve.place as usize] = sieve.values(scene, frame);
        }
        self.left.rows[scan.number as usize] = scene.tables.rows[scan.rows as usize].of(key);
        self.next_row(scan)
    }

    /// Goes to the next row that passes the sieves.
    pub(super) fn next_row(&mut self, scan: &Scan) -> bool {
        let rows: &Rows<W> = &self.scene.tables.rows[scan.rows as usize];
        let (first, end) = self.left.rows[scan.number as usize];
        let mut at = first;
        while at < end {
            let row = at as usize;
            at += 1;
            if self.passes(scan, rows, row) {
                self.left.rows[scan.number as usize].0 = at;
                for (place, goes) in scan.open.iter().enumerate() {
                    goes.put(rows, place, row, self.frame);
                }
                self.budget = self.budget.saturating_sub(u64::from(at - first) / ROWS_A_BINDING);
                return self.spend();
            }
        }
        self.left.rows[scan.number as usize].0 = end;
        self.budget = self.budget.saturating_sub(u64::from(at - first) / ROWS_A_BINDING);
        false
    }

    #[inline(always)]
    fn passes(&self, scan: &Scan, rows: &Rows<W>, row: usize) -> bool {
        let first = SIEVES * scan.number as usize;
        for sieve in &scan.small {
            let (outside, inside) = self.left.small_sieves[first + sieve.place as usize];
            let set = rows.small[sieve.place as usize][row];
            if set.meets(outside) || !inside.within(set) {
                return false;
            }
        }
        for sieve in &scan.cells {
            let (outside, inside) = self.left.cells_sieves[first + sieve.place as usize];
            let set = rows.cells[sieve.place as usize][row];
            if set.meets(outside) || !inside.within(set) {
                return false;
            }
        }
        let is_same =
            |&(a, b): &(u8, u8)| rows.values[a as usize][row] == rows.values[b as usize][row];
        scan.same.iter().all(is_same) && !scan.unlike.iter().any(is_same)
    }
}

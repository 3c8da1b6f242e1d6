//! Ends of chains, and beginnings whose ends are gone through next: those that reach none which would
//! pass are left out, a few words each, before a step is made for them.

use super::super::bits::{Bits, Width};
use super::super::code::{Ends, Scan, Sieved, key};
use super::super::table::Rows;
use super::scan::sieve;
use super::{Runner, Sink};

/// How many sievings are kept; a power of two. A chain is looked at for each candidate that might
/// go, and for each of its beginnings: there are some 200 candidates.
const KEPT: usize = 256;

impl<W: Width, K: Sink<W>, const COUNT: bool> Runner<'_, W, K, COUNT> {
    /// Leaves the rows that pass the sieves. What passes is kept: the sieves are often the same for
    /// one beginning of a chain as for another.
    pub(super) fn keep_sieved(&mut self, scan: &Scan, rows: &Rows<W>, group: usize, words: usize) {
        let (scene, frame) = (self.scene, &*self.frame);
        let run = self.left.run;
        let left = &mut self.left.rows[scan.number as usize];
        if !scan.seen.is_empty() {
            return sieve(scan, (scene, frame), rows, (group, left.from), &mut left.bits);
        }
        if scan.small.is_empty() && scan.cells.is_empty() {
            return;
        }
        if left.sieved.is_empty() {
            left.sieved.resize_with(KEPT, Sieved::new);
        }
        let mut hash = group as u64;
        left.by.group = group;
        left.by.small.clear();
        for sieve in &scan.small {
            let (outside, inside) = sieve.values(scene, frame);
            hash = hash.rotate_left(17) ^ outside.hash() ^ inside.hash().rotate_left(7);
            left.by.small.push((outside, inside));
        }
        left.by.cells.clear();
        for sieve in &scan.cells {
            let (outside, inside) = sieve.values(scene, frame);
            hash = hash.rotate_left(17) ^ outside.hash() ^ inside.hash().rotate_left(7);
            left.by.cells.push((outside, inside));
        }
        let sieved = &mut left.sieved[hash as usize % KEPT];
        if sieved.run != run || !sieved.by.is(&left.by) {
            sieved.run = run;
            sieved.by.copy(&left.by);
            sieved.rows.clear();
            sieved.rows.resize(words, !0);
            sieve(scan, (scene, frame), rows, (group, left.from), &mut sieved.rows);
        }
        left.bits.iter_mut().zip(&sieved.rows).for_each(|(bits, sieved)| *bits &= sieved);
    }

    /// Leaves those beginnings that reach an end; whether there may be one.
    pub(super) fn keep_reaching(&mut self, scan: &Scan, ends: &Ends) -> bool {
        let scene = self.scene;
        let beginnings: &Rows<W> = &scene.tables.rows[scan.rows as usize];
        let rows: &Rows<W> = &scene.tables.rows[ends.scan.rows as usize];
        let key = key(&ends.scan.key, scene, &*self.frame);
        let Some(group) = key.and_then(|key| rows.group(key)) else { return false };
        let (first, end) = rows.of(group);
        if first == end {
            return false;
        }
        let (mine, theirs) = (scan.number as usize, ends.scan.number as usize);
        let words = self.left.rows[theirs].open(first, end);
        self.keep_sieved(&ends.scan, rows, group, words);
        let reach = scene.tables.reach(ends.table as usize);
        let left = &mut self.left.rows[theirs];
        rows.ends_of((&left.bits, left.from), &mut left.ends, reach.words());
        let used = |word: &u64| *word != 0;
        let (Some(from), Some(last)) =
            (left.ends.iter().position(used), left.ends.iter().rposition(used))
        else {
            return false;
        };
        let wanted = std::mem::take(&mut left.ends);
        let numbers = &beginnings.values[ends.place as usize];
        let left = &mut self.left.rows[mine];
        for (word, bits) in left.bits.iter_mut().enumerate() {
            bits.each(|bit| {
                let reached = reach.row(numbers[64 * (left.from + word) + bit] as usize);
                let mut ends = reached[from..=last].iter().zip(&wanted[from..=last]);
                if ends.all(|(reached, wanted)| reached & wanted == 0) {
                    *bits &= !(1 << bit);
                }
            });
        }
        self.left.rows[theirs].ends = wanted;
        true
    }
}

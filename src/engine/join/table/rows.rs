//! The rows of a table that has sets in it, by the values of some columns.
//!
//! ```text
//! close(Cs, Ds)            tuples   #0 #0 · #1 #1 · #2 #0 · …       sets by number
//!   rows by nothing        Cs {r1c4, r1c5} …   Ds {2, 5, 7} …       a column after the other
//!   rows by Ds             key #0 → rows 0 and 1, key #1 → row 2, …
//! ```
//!
//! A plan goes through the rows of a key one after the other. Their sets stand beside each other,
//! so that what must be in a set, or not in it, sieves many rows in little time.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use crate::language::Kind;

use super::super::bits::Width;
use super::number::Numbering;
use super::{Columns, KeyHasher, TableId};

type KeyMap<V> = HashMap<u128, V, BuildHasherDefault<KeyHasher>>;

/// Rows by key.
#[derive(Clone)]
pub(in crate::engine::join) struct Rows<W: Width> {
    pub columns: Columns,
    key: Vec<usize>,
    pub open: Vec<usize>,
    built: bool,
    /// The group of each key, and where the groups begin; all rows are one group without a key.
    groups: KeyMap<u32>,
    starts: Vec<u32>,
    /// By open column: the values, and the sets they are the numbers of.
    pub values: Vec<Vec<u16>>,
    pub cells: Vec<Vec<W::Cells>>,
    pub small: Vec<Vec<W::Small>>,
}

/// The numbers of sets of both sorts.
#[derive(Clone)]
pub(in crate::engine::join) struct Numbers<W: Width> {
    pub cells: Numbering<W::Cells>,
    pub small: Numbering<W::Small>,
}

/// Some columns of a tuple as one number.
pub(super) fn key_of(columns: &[usize], tuple: &[u16]) -> u128 {
    columns.iter().fold(0, |key, &column| key << 16 | u128::from(tuple[column]))
}

impl<W: Width> Rows<W> {
    pub fn new(table: TableId, key: &[usize], open: &[usize]) -> Self {
        let strides = key.iter().map(|&column| (column, 0)).collect();
        Rows {
            columns: Columns { table, key: strides, value: 0 },
            key: key.to_vec(),
            open: open.to_vec(),
            built: false,
            groups: HashMap::default(),
            starts: Vec::new(),
            values: vec![Vec::new(); open.len()],
            cells: vec![Vec::new(); open.len()],
            small: vec![Vec::new(); open.len()],
        }
    }

    pub fn is(&self, table: TableId, key: &[usize], open: &[usize]) -> bool {
        self.columns.table == table && self.key == key && self.open == open
    }

    pub fn is_built(&self) -> bool {
        self.built
    }

    pub fn clear(&mut self) {
        if self.built {
            self.built = false;
            self.groups.clear();
            self.starts.clear();
            self.values.iter_mut().for_each(Vec::clear);
            self.cells.iter_mut().for_each(Vec::clear);
            self.small.iter_mut().for_each(Vec::clear);
        }
    }

    /// The first row of a key and the one after its last.
    #[inline]
    pub fn of(&self, key: u128) -> (u32, u32) {
        let group = if self.key.is_empty() { Some(&0) } else { self.groups.get(&key) };
        match group {
            Some(&group) => (self.starts[group as usize], self.starts[group as usize + 1]),
            None => (0, 0),
        }
    }

    pub fn build(&mut self, tuples: &[u16], kinds: &[Kind], numbers: &Numbers<W>) {
        self.built = true;
        let rows = self.sorted(tuples, kinds.len());
        for (place, &column) in self.open.iter().enumerate() {
            let value = |&row: &u32| tuples[row as usize * kinds.len() + column];
            let values = &mut self.values[place];
            values.extend(rows.iter().map(value));
            let sets = values.iter().map(|&value| value as usize);
            match kinds[column] {
                Kind::Cells => self.cells[place].extend(sets.map(|set| numbers.cells.sets[set])),
                Kind::Digits | Kind::Houses => {
                    self.small[place].extend(sets.map(|set| numbers.small.sets[set]));
                }
                _ => {}
            }
        }
    }

    /// The tuples that differ in the columns looked at, group by group.
    fn sorted(&mut self, tuples: &[u16], arity: usize) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..(tuples.len() / arity.max(1)) as u32).collect();
        let tuple = |row: u32| &tuples[row as usize * arity..][..arity];
        if self.key.len() + self.open.len() < arity {
            let told: Vec<usize> = self.key.iter().chain(&self.open).copied().collect();
            let mut seen: HashSet<u128, BuildHasherDefault<KeyHasher>> = HashSet::default();
            rows.retain(|&row| seen.insert(key_of(&told, tuple(row))));
        }
        self.starts.push(0);
        if self.key.is_empty() {
            self.starts.push(rows.len() as u32);
            return rows;
        }
        let mut counts: Vec<u32> = Vec::new();
        let mut groups = Vec::with_capacity(rows.len());
        for &row in &rows {
            let new = counts.len() as u32;
            let group = *self.groups.entry(key_of(&self.key, tuple(row))).or_insert(new);
            if group == new {
                counts.push(0);
            }
            counts[group as usize] += 1;
            groups.push(group);
        }
        for count in &counts {
            self.starts.push(self.starts[self.starts.len() - 1] + count);
        }
        let mut next: Vec<u32> = self.starts.clone();
        let mut sorted = vec![0; rows.len()];
        for (&row, &group) in rows.iter().zip(&groups) {
            sorted[next[group as usize] as usize] = row;
            next[group as usize] += 1;
        }
        sorted
    }
}

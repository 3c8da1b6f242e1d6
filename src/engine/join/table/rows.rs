//! The rows of a table that has sets in it, by the values of some columns.
//!
//! ```text
//! close(Cs, Ds)            tuples   #0 #0 · #1 #1 · #2 #0 · …       sets by number
//!   rows by nothing        Cs {r1c4, r1c5} …   Ds {2, 5, 7} …       a column after the other
//!   rows by Ds             key #0 → rows 0 and 1, key #1 → row 2, …
//! ```
//!
//! A plan goes through the rows of a key one after the other. For a column that a plan sieves, each
//! member has a row of bits that tells which rows have it in their set: what must be in a set, or
//! not in it, sieves 64 rows at a time.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use crate::language::Kind;

use super::super::bits::{Bits, Width};
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
    /// By open column that some plan sieves: which rows have a member; and what there is in any row
    /// of a group, by group.
    members: Vec<Option<Members>>,
    cells_unions: Vec<Vec<W::Cells>>,
    small_unions: Vec<Vec<W::Small>>,
}

/// By member, which rows have it in the set of a column, as bits.
#[derive(Clone, Default)]
struct Members {
    words: usize,
    bits: Vec<u64>,
}

impl Members {
    /// For the sets of a column, and the union of each group.
    fn build<B: Bits>(&mut self, sets: &[B], starts: &[u32], unions: &mut Vec<B>) {
        let union = |sets: &[B]| sets.iter().fold(B::EMPTY, |all, &set| all.or(set));
        unions.extend(starts.windows(2).map(|w| union(&sets[w[0] as usize..w[1] as usize])));
        let count = union(unions).iter().last().map_or(0, |member| member + 1);
        self.words = sets.len().div_ceil(64);
        self.bits.clear();
        self.bits.resize(count * self.words, 0);
        for (row, set) in sets.iter().enumerate() {
            set.each(|member| self.bits[member * self.words + row / 64] |= 1 << (row % 64));
        }
    }

    /// The rows that have a member, from a word on; nothing if none has.
    #[inline(always)]
    fn having(&self, member: usize, from: usize) -> Option<&[u64]> {
        self.bits.get(member * self.words..(member + 1) * self.words).map(|row| &row[from..])
    }
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
            members: vec![None; open.len()],
            cells_unions: vec![Vec::new(); open.len()],
            small_unions: vec![Vec::new(); open.len()],
        }
    }

    /// Says that plans sieve a column.
    pub fn sieve(&mut self, place: usize) {
        if self.members[place].is_none() {
            self.members[place] = Some(Members::default());
            self.clear();
        }
    }

    /// Leaves those rows of a group, as bits from a word on, whose set of cells in a column has all
    /// of `inside` and nothing of `outside`.
    #[inline(always)]
    pub fn keep_cells(
        &self,
        place: usize,
        (outside, inside): (W::Cells, W::Cells),
        (group, from): (usize, usize),
        rows: &mut [u64],
    ) {
        let outside = outside.and(self.cells_unions[place][group]);
        self.keep(place, (outside, inside), from, rows);
    }

    /// The same for sets of digits or houses.
    #[inline(always)]
    pub fn keep_small(
        &self,
        place: usize,
        (outside, inside): (W::Small, W::Small),
        (group, from): (usize, usize),
        rows: &mut [u64],
    ) {
        let outside = outside.and(self.small_unions[place][group]);
        self.keep(place, (outside, inside), from, rows);
    }

    #[inline(always)]
    fn keep<B: Bits>(
        &self,
        place: usize,
        (outside, inside): (B, B),
        from: usize,
        rows: &mut [u64],
    ) {
        let members = self.members[place].as_ref().expect("a column is marked before it is sieved");
        inside.each(|member| match members.having(member, from) {
            Some(having) => rows.iter_mut().zip(having).for_each(|(row, &bits)| *row &= bits),
            None => rows.fill(0),
        });
        outside.each(|member| {
            if let Some(having) = members.having(member, from) {
                rows.iter_mut().zip(having).for_each(|(row, &bits)| *row &= !bits);
            }
        });
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
            self.cells_unions.iter_mut().for_each(Vec::clear);
            self.small_unions.iter_mut().for_each(Vec::clear);
        }
    }

    /// The group of a key, if there is one.
    #[inline]
    pub fn group(&self, key: u128) -> Option<usize> {
        match self.key.is_empty() {
            true => Some(0),
            false => self.groups.get(&key).map(|&group| group as usize),
        }
    }

    /// The first row of a group and the one after its last.
    #[inline]
    pub fn of(&self, group: usize) -> (usize, usize) {
        (self.starts[group] as usize, self.starts[group + 1] as usize)
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
                Kind::Cells => {
                    self.cells[place].extend(sets.map(|set| numbers.cells.sets[set]));
                    if let Some(members) = &mut self.members[place] {
                        let unions = &mut self.cells_unions[place];
                        members.build(&self.cells[place], &self.starts, unions);
                    }
                }
                Kind::Digits | Kind::Houses => {
                    self.small[place].extend(sets.map(|set| numbers.small.sets[set]));
                    if let Some(members) = &mut self.members[place] {
                        let unions = &mut self.small_unions[place];
                        members.build(&self.small[place], &self.starts, unions);
                    }
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

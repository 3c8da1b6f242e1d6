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

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use crate::language::Kind;

use super::super::bits::{Bits, Width};
use super::number::Numbering;
use super::{Columns, KeyHasher, TableId};

/// Rows by key.
#[derive(Clone)]
pub(in crate::engine::join) struct Rows<W: Width> {
    pub columns: Columns,
    key: Vec<usize>,
    pub open: Vec<usize>,
    built: bool,
    /// For the ends of a chain, by row which end it is, and whether that is its place.
    is_ends: bool,
    which: Vec<u32>,
    in_order: bool,
    groups: Groups,
    /// Where the groups begin; all rows are one group without a key.
    starts: Vec<u32>,
    /// By open column: the values, or the numbers of the sets.
    pub values: Vec<Vec<u16>>,
    /// By open column: whether some plan sieves it, and what it needs for that.
    sieved: Vec<bool>,
    pub cells: Vec<Members<W::Cells>>,
    pub small: Vec<Members<W::Small>>,
}

/// By member, which rows have it in the set of a column, as bits; and by group, what there is in any
/// of its rows.
#[derive(Clone)]
pub(in crate::engine::join) struct Members<B> {
    words: usize,
    bits: Vec<u64>,
    unions: Vec<B>,
    all: B,
    /// By whatever number, rows that were asked for already, as bits: where they begin, plus one.
    kept: RefCell<(Vec<u32>, Vec<u64>)>,
}

/// The words that are sieved at a time; so many more stand behind the last.
const BLOCK: usize = 4;

impl<B: Bits> Members<B> {
    fn new() -> Self {
        Members {
            words: 0,
            bits: Vec::new(),
            unions: Vec::new(),
            all: B::EMPTY,
            kept: RefCell::default(),
        }
    }

    fn clear(&mut self) {
        self.bits.clear();
        self.unions.clear();
        let (places, kept) = self.kept.get_mut();
        places.clear();
        kept.clear();
    }

    /// For the numbers in a column, the sets they stand for, and where the groups begin.
    fn build(&mut self, values: &[u16], sets: &[B], starts: &[u32]) {
        let union = |rows: &[u16]| rows.iter().fold(B::EMPTY, |all, &v| all.or(sets[v as usize]));
        let groups = starts.windows(2).map(|w| union(&values[w[0] as usize..w[1] as usize]));
        self.unions.extend(groups);
        self.all = self.unions.iter().fold(B::EMPTY, |all, &set| all.or(set));
        let count = self.all.iter().last().map_or(0, |member| member + 1);
        self.words = values.len().div_ceil(64);
        self.bits.resize(count * self.words + BLOCK, 0);
        for (row, &value) in values.iter().enumerate() {
            let bit = 1 << (row % 64);
            sets[value as usize].each(|member| self.bits[member * self.words + row / 64] |= bit);
        }
    }

    /// The rows that have a member, from a word on.
    #[inline(always)]
    fn having(&self, member: usize, from: usize) -> &[u64; BLOCK] {
        let bits = &self.bits[member * self.words + from..];
        bits.first_chunk().expect("there are words behind the last")
    }

    /// Drops the rows, as bits from a word on, whose set meets what the number stands for. Which rows
    /// these are is kept by the number.
    #[inline]
    pub(crate) fn drop_kept(
        &self,
        number: usize,
        set: impl FnOnce() -> B,
        from: usize,
        rows: &mut [u64],
    ) {
        let (places, kept) = &mut *self.kept.borrow_mut();
        if places.len() <= number {
            places.resize(number + 1, 0);
        }
        if places[number] == 0 {
            places[number] = kept.len() as u32 + 1;
            let start = kept.len();
            kept.resize(start + self.words, 0);
            let meeting = &mut kept[start..];
            set().and(self.all).each(|member| {
                let having = &self.bits[member * self.words..][..self.words];
                meeting.iter_mut().zip(having).for_each(|(all, having)| *all |= having);
            });
        }
        let meeting = &kept[places[number] as usize - 1 + from..];
        rows.iter_mut().zip(meeting).for_each(|(row, meeting)| *row &= !meeting);
    }

    /// Leaves those rows of a group, as bits from a word on, whose set has all of `inside` and
    /// nothing of `outside`. Some words at a time, so that they stay in registers while the members
    /// are gone through.
    #[inline(always)]
    pub(crate) fn keep(
        &self,
        (outside, inside): (B, B),
        (group, from): (usize, usize),
        rows: &mut [u64],
    ) {
        let all = self.unions[group];
        if !inside.within(all) {
            return rows.fill(0);
        }
        let outside = outside.and(all);
        for (block, rows) in rows.chunks_mut(BLOCK).enumerate() {
            let from = from + block * BLOCK;
            let kept = inside.gather([!0; BLOCK], |mut kept, member| {
                let having = self.having(member, from);
                for i in 0..BLOCK {
                    kept[i] &= having[i];
                }
                kept
            });
            let dropped = outside.gather([0; BLOCK], |mut dropped, member| {
                let having = self.having(member, from);
                for i in 0..BLOCK {
                    dropped[i] |= having[i];
                }
                dropped
            });
            rows.iter_mut().enumerate().for_each(|(i, row)| *row &= kept[i] & !dropped[i]);
        }
    }
}

/// The groups of rows by key.
#[derive(Clone)]
enum Groups {
    /// By one or two digits, where each has [`DIGIT_BITS`]; [`NO_GROUP`] where there is none.
    Digits(Vec<u32>),
    /// By one column of any other kind: as many as there are values.
    Values(Vec<u32>),
    Keys(HashMap<u128, u32, BuildHasherDefault<KeyHasher>>),
}

/// Bits that hold any digit, in the key of few digits and in a key of any columns.
const DIGIT_BITS: u32 = 5;
const KEY_BITS: u32 = 16;
const NO_GROUP: u32 = u32::MAX;

impl Groups {
    /// For keys of columns of these kinds.
    fn new(kinds: impl ExactSizeIterator<Item = Kind>) -> Groups {
        let columns = kinds.len() as u32;
        match columns <= 2 && kinds.into_iter().all(|kind| kind == Kind::Digit) {
            true => Groups::Digits(vec![NO_GROUP; 1 << (columns * DIGIT_BITS)]),
            false if columns == 1 => Groups::Values(Vec::new()),
            false => Groups::Keys(HashMap::default()),
        }
    }

    #[inline]
    fn place(key: u128) -> usize {
        (key >> KEY_BITS << DIGIT_BITS | key & ((1 << KEY_BITS) - 1)) as usize
    }

    #[inline]
    fn get(&self, key: u128) -> Option<usize> {
        match self {
            Groups::Digits(groups) => {
                let group = groups[Groups::place(key)];
                (group != NO_GROUP).then_some(group as usize)
            }
            Groups::Values(groups) => {
                let group = groups.get(key as usize).copied().filter(|&group| group != NO_GROUP);
                group.map(|group| group as usize)
            }
            Groups::Keys(groups) => groups.get(&key).map(|&group| group as usize),
        }
    }

    /// The group of a key; this one if it has none.
    #[inline]
    fn of(&mut self, key: u128, new: u32) -> u32 {
        let group = match self {
            Groups::Digits(groups) => &mut groups[Groups::place(key)],
            Groups::Values(groups) => {
                let place = key as usize;
                if groups.len() <= place {
                    groups.resize(place + 1, NO_GROUP);
                }
                &mut groups[place]
            }
            Groups::Keys(groups) => return *groups.entry(key).or_insert(new),
        };
        if *group == NO_GROUP {
            *group = new;
        }
        *group
    }

    fn clear(&mut self) {
        match self {
            Groups::Digits(groups) => groups.fill(NO_GROUP),
            Groups::Values(groups) => groups.clear(),
            Groups::Keys(groups) => groups.clear(),
        }
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
    columns.iter().fold(0, |key, &column| key << KEY_BITS | u128::from(tuple[column]))
}

impl<W: Width> Rows<W> {
    /// For a table with columns of these kinds.
    pub(crate) fn new(
        table: TableId,
        kinds: &[Kind],
        key: &[usize],
        open: &[usize],
        is_ends: bool,
    ) -> Self {
        let strides = key.iter().map(|&column| (column, 0)).collect();
        Rows {
            columns: Columns { table, key: strides, value: 0 },
            groups: Groups::new(key.iter().map(|&column| kinds[column])),
            key: key.to_vec(),
            open: open.to_vec(),
            built: false,
            is_ends,
            which: Vec::new(),
            in_order: false,
            starts: Vec::new(),
            values: vec![Vec::new(); open.len()],
            sieved: vec![false; open.len()],
            cells: vec![Members::new(); open.len()],
            small: vec![Members::new(); open.len()],
        }
    }

    /// Says that plans sieve a column.
    pub(crate) fn sieve(&mut self, place: usize) {
        if !self.sieved[place] {
            self.sieved[place] = true;
            self.clear();
        }
    }

    pub(crate) fn is(&self, table: TableId, key: &[usize], open: &[usize]) -> bool {
        self.columns.table == table && self.key == key && self.open == open
    }

    pub(crate) fn is_built(&self) -> bool {
        self.built
    }

    pub(crate) fn clear(&mut self) {
        if self.built {
            self.built = false;
            self.groups.clear();
            self.starts.clear();
            self.values.iter_mut().for_each(Vec::clear);
            self.cells.iter_mut().for_each(Members::clear);
            self.small.iter_mut().for_each(Members::clear);
        }
    }

    /// The group of a key, if there is one.
    #[inline]
    pub(crate) fn group(&self, key: u128) -> Option<usize> {
        match self.key.is_empty() {
            true => Some(0),
            false => self.groups.get(key),
        }
    }

    /// Leaves those rows, as bits from a word on, whose end is reached.
    #[inline]
    pub(crate) fn keep_reached(&self, reached: &[u64], from: usize, rows: &mut [u64]) {
        if self.in_order {
            rows.iter_mut().zip(&reached[from..]).for_each(|(row, reached)| *row &= reached);
            return;
        }
        for (word, rows) in rows.iter_mut().enumerate() {
            rows.each(|bit| {
                if !self.is_reached(reached, 64 * (from + word) + bit) {
                    *rows &= !(1 << bit);
                }
            });
        }
    }

    /// Whether the end of a row is reached.
    #[inline]
    pub(crate) fn is_reached(&self, reached: &[u64], row: usize) -> bool {
        let end = self.which[row];
        reached[end as usize / 64] >> (end % 64) & 1 == 1
    }

    /// The ends of rows that are given as bits from a word on: as bits by end, of so many words.
    pub(crate) fn ends_of(&self, (rows, from): (&[u64], usize), ends: &mut Vec<u64>, words: usize) {
        ends.clear();
        ends.resize(words, 0);
        for (word, rows) in rows.iter().enumerate() {
            if self.in_order {
                ends[from + word] = *rows;
                continue;
            }
            rows.each(|bit| {
                let end = self.which[64 * (from + word) + bit] as usize;
                ends[end / 64] |= 1 << (end % 64);
            });
        }
    }

    /// The first row of a group and the one after its last.
    #[inline]
    pub(crate) fn of(&self, group: usize) -> (usize, usize) {
        (self.starts[group] as usize, self.starts[group + 1] as usize)
    }

    pub(crate) fn build(&mut self, tuples: &[u16], kinds: &[Kind], numbers: &Numbers<W>) {
        self.built = true;
        let rows = self.sorted(tuples, kinds.len());
        if self.is_ends {
            self.in_order = rows.iter().enumerate().all(|(place, &row)| place as u32 == row);
            self.which.clone_from(&rows);
        }
        for (place, &column) in self.open.iter().enumerate() {
            let value = |&row: &u32| tuples[row as usize * kinds.len() + column];
            let values = &mut self.values[place];
            values.extend(rows.iter().map(value));
            match kinds[column] {
                _ if !self.sieved[place] => {}
                Kind::Cells => self.cells[place].build(values, &numbers.cells.sets, &self.starts),
                _ => self.small[place].build(values, &numbers.small.sets, &self.starts),
            }
        }
    }

    /// The tuples that differ in the columns looked at, group by group.
    fn sorted(&mut self, tuples: &[u16], arity: usize) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..(tuples.len() / arity.max(1)) as u32).collect();
        let tuple = |row: u32| &tuples[row as usize * arity..][..arity];
        // Two ends that look the same are two: they are reached by others.
        if self.key.len() + self.open.len() < arity && !self.is_ends {
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
            let group = self.groups.of(key_of(&self.key, tuple(row)), new);
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

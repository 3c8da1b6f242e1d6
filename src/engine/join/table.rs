//! Helpers as tables of tuples, with the indices that plans look things up in.
//!
//! ```text
//! bivalue(C, X, Y)        tuples   r1c4 2 7 · r1c4 7 2 · r5c5 1 2 · …
//!   index (X, Y → C)      key X·9+Y        → set of cells
//!   index (C → X)         key C            → set of digits, whatever Y is
//! ```
//!
//! An index goes from the values of some columns to the set of values of one other column, over
//! all tuples; columns in neither are forgotten. A table is filled, and an index is built, when
//! the first plan on a state wants it; only the entries touched are cleared for the next state.

use std::hash::Hasher;

use crate::language::Kind;

use super::bits::{Bits, Width};

/// Which table: the helpers in their order, then the built-in relations that are tables.
pub(super) type TableId = usize;

/// Indices with more keys than this are hashed: few of the keys are used, and they should lie
/// close together.
const MOST_DENSE: usize = 4096;
/// The places of a hashed index to begin with.
const FIRST_PLACES: usize = 256;

/// A hasher for keys that are numbers already.
#[derive(Clone, Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 << 8 | byte as u64);
        }
    }
    fn write_u64(&mut self, key: u64) {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// One index: a set for each key.
#[derive(Clone)]
struct Index<B> {
    table: TableId,
    /// The columns of the key and their strides.
    key: Vec<(usize, usize)>,
    value: usize,
    /// By key, or, if `hashed`, by place.
    sets: Vec<B>,
    /// The key at each place plus one, or zero; twice as many places as keys at least.
    hashed: Option<Vec<u64>>,
    touched: Vec<u32>,
    built: bool,
}

impl<B: Bits> Index<B> {
    #[inline(always)]
    fn get(&self, key: usize) -> B {
        match &self.hashed {
            None => self.sets[key],
            Some(keys) => self.sets[place(keys, key)],
        }
    }

    /// Adds to the set of a key; whether it was new.
    #[inline]
    fn add(&mut self, key: usize, value: usize) -> bool {
        let place = match &mut self.hashed {
            None => {
                if self.sets[key].is_empty() {
                    self.touched.push(key as u32);
                }
                key
            }
            Some(keys) => {
                if 2 * self.touched.len() >= keys.len() {
                    self.grow();
                }
                let keys = self.hashed.as_mut().expect("it is hashed");
                let place = place(keys, key);
                if keys[place] == 0 {
                    keys[place] = key as u64 + 1;
                    self.touched.push(place as u32);
                }
                place
            }
        };
        let set = &mut self.sets[place];
        let new = !set.contains(value);
        set.insert(value);
        new
    }

    #[cold]
    fn grow(&mut self) {
        let Some(keys) = &mut self.hashed else { return };
        let size = 2 * keys.len();
        let mut new_keys = vec![0; size];
        let mut sets = vec![B::EMPTY; size];
        for at in &mut self.touched {
            let key = keys[*at as usize];
            let to = place(&new_keys, key as usize - 1);
            new_keys[to] = key;
            sets[to] = self.sets[*at as usize];
            *at = to as u32;
        }
        (self.hashed, self.sets) = (Some(new_keys), sets);
    }

    #[inline]
    fn add_tuple(&mut self, tuple: &[u16]) -> bool {
        let part = |&(column, stride): &(usize, usize)| tuple[column] as usize * stride;
        let key = self.key.iter().map(part).sum();
        self.add(key, tuple[self.value] as usize)
    }

    /// Adds tuples, one after the other, to an index without any.
    fn add_all(&mut self, tuples: &[u16], arity: usize) {
        if self.hashed.is_some() {
            for tuple in tuples.chunks_exact(arity) {
                self.add_tuple(tuple);
            }
            return;
        }
        // A loop for each usual length of the key.
        let value = self.value;
        match self.key[..] {
            [] => self.add_each(tuples, arity, |tuple| (0, tuple[value])),
            [(a, m)] => self.add_each(tuples, arity, |t| (t[a] as usize * m, t[value])),
            [(a, m), (b, n)] => {
                let key = |t: &[u16]| t[a] as usize * m + t[b] as usize * n;
                self.add_each(tuples, arity, |t| (key(t), t[value]));
            }
            _ => tuples.chunks_exact(arity).for_each(|tuple| {
                self.add_tuple(tuple);
            }),
        }
    }

    #[inline(always)]
    fn add_each(&mut self, tuples: &[u16], arity: usize, of: impl Fn(&[u16]) -> (usize, u16)) {
        let Index { sets, touched, .. } = self;
        for tuple in tuples.chunks_exact(arity) {
            let (key, value) = of(tuple);
            let set = &mut sets[key];
            if set.is_empty() {
                touched.push(key as u32);
            }
            set.insert(value as usize);
        }
    }

    fn clear(&mut self) {
        for &place in &self.touched {
            self.sets[place as usize] = B::EMPTY;
            if let Some(keys) = &mut self.hashed {
                keys[place as usize] = 0;
            }
        }
        self.touched.clear();
        self.built = false;
    }
}

/// Where a key is, or where it would go. There is always a free place.
#[inline]
fn place(keys: &[u64], key: usize) -> usize {
    let mask = keys.len() - 1;
    let mut at = ((key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
    while keys[at] != 0 && keys[at] != key as u64 + 1 {
        at = (at + 1) & mask;
    }
    at
}

/// One of the two sorts of index: from where it goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IndexId {
    Cells(u16),
    Small(u16),
}

/// A helper's tuples, one after the other.
#[derive(Clone)]
struct Table {
    sizes: Vec<usize>,
    kinds: Vec<Kind>,
    tuples: Vec<u16>,
    /// The index of all columns, which knows whether a tuple is there.
    whole: IndexId,
    indices: Vec<IndexId>,
    /// Whether the whole index has all tuples.
    whole_known: bool,
    filled: bool,
    /// Never cleared.
    fixed: bool,
}

/// All tables and indices of a state.
#[derive(Clone)]
pub(super) struct Tables<W: Width> {
    tables: Vec<Option<Table>>,
    cells: Vec<Index<W::Cells>>,
    small: Vec<Index<W::Small>>,
}

impl<W: Width> Tables<W> {
    pub fn new(count: usize) -> Self {
        Tables { tables: vec![None; count], cells: Vec::new(), small: Vec::new() }
    }

    /// Makes room for a table with these columns, unless there is.
    pub fn declare(&mut self, table: TableId, kinds: &[Kind], sizes: Vec<usize>) {
        if self.tables[table].is_none() {
            self.tables[table] = Some(Table {
                sizes,
                kinds: kinds.to_vec(),
                tuples: Vec::new(),
                whole: IndexId::Cells(0),
                indices: Vec::new(),
                whole_known: true,
                filled: false,
                fixed: false,
            });
            let value = kinds.iter().rposition(|&kind| kind == Kind::Cell);
            let value = value.unwrap_or(kinds.len().saturating_sub(1));
            let key: Vec<usize> = (0..kinds.len()).filter(|&c| c != value).collect();
            self.table_mut(table).whole = self.index(table, &key, value);
        }
    }

    fn table(&self, table: TableId) -> &Table {
        self.tables[table].as_ref().expect("a table is declared before it is used")
    }
    fn table_mut(&mut self, table: TableId) -> &mut Table {
        self.tables[table].as_mut().expect("a table is declared before it is used")
    }

    /// The index from some columns to another, made if it is new; and the strides of its key.
    pub fn index(&mut self, table: TableId, key: &[usize], value: usize) -> IndexId {
        let known = self.table(table).indices.iter().copied().find(|&id| {
            let (columns, to) = self.columns(id);
            to == value && columns.iter().map(|&(c, _)| c).eq(key.iter().copied())
        });
        if let Some(id) = known {
            return id;
        }
        let sizes = &self.table(table).sizes;
        let mut stride = 1;
        let mut strides = Vec::new();
        for &column in key {
            strides.push((column, stride));
            stride *= sizes[column].max(1);
        }
        let to_cells = self.table(table).kinds.get(value) == Some(&Kind::Cell);
        let id = if to_cells {
            self.cells.push(new_index(table, strides, value, stride));
            IndexId::Cells(self.cells.len() as u16 - 1)
        } else {
            self.small.push(new_index(table, strides, value, stride));
            IndexId::Small(self.small.len() as u16 - 1)
        };
        self.table_mut(table).indices.push(id);
        id
    }

    /// The key columns of an index with their strides, and its value column.
    pub fn columns(&self, id: IndexId) -> (&[(usize, usize)], usize) {
        match id {
            IndexId::Cells(i) => (&self.cells[i as usize].key, self.cells[i as usize].value),
            IndexId::Small(i) => (&self.small[i as usize].key, self.small[i as usize].value),
        }
    }

    /// The table of an index.
    pub fn table_of(&self, id: IndexId) -> TableId {
        match id {
            IndexId::Cells(i) => self.cells[i as usize].table,
            IndexId::Small(i) => self.small[i as usize].table,
        }
    }

    /// The set of cells of a key.
    #[inline]
    pub fn cells(&self, index: u16, key: usize) -> W::Cells {
        self.cells[index as usize].get(key)
    }
    /// The set of digits or houses of a key.
    #[inline]
    pub fn small(&self, index: u16, key: usize) -> W::Small {
        self.small[index as usize].get(key)
    }

    /// Whether a table is filled.
    #[inline]
    pub fn is_filled(&self, table: TableId) -> bool {
        self.table(table).filled
    }

    /// Says that a table is complete; `fixed` if for every state.
    pub fn set_filled(&mut self, table: TableId, fixed: bool) {
        let table = self.table_mut(table);
        (table.filled, table.fixed) = (true, fixed);
    }

    /// Whether an index is built.
    #[inline]
    pub fn is_built(&self, id: IndexId) -> bool {
        match id {
            IndexId::Cells(i) => self.cells[i as usize].built,
            IndexId::Small(i) => self.small[i as usize].built,
        }
    }

    /// Builds an index from the tuples there are; later tuples are added to it.
    pub fn build(&mut self, id: IndexId) {
        if self.is_built(id) {
            return;
        }
        let table = self.tables[self.table_of(id)].as_ref().expect("an index has its table");
        let arity = table.kinds.len();
        match id {
            IndexId::Cells(i) => {
                let index = &mut self.cells[i as usize];
                index.built = true;
                if id != table.whole || !table.whole_known {
                    index.add_all(&table.tuples, arity);
                }
            }
            IndexId::Small(i) => {
                let index = &mut self.small[i as usize];
                index.built = true;
                if id != table.whole || !table.whole_known {
                    index.add_all(&table.tuples, arity);
                }
            }
        }
    }

    fn add_to(&mut self, id: IndexId, tuple: &[u16]) -> bool {
        match id {
            IndexId::Cells(i) => self.cells[i as usize].add_tuple(tuple),
            IndexId::Small(i) => self.small[i as usize].add_tuple(tuple),
        }
    }

    /// Adds a tuple; whether it was new.
    pub fn insert(&mut self, table: TableId, tuple: &[u16]) -> bool {
        let whole = self.table(table).whole;
        if !self.add_to(whole, tuple) {
            return false;
        }
        self.table_mut(table).tuples.extend_from_slice(tuple);
        for i in 0..self.table(table).indices.len() {
            let id = self.table(table).indices[i];
            if id != whole && self.is_built(id) {
                self.add_to(id, tuple);
            }
        }
        true
    }

    /// Gives a table all its tuples, each of them once.
    pub fn set_tuples(&mut self, table: TableId, tuples: &[u16]) {
        let table = self.table_mut(table);
        debug_assert!(table.tuples.is_empty());
        table.whole_known = false;
        table.tuples.extend_from_slice(tuples);
    }

    /// The tuples, one after the other, and how many columns each has.
    pub fn tuples(&self, table: TableId) -> (&[u16], usize) {
        let table = self.table(table);
        (&table.tuples, table.kinds.len())
    }

    /// Forgets everything that depends on the state.
    pub fn forget(&mut self) {
        for place in 0..self.tables.len() {
            let Some(table) = &mut self.tables[place] else { continue };
            if table.fixed || !table.filled {
                continue;
            }
            table.filled = false;
            table.whole_known = true;
            table.tuples.clear();
            for id in &table.indices {
                match *id {
                    IndexId::Cells(i) => self.cells[i as usize].clear(),
                    IndexId::Small(i) => self.small[i as usize].clear(),
                }
            }
        }
    }
}

fn new_index<B: Bits>(
    table: TableId,
    key: Vec<(usize, usize)>,
    value: usize,
    size: usize,
) -> Index<B> {
    let is_hashed = size > MOST_DENSE;
    let places = if is_hashed { FIRST_PLACES } else { size };
    Index {
        table,
        key,
        value,
        sets: vec![B::EMPTY; places],
        hashed: is_hashed.then(|| vec![0; places]),
        touched: Vec::new(),
        built: false,
    }
}

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

mod built_in;
mod chain;
mod circle;
mod clause;
mod index;
mod kept;
mod known;
mod number;
mod path;
mod place;
mod reach;
mod rows;

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::language::Kind;

use super::bits::{Bits, Width};
use super::run::Found;
use index::Index;
use kept::Kept;
use number::Numbering;
use rows::key_of;

pub(super) use built_in::{excluded, rectangles};
pub(super) use chain::{Chain, Link};
pub(super) use circle::{Circle, Scratch};
pub(super) use clause::{Copied, Fresh, Start};
pub(super) use index::KeyHasher;
pub(super) use number::NO_NUMBER;
pub(super) use path::Path;
pub(super) use reach::{Parts, Reach};
pub(super) use rows::{Numbers, Rows};

/// Which table: the helpers in their order, then the built-in relations that are tables.
pub(super) type TableId = usize;

/// Which index: by what it goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IndexId {
    Cells(u16),
    Small(u16),
    /// Not a set for each key, but the rows; for tables with sets in them.
    Rows(u16),
}

/// What an index goes from and to.
#[derive(Clone)]
pub(super) struct Columns {
    pub table: TableId,
    /// The columns of the key and their strides.
    pub key: Vec<(usize, u64)>,
    pub value: usize,
}

/// A helper's tuples, one after the other.
#[derive(Clone)]
struct Table {
    sizes: Vec<usize>,
    kinds: Vec<Kind>,
    tuples: Vec<u16>,
    /// The index of all columns, which knows whether a tuple is there; if there are sets among
    /// them, the tuples seen do.
    whole: Option<IndexId>,
    seen: HashSet<u128, BuildHasherDefault<KeyHasher>>,
    indices: Vec<IndexId>,
    /// Whether the whole index has all tuples.
    whole_known: bool,
    /// Whether some tuples may be there twice.
    may_repeat: bool,
    /// For the ends of a chain: who reaches them.
    reach: Reach,
    /// Whether the tuples are not written out, as there are [`Parts`]; and which columns are where.
    is_parted: bool,
    chain: Option<Chain>,
    filled: bool,
}

/// The columns that a table may have.
const ALL_COLUMNS: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// All tables and indices of a state.
#[derive(Clone)]
pub(super) struct Tables<W: Width> {
    pub parts: Parts,
    tables: Vec<Option<Table>>,
    /// The tables that are filled for this state only: of hundreds, most rules need a few.
    filled: Vec<TableId>,
    cells: Vec<Index<W::Cells>>,
    small: Vec<Index<W::Small>>,
    pub rows: Vec<Rows<W>>,
    pub numbers: Numbers<W>,
    /// By number of a set of cells: the common peers of each digit's spots in it, and its candidates.
    pub peers_of_spots: Kept<W::Cells>,
    pub candidates: Kept<W::Small>,
}

impl<W: Width> Tables<W> {
    /// For so many tables, those of helpers first.
    pub(super) fn new(helpers: usize, count: usize) -> Self {
        Tables {
            parts: Parts::behind(count),
            tables: vec![None; count + 2 * helpers],
            filled: Vec::new(),
            cells: Vec::new(),
            small: Vec::new(),
            rows: Vec::new(),
            numbers: Numbers { cells: Numbering::new(), small: Numbering::new() },
            peers_of_spots: Kept::new(),
            candidates: Kept::new(),
        }
    }

    /// Makes room for a table with these columns, unless there is.
    pub(super) fn declare(&mut self, table: TableId, kinds: &[Kind], sizes: Vec<usize>) {
        if self.tables[table].is_none() {
            self.tables[table] = Some(Table {
                sizes,
                kinds: kinds.to_vec(),
                tuples: Vec::new(),
                whole: None,
                seen: HashSet::default(),
                indices: Vec::new(),
                whole_known: true,
                may_repeat: false,
                reach: Reach::default(),
                is_parted: false,
                chain: None,
                filled: false,
            });
            if kinds.iter().any(|kind| kind.set().is_none()) {
                return;
            }
            let value = kinds.iter().rposition(|&kind| kind == Kind::Cell);
            let value = value.unwrap_or(kinds.len().saturating_sub(1));
            let key: Vec<usize> = (0..kinds.len()).filter(|&c| c != value).collect();
            self.table_mut(table).whole = Some(self.index(table, &key, value));
        }
    }

    fn table(&self, table: TableId) -> &Table {
        self.tables[table].as_ref().expect("a table is declared before it is used")
    }
    fn table_mut(&mut self, table: TableId) -> &mut Table {
        self.tables[table].as_mut().expect("a table is declared before it is used")
    }

    /// The index from some columns to another, made if it is new.
    pub(super) fn index(&mut self, table: TableId, key: &[usize], value: usize) -> IndexId {
        let known = self.table(table).indices.iter().copied().find(|&id| {
            let columns = self.columns(id);
            columns.value == value && columns.key.iter().map(|&(c, _)| c).eq(key.iter().copied())
        });
        if let Some(id) = known {
            return id;
        }
        let Table { sizes, kinds, .. } = self.table(table);
        let to_cells = kinds.get(value) == Some(&Kind::Cell);
        let mut keys = 1;
        let mut columns = Columns { table, key: Vec::new(), value };
        for &column in key {
            columns.key.push((column, keys));
            keys *= sizes[column].max(1) as u64;
        }
        let id = if to_cells {
            self.cells.push(Index::new(columns, keys));
            IndexId::Cells(self.cells.len() as u16 - 1)
        } else {
            self.small.push(Index::new(columns, keys));
            IndexId::Small(self.small.len() as u16 - 1)
        };
        self.table_mut(table).indices.push(id);
        id
    }

    /// The rows by some columns, made if they are new.
    pub(super) fn rows(&mut self, table: TableId, key: &[usize], open: &[usize]) -> IndexId {
        let known = self.rows.iter().position(|rows| rows.is(table, key, open));
        let id = IndexId::Rows(known.unwrap_or(self.rows.len()) as u16);
        if known.is_none() {
            let kinds = self.table(table).kinds.clone();
            self.rows.push(Rows::new(table, &kinds, key, open, self.parts.is_ends(table)));
            self.table_mut(table).indices.push(id);
        }
        id
    }

    /// What an index goes from and to.
    pub(super) fn columns(&self, id: IndexId) -> &Columns {
        match id {
            IndexId::Cells(i) => &self.cells[i as usize].columns,
            IndexId::Small(i) => &self.small[i as usize].columns,
            IndexId::Rows(i) => &self.rows[i as usize].columns,
        }
    }

    /// The table of an index, whole.
    pub(super) fn whole_of(&self, id: IndexId) -> TableId {
        self.parts.whole(self.columns(id).table)
    }

    /// The set of cells of a key.
    #[inline]
    pub(super) fn cells(&self, index: u16, key: u64) -> W::Cells {
        self.cells[index as usize].get(key)
    }
    /// The set of digits or houses of a key.
    #[inline]
    pub(super) fn small(&self, index: u16, key: u64) -> W::Small {
        self.small[index as usize].get(key)
    }

    /// Whether a table is filled.
    #[inline]
    pub(super) fn is_filled(&self, table: TableId) -> bool {
        self.table(table).filled
    }

    /// Says that a table is complete; `fixed` if for every state.
    pub(super) fn set_filled(&mut self, table: TableId, fixed: bool) {
        self.table_mut(table).filled = true;
        if !fixed {
            self.filled.push(table);
        }
    }

    /// Whether an index is built.
    #[inline]
    pub(super) fn is_built(&self, id: IndexId) -> bool {
        match id {
            IndexId::Cells(i) => self.cells[i as usize].is_built(),
            IndexId::Small(i) => self.small[i as usize].is_built(),
            IndexId::Rows(i) => self.rows[i as usize].is_built(),
        }
    }

    /// Builds an index from the tuples there are; later tuples are added to it.
    pub(super) fn build(&mut self, id: IndexId) {
        if self.is_built(id) {
            return;
        }
        let table = self.columns(id).table;
        if self.table(table).is_parted {
            self.write_out(table);
        }
        self.drop_repeated(table);
        let table = self.tables[table].as_ref();
        let Table { tuples, kinds, whole, whole_known, .. } = table.expect("it has its table");
        let tuples = if Some(id) == *whole && *whole_known { &[] } else { &tuples[..] };
        match id {
            IndexId::Cells(i) => self.cells[i as usize].build(tuples, kinds.len()),
            IndexId::Small(i) => self.small[i as usize].build(tuples, kinds.len()),
            IndexId::Rows(i) => self.rows[i as usize].build(tuples, kinds, &self.numbers),
        }
    }

    fn add_to(&mut self, id: IndexId, tuple: &[u16]) -> bool {
        match id {
            IndexId::Cells(i) => self.cells[i as usize].add_tuple(tuple),
            IndexId::Small(i) => self.small[i as usize].add_tuple(tuple),
            // No plan goes through rows while they are made.
            IndexId::Rows(_) => false,
        }
    }

    /// Adds a tuple; whether it was new.
    pub(super) fn insert(&mut self, table: TableId, tuple: &[u16]) -> bool {
        let whole = self.table(table).whole;
        let new = match whole {
            Some(whole) => self.add_to(whole, tuple),
            None => self.table_mut(table).seen.insert(key_of(&ALL_COLUMNS[..tuple.len()], tuple)),
        };
        if !new {
            return false;
        }
        self.write(table, tuple);
        true
    }

    /// Adds a tuple with each of some cells at a place, which must be its last cell.
    pub(super) fn insert_gathered(
        &mut self,
        table: TableId,
        tuple: &[u16],
        place: usize,
        set: W::Cells,
    ) {
        let Some(whole @ IndexId::Cells(index)) = self.table(table).whole else { return };
        debug_assert_eq!(self.columns(whole).value, place);
        let new = self.cells[index as usize].add_all(tuple, set);
        let mut room = [0; ALL_COLUMNS.len()];
        let one = &mut room[..tuple.len()];
        one.copy_from_slice(tuple);
        new.each(|cell| {
            one[place] = cell as u16;
            self.write(table, one);
        });
    }

    /// Writes a tuple that is new to the table, and to what is built of its indices but the whole one.
    fn write(&mut self, table: TableId, tuple: &[u16]) {
        let own = self.table_mut(table);
        own.tuples.extend_from_slice(tuple);
        let whole = own.whole;
        for i in 0..self.table(table).indices.len() {
            let id = self.table(table).indices[i];
            if Some(id) != whole && self.is_built(id) {
                self.add_to(id, tuple);
            }
        }
    }

    /// Gives a table all its tuples, each of them once.
    pub(super) fn set_tuples(&mut self, table: TableId, tuples: &[u16]) {
        let table = self.table_mut(table);
        debug_assert!(table.tuples.is_empty());
        table.whole_known = false;
        table.tuples.extend_from_slice(tuples);
    }

    /// Gives a table with sets more tuples, some of them perhaps again.
    pub(super) fn add_tuples(&mut self, table: TableId, tuples: &[u16]) {
        let table = self.table_mut(table);
        table.may_repeat = true;
        table.tuples.extend_from_slice(tuples);
    }

    /// Leaves each tuple of a table once.
    pub(super) fn drop_repeated(&mut self, table: TableId) {
        let Table { tuples, seen, kinds, may_repeat, .. } = self.table_mut(table);
        if !std::mem::take(may_repeat) {
            return;
        }
        let arity = kinds.len();
        let mut kept = 0;
        for at in (0..tuples.len()).step_by(arity) {
            if seen.insert(key_of(&ALL_COLUMNS[..arity], &tuples[at..at + arity])) {
                tuples.copy_within(at..at + arity, kept);
                kept += arity;
            }
        }
        tuples.truncate(kept);
    }

    /// Whether there are sets among the columns of a table.
    pub(super) fn has_sets(&self, table: TableId) -> bool {
        self.table(table).whole.is_none()
    }

    /// Gives the sets of tuples found for a table their numbers; whether there are enough.
    pub(super) fn number(&mut self, table: TableId, found: &mut Found<W>) -> bool {
        let table = self.tables[table].as_ref().expect("a table is declared before it is used");
        found.number(&table.kinds, &mut self.numbers)
    }

    /// Makes room for what is kept of each set of cells, with so many digits.
    pub(super) fn keep_of_sets(&mut self, digits: usize) {
        let sets = self.numbers.cells.sets.len();
        self.peers_of_spots.make_room(sets * digits);
        self.candidates.make_room(sets);
    }

    /// How many values some columns of a table have; nothing for sets, whose numbers are as many as
    /// there are sets.
    fn values(
        &self,
        table: TableId,
        columns: &[usize],
    ) -> impl Iterator<Item = Option<usize>> + Clone {
        let Table { kinds, sizes, .. } = self.table(table);
        columns.iter().map(|&column| kinds[column].set().map(|_| sizes[column]))
    }

    /// The columns of a table, and how many they are.
    pub(super) fn kinds(&self, table: TableId) -> &[Kind] {
        &self.table(table).kinds
    }
    pub(super) fn arity(&self, table: TableId) -> usize {
        self.table(table).kinds.len()
    }

    /// The tuples, one after the other, and how many columns each has.
    pub(super) fn tuples(&self, table: TableId) -> (&[u16], usize) {
        let table = self.table(table);
        (&table.tuples, table.kinds.len())
    }

    /// Forgets everything that depends on the state.
    pub(super) fn forget(&mut self) {
        while let Some(place) = self.filled.pop() {
            let Some(table) = &mut self.tables[place] else { continue };
            table.filled = false;
            table.is_parted = false;
            table.reach.clear();
            table.whole_known = true;
            table.may_repeat = false;
            table.tuples.clear();
            table.seen.clear();
            for id in &table.indices {
                match *id {
                    IndexId::Cells(i) => self.cells[i as usize].clear(),
                    IndexId::Small(i) => self.small[i as usize].clear(),
                    IndexId::Rows(i) => self.rows[i as usize].clear(),
                }
            }
        }
        self.peers_of_spots.clear();
        self.candidates.clear();
        self.numbers.cells.clear();
        self.numbers.small.clear();
    }
}

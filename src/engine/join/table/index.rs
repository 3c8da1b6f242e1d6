//! One index of a table: a set for each key.

use std::hash::Hasher;

use super::super::bits::Bits;
use super::Columns;

/// Indices with more keys than this are hashed: few of the keys are used, and they should lie
/// close together. 4096 sets of cells take 64 kB, more than the first cache; of all the bundled
/// rules' indices on 9 × 9 those by one cell or by a cell and a digit stay below, those by two
/// cells (6561 keys) do not.
const MOST_DENSE: u64 = 4096;
/// The places of a hashed index to begin with: as many keys as half of that are no more than most
/// tables have on a board that rules are stuck on. It grows by itself.
const FIRST_PLACES: usize = 256;

/// A hasher for keys that are numbers already.
#[derive(Clone, Default)]
pub(in crate::engine::join) struct KeyHasher(u64);

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
    fn write_u128(&mut self, key: u128) {
        self.write_u64(key as u64 ^ ((key >> 64) as u64).rotate_left(23));
    }
}

/// One index. A key has 64 bits: five columns of cells may have more values than 32 bits hold.
#[derive(Clone)]
pub(super) struct Index<B> {
    pub columns: Columns,
    /// By key, or, if `hashed`, by place.
    sets: Vec<B>,
    /// The key at each place plus one, or zero; twice as many places as keys at least.
    hashed: Option<Vec<u64>>,
    touched: Vec<u32>,
    built: bool,
}

impl<B: Bits> Index<B> {
    /// An index with so many possible keys.
    pub(super) fn new(columns: Columns, keys: u64) -> Self {
        let is_hashed = keys > MOST_DENSE;
        let places = if is_hashed { FIRST_PLACES } else { keys as usize };
        Index {
            columns,
            sets: vec![B::EMPTY; places],
            hashed: is_hashed.then(|| vec![0; places]),
            touched: Vec::new(),
            built: false,
        }
    }

    pub(super) fn is_built(&self) -> bool {
        self.built
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> B {
        match &self.hashed {
            None => self.sets[key as usize],
            Some(keys) => self.sets[place(keys, key)],
        }
    }

    /// Adds to the set of a key; whether it was new.
    #[inline]
    fn add(&mut self, key: u64, value: usize) -> bool {
        let set = self.set_mut(key);
        let new = !set.contains(value);
        set.insert(value);
        new
    }

    /// Adds some to the set of a tuple's key; those that were new.
    #[inline]
    pub(super) fn add_all(&mut self, tuple: &[u16], values: B) -> B {
        let set = self.set_mut(self.key_of(tuple));
        let new = values.minus(*set);
        *set = set.or(new);
        new
    }

    /// The set of a key, which something is added to.
    #[inline]
    fn set_mut(&mut self, key: u64) -> &mut B {
        let place = match &mut self.hashed {
            None => {
                let key = key as usize;
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
                    keys[place] = key + 1;
                    self.touched.push(place as u32);
                }
                place
            }
        };
        &mut self.sets[place]
    }

    #[cold]
    fn grow(&mut self) {
        let Some(keys) = &mut self.hashed else { return };
        let size = 2 * keys.len();
        let mut new_keys = vec![0; size];
        let mut sets = vec![B::EMPTY; size];
        for at in &mut self.touched {
            let key = keys[*at as usize];
            let to = place(&new_keys, key - 1);
            new_keys[to] = key;
            sets[to] = self.sets[*at as usize];
            *at = to as u32;
        }
        (self.hashed, self.sets) = (Some(new_keys), sets);
    }

    #[inline]
    pub(super) fn add_tuple(&mut self, tuple: &[u16]) -> bool {
        self.add(self.key_of(tuple), tuple[self.columns.value] as usize)
    }

    #[inline]
    fn key_of(&self, tuple: &[u16]) -> u64 {
        let part = |&(column, stride): &(usize, u64)| u64::from(tuple[column]) * stride;
        self.columns.key.iter().map(part).sum()
    }

    /// Adds all tuples, one after the other, to an index without any.
    pub(super) fn build(&mut self, tuples: &[u16], arity: usize) {
        self.built = true;
        if self.hashed.is_some() {
            for tuple in tuples.chunks_exact(arity) {
                self.add_tuple(tuple);
            }
            return;
        }
        // A loop for each usual length of the key.
        let value = self.columns.value;
        match self.columns.key[..] {
            [] => self.add_each(tuples, arity, |tuple| (0, tuple[value])),
            [(a, m)] => self.add_each(tuples, arity, |t| (u64::from(t[a]) * m, t[value])),
            [(a, m), (b, n)] => {
                let key = |t: &[u16]| u64::from(t[a]) * m + u64::from(t[b]) * n;
                self.add_each(tuples, arity, |t| (key(t), t[value]));
            }
            _ => tuples.chunks_exact(arity).for_each(|tuple| {
                self.add_tuple(tuple);
            }),
        }
    }

    #[inline(always)]
    fn add_each(&mut self, tuples: &[u16], arity: usize, of: impl Fn(&[u16]) -> (u64, u16)) {
        let Index { sets, touched, .. } = self;
        for tuple in tuples.chunks_exact(arity) {
            let (key, value) = of(tuple);
            let set = &mut sets[key as usize];
            if set.is_empty() {
                touched.push(key as u32);
            }
            set.insert(value as usize);
        }
    }

    pub(super) fn clear(&mut self) {
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
fn place(keys: &[u64], key: u64) -> usize {
    let mask = keys.len() - 1;
    let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
    while keys[at] != 0 && keys[at] != key + 1 {
        at = (at + 1) & mask;
    }
    at
}

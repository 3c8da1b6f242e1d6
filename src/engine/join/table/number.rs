//! Sets by number: each distinct set of a state has one, so that a column of a table is a number
//! whether it holds a cell or a set of them.

use super::super::bits::Bits;

/// Numbers at most: one less than a column holds, as the last stands for none.
const MOST_NUMBERS: usize = u16::MAX as usize;
/// Stands for a set that has no number yet.
pub(in crate::engine::join) const NO_NUMBER: u16 = u16::MAX;
/// Places to begin with; a power of two.
const FIRST_PLACES: usize = 256;

/// The distinct sets of a state in the order in which they came.
#[derive(Clone)]
pub(in crate::engine::join) struct Numbering<B> {
    pub sets: Vec<B>,
    /// The number at each place plus one, or zero; twice as many places as sets at least.
    places: Vec<u32>,
    /// The number of each set that has one member, by that member: most sets of chains do.
    lone: Vec<u16>,
}

impl<B: Bits> Numbering<B> {
    pub(crate) fn new() -> Self {
        Numbering { sets: Vec::new(), places: vec![0; FIRST_PLACES], lone: Vec::new() }
    }

    /// Where a set is, or where it would go.
    #[inline]
    fn place(&self, set: B) -> usize {
        let mask = self.places.len() - 1;
        let mut at = set.hash() as usize & mask;
        while self.places[at] != 0 && self.sets[self.places[at] as usize - 1] != set {
            at = (at + 1) & mask;
        }
        at
    }

    /// The number of a set, if it has one.
    #[inline]
    pub(crate) fn find(&self, set: B) -> Option<u16> {
        if let Some(member) = set.lone() {
            return self.of_lone(member);
        }
        match self.places[self.place(set)] {
            0 => None,
            number => Some((number - 1) as u16),
        }
    }

    /// The number of the set with just this member, if it has one.
    #[inline]
    pub(crate) fn of_lone(&self, member: usize) -> Option<u16> {
        self.lone.get(member).copied().filter(|&number| number != NO_NUMBER)
    }

    /// The number of a set; a new one if it was not seen before. Nothing if there are too many.
    pub(crate) fn number(&mut self, set: B) -> Option<u16> {
        let member = set.lone();
        if let Some(number) = member.and_then(|member| self.of_lone(member)) {
            return Some(number);
        }
        let number = self.number_of_any(set)?;
        if let Some(member) = member {
            if self.lone.len() <= member {
                self.lone.resize(member + 1, NO_NUMBER);
            }
            self.lone[member] = number;
        }
        Some(number)
    }

    fn number_of_any(&mut self, set: B) -> Option<u16> {
        let place = self.place(set);
        if self.places[place] != 0 {
            return Some((self.places[place] - 1) as u16);
        }
        if self.sets.len() == MOST_NUMBERS {
            return None;
        }
        self.sets.push(set);
        self.places[place] = self.sets.len() as u32;
        if 2 * self.sets.len() > self.places.len() {
            self.places = vec![0; 2 * self.places.len()];
            for number in 0..self.sets.len() {
                let place = self.place(self.sets[number]);
                self.places[place] = number as u32 + 1;
            }
        }
        Some((self.sets.len() - 1) as u16)
    }

    pub(crate) fn clear(&mut self) {
        if !self.sets.is_empty() {
            self.sets.clear();
            self.lone.clear();
            self.places.fill(0);
        }
    }
}

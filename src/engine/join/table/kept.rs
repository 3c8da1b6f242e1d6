//! What sets come to that were asked about already, by the number of a set.

use std::cell::Cell;

use super::super::bits::Bits;

/// By place, a set that is made when it is first asked for.
#[derive(Clone)]
pub(in crate::engine::join) struct Kept<B: Bits> {
    sets: Vec<Cell<B>>,
    /// Which of them are made; apart, so that few bytes are cleared for the next state.
    made: Vec<Cell<bool>>,
}

impl<B: Bits> Kept<B> {
    pub(crate) fn new() -> Self {
        Kept { sets: Vec::new(), made: Vec::new() }
    }

    /// Makes room for so many places.
    pub(crate) fn make_room(&mut self, places: usize) {
        if self.made.len() < places {
            self.made.resize(places, Cell::new(false));
        }
        if self.sets.len() < places {
            self.sets.resize(places, Cell::new(B::EMPTY));
        }
    }

    /// The set of a place, for which there must be room.
    #[inline(always)]
    pub(crate) fn get(&self, place: usize, make: impl FnOnce() -> B) -> B {
        if !self.made[place].get() {
            self.sets[place].set(make());
            self.made[place].set(true);
        }
        self.sets[place].get()
    }

    pub(crate) fn clear(&mut self) {
        self.made.clear();
    }
}

//! What threads work with, kept for whoever wants it next.
//!
//! Rayon begins anew for every part of a list that a thread takes over from another, and a worker
//! that has planned its rules is worth keeping.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Puzzles that a thread takes at a time, at most: with more, the last ones would keep one thread busy
/// while the others have nothing to do.
pub(super) const AT_A_TIME: usize = 4;

/// Things that are not in use, and how another is made.
pub(super) struct Shelf<T, F> {
    idle: Mutex<Vec<T>>,
    make: F,
}

impl<T, F: Fn() -> T> Shelf<T, F> {
    /// With nothing on it.
    pub(super) fn new(make: F) -> Shelf<T, F> {
        Shelf { idle: Mutex::new(Vec::new()), make }
    }

    /// One of them, which comes back by itself. No more are made than are in use at once.
    pub(super) fn lend(&self) -> Lent<'_, T> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Lent { item: Some(idle.unwrap_or_else(|| (self.make)())), idle: &self.idle }
    }
}

/// Something from a [`Shelf`].
pub(super) struct Lent<'a, T> {
    /// Nothing only while it goes back.
    item: Option<T>,
    idle: &'a Mutex<Vec<T>>,
}

impl<T> Deref for Lent<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.item.as_ref().expect("it is lent")
    }
}

impl<T> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.item.as_mut().expect("it is lent")
    }
}

impl<T> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(self.item.take());
    }
}

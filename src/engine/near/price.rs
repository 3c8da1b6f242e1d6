//! A logic of prices: a truth is what holds now, and which candidates would have to go for it to
//! turn.

use std::collections::BTreeSet;

use crate::board::{Candidate, Cell, Grid, Layout};
use crate::meaning::{OnLayout, Truth};

/// Whether something holds, and the fewest candidates found whose going would change that;
/// nothing if none would.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Priced {
    pub now: bool,
    pub price: Option<BTreeSet<Candidate>>,
}

/// Truths on a state, with their prices.
pub(super) struct Prices<'a> {
    pub grid: &'a Grid,
}

/// The dearest of the cheapest: what it takes to turn so many of these.
fn cheapest<'a>(
    bits: impl Iterator<Item = &'a Priced>,
    count: usize,
) -> Option<BTreeSet<Candidate>> {
    let mut prices: Vec<&BTreeSet<Candidate>> = bits.filter_map(|bit| bit.price.as_ref()).collect();
    prices.sort_by_key(|price| price.len());
    let all = prices.iter().take(count).flat_map(|price| price.iter().copied()).collect();
    (prices.len() >= count).then_some(all)
}

impl OnLayout for Prices<'_> {
    fn layout(&self) -> &Layout {
        self.grid.layout()
    }
}

impl Truth for Prices<'_> {
    type Bit = Priced;

    fn constant(truth: bool) -> Priced {
        Priced { now: truth, price: None }
    }
    fn not(bit: Priced) -> Priced {
        Priced { now: !bit.now, ..bit }
    }
    fn and(&mut self, bits: Vec<Priced>) -> Priced {
        let count = bits.len();
        self.reached(&bits, count).swap_remove(count)
    }
    fn reached(&mut self, bits: &[Priced], most: usize) -> Vec<Priced> {
        let true_ones = bits.iter().filter(|bit| bit.now).count();
        let reached = |count: usize| {
            let now = true_ones >= count;
            let turned = if now { true_ones - count + 1 } else { count - true_ones };
            let price = match count {
                0 => None,
                _ => cheapest(bits.iter().filter(|bit| bit.now == now), turned),
            };
            Priced { now, price }
        };
        (0..=most).map(reached).collect()
    }
    fn unknown(&mut self) -> Priced {
        Self::constant(false)
    }
    fn possible(&mut self, candidate: Candidate) -> Priced {
        let now = self.grid.is_possible(candidate);
        let can_go = now && !self.grid.placed().contains(candidate.cell);
        Priced { now, price: can_go.then(|| BTreeSet::from([candidate])) }
    }
    fn placed(&mut self, cell: Cell) -> Priced {
        Self::constant(self.grid.placed().contains(cell))
    }
    fn given(&mut self, cell: Cell) -> Priced {
        Self::constant(self.grid.given().contains(cell))
    }
}

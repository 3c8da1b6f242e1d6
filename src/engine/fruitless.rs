//! What a trace need not look at again: digits of which a clause had nothing to say.
//!
//! Many a clause looks at one digit at a time. After a step that takes one candidate away it can
//! say something new of that digit alone.

use crate::board::{Cells, Digits, Grid};
use crate::language::RuleSet;

use super::shape::one_digit;

/// What all that a clause says of a digit hangs on: where it is possible, and which cells are open.
type State = (Cells, Cells);

/// For each clause that looks at one digit at a time, by instance and clause, and for each digit: the
/// last state on which nothing changed.
pub(super) struct Fruitless(Vec<Vec<Option<Vec<Option<State>>>>>);

impl Fruitless {
    /// Nothing is known at the start.
    pub(super) fn new(rules: &RuleSet) -> Fruitless {
        let of_clause = |clause| one_digit(rules, clause).map(|_| Vec::new());
        let of_instance = |rule| rules.rule(rule).clauses.iter().map(of_clause).collect();
        Fruitless(rules.instances().iter().map(|instance| of_instance(instance.rule)).collect())
    }

    /// Another run begins.
    pub(super) fn forget(&mut self) {
        self.0.iter_mut().flatten().flatten().for_each(Vec::clear);
    }

    /// The digits of which a clause may have something to say, if it looks at one at a time.
    pub(super) fn left(&self, instance: usize, clause: usize, grid: &Grid) -> Option<Digits> {
        let known = self.0[instance][clause].as_ref()?;
        let open = grid.unsolved();
        let is_left = |digit: &_| {
            let state = (grid.plane(*digit), open);
            known.get(digit.index()).is_none_or(|known| *known != Some(state))
        };
        Some(grid.layout().digits().filter(is_left).collect())
    }

    /// Notes what all matches of a clause take away.
    pub(super) fn note(&mut self, instance: usize, clause: usize, grid: &Grid, gone: &[Cells]) {
        let Some(known) = &mut self.0[instance][clause] else { return };
        let open = grid.unsolved();
        let is_gone = |digit: usize| gone.get(digit).is_some_and(|cells| !cells.is_empty());
        let state = |(digit, plane): (usize, &Cells)| (!is_gone(digit)).then_some((*plane, open));
        known.clear();
        known.extend(grid.planes().iter().enumerate().map(state));
    }
}

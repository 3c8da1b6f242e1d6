//! Refuting a set of literals, with as little of the grid as will do.
//!
//! "A cell has a digit" and "a house has every digit" stand behind guards. A refutation is tried
//! with the cells of the binding only, then with its houses only, then with both, and only then
//! with the whole grid. What closes early holds in every variant that only adds constraints, and
//! is as quick on 25 × 25 as on 9 × 9.

use crate::board::{Cells, Houses};

use super::encode::Encoder;
use super::sat::{Answer, Lit};
use super::symbol::Environment;
use crate::meaning::{Truth, Value};

/// What a binding names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    /// The cells named.
    pub cells: Cells,
    /// The houses named.
    pub houses: Houses,
}

impl Scope {
    /// The cells and houses that the variables of a clause are bound to, but for sets of more than
    /// so many houses: the rows and columns of `orientation` are all of them, which is no scope.
    pub(super) fn of(bound: &Environment, most: usize) -> Scope {
        let mut scope = Scope { cells: Cells::EMPTY, houses: Houses::EMPTY };
        for value in bound {
            match value {
                Some(Value::Cell(cell)) => scope.cells.insert(*cell),
                Some(Value::House(house)) => scope.houses.insert(*house),
                Some(Value::Cells(set)) => scope.cells |= set.sure,
                Some(Value::Houses(set)) if set.sure.len() <= most => scope.houses |= set.sure,
                _ => {}
            }
        }
        scope
    }
}

/// How an attempt ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Refutation {
    /// These literals cannot hold together in any solved grid.
    Refuted(Vec<Lit>),
    /// They can: the encoder has a model of the whole grid.
    Model,
    /// The budget ran out.
    Unknown,
}

/// Conflicts that one attempt at less than the whole grid may cost.
const LOCAL_CONFLICTS: u64 = 5_000;
/// Conflicts of the short try.
const SHORT_CONFLICTS: u64 = 300;

/// Houses of a set that count as named by it.
pub(super) const NAMED_HOUSES: usize = 5;

/// Conflicts of a question about a layout that is not known.
const GENERAL_CONFLICTS: u64 = 50_000;

/// Remembers which stage closed the last binding: the next is tried with it first.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    last: usize,
    /// How many attempts there were at each stage: cells, houses, both, whole grid.
    pub closed: [u64; 4],
}

impl Stages {
    /// Refutes the literals, or finds a grid and a state with all of them.
    pub(super) fn refute(
        &mut self,
        encoder: &mut Encoder,
        literals: &[Lit],
        scope: Scope,
    ) -> Refutation {
        if encoder.general.is_some() {
            return self.refute_generally(encoder, literals, scope);
        }
        let mut assumptions = Vec::with_capacity(literals.len() + 16);
        let mut hard = [true; 3];
        // What is hard at one stage may be easy at another: a short try at each comes first.
        for turn in 0..6 {
            let most = if turn < 3 { SHORT_CONFLICTS } else { LOCAL_CONFLICTS };
            let turn = turn % 3;
            let stage = if turn == 0 { self.last } else { later(self.last, turn) };
            if stage > 0 && scope.houses.is_empty() || !hard[stage] {
                continue;
            }
            assumptions.clear();
            assumptions.extend_from_slice(literals);
            if stage != 1 {
                assumptions.extend(scope.cells.iter().map(|c| encoder.cell_guard(c)));
            }
            if stage != 0 {
                assumptions.extend(scope.houses.iter().map(|h| encoder.house_guard(h)));
            }
            let answer = encoder.solve(&assumptions, most);
            if answer == Answer::None {
                self.last = stage;
                self.closed[stage] += 1;
                return Refutation::Refuted(encoder.core());
            }
            hard[stage] = answer == Answer::Unknown;
        }
        self.whole(encoder, literals, u64::MAX)
    }

    /// The same where the layout is not known: what cannot be refuted then may be or not.
    fn refute_generally(
        &mut self,
        encoder: &mut Encoder,
        literals: &[Lit],
        scope: Scope,
    ) -> Refutation {
        let mut assumptions = literals.to_vec();
        for cell in scope.cells.iter().filter(|&cell| encoder.is_nameable(cell)).collect::<Vec<_>>()
        {
            assumptions.push(Truth::there(encoder, cell));
            assumptions.push(encoder.cell_guard(cell));
        }
        for (number, house) in scope.houses.iter().enumerate() {
            assumptions.push(Truth::exists(encoder, house));
            assumptions.push(encoder.general_guard(house, number));
        }
        self.answered(encoder, &assumptions, (2, GENERAL_CONFLICTS))
    }

    /// The same with the whole grid at once, for at most so many conflicts.
    pub(super) fn whole(
        &mut self,
        encoder: &mut Encoder,
        literals: &[Lit],
        conflicts: u64,
    ) -> Refutation {
        let mut assumptions = literals.to_vec();
        assumptions.push(encoder.whole_grid());
        self.answered(encoder, &assumptions, (3, conflicts))
    }

    /// What the solver says of these assumptions, at a stage that may cost so many conflicts.
    fn answered(
        &mut self,
        encoder: &mut Encoder,
        assumptions: &[Lit],
        (stage, conflicts): (usize, u64),
    ) -> Refutation {
        match encoder.solve(assumptions, conflicts) {
            Answer::None => {
                self.closed[stage] += 1;
                Refutation::Refuted(encoder.core())
            }
            Answer::Model => Refutation::Model,
            Answer::Unknown => Refutation::Unknown,
        }
    }
}

/// The stage tried at this turn after the one tried first.
fn later(first: usize, turn: usize) -> usize {
    (0..3).filter(|&stage| stage != first).nth(turn - 1).unwrap_or(2)
}

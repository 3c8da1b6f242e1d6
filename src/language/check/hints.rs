//! Where several kinds fit, what the uses of a variable suggest: a house in `spots(D, H)`, a set
//! in `|S|`, a cell in `candidates(C)`.

use super::draft::{Clause, Goal, Head, Literal, Shape, Term};
use super::masks::{CELL, HOUSE, Mask, SETS};
use crate::language::clause::Function;

/// What the uses of a variable suggest where several kinds fit.
#[derive(Clone, Copy)]
pub(super) struct Hints {
    /// As in `|S|`.
    set: bool,
    /// As in `candidates(C)` or `eliminate(C, D)`.
    cell: bool,
    /// As in `spots(D, H)`, `C in H`, `unsolved & H`, `… within H`.
    house: bool,
}

impl Hints {
    pub(super) fn add(&mut self, other: Hints) {
        self.set |= other.set;
        self.cell |= other.cell;
        self.house |= other.house;
    }
    /// The kind to take from a mask.
    pub(super) fn choose(self, mask: Mask) -> Mask {
        let wish = |hint: bool, kinds: Mask| if hint { mask & kinds } else { 0 };
        let wishes = [wish(self.set, SETS), wish(self.cell, CELL), wish(self.house, HOUSE), mask];
        let first = wishes.into_iter().find(|&m| m != 0).unwrap_or(CELL);
        1 << first.trailing_zeros()
    }
}

pub(super) const NO_HINT: Hints = Hints { set: false, cell: false, house: false };
const SET_HINT: Hints = Hints { set: true, ..NO_HINT };
const CELL_HINT: Hints = Hints { cell: true, ..NO_HINT };
const HOUSE_HINT: Hints = Hints { house: true, ..NO_HINT };

/// What a clause suggests of each of its variables.
pub(super) fn of(clause: &Clause) -> Vec<Hints> {
    let mut notes = Notes(vec![NO_HINT; clause.variables.len()]);
    for head in &clause.heads {
        match head {
            Head::Eliminate(cells, digits) => {
                notes.term(cells, CELL_HINT);
                notes.term(digits, NO_HINT);
            }
            head => head.terms().into_iter().for_each(|term| notes.term(term, NO_HINT)),
        }
    }
    clause.goals().for_each(|goal| notes.goal(goal));
    notes.0
}

struct Notes(Vec<Hints>);

impl Notes {
    fn goal(&mut self, goal: &Goal) {
        match &goal.literal {
            Literal::In(left, right) | Literal::Within(left, right) => {
                self.term(left, NO_HINT);
                self.term(right, HOUSE_HINT);
            }
            Literal::Choose(_, _, _, set) => self.term(set, HOUSE_HINT),
            literal => literal.terms().into_iter().for_each(|term| self.term(term, NO_HINT)),
        }
        goal.literal.inside().for_each(|goal| self.goal(goal));
    }

    fn term(&mut self, term: &Term, hint: Hints) {
        match &term.shape {
            Shape::Variable(v) => self.0[*v].add(hint),
            Shape::Function(function, _, terms) => {
                for (argument, term) in terms.iter().enumerate() {
                    let house = *function == Function::Spots && argument == 1;
                    let cell = matches!(function, Function::Candidates | Function::CommonPeers);
                    self.term(term, Hints { house, cell, set: false });
                }
            }
            Shape::Size(set) => self.term(set, SET_HINT),
            Shape::Set(terms) => terms.iter().for_each(|term| self.term(term, NO_HINT)),
            Shape::Binary(_, left, right) => {
                self.term(left, HOUSE_HINT);
                self.term(right, HOUSE_HINT);
            }
            _ => {}
        }
    }
}

//! The value of a term while a body is being solved.

use std::cell::RefCell;

use crate::board::{Grid, Layout};
use crate::language::{Clause, Kind, Literal, Term};
use crate::meaning::{Helpers, NoValue, Plain, Reading, Value};

use crate::engine::suppose::Ends;

/// The variables of a clause while its body is being solved.
pub(super) type Environment = Vec<Option<Value>>;

/// What terms are evaluated on.
#[derive(Clone, Copy)]
pub(super) struct NaiveState<'a> {
    pub grid: &'a Grid,
    pub parameter: Option<i64>,
    /// Where hypotheses lead; helpers have none.
    pub ends: Option<&'a RefCell<Ends>>,
}

impl<'a> NaiveState<'a> {
    pub(super) fn layout(&self) -> &Layout {
        self.grid.layout()
    }

    /// Everything that a scalar variable of this kind can be.
    pub(super) fn domain(&self, kind: Kind) -> Option<Value> {
        match kind {
            Kind::Cell => Some(Value::Cells(self.layout().all_cells())),
            Kind::Digit => Some(Value::Digits(self.layout().all_digits())),
            Kind::House => Some(Value::Houses(self.layout().all_houses())),
            _ => None,
        }
    }

    /// The value of a term whose variables are bound; nothing if a number leaves 64 bits.
    pub(super) fn value_if_any(&self, term: &Term, bound: &Environment) -> Option<Value> {
        let mut plain = Plain::on(self.grid);
        let mut reading = Reading { logic: &mut plain, parameter: self.parameter };
        match reading.value(term, bound) {
            Err(NoValue::TooLarge) => None,
            value => Some(value.expect("a term waits for its variables")),
        }
    }

    /// The value of a term whose variables are bound, in a body that holds.
    pub(super) fn value(&self, term: &Term, bound: &Environment) -> Value {
        self.value_if_any(term, bound).expect("the checker keeps numbers within 64 bits")
    }

    /// Whether a literal holds whose variables are bound; not once `helpers` has had enough.
    pub(super) fn holds(
        &self,
        literal: &Literal,
        bound: &mut Environment,
        helpers: &mut dyn Helpers<Plain<'a>>,
    ) -> bool {
        let mut plain = Plain::on(self.grid);
        let mut reading = Reading { logic: &mut plain, parameter: self.parameter };
        reading.truth(literal, bound, helpers).unwrap_or(false)
    }

    /// The set that a literal collects; nothing once `helpers` has had enough.
    pub(super) fn collected(
        &self,
        literal: &Literal,
        bound: &mut Environment,
        helpers: &mut dyn Helpers<Plain<'a>>,
    ) -> Option<Value> {
        let Literal::Collect(_, member, generator) = literal else { return None };
        let mut plain = Plain::on(self.grid);
        let mut reading = Reading { logic: &mut plain, parameter: self.parameter };
        reading.collect(*member, generator, bound, helpers).ok()
    }

    /// Whether the layout has every cell and digit that the clause names. A clause about `r9c9`
    /// or about the digit 9 has no match on a grid of four rows.
    pub(super) fn has_all_named_by(&self, clause: &Clause) -> bool {
        let size = self.layout().size();
        let mut all = true;
        clause.each_term(&mut |term| match term {
            Term::Cell { row, column } => all &= usize::from(*row.max(column)) < size,
            Term::Digit(digit) => all &= digit.index() < size,
            _ => {}
        });
        all
    }
}

//! A clause on a state, its variables bound as far as they are.

use crate::board::{Cell, Cells, Digits, Grid, Houses, Layout};
use crate::language::{Literal, PredicateId, Term};

use super::condition::Helpers;
use super::logic::{Environment, NoValue};
use super::plain::Plain;
use super::term::Reading;
use super::value::Value;

/// Plain truth, the rule's parameter, and the variables of a clause.
#[derive(Clone)]
pub struct Scene<'a> {
    plain: Plain<'a>,
    /// The rule's parameter, if it has one.
    pub parameter: Option<i64>,
    /// The variables.
    pub bound: Environment<Plain<'a>>,
}

/// Tells whether a helper holds for these arguments; nothing if that cannot be told.
pub type Ask<'a> = &'a dyn Fn(PredicateId, &[Value]) -> Option<bool>;

struct Asked<'a>(Ask<'a>);

impl Helpers<Plain<'_>> for Asked<'_> {
    fn holds(
        &mut self,
        _: &mut Plain,
        helper: PredicateId,
        arguments: Vec<Option<Value>>,
    ) -> Result<bool, NoValue> {
        let arguments: Option<Vec<Value>> = arguments.into_iter().collect();
        (self.0)(helper, &arguments.ok_or(NoValue::Unbound)?).ok_or(NoValue::Beyond)
    }
}

impl<'a> Scene<'a> {
    /// On a state, with every variable bound.
    pub fn on(grid: &'a Grid, parameter: Option<i64>, bindings: &[Value]) -> Scene<'a> {
        let bound = bindings.iter().copied().map(Some).collect();
        Scene { plain: Plain::on(grid), parameter, bound }
    }

    /// On a state, with so many variables, none of them bound.
    pub fn open(grid: &'a Grid, parameter: Option<i64>, variables: usize) -> Scene<'a> {
        Scene { plain: Plain::on(grid), parameter, bound: vec![None; variables] }
    }

    /// On a layout, before there is a state, with no variable bound.
    pub fn without_state(
        layout: &'a Layout,
        parameter: Option<i64>,
        variables: usize,
    ) -> Scene<'a> {
        Scene { plain: Plain::without_state(layout), parameter, bound: vec![None; variables] }
    }

    /// The same on another state.
    pub fn moved<'b>(&self, grid: &'b Grid) -> Scene<'b> {
        Scene { plain: Plain::on(grid), parameter: self.parameter, bound: self.bound.clone() }
    }

    /// A term's value, if it is known here.
    pub fn value(&self, term: &Term) -> Option<Value> {
        let mut plain = self.plain;
        let mut reading = Reading { logic: &mut plain, parameter: self.parameter };
        reading.value(term, &self.bound).ok()
    }

    /// The values of terms, if all are known here.
    pub fn values(&self, terms: &[Term]) -> Option<Vec<Value>> {
        terms.iter().map(|term| self.value(term)).collect()
    }

    /// A number, if it is known here.
    pub fn number(&self, term: &Term) -> Option<i64> {
        match self.value(term)? {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// A set of cells, if it is known here.
    pub fn cells(&self, term: &Term) -> Option<Cells> {
        match self.value(term)? {
            Value::Cells(cells) => Some(cells),
            _ => None,
        }
    }

    /// A set of digits, if it is known here.
    pub fn digits(&self, term: &Term) -> Option<Digits> {
        match self.value(term)? {
            Value::Digits(digits) => Some(digits),
            _ => None,
        }
    }

    /// A set of houses, if it is known here.
    pub fn houses(&self, term: &Term) -> Option<Houses> {
        match self.value(term)? {
            Value::Houses(houses) => Some(houses),
            _ => None,
        }
    }

    /// A cell, if it is known here.
    pub fn cell(&self, term: &Term) -> Option<Cell> {
        match self.value(term)? {
            Value::Cell(cell) => Some(cell),
            _ => None,
        }
    }

    /// The layout.
    pub fn layout(&self) -> &'a Layout {
        self.plain.layout()
    }

    /// Whether a condition without helpers holds, if that is known here.
    pub fn holds(&self, literal: &Literal) -> Option<bool> {
        self.clone().truth(literal, &|_, _| None)
    }

    /// Whether a condition holds, if that is known here; `helpers` answers for helpers.
    pub fn truth(&mut self, literal: &Literal, helpers: Ask) -> Option<bool> {
        let mut plain = self.plain;
        let mut reading = Reading { logic: &mut plain, parameter: self.parameter };
        reading.truth(literal, &mut self.bound, &mut Asked(helpers)).ok()
    }
}

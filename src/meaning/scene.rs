//! A clause on a state, its variables bound as far as they are.

use crate::board::{Cell, Cells, Digits, Grid, Houses, Layout};
use crate::language::{Generator, Literal, PredicateId, Supposition, Term};

use super::condition::Helpers;
use super::hypothesis::{Hypothesis, Supposed};
use super::logic::{Environment, NoValue, Valued};
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

/// Tuples of a helper.
pub type Tuples = Vec<Vec<Value>>;

/// Whoever knows of what helpers hold on the state.
pub trait Facts {
    /// Whether a helper holds for these arguments; nothing if that cannot be told.
    fn holds(&self, helper: PredicateId, arguments: &[Value]) -> Option<bool>;
    /// The tuples of a helper that agree with the arguments given; nothing if there is no list.
    fn tuples(&self, helper: PredicateId, arguments: &[Option<Value>]) -> Option<Tuples>;
    /// Whether a hypothesis leads to a contradiction or to the goal; nothing if that cannot be told.
    fn leads(&self, _: &Hypothesis, _: &Supposed) -> Option<bool> {
        None
    }
    /// The tuples of a helper on which the shortest derivation of another's tuple rests, in order;
    /// nothing if that cannot be told.
    fn traced(&self, fact: PredicateId, goal: PredicateId, arguments: &[Value]) -> Option<Tuples>;
    /// Takes a step of the work that answers may take; whether there may be more.
    fn goes_on(&self) -> bool {
        true
    }
    /// What it means that there is no answer.
    fn missing(&self) -> NoValue {
        NoValue::Beyond
    }
}

/// Nothing is known of helpers.
pub struct NoFacts;

impl Facts for NoFacts {
    fn holds(&self, _: PredicateId, _: &[Value]) -> Option<bool> {
        None
    }
    fn tuples(&self, _: PredicateId, _: &[Option<Value>]) -> Option<Tuples> {
        None
    }
    fn traced(&self, _: PredicateId, _: PredicateId, _: &[Value]) -> Option<Tuples> {
        None
    }
}

/// Facts, as conditions over plain truth ask for them.
pub struct Asked<'a>(pub &'a dyn Facts);

impl Asked<'_> {
    fn or_missing<T>(&self, answer: Option<T>) -> Valued<T> {
        answer.ok_or_else(|| self.0.missing())
    }
}

/// The arguments of a helper, as far as they are given.
type Given = Vec<Option<Value>>;

impl Helpers<Plain<'_>> for Asked<'_> {
    fn holds(&mut self, _: &mut Plain, helper: PredicateId, given: Given) -> Valued<bool> {
        let all: Option<Vec<Value>> = given.iter().copied().collect();
        self.or_missing(match all {
            Some(all) => self.0.holds(helper, &all),
            None => self.0.tuples(helper, &given).map(|tuples| !tuples.is_empty()),
        })
    }

    fn tuples(
        &mut self,
        _: &mut Plain,
        helper: PredicateId,
        given: &[Option<Value>],
    ) -> Valued<Option<Tuples>> {
        self.or_missing(self.0.tuples(helper, given).map(Some))
    }

    fn leads(&mut self, _: &mut Plain, hypothesis: &Hypothesis, goal: &Supposed) -> Valued<bool> {
        self.or_missing(self.0.leads(hypothesis, goal))
    }

    fn traced(
        &mut self,
        _: &mut Plain,
        fact: PredicateId,
        goal: PredicateId,
        arguments: &[Value],
    ) -> Valued<Vec<Vec<Value>>> {
        self.or_missing(self.0.traced(fact, goal, arguments))
    }

    fn member(&mut self) -> Valued<()> {
        self.or_missing(self.0.goes_on().then_some(()))
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

    /// A set of cells, if it is known here.
    pub fn cells(&self, term: &Term) -> Option<Cells> {
        self.value(term)?.as_cells().copied()
    }

    /// A set of digits, if it is known here.
    pub fn digits(&self, term: &Term) -> Option<Digits> {
        self.value(term)?.as_digits().copied()
    }

    /// A set of houses, if it is known here.
    pub fn houses(&self, term: &Term) -> Option<Houses> {
        self.value(term)?.as_houses().copied()
    }

    /// A number, if it is known here.
    pub fn number(&self, term: &Term) -> Option<i64> {
        self.value(term)?.as_number().copied()
    }

    /// A cell, if it is known here.
    pub fn cell(&self, term: &Term) -> Option<Cell> {
        self.value(term)?.as_cell()
    }

    /// The layout.
    pub fn layout(&self) -> &'a Layout {
        self.plain.layout()
    }

    /// A supposition with its terms worked out, if they are known here.
    pub fn supposition(&self, supposition: &Supposition) -> Option<(Hypothesis, Supposed)> {
        let mut plain = self.plain;
        let mut reading = Reading { logic: &mut plain, parameter: self.parameter };
        reading.supposition(supposition, &self.bound).ok()
    }

    /// A hypothesis with its terms worked out, if they are known here.
    pub fn hypothesis(&self, supposition: &Supposition) -> Option<Hypothesis> {
        let mut plain = self.plain;
        let mut reading = Reading { logic: &mut plain, parameter: self.parameter };
        reading.hypothesis(supposition, &self.bound).ok()
    }

    /// Whether a condition without helpers holds, if that is known here.
    pub fn holds(&mut self, literal: &Literal) -> Option<bool> {
        self.truth(literal, &NoFacts)
    }

    /// Whether a condition holds, if that is known here; `facts` answers for helpers.
    pub fn truth(&mut self, literal: &Literal, facts: &dyn Facts) -> Option<bool> {
        let mut plain = self.plain;
        let mut reading = Reading { logic: &mut plain, parameter: self.parameter };
        reading.truth(literal, &mut self.bound, &mut Asked(facts)).ok()
    }

    /// Calls `found` with the scene of every way of a generator; whether all could be told.
    pub fn each_way(
        &mut self,
        generator: &Generator,
        facts: &dyn Facts,
        found: &mut dyn FnMut(&Scene) -> bool,
    ) -> bool {
        let mut plain = self.plain;
        let (own, parameter) = (self.plain, self.parameter);
        let mut reading = Reading { logic: &mut plain, parameter };
        let mut all = true;
        let told =
            reading.ways(generator, &mut self.bound, &mut Asked(facts), &mut |_, bound, _| {
                all = found(&Scene { plain: own, parameter, bound: bound.clone() });
                Ok(all)
            });
        all && told.is_ok()
    }
}

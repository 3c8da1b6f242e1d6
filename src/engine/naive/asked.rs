//! Helpers asked of a state, one question after the other: by whoever replays steps, cuts them to
//! what they rest on, or follows a hypothesis.

use crate::board::Grid;
use crate::language::{PredicateId, RuleSet};
use crate::meaning::{Facts, Hypothesis, Supposed, Tuples};
use crate::trace::{Search, Value};

use super::Naive;
use super::body::Filled;
use super::table::Tables;
use super::term::NaiveState;

/// The tables of one state, filled as they are asked for.
pub(in crate::engine) struct OnState {
    rules: RuleSet,
    grid: Grid,
    tables: Tables,
}

impl OnState {
    pub(crate) fn new(rules: &RuleSet, grid: &Grid, budget: u64) -> OnState {
        let tables = Tables::within(rules, budget);
        OnState { rules: rules.clone(), grid: grid.clone(), tables }
    }

    /// Whether a helper holds; nothing if that takes too long.
    pub(crate) fn holds(&mut self, helper: PredicateId, arguments: &[Value]) -> Option<bool> {
        Some(self.filled(helper)?.of(helper).contains(arguments))
    }

    /// The tables, that of a helper filled; nothing if it could not be.
    fn filled(&mut self, helper: PredicateId) -> Option<&mut Tables> {
        self.tables.fill(&self.rules, &self.grid, helper);
        (!self.tables.is_cut_off()).then_some(&mut self.tables)
    }
}

impl Search for Naive {
    fn on<'a>(&'a self, grid: &'a Grid) -> Box<dyn Facts + 'a> {
        Box::new(Answers { naive: self, grid })
    }
}

/// What an evaluator says of a state.
struct Answers<'a> {
    naive: &'a Naive,
    grid: &'a Grid,
}

impl Answers<'_> {
    /// What tables say, that of a helper filled; nothing if it could not be. The tables of the last
    /// state asked about are kept: questions come by the dozen.
    fn asked<T>(
        &self,
        helper: PredicateId,
        answer: impl FnOnce(&mut Tables) -> Option<T>,
    ) -> Option<T> {
        let Naive { rules, budget, .. } = self.naive;
        let mut asked = self.naive.asked.borrow_mut();
        if asked.as_ref().is_none_or(|kept| kept.grid != *self.grid) {
            *asked = Some(OnState::new(rules, self.grid, *budget));
        }
        answer(asked.as_mut()?.filled(helper)?)
    }
}

impl Facts for Answers<'_> {
    fn holds(&self, helper: PredicateId, arguments: &[Value]) -> Option<bool> {
        self.asked(helper, |tables| Some(tables.of(helper).contains(arguments)))
    }

    fn tuples(&self, helper: PredicateId, arguments: &[Option<Value>]) -> Option<Tuples> {
        self.asked(helper, |tables| {
            Some(tables.of(helper).agreeing(arguments).map(<[Value]>::to_vec).collect())
        })
    }

    fn traced(&self, fact: PredicateId, goal: PredicateId, arguments: &[Value]) -> Option<Tuples> {
        let (rules, grid) = (&self.naive.rules, self.grid);
        self.asked(goal, |tables| {
            tables.prepare_derivations(rules, grid, goal);
            let state = NaiveState { grid, parameter: None, ends: None };
            Filled { rules, state, tables }.traced(fact, goal, arguments)
        })
    }

    fn leads(&self, hypothesis: &Hypothesis, goal: &Supposed) -> Option<bool> {
        let mut ends = self.naive.ends.borrow_mut();
        ends.begin();
        ends.leads(self.grid, hypothesis, goal)
    }
}

//! Helpers under `not` and `forall`: when one holds, over all bindings of its clauses.

use std::collections::HashMap;

use crate::board::Candidate;
use crate::language::{
    Comparison, Head, Literal, PredicateId, Recursion, RuleSet, Term, Var, Variable,
};
use crate::meaning::{Helpers, Hypothesis, NoValue, Supposed, Truth, Value, Valued};

use super::encode::Encoder;
use super::flatten::{Flat, flatten, unfolding};
use super::meaning::Meanings;
use super::plan::plan;
use super::sat::Lit;
use super::symbol::{Environment, Given, Propositions, Symbol};
use super::symmetry::constants;
use super::walk::{Flow, Leaf, Visitor, Walk};

/// A helper and its arguments, as far as they are given.
type Question = (PredicateId, Vec<Option<Value>>);

/// When a helper under `not` or `forall` holds: over all bindings of its clauses.
pub(super) struct Existence<'a> {
    rules: &'a RuleSet,
    known: HashMap<Question, Valued<Lit>>,
    /// What is known to follow from hypotheses.
    supposed: HashMap<(Hypothesis, Supposed), Lit>,
    /// Members that `forall` went through.
    pub members: u64,
    /// How many helpers are being looked into, one inside the other.
    depth: usize,
}

/// Helpers under `not` or `forall` inside each other: more would need a deeper stack.
const MOST_DEPTH: usize = 32;

impl<'a> Existence<'a> {
    /// For the helpers of these rules.
    pub(super) fn new(rules: &'a RuleSet) -> Existence<'a> {
        Existence { rules, known: HashMap::new(), supposed: HashMap::new(), members: 0, depth: 0 }
    }
}

impl Helpers<Encoder> for Existence<'_> {
    fn member(&mut self) -> Valued<()> {
        self.members += 1;
        Ok(())
    }

    /// Where a hypothesis leads may be anything, but for this: if the rules that lead there keep
    /// every solution with the hypothesis, the goal is true of each of them.
    fn leads(
        &mut self,
        encoder: &mut Encoder,
        hypothesis: &Hypothesis,
        goal: &Supposed,
    ) -> Valued<Lit> {
        let key = (hypothesis.clone(), goal.clone());
        if let Some(&known) = self.supposed.get(&key) {
            return Ok(known);
        }
        let supposed = hypothesis.supposed.iter().map(|supposed| in_solution(encoder, supposed));
        let supposed = supposed.collect::<Valued<Vec<Lit>>>()?;
        let wrong = !encoder.and(supposed);
        let goal = in_solution(encoder, goal)?;
        let follows = encoder.or(vec![wrong, goal]);
        let leads = encoder.variable();
        let leads = encoder.and(vec![leads, follows]);
        self.supposed.insert(key, leads);
        Ok(leads)
    }

    fn holds(&mut self, encoder: &mut Encoder, helper: PredicateId, given: Given) -> Valued<Lit> {
        let rules = self.rules;
        let predicate = rules.predicate(helper);
        if predicate.recursive {
            return Err(NoValue::Beyond);
        }
        let fixed: Option<Vec<Option<Value>>> = given
            .iter()
            .map(|argument| match argument {
                Some(symbol) => symbol.if_fixed().map(Some),
                None => Some(None),
            })
            .collect();
        let key = fixed.map(|values| (helper, values));
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key)) {
            return *known;
        }
        if self.depth >= MOST_DEPTH {
            return Err(NoValue::TooMuch);
        }
        self.depth += 1;
        let result = self.some_way(encoder, helper, &given);
        self.depth -= 1;
        if let Some(key) = key {
            self.known.insert(key, result);
        }
        result
    }
}

/// When something supposed or asked is true of the solution. Of a helper that holds where a
/// hypothesis leads nothing is known there.
fn in_solution(encoder: &mut Encoder, supposed: &Supposed) -> Valued<Lit> {
    Ok(match *supposed {
        Supposed::Place(Candidate { cell, digit }) => encoder.solution(cell, digit),
        Supposed::Eliminate(cells, digits) => {
            let all = cells.iter().flat_map(|cell| digits.iter().map(move |digit| (cell, digit)));
            let absent = all.map(|(cell, digit)| !encoder.solution(cell, digit)).collect();
            encoder.and(absent)
        }
        Supposed::Contradiction => Lit::FALSE,
        Supposed::Fact(..) => return Err(NoValue::Beyond),
    })
}

impl Existence<'_> {
    /// When some clause of a helper holds.
    fn some_way(
        &mut self,
        encoder: &mut Encoder,
        helper: PredicateId,
        arguments: &[Option<Symbol>],
    ) -> Valued<Lit> {
        let rules = self.rules;
        let mut ways = Vec::new();
        let mut result = Ok(());
        for clause in &rules.predicate(helper).clauses {
            let flats = flatten(rules, clause, Recursion::Keep, &[], false, encoder.budget());
            encoder.count_steps(unfolding(&flats, encoder.budget()));
            for flat in flats.map_err(|_| NoValue::TooMuch)? {
                let mut one = Ways { existence: self, encoder, ways: &mut ways, beyond: false };
                if !one.walk(&flat, arguments) {
                    result = Err(NoValue::Beyond);
                }
            }
        }
        result.map(|()| encoder.or(ways))
    }
}

/// Whether a condition is a `forall` that says of one of these helpers that it holds, and denies
/// none: then it may be taken by its meaning, which only weakens the condition.
pub(super) fn leans_on(literal: &Literal, helpers: &[PredicateId]) -> bool {
    fn denies(literal: &Literal, helpers: &[PredicateId]) -> bool {
        match literal {
            Literal::Forall(_, _, body) => body.iter().any(|inner| denies(inner, helpers)),
            Literal::Call(..) => false,
            other => other.calls().iter().any(|helper| helpers.contains(helper)),
        }
    }
    matches!(literal, Literal::Forall(..))
        && literal.calls().iter().any(|helper| helpers.contains(helper))
        && !denies(literal, helpers)
}

/// Helpers by their meaning, where that is used inside of a `forall`.
pub(super) struct Meant<'m, 'a> {
    /// For all others.
    pub existence: &'m mut Existence<'a>,
    /// What they mean.
    pub meanings: &'m Meanings,
}

impl Helpers<Encoder> for Meant<'_, '_> {
    fn member(&mut self) -> Valued<()> {
        self.existence.member()
    }

    fn holds(&mut self, encoder: &mut Encoder, helper: PredicateId, given: Given) -> Valued<Lit> {
        if !self.meanings.inside().contains(&helper) {
            return self.existence.holds(encoder, helper, given);
        }
        let arguments: Option<Vec<Symbol>> = given.into_iter().collect();
        let (Some(meaning), Some(arguments)) = (self.meanings.of(helper), arguments) else {
            return Ok(Lit::TRUE);
        };
        let mut all = Vec::new();
        meaning.conditions(encoder, &arguments, &mut all);
        Ok(encoder.and(all))
    }
}

/// Collects the ways in which a helper's clause can hold.
struct Ways<'w, 'a> {
    existence: &'w mut Existence<'a>,
    encoder: &'w mut Encoder,
    ways: &'w mut Vec<Lit>,
    beyond: bool,
}

impl Ways<'_, '_> {
    /// Whether all ways could be put into propositions.
    fn walk(&mut self, flat: &Flat, arguments: &[Option<Symbol>]) -> bool {
        let [Head::Helper(formals)] = &flat.heads[..] else { return false };
        let layout = self.encoder.layout().clone();
        let Some(used) = constants(flat, &layout, false) else { return true };
        // Each argument becomes a variable of its own, equal to the head's term.
        let mut flat = flat.clone();
        let mut bound: Environment = vec![None; flat.variables.len()];
        for (formal, argument) in formals.clone().into_iter().zip(arguments) {
            let Some(argument) = argument else { continue };
            match formal {
                Term::Var(v) if bound[v.index()].is_none() => {
                    bound[v.index()] = Some(argument.clone());
                }
                formal => {
                    let kind = argument.kind();
                    let variable = Var(flat.variables.len() as u16);
                    flat.variables.push(Variable { name: "_".into(), kind });
                    bound.push(Some(argument.clone()));
                    flat.body.push(Literal::Compare(
                        Comparison::Equal,
                        Term::Var(variable),
                        formal,
                    ));
                }
            }
        }
        let plan = plan(&flat, None, bound.iter().map(Option::is_some).collect());
        self.encoder.count_steps(plan.steps.len() as u64);
        Walk::new(&flat, &plan, bound).run(self, used);
        !self.beyond
    }
}

impl Visitor for Ways<'_, '_> {
    fn encoder(&mut self) -> &mut Encoder {
        self.encoder
    }
    fn parameter(&self) -> Option<i64> {
        None
    }
    fn recursive(&mut self, _: PredicateId, _: &[Symbol], _: &mut Vec<Lit>) {
        self.beyond = true;
    }
    fn left_out(&mut self) {
        self.beyond = true;
    }
    fn too_many(&mut self) {
        self.beyond = true;
    }
    fn members(&self) -> u64 {
        self.existence.members
    }
    fn may_guess(&self) -> bool {
        false
    }
    fn propositions(&mut self) -> (Propositions<'_>, &mut dyn Helpers<Encoder>) {
        (Propositions::new(self.encoder), self.existence)
    }
    fn leaf(&mut self, leaf: &Leaf) -> Flow {
        let way = self.encoder.and(leaf.body.iter().map(|&(literal, _)| literal).collect());
        self.ways.push(way);
        if self.ways.len() > self.encoder.budget().ways() {
            self.beyond = true;
            return Flow::Stop;
        }
        Flow::Next
    }
}

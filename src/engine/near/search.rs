//! The search for a match at a price.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{Candidate, Grid};
use crate::language::{
    Clause, Comparison, Goal, Kind, Literal, PredicateId, Recursion, Relation, RuleSet, Span, Term,
    Unfolded, Var, Variable,
};
use crate::meaning::{
    Environment, Fuzzy, Helpers, Hypothesis, Meant, NoValue, Number, Open, Reading, Supposed,
    Truth, Value,
};

use crate::trace::Search as _;

use super::super::Naive;
use super::super::naive::answers;
use super::price::{Priced, Prices};
use super::{Chosen, NearMiss, is_possible, is_telling};

/// A relation or a helper whose answers are all known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Relation(u8),
    Helper(PredicateId),
}

type Bound<'a> = Environment<Prices<'a>>;
type Priceable<'a> = Meant<Prices<'a>>;

pub(super) struct Search<'a> {
    rules: &'a RuleSet,
    grid: &'a Grid,
    instance: usize,
    clause: usize,
    dearest: usize,
    effort: u64,
    known: BTreeMap<Known, Vec<Vec<Value>>>,
    paid: BTreeSet<Candidate>,
    failing: Vec<Span>,
    naive: Naive,
}

/// The alternative being matched, and its variables.
struct Frame<'f, 'a> {
    unfolded: &'f Unfolded,
    bound: Bound<'a>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        rules: &'a RuleSet,
        instance: usize,
        clause: usize,
        grid: &'a Grid,
        dearest: usize,
        effort: u64,
    ) -> Search<'a> {
        Search {
            rules,
            grid,
            instance,
            clause,
            dearest,
            effort,
            known: BTreeMap::new(),
            paid: BTreeSet::new(),
            failing: Vec::new(),
            naive: Naive::within(rules, super::QUESTION),
        }
    }

    pub(super) fn effort_left(&self) -> u64 {
        self.effort
    }

    fn own(&self) -> &'a Clause {
        let instance = &self.rules.instances()[self.instance];
        &self.rules.rule(instance.rule).clauses[self.clause]
    }

    /// The first match at the price allowed that would change something.
    pub(super) fn run(&mut self, chosen: &Chosen) -> Option<NearMiss> {
        let clause = self.own();
        for unfolded in self.rules.unfolded(clause, Recursion::Keep).ok()? {
            let mut frame =
                Frame { bound: vec![None; unfolded.variables.len()], unfolded: &unfolded };
            for (name, value) in chosen {
                let place = clause.variables.iter().position(|v| v.name == *name)?;
                frame.bound[place] = Some(Open::fixed(*value));
            }
            let goals: Vec<&Goal> = unfolded.body.iter().collect();
            if let Some(found) = self.go(&mut frame, &goals) {
                return Some(found);
            }
        }
        None
    }

    fn go(&mut self, frame: &mut Frame<'_, 'a>, goals: &[&Goal]) -> Option<NearMiss> {
        self.effort = self.effort.checked_sub(1)?;
        let Some(next) = (0..goals.len()).min_by_key(|&i| urgency(frame, goals[i])) else {
            return self.finish(frame);
        };
        let mut goals = goals.to_vec();
        let goal = goals.remove(next);
        let Some(variable) = first_open(frame, &goal.literal) else {
            return self.test(frame, goal, &goals);
        };
        let ready = |term: &Term| is_ready(frame, term);
        match &goal.literal {
            Literal::Call(helper, arguments) => {
                let tuples = self.helper_tuples(*helper);
                return self.each_tuple(frame, arguments, &tuples, &goals);
            }
            Literal::Relation(relation, arguments) => {
                let tuples = self.relation_tuples(*relation);
                return self.each_tuple(frame, arguments, &tuples, &goals);
            }
            Literal::Compare(Comparison::Equal, Term::Var(var), term)
            | Literal::Compare(Comparison::Equal, term, Term::Var(var))
                if ready(term) =>
            {
                let value = self.value(frame, term)?;
                return self.with(frame, *var, vec![value], &goals);
            }
            Literal::Collect(set, member, generator) if is_collectable(frame, &goal.literal) => {
                let mut prices = Prices { grid: self.grid };
                let mut reading = Reading { logic: &mut prices, parameter: self.parameter() };
                let mut helpers = Asked { naive: &self.naive };
                let bound = &mut frame.bound;
                let value = reading.collect(*member, generator, bound, &mut helpers).ok()?;
                return self.with(frame, *set, vec![value], &goals);
            }
            Literal::In(Term::Var(var), set) if ready(set) => {
                let members = now(&self.value(frame, set)?)?.members();
                return self.with(
                    frame,
                    *var,
                    members.into_iter().map(Open::fixed).collect(),
                    &goals,
                );
            }
            Literal::Choose(Term::Var(var), least, most, set)
                if ready(least) && ready(most) && ready(set) =>
            {
                let Value::Number(least) = self.value(frame, least)? else { return None };
                let Value::Number(most) = self.value(frame, most)? else { return None };
                let (least, most) = (least.if_fixed()?, most.if_fixed()?);
                let subsets = subsets(now(&self.value(frame, set)?)?, least, most);
                return self.with(
                    frame,
                    *var,
                    subsets.into_iter().map(Open::fixed).collect(),
                    &goals,
                );
            }
            _ => {}
        }
        goals.push(goal);
        self.range(frame, goal, variable, &goals)
    }

    /// Goes on with a variable that nothing gives: it ranges over everything of its kind.
    fn range(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        goal: &Goal,
        variable: Var,
        goals: &[&Goal],
    ) -> Option<NearMiss> {
        if let Literal::Within(left, Term::Set(_, list)) = &goal.literal
            && is_ready(frame, left)
            && list.contains(&Term::Var(variable))
        {
            // `candidates(C) within {X, Y}`: X is one of them, and those beyond two have a price.
            let members = now(&self.value(frame, left)?)?.members();
            if members.len() > list.len() + self.dearest - self.paid.len() {
                return None;
            }
            let members = members.into_iter().map(Open::fixed).collect();
            return self.with(frame, variable, members, goals);
        }
        let layout = self.grid.layout();
        let all = match frame.unfolded.variables[variable.index()].kind {
            Kind::Cell => Value::Cells(layout.all_cells()),
            Kind::Digit => Value::Digits(layout.all_digits()),
            Kind::House => Value::Houses(layout.all_houses()),
            _ => return None,
        };
        let all = all.members().into_iter().map(Open::fixed).collect();
        self.with(frame, variable, all, goals)
    }

    fn parameter(&self) -> Option<i64> {
        self.rules.instances()[self.instance].parameter
    }

    fn value(&self, frame: &Frame<'_, 'a>, term: &Term) -> Option<Priceable<'a>> {
        let mut prices = Prices { grid: self.grid };
        let mut reading = Reading { logic: &mut prices, parameter: self.parameter() };
        reading.value(term, &frame.bound).ok()
    }

    /// Goes on if a condition holds, or at its price.
    fn test(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        goal: &Goal,
        goals: &[&Goal],
    ) -> Option<NearMiss> {
        let mut prices = Prices { grid: self.grid };
        let mut reading = Reading { logic: &mut prices, parameter: self.parameter() };
        let mut helpers = Asked { naive: &self.naive };
        let truth = reading.truth(&goal.literal, &mut frame.bound, &mut helpers).ok()?;
        if truth.now {
            return self.go(frame, goals);
        }
        let mut new = truth.price?;
        new.retain(|candidate| !self.paid.contains(candidate));
        if new.is_empty() || self.paid.len() + new.len() > self.dearest {
            return None;
        }
        self.paid.extend(&new);
        self.failing.push(goal.span);
        let found = self.go(frame, goals);
        self.failing.pop();
        self.paid.retain(|candidate| !new.contains(candidate));
        found
    }

    /// Goes on with a variable bound to each value in turn.
    fn with(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        var: Var,
        values: Vec<Priceable<'a>>,
        goals: &[&Goal],
    ) -> Option<NearMiss> {
        for value in values {
            frame.bound[var.index()] = Some(value);
            let found = self.go(frame, goals);
            frame.bound[var.index()] = None;
            if found.is_some() || self.effort == 0 {
                return found;
            }
        }
        None
    }

    /// Goes on with the arguments equal to each tuple that they can be equal to.
    fn each_tuple(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        arguments: &[Term],
        tuples: &[Vec<Value>],
        goals: &[&Goal],
    ) -> Option<NearMiss> {
        tuples.iter().find_map(|tuple| {
            let before = frame.bound.clone();
            let equal = arguments.iter().zip(tuple).all(|(term, &value)| {
                match (self.value(frame, term), term) {
                    (Some(bound), _) => now(&bound) == Some(value),
                    (None, Term::Var(var)) => {
                        frame.bound[var.index()] = Some(Open::fixed(value));
                        true
                    }
                    (None, _) => false,
                }
            });
            let found = if equal { self.go(frame, goals) } else { None };
            frame.bound = before;
            found
        })
    }

    /// All conditions are met or paid for. Is it true that the rule would match then?
    fn finish(&mut self, frame: &Frame<'_, 'a>) -> Option<NearMiss> {
        if self.paid.is_empty() {
            return None;
        }
        let mut after = self.grid.clone();
        for &candidate in &self.paid {
            after.eliminate(candidate);
        }
        if after.hole().is_some() {
            return None;
        }
        let clause = self.own();
        let own = &frame.bound[..clause.variables.len()];
        let bindings: Vec<Value> = own
            .iter()
            .zip(&clause.variables)
            .map(|(value, variable)| {
                value.as_ref().and_then(now).unwrap_or(Value::nothing(variable.kind))
            })
            .collect();
        if !is_telling(&bindings, self.grid) || !is_possible(clause, &bindings, self.grid) {
            return None;
        }
        // A trial, not a guess: the rule is run where the candidates are gone. What it names one
        // by one must be the same; its sets may have shrunk.
        let alike =
            |(then, before): (&Value, &Value)| then.kind().set().is_none() || then == before;
        let naive = Naive::within(self.rules, super::QUESTION);
        self.effort = self.effort.saturating_sub(super::TRIAL);
        let (matches, _) = naive.matches_within_budget(self.instance, &after);
        let found = matches.into_iter().find(|found| {
            found.clause == self.clause
                && !found.conclusion.is_empty()
                && found.bindings.iter().zip(&bindings).all(alike)
        })?;
        Some(NearMiss {
            clause: self.clause,
            bindings,
            failing: self.failing(frame),
            needs: self.paid.iter().copied().collect(),
            conclusion: found.conclusion,
        })
    }

    /// The rule's own conditions that fail, or those of its helpers if none of its own is known to.
    fn failing(&self, frame: &Frame<'_, 'a>) -> Vec<Span> {
        let mut prices = Prices { grid: self.grid };
        let mut reading = Reading { logic: &mut prices, parameter: self.parameter() };
        let (mut helpers, mut bound) = (Asked { naive: &self.naive }, frame.bound.clone());
        let mut fails = |goal: &&Goal| {
            let truth = reading.truth(&goal.literal, &mut bound, &mut helpers);
            truth.is_ok_and(|truth| !truth.now)
        };
        let own: Vec<Span> = self.own().body.iter().filter(|g| fails(g)).map(|g| g.span).collect();
        if own.is_empty() { self.failing.clone() } else { own }
    }

    fn helper_tuples(&mut self, predicate: PredicateId) -> Vec<Vec<Value>> {
        let kinds = &self.rules.predicate(predicate).kinds;
        let literal = Literal::Call(predicate, variables(kinds.len()));
        self.tuples(Known::Helper(predicate), literal, kinds)
    }

    fn relation_tuples(&mut self, relation: Relation) -> Vec<Vec<Value>> {
        let (number, kinds): (u8, &[Kind]) = match relation {
            Relation::Sees => (0, &[Kind::Cell; 2]),
            Relation::Given => (1, &[Kind::Cell]),
            Relation::Live => (2, &[Kind::Cell, Kind::Digit]),
            Relation::Rectangle => (3, &[Kind::Cell; 4]),
            Relation::Orientation => (4, &[Kind::Houses; 2]),
            Relation::Excludes => (5, &[Kind::Cell, Kind::Digit, Kind::Cell, Kind::Digit]),
        };
        let literal = Literal::Relation(relation, variables(kinds.len()));
        self.tuples(Known::Relation(number), literal, kinds)
    }

    fn tuples(&mut self, known: Known, literal: Literal, kinds: &[Kind]) -> Vec<Vec<Value>> {
        let (rules, grid) = (self.rules, self.grid);
        let all = self.known.entry(known).or_insert_with(|| {
            let variable = |&kind| Variable { name: "_".to_string(), kind };
            let clause = Clause {
                heads: Vec::new(),
                body: vec![Goal { literal, span: Span::default() }],
                variables: kinds.iter().map(variable).collect(),
                span: Span::default(),
            };
            answers(&clause, rules, grid, super::QUESTION, usize::MAX)
        });
        all.clone()
    }
}

/// Helpers whose arguments are known: a search tells, and they have no price.
struct Asked<'a> {
    naive: &'a Naive,
}

impl<'g> Helpers<Prices<'g>> for Asked<'_> {
    fn holds(
        &mut self,
        prices: &mut Prices<'g>,
        helper: PredicateId,
        arguments: Vec<Option<Priceable<'g>>>,
    ) -> Result<Priced, NoValue> {
        let given = arguments.iter().map(|argument| argument.as_ref().and_then(now));
        let given: Vec<Option<Value>> = given.collect();
        let all: Option<Vec<Value>> = given.iter().copied().collect();
        let facts = self.naive.on(prices.grid);
        let holds = match all {
            Some(all) => facts.holds(helper, &all),
            None => facts.tuples(helper, &given).map(|found| !found.is_empty()),
        };
        Ok(Prices::constant(holds.ok_or(NoValue::TooMuch)?))
    }

    fn tuples(
        &mut self,
        prices: &mut Prices<'g>,
        helper: PredicateId,
        arguments: &[Option<Priceable<'g>>],
    ) -> Result<Option<Vec<Vec<Priceable<'g>>>>, NoValue> {
        let given = arguments.iter().map(|argument| argument.as_ref().and_then(now));
        let given: Vec<Option<Value>> = given.collect();
        let tuples = self.naive.on(prices.grid).tuples(helper, &given).ok_or(NoValue::TooMuch)?;
        let open = |tuple: Vec<Value>| tuple.into_iter().map(Open::fixed).collect();
        Ok(Some(tuples.into_iter().map(open).collect()))
    }

    fn traced(
        &mut self,
        prices: &mut Prices<'g>,
        fact: PredicateId,
        goal: PredicateId,
        arguments: &[Priceable<'g>],
    ) -> Result<Vec<Vec<Priceable<'g>>>, NoValue> {
        let given: Option<Vec<Value>> = arguments.iter().map(now).collect();
        let given = given.ok_or(NoValue::Beyond)?;
        let tuples = self.naive.on(prices.grid).traced(fact, goal, &given);
        let tuples = tuples.ok_or(NoValue::TooMuch)?;
        let open = |tuple: Vec<Value>| tuple.into_iter().map(Open::fixed).collect();
        Ok(tuples.into_iter().map(open).collect())
    }

    fn leads(
        &mut self,
        prices: &mut Prices<'g>,
        hypothesis: &Hypothesis,
        goal: &Supposed,
    ) -> Result<Priced, NoValue> {
        let leads = self.naive.on(prices.grid).leads(hypothesis, goal);
        Ok(Prices::constant(leads.ok_or(NoValue::TooMuch)?))
    }
}

/// How late a condition is used: what can be told first, what has many answers last.
fn urgency(frame: &Frame, goal: &Goal) -> usize {
    let ready = |term: &Term| is_ready(frame, term);
    let open = |terms: &[Term]| terms.iter().filter(|term| !ready(term)).count();
    match &goal.literal {
        literal if first_open(frame, literal).is_none() => 0,
        Literal::Compare(Comparison::Equal, Term::Var(_), term)
        | Literal::Compare(Comparison::Equal, term, Term::Var(_))
            if ready(term) =>
        {
            1
        }
        literal if is_collectable(frame, literal) => 1,
        Literal::Call(_, terms) | Literal::Relation(_, terms) => 20 + 10 * open(terms),
        Literal::In(Term::Var(_), set) if ready(set) => 15,
        Literal::Choose(Term::Var(_), least, most, set)
            if ready(least) && ready(most) && ready(set) =>
        {
            30
        }
        _ => 200,
    }
}

/// Whether a condition collects a set, and only that is not known of it.
fn is_collectable(frame: &Frame, literal: &Literal) -> bool {
    let Literal::Collect(set, ..) = literal else { return false };
    literal.variables().iter().all(|v| v == set || frame.bound[v.index()].is_some())
}

fn is_ready(frame: &Frame, term: &Term) -> bool {
    term.is_known(&|v| frame.bound[v.index()].is_some())
}

/// The first variable of a condition that is not bound, but for those of generators.
fn first_open(frame: &Frame, literal: &Literal) -> Option<Var> {
    literal.variables().into_iter().find(|v| frame.bound[v.index()].is_none())
}

/// The value as it is now.
fn now(value: &Priceable) -> Option<Value> {
    fn set<T: crate::board::Index + std::fmt::Debug, const W: usize>(
        set: &Fuzzy<T, W, Priced>,
    ) -> crate::board::Set<T, W> {
        let there = set.maybe.iter().filter(|(_, bit)| bit.now).map(|(member, _)| *member);
        there.fold(set.sure, |mut all, member| {
            all.insert(member);
            all
        })
    }
    Some(match value {
        Value::Cell(cell) => Value::Cell(*cell),
        Value::Digit(digit) => Value::Digit(*digit),
        Value::House(house) => Value::House(*house),
        Value::Number(number) => Value::Number(number.if_fixed()?),
        Value::Cells(cells) => Value::Cells(set(cells)),
        Value::Digits(digits) => Value::Digits(set(digits)),
        Value::Houses(houses) => Value::Houses(set(houses)),
    })
}

fn variables(count: usize) -> Vec<Term> {
    (0..count).map(|i| Term::Var(Var(i as u16))).collect()
}

/// Subsets looked at: enough for four of 25, few enough to stand in memory.
const MOST_SUBSETS: usize = 20_000;

/// The first subsets of a set with `size` members, in order.
fn subsets(set: Value, least: i64, most: i64) -> Vec<Value> {
    let mut found = Vec::new();
    set.each_subset(least, most, &mut |subset| {
        found.push(subset);
        found.len() == MOST_SUBSETS
    });
    found
}

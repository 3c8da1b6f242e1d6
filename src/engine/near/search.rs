//! The search for a match at a price.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{Candidate, Cell, Cells, Digit, Digits, Grid, House, Houses};
use crate::language::{
    Clause, Comparison, Goal, Head, Kind, Literal, PredicateId, Relation, RuleSet, Span, Term, Var,
    Variable,
};
use crate::trace::{Scene, Value};

use super::super::naive::answers;
use super::price::{members, price};
use super::{Chosen, NearMiss};

/// A clause being matched: the rule's own, or that of a helper it calls.
struct Frame<'a> {
    clause: &'a Clause,
    parameter: Option<i64>,
    bound: Vec<Option<Value>>,
}

/// What is left to do in a frame.
#[derive(Clone, Copy)]
enum Task<'a> {
    /// Make a condition true.
    Goal(&'a Goal),
    /// Hand a helper's results (its head in frame `from`) to the call's arguments.
    Return { from: usize, head: &'a [Term], arguments: &'a [Term] },
}

/// A relation or a helper whose answers are all known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Relation(u8),
    Helper(PredicateId),
}

pub(super) struct Search<'a> {
    rules: &'a RuleSet,
    grid: &'a Grid,
    instance: usize,
    clause: usize,
    dearest: usize,
    effort: u64,
    frames: Vec<Frame<'a>>,
    known: BTreeMap<Known, Vec<Vec<Value>>>,
    paid: BTreeSet<Candidate>,
    failing: Vec<Span>,
}

impl<'a> Search<'a> {
    pub fn new(
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
            frames: Vec::new(),
            known: BTreeMap::new(),
            paid: BTreeSet::new(),
            failing: Vec::new(),
        }
    }

    pub fn effort_left(&self) -> u64 {
        self.effort
    }

    /// The first match at the price allowed that would change something.
    pub fn run(&mut self, chosen: &Chosen) -> Option<NearMiss> {
        let instance = &self.rules.instances()[self.instance];
        let clause = &self.rules.rule(instance.rule).clauses[self.clause];
        let mut bound = vec![None; clause.variables.len()];
        for (name, value) in chosen {
            let place = clause.variables.iter().position(|v| v.name == *name)?;
            bound[place] = Some(*value);
        }
        self.frames.push(Frame { clause, parameter: instance.parameter, bound });
        let tasks: Vec<(usize, Task)> =
            clause.body.iter().map(|goal| (0, Task::Goal(goal))).collect();
        self.go(tasks)
    }

    fn go(&mut self, mut tasks: Vec<(usize, Task<'a>)>) -> Option<NearMiss> {
        self.effort = self.effort.checked_sub(1)?;
        let Some(next) = (0..tasks.len()).min_by_key(|&i| self.urgency(&tasks[i])) else {
            return self.finish();
        };
        let (frame, task) = tasks.remove(next);
        match task {
            Task::Return { from, head, arguments } => {
                let tuple: Option<Vec<Value>> =
                    head.iter().map(|term| self.value(from, term)).collect();
                self.unify(frame, arguments, &tuple?, &tasks)
            }
            Task::Goal(goal) => self.goal(frame, goal, tasks),
        }
    }

    /// What is done first has the lowest number.
    fn urgency(&self, (frame, task): &(usize, Task)) -> usize {
        let ready = |term: &Term| self.is_bound(*frame, term);
        let open = |terms: &[Term]| terms.iter().filter(|t| !ready(t)).count();
        match task {
            Task::Return { from, head, .. } => {
                if head.iter().all(|t| self.is_bound(*from, t)) {
                    0
                } else {
                    1000
                }
            }
            Task::Goal(goal) => match &goal.literal {
                Literal::Compare(Comparison::Equal, Term::Var(_), right) if ready(right) => 1,
                Literal::Compare(Comparison::Equal, left, Term::Var(_)) if ready(left) => 1,
                Literal::Relation(_, terms) => match open(terms) {
                    0 => 0,
                    count => 10 + 40 * count,
                },
                Literal::Call(_, terms) => 20 + 20 * open(terms),
                literal if self.is_ready(*frame, literal) => 0,
                Literal::In(Term::Var(_), set) if ready(set) => 15,
                Literal::Choose(Term::Var(_), size, set) if ready(size) && ready(set) => 30,
                _ => 200,
            },
        }
    }

    fn goal(
        &mut self,
        frame: usize,
        goal: &'a Goal,
        tasks: Vec<(usize, Task<'a>)>,
    ) -> Option<NearMiss> {
        match &goal.literal {
            Literal::Call(predicate, arguments) => {
                if self.rules.predicate(*predicate).recursive {
                    let tuples = self.helper_tuples(*predicate);
                    return self.each_tuple(frame, arguments, &tuples, &tasks);
                }
                return self.enter(frame, *predicate, arguments, &tasks);
            }
            Literal::Relation(relation, arguments) if !self.is_ready(frame, &goal.literal) => {
                let tuples = self.relation_tuples(*relation);
                return self.each_tuple(frame, arguments, &tuples, &tasks);
            }
            literal if self.is_ready(frame, literal) => return self.test(frame, goal, tasks),
            Literal::Compare(Comparison::Equal, Term::Var(var), term)
            | Literal::Compare(Comparison::Equal, term, Term::Var(var))
                if self.is_bound(frame, term) =>
            {
                let value = self.value(frame, term)?;
                return self.with(frame, *var, &[value], &tasks);
            }
            Literal::In(Term::Var(var), set) if self.is_bound(frame, set) => {
                let members = members(self.value(frame, set)?);
                return self.with(frame, *var, &members, &tasks);
            }
            Literal::Choose(Term::Var(var), size, set)
                if self.is_bound(frame, size) && self.is_bound(frame, set) =>
            {
                let Value::Number(size) = self.value(frame, size)? else { return None };
                let set = self.value(frame, set)?;
                let subsets = subsets(set, usize::try_from(size).ok()?);
                return self.with(frame, *var, &subsets, &tasks);
            }
            _ => {}
        }
        // Nothing gives this variable: it ranges over everything of its kind.
        let var = self.open_variable(frame, &goal.literal)?;
        if let Literal::Within(left, Term::Set(_, list)) = &goal.literal
            && self.is_bound(frame, left)
            && list.contains(&Term::Var(var))
        {
            // `candidates(C) within {X, Y}`: X is one of them, and those beyond two have a price.
            let members = members(self.value(frame, left)?);
            if members.len() > list.len() + self.dearest - self.paid.len() {
                return None;
            }
            let mut tasks = tasks;
            tasks.push((frame, Task::Goal(goal)));
            return self.with(frame, var, &members, &tasks);
        }
        let kind = self.frames[frame].clause.variables[var.index()].kind;
        let layout = self.grid.layout();
        let all = match kind {
            Kind::Cell => members(Value::Cells(layout.all_cells())),
            Kind::Digit => members(Value::Digits(layout.all_digits())),
            Kind::House => members(Value::Houses(layout.all_houses())),
            _ => return None,
        };
        let mut tasks = tasks;
        tasks.push((frame, Task::Goal(goal)));
        self.with(frame, var, &all, &tasks)
    }

    /// Goes on if a condition holds, or at its price.
    fn test(
        &mut self,
        frame: usize,
        goal: &'a Goal,
        tasks: Vec<(usize, Task<'a>)>,
    ) -> Option<NearMiss> {
        let values = self.values(frame);
        let Frame { clause, parameter, .. } = self.frames[frame];
        let scene = Scene { grid: self.grid, parameter, bindings: &values };
        let rules = self.rules;
        if scene.holds(&goal.literal, &|predicate, arguments| {
            let naive = super::super::Naive::within(rules, super::QUESTION);
            naive.derive(predicate, arguments, scene.grid).is_some()
        }) {
            return self.go(tasks);
        }
        let going = price(clause, &scene, &goal.literal)?;
        let new: Vec<Candidate> = going.into_iter().filter(|c| !self.paid.contains(c)).collect();
        if new.is_empty() || self.paid.len() + new.len() > self.dearest {
            return None;
        }
        self.paid.extend(&new);
        self.failing.push(goal.span);
        let found = self.go(tasks);
        self.failing.pop();
        for candidate in &new {
            self.paid.remove(candidate);
        }
        found
    }

    /// Matches a helper's clauses one after the other.
    fn enter(
        &mut self,
        frame: usize,
        predicate: PredicateId,
        arguments: &'a [Term],
        tasks: &[(usize, Task<'a>)],
    ) -> Option<NearMiss> {
        let rules = self.rules;
        for clause in &rules.predicate(predicate).clauses {
            let Some(Head::Helper(head)) = clause.heads.first() else { continue };
            let mut bound = vec![None; clause.variables.len()];
            let mut agree = true;
            for (inner, outer) in head.iter().zip(arguments) {
                if let (Term::Var(var), Some(value)) = (inner, self.value(frame, outer)) {
                    agree &= bound[var.index()].is_none_or(|b| b == value);
                    bound[var.index()] = Some(value);
                }
            }
            if !agree {
                continue;
            }
            let from = self.frames.len();
            self.frames.push(Frame { clause, parameter: None, bound });
            let mut inner = tasks.to_vec();
            inner.extend(clause.body.iter().map(|goal| (from, Task::Goal(goal))));
            inner.push((frame, Task::Return { from, head, arguments }));
            let found = self.go(inner);
            self.frames.truncate(from);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Goes on with a variable bound to each value in turn.
    fn with(
        &mut self,
        frame: usize,
        var: Var,
        values: &[Value],
        tasks: &[(usize, Task<'a>)],
    ) -> Option<NearMiss> {
        let before = self.frames[frame].bound[var.index()];
        for value in values {
            self.frames[frame].bound[var.index()] = Some(*value);
            let found = self.go(tasks.to_vec());
            self.frames[frame].bound[var.index()] = before;
            if found.is_some() || self.effort == 0 {
                return found;
            }
        }
        None
    }

    fn each_tuple(
        &mut self,
        frame: usize,
        arguments: &'a [Term],
        tuples: &[Vec<Value>],
        tasks: &[(usize, Task<'a>)],
    ) -> Option<NearMiss> {
        tuples.iter().find_map(|tuple| self.unify(frame, arguments, tuple, tasks))
    }

    /// Goes on with the arguments equal to a tuple, if they can be.
    fn unify(
        &mut self,
        frame: usize,
        arguments: &'a [Term],
        tuple: &[Value],
        tasks: &[(usize, Task<'a>)],
    ) -> Option<NearMiss> {
        let before = self.frames[frame].bound.clone();
        let equal = arguments.iter().zip(tuple).all(|(term, &value)| {
            match (self.value(frame, term), term) {
                (Some(bound), _) => bound == value,
                (None, Term::Var(var)) => {
                    self.frames[frame].bound[var.index()] = Some(value);
                    true
                }
                (None, _) => false,
            }
        });
        let found = if equal { self.go(tasks.to_vec()) } else { None };
        self.frames[frame].bound = before;
        found
    }

    /// All conditions are met or paid for: is it worth telling?
    fn finish(&mut self) -> Option<NearMiss> {
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
        let Frame { clause, parameter, ref bound } = self.frames[0];
        let bindings: Vec<Value> = bound.iter().map(|b| b.unwrap_or(Value::Number(0))).collect();
        let then = redefined(clause, parameter, &bindings, &after)?;
        let scene = Scene { grid: &after, parameter, bindings: &then };
        let own = clause.body.iter().filter(|goal| !matches!(goal.literal, Literal::Call(..)));
        if !own.into_iter().all(|goal| scene.holds(&goal.literal, &|_, _| true)) {
            return None;
        }
        let conclusion = scene.conclude(&clause.heads).filter(|c| !c.is_empty())?;
        Some(NearMiss {
            clause: self.clause,
            bindings,
            failing: self.failing.clone(),
            needs: self.paid.iter().copied().collect(),
            conclusion,
        })
    }

    /// The values of a frame's variables; any value for those not bound.
    fn values(&self, frame: usize) -> Vec<Value> {
        self.frames[frame].bound.iter().map(|b| b.unwrap_or(Value::Number(0))).collect()
    }

    fn value(&self, frame: usize, term: &Term) -> Option<Value> {
        if !self.is_bound(frame, term) {
            return None;
        }
        let values = self.values(frame);
        let parameter = self.frames[frame].parameter;
        Scene { grid: self.grid, parameter, bindings: &values }.term(term)
    }

    fn is_bound(&self, frame: usize, term: &Term) -> bool {
        let all = |terms: &[Term]| terms.iter().all(|t| self.is_bound(frame, t));
        match term {
            Term::Var(var) => self.frames[frame].bound[var.index()].is_some(),
            Term::Arithmetic(_, a, b) | Term::Operation(_, a, b) => {
                self.is_bound(frame, a) && self.is_bound(frame, b)
            }
            Term::Size(a) | Term::Lone(a) | Term::CellsOf(a) => self.is_bound(frame, a),
            Term::Set(_, terms) | Term::Call(_, terms) => all(terms),
            _ => true,
        }
    }

    /// Whether all variables of a condition are bound, but for a `forall`'s own.
    fn is_ready(&self, frame: usize, literal: &Literal) -> bool {
        self.open_variable(frame, literal).is_none()
    }

    fn open_variable(&self, frame: usize, literal: &Literal) -> Option<Var> {
        let mut literal = literal.clone();
        let mut locals = Vec::new();
        collect_locals(&literal, &mut locals);
        let mut open = None;
        super::map_terms(&mut literal, &mut |term| {
            if let Term::Var(var) = term
                && open.is_none()
                && !locals.contains(var)
                && self.frames[frame].bound[var.index()].is_none()
            {
                open = Some(*var);
            }
        });
        open
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

/// The bindings with every `Ds = candidates(Cs)` worked out again on another state.
fn redefined(
    clause: &Clause,
    parameter: Option<i64>,
    bindings: &[Value],
    grid: &Grid,
) -> Option<Vec<Value>> {
    let mut bindings = bindings.to_vec();
    for goal in &clause.body {
        if let Literal::Compare(Comparison::Equal, Term::Var(var), term) = &goal.literal
            && !matches!(term, Term::Var(_))
        {
            bindings[var.index()] = Scene { grid, parameter, bindings: &bindings }.term(term)?;
        }
    }
    Some(bindings)
}

fn variables(count: usize) -> Vec<Term> {
    (0..count).map(|i| Term::Var(Var(i as u16))).collect()
}

fn collect_locals(literal: &Literal, locals: &mut Vec<Var>) {
    match literal {
        Literal::Forall(var, _, body) => {
            locals.push(*var);
            body.iter().for_each(|literal| collect_locals(literal, locals));
        }
        Literal::Not(inner) => collect_locals(inner, locals),
        _ => {}
    }
}

/// Subsets looked at: enough for four of 25, few enough to stand in memory.
const MOST_SUBSETS: usize = 20_000;

/// The first subsets of a set with `size` members, in order.
fn subsets(set: Value, size: usize) -> Vec<Value> {
    fn grow(all: &[Value], size: usize, chosen: &mut Vec<Value>, found: &mut Vec<Vec<Value>>) {
        if chosen.len() == size {
            found.push(chosen.clone());
            return;
        }
        for (i, member) in all.iter().enumerate() {
            if all.len() - i < size - chosen.len() || found.len() == MOST_SUBSETS {
                break;
            }
            chosen.push(*member);
            grow(&all[i + 1..], size, chosen, found);
            chosen.pop();
        }
    }
    let mut found = Vec::new();
    grow(&members(set), size, &mut Vec::new(), &mut found);
    let of = |chosen: Vec<Value>| match set {
        Value::Digits(_) => Value::Digits(chosen.iter().filter_map(digit).collect::<Digits>()),
        Value::Houses(_) => Value::Houses(chosen.iter().filter_map(house).collect::<Houses>()),
        _ => Value::Cells(chosen.iter().filter_map(cell).collect::<Cells>()),
    };
    found.into_iter().map(of).collect()
}

fn cell(value: &Value) -> Option<Cell> {
    if let Value::Cell(cell) = value { Some(*cell) } else { None }
}
fn digit(value: &Value) -> Option<Digit> {
    if let Value::Digit(digit) = value { Some(*digit) } else { None }
}
fn house(value: &Value) -> Option<House> {
    if let Value::House(house) = value { Some(*house) } else { None }
}

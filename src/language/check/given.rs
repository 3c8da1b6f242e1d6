//! Helpers with arguments that every call must give. Nothing in such a helper generates them, so
//! it has no table: it is unfolded where it is called. E050.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use super::bound;
use super::draft::{self, Head, Owner, Shape};
use super::helpers::{Helpers, Signature};
use super::kinds::Kinds;
use crate::language::ast;
use crate::language::clause::{
    Clause, Generator, Goal, Head as Conclusion, Literal, PredicateId, Term, Var, Variable,
};
use crate::language::diagnostic::{Diagnostic, Span};
use crate::language::rule::Origin;

/// Conditions that may be unfolded into the clauses of one rule or helper.
const MOST: usize = 1_000;

/// Which arguments of each helper must be given, and what the helpers are called.
#[derive(Clone, Copy)]
pub(super) struct Modes<'a> {
    pub wanted: &'a [Vec<bool>],
    pub signatures: &'a [Signature],
}

impl Modes<'_> {
    /// Whether calls of a helper are unfolded.
    pub(super) fn unfolds(&self, helper: usize) -> bool {
        self.wanted[helper].contains(&true)
    }
}

/// The variables of a helper's clause that its calls give.
pub(super) fn given(clause: &draft::Clause, wanted: &[Vec<bool>]) -> Vec<bool> {
    let mut given = vec![false; clause.variables.len()];
    if let (Owner::Helper(helper), Some(Head::Helper(terms))) = (clause.owner, clause.heads.first())
    {
        for (term, wanted) in terms.iter().zip(&wanted[helper]) {
            if let Shape::Variable(v) = term.shape {
                given[v] |= *wanted;
            }
        }
    }
    given
}

/// Which arguments of each helper must be given: sets and numbers of its heads that its clauses say
/// nothing certain of. A helper that calls itself has a table, so it must say what they are.
pub(super) fn wanted(
    drafts: &[draft::Clause],
    kinds: &Kinds,
    signatures: &[Signature],
    recursive: &[bool],
) -> Vec<Vec<bool>> {
    let mut wanted: Vec<Vec<bool>> = signatures.iter().map(|s| vec![false; s.arity]).collect();
    loop {
        let before = wanted.clone();
        for (number, clause) in drafts.iter().enumerate() {
            let Owner::Helper(helper) = clause.owner else { continue };
            if clause.broken || kinds.broken[number] || recursive[helper] {
                continue;
            }
            let of = &kinds.variables[number];
            let known = bound::given(&clause.body, &[], given(clause, &wanted), of, &wanted);
            let Some(Head::Helper(terms)) = clause.heads.first() else { continue };
            for (position, term) in terms.iter().enumerate() {
                if let Shape::Variable(v) = term.shape {
                    wanted[helper][position] |= !known[v] && of[v].set().is_none();
                }
            }
        }
        if wanted == before {
            return wanted;
        }
    }
}

/// Reports derivations asked of helpers that have none.
pub(super) fn derivations(
    drafts: &[draft::Clause],
    blocks: &[(Origin, &ast::RuleBlock)],
    helpers: &Helpers,
    modes: Modes,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut report = |helper: usize, span: Span| {
        if modes.unfolds(helper) {
            let name = &modes.signatures[helper].name;
            let message = format!("`{name}` is unfolded where it is called: it has no derivation");
            let help = "name a helper whose arguments need not be given";
            diagnostics.push(Diagnostic::error("E050", span, message).help(help));
        }
    };
    fn each(goal: &draft::Goal, report: &mut dyn FnMut(usize, Span)) {
        if let draft::Literal::Traced(fact, _, wanted, _) = goal.literal {
            report(fact, goal.span);
            report(wanted, goal.span);
        }
        goal.literal.inside().for_each(|goal| each(goal, report));
    }
    for clause in drafts {
        clause.goals().for_each(|goal| each(goal, &mut report));
    }
    for (origin, block) in blocks {
        for atom in block.explains.iter().flat_map(|explain| &explain.trace) {
            if let Some(helper) = helpers.called(&atom.name.text, *origin == Origin::User) {
                report(helper, atom.span);
            }
        }
    }
}

/// Puts helpers in the place of their calls.
pub(super) struct Unfolding<'a> {
    helpers: &'a [Vec<Clause>],
    wanted: &'a [Vec<bool>],
    left: Cell<usize>,
    used: RefCell<BTreeSet<PredicateId>>,
}

impl<'a> Unfolding<'a> {
    pub(super) fn new(helpers: &'a [Vec<Clause>], wanted: &'a [Vec<bool>]) -> Unfolding<'a> {
        Unfolding { helpers, wanted, left: Cell::new(MOST), used: RefCell::default() }
    }

    /// The clauses without calls of such helpers, and which were called; nothing if that is too
    /// much.
    pub(super) fn clauses(mut self, clauses: &[Clause]) -> Option<(Vec<Clause>, Vec<PredicateId>)> {
        let mut open: Vec<Clause> = clauses.iter().rev().cloned().collect();
        let mut done = Vec::new();
        while let Some(mut next) = open.pop() {
            let call = next.body.iter().position(|goal| self.call(&goal.literal).is_some());
            let Some(place) = call else {
                done.push(self.inside(next)?);
                continue;
            };
            let goal = next.body.remove(place);
            let (helper, arguments) = self.call(&goal.literal)?;
            for clause in self.alternatives(helper)?.iter().rev() {
                let mut whole = next.clone();
                let body = self.body(clause, arguments, goal.span, &mut whole.variables)?;
                whole.body.splice(place..place, body);
                open.push(whole);
            }
        }
        Some((done, self.used.get_mut().iter().copied().collect()))
    }

    /// One clause that says the same; nothing if that is too much.
    pub(super) fn one(&self, clause: Clause) -> Option<Clause> {
        let mut whole = clause;
        while let Some(place) = whole.body.iter().position(|goal| self.is_single(&goal.literal)) {
            let goal = whole.body.remove(place);
            let (helper, arguments) = self.call(&goal.literal)?;
            let clause = self.alternatives(helper)?.first()?;
            let body = self.body(clause, arguments, goal.span, &mut whole.variables)?;
            whole.body.splice(place..place, body);
        }
        self.inside(whole)
    }

    fn call<'l>(&self, literal: &'l Literal) -> Option<(PredicateId, &'l [Term])> {
        match literal {
            Literal::Call(helper, terms) if self.wanted[usize::from(helper.0)].contains(&true) => {
                Some((*helper, terms))
            }
            _ => None,
        }
    }

    fn is_single(&self, literal: &Literal) -> bool {
        self.call(literal).is_some_and(|(h, _)| self.helpers[usize::from(h.0)].len() == 1)
    }

    fn alternatives(&self, helper: PredicateId) -> Option<&'a [Clause]> {
        self.used.borrow_mut().insert(helper);
        Some(&self.helpers[usize::from(helper.0)])
    }

    /// The conditions of a helper's clause where it is called; its variables have no names there.
    fn body(
        &self,
        clause: &Clause,
        arguments: &[Term],
        call: Span,
        variables: &mut Vec<Variable>,
    ) -> Option<Vec<Goal>> {
        let own = variables.len();
        let body = clause.unfold(arguments, call, variables);
        variables[own..].iter_mut().for_each(|v| v.name = "_".to_string());
        let left = self.left.get().checked_sub(body.len() + 1)?;
        self.left.set(left);
        (variables.len() <= usize::from(u16::MAX)).then_some(body)
    }

    /// The same inside conditions, and after `for`.
    fn inside(&self, mut clause: Clause) -> Option<Clause> {
        let variables = &mut clause.variables;
        for goal in &mut clause.body {
            goal.literal = self.literal(&goal.literal, variables)?;
        }
        for head in &mut clause.heads {
            if let Conclusion::Each(_, generator) = head {
                *generator = self.generator(generator, variables)?;
            }
        }
        Some(clause)
    }

    fn literal(&self, literal: &Literal, variables: &mut Vec<Variable>) -> Option<Literal> {
        if let Some((helper, arguments)) = self.call(literal) {
            let mut ways = Vec::new();
            for clause in self.alternatives(helper)? {
                ways.push(self.way(clause, arguments, variables)?);
            }
            // One of several: not all of them fail.
            if ways.len() == 1 {
                return ways.pop();
            }
            let fails = |way| Literal::Not(Box::new(way));
            let conditions = ways.into_iter().map(fails).collect();
            let all_fail = Literal::Exists(Generator { locals: Vec::new(), conditions });
            return Some(Literal::Not(Box::new(all_fail)));
        }
        Some(match literal {
            Literal::Not(inner) => Literal::Not(Box::new(self.literal(inner, variables)?)),
            Literal::Forall(local, set, body) => {
                let body = body.iter().map(|inner| self.literal(inner, variables));
                Literal::Forall(*local, set.clone(), body.collect::<Option<_>>()?)
            }
            Literal::Exists(generator) => Literal::Exists(self.generator(generator, variables)?),
            Literal::Collect(set, member, generator) => {
                Literal::Collect(*set, *member, self.generator(generator, variables)?)
            }
            literal => literal.clone(),
        })
    }

    /// A helper's clause as a condition.
    fn way(
        &self,
        clause: &Clause,
        arguments: &[Term],
        variables: &mut Vec<Variable>,
    ) -> Option<Literal> {
        let own = variables.len();
        let body = self.body(clause, arguments, clause.span, variables)?;
        let conditions: Vec<Literal> = body.into_iter().map(|goal| goal.literal).collect();
        let locals = locals(own, &conditions, variables);
        self.generator(&Generator { locals, conditions }, variables).map(Literal::Exists)
    }

    fn generator(&self, generator: &Generator, variables: &mut Vec<Variable>) -> Option<Generator> {
        let Generator { mut locals, conditions } = generator.clone();
        let mut open: Vec<Literal> = conditions.into_iter().rev().collect();
        let mut conditions = Vec::new();
        while let Some(next) = open.pop() {
            if !self.is_single(&next) {
                conditions.push(self.literal(&next, variables)?);
                continue;
            }
            let (helper, arguments) = self.call(&next)?;
            let clause = self.alternatives(helper)?.first()?;
            let own = variables.len();
            let body = self.body(clause, arguments, clause.span, variables)?;
            let body: Vec<Literal> = body.into_iter().map(|goal| goal.literal).collect();
            locals.extend(self::locals(own, &body, variables));
            open.extend(body.into_iter().rev());
        }
        Some(Generator { locals, conditions })
    }
}

/// The variables from a number on that no generator in the conditions makes.
fn locals(
    from: usize,
    conditions: &[Literal],
    variables: &[Variable],
) -> Vec<(Var, crate::language::clause::Kind)> {
    let own = (from..variables.len()).map(|v| Var(v as u16));
    let free = own.filter(|&v| !conditions.iter().any(|literal| literal.binds(v)));
    free.map(|v| (v, variables[v.index()].kind)).collect()
}

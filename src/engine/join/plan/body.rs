//! A clause made ready for planning: parameters filled in, helpers over sets unfolded, and every
//! condition broken up.

use std::sync::Arc;

use crate::language::{
    Clause, Comparison, ConstantSet, Head, Kind, Literal, PredicateId, RuleSet, Span, Term, Var,
    Variable,
};

use super::masks::{head_mask, literal_mask, local_mask, term_mask};
use super::source::BuiltIn;
use super::split::split;

/// A conjunction over numbered variables.
#[derive(Clone, Debug)]
pub(in crate::engine::join) struct Body {
    /// The variables of the clause first, then those of helpers unfolded.
    pub variables: Vec<Variable>,
    /// What helpers are called, by their number.
    pub helpers: Arc<[String]>,
    pub literals: Vec<Literal>,
    pub heads: Vec<Head>,
    /// Variables that need no value, as a mask; see [`Body::drop_untold`].
    pub dropped: u64,
    /// Variables that others determine, as masks of both: what a helper defines one by.
    pub determined: Vec<(u64, u64)>,
}

impl Body {
    /// The kind of a variable.
    pub(crate) fn kind(&self, v: Var) -> Kind {
        self.variables[v.index()].kind
    }

    /// Adds a variable without a name.
    pub(crate) fn add_variable(&mut self, kind: Kind) -> Term {
        self.variables.push(Variable { name: "_".to_string(), kind });
        Term::Var(Var(self.variables.len() as u16 - 1))
    }

    /// The helpers that it calls.
    pub(crate) fn calls(&self) -> Vec<PredicateId> {
        self.literals.iter().flat_map(Literal::calls).collect()
    }

    /// Whether a call with these arguments is to a table with sets in it.
    pub(crate) fn has_sets(&self, terms: &[Term]) -> bool {
        terms.iter().any(|term| term.kind(&self.variables).set().is_none())
    }

    /// Whether it calls a helper with sets among its columns.
    pub(crate) fn goes_through_rows(&self) -> bool {
        let is_row = |literal: &Literal| matches!(literal, Literal::Call(_, t) if self.has_sets(t));
        self.literals.iter().any(is_row)
    }

    /// Says of the houses that no condition takes from a set that they are houses, as there are
    /// groups as well. Nothing if one of them belongs to a generator.
    pub(crate) fn without_groups(mut self) -> Option<Body> {
        let mut inside = false;
        self.literals.iter().for_each(|literal| {
            literal.each(&mut |l| {
                if let Literal::Exists(generator) | Literal::Collect(_, _, generator) = l {
                    let is_open = |&(v, kind): &(Var, Kind)| {
                        kind == Kind::House && !takes(&generator.conditions, v)
                    };
                    inside |= generator.locals.iter().any(is_open);
                }
            });
        });
        for v in (0..self.variables.len()).map(|v| Var(v as u16)) {
            let used = self.literals.iter().any(|literal| literal.mentions(v));
            if self.kind(v) == Kind::House && used && !takes(&self.literals, v) {
                let houses = Term::Constant(ConstantSet::Houses);
                self.literals.push(Literal::In(Term::Var(v), houses));
            }
        }
        (!inside).then_some(self)
    }

    /// Whether it asks a built-in table.
    pub(crate) fn asks(&self, built_in: BuiltIn) -> bool {
        let mut found = false;
        let mut see = |literal: &Literal| {
            found |= matches!(literal,
                Literal::Relation(relation, _) if BuiltIn::of(*relation) == Some(built_in));
        };
        self.literals.iter().for_each(|literal| literal.each(&mut see));
        found
    }

    /// Makes one variable of two cells, digits or houses that must be the same, so that what is known
    /// of one is known of both. Only where rows are gone through: there it is a key.
    pub(crate) fn unify(&mut self, given: u64) {
        if !self.goes_through_rows() {
            return;
        }
        let equal = |body: &Body| {
            body.literals.iter().position(|literal| {
                let Literal::Compare(Comparison::Equal, Term::Var(a), Term::Var(b)) = literal
                else {
                    return false;
                };
                a != b && body.kind(*a).set().is_some() && given >> b.index() & 1 == 0
            })
        };
        while let Some(place) = equal(self) {
            let Literal::Compare(_, one, other) = self.literals.remove(place) else { return };
            let put =
                |term: &Term| term.map(&|term| if term == other { one.clone() } else { term });
            self.literals = self.literals.iter().map(|l| l.map(&put, &|v| v)).collect();
            self.heads = self.heads.iter().map(|head| head.map(&put)).collect();
            self.dropped |= term_mask(&other);
        }
    }

    /// Drops the variables of a clause that stand nowhere in the part of it that this is: those of
    /// another conclusion's `for`.
    pub(crate) fn drop_strangers(&mut self, part: &Clause) {
        let mut used = head_mask(&self.heads);
        for literal in &self.literals {
            used |= literal_mask(literal) | local_mask(literal);
        }
        for v in 0..part.variables.len() {
            self.dropped |= (1 << v) & !used;
        }
    }

    /// Drops the variables that nothing but one call of a helper names: which value they have is
    /// not asked, and that there is one is told by the other columns.
    pub(crate) fn drop_untold(&mut self, given: u64) {
        let mut once = 0u64;
        let mut again = given | head_mask(&self.heads);
        let mut see = |mask: u64| {
            again |= once & mask;
            once |= mask;
        };
        for literal in &self.literals {
            match literal {
                Literal::Call(_, terms) => terms.iter().for_each(|term| see(term_mask(term))),
                other => {
                    see(literal_mask(other) | local_mask(other));
                    see(literal_mask(other) | local_mask(other));
                }
            }
        }
        for literal in &self.literals {
            let Literal::Call(_, terms) = literal else { continue };
            let is_untold =
                |term: &Term| matches!(term, Term::Var(_)) && term_mask(term) & again == 0;
            // One column must be left to look at.
            let told = terms.iter().position(|term| !is_untold(term)).unwrap_or(0);
            let others = terms.iter().enumerate().filter(|(i, term)| *i != told && is_untold(term));
            self.dropped = others.fold(self.dropped, |mask, (_, term)| mask | term_mask(term));
        }
    }
}

/// How many bodies a clause may unfold to: those of a helper of two clauses that is called six
/// times. Each body is planned and run by itself.
const MOST_BODIES: usize = 64;
/// How many variables a body may have: two fewer than there are slots.
const MOST_VARIABLES: usize = 30;
/// How many columns a table may have: as many as a key of ten bits each holds in 64.
const MOST_COLUMNS: usize = 6;

/// Whether helpers with sets among their columns are tables as well, or unfolded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::engine::join) enum SetHelpers {
    Tables,
    Unfolded,
}

/// Whether a condition takes a variable from a set.
fn takes(conditions: &[Literal], variable: Var) -> bool {
    let is_it =
        |literal: &Literal| matches!(literal, Literal::In(Term::Var(v), _) if *v == variable);
    conditions.iter().any(is_it)
}

/// Whether a helper can be a table: it has some columns, not too many, none of them numbers.
pub(in crate::engine::join) fn is_table(
    rules: &RuleSet,
    predicate: PredicateId,
    with_sets: SetHelpers,
) -> bool {
    let kinds = &rules.predicate(predicate).kinds;
    (1..=MOST_COLUMNS).contains(&kinds.len())
        && kinds.iter().all(|kind| match kind.set() {
            Some(_) => true,
            None => with_sets == SetHelpers::Tables && *kind != Kind::Number,
        })
}

/// The bodies that together mean what the clause means; nothing if it cannot be planned.
pub(in crate::engine::join) fn bodies(
    rules: &RuleSet,
    clause: &Clause,
    parameter: Option<i64>,
    with_sets: SetHelpers,
) -> Option<Vec<Body>> {
    let is_table = |predicate| is_table(rules, predicate, with_sets);
    let filled_in = |term: &Term| {
        term.map(&|term| match (term, parameter) {
            (Term::Parameter, Some(number)) => Term::Number(number),
            (term, _) => term,
        })
    };
    let goals = clause.body.iter();
    let start = Body {
        variables: clause.variables.clone(),
        helpers: rules.predicates().iter().map(|p| p.name.clone()).collect(),
        literals: goals.map(|goal| goal.literal.map(&filled_in, &|v| v)).collect(),
        heads: clause.heads.iter().map(|head| head.map(&filled_in)).collect(),
        dropped: 0,
        determined: Vec::new(),
    };
    let is_unfolded = |literal: &Literal| matches!(literal, Literal::Call(p, _) if !is_table(*p));
    let mut waiting = vec![start];
    let mut done = Vec::new();
    while let Some(mut body) = waiting.pop() {
        body.literals = body.literals.into_iter().flat_map(spread).collect();
        match body.literals.iter().position(is_unfolded) {
            Some(place) => {
                let Literal::Call(predicate, terms) = body.literals.remove(place) else {
                    unreachable!("it was a call")
                };
                if rules.predicate(predicate).recursive {
                    return None;
                }
                for clause in &rules.predicate(predicate).clauses {
                    let mut unfolded = body.clone();
                    let goals = clause.unfold(&terms, Span::default(), &mut unfolded.variables);
                    unfolded.literals.extend(goals.into_iter().map(|goal| goal.literal));
                    waiting.push(unfolded);
                }
            }
            None => done.push(split(body)),
        }
        if waiting.len() + done.len() > MOST_BODIES {
            return None;
        }
    }
    done.reverse();
    done.iter_mut().for_each(|body| determine(rules, body));
    // The calls under `not` and `forall` must be to tables too.
    let fits = |body: &Body| {
        body.variables.len() <= MOST_VARIABLES && body.calls().iter().all(|&p| is_table(p))
    };
    done.iter().all(fits).then_some(done)
}

/// Notes which variables of its calls are determined by others.
fn determine(rules: &RuleSet, body: &mut Body) {
    for literal in &body.literals {
        let Literal::Call(predicate, terms) = literal else { continue };
        for (column, own) in terms.iter().enumerate() {
            if let (Term::Var(_), Some(term)) = (own, defined(rules, *predicate, column)) {
                let by = term.map(&|term| match term {
                    Term::Var(other) => terms[other.index()].clone(),
                    term => term,
                });
                body.determined.push((term_mask(own), term_mask(&by)));
            }
        }
    }
}

/// What all clauses of a helper say that a column is, in terms of others, by their places.
fn defined(rules: &RuleSet, predicate: PredicateId, column: usize) -> Option<Term> {
    let of_clause = |clause: &Clause| {
        let [Head::Helper(columns)] = &clause.heads[..] else { return None };
        let own = columns.get(column).filter(|own| matches!(own, Term::Var(_)))?;
        clause.body.iter().find_map(|goal| {
            let Literal::Compare(Comparison::Equal, a, b) = &goal.literal else { return None };
            let term = if a == own { b } else { a };
            let place = |v: Var| columns.iter().position(|other| *other == Term::Var(v));
            let is_told = (a == own || b == own)
                && !matches!(term, Term::Var(_))
                && term.is_known(&|v| place(v).is_some_and(|place| place != column));
            is_told.then(|| {
                term.map(&|term| match term {
                    Term::Var(v) => Term::Var(Var(place(v).unwrap_or(0) as u16)),
                    term => term,
                })
            })
        })
    };
    let clauses = &rules.predicate(predicate).clauses;
    let first = of_clause(clauses.first()?)?;
    clauses.iter().all(|clause| of_clause(clause).as_ref() == Some(&first)).then_some(first)
}

/// What stands in an `exists` as conditions of the body: its variables are no other's, and that
/// there may be several ways is nothing that a pass asks.
fn spread(literal: Literal) -> Vec<Literal> {
    match literal {
        Literal::Exists(generator) => generator.conditions.into_iter().flat_map(spread).collect(),
        other => vec![other],
    }
}

/// The members of a set that is written out.
pub(super) fn members(term: &Term) -> Option<&[Term]> {
    match term {
        Term::Set(_, members) => Some(members),
        Term::Lone(member) => Some(std::slice::from_ref(member)),
        _ => None,
    }
}

/// Whether every cell and digit that a clause names is on a board of this size.
pub(in crate::engine::join) fn names_only_up_to(clause: &Clause, size: usize) -> bool {
    let mut fits = true;
    clause.each_term(&mut |term| fits &= is_up_to(term, size));
    fits
}

/// Whether a term is no cell or digit beyond a board of this size.
fn is_up_to(term: &Term, size: usize) -> bool {
    match term {
        Term::Cell { row, column } => usize::from(*row.max(column)) < size,
        Term::Digit(digit) => digit.index() < size,
        _ => true,
    }
}

impl Body {
    /// Whether it names only what is on a board of this size: a helper that was unfolded into it
    /// may name more than the clause does.
    pub(in crate::engine::join) fn names_only_up_to(&self, size: usize) -> bool {
        let mut fits = true;
        for literal in &self.literals {
            literal.each_term(&mut |term| fits &= is_up_to(term, size));
        }
        fits
    }
}

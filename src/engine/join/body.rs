//! A clause made ready for planning: parameters filled in, helpers over sets unfolded, and every
//! condition broken up into the smallest that mean the same.
//!
//! `C in unsolved & H` becomes `C in unsolved, C in H`; `{A, B} within H` becomes
//! `A in H, B in H`; `C in common_peers({A, B})` becomes `sees(C, A), sees(C, B)`; and so on.
//! What is left constrains few variables each, and the planner intersects them again.

use std::sync::Arc;

use crate::language::{
    Clause, Comparison, ConstantSet, Function, Head, Kind, Literal, PredicateId, Relation, RuleSet,
    SetOperation, Term, Var,
};

/// A conjunction over numbered variables.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// The variables of the clause first, then those of helpers unfolded.
    pub kinds: Vec<Kind>,
    pub names: Vec<String>,
    /// What helpers are called, by their number.
    pub helpers: Arc<[String]>,
    pub literals: Vec<Literal>,
    pub heads: Vec<Head>,
    /// Variables that need no value, as a mask; see [`Body::drop_untold`].
    pub dropped: u64,
}

impl Body {
    /// Drops the variables that nothing but one call of a helper names: which value they have is
    /// not asked, and that there is one is told by the other columns.
    pub fn drop_untold(&mut self, given: u64) {
        let mut once = 0u64;
        let mut again = self.heads.iter().fold(given, |mask, head| mask | head_mask(head));
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

/// How many bodies a clause may unfold to.
const MOST_BODIES: usize = 64;
/// How many variables a body may have.
pub(super) const MOST_VARIABLES: usize = 30;

/// Whether a helper can be a table: it has some columns, not too many, all of them scalars.
pub(super) fn is_table(rules: &RuleSet, predicate: PredicateId) -> bool {
    let kinds = &rules.predicate(predicate).kinds;
    (1..=6).contains(&kinds.len()) && kinds.iter().all(|kind| kind.set().is_some())
}

/// The bodies that together mean what the clause means; nothing if it cannot be planned.
pub(super) fn bodies(
    rules: &RuleSet,
    clause: &Clause,
    parameter: Option<i64>,
) -> Option<Vec<Body>> {
    let parameter = |term: &Term| match (term, parameter) {
        (Term::Parameter, Some(number)) => Some(Term::Number(number)),
        _ => None,
    };
    let start = Body {
        kinds: clause.variables.iter().map(|v| v.kind).collect(),
        names: clause.variables.iter().map(|v| v.name.clone()).collect(),
        helpers: rules.predicates().iter().map(|p| p.name.clone()).collect(),
        literals: clause.body.iter().map(|goal| in_literal(&goal.literal, &parameter)).collect(),
        heads: clause.heads.iter().map(|head| in_head(head, &parameter)).collect(),
        dropped: 0,
    };
    let mut waiting = vec![start];
    let mut done = Vec::new();
    while let Some(mut body) = waiting.pop() {
        let call = body.literals.iter().position(
            |literal| matches!(literal, Literal::Call(predicate, _) if !is_table(rules, *predicate)),
        );
        match call {
            Some(place) => {
                let Literal::Call(predicate, terms) = body.literals.remove(place) else {
                    unreachable!("it was a call")
                };
                if rules.predicate(predicate).recursive {
                    return None;
                }
                for clause in &rules.predicate(predicate).clauses {
                    waiting.push(unfold(&body, &terms, clause)?);
                }
            }
            None => done.push(split(body)?),
        }
        if waiting.len() + done.len() > MOST_BODIES {
            return None;
        }
    }
    done.reverse();
    let fits = |body: &Body| body.kinds.len() <= MOST_VARIABLES && calls_tables(rules, body);
    done.iter().all(fits).then_some(done)
}

/// Whether the calls under `not` and `forall` are to tables too.
fn calls_tables(rules: &RuleSet, body: &Body) -> bool {
    fn fine(rules: &RuleSet, literal: &Literal) -> bool {
        match literal {
            Literal::Call(predicate, _) => is_table(rules, *predicate),
            Literal::Not(inner) => fine(rules, inner),
            Literal::Forall(_, _, inner) => inner.iter().all(|literal| fine(rules, literal)),
            _ => true,
        }
    }
    body.literals.iter().all(|literal| fine(rules, literal))
}

/// The body with a helper's clause in place of a call.
fn unfold(body: &Body, terms: &[Term], clause: &Clause) -> Option<Body> {
    let mut body = body.clone();
    let [Head::Helper(columns)] = &clause.heads[..] else { return None };
    let first = body.kinds.len();
    let mut stands_for: Vec<Option<Term>> = vec![None; clause.variables.len()];
    let mut equal = Vec::new();
    for (column, term) in columns.iter().zip(terms) {
        match column {
            Term::Var(v) if stands_for[v.index()].is_none() => {
                stands_for[v.index()] = Some(term.clone());
            }
            _ => equal.push((column, term)),
        }
    }
    for (variable, stands) in clause.variables.iter().zip(&mut stands_for) {
        if stands.is_none() {
            *stands = Some(Term::Var(Var(body.kinds.len() as u16)));
            body.kinds.push(variable.kind);
            body.names.push(variable.name.clone());
        }
    }
    debug_assert!(body.kinds.len() >= first);
    let rename = |term: &Term| match term {
        Term::Var(v) => stands_for[v.index()].clone(),
        _ => None,
    };
    // A variable bound by `forall` must stay a variable, which it does: it is in no head.
    for goal in &clause.body {
        body.literals.push(in_literal(&goal.literal, &rename));
    }
    for (column, term) in equal {
        let column = in_term(column, &rename);
        body.literals.push(Literal::Compare(Comparison::Equal, term.clone(), column));
    }
    Some(body)
}

/// The term with some parts replaced.
pub(super) fn in_term(term: &Term, replace: &dyn Fn(&Term) -> Option<Term>) -> Term {
    if let Some(new) = replace(term) {
        return new;
    }
    let one = |term: &Term| Box::new(in_term(term, replace));
    let many = |terms: &[Term]| terms.iter().map(|term| in_term(term, replace)).collect();
    match term {
        Term::Arithmetic(operation, a, b) => Term::Arithmetic(*operation, one(a), one(b)),
        Term::Size(a) => Term::Size(one(a)),
        Term::Set(kind, members) => Term::Set(*kind, many(members)),
        Term::Lone(a) => Term::Lone(one(a)),
        Term::CellsOf(a) => Term::CellsOf(one(a)),
        Term::Operation(operation, a, b) => Term::Operation(*operation, one(a), one(b)),
        Term::Call(function, terms) => Term::Call(*function, many(terms)),
        plain => plain.clone(),
    }
}

fn in_literal(literal: &Literal, replace: &dyn Fn(&Term) -> Option<Term>) -> Literal {
    let one = |term: &Term| in_term(term, replace);
    let many = |terms: &[Term]| terms.iter().map(one).collect();
    match literal {
        Literal::In(a, b) => Literal::In(one(a), one(b)),
        Literal::Choose(a, b, c) => Literal::Choose(one(a), one(b), one(c)),
        Literal::Within(a, b) => Literal::Within(one(a), one(b)),
        Literal::Compare(comparison, a, b) => Literal::Compare(*comparison, one(a), one(b)),
        Literal::Relation(relation, terms) => Literal::Relation(*relation, many(terms)),
        Literal::Call(predicate, terms) => Literal::Call(*predicate, many(terms)),
        Literal::Not(inner) => Literal::Not(Box::new(in_literal(inner, replace))),
        Literal::Forall(local, set, inner) => {
            let local = match one(&Term::Var(*local)) {
                Term::Var(v) => v,
                _ => *local,
            };
            let inner = inner.iter().map(|literal| in_literal(literal, replace)).collect();
            Literal::Forall(local, one(set), inner)
        }
    }
}

fn in_head(head: &Head, replace: &dyn Fn(&Term) -> Option<Term>) -> Head {
    let one = |term: &Term| in_term(term, replace);
    match head {
        Head::Place(a, b) => Head::Place(one(a), one(b)),
        Head::Eliminate(a, b) => Head::Eliminate(one(a), one(b)),
        Head::Contradiction => Head::Contradiction,
        Head::Helper(terms) => Head::Helper(terms.iter().map(one).collect()),
    }
}

/// Breaks up the literals, and gives every call plain arguments.
fn split(mut body: Body) -> Option<Body> {
    let literals = std::mem::take(&mut body.literals);
    for literal in literals {
        let plain = plain_call(literal, &mut body);
        split_literal(plain, &mut body.literals);
    }
    Some(body)
}

/// A computed argument of a call or of `rectangle` becomes a variable of its own.
fn plain_call(literal: Literal, body: &mut Body) -> Literal {
    let mut plain = |terms: Vec<Term>| -> Vec<Term> {
        terms
            .into_iter()
            .map(|term| match term {
                Term::Call(Function::Row | Function::Column | Function::Box, _) => {
                    let fresh = Term::Var(Var(body.kinds.len() as u16));
                    body.kinds.push(Kind::House);
                    body.names.push("_".to_string());
                    let equal = Literal::Compare(Comparison::Equal, fresh.clone(), term);
                    body.literals.push(equal);
                    fresh
                }
                term => term,
            })
            .collect()
    };
    match literal {
        Literal::Call(predicate, terms) => Literal::Call(predicate, plain(terms)),
        other => other,
    }
}

fn split_literal(literal: Literal, out: &mut Vec<Literal>) {
    use SetOperation::{Difference, Intersection, Union};
    match literal {
        Literal::In(x, Term::Operation(Intersection, a, b)) => {
            split_literal(Literal::In(x.clone(), *a), out);
            split_literal(Literal::In(x, *b), out);
        }
        Literal::In(x, Term::Operation(Difference, a, b)) => {
            split_literal(Literal::In(x.clone(), *a), out);
            out.push(Literal::Not(Box::new(Literal::In(x, *b))));
        }
        Literal::In(x, Term::Lone(y)) => out.push(Literal::Compare(Comparison::Equal, x, *y)),
        Literal::In(x, Term::Call(function, terms)) => match (function, &terms[..]) {
            (Function::Spots, [Term::Lone(digit), cells]) => {
                out.push(Literal::Relation(Relation::Live, vec![x.clone(), (**digit).clone()]));
                split_literal(Literal::In(x, cells.clone()), out);
            }
            (Function::Candidates, [Term::Lone(cell)]) => {
                out.push(Literal::Relation(Relation::Live, vec![(**cell).clone(), x]));
            }
            (Function::Peers, [cell]) => {
                out.push(Literal::Relation(Relation::Sees, vec![x, cell.clone()]));
            }
            (Function::CommonPeers, [Term::Set(_, members)]) if !members.is_empty() => {
                for member in members {
                    out.push(Literal::Relation(Relation::Sees, vec![x.clone(), member.clone()]));
                }
            }
            (Function::CommonPeers, [Term::Lone(cell)]) => {
                out.push(Literal::Relation(Relation::Sees, vec![x, (**cell).clone()]));
            }
            _ => out.push(Literal::In(x, Term::Call(function, terms))),
        },
        Literal::Within(Term::Set(_, members), set) => {
            for member in members {
                split_literal(Literal::In(member, set.clone()), out);
            }
        }
        Literal::Within(Term::Lone(member), set) => split_literal(Literal::In(*member, set), out),
        Literal::Within(Term::Operation(Union, a, b), set) => {
            split_literal(Literal::Within(*a, set.clone()), out);
            split_literal(Literal::Within(*b, set), out);
        }
        Literal::Within(left, Term::Operation(Intersection, a, b)) => {
            split_literal(Literal::Within(left.clone(), *a), out);
            split_literal(Literal::Within(left, *b), out);
        }
        Literal::Within(Term::Call(Function::Candidates, terms), set) => match &terms[..] {
            [Term::Set(_, members)] => {
                for member in members {
                    let lone = vec![Term::Lone(Box::new(member.clone()))];
                    out.push(Literal::Within(Term::Call(Function::Candidates, lone), set.clone()));
                }
            }
            _ => out.push(Literal::Within(Term::Call(Function::Candidates, terms), set)),
        },
        Literal::Within(left, Term::Call(Function::CommonPeers, terms)) => match &terms[..] {
            [Term::Set(_, members)] if !members.is_empty() => {
                for member in members {
                    let peers = Term::Call(Function::Peers, vec![member.clone()]);
                    out.push(Literal::Within(left.clone(), peers));
                }
            }
            _ => out.push(Literal::Within(left, Term::Call(Function::CommonPeers, terms))),
        },
        Literal::Compare(Comparison::Greater, a, b) => {
            out.push(Literal::Compare(Comparison::Less, b, a));
        }
        Literal::Compare(Comparison::AtLeast, a, b) => {
            out.push(Literal::Compare(Comparison::AtMost, b, a));
        }
        Literal::Not(inner) => match *inner {
            Literal::Not(again) => split_literal(*again, out),
            inner => out.push(Literal::Not(Box::new(inner))),
        },
        other => out.push(other),
    }
}

/// The kind of a term.
pub(super) fn kind_of(term: &Term, kinds: &[Kind]) -> Kind {
    match term {
        Term::Var(v) => kinds[v.index()],
        Term::Cell { .. } => Kind::Cell,
        Term::Digit(_) => Kind::Digit,
        Term::Number(_) | Term::Parameter | Term::Arithmetic(..) | Term::Size(_) => Kind::Number,
        Term::Constant(ConstantSet::Digits) => Kind::Digits,
        Term::Constant(ConstantSet::Unsolved) => Kind::Cells,
        Term::Constant(_) => Kind::Houses,
        Term::Set(kind, _) => kind.set().unwrap_or(*kind),
        Term::Lone(member) => {
            let kind = kind_of(member, kinds);
            kind.set().unwrap_or(kind)
        }
        Term::CellsOf(_) => Kind::Cells,
        Term::Operation(_, left, _) => kind_of(left, kinds),
        Term::Call(function, _) => match function {
            Function::Candidates | Function::Missing => Kind::Digits,
            Function::Touching => Kind::Houses,
            Function::Row | Function::Column | Function::Box => Kind::House,
            _ => Kind::Cells,
        },
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

/// The variables of a term, as a mask.
pub(super) fn term_mask(term: &Term) -> u64 {
    match term {
        Term::Var(v) => 1 << v.index(),
        Term::Arithmetic(_, a, b) | Term::Operation(_, a, b) => term_mask(a) | term_mask(b),
        Term::Size(a) | Term::Lone(a) | Term::CellsOf(a) => term_mask(a),
        Term::Set(_, terms) | Term::Call(_, terms) => mask_of(terms),
        _ => 0,
    }
}

pub(super) fn mask_of(terms: &[Term]) -> u64 {
    terms.iter().fold(0, |mask, term| mask | term_mask(term))
}

/// The variables of a literal, as a mask, without those local to a `forall`.
pub(super) fn literal_mask(literal: &Literal) -> u64 {
    match literal {
        Literal::In(a, b) | Literal::Within(a, b) | Literal::Compare(_, a, b) => {
            term_mask(a) | term_mask(b)
        }
        Literal::Choose(a, b, c) => term_mask(a) | term_mask(b) | term_mask(c),
        Literal::Relation(_, terms) | Literal::Call(_, terms) => mask_of(terms),
        Literal::Not(inner) => literal_mask(inner),
        Literal::Forall(local, set, inner) => {
            let inner = inner.iter().fold(0, |mask, literal| mask | literal_mask(literal));
            term_mask(set) | inner & !(1 << local.index())
        }
    }
}

/// The variables that are local to some `forall`, as a mask.
pub(super) fn local_mask(literal: &Literal) -> u64 {
    match literal {
        Literal::Forall(local, _, inner) => {
            inner.iter().fold(1 << local.index(), |mask, literal| mask | local_mask(literal))
        }
        Literal::Not(inner) => local_mask(inner),
        _ => 0,
    }
}

/// The variables of a head, as a mask.
pub(super) fn head_mask(head: &Head) -> u64 {
    match head {
        Head::Place(a, b) | Head::Eliminate(a, b) => term_mask(a) | term_mask(b),
        Head::Contradiction => 0,
        Head::Helper(terms) => mask_of(terms),
    }
}

/// Calls `see` with every helper that a literal calls.
pub(super) fn calls_of(literal: &Literal, see: &mut impl FnMut(PredicateId)) {
    match literal {
        Literal::Call(predicate, _) => see(*predicate),
        Literal::Not(inner) => calls_of(inner, see),
        Literal::Forall(_, _, inner) => inner.iter().for_each(|literal| calls_of(literal, see)),
        _ => {}
    }
}

/// The helpers that a body calls.
pub(super) fn calls(body: &Body) -> impl Iterator<Item = PredicateId> + use<> {
    let mut called = Vec::new();
    body.literals.iter().for_each(|literal| calls_of(literal, &mut |p| called.push(p)));
    called.into_iter()
}

/// Whether a body has a `rectangle`.
pub(super) fn names_rectangle(body: &Body) -> bool {
    fn names(literal: &Literal) -> bool {
        match literal {
            Literal::Relation(Relation::Rectangle, _) => true,
            Literal::Not(inner) => names(inner),
            Literal::Forall(_, _, inner) => inner.iter().any(names),
            _ => false,
        }
    }
    body.literals.iter().any(names)
}

/// Whether every cell and digit that a clause names is on a board of this size.
pub(super) fn names_only_up_to(clause: &Clause, size: usize) -> bool {
    let fits = std::cell::Cell::new(true);
    let see = |term: &Term| {
        match term {
            Term::Cell { row, column } => {
                fits.set(fits.get() && usize::from(*row.max(column)) < size);
            }
            Term::Digit(digit) => fits.set(fits.get() && digit.index() < size),
            _ => {}
        }
        None
    };
    for goal in &clause.body {
        in_literal(&goal.literal, &see);
    }
    for head in &clause.heads {
        in_head(head, &see);
    }
    fits.get()
}

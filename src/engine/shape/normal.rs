//! A clause in the form that shapes are looked for in: definitions unfolded, intersections taken
//! apart, comparisons turned one way. Two clauses that differ only in the author's wording come
//! out alike.

use crate::language::{
    Arithmetic, Clause, Comparison, Head, Literal, SetOperation, Term, Var, Variable,
};

use super::ground::mentions;

/// A clause, rewritten.
pub struct Normal {
    /// The conditions.
    pub body: Vec<Literal>,
    /// The conclusions.
    pub heads: Vec<Head>,
    /// The variables; those unfolded occur nowhere any more.
    pub variables: Vec<Variable>,
}

impl Normal {
    /// Rewrites a clause.
    pub fn new(clause: &Clause) -> Normal {
        let mut body: Vec<Literal> = Vec::new();
        for goal in &clause.body {
            flatten(map_literal(&goal.literal, &simplify), &mut body);
        }
        let heads = clause.heads.iter().map(|head| map_head(head, &simplify)).collect();
        let mut normal = Normal { body, heads, variables: clause.variables.clone() };
        while let Some((place, var, definition)) = normal.definition() {
            normal.body.remove(place);
            let unfold = |term: &Term| substitute(term, var, &definition);
            let old = std::mem::take(&mut normal.body);
            for literal in &old {
                flatten(map_literal(literal, &|t| simplify(&unfold(t))), &mut normal.body);
            }
            normal.heads =
                normal.heads.iter().map(|head| map_head(head, &|t| simplify(&unfold(t)))).collect();
        }
        normal
    }

    /// A condition `X = term` that defines X.
    fn definition(&self) -> Option<(usize, Var, Term)> {
        self.body.iter().enumerate().find_map(|(place, literal)| match literal {
            Literal::Compare(Comparison::Equal, Term::Var(v), term)
            | Literal::Compare(Comparison::Equal, term, Term::Var(v))
                if !mentions(term, *v) =>
            {
                Some((place, *v, term.clone()))
            }
            _ => None,
        })
    }

    /// Whether a variable still occurs.
    pub fn uses(&self, var: Var) -> bool {
        let in_head = |head: &Head| match head {
            Head::Place(a, b) | Head::Eliminate(a, b) => mentions(a, var) || mentions(b, var),
            Head::Contradiction => false,
            Head::Helper(terms) => terms.iter().any(|t| mentions(t, var)),
        };
        self.body.iter().any(|l| literal_mentions(l, var)) || self.heads.iter().any(in_head)
    }
}

/// Whether a variable occurs in a condition.
pub fn literal_mentions(literal: &Literal, var: Var) -> bool {
    match literal {
        Literal::In(a, b) | Literal::Within(a, b) | Literal::Compare(_, a, b) => {
            mentions(a, var) || mentions(b, var)
        }
        Literal::Choose(a, b, c) => [a, b, c].iter().any(|t| mentions(t, var)),
        Literal::Relation(_, terms) | Literal::Call(_, terms) => {
            terms.iter().any(|t| mentions(t, var))
        }
        Literal::Not(inner) => literal_mentions(inner, var),
        Literal::Forall(_, set, inner) => {
            mentions(set, var) || inner.iter().any(|l| literal_mentions(l, var))
        }
    }
}

/// `X in A & B` is `X in A, X in B`; `S within A & B` likewise; `>=` and `<` become `<=`.
fn flatten(literal: Literal, body: &mut Vec<Literal>) {
    match literal {
        Literal::In(member, Term::Operation(SetOperation::Intersection, left, right)) => {
            flatten(Literal::In(member.clone(), *left), body);
            flatten(Literal::In(member, *right), body);
        }
        Literal::Within(set, Term::Operation(SetOperation::Intersection, left, right)) => {
            flatten(Literal::Within(set.clone(), *left), body);
            flatten(Literal::Within(set, *right), body);
        }
        Literal::Compare(Comparison::AtLeast, left, right) => {
            flatten(Literal::Compare(Comparison::AtMost, right, left), body);
        }
        Literal::Compare(Comparison::Greater, left, right) => {
            flatten(Literal::Compare(Comparison::Less, right, left), body);
        }
        Literal::Compare(Comparison::Less, size @ Term::Size(_), bound) => {
            let bound =
                Term::Arithmetic(Arithmetic::Subtract, Box::new(bound), Box::new(Term::Number(1)));
            body.push(Literal::Compare(Comparison::AtMost, size, bound));
        }
        other => body.push(other),
    }
}

/// `{X}` is a lone X.
fn simplify(term: &Term) -> Term {
    map_term(term, &|term| match term {
        Term::Set(_, mut members) if members.len() == 1 => Term::Lone(Box::new(members.remove(0))),
        other => other,
    })
}

fn substitute(term: &Term, var: Var, by: &Term) -> Term {
    map_term(term, &|term| if term == Term::Var(var) { by.clone() } else { term })
}

/// Rebuilds a term from the leaves up.
fn map_term(term: &Term, f: &dyn Fn(Term) -> Term) -> Term {
    let inner = |t: &Term| Box::new(map_term(t, f));
    let all = |terms: &[Term]| terms.iter().map(|t| map_term(t, f)).collect();
    f(match term {
        Term::Arithmetic(op, l, r) => Term::Arithmetic(*op, inner(l), inner(r)),
        Term::Size(t) => Term::Size(inner(t)),
        Term::Set(kind, members) => Term::Set(*kind, all(members)),
        Term::Lone(t) => Term::Lone(inner(t)),
        Term::CellsOf(t) => Term::CellsOf(inner(t)),
        Term::Operation(op, l, r) => Term::Operation(*op, inner(l), inner(r)),
        Term::Call(function, terms) => Term::Call(*function, all(terms)),
        leaf => leaf.clone(),
    })
}

fn map_literal(literal: &Literal, f: &dyn Fn(&Term) -> Term) -> Literal {
    match literal {
        Literal::In(a, b) => Literal::In(f(a), f(b)),
        Literal::Choose(a, b, c) => Literal::Choose(f(a), f(b), f(c)),
        Literal::Within(a, b) => Literal::Within(f(a), f(b)),
        Literal::Compare(op, a, b) => Literal::Compare(*op, f(a), f(b)),
        Literal::Relation(r, terms) => Literal::Relation(*r, terms.iter().map(f).collect()),
        Literal::Call(p, terms) => Literal::Call(*p, terms.iter().map(f).collect()),
        Literal::Not(inner) => Literal::Not(Box::new(map_literal(inner, f))),
        Literal::Forall(var, set, inner) => {
            Literal::Forall(*var, f(set), inner.iter().map(|l| map_literal(l, f)).collect())
        }
    }
}

fn map_head(head: &Head, f: &dyn Fn(&Term) -> Term) -> Head {
    match head {
        Head::Place(a, b) => Head::Place(f(a), f(b)),
        Head::Eliminate(a, b) => Head::Eliminate(f(a), f(b)),
        Head::Contradiction => Head::Contradiction,
        Head::Helper(terms) => Head::Helper(terms.iter().map(f).collect()),
    }
}

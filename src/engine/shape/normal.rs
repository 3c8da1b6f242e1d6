//! A clause in the form that shapes are looked for in: definitions unfolded, intersections taken
//! apart, comparisons turned one way. Two clauses that differ only in the author's wording come
//! out alike.

use crate::language::{
    Arithmetic, Clause, Comparison, Head, Literal, SetOperation, Term, Var, Variable,
};

/// A clause, rewritten.
pub(super) struct Normal {
    /// The conditions.
    pub body: Vec<Literal>,
    /// The conclusions.
    pub heads: Vec<Head>,
    /// The variables; those unfolded occur nowhere any more.
    pub variables: Vec<Variable>,
}

impl Normal {
    /// Rewrites a clause.
    pub(super) fn new(clause: &Clause) -> Normal {
        let mut body: Vec<Literal> = Vec::new();
        for goal in &clause.body {
            flatten(goal.literal.map(&simplify, &|v| v), &mut body);
        }
        let heads = clause.heads.iter().map(|head| head.map(&simplify)).collect();
        let mut normal = Normal { body, heads, variables: clause.variables.clone() };
        while let Some((place, var, definition)) = normal.definition() {
            normal.body.remove(place);
            let unfold = |term: &Term| simplify(&substitute(term, var, &definition));
            for literal in std::mem::take(&mut normal.body) {
                flatten(literal.map(&unfold, &|v| v), &mut normal.body);
            }
            normal.heads = normal.heads.iter().map(|head| head.map(&unfold)).collect();
        }
        normal
    }

    /// A condition `X = term` that defines X.
    fn definition(&self) -> Option<(usize, Var, Term)> {
        self.body.iter().enumerate().find_map(|(place, literal)| match literal {
            Literal::Compare(Comparison::Equal, Term::Var(v), term)
            | Literal::Compare(Comparison::Equal, term, Term::Var(v))
                if !term.mentions(*v) =>
            {
                Some((place, *v, term.clone()))
            }
            _ => None,
        })
    }

    /// Whether a variable still occurs.
    pub(super) fn uses(&self, var: Var) -> bool {
        self.body.iter().any(|literal| literal.mentions(var))
            || self.heads.iter().flat_map(Head::terms).any(|term| term.mentions(var))
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
    term.map(&|term| match term {
        Term::Set(_, mut members) if members.len() == 1 => Term::Lone(Box::new(members.remove(0))),
        other => other,
    })
}

fn substitute(term: &Term, var: Var, by: &Term) -> Term {
    term.map(&|term| if term == Term::Var(var) { by.clone() } else { term })
}

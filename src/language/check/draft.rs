//! A clause with its names resolved but its kinds not yet known: between the text and the
//! checked rule.

use crate::language::ast::Sign;
use crate::language::clause::{Comparison, ConstantSet, Function, Kind, Relation};
use crate::language::diagnostic::Span;

/// A term and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub shape: Shape,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    Variable(usize),
    Cell(u8, u8),
    /// A digit or a number: its use decides.
    Number(i64),
    Parameter,
    Constant(ConstantSet),
    /// The kinds are those of its arguments.
    Function(Function, &'static [Kind], Vec<Term>),
    Set(Vec<Term>),
    Size(Box<Term>),
    Binary(Sign, Box<Term>, Box<Term>),
    /// A message has been given; it fits everywhere.
    Unknown,
}

/// Conditions over variables of their own.
#[derive(Clone, Debug)]
pub(super) struct Generator {
    pub locals: Vec<usize>,
    pub goals: Vec<Goal>,
}

/// A condition and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub literal: Literal,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Literal {
    In(Term, Term),
    /// Subset, least and greatest size, set.
    Choose(Term, Term, Term, Term),
    Within(Term, Term),
    Compare(Comparison, Term, Term),
    Relation(Relation, &'static [Kind], Vec<Term>),
    /// A helper, by its number.
    Call(usize, Vec<Term>),
    /// A helper in the derivation of another.
    Traced(usize, Vec<Term>, usize, Vec<Term>),
    Not(Box<Goal>),
    /// For every way of the first, the second.
    Forall(Generator, Generator),
    /// There is a way.
    Exists(Generator),
    /// The set, its member, and what the members are.
    Collect(Term, usize, Generator),
    /// Hypotheses, the level under which rules run, and the goal.
    Suppose(Vec<Head>, Term, Box<Head>),
    /// A message has been given. The terms still count as uses of their variables.
    Unknown(Vec<Term>),
}

#[derive(Clone, Debug)]
pub(super) enum Head {
    Place(Term, Term),
    Eliminate(Term, Term),
    Contradiction,
    Helper(Vec<Term>),
    /// A helper asked of where a hypothesis leads, by number.
    Asked(usize, Vec<Term>),
    /// A message has been given.
    Unknown(Vec<Term>),
}

/// A variable of a clause.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    /// Every place where it stands, in order.
    pub uses: Vec<Span>,
    /// Whether a generator makes it.
    pub local: bool,
}

/// Whose clause it is: the number of a rule or of a helper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    Rule(usize),
    Helper(usize),
    /// The goal of a query.
    Goal,
}

/// A clause.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub owner: Owner,
    pub heads: Vec<Head>,
    /// What stands after the `for` of each head.
    pub each: Vec<Option<Generator>>,
    /// Where the heads stand.
    pub head_spans: Vec<Span>,
    pub body: Vec<Goal>,
    pub variables: Vec<Variable>,
    pub span: Span,
    /// Whether some name could not be resolved.
    pub broken: bool,
}

impl Head {
    /// Its terms.
    pub(super) fn terms(&self) -> Vec<&Term> {
        match self {
            Head::Place(a, b) | Head::Eliminate(a, b) => vec![a, b],
            Head::Contradiction => vec![],
            Head::Helper(terms) | Head::Asked(_, terms) | Head::Unknown(terms) => {
                terms.iter().collect()
            }
        }
    }
}

impl Literal {
    /// Its own terms, without those of conditions inside it.
    pub(super) fn terms(&self) -> Vec<&Term> {
        match self {
            Literal::In(a, b) | Literal::Within(a, b) | Literal::Compare(_, a, b) => vec![a, b],
            Literal::Choose(a, b, c, d) => vec![a, b, c, d],
            Literal::Relation(_, _, terms) | Literal::Call(_, terms) | Literal::Unknown(terms) => {
                terms.iter().collect()
            }
            Literal::Traced(_, fact, _, goal) => fact.iter().chain(goal).collect(),
            Literal::Collect(set, _, _) => vec![set],
            Literal::Suppose(hypotheses, below, goal) => {
                let heads = hypotheses.iter().chain([&**goal]);
                heads.flat_map(Head::terms).chain([below]).collect()
            }
            Literal::Not(_) | Literal::Forall(..) | Literal::Exists(_) => vec![],
        }
    }
    /// The helper that it asks of where a hypothesis leads.
    pub(super) fn asked(&self) -> Option<usize> {
        match self {
            Literal::Suppose(_, _, goal) => match **goal {
                Head::Asked(helper, _) => Some(helper),
                _ => None,
            },
            _ => None,
        }
    }
    /// The conditions inside it.
    pub(super) fn inside(&self) -> impl Iterator<Item = &Goal> {
        let (first, second): (&[Goal], &[Goal]) = match self {
            Literal::Not(goal) => (std::slice::from_ref(goal), &[]),
            Literal::Forall(generator, body) => (&generator.goals, &body.goals),
            Literal::Exists(generator) | Literal::Collect(_, _, generator) => {
                (&generator.goals, &[])
            }
            _ => (&[], &[]),
        };
        first.iter().chain(second)
    }
}

impl Clause {
    /// The conditions: those of the body, and those after the `for` of a head.
    pub(super) fn goals(&self) -> impl Iterator<Item = &Goal> {
        self.body.iter().chain(self.each.iter().flatten().flat_map(|each| &each.goals))
    }
}

impl Term {
    /// Calls `f` with every variable in it and where that stands.
    pub(super) fn variables(&self, f: &mut impl FnMut(usize, Span)) {
        match &self.shape {
            Shape::Variable(v) => f(*v, self.span),
            Shape::Function(_, _, terms) | Shape::Set(terms) => {
                terms.iter().for_each(|term| term.variables(f))
            }
            Shape::Size(term) => term.variables(f),
            Shape::Binary(_, left, right) => {
                left.variables(f);
                right.variables(f);
            }
            _ => {}
        }
    }
}

impl Goal {
    /// Calls `f` with every variable in it and where that stands.
    pub(super) fn variables(&self, f: &mut impl FnMut(usize, Span)) {
        for term in self.literal.terms() {
            term.variables(f);
        }
        for goal in self.literal.inside() {
            goal.variables(f);
        }
    }
}

//! Conditions in the words of a rule file, for describing a plan.

use crate::language::vocabulary::{Meaning, name_of};
use crate::language::{
    Arithmetic, Comparison, Generator, Literal, PredicateId, SetOperation, Term, Var, Variable,
};

use super::super::table::Parts;

/// What variables and helpers are called.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub variables: &'a [Variable],
    pub helpers: &'a [String],
    pub parts: Parts,
}

/// A variable's name; one without a name is told apart by its number.
pub(super) fn name(names: Names, v: Var) -> String {
    match names.variables.get(v.index()) {
        Some(variable) if variable.name != "_" => variable.name.clone(),
        _ => format!("_{}", v.index()),
    }
}

fn list(names: Names, terms: &[Term]) -> String {
    terms.iter().map(|t| term(names, t)).collect::<Vec<_>>().join(", ")
}

pub(super) fn term(names: Names, wanted: &Term) -> String {
    let one = |t: &Term| term(names, t);
    match wanted {
        Term::Var(v) => name(names, *v),
        Term::Cell { row, column } => format!("r{}c{}", row + 1, column + 1),
        Term::Digit(digit) => digit.to_string(),
        Term::Number(number) => number.to_string(),
        Term::Parameter => "N".to_string(),
        Term::Arithmetic(operation, a, b) => {
            let sign = match operation {
                Arithmetic::Add => "+",
                Arithmetic::Subtract => "-",
                Arithmetic::Multiply => "*",
            };
            format!("{} {sign} {}", one(a), one(b))
        }
        Term::Size(set) => format!("|{}|", one(set)),
        Term::Constant(constant) => {
            name_of(|word| word == Meaning::Constant(*constant)).to_string()
        }
        Term::Set(_, members) => format!("{{{}}}", list(names, members)),
        Term::Lone(item) | Term::CellsOf(item) => one(item),
        Term::Operation(operation, a, b) => {
            let sign = match operation {
                SetOperation::Union => "+",
                SetOperation::Intersection => "&",
                SetOperation::Difference => "\\",
            };
            let inner = |t: &Term| match t {
                Term::Operation(..) => format!("({})", one(t)),
                t => one(t),
            };
            format!("{} {sign} {}", inner(a), inner(b))
        }
        Term::Call(function, terms) => {
            let called = name_of(|word| matches!(word, Meaning::Function(f, _) if f == *function));
            format!("{called}({})", list(names, terms))
        }
    }
}

fn conditions(names: Names, generator: &Generator) -> String {
    let all = generator.conditions.iter().map(|l| literal(names, l));
    all.collect::<Vec<_>>().join(", ")
}

pub(super) fn literal(names: Names, wanted: &Literal) -> String {
    let one = |t: &Term| term(names, t);
    match wanted {
        Literal::In(a, b) => format!("{} in {}", one(a), one(b)),
        Literal::Choose(a, b, c, d) if b == c => {
            format!("{} in choose({}, {})", one(a), one(b), one(d))
        }
        Literal::Choose(a, b, c, d) => {
            format!("{} in choose({}..{}, {})", one(a), one(b), one(c), one(d))
        }
        Literal::Within(a, b) => format!("{} within {}", one(a), one(b)),
        Literal::Compare(comparison, a, b) => {
            let sign = match comparison {
                Comparison::Equal => "=",
                Comparison::Unequal => "!=",
                Comparison::Less => "<",
                Comparison::AtMost => "<=",
                Comparison::Greater => ">",
                Comparison::AtLeast => ">=",
            };
            format!("{} {sign} {}", one(a), one(b))
        }
        Literal::Relation(relation, terms) => {
            let called = name_of(|word| matches!(word, Meaning::Relation(r, _) if r == *relation));
            format!("{called}({})", list(names, terms))
        }
        Literal::Call(predicate, terms) => {
            let (which, helper) = names.parts.words(predicate.0 as usize);
            let called = names.helpers.get(helper).map_or("helper", |name| name);
            format!("{which}{called}({})", list(names, terms))
        }
        Literal::Traced(fact, terms, goal, others) => {
            let call = |helper: &PredicateId, terms: &[Term]| {
                literal(names, &Literal::Call(*helper, terms.to_vec()))
            };
            format!("{} in trace {}", call(fact, terms), call(goal, others))
        }
        Literal::Not(inner) => format!("not {}", literal(names, inner)),
        Literal::Forall(local, set, inner) => {
            let inner = inner.iter().map(|l| literal(names, l)).collect::<Vec<_>>().join(", ");
            format!("forall {} in {} : ({inner})", name(names, *local), one(set))
        }
        Literal::Exists(generator) => format!("exists {}", conditions(names, generator)),
        Literal::Collect(set, member, generator) => {
            let (set, member) = (name(names, *set), name(names, *member));
            format!("{set} = {{{member} : {}}}", conditions(names, generator))
        }
        Literal::Suppose(_) => "suppose …".to_string(),
    }
}

//! What a rule file says: syntax, kinds, checks, messages, canonical layout.

mod diagnostic;
mod rule;

pub use diagnostic::{Diagnostic, Severity, Source, Span};
pub use rule::{
    Arithmetic, Clause, Comparison, ConstantSet, Example, Explanation, Function, Goal, Head,
    Instance, Kind, Literal, Origin, Parameter, Predicate, PredicateId, Relation, Rule, RuleId,
    RuleSet, Segment, SetOperation, Template, Term, Var, Variable,
};

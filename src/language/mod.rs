//! What a rule file says: syntax, kinds, checks, messages, canonical layout.

mod diagnostic;
mod limits;
mod comparison;
mod ast;
mod syntax;
mod parse;
mod stored;
mod spelling;
pub mod token;
mod format;
pub mod vocabulary;
pub mod layout;
mod clause;
mod rule;
mod drawing;
mod visit;
mod unfold;
mod untraced;
mod check;
mod folder;
pub mod render;
pub mod bundled;

pub use check::{Checked, Named, Scope, kind_in_words, load, query};
pub use folder::Folder;
pub use format::format;
pub(crate) use format::lay_out;
pub use layout::{LayoutStep, LayoutText, StepKind, layouts as layout_texts};
pub use spelling::nearest;
pub(crate) use syntax::one_line;
pub use unfold::{MOST_CONDITIONS, Recursion, TooMany, Unfolded};
pub use untraced::LeftOut;

pub use clause::{
    Arithmetic, Clause, Comparison, ConstantSet, Function, Generator, Goal, Head, Kind, Literal,
    PredicateId, Relation, SetOperation, Supposition, Term, Var, Variable,
};
pub use diagnostic::{CODES, Diagnostic, Severity, Source, Span};
pub use drawing::{Drawing, Line, Node, Paint, Stroke};
pub use rule::{Example, Instance, Origin, Predicate, Rule, RuleSet, Segment, Template};

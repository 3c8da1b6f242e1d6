//! What a rule file says, word for word: the parsed text before names and kinds are known.

use super::comparison::Comparison;
use super::diagnostic::{Diagnostic, Span};

/// A word and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub text: String,
    pub span: Span,
}

/// A file: its rules and its helpers' clauses, each in order.
#[derive(Debug, Default)]
pub(crate) struct File {
    /// All of them in the order of the text.
    pub pieces: Vec<Piece>,
    pub rules: Vec<RuleBlock>,
    pub layouts: Vec<LayoutBlock>,
    pub clauses: Vec<Clause>,
}

/// A rule, a layout or a clause, and what is wrong with its words.
#[derive(Debug)]
pub(crate) struct Piece {
    pub sort: PieceSort,
    /// Its first byte.
    pub start: usize,
    pub mistakes: Vec<Diagnostic>,
}

/// In which list of the file a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PieceSort {
    Rule,
    Layout,
    Clause,
    /// In none: it cannot be read.
    Broken,
}

/// `rule name(N in 2..4) "Title" { … }`
#[derive(Debug)]
pub(crate) struct RuleBlock {
    pub name: Word,
    pub parameter: Option<Parameter>,
    /// Language and text; the title in the header has no language.
    pub titles: Vec<(Option<Word>, Word)>,
    pub levels: Vec<Expression>,
    pub assumes: Vec<Word>,
    pub tags: Vec<Word>,
    /// The codes after `scores`.
    pub scores: Vec<Word>,
    pub clauses: Vec<Clause>,
    pub explains: Vec<Explain>,
    pub examples: Vec<Example>,
    pub drawings: Vec<Drawing>,
    /// The comment above, without the `%`.
    pub comment: String,
    /// From `rule` to `}`.
    pub span: Span,
    /// Whether some part of it could not be read.
    pub broken: bool,
}

/// `layout name(9) "Title" { … }`
#[derive(Debug)]
pub(crate) struct LayoutBlock {
    pub name: Word,
    /// The number after the name.
    pub number: Option<i64>,
    pub title: Option<Word>,
    pub members: Vec<LayoutMember>,
    /// Whether some part of it could not be read.
    pub broken: bool,
}

/// What a layout says of itself.
#[derive(Debug)]
pub(crate) enum LayoutMember {
    /// `extends classic(9).`
    Extends(Word, Option<i64>),
    /// `size 9.`
    Size(i64, Span),
    /// `boxes 3 by 3.`
    Boxes(i64, i64, Span),
    /// `boxes "aabb" …`, or `regions colour "aabb" …`.
    Picture { name: Option<Word>, rows: Vec<Word>, span: Span },
    /// `house window(1) "the first window" = …`, or `group …`.
    House {
        is_full: bool,
        name: Word,
        number: Option<i64>,
        title: Option<Word>,
        set: Expression,
        span: Span,
    },
    /// `differ(A, B) :- …` and the like.
    Clause(Clause),
}

/// `(N in 2..4)`
#[derive(Debug)]
pub(crate) struct Parameter {
    pub name: Word,
    pub from: i64,
    pub to: i64,
    pub span: Span,
}

/// `explain fr "…" trace …`
#[derive(Debug)]
pub(crate) struct Explain {
    pub language: Option<Word>,
    pub text: Word,
    pub trace: Vec<Atom>,
}

/// `example "…" gives …`
#[derive(Debug)]
pub(crate) struct Example {
    pub grid: Word,
    pub gives: Vec<Atom>,
    pub span: Span,
}

/// `mark … as fin for …`, or `link … to … weak for …`.
#[derive(Debug)]
pub(crate) struct Drawing {
    /// One for `mark`, two for `link`.
    pub nodes: Vec<Node>,
    /// What stands after `as`, or at the end of a `link`.
    pub name: Option<Word>,
    pub each: Option<Vec<Condition>>,
    pub span: Span,
}

/// Cells or houses, and digits there.
#[derive(Debug)]
pub(crate) struct Node {
    pub place: Expression,
    pub digits: Option<Expression>,
}

/// `heads :- body.`
#[derive(Debug)]
pub(crate) struct Clause {
    pub heads: Vec<Head>,
    pub body: Vec<Condition>,
    /// The comment above, without the `%`.
    pub comment: String,
    pub span: Span,
}

/// A conclusion; `for …` says for what.
#[derive(Debug)]
pub(crate) struct Head {
    pub atom: Atom,
    pub each: Option<Vec<Condition>>,
}

/// `name(arguments)`, or a name alone.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub name: Word,
    pub arguments: Vec<Expression>,
    pub span: Span,
}

/// A condition and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub kind: ConditionKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ConditionKind {
    /// `left operator right`
    Binary(Operator, Expression, Expression),
    /// A helper or a built-in relation.
    Atom(Atom),
    /// `fact(…) in trace goal(…)`
    Traced(Atom, Atom),
    /// `not …`
    Not(Box<Condition>),
    /// `forall … : (…)`
    Forall(Vec<Condition>, Vec<Condition>),
    /// `exists … : (…)`
    Exists(Vec<Condition>, Vec<Condition>),
    /// `suppose … below … : (…)`
    Suppose(Box<Supposition>),
}

/// What is supposed, the level under which rules run, and what is asked of the end.
#[derive(Clone, Debug)]
pub(crate) struct Supposition {
    pub hypotheses: Vec<Atom>,
    pub below: Expression,
    pub goal: Atom,
}

/// What stands between the two sides of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    In,
    Within,
    Compare(Comparison),
}

/// A term and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    Variable(String),
    /// `r2c4`, counted from 0.
    Cell(u8, u8),
    Number(i64),
    /// A function call, a constant set, or something unknown.
    Atom(Atom),
    Set(Vec<Expression>),
    /// `{X : …}`; with `{X in S : …}`, `X in S` is the first condition.
    Collected(Word, Vec<Condition>),
    Size(Box<Expression>),
    Binary(Sign, Box<Expression>, Box<Expression>),
    /// `1..7`
    Range(Box<Expression>, Box<Expression>),
    /// What could not be read; a message has been given.
    Broken,
}

/// What stands between two terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Plus,
    Minus,
    Without,
    And,
    Times,
}

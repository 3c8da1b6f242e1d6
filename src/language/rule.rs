//! A checked rule: names resolved, kinds known, every conversion written out.
//!
//! This is the one meaning that the evaluators run, the explanations quote and the proofs are
//! about. A [`RuleSet`] is only made by the checker.

use std::sync::Arc;

use crate::board::{Cell, Digit, Index, Set};

use super::ast::Operator;
use super::diagnostic::{Source, Span};
use super::drawing::Drawing;
use super::token::{TokenKind, tokens};

/// What a variable or a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// One cell.
    Cell,
    /// One digit.
    Digit,
    /// One house.
    House,
    /// A number: a size, a parameter, arithmetic on them.
    Number,
    /// A set of cells.
    Cells,
    /// A set of digits.
    Digits,
    /// A set of houses.
    Houses,
}

impl Kind {
    /// The kind of a set of these, if there are such sets.
    pub fn set(self) -> Option<Kind> {
        match self {
            Kind::Cell => Some(Kind::Cells),
            Kind::Digit => Some(Kind::Digits),
            Kind::House => Some(Kind::Houses),
            _ => None,
        }
    }
    /// The kind of the members, if this is a kind of set.
    pub fn member(self) -> Option<Kind> {
        match self {
            Kind::Cells => Some(Kind::Cell),
            Kind::Digits => Some(Kind::Digit),
            Kind::Houses => Some(Kind::House),
            _ => None,
        }
    }
}

/// A variable of a clause: its place in [`Clause::variables`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u16);

impl Var {
    /// Its place in [`Clause::variables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable's name and kind. Each `_` is a variable of its own, named `_`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name in the rule file.
    pub name: String,
    /// What it stands for.
    pub kind: Kind,
}

/// A set that is there from the start. All but `Unsolved` never change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConstantSet {
    /// All digits.
    Digits,
    /// All rows.
    Rows,
    /// All columns.
    Columns,
    /// All boxes.
    Boxes,
    /// All rows and columns.
    Lines,
    /// All houses.
    Houses,
    /// All groups: sets of fewer cells, where no digit is twice.
    Groups,
    /// The boxes, where they are no rectangles side by side.
    Pieces,
    /// The cells not placed.
    Unsolved,
}

/// A built-in function. Arguments have exactly these kinds; the checker converts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// `candidates(Cells) -> Digits`: the union over the cells.
    Candidates,
    /// `spots(Digits, Cells) -> Cells`: those of the cells where one of the digits is possible.
    Spots,
    /// `missing(House) -> Digits`: digits not placed in the house.
    Missing,
    /// `peers(Cell) -> Cells`.
    Peers,
    /// `common_peers(Cells) -> Cells`: cells that see all of them (none of them sees itself).
    CommonPeers,
    /// `cells(Houses) -> Cells`: the union.
    Cells,
    /// `touching(Houses, Cells) -> Houses`: the houses that meet the cells.
    Touching,
    /// `row(Cell) -> House`.
    Row,
    /// `column(Cell) -> House`.
    Column,
    /// `box(Cell) -> House`.
    Box,
}

/// Union, intersection, difference of two sets of the same kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SetOperation {
    /// `S + T`
    Union,
    /// `S & T`
    Intersection,
    /// `S \ T`
    Difference,
}

impl SetOperation {
    /// What it makes of two sets.
    pub fn of<T: Index, const W: usize>(self, a: Set<T, W>, b: Set<T, W>) -> Set<T, W> {
        match self {
            SetOperation::Union => a | b,
            SetOperation::Intersection => a & b,
            SetOperation::Difference => a - b,
        }
    }
}

/// `+ - *` on numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arithmetic {
    /// `A + B`
    Add,
    /// `A - B`
    Subtract,
    /// `A * B`
    Multiply,
}

impl Arithmetic {
    /// The result; nothing if it leaves 64 bits, which the checker sees to that it does not.
    #[inline]
    pub fn of(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Subtract => left.checked_sub(right),
            Arithmetic::Multiply => left.checked_mul(right),
        }
    }
}

/// An expression. [`Clause::kind_of`] tells its kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A variable.
    Var(Var),
    /// A cell by name, `r2c4`, as row and column from 0 (the layout decides the number).
    Cell {
        /// Row from 0.
        row: u8,
        /// Column from 0.
        column: u8,
    },
    /// A digit by number.
    Digit(Digit),
    /// A number.
    Number(i64),
    /// The rule's parameter.
    Parameter,
    /// Arithmetic on numbers.
    Arithmetic(Arithmetic, Box<Term>, Box<Term>),
    /// `|S|`
    Size(Box<Term>),
    /// A constant set.
    Constant(ConstantSet),
    /// `{A, B}`: members of one scalar kind; `{}` has the kind given.
    Set(Kind, Vec<Term>),
    /// A lone cell, digit or house where a set is wanted.
    Lone(Box<Term>),
    /// A house where a set of cells is wanted.
    CellsOf(Box<Term>),
    /// Union, intersection, difference.
    Operation(SetOperation, Box<Term>, Box<Term>),
    /// A built-in function.
    Call(Function, Vec<Term>),
}

/// `= != < <= > >=`. Order is that of numbers, and of the indices of cells, digits, houses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// The one that is written so; nothing for `in` and `within`.
    pub(super) fn of(operator: Operator) -> Option<Comparison> {
        Some(match operator {
            Operator::In | Operator::Within => return None,
            Operator::Equal => Comparison::Equal,
            Operator::Unequal => Comparison::Unequal,
            Operator::Less => Comparison::Less,
            Operator::AtMost => Comparison::AtMost,
            Operator::Greater => Comparison::Greater,
            Operator::AtLeast => Comparison::AtLeast,
        })
    }

    /// The same said from the other side: `B > A` for `A < B`.
    pub fn turned(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::Greater => Comparison::Less,
            Comparison::AtLeast => Comparison::AtMost,
            same => same,
        }
    }

    /// Whether it holds.
    #[inline]
    pub fn holds<T: PartialOrd>(self, left: &T, right: &T) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}

/// A built-in relation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `sees(A, B)`: two cells cannot be equal.
    Sees,
    /// `excludes(A, X, B, Y)`: by the layout A is not X or B is not Y, for two different digits.
    Excludes,
    /// `given(C)`: the cell was given.
    Given,
    /// `live(C, D)`: D is still possible in C.
    Live,
    /// `rectangle(A, B, C, T)`: corners of a rectangle in two boxes, T across from A:
    /// A and B in a row, A and C in a column, or A and B in a column, A and C in a row.
    Rectangle,
    /// `orientation(Lines, Across)`: rows and columns, or columns and rows.
    Orientation,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// `X in S`: a scalar and a set of its kind.
    In(Term, Term),
    /// `Xs in choose(A..B, S)`: subset, least and greatest size, set; `choose(N, S)` has N twice.
    Choose(Term, Term, Term, Term),
    /// `S within T`: two sets of one kind.
    Within(Term, Term),
    /// A comparison of two terms of one kind.
    Compare(Comparison, Term, Term),
    /// A built-in relation.
    Relation(Relation, Vec<Term>),
    /// A helper.
    Call(PredicateId, Vec<Term>),
    /// `fact(…) in trace goal(…)`: the first helper is one of those on which the shortest derivation
    /// of the second rests; all variables of the second are bound elsewhere.
    Traced(PredicateId, Vec<Term>, PredicateId, Vec<Term>),
    /// `not p(…)`: all its variables are bound elsewhere.
    Not(Box<Literal>),
    /// `forall X in S : (…)`: X is local; all other variables are bound elsewhere.
    Forall(Var, Term, Vec<Literal>),
    /// `exists … : (…)`: there is a way. A `forall` through anything else than the members of a
    /// set is written with this and `not`.
    Exists(Generator),
    /// `S = {X : …}`: S is the set of all X.
    Collect(Var, Var, Generator),
    /// `suppose … below L : (…)`: from this state and the hypotheses, the rules of a level under
    /// L lead to a contradiction, or to a state of which the goal is true.
    Suppose(Box<Supposition>),
}

/// Hypotheses, and what is asked of the state to which they lead.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Supposition {
    /// What is supposed: `place` and `eliminate`.
    pub hypotheses: Vec<Head>,
    /// The loaded rules of a level under this one run: a number, or arithmetic on the parameter.
    pub below: Term,
    /// What is asked: `contradiction`, `place`, `eliminate`, or a helper.
    pub goal: Head,
}

/// Conditions over variables of their own; all others are bound elsewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Generator {
    /// Its own variables.
    pub locals: Vec<(Var, Kind)>,
    /// The conditions, in any order.
    pub conditions: Vec<Literal>,
}

/// A condition and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The condition.
    pub literal: Literal,
    /// Where it stands.
    pub span: Span,
}

/// What a clause concludes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    /// `place(C, D)`: a cell and a digit.
    Place(Term, Term),
    /// `eliminate(Cells, Digits)`: every pair of the product of the two sets.
    Eliminate(Term, Term),
    /// `contradiction`
    Contradiction,
    /// A helper's head: one term an argument.
    Helper(Vec<Term>),
    /// A helper that is asked of where a hypothesis leads.
    Asked(PredicateId, Vec<Term>),
    /// `… for …`: the conclusion for every way, all in one match.
    Each(Box<Head>, Generator),
}

/// `heads :- body.` One match has the effect of all heads (a helper's clause has one).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// What it concludes, all at once.
    pub heads: Vec<Head>,
    /// The conditions, in the author's order; the order means nothing.
    pub body: Vec<Goal>,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Where it stands.
    pub span: Span,
}

/// Which helper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredicateId(pub u16);

/// A helper: clauses with one name, shared by rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// The kinds of its arguments.
    pub kinds: Vec<Kind>,
    /// Its clauses.
    pub clauses: Vec<Clause>,
    /// Helpers of a lower stratum are finished before those of a higher one begin.
    pub stratum: usize,
    /// Whether it calls itself, through others or not.
    pub recursive: bool,
    /// The comment above its first clause, without the `%`.
    pub comment: String,
    /// Which of its arguments every call must give. If one is, it has no tuples of its own: calls
    /// are unfolded.
    pub given: Vec<bool>,
    /// The helpers that were unfolded into its clauses.
    pub unfolded: Vec<PredicateId>,
}

/// `N in 2..4`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Smallest value.
    pub from: i64,
    /// Largest value.
    pub to: i64,
}

/// A piece of a title or an explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Segment {
    /// Plain text.
    Text(String),
    /// `{C}`: a variable, by name, so that it means the same in every clause.
    Variable(String),
    /// `{N}`: the parameter's value.
    Parameter,
    /// `{pair|triple|quad}`: chosen by the parameter, first for the smallest value.
    Choice(Vec<String>),
}

/// A title or an explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// `en` where the rule file names no language.
    pub language: String,
    /// Its pieces.
    pub segments: Vec<Segment>,
}

/// `explain "…" trace …`: the reason, and the helpers whose derivation belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The sentence, once a language; English first.
    pub sentences: Vec<Template>,
    /// Helper calls to be unfolded, as written: helper, and the names of the variables.
    pub trace: Vec<(PredicateId, Vec<String>)>,
}

/// `example "grid" gives …`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The grid as written.
    pub grid: String,
    /// What one match must place.
    pub places: Vec<(Cell, Digit)>,
    /// What one match must eliminate.
    pub eliminates: Vec<(Cell, Digit)>,
    /// Where it stands.
    pub span: Span,
}

/// Where a rule comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// `rules/standard`, used unless told otherwise.
    Standard,
    /// `rules/extended`, used when asked for.
    Extended,
    /// `rules/advanced`, used when asked for by name.
    Advanced,
    /// `rules/forcing`, used when asked for.
    Forcing,
    /// The user's own.
    User,
}

/// Which rule of a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuleId(pub u16);

impl RuleId {
    /// Its place in [`RuleSet::rules`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A technique.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Its title, once a language; English first.
    pub titles: Vec<Template>,
    /// Its parameter, if it has one.
    pub parameter: Option<Parameter>,
    /// Its level for each value of the parameter, or the one level.
    pub levels: Vec<i32>,
    /// Whether it holds only for puzzles with one solution.
    pub assumes_unique: bool,
    /// Its tags.
    pub tags: Vec<String>,
    /// The techniques of libraries that it is held against, by their codes.
    pub scores: Vec<Template>,
    /// Its clauses.
    pub clauses: Vec<Clause>,
    /// The helpers that were unfolded into its clauses.
    pub unfolded: Vec<PredicateId>,
    /// Its reason.
    pub explanation: Option<Explanation>,
    /// Its examples.
    pub examples: Vec<Example>,
    /// What its pictures show, clause by clause.
    pub drawings: Vec<Drawing>,
    /// The comment above it, without the `%`: what a player wants to know.
    pub comment: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Where its name stands.
    pub span: Span,
    /// The whole of it, from `rule` to `}`.
    pub block: Span,
}

/// A rule with its parameter chosen: what is fired, counted and proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// Which rule.
    pub rule: RuleId,
    /// The parameter's value.
    pub parameter: Option<i64>,
    /// Lower fires first.
    pub level: i32,
    /// `naked_subset:2`, or just the rule's name.
    pub name: String,
    /// `Naked pair`, in English.
    pub title: String,
    /// The codes of the techniques of a library that it is held against.
    pub scores: Vec<String>,
}

/// Checked rules, and their instances in firing order: by level, then as loaded. Copies share the
/// rules.
#[derive(Clone, Debug)]
pub struct RuleSet {
    pub(super) rules: Arc<[Rule]>,
    pub(super) predicates: Arc<[Predicate]>,
    pub(super) instances: Vec<Instance>,
    /// What runs under a hypothesis, in firing order.
    pub(super) loaded: Arc<[Instance]>,
    pub(super) sources: Arc<[Source]>,
}

impl RuleSet {
    /// The rules as loaded.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
    /// A rule.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }
    /// The helpers.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }
    /// A helper.
    pub fn predicate(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.0 as usize]
    }
    /// What is fired, easiest first.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }
    /// The texts that spans point into.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }
    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        let text = &self.sources[span.source as usize].text;
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
    /// The words and marks of a span, one blank between them, without comments.
    pub fn words(&self, span: Span) -> String {
        let tokens = tokens(self.text(span)).into_iter();
        let said = tokens.filter(|token| token.kind != TokenKind::Comment);
        said.map(|token| token.text).collect::<Vec<_>>().join(" ")
    }
    /// The same rules, their instances fired in this order. A hypothesis still runs all that are
    /// loaded.
    pub fn in_order(&self, order: &[usize]) -> RuleSet {
        let instances = order.iter().map(|&i| self.instances[i].clone()).collect();
        RuleSet { instances, ..self.clone() }
    }
    /// The loaded rules of a level under this one: those that run under a hypothesis. Rules that
    /// assume one solution are not among them: a hypothesis is no given.
    pub fn below(&self, level: i64) -> RuleSet {
        let runs = |instance: &&Instance| {
            i64::from(instance.level) < level && !self.rule(instance.rule).assumes_unique
        };
        let instances: Vec<Instance> = self.loaded.iter().filter(runs).cloned().collect();
        RuleSet { loaded: instances.clone().into(), instances, ..self.clone() }
    }
    /// The same rules; a hypothesis runs those that are fired, and no others.
    pub fn into_loaded(self) -> RuleSet {
        RuleSet { loaded: self.instances.clone().into(), ..self }
    }
    /// The same rules, firing only the instances that `keep` accepts. A hypothesis still runs all
    /// that are loaded.
    pub fn keep(&self, keep: impl Fn(&Rule, &Instance) -> bool) -> RuleSet {
        let mut kept = self.clone();
        kept.instances.retain(|instance| keep(&self.rules[instance.rule.index()], instance));
        kept
    }
}

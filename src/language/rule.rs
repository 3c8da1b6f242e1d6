//! A checked rule, and the set of those that are loaded.
//!
//! This is the one meaning that the evaluators run, the explanations quote and the proofs are
//! about. A [`RuleSet`] is only made by the checker.

use std::sync::Arc;

use crate::board::{Cell, Digit};

use super::clause::{Clause, Kind, PredicateId};
use super::diagnostic::{Source, Span};
use super::drawing::Drawing;
use super::token::{TokenKind, tokens};

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
    /// The rule of an instance, by its place among [`RuleSet::instances`].
    pub fn rule_of(&self, instance: usize) -> &Rule {
        self.rule(self.instances[instance].rule)
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
    /// The line on which a span begins, from 1.
    pub fn line(&self, span: Span) -> usize {
        let text = &self.sources[span.source as usize].text;
        1 + text.get(..span.start as usize).unwrap_or("").matches('\n').count()
    }
    /// Where a span begins: `wings.rules:12`.
    pub fn place(&self, span: Span) -> String {
        format!("{}:{}", self.sources[span.source as usize].name, self.line(span))
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

//! A goal on its own, as `query` asks it.

use super::bound;
use super::given::{Modes, Unfolding};
use super::helpers::{Helpers, Signature};
use super::kinds;
use super::lower;
use super::names::{self, Resolver};
use super::range;
use super::suppose;
use super::text::Texts;
use crate::language::clause::{Clause, Kind};
use crate::language::diagnostic::{Diagnostic, Source, Span};
use crate::language::parse;
use crate::language::rule::RuleSet;

/// Parses and checks a goal against the helpers of a set of rules.
///
/// The clause that comes back has one head that lists the goal's named variables.
pub fn query(text: &str, rules: &RuleSet) -> Result<Clause, (Source, Vec<Diagnostic>)> {
    let source = Source { name: "goal".to_string(), text: text.to_string() };
    let number = rules.sources.len() as u16;
    let mut diagnostics = Vec::new();
    let body = parse::goal(&source, number, &mut diagnostics);
    let mut sources = rules.sources.to_vec();
    sources.push(source);
    let mut helpers = Helpers::default();
    let mut fixed: Vec<Vec<Kind>> = Vec::new();
    for predicate in rules.predicates.iter() {
        let first = predicate.clauses.first();
        let span = first.map_or(Span::default(), |clause| clause.span);
        let names = first.map_or(Vec::new(), |clause| {
            clause.variables.iter().map(|v| v.name.as_str()).take(predicate.kinds.len()).collect()
        });
        helpers.add(Signature {
            name: predicate.name.clone(),
            arity: predicate.kinds.len(),
            usage: format!("{}({})", predicate.name, names.join(", ")),
            span,
            user: true,
        });
        fixed.push(predicate.kinds.clone());
    }
    let wanted: Vec<Vec<bool>> = rules.predicates.iter().map(|p| p.given.clone()).collect();
    let texts = Texts::new(&sources);
    if diagnostics.is_empty() {
        let span = Span { source: number, start: 0, end: text.len() as u32 };
        let draft = Resolver::new(&helpers, &mut diagnostics, true, None).query(&body, span);
        let drafts = [draft];
        let kinds =
            kinds::infer(&drafts, &helpers.signatures, (&fixed, &[]), &texts, &mut diagnostics);
        if diagnostics.is_empty() {
            bound::check(
                &drafts[0],
                &kinds.variables[0],
                Modes { wanted: &wanted, signatures: &helpers.signatures },
                ("the goal", &[]),
                &texts,
                &mut diagnostics,
            );
            suppose::places(&drafts[0], &mut diagnostics);
        }
        if diagnostics.is_empty() {
            let clause = lower::clause(&drafts[0], 0, &kinds);
            let mut helpers: Vec<_> = rules.predicates.iter().map(|p| p.clauses.clone()).collect();
            let Some(clause) = Unfolding::new(&helpers, &wanted).one(clause) else {
                let message = "the helpers of the goal unfold into too many conditions";
                let source = sources.pop().expect("the goal's text was pushed");
                return Err((source, vec![Diagnostic::error("E001", drafts[0].span, message)]));
            };
            let unfolds = |helper: usize| wanted[helper].contains(&true);
            (0..helpers.len()).filter(|&h| unfolds(h)).for_each(|h| helpers[h].clear());
            range::check(&clause, &range::helpers(&helpers), None, &mut diagnostics);
            if diagnostics.is_empty() {
                return Ok(clause);
            }
        }
    }
    let is_rule = |name: &str| rules.rules.iter().any(|rule| rule.name == name);
    names::rules_called(is_rule, &texts, &mut diagnostics);
    diagnostics.sort_by_key(|d| (d.span, d.severity, d.code));
    let source = sources.pop().expect("the goal's text was pushed");
    Err((source, diagnostics))
}

//! `mark` and `link`: what is drawn for a match of each clause. E100, E101, E102.

use super::draft::{self, Head};
use super::helpers::Helpers;
use super::kinds::{self, Kinds};
use super::lower;
use super::masks;
use super::names::Resolver;
use super::scope;
use super::text::Texts;
use crate::language::ast;
use crate::language::clause::{Clause, Kind, Var};
use crate::language::diagnostic::{Diagnostic, Span};
use crate::language::drawing::{Drawing, Line, Paint, Stroke};
use crate::language::rule::Parameter;
use crate::language::spelling;

/// A rule and what is known of it.
pub(super) struct Drawn<'a> {
    pub block: &'a ast::RuleBlock,
    pub clauses: &'a [Clause],
    pub parameter: Option<&'a Parameter>,
    pub user: bool,
}

/// A drawing with its names resolved, for one clause.
struct Draft<'a> {
    rule: usize,
    drawing: &'a ast::Drawing,
    clause: Span,
    known: Vec<(&'a str, Kind)>,
}

/// The drawings of each rule.
pub(super) fn of_rules(
    rules: &[Drawn],
    helpers: &Helpers,
    arguments: &[Vec<Kind>],
    texts: &Texts,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Vec<Drawing>> {
    let mut found = vec![Vec::new(); rules.len()];
    let (mut all, mut drafts) = (Vec::new(), Vec::new());
    for (number, rule) in rules.iter().enumerate() {
        for drawing in &rule.block.drawings {
            check_name(drawing, diagnostics);
            for draft in of_clauses(number, rule, drawing, diagnostics) {
                let parameter = rule.parameter.map(|p| p.name.as_str());
                let resolver = Resolver::new(helpers, diagnostics, rule.user, parameter);
                let names = draft.known.iter().map(|(name, _)| name.to_string()).collect();
                drafts.push(resolver.drawing(drawing, names));
                all.push(draft);
            }
        }
    }
    if drafts.is_empty() {
        return found;
    }
    let known: Vec<Vec<Option<Kind>>> = drafts
        .iter()
        .zip(&all)
        .map(|(clause, draft): (&draft::Clause, _)| {
            let kind = |variable: &draft::Variable| {
                let named = draft.known.iter().find(|(name, _)| *name == variable.name);
                named.filter(|_| !variable.local).map(|(_, kind)| *kind)
            };
            clause.variables.iter().map(kind).collect()
        })
        .collect();
    let kinds = kinds::infer(&drafts, &helpers.signatures, (arguments, &known), texts, diagnostics);
    for (number, (clause, draft)) in drafts.iter().zip(&all).enumerate() {
        if !clause.broken && !kinds.broken[number] {
            let drawing = lowered(clause, number, &kinds, draft, diagnostics);
            found[draft.rule].extend(drawing);
        }
    }
    found
}

/// The clauses that have all that a drawing names; a message if none has.
fn of_clauses<'a>(
    rule: usize,
    drawn: &Drawn<'a>,
    drawing: &'a ast::Drawing,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Draft<'a>> {
    let mut named = Vec::new();
    for node in &drawing.nodes {
        [Some(&node.place), node.digits.as_ref()]
            .into_iter()
            .flatten()
            .for_each(|term| scope::of_term(term, &mut named));
    }
    let made = drawing.each.as_ref().map_or(Vec::new(), |each| scope::of_body(each));
    let parameter = drawn.parameter.map(|p| p.name.as_str());
    let wanted: Vec<&String> = named
        .iter()
        .filter(|name| !made.contains(name) && Some(name.as_str()) != parameter)
        .collect();
    let mut drafts: Vec<Draft> = Vec::new();
    for clause in drawn.clauses {
        let variables = clause.variables.iter().enumerate();
        let own = variables.filter(|(v, _)| !clause.is_local(Var(*v as u16)));
        let known: Vec<(&str, Kind)> =
            own.map(|(_, v)| (v.name.as_str(), v.kind)).filter(|(name, _)| *name != "_").collect();
        let has = |name: &&String| known.iter().any(|(known, _)| known == name);
        let twice = drafts.last().is_some_and(|draft| draft.clause == clause.span);
        if wanted.iter().all(has) && !twice {
            drafts.push(Draft { rule, drawing, clause: clause.span, known });
        }
    }
    if drafts.is_empty() && drawn.clauses.len() >= drawn.block.clauses.len() {
        diagnostics.extend(unbound(&wanted, drawn, drawing));
    }
    drafts
}

/// A variable that no clause of the rule has.
fn unbound(wanted: &[&String], drawn: &Drawn, drawing: &ast::Drawing) -> Option<Diagnostic> {
    let all = drawn.clauses.iter().flat_map(|clause| &clause.variables);
    let names: Vec<&str> = all.map(|v| v.name.as_str()).filter(|name| *name != "_").collect();
    let missing = wanted.iter().find(|name| !names.contains(&name.as_str()));
    let Some(name) = missing else {
        let message = "no clause has all of these variables";
        let help = "a picture shows the match of one clause";
        let first = drawn.clauses.first()?;
        let diagnostic = Diagnostic::error("E100", drawing.span, message).help(help);
        return Some(diagnostic).filter(|_| !first.body.is_empty());
    };
    let mut span = drawing.span;
    for node in &drawing.nodes {
        let terms = [Some(&node.place), node.digits.as_ref()].into_iter().flatten();
        terms.for_each(|term| span = scope::place_of(term, name).unwrap_or(span));
    }
    let message = format!("the picture names `{name}`, which no condition binds");
    let near = spelling::nearest(name, names);
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "use a variable of a clause, or say what it is after `for`".to_string(),
    };
    let remedy = near.map(|near| Box::new((span, near.to_string())));
    Some(Diagnostic { remedy, ..Diagnostic::error("E100", span, message).help(help) })
}

/// The word after `as`, or at the end of a `link`.
fn check_name(drawing: &ast::Drawing, diagnostics: &mut Vec<Diagnostic>) {
    let Some(word) = &drawing.name else { return };
    let is_link = drawing.nodes.len() > 1;
    let names: Vec<&str> = match is_link {
        true => Line::NAMES.iter().map(|(name, _)| *name).collect(),
        false => Paint::NAMES.iter().map(|(name, _)| *name).collect(),
    };
    if names.contains(&word.text.as_str()) {
        return;
    }
    let what = if is_link { "a link is not drawn as" } else { "nothing is drawn as" };
    let near = spelling::nearest(&word.text, names.iter().copied());
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the names are {}", names.join(", ")),
    };
    let diagnostic =
        Diagnostic::error("E101", word.span, format!("{what} `{}`", word.text)).help(help);
    let remedy = near.map(|near| Box::new((word.span, near.to_string())));
    diagnostics.push(Diagnostic { remedy, ..diagnostic });
}

/// A drawing whose kinds fit.
fn lowered(
    clause: &draft::Clause,
    number: usize,
    kinds: &Kinds,
    draft: &Draft,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Drawing> {
    let ast::Drawing { nodes: written, name, .. } = draft.drawing;
    let is_link = written.len() > 1;
    let Head::Helper(terms) = &clause.heads[0] else { return None };
    let mut terms = terms.iter();
    let mut nodes = Vec::new();
    for node in written {
        let place = terms.next()?;
        let digits = node.digits.as_ref().and_then(|_| terms.next());
        match lower::node(number, kinds, (place, digits), is_link) {
            Ok(node) => nodes.push(node),
            Err((span, wanted, kind)) => {
                let message = format!("{wanted} expected here");
                diagnostics.push(
                    Diagnostic::error("E102", span, message)
                        .label(format!("this is {}", masks::word(kind)))
                        .help("write `mark Cs as fin.`, or `mark Cs, Ds as fin.`: digits Ds in cells Cs"),
                );
                return None;
            }
        }
    }
    let name = name.as_ref().map(|name| name.text.as_str());
    let mut nodes = nodes.into_iter();
    let stroke = match (nodes.next()?, nodes.next()) {
        (node, None) => Stroke::Mark(node, Paint::named(name?)?),
        (from, Some(to)) => Stroke::Link(from, to, Line::named(name.unwrap_or("strong"))?),
    };
    let each = clause.each[0].as_ref().map(|each| lower::generator(number, kinds, each));
    let variables = lower::variables(clause, number, kinds);
    Some(Drawing { clause: draft.clause, variables, stroke, each })
}

//! Which helpers and rules there are, before anything in them is looked at. E011, E012, E050.

use std::collections::HashMap;

use super::draft::{Clause, Goal, Literal, Owner};
use super::helpers::{Helpers, Signature};
use super::text::Texts;
use crate::language::ast;
use crate::language::diagnostic::Diagnostic;
use crate::language::rule::Origin;
use crate::language::vocabulary::{self, Meaning};

/// The helpers, and their clauses in order.
pub(super) fn helpers<'a>(
    files: &'a [(Origin, ast::File)],
    texts: &Texts,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Helpers, Vec<(usize, &'a ast::Clause)>) {
    let mut helpers = Helpers::default();
    let mut definitions = Vec::new();
    for (origin, file) in files {
        let user = *origin == Origin::User;
        for clause in &file.clauses {
            let Some(ast::Head { atom: head, .. }) = clause.heads.first() else { continue };
            let name = head.name.text.as_str();
            if let Some(word) = vocabulary::find(name) {
                diagnostics.push(match word.meaning {
                    Meaning::Head(_) => Diagnostic::error(
                        "E050",
                        head.name.span,
                        format!("`{name}` is what a rule concludes, and this is no rule"),
                    )
                    .help("put the clause into `rule name \"Title\" { … }`"),
                    _ => Diagnostic::error(
                        "E012",
                        head.name.span,
                        format!("`{name}` is a built-in word and cannot be defined again"),
                    )
                    .help("choose another name"),
                });
                continue;
            }
            if let Some(second) = clause.heads.get(1) {
                let message = "a helper's clause has one head";
                diagnostics.push(
                    Diagnostic::error("E001", second.atom.span, message)
                        .help("write a clause for each"),
                );
            }
            let arity = head.arguments.len();
            let helper = helpers.defined(name, user).unwrap_or_else(|| {
                let span = head.name.span;
                let (name, usage) = (name.to_string(), texts.line_of(head.span));
                helpers.add(Signature { name, arity, usage, span, user })
            });
            let signature = &helpers.signatures[helper];
            if signature.arity != arity {
                let message = format!(
                    "`{name}` has {} arguments in its first clause, and {arity} here",
                    signature.arity
                );
                diagnostics.push(
                    Diagnostic::error("E011", head.span, message)
                        .help("give them different names, or the same number of arguments"),
                );
                continue;
            }
            definitions.push((helper, clause));
        }
    }
    (helpers, definitions)
}

/// The rules; a user's rule takes the place of the bundled one with its name.
pub(super) fn rules<'a>(
    files: &'a [(Origin, ast::File)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(Origin, &'a ast::RuleBlock)> {
    let mut rules: Vec<(Origin, &ast::RuleBlock)> = Vec::new();
    let mut places = HashMap::new();
    for (origin, file) in files {
        for block in &file.rules {
            let name = block.name.text.as_str();
            if name.is_empty() {
                continue;
            }
            match places.get(name).copied() {
                None => {
                    places.insert(name, rules.len());
                    rules.push((*origin, block));
                }
                Some(place) => {
                    let (other, _): (Origin, _) = rules[place];
                    if (other == Origin::User) == (*origin == Origin::User) {
                        let message = format!("there is already a rule `{name}`");
                        diagnostics.push(
                            Diagnostic::error("E012", block.name.span, message)
                                .help("write it as a second clause of that rule, or rename it"),
                        );
                    } else {
                        rules[place] = (*origin, block);
                    }
                }
            }
        }
    }
    rules
}

/// Warns of the user's helpers that nothing calls but themselves.
pub(super) fn unused(
    helpers: &Helpers,
    blocks: &[(Origin, &ast::RuleBlock)],
    clauses: &[Clause],
    diagnostics: &mut Vec<Diagnostic>,
) {
    fn mark(goal: &Goal, owner: Owner, used: &mut [bool]) {
        if let Literal::Call(helper, _) = goal.literal {
            used[helper] |= owner != Owner::Helper(helper);
        }
        if let Literal::Traced(fact, _, goal, _) = goal.literal {
            used[fact] = true;
            used[goal] = true;
        }
        if let Some(helper) = goal.literal.asked() {
            used[helper] = true;
        }
        goal.literal.inside().for_each(|goal| mark(goal, owner, used));
    }
    let mut used = vec![false; helpers.signatures.len()];
    let mut broken = false;
    for clause in clauses {
        broken |= clause.broken;
        clause.goals().for_each(|goal| mark(goal, clause.owner, &mut used));
    }
    for (origin, block) in blocks {
        broken |= block.broken;
        for atom in block.explains.iter().flat_map(|explain| &explain.trace) {
            if let Some(helper) = helpers.called(&atom.name.text, *origin == Origin::User) {
                used[helper] = true;
            }
        }
    }
    // A call that could not be read may be the one that is missed here.
    if broken {
        return;
    }
    for (signature, _) in helpers.signatures.iter().zip(used).filter(|(s, used)| s.user && !used) {
        let message = format!("helper {} is never used", signature.name);
        diagnostics.push(
            Diagnostic::warning("W120", signature.span, message)
                .help("call it in a rule, or remove it"),
        );
    }
}

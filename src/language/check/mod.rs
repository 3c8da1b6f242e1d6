//! From parsed files to a [`RuleSet`], or to what is wrong with them.

mod block;
mod bound;
mod draft;
mod kinds;
mod lower;
mod names;
mod strata;
mod template;
mod text;

use self::draft::Owner;
use self::names::{Helpers, Resolver, Signature};
use self::text::Texts;
use super::ast;
use super::diagnostic::{Diagnostic, Severity, Source, Span};
use super::limits;
use super::parse;
use super::rule::{Clause, Instance, Kind, Origin, Parameter, Predicate, Rule, RuleId, RuleSet};
use super::vocabulary;

/// Parses and checks rule files loaded together.
///
/// Helpers of bundled files are shared; the user's files see them too, and their own hide bundled
/// ones of the same name. A user's rule replaces the bundled rule of the same name. The set is
/// `None` if there is any error; the diagnostics are all there are, in the order of the text.
pub fn load(sources: Vec<(Origin, Source)>) -> (Option<RuleSet>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut files = Vec::new();
    for (number, (origin, source)) in sources.iter().enumerate() {
        files.push((*origin, parse::file(source, number as u16, &mut diagnostics)));
    }
    let sources: Vec<Source> = sources.into_iter().map(|(_, source)| source).collect();
    let set = check(&files, &sources, &mut diagnostics);
    diagnostics.sort_by_key(|d| (d.span, d.severity, d.code));
    diagnostics.dedup();
    let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
    (set.filter(|_| !failed), diagnostics)
}

fn check(
    files: &[(Origin, ast::File)],
    sources: &[Source],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<RuleSet> {
    let texts = Texts(sources);
    let (helpers, definitions) = collect_helpers(files, diagnostics);
    let blocks = collect_rules(files, diagnostics);
    if helpers.signatures.len() > limits::NAMES || blocks.len() > limits::NAMES {
        let message = format!("more than {} helpers or rules", limits::NAMES);
        diagnostics.push(Diagnostic::error("E001", Span::default(), message));
        return None;
    }
    let parameters: Vec<Option<Parameter>> =
        blocks.iter().map(|(_, block)| block::parameter(block, diagnostics)).collect();

    let mut drafts = Vec::new();
    for &(helper, clause) in &definitions {
        let user = helpers.signatures[helper].user;
        let resolver = Resolver::new(&helpers, diagnostics, user, None);
        drafts.push(resolver.clause(clause, Owner::Helper(helper)));
    }
    for (number, (origin, block)) in blocks.iter().enumerate() {
        let parameter = parameters[number].as_ref().map(|p| p.name.as_str());
        for clause in &block.clauses {
            let user = *origin == Origin::User;
            let resolver = Resolver::new(&helpers, diagnostics, user, parameter);
            drafts.push(resolver.clause(clause, Owner::Rule(number)));
        }
    }

    let kinds = kinds::infer(&drafts, &helpers.signatures, &[], &texts, diagnostics);
    let strata = strata::order(&drafts, &helpers.signatures, &texts, diagnostics);
    let mut of_helper: Vec<Vec<Clause>> = vec![Vec::new(); helpers.signatures.len()];
    let mut of_rule: Vec<Vec<Clause>> = vec![Vec::new(); blocks.len()];
    for (number, draft) in drafts.iter().enumerate() {
        if draft.broken || kinds.broken[number] {
            continue;
        }
        let (owner, quoted) = match draft.owner {
            Owner::Rule(rule) => {
                let block = blocks[rule].1;
                (format!("rule {}", block.name.text), quoted(block))
            }
            Owner::Helper(helper) => {
                (format!("helper {}", helpers.signatures[helper].name), Vec::new())
            }
            Owner::Goal => ("the goal".to_string(), Vec::new()),
        };
        bound::check(draft, &kinds.variables[number], &owner, &quoted, &texts, diagnostics);
        let clause = lower::clause(draft, number, &kinds);
        match draft.owner {
            Owner::Rule(rule) => of_rule[rule].push(clause),
            Owner::Helper(helper) => of_helper[helper].push(clause),
            Owner::Goal => {}
        }
    }

    let mut comments = vec![String::new(); helpers.signatures.len()];
    for &(helper, clause) in definitions.iter().rev() {
        if !clause.comment.is_empty() {
            comments[helper] = clause.comment.clone();
        }
    }
    let predicates = helpers
        .signatures
        .iter()
        .zip(of_helper)
        .zip(kinds.arguments)
        .enumerate()
        .map(|(number, ((signature, clauses), kinds))| Predicate {
            name: signature.name.clone(),
            kinds,
            clauses,
            stratum: strata.stratum[number],
            recursive: strata.recursive[number],
            comment: std::mem::take(&mut comments[number]),
        })
        .collect();
    let rules: Vec<Rule> = blocks
        .iter()
        .zip(parameters)
        .zip(of_rule)
        .map(|(((origin, block), parameter), clauses)| {
            block::rule(block, parameter, clauses, *origin, &helpers, diagnostics)
        })
        .collect();
    let instances = instances(&rules);
    Some(RuleSet { rules, predicates, instances, sources: sources.to_vec() })
}

/// The helpers, and their clauses in order.
fn collect_helpers<'a>(
    files: &'a [(Origin, ast::File)],
    diagnostics: &mut Vec<Diagnostic>,
) -> (Helpers, Vec<(usize, &'a ast::Clause)>) {
    let mut helpers = Helpers::default();
    let mut definitions = Vec::new();
    for (origin, file) in files {
        let user = *origin == Origin::User;
        for clause in &file.clauses {
            let Some(head) = clause.heads.first() else { continue };
            let name = head.name.text.as_str();
            if let Some(word) = vocabulary::find(name) {
                diagnostics.push(match word.meaning {
                    vocabulary::Meaning::Head(_) => Diagnostic::error(
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
                    Diagnostic::error("E001", second.span, message).help("write a clause for each"),
                );
            }
            let arity = head.arguments.len();
            let helper = helpers.defined(name, user).unwrap_or_else(|| {
                let span = head.name.span;
                helpers.add(Signature { name: name.to_string(), arity, span, user })
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
fn collect_rules<'a>(
    files: &'a [(Origin, ast::File)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(Origin, &'a ast::RuleBlock)> {
    let mut rules: Vec<(Origin, &ast::RuleBlock)> = Vec::new();
    let mut places = std::collections::HashMap::new();
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

/// The variables that a rule's explanation names.
fn quoted(block: &ast::RuleBlock) -> Vec<String> {
    let mut names = Vec::new();
    for explain in &block.explains {
        for piece in explain.text.text.split('{').skip(1) {
            names.extend(piece.split_once('}').map(|(name, _)| name.trim().to_string()));
        }
    }
    names
}

fn instances(rules: &[Rule]) -> Vec<Instance> {
    let mut instances = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        let english = &rule.titles[0];
        match &rule.parameter {
            None => instances.push(Instance {
                rule: RuleId(number as u16),
                parameter: None,
                level: rule.levels.first().copied().unwrap_or(block::DEFAULT_LEVEL),
                name: rule.name.clone(),
                title: template::plain(english, None),
            }),
            Some(parameter) => {
                for (value, &level) in (parameter.from..=parameter.to).zip(&rule.levels) {
                    instances.push(Instance {
                        rule: RuleId(number as u16),
                        parameter: Some(value),
                        level,
                        name: format!("{}:{value}", rule.name),
                        title: template::plain(english, Some((parameter, value))),
                    });
                }
            }
        }
    }
    instances.sort_by_key(|instance| instance.level);
    instances
}

/// Parses and checks a goal against the helpers of a set of rules.
///
/// The clause that comes back has one head that lists the goal's named variables.
pub fn query(text: &str, rules: &RuleSet) -> Result<Clause, (Source, Vec<Diagnostic>)> {
    let source = Source { name: "goal".to_string(), text: text.to_string() };
    let number = rules.sources.len() as u16;
    let mut diagnostics = Vec::new();
    let body = parse::goal(&source, number, &mut diagnostics);
    let mut sources = rules.sources.clone();
    sources.push(source);
    let mut helpers = Helpers::default();
    let mut fixed: Vec<Vec<Kind>> = Vec::new();
    for predicate in &rules.predicates {
        let span = predicate.clauses.first().map_or(Span::default(), |clause| clause.span);
        helpers.add(Signature {
            name: predicate.name.clone(),
            arity: predicate.kinds.len(),
            span,
            user: true,
        });
        fixed.push(predicate.kinds.clone());
    }
    let texts = Texts(&sources);
    if diagnostics.is_empty() {
        let span = Span { source: number, start: 0, end: text.len() as u32 };
        let draft = Resolver::new(&helpers, &mut diagnostics, true, None).query(&body, span);
        let drafts = [draft];
        let kinds = kinds::infer(&drafts, &helpers.signatures, &fixed, &texts, &mut diagnostics);
        if diagnostics.is_empty() {
            bound::check(
                &drafts[0],
                &kinds.variables[0],
                "the goal",
                &[],
                &texts,
                &mut diagnostics,
            );
        }
        if diagnostics.is_empty() {
            return Ok(lower::clause(&drafts[0], 0, &kinds));
        }
    }
    diagnostics.sort_by_key(|d| (d.span, d.severity, d.code));
    let source = sources.pop().expect("the goal's text was pushed");
    Err((source, diagnostics))
}

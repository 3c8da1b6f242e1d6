//! From parsed files to a [`RuleSet`], or to what is wrong with them.

mod block;
mod bound;
mod collect;
mod draft;
mod drawing;
mod given;
mod helpers;
mod hints;
mod kinds;
mod lint;
mod lower;
mod masks;
mod monotone;
mod names;
mod query;
mod range;
mod scope;
mod strata;
mod suppose;
mod template;
mod text;

pub use self::masks::word as kind_in_words;
pub use self::query::query;

use std::collections::BTreeSet;

use self::draft::Owner;
use self::given::{Modes, Unfolding};
use self::helpers::Helpers;
use self::names::Resolver;
use self::text::Texts;
use super::ast;
use super::clause::{Clause, Kind, PredicateId};
use super::diagnostic::{Diagnostic, Severity, Source, Span};
use super::drawing::Drawing;
use super::folder::Folder;
use super::limits;
use super::rule::{Instance, Origin, Parameter, Predicate, Rule, RuleId, RuleSet};

/// Parses and checks rule files loaded together.
///
/// Helpers of bundled files are shared; the user's files see them too, and their own hide bundled
/// ones of the same name. A user's rule replaces the bundled rule of the same name. The set is
/// `None` if there is any error; the diagnostics are all there are, in the order of the text.
///
/// ```
/// use dokulog::language::{Origin, Source, load, render};
///
/// let text = "rule one \"One\" {\n    level 1\n    place(C, D) :- candidates(C) within {D}.\n}\n";
/// let source = Source { name: "one.rules".into(), text: text.into() };
/// let (rules, diagnostics) = load(vec![(Origin::User, source.clone())]);
/// assert!(rules.is_none());
/// let message = render::text(&diagnostics[0], &[source], false);
/// assert!(message.starts_with("error[E001]: a `.` is missing at the end\n  --> one.rules:2:12"));
/// ```
pub fn load(sources: Vec<(Origin, Source)>) -> (Option<RuleSet>, Vec<Diagnostic>) {
    if sources.len() > usize::from(u16::MAX) {
        let message = "too many rule files at once";
        return (None, vec![Diagnostic::error("E001", Span::default(), message)]);
    }
    let checked = Folder::new(sources).check();
    (checked.rules, checked.diagnostics)
}

/// What is found in rule files that are checked together.
pub struct Checked {
    /// The rules, if there is no error.
    pub rules: Option<RuleSet>,
    /// All mistakes, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The variables of every clause that can be read, whatever is wrong elsewhere.
    pub scopes: Vec<Scope>,
}

/// A clause and its variables.
pub struct Scope {
    /// Where the clause stands.
    pub span: Span,
    /// Its variables, those of the same name inside a `forall` apart.
    pub variables: Vec<Named>,
}

/// A variable of a clause: every place where it stands, and its kind if nothing is wrong with it.
pub struct Named {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub kind: Option<Kind>,
    /// Every place where it stands, in order.
    pub uses: Vec<Span>,
    /// Whether it is there only inside a condition, as in `forall`.
    pub local: bool,
}

/// Checks files that have been read; the diagnostics are those of reading them.
pub(super) fn checked(
    files: &[(Origin, ast::File)],
    sources: &[Source],
    mut diagnostics: Vec<Diagnostic>,
) -> Checked {
    let mut scopes = Vec::new();
    let set = check(files, sources, &mut diagnostics, &mut scopes);
    diagnostics.sort_by_key(|d| (d.span, d.severity, d.code));
    diagnostics.dedup();
    let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
    Checked { rules: set.filter(|_| !failed), diagnostics: shorten(diagnostics), scopes }
}

/// The variables of clauses, with the kinds found.
fn scopes(drafts: &[draft::Clause], kinds: &kinds::Kinds) -> Vec<Scope> {
    let scope = |(number, draft): (usize, &draft::Clause)| {
        let sure = !draft.broken && !kinds.broken[number];
        let named = |(v, variable): (usize, &draft::Variable)| Named {
            name: variable.name.clone(),
            kind: kinds.variables[number].get(v).copied().filter(|_| sure),
            uses: variable.uses.clone(),
            local: variable.local,
        };
        let variables = draft.variables.iter().enumerate().map(named).collect();
        Scope { span: draft.span, variables }
    };
    drafts.iter().enumerate().map(scope).collect()
}

/// Keeps the first mistakes of each file: nobody reads a thousand.
fn shorten(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for of_file in diagnostics.chunk_by(|a, b| a.span.source == b.span.source) {
        let shown = of_file.len().min(limits::SHOWN);
        kept.extend_from_slice(&of_file[..shown]);
        if let Some(next) = of_file.get(shown) {
            let message = format!("{} more mistakes are not shown", of_file.len() - shown);
            kept.push(Diagnostic {
                severity: next.severity,
                ..Diagnostic::error("E001", next.span, message)
            });
        }
    }
    kept
}

fn check(
    files: &[(Origin, ast::File)],
    sources: &[Source],
    diagnostics: &mut Vec<Diagnostic>,
    found_scopes: &mut Vec<Scope>,
) -> Option<RuleSet> {
    let texts = Texts::new(sources);
    let (helpers, definitions) = collect::helpers(files, &texts, diagnostics);
    let blocks = collect::rules(files, diagnostics);
    if helpers.signatures.len() > limits::NAMES || blocks.len() > limits::NAMES {
        let message = format!("more than {} helpers or rules", limits::NAMES);
        let source = sources.len().saturating_sub(1) as u16;
        let span = Span { source, ..Span::default() };
        diagnostics.push(Diagnostic::error("E001", span, message).help("load fewer files"));
        return None;
    }
    let parameters: Vec<Option<Parameter>> =
        blocks.iter().map(|(_, block)| block::parameter(block, diagnostics)).collect();

    let drafts = drafted(&helpers, &definitions, (&blocks, &parameters), diagnostics);
    let is_rule = |name: &str| blocks.iter().any(|(_, block)| block.name.text == name);
    names::rules_called(is_rule, &texts, diagnostics);
    let kinds = kinds::infer(&drafts, &helpers.signatures, (&[], &[]), &texts, diagnostics);
    *found_scopes = scopes(&drafts, &kinds);
    let strata = strata::order(&drafts, &helpers.signatures, &texts, diagnostics);
    let wanted = given::wanted(&drafts, &kinds, &helpers.signatures, &strata.recursive);
    let modes = Modes { wanted: &wanted, signatures: &helpers.signatures };
    given::derivations(&drafts, &blocks, &helpers, modes, diagnostics);
    let found =
        Found { helpers: &helpers, blocks: &blocks, parameters: &parameters, drafts: &drafts };
    let (of_helper, of_rule) = lowered(&found, &kinds, modes, &texts, diagnostics);
    let (with, of_helper, of_rule) = unfolded(&found, modes, of_helper, of_rule, diagnostics);
    // What is unfolded is checked where it is called.
    let whole = of_helper;
    let of_helper: Vec<Vec<Clause>> = whole
        .iter()
        .enumerate()
        .map(|(helper, all)| if modes.unfolds(helper) { Vec::new() } else { all.clone() })
        .collect();
    ranges(&found, &of_helper, &of_rule, diagnostics);
    warn(&found, &of_helper, &of_rule, &strata::changing(&of_helper), &texts, diagnostics);

    let drawings = drawings(&found, &of_rule, &kinds.arguments, &texts, diagnostics);
    let comments = comments(&definitions, helpers.signatures.len());
    let parts = helpers.signatures.iter().zip(whole).zip(kinds.arguments).zip(comments);
    let predicates: Vec<Predicate> = parts
        .enumerate()
        .map(|(number, (((signature, clauses), kinds), comment))| Predicate {
            name: signature.name.clone(),
            kinds,
            clauses,
            stratum: strata.stratum[number],
            recursive: strata.recursive[number],
            comment,
            given: wanted[number].clone(),
            unfolded: with.0[number].clone(),
        })
        .collect();
    let rules: Vec<Rule> = blocks
        .iter()
        .zip(parameters)
        .zip(of_rule)
        .zip(with.1)
        .zip(drawings)
        .map(|(((((origin, block), parameter), clauses), unfolded), drawings)| Rule {
            unfolded,
            drawings,
            ..block::rule(block, parameter, clauses, *origin, &helpers, diagnostics)
        })
        .collect();
    rules.iter().for_each(|rule| suppose::rule(rule, &predicates, diagnostics));
    let instances = instances(&rules);
    let (rules, predicates, sources) = (rules.into(), predicates.into(), sources.into());
    Some(RuleSet { rules, predicates, loaded: instances.clone().into(), instances, sources })
}

/// Arithmetic that could grow too large.
fn ranges(
    found: &Found,
    of_helper: &[Vec<Clause>],
    of_rule: &[Vec<Clause>],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let ranges = range::helpers(of_helper);
    for clause in found.own(Owner::Helper, of_helper).flat_map(|(_, clauses)| clauses) {
        range::check(clause, &ranges, None, diagnostics);
    }
    for (rule, clauses) in found.own(Owner::Rule, of_rule) {
        for clause in clauses {
            range::check(clause, &ranges, found.parameters[rule].as_ref(), diagnostics);
        }
    }
}

/// What each rule draws.
fn drawings(
    found: &Found,
    of_rule: &[Vec<Clause>],
    arguments: &[Vec<Kind>],
    texts: &Texts,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Vec<Drawing>> {
    let rules = found.blocks.iter().zip(found.parameters).zip(of_rule);
    let drawn = rules.map(|(((origin, block), parameter), clauses)| drawing::Drawn {
        block,
        clauses,
        parameter: parameter.as_ref(),
        user: *origin == Origin::User,
    });
    drawing::of_rules(&drawn.collect::<Vec<_>>(), found.helpers, arguments, texts, diagnostics)
}

/// The clauses of helpers and rules with their names resolved.
fn drafted(
    helpers: &Helpers,
    definitions: &[(usize, &ast::Clause)],
    (blocks, parameters): (&[(Origin, &ast::RuleBlock)], &[Option<Parameter>]),
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<draft::Clause> {
    let mut drafts = Vec::new();
    for &(helper, clause) in definitions {
        let user = helpers.signatures[helper].user;
        let resolver = Resolver::new(helpers, diagnostics, user, None);
        drafts.push(resolver.clause(clause, Owner::Helper(helper)));
    }
    for (number, (origin, block)) in blocks.iter().enumerate() {
        let parameter = parameters[number].as_ref().map(|p| p.name.as_str());
        for clause in &block.clauses {
            let user = *origin == Origin::User;
            let resolver = Resolver::new(helpers, diagnostics, user, parameter);
            drafts.push(resolver.clause(clause, Owner::Rule(number)));
        }
    }
    drafts
}

/// The clauses of each helper and of each rule in which nothing is wrong.
fn lowered(
    found: &Found,
    kinds: &kinds::Kinds,
    modes: Modes,
    texts: &Texts,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Vec<Clause>>, Vec<Vec<Clause>>) {
    let Found { helpers, blocks, .. } = found;
    let mut of_helper: Vec<Vec<Clause>> = vec![Vec::new(); helpers.signatures.len()];
    let mut of_rule: Vec<Vec<Clause>> = vec![Vec::new(); blocks.len()];
    for (number, draft) in found.drafts.iter().enumerate() {
        if draft.broken || kinds.broken[number] {
            continue;
        }
        if found.is_own(draft.owner) {
            let (owner, quoted) = match draft.owner {
                Owner::Helper(helper) => (helpers.title(helper), Vec::new()),
                Owner::Rule(rule) => (rule_title(blocks[rule].1), quoted(blocks[rule].1)),
                Owner::Goal => continue,
            };
            let variables = &kinds.variables[number];
            bound::check(draft, variables, modes, (&owner, &quoted), texts, diagnostics);
            suppose::places(draft, diagnostics);
        }
        let clause = lower::clause(draft, number, kinds);
        match draft.owner {
            Owner::Rule(rule) => of_rule[rule].push(clause),
            Owner::Helper(helper) => of_helper[helper].push(clause),
            Owner::Goal => {}
        }
    }
    (of_helper, of_rule)
}

/// The comment of each helper: that above the first of its clauses that has one.
fn comments(definitions: &[(usize, &ast::Clause)], helpers: usize) -> Vec<String> {
    let mut comments = vec![String::new(); helpers];
    for &(helper, clause) in definitions.iter().rev() {
        if !clause.comment.is_empty() {
            comments[helper] = clause.comment.clone();
        }
    }
    comments
}

/// The helpers that were unfolded into each helper and into each rule.
type Unfolded = (Vec<Vec<PredicateId>>, Vec<Vec<PredicateId>>);

/// The clauses of helpers and rules, with those helpers in the place of their calls whose
/// arguments must be given.
fn unfolded(
    found: &Found,
    modes: Modes,
    mut of_helper: Vec<Vec<Clause>>,
    mut of_rule: Vec<Vec<Clause>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Unfolded, Vec<Vec<Clause>>, Vec<Vec<Clause>>) {
    let mut with = (vec![Vec::new(); of_helper.len()], vec![Vec::new(); of_rule.len()]);
    if modes.wanted.iter().flatten().all(|wanted| !wanted) {
        return (with, of_helper, of_rule);
    }
    let raw = of_helper.clone();
    let mut unfold = |clauses: &mut Vec<Clause>, title: String, used: &mut Vec<PredicateId>| {
        match Unfolding::new(&raw, modes.wanted).clauses(clauses) {
            Some((unfolded, helpers)) => (*clauses, *used) = (unfolded, helpers),
            None => {
                let span = clauses.first().map_or(Span::default(), |clause| clause.span);
                let message = format!("the helpers of {title} unfold into too many conditions");
                let help = "let a helper say itself what its arguments are";
                diagnostics.push(Diagnostic::error("E001", span, message).help(help));
            }
        }
    };
    for (helper, clauses) in of_helper.iter_mut().enumerate() {
        if !modes.unfolds(helper) {
            unfold(clauses, found.helpers.title(helper), &mut with.0[helper]);
        }
    }
    for (rule, clauses) in of_rule.iter_mut().enumerate() {
        unfold(clauses, rule_title(found.blocks[rule].1), &mut with.1[rule]);
    }
    (with, of_helper, of_rule)
}

/// How a rule is called in messages.
fn rule_title(block: &ast::RuleBlock) -> String {
    format!("rule {}", block.name.text)
}

/// What the files define, before anything is checked.
struct Found<'a> {
    helpers: &'a Helpers,
    blocks: &'a [(Origin, &'a ast::RuleBlock)],
    parameters: &'a [Option<Parameter>],
    drafts: &'a [draft::Clause],
}

/// What is said of a clause that can be read, in warnings and in errors that other clauses do not
/// depend on, is said of the user's clauses alone: a test has it said of the bundled ones, which
/// are the same whenever they are loaded.
impl Found<'_> {
    fn is_own(&self, owner: Owner) -> bool {
        match owner {
            Owner::Helper(helper) => self.helpers.signatures[helper].user,
            Owner::Rule(rule) => self.blocks[rule].0 == Origin::User,
            Owner::Goal => true,
        }
    }

    /// The user's among the clauses of each helper, or of each rule, with its number.
    fn own<'c>(
        &self,
        owner: fn(usize) -> Owner,
        clauses: &'c [Vec<Clause>],
    ) -> impl Iterator<Item = (usize, &'c Vec<Clause>)> {
        clauses.iter().enumerate().filter(move |(number, _)| self.is_own(owner(*number)))
    }
}

/// Warnings about clauses in which nothing is wrong.
fn warn(
    found: &Found,
    of_helper: &[Vec<Clause>],
    of_rule: &[Vec<Clause>],
    changing: &[bool],
    texts: &Texts,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let wrong: BTreeSet<Span> = errors.map(|d| d.span).collect();
    let right = |clause: &&Clause| {
        let (first, last) = (Span { end: 0, ..clause.span }, clause.span);
        let last = Span { start: last.end, end: u32::MAX, ..last };
        wrong.range(first..last).next().is_none()
    };
    for (helper, clauses) in found.own(Owner::Helper, of_helper) {
        let owner = found.helpers.title(helper);
        for clause in clauses.iter().filter(right) {
            monotone::check(clause, &owner, changing, texts, diagnostics);
            lint::never(clause, None, &owner, diagnostics);
            lint::product(clause, &owner, diagnostics);
            lint::groups(clause, diagnostics);
        }
    }
    for (rule, clauses) in found.own(Owner::Rule, of_rule) {
        let (_, block) = found.blocks[rule];
        let owner = rule_title(block);
        for clause in clauses.iter().filter(right) {
            monotone::check(clause, &owner, changing, texts, diagnostics);
            lint::never(clause, found.parameters[rule].as_ref(), &owner, diagnostics);
            lint::product(clause, &owner, diagnostics);
            lint::groups(clause, diagnostics);
        }
        if block.clauses.is_empty() && !block.broken {
            let message = format!("{owner} has no clause, so it can never fire");
            diagnostics.push(
                Diagnostic::warning("W120", block.name.span, message)
                    .help("add one: `place(C, D) :- … .`"),
            );
        }
    }
    collect::unused(found.helpers, found.blocks, found.drafts, diagnostics);
}

/// The variables that a rule's explanation and its pictures name.
fn quoted(block: &ast::RuleBlock) -> Vec<String> {
    let mut names = Vec::new();
    for drawing in &block.drawings {
        let terms = drawing.nodes.iter().flat_map(|n| [Some(&n.place), n.digits.as_ref()]);
        terms.flatten().for_each(|term| scope::of_term(term, &mut names));
        names.extend(drawing.each.iter().flat_map(|each| scope::of_body(each)));
    }
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
                scores: rule.scores.iter().map(|code| template::plain(code, None)).collect(),
            }),
            Some(parameter) => {
                for (value, &level) in (parameter.from..=parameter.to).zip(&rule.levels) {
                    let of_value = |t| template::plain(t, Some((parameter, value)));
                    instances.push(Instance {
                        rule: RuleId(number as u16),
                        parameter: Some(value),
                        level,
                        name: format!("{}:{value}", rule.name),
                        title: of_value(english),
                        scores: rule.scores.iter().map(of_value).collect(),
                    });
                }
            }
        }
    }
    instances.sort_by_key(|instance| instance.level);
    instances
}

#[cfg(test)]
mod tests;

//! `dokulog rules`: the rules loaded, in firing order, or one rule whole.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value as Json;

use super::boards::LayoutOption;
use super::options::{FormatOption, RuleOptions, TextOrJson, warn_of_gaps};
use super::prove::typed;
use super::{Context, Failure, Run, Status, say};
use crate::board::Layout;
use crate::engine::{Engine, Unfit};
use crate::interface::Selector;
use crate::language::{Clause, Instance, Literal, Origin, PredicateId, Rule, RuleSet};
use crate::proof::{Glance, Glimpse, Verdict};
use crate::trace::{counted, json};

/// Options of `rules`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog rules                    the standard rules
  dokulog rules --with all         all that are bundled
  dokulog rules xy_wing            one rule whole")]
pub(super) struct Arguments {
    /// Show this rule whole, with its comment, its text and the helpers it uses
    #[arg(value_name = "RULE")]
    rule: Option<String>,
    #[command(flatten)]
    format: FormatOption,
    /// Show how the rules are run: back end, order of variables, cost
    #[arg(long)]
    plan: bool,
    /// The size of the grids that --plan is for [default: 9]
    #[arg(long, value_name = "N", requires = "plan")]
    size: Option<usize>,
    #[command(flatten)]
    layout: LayoutOption,
    #[command(flatten)]
    rules: RuleOptions,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    if arguments.plan {
        return plans(arguments);
    }
    let out = match &arguments.rule {
        None => {
            let rules = arguments.rules.load()?;
            warn_of_gaps(&rules, context);
            if !context.quiet {
                tell_of_others(&arguments.rules, &rules)?;
            }
            let unfit = match arguments.format.format {
                TextOrJson::Text => unfit(arguments, &rules)?,
                TextOrJson::Json => String::new(),
            };
            list(&rules, arguments.format.format) + &unfit
        }
        Some(name) => {
            let rules = arguments.rules.everything()?;
            let rule = Selector::parse(name).find(&rules)?;
            whole(rule, &rules, arguments.format.format)
        }
    };
    super::print(&out)?;
    Ok(Status::Done)
}

/// Says which of the rules are not run on the layout asked for.
fn unfit(arguments: &Arguments, rules: &RuleSet) -> Result<String, Failure> {
    let Some(layout) = arguments.layout.find()? else { return Ok(String::new()) };
    let why = |instance: &Instance| Unfit::find(rules, instance, &layout);
    let unfit = rules.instances().iter().filter_map(|i| Some((i, why(i)?)));
    Ok(unfit
        .map(|(i, why)| format!("{} is not run on {}: {why}\n", i.name, layout.name()))
        .collect())
}

/// Says on standard error that there are bundled rules beside these.
fn tell_of_others(options: &RuleOptions, rules: &RuleSet) -> Result<(), Failure> {
    let is_listed = |rule: &Rule| rules.instances().iter().any(|i| rules.rule(i.rule) == rule);
    let everything = options.everything()?;
    let others = everything.rules().iter().filter(|rule| !is_listed(rule)).count();
    if others > 0 && options.only.is_empty() && options.without.is_empty() {
        let more = counted(others, "more rule is bundled", "more rules are bundled");
        let how = match options.has_all_groups() {
            true => "--assume-unique shows those that assume one solution",
            false => "`dokulog rules --with all` shows them",
        };
        say(&format!("{more}: {how}"));
    }
    Ok(())
}

/// How the rules are run, instance by instance.
fn plans(arguments: &Arguments) -> Run {
    let rules = match &arguments.rule {
        None => arguments.rules.load()?,
        Some(name) => {
            let rules = arguments.rules.everything()?;
            let selector = Selector::parse(name);
            selector.find(&rules)?;
            rules.keep(|rule, instance| selector.matches(rule, instance))
        }
    };
    let layout = arguments.layout.find_or(arguments.size)?;
    let mut worker = Engine::assuming_unique(&rules, &layout).worker();
    let mut out = String::new();
    for (number, instance) in rules.instances().iter().enumerate() {
        let lines = worker.describe(number);
        if arguments.format.format == TextOrJson::Json {
            out += &json::line(&Planned { name: &instance.name, plan: &lines });
            continue;
        }
        let mut lines = lines.iter();
        let back_end = lines.next().map_or("", String::as_str);
        out += &format!("{}: {back_end}\n", instance.name);
        for line in lines {
            out += &format!("    {line}\n");
        }
    }
    super::print(&out)?;
    Ok(Status::Done)
}

/// Where a rule comes from, in a word.
fn origin(rule: &Rule) -> &'static str {
    match rule.origin {
        Origin::Standard => "standard",
        Origin::Extended => "extended",
        Origin::Advanced => "advanced",
        Origin::Forcing => "forcing",
        Origin::User => "yours",
    }
}

fn list(rules: &RuleSet, format: TextOrJson) -> String {
    let instances = rules.instances();
    let mut glance = Glance::new(Glance::USUAL);
    if format == TextOrJson::Json {
        return (0..instances.len()).map(|i| json::line(&told(i, rules, &mut glance))).collect();
    }
    let width = |text: fn(&Instance) -> &str, least: usize| {
        instances.iter().map(|i| text(i).chars().count()).max().unwrap_or(0).max(least)
    };
    let (name, title) = (width(|i| &i.name, 4), width(|i| &i.title, 5));
    let proofs: Vec<String> = (0..instances.len()).map(|i| proof(i, rules, &mut glance)).collect();
    let proved = proofs.iter().map(|proof| proof.len()).max().unwrap_or(0);
    let mut out =
        format!("level  {:name$}  {:title$}  {:proved$}  from\n", "rule", "title", "proof");
    for (instance, proof) in instances.iter().zip(proofs) {
        let rule = rules.rule(instance.rule);
        let assumes = if rule.assumes_unique { ", assumes one solution" } else { "" };
        out += &format!(
            "{:>5}  {:name$}  {:title$}  {proof:proved$}  {}{assumes}\n",
            instance.level,
            instance.name,
            instance.title,
            origin(rule)
        );
    }
    out
}

/// Whether an instance is proved, in a few words.
fn proof(instance: usize, rules: &RuleSet, glance: &mut Glance) -> String {
    match glance.at(rules, instance) {
        Glimpse::Known(Verdict::NeverFires) if is_for_others(rules, instance) => {
            "for other layouts".to_string()
        }
        Glimpse::Known(verdict) => verdict.in_words().to_string(),
        Glimpse::Undecided => format!("not yet proved: run {}", typed(rules, instance)),
        Glimpse::NotTried => format!("not tried here: run {}", typed(rules, instance)),
    }
}

/// Whether classic boards have nothing of what a rule is about.
fn is_for_others(rules: &RuleSet, instance: usize) -> bool {
    let unfit = |board: Arc<Layout>| Unfit::find(rules, &rules.instances()[instance], &board);
    Layout::classic(9).and_then(unfit) == Some(Unfit::Nothing)
}

/// An instance as an object.
#[derive(Serialize)]
struct Told<'a> {
    name: &'a str,
    rule: &'a str,
    params: Json,
    level: i32,
    title: &'a str,
    origin: &'a str,
    assumes_unique: bool,
    tags: &'a [String],
    proof: Option<&'a str>,
}

/// A rule whole.
#[derive(Serialize)]
struct Whole<'a> {
    rule: &'a str,
    origin: &'a str,
    file: &'a str,
    line: usize,
    assumes_unique: bool,
    tags: &'a [String],
    comment: &'a str,
    source: &'a str,
    instances: Vec<Told<'a>>,
    helpers: Vec<Helper<'a>>,
}

#[derive(Serialize)]
struct Helper<'a> {
    name: &'a str,
    comment: &'a str,
    source: String,
}

/// How an instance is run.
#[derive(Serialize)]
struct Planned<'a> {
    name: &'a str,
    plan: &'a [String],
}

fn told<'a>(instance: usize, rules: &'a RuleSet, glance: &mut Glance) -> Told<'a> {
    let proof = match glance.at(rules, instance) {
        Glimpse::Known(verdict) => Some(verdict.code()),
        Glimpse::Undecided | Glimpse::NotTried => None,
    };
    let instance = &rules.instances()[instance];
    let rule = rules.rule(instance.rule);
    Told {
        name: &instance.name,
        rule: &rule.name,
        params: json::parameters(rules, instance),
        level: instance.level,
        title: &instance.title,
        origin: origin(rule),
        assumes_unique: rule.assumes_unique,
        tags: &rule.tags,
        proof,
    }
}

fn whole(rule: &Rule, rules: &RuleSet, format: TextOrJson) -> String {
    let is_its = |&i: &usize| rules.rule_of(i).name == rule.name;
    let instances: Vec<usize> = (0..rules.instances().len()).filter(is_its).collect();
    let source = &rules.sources()[rule.block.source as usize];
    let line = rules.line(rule.block);
    let helpers = helpers(rule, rules);
    let mut glance = Glance::new(Glance::USUAL);
    if format == TextOrJson::Json {
        let helper = |&id: &PredicateId| {
            let predicate = rules.predicate(id);
            let source = helper_text(id, rules);
            Helper { name: &predicate.name, comment: &predicate.comment, source }
        };
        return json::line(&Whole {
            rule: &rule.name,
            origin: origin(rule),
            file: &source.name,
            line,
            assumes_unique: rule.assumes_unique,
            tags: &rule.tags,
            comment: &rule.comment,
            source: rules.text(rule.block),
            instances: instances.iter().map(|&i| told(i, rules, &mut glance)).collect(),
            helpers: helpers.iter().map(helper).collect(),
        });
    }
    let mut out = String::new();
    for i in instances {
        let Instance { name, title, level, .. } = &rules.instances()[i];
        out += &format!("{name}: {title}, level {level}, {}\n", proof(i, rules, &mut glance));
    }
    out += &format!("{}, {}:{line}\n", origin(rule), source.name);
    if rule.assumes_unique {
        out += "assumes that the puzzle has one solution: --assume-unique switches it on\n";
    }
    out.push('\n');
    for line in rule.comment.lines() {
        out += &format!("% {line}\n");
    }
    out += &format!("{}\n", rules.text(rule.block));
    for &id in &helpers {
        out.push('\n');
        for line in rules.predicate(id).comment.lines() {
            out += &format!("% {line}\n");
        }
        out += &helper_text(id, rules);
    }
    out
}

/// A helper's clauses as written.
fn helper_text(id: PredicateId, rules: &RuleSet) -> String {
    let clauses = rules.predicate(id).clauses.iter();
    clauses.map(|clause| format!("{}\n", rules.text(clause.span))).collect()
}

/// The helpers a rule uses, and those that they use, each after its first mention.
fn helpers(rule: &Rule, rules: &RuleSet) -> Vec<PredicateId> {
    fn called(literal: &Literal, found: &mut Vec<PredicateId>) {
        match literal {
            Literal::Call(id, _) if !found.contains(id) => found.push(*id),
            literal => literal.inside().iter().for_each(|literal| called(literal, found)),
        }
    }
    let mut found = Vec::new();
    let goals = |clause: &Clause, found: &mut Vec<PredicateId>| {
        clause.conditions().for_each(|literal| called(literal, found))
    };
    rule.clauses.iter().for_each(|clause| goals(clause, &mut found));
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        rules.predicate(id).clauses.iter().for_each(|clause| goals(clause, &mut found));
        next += 1;
    }
    found
}

//! Rule files written by choices: with helpers, recursion, arithmetic, `not` and `forall`.
//!
//! ```text
//! term        terms of every kind, from the variables in scope
//! condition   what gives variables, what tests them
//! helper      clauses outside of rules
//! core        techniques to begin with
//! change      one thing made different
//! sorts       what is hard about it
//! ```
//!
//! Kinds are kept, so that the checker takes most of what is written; the rest is written anew.

// Fuzz targets and tests use some of this each.
#![allow(dead_code)]

mod change;
mod condition;
mod core;
mod helper;
pub mod sorts;
pub mod term;

use dokulog::language::{self, Origin, Recursion, RuleSet, Source, TooMany, bundled};

use super::choices::Choices;
use condition::{call, give, give_by, test};
use helper::{Helper, helper};
use term::{Kind, Scope, term};

/// Texts tried until the checker takes one.
const ATTEMPTS: usize = 12;

/// A rule file that the checker takes.
pub struct Written {
    /// The bundled helpers and the file.
    pub rules: RuleSet,
    /// The file.
    pub text: String,
    /// The instances of its rules.
    pub own: Vec<usize>,
    /// How many texts were refused before, by the checker or because they are too large.
    pub refused: usize,
}

/// A rule file, new or made from one of the seeds; nothing if the checker takes none of the texts
/// tried.
pub fn write(seeds: &[String], choices: &mut Choices) -> Option<Written> {
    (0..ATTEMPTS).find_map(|refused| {
        let text = file(seeds, choices);
        let rules = load(&text).filter(|rules| !is_large(rules))?;
        let is_own = |i: &usize| rules.rule(rules.instances()[*i].rule).origin == Origin::User;
        let own = (0..rules.instances().len()).filter(is_own).collect();
        Some(Written { rules, text, own, refused })
    })
}

/// Variables of a clause with its helpers: with recursive ones kept, and unfolded twice. More take
/// an evaluator or a prover too long, one by one.
const VARIABLES: [(Recursion, usize); 2] = [(Recursion::Keep, 9), (Recursion::Unroll(2), 13)];

fn is_large(rules: &RuleSet) -> bool {
    let own = rules.rules().iter().filter(|rule| rule.origin == Origin::User);
    own.flat_map(|rule| &rule.clauses).any(|clause| {
        VARIABLES.iter().any(|&(recursion, most)| match rules.unfolded(clause, recursion) {
            Ok(all) => all.iter().any(|unfolded| unfolded.variables.len() > most),
            Err(TooMany) => true,
        })
    })
}

/// The bundled helpers and a text.
pub fn load(text: &str) -> Option<RuleSet> {
    let mut sources = bundled::helpers();
    sources.push((Origin::User, Source { name: "any.rules".into(), text: text.into() }));
    language::load(sources).0
}

/// Every bundled rule with the helpers of its file, without titles, reasons and examples.
pub fn bundled_seeds() -> Vec<String> {
    let sources = [bundled::standard(), bundled::extended()].concat();
    sources.iter().flat_map(|(_, source)| seeds_of(&source.text)).collect()
}

/// The rules of a file one by one, each with the helpers of the file.
pub fn seeds_of(text: &str) -> Vec<String> {
    let (mut helpers, mut rules, mut inside) = (String::new(), Vec::new(), false);
    let mut skipped = false;
    for line in text.lines() {
        let words = line.trim_start();
        let is_told =
            ["title ", "explain ", "example ", "tags "].iter().any(|w| words.starts_with(w));
        if skipped || is_told || words.starts_with('%') || words.is_empty() {
            skipped = (skipped || is_told) && !words.ends_with('.');
            continue;
        }
        if line.starts_with("rule ") {
            inside = true;
            rules.push(String::new());
        }
        let part = if inside { rules.last_mut().expect("a rule") } else { &mut helpers };
        *part += line;
        *part += "\n";
        inside &= !line.starts_with('}');
    }
    rules.into_iter().map(|rule| format!("{helpers}{rule}")).collect()
}

fn file(seeds: &[String], choices: &mut Choices) -> String {
    let from_seed = !seeds.is_empty() && choices.below(10) < 3;
    let (mut text, changes) = match from_seed {
        true => (seeds[choices.below(seeds.len())].clone(), 1 + choices.below(3)),
        false => (new_file(choices), choices.pick(&[0, 0, 0, 1, 1, 2])),
    };
    for _ in 0..changes {
        text = change::change(&text, choices);
    }
    text
}

fn new_file(choices: &mut Choices) -> String {
    let (mut text, mut helpers) = (String::new(), helper::bundled());
    let there = helpers.len();
    for _ in 0..choices.below(4) {
        helper(&mut text, &mut helpers, choices);
    }
    let own = helpers[there..].to_vec();
    let parameter = choices.below(6) == 1;
    text += if parameter { "rule any(N in 2..3) \"Any\" {\n" } else { "rule any \"Any\" {\n" };
    text += "    level 60.\n";
    if choices.below(24) == 1 {
        text += "    assumes unique_solution.\n";
    }
    for _ in 0..choices.pick(&[1, 1, 1, 2]) {
        text += &clause(parameter, &helpers, &own, choices);
    }
    text + "}\n"
}

fn clause(parameter: bool, helpers: &[Helper], own: &[Helper], choices: &mut Choices) -> String {
    let mut scope = Scope::default();
    if parameter {
        scope.add(Kind::Number, "N");
    }
    let mut heads = Vec::new();
    let from_core = choices.below(3) < 2;
    if from_core {
        heads.push(core::begin(&mut scope, choices));
    }
    let given = if from_core { choices.pick(&[0, 0, 0, 1]) } else { 1 + choices.below(3) };
    for _ in 0..given {
        let kinds = [Kind::Cell, Kind::Cell, Kind::Digit, Kind::House, Kind::Cells];
        let more = [Kind::Digits, Kind::Number, Kind::Houses];
        match choices.below(12) {
            0..3 => drop(give_by(&helpers[choices.below(helpers.len())], &mut scope, choices)),
            3 => drop(give(choices.pick(&more), &mut scope, choices)),
            _ => drop(give(choices.pick(&kinds), &mut scope, choices)),
        }
    }
    if !own.is_empty() {
        // What was written for this rule is called by it, the last one most often.
        let last = own.len() - 1 - choices.below(own.len().min(2));
        match choices.below(5) {
            0 | 1 => drop(give_by(&own[last], &mut scope, choices)),
            2 => scope.body.push(call(&scope, &own[last..], choices)),
            3 => scope.body.push(format!("not {}", call(&scope, &own[last..], choices))),
            _ => {}
        }
    }
    for _ in 0..choices.pick(&[0, 1, 1, 2, 2, 3]) {
        let condition = test(2, &mut scope, helpers, choices);
        scope.body.push(condition);
    }
    if heads.is_empty() || choices.below(12) == 1 {
        heads.push(head(&scope, choices));
    }
    if scope.body.is_empty() {
        scope.body.push("1 < 2".to_string());
    }
    format!("    {} :- {}.\n", heads.join(", "), scope.body.join(", "))
}

fn head(scope: &Scope, choices: &mut Choices) -> String {
    let choice = choices.below(8);
    let mut of = |kind: Kind, depth: usize| term(kind, depth, scope, choices);
    let knows_both = scope.has(Kind::Cell) && scope.has(Kind::Digit);
    match choice {
        0 => "contradiction".to_string(),
        1..3 if knows_both => format!("place({}, {})", of(Kind::Cell, 0), of(Kind::Digit, 0)),
        3..6 if knows_both => format!("eliminate({}, {})", of(Kind::Cell, 0), of(Kind::Digit, 0)),
        _ => format!("eliminate({}, {})", of(Kind::Cells, 1), of(Kind::Digits, 1)),
    }
}

//! `dokulog fire`: every match of one rule on this very state.

use std::collections::HashSet;

use serde_json::Value as Json;

use super::input::PuzzleArguments;
use super::options::{RuleOptions, Selector};
use super::{Context, Failure, Run, Status, print};
use crate::board::Grid;
use crate::engine::{Deducer, Naive};
use crate::language::RuleSet;
use crate::search::nine::Enumerator;
use crate::search::plain;
use crate::trace::{Conclusion, Match, Speaker, Words, json};

/// Options of `fire`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The rule, or RULE:N for one value of its parameter, as in naked_subset:2
    rule: String,
    #[command(flatten)]
    puzzle: PuzzleArguments,
    /// Also matches that change nothing, and every match with the same effect
    #[arg(long)]
    all: bool,
    /// How the matches are written: JSON has one object a match
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    rules: RuleOptions,
}

/// How matches and answers are written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One object a line
    Json,
}

/// Runs it.
pub fn run(arguments: &Arguments, context: &Context) -> Run {
    let rules = arguments.rules.everything()?;
    let selector = Selector::parse(&arguments.rule);
    let rule = selector.find(&rules)?;
    let rules = rules.keep(|rule, instance| selector.matches(rule, instance));
    let grid = arguments.puzzle.read()?.grid;
    if rule.assumes_unique && !has_one_solution(&grid) {
        return Err(Failure::new(format!(
            "{} assumes that the puzzle has one solution, and this one has not",
            rule.name
        )));
    }
    let mut naive = Naive::new(&rules);
    let chosen = 0..rules.instances().len();
    let mut found: Vec<Match> = chosen.flat_map(|i| naive.matches(i, &grid)).collect();
    if !arguments.all {
        let mut seen: HashSet<(usize, Conclusion)> = HashSet::new();
        found.retain(|m| {
            !m.conclusion.is_empty() && seen.insert((m.instance, m.conclusion.clone()))
        });
    }
    for m in &found {
        match arguments.format {
            Format::Text => print(&text(&rules, &naive, m, &grid))?,
            Format::Json => {
                let object = Json::Object(json::found(&rules, grid.layout(), m));
                print(&format!("{object}\n"))?;
            }
        }
    }
    if !context.quiet {
        eprintln!("{} {}", found.len(), if found.len() == 1 { "match" } else { "matches" });
    }
    Ok(Status::Done)
}

/// Title, reason and effect; then the variables.
fn text(rules: &RuleSet, naive: &Naive, found: &Match, grid: &Grid) -> String {
    let words = Words::plain(grid.layout().clone());
    let speaker = Speaker { rules, words: &words };
    let proof = naive.prove(found.clone(), grid);
    let title = speaker.title(found.instance);
    let reason = speaker.reason(&proof, grid);
    let effect = match found.conclusion.is_empty() {
        true => "changes nothing".to_string(),
        false => words.effects(&found.conclusion),
    };
    let rule = rules.rule(rules.instances()[found.instance].rule);
    let variables = rule.clauses[found.clause].variables.iter().zip(&found.bindings);
    let shown = variables
        .filter(|(v, value)| v.name != "_" && v.kind == value.kind())
        .map(|(v, value)| format!("{} = {}", v.name, words.value(value)));
    let shown: Vec<String> = shown.collect();
    format!("{title}: {reason}\n  {effect}\n  {}\n", shown.join(", "))
}

/// Whether the givens of a state have exactly one solution.
pub fn has_one_solution(grid: &Grid) -> bool {
    let mut givens = grid.digits();
    for cell in grid.layout().all_cells() - grid.given() {
        givens[cell.index()] = 0;
    }
    match <&[u8; 81]>::try_from(&givens[..]) {
        Ok(givens) if grid.layout().is_classic_nine() => {
            Enumerator::of_digits(givens).count_up_to(2) == 1
        }
        _ => plain::count(grid.layout(), &givens, 2) == 1,
    }
}

//! `dokulog query`: the answers to a goal, as Prolog's prompt gives them.

use serde_json::{Map, Value as Json};

use super::explainer::LookOptions;
use super::options::{TextOrJson, colour};
use super::workers::CUT_OFF;
use super::{Context, Failure, Run, Status, print, say, say_coloured, standing};
use crate::board::Grid;
use crate::engine::naive::each_answer;
use crate::engine::near::is_possible;
use crate::language::{query, render};
use crate::trace::{Value, Words, counted, json};

/// Options of `query`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog query 'bivalue(C, X, Y), sees(C, r1c1)' grid.sud
  dokulog query 'H in boxes, |spots(5, H)| = 2' grid.sud --limit 0")]
pub(super) struct Arguments {
    /// Conditions as in a rule's body: 'bivalue(C, X, Y), sees(C, r1c1)'
    goal: String,
    #[command(flatten)]
    look: LookOptions,
    /// How many answers at most; 0 for all
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    /// Also answers where a helper holds for a digit that is not possible in the cells it is about
    #[arg(long)]
    all: bool,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    let rules = arguments.look.rules.everything()?;
    // As one types it at a prompt.
    let (goal, puzzle) = arguments.look.puzzle.asked(&arguments.goal);
    let goal = goal.trim_start();
    let goal = goal.strip_prefix("?-").unwrap_or(goal);
    if goal.trim().is_empty() {
        return Err(Failure::new("the goal is empty: write conditions, as in 'live(r1c2, X)'"));
    }
    let clause = query(goal, &rules).map_err(|(source, diagnostics)| {
        let mut sources = rules.sources().to_vec();
        sources.push(source);
        for diagnostic in &diagnostics {
            say_coloured(&render::text(diagnostic, &sources, colour(&std::io::stderr())));
        }
        Failure::new("the goal has a mistake")
    })?;
    let grid = puzzle.read()?.grid;
    standing::warn(&Words::plain(grid.layout().clone()), &grid, context);
    let shown: Vec<usize> = (0..clause.variables.len())
        .filter(|&v| !clause.variables[v].name.starts_with('_'))
        .collect();
    // Answers that differ in what is not shown are one answer.
    let mut seen = std::collections::HashSet::new();
    let mut found: Vec<Vec<Option<Value>>> = Vec::new();
    let (mut more, mut left_out) = (false, 0);
    let cut_off = each_answer(
        &clause,
        &rules,
        &grid,
        arguments.look.rules.engine().budget,
        &mut |bindings| {
            if !arguments.all && !is_possible(&clause, &bindings, &grid) {
                left_out += 1;
                return true;
            }
            let value = |v: usize| {
                let is_bound = bindings[v].kind() == clause.variables[v].kind;
                is_bound.then_some(bindings[v])
            };
            let answer: Vec<Option<Value>> = shown.iter().map(|&v| value(v)).collect();
            if seen.insert(answer.clone()) {
                more = arguments.limit > 0 && found.len() == arguments.limit;
                if !more {
                    found.push(answer);
                }
            }
            !more
        },
    );
    let names: Vec<&str> = shown.iter().map(|&v| clause.variables[v].name.as_str()).collect();
    print(&answers(&found, &names, &grid, arguments.look.format.format))?;
    if left_out > 0 && !context.quiet {
        let answers = counted(left_out, "answer", "answers");
        say(&format!(
            "{answers} with digits that are not possible there left out; --all shows all"
        ));
    }
    if more && !context.quiet {
        say("there are more answers; --limit 0 shows all");
    }
    if cut_off {
        say(&format!("dokulog: {CUT_OFF}; there may be more answers"));
        return Ok(Status::Failed);
    }
    Ok(Status::Done)
}

/// The answers in words, or as one object each.
fn answers(
    found: &[Vec<Option<Value>>],
    names: &[&str],
    grid: &Grid,
    format: TextOrJson,
) -> String {
    match format {
        TextOrJson::Text => {
            let words = Words::plain(grid.layout().clone());
            let one = |answer: &Vec<Option<Value>>| {
                let bound = answer.iter().zip(names).filter_map(|(value, name)| {
                    value.map(|value| format!("{name} = {}", words.term(&value)))
                });
                let bound: Vec<String> = bound.collect();
                if bound.is_empty() { "true".to_string() } else { bound.join(", ") }
            };
            let lines: Vec<String> = found.iter().map(one).collect();
            let text = if lines.is_empty() { "false".to_string() } else { lines.join(" ;\n") };
            format!("{text}.\n")
        }
        TextOrJson::Json => {
            let one = |answer: &Vec<Option<Value>>| {
                let fields = answer.iter().zip(names).map(|(value, name)| {
                    let value = value.map_or(Json::Null, |v| json::value(grid.layout(), &v));
                    (name.to_string(), value)
                });
                format!("{}\n", Json::Object(fields.collect::<Map<String, Json>>()))
            };
            found.iter().map(one).collect()
        }
    }
}

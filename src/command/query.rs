//! `dokulog query`: the answers to a goal, as Prolog's prompt gives them.

use serde_json::{Map, Value as Json};

use super::options::{TextOrJson, colour};
use super::telling::LookOptions;
use super::workers::CUT_OFF;
use super::{Context, Failure, Run, Status, print, say, say_coloured};
use crate::engine::naive::each_answer;
use crate::language::{query, render};
use crate::trace::{Value, Words, json};

/// Options of `query`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Conditions as in a rule's body: 'bivalue(C, X, Y), sees(C, r1c1)'
    goal: String,
    #[command(flatten)]
    look: LookOptions,
    /// How many answers at most; 0 for all
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
}

/// Runs it.
pub fn run(arguments: &Arguments, context: &Context) -> Run {
    let rules = arguments.look.rules.everything()?;
    let clause = query(&arguments.goal, &rules).map_err(|(source, diagnostics)| {
        let mut sources = rules.sources().to_vec();
        sources.push(source);
        for diagnostic in &diagnostics {
            say_coloured(&render::text(diagnostic, &sources, colour(&std::io::stderr())));
        }
        Failure::new("the goal has a mistake")
    })?;
    let grid = arguments.look.puzzle.read()?.grid;
    let shown: Vec<usize> = (0..clause.variables.len())
        .filter(|&v| !clause.variables[v].name.starts_with('_'))
        .collect();
    // Answers that differ in what is not shown are one answer.
    let mut seen = std::collections::HashSet::new();
    let mut found: Vec<Vec<Option<Value>>> = Vec::new();
    let mut more = false;
    let cut_off = each_answer(
        &clause,
        &rules,
        &grid,
        arguments.look.rules.engine().budget,
        &mut |bindings| {
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
    let name = |i: usize| clause.variables[shown[i]].name.as_str();
    match arguments.look.format.format {
        TextOrJson::Text => {
            let words = Words::plain(grid.layout().clone());
            let one = |answer: &Vec<Option<Value>>| {
                let bound = answer.iter().enumerate().filter_map(|(i, value)| {
                    value.map(|value| format!("{} = {}", name(i), term(&words, &value)))
                });
                let bound: Vec<String> = bound.collect();
                if bound.is_empty() { "true".to_string() } else { bound.join(", ") }
            };
            let lines: Vec<String> = found.iter().map(one).collect();
            let text = if lines.is_empty() { "false".to_string() } else { lines.join(" ;\n") };
            print(&format!("{text}.\n"))?;
        }
        TextOrJson::Json => {
            for answer in &found {
                let fields = answer.iter().enumerate().map(|(i, value)| {
                    let value = value.map_or(Json::Null, |v| json::value(grid.layout(), &v));
                    (name(i).to_string(), value)
                });
                let object = Json::Object(fields.collect::<Map<String, Json>>());
                print(&format!("{object}\n"))?;
            }
        }
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

/// A value as a rule file would have it: `r1c2`, `{3, 5}`; a house by its name.
fn term(words: &Words, value: &Value) -> String {
    let set = |members: Vec<String>| format!("{{{}}}", members.join(", "));
    match value {
        Value::Cells(cells) => set(cells.iter().map(|c| words.cell(c)).collect()),
        Value::Digits(digits) => set(digits.iter().map(|d| d.to_string()).collect()),
        Value::Houses(houses) => set(houses.iter().map(|h| words.house(h)).collect()),
        other => words.value(other),
    }
}

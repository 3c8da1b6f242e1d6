//! `dokulog rate`: a puzzle's hardest rule and its score.

use super::input::{ListArguments, Listed};
use super::options::{FormatOption, RuleOptions, TextOrJson};
use super::workers::cut_off;
use super::{Context, Run, Status, print, say};
use crate::engine::Deducer;
use crate::search::{Reasoner, Workers};
use crate::text::visible_line;
use crate::trace::{Outcome, Rating, counted, json};

/// Options of `rate`.
#[derive(clap::Args)]
#[command(after_help = "\
The grade is that of the hardest rule that the run needs, by its level:
  easy       up to 11   singles
  medium     up to 29   a box and a line
  hard       up to 47   subsets and fish
  very hard  up to 58   wings and patterns of one digit
  extreme    above      colouring, chains, uniqueness
The score is the sum of the levels of all steps, so a longer way counts for more. A puzzle that
these rules do not solve is `beyond these rules`; its score counts the steps that were made.

Examples:
  dokulog rate grid.sud
  dokulog rate collection.txt --with extended")]
pub struct Arguments {
    #[command(flatten)]
    list: ListArguments,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

/// A rating as an object.
#[derive(serde::Serialize)]
struct Rated<'a> {
    file: &'a str,
    index: usize,
    grade: &'a str,
    rule: Option<&'a str>,
    level: Option<i32>,
    score: i64,
    steps: usize,
}

/// Runs it.
pub fn run(arguments: &Arguments, _context: &Context) -> Run {
    let reasoner = Reasoner::new(arguments.rules.load()?, arguments.rules.engine());
    let rules = reasoner.rules();
    let mut workers = Workers::default();
    let (puzzles, mut status) = arguments.list.read()?;
    for Listed { file, index, name, mut grid } in puzzles {
        let place = visible_line(&name);
        let (report, trace) = match reasoner.worker(&mut workers, &grid) {
            Ok(worker) => worker.trace(&mut grid),
            Err(refusal) => {
                say(&format!("dokulog: {place}: {refusal}"));
                status = Status::Failed;
                continue;
            }
        };
        let rating = Rating::of(rules, &trace);
        let grade = match report.outcome {
            Outcome::Solved => rating.grade(rules).name(),
            Outcome::Stuck if !report.cut_off.is_empty() => "not decided",
            Outcome::Stuck => "beyond these rules",
            Outcome::Contradiction { .. } => {
                status = Status::Failed;
                "no solution"
            }
        };
        if let Some(cut_off) = cut_off(rules, &report.cut_off) {
            say(&format!("dokulog: {place}: {cut_off}"));
            status = Status::Failed;
        }
        let (hardest, score, steps) = (rating.rule(rules), rating.score, trace.len());
        print(&match arguments.format.format {
            TextOrJson::Text => {
                let hardest = hardest.map_or("no rule needed".to_string(), |instance| {
                    format!("hardest rule {} (level {})", instance.title, instance.level)
                });
                let steps = counted(steps, "step", "steps");
                format!("{name}: {grade}; {hardest}; score {score}; {steps}\n")
            }
            TextOrJson::Json => json::line(&Rated {
                file: &file,
                index,
                grade,
                rule: hardest.map(|instance| instance.name.as_str()),
                level: hardest.map(|instance| instance.level),
                score,
                steps,
            }),
        })?;
    }
    Ok(status)
}

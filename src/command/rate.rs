//! `dokulog rate`: a puzzle's hardest rule and its score.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::json;

use super::input::{name, parse_form, read_all, shown};
use super::options::{RuleOptions, refused_unless_unique};
use super::telling::Rating;
use super::workers::cut_off;
use super::{Context, Run, Status, files, print, say};
use crate::engine::{Deducer, Engine, Worker};
use crate::text::{Form, Puzzle};
use crate::trace::{Outcome, counted};

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
    /// Puzzle files, or `-`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// How the files are laid out, if it should not be found out
    #[arg(long, value_name = "FORM", value_parser = parse_form)]
    from: Option<Form>,
    /// text, or json
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    rules: RuleOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Runs it.
pub fn run(arguments: &Arguments, _context: &Context) -> Run {
    arguments.files.iter().for_each(|path| files::protect(path));
    let rules = arguments.rules.load()?;
    let mut worker: Option<Worker> = None;
    let mut status = Status::Done;
    for file in &arguments.files {
        let items = read_all(file, arguments.from)?;
        let several = items.len() > 1;
        for (index, item) in items.into_iter().enumerate() {
            let place = match several {
                true => format!("{}#{}", shown(file), index + 1),
                false => shown(file),
            };
            let Puzzle { mut grid, .. } = match item {
                Ok(puzzle) => puzzle,
                Err(fault) => {
                    say(&format!("dokulog: {}", fault.in_file(&shown(file))));
                    status = Status::Failed;
                    continue;
                }
            };
            if let Some(refusal) = refused_unless_unique(&rules, &grid) {
                say(&format!("dokulog: {place}: {refusal}"));
                status = Status::Failed;
                continue;
            }
            let known = worker.take_if(|worker| worker.engine().layout() == grid.layout());
            let worker = worker.insert(known.unwrap_or_else(|| {
                Engine::with(&rules, grid.layout(), arguments.rules.engine()).worker()
            }));
            let (report, trace) = worker.trace(&mut grid);
            let rating = Rating::of(&rules, &trace);
            let grade = match report.outcome {
                Outcome::Solved => rating.grade(&rules),
                Outcome::Stuck if !report.cut_off.is_empty() => "not decided",
                Outcome::Stuck => "beyond these rules",
                Outcome::Contradiction { .. } => {
                    status = Status::Failed;
                    "no solution"
                }
            };
            if let Some(cut_off) = cut_off(&rules, &report.cut_off) {
                say(&format!("dokulog: {place}: {cut_off}"));
                status = Status::Failed;
            }
            let hardest = rating.hardest.map(|instance| &rules.instances()[instance]);
            let steps = trace.len();
            print(&match arguments.format {
                Format::Text => {
                    let hardest = hardest.map_or("no rule needed".to_string(), |instance| {
                        format!("hardest rule {} (level {})", instance.title, instance.level)
                    });
                    let (score, steps) = (rating.score, counted(steps, "step", "steps"));
                    format!("{place}: {grade}; {hardest}; score {score}; {steps}\n")
                }
                Format::Json => {
                    let object = json!({
                        "file": name(file), "index": index + 1, "grade": grade,
                        "rule": hardest.map(|instance| &instance.name),
                        "level": hardest.map(|instance| instance.level),
                        "score": rating.score, "steps": steps,
                    });
                    format!("{object}\n")
                }
            })?;
        }
    }
    Ok(status)
}

//! `dokulog replay`: check a trace without the engine.

use std::path::PathBuf;

use super::boards::LayoutOption;
use super::input::{FromOption, lines, read_one, shown};
use super::options::RuleOptions;
use super::{Context, Failure, Run, Status, files, print};
use crate::engine::{BUDGET, Naive};
use crate::trace::{Replay, counted};

/// Options of `replay`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog explain grid.sud --format json > grid.json
  dokulog replay grid.json --start grid.sud")]
pub(super) struct Arguments {
    /// A trace as `explain --format json` writes it, or `-`; traces of several puzzles may follow
    /// one another
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The puzzle that the (first) trace must start from
    #[arg(long, value_name = "PUZZLE")]
    start: Option<PathBuf>,
    #[command(flatten)]
    layout: LayoutOption,
    #[command(flatten)]
    rules: RuleOptions,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, _context: &Context) -> Run {
    files::protect(&arguments.file);
    arguments.start.iter().for_each(|path| files::protect(path));
    let rules = arguments.rules.everything()?;
    let name = shown(&arguments.file);
    let layout = arguments.layout.find()?;
    let start = match &arguments.start {
        Some(path) => {
            let from = FromOption { layout: arguments.layout.clone(), ..FromOption::default() };
            Some(read_one(path, Some(1), &from)?.grid)
        }
        None => None,
    };
    let search = Naive::within(&rules, BUDGET);
    let mut replay = Replay::new(&rules, start).on(layout.clone()).searching(&search);
    let (mut traces, mut steps) = (0, 0);
    for (i, line) in lines(&arguments.file)?.enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let object: serde_json::Value = serde_json::from_str(&line)
            .map_err(|e| Failure::new(format!("{name}:{}: is no step of a trace: {e}", i + 1)))?;
        if object["step"] == 1 && traces > 0 {
            replay = Replay::new(&rules, None).on(layout.clone()).searching(&search);
        }
        traces += usize::from(object["step"] == 1);
        if let Err(refusal) = replay.step(&object) {
            print(&format!("{name}:{}: refused: {refusal}\n", i + 1))?;
            return Ok(Status::Failed);
        }
        steps += 1;
    }
    let solved = replay.state().is_some_and(|grid| grid.is_solved());
    let ending = match (traces, solved) {
        (1, true) => ", and the grid is solved",
        _ => "",
    };
    let of = if traces > 1 { format!(" of {traces} traces") } else { String::new() };
    let steps = counted(steps, "step", "steps");
    print(&format!("{name}: accepted: {steps}{of}, each one follows{ending}\n"))?;
    Ok(Status::Done)
}

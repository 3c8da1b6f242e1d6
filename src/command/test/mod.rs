//! `dokulog test`: the examples in rule files, and the rules on trial.

mod library;
mod trials;

use std::path::PathBuf;

use super::options::RuleOptions;
use super::workers::CUT_OFF;
use super::{Context, Failure, Run, Status, print};
use crate::board::Candidate;
use crate::engine::Naive;
pub(super) use crate::engine::naive::BUDGET;
use crate::language::{Example, Origin, Rule, RuleSet};
use crate::text;

/// Options of `test`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog test                         the bundled rules
  dokulog test my.rules --puzzles 500  the rules of a file, on more puzzles")]
pub(super) struct Arguments {
    /// Rule files or folders to test; the bundled rules if there are none
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Score the rules on a technique library, one case a line, instead
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// How many puzzles to make and try the rules on
    #[arg(long, value_name = "N", default_value_t = 20)]
    puzzles: u64,
    /// Runs in shuffled order on each puzzle
    #[arg(long, value_name = "N", default_value_t = 1)]
    shuffles: usize,
    /// Where the puzzles begin
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Bindings that a rule may try on one state; one that tries more is cut off and left out from
    /// then on
    #[arg(long, value_name = "N", default_value_t = BUDGET)]
    budget: u64,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    let options = RuleOptions { rules: arguments.files.clone(), ..RuleOptions::default() };
    let all = options.everything()?;
    let tested = |rule: &Rule| arguments.files.is_empty() || rule.origin == Origin::User;
    if !all.rules().iter().any(tested) {
        return Err(Failure::new("there is no rule in these files"));
    }
    if let Some(path) = &arguments.library {
        return library::score(&all.keep(|rule, _| tested(rule)), path, context);
    }
    let examples = run_examples(&all.keep(|rule, _| tested(rule)), arguments.budget)?;
    let trials = trials::run(arguments, &all, &tested, context)?;
    Ok(examples.max(trials))
}

fn run_examples(rules: &RuleSet, budget: u64) -> Run {
    let (held, count, failed) = examples(rules, budget);
    failed.iter().try_for_each(|line| print(line))?;
    print(&match count {
        0 => "no examples\n".to_string(),
        _ => format!("examples: {held} of {count} hold\n"),
    })?;
    Ok(if held == count { Status::Done } else { Status::Failed })
}

/// How many of the rules' examples hold, of how many, and a line for each that does not.
pub(super) fn examples(rules: &RuleSet, budget: u64) -> (usize, usize, Vec<String>) {
    let (mut held, mut count) = (0, 0);
    let mut failed = Vec::new();
    let naive = Naive::within(rules, budget);
    for rule in rules.rules() {
        let instances = rules.instances();
        let mine: Vec<usize> =
            (0..instances.len()).filter(|&i| rules.rule(instances[i].rule) == rule).collect();
        for example in rule.examples.iter().filter(|_| !mine.is_empty()) {
            count += 1;
            match holds(&naive, &mine, example) {
                Ok(()) => held += 1,
                Err(why) => {
                    let place = rules.place(example.span);
                    failed.push(format!("{place}: rule {}: {why}\n", rule.name));
                }
            }
        }
    }
    (held, count, failed)
}

/// Whether some match has exactly the effect that the example gives.
fn holds(naive: &Naive, instances: &[usize], example: &Example) -> Result<(), String> {
    let items = text::read(example.grid.as_bytes(), text::Hint::default());
    let grid = match items.as_deref() {
        Ok([Ok(puzzle)]) => &puzzle.grid,
        Ok([Err(fault)]) | Err(fault) => return Err(fault.message.clone()),
        Ok(_) => return Err("the example is not one grid".to_string()),
    };
    let sorted = |list: &[(crate::board::Cell, crate::board::Digit)]| {
        let mut list: Vec<Candidate> =
            list.iter().map(|&(cell, digit)| Candidate { cell, digit }).collect();
        list.sort_unstable();
        list
    };
    let (places, eliminates) = (sorted(&example.places), sorted(&example.eliminates));
    let mut all = true;
    let mut matches = instances.iter().flat_map(|&i| {
        let (matches, is_cut_off) = naive.matches_within_budget(i, grid);
        all &= !is_cut_off;
        matches
    });
    let found =
        matches.any(|m| m.conclusion.places == places && m.conclusion.eliminates == eliminates);
    match (found, all) {
        (true, _) => Ok(()),
        (false, true) => Err("no match has exactly the effect of the example".to_string()),
        (false, false) => Err(CUT_OFF.to_string()),
    }
}

//! `dokulog prove`: prove rules sound, or show a puzzle where they go wrong.

use std::time::Instant;

use super::options::RuleOptions;
use super::{Context, Failure, Run, Status};
use crate::board::Layout;
use crate::proof::{Options, Verdict, judge};

/// Options of `prove`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Rules
    names: Vec<String>,
    #[arg(long, default_value_t = 9)]
    size: usize,
}

/// Runs it.
pub fn run(arguments: &Arguments, _context: &Context) -> Run {
    let options = RuleOptions::default();
    let rules = options.everything()?;
    let layout = Layout::classic(arguments.size).ok_or_else(|| Failure::new("size"))?;
    let mut status = Status::Done;
    for (i, instance) in rules.instances().iter().enumerate() {
        if !arguments.names.is_empty()
            && !arguments.names.iter().any(|n| instance.name.starts_with(n))
        {
            continue;
        }
        let start = Instant::now();
        let found = judge(&rules, i, &layout, &Options::default());
        println!(
            "{:20} {:20} {:7.1} ms {:?} {:?} {:?} {}",
            instance.name,
            found.verdict.in_words(),
            start.elapsed().as_secs_f64() * 1000.0,
            found.questions,
            found.stages,
            found.meanings,
            found.reason
        );
        if found.verdict == Verdict::Unsound {
            status = Status::Failed;
            println!("{:?}", found.counterexample);
        }
    }
    Ok(status)
}

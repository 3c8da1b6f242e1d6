//! `dokulog generate`: make puzzles.
//!
//! Puzzle number k of a seed depends on the seed and k alone, so threads, interruptions and a
//! larger count change nothing about it.

mod target;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::ProgressBar;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::board::Layout;
use crate::generate::{Judge, Maker, Symmetry, Wanted, some_full_grid};
use crate::interface::Selector;
use crate::language::{RuleSet, bundled};
use crate::random::Random;
use crate::text::thousands;

use super::boards::LayoutOption;
use super::input::{FromOption, read_one, shown, suggestion};
use super::options::RuleOptions;
use super::output::is_file;
use super::progress::progress;
use super::{Context, Failure, Run, Status, files};
use target::{Shape, Target};

/// Options of `generate`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog generate --count 10 --seed 7
  dokulog generate --count 5 --clues 26..28 --symmetry half-turn
  dokulog generate --count 3 --requires naked_subset:3
  dokulog generate --count 3 --level 34..39 --to rows
  dokulog generate --count 1000000 -o many.txt     (interrupted? the same with --resume)

Every puzzle has exactly one solution. Without --clues it is minimal: each of its clues is needed.")]
pub(super) struct Arguments {
    /// How many puzzles
    #[arg(long, default_value_t = 1, value_name = "N")]
    count: u64,
    /// The same seed gives the same puzzles
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Digits and cells a row: 4, 6, 9, 12, 16 or 25 [default: 9]
    #[arg(long)]
    size: Option<usize>,
    #[command(flatten)]
    layout: LayoutOption,
    /// How many clues, as `26..28` or `30`
    #[arg(long, value_name = "A..B", value_parser = range)]
    clues: Option<RangeInclusive<i64>>,
    /// none, half-turn, quarter-turn, left-right, top-bottom or diagonal
    #[arg(long, default_value = "none", value_parser = symmetry)]
    symmetry: Symmetry,
    /// Only puzzles that the rules solve, but not without this one
    #[arg(long, value_name = "RULE")]
    requires: Option<String>,
    /// Only puzzles that the rules solve, with the hardest rule's level in this range
    #[arg(long, value_name = "A..B", value_parser = range)]
    level: Option<RangeInclusive<i64>>,
    /// Only puzzles that the rules alone do not solve
    #[arg(long, conflicts_with_all = ["requires", "level"])]
    beyond_rules: bool,
    /// Add clues until one solution is left, instead of taking clues away
    #[arg(long)]
    add: bool,
    /// Puzzles of the full grid in this file, instead of random ones
    #[arg(long, value_name = "FILE")]
    solution: Option<PathBuf>,
    /// One solution each (always so; said for scripts)
    #[arg(long)]
    unique: bool,
    /// Give up a puzzle after so many that were not as asked
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    attempts: u64,
    /// Write to this file; what is unfinished is kept as FILE.partial
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Go on with FILE.partial
    #[arg(long, requires = "output")]
    resume: bool,
    /// `line`, or `rows` with a blank line between puzzles
    #[arg(long, default_value = "line", value_parser = ["line", "rows"])]
    to: String,
    #[command(flatten)]
    rules: RuleOptions,
}

/// Puzzles made at once before they are written.
const BATCH: u64 = 256;

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    arguments.solution.iter().for_each(|path| files::protect(path));
    arguments.rules.protect();
    is_file(&arguments.output).map_or(Ok(()), files::claim)?;
    let (layout, solution) = match &arguments.solution {
        Some(path) => full_grid(path, &arguments.layout)?,
        None => (arguments.layout.find_or(arguments.size)?, None),
    };
    if !layout.is_boxed() && some_full_grid(&layout, &mut Random::new(arguments.seed)).is_none() {
        return Err(Failure::new("no full grid of this layout was found"));
    }
    let wanted = wanted(arguments)?;
    if let (Some(name), Some(why)) = (&arguments.requires, wanted.unfit(&layout)) {
        return Err(Failure::new(format!("{name} is not run on this layout: {why}")));
    }
    let maker = Maker {
        seed: arguments.seed,
        symmetry: arguments.symmetry,
        clues: arguments.clues.clone().map(|range| {
            let bound = |n: &i64| (*n).clamp(0, layout.cell_count() as i64) as usize;
            bound(range.start())..=bound(range.end())
        }),
        add: arguments.add,
        solution,
        attempts: arguments.attempts,
    };
    let shape = Shape { size: layout.size(), rows: arguments.to == "rows" };
    let terms = terms(arguments, &layout, &maker, &wanted);
    let mut target =
        Target::open(&arguments.output, &terms, shape, arguments.count, arguments.resume)?;
    let bar = progress(arguments.count, "puzzles", context);
    let mut next = target.puzzles;
    while next < arguments.count {
        let batch = next..arguments.count.min(next + BATCH);
        let made: Vec<Option<Vec<u8>>> = context.share(|| {
            let judge = || Judge::new(&wanted, &layout);
            let make = |judge: &mut Judge, number| {
                judge.make(&wanted, &maker, number, &|| tell(&wanted, &bar))
            };
            batch.clone().into_par_iter().map_init(judge, make).collect()
        })?;
        let puzzles: Vec<Vec<u8>> = made.into_iter().map_while(|puzzle| puzzle).collect();
        target.write(&puzzles)?;
        next += puzzles.len() as u64;
        if next < batch.end {
            let (number, tried, kept) = (next + 1, arguments.attempts, target.kept());
            let name = arguments.requires.as_deref().unwrap_or_default();
            let why = wanted.why_none(name, &layout, arguments.seed);
            let problem = format!("puzzle {number}: none as asked in {tried} attempts{why}{kept}");
            return Err(Failure::new(problem));
        }
        bar.set_position(next);
    }
    bar.finish_and_clear();
    target.finish()?;
    Ok(Status::Done)
}

/// Says now and then how many puzzles the rules have looked at; it always goes on.
fn tell(wanted: &Wanted, bar: &ProgressBar) -> bool {
    let tried = wanted.tried();
    if tried > 0 && tried.is_multiple_of(64) {
        bar.set_message(format!(", {} looked at", thousands(tried)));
    }
    true
}

/// The layout and the digits of the full grid in a file.
fn full_grid(
    path: &Path,
    layout: &LayoutOption,
) -> Result<(Arc<Layout>, Option<Vec<u8>>), Failure> {
    let grid =
        read_one(path, Some(1), &FromOption { layout: layout.clone(), ..FromOption::default() })?
            .grid;
    if !grid.is_solved() {
        return Err(Failure::new(format!("{}: the grid is not full", shown(path))));
    }
    Ok((grid.layout().clone(), Some(grid.digits())))
}

/// What puzzles must be like beyond their clues.
fn wanted(arguments: &Arguments) -> Result<Wanted, Failure> {
    let requires = arguments.requires.as_deref();
    if requires.is_none() && arguments.level.is_none() && !arguments.beyond_rules {
        return Ok(Wanted::default());
    }
    let rules = arguments.rules.load_with(requires)?;
    let mut wanted = Wanted::solved_by(rules, arguments.rules.engine());
    (wanted.levels, wanted.beyond_rules) = (arguments.level.clone(), arguments.beyond_rules);
    Ok(match requires.map(Selector::parse) {
        Some(required) => wanted.requiring(|rule, instance| required.matches(rule, instance)),
        None => wanted,
    })
}

/// What the puzzles depend on: an unfinished run can only go on with the same.
fn terms(
    arguments: &Arguments,
    layout: &Layout,
    maker: &Maker,
    wanted: &Wanted,
) -> Map<String, Value> {
    let range = |range: &Option<RangeInclusive<i64>>| {
        range.as_ref().map(|range| format!("{}..{}", range.start(), range.end()))
    };
    let known = Symmetry::ALL.iter().find(|(symmetry, _)| *symmetry == arguments.symmetry);
    let terms = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "seed": arguments.seed,
        "size": layout.size(),
        "clues": range(&arguments.clues),
        "symmetry": known.map(|(_, name)| name),
        "add": arguments.add,
        "solution": maker.solution,
        "requires": arguments.requires,
        "level": range(&arguments.level),
        "beyond_rules": arguments.beyond_rules,
        "to": arguments.to,
        "rules": wanted.rules.as_ref().map(rule_terms),
    });
    match terms {
        Value::Object(terms) => terms,
        _ => Map::new(),
    }
}

/// Which rules, and the text of those that are not bundled.
fn rule_terms(rules: &RuleSet) -> Value {
    let names: Vec<&str> = rules.instances().iter().map(|i| i.name.as_str()).collect();
    let bundled = bundled::sources();
    let is_own = |text: &&str| !bundled.iter().any(|(_, source)| source.text == **text);
    let own: Vec<&str> =
        rules.sources().iter().map(|source| source.text.as_str()).filter(is_own).collect();
    json!({ "names": names, "files": own })
}

/// `A..B`, both included, or a single number.
fn range(text: &str) -> Result<RangeInclusive<i64>, String> {
    let number = |text: &str| {
        let number = text.trim().parse::<i64>();
        number.map_err(|_| format!("`{text}` is not a number; write `26..28` or `26`"))
    };
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let (from, to) = (number(from)?, number(to.trim_start_matches('='))?);
    if from > to { Err(format!("{from} is more than {to}")) } else { Ok(from..=to) }
}

fn symmetry(name: &str) -> Result<Symmetry, String> {
    let found = Symmetry::ALL.iter().find(|(_, known)| *known == name);
    let names = Symmetry::ALL.map(|(_, name)| name);
    found.map(|(symmetry, _)| *symmetry).ok_or_else(|| suggestion(name, names))
}

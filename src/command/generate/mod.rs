//! `dokulog generate`: make puzzles.
//!
//! Puzzle number k of a seed depends on the seed and k alone, so threads, interruptions and a
//! larger count change nothing about it.

mod covered;
mod target;

use std::io::IsTerminal;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::board::{Grid, Layout};
use crate::engine::{Deducer, Engine, Options, Unfit, Worker};
use crate::generate::{Maker, Symmetry, some_full_grid};
use crate::interface::Selector;
use crate::language::{Instance, RuleSet, bundled};
use crate::random::Random;
use crate::search::nine::Enumerator;
use crate::search::{Auto, Ending, Limits, Solver};
use crate::trace::Outcome;

use super::boards::LayoutOption;
use super::bulk::thousands;
use super::input::{FromOption, read_one, shown, suggestion};
use super::options::RuleOptions;
use super::output::is_file;
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
pub struct Arguments {
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
pub fn run(arguments: &Arguments, context: &Context) -> Run {
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
    let wanted = Wanted::new(arguments)?;
    wanted.suits(arguments, &layout)?;
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
    let bar = progress(arguments.count, context);
    let mut next = target.puzzles;
    while next < arguments.count {
        let batch = next..arguments.count.min(next + BATCH);
        let made: Vec<Option<Vec<u8>>> = context.share(|| {
            let judge = || wanted.judge(&layout, &bar);
            let all = batch.clone().into_par_iter();
            all.map_init(judge, |judge, number| judge.make(&maker, number)).collect()
        })?;
        let puzzles: Vec<Vec<u8>> = made.into_iter().map_while(|puzzle| puzzle).collect();
        target.write(&puzzles)?;
        next += puzzles.len() as u64;
        if next < batch.end {
            let (number, tried, kept) = (next + 1, arguments.attempts, target.kept());
            let why = wanted.why_none(arguments, &layout);
            let problem = format!("puzzle {number}: none as asked in {tried} attempts{why}{kept}");
            return Err(Failure::new(problem));
        }
        bar.set_position(next);
    }
    bar.finish_and_clear();
    target.finish()?;
    Ok(Status::Done)
}

/// A bar on a terminal, nothing elsewhere.
fn progress(count: u64, context: &Context) -> ProgressBar {
    if context.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} puzzles{msg}");
    ProgressBar::new(count).with_style(style.expect("the template is well-formed"))
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
struct Wanted {
    /// The rules that must solve them, unless anything goes.
    rules: Option<RuleSet>,
    /// The rules that must not.
    not_by: Option<RuleSet>,
    levels: Option<RangeInclusive<i64>>,
    /// Whether the rules must not solve them.
    beyond_rules: bool,
    options: Options,
    /// Puzzles looked at so far.
    tried: AtomicU64,
}

impl Wanted {
    fn new(arguments: &Arguments) -> Result<Wanted, Failure> {
        let mut wanted = Wanted {
            rules: None,
            not_by: None,
            levels: arguments.level.clone(),
            beyond_rules: arguments.beyond_rules,
            // Every puzzle made has one solution.
            options: Options { assume_unique: true, ..arguments.rules.engine() },
            tried: AtomicU64::new(0),
        };
        let requires = arguments.requires.as_deref();
        if requires.is_some() || arguments.level.is_some() || arguments.beyond_rules {
            let rules = arguments.rules.load_with(requires)?;
            wanted.not_by = requires
                .map(Selector::parse)
                .map(|selector| rules.keep(|rule, instance| !selector.matches(rule, instance)));
            wanted.rules = Some(rules);
        }
        Ok(wanted)
    }

    /// Refuses to wait for a rule that is not run on the layout.
    fn suits(&self, arguments: &Arguments, layout: &Layout) -> Result<(), Failure> {
        let (Some(rules), Some(name)) = (&self.rules, &arguments.requires) else { return Ok(()) };
        let selector = Selector::parse(name);
        let required = |i: &&Instance| selector.matches(rules.rule(i.rule), i);
        let mut unfit =
            rules.instances().iter().filter(required).map(|i| Unfit::find(rules, i, layout));
        match unfit.next().flatten().filter(|_| unfit.all(|other| other.is_some())) {
            Some(why) => Err(Failure::new(format!("{name} is not run on this layout: {why}"))),
            None => Ok(()),
        }
    }

    fn worker(&self, rules: &RuleSet, layout: &Arc<Layout>) -> Worker {
        let engine = Engine::with(rules, layout, self.options);
        engine.expect("the options say that there is one solution").worker()
    }

    /// Where the rule required has nothing to do because easier ones do it all: which.
    fn why_none(&self, arguments: &Arguments, layout: &Arc<Layout>) -> String {
        let (Some(rules), Some(name)) = (&self.rules, &arguments.requires) else {
            return String::new();
        };
        let names = covered::by(self, rules, &Selector::parse(name), layout, arguments.seed);
        match &names[..] {
            [] => String::new(),
            [one] => format!("; the easier rule {one} leaves {name} nothing to do"),
            _ => format!("; the easier rules {} leave {name} nothing to do", names.join(", ")),
        }
    }

    fn judge<'a>(&'a self, layout: &Arc<Layout>, bar: &'a ProgressBar) -> Judge<'a> {
        let worker = |rules: &RuleSet| self.worker(rules, layout);
        Judge {
            bar,
            wanted: self,
            layout: layout.clone(),
            solver: self.rules.as_ref().map(worker),
            lesser: self.not_by.as_ref().map(worker),
            enumerator: Enumerator::of_digits(&[0; 81]),
        }
    }
}

/// Makes and judges puzzles, one a thread.
struct Judge<'a> {
    bar: &'a ProgressBar,
    wanted: &'a Wanted,
    layout: Arc<Layout>,
    solver: Option<Worker>,
    lesser: Option<Worker>,
    enumerator: Enumerator,
}

impl Judge<'_> {
    fn make(&mut self, maker: &Maker, number: u64) -> Option<Vec<u8>> {
        let Judge { bar, wanted, layout, solver, lesser, enumerator } = self;
        let mut is_unique = |puzzle: &[u8]| match <&[u8; 81]>::try_from(puzzle) {
            Ok(digits) if layout.is_classic_nine() => {
                enumerator.start_digits(digits);
                enumerator.count_up_to(2) == 1
            }
            _ => has_one_solution(layout, puzzle),
        };
        let mut is_wanted = |puzzle: &[u8]| {
            let Some(solver) = solver else { return true };
            let tried = wanted.tried.fetch_add(1, Ordering::Relaxed) + 1;
            if tried.is_multiple_of(64) {
                bar.set_message(format!(", {} looked at", thousands(tried)));
            }
            let grid = Grid::from_givens(layout.clone(), puzzle);
            let grid = grid.expect("the clues are those of a full grid");
            let report = solver.fixpoint(&mut grid.clone());
            let rules = wanted.rules.as_ref().expect("a solver has its rules");
            let used = rules.instances().iter().zip(&report.firings).filter(|(_, n)| **n > 0);
            let hardest = used.map(|(instance, _)| i64::from(instance.level)).max().unwrap_or(0);
            (report.outcome == Outcome::Solved) != wanted.beyond_rules
                && wanted.levels.as_ref().is_none_or(|levels| levels.contains(&hardest))
                && lesser.as_mut().is_none_or(|lesser| {
                    lesser.fixpoint(&mut grid.clone()).outcome != Outcome::Solved
                })
        };
        maker.puzzle(layout, number, &mut is_unique, &mut is_wanted)
    }
}

/// For sizes other than nine; what cannot be decided within the budget counts as no.
fn has_one_solution(layout: &Arc<Layout>, puzzle: &[u8]) -> bool {
    let Ok(grid) = Grid::from_givens(layout.clone(), puzzle) else { return false };
    let limits = Limits { solutions: 2, work: 1_000_000, seed: 0 };
    let answer = Auto::default().solve(&grid, &limits);
    answer.ending == Ending::Complete && answer.solutions.len() == 1
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
    let bundled = [bundled::helpers(), bundled::standard(), bundled::extended()].concat();
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

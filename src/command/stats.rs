//! `dokulog stats`: which rules a collection of puzzles needs.

use std::fmt::Write;

use clap::ValueEnum;
use rayon::prelude::*;
use serde::Serialize;

use super::input::{ListArguments, Listed};
use super::options::RuleOptions;
use super::shelf::{AT_A_TIME, Lent, Shelf};
use super::standing::Fate;
use super::workers::cut_off;
use super::{Context, Run, Status, print, say};
use crate::board::Grid;
use crate::engine::{Deducer, Options};
use crate::language::{Instance, RuleSet};
use crate::search::{Reasoner, Workers};
use crate::text::visible_line;
use crate::trace::{Bar, Outcome, counted, json, svg_chart, text_chart};

/// Options of `stats`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog stats puzzles.txt
  dokulog stats puzzles.txt --with extended --format svg > hardest.svg")]
pub(super) struct Arguments {
    #[command(flatten)]
    list: ListArguments,
    /// text, json, or svg (a histogram of the hardest rule)
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    rules: RuleOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
    Svg,
}

/// A puzzle and how its run went.
struct Ran {
    name: String,
    start: Grid,
    fate: Fate,
    cut_off: Vec<usize>,
    uses: Vec<u64>,
    hardest: Option<usize>,
}

/// What a rule does for the collection.
struct Part {
    instance: usize,
    /// Steps made with it.
    uses: u64,
    /// Puzzles with such a step.
    puzzles: usize,
    /// Solved puzzles where it is the hardest rule.
    hardest: usize,
    /// Puzzles that are no longer solved without it.
    needed_by: Vec<String>,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    let rules = arguments.rules.load()?;
    let options = arguments.rules.engine();
    let reasoner = Reasoner::new(rules.clone(), options);
    let (mut puzzles, mut status) = arguments.list.read()?;
    puzzles.retain(|Listed { name, grid, .. }| {
        let checked = reasoner.check(grid);
        if let Err(refusal) = &checked {
            say(&format!("dokulog: {}: {refusal}", visible_line(name)));
            status = Status::Failed;
        }
        checked.is_ok()
    });
    let ran = context.share(|| run_all(&reasoner, puzzles))?;
    for Ran { name, cut_off: instances, .. } in &ran {
        if let Some(cut_off) = cut_off(&rules, instances) {
            say(&format!("dokulog: {}: {cut_off}", visible_line(name)));
            status = Status::Failed;
        }
    }
    let parts = context.share(|| parts(&rules, options, &ran))?;
    print(&match arguments.format {
        Format::Text => text(&rules, &ran, &parts),
        Format::Json => as_json(&rules, &ran, &parts),
        Format::Svg => svg_chart(&title(&ran), &bars(&rules, &ran, &parts)),
    })?;
    let impossible = ran.iter().any(|ran| matches!(ran.fate, Fate::Impossible | Fate::Misled));
    Ok(if impossible { Status::Failed } else { status })
}

fn run_all(reasoner: &Reasoner, puzzles: Vec<Listed>) -> Vec<Ran> {
    let one = |workers: &mut Workers, Listed { name, grid: start, .. }: Listed| {
        let mut grid = start.clone();
        let (report, trace) = reasoner.worker(workers, &grid).ok()?.trace(&mut grid);
        let mut uses = vec![0; reasoner.rules().instances().len()];
        for step in &trace {
            uses[step.instance] += 1;
        }
        let hardest = uses.iter().rposition(|&count| count > 0);
        let fate = Fate::of(reasoner, &start, &report, &grid);
        Some(Ran { name, start, fate, cut_off: report.cut_off, uses, hardest })
    };
    let shelf = Shelf::new(Workers::default);
    let one = |workers: &mut Lent<Workers>, puzzle| one(workers, puzzle);
    let pieces = puzzles.into_par_iter().with_max_len(AT_A_TIME);
    pieces.map_init(|| shelf.lend(), one).flatten().collect()
}

fn parts(rules: &RuleSet, options: Options, ran: &[Ran]) -> Vec<Part> {
    let solved = |ran: &&Ran| ran.fate == Fate::Solved;
    let mut parts = Vec::new();
    for (instance, chosen) in rules.instances().iter().enumerate() {
        let used: Vec<&Ran> = ran.iter().filter(|ran| ran.uses[instance] > 0).collect();
        let fewer = Reasoner::new(rules.keep(|_, other| other.name != chosen.name), options);
        let shelf = Shelf::new(Workers::default);
        let name_if_it_stops = |workers: &mut Lent<Workers>, ran: &Ran| {
            let solved = fewer
                .deduce(workers, &ran.start)
                .is_ok_and(|(_, report)| report.outcome == Outcome::Solved);
            (!solved).then(|| ran.name.clone())
        };
        let needed_by: Vec<String> = used
            .par_iter()
            .with_max_len(AT_A_TIME)
            .copied()
            .filter(solved)
            .map_init(|| shelf.lend(), name_if_it_stops)
            .flatten()
            .collect();
        parts.push(Part {
            instance,
            uses: used.iter().map(|ran| ran.uses[instance]).sum(),
            puzzles: used.len(),
            hardest: used
                .iter()
                .copied()
                .filter(solved)
                .filter(|r| r.hardest == Some(instance))
                .count(),
            needed_by,
        });
    }
    parts
}

fn with_fate(ran: &[Ran], fate: Fate) -> usize {
    ran.iter().filter(|ran| ran.fate == fate).count()
}

fn title(ran: &[Ran]) -> String {
    format!("Hardest rule of {}", counted(ran.len(), "puzzle", "puzzles"))
}

/// How many puzzles have which rule as their hardest, and how many no rule solves.
fn bars(rules: &RuleSet, ran: &[Ran], parts: &[Part]) -> Vec<Bar> {
    let named = |part: &Part| Bar {
        name: rules.instances()[part.instance].title.clone(),
        count: part.hardest,
    };
    let mut bars: Vec<Bar> = parts.iter().filter(|p| p.uses > 0).map(named).collect();
    for fate in [Fate::Beyond, Fate::CutOff, Fate::Several, Fate::Impossible, Fate::Misled] {
        let count = with_fate(ran, fate);
        if count > 0 {
            bars.push(Bar { name: fate.name().to_string(), count });
        }
    }
    bars
}

fn text(rules: &RuleSet, ran: &[Ran], parts: &[Part]) -> String {
    let solved = with_fate(ran, Fate::Solved);
    let mut text =
        format!("{}, {solved} solved by these rules\n\n", counted(ran.len(), "puzzle", "puzzles"));
    let used: Vec<&Part> = parts.iter().filter(|part| part.uses > 0).collect();
    let name = |part: &Part| rules.instances()[part.instance].name.as_str();
    let width = used.iter().map(|part| name(part).len()).max().unwrap_or(0).max("rule".len());
    let _ = writeln!(text, "  {:<width$}  level    steps  puzzles  needed by", "rule");
    for part in &used {
        let level = rules.instances()[part.instance].level;
        let (uses, puzzles, needed) = (part.uses, part.puzzles, part.needed_by.len());
        let name = name(part);
        let _ =
            writeln!(text, "  {name:<width$}  {level:>5}  {uses:>7}  {puzzles:>7}  {needed:>9}");
    }
    let unused: Vec<&str> = parts.iter().filter(|p| p.uses == 0).map(name).collect();
    if !unused.is_empty() {
        let _ = writeln!(text, "\n  never used: {}", unused.join(", "));
    }
    let _ = write!(text, "\n{}\n{}", title(ran), text_chart(&bars(rules, ran, parts), 40));
    for part in used.iter().filter(|part| !part.needed_by.is_empty()) {
        const SHOWN: usize = 8;
        let names = part.needed_by.iter().take(SHOWN).map(|name| visible_line(name));
        let names: Vec<_> = names.collect();
        let more = match part.needed_by.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(", and {more} more (all with --format json)"),
        };
        let _ = write!(text, "\nNot solved without {}: {}{more}", name(part), names.join(", "));
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The collection as an object.
#[derive(Serialize)]
struct Told<'a> {
    puzzles: usize,
    solved: usize,
    stuck: usize,
    several: usize,
    contradictions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    misled: Option<usize>,
    rules: Vec<ToldPart<'a>>,
}

#[derive(Serialize)]
struct ToldPart<'a> {
    rule: &'a str,
    title: &'a str,
    level: i32,
    steps: u64,
    puzzles: usize,
    hardest: usize,
    needed_by: &'a [String],
}

fn as_json(rules: &RuleSet, ran: &[Ran], parts: &[Part]) -> String {
    let part = |part| {
        let &Part { instance, uses: steps, puzzles, hardest, ref needed_by } = part;
        let Instance { name: rule, title, level, .. } = &rules.instances()[instance];
        ToldPart { rule, title, level: *level, steps, puzzles, hardest, needed_by }
    };
    json::line(&Told {
        puzzles: ran.len(),
        solved: with_fate(ran, Fate::Solved),
        stuck: with_fate(ran, Fate::Beyond) + with_fate(ran, Fate::CutOff),
        several: with_fate(ran, Fate::Several),
        contradictions: with_fate(ran, Fate::Impossible),
        misled: Some(with_fate(ran, Fate::Misled)).filter(|&count| count > 0),
        rules: parts.iter().map(part).collect(),
    })
}

//! `dokulog stats`: which rules a collection of puzzles needs.

use std::fmt::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use rayon::prelude::*;
use serde_json::json;

use super::input::{name as name_of, parse_form, read_all, shown};
use super::options::{RuleOptions, refused_unless_unique};
use super::workers::{Engines, Workers, cut_off};
use super::{Context, Failure, Run, Status, files, print, say};
use crate::board::Grid;
use crate::engine::{Deducer, Options};
use crate::language::RuleSet;
use crate::text::{Form, visible_line};
use crate::trace::{Bar, Outcome, Report, Trace, counted, svg_chart, text_chart};

/// Options of `stats`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog stats puzzles.txt
  dokulog stats puzzles.txt --with extended --format svg > hardest.svg")]
pub struct Arguments {
    /// Puzzle files, or `-`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// How the files are laid out, if it should not be found out
    #[arg(long, value_name = "FORM", value_parser = parse_form)]
    from: Option<Form>,
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
    outcome: Outcome,
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
pub fn run(arguments: &Arguments, _context: &Context) -> Run {
    arguments.files.iter().for_each(|path| files::protect(path));
    let rules = arguments.rules.load()?;
    let (mut puzzles, mut status) = arguments.read()?;
    puzzles.retain(|(name, grid)| {
        let refusal = refused_unless_unique(&rules, grid);
        if let Some(refusal) = &refusal {
            say(&format!("dokulog: {}: {refusal}", visible_line(name)));
            status = Status::Failed;
        }
        refusal.is_none()
    });
    let options = arguments.rules.engine();
    let ran = run_all(&rules, options, puzzles);
    for Ran { name, cut_off: instances, .. } in &ran {
        if let Some(cut_off) = cut_off(&rules, instances) {
            say(&format!("dokulog: {}: {cut_off}", visible_line(name)));
            status = Status::Failed;
        }
    }
    let parts = parts(&rules, options, &ran);
    print(&match arguments.format {
        Format::Text => text(&rules, &ran, &parts),
        Format::Json => json(&rules, &ran, &parts),
        Format::Svg => svg_chart(&title(&ran), &bars(&rules, &ran, &parts)),
    })?;
    let contradiction = |ran: &Ran| matches!(ran.outcome, Outcome::Contradiction { .. });
    Ok(if ran.iter().any(contradiction) { Status::Failed } else { status })
}

impl Arguments {
    fn read(&self) -> Result<(Vec<(String, Grid)>, Status), Failure> {
        let mut puzzles = Vec::new();
        let mut status = Status::Done;
        for file in &self.files {
            let items = read_all(file, self.from)?;
            let several = items.len() > 1;
            for (index, item) in items.into_iter().enumerate() {
                let name = match several {
                    true => format!("{}#{}", name_of(file), index + 1),
                    false => name_of(file),
                };
                match item {
                    Ok(puzzle) => puzzles.push((name, puzzle.grid)),
                    Err(fault) => {
                        say(&format!("dokulog: {}", fault.in_file(&shown(file))));
                        status = Status::Failed;
                    }
                }
            }
        }
        Ok((puzzles, status))
    }
}

fn run_all(rules: &RuleSet, options: Options, puzzles: Vec<(String, Grid)>) -> Vec<Ran> {
    let engines = Engines::new(rules.clone(), options);
    let one = |workers: &mut Workers, (name, start): (String, Grid)| {
        let mut grid = start.clone();
        let worker = engines.worker(workers, grid.layout().size());
        let (Report { outcome, cut_off, .. }, trace): (Report, Trace) = worker.trace(&mut grid);
        let mut uses = vec![0; rules.instances().len()];
        for step in &trace {
            uses[step.instance] += 1;
        }
        let hardest = uses.iter().rposition(|&count| count > 0);
        Ran { name, start, outcome, cut_off, uses, hardest }
    };
    puzzles.into_par_iter().map_init(Workers::default, one).collect()
}

fn parts(rules: &RuleSet, options: Options, ran: &[Ran]) -> Vec<Part> {
    let solved = |ran: &&Ran| ran.outcome == Outcome::Solved;
    let mut parts = Vec::new();
    for (instance, chosen) in rules.instances().iter().enumerate() {
        let used: Vec<&Ran> = ran.iter().filter(|ran| ran.uses[instance] > 0).collect();
        let fewer = Engines::new(rules.keep(|_, other| other.name != chosen.name), options);
        let name_if_it_stops = |workers: &mut Workers, ran: &Ran| {
            let mut grid = ran.start.clone();
            let worker = fewer.worker(workers, grid.layout().size());
            let stops = worker.fixpoint(&mut grid).outcome != Outcome::Solved;
            stops.then(|| ran.name.clone())
        };
        let needed_by: Vec<String> = used
            .par_iter()
            .copied()
            .filter(solved)
            .map_init(Workers::default, name_if_it_stops)
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
    let outcomes = |wanted: fn(&Outcome) -> bool| ran.iter().filter(|r| wanted(&r.outcome)).count();
    let stuck = |ran: &&Ran| ran.outcome == Outcome::Stuck;
    let cut_off = ran.iter().filter(stuck).filter(|ran| !ran.cut_off.is_empty()).count();
    let stuck = ran.iter().filter(stuck).count() - cut_off;
    let contradictions = outcomes(|outcome| matches!(outcome, Outcome::Contradiction { .. }));
    for (name, count) in
        [("beyond these rules", stuck), ("cut off", cut_off), ("no solution", contradictions)]
    {
        if count > 0 {
            bars.push(Bar { name: name.to_string(), count });
        }
    }
    bars
}

fn text(rules: &RuleSet, ran: &[Ran], parts: &[Part]) -> String {
    let solved = ran.iter().filter(|ran| ran.outcome == Outcome::Solved).count();
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

fn json(rules: &RuleSet, ran: &[Ran], parts: &[Part]) -> String {
    let count = |wanted: fn(&Outcome) -> bool| ran.iter().filter(|r| wanted(&r.outcome)).count();
    let rule = |part: &Part| {
        let instance = &rules.instances()[part.instance];
        json!({
            "rule": instance.name, "title": instance.title, "level": instance.level,
            "steps": part.uses, "puzzles": part.puzzles, "hardest": part.hardest,
            "needed_by": part.needed_by,
        })
    };
    let object = json!({
        "puzzles": ran.len(),
        "solved": count(|outcome| *outcome == Outcome::Solved),
        "stuck": count(|outcome| *outcome == Outcome::Stuck),
        "contradictions": count(|outcome| matches!(outcome, Outcome::Contradiction { .. })),
        "rules": parts.iter().map(rule).collect::<Vec<_>>(),
    });
    format!("{object}\n")
}

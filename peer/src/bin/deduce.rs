//! Time of deduction alone, against the strategies of the crate `sudoku`, list by list; and the
//! time of each rule where it finds nothing.
//!
//! ```text
//! cargo run --release -p peer --bin deduce -- [--rounds N] [--take N] [--passes] [--only TEXT]
//!     [--rules FILE]... LIST...
//! ```
//!
//! With `--rules`, the passes are those of the rules of these files alone; with `--only`, of those
//! whose name has the text in it.
//!
//! Both run in the same process and take turns; the shortest round of each counts. A puzzle
//! begins as 81 numbers and ends as 81 numbers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dokulog::board::{Grid, Layout};
use dokulog::engine::plan::Plan;
use dokulog::engine::{Deducer, Engine};
use dokulog::language::{self, Origin, Rule, RuleSet, Source, bundled};
use peer::{race, read_list, stream};
use sudoku::Sudoku;
use sudoku::strategy::{Strategy, StrategySolver};

fn main() {
    let (mut rounds, mut take, mut passes) = (None, usize::MAX, false);
    let mut files: Vec<String> = Vec::new();
    let mut only = String::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).expect("a number");
        match argument.as_str() {
            "--rounds" => rounds = Some(number()),
            "--take" => take = number(),
            "--passes" => passes = true,
            "--rules" => files.push(arguments.next().expect("a file of rules")),
            "--only" => only = arguments.next().expect("a part of a rule's name"),
            list if passes => time_passes(list, rounds.unwrap_or(25), take, (&files, &only)),
            list => measure(list, rounds.unwrap_or(7), take),
        }
    }
}

fn all_rules(files: &[String]) -> RuleSet {
    let groups = [bundled::helpers(), bundled::standard(), bundled::extended()];
    let mut sources = [groups.concat(), bundled::advanced()].concat();
    for file in files {
        let text = std::fs::read_to_string(file).unwrap_or_else(|why| panic!("{file}: {why}"));
        sources.push((Origin::User, Source { name: file.clone(), text }));
    }
    language::load(sources).0.expect("the rules load")
}

/// The standard rules with subsets up to a size.
fn standard(most: i64) -> RuleSet {
    all_rules(&[]).keep(|rule, instance| {
        rule.origin == Origin::Standard && instance.parameter.is_none_or(|n| n <= most)
    })
}

fn strategies() -> Vec<Strategy> {
    use Strategy::*;
    let singles = [NakedSingles, HiddenSingles, LockedCandidates];
    let subsets = [NakedPairs, HiddenPairs, NakedTriples, HiddenTriples, NakedQuads, HiddenQuads];
    [&singles[..], &subsets[..]].concat()
}

/// What the crate's strategies decide.
fn theirs(puzzle: &[u8; 81], strategies: &[Strategy]) -> [u8; 81] {
    let sudoku = Sudoku::from_bytes(*puzzle).expect("digits");
    let (Ok((end, _)) | Err((end, _))) = StrategySolver::from_sudoku(sudoku).solve(strategies);
    end.to_bytes()
}

fn measure(list: &str, rounds: usize, take: usize) {
    let mut puzzles = read_list(list);
    puzzles.truncate(take);
    let strategies = strategies();
    let nine = Layout::classic(9).expect("9 is a classic size");
    let mut four = Engine::assuming_unique(&standard(4), &nine).worker();
    let mut three = Engine::assuming_unique(&standard(3), &nine).worker();
    let mut digits = [0; 81];
    let mut record = Vec::with_capacity(1000);
    let (mut solved, mut differ) = (0, 0);
    for puzzle in &puzzles {
        four.deduce_digits(puzzle, &mut digits).expect("no clash");
        solved += usize::from(digits.iter().all(|&digit| digit > 0));
        differ += usize::from(theirs(puzzle, &strategies) != digits);
    }
    let mut total = 0;
    // The crate has its own turns: after a long run without wide registers the processor takes
    // some microseconds to power them up, which a list of puzzles pays once, not once a turn.
    let ours: [_; 3] = race(puzzles.len(), rounds, |program, chunk| {
        for puzzle in &puzzles[chunk] {
            let end = match program {
                0 => four.deduce_digits(puzzle, &mut digits),
                1 => three.deduce_digits(puzzle, &mut digits),
                _ => four.record_digits(puzzle, &mut digits, &mut record),
            };
            total += usize::from(digits[80]) + usize::from(end.is_ok());
        }
    });
    let crates: [_; 1] = race(puzzles.len(), rounds, |_, chunk| {
        for puzzle in &puzzles[chunk] {
            total += usize::from(theirs(puzzle, &strategies)[80]);
        }
    });
    assert!(total > 0);
    let each = |time: std::time::Duration| time.as_secs_f64() * 1e6 / puzzles.len() as f64;
    let ([four, three, recorded], crates) = (ours.map(each), each(crates[0]));
    println!("{list}: {} puzzles, {solved} solved, {differ} ends differ", puzzles.len());
    println!("  ours             {four:8.3} µs");
    println!("  ours, to triples {three:8.3} µs   quads cost {:+.1} %", 100. * (four / three - 1.));
    println!("  ours, recorded   {recorded:8.3} µs   {:+.1} %", 100. * (recorded / four - 1.));
    println!("  crate sudoku     {crates:8.3} µs   {:.1} × ours", crates / four);
}

/// How long boards are gathered and a rule is timed, more or less: some rules take a second a board.
const PATIENCE: Duration = Duration::from_secs(4);

/// µs a board: every board comes once a round, after all others, so none is still in the caches;
/// the shortest time of each counts.
fn time(boards: &mut [Grid], rounds: usize, mut run: impl FnMut(&mut Grid) -> usize) -> f64 {
    let mut total = 0;
    let time = stream(boards.len(), rounds, PATIENCE, |chunk| {
        total += boards[chunk].iter_mut().map(&mut run).sum::<usize>();
    });
    assert!(total > 0 || boards.is_empty());
    time.as_secs_f64() * 1e6 / boards.len().max(1) as f64
}

/// The boards of some puzzles on which rules are stuck.
fn stuck(puzzles: &[[u8; 81]], rules: &RuleSet, nine: &Arc<Layout>) -> Vec<Grid> {
    let mut worker = Engine::assuming_unique(rules, nine).worker();
    let clock = Instant::now();
    let grids = puzzles.iter().take_while(|_| clock.elapsed() < PATIENCE).map(|puzzle| {
        let mut grid = Grid::from_givens(nine.clone(), puzzle).expect("no clash");
        worker.fixpoint(&mut grid);
        grid
    });
    grids.filter(|grid| !grid.is_solved() && grid.hole().is_none()).collect()
}

/// Each rule on boards where it and the standard rules find nothing more.
fn time_passes(list: &str, rounds: usize, take: usize, (files, only): (&[String], &str)) {
    let mut puzzles = read_list(list);
    puzzles.truncate(take.min(300));
    let nine = Layout::classic(9).expect("9 is a classic size");
    let mut boards = stuck(&puzzles, &standard(4), &nine);
    let mut worker = Engine::assuming_unique(&standard(4), &nine).worker();
    println!("{list}: {} stuck boards", boards.len());
    let all = time(&mut boards, rounds, |grid| worker.fixpoint(grid).firings.len());
    println!("{all:9.3} µs  all standard rules");
    let rules = all_rules(files);
    // What every figure below has in it: a board taken in and given back.
    let mut worker = Engine::assuming_unique(&rules.keep(|_, _| false), &nine).worker();
    let none = time(&mut boards, rounds, |grid| worker.fixpoint(grid).firings.len() + 1);
    println!("{none:9.3} µs  no rule at all");
    let together = |words: &str, is_meant: &dyn Fn(&Rule) -> bool| {
        let kept = |rule: &Rule| rule.origin == Origin::Extended && is_meant(rule);
        let meant = rules.keep(|rule, _| kept(rule));
        let with = rules.keep(|rule, _| rule.origin == Origin::Standard || kept(rule));
        let mut boards = stuck(&puzzles, &with, &nine);
        let mut worker = Engine::assuming_unique(&meant, &nine).worker();
        let all = time(&mut boards, rounds, |grid| worker.fixpoint(grid).firings.len());
        println!("{all:9.3} µs  {words}, {} boards", boards.len());
    };
    if only.is_empty() {
        together("all extended rules", &|_| true);
        let is_rectangle = |rule: &Rule| rule.assumes_unique && rule.name.contains("rectangle");
        together("all rectangles that assume one solution", &is_rectangle);
    }
    let engine = Engine::assuming_unique(&rules, &nine);
    for (instance, plan) in rules.instances().iter().zip(engine.plans()) {
        let is_user = rules.rule(instance.rule).origin == Origin::User;
        if !files.is_empty() && !is_user || !instance.name.contains(only) {
            continue;
        }
        let (name, back_end) = (&instance.name, plan.back_end());
        if let Plan::Off(why) = plan {
            println!("        –     {name:24} {back_end}: {why}");
            continue;
        }
        let one = rules.keep(|_, other| other == instance);
        let with = rules.keep(|rule, other| rule.origin == Origin::Standard || other == instance);
        let mut boards = stuck(&puzzles, &with, &nine);
        let mut worker = Engine::assuming_unique(&one, &nine).worker();
        let mut cut_off = 0;
        let each = time(&mut boards, rounds, |grid| {
            let report = worker.fixpoint(grid);
            cut_off += report.cut_off.len();
            report.firings.len()
        });
        let cut_off = if cut_off > 0 { ", CUT OFF" } else { "" };
        println!("{each:9.3} µs  {name:24} {back_end}, {} boards{cut_off}", boards.len());
    }
}

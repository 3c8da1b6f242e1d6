//! `dokulog solve`: write the complete solution: .sud → .p2.

use crate::board::simd::Planes;
use crate::board::{Candidate, Cell, Digit, Grid};
use crate::engine::Deducer;
use crate::search::nine::Enumerator;
use crate::search::{Answer, Ending, Limits, METHODS, Method, Solver};
use crate::text::{Fault, Form, Item, Puzzle};
use crate::trace::{Outcome, Report};

use super::bulk::{self, Beside, BulkArguments, Job, Place, Sheet, Tally, thousands};
use super::options::{RuleOptions, refused_unless_unique};
use super::workers::{Engines, Workers, cut_off};
use super::{Context, Failure, Run, record};

/// Options of `solve`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog solve grid.sud                     grid.sud → grid.p2
  dokulog solve -o - grid.p1                 go on from what deduce left
  dokulog solve -j2 -o solved.txt list.txt   a list, one line a puzzle
  dokulog solve --all --limit 100 -o - grid.sud
  dokulog solve --method p2b -o - grid.sud   one of the other solvers

The rules go first; what they leave undecided is searched. Of several solutions the first in a
fixed order is written, and standard error says that there are others. The result goes beside the
input, or to -o. It is written whole or not at all. An earlier result is replaced; an input is
never overwritten.
Exit code 0: done; 1: a puzzle could not be read or has no solution; 2: a file could not be read
or written, or a rule file is broken.")]
pub struct Arguments {
    #[command(flatten)]
    bulk: BulkArguments,
    /// The layout to write [default: rows for one puzzle, a line each for many]
    #[arg(long, value_name = "rows|line|marks|729|csv|json|prolog", value_parser = record::parse_to)]
    to: Option<Form>,
    /// Refuse puzzles with more than one solution
    #[arg(long, conflicts_with = "all")]
    unique: bool,
    /// Write every solution
    #[arg(long)]
    all: bool,
    /// With --all: no more than so many a puzzle, up to 100,000
    #[arg(long, value_name = "N", requires = "all", default_value_t = 10_000,
          value_parser = parse_limit)]
    limit: usize,
    /// Use this solver alone, without the rules first
    #[arg(long, value_name = "NAME", value_parser = parse_method, long_help = method_help())]
    method: Option<&'static Method>,
    #[command(flatten)]
    rules: RuleOptions,
}

fn parse_method(name: &str) -> Result<&'static Method, String> {
    Method::named(name).ok_or_else(|| {
        let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
        format!("the methods are {}", names.join(", "))
    })
}

fn method_help() -> String {
    let mut text = "Use this solver alone, without the rules first:".to_string();
    for method in &METHODS {
        text += &format!("\n  {:<13} {}", method.name, method.about);
    }
    text
}

/// All solutions of a puzzle stand in memory before they are written.
fn parse_limit(text: &str) -> Result<usize, String> {
    let limit = text.parse().ok().filter(|limit| (1..=100_000).contains(limit));
    limit.ok_or_else(|| "a number from 1 to 100,000 is wanted".to_string())
}

/// Runs it.
pub fn run(arguments: &Arguments, context: &Context) -> Run {
    let last_resort = Method::named("auto").ok_or_else(|| Failure::new("no method auto"))?;
    let job = Solve {
        to: arguments.to,
        unique: arguments.unique,
        all: arguments.all,
        limit: if arguments.all { arguments.limit.max(1) } else { 2 },
        alone: arguments.method.is_some(),
        method: arguments.method.unwrap_or(last_resort),
        verbose: context.verbose > 0,
        quiet: context.quiet,
        engines: Engines::new(arguments.rules.load()?, arguments.rules.engine()),
    };
    let extension = record::extension(arguments.to, "p2");
    bulk::run(&job, &arguments.bulk, Beside::Extension(&extension), context)
}

struct Solve {
    to: Option<Form>,
    unique: bool,
    all: bool,
    /// How many solutions to look for.
    limit: usize,
    /// Whether the method works without the rules.
    alone: bool,
    method: &'static Method,
    verbose: bool,
    quiet: bool,
    engines: Engines,
}

/// What a thread needs.
struct Hand {
    workers: Workers,
    solver: Box<dyn Solver>,
    /// For lists.
    enumerator: Enumerator,
}

/// What became of a puzzle.
struct Found {
    /// What the rules left.
    after_rules: Grid,
    report: Option<Report>,
    answer: Option<Answer>,
    /// The method that the search ended with.
    method: &'static str,
    solutions: Vec<Grid>,
    /// Whether there may be others than these.
    others: bool,
    /// Why there is none.
    sentence: Option<String>,
}

const COLUMNS: [&str; 4] = ["id", "puzzle", "solution", "status"];

impl Job for Solve {
    type Hand = Hand;
    fn hand(&self) -> Hand {
        Hand {
            workers: Workers::default(),
            solver: self.method.solver(self.engines.rules()),
            enumerator: Enumerator::new(&Planes::EMPTY),
        }
    }

    fn item(&self, hand: &mut Hand, place: &Place, item: Item, sheet: &mut Sheet) {
        let puzzle = match item {
            Ok(puzzle) => puzzle,
            Err(fault) => return record::fault(self.to, COLUMNS.len(), place, &fault, sheet),
        };
        sheet.tally.puzzles += 1;
        let found = self.find(hand, &puzzle.grid, record::form(self.to, place) == Form::Json);
        let status = self.tell(place, &found, sheet);
        self.write(place, &puzzle, &found, status, sheet);
    }

    fn digits(&self, hand: &mut Hand, place: &Place, digits: &[u8; 81], sheet: &mut Sheet) -> bool {
        let in_short = !self.alone && !self.all && !self.verbose && self.engines.prove_uniqueness();
        if !in_short || record::form(self.to, place) != Form::Line {
            return false;
        }
        let mut decided = [0; 81];
        let worker = self.engines.worker(&mut hand.workers, 9);
        match worker.deduce_digits(digits, &mut decided) {
            Ok(Outcome::Solved) => {
                sheet.tally.deduced += 1;
                sheet.put_line(&decided);
            }
            Ok(Outcome::Stuck) => {
                hand.enumerator.start(&worker.planes());
                let Some(solution) = hand.enumerator.next() else { return false };
                let has_others = hand.enumerator.advance();
                if has_others && self.unique {
                    return false;
                }
                sheet.tally.searched += 1;
                sheet.tally.several += u64::from(has_others);
                sheet.put_line(&solution);
            }
            _ => return false,
        }
        if let Some(cut_off) = cut_off(self.engines.rules(), worker.cut_off()) {
            sheet.complain(&format_args!("{}: {cut_off}", place.name()));
        }
        sheet.tally.puzzles += 1;
        true
    }

    fn head(&self) -> Vec<u8> {
        let head = format!("{}\n", COLUMNS.join(","));
        if self.to == Some(Form::Csv) { head.into_bytes() } else { Vec::new() }
    }

    fn counts(&self) -> bool {
        self.to == Some(Form::Json)
    }

    fn refused(&self, place: &Place, fault: &Fault, sheet: &mut Sheet) {
        if self.to == Some(Form::Json) {
            record::fault_object(place, fault, sheet);
        }
    }

    fn summary(&self, tally: &Tally) -> String {
        let mut parts = Vec::new();
        let counts = match self.alone {
            true => [(tally.deduced, ""), (tally.searched, "solved")],
            false => [(tally.deduced, "by deduction"), (tally.searched, "needed search")],
        };
        for (count, what) in counts.into_iter().chain([
            (tally.several, "with other solutions"),
            (tally.impossible, "without a solution"),
            (tally.given_up, "given up"),
            (tally.unreadable, "unreadable"),
        ]) {
            if count > 0 {
                parts.push(format!("{} {what}", thousands(count)));
            }
        }
        format!("{}: {}", tally.count(), parts.join(", "))
    }
}

impl Solve {
    /// Rules first, then the search.
    fn find(&self, hand: &mut Hand, grid: &Grid, count_inferences: bool) -> Found {
        let mut found = Found {
            after_rules: grid.clone(),
            report: None,
            answer: None,
            method: self.method.name,
            solutions: Vec::new(),
            others: false,
            sentence: None,
        };
        if !self.alone {
            found.sentence = refused_unless_unique(self.engines.rules(), grid);
            if found.sentence.is_some() {
                return found;
            }
            let worker = self.engines.worker(&mut hand.workers, grid.layout().size());
            let report = if count_inferences {
                worker.count_inferences(true);
                worker.trace(&mut found.after_rules).0
            } else {
                worker.fixpoint(&mut found.after_rules)
            };
            let outcome = report.outcome;
            found.report = Some(report);
            match outcome {
                Outcome::Contradiction { .. } => {
                    let text = self.engines.contradiction(&mut hand.workers, grid);
                    found.sentence = Some(format!("no solution ({text})"));
                    return found;
                }
                Outcome::Solved if self.engines.prove_uniqueness() => {
                    found.solutions.push(found.after_rules.clone());
                    return found;
                }
                _ => {}
            }
        }
        let start = if self.engines.prove_uniqueness() { &found.after_rules } else { grid };
        let limits = Limits { solutions: self.limit, work: self.method.budget, seed: 0 };
        let answer = hand.solver.solve(start, &limits);
        found.others = match answer.ending {
            Ending::Complete => answer.solutions.len() > 1 && !self.all,
            Ending::Enough => self.all || answer.solutions.len() > 1,
            Ending::GaveUp => false,
        };
        let shown = if self.all { answer.solutions.len() } else { 1 };
        for solution in answer.solutions.iter().take(shown) {
            found.solutions.push(solved(grid, solution));
        }
        if answer.solutions.is_empty() {
            found.sentence = Some(match answer.ending {
                Ending::GaveUp => format!(
                    "no solution found in {} {}",
                    thousands(answer.effort.work),
                    hand.solver.unit()
                ),
                _ => "no solution".to_string(),
            });
        } else if found.others && self.unique {
            found.solutions.clear();
            found.sentence = Some("more than one solution".to_string());
        }
        found.answer = Some(answer);
        found.method = hand.solver.took().unwrap_or(self.method.name);
        found
    }

    /// Counts a puzzle and says what is worth saying; its status.
    fn tell(&self, place: &Place, found: &Found, sheet: &mut Sheet) -> &'static str {
        let gave_up = found.answer.as_ref().is_some_and(|a| a.ending == Ending::GaveUp);
        let by_rules = found.answer.is_none() || found.after_rules.is_solved();
        let instances = found.report.as_ref().map_or(&[][..], |report| &report.cut_off);
        if let Some(cut_off) = cut_off(self.engines.rules(), instances) {
            sheet.complain(&format_args!("{}: {cut_off}", place.name()));
        }
        if let Some(sentence) = &found.sentence {
            sheet.tally.bad += 1;
            sheet.complain(&format_args!("{}: {sentence}", place.name()));
            let (count, status) = match (found.others, gave_up) {
                (true, _) => (&mut sheet.tally.several, "several"),
                (_, true) => (&mut sheet.tally.given_up, "given up"),
                _ => (&mut sheet.tally.impossible, "impossible"),
            };
            *count += 1;
            return status;
        }
        *(if by_rules { &mut sheet.tally.deduced } else { &mut sheet.tally.searched }) += 1;
        if found.others {
            sheet.tally.several += 1;
            if (place.alone && !self.quiet) || self.verbose {
                let what = if self.all { "stopped here: there may be" } else { "there are" };
                sheet.complain(&format_args!("{}: {what} other solutions", place.name()));
            }
            return "several";
        }
        if self.verbose {
            let how = match (&found.report, by_rules) {
                (Some(report), true) => self.engines.hardest(report).unwrap_or("nothing to do"),
                _ => self.method.name,
            };
            sheet.complain(&format_args!("{}: solved, {how}", place.name()));
        }
        if found.solutions.len() > 1 { "several" } else { "solved" }
    }

    fn write(
        &self,
        place: &Place,
        puzzle: &Puzzle,
        found: &Found,
        status: &str,
        sheet: &mut Sheet,
    ) {
        let (id, alphabet) = (puzzle.id.as_deref(), puzzle.alphabet);
        let mut place = *place;
        place.alone &= found.solutions.len() <= 1;
        match record::form(self.to, &place) {
            Form::Json => self.write_object(&place, puzzle, found, status, sheet),
            Form::Csv => {
                let before = record::signs(&puzzle.grid, alphabet);
                let id = id.unwrap_or_default().to_string();
                let mut solutions: Vec<String> =
                    found.solutions.iter().map(|grid| record::signs(grid, alphabet)).collect();
                if solutions.is_empty() {
                    solutions.push(String::new());
                }
                for solution in solutions {
                    let fields = [id.clone(), before.clone(), solution, status.to_string()];
                    record::record(&fields, sheet);
                }
            }
            form => match &found.sentence {
                Some(sentence) => {
                    record::remark(form, &place, &format!("{}: {sentence}", place.name()), sheet);
                }
                None => {
                    for grid in &found.solutions {
                        record::grid(form, &place, id, grid, alphabet, sheet);
                    }
                }
            },
        }
    }

    fn write_object(
        &self,
        place: &Place,
        puzzle: &Puzzle,
        found: &Found,
        status: &str,
        sheet: &mut Sheet,
    ) {
        let alphabet = puzzle.alphabet;
        let mut object = record::object(place, puzzle.id.as_deref(), status);
        object.insert("givens".into(), record::givens(puzzle).into());
        if !self.alone {
            object.insert("p1".into(), record::signs(&found.after_rules, alphabet).into());
        }
        if let Some(sentence) = &found.sentence {
            object.insert("error".into(), sentence.clone().into());
        }
        if let Some(solution) = found.solutions.first() {
            object.insert("p2".into(), record::signs(solution, alphabet).into());
            object.insert("origin".into(), origin(puzzle, &found.after_rules).into());
        }
        if self.all {
            let all: Vec<String> =
                found.solutions.iter().map(|grid| record::signs(grid, alphabet)).collect();
            object.insert("solutions".into(), all.into());
        }
        if let Some(report) = &found.report {
            self.engines.members(report, &mut object);
        }
        if let Some(answer) = &found.answer {
            object.insert("method".into(), found.method.into());
            object.insert("guesses".into(), answer.effort.work.into());
        }
        record::put(object, sheet);
    }
}

/// The grid with every cell placed.
fn solved(grid: &Grid, solution: &[u8]) -> Grid {
    let mut full = grid.clone();
    for cell in grid.unsolved() {
        let digit = Digit::new(solution[cell.index()] as usize);
        full.place(Candidate { cell, digit });
    }
    full
}

/// Where each cell's digit comes from: `g` given, `r` rules, `s` search.
fn origin(puzzle: &Puzzle, after_rules: &Grid) -> String {
    let sign = |cell: Cell| match cell {
        cell if puzzle.grid.placed().contains(cell) => 'g',
        cell if after_rules.placed().contains(cell) => 'r',
        _ => 's',
    };
    puzzle.grid.layout().all_cells().iter().map(sign).collect()
}

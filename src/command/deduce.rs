//! `dokulog deduce`: write what the rules alone decide: .sud → .p1.

use crate::board::Grid;
use crate::engine::Deducer;
use crate::text::{Fault, Form, Item, Puzzle};
use crate::trace::{Outcome, Report};

use super::bulk::{self, Beside, BulkArguments, Job, Place, Sheet, Tally, thousands};
use super::options::{RuleOptions, refused_unless_unique, warn_of_gaps};
use super::workers::{Engines, Workers, cut_off};
use super::{Context, Run, record};

/// Options of `deduce`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog deduce grid.sud                       grid.sud → grid.p1
  dokulog deduce --candidates -o - grid.sud     what is left, as pencil marks
  dokulog deduce --max-subset 3 grids/          a folder, without quads
  dokulog deduce -j2 --to json -o - list.txt    one JSON object a puzzle

The result goes beside the input, or to -o: undecided cells are 0 in rows and . in lines. It is
written whole or not at all. An earlier result is replaced; an input is never overwritten.
Exit code 0: done; 1: a puzzle could not be read or is contradictory; 2: a file could not be
read or written, or a rule file is broken.")]
pub struct Arguments {
    #[command(flatten)]
    bulk: BulkArguments,
    /// The layout to write [default: rows for one puzzle, a line each for many]
    #[arg(long, value_name = "rows|line|marks|729|csv|json|prolog", value_parser = record::parse_to)]
    to: Option<Form>,
    /// Write the candidates left: pencil marks, or 729 signs in JSON
    #[arg(long)]
    candidates: bool,
    #[command(flatten)]
    rules: RuleOptions,
}

/// Runs it.
pub fn run(arguments: &Arguments, context: &Context) -> Run {
    let to = match arguments.to {
        None if arguments.candidates => Some(Form::Marks),
        to => to,
    };
    let rules = arguments.rules.load()?;
    warn_of_gaps(&rules, context);
    let job = Deduce {
        to,
        candidates: arguments.candidates,
        verbose: context.verbose > 0,
        engines: Engines::new(rules, arguments.rules.engine()),
    };
    let extension = record::extension(to, "p1");
    bulk::run(&job, &arguments.bulk, Beside::Extension(&extension), context)
}

struct Deduce {
    to: Option<Form>,
    candidates: bool,
    verbose: bool,
    engines: Engines,
}

/// What became of a puzzle.
struct End {
    grid: Grid,
    report: Report,
    status: &'static str,
    /// Why it is contradictory.
    sentence: Option<String>,
}

/// The columns of CSV.
const COLUMNS: [&str; 4] = ["id", "puzzle", "p1", "status"];

impl Job for Deduce {
    type Hand = Workers;
    fn hand(&self) -> Workers {
        Workers::default()
    }

    fn item(&self, workers: &mut Workers, place: &Place, item: Item, sheet: &mut Sheet) {
        let puzzle = match item {
            Ok(puzzle) => puzzle,
            Err(fault) => return record::fault(self.to, COLUMNS.len(), place, &fault, sheet),
        };
        sheet.tally.puzzles += 1;
        let form = record::form(self.to, place);
        if let Some(refusal) = refused_unless_unique(self.engines.rules(), &puzzle.grid) {
            sheet.tally.bad += 1;
            sheet.complain(&format_args!("{}: {refusal}", place.name()));
            let report = Report {
                outcome: Outcome::Stuck,
                firings: vec![0; self.engines.rules().instances().len()],
                passes: 0,
                inferences: None,
                cut_off: Vec::new(),
            };
            let grid = puzzle.grid.clone();
            let end = End { grid, report, status: "refused", sentence: Some(refusal) };
            return self.write(form, place, &puzzle, &end, sheet);
        }
        let worker = self.engines.worker(workers, puzzle.grid.layout().size());
        let mut grid = puzzle.grid.clone();
        let report = if form == Form::Json {
            worker.count_inferences(true);
            worker.trace(&mut grid).0
        } else {
            worker.fixpoint(&mut grid)
        };
        let status = match report.outcome {
            Outcome::Solved => "solved",
            Outcome::Stuck => "stuck",
            Outcome::Contradiction { .. } => "contradiction",
        };
        let mut sentence = None;
        match report.outcome {
            Outcome::Solved => sheet.tally.deduced += 1,
            Outcome::Stuck => sheet.tally.stuck += 1,
            Outcome::Contradiction { .. } => {
                sheet.tally.impossible += 1;
                sheet.tally.bad += 1;
                let text = self.engines.contradiction(workers, &puzzle.grid);
                sheet.complain(&format_args!("{}: {text}", place.name()));
                sentence = Some(text);
            }
        }
        if self.verbose && sentence.is_none() {
            let hardest = self.engines.hardest(&report).unwrap_or("no rule");
            sheet.complain(&format_args!("{}: {status}, {hardest}", place.name()));
        }
        if let Some(cut_off) = cut_off(self.engines.rules(), &report.cut_off) {
            sheet.tally.bad += u64::from(report.outcome == Outcome::Stuck);
            sheet.complain(&format_args!("{}: {cut_off}", place.name()));
        }
        let end = End { grid, report, status, sentence };
        self.write(form, place, &puzzle, &end, sheet);
    }

    fn digits(
        &self,
        workers: &mut Workers,
        place: &Place,
        digits: &[u8; 81],
        sheet: &mut Sheet,
    ) -> bool {
        let in_short = !self.verbose && self.engines.prove_uniqueness();
        if record::form(self.to, place) != Form::Line || !in_short {
            return false;
        }
        let mut decided = [0; 81];
        let worker = self.engines.worker(workers, 9);
        let stuck = match worker.deduce_digits(digits, &mut decided) {
            Ok(Outcome::Solved) => false,
            Ok(Outcome::Stuck) => true,
            _ => return false,
        };
        sheet.tally.deduced += u64::from(!stuck);
        sheet.tally.stuck += u64::from(stuck);
        if let Some(cut_off) = cut_off(self.engines.rules(), worker.cut_off()) {
            sheet.tally.bad += u64::from(stuck);
            sheet.complain(&format_args!("{}: {cut_off}", place.name()));
        }
        sheet.tally.puzzles += 1;
        sheet.put_line(&decided);
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
        let mut text = format!("{}: {} by deduction", tally.count(), thousands(tally.deduced));
        for (count, what) in [
            (tally.stuck, "not decided"),
            (tally.impossible, "contradictory"),
            (tally.unreadable, "unreadable"),
        ] {
            if count > 0 {
                text += &format!(", {} {what}", thousands(count));
            }
        }
        text
    }
}

impl Deduce {
    fn write(&self, form: Form, place: &Place, puzzle: &Puzzle, end: &End, sheet: &mut Sheet) {
        let End { grid, report, status, sentence } = end;
        let (id, alphabet) = (puzzle.id.as_deref(), puzzle.alphabet);
        match form {
            Form::Json => {
                let mut object = record::object(place, id, status);
                object.insert("givens".into(), record::givens(puzzle).into());
                match sentence {
                    Some(sentence) => {
                        object.insert("error".into(), sentence.clone().into());
                    }
                    None => {
                        let p1 = record::signs(grid, alphabet);
                        object.insert("p1".into(), p1.into());
                        if self.candidates {
                            let cube = record::cube(grid, alphabet);
                            object.insert("candidates".into(), cube.into());
                        }
                    }
                }
                self.engines.members(report, &mut object);
                record::put(object, sheet);
            }
            Form::Csv => {
                let p1 = match sentence {
                    None => record::signs(grid, alphabet),
                    Some(_) => String::new(),
                };
                let id = id.unwrap_or_default().to_string();
                let before = record::signs(&puzzle.grid, alphabet);
                record::record(&[id, before, p1, status.to_string()], sheet);
            }
            form => match sentence {
                Some(sentence) => {
                    record::remark(form, place, &format!("{}: {sentence}", place.name()), sheet);
                }
                None => record::grid(form, place, id, grid, alphabet, sheet),
            },
        }
    }
}

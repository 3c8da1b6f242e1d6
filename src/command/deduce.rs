//! `dokulog deduce`: write what the rules alone decide: .sud → .p1.

use crate::board::Grid;
use crate::engine::Deducer;
use crate::search::{Reasoner, Workers};
use crate::text::{Form, Puzzle, thousands};
use crate::trace::{Outcome, Report};

use super::bulk::{self, Beside, BulkArguments, Job, Nine, Place, Results, Tally, signs};
use super::options::{FormOptions, RuleOptions, warn_of_gaps};
use super::record::{self, Record, Used};
use super::workers::{contradiction, cut_off, wrong_rule};
use super::{Context, Failure, Run};

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
pub(super) struct Arguments {
    #[command(flatten)]
    bulk: BulkArguments,
    #[command(flatten)]
    form: FormOptions,
    /// Write the candidates left: pencil marks, or 729 signs in JSON
    #[arg(long)]
    candidates: bool,
    /// With --to json: count inferences as a Prolog would, step by step, which takes long
    #[arg(long)]
    inferences: bool,
    #[command(flatten)]
    rules: RuleOptions,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    let to = match arguments.form.to(&arguments.bulk.output) {
        None if arguments.candidates => Some(Form::Marks),
        Some(Form::Rows | Form::Line | Form::Csv | Form::Prolog) if arguments.candidates => {
            let problem = "--candidates goes with --to marks, 729 or json: there is no place for \
                           them in the others";
            return Err(Failure::new(problem));
        }
        to => to,
    };
    let rules = arguments.rules.load()?;
    warn_of_gaps(&rules, context);
    let job = Deduce {
        to,
        candidates: arguments.candidates,
        inferences: arguments.inferences,
        verbose: context.verbose > 0,
        reasoner: Reasoner::new(rules, arguments.rules.engine()),
    };
    bulk::run(job, &arguments.bulk, Beside::Extension("p1"), context)
}

struct Deduce {
    to: Option<Form>,
    candidates: bool,
    inferences: bool,
    verbose: bool,
    reasoner: Reasoner,
}

/// What became of a puzzle.
struct End {
    grid: Grid,
    /// Nothing where the rules are not for this puzzle.
    report: Option<Report>,
    status: &'static str,
    /// Why it is refused or contradictory.
    sentence: Option<String>,
}

impl Job for Deduce {
    type Tools = Workers;
    const COLUMNS: &'static [&'static str] = &["id", "puzzle", "p1", "status"];
    fn tools(&self) -> Workers {
        Workers::default()
    }

    fn puzzle(&self, workers: &mut Workers, place: &Place, puzzle: Puzzle, results: &mut Results) {
        let end = self.run(workers, &puzzle.grid);
        match end.status {
            "solved" => results.tally.deduced += 1,
            "stuck" => results.tally.stuck += 1,
            "contradiction" => results.tally.impossible += 1,
            "misled" => results.tally.misled += 1,
            _ => results.tally.refused += 1,
        }
        if let Some(sentence) = &end.sentence {
            results.tally.bad += 1;
            results.complain(&format_args!("{}: {sentence}", place.name()));
        }
        if let Some(report) = &end.report {
            let (rules, status) = (self.reasoner.rules(), end.status);
            if self.verbose && end.sentence.is_none() {
                let hardest = Used { rules, firings: &report.firings }.hardest();
                let hardest = hardest.unwrap_or("no rule");
                results.complain(&format_args!("{}: {status}, {hardest}", place.name()));
            }
            self.tell_cut_off(&report.cut_off, status == "stuck", place, results);
        }
        self.write(record::form(self.to, place), place, &puzzle, &end, results);
    }

    fn digits(
        &self,
        workers: &mut Workers,
        place: &Place,
        nine: &Nine,
        results: &mut Results,
    ) -> bool {
        let form = record::form(self.to, place);
        let wants_more = self.verbose || self.inferences || self.candidates;
        if wants_more || !matches!(form, Form::Line | Form::Json) {
            return false;
        }
        let mut decided = [0; 81];
        let Some(worker) = self.reasoner.nine(workers) else { return false };
        let stuck = match worker.deduce_digits(nine, &mut decided) {
            Ok(Outcome::Solved) => false,
            Ok(Outcome::Stuck) => true,
            _ => return false,
        };
        results.tally.puzzles += 1;
        results.tally.deduced += u64::from(!stuck);
        results.tally.stuck += u64::from(stuck);
        self.tell_cut_off(worker.cut_off(), stuck, place, results);
        if form == Form::Line {
            results.put_line(&decided);
            return true;
        }
        let (givens, p1) = (signs(nine), signs(&decided));
        let used = Used { rules: self.reasoner.rules(), firings: worker.firings() };
        let mut object = Record::new(place, None, if stuck { "stuck" } else { "solved" });
        object.givens = std::str::from_utf8(&givens).ok();
        object.p1 = std::str::from_utf8(&p1).ok();
        record::put(&object.by(used, worker.cut_off()), results);
        true
    }

    fn to(&self) -> Option<Form> {
        self.to
    }

    fn summary(&self, tally: &Tally) -> String {
        let deduced = format!("{} by deduction", thousands(tally.deduced));
        tally.sentence(
            Some(deduced),
            &[(tally.stuck, "not decided"), (tally.impossible, "contradictory")],
        )
    }
}

impl Deduce {
    fn run(&self, workers: &mut Workers, grid: &Grid) -> End {
        let mut end = grid.clone();
        let ran = self.reasoner.worker(workers, grid).map(|worker| {
            worker.count_inferences(self.inferences);
            match self.inferences {
                true => worker.trace(&mut end).0,
                false => worker.fixpoint(&mut end),
            }
        });
        let (status, sentence) = match &ran {
            Err(refusal) => ("refused", Some(refusal.to_string())),
            Ok(report) if self.reasoner.is_misled(grid, report, &end) => {
                ("misled", Some(wrong_rule(&self.reasoner, workers, grid)))
            }
            Ok(report) => match report.outcome {
                Outcome::Solved => ("solved", None),
                Outcome::Stuck => ("stuck", None),
                Outcome::Contradiction { .. } => {
                    ("contradiction", contradiction(&self.reasoner, workers, grid))
                }
            },
        };
        End { grid: end, report: ran.ok(), status, sentence }
    }

    /// A rule that was cut off is a failure where the puzzle stays open.
    fn tell_cut_off(&self, instances: &[usize], stuck: bool, place: &Place, results: &mut Results) {
        if let Some(cut_off) = cut_off(self.reasoner.rules(), instances) {
            results.tally.bad += u64::from(stuck);
            results.complain(&format_args!("{}: {cut_off}", place.name()));
        }
    }

    fn write(&self, form: Form, place: &Place, puzzle: &Puzzle, end: &End, results: &mut Results) {
        let End { grid, report, status, sentence } = end;
        let (id, alphabet) = (puzzle.id.as_deref(), puzzle.alphabet);
        let p1 = || sentence.is_none().then(|| record::signs(grid, alphabet));
        match form {
            Form::Json => {
                let (givens, p1) = (record::givens(puzzle), p1());
                let cube = self.candidates.then(|| record::cube(grid, alphabet));
                let mut object = Record::new(place, id, status);
                object.givens = Some(&givens);
                object.p1 = p1.as_deref();
                object.candidates = cube.as_deref().filter(|_| sentence.is_none());
                object.error = sentence.as_deref();
                object.inferences = report.as_ref().and_then(|report| report.inferences);
                let (firings, cut_off) = match report {
                    Some(report) => (&report.firings[..], &report.cut_off[..]),
                    None => Default::default(),
                };
                let used = Used { rules: self.reasoner.rules(), firings };
                record::put(&object.by(used, cut_off), results);
            }
            Form::Csv => {
                let id = id.unwrap_or_default().to_string();
                let before = record::signs(&puzzle.grid, alphabet);
                let p1 = p1().unwrap_or_default();
                record::record(&[id, before, p1, status.to_string()], results);
            }
            form => match sentence {
                Some(sentence) => {
                    record::remark(form, place, &format!("{}: {sentence}", place.name()), results);
                }
                None => record::grid(form, place, id, grid, alphabet, results),
            },
        }
    }
}

//! `dokulog convert`: read puzzles and write them again in another layout.

use crate::text::{Form, Puzzle, thousands};

use super::bulk::{self, Beside, BulkArguments, Job, Nine, Place, Results, Tally};
use super::options::FormOptions;
use super::record::{self, Record};
use super::{Context, Run};

/// Options of `convert`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog convert --to line grids.sud
  dokulog convert --to marks -o marks.txt easy.sud
  cat list.txt | dokulog convert --to csv - > list.csv

The result goes to standard output unless -o is given. An earlier output is replaced; an input is
never overwritten.")]
pub(super) struct Arguments {
    #[command(flatten)]
    bulk: BulkArguments,
    #[command(flatten)]
    form: FormOptions,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    let to = arguments.form.to(&arguments.bulk.output);
    let plain = match to {
        Some(Form::Rows) => "sud",
        Some(Form::Csv) => "csv",
        Some(Form::Json) => "jsonl",
        Some(Form::Prolog) => "pl",
        _ => "txt",
    };
    let job = Convert { to };
    bulk::run(job, &arguments.bulk, Beside::Nowhere(plain), context)
}

struct Convert {
    to: Option<Form>,
}

impl Job for Convert {
    type Tools = ();
    const COLUMNS: &'static [&'static str] = &["id", "puzzle"];
    fn tools(&self) {}

    fn puzzle(&self, _: &mut (), place: &Place, puzzle: Puzzle, results: &mut Results) {
        let id = puzzle.id.as_deref();
        let signs = || record::signs(&puzzle.grid, puzzle.alphabet);
        match record::form(self.to, place) {
            Form::Json => {
                let mut object = Record::new(place, id, "read");
                let (givens, placed) = (record::givens(&puzzle), signs());
                object.givens = Some(&givens);
                object.puzzle = Some(&placed);
                record::put(&object, results);
            }
            Form::Csv => record::record(&[id.unwrap_or_default().to_string(), signs()], results),
            form => record::grid(form, place, id, &puzzle.grid, puzzle.alphabet, results),
        }
    }

    fn digits(&self, _: &mut (), place: &Place, nine: &Nine, results: &mut Results) -> bool {
        if record::form(self.to, place) != Form::Line {
            return false;
        }
        results.put_line(nine);
        results.tally.puzzles += 1;
        true
    }

    fn to(&self) -> Option<Form> {
        self.to
    }

    fn summary(&self, tally: &Tally) -> String {
        let written = format!("{} written", thousands(tally.puzzles - tally.unreadable));
        tally.sentence(Some(written), &[])
    }
}

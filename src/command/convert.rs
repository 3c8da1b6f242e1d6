//! `dokulog convert`: read puzzles and write them again in another layout.

use crate::text::{Fault, Form, Item};

use super::bulk::{self, Beside, BulkArguments, Job, Place, Sheet, Tally, thousands};
use super::{Context, Run, record};

/// Options of `convert`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog convert --to line grids.sud
  dokulog convert --to marks -o marks.txt easy.sud
  cat list.txt | dokulog convert --to csv - > list.csv

The result goes to standard output unless -o is given. An earlier output is replaced; an input is
never overwritten.")]
pub struct Arguments {
    #[command(flatten)]
    bulk: BulkArguments,
    /// The layout to write [default: rows for one puzzle, a line each for many]
    #[arg(long, value_name = "rows|line|marks|729|csv|json|prolog", value_parser = record::parse_to)]
    to: Option<Form>,
}

/// Runs it.
pub fn run(arguments: &Arguments, context: &Context) -> Run {
    let plain = match arguments.to {
        Some(Form::Rows) => "sud",
        Some(Form::Csv) => "csv",
        Some(Form::Json) => "jsonl",
        Some(Form::Prolog) => "pl",
        _ => "txt",
    };
    let job = Convert { to: arguments.to };
    bulk::run(&job, &arguments.bulk, Beside::Nowhere(plain), context)
}

struct Convert {
    to: Option<Form>,
}

impl Job for Convert {
    type Hand = ();
    fn hand(&self) {}

    fn item(&self, _: &mut (), place: &Place, item: Item, sheet: &mut Sheet) {
        let puzzle = match item {
            Ok(puzzle) => puzzle,
            Err(fault) => return record::fault(self.to, 2, place, &fault, sheet),
        };
        sheet.tally.puzzles += 1;
        let id = puzzle.id.as_deref();
        match record::form(self.to, place) {
            Form::Json => {
                let mut object = record::object(place, id, "read");
                object.insert("givens".into(), record::givens(&puzzle).into());
                let placed = record::signs(&puzzle.grid, puzzle.alphabet);
                object.insert("puzzle".into(), placed.into());
                record::put(object, sheet);
            }
            Form::Csv => {
                let signs = record::signs(&puzzle.grid, puzzle.alphabet);
                record::record(&[id.unwrap_or_default().to_string(), signs], sheet);
            }
            form => record::grid(form, place, id, &puzzle.grid, puzzle.alphabet, sheet),
        }
    }

    fn digits(&self, _: &mut (), place: &Place, digits: &[u8; 81], sheet: &mut Sheet) -> bool {
        if record::form(self.to, place) != Form::Line {
            return false;
        }
        sheet.put_line(digits);
        sheet.tally.puzzles += 1;
        true
    }

    fn head(&self) -> Vec<u8> {
        if self.to == Some(Form::Csv) { b"id,puzzle\n".to_vec() } else { Vec::new() }
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
        let written = tally.puzzles - tally.unreadable;
        let mut text = format!("{}: {} written", tally.count(), thousands(written));
        if tally.unreadable > 0 {
            text += &format!(", {} unreadable", thousands(tally.unreadable));
        }
        text
    }
}

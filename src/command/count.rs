//! `dokulog count`: count the solutions.

use serde_json::json;

use crate::board::Grid;
use crate::search::nine::Enumerator;
use crate::search::{Auto, Ending, Limits, Method, Solver};
use crate::text::{Fault, Form, Item};

use super::bulk::{self, Beside, BulkArguments, Job, Place, Sheet, Tally, thousands};
use super::{Context, Failure, Run, record};

/// Options of `count`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog count grid.sud
  dokulog count --limit 2 -j2 list.txt      1 where the puzzle has one solution, 2+ otherwise
  dokulog count --json list.txt

One number a puzzle, on standard output unless -o is given; `+` says that the limit was reached.
Beyond 9×9 the limit is 262,144 for 16×16 and 107,374 for 25×25 at most.
Exit code 1 if some puzzle has no solution.")]
pub struct Arguments {
    #[command(flatten)]
    bulk: BulkArguments,
    /// Stop counting at so many
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    limit: usize,
    /// Write one JSON object a puzzle
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(arguments: &Arguments, context: &Context) -> Run {
    let method = Method::named("auto").ok_or_else(|| Failure::new("no method auto"))?;
    let job = Count { limit: arguments.limit.max(1), json: arguments.json, method };
    bulk::run(&job, &arguments.bulk, Beside::Nowhere("count"), context)
}

/// Bytes for the solutions of a puzzle that is not 9×9.
const MOST_MEMORY: usize = 64 << 20;

struct Count {
    limit: usize,
    json: bool,
    method: &'static Method,
}

impl Count {
    /// How many solutions, and whether there may be more.
    fn count(&self, grid: &Grid) -> (usize, bool) {
        if grid.layout().is_classic_nine() {
            let mut enumerator = Enumerator::of_grid(grid);
            let count = enumerator.count_up_to(self.limit);
            return (count, count == self.limit && enumerator.advance());
        }
        // These solutions stand in memory while they are counted.
        let limit = self.limit.min(MOST_MEMORY / grid.layout().cell_count());
        let limits = Limits { solutions: limit + 1, work: self.method.budget, seed: 0 };
        let answer = Auto::default().solve(grid, &limits);
        let more = answer.solutions.len() > limit || answer.ending == Ending::GaveUp;
        (answer.solutions.len().min(limit), more)
    }

    fn put(&self, place: &Place, id: Option<&str>, count: usize, more: bool, sheet: &mut Sheet) {
        sheet.tally.puzzles += 1;
        match count {
            0 if more => sheet.tally.given_up += 1,
            0 => sheet.tally.impossible += 1,
            1 if !more => sheet.tally.deduced += 1,
            _ => sheet.tally.several += 1,
        }
        sheet.tally.bad += u64::from(count == 0);
        if self.json {
            let status = match (count, more) {
                (0, true) => "given up",
                (0, false) => "impossible",
                (1, false) => "unique",
                _ => "several",
            };
            let mut object = record::object(place, id, status);
            object.insert("count".into(), json!(count));
            object.insert("complete".into(), json!(!more));
            record::put(object, sheet);
        } else {
            let sign = if more { "+" } else { "" };
            sheet.bytes.extend(format!("{count}{sign}\n").into_bytes());
            sheet.useful = true;
        }
    }
}

impl Job for Count {
    type Hand = ();
    fn hand(&self) {}

    fn item(&self, _: &mut (), place: &Place, item: Item, sheet: &mut Sheet) {
        match item {
            Ok(puzzle) => {
                let (count, more) = self.count(&puzzle.grid);
                self.put(place, puzzle.id.as_deref(), count, more, sheet);
            }
            Err(fault) => {
                let to = if self.json { Form::Json } else { Form::Line };
                record::fault(Some(to), 0, place, &fault, sheet);
            }
        }
    }

    fn digits(&self, _: &mut (), place: &Place, digits: &[u8; 81], sheet: &mut Sheet) -> bool {
        let mut enumerator = Enumerator::of_digits(digits);
        let count = enumerator.count_up_to(self.limit);
        let more = count == self.limit && enumerator.advance();
        self.put(place, None, count, more, sheet);
        true
    }

    fn counts(&self) -> bool {
        self.json
    }

    fn refused(&self, place: &Place, fault: &Fault, sheet: &mut Sheet) {
        if self.json {
            record::fault_object(place, fault, sheet);
        }
    }

    fn summary(&self, tally: &Tally) -> String {
        let mut parts = Vec::new();
        for (count, what) in [
            (tally.deduced, "with one solution"),
            (tally.several, "with several"),
            (tally.impossible, "with none"),
            (tally.given_up, "given up"),
            (tally.unreadable, "unreadable"),
        ] {
            if count > 0 {
                parts.push(format!("{} {what}", thousands(count)));
            }
        }
        format!("{}: {}", tally.count(), parts.join(", "))
    }
}

//! `dokulog count`: count the solutions.

use crate::search::count;
use crate::search::nine::Enumerator;
use crate::text::{Form, Puzzle};

use super::bulk::{self, Beside, BulkArguments, Job, Nine, Place, Results, Tally};
use super::record::{self, Record};
use super::{Context, Run};

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
pub(super) struct Arguments {
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
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    let job = Count { limit: arguments.limit.max(1), json: arguments.json };
    bulk::run(job, &arguments.bulk, Beside::Nowhere("count"), context)
}

struct Count {
    limit: usize,
    json: bool,
}

impl Count {
    fn put(
        &self,
        place: &Place,
        id: Option<&str>,
        count: usize,
        more: bool,
        results: &mut Results,
    ) {
        match count {
            0 if more => results.tally.given_up += 1,
            0 => results.tally.impossible += 1,
            1 if !more => results.tally.deduced += 1,
            _ => results.tally.several += 1,
        }
        results.tally.bad += u64::from(count == 0);
        if self.json {
            let status = match (count, more) {
                (0, true) => "given up",
                (0, false) => "impossible",
                (1, false) => "unique",
                _ => "several",
            };
            let mut object = Record::new(place, id, status);
            (object.count, object.complete) = (Some(count), Some(!more));
            record::put(&object, results);
        } else {
            let sign = if more { "+" } else { "" };
            results.bytes.extend(format!("{count}{sign}\n").into_bytes());
            results.useful = true;
        }
    }
}

impl Job for Count {
    type Tools = ();
    fn tools(&self) {}

    fn puzzle(&self, _: &mut (), place: &Place, puzzle: Puzzle, results: &mut Results) {
        let (count, more) = count(&puzzle.grid, self.limit);
        self.put(place, puzzle.id.as_deref(), count, more, results);
    }

    fn digits(&self, _: &mut (), place: &Place, nine: &Nine, results: &mut Results) -> bool {
        results.tally.puzzles += 1;
        let count = Enumerator::of_digits(nine).count_up_to(self.limit.saturating_add(1));
        self.put(place, None, count.min(self.limit), count > self.limit, results);
        true
    }

    fn to(&self) -> Option<Form> {
        Some(if self.json { Form::Json } else { Form::Line })
    }

    fn summary(&self, tally: &Tally) -> String {
        tally.sentence(
            None,
            &[
                (tally.deduced, "with one solution"),
                (tally.several, "with several"),
                (tally.impossible, "with none"),
            ],
        )
    }
}

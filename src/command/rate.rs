//! `dokulog rate`: a puzzle's hardest rule and its score.

use rayon::prelude::*;

use super::input::{ListArguments, Listed};
use super::options::{FormatOption, RuleOptions, TextOrJson};
use super::shelf::{AT_A_TIME, Lent, Shelf};
use super::standing::Fate;
use super::workers::{cut_off, wrong_rule};
use super::{Context, Run, Status, print, say};
use crate::engine::{self, Deducer};
use crate::search::{Reasoner, Workers};
use crate::text::visible_line;
use crate::trace::{counted, json};

/// Options of `rate`.
#[derive(clap::Args)]
#[command(after_help = "\
The grade is that of the hardest rule that the run needs, by its level:
  easy       up to 11   singles
  medium     up to 29   a box and a line
  hard       up to 47   subsets and fish
  very hard  up to 58   wings and patterns of one digit
  extreme    above      colouring, chains, uniqueness; from 100 on, hypotheses: singles under one
                        (100), intersections and subsets (110), hypotheses inside (130)
The score is the level of the hardest rule, a thousand times, and what it takes on that level, up to
999: its steps, and for hypotheses the steps inside them, all those inside these included. Singles
are not counted: every puzzle needs as many as it has empty cells. A puzzle that these rules do not
solve is `beyond these rules`; its score is that of a level above all of them. One with several
solutions is called that: no rules could solve it.

Examples:
  dokulog rate grid.sud
  dokulog rate collection.txt --with extended")]
pub(super) struct Arguments {
    #[command(flatten)]
    list: ListArguments,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

/// A rating as an object.
#[derive(serde::Serialize)]
struct Rated<'a> {
    file: &'a str,
    index: usize,
    grade: &'a str,
    rule: Option<&'a str>,
    level: Option<i32>,
    score: i64,
    steps: usize,
}

/// Puzzles rated before they are told.
const BATCH: usize = 4096;

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    let reasoner = Reasoner::new(arguments.rules.load()?, arguments.rules.engine());
    let (puzzles, mut status) = arguments.list.read()?;
    let one = |workers: &mut Workers, puzzle: &Listed| {
        rated(&reasoner, workers, puzzle, arguments.format.format)
    };
    let shelf = Shelf::new(Workers::default);
    for batch in puzzles.chunks(BATCH) {
        let one = |workers: &mut Lent<Workers>, puzzle| one(workers, puzzle);
        let pieces = batch.par_iter().with_max_len(AT_A_TIME);
        let rate = || pieces.map_init(|| shelf.lend(), one).collect();
        let told: Vec<Told> = context.share(rate)?;
        let mut texts = String::new();
        for Told { text, problem, status: one } in told {
            if let Some(problem) = problem {
                print(&std::mem::take(&mut texts))?;
                say(&format!("dokulog: {problem}"));
            }
            texts += &text;
            status = status.max(one);
        }
        print(&texts)?;
    }
    Ok(status)
}

/// What is said of a puzzle.
struct Told {
    text: String,
    problem: Option<String>,
    status: Status,
}

fn rated(reasoner: &Reasoner, workers: &mut Workers, puzzle: &Listed, format: TextOrJson) -> Told {
    let Listed { file, index, name, grid } = puzzle;
    let (rules, place, mut grid) = (reasoner.rules(), visible_line(name), grid.clone());
    let start = grid.clone();
    let (report, trace, rating) = match reasoner.worker(workers, &grid) {
        Ok(worker) => {
            let (report, trace) = worker.trace(&mut grid);
            let rating = engine::rate(rules, worker, &start, (&trace, &report.outcome));
            (report, trace, rating)
        }
        Err(refusal) => {
            let problem = Some(format!("{place}: {refusal}"));
            return Told { text: String::new(), problem, status: Status::Failed };
        }
    };
    let fate = Fate::of(reasoner, &start, &report, &grid);
    let grade = if fate == Fate::Solved { rating.grade(rules).name() } else { fate.name() };
    let wrong = (fate == Fate::Misled).then(|| wrong_rule(reasoner, workers, &start));
    let problem = wrong.or_else(|| cut_off(rules, &report.cut_off));
    let problem = problem.map(|problem| format!("{place}: {problem}"));
    let status = match (&problem, fate) {
        (None, Fate::Solved | Fate::Several | Fate::Beyond) => Status::Done,
        _ => Status::Failed,
    };
    let (hardest, score, steps) = (rating.rule(rules), rating.score, trace.len());
    let text = match format {
        TextOrJson::Text => {
            let hardest = hardest.map_or("no rule needed".to_string(), |instance| {
                format!("hardest rule {} (level {})", instance.title, instance.level)
            });
            let steps = counted(steps, "step", "steps");
            format!("{name}: {grade}; {hardest}; score {score}; {steps}\n")
        }
        TextOrJson::Json => json::line(&Rated {
            file,
            index: *index,
            grade,
            rule: hardest.map(|instance| instance.name.as_str()),
            level: hardest.map(|instance| instance.level),
            score,
            steps,
        }),
    };
    Told { text, problem, status }
}

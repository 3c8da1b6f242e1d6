//! `dokulog solve`: write the complete solution: .sud → .p2.

use crate::board::{Cell, Grid};
use crate::search::{
    Answer, Ending, InShort, Limits, METHODS, Method, Reasoner, Solved, Solver, Workers, filled,
};
use crate::text::{Form, Puzzle, thousands};
use crate::trace::Report;

use super::bulk::{self, Beside, BulkArguments, Job, Nine, Place, Results, Tally, signs};
use super::input::suggestion;
use super::options::{FormOptions, RuleOptions};
use super::record::{self, Record, Used};
use super::standing::fault;
use super::workers::{contradiction, cut_off, wrong_rule};
use super::{Context, Failure, Run};

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
pub(super) struct Arguments {
    #[command(flatten)]
    bulk: BulkArguments,
    #[command(flatten)]
    form: FormOptions,
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
    /// Use this solver alone, without the rules first (`rules` is what is done anyway)
    #[arg(long, value_name = "NAME", value_parser = parse_method, long_help = method_help())]
    method: Option<&'static Method>,
    #[command(flatten)]
    rules: RuleOptions,
}

fn parse_method(name: &str) -> Result<&'static Method, String> {
    let names = METHODS.each_ref().map(|method| method.name);
    Method::named(name).ok_or_else(|| suggestion(name, names))
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
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    let named = |name| Method::named(name).ok_or_else(|| Failure::new(format!("no method {name}")));
    // The rules and a search for what they leave: one way, whether it is named or not.
    let alone = arguments.method.filter(|method| method.name != "rules");
    let layout = arguments.bulk.from.layout.find()?;
    if let Some((method, layout)) = alone.zip(layout)
        && !method.suits(&layout)
    {
        return Err(Failure::new(format!("method {} knows classic layouts only", method.name)));
    }
    let job = Solve {
        to: arguments.form.to(&arguments.bulk.output),
        unique: arguments.unique,
        all: arguments.all,
        limit: if arguments.all { arguments.limit.max(1) } else { 2 },
        alone: alone.is_some(),
        method: alone.map_or_else(|| named("auto"), Ok)?,
        verbose: context.verbose > 0,
        quiet: context.quiet,
        reasoner: Reasoner::new(arguments.rules.load()?, arguments.rules.engine()),
    };
    bulk::run(job, &arguments.bulk, Beside::Extension("p2"), context)
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
    reasoner: Reasoner,
}

/// What a thread needs.
struct Tools {
    workers: Workers,
    solver: Box<dyn Solver>,
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
    /// Whether the rules or the method are not for it.
    is_refused: bool,
    /// Why there is none.
    sentence: Option<String>,
    /// Which rule is wrong.
    wrong: Option<String>,
}

impl Job for Solve {
    type Tools = Tools;
    const COLUMNS: &'static [&'static str] = &["id", "puzzle", "solution", "status"];
    fn tools(&self) -> Tools {
        let solver = self.method.solver(self.reasoner.rules());
        Tools { workers: Workers::default(), solver }
    }

    fn puzzle(&self, tools: &mut Tools, place: &Place, puzzle: Puzzle, results: &mut Results) {
        let found = self.find(tools, &puzzle.grid);
        let status = self.tell(place, &puzzle.grid, &found, results);
        self.write(place, &puzzle, &found, status, results);
    }

    fn digits(&self, tools: &mut Tools, place: &Place, nine: &Nine, results: &mut Results) -> bool {
        let form = record::form(self.to, place);
        let in_short = !self.alone && !self.all && !self.verbose;
        if !in_short || !matches!(form, Form::Line | Form::Json) {
            return false;
        }
        let found = self.reasoner.solve_in_short(&mut tools.workers, nine);
        let Some(found) = found.filter(|found| !(found.has_others && self.unique)) else {
            return false;
        };
        let Some(worker) = self.reasoner.nine(&mut tools.workers) else { return false };
        let tally = &mut results.tally;
        tally.puzzles += 1;
        *(if found.guesses.is_none() { &mut tally.deduced } else { &mut tally.searched }) += 1;
        tally.several += u64::from(found.has_others);
        if let Some(cut_off) = cut_off(self.reasoner.rules(), worker.cut_off()) {
            results.complain(&format_args!("{}: {cut_off}", place.name()));
        }
        match form {
            Form::Line => results.put_line(&found.digits),
            _ => {
                let used = Used { rules: self.reasoner.rules(), firings: worker.firings() };
                put_in_short(place, nine, &found, used, worker.cut_off(), results);
            }
        }
        true
    }

    fn to(&self) -> Option<Form> {
        self.to
    }

    fn summary(&self, tally: &Tally) -> String {
        let (deduced, searched) = match self.alone {
            true => ("", "solved"),
            false => ("by deduction", "needed search"),
        };
        tally.sentence(
            None,
            &[
                (tally.deduced, deduced),
                (tally.searched, searched),
                (tally.several, "with other solutions"),
                (tally.impossible, "without a solution"),
            ],
        )
    }
}

impl Solve {
    /// Rules first, then the search; or the method alone.
    fn find(&self, tools: &mut Tools, grid: &Grid) -> Found {
        let limits = Limits { solutions: self.limit, work: self.method.budget, seed: 0 };
        let mut found = Found {
            after_rules: grid.clone(),
            report: None,
            answer: None,
            method: self.method.name,
            solutions: Vec::new(),
            others: false,
            is_refused: false,
            sentence: None,
            wrong: None,
        };
        if !self.method.suits(grid.layout()) {
            let name = self.method.name;
            let sentence = format!("method {name} knows classic layouts only");
            return Found { is_refused: true, sentence: Some(sentence), ..found };
        }
        if self.alone {
            found.answer = Some(tools.solver.solve(grid, &limits));
        } else {
            match self.reasoner.solve(&mut tools.workers, tools.solver.as_mut(), grid, &limits) {
                Ok(Solved { after_rules, report, answer }) => {
                    if self.reasoner.is_misled(grid, &report, &after_rules) {
                        let wrong = wrong_rule(&self.reasoner, &mut tools.workers, grid);
                        found.wrong = Some(wrong);
                    } else {
                        found.after_rules = after_rules;
                    }
                    found.report = Some(report);
                    found.answer = answer;
                }
                Err(refusal) => {
                    let sentence = Some(refusal.to_string());
                    return Found { is_refused: true, sentence, ..found };
                }
            }
        }
        match &found.answer {
            None if found.after_rules.is_solved() => {
                found.solutions.push(found.after_rules.clone());
            }
            None => {
                let why = contradiction(&self.reasoner, &mut tools.workers, grid);
                found.sentence = Some(format!("no solution ({})", why.unwrap_or_default()));
            }
            Some(answer) => {
                found.others = match answer.ending {
                    Ending::Complete => answer.solutions.len() > 1 && !self.all,
                    Ending::Enough => self.all || answer.solutions.len() > 1,
                    Ending::GaveUp => false,
                };
                let shown = if self.all { answer.solutions.len() } else { 1 };
                let shown = answer.solutions.iter().take(shown);
                found.solutions.extend(shown.map(|solution| filled(grid, solution)));
                found.sentence = self.nothing_found(answer);
                found.method = tools.solver.took().unwrap_or(self.method.name);
            }
        }
        if found.others && self.unique {
            found.solutions.clear();
            found.sentence = Some("more than one solution".to_string());
        }
        found
    }

    fn nothing_found(&self, answer: &Answer) -> Option<String> {
        let work = || thousands(answer.effort.work);
        answer.solutions.is_empty().then(|| match answer.ending {
            Ending::GaveUp => format!("no solution found in {} {}", work(), self.method.unit),
            _ => "no solution".to_string(),
        })
    }

    /// Counts a puzzle and says what is worth saying; its status.
    fn tell(
        &self,
        place: &Place,
        grid: &Grid,
        found: &Found,
        results: &mut Results,
    ) -> &'static str {
        let gave_up = found.answer.as_ref().is_some_and(|a| a.ending == Ending::GaveUp);
        let by_rules = found.answer.is_none() || found.after_rules.is_solved();
        let instances = found.report.as_ref().map_or(&[][..], |report| &report.cut_off);
        if let Some(cut_off) = cut_off(self.reasoner.rules(), instances) {
            results.complain(&format_args!("{}: {cut_off}", place.name()));
        }
        if let Some(wrong) = &found.wrong {
            results.tally.bad += 1;
            results.tally.misled += 1;
            results.complain(&format_args!("{}: {wrong}", place.name()));
        }
        if let Some(sentence) = &found.sentence {
            results.tally.bad += 1;
            // Whoever solves one puzzle wants to know where the mistake is.
            let is_none = place.alone && !found.others && !found.is_refused;
            let fault = if is_none { fault(grid) } else { None };
            let fault = fault.map_or(String::new(), |fault| format!("; {fault}"));
            results.complain(&format_args!("{}: {sentence}{fault}", place.name()));
            let (count, status) = match (found.others, gave_up) {
                _ if found.is_refused => (&mut results.tally.refused, "refused"),
                (true, _) => (&mut results.tally.several, "several"),
                (_, true) => (&mut results.tally.given_up, "given up"),
                _ => (&mut results.tally.impossible, "impossible"),
            };
            *count += 1;
            return status;
        }
        *(if by_rules { &mut results.tally.deduced } else { &mut results.tally.searched }) += 1;
        if found.others {
            results.tally.several += 1;
            if (place.alone && !self.quiet) || self.verbose {
                let what = if self.all { "stopped here: there may be" } else { "there are" };
                results.complain(&format_args!("{}: {what} other solutions", place.name()));
            }
            return "several";
        }
        if self.verbose {
            let how = match (&found.report, by_rules) {
                (Some(report), true) => self.used(report).hardest().unwrap_or("nothing to do"),
                _ => self.method.name,
            };
            results.complain(&format_args!("{}: solved, {how}", place.name()));
        }
        if found.solutions.len() > 1 { "several" } else { "solved" }
    }

    fn used<'a>(&'a self, report: &'a Report) -> Used<'a> {
        Used { rules: self.reasoner.rules(), firings: &report.firings }
    }

    fn write(
        &self,
        place: &Place,
        puzzle: &Puzzle,
        found: &Found,
        status: &str,
        results: &mut Results,
    ) {
        let (id, alphabet) = (puzzle.id.as_deref(), puzzle.alphabet);
        let mut place = *place;
        place.alone &= found.solutions.len() <= 1;
        let written = found.solutions.iter().map(|grid| record::signs(grid, alphabet));
        match record::form(self.to, &place) {
            Form::Json => {
                let solutions: Vec<String> = written.collect();
                let givens = record::givens(puzzle);
                let p1 = (!self.alone).then(|| record::signs(&found.after_rules, alphabet));
                let origin = origin(puzzle, &found.after_rules);
                let mut object = Record::new(&place, id, status);
                object.givens = Some(&givens);
                object.p1 = p1.as_deref();
                object.error = found.sentence.as_deref();
                object.p2 = solutions.first().map(String::as_str);
                object.origin = object.p2.map(|_| origin.as_str());
                object.solutions = self.all.then_some(&solutions);
                if let Some(report) = &found.report {
                    object = object.by(self.used(report), &report.cut_off);
                }
                if let Some(answer) = &found.answer {
                    object.method = Some(found.method);
                    object.guesses = Some(answer.effort.work);
                }
                record::put(&object, results);
            }
            Form::Csv => {
                let before = record::signs(&puzzle.grid, alphabet);
                let id = id.unwrap_or_default().to_string();
                let mut solutions: Vec<String> = written.collect();
                if solutions.is_empty() {
                    solutions.push(String::new());
                }
                for solution in solutions {
                    let fields = [id.clone(), before.clone(), solution, status.to_string()];
                    record::record(&fields, results);
                }
            }
            form => match &found.sentence {
                Some(sentence) => {
                    record::remark(form, &place, &format!("{}: {sentence}", place.name()), results);
                }
                None => {
                    for grid in &found.solutions {
                        record::grid(form, &place, id, grid, alphabet, results);
                    }
                }
            },
        }
    }
}

/// The object of a 9×9 grid of a list.
fn put_in_short(
    place: &Place,
    nine: &Nine,
    found: &InShort,
    used: Used,
    cut_off: &[usize],
    results: &mut Results,
) {
    let (givens, p1, p2) = (signs(nine), signs(&found.decided), signs(&found.digits));
    let mut origin = [b'g'; 81];
    for (sign, cell) in origin.iter_mut().zip(nine.iter().zip(&found.decided)) {
        match cell {
            (0, 0) => *sign = b's',
            (0, _) => *sign = b'r',
            _ => {}
        }
    }
    let status = if found.has_others { "several" } else { "solved" };
    let mut object = Record::new(place, None, status).by(used, cut_off);
    object.givens = std::str::from_utf8(&givens).ok();
    object.p1 = std::str::from_utf8(&p1).ok();
    object.p2 = std::str::from_utf8(&p2).ok();
    object.origin = std::str::from_utf8(&origin).ok();
    object.method = found.guesses.map(|_| "enumerate");
    object.guesses = found.guesses;
    record::put(&object, results);
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

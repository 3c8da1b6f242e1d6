//! Many puzzles, one after the other. What a thread needs is made once, and 81 signs go a short
//! way on which no grid is built.

use crate::board::Grid;
use crate::engine::{self, Deducer};
use crate::meaning::KnownBoards;
use crate::search::{Auto, Ending, Limits, Method, Workers};
use crate::text::{self, Alphabet, FastLines, Fault, Form, Hint};
use crate::trace;

use super::error::Error;
use super::rules::Rules;
use super::told::Outcome;

/// One thread's way through many puzzles with the same rules: [`Rules::batch`].
///
/// ```
/// use dokulog::{Outcome, Rules};
///
/// let rules = Rules::standard();
/// let mut batch = rules.batch();
/// let row = batch.deduce("12..34....21..43", false)?;
/// assert_eq!((row.outcome, row.digits), (Outcome::Solved, "1234341243212143"));
/// assert!(batch.deduce("11..34....21..43", false).is_err());
/// # Ok::<(), dokulog::Error>(())
/// ```
pub struct Batch<'a> {
    rules: &'a Rules,
    workers: Workers,
    fast: Option<FastLines>,
    digits: Vec<u8>,
    candidates: Vec<u8>,
}

/// What became of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Row<'a> {
    /// How it ended.
    pub outcome: Outcome,
    /// The digits decided, a sign for each cell and a dot for what is open.
    pub digits: &'a str,
    /// A sign for each digit of each cell, a dot where it is gone; empty unless asked for.
    pub candidates: &'a str,
    /// The hardest rule used.
    pub hardest: Option<&'a str>,
}

/// The solutions of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SolvedRow<'a> {
    /// How many there are: 0, 1, or 2 for several.
    pub solutions: usize,
    /// The first, a sign for each cell; empty if there is none.
    pub digits: &'a str,
    /// Whether the rules alone found it.
    pub by_rules: bool,
}

/// How hard a puzzle is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RatedRow<'a> {
    /// How the rules' run ended.
    pub outcome: Outcome,
    /// The hardest rule used.
    pub hardest: Option<&'a str>,
    /// The level of the hardest rule, a thousand times, and what it takes on that level.
    pub score: i64,
    /// The steps.
    pub steps: usize,
}

impl<'a> Batch<'a> {
    pub(super) fn new(rules: &'a Rules) -> Batch<'a> {
        Batch {
            rules,
            workers: rules.workers(),
            fast: FastLines::new(Alphabet::One),
            digits: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// What the rules alone decide, and the candidates left if asked for.
    pub fn deduce(&mut self, puzzle: &str, candidates: bool) -> Result<Row<'_>, Error> {
        self.digits.clear();
        self.candidates.clear();
        let rules = self.rules.rules();
        if !candidates && let Some(givens) = self.in_short(puzzle) {
            let mut decided = [0; 81];
            if let Some(worker) = self.rules.reasoner.nine(&mut self.workers) {
                let outcome = match worker.deduce_digits(&givens, &mut decided) {
                    Ok(trace::Outcome::Solved) => Some(Outcome::Solved),
                    Ok(trace::Outcome::Stuck) => Some(Outcome::Stuck),
                    _ => None,
                };
                if let Some(outcome) = outcome {
                    self.digits.extend(decided.map(sign));
                    let hardest = hardest(worker.firings());
                    let hardest = hardest.map(|i| rules.instances()[i].name.as_str());
                    return Ok(Row { outcome, digits: str(&self.digits), candidates: "", hardest });
                }
            }
        }
        let grid = one(puzzle)?;
        let (end, report) = self.rules.reasoner.deduce(&mut self.workers, &grid)?;
        text::write(&end, Form::Json, Alphabet::default(), &mut self.digits);
        if candidates {
            text::write(&end, Form::Cube, Alphabet::default(), &mut self.candidates);
            self.candidates.pop();
        }
        Ok(Row {
            outcome: report.outcome.into(),
            digits: str(&self.digits),
            candidates: str(&self.candidates),
            hardest: hardest(&report.firings).map(|i| rules.instances()[i].name.as_str()),
        })
    }

    /// The solution: by the rules, and a search of what they leave.
    pub fn solve(&mut self, puzzle: &str) -> Result<SolvedRow<'_>, Error> {
        self.digits.clear();
        if let Some(givens) = self.in_short(puzzle)
            && let Some(found) = self.rules.reasoner.solve_in_short(&mut self.workers, &givens)
        {
            self.digits.extend(found.digits.map(sign));
            let solutions = 1 + usize::from(found.has_others);
            let by_rules = found.guesses.is_none();
            return Ok(SolvedRow { solutions, digits: str(&self.digits), by_rules });
        }
        let grid = one(puzzle)?;
        let solved = self.rules.search(&mut self.workers, &grid)?;
        let solutions = solved.solutions();
        if solutions.len() < 2 && solved.ending() == Ending::GaveUp {
            return Err(Error::GivenUp);
        }
        if let Some(first) = solutions.first() {
            let full = crate::search::filled(&grid, first);
            text::write(&full, Form::Json, Alphabet::default(), &mut self.digits);
        }
        let by_rules = solved.answer.is_none();
        Ok(SolvedRow { solutions: solutions.len(), digits: str(&self.digits), by_rules })
    }

    /// How hard a puzzle is for someone with these rules.
    pub fn rate(&mut self, puzzle: &str) -> Result<RatedRow<'_>, Error> {
        let mut grid = one(puzzle)?;
        let worker = self.rules.reasoner.worker(&mut self.workers, &grid)?;
        let (start, rules) = (grid.clone(), self.rules.rules());
        let (report, trace) = worker.trace(&mut grid);
        let rating = engine::rate(rules, worker, &start, (&trace, &report.outcome));
        Ok(RatedRow {
            outcome: report.outcome.into(),
            hardest: rating.rule(rules).map(|instance| instance.name.as_str()),
            score: rating.score,
            steps: trace.len(),
        })
    }

    /// How many solutions there are, counted up to a limit.
    pub fn count(&mut self, puzzle: &str, limit: usize) -> Result<usize, Error> {
        let (count, has_more) = crate::search::count(&one(puzzle)?, limit);
        if has_more && count < limit { Err(Error::GivenUp) } else { Ok(count) }
    }

    /// The digits of a line of 81 signs.
    #[inline]
    fn in_short(&self, puzzle: &str) -> Option<[u8; 81]> {
        let line: &[u8; 81] = puzzle.as_bytes().try_into().ok()?;
        let mut digits = [0; 81];
        self.fast.as_ref()?.read(line, &mut digits).then_some(digits)
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.rules.give_back(std::mem::take(&mut self.workers));
    }
}

/// The limits of a search for one solution and a look for a second.
pub(super) fn limits() -> Limits {
    let work = Method::named("auto").map_or(u64::MAX, |method| method.budget);
    Limits { solutions: 2, work, seed: 0 }
}

impl Rules {
    /// A way through many puzzles; one for each thread.
    pub fn batch(&self) -> Batch<'_> {
        Batch::new(self)
    }

    pub(super) fn search(
        &self,
        workers: &mut Workers,
        grid: &Grid,
    ) -> Result<crate::search::Solved, Error> {
        Ok(self.reasoner.solve(workers, &mut Auto::default(), grid, &limits())?)
    }
}

/// The one puzzle of a text.
fn one(text: &str) -> Result<Grid, Error> {
    let boards = KnownBoards::default();
    let hint = Hint { boards: Some(&boards), ..Hint::default() };
    let mut items = text::read(text.as_bytes(), hint)?.into_iter();
    match (items.next(), items.next()) {
        (Some(item), None) => Ok(item?.grid),
        (None, _) => Err(Fault::whole("no puzzle found").into()),
        (Some(_), Some(_)) => Err(Fault::whole("several puzzles where one is asked for").into()),
    }
}

/// The last instance in firing order that fired.
fn hardest(firings: &[u64]) -> Option<usize> {
    firings.iter().rposition(|count| *count > 0)
}

fn sign(digit: u8) -> u8 {
    if digit == 0 { b'.' } else { b'0' + digit }
}

fn str(signs: &[u8]) -> &str {
    std::str::from_utf8(signs).unwrap_or_default()
}

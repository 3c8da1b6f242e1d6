//! What is said of grids that have no solution, or several.

use crate::board::{Candidate, Grid};
use crate::search::{Blame, Reasoner, Standing, count, differences, standing};
use crate::trace::{Outcome, Report, Words, counted};

use super::{Context, Failure, say};

/// Cells that are named, of those where two solutions differ.
const SHOWN: usize = 6;

/// Refuses a grid without a solution, and says what is to blame; what there is to say of one with
/// several.
pub(super) fn check(words: &Words, grid: &Grid, anyway: bool) -> Result<Option<String>, Failure> {
    match standing(grid) {
        Standing::Impossible(blame) if !anyway => {
            let offer =
                words.pick("--anyway goes on all the same", "--anyway continue malgré tout");
            Err(Failure::of_puzzle(format!("{} ({offer})", impossible(words, &blame))))
        }
        Standing::Several(first, second) => Ok(Some(several(words, &first, &second))),
        _ => Ok(None),
    }
}

/// Says on standard error that a grid has no solution, and what is to blame, for commands that
/// answer all the same.
pub(super) fn warn(words: &Words, grid: &Grid, context: &Context) {
    if context.quiet {
        return;
    }
    if let Standing::Impossible(blame) = standing(grid) {
        say(&format!("dokulog: {}", impossible(words, &blame)));
    }
}

fn impossible(words: &Words, blame: &Blame) -> String {
    let what = words.pick("this grid has no solution: ", "cette grille n'a pas de solution : ");
    format!("{what}{}", blamed(words, blame))
}

/// What is to blame for a grid without a solution.
pub(super) fn fault(grid: &Grid) -> Option<String> {
    match standing(grid) {
        Standing::Impossible(blame) => Some(blamed(&Words::plain(grid.layout().clone()), &blame)),
        _ => None,
    }
}

fn blamed(words: &Words, blame: &Blame) -> String {
    let names = |entries: &[Candidate]| entries.iter().map(|c| words.equal(*c)).collect();
    let all = |entries: &[Candidate]| words.list(names(entries));
    let (english, french) = match blame {
        Blame::AnyOf(entries) => match &entries[..] {
            [one] => {
                let one = words.equal(*one);
                (format!("without {one} there is one"), format!("sans {one} il y en a une"))
            }
            several => {
                let several = words.either(names(several));
                (format!("without {several} there is one"), format!("sans {several} il y en a une"))
            }
        },
        Blame::AllOf(entries) => {
            let all = all(entries);
            let (few, peu) = ("and not with fewer taken back", "et pas avec moins de retraits");
            (
                format!("without {all} there is one, {few}"),
                format!("sans {all} il y en a une, {peu}"),
            )
        }
        Blame::Together(entries) if entries.is_empty() => {
            let (none, aucune) = ("no full grid has this layout", "aucune grille n'a cette forme");
            (none.to_string(), aucune.to_string())
        }
        Blame::Together(entries) => {
            let all = all(entries);
            (format!("{all} cannot all be right"), format!("{all} ne peuvent pas être tous justes"))
        }
        Blame::CrossedOut(lost) => {
            let all = all(lost);
            (
                format!("the digits are right so far, but {all} must not be crossed out"),
                format!("les chiffres sont justes, mais {all} ne doit pas être barré"),
            )
        }
    };
    words.pick(english, french)
}

fn several(words: &Words, first: &[u8], second: &[u8]) -> String {
    let differ = differences(first, second);
    let one = |(cell, digits): &(_, [_; 2])| {
        let (cell, [a, b]) = (words.cell(*cell), digits);
        words.pick(format!("{cell} is {a} or {b}"), format!("{cell} vaut {a} ou {b}"))
    };
    let shown: Vec<String> = differ.iter().take(SHOWN).map(one).collect();
    let more = match differ.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => words.pick(
            format!(", and so on in {}", counted(more, "more cell", "more cells")),
            format!(", et ainsi de {}", counted(more, "case encore", "cases encore")),
        ),
    };
    words.pick(
        format!("This puzzle has several solutions: {}{more}.", shown.join(", ")),
        format!("Ce problème a plusieurs solutions : {}{more}.", shown.join(", ")),
    )
}

/// What became of a puzzle that only rules were to solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// Solved.
    Solved,
    /// There are other solutions, so no rules could solve it.
    Several,
    /// There is none.
    Impossible,
    /// A rule is wrong.
    Misled,
    /// Rules were cut off: nobody knows.
    CutOff,
    /// These rules do not solve it.
    Beyond,
}

impl Fate {
    /// Of a run that ended so. Those that are stuck are counted: it takes far less than the run.
    pub(super) fn of(reasoner: &Reasoner, start: &Grid, report: &Report, end: &Grid) -> Fate {
        match report.outcome {
            _ if reasoner.is_misled(start, report, end) => Fate::Misled,
            Outcome::Solved => Fate::Solved,
            Outcome::Contradiction { .. } => Fate::Impossible,
            Outcome::Stuck => match count(end, 2) {
                (2, _) => Fate::Several,
                (0, false) => Fate::Impossible,
                _ if !report.cut_off.is_empty() => Fate::CutOff,
                _ => Fate::Beyond,
            },
        }
    }

    /// In words, for those that are not solved.
    pub(super) fn name(self) -> &'static str {
        match self {
            Fate::Solved => "solved",
            Fate::Several => "several solutions",
            Fate::Impossible => "no solution",
            Fate::Misled => "misled by a wrong rule",
            Fate::CutOff => "not decided",
            Fate::Beyond => "beyond these rules",
        }
    }
}

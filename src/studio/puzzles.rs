//! Puzzles: read, checked against their solution, made, rated, and for print.

use serde_json::json;

use super::Answer;
use super::library::Library;
use super::position::{board, candidates, grid, words};
use super::request::{Board, Checked, Context, OfRule, Text, Wanted};
use super::rules::whole;
use super::steps::{Run, rating, run};
use crate::board::{Grid, Layout};
use crate::engine::Deducer;
use crate::generate::{Maker, Symmetry};
use crate::interface::Selector;
use crate::search::{Auto, Ending, Limits, Solver, has_one_solution};
use crate::text::{self, Hint};
use crate::trace::{Outcome, Rating, Speaker};

/// Puzzles shown of a file with many.
const SHOWN: usize = 500;
/// What a search for a solution may cost.
const WORK: u64 = 20_000_000;

/// The puzzles of a text, whatever its layout.
pub(super) fn read(asked: &Text) -> Answer {
    let items = text::read(asked.text.as_bytes(), Hint::default()).map_err(|fault| said(&fault))?;
    let (count, mut first_fault) = (items.len(), None);
    let mut puzzles = Vec::new();
    for item in items.into_iter().take(SHOWN) {
        match item {
            Ok(puzzle) => {
                let mut shown = json!(board(&puzzle.grid));
                shown["title"] = json!(puzzle.id.unwrap_or_default());
                puzzles.push(shown);
            }
            Err(fault) => first_fault = first_fault.or(Some(said(&fault))),
        }
    }
    match (puzzles.is_empty(), &first_fault) {
        (true, Some(fault)) => Err(fault.clone()),
        (true, None) => Err("no puzzle found".to_string()),
        _ => Ok(json!({ "puzzles": puzzles, "count": count, "fault": first_fault })),
    }
}

fn said(fault: &text::Fault) -> String {
    match fault.line {
        0 => fault.message.clone(),
        line => format!("line {line}: {}", fault.message),
    }
}

/// Which entries and marks go against the solution of the givens.
pub(super) fn check(asked: &Checked) -> Answer {
    let Board { size, givens, .. } = &asked.board;
    let givens =
        Board { size: *size, givens: givens.clone(), entries: Vec::new(), gone: Vec::new() };
    let limits = Limits { solutions: 2, work: WORK, seed: 0 };
    let found = Auto::default().solve(&grid(&givens)?, &limits);
    let solutions = match (found.solutions.len(), found.ending) {
        (0, Ending::GaveUp) => "unknown",
        (0, _) => "none",
        (1, Ending::Complete) => "one",
        _ => "several",
    };
    let mut wrong = Vec::new();
    let mut missing = Vec::new();
    if let ("one", Some(solution)) = (solutions, found.solutions.first()) {
        for (cell, &digit) in solution.iter().enumerate() {
            let entry = asked.board.entries.get(cell).copied().unwrap_or(0);
            let marks = asked.marks.get(cell).map(Vec::as_slice).unwrap_or_default();
            if entry > 0 && givens.givens[cell] == 0 && entry != digit {
                wrong.push(cell);
            }
            if entry == 0 && !marks.is_empty() && !marks.contains(&digit) {
                missing.push(cell);
            }
        }
        let gone =
            asked.board.gone.iter().filter(|(cell, digit)| {
                solution.get(*cell) == Some(digit) && !missing.contains(cell)
            });
        missing.extend(gone.map(|(cell, _)| *cell).collect::<Vec<_>>());
    }
    Ok(json!({ "solutions": solutions, "wrong": wrong, "missing": missing }))
}

/// How hard a board is with these rules.
pub(super) fn rate(library: &Library, context: &Context) -> Answer {
    let (shelf, grid) = (library.find(&context.rules), grid(&context.board)?);
    let Run { rules, story, .. } = run(&shelf, &grid)?;
    Ok(rating(&rules, &story, &words(&grid, context.language)))
}

/// The first of a few attempts that has the grade; each is the same for the same seed.
pub(super) fn generate(library: &Library, asked: &Wanted) -> Answer {
    let size = asked.size;
    let layout = Layout::classic(size)
        .filter(|_| size <= 9)
        .ok_or_else(|| format!("no puzzles of size {size} are made here"))?;
    let maker = Maker {
        seed: asked.seed,
        symmetry: Symmetry::HalfTurn,
        clues: None,
        add: false,
        solution: None,
        attempts: 1,
    };
    let of = |givens: &[u8]| Grid::from_givens(layout.clone(), givens).ok();
    let shelf = library.find(&asked.rules);
    let rules = shelf.reasoner.rules();
    for number in asked.from..asked.from.saturating_add(asked.attempts.min(SHOWN as u64)) {
        let is_unique = &mut |givens: &[u8]| of(givens).is_some_and(|g| has_one_solution(&g));
        let made = maker.puzzle(&layout, number, is_unique);
        let Some(grid) = made.as_deref().and_then(of) else { continue };
        let mut worker = shelf.reasoner.engine(&grid).map_err(|r| r.to_string())?.worker();
        let (report, trace) = worker.trace(&mut grid.clone());
        let steps = trace.iter().map(|step| (step.instance, 0));
        let rating = Rating::of(rules, steps, &report.outcome);
        let grade = (report.outcome == Outcome::Solved).then(|| rating.grade(rules).name());
        if asked.grade.as_deref().is_none_or(|wanted| grade == Some(wanted)) {
            return Ok(json!({ "board": board(&grid), "number": number, "grade": grade }));
        }
    }
    Ok(json!({ "board": null }))
}

/// The board right before the first use of a rule, its task and its answer.
pub(super) fn worksheet(library: &Library, asked: &OfRule) -> Answer {
    let context = &asked.context;
    let (shelf, grid) = (whole(library, &context.rules)?, grid(&context.board)?);
    let Run { rules, story, .. } = run(&shelf, &grid)?;
    let selector = Selector::parse(&asked.rule);
    selector.find(&rules).map_err(|refusal| refusal.to_string())?;
    let words = words(&grid, context.language);
    let used = story.steps.iter().position(|told_step| {
        let instance = &rules.instances()[told_step.account.found.instance];
        selector.matches(rules.rule(instance.rule), instance)
    });
    let Some(number) = used else {
        return Err(words.pick(
            format!("{} is not used on this puzzle", asked.rule),
            format!("{} n'est pas utilisée sur cette grille", asked.rule),
        ));
    };
    let told_step = &story.steps[number];
    let speaker = Speaker { rules: &rules, words: &words };
    let title = speaker.title(told_step.account.found.instance);
    Ok(json!({
        "number": number + 1,
        "task": words.pick(
            format!("Find the next step. Technique: {title}."),
            format!("Trouvez l'étape suivante. Technique : {title}."),
        ),
        "answer": speaker.sentence(&told_step.account, &told_step.before),
        "board": board(&told_step.before),
        "candidates": candidates(&told_step.before),
    }))
}

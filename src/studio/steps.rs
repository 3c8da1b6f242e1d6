//! Steps, hints, and why a candidate is there or gone.

use serde_json::{Value as Json, json};

use super::Answer;
use super::library::{BUDGET, Library, Shelf, options};
use super::position::{self, candidate, grid, words};
use super::request::{Context, OfCandidate};
use super::shown::{changes, step};
use crate::board::{Candidate, Grid};
use crate::engine::{Deducer, Naive, account, tell};
use crate::language::{Head, Origin, RuleSet};
use crate::search::Reasoner;
use crate::trace::{
    Account, Grounds, Marks, Outcome, Rating, Speaker, Story, Words, outcome as said_outcome,
};

/// A run, and the rules that made it.
pub(super) struct Run {
    pub rules: RuleSet,
    pub story: Story,
    /// The user's rules that tried too much and were left out.
    pub left_out: Vec<String>,
}

/// The run of a board with the rules of its context. A rule of the user's that tries too much takes
/// the others with it, so they run again without it.
pub(super) fn run(shelf: &Shelf, grid: &Grid) -> Result<Run, String> {
    let told = |reasoner: &Reasoner| {
        let engine = reasoner.engine(grid).map_err(|refusal| refusal.to_string())?;
        Ok::<_, String>(tell(reasoner.rules(), &mut engine.worker(), grid))
    };
    let story = told(&shelf.reasoner)?;
    match without_costly(shelf, &story.cut_off) {
        Some((reasoner, left_out)) => {
            let story = told(&reasoner)?;
            Ok(Run { rules: reasoner.rules().clone(), story, left_out })
        }
        None => Ok(Run { rules: shelf.reasoner.rules().clone(), story, left_out: Vec::new() }),
    }
}

/// The rules without those of the user's that were cut off, and their names.
fn without_costly(shelf: &Shelf, cut_off: &[usize]) -> Option<(Reasoner, Vec<String>)> {
    let rules = shelf.reasoner.rules();
    let instances = cut_off.iter().map(|&i| &rules.instances()[i]);
    let costly = instances.filter(|i| rules.rule(i.rule).origin == Origin::User);
    let costly: Vec<String> = costly.map(|instance| instance.name.clone()).collect();
    if costly.is_empty() {
        return None;
    }
    let fewer = rules.keep(|_, instance| !costly.contains(&instance.name));
    Some((Reasoner::new(fewer, options()), costly))
}

/// All steps, what each changes, and how it ends.
pub(super) fn all(library: &Library, context: &Context) -> Answer {
    let (shelf, grid) = (library.find(&context.rules), grid(&context.board)?);
    let Run { rules, story, left_out } = run(&shelf, &grid)?;
    let words = words(&grid, context.language);
    let mut told = told(&story, &rules, &words);
    told["rating"] = rating(&rules, &story, &words);
    told["left_out"] = json!(left_out);
    told["without_mine"] = json!(shelf.without_mine);
    Ok(told)
}

/// The steps of a story as a list, with its end.
fn told(story: &Story, rules: &RuleSet, words: &Words) -> Json {
    let speaker = Speaker { rules, words };
    let one = |(i, told_step): (usize, &crate::trace::ToldStep)| {
        let mut shown = step(&speaker, &told_step.account, &told_step.before);
        shown["number"] = json!(i + 1);
        shown["changes"] = changes(&told_step.before, story.after(i));
        shown
    };
    json!({
        "steps": story.steps.iter().enumerate().map(one).collect::<Vec<_>>(),
        "outcome": match story.outcome {
            Outcome::Solved => "solved",
            Outcome::Stuck => "stuck",
            Outcome::Contradiction { .. } => "contradiction",
        },
        "ending": said_outcome(words, story),
        "cut_off": story.cut_off.iter().map(|&i| &rules.instances()[i].name).collect::<Vec<_>>(),
    })
}

/// Grade, hardest technique and score; no grade where the rules do not solve it.
pub(super) fn rating(rules: &RuleSet, story: &Story, words: &Words) -> Json {
    let steps = story.steps.iter().map(|step| (step.account.found.instance, step.account.nested()));
    let rating = Rating::of(rules, steps, &story.outcome);
    let hardest = rating.hardest.map(|i| Speaker { rules, words }.title(i));
    let grade = (story.outcome == Outcome::Solved).then(|| rating.grade(rules).name());
    json!({
        "grade": grade,
        "hardest": hardest,
        "score": rating.score,
        "steps": story.steps.len(),
    })
}

/// The next step in four degrees; a sentence where there is none.
pub(super) fn hint(library: &Library, context: &Context) -> Answer {
    let (shelf, grid) = (library.find(&context.rules), grid(&context.board)?);
    let words = words(&grid, context.language);
    if grid.is_solved() {
        let said = words.pick("Every cell is placed.", "Toutes les cases sont placées.");
        return Ok(json!({ "none": said }));
    }
    if let Some(hole) = grid.hole() {
        let (said, cells) = position::hole(&grid, &words, hole);
        let said = words.pick(
            format!("Something is wrong already: {said}."),
            format!("Il y a déjà une erreur : {said}."),
        );
        return Ok(json!({ "none": said, "cells": cells }));
    }
    let (account, cut_off) = next(&shelf.reasoner, &grid)?;
    let fewer = if account.is_none() { without_costly(&shelf, &cut_off) } else { None };
    let (reasoner, left_out) = match &fewer {
        Some((reasoner, left_out)) => (reasoner, &left_out[..]),
        None => (&shelf.reasoner, &[][..]),
    };
    let account = if fewer.is_some() { next(reasoner, &grid)?.0 } else { account };
    let rules = reasoner.rules();
    let Some(account) = account else {
        let said = match cut_off.is_empty() {
            true => words.pick(
                "None of these rules applies here.",
                "Aucune de ces règles ne s'applique ici.",
            ),
            false => words.pick(
                "No rule applies, but some tried too much and were cut off.",
                "Aucune règle ne s'applique, mais certaines ont été interrompues.",
            ),
        };
        return Ok(json!({ "none": said }));
    };
    let speaker = Speaker { rules, words: &words };
    let marks = Marks::of(rules, &account, &grid);
    let house = words.house(marks.where_to_look(grid.layout()));
    let mut after = grid.clone();
    account.found.conclusion.apply(&mut after);
    let mut shown = step(&speaker, &account, &grid);
    shown["changes"] = changes(&grid, &after);
    Ok(json!({
        "where": words.pick(format!("Look at {house}."), format!("Regardez la {house}.")),
        "cells": words.cells(marks.tinted),
        "step": shown,
        "left_out": left_out,
    }))
}

/// The next step, and which instances were cut off on the way.
fn next(reasoner: &Reasoner, grid: &Grid) -> Result<(Option<Account>, Vec<usize>), String> {
    let mut worker = reasoner.engine(grid).map_err(|refusal| refusal.to_string())?.worker();
    let step = worker.next_step(grid);
    let account = step.and_then(|step| account(reasoner.rules(), &mut worker, &step, grid));
    Ok((account, worker.cut_off().to_vec()))
}

/// Why a candidate is gone, or when it will go.
pub(super) fn why(library: &Library, asked: &OfCandidate) -> Answer {
    let context = &asked.context;
    let (shelf, grid) = (library.find(&context.rules), grid(&context.board)?);
    let wanted = candidate(&grid, asked.cell, asked.digit)?;
    let words = words(&grid, context.language);
    if !grid.placed().contains(wanted.cell)
        && !grid.is_possible(wanted)
        && let Some(seen) = seen_from(&grid, wanted)
    {
        return Ok(json!({ "said": because_of(&words, &grid, wanted, seen), "cells": [seen] }));
    }
    let Run { rules, story, .. } = run(&shelf, &grid)?;
    let after = |i: usize| story.after(i);
    let changed = (0..story.steps.len()).find(|&i| match story.end.digit_at(wanted.cell) {
        Some(digit) if digit == wanted.digit => after(i).placed().contains(wanted.cell),
        _ => !after(i).is_possible(wanted),
    });
    let name = words.equal(wanted);
    let Some(number) = changed.filter(|_| grid.is_possible(wanted)) else {
        let said = match (grid.is_possible(wanted), grid.placed().contains(wanted.cell)) {
            (_, true) => words.pick("It is placed.", "C'est placé.").to_string(),
            (true, _) => words.pick(
                format!("{name} stays possible: these rules do not decide it."),
                format!("{name} reste possible : ces règles ne le décident pas."),
            ),
            (false, _) => words.pick(
                format!("{name} was taken away by hand or by an earlier step."),
                format!("{name} a été retiré à la main ou par une étape précédente."),
            ),
        };
        return Ok(json!({ "said": said }));
    };
    let grounds = Grounds::of(&rules, &story, &Naive::within(&rules, BUDGET));
    let speaker = Speaker { rules: &rules, words: &words };
    let told_step = &story.steps[number];
    let is_placed = story.end.digit_at(wanted.cell) == Some(wanted.digit);
    let said = match is_placed {
        true => words.pick(
            format!("{name} is the digit of this cell: step {} places it.", number + 1),
            format!("{name} est le chiffre de cette case : l'étape {} le place.", number + 1),
        ),
        false => words.pick(
            format!("{name} is still there, and goes with step {}.", number + 1),
            format!("{name} est encore là, et part à l'étape {}.", number + 1),
        ),
    };
    let rests_on: Vec<usize> = grounds.direct[number].iter().map(|step| step + 1).collect();
    Ok(json!({
        "said": said,
        "number": number + 1,
        "step": step(&speaker, &told_step.account, &told_step.before),
        "rests_on": rests_on,
    }))
}

/// A placed cell with the digit that sees the cell.
fn seen_from(grid: &Grid, wanted: Candidate) -> Option<usize> {
    let peers = *grid.layout().peers(wanted.cell);
    (peers & grid.placed() & grid.plane(wanted.digit)).first().map(|cell| cell.index())
}

fn because_of(words: &Words, grid: &Grid, wanted: Candidate, seen: usize) -> String {
    let layout = grid.layout();
    let other = crate::board::Cell::at(seen);
    let both = layout.houses_of(wanted.cell) & layout.houses_of(other);
    let house = both.first().map(|house| words.house(house)).unwrap_or_default();
    let (cell, name, digit) = (words.cell(wanted.cell), words.cell(other), wanted.digit);
    words.pick(
        format!("{cell} is not {digit}: {name} is, and both are in {house}."),
        format!("{cell} ne vaut pas {digit} : {name} le vaut déjà, dans la {house}."),
    )
}

/// What follows from a digit by singles alone. Nothing of it is kept.
pub(super) fn suppose(library: &Library, asked: &OfCandidate) -> Answer {
    let context = &asked.context;
    let (shelf, mut grid) = (library.find(&context.rules), grid(&context.board)?);
    let wanted = candidate(&grid, asked.cell, asked.digit)?;
    let words = words(&grid, context.language);
    if !grid.is_possible(wanted) {
        return Err(words.pick(
            format!("{} is gone already", words.equal(wanted)),
            format!("{} n'est déjà plus possible", words.equal(wanted)),
        ));
    }
    let before = grid.clone();
    grid.place(wanted);
    let singles = shelf.all.keep(|rule, _| {
        !rule.assumes_unique
            && rule
                .clauses
                .iter()
                .all(|clause| clause.heads.iter().all(|head| matches!(head, Head::Place(..))))
    });
    let reasoner = Reasoner::new(singles, options());
    let engine = reasoner.engine(&grid).map_err(|refusal| refusal.to_string())?;
    let story = tell(reasoner.rules(), &mut engine.worker(), &grid);
    let hole = story.end.hole().map(|hole| position::hole(&story.end, &words, hole));
    let mut told = told(&story, reasoner.rules(), &words);
    told["first"] = changes(&before, &grid);
    told["problem"] = json!(hole.as_ref().map(|(said, _)| said));
    told["problem_cells"] = json!(hole.map(|(_, cells)| cells).unwrap_or_default());
    Ok(told)
}

//! A run as numbered lines of text.

use std::fmt::Write;
use std::ops::Range;

use crate::board::Hole;

use super::picture::wrap;
use super::sentence::Speaker;
use super::step::Outcome;
use super::story::{Story, Telling};
use super::words::Words;

const WIDTH: usize = 92;

/// The steps of a range, counted from 0, numbered from 1. With `brief`, placements that follow
/// one another are folded into one paragraph.
pub fn listing(speaker: &Speaker, story: &Story, range: Range<usize>, brief: bool) -> String {
    let mut text = String::new();
    let end = range.end;
    let mut next = range.start;
    while next < end {
        let single = |i: &usize| is_single(&story.steps[*i]);
        let folded = (next..end).take_while(|i| brief && single(i)).count();
        if folded > 1 {
            text.push_str(&fold(speaker, story, next..next + folded));
            next += folded;
        } else {
            text.push_str(&one(speaker, next + 1, &story.steps[next]));
            next += 1;
        }
    }
    text
}

/// Whether a step does no more than place one digit.
fn is_single(telling: &Telling) -> bool {
    let conclusion = &telling.proof.found.conclusion;
    conclusion.places.len() == 1 && conclusion.eliminates.is_empty() && !conclusion.contradiction
}

/// One step: title and reason, the links of a chain, the effects.
pub fn one(speaker: &Speaker, number: usize, telling: &Telling) -> String {
    let Telling { before, proof } = telling;
    let title = speaker.title(proof.found.instance);
    let reason = speaker.reason(proof, before);
    let number = format!("{number:>3}. ");
    let mut text = paragraph(&number, &format!("{title}{}{reason}.", speaker.words.colon()));
    for link in speaker.chain(proof, before) {
        let _ = writeln!(text, "       {link}");
    }
    let effects = speaker.words.effects(&proof.found.conclusion);
    text.push_str(&paragraph("     ", &format!("→ {effects}")));
    text
}

/// Placements in a row: how many by each technique, and what they place.
fn fold(speaker: &Speaker, story: &Story, range: Range<usize>) -> String {
    let mut techniques: Vec<(String, usize)> = Vec::new();
    let mut placed = Vec::new();
    for telling in &story.steps[range.clone()] {
        let title = speaker.title(telling.proof.found.instance);
        match techniques.iter_mut().find(|(t, _)| *t == title) {
            Some((_, count)) => *count += 1,
            None => techniques.push((title, 1)),
        }
        placed.push(speaker.words.effects(&telling.proof.found.conclusion));
    }
    let techniques: Vec<String> =
        techniques.iter().map(|(title, count)| format!("{title} × {count}")).collect();
    let number = format!("{:>3}–{}. ", range.start + 1, range.end);
    let mut text = paragraph(&number, &format!("{}.", techniques.join(", ")));
    text.push_str(&paragraph("     ", &format!("→ {}", placed.join(", "))));
    text
}

/// Lines of a bearable length, all but the first indented like the first.
fn paragraph(first: &str, text: &str) -> String {
    let indent = " ".repeat(first.chars().count().min(5));
    let mut out = String::new();
    for (i, line) in wrap(text, WIDTH - indent.len()).iter().enumerate() {
        let start = if i == 0 { first } else { &indent };
        let _ = writeln!(out, "{start}{line}");
    }
    out
}

/// How a run ended, in one sentence.
pub fn outcome(words: &Words, story: &Story) -> String {
    let steps = story.steps.len();
    let left = story.end.unsolved().len();
    match &story.outcome {
        Outcome::Solved => {
            let count =
                words.pick(counted(steps, "step", "steps"), counted(steps, "étape", "étapes"));
            words.pick(format!("Solved in {count}."), format!("Résolu en {count}."))
        }
        Outcome::Stuck => {
            let why = match story.cut_off.is_empty() {
                true => words.pick(
                    "and no rule has anything left to say",
                    "et aucune règle n'a plus rien à dire",
                ),
                false => words.pick(
                    "but rules were cut off, and more may follow from them",
                    "mais des règles ont été interrompues : la suite pourrait en venir",
                ),
            };
            words.pick(
                format!(
                    "Stuck after {}: {} open, {why}.",
                    counted(steps, "step", "steps"),
                    counted(left, "cell is", "cells are"),
                ),
                format!(
                    "Bloqué après {} : {} à trouver, {why}.",
                    counted(steps, "étape", "étapes"),
                    counted(left, "case reste", "cases restent"),
                ),
            )
        }
        Outcome::Contradiction { hole, .. } => {
            let why = match hole {
                Some(Hole::Cell(cell)) => {
                    let cell = words.cell(*cell);
                    words.pick(
                        format!("no candidate is left in {cell}"),
                        format!("il ne reste aucun candidat en {cell}"),
                    )
                }
                Some(Hole::House(house, digit)) => {
                    let house = words.house(*house);
                    words.pick(
                        format!("{digit} has no spot left in {house}"),
                        format!("{digit} n'a plus de place dans la {house}"),
                    )
                }
                None => words.pick("a rule excludes it", "une règle l'exclut").to_string(),
            };
            words.pick(
                format!("Contradiction after {}: {why}.", counted(steps, "step", "steps")),
                format!("Contradiction après {} : {why}.", counted(steps, "étape", "étapes")),
            )
        }
    }
}

/// `1 step`, `2 steps`
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

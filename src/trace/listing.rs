//! A run as numbered lines of text.

use std::fmt::Write;
use std::ops::Range;

use super::picture::wrap;
use super::sentence::Speaker;
use super::step::Outcome;
use super::story::{Story, ToldStep};
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
            let label = format!("{:>3}", next + 1);
            step(speaker, &label, (&story.steps[next], 0), brief, &mut text);
            next += 1;
        }
    }
    text
}

/// Whether a step does no more than place one digit.
fn is_single(told_step: &ToldStep) -> bool {
    let conclusion = &told_step.account.found.conclusion;
    conclusion.places.len() == 1 && conclusion.eliminates.is_empty() && !conclusion.contradiction
}

/// One step under its label, so many levels deep. With `brief`, the steps under hypotheses are
/// only counted.
fn step(
    speaker: &Speaker,
    label: &str,
    (told_step, depth): (&ToldStep, usize),
    brief: bool,
    text: &mut String,
) {
    let ToldStep { before, account } = told_step;
    let words = speaker.words;
    let title = speaker.title(account.found.instance);
    let reason = speaker.reason(account, before);
    let margin = " ".repeat(5 * depth);
    let first = format!("{margin}{label}. ");
    let inner = format!("{margin}     ");
    text.push_str(&paragraph(&first, &inner, &format!("{title}{}{reason}.", words.colon())));
    for link in speaker.chain(account, before) {
        let _ = writeln!(text, "{margin}       {link}");
    }
    let mut number = 0;
    for branch in account.branches.iter().filter(|_| !brief) {
        let supposed = words.hypothesis(&branch.hypothesis);
        let suppose = words.pick("Suppose", "Supposons");
        let _ = writeln!(text, "{inner}{suppose} {supposed}{}", words.colon().trim_end());
        let rules = speaker.rules.below(branch.hypothesis.below);
        let under = Speaker { rules: &rules, words };
        for told_step in &branch.steps {
            number += 1;
            let label = format!("{}.{number}", label.trim_start());
            step(&under, &label, (told_step, depth + 1), brief, text);
        }
        if let Some(so) = words.so(branch) {
            text.push_str(&paragraph(&inner, &inner, &so));
        }
    }
    if brief && !account.branches.is_empty() {
        let (branches, steps) = (account.branches.len(), account.nested());
        let counted = words.pick(
            format!(
                "{} under {}",
                counted(steps, "step", "steps"),
                counted(branches, "hypothesis", "hypotheses")
            ),
            format!(
                "{} sous {}",
                counted(steps, "étape", "étapes"),
                counted(branches, "hypothèse", "hypothèses")
            ),
        );
        let _ = writeln!(text, "{inner}({counted})");
    }
    let effects = words.effects(&account.found.conclusion);
    text.push_str(&paragraph(&inner, &inner, &format!("→ {effects}")));
}

/// Placements in a row: how many by each technique, and what they place.
fn fold(speaker: &Speaker, story: &Story, range: Range<usize>) -> String {
    let mut techniques: Vec<(String, usize)> = Vec::new();
    let mut placed = Vec::new();
    for told_step in &story.steps[range.clone()] {
        let title = speaker.title(told_step.account.found.instance);
        match techniques.iter_mut().find(|(t, _)| *t == title) {
            Some((_, count)) => *count += 1,
            None => techniques.push((title, 1)),
        }
        placed.push(speaker.words.effects(&told_step.account.found.conclusion));
    }
    let techniques: Vec<String> =
        techniques.iter().map(|(title, count)| format!("{title} × {count}")).collect();
    let number = format!("{:>3}–{}. ", range.start + 1, range.end);
    let inner = "     ";
    let mut text = paragraph(&number, inner, &format!("{}.", techniques.join(", ")));
    text.push_str(&paragraph(inner, inner, &format!("→ {}", placed.join(", "))));
    text
}

/// Lines of a bearable length, each but the first behind `inner`.
fn paragraph(first: &str, inner: &str, text: &str) -> String {
    let mut out = String::new();
    let width = WIDTH.saturating_sub(inner.len()).max(WIDTH / 2);
    for (i, line) in wrap(text, width).iter().enumerate() {
        let start = if i == 0 { first } else { inner };
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
                Some(hole) => words.hole(*hole),
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

//! Steps and their marks as the page draws them.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::position::pairs;
use crate::board::{Candidate, Digit, Grid};
use crate::language::{Line, RuleSet};
use crate::meaning::Supposed;
use crate::trace::{
    self, Account, Branch, Marks, Meeting, Speaker, ToldStep, Value, Words, meeting,
};

/// A house to be outlined.
#[derive(Serialize)]
struct Outlined {
    name: String,
    cells: Vec<usize>,
    /// Whether the argument starts from it; else it ends there.
    starts: bool,
}

/// A link of a chain.
#[derive(Serialize)]
struct Link {
    from: (usize, usize),
    to: (usize, usize),
    /// Several candidates at one of its ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<Vec<(usize, usize)>>,
    /// `strong`, `weak` or `group`.
    line: &'static str,
    /// One of the two is true.
    strong: bool,
    /// The house of both, or nothing where they share a cell.
    house: Option<String>,
}

/// A variable of the rule and what it stands for.
#[derive(Serialize)]
struct Bound {
    name: String,
    value: String,
    /// The cell, if it is one.
    cell: Option<usize>,
}

/// A step or a match, with all that is drawn and said of it.
pub(super) fn step(speaker: &Speaker, account: &Account, before: &Grid) -> Json {
    let (rules, words) = (speaker.rules, speaker.words);
    let instance = &rules.instances()[account.found.instance];
    let rule = rules.rule(instance.rule);
    let conclusion = &account.found.conclusion;
    let marks = Marks::of(rules, account, before);
    let layout = before.layout();
    let outlined = marks.outlined.iter().enumerate().map(|(i, &house)| Outlined {
        name: words.house(house),
        cells: layout.cells(house).iter().map(|cell| cell.index()).collect(),
        starts: i < marks.starting,
    });
    let painted: Vec<_> = marks
        .painted
        .iter()
        .map(|(c, paint)| (c.cell.index(), c.digit.number(), paint.name()))
        .collect();
    let framed: Vec<_> =
        marks.framed.iter().map(|(cell, paint)| (cell.index(), paint.name())).collect();
    json!({
        "rule": rule.name,
        "instance": instance.name,
        "title": speaker.title(account.found.instance),
        "level": instance.level,
        "reason": speaker.reason(account, before),
        "effects": words.effects(conclusion),
        "request": words.request(conclusion),
        "facts": facts(words, account),
        "places": pairs(&conclusion.places),
        "eliminates": pairs(&conclusion.eliminates),
        "chain": speaker.chain(account, before),
        "variables": variables(rules, account, words),
        "branches": branches(speaker, account, before),
        "marks": {
            "houses": outlined.collect::<Vec<_>>(),
            "cells": marks.tinted.iter().map(|cell| cell.index()).collect::<Vec<_>>(),
            "rings": pairs(&marks.ringed),
            "out": pairs(&marks.struck),
            "place": pairs(&marks.boxed),
            "links": links(&marks, before, words),
            "painted": painted,
            "framed": framed,
        },
    })
}

/// The hypotheses of a step: what is supposed, the steps to which that leads, what they come to,
/// and what they change.
fn branches(speaker: &Speaker, account: &Account, before: &Grid) -> Vec<Json> {
    let words = speaker.words;
    let branch = |branch: &Branch| {
        let rules = speaker.rules.below(branch.hypothesis.below);
        let under = Speaker { rules: &rules, words };
        let step = |ToldStep { before, account }: &ToldStep| {
            json!({
                "title": under.title(account.found.instance),
                "reason": under.reason(account, before),
                "effects": words.effects(&account.found.conclusion),
                "places": pairs(&account.found.conclusion.places),
                "branches": branches(&under, account, before),
            })
        };
        let first = branch.hypothesis.supposed.iter().filter_map(|supposed| match supposed {
            Supposed::Place(place) => Some((place.cell.index(), place.digit.number())),
            _ => None,
        });
        json!({
            "supposed": words.hypothesis(&branch.hypothesis),
            "first": first.collect::<Vec<_>>(),
            "steps": branch.steps.iter().map(step).collect::<Vec<_>>(),
            "so": words.so(branch),
            "gone": changes(before, &branch.end)["gone"],
        })
    };
    account.branches.iter().map(branch).collect()
}

/// The effects one by one: `r5c2=4`, `r4c5≠2/7`.
fn facts(words: &Words, account: &Account) -> Vec<String> {
    let effects = words.effects(&account.found.conclusion);
    effects.split(", ").filter(|effect| !effect.is_empty()).map(str::to_string).collect()
}

/// The links, in their order.
fn links(marks: &Marks, before: &Grid, words: &Words) -> Vec<Link> {
    let pair = |c: &Candidate| (c.cell.index(), c.digit.number());
    let all = |group: &BTreeSet<Candidate>| group.iter().map(pair).collect();
    let link = |link: &trace::Link| {
        let (from, to) = link.ends(before.layout())?;
        let house = match meeting(before, from, to) {
            Some(Meeting::House(house)) => Some(words.house(house)),
            _ => None,
        };
        Some(Link {
            from: pair(&from),
            to: pair(&to),
            groups: [&link.from, &link.to].into_iter().filter(|g| g.len() > 1).map(all).collect(),
            line: link.line.name(),
            strong: link.line == Line::Strong,
            house,
        })
    };
    marks.links.iter().filter_map(link).collect()
}

fn variables(rules: &RuleSet, account: &Account, words: &Words) -> Vec<Bound> {
    let rule = rules.rule_of(account.found.instance);
    let variables =
        rule.clauses[account.found.clause].variables.iter().zip(&account.found.bindings);
    let named = variables.filter(|(variable, value)| {
        variable.name != "_" && variable.kind == value.kind() && !is_whole_kind(words, value)
    });
    let bound = named.map(|(variable, value)| Bound {
        name: variable.name.clone(),
        value: words.value(value),
        cell: if let Value::Cell(cell) = value { Some(cell.index()) } else { None },
    });
    bound.collect()
}

/// Such as all rows: not worth naming.
pub(super) fn is_whole_kind(words: &Words, value: &Value) -> bool {
    matches!(value, Value::Houses(houses) if houses.len() >= words.layout.size())
}

/// What goes and what comes from one state to the next.
pub(super) fn changes(before: &Grid, after: &Grid) -> Json {
    let (mut gone, mut placed) = (Vec::new(), Vec::new());
    for cell in before.unsolved() {
        match after.digit_at(cell).filter(|_| after.placed().contains(cell)) {
            Some(digit) => placed.push((cell.index(), digit.number())),
            None => {
                let went = before.candidates(cell) - after.candidates(cell);
                gone.extend(went.iter().map(|digit: Digit| (cell.index(), digit.number())));
            }
        }
    }
    json!({ "gone": gone, "placed": placed })
}

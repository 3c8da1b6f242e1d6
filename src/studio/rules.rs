//! What a rule does on this board: where it fires, why it does not, and what a goal answers.

use std::collections::HashSet;

use serde_json::{Value as Json, json};

use super::Answer;
use super::library::{BUDGET, Library, Shelf, options};
use super::position::{grid, pairs, words};
use super::request::{Choice, Context, Goal, Listing, OfRule};
use super::shown::{is_whole_kind, step};
use crate::board::{Grid, Layout};
use crate::engine::naive::each_answer;
use crate::engine::near::{first_without_answer, near_miss};
use crate::engine::{Deducer, Engine, Naive, Options};
use crate::interface::Selector;
use crate::language::{Origin, Rule, RuleSet, one_line, query as checked_query};
use crate::proof::known;
use crate::text;
use crate::trace::{Conclusion, Speaker, Value, Words};

/// Matches and answers shown of many.
const SHOWN: usize = 100;

/// The instances of one rule, by its name. A rule that assumes one solution is only looked at.
pub(super) fn chosen(library: &Library, choice: &Choice, name: &str) -> Result<RuleSet, String> {
    let (shelf, selector) = (whole(library, choice)?, Selector::parse(name));
    selector.find(&shelf.all).map_err(|refusal| refusal.to_string())?;
    Ok(shelf.all.keep(|rule, instance| selector.matches(rule, instance)))
}

/// The rules of a choice whose own text must have no errors.
pub(super) fn whole(library: &Library, choice: &Choice) -> Result<std::sync::Arc<Shelf>, String> {
    let shelf = library.find(choice);
    match shelf.without_mine {
        true => Err("the rule text has errors".to_string()),
        false => Ok(shelf),
    }
}

/// Every match that changes something, and how many there are.
pub(super) fn matches(library: &Library, asked: &OfRule) -> Answer {
    let rules = chosen(library, &asked.context.rules, &asked.rule)?;
    let grid = grid(&asked.context.board)?;
    let words = words(&grid, asked.context.language);
    let looking = Options { assume_unique: true, ..options() };
    let engine = Engine::with(&rules, grid.layout(), looking);
    let mut worker = engine.map_err(|refusal| refusal.to_string())?.worker();
    let naive = Naive::within(&rules, BUDGET);
    let speaker = Speaker { rules: &rules, words: &words };
    let (mut shown, mut count) = (Vec::new(), 0);
    let mut seen: HashSet<(usize, Conclusion)> = HashSet::new();
    for instance in 0..rules.instances().len() {
        for found in worker.matches(instance, &grid) {
            let is_new = seen.insert((instance, found.conclusion.clone()));
            if found.conclusion.is_empty() || !is_new {
                continue;
            }
            count += 1;
            if shown.len() < SHOWN {
                shown.push(step(&speaker, &naive.account(found, &grid), &grid));
            }
        }
    }
    let cut_off = !worker.cut_off().is_empty();
    Ok(json!({ "count": count, "matches": shown, "cut_off": cut_off }))
}

/// The first condition without an answer, and the closest match with what stands in its way.
pub(super) fn why_not(library: &Library, asked: &OfRule) -> Answer {
    let rules = chosen(library, &asked.context.rules, &asked.rule)?;
    let grid = grid(&asked.context.board)?;
    let words = words(&grid, asked.context.language);
    let one = |instance: usize| why_not_one(&rules, instance, &grid, &words);
    Ok(json!({ "instances": (0..rules.instances().len()).map(one).collect::<Vec<_>>() }))
}

fn why_not_one(rules: &RuleSet, instance: usize, grid: &Grid, words: &Words) -> Json {
    let rule = rules.rule_of(instance);
    let line = |span| one_line(rules.text(span));
    let first = (0..rule.clauses.len()).find_map(|clause| {
        let first = first_without_answer(rules, instance, clause, grid, &[])?;
        Some(line(rule.clauses[clause].body[first].span))
    });
    let near = near_miss(rules, instance, grid, &[]).map(|near| {
        let variables = rule.clauses[near.clause].variables.iter().zip(&near.bindings);
        let named = variables.filter(|(variable, value)| {
            variable.name != "_" && variable.kind == value.kind() && !is_whole_kind(words, value)
        });
        let named: Vec<String> =
            named.map(|(v, value)| format!("{} = {}", v.name, words.value(value))).collect();
        let gone = Conclusion { eliminates: near.needs.clone(), ..Conclusion::default() };
        json!({
            "bindings": named.join(", "),
            "fails_at": near.failing.iter().map(|&span| line(span)).collect::<Vec<_>>(),
            "without": words.effects(&gone),
            "needs": pairs(&near.needs),
            "then": words.effects(&near.conclusion),
        })
    });
    let title = Speaker { rules, words }.title(instance);
    json!({ "instance": rules.instances()[instance].name, "title": title,
            "first_without_answer": first, "closest": near })
}

/// The answers to a goal, with the cells that each names.
pub(super) fn query(library: &Library, asked: &Goal) -> Answer {
    let Context { board, rules, language } = &asked.context;
    let (shelf, grid) = (whole(library, rules)?, grid(board)?);
    let clause = checked_query(&asked.goal, &shelf.all).map_err(|(_, diagnostics)| {
        diagnostics.first().map_or_else(
            || "this goal has a mistake".to_string(),
            |first| match &first.help {
                Some(help) => format!("{}: {help}", first.message),
                None => first.message.clone(),
            },
        )
    })?;
    let words = words(&grid, *language);
    let named = (0..clause.variables.len()).filter(|&v| !clause.variables[v].name.starts_with('_'));
    let named: Vec<usize> = named.collect();
    let (mut seen, mut answers, mut more) = (HashSet::new(), Vec::new(), false);
    let cut_off = each_answer(&clause, &shelf.all, &grid, BUDGET, &mut |bindings| {
        let is_bound = |v: usize| bindings[v].kind() == clause.variables[v].kind;
        let bound = named.iter().filter(|&&v| is_bound(v)).map(|&v| (v, bindings[v]));
        let answer: Vec<(usize, Value)> = bound.collect();
        if seen.insert(answer.clone()) {
            more = answers.len() == SHOWN;
            if !more {
                answers.push(answer);
            }
        }
        !more
    });
    let shown = |answer: &Vec<(usize, Value)>| {
        let one = |(v, value): &(usize, Value)| {
            format!("{} = {}", clause.variables[*v].name, words.term(value))
        };
        let text = match answer.is_empty() {
            true => "true".to_string(),
            false => answer.iter().map(one).collect::<Vec<_>>().join(", "),
        };
        let cells = answer.iter().flat_map(|(_, value)| cells(value));
        json!({ "text": text, "cells": cells.collect::<Vec<_>>() })
    };
    let answers: Vec<Json> = answers.iter().map(shown).collect();
    Ok(json!({ "answers": answers, "more": more, "cut_off": cut_off }))
}

fn cells(value: &Value) -> Vec<usize> {
    match value {
        Value::Cell(cell) => vec![cell.index()],
        Value::Cells(cells) => cells.iter().map(|cell| cell.index()).collect(),
        _ => Vec::new(),
    }
}

/// All rules, in the order in which they fire, with their texts.
pub(super) fn list(library: &Library, asked: &Listing) -> Answer {
    let shelf = library.find(&asked.rules);
    let nine = Layout::classic(9).ok_or("there is no size 9")?;
    let words = words(&Grid::empty(nine), asked.language);
    let mut named: Vec<&str> = Vec::new();
    let mut listed = Vec::new();
    for instance in shelf.all.instances() {
        let rule = shelf.all.rule(instance.rule);
        if !named.contains(&rule.name.as_str()) {
            named.push(&rule.name);
            listed.push(entry(&shelf.all, rule, &words));
        }
    }
    Ok(json!({ "rules": listed, "without_mine": shelf.without_mine }))
}

fn entry(rules: &RuleSet, rule: &Rule, words: &Words) -> Json {
    let speaker = Speaker { rules, words };
    let instances = rules.instances().iter().enumerate();
    let own: Vec<Json> = instances
        .filter(|(_, instance)| rules.rule(instance.rule).name == rule.name)
        .map(|(number, instance)| {
            let verdict = known(rules, instance).map(|verdict| verdict.code());
            json!({ "name": instance.name, "title": speaker.title(number),
                    "level": instance.level, "verdict": verdict })
        })
        .collect();
    let line = |line: &str| format!("{}\n", format!("% {line}").trim_end());
    let comment: String = rule.comment.lines().map(line).collect();
    json!({
        "name": rule.name,
        "origin": match rule.origin {
            Origin::Standard => "standard",
            Origin::Extended => "extended",
            Origin::Forcing => "forcing",
            _ => "mine",
        },
        "unique": rule.assumes_unique,
        "text": format!("{comment}{}\n", rules.text(rule.block)),
        "instances": own,
        "examples": examples(rules, rule),
    })
}

/// How many of a rule's examples hold, and how many there are.
fn examples(rules: &RuleSet, rule: &Rule) -> (usize, usize) {
    if rule.origin != Origin::User {
        return (rule.examples.len(), rule.examples.len());
    }
    let own = rules.keep(|other, _| other.name == rule.name);
    let naive = Naive::within(&own, BUDGET);
    let holds = |example: &&crate::language::Example| {
        let items = text::read(example.grid.as_bytes(), text::Hint::default());
        let Ok([Ok(puzzle)]) = items.as_deref() else { return false };
        let mut places = example.places.clone();
        let mut eliminates = example.eliminates.clone();
        places.sort_unstable();
        eliminates.sort_unstable();
        (0..own.instances().len()).any(|instance| {
            let found = naive.matches_within_budget(instance, &puzzle.grid).0;
            found.iter().any(|m| {
                m.conclusion.places.iter().map(|c| (c.cell, c.digit)).eq(places.iter().copied())
                    && (m.conclusion.eliminates.iter().map(|c| (c.cell, c.digit)))
                        .eq(eliminates.iter().copied())
            })
        })
    };
    (rule.examples.iter().filter(holds).count(), rule.examples.len())
}

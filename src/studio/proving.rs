//! Is a rule sound? The verdict, and a board that shows the mistake.

use serde_json::{Value as Json, json};

use super::Answer;
use super::library::{BUDGET, Library};
use super::position::{board, words};
use super::request::Proving;
use super::rules::chosen;
use super::shown::step;
use crate::board::Layout;
use crate::engine::Naive;
use crate::language::{RuleSet, one_line};
use crate::proof::{Claim, Counterexample, Options, judge, sentence};
use crate::trace::{Speaker, Words};

/// The verdict on one instance, on 9×9.
pub(super) fn prove(library: &Library, asked: &Proving) -> Answer {
    let rules = chosen(library, &asked.rules, &asked.rule)?;
    let nine = Layout::classic(9).ok_or("there is no size 9")?;
    let Some(instance) = rules.instances().first() else {
        return Err(format!("{} has no instance", asked.rule));
    };
    let found = judge(&rules, 0, &nine, &Options::default());
    let words = words(&crate::board::Grid::empty(nine), asked.language);
    let shown = found.counterexample.as_ref();
    Ok(json!({
        "instance": instance.name,
        "verdict": found.verdict.code(),
        "said": found.verdict.in_words(),
        "reason": found.reason,
        "meanings": found.meanings,
        "questions": found.questions,
        "counterexample": shown.map(|shown| counterexample(&rules, shown, &words)),
    }))
}

fn counterexample(rules: &RuleSet, shown: &Counterexample, words: &Words) -> Json {
    let account = Naive::within(rules, BUDGET).account(shown.found.clone(), &shown.state);
    let clause = &rules.rule_of(shown.found.instance).clauses[shown.found.clause];
    let wrong = match shown.wrong {
        Claim::Place(c) | Claim::Eliminate(c) => Some((c.cell.index(), c.digit.number())),
        Claim::Contradiction => None,
    };
    json!({
        "board": board(&shown.state),
        "solution": shown.solution,
        "unique": shown.unique,
        "plain_marks": shown.plain_marks,
        "said": sentence(rules, words, shown),
        "wrong": wrong,
        "open": shown.state.layout().cell_count() - shown.state.given().len(),
        "conditions": clause.body.iter().map(|g| one_line(rules.text(g.span))).collect::<Vec<_>>(),
        "step": step(&Speaker { rules, words }, &account, &shown.state),
    })
}

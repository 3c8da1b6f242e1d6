//! Verdicts and counterexamples for people and for programs.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value as Json;

use crate::board::{Candidate, Cell, Cells, Grid};
use crate::engine::Naive;
use crate::language::RuleSet;
use crate::trace::json::At;
use crate::trace::record::state_line;
use crate::trace::{self, Account, Caption, Marks, Picture, Value, Words};

use super::counterexample::{Counterexample, puzzle_of};
use super::inquiry::Claim;
use super::verdict::Judgement;

/// A verdict as an object.
#[derive(Serialize)]
pub struct Shown<'a> {
    rule: &'a str,
    params: Json,
    verdict: &'static str,
    millis: f64,
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<ShownPuzzle>,
}

/// A counterexample as an object.
#[derive(Serialize)]
struct ShownPuzzle {
    puzzle: String,
    state: String,
    solution: String,
    clause: usize,
    line: usize,
    conclusion: Conclusion,
    bindings: Json,
}

/// What is wrong.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Conclusion {
    Place(At),
    Eliminate(At),
    Contradiction(bool),
}

/// One object: rule, params, verdict, millis and, where there are any, the reason and the
/// counterexample.
pub fn as_json<'a>(
    rules: &'a RuleSet,
    instance: usize,
    judgement: &Judgement,
    millis: f64,
) -> Shown<'a> {
    let chosen = &rules.instances()[instance];
    let counterexample = judgement.counterexample.as_ref();
    Shown {
        rule: &rules.rule(chosen.rule).name,
        params: trace::json::parameters(rules, chosen),
        verdict: judgement.verdict.code(),
        millis: (millis * 10.0).round() / 10.0,
        reason: judgement.reason.clone(),
        counterexample: counterexample.map(|shown| shown_puzzle(rules, shown)),
    }
}

fn shown_puzzle(rules: &RuleSet, shown: &Counterexample) -> ShownPuzzle {
    let layout = shown.state.layout();
    let rule = rules.rule_of(shown.found.instance);
    let clause = &rule.clauses[shown.found.clause];
    ShownPuzzle {
        puzzle: puzzle_line(shown),
        state: state_line(&shown.state),
        solution: line(&shown.solution),
        clause: shown.found.clause + 1,
        line: rules.line(clause.span),
        conclusion: match shown.wrong {
            Claim::Place(c) => Conclusion::Place(At::of(layout, c)),
            Claim::Eliminate(c) => Conclusion::Eliminate(At::of(layout, c)),
            Claim::Contradiction => Conclusion::Contradiction(true),
        },
        bindings: trace::json::bindings(layout, clause, &shown.found.bindings),
    }
}

/// The puzzle as one line, `.` for blanks.
fn puzzle_line(shown: &Counterexample) -> String {
    line(&puzzle_of(&shown.state).map(|puzzle| puzzle.digits()).unwrap_or_default())
}

fn line(numbers: &[u8]) -> String {
    let sign = |&number: &u8| match char::from_digit(u32::from(number), 36) {
        Some('0') | None => '.',
        Some(sign) => sign.to_ascii_uppercase(),
    };
    numbers.iter().map(sign).collect()
}

/// A counterexample in words, with the pencil marks around it.
pub fn as_text(rules: &RuleSet, shown: &Counterexample) -> String {
    let words = Words::plain(shown.state.layout().clone());
    let open = shown.state.layout().cell_count() - shown.state.given().len();
    let mut out = String::new();
    let _ = writeln!(out, "  {}", sentence(rules, &words, shown));
    let _ = writeln!(out, "  {}", bindings(rules, &words, shown));
    let solutions = if shown.unique { "one solution" } else { "several solutions" };
    let state = if shown.plain_marks {
        "the state is its pencil marks"
    } else {
        "in the state, other candidates are gone too; none of the solution's"
    };
    let _ = writeln!(out, "  A puzzle with {open} open cells and {solutions}; {state}:\n");
    for row in picture(shown).lines() {
        let _ = writeln!(out, "    {row}");
    }
    let _ = writeln!(out, "\n  puzzle    {}", puzzle_line(shown));
    let _ = writeln!(out, "  solution  {}", line(&shown.solution));
    out
}

/// What the rule concludes, and what the solution says; and by which clause, if it has several.
pub fn sentence(rules: &RuleSet, words: &Words, shown: &Counterexample) -> String {
    let clauses = &rules.rule_of(shown.found.instance).clauses;
    let (number, line) = (shown.found.clause + 1, rules.line(clauses[shown.found.clause].span));
    let (it, elle) = match clauses.len() {
        1 => ("It".to_string(), "Elle".to_string()),
        _ => {
            (format!("Clause {number} (line {line})"), format!("La clause {number} (ligne {line})"))
        }
    };
    match shown.wrong {
        Claim::Place(Candidate { cell, digit }) => {
            let (name, is) = (words.cell(cell), shown.solution[cell.index()]);
            words.pick(
                format!("{it} places {digit} in {name}, but the solution has {is} there."),
                format!("{elle} place {digit} en {name}, mais la solution y a {is}."),
            )
        }
        Claim::Eliminate(Candidate { cell, digit }) => {
            let (name, there) = (words.cell(cell), "that is what the solution has there");
            words.pick(
                format!("{it} eliminates {digit} from {name}, but {there}."),
                format!("{elle} retire {digit} de {name}, mais c'est ce que la solution y a."),
            )
        }
        Claim::Contradiction => words.pick(
            format!("{it} says that there is no solution, but there is."),
            format!("{elle} dit qu'il n'y a pas de solution, mais il y en a une."),
        ),
    }
}

fn bindings(rules: &RuleSet, words: &Words, shown: &Counterexample) -> String {
    let rule = rules.rule_of(shown.found.instance);
    let variables = &rule.clauses[shown.found.clause].variables;
    let named = variables.iter().zip(&shown.found.bindings);
    let said: Vec<String> = named
        .filter(|(variable, value)| variable.name != "_" && variable.kind == value.kind())
        .map(|(variable, value)| format!("{} = {}", variable.name, words.whole(value)))
        .collect();
    if said.is_empty() { "It names nothing.".to_string() } else { said.join(", ") }
}

/// The cells that the match names.
fn named_cells(shown: &Counterexample) -> Cells {
    shown.found.bindings.iter().fold(Cells::EMPTY, |all, value| match value {
        Value::Cell(cell) => all | Cells::only(*cell),
        Value::Cells(cells) => all | *cells,
        _ => all,
    })
}

/// Pencil marks: cells named in brackets, the digit in question with `!`, givens alone.
fn picture(shown: &Counterexample) -> String {
    let (state, layout) = (&shown.state, shown.state.layout());
    let named = named_cells(shown);
    let text = |cell: Cell| -> String {
        let digits = state.candidates(cell).iter().map(|digit| {
            let wrong = match shown.wrong {
                Claim::Place(c) | Claim::Eliminate(c) => c == Candidate { cell, digit },
                Claim::Contradiction => false,
            };
            format!("{}{}", sign(digit.number()), if wrong { "!" } else { "" })
        });
        let digits: String = digits.collect();
        if named.contains(cell) { format!("[{digits}]") } else { digits }
    };
    let texts: Vec<String> = layout.all_cells().iter().map(text).collect();
    framed(state, &texts)
}

fn sign(number: usize) -> char {
    std::char::from_digit(number as u32, 36).map_or('?', |sign| sign.to_ascii_uppercase())
}

/// One text a cell, boxes drawn.
fn framed(grid: &Grid, texts: &[String]) -> String {
    let layout = grid.layout();
    let (size, across, down) = (layout.size(), layout.box_width(), layout.box_height());
    let width = |column: usize| {
        (0..size).map(|row| texts[row * size + column].chars().count()).max().unwrap_or(1)
    };
    let widths: Vec<usize> = (0..size).map(width).collect();
    let rule: String = widths
        .chunks(across)
        .map(|chunk| "-".repeat(chunk.iter().sum::<usize>() + chunk.len() + 1))
        .collect::<Vec<_>>()
        .join("+");
    let rule = format!("+{rule}+\n");
    let mut out = rule.clone();
    for row in 0..size {
        for column in 0..size {
            let bar = if column % across == 0 { "| " } else { "" };
            let _ = write!(out, "{bar}{:<1$} ", texts[row * size + column], widths[column]);
        }
        out += "|\n";
        if (row + 1) % down == 0 {
            out += &rule;
        }
    }
    out
}

/// The picture that `explain` would draw of the wrong step.
pub fn as_svg(rules: &RuleSet, shown: &Counterexample) -> String {
    let words = Words::plain(shown.state.layout().clone());
    let account: Account = Naive::new(rules).account(shown.found.clone(), &shown.state);
    let marks = Marks::of(rules, &account, &shown.state);
    let title = &rules.instances()[shown.found.instance].title;
    let caption = Caption {
        heading: format!("{title} goes wrong here"),
        text: format!("{} {}", sentence(rules, &words, shown), bindings(rules, &words, shown)),
    };
    Picture::new(&words).svg(&shown.state, &marks, &caption)
}

//! A step as one JSON object, complete enough to be checked without the engine.
//!
//! ```text
//! step rule params clause bindings places eliminates    as `fire` writes a match
//! title level reason chain sentence                     in words
//! rests_on                                              earlier steps this one needs
//! premises                                              its conditions; helpers with their proofs
//! branches                                              where its hypotheses lead, step by step
//! marks links                                           what its picture shows in a way of its own
//! before placed given                                   the state it was found on
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value as Json;

use crate::board::{Candidate, Cell, Cells, Digit, Grid, Layout, SIZES};
use crate::language::{Clause, Goal, Literal, Paint, RuleSet, one_line};
use crate::text::{Boards, Wanted};

use super::branch::{Branch, suppositions};
use super::derivation::Derivation;
use super::json;
use super::marks::{Link, Marks};
use super::sentence::{Account, Speaker};
use super::step::Match;
use super::story::ToldStep;
use super::words::Words;
use crate::meaning::{Hypothesis, KnownBoards, Scene, Supposed, Value};

/// A step to be written.
#[derive(Serialize)]
pub struct Written<'a> {
    step: usize,
    #[serde(flatten)]
    found: json::Found<'a>,
    title: String,
    level: i32,
    reason: String,
    chain: Vec<String>,
    sentence: String,
    rests_on: &'a [usize],
    premises: Vec<Premise<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    branches: Vec<Led>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Marked>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<Linked>,
    /// Its name, where it is no classic one.
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<String>,
    /// The rows of its boxes, a letter each, where these are all that is special.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    regions: Vec<String>,
    before: String,
    placed: String,
    given: String,
}

/// Where a hypothesis leads.
#[derive(Serialize)]
struct Led {
    suppose: String,
    below: i64,
    steps: Vec<Json>,
}

/// What is drawn in one way: candidates, or whole cells.
#[derive(Serialize)]
struct Marked {
    #[serde(rename = "as")]
    paint: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<json::At>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cells: Vec<String>,
}

/// A link between candidates, or groups of them.
#[derive(Serialize)]
struct Linked {
    from: Vec<json::At>,
    to: Vec<json::At>,
    line: &'static str,
}

/// What the picture of a step shows in a way of its own.
fn marked(layout: &Layout, marks: &Marks) -> Vec<Marked> {
    let paints: BTreeSet<Paint> =
        marks.painted.values().chain(marks.framed.values()).copied().collect();
    let of = |paint: Paint| {
        let candidates = marks.painted.iter().filter(|(_, other)| **other == paint);
        let cells = marks.framed.iter().filter(|(_, other)| **other == paint);
        Marked {
            paint: paint.name(),
            candidates: candidates.map(|(&c, _)| json::At::of(layout, c)).collect(),
            cells: cells.map(|(&cell, _)| layout.cell_name(cell)).collect(),
        }
    };
    paints.into_iter().map(of).collect()
}

fn linked(layout: &Layout, marks: &Marks) -> Vec<Linked> {
    let all =
        |group: &BTreeSet<Candidate>| group.iter().map(|&c| json::At::of(layout, c)).collect();
    let one =
        |link: &Link| Linked { from: all(&link.from), to: all(&link.to), line: link.line.name() };
    marks.links.iter().map(one).collect()
}

/// A condition, and why it holds where it calls a helper.
#[derive(Serialize)]
struct Premise<'a> {
    goal: String,
    #[serde(flatten)]
    derivation: Option<Helper<'a>>,
}

#[derive(Serialize)]
struct Helper<'a> {
    helper: &'a str,
    arguments: Vec<Json>,
    clause: usize,
    bindings: Json,
    premises: Vec<Premise<'a>>,
}

/// A step as an object; `number` counts from 1.
pub fn write<'a>(
    speaker: &Speaker<'a>,
    number: usize,
    told_step: &ToldStep,
    rests_on: &'a [usize],
) -> Written<'a> {
    let (rules, layout) = (speaker.rules, told_step.before.layout());
    let ToldStep { before, account } = told_step;
    let instance = &rules.instances()[account.found.instance];
    let clause = &rules.rule(instance.rule).clauses[account.found.clause];
    let marks = Marks::of(rules, account, before);
    Written {
        step: number,
        found: json::found(rules, layout, &account.found),
        title: speaker.title(account.found.instance),
        level: instance.level,
        reason: speaker.reason(account, before),
        chain: speaker.chain(account, before),
        sentence: speaker.sentence(account, before),
        rests_on,
        premises: premises(rules, layout, clause, &account.premises),
        branches: account.branches.iter().map(|branch| led(speaker, branch)).collect(),
        marks: marked(layout, &marks),
        links: linked(layout, &marks),
        layout: Some(layout.name()).filter(|_| !layout.is_boxed()).map(str::to_string),
        regions: regions(layout),
        before: state_line(before),
        placed: digits_line(before, before.placed()),
        given: digits_line(before, before.given()),
    }
}

/// The boxes of a layout that has nothing else to it, as letters, row by row.
fn regions(layout: &Layout) -> Vec<String> {
    if !layout.is_jigsaw() || !layout.is_plain() {
        return Vec::new();
    }
    let size = layout.size();
    // Boxes come after rows and columns.
    let letter = |cell: Cell| {
        let number = layout.box_of(cell).map_or(0, |house| house.index() - 2 * size);
        char::from(b'A' + number as u8)
    };
    let row = |row: usize| (0..size).map(|column| letter(Cell::at(row * size + column))).collect();
    (0..size).map(row).collect()
}

fn led(speaker: &Speaker, branch: &Branch) -> Led {
    let below = branch.hypothesis.below;
    let rules = speaker.rules.below(below);
    let under = Speaker { rules: &rules, words: speaker.words };
    let written = |(number, told_step): (usize, &ToldStep)| {
        let written = write(&under, number + 1, told_step, &[]);
        serde_json::to_value(written).expect("texts and numbers can be written")
    };
    let steps = branch.steps.iter().enumerate().map(written).collect();
    Led { suppose: speaker.words.hypothesis(&branch.hypothesis), below, steps }
}

fn premises<'a>(
    rules: &'a RuleSet,
    layout: &Layout,
    clause: &Clause,
    derivations: &[Derivation],
) -> Vec<Premise<'a>> {
    let mut derivations = derivations.iter();
    let helper = |derivation: &Derivation| {
        let predicate = rules.predicate(derivation.predicate);
        let clause = &predicate.clauses[derivation.clause];
        Helper {
            helper: &predicate.name,
            arguments: derivation.arguments.iter().map(|v| json::value(layout, v)).collect(),
            clause: derivation.clause + 1,
            bindings: json::bindings(layout, clause, &derivation.bindings),
            premises: premises(rules, layout, clause, &derivation.premises),
        }
    };
    let premise = |goal: &Goal| {
        let is_call = matches!(goal.literal, Literal::Call(..));
        let derivation = is_call.then(|| derivations.next()).flatten().map(helper);
        Premise { goal: one_line(rules.text(goal.span)), derivation }
    };
    clause.body.iter().map(premise).collect()
}

/// The candidates of each cell, a sign for each digit or a dot: 729 signs on a 9 × 9 grid.
pub fn state_line(grid: &Grid) -> String {
    let layout = grid.layout();
    let sign = |cell, digit| match grid.is_possible(Candidate { cell, digit }) {
        true => digit_sign(digit),
        false => '.',
    };
    let cells = layout.all_cells().into_iter();
    cells.flat_map(|cell| layout.digits().map(move |digit| sign(cell, digit))).collect()
}

fn digits_line(grid: &Grid, shown: Cells) -> String {
    let sign = |cell| {
        let digit = grid.digit_at(cell).filter(|_| shown.contains(cell));
        digit.map_or('.', digit_sign)
    };
    grid.layout().all_cells().into_iter().map(sign).collect()
}

/// `1` to `9`, then `A` to `P`.
fn digit_sign(digit: Digit) -> char {
    let sign = char::from_digit(digit.number() as u32, 36).expect("at most 25 digits");
    sign.to_ascii_uppercase()
}

/// A step read back: the state it names, and the account that it claims.
pub struct Record {
    /// The step's number as written.
    pub number: u64,
    /// The state before.
    pub before: Grid,
    /// The account claimed.
    pub account: Account,
}

/// Reads a step; what is wrong with it, if it cannot be one. `known` is the layout of its puzzle, if
/// that has been seen.
pub fn read(rules: &RuleSet, object: &Json, known: Option<&Arc<Layout>>) -> Result<Record, String> {
    let before = read_state(object, known)?;
    let number = object["step"].as_u64().ok_or("it has no step number")?;
    let name = object["rule"].as_str().ok_or("it names no rule")?;
    let instances = rules.instances();
    let layout = before.layout().clone();
    let instance = (0..instances.len())
        .find(|&i| {
            rules.rule(instances[i].rule).name == name
                && json::parameters(rules, &instances[i]) == object["params"]
        })
        .ok_or_else(|| format!("there is no rule {name} with {}", object["params"]))?;
    let rule = rules.rule(instances[instance].rule);
    let (clause, part) = read_clause(&rule.clauses, object, name)?;
    let words = Words::plain(layout.clone());
    let bindings = read_bindings(&words, part, object)?;
    let conclusion = json::read_conclusion(&layout, object)
        .ok_or("its effects are not cells and digits of this grid")?;
    let premises = read_premises(rules, &words, part, &object["premises"])?;
    let found = Match { instance, clause, bindings, conclusion };
    let scene = Scene::on(&before, instances[instance].parameter, &found.bindings);
    let branches = read_branches(rules, suppositions(part, &scene), &before, &object["branches"])?;
    Ok(Record { number, before, account: Account { found, premises, branches } })
}

/// Reads where each hypothesis leads; nothing of it where it is left out.
fn read_branches(
    rules: &RuleSet,
    suppositions: Vec<(Hypothesis, Supposed)>,
    before: &Grid,
    written: &Json,
) -> Result<Vec<Branch>, String> {
    let Some(written) = written.as_array() else { return Ok(Vec::new()) };
    if written.len() != suppositions.len() {
        return Err("it has not one branch a hypothesis".to_string());
    }
    let mut branches = Vec::new();
    for ((hypothesis, goal), object) in suppositions.into_iter().zip(written) {
        let under = rules.below(hypothesis.below);
        let (mut steps, mut end) = (Vec::new(), hypothesis.on(before));
        for step in object["steps"].as_array().ok_or("a branch has no steps")? {
            let Record { before, account, .. } = read(&under, step, Some(before.layout()))?;
            end = before.clone();
            account.found.conclusion.apply(&mut end);
            steps.push(ToldStep { before, account });
        }
        branches.push(Branch { hypothesis, goal, steps, end });
    }
    Ok(branches)
}

fn read_clause<'a>(
    clauses: &'a [Clause],
    object: &Json,
    name: &str,
) -> Result<(usize, &'a Clause), String> {
    let clause = object["clause"].as_u64().and_then(|n| usize::try_from(n).ok()?.checked_sub(1));
    let clause = clause.ok_or("it names no clause")?;
    let part = clauses.get(clause).ok_or(format!("{name} has no clause {}", clause + 1))?;
    Ok((clause, part))
}

fn read_bindings(words: &Words, clause: &Clause, object: &Json) -> Result<Vec<Value>, String> {
    json::read_bindings(words, clause, &object["bindings"])
        .map_err(|name| format!("the variable {name} has no value of its kind"))
}

fn read_premises(
    rules: &RuleSet,
    words: &Words,
    clause: &Clause,
    written: &Json,
) -> Result<Vec<Derivation>, String> {
    let written = written.as_array().ok_or("its premises are missing")?;
    if written.len() != clause.body.len() {
        return Err("it has not one premise a condition".to_string());
    }
    let mut premises = Vec::new();
    for (goal, object) in clause.body.iter().zip(written) {
        let Literal::Call(predicate, _) = goal.literal else { continue };
        let helper = rules.predicate(predicate);
        let (number, part) = read_clause(&helper.clauses, object, &helper.name)?;
        let arguments = object["arguments"].as_array().map(Vec::as_slice).unwrap_or_default();
        let arguments: Option<Vec<Value>> = helper
            .kinds
            .iter()
            .zip(arguments)
            .map(|(&kind, argument)| json::read_value(words, kind, argument))
            .collect();
        premises.push(Derivation {
            predicate,
            arguments: arguments
                .filter(|a| a.len() == helper.kinds.len())
                .ok_or_else(|| format!("{} has not the arguments it takes", helper.name))?,
            clause: number,
            bindings: read_bindings(words, part, object)?,
            premises: read_premises(rules, words, part, &object["premises"])?,
        });
    }
    Ok(premises)
}

/// The layout of a state with so many signs.
fn read_layout(
    object: &Json,
    signs: usize,
    known: Option<&Arc<Layout>>,
) -> Result<Arc<Layout>, String> {
    let name = object["layout"].as_str();
    let is_it = |layout: &&Arc<Layout>| match name {
        Some(name) => layout.name() == name,
        None => layout.is_boxed() && layout.size().pow(3) == signs,
    };
    if let Some(layout) = known.filter(is_it) {
        return Ok(layout.clone());
    }
    let Some(name) = name else {
        let size = SIZES.into_iter().find(|size| size.pow(3) == signs);
        let classic = size.and_then(Layout::classic);
        return classic.ok_or("its state has not one sign a candidate".to_string());
    };
    let rows = object["regions"].as_array().map(|rows| rows.iter().filter_map(Json::as_str));
    let wanted = match rows {
        Some(rows) => Wanted::Drawn(rows.map(str::to_string).collect()),
        None => Wanted::Named(name.to_string()),
    };
    KnownBoards::default().find(&wanted)
}

/// Reads `before`, `placed` and `given`.
fn read_state(object: &Json, known: Option<&Arc<Layout>>) -> Result<Grid, String> {
    let line = object["before"].as_str().ok_or("it has no state")?;
    let layout = read_layout(object, line.chars().count(), known)?;
    let size = layout.size();
    if size * size * size != line.chars().count() {
        return Err("its state has not one sign a candidate".to_string());
    }
    let mut planes = vec![Cells::EMPTY; size];
    for (i, sign) in line.chars().enumerate() {
        let digit = Digit::at(i % size);
        if sign == digit_sign(digit) {
            planes[digit.index()].insert(Cell::at(i / size));
        } else if sign != '.' {
            return Err(format!("its state has '{sign}' where {digit} or a dot belongs"));
        }
    }
    let shown = |name: &str| -> Result<Cells, String> {
        let line =
            object[name].as_str().ok_or_else(|| format!("it does not say what is {name}"))?;
        if line.chars().count() != layout.cell_count() {
            return Err(format!("{name} has not one sign a cell"));
        }
        let signs = line.chars().zip(layout.all_cells());
        Ok(signs.filter(|&(sign, _)| sign != '.').map(|(_, cell)| cell).collect())
    };
    let grid = Grid::from_parts(layout.clone(), planes, shown("placed")?, shown("given")?);
    for (name, cells) in [("placed", grid.placed()), ("given", grid.given())] {
        if object[name].as_str() != Some(&digits_line(&grid, cells)) {
            return Err(format!("{name} does not agree with its candidates"));
        }
    }
    Ok(grid)
}

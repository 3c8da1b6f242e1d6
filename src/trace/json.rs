//! Matches as JSON: the fields that `fire` and `explain` share, written and read back.

use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::board::{Candidate, Layout};
use crate::language::{Clause, Instance, Kind, RuleSet, Variable};

use super::step::{Conclusion, Match};
use super::words::{Words, digit_named};
use crate::meaning::{Bindings, Value};

/// A value: `"r2c4"`, `7`, `"row 3"`, `["r1c1","r1c2"]`.
pub fn value(layout: &Layout, value: &Value) -> Json {
    match *value {
        Value::Cell(cell) => json!(layout.cell_name(cell)),
        Value::Digit(digit) => json!(digit.number()),
        Value::House(house) => json!(layout.house_name(house)),
        Value::Number(number) => json!(number),
        Value::Cells(cells) => cells.iter().map(|c| layout.cell_name(c)).collect(),
        Value::Digits(digits) => digits.iter().map(|d| d.number()).collect(),
        Value::Houses(houses) => houses.iter().map(|h| layout.house_name(h)).collect(),
    }
}

/// The names under which a clause's variables are written: `_` becomes `_1`, `_2`, …
pub fn variable_names(clause: &Clause) -> Vec<String> {
    let mut unnamed = 0;
    let name = |variable: &Variable| match variable.name.as_str() {
        "_" => {
            unnamed += 1;
            format!("_{unnamed}")
        }
        name => name.to_string(),
    };
    clause.variables.iter().map(name).collect()
}

/// Bindings as an object, a key a variable. The variable of a `forall` has no value: `null`.
pub fn bindings(layout: &Layout, clause: &Clause, bindings: &Bindings) -> Json {
    let values = bindings
        .iter()
        .zip(&clause.variables)
        .map(|(v, variable)| if v.kind() == variable.kind { value(layout, v) } else { Json::Null });
    Json::Object(variable_names(clause).into_iter().zip(values).collect())
}

/// The parameter as an object: `{"N": 2}`, or `{}`.
pub fn parameters(rules: &RuleSet, instance: &Instance) -> Json {
    let name = rules.rule(instance.rule).parameter.as_ref().map(|p| p.name.clone());
    Json::Object(name.zip(instance.parameter).map(|(n, v)| (n, json!(v))).into_iter().collect())
}

/// A candidate: `{"cell": "r2c4", "digit": 7}`.
#[derive(Serialize)]
pub struct At {
    cell: String,
    digit: usize,
}

impl At {
    /// A candidate to be written.
    pub fn of(layout: &Layout, candidate: Candidate) -> At {
        At { cell: layout.cell_name(candidate.cell), digit: candidate.digit.number() }
    }
}

/// Candidates as a list.
pub fn candidates(layout: &Layout, candidates: &[Candidate]) -> Vec<At> {
    candidates.iter().map(|&candidate| At::of(layout, candidate)).collect()
}

/// The rule of a match.
#[derive(Serialize)]
pub struct Which<'a> {
    rule: &'a str,
    params: Json,
}

/// What a match says: its clause (from 1), its variables, what follows.
#[derive(Serialize)]
pub struct What {
    clause: usize,
    bindings: Json,
    places: Vec<At>,
    eliminates: Vec<At>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    contradiction: bool,
}

/// A match.
#[derive(Serialize)]
pub struct Found<'a> {
    /// Of which rule.
    #[serde(flatten)]
    pub which: Which<'a>,
    /// What it says.
    #[serde(flatten)]
    pub what: What,
}

/// A match to be written.
pub fn found<'a>(rules: &'a RuleSet, layout: &Layout, found: &Match) -> Found<'a> {
    let instance = &rules.instances()[found.instance];
    let rule = rules.rule(instance.rule);
    Found {
        which: Which { rule: &rule.name, params: parameters(rules, instance) },
        what: What {
            clause: found.clause + 1,
            bindings: bindings(layout, &rule.clauses[found.clause], &found.bindings),
            places: candidates(layout, &found.conclusion.places),
            eliminates: candidates(layout, &found.conclusion.eliminates),
            contradiction: found.conclusion.contradiction,
        },
    }
}

/// A line of JSON.
pub fn line(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("texts and numbers can be written") + "\n"
}

/// Reads a value of a kind; nothing if it is none.
pub fn read_value(words: &Words, kind: Kind, json: &Json) -> Option<Value> {
    let layout = &words.layout;
    let cell = |json: &Json| layout.cell_named(json.as_str()?);
    let digit = |json: &Json| digit_named(layout, &json.as_u64()?.to_string());
    let house = |json: &Json| {
        let name = json.as_str()?;
        layout.houses_and_groups().iter().find(|&h| layout.house_name(h) == name)
    };
    Some(match kind {
        Kind::Cell => Value::Cell(cell(json)?),
        Kind::Digit => Value::Digit(digit(json)?),
        Kind::House => Value::House(house(json)?),
        Kind::Number => Value::Number(json.as_i64()?),
        Kind::Cells => Value::Cells(json.as_array()?.iter().map(cell).collect::<Option<_>>()?),
        Kind::Digits => Value::Digits(json.as_array()?.iter().map(digit).collect::<Option<_>>()?),
        Kind::Houses => Value::Houses(json.as_array()?.iter().map(house).collect::<Option<_>>()?),
    })
}

/// Reads a clause's bindings; the name of the first variable that is missing or wrong if not.
pub fn read_bindings(words: &Words, clause: &Clause, json: &Json) -> Result<Bindings, String> {
    let names = variable_names(clause);
    let read = |(i, variable): (usize, &Variable)| match &json[&names[i]] {
        Json::Null if is_local(clause, i) => Ok(Value::Number(0)),
        value => read_value(words, variable.kind, value).ok_or_else(|| names[i].clone()),
    };
    clause.variables.iter().enumerate().map(read).collect()
}

/// Whether a variable is a generator's own.
fn is_local(clause: &Clause, variable: usize) -> bool {
    clause.is_local(crate::language::Var(variable as u16))
}

/// Reads `places`, `eliminates` and `contradiction`; nothing if they are not there or wrong.
pub fn read_conclusion(layout: &Layout, json: &Json) -> Option<Conclusion> {
    let one = |json: &Json| {
        let cell = layout.cell_named(json["cell"].as_str()?)?;
        Some(Candidate { cell, digit: digit_named(layout, &json["digit"].as_u64()?.to_string())? })
    };
    let all = |name: &str| json[name].as_array()?.iter().map(one).collect::<Option<Vec<_>>>();
    let contradiction = json["contradiction"].as_bool().unwrap_or(false);
    Some(Conclusion { places: all("places")?, eliminates: all("eliminates")?, contradiction })
}

//! `dokulog why-not`: the first condition of a rule that fails, and the closest match.

use std::ffi::OsString;
use std::fmt::Write;

use serde::Serialize;
use serde_json::Value as Json;

use super::easier::easier_step;
use super::explainer::WordOptions;
use super::input::{FromOption, PuzzleArguments};
use super::options::{FormatOption, RuleOptions, TextOrJson};
use super::{Context, Failure, Run, Status, print, say, standing};
use crate::board::{Grid, HouseKind};
use crate::engine::near::{NearMiss, first_without_answer, is_telling, near_miss};
use crate::engine::{Deducer, Engine, Options};
use crate::interface::Selector;
use crate::language::{Clause, Kind, RuleSet, Span};
use crate::search::{Reasoner, Workers};
use crate::trace::json::At;
use crate::trace::{Match, Speaker, Value, Words, digit_named, json as written};

/// Options of `why-not`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog why-not naked_subset:2 grid.sud
  dokulog why-not xy_wing P=r1c2,Z=5 grid.sud
  dokulog why-not pointing B=box3,D=7 grid.sud")]
pub(super) struct Arguments {
    /// The rule, or RULE:N for one value of its parameter
    rule: String,
    /// Values for some of the rule's variables, as in C=r1c2,D=5 H=row3; and the puzzle file
    #[arg(value_name = "[BINDINGS] FILE", num_args = 1.., required = true)]
    rest: Vec<OsString>,
    /// Which puzzle of the file [default: the first]
    #[arg(long, value_name = "N")]
    puzzle: Option<usize>,
    #[command(flatten)]
    from: FromOption,
    /// On the position that the other rules lead to, not on the one given
    #[arg(long)]
    stuck: bool,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    words: WordOptions,
    #[command(flatten)]
    rules: RuleOptions,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    let (bindings, file) = bindings_and_file(&arguments.rest)?;
    let everything = arguments.rules.everything()?;
    let puzzle = PuzzleArguments {
        file: file.into(),
        puzzle: arguments.puzzle,
        from: arguments.from.clone(),
    };
    let (rule, puzzle) = puzzle.asked(&arguments.rule);
    let selector = Selector::parse(&rule);
    selector.find(&everything)?;
    let mut grid = puzzle.read()?.grid;
    let words = arguments.words.words(grid.layout());
    standing::warn(&words, &grid, context);
    if arguments.stuck {
        let others = arguments.rules.load()?;
        let others = others.keep(|rule, instance| !selector.matches(rule, instance));
        let reasoner = Reasoner::new(others, arguments.rules.engine());
        grid = reasoner.deduce(&mut Workers::default(), &grid)?.0;
    }
    let rules = everything.keep(|rule, instance| selector.matches(rule, instance));
    let chosen = parse_bindings(&words, &rules, &bindings)?;
    // The rule is only looked at, nothing is concluded from it.
    let options = Options { assume_unique: true, ..arguments.rules.engine() };
    let engine = Engine::with(&rules, grid.layout(), options);
    let mut worker = engine.map_err(|refusal| Failure::new(refusal.to_string()))?.worker();
    let easier = easier_step(&arguments.rules, &rules, &grid, &words)?;
    if let Some(easier) = easier.as_ref().filter(|_| !context.quiet) {
        let offer = words.pick(
            "--stuck looks at the position after all such steps",
            "--stuck regarde la position après toutes ces étapes",
        );
        say(&format!("dokulog: {easier}; {offer}"));
    }
    for instance in 0..rules.instances().len() {
        let case = Case {
            rules: &rules,
            words: &words,
            grid: &grid,
            instance,
            chosen: &chosen,
            matches: worker.matches(instance, &grid),
            only_telling: easier.is_some(),
        };
        print(&match arguments.format.format {
            TextOrJson::Text => case.text(),
            TextOrJson::Json => case.json(),
        })?;
    }
    Ok(Status::Done)
}

/// One instance of the rule on the grid.
struct Case<'a> {
    rules: &'a RuleSet,
    words: &'a Words,
    grid: &'a Grid,
    instance: usize,
    chosen: &'a [(String, Value)],
    matches: Vec<Match>,
    /// Whether matches that an easier step makes needless do not count.
    only_telling: bool,
}

impl Case<'_> {
    fn clause(&self, clause: usize) -> &Clause {
        &self.rules.rule_of(self.instance).clauses[clause]
    }

    /// The matches that agree with the values chosen, those that change something first.
    fn agreeing(&self) -> Vec<&Match> {
        let agrees = |found: &&Match| {
            let clause = self.clause(found.clause);
            self.chosen.iter().all(|(name, value)| {
                let place = clause.variables.iter().position(|v| v.name == *name);
                place.is_some_and(|place| found.bindings[place] == *value)
            })
        };
        let counts = |found: &&Match| !self.only_telling || is_telling(&found.bindings, self.grid);
        let mut matches: Vec<&Match> = self.matches.iter().filter(agrees).filter(counts).collect();
        matches.sort_by_key(|found| found.conclusion.is_empty());
        matches
    }

    fn near_miss(&self) -> Option<NearMiss> {
        near_miss(self.rules, self.instance, self.grid, self.chosen)
    }

    fn text(&self) -> String {
        let (words, name) = (self.words, &self.rules.instances()[self.instance].name);
        let title = Speaker { rules: self.rules, words }.title(self.instance);
        if let Some(found) = self.agreeing().first() {
            let naive = crate::engine::Naive::new(self.rules);
            let account = naive.account((*found).clone(), self.grid);
            let reason = Speaker { rules: self.rules, words }.reason(&account, self.grid);
            let effects = words.effects(&found.conclusion);
            return match found.conclusion.is_empty() {
                false => words.pick(
                    format!("{title} ({name}) does apply: {reason} → {effects}\n"),
                    format!("{title} ({name}) s'applique bien : {reason} → {effects}\n"),
                ),
                true => words.pick(
                    format!(
                        "{title} ({name}) has a match, but nothing is left for it to change: {reason}.\n"
                    ),
                    format!(
                        "{title} ({name}) a une instance, mais il ne lui reste rien à changer : {reason}.\n"
                    ),
                ),
            } + &self.near_text();
        }
        let mut text = words.pick(
            format!("{title} ({name}) does not apply here.\n"),
            format!("{title} ({name}) ne s'applique pas ici.\n"),
        );
        for clause in 0..self.rules.rule_of(self.instance).clauses.len() {
            text.push_str(&self.first_text(clause));
        }
        text + &self.near_text()
    }

    fn first_text(&self, clause: usize) -> String {
        let (words, body) = (self.words, &self.clause(clause).body);
        let first = first_without_answer(self.rules, self.instance, clause, self.grid, self.chosen);
        let Some(first) = first else { return String::new() };
        let (quote, place) = (self.quote(body[first].span), self.rules.place(body[first].span));
        let mut text = words.pick(
            format!("  First condition without an answer: {quote}  ({place})\n"),
            format!("  Première condition sans réponse : {quote}  ({place})\n"),
        );
        if first > 0 {
            let before: Vec<String> = body[..first].iter().map(|g| self.quote(g.span)).collect();
            let before = before.join(", ");
            text += &words.pick(
                format!("  Those before it have answers: {before}\n"),
                format!("  Celles d'avant ont des réponses : {before}\n"),
            );
        }
        text
    }

    fn near_text(&self) -> String {
        let words = self.words;
        if self.agreeing().first().is_some_and(|found| !found.conclusion.is_empty()) {
            return String::new();
        }
        let Some(near) = self.near_miss() else {
            return words
                .pick("  No match is close.\n", "  Aucune instance n'est proche.\n")
                .to_string();
        };
        let clause = self.clause(near.clause);
        let named = clause.variables.iter().zip(&near.bindings).filter(|(variable, value)| {
            variable.name != "_" && variable.kind == value.kind() && !self.is_whole_kind(value)
        });
        let named: Vec<String> = named
            .map(|(variable, value)| format!("{} = {}", variable.name, self.plain(value)))
            .collect();
        let failing: Vec<String> = near.failing.iter().map(|span| self.quote(*span)).collect();
        let gone = crate::trace::Conclusion {
            eliminates: near.needs.clone(),
            ..crate::trace::Conclusion::default()
        };
        let (gone, then) = (words.effects(&gone), words.effects(&near.conclusion));
        let mut text = String::new();
        let _ = writeln!(
            text,
            "  {}{}",
            words.pick("Closest match: ", "Instance la plus proche : "),
            named.join(", ")
        );
        let _ = writeln!(
            text,
            "  {}{}",
            words.pick("There it fails at: ", "Elle échoue sur : "),
            failing.join(", ")
        );
        let _ = writeln!(
            text,
            "  {}",
            words.pick(
                format!("It would hold if {gone}, and then give {then}"),
                format!("Elle serait vraie si {gone}, et donnerait {then}"),
            )
        );
        text
    }

    fn json(&self) -> String {
        let (rules, grid, layout) = (self.rules, self.grid, self.grid.layout());
        let agreeing = self.agreeing();
        let applies = agreeing.first().is_some_and(|found| !found.conclusion.is_empty());
        let clauses = &rules.rule_of(self.instance).clauses;
        let failing = |clause: usize| {
            let first = first_without_answer(rules, self.instance, clause, grid, self.chosen)?;
            let span = clauses[clause].body[first].span;
            let (goal, at) = (self.line(span), self.rules.place(span));
            Some(Failing { clause: clause + 1, condition: first + 1, goal, at })
        };
        let failing = || (0..clauses.len()).filter_map(failing).collect();
        let near = if applies { None } else { self.near_miss() };
        written::line(&Told {
            rule: &rules.instances()[self.instance].name,
            applies,
            matches: agreeing.len(),
            first_without_answer: agreeing.is_empty().then(failing),
            closest: near.map(|near| Closest {
                clause: near.clause + 1,
                bindings: written::bindings(layout, self.clause(near.clause), &near.bindings),
                fails_at: near.failing.iter().map(|span| self.line(*span)).collect(),
                without: written::candidates(layout, &near.needs),
                places: written::candidates(layout, &near.conclusion.places),
                eliminates: written::candidates(layout, &near.conclusion.eliminates),
            }),
        })
    }

    /// Such as all rows: not worth naming.
    fn is_whole_kind(&self, value: &Value) -> bool {
        matches!(value, Value::Houses(houses) if houses.len() >= self.grid.layout().size())
    }

    fn plain(&self, value: &Value) -> String {
        match value {
            Value::House(house) => self.words.house(*house),
            Value::Houses(houses) => self.words.houses(*houses),
            Value::Number(number) => number.to_string(),
            value => self.words.value(value),
        }
    }

    fn line(&self, span: Span) -> String {
        self.rules.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn quote(&self, span: Span) -> String {
        format!("`{}`", self.line(span))
    }
}

/// The answer as an object.
#[derive(Serialize)]
struct Told<'a> {
    rule: &'a str,
    applies: bool,
    matches: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_without_answer: Option<Vec<Failing>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closest: Option<Closest>,
}

#[derive(Serialize)]
struct Failing {
    clause: usize,
    condition: usize,
    goal: String,
    at: String,
}

#[derive(Serialize)]
struct Closest {
    clause: usize,
    bindings: Json,
    fails_at: Vec<String>,
    without: Vec<At>,
    places: Vec<At>,
    eliminates: Vec<At>,
}

/// What gives values to variables, joined by commas, and the one word that does not: the file. A
/// last word is the file if no other is.
fn bindings_and_file(words: &[OsString]) -> Result<(String, &OsString), Failure> {
    let binds = |word: &OsString| {
        let word = word.to_string_lossy();
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.trim_end().chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        word.trim_start().split_once('=').is_some_and(|(name, _)| is_name(name))
    };
    let mut files = words.iter().filter(|word| !binds(word));
    let file = files.next().or(words.last()).expect("one word is required");
    if let Some(other) = files.next() {
        let (file, other) = (file.to_string_lossy(), other.to_string_lossy());
        return Err(Failure::new(format!(
            "`{file}` and `{other}`: one puzzle file, and values as in C=r1c2"
        )));
    }
    let bindings = words.iter().filter(|word| !std::ptr::eq(*word, file));
    let bindings: Vec<_> = bindings.map(|word| word.to_string_lossy()).collect();
    Ok((bindings.join(","), file))
}

/// `C=r1c2,D=5,H=row3,Cs={r1c1,r1c2}`
fn parse_bindings(
    words: &Words,
    rules: &RuleSet,
    text: &str,
) -> Result<Vec<(String, Value)>, Failure> {
    let mut chosen = Vec::new();
    for part in split(text) {
        let wrong = |what: String| Failure::new(format!("`{part}`: {what}"));
        let (name, value) =
            part.split_once('=')
                .map(|(name, value)| (name.trim(), value.trim()))
                .ok_or_else(|| wrong("write VARIABLE=VALUE, as in C=r1c2".to_string()))?;
        let variables = rules
            .instances()
            .iter()
            .flat_map(|i| &rules.rule(i.rule).clauses)
            .flat_map(|clause| &clause.variables);
        let variable =
            variables.clone().find(|variable| variable.name == name).ok_or_else(|| {
                let mut names: Vec<&str> = Vec::new();
                for variable in variables.filter(|variable| !variable.name.starts_with('_')) {
                    if !names.contains(&variable.name.as_str()) {
                        names.push(&variable.name);
                    }
                }
                wrong(format!("the rule has no variable {name}; it has {}", names.join(", ")))
            })?;
        let value = parse_value(words, variable.kind, value)
            .ok_or_else(|| wrong(format!("{name} is {}", what(variable.kind))))?;
        chosen.push((name.to_string(), value));
    }
    Ok(chosen)
}

/// At commas that are not in braces.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match (c, parts.last_mut()) {
            (',', _) if depth <= 0 => parts.push(String::new()),
            (c, Some(part)) => part.push(c),
            _ => {}
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

fn what(kind: Kind) -> &'static str {
    match kind {
        Kind::Cell => "a cell, such as r1c2",
        Kind::Digit => "a digit, such as 5",
        Kind::House => "a house, such as row3, column3 or box3",
        Kind::Number => "a number",
        Kind::Cells => "a set of cells, such as {r1c2,r1c5}",
        Kind::Digits => "a set of digits, such as {2,6}",
        Kind::Houses => "a set of houses, such as {row2,row5}",
    }
}

fn parse_value(words: &Words, kind: Kind, text: &str) -> Option<Value> {
    let house = |text: &str| {
        let text = text.trim().to_lowercase();
        let split = text.find(|c: char| c.is_ascii_digit())?;
        let kind = match text[..split].trim() {
            "row" | "r" | "ligne" => HouseKind::Row,
            "column" | "c" | "colonne" => HouseKind::Column,
            "box" | "b" | "région" | "region" => HouseKind::Box,
            _ => return None,
        };
        let number: usize = text[split..].trim().parse().ok()?;
        let layout = &words.layout;
        layout.houses_of_kind(kind).iter().find(|&h| layout.number(h) == number)
    };
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    let mut members = inner.split(',').filter(|part| !part.trim().is_empty());
    Some(match kind {
        Kind::Cell => Value::Cell(words.cell_named(text)?),
        Kind::Digit => Value::Digit(digit_named(&words.layout, text)?),
        Kind::House => Value::House(house(text)?),
        Kind::Number => Value::Number(text.parse().ok()?),
        Kind::Cells => Value::Cells(members.map(|m| words.cell_named(m)).collect::<Option<_>>()?),
        Kind::Digits => {
            Value::Digits(members.map(|m| digit_named(&words.layout, m)).collect::<Option<_>>()?)
        }
        Kind::Houses => Value::Houses(members.by_ref().map(house).collect::<Option<_>>()?),
    })
}

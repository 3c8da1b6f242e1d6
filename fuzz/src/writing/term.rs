//! Terms of every kind, from the variables in scope.

use super::super::choices::Choices;

/// The kind of a variable or a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Cell,
    Digit,
    House,
    Cells,
    Digits,
    Houses,
    Number,
}

use Kind::{Cell, Cells, Digit, Digits, House, Houses, Number};

impl Kind {
    /// How the variables of this kind begin.
    fn letter(self) -> &'static str {
        match self {
            Cell => "C",
            Digit => "D",
            House => "H",
            Cells => "Cs",
            Digits => "Ds",
            Houses => "Hs",
            Number => "N",
        }
    }

    /// What a set of this kind has for members.
    pub fn member(self) -> Option<Kind> {
        match self {
            Cells => Some(Cell),
            Digits => Some(Digit),
            Houses => Some(House),
            _ => None,
        }
    }
}

/// The variables that something gives, and the conditions so far.
#[derive(Default)]
pub struct Scope {
    variables: Vec<(Kind, String)>,
    made: usize,
    /// The body.
    pub body: Vec<String>,
}

impl Scope {
    /// A new name, not yet in scope.
    pub fn name(&mut self, kind: Kind) -> String {
        self.made += 1;
        format!("{}{}", kind.letter(), self.made)
    }

    /// From now on this variable can be used.
    pub fn add(&mut self, kind: Kind, name: &str) {
        self.variables.push((kind, name.to_string()));
    }

    /// The last one added is no longer known.
    pub fn forget(&mut self) {
        self.variables.pop();
    }

    /// The variables of a kind.
    pub fn of(&self, kind: Kind) -> Vec<&str> {
        let all = self.variables.iter().filter(|(k, _)| *k == kind);
        all.map(|(_, name)| name.as_str()).collect()
    }

    pub fn has(&self, kind: Kind) -> bool {
        self.variables.iter().any(|(k, _)| *k == kind)
    }
}

/// Cells and digits by name.
const CELLS: [&str; 5] = ["r1c1", "r1c2", "r2c1", "r3c3", "r4c4"];
const DIGITS: [&str; 4] = ["1", "2", "3", "4"];
/// Those that larger grids have only.
const FAR_CELLS: [&str; 2] = ["r6c5", "r9c9"];
const FAR_DIGITS: [&str; 2] = ["6", "9"];
/// Whether a text may name what small grids do not have.
pub fn names_far(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| FAR_CELLS.contains(&word) || FAR_DIGITS.contains(&word))
}

/// Numbers at which something may turn over.
const NUMBERS: [&str; 16] =
    ["0", "1", "2", "3", "4", "2", "3", "5", "8", "9", "10", "16", "100", "999", "1001", "1000000"];

/// One variable of a kind, or a name.
fn one(kind: Kind, names: &[&'static str], scope: &Scope, choices: &mut Choices) -> String {
    let known = scope.of(kind);
    match choices.below(256) {
        1 if kind == Cell => return choices.pick(&FAR_CELLS).to_string(),
        1 => return choices.pick(&FAR_DIGITS).to_string(),
        2..14 => return choices.pick(names).to_string(),
        _ if known.is_empty() => return choices.pick(names).to_string(),
        _ => {}
    }
    // The last ones are used most: they are not bound by much yet.
    let last = known.len() - 1 - choices.below(known.len().min(3));
    known[if choices.below(4) == 0 { choices.below(known.len()) } else { last }].to_string()
}

/// A term of a kind, with so many levels below it.
pub fn term(kind: Kind, depth: usize, scope: &Scope, choices: &mut Choices) -> String {
    match kind {
        Cell => one(Cell, &CELLS, scope, choices),
        Digit => one(Digit, &DIGITS, scope, choices),
        House => house(scope, choices),
        Cells => cells(depth, scope, choices),
        Digits => digits(depth, scope, choices),
        Houses => houses(depth, scope, choices),
        Number => number(depth, scope, choices),
    }
}

fn house(scope: &Scope, choices: &mut Choices) -> String {
    let known = scope.of(House);
    if !known.is_empty() && choices.below(4) > 0 {
        return known[choices.below(known.len())].to_string();
    }
    let function = choices.pick(&["row", "column", "box"]);
    format!("{function}({})", term(Cell, 0, scope, choices))
}

/// Some members in braces.
fn listed(kind: Kind, scope: &Scope, choices: &mut Choices) -> String {
    let count = choices.pick(&[1, 2, 2, 3]);
    let mut members: Vec<String> = Vec::new();
    for _ in 0..count {
        let member = term(kind, 0, scope, choices);
        if !members.contains(&member) || choices.below(16) == 1 {
            members.push(member);
        }
    }
    format!("{{{}}}", members.join(", "))
}

/// Two terms of a kind, the same seldom.
pub fn two(kind: Kind, depth: usize, scope: &Scope, choices: &mut Choices) -> (String, String) {
    let (left, mut right) = (term(kind, depth, scope, choices), term(kind, depth, scope, choices));
    for _ in 0..3 {
        if left != right {
            break;
        }
        right = term(kind, depth, scope, choices);
    }
    (left, right)
}

fn joined(kind: Kind, depth: usize, scope: &Scope, choices: &mut Choices) -> String {
    let sign = choices.pick(&["&", "\\", "+"]);
    let (left, right) = two(kind, depth - 1, scope, choices);
    format!("({left} {sign} {right})")
}

fn known_set(kind: Kind, scope: &Scope, choices: &mut Choices) -> Option<String> {
    let known = scope.of(kind);
    if known.is_empty() || choices.below(3) == 0 {
        return None;
    }
    Some(known[choices.below(known.len())].to_string())
}

fn cells(depth: usize, scope: &Scope, choices: &mut Choices) -> String {
    if let Some(known) = known_set(Cells, scope, choices) {
        return known;
    }
    match choices.below(if depth == 0 { 5 } else { 12 }) {
        0 => house(scope, choices),
        1 => "unsolved".to_string(),
        2 => format!("peers({})", term(Cell, 0, scope, choices)),
        3 | 4 => listed(Cell, scope, choices),
        5 => format!("common_peers({})", listed(Cell, scope, choices)),
        6 => format!("cells({})", term(Houses, depth - 1, scope, choices)),
        7 | 8 => {
            let digit = term(Digit, 0, scope, choices);
            format!("spots({digit}, {})", house(scope, choices))
        }
        9 => {
            let of = term(Digits, depth - 1, scope, choices);
            format!("spots({of}, {})", term(Cells, depth - 1, scope, choices))
        }
        _ => joined(Cells, depth, scope, choices),
    }
}

fn digits(depth: usize, scope: &Scope, choices: &mut Choices) -> String {
    if let Some(known) = known_set(Digits, scope, choices) {
        return known;
    }
    match choices.below(if depth == 0 { 4 } else { 8 }) {
        0 => format!("candidates({})", term(Cell, 0, scope, choices)),
        1 | 2 => listed(Digit, scope, choices),
        3 => if choices.below(16) == 1 { "{}" } else { "digits" }.to_string(),
        4 => format!("missing({})", house(scope, choices)),
        5 => format!("candidates({})", term(Cells, depth - 1, scope, choices)),
        _ => joined(Digits, depth, scope, choices),
    }
}

fn houses(depth: usize, scope: &Scope, choices: &mut Choices) -> String {
    if let Some(known) = known_set(Houses, scope, choices) {
        return known;
    }
    match choices.below(if depth == 0 { 6 } else { 9 }) {
        5 => listed(House, scope, choices),
        6 | 7 => {
            let of = choices.pick(&["lines", "boxes", "houses", "rows"]);
            format!("touching({of}, {})", term(Cells, depth - 1, scope, choices))
        }
        8 => joined(Houses, depth, scope, choices),
        fixed => ["houses", "rows", "columns", "boxes", "lines"][fixed].to_string(),
    }
}

fn number(depth: usize, scope: &Scope, choices: &mut Choices) -> String {
    let known = scope.of(Number);
    if !known.is_empty() && choices.below(3) > 0 {
        return known[choices.below(known.len())].to_string();
    }
    match choices.below(if depth == 0 { 3 } else { 6 }) {
        0 | 1 => choices.pick(&NUMBERS).to_string(),
        2 => size(depth.min(1), scope, choices),
        3 => size(depth, scope, choices),
        _ => {
            let sign = choices.pick(&["-", "+", "*"]);
            let left = term(Number, depth - 1, scope, choices);
            format!("({left} {sign} {})", term(Number, depth - 1, scope, choices))
        }
    }
}

/// How many there are of something.
pub fn size(depth: usize, scope: &Scope, choices: &mut Choices) -> String {
    let kind = choices.pick(&[Digits, Cells, Digits, Cells, Houses]);
    format!("|{}|", term(kind, depth.min(1), scope, choices))
}

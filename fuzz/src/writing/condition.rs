//! Conditions: those that give variables, and those that test them.

use super::super::choices::Choices;
use super::helper::Helper;
use super::term::{Kind, Scope, size, term, two};

use Kind::{Cell, Cells, Digit, Digits, House, Houses, Number};

/// Where numbers of small grids, of 9×9 and of recursive helpers end.
const BOUNDS: [&str; 10] = ["0", "1", "2", "3", "9", "16", "80", "81", "82", "100"];
const SIGNS: [&str; 6] = ["<=", "=", "<", ">=", "!=", ">"];

/// Gives a new variable of a kind, by a condition that is added to the body; its name.
pub fn give(kind: Kind, scope: &mut Scope, choices: &mut Choices) -> String {
    let name = scope.name(kind);
    let condition = match kind {
        Cell => match choices.below(8) {
            0..3 => format!("{name} in unsolved"),
            3 | 4 if scope.has(Cell) => format!("sees({name}, {})", term(Cell, 0, scope, choices)),
            5 | 6 => format!("{name} in unsolved & {}", term(House, 0, scope, choices)),
            _ => format!("{name} in {}", term(Cells, 1, scope, choices)),
        },
        Digit => match choices.below(6) {
            0..3 if scope.has(Cell) => {
                format!("{name} in candidates({})", term(Cell, 0, scope, choices))
            }
            3 if scope.has(Cell) => format!("live({}, {name})", term(Cell, 0, scope, choices)),
            4 => format!("{name} in {}", term(Digits, 1, scope, choices)),
            _ => format!("{name} in digits"),
        },
        House => match choices.below(6) {
            0 if scope.has(Cell) => format!("{} in {name}", term(Cell, 0, scope, choices)),
            1 if scope.has(Cell) => {
                let function = choices.pick(&["box", "row", "column"]);
                format!("{name} = {function}({})", term(Cell, 0, scope, choices))
            }
            2 => format!("{name} in {}", term(Houses, 1, scope, choices)),
            3 => format!("{name} in lines"),
            _ => format!("{name} in {}", choices.pick(&["houses", "boxes", "rows"])),
        },
        Cells | Digits | Houses => set(&name, kind, scope, choices),
        Number => match choices.below(2) {
            0 => format!("{name} = {}", choices.pick(&["0", "1", "2", "80", "81", "99", "100"])),
            _ => format!("{name} = {}", term(Number, 2, scope, choices)),
        },
    };
    scope.body.push(condition);
    scope.add(kind, &name);
    name
}

/// A set: written down, or chosen with a size that is fixed or computed.
fn set(name: &str, kind: Kind, scope: &Scope, choices: &mut Choices) -> String {
    if choices.below(5) < 2 {
        return format!("{name} = {}", term(kind, 2, scope, choices));
    }
    let size = match choices.below(8) {
        0..4 => "2".to_string(),
        4 => choices.pick(&["1", "3", "0", "4"]).to_string(),
        5 => size(1, scope, choices),
        _ if scope.has(Number) => term(Number, 0, scope, choices),
        _ => format!("{} - 1", size(1, scope, choices)),
    };
    let of = match (kind, choices.below(3)) {
        (Cells, _) if size != "2" => format!("unsolved & {}", term(House, 0, scope, choices)),
        (Cells, 0 | 1) => format!("unsolved & {}", term(House, 0, scope, choices)),
        (Digits, 0) => format!("missing({})", term(House, 0, scope, choices)),
        _ => term(kind, 1, scope, choices),
    };
    format!("{name} in choose({size}, {of})")
}

/// A condition on what is in scope, with so many levels of `forall` allowed. One that names more
/// cells than variables is drawn again.
pub fn test(
    foralls: usize,
    scope: &mut Scope,
    helpers: &[Helper],
    choices: &mut Choices,
) -> String {
    let mut drawn = String::new();
    for _ in 0..3 {
        drawn = any_test(foralls, scope, helpers, choices);
        let words = || drawn.split(|c: char| !c.is_alphanumeric());
        let variables = words().filter(|word| word.starts_with(char::is_uppercase)).count();
        let is_cell = |word: &&str| {
            word.strip_prefix('r')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        if variables > words().filter(is_cell).count() {
            break;
        }
    }
    drawn
}

fn any_test(
    foralls: usize,
    scope: &mut Scope,
    helpers: &[Helper],
    choices: &mut Choices,
) -> String {
    let choice = choices.below(16);
    let mut of = |kind: Kind, depth: usize| term(kind, depth, scope, choices);
    match choice {
        0 => format!("candidates({}) within {}", of(Cell, 0), of(Digits, 1)),
        1 => format!("spots({}, {}) within {}", of(Digit, 0), of(House, 0), of(Cells, 1)),
        2 => {
            let kind = choices.pick(&[Cells, Digits, Houses]);
            let (left, right) = two(kind, 1, scope, choices);
            format!("{left} {} {right}", choices.pick(&["within", "=", "!="]))
        }
        3 => {
            let kind = choices.pick(&[Cell, Digit, House]);
            let (left, right) = two(kind, 0, scope, choices);
            format!("{left} {} {right}", choices.pick(&["!=", "<", "=", "<="]))
        }
        4 => {
            let (left, right) = two(Cell, 0, scope, choices);
            format!("sees({left}, {right})")
        }
        5 => format!("live({}, {})", of(Cell, 0), of(Digit, 0)),
        6 => format!("given({})", of(Cell, 0)),
        7 => {
            let kind = choices.pick(&[Cell, Digit, House]);
            let set = of_members(kind);
            format!("{} in {}", term(kind, 0, scope, choices), term(set, 1, scope, choices))
        }
        8 if scope.has(Number) => {
            let (sign, bound) = (choices.pick(&SIGNS), choices.pick(&BOUNDS));
            format!("{} {sign} {bound}", term(Number, 0, scope, choices))
        }
        8 | 9 => {
            let left = of(Number, 2);
            let sign = choices.pick(&SIGNS);
            format!("{left} {sign} {}", term(Number, 1, scope, choices))
        }
        10 => format!("|{}| <= {}", of(Cells, 1), of(Number, 0)),
        11 | 12 if !helpers.is_empty() => call(scope, helpers, choices),
        13 if foralls > 0 => {
            let set = choices.pick(&[Cells, Cells, Digits, Houses]);
            let kind = set.member().expect("a set has members");
            let over = term(set, 1, scope, choices);
            let name = scope.name(kind);
            scope.add(kind, &name);
            let count = 1 + choices.below(2);
            let inside: Vec<String> =
                (0..count).map(|_| test(foralls - 1, scope, helpers, choices)).collect();
            scope.forget();
            format!("forall {name} in {over} : ({})", inside.join(", "))
        }
        _ => {
            let inside = plain_test(scope, helpers, choices);
            format!("not {inside}")
        }
    }
}

fn of_members(kind: Kind) -> Kind {
    match kind {
        Cell => Cells,
        Digit => Digits,
        _ => Houses,
    }
}

/// A condition that may stand under `not`.
fn plain_test(scope: &Scope, helpers: &[Helper], choices: &mut Choices) -> String {
    let choice = choices.below(8);
    let mut of = |kind: Kind, depth: usize| term(kind, depth, scope, choices);
    match choice {
        0 => {
            let (left, right) = two(Cell, 0, scope, choices);
            format!("sees({left}, {right})")
        }
        1 => format!("live({}, {})", of(Cell, 0), of(Digit, 0)),
        2 => format!("given({})", of(Cell, 0)),
        3 => format!("{} in {}", of(Cell, 0), of(Cells, 1)),
        4 => {
            let (left, right) = two(Cell, 0, scope, choices);
            format!("{left} < {right}")
        }
        5 => format!("candidates({}) within {}", of(Cell, 0), of(Digits, 1)),
        _ if !helpers.is_empty() => call(scope, helpers, choices),
        _ => format!("{} <= {}", of(Number, 1), of(Number, 0)),
    }
}

/// A helper of what is in scope.
pub fn call(scope: &Scope, helpers: &[Helper], choices: &mut Choices) -> String {
    let helper = &helpers[choices.below(helpers.len())];
    let depth = |kind: Kind| if kind.member().is_some() || kind == Number { 1 } else { 0 };
    let arguments: Vec<String> =
        helper.kinds.iter().map(|&kind| term(kind, depth(kind), scope, choices)).collect();
    format!("{}({})", helper.name, arguments.join(", "))
}

/// A helper that gives some variables anew and takes others as they are.
pub fn give_by(helper: &Helper, scope: &mut Scope, choices: &mut Choices) -> Vec<String> {
    let mut new = Vec::new();
    let arguments: Vec<String> = helper
        .kinds
        .iter()
        .map(|&kind| {
            if scope.has(kind) && choices.below(3) == 0 {
                return term(kind, 0, scope, choices);
            }
            let name = scope.name(kind);
            new.push((kind, name.clone()));
            name
        })
        .collect();
    scope.body.push(format!("{}({})", helper.name, arguments.join(", ")));
    new.iter().for_each(|(kind, name)| scope.add(*kind, name));
    new.into_iter().map(|(_, name)| name).collect()
}

//! Helpers: plain, with several clauses, recursive over cells and digits, numbers and sets.

use super::super::choices::Choices;
use super::condition::{give, give_by, test};
use super::term::{Kind, Scope, term};

use Kind::{Cell, Cells, Digit, Digits, House, Number};

/// A helper that can be called.
#[derive(Clone, Debug)]
pub struct Helper {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub kinds: Vec<Kind>,
}

impl Helper {
    pub fn new(name: &str, kinds: &[Kind]) -> Helper {
        Helper { name: name.to_string(), kinds: kinds.to_vec() }
    }
}

/// The helpers that are always there.
pub fn bundled() -> Vec<Helper> {
    vec![
        Helper::new("bivalue", &[Cell, Digit, Digit]),
        Helper::new("conjugate", &[Digit, Cell, Cell, House]),
        Helper::new("strong", &[Cell, Digit, Cell, Digit]),
        Helper::new("weak", &[Cell, Digit, Cell, Digit]),
    ]
}

const PLAIN: [&[Kind]; 8] = [
    &[Cell],
    &[Cell, Digit],
    &[Cell, Cell],
    &[Digit, Cell, Cell],
    &[House, Digit],
    &[Cells, Digit],
    &[Cell, Number],
    &[Digits],
];

const RECURSIVE: [&[Kind]; 9] = [
    &[Digit, Cell, Cell],
    &[Cell, Cell],
    &[Cell, Digit, Cell, Digit],
    &[Number],
    &[Cell, Number],
    &[Cells],
    &[Cells, Digit],
    &[Cells, Digit, Digit],
    &[Cells, Number],
];

/// Adds a helper and its clauses to the text.
pub fn helper(text: &mut String, helpers: &mut Vec<Helper>, choices: &mut Choices) {
    let name = format!("h{}", helpers.len());
    let is_recursive = choices.below(5) < 2;
    let kinds = choices.pick(if is_recursive { &RECURSIVE[..] } else { &PLAIN[..] });
    let new = Helper::new(&name, kinds);
    for _ in 0..choices.pick(&[1, 1, 2]) {
        *text += &base(&new, helpers, choices);
    }
    if is_recursive {
        for _ in 0..choices.pick(&[1, 1, 1, 2]) {
            *text += &step(&new, helpers, choices);
        }
    }
    helpers.push(new);
}

fn clause(helper: &Helper, formals: &[String], scope: Scope) -> String {
    format!("{}({}) :- {}.\n", helper.name, formals.join(", "), scope.body.join(", "))
}

/// A clause that does not call the helper itself.
fn base(helper: &Helper, helpers: &[Helper], choices: &mut Choices) -> String {
    let mut scope = Scope::default();
    let fits = |h: &&Helper| h.kinds == helper.kinds;
    let alike: Vec<&Helper> = helpers.iter().filter(fits).collect();
    if !alike.is_empty() && choices.below(2) == 0 {
        let called = alike[choices.below(alike.len())];
        let formals = give_by(called, &mut scope, choices);
        if formals.len() == helper.kinds.len() {
            return clause(helper, &formals, scope);
        }
        scope = Scope::default();
    }
    if helper.kinds.contains(&Kind::Cells) && choices.below(2) == 0 {
        give(Cell, &mut scope, choices);
        if choices.below(2) == 0 {
            give(Cell, &mut scope, choices);
        }
    }
    let formals: Vec<String> =
        helper.kinds.iter().map(|&kind| give(kind, &mut scope, choices)).collect();
    for _ in 0..choices.below(3) {
        let condition = test(1, &mut scope, helpers, choices);
        scope.body.push(condition);
    }
    clause(helper, &formals, scope)
}

/// A clause that calls the helper and goes on from there: numbers count, sets grow, cells lead
/// to other cells.
fn step(helper: &Helper, helpers: &[Helper], choices: &mut Choices) -> String {
    let mut scope = Scope::default();
    let before: Vec<String> = helper.kinds.iter().map(|&kind| scope.name(kind)).collect();
    scope.body.push(format!("{}({})", helper.name, before.join(", ")));
    helper.kinds.iter().zip(&before).for_each(|(&kind, name)| scope.add(kind, name));
    let mut formals = before.clone();
    // What does not change must be one less than all.
    let changed = choices.below(formals.len());
    for (i, &kind) in helper.kinds.iter().enumerate() {
        if i != changed && choices.below(2) == 0 {
            continue;
        }
        formals[i] = next(kind, &before[i], &mut scope, helpers, choices);
    }
    if choices.below(4) == 0 {
        // Two of a kind change places.
        let pairs = (1..formals.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let mut alike = pairs.filter(|&(a, b)| helper.kinds[a] == helper.kinds[b]);
        if let Some((a, b)) = alike.next() {
            formals.swap(a, b);
        }
    }
    for _ in 0..choices.below(2) {
        let condition = test(1, &mut scope, helpers, choices);
        scope.body.push(condition);
    }
    clause(helper, &formals, scope)
}

/// What comes after a variable.
fn next(
    kind: Kind,
    from: &str,
    scope: &mut Scope,
    helpers: &[Helper],
    choices: &mut Choices,
) -> String {
    let name = scope.name(kind);
    match kind {
        Number => {
            let bound = choices.pick(&["3", "110", "4", "9", "82", "120"]);
            let more = choices.pick(&["1", "1", "2", "37"]);
            scope.body.push(format!("{name} = {from} + {more}, {name} <= {bound}"));
        }
        Cells => {
            let cell = scope.name(Cell);
            let house = term(House, 0, scope, choices);
            let among = choices.pick(&["unsolved", "peers", "house", "house"]);
            scope.body.push(match among {
                "peers" => format!("{cell} in common_peers({from})"),
                "house" => format!("{cell} in unsolved & {house}"),
                _ => format!("{cell} in unsolved"),
            });
            scope.add(Cell, &cell);
            let bound = choices.pick(&["2", "3"]);
            scope.body.push(format!("{name} = {from} + {{{cell}}}, |{name}| <= {bound}"));
        }
        Cell => {
            let links: Vec<&Helper> =
                helpers.iter().filter(|h| h.kinds == [Digit, Cell, Cell]).collect();
            match choices.below(4) {
                0 if !links.is_empty() && scope.has(Digit) => {
                    let link = &links[choices.below(links.len())].name;
                    let digit = term(Digit, 0, scope, choices);
                    scope.body.push(format!("{link}({digit}, {from}, {name})"));
                }
                1 | 2 if scope.has(Digit) => {
                    let (digit, over) = (term(Digit, 0, scope, choices), scope.name(Cell));
                    scope.body.push(format!("sees({from}, {over})"));
                    scope.body.push(format!("conjugate({digit}, {over}, {name}, _)"));
                }
                _ => scope.body.push(format!("sees({from}, {name})")),
            }
        }
        _ => {
            scope.add(kind, from);
            return give(kind, scope, choices);
        }
    }
    scope.add(kind, &name);
    name
}

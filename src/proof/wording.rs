//! Meanings of helpers in words.

use crate::language::{Head, Kind, Predicate, Term};

/// What two nodes have to do with each other: bits for neither, the first, the second, both.
pub(super) fn pair_in_words(pair: u8, node: &dyn Fn(usize, bool) -> String) -> String {
    let (a, b) = (node(0, true), node(1, true));
    let (not_a, not_b) = (node(0, false), node(1, false));
    match pair {
        0b0110 => format!("either {a} or {b}"),
        0b1110 => format!("{a} or {b}"),
        0b0111 => format!("{not_a} or {not_b}"),
        0b1001 => format!("{a} exactly if {b}"),
        0b1101 => format!("if {a} then {b}"),
        0b1011 => format!("if {b} then {a}"),
        0b0001 => format!("{not_a} and {not_b}"),
        0b0010 => format!("{a} and {not_b}"),
        0b0100 => format!("{not_a} and {b}"),
        0b1000 => format!("{a} and {b}"),
        0b0011 => not_b,
        0b1100 => b,
        0b0101 => not_a,
        0b1010 => a,
        _ => "anything".to_string(),
    }
}

/// Names for a helper's arguments: those of a clause whose head has distinct variables, else
/// letters by kind.
pub(super) fn argument_names(predicate: &Predicate) -> Vec<String> {
    for clause in &predicate.clauses {
        let Some(Head::Helper(terms)) = clause.heads.first() else { continue };
        let names: Vec<&str> = terms
            .iter()
            .filter_map(|term| match term {
                Term::Var(v) => Some(clause.variables[v.index()].name.as_str()),
                _ => None,
            })
            .collect();
        let distinct = (1..names.len()).all(|i| !names[..i].contains(&names[i]));
        if names.len() == terms.len() && distinct && !names.contains(&"_") {
            return names.into_iter().map(String::from).collect();
        }
    }
    let mut taken = [0; 3];
    let mut name = |kind: &Kind| {
        let (which, letters) = match kind {
            Kind::Cell | Kind::Cells => (0, ["A", "B", "C", "E", "F", "G"]),
            Kind::Digit | Kind::Digits => (1, ["X", "Y", "Z", "V", "W", "U"]),
            _ => (2, ["H", "I", "J", "K", "L", "M"]),
        };
        taken[which] += 1;
        letters[(taken[which] - 1) % letters.len()].to_string()
    };
    predicate.kinds.iter().map(&mut name).collect()
}

//! Small techniques to begin with: true, or nearly so. More conditions keep a true one true.

use super::super::choices::Choices;
use super::term::{Kind, Scope};

use Kind::{Cell, Cells, Digit, Digits, House, Houses};

struct Core {
    head: &'static str,
    body: &'static [&'static str],
    variables: &'static [(Kind, &'static str)],
}

const fn core(
    head: &'static str,
    body: &'static [&'static str],
    variables: &'static [(Kind, &'static str)],
) -> Core {
    Core { head, body, variables }
}

const CORES: [Core; 20] = [
    core(
        "place(C, D)",
        &["candidates(C) within {D}", "C in unsolved"],
        &[(Cell, "C"), (Digit, "D")],
    ),
    core(
        "place(C, D)",
        &["H in houses", "spots(D, H) within {C}", "C in unsolved & H"],
        &[(Cell, "C"), (Digit, "D"), (House, "H")],
    ),
    core(
        "eliminate(L \\ B, D)",
        &["B in boxes", "L in lines", "spots(D, B) within L"],
        &[(House, "B"), (House, "L"), (Digit, "D")],
    ),
    core(
        "eliminate(H \\ Cs, Ds)",
        &["H in houses", "Cs in choose(2, unsolved & H)", "Ds = candidates(Cs)", "|Ds| <= |Cs|"],
        &[(House, "H"), (Cells, "Cs"), (Digits, "Ds")],
    ),
    core(
        "eliminate(Cs, digits \\ Ds)",
        &["H in houses", "Ds in choose(2, missing(H))", "Cs = spots(Ds, H)", "|Cs| <= 2"],
        &[(House, "H"), (Cells, "Cs"), (Digits, "Ds")],
    ),
    core(
        "eliminate(common_peers({A, B}), D)",
        &["conjugate(D, A, B, H)"],
        &[(Cell, "A"), (Cell, "B"), (Digit, "D"), (House, "H")],
    ),
    core(
        "eliminate(common_peers({A, B}), {D, E})",
        &["bivalue(A, D, E)", "bivalue(B, D, E)", "sees(A, B)"],
        &[(Cell, "A"), (Cell, "B"), (Digit, "D"), (Digit, "E")],
    ),
    core(
        "eliminate(T, D)",
        &[
            "B in boxes",
            "D in missing(B)",
            "T in unsolved \\ B",
            "forall X in spots(D, B) : (sees(X, T))",
        ],
        &[(Cell, "T"), (House, "B"), (Digit, "D")],
    ),
    core(
        "eliminate(peers(C), D)",
        &["C in unsolved", "candidates(C) within {D}"],
        &[(Cell, "C"), (Digit, "D")],
    ),
    core("contradiction", &["C in unsolved", "|candidates(C)| < 1"], &[(Cell, "C")]),
    core(
        "contradiction",
        &["H in houses", "D in missing(H)", "spots(D, H) within {}"],
        &[(House, "H"), (Digit, "D")],
    ),
    core(
        "contradiction",
        &["H in houses", "Cs in choose(2, unsolved & H)", "|candidates(Cs)| < 2"],
        &[(House, "H"), (Cells, "Cs")],
    ),
    core(
        "eliminate(cells(Gs) \\ cells(Hs), D)",
        &[
            "Hs in choose(2, rows)",
            "Gs = touching(columns, spots(D, cells(Hs)))",
            "|Gs| <= 2",
            "D in digits",
        ],
        &[(Houses, "Hs"), (Houses, "Gs"), (Digit, "D")],
    ),
    core(
        "place(C, D)",
        &["H in houses", "C in unsolved & H", "forall X in H \\ {C} : (not live(X, D))"],
        &[(Cell, "C"), (Digit, "D"), (House, "H")],
    ),
    core(
        "place(C, D)",
        &["C in unsolved", "live(C, D)", "forall E in digits \\ {D} : (not live(C, E))"],
        &[(Cell, "C"), (Digit, "D")],
    ),
    core(
        "eliminate(C, D)",
        &["C in unsolved", "D in digits", "not live(C, D)"],
        &[(Cell, "C"), (Digit, "D")],
    ),
    core(
        "eliminate(C, D)",
        &["sees(A, C)", "live(A, D)", "not A in unsolved"],
        &[(Cell, "A"), (Cell, "C"), (Digit, "D")],
    ),
    // Not true by themselves.
    core("place(C, D)", &["C in unsolved", "D in candidates(C)"], &[(Cell, "C"), (Digit, "D")]),
    core("eliminate(C, D)", &["C in unsolved", "live(C, D)"], &[(Cell, "C"), (Digit, "D")]),
    core("contradiction", &["C in unsolved"], &[(Cell, "C")]),
];

/// Puts one of them into a scope; its head.
pub fn begin(scope: &mut Scope, choices: &mut Choices) -> String {
    let Core { head, body, variables } = &CORES[choices.below(CORES.len())];
    scope.body.extend(body.iter().map(|condition| condition.to_string()));
    variables.iter().for_each(|(kind, name)| scope.add(*kind, name));
    head.to_string()
}

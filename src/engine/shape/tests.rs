//! The same technique in other words has the same shape; something else has not.

use super::*;
use crate::board::Layout;
use crate::language::{self, Origin, Source};

/// The shape of the one clause of a rule on 9×9, with the parameter 2.
fn shape(clause: &str) -> Option<Shape> {
    let text =
        format!("rule some_name(N in 2..4) \"Some title\" {{\n level 10 + N.\n {clause}\n}}");
    let source = Source { name: "test.rules".to_string(), text };
    let (rules, diagnostics) = language::load(vec![(Origin::User, source)]);
    let rules = rules.unwrap_or_else(|| panic!("{clause}: {diagnostics:?}"));
    let layout = Layout::classic(9).expect("9 is a classic size");
    recognise(&rules.rules()[0].clauses[0], &layout, Some(2))
}

/// All have one shape.
fn same(clauses: &[&str]) -> Shape {
    let first = shape(clauses[0]).unwrap_or_else(|| panic!("no shape: {}", clauses[0]));
    for clause in clauses {
        assert_eq!(shape(clause).as_ref(), Some(&first), "{clause}");
    }
    first
}

#[test]
fn alone_in_a_cell() {
    let found = same(&[
        "place(C, D) :- candidates(C) within {D}, C in unsolved.",
        "place(X, Y) :- X in unsolved, candidates(X) within {Y}.",
        "place(C, D) :- candidates(C) = {D}, C in unsolved.",
        "place(C, D) :- C in unsolved, D in candidates(C), |candidates(C)| <= 1.",
        "place(C, D) :- S = candidates(C), |S| = 1, live(C, D), C in unsolved.",
    ]);
    let asked = Questions { alone_in_cell: true, ..Default::default() };
    assert_eq!(found, Shape::Planes(Effect::Place, asked));
}

#[test]
fn alone_in_a_house() {
    let found = same(&[
        "place(C, D) :- spots(D, H) within {C}, C in unsolved & H.",
        "place(C, D) :- C in H & unsolved, H in houses, spots(D, H) within {C}.",
        "place(Z, Q) :- Z in unsolved, Z in A, spots(Q, A) within {Z}, Q in digits.",
        "place(C, D) :- H in houses, S = spots(D, H), |S| = 1, C in S, C in unsolved & H.",
        "place(C, D) :- C in H, C in unsolved, spots(D, H) \\ {C} within {}.",
    ]);
    let Shape::Planes(Effect::Place, asked) = found else { panic!("{found:?}") };
    assert_eq!(asked.alone_in_house, [true, true, true, false]);
    assert_eq!(asked.pairs, []);
}

#[test]
fn boxes_and_lines() {
    let found = same(&[
        "eliminate(L \\ B, D) :- B in boxes, L in lines, spots(D, B) within L.",
        "eliminate(L \\ B, D) :- spots(D, B) within L, L in lines, B in boxes.",
        "eliminate(R, D) :- B in boxes, L in lines, R = L \\ B, spots(D, B \\ L) within {}.",
        "eliminate(spots(D, L) \\ B, D) :- B in boxes, L in lines, S = spots(D, B), S within L.",
    ]);
    let Shape::Planes(Effect::Eliminate, asked) = found else { panic!("{found:?}") };
    let boxes = Locked { box_to_line: true, line_to_box: false };
    assert_eq!((asked.locked, asked.pairs.len()), ([boxes; 2], 0));
}

#[test]
fn cells_of_a_house() {
    let found = same(&[
        "eliminate(H \\ Cs, Ds) :- H in houses, Cs in choose(N, unsolved & H),
            Ds = candidates(Cs), |Ds| <= N.",
        "eliminate(A \\ X, candidates(X)) :- |candidates(X)| <= N, X in choose(N, A & unsolved),
            A in houses.",
        "eliminate(H \\ Cs, Ds) :- H in houses, Cs in choose(N, H & unsolved),
            candidates(Cs) = Ds, |Cs| >= |Ds|.",
        "eliminate((H & unsolved) \\ Cs, Ds) :- H in houses, Cs in choose(N, unsolved & H),
            Ds = candidates(Cs), |Ds| < N + 1.",
    ]);
    let Shape::Hall(hall) = found else { panic!("{found:?}") };
    assert!(matches!(hall.incidence, Incidence::Cells(houses) if houses.len() == 27));
    assert_eq!((hall.size, hall.with_placed), (2, false));
}

#[test]
fn digits_of_a_house() {
    let found = same(&[
        "eliminate(Cs, digits \\ Ds) :- H in boxes, Ds in choose(N, missing(H)),
            Cs = spots(Ds, H), |Cs| <= N.",
        "eliminate(spots(X, B), missing(B) \\ X) :- X in choose(N, missing(B)), B in boxes,
            |spots(X, B)| <= |X|.",
    ]);
    let Shape::Hall(hall) = found else { panic!("{found:?}") };
    assert!(matches!(hall.incidence, Incidence::Digits(houses) if houses.len() == 9));
}

#[test]
fn lines_and_lines_across() {
    let found = same(&[
        "eliminate(cells(Cover) \\ cells(Base), D) :- orientation(Lines, Across),
            Base in choose(N, Lines), Cover = touching(Across, spots(D, Base)), |Cover| <= N.",
        "eliminate(cells(T) \\ cells(B), X) :- T = touching(Q, spots(X, B)), B in choose(N, P),
            N >= |T|, orientation(P, Q).",
    ]);
    let lines = Incidence::Lines { rows: true, columns: true };
    assert_eq!(found, Shape::Hall(Hall { incidence: lines, size: 2, with_placed: true }));
    let rows = shape(
        "eliminate(cells(T) \\ cells(B), X) :- T = touching(columns, spots(X, B)),
            B in choose(N, rows), |T| <= N.",
    );
    let lines = Incidence::Lines { rows: true, columns: false };
    assert_eq!(rows, Some(Shape::Hall(Hall { incidence: lines, size: 2, with_placed: true })));
}

#[test]
fn near_misses_have_no_shape() {
    for clause in [
        // One digit too many is allowed.
        "eliminate(H \\ Cs, Ds) :- H in houses, Cs in choose(N, unsolved & H),
            Ds = candidates(Cs), |Ds| <= N + 1.",
        // What goes is not what was counted.
        "eliminate(Cs, Ds) :- H in houses, Cs in choose(N, unsolved & H),
            Ds = candidates(Cs), |Ds| <= N.",
        // The cells of one house, eliminated from another.
        "eliminate(G \\ Cs, Ds) :- H in houses, G in houses, Cs in choose(N, unsolved & H),
            Ds = candidates(Cs), |Ds| <= N.",
        "place(C, D) :- candidates(C) within {D, E}, D != E, C in unsolved.",
        "place(C, D) :- candidates(C) within {D}, C in unsolved, given(C).",
        "eliminate(L \\ B, D) :- B in boxes, L in lines, spots(D, B) within L, live(C, D),
            C in L.",
        "eliminate(L \\ B, E) :- B in boxes, L in lines, spots(D, B) within L, live(r1c1, E).",
    ] {
        assert_eq!(shape(clause), None, "{clause}");
    }
}

#[test]
fn some_houses_only() {
    let found = shape("place(C, D) :- H in rows, spots(D, H) within {C}, C in unsolved & H.");
    let Some(Shape::Planes(Effect::Place, asked)) = found else { panic!("{found:?}") };
    assert_eq!(asked.alone_in_house, [true, false, false, false]);
    let found = shape("eliminate(A \\ B, D) :- A in houses, B in houses, spots(D, B) within A.");
    let Some(Shape::Planes(Effect::Eliminate, asked)) = found else { panic!("{found:?}") };
    let both = Locked { box_to_line: true, line_to_box: true };
    assert_eq!((asked.locked, asked.pairs.len()), ([both; 2], 2 * 81));
    let found = shape("place(C, D) :- H = row(r1c1), spots(D, H) within {C}, C in unsolved & H.");
    let Some(Shape::Planes(Effect::Place, asked)) = found else { panic!("{found:?}") };
    assert_eq!((asked.alone_in_house, asked.pairs.len()), ([false; 4], 9));
}

#[test]
fn one_digit_at_a_time() {
    let asks = |helper: &str, clause: &str| {
        let text = format!("{helper}\nrule some_name \"Some title\" {{\n level 10.\n {clause}\n}}");
        let source = Source { name: "test.rules".to_string(), text };
        let (rules, diagnostics) = language::load(vec![(Origin::User, source)]);
        let rules = rules.unwrap_or_else(|| panic!("{clause}: {diagnostics:?}"));
        one_digit(&rules, &rules.rules()[0].clauses[0]).is_some()
    };
    let chain = "two(D, A, B) :- H in houses, A in H, B in H, A != B, spots(D, H) = {A, B}.
        on(D, A, B) :- two(D, A, B).
        on(D, A, C) :- on(D, A, B), two(D, B, C).";
    assert!(asks("", "eliminate(L \\ B, D) :- B in boxes, L in lines, spots(D, B) within L."));
    assert!(asks("", "eliminate(C, D) :- H in houses, D in missing(H), C in H, C in unsolved."));
    assert!(asks(chain, "eliminate(common_peers({A, B}), D) :- on(D, A, B)."));
    // They place, look at a cell's other digits, at another digit, or at all that are missing.
    assert!(!asks("", "place(C, D) :- spots(D, H) within {C}, C in unsolved & H."));
    assert!(!asks("", "eliminate(C, D) :- live(C, D), |candidates(C)| > 2."));
    assert!(!asks("", "eliminate(C, D) :- live(C, D), live(C, E), D != E."));
    assert!(!asks("", "eliminate(C, D) :- H in houses, C in H, live(C, D), |missing(H)| = 2."));
    assert!(!asks(chain, "eliminate(A, D) :- on(D, A, B), on(E, A, B), D != E."));
    let mixed = format!("{chain}\n on(D, A, B) :- candidates(A) = {{D, E}}, live(B, E).");
    assert!(!asks(&mixed, "eliminate(common_peers({A, B}), D) :- on(D, A, B)."));
}

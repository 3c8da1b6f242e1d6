//! What the checker makes of clauses.

use super::load;
use crate::language::clause::Kind;
use crate::language::rule::{Origin, RuleSet};
use crate::language::{Source, bundled};

fn rules(text: &str) -> RuleSet {
    let mut sources = bundled::helpers();
    let source = Source { name: "test.rules".to_string(), text: text.to_string() };
    sources.push((Origin::User, source));
    let (rules, diagnostics) = load(sources);
    rules.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

/// The kinds of the variables of a rule's only clause, as `C: cell, D: digit`.
fn kinds(clause: &str) -> String {
    let rules = rules(&format!("rule test(N in 2..4) \"Test\" {{ level 1. {clause} }}"));
    let clause = &rules.rules()[0].clauses[0];
    let word = |kind: Kind| format!("{kind:?}").to_lowercase();
    let pairs = clause.variables.iter().filter(|v| v.name != "_");
    pairs.map(|v| format!("{}: {}", v.name, word(v.kind))).collect::<Vec<_>>().join(", ")
}

/// The body of a rule's only clause.
fn body(clause: &str) -> String {
    let rules = rules(&format!("rule test(N in 2..4) \"Test\" {{ level 1. {clause} }}"));
    let clause = &rules.rules()[0].clauses[0];
    let goals = clause.body.iter().map(|goal| format!("{:?}", goal.literal));
    goals.collect::<Vec<_>>().join("; ")
}

#[test]
fn kinds_come_from_uses() {
    for (clause, wanted) in [
        ("place(C, D) :- candidates(C) within {D}, C in unsolved.", "C: cell, D: digit"),
        (
            "place(C, D) :- spots(D, H) within {C}, C in unsolved & H.",
            "C: cell, D: digit, H: house",
        ),
        (
            "eliminate(L \\ B, D) :- B in boxes, L in lines, spots(D, B) within L.",
            "L: house, B: house, D: digit",
        ),
        (
            "eliminate(H \\ Cs, Ds) :- H in houses, Cs in choose(N, unsolved & H),
             Ds = candidates(Cs), |Ds| <= N.",
            "H: house, Cs: cells, Ds: digits",
        ),
        (
            "eliminate(cells(Cover) \\ cells(Base), D) :- orientation(Lines, Across),
             Base in choose(N, Lines), Cover = touching(Across, spots(D, Base)), |Cover| <= N.",
            "Cover: houses, Base: houses, D: digit, Lines: houses, Across: houses",
        ),
        (
            "eliminate(common_peers({A, B}), Z) :- bivalue(A, X, Z), bivalue(B, X, Z), A < B.",
            "A: cell, B: cell, Z: digit, X: digit",
        ),
        (
            "eliminate(T, D) :- D in digits, B in boxes, T in unsolved,
             forall C in spots(D, B) : (sees(C, T)).",
            "T: cell, D: digit, B: house, C: cell",
        ),
        (
            "eliminate(Hs & peers(C), 3) :- Hs = box(C) \\ row(C), C in unsolved, K = |Hs|, K > 2.",
            "Hs: cells, C: cell, K: number",
        ),
        (
            "eliminate(C, D) :- C in K, K in rows + columns, spots(D, K) within {C}.",
            "C: cell, D: digit, K: house",
        ),
        ("eliminate(C, X) :- X < 5, candidates(C) within {X, 6}.", "C: cell, X: digit"),
    ] {
        assert_eq!(kinds(clause), wanted, "{clause}");
    }
}

#[test]
fn conversions_are_written_out() {
    for (clause, wanted) in [
        (
            "place(C, D) :- spots(D, H) within {C}, C in unsolved & H.",
            "Within(Call(Spots, [Lone(Var(Var(1))), CellsOf(Var(Var(2)))]), Set(Cell, [Var(Var(0))])); \
             In(Var(Var(0)), Operation(Intersection, Constant(Unsolved), CellsOf(Var(Var(2)))))",
        ),
        (
            "eliminate(C, D) :- candidates(C) within {D}, not live(C, 3).",
            "Within(Call(Candidates, [Lone(Var(Var(0)))]), Set(Digit, [Var(Var(1))])); \
             Not(Relation(Live, [Var(Var(0)), Digit(Digit(2))]))",
        ),
        (
            "place(C, D) :- candidates(C) within D, C in rows.",
            "Within(Call(Candidates, [Lone(Var(Var(0)))]), Lone(Var(Var(1)))); \
             In(Var(Var(0)), Call(Cells, [Constant(Rows)]))",
        ),
        (
            "eliminate(r2c4, D) :- spots(D, {row(r2c4)} + box(r2c4)) within {}.",
            "Within(Call(Spots, [Lone(Var(Var(0))), Call(Cells, [Operation(Union, \
             Set(House, [Call(Row, [Cell { row: 1, column: 3 }])]), \
             Lone(Call(Box, [Cell { row: 1, column: 3 }])))])]), Set(Cell, []))",
        ),
    ] {
        assert_eq!(body(clause), wanted, "{clause}");
    }
}

#[test]
fn helpers_know_their_kinds() {
    let rules = rules(
        "% P is the only spot of D in H.
         only(D, H, P) :- spots(D, H) within {P}, P in H.
         hops(A, B) :- sees(A, B).
         hops(A, C) :- hops(A, B), sees(B, C).
         same(S, T) :- S = {r1c1, r1c2}, T = candidates(S), |T| <= 2.
         rule test \"Test\" { level 1.
             eliminate(B, D) :- only(D, _, A), hops(A, B), same(S, _), A in S. }",
    );
    let kinds = |name: &str| {
        let helper = rules.predicates().iter().find(|p| p.name == name).expect("the helper");
        (format!("{:?}", helper.kinds), helper.recursive)
    };
    assert_eq!(kinds("only"), ("[Digit, House, Cell]".to_string(), false));
    assert_eq!(kinds("hops"), ("[Cell, Cell]".to_string(), true));
    assert_eq!(kinds("same"), ("[Cells, Digits]".to_string(), false));
    let only = rules.predicates().iter().find(|p| p.name == "only").expect("the helper");
    assert_eq!(only.comment, "P is the only spot of D in H.");
}

#[test]
fn a_users_rule_replaces_a_bundled_one() {
    let mut sources = bundled::helpers();
    sources.extend(bundled::standard());
    let text = "bivalue(C, D) :- candidates(C) within {D}.
                rule naked_single \"Mine\" { level 3. place(C, D) :- bivalue(C, D), C in unsolved. }";
    sources.push((Origin::User, Source { name: "mine.rules".to_string(), text: text.to_string() }));
    let (rules, diagnostics) = load(sources);
    assert_eq!(diagnostics, []);
    let rules = rules.expect("no errors");
    let named: Vec<&str> =
        rules.instances().iter().take(2).map(|instance| instance.title.as_str()).collect();
    assert_eq!(named, ["Mine", "Hidden single"]);
    let arities: Vec<usize> =
        rules.predicates().iter().filter(|p| p.name == "bivalue").map(|p| p.kinds.len()).collect();
    assert_eq!(arities, [3, 2]);
}

//! The joins against the naive evaluator, match for match.

use std::sync::Arc;

use crate::board::{Candidate, Cell, Cells, Digit, Grid, Layout};
use crate::engine::shape::one_digit;
use crate::engine::{Deducer, Naive};
use crate::language::{Origin, RuleSet, Source, bundled, load};
use crate::trace::{Conclusion, Match, Step};

use super::program::Program;
use super::run::MOST_MATCHES;
use super::{AnyWidth, Effects, Ended, Joins, Purpose};

/// A small generator, so that every run sees the same states.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

/// A state around a solution, with some cells placed and some candidates gone.
fn state(layout: &Arc<Layout>, random: &mut Random, placed: u64, kept: u64) -> Grid {
    let (size, height, width) = (layout.size(), layout.box_height(), layout.box_width());
    let shift = random.next() as usize;
    let digit = |cell: Cell| {
        let (r, c) = (layout.row_index(cell), layout.column_index(cell));
        (width * (r % height) + r / height + c + shift) % size
    };
    let mut planes = vec![Cells::EMPTY; size];
    let (mut done, mut given) = (Cells::EMPTY, Cells::EMPTY);
    for cell in layout.all_cells() {
        planes[digit(cell)].insert(cell);
        if random.chance(placed) {
            done.insert(cell);
            if random.chance(70) {
                given.insert(cell);
            }
        }
    }
    for cell in layout.all_cells() - done {
        for d in (0..size).filter(|&d| d != digit(cell)) {
            let rivals = *layout.peers(cell) & done & planes[d];
            let free = rivals.iter().all(|rival| digit(rival) != d);
            if free && random.chance(kept) {
                planes[d].insert(cell);
            }
        }
    }
    Grid::from_parts(layout.clone(), planes, done, given)
}

fn rules(sources: Vec<(Origin, Source)>) -> Arc<RuleSet> {
    let (set, diagnostics) = load(sources);
    Arc::new(set.unwrap_or_else(|| panic!("{diagnostics:?}")))
}

fn bundled_rules() -> Arc<RuleSet> {
    let mut sources = bundled::helpers();
    sources.extend(bundled::standard());
    sources.extend(bundled::extended());
    rules(sources)
}

/// The rules of a text, with the bundled helpers.
fn own_rules(text: &str) -> Arc<RuleSet> {
    let mut sources = bundled::helpers();
    let source = Source { name: "own.rules".to_string(), text: text.to_string() };
    sources.push((Origin::User, source));
    rules(sources)
}

/// Checks everything that the joins say about one instance on one state.
fn check(rules: &Arc<RuleSet>, joins: &mut Joins, naive: &mut Naive, i: usize, grid: &Grid) {
    let name = &rules.instances()[i].name;
    let clauses = rules.rule(rules.instances()[i].rule).clauses.len();
    let expected = naive.matches(i, grid);
    for clause in 0..clauses {
        let purposes = [Purpose::Effects, Purpose::Conclusions, Purpose::Matches];
        let is_planned = purposes.map(|purpose| joins.supports(i, clause, purpose));
        assert_eq!(is_planned, [true; 3], "{name} has a plan whatever it is for");
        let expected: Vec<&Match> = expected.iter().filter(|m| m.clause == clause).collect();
        if expected.len() >= MOST_MATCHES {
            continue;
        }
        let (found, _) = joins.matches(i, clause);
        let missing = expected.iter().find(|m| !found.contains(m));
        let wrong = found.iter().find(|m| !expected.contains(m));
        assert!(
            missing.is_none() && wrong.is_none() && found.len() == expected.len(),
            "{name}, clause {clause}: {} found, {} expected, missing {missing:?}, wrong {wrong:?}\n{grid:?}\n{}",
            found.len(),
            expected.len(),
            joins.describe(i, clause).join("\n"),
        );
        // What a pass changes is what all matches change.
        let mut effects = Effects::default();
        joins.effects(i, clause, &mut effects);
        let mut all: Vec<Candidate> =
            expected.iter().flat_map(|m| m.conclusion.eliminates.clone()).collect();
        all.sort();
        all.dedup();
        let mut eliminated: Vec<Candidate> = Vec::new();
        for (d, cells) in effects.eliminates.iter().enumerate() {
            eliminated.extend(cells.iter().map(|cell| Candidate { cell, digit: Digit::at(d) }));
        }
        eliminated.sort();
        let plan = joins.describe(i, clause).join("\n");
        assert_eq!(eliminated, all, "{name}, clause {clause}\n{grid:?}\n{plan}");
        let mut places: Vec<Candidate> =
            expected.iter().flat_map(|m| m.conclusion.places.clone()).collect();
        places.sort();
        places.dedup();
        effects.places.sort();
        effects.places.dedup();
        assert_eq!(effects.places, places, "{name}, clause {clause}");
        assert_eq!(
            effects.contradiction,
            expected.iter().any(|m| m.conclusion.contradiction),
            "{name}, clause {clause}"
        );
        // The least conclusion, and a witness of it.
        let least: Option<&Conclusion> =
            expected.iter().map(|m| &m.conclusion).filter(|c| !c.is_empty()).min();
        assert_eq!(joins.least(i, clause, None).0.as_ref(), least, "{name}, clause {clause}");
        if effects.places.is_empty() && !effects.contradiction {
            let begun = joins.least(i, clause, all.first().copied()).0;
            assert_eq!(begun.as_ref(), least, "{name}, clause {clause}, from its first candidate");
        }
        if let Some(conclusion) = least {
            let step = Step { instance: i, clause, conclusion: conclusion.clone() };
            let witness = expected.iter().find(|m| m.conclusion == *conclusion);
            assert_eq!(joins.witness(&step).as_ref(), witness.copied(), "{name}, clause {clause}");
        }
    }
}

fn check_all(rules: &Arc<RuleSet>, joins: &mut Joins, grid: &Grid, only: impl Fn(&str) -> bool) {
    let mut naive = Naive::new(rules);
    joins.load(grid);
    for i in 0..rules.instances().len() {
        if only(&rules.instances()[i].name) {
            check(rules, joins, &mut naive, i, grid);
        }
    }
}

/// Checks everything on random states of some sizes, with so much placed and kept. The definition
/// takes long where many sets are left, so the seed is one that leaves few.
fn check_random(
    rules: &Arc<RuleSet>,
    sizes: [(usize, usize); 2],
    seed: u64,
    (placed, kept): (u64, u64),
) {
    for (size, states) in sizes {
        let layout = Layout::classic(size).expect("a classic size");
        let mut joins = Joins::new(rules.clone(), layout.clone());
        let mut random = Random(size as u64 + seed);
        for _ in 0..states {
            let grid = state(&layout, &mut random, placed, kept);
            check_all(rules, &mut joins, &grid, |_| true);
        }
    }
}

fn bundled_on(size: usize, states: usize, placed: u64, kept: u64, only: impl Fn(&str) -> bool) {
    let layout = Layout::classic(size).expect("a classic size");
    let rules = bundled_rules();
    let mut random = Random(size as u64 + 17 * placed + kept);
    let mut joins = Joins::new(rules.clone(), layout.clone());
    for _ in 0..states {
        let grid = state(&layout, &mut random, placed, kept);
        check_all(&rules, &mut joins, &grid, &only);
    }
}

/// Rules that take the naive evaluator long on larger boards.
fn is_slow(name: &str) -> bool {
    ["finned_fish", "aic", "fish", "hidden_subset:4", "naked_subset:4"]
        .iter()
        .any(|slow| name.starts_with(slow))
}

#[test]
fn bundled_rules_on_four() {
    bundled_on(4, 20, 25, 55, |_| true);
    bundled_on(4, 5, 0, 90, |name| !is_slow(name));
}

#[test]
fn bundled_rules_on_six() {
    bundled_on(6, 3, 30, 40, |_| true);
}

#[test]
fn bundled_rules_on_nine() {
    bundled_on(9, 1, 55, 15, |name| !is_slow(name));
}

#[test]
fn bundled_rules_on_sixteen() {
    let cheap = ["naked_single", "hidden_single", "pointing", "xy_wing"];
    bundled_on(16, 1, 85, 10, |name| cheap.contains(&name));
}

#[test]
fn a_clause_of_one_digit_looks_at_no_other() {
    let layout = Layout::classic(9).expect("a classic size");
    let rules = bundled_rules();
    let mut joins = Joins::new(rules.clone(), layout.clone());
    let mut random = Random(7);
    let (mut asked, mut fired) = (0, 0);
    for _ in 0..6 {
        let grid = state(&layout, &mut random, 45, 20);
        for (i, instance) in rules.instances().iter().enumerate() {
            for (clause, written) in rules.rule(instance.rule).clauses.iter().enumerate() {
                if one_digit(&rules, written).is_none() {
                    continue;
                }
                joins.load(&grid);
                let mut effects = Effects::default();
                joins.effects(i, clause, &mut effects);
                for digit in layout.digits() {
                    let mut other = grid.clone();
                    for cell in grid.unsolved() {
                        let gone = Digit::at(random.next() as usize % 9);
                        if gone != digit {
                            other.eliminate(Candidate { cell, digit: gone });
                        }
                    }
                    joins.load(&other);
                    joins.ask([digit].into_iter().collect());
                    let mut alone = Effects::default();
                    joins.effects(i, clause, &mut alone);
                    alone.eliminates.resize(9, Cells::EMPTY);
                    let mut expected = vec![Cells::EMPTY; 9];
                    if let Some(cells) = effects.eliminates.get(digit.index()) {
                        expected[digit.index()] = *cells;
                    }
                    assert_eq!(alone.eliminates, expected, "{}, {digit:?}", instance.name);
                    asked += 1;
                    fired += u64::from(alone.firings > 0);
                }
            }
        }
    }
    assert!(asked >= 6 * 9 * 8 && fired > 50, "{asked} asked, {fired} fired");
}

#[test]
fn every_width_says_the_same() {
    let layout = Layout::classic(9).expect("a classic size");
    let rules = bundled_rules();
    let mut narrow = Joins::new(rules.clone(), layout.clone());
    let program = Program::new(rules.clone(), layout.clone());
    let mut wide = Joins { program: AnyWidth::Wide(Box::new(program)), weight: 1 };
    let grid = state(&layout, &mut Random(5), 45, 20);
    narrow.load(&grid);
    wide.load(&grid);
    for (i, instance) in rules.instances().iter().enumerate() {
        for clause in 0..rules.rule(instance.rule).clauses.len() {
            let (mut one, mut other) = (Effects::default(), Effects::default());
            narrow.effects(i, clause, &mut one);
            wide.effects(i, clause, &mut other);
            assert_eq!(one, other, "{}", instance.name);
            assert_eq!(
                narrow.least(i, clause, None),
                wide.least(i, clause, None),
                "{}",
                instance.name
            );
            if !is_slow(&instance.name) {
                assert_eq!(narrow.matches(i, clause), wide.matches(i, clause));
                assert_eq!(narrow.inferences(i, clause), wide.inferences(i, clause));
            }
        }
    }
}

#[test]
fn a_budget_cuts_off_and_inferences_are_counted() {
    let layout = Layout::classic(9).expect("a classic size");
    let rules = bundled_rules();
    let mut joins = Joins::new(rules.clone(), layout.clone());
    let grid = state(&layout, &mut Random(6), 40, 25);
    let fish = rules.instances().iter().position(|i| i.name == "finned_fish:3");
    let fish = fish.expect("a bundled rule");
    joins.load(&grid);
    joins.set_budget(100);
    assert_eq!(joins.effects(fish, 0, &mut Effects::default()), Ended::CutOff);
    joins.set_budget(u64::MAX);
    assert_eq!(joins.effects(fish, 0, &mut Effects::default()), Ended::Complete);
    // On a 4 × 4 board with every candidate: a scan of the cells, one test each, then nothing.
    let four = Layout::classic(4).expect("a classic size");
    let mut joins = Joins::new(rules.clone(), four.clone());
    let single = rules.instances().iter().position(|i| i.name == "naked_single");
    joins.load(&Grid::empty(four.clone()));
    assert_eq!(joins.inferences(single.expect("a bundled rule"), 0), 1 + 16);
}

/// Rules that no one would write, for what the bundled ones do not have.
const ODD: &str = r#"
rule all_see "Every spot sees it" {
    level 1.
    eliminate(T, D) :- B in boxes, D in missing(B), T in unsolved, forall C in spots(D, B) : (sees(C, T)).
}
rule nested "Forall within forall" {
    level 2.
    eliminate(A, D) :- A in unsolved, D in candidates(A), A != r1c1,
        forall H in rows : (forall X in digits \ {D} : (|spots(X, H)| <= 3)).
}
rule without "Not" {
    level 3.
    eliminate(A, X) :- bivalue(A, X, Y), not bivalue(A, Y, Y), not sees(A, r1c1), not A in row(r2c2),
        not conjugate(X, A, A, row(A)), not given(r1c2).
}
rule several "Several heads" {
    level 4.
    eliminate(A, Y), eliminate(B, X), place(C, X) :-
        bivalue(A, X, Y), bivalue(B, X, Y), A < B, C in unsolved & row(A), live(C, X).
    contradiction :- A in unsolved, candidates(A) within {}.
}
rule again "The same variable twice" {
    level 5.
    eliminate(A, X) :- strong(A, X, B, X), weak(B, X, A, X), conjugate(X, A, B, H), H in houses.
    eliminate(A, X) :- strong(A, X, A, Y), X > Y, A >= r2c1, Y <= 3.
}
rule constants "Constants" {
    level 6.
    eliminate(peers(r1c1) & unsolved, 2) :- live(r1c1, 2), 1 in candidates(r1c2), |candidates(r1c1)| < 4.
    eliminate({r1c1, r2c2}, {1, 2}) :- conjugate(1, A, B, row(r1c1)).
}
rule sets(N in 1..2) "Sets and numbers" {
    level 6 + N.
    eliminate(Cs, digits \ Ds) :-
        H in rows + boxes, Cs in choose(N, unsolved & H), Ds = candidates(Cs),
        K = |Ds|, K <= N + 1, K * 2 >= N, Es = candidates(H) \ Ds, |Es| != K, Cs != unsolved & H.
}
rule sets_given(N in 0..2) "A choice with a part given" {
    level 9 + N.
    eliminate(A, D) :-
        A in unsolved, D in candidates(A), Cs in choose(N, unsolved & row(A)), {A} within Cs,
        candidates(Cs) within Ds, Ds in choose(2, digits).
}
rule sets_between(N in 0..2) "Choices of several sizes" {
    level 12 + N.
    eliminate(Cs, D) :-
        H in boxes, Cs in choose(N..2, unsolved & H), Ds = candidates(Cs), |Ds| <= 2,
        D in candidates(H) \ Ds.
    eliminate(A, D) :-
        A in unsolved, D in candidates(A), Cs in choose(N..N + 1, unsolved & row(A)), {A} within Cs,
        candidates(Cs) within {D, E}, E in digits.
    eliminate(H, 1) :- H in rows, Cs in choose(2..N, unsolved & H), candidates(Cs) within {1, 2}.
}
one_line(S, L) :- L in lines, S within L.
either_way(S, D) :- |S| <= 2, D in candidates(S).
either_way(S, D) :- B in boxes, S within B, D in missing(B).
rule given_sets "Helpers that are given their sets" {
    level 15.
    eliminate(L \ Cs, D) :-
        B in boxes, D in missing(B), Cs = spots(D, B), one_line(Cs, L), either_way(Cs, D).
    eliminate(C, D) :-
        C in unsolved, D in candidates(C), not either_way(spots(D, peers(C)), D),
        forall H in touching(houses, {C}) : (either_way(spots(D, H), D)).
    eliminate(C, D) for one_line(Cs, L), C in L \ Cs :-
        B in boxes, D in missing(B), Cs = spots(D, B), exists E in digits : (either_way(Cs, E), E != D).
}
tied(Cs, D, K) :- H in boxes, D in digits, Cs = spots(D, H), K = |Cs|, K <= 2.
tied(Cs, D, 3) :- H in columns, D in missing(H), Cs = spots(D, H) & unsolved, |Cs| = 3.
rule set_helper "A helper over sets" {
    level 20.
    eliminate(common_peers(Cs), D) :- tied(Cs, D, K), tied(Es, D, K), Cs & Es within {}, K != 1.
}
% next(A, B): from open cell to open cell along rows, then anywhere it sees
reach(D, A, B) :- conjugate(D, A, B, _).
reach(D, A, C) :- reach(D, A, B), reach(D, B, C).
rule both_ends "Recursion that calls itself twice" {
    level 21.
    eliminate(A, D) :- reach(D, A, B), reach(D, B, A), sees(A, B), A < B.
}
pingpong(A, X, B, Y) :- bivalue(A, X, Y), B = A.
pingpong(A, X, B, Y) :- pingpong(B, Y, A, X), sees(A, B).
rule turns "Recursion that turns round" {
    level 22.
    eliminate(A, X) :- pingpong(A, X, A, Y), X < Y.
}
rule corners "Rectangles" {
    level 23.
    eliminate(T, D) :- rectangle(A, B, C, T), live(A, D), live(B, D), C < B, candidates(C) within {D, E}, E < D.
    eliminate(A, D) :- rectangle(A, B, C, r1c1), not rectangle(A, C, B, r1c2), D = 1, |candidates(A)| = 2.
}
locked(H, K, D) :- spots(D, K) within H, row(A) = H, A in K.
rule order_alone "Nothing but an order" {
    level 24.
    eliminate(A, X) :- X > 2, Y > X, H >= row(A), bivalue(A, X, Y), G < H.
}
rule houses_as_columns "A helper over houses" {
    level 25.
    eliminate(H \ K, D) :- H in lines, K in boxes, locked(H, K, D).
}
around(A, B, X) :- conjugate(X, A, _, H), conjugate(X, _, B, H), bivalue(_, _, _).
around(A, B, X) :- around(B, _, X), bivalue(A, _, _), B = A.
rule unasked "Columns that nobody asks for" {
    level 26.
    eliminate(A, 1) :- conjugate(1, A, _, _), bivalue(_, 1, _), A < r2c1.
    eliminate(r1c1, D) :- bivalue(_, _, _), live(r1c1, D), conjugate(D, r1c1, _, _).
    eliminate(B, 1) :- around(_, B, D), conjugate(1, r1c1, _, _), not bivalue(B, 1, D), D > 2.
    eliminate(B, X) :- bivalue(A, X, _), bivalue(B, Y, _), A < B, H = row(A), B in H, Y <= X.
}
rule lines_that_meet "Houses that touch a house" {
    level 27.
    eliminate(L \ B, D) :- B in boxes, L in touching(lines, B), spots(D, B) within L.
    eliminate(L & K, D) :- L in rows, K in touching(houses, L) \ {L}, spots(D, K) within L, |spots(D, L)| > 2.
}
"#;

/// Every place where a generator can stand.
const GENERATORS: &str = r#"
rule cleared "A conclusion for every way" {
    level 1.
    eliminate(peers(A) & peers(B), Z) for Z in candidates(A) & candidates(B) :-
        bivalue(A, X, _), bivalue(B, X, _), A < B, sees(A, B).
    eliminate(A, X) for bivalue(B, X, _), sees(A, B), eliminate(A, Y), place(C, Z) for C in spots(Z, H), live(A, Z) :-
        bivalue(A, X0, Y), X0 < Y, H = row(A).
}
linked(D, A, B) :- conjugate(D, A, B, _).
linked(D, A, C) :- linked(D, A, B), conjugate(D, B, C, _).
rule collected "A set of what a helper finds" {
    level 2.
    eliminate(Part, D) :- conjugate(D, A, _, _), Part = {C : linked(D, A, C)} + {A}, |Part| <= 5.
    eliminate(A, Ds) :- A in unsolved, Ds = {D in candidates(A) : conjugate(D, A, _, _)}, |Ds| >= 1.
    eliminate(cells(Hs) & unsolved, D) :- D in digits, Hs = {H : H in rows, |spots(D, H)| <= 1}.
}
rule through_facts "Every fact" {
    level 3.
    eliminate(A, D) :- A in unsolved, D in candidates(A), forall conjugate(D, B, C, _), B < C : (sees(A, B)).
    eliminate(A, D) :- live(A, D), A in unsolved,
        forall B in peers(A), live(B, D) : (candidates(B) within {D, E} + candidates(A), not given(B)), E in digits.
}
rule some "There is one" {
    level 4.
    eliminate(A, D) :- A in unsolved, D in candidates(A), exists B in peers(A), conjugate(D, B, C, _) : (sees(A, C)).
    eliminate(A, D) :- A in unsolved, D in candidates(A), not linked(D, A, A), D > 1,
        forall B in peers(A) & unsolved : (exists E in candidates(B) : (E != D, live(A, E))).
}
counted(A, D) :- A in unsolved, D in digits, S = {B in peers(A) : live(B, D)}, |S| <= 2.
rule in_helpers "Sets in helpers" {
    level 5.
    eliminate(A, D) :- counted(A, D), live(A, D), |{B in peers(A) : counted(B, D)}| <= 3.
}
"#;

#[test]
fn generators() {
    check_random(&own_rules(GENERATORS), [(4, 30), (6, 4)], 3, (30, 45));
}

/// A match with `for` is told with all its parts or not at all, whatever the budget.
#[test]
fn no_match_lacks_a_part() {
    let rules = own_rules(
        "rule each \"Each\" {
            level 60.
            eliminate(common_peers({A, B}), Z) for C in peers(A), Z in candidates(C) :-
                A in unsolved, B in unsolved, sees(A, B), A < B.
        }",
    );
    let layout = Layout::classic(4).expect("a classic size");
    let mut joins = Joins::new(rules, layout.clone());
    joins.load(&state(&layout, &mut Random(8), 20, 40));
    let (all, ended) = joins.matches(0, 0);
    assert!(ended == Ended::Complete && !all.is_empty());
    for budget in [1, 10, 30, 100, 300, 1_000, 3_000] {
        joins.set_budget(budget);
        let (some, ended) = joins.matches(0, 0);
        assert!(some.iter().all(|found| all.contains(found)), "{budget}");
        assert!(ended == Ended::CutOff || some == all, "{budget}");
    }
}

/// What nothing asks for takes no step.
#[test]
fn columns_that_nobody_asks_for_are_not_bound() {
    let rules = own_rules(ODD);
    let four = Layout::classic(4).expect("a classic size");
    let unasked = rules.instances().iter().position(|i| i.name == "unasked").expect("it is there");
    let mut joins = Joins::new(rules, four);
    // A; one column of the first call, and D.
    for (clause, wanted) in [(0, 1), (1, 2)] {
        let plan = joins.describe(unasked, clause);
        let bound = plan.iter().filter(|line| line.contains("each ")).count();
        assert_eq!(bound, wanted, "{}", plan.join("\n"));
    }
}

/// The board that plans are made for looks like one that rules are stuck on.
#[test]
fn the_sample_board_is_open_but_not_empty() {
    for size in [4, 6, 9, 12, 16, 25] {
        let layout = Layout::classic(size).expect("a classic size");
        let grid = super::plan::sample(&layout);
        let open = grid.unsolved().len() as f64 / layout.cell_count() as f64;
        assert!((0.5..0.9).contains(&open), "{size}: {open} of the cells are open");
        let two = grid.unsolved().iter().filter(|&cell| grid.candidates(cell).len() == 2).count();
        assert!(two > 0, "{size}: no cell with two candidates");
        assert!(grid.placed().iter().all(|cell| grid.candidates(cell).len() == 1));
    }
}

#[test]
fn odd_rules() {
    check_random(&own_rules(ODD), [(4, 12), (6, 2)], 0, (30, 45));
}

/// Helpers with sets among their columns: rows by number, sieved, and chains of them.
const SETS: &str = r#"
close(Cs, Ds) :-
    H in houses, Cs in choose(1..2, unsolved & H), Ds = candidates(Cs), |Ds| <= |Cs| + 1.
tied(A, B, X) :-
    close(A, Ds), close(B, Es), A & B within {}, X in Ds & Es,
    spots(X, B) within common_peers(spots(X, A)).
rule two "Two sets, and what sees both" {
    level 1.
    eliminate(common_peers(spots(Z, A + B)), Z) :-
        tied(A, B, X), Z in candidates(A) & candidates(B) \ {X}.
    eliminate(common_peers(spots(Z, A)) \ B, Z) :-
        tied(A, B, X), tied(A, B, Y), X != Y, Z in candidates(A) \ {X, Y}.
}
rule three "Three sets" {
    level 2.
    eliminate(common_peers(spots(Z, A + B)), Z) :-
        tied(A, C, X), tied(B, C, Y), X != Y, A != B, Z in candidates(A) & candidates(B) \ {X, Y}.
}
tie_chain(A, P, B, P) :- tied(A, B, P).
tie_chain(A, P, C, Q) :- tie_chain(A, P, B, R), tied(B, C, Q), Q != R.
rule ties "A chain of sets" {
    level 3.
    eliminate(common_peers(spots(Z, A + B)), Z) :-
        tie_chain(A, P, B, Q), A != B, Z in candidates(A) & candidates(B) \ {P, Q}.
}
node(D, S) :- C in unsolved, live(C, D), S = {C}.
node(D, S) :- B in boxes, L in touching(lines, B), S = spots(D, unsolved & B & L), |S| >= 2.
either(S, D, T, D) :-
    H in houses, node(D, S), S within H, node(D, T), T within H, S & T within {},
    spots(D, H) within S + T.
either(S, X, S, Y) :- bivalue(C, X, Y), S = {C}.
not_both(S, D, T, D) :- node(D, S), node(D, T), T within common_peers(S).
not_both(S, X, S, Y) :- C in unsolved, live(C, X), live(C, Y), X != Y, S = {C}.
group_chain(S, X, T, Y) :- either(S, X, T, Y).
group_chain(S, X, T, Y) :- group_chain(S, X, U, Z), not_both(U, Z, V, W), either(V, W, T, Y).
rule groups "A chain of groups" {
    level 4.
    eliminate(common_peers(S + T), X) :- group_chain(S, X, T, Y), Y = X.
    eliminate(T, X), eliminate(S, Y) :-
        group_chain(S, X, T, Y), Y != X, T within common_peers(S), |T| = 1, |S| = 1.
    eliminate(S, digits \ {X, Y}) :- group_chain(S, X, T, Y), Y != X, T = S, |S| = 1.
}
rule odd_calls "Columns unasked, repeated, computed, denied" {
    level 5.
    eliminate(C, D) :- C in unsolved, D in candidates(C), node(D, {C}), not node(D, unsolved & row(C)).
    eliminate(S, D) :- close(S, _), node(D, S), not close(S, {D}), either(S, D, S, _).
    eliminate(C, 1) :- C in unsolved, forall D in candidates(C) : (node(D, {C})), close({C}, Ds), 1 in Ds.
    eliminate(r1c1, D) :- close(_, Ds), D in Ds, tied(_, _, D), 2 in Ds, {1, 2} within Ds, not 3 in Ds.
    contradiction :- close(S, Ds), |Ds| = 1, S within unsolved, close(S, Ds), r1c1 in S.
}
grown(D, S, T) :- conjugate(D, A, B, _), S = {A}, T = {B}.
grown(D, S, U) :- grown(D, S, T), A in S, conjugate(D, A, B, _), not B in T, U = T + {B}.
grown(D, U, T) :- grown(D, S, T), B in T, conjugate(D, A, B, _), not A in S, U = S + {A}.
rule colours "Sets that grow" {
    level 6.
    eliminate(cells(touching(houses, S)) & cells(touching(houses, T)) \ (S + T), D) :- grown(D, S, T).
    eliminate(S, D) :- grown(D, S, _), A in S, B in S, sees(A, B).
}
few(Cs, Ds) :- H in houses, Cs in choose(1, unsolved & H), Ds = candidates(Cs), |Ds| <= 2.
few(Cs, Ds) :- H in houses, Cs in choose(2, unsolved & H), Ds = candidates(Cs), |Ds| <= 3.
few(Cs, Ds) :- H in houses, Cs in choose(3, unsolved & H), Ds = candidates(Cs), |Ds| <= 4.
lost(P, D, T, Z) :-
    few(A, Ds), D in Ds, Z in Ds \ {D}, P in common_peers(spots(D, A)) \ A, live(P, D),
    T in common_peers(spots(Z, A)) \ A, live(T, Z), T != P.
rule family "Sets of one size after the other" {
    level 8.
    eliminate(T, Z) :- P in unsolved, live(T, Z), forall D in candidates(P) : (lost(P, D, T, Z)).
    eliminate(T, Z) :- lost(P, D, T, Z), lost(P, D, T, Y), Z < Y, |spots({D, Z}, {T})| > 0.
}
covered(D, Ls, Hs) :- orientation(Lines, Across), Ls in choose(2, Lines), Hs = touching(Across, spots(D, Ls)), |Hs| <= 2.
rule wing "Sets of houses" {
    level 7.
    eliminate(cells(Hs) \ cells(Ls), D) :- covered(D, Ls, Hs), |Hs| = 2.
    eliminate(cells(Hs) & cells(Ks), D) :- covered(D, Ls, Hs), covered(D, Hs, Ks), Ls != Ks.
}
"#;

#[test]
fn helpers_over_sets() {
    check_random(&own_rules(SETS), [(4, 12), (6, 2)], 0, (40, 35));
}

/// A chain of sets is cut off, not wrong, where the budget does not allow its table.
#[test]
fn a_table_of_sets_is_cut_off() {
    let rules = own_rules(SETS);
    let layout = Layout::classic(6).expect("a classic size");
    let mut joins = Joins::new(rules.clone(), layout.clone());
    joins.load(&state(&layout, &mut Random(3), 30, 45));
    let chain = rules.instances().iter().position(|i| i.name == "groups").expect("it is there");
    joins.set_budget(50);
    let mut effects = Effects::default();
    assert_eq!(joins.effects(chain, 0, &mut effects), Ended::CutOff);
    assert!(effects.eliminates.iter().all(|cells| cells.is_empty()));
}

/// Everything that can be said of how many candidates a cell has.
const COUNTS: &str = r#"
rule few "At most" {
    level 1.
    eliminate(C, D) :- C in unsolved, |candidates(C)| <= 2, live(C, D).
    eliminate(C, D) :- C in unsolved, 3 > |candidates(C)|, D in digits, live(C, D).
    eliminate(C, D) :- C in row(r2c2), |candidates(C)| < 1, D in digits.
}
rule many "At least" {
    level 2.
    eliminate(C, D) :- C in unsolved, |candidates(C)| > 2, live(C, D).
    eliminate(C, D) :- C in unsolved, 3 <= |candidates(C)|, live(C, D).
    eliminate(C, D) :- C in unsolved, |candidates(C)| >= 0, live(C, D).
}
rule just "Just so many, or not" {
    level 3.
    eliminate(C, D) :- C in unsolved, |candidates(C)| = 2, live(C, D).
    eliminate(C, D) :- 3 = |candidates(C)|, live(C, D).
    eliminate(C, D) :- C in unsolved, |candidates(C)| != 2, live(C, D).
    eliminate(C, D) :- C in unsolved, |candidates(C)| = 99, live(C, D).
    eliminate(C, D) :- C in unsolved, not |candidates(C)| = 3, live(C, D).
}
rule all "All of a house" {
    level 4.
    eliminate(T, D) :- H in houses, T in H, live(T, D), forall C in H : (|candidates(C)| <= 2).
    eliminate(T, D) :- H in houses, T in H, live(T, D), forall C in H \ {T} : (|candidates(C)| != 3).
    eliminate(T, D) :- H in houses, T in H, D in digits, forall C in H \ {T} : (not live(C, D)).
    eliminate(T, D) :- H in rows, T in H, D in digits, forall C in H & unsolved : (live(C, D)).
}
rule chosen "Few candidates together" {
    level 5.
    eliminate(C, D) :- H in houses, Cs in choose(2, unsolved & H), Ds = candidates(Cs), |Ds| <= 2,
        C in H, not C in Cs, D in Ds.
    eliminate(C, D) :- H in rows, Cs in choose(1..2, H), r1c1 in Cs, |candidates(Cs)| <= 3,
        C in Cs, live(C, D).
}
"#;

#[test]
fn candidates_are_counted() {
    check_random(&own_rules(COUNTS), [(4, 40), (6, 6)], 11, (30, 45));
}

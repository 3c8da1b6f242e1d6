//! Hypotheses: the nets against the definition, no solution lost, nested traces that replay.
//!
//! The definition runs every hypothesis on the naive evaluator, rule by rule, on small boards; the
//! nets run on all back ends.

mod support;

use dokulog::board::Grid;
use dokulog::engine::{BUDGET, BackEnds, Deducer, Engine, Naive, Options, tell};
use dokulog::language::{Origin, RuleSet, bundled};
use dokulog::trace::{Grounds, Outcome, Replay, Speaker, Words, json, record};

const FOUR: &str = "...23......14... .2.1....4.3..... ....2.1.1.4...2. ..1...4.4...2...";
const SIX: &str = "..36..4..1....6....35......53.....4. .2..1.4....5......2..45..62....4.3..";
const NINE: &str = "\
    .4....8...3...1.6.6..7.8.25..48.........2.......9....3..9.6....2.......157....29. \
    .......9..19.4...7..58....6....6287.5...7....6..9..2....45....1.....43....6.37.4. \
    ..51...7.6...2.9..78........4.81..3..7.........2..7..8....3..244...62.....8.....3";

fn grids(size: usize, lines: &str) -> Vec<Grid> {
    let digit = |c: char| c.to_digit(10).unwrap_or(0) as u8;
    let grid = |line: &str| {
        let digits: Vec<u8> = line.chars().map(digit).collect();
        Grid::from_givens(support::layout(size), &digits).expect("no digit twice")
    };
    lines.split_whitespace().map(grid).collect()
}

fn forcing(text: &str) -> RuleSet {
    support::rules(vec![bundled::helpers(), bundled::standard(), bundled::forcing()], text)
}

fn worker(rules: &RuleSet, grid: &Grid, back_ends: BackEnds) -> dokulog::engine::Worker {
    let options = Options { back_ends, ..Options::default() };
    Engine::with(rules, grid.layout(), options).expect("none assumes anything").worker()
}

/// Every rule that supposes finds and does the same on the nets and by the definition.
#[test]
fn nets_and_definition_agree() {
    let rules = forcing("");
    let supposing: Vec<usize> = (0..rules.instances().len())
        .filter(|&i| rules.rule(rules.instances()[i].rule).origin == Origin::Forcing)
        .collect();
    let mut fired = 0;
    for grid in grids(4, FOUR).into_iter().chain(grids(6, SIX)) {
        for &instance in &supposing {
            let name = &rules.instances()[instance].name;
            let alone = rules.in_order(&[instance]);
            let mut slow = worker(&alone, &grid, BackEnds::Naive);
            let (mut slow_end, mut naive_end) = (grid.clone(), grid.clone());
            slow.fixpoint(&mut slow_end);
            Naive::new(&alone).fixpoint(&mut naive_end);
            assert!(slow_end == naive_end, "{name}");
            let matches = slow.matches(0, &grid);
            fired += matches.iter().filter(|found| !found.conclusion.is_empty()).count();
            for back_ends in [BackEnds::All, BackEnds::Plain, BackEnds::Join] {
                let mut fast = worker(&alone, &grid, back_ends);
                let mut end = grid.clone();
                fast.fixpoint(&mut end);
                assert!(end == slow_end, "{name}, {back_ends:?}");
                assert_eq!(fast.matches(0, &grid), matches, "{name}, {back_ends:?}");
                let step = fast.next_step(&grid);
                let is = |step: &dokulog::trace::Step| {
                    matches
                        .iter()
                        .any(|m| (m.clause, &m.conclusion) == (step.clause, &step.conclusion))
                };
                assert!(step.as_ref().is_none_or(is), "{name}, {back_ends:?}");
            }
        }
    }
    assert!(fired > 100, "{fired} matches compared");
}

/// On 9 × 9 the registers and the bit sets end alike, nothing of the solution is lost, and the
/// rules solve what they should.
#[test]
fn forcing_rules_keep_the_solution() {
    let rules = forcing("");
    for grid in grids(9, NINE) {
        let mut ends = Vec::new();
        for back_ends in [BackEnds::All, BackEnds::Plain] {
            let mut end = grid.clone();
            let report = worker(&rules, &grid, back_ends).fixpoint(&mut end);
            assert_eq!(report.outcome, Outcome::Solved);
            assert_eq!(report.cut_off, Vec::<usize>::new());
            ends.push(end);
        }
        assert!(ends[0] == ends[1]);
        let limits = dokulog::search::Limits { solutions: 2, work: u64::MAX, seed: 0 };
        let solver = &mut dokulog::search::Auto::default();
        let found = dokulog::search::Solver::solve(solver, &grid, &limits);
        assert_eq!(found.solutions, vec![ends[0].digits()]);
    }
}

/// Where hypotheses are as good as each other nothing is decided.
#[test]
fn only_what_is_common_is_decided() {
    let mut grid = grids(4, "..343412..434321").remove(0);
    let before = grid.clone();
    let report = worker(&forcing(""), &grid, BackEnds::All).fixpoint(&mut grid);
    assert_eq!(report.outcome, Outcome::Stuck);
    assert!(grid.unsolved() == before.unsolved());
}

/// A rule whose hypotheses run rules that suppose, which the bundled ones do not do twice.
#[test]
fn hypotheses_nest_by_level() {
    let text = "rule outer \"Outer\" { level 200. \
        eliminate(C, D) :- live(C, D), suppose place(C, D) below 131 : (contradiction). \
        explain \"{C} is not {D}\". }";
    let rules = forcing(text).keep(|rule, _| rule.name == "outer");
    for grid in grids(4, FOUR) {
        let mut end = grid.clone();
        let report = worker(&rules, &grid, BackEnds::All).fixpoint(&mut end);
        assert_eq!(report.cut_off, Vec::<usize>::new());
        let alone = |digit: dokulog::board::Cell| end.candidates(digit).len() == 1;
        assert!(grid.layout().all_cells().iter().all(alone));
    }
}

/// A helper that says the same as `place` leads to the same, is explained and replays.
#[test]
fn a_helper_can_be_asked() {
    let rule = |goal: &str| {
        let text = format!(
            "alone(C, D) :- C in cells(houses), candidates(C) within {{D}}. \
            rule asks \"Asks\" {{ level 200. \
            place(T, X) :- C in unsolved, T in unsolved, live(T, X), T != C, \
            forall D in candidates(C) : (suppose place(C, D) below 12 : ({goal}(T, X))). \
            explain \"{{T}} is {{X}}\". }}"
        );
        let names = ["naked_single", "hidden_single", "asks"];
        forcing(&text).keep(|rule, _| names.contains(&rule.name.as_str()))
    };
    let (helper, place) = (rule("alone"), rule("place"));
    let mut nested = 0;
    for grid in
        grids(4, FOUR).into_iter().chain(grids(6, SIX)).chain(grids(9, NINE).into_iter().take(1))
    {
        let mut ends = [grid.clone(), grid.clone(), grid.clone()];
        worker(&helper, &grid, BackEnds::All).fixpoint(&mut ends[0]);
        worker(&place, &grid, BackEnds::All).fixpoint(&mut ends[1]);
        Naive::new(&helper).fixpoint(&mut ends[2]);
        assert!(ends[0] == ends[1] && ends[1] == ends[2]);
        let story = tell(&helper, &mut worker(&helper, &grid, BackEnds::All), &grid);
        let words = Words::plain(grid.layout().clone());
        let speaker = Speaker { rules: &helper, words: &words };
        let search = Naive::within(&helper, BUDGET);
        let grounds = Grounds::of(&helper, &story, &search);
        let mut replay = Replay::new(&helper, Some(grid.clone())).searching(&search);
        for (i, told_step) in story.steps.iter().enumerate() {
            let written = record::write(&speaker, i + 1, told_step, &grounds.direct[i]);
            let line = serde_json::from_str(&json::line(&written)).expect("JSON");
            replay.step(&line).unwrap_or_else(|refusal| panic!("{refusal}"));
            let steps = |branch: &dokulog::trace::Branch| branch.length() > 0;
            nested += told_step.account.branches.iter().filter(|branch| steps(branch)).count();
        }
    }
    assert!(nested > 0);
}

/// A small budget cuts off, and says so.
#[test]
fn hypotheses_have_a_budget() {
    let rules = forcing("");
    let grid = grids(9, NINE).remove(0);
    let options = Options { budget: 1, ..Options::default() };
    let mut worker = Engine::with(&rules, grid.layout(), options).expect("none assumes").worker();
    let report = worker.fixpoint(&mut grid.clone());
    assert!(!report.cut_off.is_empty());
}

/// Every nested trace replays, with its branches and without a search; a forged one does not.
#[test]
fn nested_traces_replay() {
    let rules = forcing("");
    let (mut nested, mut forged) = (0, 0);
    for grid in grids(9, NINE) {
        let story = tell(&rules, &mut worker(&rules, &grid, BackEnds::All), &grid);
        assert_eq!(story.outcome, Outcome::Solved);
        let words = Words::plain(grid.layout().clone());
        let speaker = Speaker { rules: &rules, words: &words };
        let search = Naive::within(&rules, BUDGET);
        let grounds = Grounds::of(&rules, &story, &search);
        let mut replay = Replay::new(&rules, Some(grid.clone()));
        for (i, told_step) in story.steps.iter().enumerate() {
            let written = record::write(&speaker, i + 1, told_step, &grounds.direct[i]);
            let line: serde_json::Value =
                serde_json::from_str(&json::line(&written)).expect("JSON");
            if let Some(steps) = line["branches"][0]["steps"].as_array() {
                nested += 1;
                let mut broken = line.clone();
                broken["branches"][0]["steps"] = match steps.len() {
                    0 => continue,
                    n => steps[..n - 1].to_vec().into(),
                };
                let mut other = Replay::new(&rules, Some(told_step.before.clone()));
                broken["step"] = 1.into();
                forged += usize::from(other.step(&broken).is_err());
            }
            replay.step(&line).unwrap_or_else(|refusal| panic!("{refusal}"));
        }
    }
    assert!(nested > 5 && forged > 5, "{nested} nested, {forged} forged and refused");
}

//! Layouts: the bundled ones, every back end and every search on each of them, and how much of a
//! file is read.

mod support;
#[path = "support/folder.rs"]
mod support_folder;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use dokulog::board::{Candidate, Cell, Digit, Grid, Layout};
use dokulog::engine::{BUDGET, BackEnds, Deducer, Engine, Naive, Options, Worker, tell};
use dokulog::generate::{Symmetry, remove_until_minimal, some_full_grid};
use dokulog::language::{RuleSet, Source, bundled};
use dokulog::meaning::{Layouts, NoLayout};
use dokulog::proof::{Verdict, judge};
use dokulog::random::Random;
use dokulog::search::{Auto, Enumerate, Limits, Sat, Solver, any, plain};
use dokulog::trace::{Replay, Speaker, Words, json, record};
use support::{long, rules};

fn named(name: &str) -> Arc<Layout> {
    Layouts::bundled().find(name).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"))
}

/// The bundled layouts that are no classic ones.
fn variants() -> Vec<Arc<Layout>> {
    let layouts = Layouts::bundled();
    let names: Vec<String> = layouts.names().map(|(name, _)| name.to_string()).collect();
    let all = names.iter().map(|name| named(name));
    all.filter(|layout| !layout.is_boxed()).collect()
}

fn solve(solver: &mut dyn Solver, grid: &Grid, most: usize) -> Vec<Vec<u8>> {
    let limits = Limits { solutions: most, work: 5_000_000, seed: 0 };
    let mut found = solver.solve(grid, &limits).solutions;
    found.sort();
    found
}

/// A full grid, and some of its digits.
fn puzzle(layout: &Arc<Layout>, number: u64) -> (Vec<u8>, Vec<u8>) {
    let mut random = Random::for_item(47, number);
    let solution = some_full_grid(layout, &mut random).expect("a full grid");
    let mut puzzle = solution.clone();
    let kept = [25, 32, 40, 50][number as usize % 4];
    for digit in &mut puzzle {
        if random.below(100) >= kept {
            *digit = 0;
        }
    }
    (solution, puzzle)
}

#[test]
fn every_bundled_layout_has_what_its_file_says() {
    let layouts = Layouts::bundled();
    assert_eq!(layouts.mistakes(), []);
    assert!(layouts.names().count() >= 20);
    for size in [4, 6, 9, 12, 16, 25] {
        let classic = named(&format!("classic:{size}"));
        assert!(Arc::ptr_eq(&classic, &Layout::classic(size).expect("a classic size")));
    }
    let houses = |name: &str| named(name).house_count();
    assert_eq!(
        ["x", "windoku", "disjoint", "asterisk", "jigsaw"].map(houses),
        [29, 31, 36, 28, 27]
    );
    assert_eq!((houses("argyle"), houses("latin:9")), (27, 18));
    let knight = named("anti_knight");
    assert!(knight.sees(knight.cell_at(0, 0), knight.cell_at(1, 2)));
    assert!(!knight.sees(knight.cell_at(0, 0), knight.cell_at(3, 3)));
    let torus = named("torus");
    assert!(torus.sees(torus.cell_at(0, 0), torus.cell_at(8, 8)));
    let apart = named("non_consecutive");
    let at = |row, column, number| Candidate {
        cell: apart.cell_at(row, column),
        digit: Digit::new(number),
    };
    assert!(apart.excludes(at(0, 0, 3), at(0, 1, 4)) && apart.excludes(at(1, 0, 4), at(0, 0, 3)));
    assert!(!apart.excludes(at(0, 0, 3), at(0, 1, 5)) && !apart.excludes(at(0, 0, 3), at(0, 2, 4)));
    assert!(
        matches!(layouts.find("windku"), Err(NoLayout::Unknown(Some(near))) if near == "windoku")
    );
}

#[test]
fn every_layout_file_is_bundled() {
    let names: Vec<String> = bundled::layouts().into_iter().map(|source| source.name).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("layouts");
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let name = entry.expect("an entry").file_name();
        let name = format!("layouts/{}", name.to_string_lossy());
        assert!(names.contains(&name), "{name} is not compiled in");
    }
}

/// What a layout asks of a full grid, straight from what it is made of.
fn is_right(layout: &Layout, full: &[u8]) -> bool {
    let digit = |cell: Cell| full[cell.index()];
    let all_differ = |cells: &[Cell]| {
        cells.iter().enumerate().all(|(i, a)| cells[..i].iter().all(|b| digit(*a) != digit(*b)))
    };
    let has = |c: Candidate| usize::from(digit(c.cell)) == c.digit.number();
    let parts = layout.parts();
    layout.all_houses().iter().all(|house| all_differ(layout.cells_in_order(house)))
        && parts.groups.iter().all(|group| all_differ(&group.cells))
        && parts.differ.iter().all(|(a, b)| digit(*a) != digit(*b))
        && parts.excluded.iter().all(|(a, b)| !(has(*a) && has(*b)))
        && parts
            .only
            .iter()
            .all(|(cell, digits)| digits.contains(Digit::new(usize::from(digit(*cell)))))
}

#[test]
fn searches_agree_and_count_as_a_plain_counter_does() {
    for layout in variants() {
        for number in 0..if long() { 200 } else { 8 } {
            let (solution, givens) = puzzle(&layout, number);
            let context = format!("{} {number}", layout.name());
            assert!(is_right(&layout, &solution), "{context}");
            let grid = Grid::from_givens(layout.clone(), &givens).expect("no clash");
            let found = solve(&mut Enumerate, &grid, 30);
            let plainly = plain::count(&layout, &givens, 30);
            assert_eq!(found.len(), plainly, "{context}");
            assert!(found.iter().all(|full| is_right(&layout, full)), "{context}");
            if found.len() < 30 {
                assert!(found.contains(&solution), "{context}");
                assert_eq!(solve(&mut Sat, &grid, 30), found, "{context}");
                assert_eq!(solve(&mut Auto::default(), &grid, 30), found, "{context}");
            }
        }
    }
}

const BACK_ENDS: [BackEnds; 3] = [BackEnds::Naive, BackEnds::Join, BackEnds::Plain];

fn workers(rules: &RuleSet, layout: &Arc<Layout>) -> Vec<Worker> {
    let make = |back_ends| {
        let options = Options { back_ends, assume_unique: true, ..Options::default() };
        Engine::with(rules, layout, options).expect("uniqueness is assumed").worker()
    };
    BACK_ENDS.into_iter().map(make).collect()
}

/// Fixpoints and traces of all back ends are the same, and nothing of the solution is lost.
#[test]
fn back_ends_agree_and_keep_the_solution() {
    let rules = rules(vec![bundled::helpers(), bundled::standard(), bundled::extended()], "");
    for layout in variants() {
        let mut workers = workers(&rules, &layout);
        for number in 0..if long() { 200 } else { 3 } {
            let (solution, mut givens) = puzzle(&layout, number);
            let mut random = Random::for_item(3, number);
            let is_unique = &mut |givens: &[u8]| {
                let grid = Grid::from_givens(layout.clone(), givens).expect("no clash");
                any::Enumerator::new(&grid).take(2).count() == 1
            };
            if !is_unique(&givens) {
                let enough = layout.cell_count() / 3;
                givens = remove_until_minimal(
                    &layout,
                    &solution,
                    Symmetry::None,
                    enough,
                    &mut random,
                    is_unique,
                );
            }
            let start = Grid::from_givens(layout.clone(), &givens).expect("no clash");
            let context = format!("{} {number}", layout.name());
            let mut ends = workers.iter_mut().map(|worker| {
                let mut end = start.clone();
                (worker.fixpoint(&mut end), end)
            });
            let (report, end) = ends.next().expect("a worker");
            for (other_report, other) in ends {
                assert_eq!(other_report, report, "{context}");
                assert!(other == end, "{context}:\n{other:?}\n{end:?}");
            }
            for (cell, digit) in layout.all_cells().into_iter().zip(&solution) {
                let candidate = Candidate { cell, digit: Digit::new(usize::from(*digit)) };
                assert!(end.is_possible(candidate), "{context} loses {candidate:?}");
            }
            let mut traces = workers.iter_mut().map(|worker| worker.trace(&mut start.clone()));
            let first = traces.next().expect("a worker");
            assert!(traces.all(|other| other == first), "{context}");
        }
    }
}

/// A rule that trusts in one solution may be wrong where more is asked than rows, columns and
/// boxes ask, so it is not run there.
/// What `explain` writes is replayed, with nothing but the trace itself; for the wrong layout it is
/// refused.
#[test]
fn traces_of_every_layout_replay() {
    let rules = rules(vec![bundled::helpers(), bundled::standard()], "");
    let search = Naive::within(&rules, BUDGET);
    let mut steps = 0;
    for layout in variants() {
        let name = layout.name();
        let (_, givens) = puzzle(&layout, 2);
        let grid = Grid::from_givens(layout.clone(), &givens).expect("no clash");
        let mut worker =
            Engine::with(&rules, &layout, Options::default()).expect("none assumes").worker();
        let story = tell(&rules, &mut worker, &grid);
        let words = Words::plain(layout.clone());
        let speaker = Speaker { rules: &rules, words: &words };
        let mut replay = Replay::new(&rules, None).searching(&search);
        for (i, telling) in story.steps.iter().enumerate() {
            let written = record::write(&speaker, i + 1, telling, &[]);
            let mut line: serde_json::Value =
                serde_json::from_str(&json::line(&written)).expect("JSON");
            replay.step(&line).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            steps += 1;
            if i == 0 {
                line["layout"] = "no_such_layout".into();
                line.as_object_mut().expect("an object").remove("regions");
                assert!(Replay::new(&rules, None).step(&line).is_err(), "{name}");
            }
        }
        assert!(replay.state().is_none_or(|end| *end == story.end), "{name}");
    }
    assert!(steps > 100, "{steps} steps");
}

#[test]
fn rules_that_assume_one_solution_run_on_plain_layouts_only() {
    let all = rules(vec![bundled::helpers(), bundled::standard(), bundled::extended()], "");
    let unique = all.keep(|rule, _| rule.assumes_unique);
    assert!(!unique.instances().is_empty());
    let off = |name: &str| {
        let engine = Engine::assuming_unique(&unique, &named(name));
        engine.plans().iter().filter(|plan| plan.back_end() == "not run").count()
    };
    assert_eq!((off("classic:9"), off("jigsaw")), (0, 0));
    for name in ["x", "windoku", "argyle", "anti_knight", "non_consecutive", "even_odd"] {
        assert_eq!(off(name), unique.instances().len(), "{name}");
    }
}

#[test]
fn too_many_houses_are_refused_at_their_line() {
    let mut text = String::from("layout many \"Many\" {\n    size 25.\n");
    for number in 0..10_000 {
        let (row, column) = (number / 24 % 25 + 1, number % 24 + 1);
        let next = column + 1;
        text += &format!("    group g({number}) = {{r{row}c{column}, r{row}c{next}}}.\n");
    }
    text += "}\n";
    let layouts =
        Layouts::with(vec![Source { name: "many.rules".to_string(), text: text.clone() }]);
    let mistakes = layouts.mistakes();
    let [mistake] = &mistakes[..] else { panic!("{mistakes:?}") };
    let line = text[..mistake.span.start as usize].matches('\n').count() + 1;
    assert_eq!((mistake.code, line), ("E090", 3 + 128 - 50));
    assert!(mistake.message.contains("at most 128"), "{}", mistake.message);
}

#[test]
fn every_cut_of_a_layout_file_is_survived() {
    for source in bundled::layouts() {
        let step = if long() { 1 } else { 37 };
        let places: Vec<usize> = source.text.char_indices().map(|(i, _)| i).step_by(step).collect();
        for end in places {
            let text = format!("{}}}", &source.text[..end]);
            Layouts::with(vec![Source { name: "cut.rules".to_string(), text }]).mistakes();
        }
    }
}

/// The pictures and the table of `docs/layouts.md`; `DOKULOG_BLESS=1` draws them anew.
#[test]
fn every_variant_has_its_picture() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(docs.join("layouts.md")).expect("the page");
    for (name, title) in Layouts::bundled().names() {
        if name.starts_with("classic") || (name.starts_with("latin") && name != "latin:9") {
            continue;
        }
        let file = format!("layouts/{}.svg", name.replace(':', "_"));
        let known = page.contains(&format!("| `{name}` |")) && page.contains(&file);
        assert!(known, "docs/layouts.md lacks {name}, {title}");
        let folder = support_folder::Folder::new("layout-pictures");
        let drawn = folder.command(&["graph", "--layout", name, "--format", "svg"]).output();
        let drawn = drawn.expect("the program runs").stdout;
        if std::env::var_os("DOKULOG_BLESS").is_some() {
            fs::write(docs.join(&file), &drawn).expect("a writable file");
        }
        assert_eq!(fs::read(docs.join(&file)).unwrap_or_default(), drawn, "{file}");
    }
}

/// What is typed and what is said, as lines of `tests/layouts.txt`: a command, then its output
/// indented.
#[test]
fn commands_know_layouts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/layouts.txt");
    let text = fs::read_to_string(&path).expect("the cases");
    let folder = support_folder::Folder::new("layout-commands");
    let mut found = String::new();
    for line in text.lines().filter(|line| !line.starts_with("    ")) {
        found += line;
        found.push('\n');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let output = folder.shell(line);
        let said = [output.stdout, output.stderr].concat();
        for said in String::from_utf8_lossy(&said).lines().filter(|said| !said.trim().is_empty()) {
            found += &format!("    {said}\n");
        }
    }
    if std::env::var_os("DOKULOG_BLESS").is_some() {
        fs::write(&path, &found).expect("a writable file");
    } else {
        assert_eq!(found, text);
    }
}

/// Rules about groups: what is true of them, and what is true of houses alone.
const ABOUT_GROUPS: &str = r#"
    rule pair "Pair" {
        level 30.
        eliminate(G \ Cs, Ds) :-
            G in houses + groups, Cs in choose(2, unsolved & G), Ds = candidates(Cs), |Ds| <= 2.
    }
    rule shared "Shared" {
        level 31.
        eliminate(C, D) :-
            G in groups, A in G, C in G, A != C, candidates(A) within {D}, H in houses, C in H.
    }
    rule touching "Touching" {
        level 32.
        eliminate(C, D) :-
            D in missing(H), A in H, candidates(A) within {D},
            C in cells(touching(groups, {A})) & peers(A), not given(C).
    }
    rule many "Many" {
        level 33.
        eliminate(G & K, D) :-
            G in groups, K in groups, G < K, A in G & K, candidates(A) within {D},
            |touching(groups, G)| >= 1, forall C in G : (not live(C, D)), live(A, D).
    }
    rule in_house "Hidden" {
        level 34.
        place(C, D) :- spots(D, H) within {C}, C in unsolved & H.
    }
    rule in_group "Hidden in a group" {
        level 35.
        place(C, D) :- G in groups, spots(D, G) within {C}, C in unsolved & G.
    }"#;

/// Back ends agree on rules about groups, and the prover knows that a digit need not be in one.
#[test]
fn groups_are_no_houses() {
    let all = rules(vec![bundled::helpers()], ABOUT_GROUPS);
    let layout = named("argyle");
    let verdict = |name: &str| {
        let instance = all.instances().iter().position(|i| i.name == name).expect(name);
        judge(&all, instance, &layout, &dokulog::proof::Options::default()).verdict
    };
    for sound in ["pair", "shared", "in_house"] {
        assert_eq!(verdict(sound), Verdict::Sound, "{sound}");
    }
    assert_eq!(verdict("in_group"), Verdict::Unsound);
    let kept = all.keep(|rule, _| rule.name != "in_group");
    let mut judges = workers(&kept, &layout);
    for number in 0..if long() { 200 } else { 12 } {
        let (solution, givens) = puzzle(&layout, number);
        let start = Grid::from_givens(layout.clone(), &givens).expect("no clash");
        for instance in 0..kept.instances().len() {
            let mut found = judges.iter_mut().map(|worker| worker.matches(instance, &start));
            let first = found.next().expect("a worker");
            let name = &kept.instances()[instance].name;
            assert!(found.all(|other| other == first), "{name} {number}");
        }
        let mut ends = judges.iter_mut().map(|worker| {
            let mut end = start.clone();
            (worker.fixpoint(&mut end), end)
        });
        let (report, end) = ends.next().expect("a worker");
        assert!(ends.all(|other| other == (report.clone(), end.clone())), "{number}");
        for (cell, digit) in layout.all_cells().into_iter().zip(&solution) {
            assert!(end.is_possible(Candidate { cell, digit: Digit::new(usize::from(*digit)) }));
        }
    }
}

/// What excludes each other by value makes links of chains, for every back end and the prover.
#[test]
fn chains_know_values_that_exclude_each_other() {
    let own = r#"
        rule both_ways "Both ways" {
            level 30.
            eliminate(T, Z) :-
                bivalue(C, X, Y), X < Y, live(T, Z), excludes(T, Z, C, X), excludes(T, Z, C, Y).
        }
        rule either_end "Either end" {
            level 31.
            eliminate(T, Z) :- strong(A, X, B, Y), weak(T, Z, A, X), weak(B, Y, T, Z).
        }
        rule never_so "Never so" {
            level 32.
            eliminate(T, Z) :- strong(A, X, B, Y), weak(T, Z, A, X), not weak(T, Z, B, Y).
        }"#;
    let all = rules(vec![bundled::helpers()], own);
    let layout = named("non_consecutive");
    let verdict =
        |instance| judge(&all, instance, &layout, &dokulog::proof::Options::default()).verdict;
    assert_eq!((verdict(0), verdict(2)), (Verdict::Sound, Verdict::Unsound));
    let classic = Layout::classic(9).expect("a classic size");
    let off = Engine::assuming_unique(&all, &classic);
    assert_eq!(off.plans()[0].back_end(), "not run");
    let sound = all.keep(|rule, _| rule.name != "never_so");
    let mut judges = workers(&sound, &layout);
    let mut found = 0;
    for number in 0..if long() { 200 } else { 8 } {
        let (_, givens) = puzzle(&layout, number);
        let start = Grid::from_givens(layout.clone(), &givens).expect("no clash");
        for instance in 0..2 {
            let mut all = judges.iter_mut().map(|worker| worker.matches(instance, &start));
            let first = all.next().expect("a worker");
            assert!(all.all(|other| other == first), "{instance} {number}");
            found += first.len();
        }
    }
    assert!(found > 0);
}

//! Runs the pages in `tests/rules`: a page tells a technique and is its test.
//!
//! Code blocks are taken in order. `position` is a state; `step` names a rule and says what one
//! of its matches must give there: the reason, then the effect; `after` is the state that this
//! leaves; `nothing` names a rule that must find nothing in the last position. What a rule finds,
//! and where it ends, every back end must find. A position may begin with `# layout: NAME`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use dokulog::board::{Grid, Layout};
use dokulog::engine::{BackEnds, Deducer, Engine, Naive, Options};
use dokulog::language::{RuleSet, bundled};
use dokulog::meaning::Layouts;
use dokulog::text::{Boards, Hint, Wanted, read};
use dokulog::trace::{Match, Speaker, Words};

fn pages() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let mut pages: Vec<(String, String)> = fs::read_dir(folder)
        .expect("tests/rules is a folder")
        .map(|entry| entry.expect("a page").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a readable page"))
        })
        .collect();
    pages.sort();
    pages
}

/// The code blocks of a page: what stands behind the fence, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(word), None) => open = Some((word.to_string(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a code block has no end");
    blocks
}

/// The bundled layouts.
#[derive(Debug)]
struct Bundled;

impl Boards for Bundled {
    fn asked(&self) -> Option<Arc<Layout>> {
        None
    }
    fn find(&self, wanted: &Wanted) -> Result<Arc<Layout>, String> {
        let Wanted::Named(name) = wanted else { return Err("no name".to_string()) };
        Layouts::bundled().find(name).map_err(|refusal| format!("{refusal:?}"))
    }
}

fn state(text: &str) -> Grid {
    let items = read(text.as_bytes(), Hint { boards: Some(&Bundled), ..Hint::default() })
        .expect("a position");
    let [Ok(puzzle)] = &items[..] else { panic!("not one position:\n{text}") };
    puzzle.grid.clone()
}

/// The matches of a rule that change something, which every back end has to find, and the step
/// that it has to take.
fn effective(rules: &RuleSet, name: &str, grid: &Grid) -> Vec<Match> {
    let place = rules.instances().iter().position(|i| i.name == name);
    let place = place.unwrap_or_else(|| panic!("no rule {name}"));
    let mut found = Naive::new(rules).matches(place, grid);
    let alone = rules.keep(|_, instance| instance.name == name);
    let expected = Naive::new(&alone).matches(0, grid);
    let step = Naive::new(&alone).next_step(grid);
    assert_eq!(expected.len(), found.len(), "{name}");
    for back_ends in [BackEnds::All, BackEnds::Join, BackEnds::Plain, BackEnds::Naive] {
        let options = Options { back_ends, assume_unique: true, ..Options::default() };
        let engine = Engine::with(&alone, grid.layout(), options).expect("it may assume that");
        let mut worker = engine.worker();
        assert_eq!(worker.matches(0, grid), expected, "{name}, {back_ends:?}");
        assert_eq!(worker.next_step(grid), step, "{name}, {back_ends:?}");
        let (mut end, mut fixpoint) = (grid.clone(), grid.clone());
        let report = worker.fixpoint(&mut end);
        let expected = Naive::new(&alone).fixpoint(&mut fixpoint);
        // What follows from hypotheses may be taken in more passes.
        match alone.rule(alone.instances()[0].rule).supposes() {
            true => assert_eq!(report.outcome, expected.outcome),
            false => assert_eq!(report, expected),
        }
        assert!(end == fixpoint, "{name}, {back_ends:?}");
    }
    found.retain(|m| !m.conclusion.is_empty());
    found
}

/// What a match says, as a page has it: the reason, and the effect.
fn said(rules: &RuleSet, found: &Match, grid: &Grid) -> String {
    let words = Words::plain(grid.layout().clone());
    let account = Naive::new(rules).account(found.clone(), grid);
    let reason = Speaker { rules, words: &words }.reason(&account, grid);
    format!("{reason}\n{}\n", words.effects(&found.conclusion))
}

/// Runs a page; the rules that fired and the rules that rightly did not.
fn run(rules: &RuleSet, page: &str) -> (Vec<String>, Vec<String>) {
    let (mut fired, mut silent) = (Vec::new(), Vec::new());
    let mut position: Option<Grid> = None;
    let mut after: Option<Grid> = None;
    for (word, text) in blocks(page) {
        let grid = position.clone();
        match word.as_str() {
            "position" => position = Some(state(&text)),
            "step" => {
                let grid = grid.expect("a position stands before its step");
                let (name, rest) = text.split_once('\n').expect("a rule's name");
                let found = effective(rules, name, &grid);
                let told = found.iter().find(|m| said(rules, m, &grid) == rest);
                let told = told.unwrap_or_else(|| {
                    let all: Vec<String> = found.iter().map(|m| said(rules, m, &grid)).collect();
                    panic!("{name} does not say\n{rest}but\n{}", all.join("or\n"))
                });
                let mut changed = grid.clone();
                told.conclusion.apply(&mut changed);
                after = Some(changed);
                fired.push(name.to_string());
            }
            "after" => {
                let changed = after.as_ref().expect("a step stands before what follows");
                assert_eq!(state(&text).planes(), changed.planes(), "what follows is\n{text}");
            }
            "nothing" => {
                let grid = grid.expect("a position stands before what is not found");
                let name = text.trim();
                let found = effective(rules, name, &grid);
                let said: Vec<String> = found.iter().map(|m| said(rules, m, &grid)).collect();
                assert!(said.is_empty(), "{name} finds\n{}", said.join("and\n"));
                silent.push(name.to_string());
            }
            _ => {}
        }
    }
    (fired, silent)
}

#[test]
fn every_page_is_true() {
    let rules = bundled::rules();
    for (name, page) in pages() {
        eprintln!("{name}");
        let (fired, silent) = run(&rules, &page);
        assert!(fired.iter().any(|rule| rule.starts_with(&name)), "{name}: no step");
        assert!(silent.iter().any(|rule| rule.starts_with(&name)), "{name}: no near miss");
    }
}

#[test]
fn every_rule_has_its_page() {
    let names: Vec<String> = pages().into_iter().map(|(name, _)| name).collect();
    for rule in bundled::rules().rules() {
        assert!(names.contains(&rule.name), "tests/rules/{}.md is missing", rule.name);
    }
}

//! The page of `explain --format html` in a real browser: headless Chromium, driven through
//! chromedriver. Where one of them is missing, the test is ignored; where `CI` is set, it fails.

mod webdriver;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dokulog::engine::{Engine, tell};
use dokulog::language::{self, RuleSet, bundled};
use dokulog::text;
use dokulog::trace::{Heading, Marks, Speaker, Story, Words, page};
use libtest_mimic::{Arguments, Trial};
use serde_json::json;
use webdriver::{Browser, Driver, find};

const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";

impl Browser<'_> {
    fn view(&self) -> usize {
        self.run("return document.body.dataset.view").as_str().expect("a view").parse().expect("n")
    }
    /// All the values of an attribute in a part of the page, sorted.
    fn all(&self, selector: &str, attribute: &str) -> BTreeSet<String> {
        let script = format!(
            "return [...document.querySelectorAll('{selector}')].map(e => e.getAttribute('{attribute}'))"
        );
        let list = self.run(&script);
        let list = list.as_array().expect("a list").iter();
        list.filter_map(|value| value.as_str().map(str::to_string)).collect()
    }
}

/// A run with pairs and pointing in it, and its page in a file.
fn make_page(path: &Path) -> (Story, RuleSet, Words) {
    let sources = [bundled::helpers(), bundled::standard()].concat();
    let rules = language::load(sources).0.expect("sound rule files");
    let puzzle =
        "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
    let items = text::read(puzzle.as_bytes(), text::Hint::default()).expect("a puzzle");
    let grid = items.into_iter().next().expect("one puzzle").expect("a puzzle").grid;
    let story = tell(&rules, &mut Engine::assuming_unique(&rules, grid.layout()).worker(), &grid);
    let words = Words::plain(grid.layout().clone());
    let speaker = Speaker { rules: &rules, words: &words };
    let heading = Heading {
        title: "A <test> & its \"quotes\" </script>".to_string(),
        summary: "One page.".to_string(),
        outcome: "The end.".to_string(),
    };
    let html = page(&speaker, &story, 0..story.steps.len(), &heading);
    fs::write(path, html).expect("a file that can be written");
    (story, rules, words)
}

/// Compares the board on the screen with a state, and its marks with a step's.
fn assert_shows(browser: &Browser, story: &Story, rules: &RuleSet, view: usize) {
    assert_eq!(browser.view(), view);
    let step = view.checked_sub(1).and_then(|i| story.steps.get(i));
    let grid = match view {
        0 => story.start(),
        _ => step.map_or(&story.end, |step| &step.before),
    };
    let layout = grid.layout();
    let mut open = BTreeSet::new();
    for cell in grid.unsolved() {
        for digit in grid.candidates(cell) {
            open.insert(format!("m{}-{}", cell.index(), digit.index()));
        }
    }
    assert_eq!(browser.all(".mark:not(.gone)", "id"), open, "pencil marks of view {view}");
    let digits = browser.run(
        "return [...document.querySelectorAll('.given,.placed')].map(e => e.textContent || '0')",
    );
    let shown: Vec<u8> = digits
        .as_array()
        .expect("a list")
        .iter()
        .map(|d| d.as_str().expect("text").parse().expect("a digit"))
        .collect();
    assert_eq!(shown, grid.digits(), "digits of view {view}");
    let marks = step.map(|step| Marks::of(rules, &step.account, &step.before)).unwrap_or_default();
    let name = |c: &dokulog::board::Candidate| format!("{}={}", layout.cell_name(c.cell), c.digit);
    let names = |set: &BTreeSet<_>| set.iter().map(name).collect::<BTreeSet<String>>();
    assert_eq!(
        browser.all("#over .ring, #over .on, #over .off", "data-mark"),
        names(&marks.ringed)
    );
    assert_eq!(browser.all("#over .strike", "data-mark"), names(&marks.struck));
    assert_eq!(browser.all("#over .box[data-mark]", "data-mark"), names(&marks.boxed));
    let tinted: BTreeSet<String> = marks.tinted.iter().map(|c| layout.cell_name(c)).collect();
    assert_eq!(browser.all("#under .tint", "data-cell"), tinted);
    let outlined: BTreeSet<String> = marks.outlined.iter().map(|&h| layout.house_name(h)).collect();
    assert_eq!(browser.all("#over .starts, #over .ends", "data-house"), outlined);
    let current = browser.all("#steps [aria-current]", "id");
    let expected: BTreeSet<String> = step.map(|_| format!("item-{view}")).into_iter().collect();
    assert_eq!(current, expected);
}

fn main() -> ExitCode {
    let chromium = find(&["chromium", "chromium-browser", "google-chrome", "chrome"]);
    let programs = chromium.zip(find(&["chromedriver"]));
    let is_ignored = programs.is_none() && std::env::var_os("CI").is_none();
    let test = move || match programs {
        Some((chromium, chromedriver)) => {
            the_page_works_in_a_browser(&chromium, &chromedriver);
            Ok(())
        }
        None => Err("the page was not tested: chromium or chromedriver is missing".into()),
    };
    let trial = Trial::test("the_page_works_in_a_browser", test).with_ignored_flag(is_ignored);
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}

fn the_page_works_in_a_browser(chromium: &Path, chromedriver: &Path) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("page.html");
    let (story, rules, _) = make_page(&path);
    let address = format!("file://{}", path.display());
    let driver = Driver::start(chromedriver);
    desktop(
        &Browser::open(&driver, chromium, &folder.join("desktop"), false),
        &address,
        &story,
        &rules,
    );
    phone(&Browser::open(&driver, chromium, &folder.join("phone"), true), &address);
}

fn desktop(browser: &Browser, address: &str, story: &Story, rules: &RuleSet) {
    browser.load(address);
    let show = |view| assert_shows(browser, story, rules, view);
    let last = story.steps.len() + 1;
    show(1);
    // By keyboard: forward, back, to both ends; the ends hold.
    browser.press(RIGHT);
    show(2);
    browser.press(RIGHT);
    browser.press(RIGHT);
    show(4);
    browser.press(LEFT);
    show(3);
    browser.press(END);
    show(last);
    browser.press(RIGHT);
    show(last);
    browser.press(LEFT);
    show(last - 1);
    browser.press(HOME);
    show(0);
    browser.press(LEFT);
    show(0);
    // By button and by list.
    browser.click("#forward");
    show(1);
    browser.click("#forward");
    show(2);
    browser.click("#back");
    show(1);
    browser.click("#last");
    show(last);
    browser.click("#first");
    show(0);
    browser.click("#item-2 a");
    show(2);
    // A link to a step opens there, scrolled to the top.
    browser.load("about:blank");
    browser.load(&format!("{address}#step-5"));
    show(5);
    assert_eq!(browser.run("return window.scrollY"), 0);
    // A step that eliminates, if there is one, is marked as such.
    let eliminates = |i: &usize| !story.steps[*i].account.found.conclusion.eliminates.is_empty();
    if let Some(step) = (0..story.steps.len()).find(eliminates) {
        browser.load("about:blank");
        browser.load(&format!("{address}#step-{}", step + 1));
        show(step + 1);
    }
    // Nothing was fetched, and nobody complained.
    let fetched = browser.run(
        "return performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith('data:'))",
    );
    assert_eq!(fetched, json!([]), "the page needs nothing else");
    assert_eq!(browser.run("return document.title"), "A <test> & its \"quotes\" </script>");
    let label = browser.run("return document.getElementById('board').getAttribute('aria-label')");
    assert!(label.as_str().is_some_and(|label| label.starts_with("Step")), "{label}");
    browser.assert_silent();
}

fn phone(browser: &Browser, address: &str) {
    browser.load(address);
    assert_eq!(browser.run("return window.innerWidth"), 390);
    let wide = browser.run(
        "return [document.documentElement.scrollWidth, document.getElementById('board').clientWidth]",
    );
    assert!(wide[0].as_u64().is_some_and(|w| w <= 390), "no scrolling sideways: {wide}");
    assert!(wide[1].as_u64().is_some_and(|w| w >= 340), "the board fills the screen: {wide}");
    browser.click("#forward");
    assert_eq!(browser.view(), 2);
    browser.assert_silent();
}

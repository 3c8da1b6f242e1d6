//! Rule sets, kept by their text: compiling all bundled rules takes longer than a step.

use std::sync::{Arc, Mutex, PoisonError};

use super::request::Choice;
use crate::engine::{BackEnds, Options};
use crate::language::{self, Diagnostic, Origin, RuleSet, Source, bundled};
use crate::search::Reasoner;

/// Bindings that one pass of one clause may try: a page must not wait for long.
pub(super) const BUDGET: u64 = 2_000_000;
/// Rule sets kept: that of the text being edited, the one before it, and the bundled ones.
const KEPT: usize = 4;

/// The name of the user's text in messages.
pub(super) const MINE: &str = "mine.rules";

/// How engines are made here.
pub(super) fn options() -> Options {
    Options { budget: BUDGET, back_ends: BackEnds::All, assume_unique: false, is_exhausted: None }
}

/// A rule set, for steps and to look rules up in.
pub(super) struct Shelf {
    /// Those that take part in steps.
    pub reasoner: Reasoner,
    /// All of them.
    pub all: RuleSet,
    /// Whether the user's text had errors and was left out.
    pub without_mine: bool,
}

/// The rule sets that were asked for last.
#[derive(Default)]
pub(super) struct Library {
    shelves: Mutex<Vec<(Choice, Arc<Shelf>)>>,
}

impl Library {
    /// The rules of a choice. A text with errors is left out.
    pub(super) fn find(&self, choice: &Choice) -> Arc<Shelf> {
        let shelves = || self.shelves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, shelf)) = shelves().iter().find(|(kept, _)| kept == choice) {
            return shelf.clone();
        }
        let shelf = Arc::new(make(choice));
        let mut shelves = shelves();
        shelves.insert(0, (choice.clone(), shelf.clone()));
        shelves.truncate(KEPT);
        shelf
    }
}

/// The bundled rules that the page has.
pub(super) fn sources() -> Vec<(Origin, Source)> {
    [bundled::helpers(), bundled::standard(), bundled::extended(), bundled::forcing()].concat()
}

/// They and a text; nothing but messages where it has errors.
pub(super) fn load(text: &str) -> (Option<RuleSet>, Vec<Diagnostic>) {
    let mut sources = sources();
    if !text.trim().is_empty() {
        let source = Source { name: MINE.to_string(), text: text.to_string() };
        sources.push((Origin::User, source));
    }
    language::load(sources)
}

fn make(choice: &Choice) -> Shelf {
    let loaded = load(&choice.text).0;
    let without_mine = loaded.is_none();
    let all = loaded.or_else(|| load("").0).expect("the bundled rules have no errors");
    let taking_part = all.keep(|rule, _| {
        let is_asked_for = match rule.origin {
            Origin::Extended => choice.extended,
            Origin::Forcing => choice.forcing,
            _ => true,
        };
        is_asked_for && (choice.unique || !rule.assumes_unique)
    });
    Shelf { reasoner: Reasoner::new(taking_part, options()), all, without_mine }
}

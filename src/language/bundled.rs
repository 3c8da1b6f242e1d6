//! The rule files compiled into the program.

use super::check::load;
use super::diagnostic::Source;
use super::rule::{Origin, RuleSet};

/// Each file's name, its text, and what the build script has parsed of it.
static FILES: &[(&str, &str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

fn file(name: &str) -> Option<&'static (&'static str, &'static str, &'static [u8])> {
    Some(&FILES[FILES.binary_search_by_key(&name, |(name, ..)| name).ok()?])
}

fn source(name: &str) -> Source {
    let (name, text, _) = file(name).expect("a bundled file");
    Source { name: name.to_string(), text: text.to_string() }
}

/// What was parsed of a text, if it is the one of a bundled file.
pub(super) fn parsed(source: &Source) -> Option<&'static [u8]> {
    let (_, text, parsed) = file(&source.name)?;
    (*text == source.text && !parsed.is_empty()).then_some(*parsed)
}

macro_rules! files {
    ($origin:expr, $folder:literal, [$($name:literal),* $(,)?]) => {
        vec![$(($origin, source(concat!("rules/", $folder, $name)))),*]
    };
}

/// What the rules share: `bivalue`, `conjugate` and the like.
pub fn helpers() -> Vec<(Origin, Source)> {
    files!(Origin::Standard, "", ["helpers.rules"])
}

/// The rules used unless told otherwise.
pub fn standard() -> Vec<(Origin, Source)> {
    files!(Origin::Standard, "standard/", ["singles.rules", "intersections.rules", "subsets.rules"])
}

/// The rules used when asked for.
pub fn extended() -> Vec<(Origin, Source)> {
    files!(
        Origin::Extended,
        "extended/",
        [
            "full_house.rules",
            "locked_subset.rules",
            "fish.rules",
            "single_digit.rules",
            "wings.rules",
            "colouring.rules",
            "chains.rules",
            "grouped_chains.rules",
            "almost_locked_sets.rules",
            "set_chains.rules",
            "leftovers.rules",
            "uniqueness.rules",
        ]
    )
}

/// The rules that are found by name, or all together as `advanced`: they cost more, or say what an
/// easier rule says in another way.
pub fn advanced() -> Vec<(Origin, Source)> {
    files!(
        Origin::Advanced,
        "advanced/",
        [
            "colours.rules",
            "duals.rules",
            "fish.rules",
            "guardians.rules",
            "large_fish.rules",
            "loops.rules",
            "multi_colours.rules",
            "scanning.rules",
            "siamese.rules",
            "sue_de_coq.rules",
            "templates.rules",
            "wings.rules",
        ]
    )
}

/// The rules that reason under hypotheses, used when asked for.
pub fn forcing() -> Vec<(Origin, Source)> {
    files!(Origin::Forcing, "forcing/", ["chains.rules", "nets.rules"])
}

macro_rules! layouts {
    ($($name:literal),* $(,)?) => {
        vec![$(source(concat!("layouts/", $name))),*]
    };
}

/// The layouts that come with the program.
pub fn layouts() -> Vec<Source> {
    layouts!["classic.rules", "further_houses.rules", "jigsaw.rules", "moves.rules", "values.rules",]
}

/// All bundled rule files.
pub fn sources() -> Vec<(Origin, Source)> {
    [helpers(), standard(), extended(), advanced(), forcing()].concat()
}

/// All bundled rules, checked.
///
/// # Panics
/// If a bundled rule file has an error; the tests see to it that none has.
pub fn rules() -> RuleSet {
    let (rules, diagnostics) = load(sources());
    rules.unwrap_or_else(|| panic!("the bundled rules have no errors: {diagnostics:?}"))
}

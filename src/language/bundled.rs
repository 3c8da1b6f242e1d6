//! The rule files compiled into the program.

use super::check::load;
use super::diagnostic::Source;
use super::rule::{Origin, RuleSet};

macro_rules! files {
    ($origin:expr, $folder:literal, [$($name:literal),* $(,)?]) => {
        vec![$((
            $origin,
            Source {
                name: concat!("rules/", $folder, $name).to_string(),
                text: include_str!(concat!("../../rules/", $folder, $name)).to_string(),
            },
        )),*]
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
            "almost_locked_sets.rules",
            "colours.rules",
            "duals.rules",
            "fish.rules",
            "grouped_chains.rules",
            "loops.rules",
            "scanning.rules",
            "set_chains.rules",
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
        vec![$(Source {
            name: concat!("layouts/", $name).to_string(),
            text: include_str!(concat!("../../layouts/", $name)).to_string(),
        }),*]
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

//! The rule files compiled into the program.

use super::diagnostic::Source;
use super::rule::Origin;

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
            "uniqueness.rules",
        ]
    )
}

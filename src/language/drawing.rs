//! What a rule says of its pictures: `mark … as fin`, `link … to … weak`. To engine and prover it
//! means nothing.

use super::clause::{Generator, Term, Variable};
use super::diagnostic::Span;

/// What candidates, cells or houses are drawn as.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Paint {
    /// What the argument starts from.
    Base,
    /// What covers it.
    Cover,
    /// What is left over.
    Fin,
    /// Of the pattern, without another name.
    Pattern,
    /// One of two colours.
    Blue,
    /// The other one.
    Green,
    /// One of two more colours.
    Orange,
    /// The other one.
    Violet,
    /// What is, in a chain.
    On,
    /// What is not.
    Off,
    /// Cells on which others turn.
    Pivot,
    /// Cells that hold something between them.
    Pincer,
    /// Cells of a set, counted from 1.
    Set(u8),
    /// Cells of a set that has no number yet.
    NextSet,
}

impl Paint {
    /// Every name, in the order of the manual. There are as many sets as are told apart.
    pub const NAMES: [(&'static str, Paint); 19] = [
        ("base", Paint::Base),
        ("cover", Paint::Cover),
        ("fin", Paint::Fin),
        ("pattern", Paint::Pattern),
        ("blue", Paint::Blue),
        ("green", Paint::Green),
        ("orange", Paint::Orange),
        ("violet", Paint::Violet),
        ("on", Paint::On),
        ("off", Paint::Off),
        ("pivot", Paint::Pivot),
        ("pincer", Paint::Pincer),
        ("set1", Paint::Set(1)),
        ("set2", Paint::Set(2)),
        ("set3", Paint::Set(3)),
        ("set4", Paint::Set(4)),
        ("set5", Paint::Set(5)),
        ("set6", Paint::Set(6)),
        ("set", Paint::NextSet),
    ];

    /// How many sets are told apart.
    pub const SETS: u8 = 6;

    /// The paint with this name.
    pub fn named(name: &str) -> Option<Paint> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, paint)| *paint)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, paint)| *paint == self).map_or("set", |(name, _)| name)
    }

    /// Whether whole cells are drawn so, and not candidates.
    pub fn is_of_cells(self) -> bool {
        matches!(self, Paint::Pivot | Paint::Pincer | Paint::Set(_) | Paint::NextSet)
    }
}

/// How a line between two places is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Line {
    /// One of the two is true.
    Strong,
    /// Not both are true.
    Weak,
    /// They belong together.
    Group,
}

impl Line {
    /// Every name, in the order of the manual.
    pub const NAMES: [(&'static str, Line); 3] =
        [("strong", Line::Strong), ("weak", Line::Weak), ("group", Line::Group)];

    /// The line with this name.
    pub fn named(name: &str) -> Option<Line> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, line)| *line)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

/// Cells or houses, and digits there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// A set of cells, or of houses.
    pub place: Term,
    /// A set of digits.
    pub digits: Option<Term>,
}

/// What is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stroke {
    /// `mark … as …`
    Mark(Node, Paint),
    /// `link … to …`
    Link(Node, Node, Line),
}

/// `mark` or `link`, for one clause of the rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// Where that clause stands.
    pub clause: Span,
    /// Its own variables: those that the clause has, too, by their names, and those of `each`.
    pub variables: Vec<Variable>,
    /// What is drawn.
    pub stroke: Stroke,
    /// For what: the facts are those on which the step rests.
    pub each: Option<Generator>,
}

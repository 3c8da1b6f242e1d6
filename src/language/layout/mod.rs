//! What layouts say, with names resolved: a list of steps that together make a layout.
//!
//! Their sets and conditions are terms and literals of rules, so that they mean the same. What a
//! rule does not have are places as numbers: the row of a cell, a digit. These are variables of
//! their own, which whoever tries cells and digits binds along with them.

mod lower;

use super::ast;
use super::clause::{Literal, SetOperation, Term, Var};
use super::diagnostic::{Diagnostic, Source, Span};
use super::folder;

/// A layout as its file has it.
#[derive(Clone, Debug)]
pub struct LayoutText {
    /// `windoku`, or with its number `classic:9`.
    pub key: String,
    /// What people call it.
    pub title: String,
    /// What it is made of, in order.
    pub steps: Vec<LayoutStep>,
    /// Where its name stands.
    pub span: Span,
}

/// A piece of a layout, and where it stands.
#[derive(Clone, Debug)]
pub struct LayoutStep {
    /// What it is.
    pub kind: StepKind,
    /// Where it stands.
    pub span: Span,
}

/// What a piece of a layout is.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// All of another layout.
    Extends(String),
    /// Rows and columns.
    Size(i64),
    /// Boxes of a height and a width.
    Boxes(i64, i64),
    /// Boxes, or with a name further houses, drawn: the same letter, the same house.
    Picture(Option<String>, Vec<(String, Span)>),
    /// A further house, or a group.
    House {
        /// Whether it has one cell a digit.
        is_full: bool,
        /// What it is called.
        name: String,
        /// Its cells.
        cells: Places,
    },
    /// What holds wherever conditions do.
    Where(Claim, Vec<Check>),
    /// There are more than so many.
    TooMany(usize),
}

/// What a clause says of the cells and digits that it is tried with.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Two cells differ.
    Differ([Term; 2]),
    /// Two candidates are not both true: a cell, a digit, a cell, a digit.
    Exclude([Term; 4]),
    /// A cell has only these digits.
    Only(Term, Term),
}

/// A set of cells.
#[derive(Clone, Debug)]
pub enum Places {
    /// A set that rules know.
    Known(Term),
    /// The cells of which conditions hold: the first variables are its.
    Where(Vec<Check>),
    /// Two of them.
    Both(SetOperation, Box<Places>, Box<Places>),
}

/// A condition of a layout.
#[derive(Clone, Debug)]
pub struct Check {
    /// What is asked.
    pub asked: Asked,
    /// Whether it must not hold.
    pub denied: bool,
    /// Whether it asks for digits, and not only for cells.
    pub of_digits: bool,
}

/// What a condition of a layout asks.
#[derive(Clone, Debug)]
pub enum Asked {
    /// What a rule could ask.
    Plain(Literal),
    /// Where one cell stands seen from another.
    Beside(Beside, Term, Term),
}

/// Where two cells stand to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beside {
    /// How far apart they are, along one line and the other, in either order.
    pub steps: &'static [(usize, usize)],
    /// Whether the grid has no edges: after the last row comes the first.
    pub torus: bool,
}

/// The relations of places, by name.
pub const RELATIONS: [(&str, Beside, &str); 8] = [
    ("adjacent", Beside { steps: &[(0, 1)], torus: false }, "A and B have a side in common"),
    ("diagonal_to", Beside { steps: &[(1, 1)], torus: false }, "A and B touch at a corner"),
    ("king", Beside { steps: &[(0, 1), (1, 1)], torus: false }, "a king goes from A to B"),
    ("knight", Beside { steps: &[(1, 2)], torus: false }, "a knight goes from A to B"),
    ("torus_adjacent", Beside { steps: &[(0, 1)], torus: true }, "the same without edges"),
    ("torus_diagonal_to", Beside { steps: &[(1, 1)], torus: true }, "the same without edges"),
    ("torus_king", Beside { steps: &[(0, 1), (1, 1)], torus: true }, "the same without edges"),
    ("torus_knight", Beside { steps: &[(1, 2)], torus: true }, "the same without edges"),
];

impl Beside {
    /// Whether two cells of a grid of this size, by row and column, stand so.
    pub fn holds(self, size: usize, a: (usize, usize), b: (usize, usize)) -> bool {
        let apart = |a: usize, b: usize| {
            let straight = a.abs_diff(b);
            if self.torus { straight.min(size - straight) } else { straight }
        };
        let (down, along) = (apart(a.0, b.0), apart(a.1, b.1));
        self.steps.contains(&(down.min(along), down.max(along)))
    }
}

/// The variables of the cell with this number, from 0: itself, its row, its column.
pub fn cell_variables(number: usize) -> [Var; 3] {
    [0, 1, 2].map(|i| Var((3 * number + i) as u16))
}

/// The variables of the digit with this number, from 0: itself, and as a number. There are at most
/// two cells.
pub fn digit_variables(number: usize) -> [Var; 2] {
    [0, 1].map(|i| Var((6 + 2 * number + i) as u16))
}

/// How many variables that makes.
pub const VARIABLES: usize = 10;

/// The most pieces of a layout: more than there can be houses.
const MOST_STEPS: usize = 500;

/// The layouts of some files, with all that is wrong with their words.
pub fn layouts(sources: &[Source]) -> (Vec<LayoutText>, Vec<Diagnostic>) {
    let (mut found, mut diagnostics) = (Vec::new(), Vec::new());
    for (number, source) in sources.iter().enumerate().take(usize::from(u16::MAX)) {
        // What cannot be read in the rest of a file is told by those who check rules.
        if source.text.contains("layout") {
            let (file, _) = folder::read(source, number);
            for block in &file.layouts {
                found.extend(text(block, &mut diagnostics));
            }
        }
    }
    (found, diagnostics)
}

/// One layout; nothing if some part of it could not be read or makes no sense.
fn text(block: &ast::LayoutBlock, diagnostics: &mut Vec<Diagnostic>) -> Option<LayoutText> {
    let before = diagnostics.len();
    let mut steps = Vec::new();
    for member in block.members.iter().take(MOST_STEPS) {
        steps.extend(lower::step(member, diagnostics));
    }
    if let Some(next) = block.members.get(MOST_STEPS) {
        steps.push(LayoutStep { kind: StepKind::TooMany(MOST_STEPS), span: lower::span(next) });
    }
    let name = &block.name;
    let is_whole = diagnostics.len() == before && !block.broken && !name.text.is_empty();
    let title = block.title.as_ref().map_or(&name.text, |title| &title.text);
    is_whole.then(|| LayoutText {
        key: key(&name.text, block.number),
        title: title.clone(),
        steps,
        span: name.span,
    })
}

/// How a layout is asked for.
fn key(name: &str, number: Option<i64>) -> String {
    number.map_or(name.to_string(), |number| format!("{name}:{number}"))
}

//! The built-in words: one table for the checker, the messages and the manual.

use super::clause::{ConstantSet, Function, Kind, Relation};

/// What a built-in word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A set that is there from the start.
    Constant(ConstantSet),
    /// A function, with the kinds of its arguments; what can be converted to them is accepted.
    Function(Function, &'static [Kind]),
    /// A relation, with the kinds of its arguments.
    Relation(Relation, &'static [Kind]),
    /// A conclusion: only in heads.
    Head(&'static [Kind]),
    /// `choose`: only after `in`.
    Choose,
}

/// A built-in word.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Its name.
    pub name: &'static str,
    /// How it is written, with arguments.
    pub usage: &'static str,
    /// What it is.
    pub meaning: Meaning,
    /// What it stands for, in a few words.
    pub summary: &'static str,
}

/// A word that its usage begins with.
const fn word(usage: &'static str, meaning: Meaning, summary: &'static str) -> Word {
    let mut end = 0;
    while end < usage.len() && usage.as_bytes()[end] != b'(' {
        end += 1;
    }
    Word { name: usage.split_at(end).0, usage, meaning, summary }
}

use Kind::{Cell, Cells, Digit, Digits, House, Houses};

/// Every built-in word.
pub const WORDS: &[Word] = &[
    word("digits", Meaning::Constant(ConstantSet::Digits), "all digits"),
    word("rows", Meaning::Constant(ConstantSet::Rows), "all rows"),
    word("columns", Meaning::Constant(ConstantSet::Columns), "all columns"),
    word("boxes", Meaning::Constant(ConstantSet::Boxes), "all boxes"),
    word("lines", Meaning::Constant(ConstantSet::Lines), "all rows and columns"),
    word("houses", Meaning::Constant(ConstantSet::Houses), "all houses"),
    word(
        "groups",
        Meaning::Constant(ConstantSet::Groups),
        "all groups of the layout: fewer cells than digits, no digit twice, none that must be there",
    ),
    word(
        "pieces",
        Meaning::Constant(ConstantSet::Pieces),
        "all boxes of a jigsaw; none where the boxes are rectangles",
    ),
    word("unsolved", Meaning::Constant(ConstantSet::Unsolved), "cells not yet placed"),
    word(
        "candidates(C)",
        Meaning::Function(Function::Candidates, &[Cells]),
        "digits still possible in C; of a set of cells, the union",
    ),
    word(
        "spots(D, H)",
        Meaning::Function(Function::Spots, &[Digits, Cells]),
        "cells of H where D is still possible; of sets, the union",
    ),
    word(
        "missing(H)",
        Meaning::Function(Function::Missing, &[House]),
        "digits not yet placed in H",
    ),
    word("peers(C)", Meaning::Function(Function::Peers, &[Cell]), "cells that see C"),
    word(
        "common_peers(S)",
        Meaning::Function(Function::CommonPeers, &[Cells]),
        "cells that see all of S",
    ),
    word("cells(Hs)", Meaning::Function(Function::Cells, &[Houses]), "all cells of some houses"),
    word(
        "touching(Hs, Cs)",
        Meaning::Function(Function::Touching, &[Houses, Cells]),
        "the houses of Hs that meet Cs",
    ),
    word("row(C)", Meaning::Function(Function::Row, &[Cell]), "the row of C"),
    word("column(C)", Meaning::Function(Function::Column, &[Cell]), "the column of C"),
    word("box(C)", Meaning::Function(Function::Box, &[Cell]), "the box of C"),
    Word {
        name: "choose",
        usage: "Xs in choose(N, S)",
        meaning: Meaning::Choose,
        summary: "Xs is a subset of S with N members; only after `in`",
    },
    word(
        "sees(A, B)",
        Meaning::Relation(Relation::Sees, &[Cell, Cell]),
        "A and B are cells that cannot be equal: of one house, or so by the layout",
    ),
    word(
        "excludes(A, X, B, Y)",
        Meaning::Relation(Relation::Excludes, &[Cell, Digit, Cell, Digit]),
        "A is not X or B is not Y, as the layout says: two digits that exclude each other",
    ),
    word("given(C)", Meaning::Relation(Relation::Given, &[Cell]), "C was given"),
    word(
        "live(C, D)",
        Meaning::Relation(Relation::Live, &[Cell, Digit]),
        "D is still possible in C",
    ),
    word(
        "rectangle(A, B, C, T)",
        Meaning::Relation(Relation::Rectangle, &[Cell, Cell, Cell, Cell]),
        "four corners of a rectangle in two boxes, T across from A",
    ),
    word(
        "orientation(Lines, Across)",
        Meaning::Relation(Relation::Orientation, &[Houses, Houses]),
        "rows and columns, or columns and rows",
    ),
    word("place(C, D)", Meaning::Head(&[Cell, Digit]), "C is D"),
    word("eliminate(Cs, Ds)", Meaning::Head(&[Cells, Digits]), "no cell of Cs is a digit of Ds"),
    word("contradiction", Meaning::Head(&[]), "there is no solution"),
];

/// The built-in word with this name.
pub fn find(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}

/// What a constant, a function or a relation is called.
pub fn name_of(is_it: impl Fn(Meaning) -> bool) -> &'static str {
    let found = WORDS.iter().find(|word| is_it(word.meaning));
    found.expect("every constant, function and relation has a word").name
}

/// The words that only the grammar knows.
pub const KEYWORDS: &[&str] = &[
    "rule", "in", "within", "not", "forall", "exists", "for", "suppose", "below", "level",
    "assumes", "tags", "scores", "title", "explain", "trace", "example", "gives", "layout",
    "extends", "mark", "as", "link", "to",
];

//! The steps that a plan is made of.

use super::compile::SetTerm;
use super::expression::{CellsTerm, Number, Over, SmallTerm};
use super::test::Test;

/// A set to be in, or not to be in.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Bound<T> {
    pub set: T,
    pub negated: bool,
}

/// The image of the members of a choice, and how large its union may be.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pruning {
    /// Where a member stands while its image is taken.
    pub slot: u8,
    pub of_one: SetTerm,
    pub of_all: SetTerm,
    pub limit: Number,
    /// The register that the union defines, if any.
    pub defines: Option<u8>,
}

/// `Xs in choose(N, S)`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Choose {
    pub register: u8,
    pub over: Over,
    pub number: Number,
    /// What must be chosen.
    pub required: Option<SetTerm>,
    pub pruning: Option<Pruning>,
}

/// One step.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(super) enum Step {
    /// Bind a cell to each member of the intersection.
    Cell {
        slot: u8,
        domain: Vec<Bound<CellsTerm>>,
    },
    /// Bind a digit or a house.
    Small {
        slot: u8,
        domain: Vec<Bound<SmallTerm>>,
    },
    /// Take the whole intersection at once.
    AllCells {
        register: u8,
        domain: Vec<Bound<CellsTerm>>,
    },
    Test(Test),
    DefineCells(u8, CellsTerm),
    DefineSmall(u8, SmallTerm),
    DefineNumber(u8, Number),
    Choose(Box<Choose>),
    Orientation {
        lines: u8,
        across: u8,
    },
    /// Go on if the heads would change something.
    Effective,
}

//! The steps that a plan is made of, and what its heads come to.

use super::{AnySet, CellsSet, Number, RowTerm, Scalar, Scan, SmallSet, Test};

/// A set to be in, or not to be in.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) struct Narrowing<S> {
    pub set: S,
    pub negated: bool,
}

/// Bind a variable to each member of the intersection, or of the first without the others. The
/// first is a set to be in.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) struct Bind<S> {
    pub slot: u8,
    pub domain: Vec<Narrowing<S>>,
}

/// The image of the members of a choice, and how large its union may be.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) struct Pruning {
    /// Where a member stands while its image is taken.
    pub slot: u8,
    pub of_one: AnySet,
    pub of_all: AnySet,
    pub limit: Number,
    /// Whether the limit is for none chosen, and each that is chosen allows one more.
    pub grows: bool,
    /// The register that the union defines, if any.
    pub defines: Option<u8>,
}

/// What houses chosen hold, and that so many of some others can hold it.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) struct Packing {
    /// Where a house stands while what it holds is taken.
    pub slot: u8,
    pub of_one: CellsSet,
    pub houses: SmallSet,
    pub most: Number,
    pub without_one: bool,
    /// Whether no two may hold the same.
    pub apart: bool,
}

/// `Xs in choose(A..B, S)`.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::engine::join) struct Choose {
    pub register: u8,
    pub over: AnySet,
    pub least: Number,
    pub most: Number,
    /// What must be chosen; a set of the same sort.
    pub required: Option<AnySet>,
    pub pruning: Option<Pruning>,
    /// The cells that the houses chosen must hold.
    pub covered: Option<CellsSet>,
    pub packing: Option<Packing>,
}

/// One step.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(in crate::engine::join) enum JoinStep {
    Cell(Bind<CellsSet>),
    /// Bind a digit or a house.
    Small(Bind<SmallSet>),
    /// Take the whole intersection at once, into a register.
    AllCells(Bind<CellsSet>),
    Test(Test),
    Define(u8, AnySet),
    DefineNumber(u8, Number),
    Choose(Box<Choose>),
    Scan(Box<Scan>),
    Orientation {
        lines: u8,
        across: u8,
    },
    /// Go on if the heads would change something.
    Effective,
}

/// What a head comes to.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(in crate::engine::join) enum HeadTerm {
    Place(Scalar, Scalar),
    Eliminate(CellsSet, SmallSet),
    Contradiction,
    Tuple(Vec<Scalar>),
    /// A tuple for each cell of a register, which stands at a place among the others.
    Gathered {
        columns: Vec<Scalar>,
        place: u8,
        register: u8,
    },
    /// A tuple with sets in it.
    Row(Vec<RowTerm>),
}

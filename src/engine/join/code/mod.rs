//! What a plan is written in: expressions over the variables bound so far, tests, steps.
//!
//! ```text
//! frame    the variables bound, and everything that an expression may look at
//! scalar   a cell, digit or house; where to look in a table; a number
//! set      what sets of cells and sets of digits or houses have in common, written once
//!  ├ cells   sets of cells
//!  └ small   sets of digits or houses
//! scan     the rows of a table that has sets in it
//! test     whether a condition holds
//! step     what is done next
//! ```

mod cells;
mod frame;
mod scalar;
mod scan;
mod set;
mod small;
mod step;
mod test;

pub(super) use cells::CellsSet;
pub(super) use frame::{Frame, Left, Memory, REGISTERS, SCANS, SLOTS, Scene, Sieved};
pub(super) use scalar::{Lookup, Number, Scalar};
pub(super) use scan::{Compared, Ends, Goes, Reached, RowTerm, Scan, Seen, Sieve, key};
pub(super) use set::{AnySet, Sort, of_any};
pub(super) use small::SmallSet;
pub(super) use step::{Bind, Choose, HeadTerm, JoinStep, Narrowing, Packing, Pruning};
pub(super) use test::{SetTest, Test};

//! Sudoku techniques as declarative rules: run, explained and proved.
//!
//! A technique is a few lines of a rule file. The same text is run to a fixpoint, explained step
//! by step, and proved sound; what rules leave open, a search finishes.
//!
//! ```
//! use dokulog::{Outcome, Puzzle, Rules};
//!
//! let puzzle: Puzzle =
//!     "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9".parse()?;
//! let rules = Rules::standard();
//! let deduced = rules.deduce(&puzzle)?;
//! assert_eq!(deduced.outcome, Outcome::Solved);
//! assert!(deduced.puzzle.to_string().starts_with("987654321"));
//!
//! assert_eq!(rules.solve(&puzzle)?.first(), Some(&deduced.puzzle));
//! let explanation = rules.explain(&puzzle)?;
//! assert_eq!(explanation.steps[0].title, "Hidden single");
//! let proofs = rules.prove("naked_subset:2")?;
//! assert_eq!(proofs[0].to_string(), "naked_subset:2: sound");
//! # Ok::<(), dokulog::Error>(())
//! ```
//!
//! [`Puzzle`] reads, counts and makes puzzles; [`Rules`] has the bundled rules and yours, and
//! answers `deduce`, `solve`, `explain`, `hint`, `rate`, `prove` and `generate`. Everything else is inside.
//! The same input gives the same answer, on every machine and with any number of threads; the
//! library touches no file and no clock, prints nothing, and tells what it does through `log`.
//!
//! The feature `cli`, on unless switched off, adds the program. Without it there are no threads
//! and no system calls, so it also runs in a browser.

// What only the program and this repository's tests use is not reached from the interface.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unused_imports))]
// What is `pub` is seen outside, then at least; everything else says how far it is seen.
#![cfg_attr(feature = "internals", warn(unreachable_pub))]

// The parser that pest makes without `std` asks for it.
extern crate alloc;

// The modules, each using only those before it: ARCHITECTURE.md says what they are. Tried: a macro
// that says each once; `cargo fmt` does not follow modules that a macro declares.
#[cfg(feature = "internals")]
pub mod random;
#[cfg(not(feature = "internals"))]
mod random;
#[cfg(feature = "internals")]
pub mod board;
#[cfg(not(feature = "internals"))]
mod board;
#[cfg(feature = "internals")]
pub mod text;
#[cfg(not(feature = "internals"))]
mod text;
#[cfg(feature = "internals")]
pub mod language;
#[cfg(not(feature = "internals"))]
mod language;
#[cfg(feature = "internals")]
pub mod meaning;
#[cfg(not(feature = "internals"))]
mod meaning;
#[cfg(feature = "internals")]
pub mod trace;
#[cfg(not(feature = "internals"))]
mod trace;
#[cfg(feature = "internals")]
pub mod engine;
#[cfg(not(feature = "internals"))]
mod engine;
#[cfg(feature = "internals")]
pub mod search;
#[cfg(not(feature = "internals"))]
mod search;
#[cfg(feature = "internals")]
pub mod generate;
#[cfg(not(feature = "internals"))]
mod generate;
#[cfg(feature = "internals")]
pub mod proof;
#[cfg(not(feature = "internals"))]
mod proof;
#[cfg(feature = "internals")]
pub mod service;
#[cfg(not(feature = "internals"))]
mod service;
mod interface;
mod studio;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod command;

pub use generate::Symmetry;
pub use interface::{
    Answer, Batch, Deduction, Difficulty, Error, Explanation, Order, Outcome, Problem, Proof,
    Puzzle, RatedRow, Reasons, Row, Rules, Solution, SolvedRow, Step, Workshop,
};
pub use proof::Verdict;
pub use studio::Studio;
pub use trace::{Grade, Language};

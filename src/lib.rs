//! dokulog: Sudoku techniques as declarative rules.
//!
//! A technique is a rule file. The same text is run to a fixpoint, explained step by step, and
//! proved sound. The modules below are the architecture, each using only those before it:
//!
//! ```text
//! .sud   → text::read → Grid → engine → Grid + Trace + Outcome → text::write → .p1
//!                                  ↘ search → solutions → .p2
//! .rules → language::load → RuleSet → engine plans;  RuleSet → proof → verdicts
//! ```
//!
//! From a puzzle to its reasons:
//!
//! ```
//! use dokulog::engine::{Deducer, Engine};
//! use dokulog::language::{self, bundled};
//! use dokulog::text::{self, Hint};
//! use dokulog::trace::Outcome;
//!
//! let line = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";
//! let puzzles = text::read(line.as_bytes(), Hint::default()).expect("a puzzle file");
//! let mut grid = puzzles[0].clone().expect("a puzzle").grid;
//!
//! let (rules, diagnostics) = language::load([bundled::helpers(), bundled::standard()].concat());
//! let rules = rules.expect("the bundled rules have no errors");
//! assert!(diagnostics.is_empty());
//!
//! let mut worker = Engine::new(&rules, grid.layout()).worker();
//! let (report, trace) = worker.trace(&mut grid);
//! assert_eq!(report.outcome, Outcome::Solved);
//! assert_eq!(rules.instances()[trace[0].instance].title, "Hidden single");
//! assert_eq!(grid.digits()[..9], [9, 8, 7, 6, 5, 4, 3, 2, 1]);
//! ```

pub mod random;
pub mod board;
pub mod text;
pub mod language;
pub mod meaning;
pub mod trace;
pub mod engine;
pub mod search;
pub mod generate;
pub mod proof;
pub mod command;

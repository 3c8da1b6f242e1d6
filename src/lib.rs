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

pub mod random;
pub mod board;
pub mod text;
pub mod language;
pub mod trace;
pub mod engine;
pub mod search;
pub mod proof;
pub mod generate;
pub mod command;

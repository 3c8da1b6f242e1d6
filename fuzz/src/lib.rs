//! What must hold of every input, one function a target.
//!
//! The targets of cargo-fuzz call these functions with bytes that libFuzzer invents; `tests/fuzz.rs`
//! includes this very file and calls them with bytes of its own. So there is one meaning of
//! "nothing breaks it", and an input that breaks something is broken in both.

mod agreement;
mod choices;
mod engine;
mod enumerator;
mod matcher;
mod proof;
mod puzzles;
mod random_rule;
mod rules;
mod states;
mod verdicts;
mod writing;

pub use agreement::agreement;
pub use engine::engine;
pub use enumerator::enumerator;
pub use proof::proof;
pub use puzzles::puzzles;
pub use rules::rules;
pub use verdicts::verdicts;

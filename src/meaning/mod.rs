//! What a rule means: values, terms, relations, conditions and arithmetic, said once.
//!
//! Everything is worked out over a [`Logic`]: what a truth is, and the sets and numbers that are
//! made of truths. So whoever runs, checks, explains, prices or proves a rule says the same.
//!
//! ```text
//! Plain      a truth is true or false, a set is bits      naive, replay, grounds, pictures;
//!                                                         without a state: shapes and lints
//! Truth      a truth depends on something                 literals: proof; prices: why-not
//! ```
//!
//! A word of the language has its meaning here and in `engine::join`, which stays apart on
//! purpose: it is the second opinion that this one is compared with.

mod value;
mod logic;
mod plain;
mod amount;
mod fuzzy;
mod truth;
mod term;
mod condition;
mod generator;
mod hypothesis;
mod scene;
mod never;
mod layout;

pub use amount::Amount;
pub use condition::Helpers;
pub use fuzzy::{Fuzzy, Open};
pub use hypothesis::{Hypothesis, Supposed};
pub use layout::{KnownBoards, Layouts, NoLayout, layout_mistakes};
pub use logic::{
    Environment, Given, Logic, Meant, Member, NoValue, Number, OnLayout, Valued, houses_called,
};
pub use never::never_holds;
pub use plain::Plain;
pub use scene::{Asked, Facts, NoFacts, Scene, Tuples};
pub use term::Reading;
pub use truth::Truth;
pub use value::{Bindings, Value};

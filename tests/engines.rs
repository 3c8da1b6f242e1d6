//! What rules do, found in every way there is: the fast held against the slow, and against what is written down.
//!
//! One program for all of them: each would be linked with the whole library. `cargo test --test
//! engines NAME::` runs those of one file.

// What tests share is small, and a module of each that uses it.
#![allow(clippy::duplicate_mod)]

#[path = "agree.rs"]
mod agree;
#[path = "fuzz.rs"]
mod fuzz;
#[path = "laws.rs"]
mod laws;
#[path = "layouts.rs"]
mod layouts;
#[path = "naive.rs"]
mod naive;
#[path = "random_rules.rs"]
mod random_rules;
#[path = "rules.rs"]
mod rules;
#[path = "search.rs"]
mod search;
#[path = "suppose.rs"]
mod suppose;
#[path = "techniques.rs"]
mod techniques;
#[path = "written_rules.rs"]
mod written_rules;

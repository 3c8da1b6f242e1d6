//! What the library says of texts: rule files, puzzles, questions of editors and of the studio's page.
//!
//! One program for all of them: each would be linked with the whole library. `cargo test --test
//! texts NAME::` runs those of one file.

// What tests share is small, and a module of each that uses it.
#![allow(clippy::duplicate_mod)]

#[path = "diagnostics.rs"]
mod diagnostics;
#[path = "editors.rs"]
mod editors;
#[path = "formats.rs"]
mod formats;
#[path = "language.rs"]
mod language;
#[path = "proof.rs"]
mod proof;
#[path = "service.rs"]
mod service;
#[path = "studio.rs"]
mod studio;

//! The program as people and other programs run it.
//!
//! One program for all of them: each would be linked with the whole library. `cargo test --test
//! program NAME::` runs those of one file.

// What tests share is small, and a module of each that uses it.
#![allow(clippy::duplicate_mod)]

#[path = "asking.rs"]
mod asking;
#[path = "budget.rs"]
mod budget;
#[path = "commands.rs"]
mod commands;
#[path = "data.rs"]
mod data;
#[path = "dependent.rs"]
mod dependent;
#[path = "effort.rs"]
mod effort;
#[path = "explain.rs"]
mod explain;
#[path = "faults.rs"]
mod faults;
#[path = "limits.rs"]
mod limits;
#[path = "lsp.rs"]
mod lsp;
#[path = "making.rs"]
mod making;
#[path = "readme.rs"]
mod readme;
#[path = "rule_files.rs"]
mod rule_files;
#[path = "studio_server.rs"]
mod studio_server;
#[path = "terminal.rs"]
mod terminal;

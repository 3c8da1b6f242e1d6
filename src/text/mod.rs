//! Puzzles in and out: detection, readers, writers.

pub mod library;

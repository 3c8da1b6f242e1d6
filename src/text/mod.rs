//! Puzzles in and out: detection, readers, writers.

//! Making full grids and puzzles.

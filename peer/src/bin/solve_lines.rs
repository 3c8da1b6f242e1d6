//! The least that a program around the crate `sudoku` has to do: read lines, look for up to two
//! solutions of each, print the first. What `dokulog solve -j1` is measured against.
//!
//! ```text
//! solve_lines LIST > solved
//! ```

use std::io::Write;

use sudoku::Sudoku;

fn main() {
    let path = std::env::args().nth(1).expect("a list");
    let text = std::fs::read(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
    let mut out = Vec::with_capacity(text.len());
    for line in text.split(|&byte| byte == b'\n').filter(|line| line.len() >= 81) {
        let line = std::str::from_utf8(&line[..81]).expect("text");
        let puzzle = Sudoku::from_str_line(line).expect("a puzzle");
        match puzzle.solutions_up_to(2).first() {
            Some(solution) => out.extend_from_slice(solution.to_str_line().as_bytes()),
            None => out.extend_from_slice(b"no solution"),
        }
        out.push(b'\n');
    }
    std::io::stdout().write_all(&out).expect("standard output");
}

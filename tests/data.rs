//! Every `.sud` of `data/` still has the `.p1` and `.p2` beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn puzzles() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut puzzles = Vec::new();
    for folder in ["sources", "annealing", "ladder", "sizes"] {
        for entry in fs::read_dir(data.join(folder)).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.extension().is_some_and(|extension| extension == "sud") {
                puzzles.push(path);
            }
        }
    }
    puzzles.sort();
    puzzles
}

fn output(command: &str, puzzle: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_dokulog"))
        .args([command, "-q", "-o", "-"])
        .arg(puzzle)
        .output()
        .expect("dokulog runs");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn every_puzzle_has_its_deduction_and_its_solution() {
    let puzzles = puzzles();
    assert!(puzzles.len() >= 16, "{puzzles:?}");
    for puzzle in puzzles {
        for (command, extension) in [("deduce", "p1"), ("solve", "p2")] {
            let expected = fs::read_to_string(puzzle.with_extension(extension));
            let expected = expected.unwrap_or_else(|_| panic!("{puzzle:?} has no .{extension}"));
            assert_eq!(output(command, &puzzle), expected, "{command} {puzzle:?}");
        }
    }
}

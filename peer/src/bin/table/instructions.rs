//! Instructions a puzzle, counted by valgrind: the same on a busy machine as on a quiet one.

use std::process::Command;

use crate::growth::Curve;
use crate::{PROGRAM, generated};

/// The command, and how many instructions one more puzzle costs it. Nothing without valgrind.
pub fn measure() -> Option<Curve> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("instructions: left out, `valgrind` is not installed");
        return None;
    }
    let folder = std::env::temp_dir().join(format!("dokulog-count-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let lists = [1, 401].map(|count| {
        let sign = |&digit: &u8| if digit == 0 { '.' } else { char::from(b'0' + digit) };
        let puzzles = generated(count);
        let lines = puzzles.iter().map(|p| p.iter().map(sign).chain(['\n']).collect());
        let path = folder.join(count.to_string());
        std::fs::write(&path, lines.collect::<Vec<String>>().concat()).expect("a writable list");
        path.to_string_lossy().into_owned()
    });
    let commands: [(&str, &[&str]); 4] = [
        ("convert --to line -j1", &["convert", "--to", "line"]),
        ("deduce -j1", &["deduce"]),
        ("deduce -j1 --with extended", &["deduce", "--with", "extended"]),
        ("solve -j1", &["solve"]),
    ];
    let rows = commands.map(|(name, command)| {
        let [one, many] = lists
            .each_ref()
            .map(|list| collected(&[command, &["-q", "-j1", "-o", "-", list]].concat()));
        let millions = format!("{:.1} million", one / 1e6);
        [format!("`{name}`"), format!("{:.0}", (many - one) / 400.0), millions]
    });
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    Some(Curve {
        heading: "Instructions (valgrind, generated minimal puzzles)",
        columns: ["command", "each further puzzle", "one puzzle, start to exit"],
        rows: rows.to_vec(),
    })
}

fn collected(arguments: &[&str]) -> f64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", PROGRAM])
        .args(arguments)
        .output()
        .expect("valgrind runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find_map(|line| line.split_once("Collected :"));
    line.and_then(|(_, count)| count.trim().parse().ok()).expect("valgrind tells the count")
}

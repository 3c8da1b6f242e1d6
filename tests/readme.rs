//! Every `console` block of the documents, and of the transcripts in `tests/console`, is run and
//! must print what it shows.
//!
//! A line `$ dokulog …` is a command; what follows, up to the next command or the end of the
//! block, is its standard output. Commands of other programs (`$ cargo …`) are not run. The
//! commands run in a copy of the project's `data`, `rules` and `docs`, so they may write beside
//! their input. The README's figures are those of BENCHMARKS.md. `DOKULOG_BLESS=1` writes what is printed into the documents.

#[path = "support/figures.rs"]
mod figures;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a new folder");
        for entry in fs::read_dir(from).expect("a readable folder") {
            let entry = entry.expect("a readable entry");
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::copy(from, to).expect("a copy");
    }
}

/// Runs a command line of the documents; pipes and redirections work as in a shell.
fn run(line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_dokulog"));
    let path = std::env::join_paths(
        std::iter::once(program.parent().expect("a folder").to_path_buf())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path.expect("a search path"))
        .env("NO_COLOR", "1")
        .output()
        .expect("a shell");
    String::from_utf8(output.stdout).expect("text")
}

/// The document with what its commands print now.
fn renewed(document: &str, folder: &Path) -> String {
    let mut renewed = String::new();
    let mut lines = document.lines().peekable();
    while let Some(line) = lines.next() {
        renewed.push_str(line);
        renewed.push('\n');
        if line != "```console" {
            continue;
        }
        while let Some(line) = lines.next_if(|line| *line != "```") {
            renewed.push_str(line);
            renewed.push('\n');
            if line.starts_with("$ dokulog ") {
                while lines.next_if(|next| *next != "```" && !next.starts_with("$ ")).is_some() {}
                renewed.push_str(&run(&line[2..], folder));
            }
        }
    }
    renewed
}

fn benchmarks() -> String {
    fs::read_to_string(root().join("BENCHMARKS.md")).expect("a readable document")
}

/// The files of `tests/console`: what people type, and what they are told.
fn transcripts() -> Vec<String> {
    let files = fs::read_dir(root().join("tests/console")).expect("a readable folder");
    let name = |file: fs::DirEntry| file.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> =
        files.map(|file| format!("tests/console/{}", name(file.expect("an entry")))).collect();
    names.sort();
    names
}

#[test]
fn documents_show_what_the_program_prints() {
    let folder = std::env::temp_dir().join(format!("dokulog-readme-{}", std::process::id()));
    for name in ["data", "rules", "docs", "tests"] {
        if root().join(name).is_dir() {
            copy(&root().join(name), &folder.join(name));
        }
    }
    let documents = ["README.md", "docs/tutorial.md"].map(String::from);
    for name in documents.into_iter().chain(transcripts()) {
        let path = root().join(&name);
        let Ok(document) = fs::read_to_string(&path) else { continue };
        let mut now = renewed(&document, &folder);
        if name == "README.md" {
            now = figures::renewed(&now, &benchmarks());
        }
        if std::env::var_os("DOKULOG_BLESS").is_some() {
            fs::write(&path, &now).expect("a writable document");
        } else {
            assert!(now == document, "{name} is out of date; now it would read:\n{now}");
        }
    }
    fs::remove_dir_all(&folder).expect("the copy can go");
}

#[test]
fn what_the_readme_claims_is_in_its_figures() {
    let readme = fs::read_to_string(root().join("README.md")).expect("a readable document");
    let (figures, rest) = figures::split(&readme);
    for unit in ["µs", " ms", "puzzles/s", "times faster", "× faster", "instructions a"] {
        assert!(!rest.contains(unit), "`{unit}` outside the README's figures");
    }
    // "At the speed of hand-written code": the same strategies written by hand take longer.
    let row = figures.lines().find(|line| line.contains("the same strategies")).expect("a row");
    let ratio = row.split("**").nth(1).and_then(|ratio| ratio.parse::<f64>().ok());
    assert!(ratio.expect("a ratio") > 1.0, "{row}");
}

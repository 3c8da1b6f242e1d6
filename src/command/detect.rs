//! `dokulog detect`: say which layout a file has, and why.

use std::path::PathBuf;

use crate::text::{self, Hint};

use super::input::{FromOption, read_blocks, read_bytes, shown};
use super::{Context, Run, Status, files, print};

/// Options of `detect`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog detect grid.sud list.txt
  cat unknown | dokulog detect -")]
pub(super) struct Arguments {
    /// Puzzle files, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    from: FromOption,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, _context: &Context) -> Run {
    arguments.files.iter().for_each(|path| files::protect(path));
    let boards = arguments.from.layout.boards()?;
    let mut status = Status::Done;
    for file in &arguments.files {
        let bytes = read_bytes(file)?;
        let extension = file.extension().and_then(|e| e.to_str());
        let hint = Hint { from: arguments.from.from, extension, boards: Some(&boards) };
        let (mut puzzles, mut faults) = (0, Vec::new());
        let found = read_blocks(&bytes, hint, &mut |items| {
            puzzles += items.len();
            faults.extend(items.into_iter().filter_map(Result::err));
            true
        });
        match found {
            Ok(detection) => {
                print(&(sentence(&shown(file), &detection, puzzles, faults.len()) + "\n"))?;
                for fault in faults {
                    super::say(&fault.in_file(&shown(file)).to_string());
                    status = Status::Failed;
                }
            }
            Err(fault) => {
                super::say(&fault.in_file(&shown(file)).to_string());
                status = Status::Failed;
            }
        }
    }
    Ok(status)
}

fn sentence(file: &str, detection: &text::Detection, puzzles: usize, bad: usize) -> String {
    let (form, size, why) = (detection.form, detection.size, &detection.why);
    let puzzles_word = if puzzles == 1 { "puzzle" } else { "puzzles" };
    let unreadable = if bad > 0 { format!(", {bad} unreadable") } else { String::new() };
    let signs = detection.alphabet.name(size);
    let layout = detection.board.as_ref().map_or(String::new(), |b| format!(" {}", b.name()));
    format!(
        "{file}: {form} ({}), {size}×{size}{layout}, signs {signs}, {puzzles} {puzzles_word}{unreadable}: {why}",
        form.about()
    )
}

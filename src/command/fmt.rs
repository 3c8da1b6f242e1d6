//! `dokulog fmt`: rule files in their canonical layout.

use std::path::{Path, PathBuf};

use super::options::{colour, read_rule_file, rule_files_in};
use super::{Context, Failure, Run, Status};
use crate::language::{self, Source};

/// Options of `fmt`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Rule files or folders, changed in place; - reads standard input and writes the result
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Change nothing; name the files that would change, and fail if there are any
    #[arg(long)]
    check: bool,
}

/// Runs it.
pub fn run(arguments: &Arguments, context: &Context) -> Run {
    let mut paths = Vec::new();
    for path in &arguments.files {
        match path.is_dir() {
            true => paths.extend(rule_files_in(path)?),
            false => paths.push(path.clone()),
        }
    }
    let mut status = Status::Done;
    for path in &paths {
        let source = read_rule_file(path)?;
        let Some(text) = formatted(&source) else {
            status = Status::Failed;
            continue;
        };
        if path == Path::new("-") && !arguments.check {
            super::print(&text)?;
        } else if text != source.text {
            if arguments.check {
                super::print(&format!("{}\n", source.name))?;
                status = Status::Failed;
                continue;
            }
            write(path, &text)?;
            if !context.quiet {
                eprintln!("{}: laid out anew", source.name);
            }
        }
    }
    Ok(status)
}

/// The canonical layout; a file that cannot be read is reported and left alone.
fn formatted(source: &Source) -> Option<String> {
    match language::format(source) {
        Ok(text) => Some(text),
        Err(diagnostics) => {
            let colour = colour(&std::io::stderr());
            for diagnostic in &diagnostics {
                let texts = std::slice::from_ref(source);
                eprint!("{}", language::render::text(diagnostic, texts, colour));
            }
            None
        }
    }
}

/// Writes beside the file and renames, so that no half-written file is ever seen.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    // A link is followed, so that the file it leads to is the one that changes.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let failure = |e: std::io::Error| Failure::new(format!("{}: {e}", path.display()));
    let permissions = std::fs::metadata(&path).map_err(failure)?.permissions();
    let name = path.file_name().map_or_else(Default::default, |name| name.to_os_string());
    let mut beside = std::ffi::OsString::from(".");
    beside.push(&name);
    beside.push(format!(".{}", std::process::id()));
    let beside = path.with_file_name(beside);
    let done = std::fs::write(&beside, text)
        .and_then(|()| std::fs::set_permissions(&beside, permissions))
        .and_then(|()| std::fs::rename(&beside, &path));
    if done.is_err() {
        // What is left of a failed attempt goes; the first error is the one to tell.
        std::fs::remove_file(&beside).ok();
    }
    done.map_err(failure)
}

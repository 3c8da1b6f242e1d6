//! `dokulog fmt`: rule files in their canonical layout.

use std::path::{Path, PathBuf};

use super::options::{colour, read_rule_file, rule_files_in};
use super::output::Output;
use super::{Context, Failure, Run, Status, print, print_exact, say, say_coloured};
use crate::language::{self, Source};
use crate::text::visible_line;

/// Options of `fmt`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog fmt my.rules            rewrite it
  dokulog fmt --check rules/      say which files would change")]
pub(super) struct Arguments {
    /// Rule files or folders, changed in place; - reads standard input and writes the result
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Change nothing; name the files that would change, and fail if there are any
    #[arg(long)]
    check: bool,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
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
            print_exact(text.as_bytes())?;
        } else if text != source.text {
            if arguments.check {
                print(&format!("{}\n", visible_line(&source.name)))?;
                status = Status::Failed;
                continue;
            }
            write(path, &text)?;
            if !context.quiet {
                say(&format!("{}: laid out anew", visible_line(&source.name)));
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
                say_coloured(&language::render::text(diagnostic, texts, colour));
            }
            None
        }
    }
}

/// Changes the file in one go, so that no half-written one is ever seen.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let mut output = Output::rewrite(path).map_err(Failure::new)?;
    output.write(text.as_bytes()).and_then(|()| output.commit()).map_err(Failure::new)
}

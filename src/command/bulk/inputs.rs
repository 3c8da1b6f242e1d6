//! Which files a run reads, and where each result goes.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::text::{Form, Hint, detect};

use super::super::input::{WINDOW, is_typed, reason, shown};
use super::super::output::is_file;
use super::super::{Failure, files};
use super::BulkArguments;

/// A file to read.
#[derive(Debug)]
pub(super) struct Input {
    /// Its path; `-` is standard input.
    pub path: PathBuf,
    /// Where its result goes.
    pub target: Target,
    /// Whether a file that holds no puzzle is passed over: it was only found in a folder.
    pub may_be_foreign: bool,
    /// Whether the puzzle itself was written in the place of a file.
    pub is_typed: bool,
}

/// Where results go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// To standard output.
    Standard,
    /// To a file.
    File(PathBuf),
}

/// The files of a run.
#[derive(Debug)]
pub(super) struct Inputs {
    /// In order.
    pub list: Vec<Input>,
    /// Whether all results go to one place.
    pub one_target: bool,
    /// Bytes in all, as far as known.
    pub bytes: u64,
    /// Files that could not be looked at, each as a sentence.
    pub failures: Vec<String>,
}

/// Where results go that nobody gave a name for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Beside<'a> {
    /// In a file beside the input, with this extension and that of the form.
    Extension(&'a str),
    /// To standard output; in a folder, with this extension.
    Nowhere(&'a str),
}

/// Extensions of results, which are not read again when a folder is.
const RESULTS: [&str; 2] = ["p1", "p2"];
/// Files that lie beside puzzles: the examples in them are no puzzles to solve.
const RULES: &str = "rules";

/// Finds the files that were meant. Outputs that would overwrite something are refused.
pub(super) fn inputs(arguments: &BulkArguments, beside: Beside) -> Result<Inputs, Failure> {
    let BulkArguments { files: paths, output, parents, .. } = arguments;
    let mut found = Vec::new();
    let mut failures = Vec::new();
    for path in paths {
        if !is_standard(path) && path.is_dir() {
            let mut files = Vec::new();
            folder(path, &mut files, &mut failures);
            if files.is_empty() {
                failures.push(format!("{}: the folder holds no puzzle files", shown(path)));
            }
            found.extend(files.into_iter().map(|file| (file, Some(path.as_path()))));
        } else {
            found.push((path.clone(), None));
        }
    }
    let from_folder = found.iter().any(|(_, root)| root.is_some());
    let into_folder = is_file(output).filter(|path| is_folder(path, from_folder));
    if !parents {
        is_file(output).map_or(Ok(()), has_place)?;
    }
    let one_target = match (output, into_folder, beside) {
        (Some(_), None, _) => true,
        (None, _, Beside::Nowhere(_)) => true,
        _ => found.iter().all(|(file, _)| has_no_file(file)) && output.is_none(),
    };
    let mut list: Vec<Input> = Vec::new();
    for (path, root) in found {
        let is_typed = root.is_none() && is_typed(&path);
        let target = match (is_file(output), into_folder) {
            (_, Some(folder)) => Target::File(in_folder(&path, root, folder, beside)),
            (Some(output), None) => Target::File(output.to_path_buf()),
            (None, None) => match beside {
                Beside::Extension(extension) if output.is_none() && !has_no_file(&path) => {
                    Target::File(path.with_extension(extension))
                }
                _ => Target::Standard,
            },
        };
        let may_be_foreign = root.is_some() && known_extension(&path).is_none();
        list.push(Input { path, target, may_be_foreign, is_typed });
    }
    if !one_target {
        leave_strangers(&mut list);
    }
    list.iter().for_each(|input| files::protect(&input.path));
    for Input { path, target, .. } in list.iter().take(if one_target { 1 } else { usize::MAX }) {
        if let Target::File(file) = target {
            files::claim_for(file, (!one_target).then_some(path.as_path()))?;
        }
    }
    let on_disk = || list.iter().filter(|input| !is_standard(&input.path));
    let bytes = on_disk().filter_map(|input| fs::metadata(&input.path).ok()).map(|m| m.len()).sum();
    Ok(Inputs { list, one_target, bytes, failures })
}

fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether nothing can be written beside it.
fn has_no_file(path: &Path) -> bool {
    is_standard(path) || is_typed(path)
}

/// Whether an output is a folder: it is there, or its name ends as those of folders do, or it is
/// not there and a folder goes in. A name such as `all.txt` is that of a file.
fn is_folder(path: &Path, from_folder: bool) -> bool {
    let end = path.as_os_str().as_encoded_bytes().last();
    end.is_some_and(|end| std::path::is_separator(char::from(*end)))
        || path.is_dir()
        || (from_folder && !path.exists() && path.extension().is_none())
}

/// Refuses an output in a folder that is not there, which may be a slip. A folder for results may
/// be new itself.
fn has_place(output: &Path) -> Result<(), Failure> {
    let around = files::parent(output);
    if around.is_dir() {
        return Ok(());
    }
    let (name, folder) = (shown(output), shown(around));
    Err(Failure::new(match around.exists() {
        true => format!("{name}: cannot be written: {folder} is no folder"),
        false => format!("{name}: there is no folder {folder}; --parents makes it"),
    }))
}

/// Leaves out what only lies in the folder: a file that would be written to the same place as a
/// puzzle file, and holds no puzzle.
fn leave_strangers(list: &mut Vec<Input>) {
    let targets: Vec<Target> = list.iter().map(|input| input.target.clone()).collect();
    list.retain(|input| {
        let shared = targets.iter().filter(|target| **target == input.target).count() > 1;
        !(input.may_be_foreign && shared && !holds_puzzles(&input.path))
    });
}

fn holds_puzzles(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|f| f.take(WINDOW as u64).read_to_end(&mut bytes));
    read.is_ok() && detect(&bytes, bytes.len() < WINDOW, Hint::default()).is_ok()
}

/// The files in a folder and the folders in it, by name; results and hidden files left out.
fn folder(path: &Path, found: &mut Vec<PathBuf>, failures: &mut Vec<String>) {
    let entries: io::Result<Vec<PathBuf>> =
        fs::read_dir(path).and_then(|dir| dir.map(|entry| entry.map(|e| e.path())).collect());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            failures.push(format!("{}: {}", shown(path), reason(&error)));
            return;
        }
    };
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let extension = entry.extension().and_then(|e| e.to_str());
        let is_result = extension.is_some_and(|e| RESULTS.contains(&e) || e == RULES)
            || RESULTS.iter().any(|result| name.contains(&format!(".{result}.")));
        if name.starts_with('.') || is_result {
            continue;
        }
        match fs::symlink_metadata(&entry) {
            Ok(metadata) if metadata.is_dir() => folder(&entry, found, failures),
            Ok(_) if entry.is_file() => found.push(entry),
            _ => {}
        }
    }
}

fn known_extension(file: &Path) -> Option<Form> {
    file.extension().and_then(|e| e.to_str()).and_then(Form::of_extension)
}

/// Where the result of a file goes in a folder: under the same name, and in the same folders
/// where the file was found in some.
fn in_folder(file: &Path, root: Option<&Path>, folder: &Path, beside: Beside) -> PathBuf {
    let (Beside::Extension(extension) | Beside::Nowhere(extension)) = beside;
    let inner = match root {
        Some(root) => file.strip_prefix(root).unwrap_or(file),
        None => Path::new(file.file_name().unwrap_or(file.as_os_str())),
    };
    let inner = if inner.as_os_str() == "-" { Path::new("stdin") } else { inner };
    folder.join(inner).with_extension(extension)
}

//! Which files a run reads, and where each result goes.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::text::Form;

use super::super::Failure;
use super::super::input::reason;
use super::output::FileId;

/// A file to read.
#[derive(Debug)]
pub struct Input {
    /// Its path; `-` is standard input.
    pub path: String,
    /// Where its result goes.
    pub target: Target,
    /// Whether a file that holds no puzzle is passed over: it was only found in a folder.
    pub may_be_foreign: bool,
}

/// Where results go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// To standard output.
    Standard,
    /// To a file.
    File(PathBuf),
}

/// The files of a run.
#[derive(Debug)]
pub struct Inputs {
    /// In order.
    pub list: Vec<Input>,
    /// What must never be overwritten.
    pub protected: HashSet<FileId>,
    /// Whether all results go to one place.
    pub one_target: bool,
    /// Bytes in all, as far as known.
    pub bytes: u64,
    /// Files that could not be looked at, each as a sentence.
    pub failures: Vec<String>,
}

/// Where results go that nobody gave a name for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside<'a> {
    /// In a file beside the input, with this extension.
    Extension(&'a str),
    /// To standard output; in a folder, with this extension.
    Nowhere(&'a str),
}

/// Extensions of results, which are not read again when a folder is.
const RESULTS: [&str; 2] = ["p1", "p2"];

/// Finds the files that were meant.
pub fn inputs(paths: &[String], output: Option<&str>, beside: Beside) -> Result<Inputs, Failure> {
    let mut found = Vec::new();
    let mut failures = Vec::new();
    for path in paths {
        if path != "-" && Path::new(path).is_dir() {
            let mut files = Vec::new();
            folder(Path::new(path), &mut files, &mut failures);
            if files.is_empty() {
                failures.push(format!("{path}: the folder holds no puzzle files"));
            }
            found.extend(files.into_iter().map(|file| (file, Some(PathBuf::from(path)))));
        } else {
            found.push((PathBuf::from(path), None));
        }
    }
    let into_folder = output.filter(|path| *path != "-").filter(|path| {
        path.ends_with(std::path::MAIN_SEPARATOR) || path.ends_with('/') || Path::new(path).is_dir()
    });
    let one_target = match (output, into_folder, beside) {
        (Some(_), None, _) => true,
        (None, _, Beside::Nowhere(_)) => true,
        _ => found.iter().all(|(file, _)| file.as_os_str() == "-") && output.is_none(),
    };
    let mut list = Vec::new();
    for (file, root) in found {
        let path = file.to_string_lossy().into_owned();
        let target = match (output, into_folder) {
            (Some("-"), _) => Target::Standard,
            (_, Some(folder)) => Target::File(in_folder(&file, root.as_deref(), folder, beside)),
            (Some(output), None) => Target::File(PathBuf::from(output)),
            (None, None) => match beside {
                Beside::Extension(extension) if path != "-" => {
                    Target::File(file.with_extension(extension))
                }
                _ => Target::Standard,
            },
        };
        let may_be_foreign = root.is_some() && known_extension(&file).is_none();
        list.push(Input { path, target, may_be_foreign });
    }
    if !one_target {
        refuse_collisions(&list)?;
    }
    let on_disk = || list.iter().filter(|input| input.path != "-").map(|i| Path::new(&i.path));
    let protected = on_disk().filter_map(|path| FileId::of(path).ok()).collect();
    let bytes = on_disk().filter_map(|path| fs::metadata(path).ok()).map(|m| m.len()).sum();
    Ok(Inputs { list, protected, one_target, bytes, failures })
}

/// The files in a folder and the folders in it, by name; results and hidden files left out.
fn folder(path: &Path, found: &mut Vec<PathBuf>, failures: &mut Vec<String>) {
    let entries: io::Result<Vec<PathBuf>> =
        fs::read_dir(path).and_then(|dir| dir.map(|entry| entry.map(|e| e.path())).collect());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            failures.push(format!("{}: {}", path.display(), reason(&error)));
            return;
        }
    };
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_result =
            entry.extension().and_then(|e| e.to_str()).is_some_and(|e| RESULTS.contains(&e))
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
fn in_folder(file: &Path, root: Option<&Path>, folder: &str, beside: Beside) -> PathBuf {
    let (Beside::Extension(extension) | Beside::Nowhere(extension)) = beside;
    let inner = match root {
        Some(root) => file.strip_prefix(root).unwrap_or(file),
        None => Path::new(file.file_name().unwrap_or(file.as_os_str())),
    };
    let inner = if inner.as_os_str() == "-" { Path::new("stdin") } else { inner };
    Path::new(folder).join(inner).with_extension(extension)
}

fn refuse_collisions(list: &[Input]) -> Result<(), Failure> {
    let mut owners: HashMap<&Path, &str> = HashMap::new();
    for input in list {
        let Target::File(target) = &input.target else { continue };
        if let Some(other) = owners.insert(target, &input.path) {
            let (target, path) = (target.display(), &input.path);
            return Err(Failure::new(format!(
                "{other} and {path} would both be written to {target}; give -o"
            )));
        }
    }
    Ok(())
}

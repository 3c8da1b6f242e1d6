//! The rule files of the folders that are open in the editor.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Entries of folders that are looked at, so that no root of a disk keeps the editor waiting.
const ENTRIES: usize = 20_000;
/// Rule files that are read.
const FILES: usize = 2_000;
/// Bytes of a rule file that is read: the language refuses what is longer than one megabyte.
const BYTES: u64 = 2 << 20;

/// The text of a rule file, if it can be read.
pub(super) fn text(path: &Path) -> Option<String> {
    let length = std::fs::metadata(path).ok().filter(|data| data.is_file())?.len();
    if length > BYTES {
        return None;
    }
    std::fs::read_to_string(path).ok()
}

/// When a file was last changed, and how long it is.
pub(super) type Stamp = (SystemTime, u64);

/// The stamp of a file, if it is there.
pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// The rule files of a folder and of those inside it, in order of name, and whether that is all.
/// Hidden folders, links and what tools make are left out.
pub(super) fn rule_files(root: &Path) -> (Vec<PathBuf>, bool) {
    let (mut found, mut looked) = (Vec::new(), 0);
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            looked += 1;
            if looked > ENTRIES || found.len() == FILES {
                found.sort();
                return (found, false);
            }
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else { continue };
            let made = name.starts_with('.') || name == "target" || name == "node_modules";
            if kind.is_dir() && !made {
                folders.push(entry.path());
            } else if kind.is_file() && name.ends_with(".rules") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    (found, true)
}

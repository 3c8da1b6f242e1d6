//! A folder of its own for a test, and the program run in it.

// Each test program uses some of this.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A puzzle that singles solve.
pub const EASY: &str =
    ".97....2882.1..3.5..38..79..524.9.1.4.9716..3.1..5...........766.5.3........7.8.2\n";

/// A folder, gone when it is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty one.
    pub fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("dokulog-fault-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    /// Writes a file.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).expect("a file");
    }
    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }
    /// What is in it, by name.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .expect("a folder")
            .map(|e| e.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
    /// Every file with its content, those of folders in it included.
    pub fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("a file").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let bytes = fs::read(&path).unwrap_or_default();
                    found.insert(path, bytes);
                }
            }
        }
        found
    }
    /// The program with these arguments, not yet running.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dokulog"));
        command.args(arguments).current_dir(&self.0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
    /// A line of shell in which `dokulog` is the program.
    pub fn shell(&self, line: &str) -> Output {
        let program = format!("dokulog() {{ '{}' \"$@\"; }}\n", env!("CARGO_BIN_EXE_dokulog"));
        Command::new("bash")
            .args(["-c", &format!("{program}{line}")])
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .output()
            .expect("a shell")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The lines of a file of cases, remarks left out.
pub fn cases(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

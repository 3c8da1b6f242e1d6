//! Output files: complete or not there at all.
//!
//! What is written goes to a file without a name, in the folder of the output, and gets the name
//! when it is complete; so a run that is killed leaves nothing behind. Where the system has no
//! such files, a named temporary stands in, removed when the run is stopped. A file that is
//! replaced passes on its permissions, and the content is on the disk before it gets the name.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tempfile::TempPath;

use super::input::{reason, shown};
use super::{Failure, files, print, signals};
use crate::text::visible;

/// A file being written.
pub(super) struct Output {
    file: File,
    place: Place,
    /// As the user called it.
    path: PathBuf,
    /// Links followed.
    target: PathBuf,
}

enum Place {
    /// A device or a pipe: written to as it is.
    Direct,
    /// A file without a name.
    Unnamed,
    /// A file with a temporary name.
    Named(TempPath),
}

impl Output {
    /// Begins a file. It never replaces one that is read, whatever links lead to it.
    pub(super) fn create(path: &Path) -> Result<Output, String> {
        Output::begin(path, files::resolve(path)?)
    }

    /// Begins the new content of a file that was read to be changed.
    pub(super) fn rewrite(path: &Path) -> Result<Output, String> {
        // A link is followed, so that the file it leads to is the one that changes.
        Output::begin(path, fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()))
    }

    fn begin(path: &Path, target: PathBuf) -> Result<Output, String> {
        let failed =
            |error: io::Error| format!("{}: cannot be written: {}", shown(path), reason(&error));
        let of =
            |file, place| Output { file, place, path: path.to_path_buf(), target: target.clone() };
        if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
            let file = File::options().write(true).open(&target).map_err(failed)?;
            return Ok(of(file, Place::Direct));
        }
        if let Some(file) = unnamed(files::parent(&target)) {
            return Ok(of(file, Place::Unnamed));
        }
        let (file, temporary) = named(&target).map_err(failed)?;
        Ok(of(file, Place::Named(temporary)))
    }

    /// Writes some of it.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        let done = self.file.write_all(bytes);
        done.map_err(|error| self.failed(&error))
    }

    /// Gives the complete file its name.
    pub(super) fn commit(mut self) -> Result<(), String> {
        self.finish().map_err(|error| self.failed(&error))
    }

    fn finish(&mut self) -> io::Result<()> {
        let place = match std::mem::replace(&mut self.place, Place::Direct) {
            Place::Direct => return self.file.flush(),
            place => place,
        };
        keep_permissions(&self.file, &self.target);
        self.file.sync_all()?;
        match place {
            Place::Named(temporary) => rename(temporary, &self.target)?,
            _ => name(&self.file, &self.target)?,
        }
        files::written(&self.path, files::parent(&self.target));
        Ok(())
    }

    fn failed(&self, error: &io::Error) -> String {
        let left = match self.target.exists() {
            true => "it is as it was",
            false => "nothing was kept",
        };
        format!("{}: cannot be written: {}; {left}", shown(&self.path), reason(error))
    }
}

/// Writes a file, whole or not at all.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let mut output = Output::create(path).map_err(Failure::new)?;
    output.write(visible(text).as_bytes()).map_err(Failure::new)?;
    output.commit().map_err(Failure::new)
}

/// Whether an output is a file, and not standard output.
pub(super) fn is_file(to: &Option<PathBuf>) -> Option<&Path> {
    to.as_deref().filter(|path| *path != Path::new("-"))
}

/// What the name of an output ends in; `json` for JSON lines, too.
pub(super) fn ending(to: &Option<PathBuf>) -> Option<&str> {
    let ending = is_file(to)?.extension()?.to_str()?;
    Some(if ending == "jsonl" { "json" } else { ending })
}

/// The format asked for, else the one that the output's name ends in, else the usual one.
pub(super) fn format<F: ValueEnum>(asked: Option<F>, to: &Option<PathBuf>, usual: F) -> F {
    let named = |ending: &str| F::from_str(ending, true).ok();
    asked.or_else(|| ending(to).and_then(named)).unwrap_or(usual)
}

/// Writes to a file, whole or not at all, or to standard output.
pub(super) fn write_out(to: &Option<PathBuf>, text: &str) -> Result<(), Failure> {
    is_file(to).map_or_else(|| print(text), |path| write_file(path, text))
}

/// What is replaced keeps its permissions and, as far as the system lets us, its owner.
fn keep_permissions(file: &File, target: &Path) {
    let Ok(earlier) = fs::metadata(target) else { return };
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let is = file.metadata().map(|metadata| (metadata.uid(), metadata.gid()));
        if is.is_ok_and(|is| is != (earlier.uid(), earlier.gid())) {
            let _ = fchown(file, Some(earlier.uid()), Some(earlier.gid()));
        }
    }
    let _ = file.set_permissions(earlier.permissions());
}

/// A temporary name in the folder of a file, for whatever is made under it. It does not depend on
/// the name of the file, which may be as long as names can be.
fn temporary<T>(
    target: &Path,
    mut make: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<(T, TempPath)> {
    let noted = |path: &Path| signals::make_removable(path, || make(path));
    let made = tempfile::Builder::new().prefix(".dokulog-").make_in(files::parent(target), noted);
    made.map(|made| made.into_parts())
}

/// A file under a temporary name, for systems without files that have none.
fn named(target: &Path) -> io::Result<(File, TempPath)> {
    temporary(target, |path| File::options().write(true).create_new(true).open(path))
}

/// Gives a file another name. An earlier file is replaced in one go.
fn rename(temporary: TempPath, target: &Path) -> io::Result<()> {
    let path = temporary.to_path_buf();
    let done = temporary.persist(target).map_err(|failed| failed.error);
    signals::forget(&path);
    done
}

#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    if !Path::new("/proc/self/fd").exists() {
        return None;
    }
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    open(folder, flags, Mode::from_raw_mode(0o666)).ok().map(File::from)
}

/// Names a file without a name. An earlier file is replaced in one go.
#[cfg(target_os = "linux")]
fn name(file: &File, target: &Path) -> io::Result<()> {
    match link(file, target) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let ((), path) = temporary(target, |path| link(file, path))?;
            rename(path, target)
        }
        done => done,
    }
}

#[cfg(target_os = "linux")]
fn link(file: &File, target: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let from = format!("/proc/self/fd/{}", file.as_raw_fd());
    linkat(CWD, from, CWD, target, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_folder: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn name(_file: &File, _target: &Path) -> io::Result<()> {
    Err(io::Error::other("files without a name are a matter of Linux"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use super::*;

    /// Set for the process that is to be killed: the folder it writes in.
    const FOLDER: &str = "DOKULOG_TEST_FOLDER";

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("dokulog-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        path
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry"));
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    fn begin(folder: &Path) -> Output {
        let target = folder.join("out.txt");
        let (file, temporary) = named(&target).expect("a new file");
        let place = Place::Named(temporary);
        let mut output = Output { file, place, path: target.clone(), target };
        output.write(b"half of it\n").expect("room on the disk");
        output
    }

    /// One test, because a process has one temporary file that is removed when it is stopped.
    #[test]
    fn a_temporary_name_stands_in_where_files_need_one() {
        if let Some(folder) = std::env::var_os(FOLDER) {
            let output = begin(Path::new(&folder));
            writeln!(io::stdout(), "begun").expect("someone reads");
            std::thread::sleep(std::time::Duration::from_secs(60));
            drop(output);
            return;
        }
        let folder = folder("named");
        drop(begin(&folder));
        assert!(names(&folder).is_empty(), "what is not committed vanishes");
        begin(&folder).commit().expect("a name");
        fs::write(folder.join("out.txt"), "earlier\n").expect("a file");
        begin(&folder).commit().expect("the name, though it is taken");
        assert_eq!(names(&folder), ["out.txt"]);
        assert_eq!(fs::read(folder.join("out.txt")).expect("a file"), b"half of it\n");
        let gone = named(&folder.join("gone/out.txt")).map(|_| ());
        assert_eq!(reason(&gone.expect_err("no folder")), "no such file or directory");

        fs::write(folder.join("out.txt"), "earlier\n").expect("a file");
        let this = concat!(module_path!(), "::a_temporary_name_stands_in_where_files_need_one");
        let this = this.split_once("::").expect("the crate comes first").1;
        let mut child = Command::new(std::env::current_exe().expect("a test program"))
            .args(["--exact", this, "--nocapture"])
            .env(FOLDER, &folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the test program runs");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert!(lines.map_while(Result::ok).any(|line| line.contains("begun")));
        assert_eq!(names(&folder).len(), 2, "the temporary file is there");
        let killed = Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        assert!(!child.wait().expect("it ends").success());
        assert_eq!(names(&folder), ["out.txt"], "the temporary file is gone");
        assert_eq!(fs::read(folder.join("out.txt")).expect("a file"), b"earlier\n");
        fs::remove_dir_all(&folder).expect("the folder can go");
    }
}

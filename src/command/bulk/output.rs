//! Output files: complete or not there at all.
//!
//! What is written goes to a file without a name, in the folder of the output, and gets the name
//! when it is complete; so a run that is killed leaves nothing behind. Where the system has no
//! such files, a named temporary stands in, removed when the run is stopped.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::super::input::reason;
use super::super::signals;

/// What a file is, however it is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FileId {
    /// Device and number.
    #[cfg(unix)]
    Node(u64, u64),
    /// Where there are no numbers.
    #[cfg(not(unix))]
    Path(PathBuf),
}

impl FileId {
    /// The file at a path, links followed.
    pub fn of(path: &Path) -> io::Result<FileId> {
        let metadata = fs::metadata(path)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Ok(FileId::Node(metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Ok(FileId::Path(fs::canonicalize(path)?))
        }
    }
}

/// A file being written.
pub struct Output {
    file: File,
    place: Place,
    /// As the user called it.
    name: String,
}

enum Place {
    /// A device or a pipe: written to as it is.
    Direct,
    /// A file without a name, to be called so.
    Unnamed(PathBuf),
    /// A temporary name, and the name to be.
    Named(PathBuf, PathBuf),
}

impl Output {
    /// Begins a file. It never replaces one of `inputs`, whatever links lead to it.
    pub fn create(path: &Path, inputs: &HashSet<FileId>) -> Result<Output, String> {
        let name = path.display().to_string();
        let target = resolve(path, inputs)?;
        let failed = |error: io::Error| format!("{name}: cannot be written: {}", reason(&error));
        if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
            let file = File::options().write(true).open(&target).map_err(failed)?;
            return Ok(Output { file, place: Place::Direct, name });
        }
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if let Some(file) = unnamed(folder) {
            return Ok(Output { file, place: Place::Unnamed(target), name });
        }
        Output::named(target, name)
    }

    /// Begins a file under a temporary name, for systems without files that have none.
    fn named(target: PathBuf, name: String) -> Result<Output, String> {
        let temporary = beside(&target);
        signals::remove_when_stopped(&temporary);
        match File::options().write(true).create_new(true).open(&temporary) {
            Ok(file) => Ok(Output { file, place: Place::Named(temporary, target), name }),
            Err(error) => {
                signals::forget();
                Err(format!("{name}: cannot be written: {}", reason(&error)))
            }
        }
    }

    /// Writes some of it.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.file.write_all(bytes).map_err(|error| {
            format!("{}: cannot be written: {}; nothing was kept", self.name, reason(&error))
        })
    }

    /// Gives the complete file its name.
    pub fn commit(mut self) -> Result<(), String> {
        let done = match &self.place {
            Place::Direct => Ok(()),
            Place::Unnamed(target) => name(&self.file, target),
            Place::Named(temporary, target) => fs::rename(temporary, target),
        };
        if done.is_ok() {
            signals::forget();
            self.place = Place::Direct;
        }
        done.map_err(|error| {
            format!("{}: cannot be written: {}; nothing was kept", self.name, reason(&error))
        })
    }
}

/// What was not committed vanishes.
impl Drop for Output {
    fn drop(&mut self) {
        if let Place::Named(temporary, _) = &self.place {
            let _ = fs::remove_file(temporary);
            signals::forget();
        }
    }
}

/// The file that is meant, links followed, unless it must not be written.
fn resolve(path: &Path, inputs: &HashSet<FileId>) -> Result<PathBuf, String> {
    let name = path.display();
    if FileId::of(path).is_ok_and(|id| inputs.contains(&id)) {
        return Err(format!("{name}: is an input, and inputs are never overwritten"));
    }
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(format!("{name}: is a folder")),
        Ok(metadata) if metadata.is_symlink() => fs::canonicalize(path)
            .map_err(|_| format!("{name}: is a symbolic link that leads nowhere"))
            .and_then(|target| match target.is_dir() {
                true => Err(format!("{name}: is a link to a folder")),
                false => Ok(target),
            }),
        _ => Ok(path.to_path_buf()),
    }
}

/// A name beside a file that no other process uses.
fn beside(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    if !Path::new("/proc/self/fd").exists() {
        return None;
    }
    File::options().write(true).custom_flags(libc::O_TMPFILE).mode(0o666).open(folder).ok()
}

/// Links a file without a name. An earlier file is replaced in one go.
#[cfg(target_os = "linux")]
fn name(file: &File, target: &Path) -> io::Result<()> {
    match link(file, target) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let temporary = beside(target);
            signals::remove_when_stopped(&temporary);
            link(file, &temporary)?;
            fs::rename(&temporary, target).inspect_err(|_| {
                let _ = fs::remove_file(&temporary);
            })
        }
        done => done,
    }
}

#[cfg(target_os = "linux")]
fn link(file: &File, target: &Path) -> io::Result<()> {
    use std::ffi::CString;
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::OsStrExt;
    let from = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    let to = CString::new(target.as_os_str().as_bytes())?;
    let here = libc::AT_FDCWD;
    // SAFETY: both are C strings that live until the call returns.
    let answer =
        unsafe { libc::linkat(here, from.as_ptr(), here, to.as_ptr(), libc::AT_SYMLINK_FOLLOW) };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
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
        let mut output = Output::named(target, "out.txt".into()).expect("a new file");
        output.write(b"half of it\n").expect("room on the disk");
        output
    }

    /// One test, because a process has one temporary file that is removed when it is stopped.
    #[test]
    fn a_temporary_name_stands_in_where_files_need_one() {
        if let Some(folder) = std::env::var_os(FOLDER) {
            let output = begin(Path::new(&folder));
            println!("begun");
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
        let gone = Output::named(folder.join("gone/out.txt"), "gone/out.txt".into());
        let sentence = "gone/out.txt: cannot be written: no such file or directory";
        assert_eq!(gone.err().as_deref(), Some(sentence));

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

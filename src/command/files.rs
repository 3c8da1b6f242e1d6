//! The files of a run: what is read is never written, and nothing is written twice.
//!
//! One list for the whole process, as its standard streams are. A command names its inputs with
//! [`protect`] and its outputs with [`claim`] before it begins; whatever opens a file to read it
//! names it again, so that none is forgotten.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Failure;
use super::input::{reason, shown};

/// What a file is, however it is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum FileId {
    /// Device and number.
    #[cfg(unix)]
    Node(u64, u64),
    /// Where there are no numbers.
    #[cfg(not(unix))]
    Path(PathBuf),
    /// A file that is not there yet: in which folder, and its name from there.
    Future(Box<FileId>, PathBuf),
}

impl FileId {
    /// The file at a path, links followed.
    fn of(path: &Path) -> io::Result<FileId> {
        let metadata = fs::metadata(path)?;
        #[cfg(unix)]
        return Ok(FileId::node(&metadata));
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Ok(FileId::Path(fs::canonicalize(path)?))
        }
    }

    #[cfg(unix)]
    fn node(metadata: &Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId::Node(metadata.dev(), metadata.ino())
    }

    /// The file at a path, or the one that will be there.
    fn of_output(path: &Path) -> io::Result<FileId> {
        let mut missing = PathBuf::new();
        let mut path = path;
        loop {
            match FileId::of(path) {
                Ok(id) if missing.as_os_str().is_empty() => return Ok(id),
                Ok(folder) => return Ok(FileId::Future(Box::new(folder), missing)),
                Err(error) => {
                    let name = path.file_name().ok_or(error)?;
                    missing = match missing.as_os_str().is_empty() {
                        true => PathBuf::from(name),
                        false => Path::new(name).join(&missing),
                    };
                    path = parent(path);
                }
            }
        }
    }
}

/// The folder that a file is in.
pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[derive(Default)]
struct Files {
    inputs: HashSet<FileId>,
    outputs: HashMap<FileId, Claimed>,
    /// Outputs that were there before and are not written yet.
    earlier: BTreeSet<PathBuf>,
    /// Where names were given that are to last.
    folders: BTreeSet<PathBuf>,
}

/// An output.
struct Claimed {
    path: PathBuf,
    /// The input that it alone is the result of.
    input: Option<PathBuf>,
}

static FILES: Mutex<Option<Files>> = Mutex::new(None);

/// Does something with the list.
fn with<T>(act: impl FnOnce(&mut Files) -> T) -> T {
    let mut files: MutexGuard<Option<Files>> = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    act(files.get_or_insert_with(Files::default))
}

/// This file is read, `-` being standard input: it is never overwritten. Devices and pipes are
/// not files in this sense.
pub(super) fn protect(path: &Path) {
    let id = match path == Path::new("-") {
        true => standard(&io::stdin()),
        false => fs::metadata(path).ok().filter(Metadata::is_file).and(FileId::of(path).ok()),
    };
    with(|files| files.inputs.extend(id));
}

/// Whether a standard stream leads to a file that is read, as in `>> g.sud`.
pub(super) fn is_input(stream: &impl Stream) -> bool {
    standard(stream).is_some_and(|id| with(|files| files.inputs.contains(&id)))
}

#[cfg(unix)]
pub(super) use std::os::fd::AsFd as Stream;

/// The file behind a standard stream, if it is one.
#[cfg(unix)]
fn standard(stream: &impl Stream) -> Option<FileId> {
    let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
    file.metadata().ok().filter(Metadata::is_file).map(|metadata| FileId::node(&metadata))
}

#[cfg(not(unix))]
pub trait Stream {}
#[cfg(not(unix))]
impl<T> Stream for T {}
#[cfg(not(unix))]
fn standard(_stream: &impl Stream) -> Option<FileId> {
    None
}

/// This file will be written. Refused if it is an input, another output, or no file.
pub(super) fn claim(path: &Path) -> Result<(), Failure> {
    claim_for(path, None)
}

/// This file will be written, with the result of that input if there is one of its own.
pub(super) fn claim_for(path: &Path, input: Option<&Path>) -> Result<(), Failure> {
    let target = resolve(path).map_err(Failure::new)?;
    let metadata = fs::metadata(&target).ok();
    if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return Ok(());
    }
    let name = shown(path);
    let id = FileId::of_output(&target)
        .map_err(|error| Failure::new(format!("{name}: {}", reason(&error))))?;
    with(|files| {
        if let Some(other) = files.outputs.get(&id) {
            let both = (&other.input, input);
            return Err(Failure::new(match both {
                (Some(one), Some(two)) => {
                    let (one, two) = (shown(one), shown(two));
                    format!("{one} and {two} would both be written to {name}; give -o")
                }
                _ => {
                    let other = shown(&other.path);
                    format!("{other} and {name} are the same file, and each is to be written")
                }
            }));
        }
        let claimed = Claimed { path: path.to_path_buf(), input: input.map(Path::to_path_buf) };
        files.outputs.insert(id, claimed);
        if metadata.is_some() {
            files.earlier.insert(path.to_path_buf());
        }
        Ok(())
    })
}

/// The file that is meant, links followed, unless it must not be written.
pub(super) fn resolve(path: &Path) -> Result<PathBuf, String> {
    let name = shown(path);
    if path.as_os_str().is_empty() {
        return Err("the name of the output is empty".to_string());
    }
    if FileId::of(path).is_ok_and(|id| with(|files| files.inputs.contains(&id))) {
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

/// This output, which is in that folder, has its new content.
pub(super) fn written(path: &Path, folder: &Path) {
    with(|files| {
        files.earlier.remove(path);
        files.folders.insert(folder.to_path_buf());
    });
}

/// The end of a run: names that were given are made to last. What went wrong, and the outputs
/// that are as they were before.
pub(super) fn finish() -> (Result<(), Failure>, Vec<PathBuf>) {
    let (earlier, folders) =
        with(|files| (std::mem::take(&mut files.earlier), std::mem::take(&mut files.folders)));
    let mut done = Ok(());
    for folder in folders {
        if let Err(error) = sync_folder(&folder) {
            let (name, reason) = (shown(&folder), reason(&error));
            done = Err(Failure::new(format!("{name}: cannot be kept on the disk: {reason}")));
        }
    }
    (done, earlier.into_iter().collect())
}

/// Makes the names in a folder last. Systems that cannot do it for folders say so, and that is no
/// failure; nor is a folder that is gone by now.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use io::ErrorKind::{InvalidInput, NotFound, PermissionDenied, Unsupported};
        match fs::File::open(folder).and_then(|folder| folder.sync_all()) {
            Err(error)
                if ![InvalidInput, NotFound, PermissionDenied, Unsupported]
                    .contains(&error.kind()) =>
            {
                return Err(error);
            }
            _ => {}
        }
    }
    let _ = folder;
    Ok(())
}

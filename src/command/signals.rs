//! What happens when the program is stopped from outside.

use std::io;
use std::path::Path;

/// A closed pipe ends the program quietly, as it ends other programs.
pub(super) fn end_quietly_on_closed_pipe() {
    #[cfg(unix)]
    // SAFETY: the default action is what every program starts with.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}

/// A closed connection is an error of this connection, and does not end the program.
#[cfg(feature = "studio")]
pub(super) fn outlive_closed_connections() {
    #[cfg(unix)]
    // SAFETY: ignoring a signal installs no handler.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
    }
}

/// Makes a file that is removed when the program is interrupted or terminated.
///
/// Once that has begun, no more are made: a file that is made while others are removed would be
/// left.
pub(super) fn make_removable<T>(
    path: &Path,
    make: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    #[cfg(unix)]
    let mut all = unix::watched();
    let made = make()?;
    #[cfg(unix)]
    all.push(path.to_path_buf());
    #[cfg(not(unix))]
    let _ = path;
    Ok(made)
}

/// The file is complete, or removed already.
pub(super) fn forget(path: &Path) {
    #[cfg(unix)]
    unix::temporary().retain(|other| other != path);
    #[cfg(not(unix))]
    let _ = path;
}

#[cfg(unix)]
mod unix {
    use std::path::PathBuf;
    use std::sync::{Mutex, MutexGuard, Once, PoisonError, mpsc};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    static WATCH: Once = Once::new();

    pub(super) fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
        TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files to be removed, once someone looks out for signals.
    pub(super) fn watched() -> MutexGuard<'static, Vec<PathBuf>> {
        WATCH.call_once(watch);
        temporary()
    }

    /// Starts a thread that waits for a signal. Without the thread, signals act as ever.
    fn watch() {
        let (begun, waited) = mpsc::channel();
        let wait = move || {
            let ours = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE];
            let signals = Signals::new(ours.into_iter().filter(|signal| !is_ignored(*signal)));
            let _ = begun.send(());
            let Ok(mut signals) = signals else { return };
            if let Some(signal) = signals.forever().next() {
                // Kept to the end, so that no other file is begun.
                let temporary = temporary();
                temporary.iter().for_each(|path| drop(std::fs::remove_file(path)));
                let _ = emulate_default_handler(signal);
                std::process::exit(128 + signal);
            }
        };
        if std::thread::Builder::new().spawn(wait).is_ok() {
            let _ = waited.recv();
        }
    }

    /// Whether whoever started the program wants this signal to be ignored, as `nohup` does.
    fn is_ignored(signal: i32) -> bool {
        // SAFETY: a `sigaction` is plain data, and the call only fills it.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &mut action) == 0
                && action.sa_sigaction == libc::SIG_IGN
        }
    }
}

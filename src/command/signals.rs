//! What happens when the program is stopped from outside.

use std::path::Path;

/// A closed pipe ends the program quietly, as it ends other programs.
pub fn end_quietly_on_closed_pipe() {
    #[cfg(unix)]
    // SAFETY: the default action is what every program starts with.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}

/// Has this file removed when the program is interrupted or terminated.
pub fn remove_when_stopped(path: &Path) {
    #[cfg(unix)]
    unix::remove_when_stopped(path);
    #[cfg(not(unix))]
    let _ = path;
}

/// The file is complete, or removed already.
pub fn forget() {
    #[cfg(unix)]
    unix::forget();
}

#[cfg(unix)]
mod unix {
    use std::ffi::{CString, c_char, c_int};
    use std::path::Path;
    use std::sync::atomic::{AtomicPtr, Ordering};

    /// The one temporary file; the writer makes one at a time.
    static TEMPORARY: AtomicPtr<c_char> = AtomicPtr::new(std::ptr::null_mut());

    pub fn remove_when_stopped(path: &Path) {
        use std::os::unix::ffi::OsStrExt;
        let Ok(path) = CString::new(path.as_os_str().as_bytes()) else { return };
        forget();
        TEMPORARY.store(path.into_raw(), Ordering::SeqCst);
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            let handler: extern "C" fn(c_int) = stop;
            // SAFETY: the handler calls only what may be called in one.
            unsafe {
                libc::signal(signal, handler as libc::sighandler_t);
            }
        }
    }

    pub fn forget() {
        let path = TEMPORARY.swap(std::ptr::null_mut(), Ordering::SeqCst);
        if !path.is_null() {
            // SAFETY: it came from `into_raw`, and the swap leaves it to us alone.
            drop(unsafe { CString::from_raw(path) });
        }
    }

    extern "C" fn stop(signal: c_int) {
        let path = TEMPORARY.swap(std::ptr::null_mut(), Ordering::SeqCst);
        // SAFETY: `unlink`, `signal` and `raise` are allowed in a handler; the string is never
        // freed once it was taken here.
        unsafe {
            if !path.is_null() {
                libc::unlink(path);
            }
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}

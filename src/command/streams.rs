//! Standard output and standard error.
//!
//! Everything that is said goes through here: what would act on a terminal is written out, and a
//! stream that cannot be written is a failure, not a panic.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::text::visible;

use super::Failure;
use super::files;
use super::input::reason;
use super::options::colour;

/// Writes a result for people, or JSON, to standard output.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    write(visible(text).as_bytes())
}

/// Writes a result for programs to standard output: exactly, unless that is a terminal.
pub(super) fn print_exact(bytes: &[u8]) -> Result<(), Failure> {
    match io::stdout().is_terminal() {
        true => print(&String::from_utf8_lossy(bytes)),
        false => write(bytes),
    }
}

/// Writes text that was made visible before it was coloured.
pub(super) fn print_coloured(text: &str) -> Result<(), Failure> {
    write(text.as_bytes())
}

/// A closed pipe is no failure: nobody reads on.
fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if files::is_input(&out) {
        return Err(Failure::new("standard output is an input, and inputs are never overwritten"));
    }
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output: cannot be written: {}", reason(&error))))
        }
        _ => Ok(()),
    }
}

/// Whether something could not be said on standard error.
static UNHEARD: AtomicBool = AtomicBool::new(false);

/// Says something on standard error. Should that fail, the program ends with a failure.
pub(super) fn say(text: &str) {
    say_coloured(&format!("{}\n", visible(text)));
}

/// Says text that was made visible before it was coloured.
pub(super) fn say_coloured(text: &str) {
    let mut err = io::stderr().lock();
    let heard = !files::is_input(&err)
        && match err.write_all(text.as_bytes()) {
            Err(error) => error.kind() == ErrorKind::BrokenPipe,
            Ok(()) => true,
        };
    if !heard {
        UNHEARD.store(true, Ordering::Relaxed);
    }
}

/// The exit code, unless something could not be said.
pub(super) fn exit_code(code: u8) -> u8 {
    if UNHEARD.load(Ordering::Relaxed) { 2 } else { code }
}

/// Shows the help that was asked for, or what is wrong with the command line.
pub(super) fn usage(error: &clap::Error) -> u8 {
    let text = error.render();
    let plain = text.to_string();
    let shown = |colour: bool| match colour && visible(&plain) == plain {
        true => text.ansi().to_string(),
        false => visible(&plain).into_owned(),
    };
    if error.use_stderr() {
        say_coloured(&shown(colour(&io::stderr())));
        return exit_code(2);
    }
    match print_coloured(&shown(colour(&io::stdout()))) {
        Ok(()) => exit_code(0),
        Err(failure) => exit_code(failure.tell()),
    }
}

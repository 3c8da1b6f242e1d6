//! A bar on the terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over so many bytes, if someone is looking.
pub(super) fn bar(bytes: u64, quiet: bool) -> Option<ProgressBar> {
    if quiet || bytes < 1 << 16 || !std::io::stderr().is_terminal() {
        return None;
    }
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} % {eta} left")
        .expect("the template is well formed");
    Some(ProgressBar::new(bytes).with_style(style))
}

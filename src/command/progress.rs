//! A bar that counts, where someone is looking.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use super::Context;

/// A bar over so many puzzles or rules on a terminal, nothing elsewhere.
pub(super) fn progress(count: u64, what: &str, context: &Context) -> ProgressBar {
    if context.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{bar:40}} {{human_pos}} of {{human_len}} {what}{{msg}}");
    let style = ProgressStyle::with_template(&template);
    let bar = ProgressBar::new(count).with_style(style.expect("the template is well-formed"));
    bar.tick();
    bar
}

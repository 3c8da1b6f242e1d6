//! Which layout the puzzles of a file are for: what the user asked for, or what its comments say.
//!
//! ```text
//! # layout: windoku          or        # regions:
//!                                      # aaabbb
//!                                      # aababb      … a row a line
//! ```

use std::fmt;
use std::sync::Arc;

use crate::board::Layout;

use super::puzzle::Fault;

/// Whoever knows layouts.
pub trait Boards: fmt::Debug + Sync {
    /// The layout that all puzzles are for, if one was asked for.
    fn asked(&self) -> Option<Arc<Layout>>;
    /// The layout that a file wants, or a sentence why there is none.
    fn find(&self, wanted: &Wanted) -> Result<Arc<Layout>, String>;
}

/// What a file says of its layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// `# layout: windoku`
    Named(String),
    /// `# regions:` and a picture below it.
    Drawn(Vec<String>),
}

/// The layout of a file that begins with these lines; nothing if it is a classic one.
pub(super) fn board(
    lines: &[&[u8]],
    boards: Option<&dyn Boards>,
) -> Result<Option<Arc<Layout>>, Fault> {
    let asked = boards.and_then(|boards| boards.asked());
    if asked.is_some() {
        return Ok(asked);
    }
    let Some((line, wanted)) = wanted(lines) else { return Ok(None) };
    let found = match boards {
        Some(boards) => boards.find(&wanted),
        None => Err("only classic layouts are known here".to_string()),
    };
    found.map(Some).map_err(|message| Fault::at(line, 0, message))
}

/// What the comments of a file ask for, and on which line.
fn wanted(lines: &[&[u8]]) -> Option<(usize, Wanted)> {
    let comment = |line: &[u8]| {
        let text = std::str::from_utf8(line).ok()?.trim().strip_prefix('#')?;
        Some(text.trim().to_string())
    };
    for (number, line) in lines.iter().enumerate() {
        let Some(text) = comment(line) else { continue };
        if let Some(name) = text.strip_prefix("layout:") {
            return Some((number + 1, Wanted::Named(name.trim().to_string())));
        }
        if text == "regions:" {
            let rows = lines[number + 1..].iter().map_while(|line| comment(line)).take(25);
            return Some((number + 1, Wanted::Drawn(rows.collect())));
        }
    }
    None
}

//! What comes of a block: bytes to write, sentences to say, puzzles counted.

use std::fmt::Display;

use crate::text::{thousands, visible_line};

/// Where a puzzle comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The file, as messages call it.
    pub file: &'a str,
    /// Which puzzle of the file, from 0 (only where the job counts).
    pub index: usize,
    /// The line it begins on, from 1; 0 if the file has none.
    pub line: usize,
    /// Whether it is the only puzzle of the output.
    pub alone: bool,
}

impl Place<'_> {
    /// `file`, or `file:line` where the file has other puzzles.
    pub(crate) fn name(&self) -> String {
        if self.alone || self.line == 0 {
            self.file.to_string()
        } else {
            format!("{}:{}", self.file, self.line)
        }
    }
}

/// Puzzles counted by what became of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// All of them.
    pub puzzles: u64,
    /// Solved by the rules alone.
    pub deduced: u64,
    /// Solved with the help of a search.
    pub searched: u64,
    /// Not solved by the rules.
    pub stuck: u64,
    /// With solutions beside the one written.
    pub several: u64,
    /// Without a solution.
    pub impossible: u64,
    /// On which a rule is wrong.
    pub misled: u64,
    /// That the rules or the method are not for.
    pub refused: u64,
    /// That could not be read.
    pub unreadable: u64,
    /// On which the search gave up.
    pub given_up: u64,
    /// For which the command failed, for one of these reasons.
    pub bad: u64,
}

impl Tally {
    /// `1,204 puzzles`
    pub(super) fn count(&self) -> String {
        let word = if self.puzzles == 1 { "puzzle" } else { "puzzles" };
        format!("{} {word}", thousands(self.puzzles))
    }

    /// The sentence at the end: what there is to say first, then whatever was counted, and last
    /// what came to nothing.
    pub(crate) fn sentence(&self, first: Option<String>, counts: &[(u64, &str)]) -> String {
        let rest = [
            (self.misled, "misled by a wrong rule"),
            (self.refused, "refused"),
            (self.given_up, "given up"),
            (self.unreadable, "unreadable"),
        ];
        let counted = counts.iter().chain(&rest).filter(|(count, _)| *count > 0);
        let counted = counted.map(|(count, what)| format!("{} {what}", thousands(*count)));
        let parts: Vec<String> = first.into_iter().chain(counted).collect();
        format!("{}: {}", self.count(), parts.join(", "))
    }

    /// Adds another count.
    pub(super) fn add(&mut self, other: &Tally) {
        self.puzzles += other.puzzles;
        self.deduced += other.deduced;
        self.searched += other.searched;
        self.stuck += other.stuck;
        self.several += other.several;
        self.impossible += other.impossible;
        self.misled += other.misled;
        self.refused += other.refused;
        self.unreadable += other.unreadable;
        self.given_up += other.given_up;
        self.bad += other.bad;
    }
}

/// A 9×9 grid in digits, 0 for blanks.
pub(crate) type Nine = [u8; 81];

/// The same in signs, `.` for blanks.
#[inline]
pub(crate) fn signs(digits: &Nine) -> [u8; 81] {
    digits.map(|digit| if digit == 0 { b'.' } else { b'0' + digit })
}

/// What comes of a block.
#[derive(Debug, Default)]
pub(crate) struct Results {
    /// To be written.
    pub bytes: Vec<u8>,
    /// Whether a result is among the bytes, so that a file of them is worth keeping.
    pub useful: bool,
    /// To be said on standard error.
    pub messages: String,
    /// How many puzzles became what.
    pub tally: Tally,
    /// The input could not be read: nothing of it is kept.
    pub failure: Option<String>,
}

impl Results {
    /// Writes a 9×9 grid as a line, `.` for blanks.
    #[inline]
    pub(crate) fn put_line(&mut self, digits: &Nine) {
        let mut line = [b'\n'; 82];
        line[..81].copy_from_slice(&signs(digits));
        self.bytes.extend_from_slice(&line);
        self.useful = true;
    }

    /// Says something on standard error, in a line.
    pub(crate) fn complain(&mut self, message: &dyn Display) {
        self.messages += &visible_line(&message.to_string());
        self.messages.push('\n');
    }
}

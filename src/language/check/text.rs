//! The sources while they are checked: lines and quotations for messages.

use crate::language::diagnostic::{Source, Span};

/// The texts that spans point into.
pub struct Texts<'a>(pub &'a [Source]);

impl Texts<'_> {
    /// The text of a span, on one line, shortened if it is long.
    pub fn line_of(&self, span: Span) -> String {
        let source = self.0.get(span.source as usize).map_or("", |s| s.text.as_str());
        let text = source.get(span.start as usize..span.end as usize).unwrap_or("");
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() <= 60 {
            return line;
        }
        line.chars().take(57).chain("…".chars()).collect()
    }
    /// The line, from 1, that a span starts on.
    pub fn line(&self, span: Span) -> usize {
        let source = self.0.get(span.source as usize).map_or("", |s| s.text.as_str());
        let before = source.as_bytes().get(..span.start as usize).unwrap_or_default();
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }
}

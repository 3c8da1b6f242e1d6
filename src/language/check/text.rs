//! The sources while they are checked: lines and quotations for messages.

use std::cell::OnceCell;

use crate::language::diagnostic::{Source, Span};
use crate::language::one_line;

/// The texts that spans point into.
pub(super) struct Texts<'a> {
    sources: &'a [Source],
    /// Where the lines of each source end, once someone asks.
    ends: Vec<OnceCell<Vec<u32>>>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(sources: &'a [Source]) -> Self {
        Texts { sources, ends: sources.iter().map(|_| OnceCell::new()).collect() }
    }

    /// The text of a span, on one line, shortened if it is long.
    pub(super) fn line_of(&self, span: Span) -> String {
        let source = self.sources.get(span.source as usize).map_or("", |s| s.text.as_str());
        let text = source.get(span.start as usize..span.end as usize).unwrap_or("");
        let line = one_line(text);
        if line.chars().count() <= 60 {
            return line;
        }
        line.chars().take(57).chain("…".chars()).collect()
    }

    /// The line, from 1, that a span starts on.
    pub(super) fn line(&self, span: Span) -> usize {
        let number = span.source as usize;
        let (Some(source), Some(ends)) = (self.sources.get(number), self.ends.get(number)) else {
            return 1;
        };
        let ends = ends.get_or_init(|| {
            let bytes = source.text.bytes().enumerate();
            bytes.filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32).collect()
        });
        1 + ends.partition_point(|&end| end < span.start)
    }
}

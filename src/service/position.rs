//! Lines and columns, as editors count them.

use serde::{Deserialize, Serialize};

/// A place in a text: line and column, both from 0, the column in units of UTF-16.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Position {
    /// The line, from 0.
    pub line: u32,
    /// The column, from 0.
    pub character: u32,
}

/// Where the lines of a text begin.
pub struct Lines(Vec<usize>);

impl Lines {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> Lines {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines([0].into_iter().chain(ends.map(|(at, _)| at + 1)).collect())
    }

    /// The first byte of a line, and one past its last, without the line's end.
    fn line(&self, text: &str, line: usize) -> (usize, usize) {
        let start = self.0[line];
        let end = self.0.get(line + 1).map_or(text.len(), |next| next - 1);
        let end = if text[start..end].ends_with('\r') { end - 1 } else { end };
        (start, end)
    }

    /// The byte at a position; the end of the line or of the text if it is beyond that.
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let Ok(line) = usize::try_from(position.line) else { return text.len() };
        if line >= self.0.len() {
            return text.len();
        }
        let (start, end) = self.line(text, line);
        let mut left = position.character as usize;
        for (at, sign) in text[start..end].char_indices() {
            if left < sign.len_utf16() {
                return start + at;
            }
            left -= sign.len_utf16();
        }
        end
    }

    /// The position of a byte.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = floor(text, offset);
        let line = self.0.partition_point(|&start| start <= offset) - 1;
        let units = text[self.0[line]..offset].chars().map(char::len_utf16).sum::<usize>();
        Position { line: line as u32, character: units as u32 }
    }
}

/// The largest boundary between signs not above an offset.
pub(super) fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_utf_16() {
        let text = "a\r\né𝄞b\n";
        let lines = Lines::new(text);
        let at = |line, character| lines.offset(text, Position { line, character });
        assert_eq!([at(0, 0), at(0, 1), at(0, 9)], [0, 1, 1]);
        // Half of a sign of two units is the sign's beginning.
        assert_eq!([at(1, 0), at(1, 1), at(1, 2), at(1, 3), at(1, 4)], [3, 5, 5, 9, 10]);
        assert_eq!([at(2, 0), at(7, 0)], [11, 11]);
        for offset in (0..=text.len()).filter(|&i| text.is_char_boundary(i) && i != 2) {
            let position = lines.position(text, offset);
            assert_eq!(lines.offset(text, position), offset);
        }
    }
}

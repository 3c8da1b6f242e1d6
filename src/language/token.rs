//! The words and marks of a rule file, comments among them.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name, variable, number, cell or keyword.
    Word,
    /// A text in quotes, perhaps without its end.
    Text,
    /// Anything else.
    Mark,
    /// From `%` to the end of the line.
    Comment,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind,
    /// As written.
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
    /// Line ends between the token before and this one.
    pub newlines: usize,
}

/// Marks of more than one character, longest first.
const LONG: [&str; 6] = [":-", "..", "!=", "<=", ">=", "->"];

/// All tokens, in order.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut newlines = 0;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() || first == '\u{feff}' {
            newlines += usize::from(first == '\n');
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let line = rest.find('\n').unwrap_or(rest.len());
        let (kind, length) = if first == '%' {
            (TokenKind::Comment, rest[..line].trim_end().len())
        } else if first == '"' {
            (TokenKind::Text, rest[1..line].find('"').map_or(line, |end| end + 2))
        } else if word(first) {
            (TokenKind::Word, rest.find(|c| !word(c)).unwrap_or(rest.len()))
        } else {
            let long = LONG.iter().find(|mark| rest.starts_with(**mark));
            (TokenKind::Mark, long.map_or(first.len_utf8(), |mark| mark.len()))
        };
        let start = text.len() - rest.len();
        found.push(Token { kind, text: &rest[..length], start, newlines });
        newlines = 0;
        rest = &rest[length..];
    }
    found
}

//! Rule files in their canonical layout.
//!
//! The text is laid out anew from its tokens, so nothing but white space can change: one space
//! where one is due, a member a line, four columns more for what is inside. Like gofmt it keeps
//! the author's line breaks between conditions, and breaks lines that are longer than 100 columns.

use super::diagnostic::{Diagnostic, Source};
use super::parse;
use super::token::{Token, TokenKind, tokens};

/// The longest line.
const WIDTH: usize = 100;
/// Columns for each level of nesting.
const STEP: usize = 4;

/// The canonical layout of a rule file, or what keeps it from being read.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    parse::file(source, 0, &mut diagnostics);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    Ok(lay_out(&source.text))
}

/// The canonical layout of a text that can be read.
pub(crate) fn lay_out(text: &str) -> String {
    let tokens = tokens(text);
    let mut writer = Writer { lines: Vec::new(), group: None, after_block: false };
    writer.file(&tokens);
    let mut text = writer.lines.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    debug_assert!(same_words(&tokens, &text), "formatting keeps every word");
    text
}

/// Whether a text has the same tokens: comments in any order, the others in this one.
fn same_words(before: &[Token], text: &str) -> bool {
    let after = tokens(text);
    let split = |tokens: &[Token]| -> (Vec<String>, Vec<String>) {
        let (mut comments, words): (Vec<&Token>, Vec<&Token>) =
            tokens.iter().partition(|token| token.kind == TokenKind::Comment);
        comments.sort_by_key(|token| token.text);
        let texts = |list: Vec<&Token>| list.iter().map(|t| t.text.to_string()).collect();
        (texts(comments), texts(words))
    };
    split(before) == split(&after)
}

/// Conditions or parts of a member that stay on one line.
struct Piece {
    text: String,
    /// Whether the author began a line here.
    breaks: bool,
    /// How many `forall` it stands inside.
    level: usize,
    /// Whether it is the first after `:-`.
    body: bool,
    /// Comments after it on its line.
    comments: Vec<String>,
}

struct Writer {
    lines: Vec<String>,
    /// Where the comments right above the next item begin.
    group: Option<usize>,
    /// Whether a rule has just ended.
    after_block: bool,
}

impl Writer {
    fn file(&mut self, tokens: &[Token]) {
        let mut at = 0;
        while at < tokens.len() {
            at = match tokens[at].text {
                "rule" => self.block(tokens, at),
                "layout" if begins_block(tokens, at) => self.block(tokens, at),
                _ => self.unit(tokens, at, 0),
            };
        }
    }

    /// A comment on its own line, a clause or a member; returns where the next one begins.
    fn unit(&mut self, tokens: &[Token], at: usize, indent: usize) -> usize {
        let token = &tokens[at];
        if token.kind == TokenKind::Comment {
            let blank = self.blank(token.newlines);
            if blank || self.group.is_none() {
                self.group = Some(self.lines.len());
            }
            self.lines.push(format!("{}{}", " ".repeat(indent), token.text));
            return at + 1;
        }
        self.blank(token.newlines);
        self.group = None;
        let end = item_end(tokens, at);
        self.item(&tokens[at..end], indent);
        self.trailing(tokens, end)
    }

    /// Leaves a blank line where the author did, and after a rule.
    fn blank(&mut self, newlines: usize) -> bool {
        let opened = self.lines.last().is_none_or(|line| line.ends_with('{'));
        let wanted = !opened && (newlines > 1 || self.after_block);
        if wanted {
            self.lines.push(String::new());
        }
        self.after_block = false;
        wanted
    }

    /// A comment that stands behind something on its line.
    fn trailing(&mut self, tokens: &[Token], at: usize) -> usize {
        match (tokens.get(at), self.lines.last_mut()) {
            (Some(token), Some(line))
                if token.kind == TokenKind::Comment && token.newlines == 0 =>
            {
                line.push_str("  ");
                line.push_str(token.text);
                at + 1
            }
            _ => at,
        }
    }

    /// A rule from `rule` to `}`.
    fn block(&mut self, tokens: &[Token], at: usize) -> usize {
        let blank = self.blank(tokens[at].newlines);
        // A rule stands apart from a clause before it, together with the comments above it.
        let begins = self.group.take().filter(|_| !blank).unwrap_or(self.lines.len());
        if begins > 0 && !self.lines[begins - 1].is_empty() {
            self.lines.insert(begins, String::new());
        }
        let open = (at..tokens.len()).find(|&i| tokens[i].text == "{").unwrap_or(tokens.len());
        let header = (open + 1).min(tokens.len());
        self.item(&tokens[at..header], 0);
        let mut next = self.trailing(tokens, header);
        while next < tokens.len() && tokens[next].text != "}" {
            next = self.unit(tokens, next, STEP);
        }
        self.lines.push("}".to_string());
        self.group = None;
        self.after_block = true;
        self.trailing(tokens, (next + 1).min(tokens.len()))
    }

    /// A header, a member or a clause.
    fn item(&mut self, tokens: &[Token], indent: usize) {
        let pieces = pieces(tokens);
        let one_line = pieces.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join(" ");
        let short = indent + one_line.chars().count() <= WIDTH;
        let free = pieces.iter().all(|p| !p.breaks && p.comments.is_empty());
        if short && free {
            self.lines.push(format!("{}{one_line}", " ".repeat(indent)));
            return;
        }
        let mut line = " ".repeat(indent);
        let mut fresh = true;
        for piece in &pieces {
            let fits = line.chars().count() + 1 + piece.text.chars().count() <= WIDTH;
            if !fresh && (piece.breaks || piece.body || !fits) {
                self.lines.push(std::mem::take(&mut line));
                line = " ".repeat(indent + STEP * (1 + piece.level));
                fresh = true;
            }
            if !fresh {
                line.push(' ');
            }
            line.push_str(&piece.text);
            fresh = false;
            if !piece.comments.is_empty() {
                let deep = indent + STEP * (1 + piece.level);
                let mut comments = piece.comments.iter();
                if let Some(first) = comments.next() {
                    let gap = if piece.text.is_empty() { "" } else { "  " };
                    line.push_str(gap);
                    line.push_str(first);
                }
                self.lines.push(std::mem::take(&mut line));
                self.lines.extend(comments.map(|c| format!("{}{c}", " ".repeat(deep))));
                line = " ".repeat(deep);
                fresh = true;
            }
        }
        if !fresh {
            self.lines.push(line);
        }
    }
}

/// Whether a layout begins here, and not a helper of that name.
fn begins_block(tokens: &[Token], at: usize) -> bool {
    tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Word)
}

/// One past the full stop that ends an item.
fn item_end(tokens: &[Token], at: usize) -> usize {
    let stop = (at..tokens.len()).find(|&i| tokens[i].text == ".");
    stop.map_or(tokens.len(), |stop| stop + 1)
}

/// Cuts an item where a line may break: after `:-`, after a comma between conditions, after the
/// `(` of a `forall` or `exists`, before `for`, `trace` and `gives`.
fn pieces(tokens: &[Token]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut brackets: Vec<bool> = Vec::new();
    let mut bar_open = false;
    let mut begin = true;
    let mut body = false;
    let mut previous: Option<&Token> = None;
    for (i, token) in tokens.iter().enumerate() {
        let inside_forall = brackets.iter().all(|&forall| forall);
        if token.kind == TokenKind::Comment {
            match pieces.last_mut() {
                Some(piece) => piece.comments.push(token.text.to_string()),
                None => pieces.push(Piece {
                    text: String::new(),
                    breaks: false,
                    level: 0,
                    body: false,
                    comments: vec![token.text.to_string()],
                }),
            }
            continue;
        }
        // The rows of a picture stand below each other.
        let is_row = token.text.starts_with('"')
            && matches!(tokens[0].text, "boxes" | "regions")
            && token.newlines > 0;
        let splits =
            begin || is_row || (inside_forall && matches!(token.text, "for" | "trace" | "gives"));
        if splits {
            pieces.push(Piece {
                text: String::new(),
                breaks: token.newlines > 0 && i > 0,
                level: brackets.len(),
                body: std::mem::take(&mut body),
                comments: Vec::new(),
            });
        }
        let closes = token.text == "|" && bar_open;
        if token.text == "|" {
            bar_open = !bar_open;
        }
        let piece = pieces.last_mut().expect("an item begins with a piece");
        let opened_bar = previous.is_some_and(|p| p.text == "|") && bar_open && token.text != "|";
        if !piece.text.is_empty() && space(previous, token, closes, opened_bar) {
            piece.text.push(' ');
        }
        piece.text.push_str(token.text);
        begin = false;
        match token.text {
            "(" => {
                let forall = previous.is_some_and(|p| p.text == ":");
                // A line may break after it only where the author broke it.
                begin = forall
                    && inside_forall
                    && tokens.get(i + 1).is_some_and(|next| next.newlines > 0);
                brackets.push(forall);
            }
            "{" if previous.is_some() && i + 1 < tokens.len() => brackets.push(false),
            ")" | "}" => {
                brackets.pop();
            }
            "," if inside_forall => begin = true,
            ":-" => (begin, body) = (true, true),
            _ => {}
        }
        previous = Some(token);
    }
    pieces
}

/// Whether a space stands between two tokens.
fn space(before: Option<&Token>, token: &Token, closes_bar: bool, opened_bar: bool) -> bool {
    let Some(before) = before else { return false };
    let called = before.kind == TokenKind::Word && !is_keyword(before.text);
    match (before.text, token.text) {
        _ if closes_bar || opened_bar => false,
        ("(", _) | (_, ")" | "," | "." | ".." | "*") | (".." | "*", _) => false,
        ("{", _) => false,
        (_, "}") => false,
        (_, "(") => !called,
        _ => true,
    }
}

fn is_keyword(word: &str) -> bool {
    super::vocabulary::KEYWORDS.contains(&word)
}

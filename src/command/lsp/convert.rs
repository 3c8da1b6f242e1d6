//! The service's words in those of the protocol.

use std::collections::BTreeMap;
use std::ops::Range as Bytes;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::{
    Diagnostic, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString, Position, Range,
    SemanticToken, SemanticTokenModifier, SemanticTokenType, TextEdit, Uri,
};
use serde_json::{Value, json};

use crate::language::{self, Severity};
use crate::service::{self, Colour, Edit, Service};

/// The scheme of the bundled files: they are shown, and belong to nobody's disk.
pub(super) const BUNDLED: &str = "dokulog:/";

/// A file's name in the service: its path, or the address if it is on no disk.
pub(super) fn name(uri: &Uri) -> String {
    let text = uri.as_str();
    if let Some(bundled) = text.strip_prefix(BUNDLED) {
        return bundled.trim_start_matches('/').to_string();
    }
    match path(uri) {
        Some(path) => path.to_string_lossy().into_owned(),
        None => text.to_string(),
    }
}

/// The path of an address on this disk.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let rest = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut left = rest.as_bytes();
    while let Some((&byte, after)) = left.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.filter(|_| byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(value) => {
                bytes.push(value);
                left = &after[2..];
            }
            None => {
                bytes.push(byte);
                left = after;
            }
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    let drive = text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if drive { &text[1..] } else { &text }))
}

/// The address of a path.
pub(super) fn address(path: &Path) -> Option<Uri> {
    let text = path.to_string_lossy().replace('\\', "/");
    let lead = if text.starts_with('/') { "" } else { "/" };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-._~".contains(&b);
    let encoded: String = text
        .bytes()
        .map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect();
    Uri::from_str(&format!("file://{lead}{encoded}")).ok()
}

/// Answers in the protocol's words; knows how the editor calls its files.
pub(super) struct Converter<'a> {
    pub service: &'a Service,
    pub addresses: &'a BTreeMap<String, Uri>,
}

impl Converter<'_> {
    /// The address of a file.
    pub(super) fn uri(&self, name: &str) -> Option<Uri> {
        self.addresses.get(name).cloned().or_else(|| match Path::new(name).is_absolute() {
            true => address(Path::new(name)),
            false => Uri::from_str(&format!("{BUNDLED}{name}")).ok(),
        })
    }

    pub(super) fn position(&self, file: &str, offset: usize) -> Position {
        let service::Position { line, character } = self.service.position(file, offset);
        Position { line, character }
    }

    pub(super) fn range(&self, file: &str, bytes: &Bytes<usize>) -> Range {
        Range::new(self.position(file, bytes.start), self.position(file, bytes.end))
    }

    pub(super) fn bytes(&self, file: &str, range: &Range) -> Bytes<usize> {
        let start = self.service.offset(file, own(range.start));
        start..self.service.offset(file, own(range.end)).max(start)
    }

    pub(super) fn location(&self, file: &str, bytes: Bytes<usize>) -> Option<Location> {
        Some(Location { uri: self.uri(file)?, range: self.range(file, &bytes) })
    }

    pub(super) fn text_edit(&self, edit: &Edit) -> TextEdit {
        TextEdit { range: self.range(&edit.file, &edit.range), new_text: edit.text.clone() }
    }

    /// Edits of several files, in order of name.
    pub(super) fn workspace_edit(&self, edits: &[Edit]) -> Value {
        let mut changes: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
        for edit in edits {
            if let Some(uri) = self.uri(&edit.file) {
                let of_file = changes.entry(uri.as_str().to_string()).or_default();
                of_file.push(self.text_edit(edit));
            }
        }
        json!({ "changes": changes })
    }

    pub(super) fn diagnostic(&self, file: &str, found: &language::Diagnostic) -> Diagnostic {
        let bytes = found.span.start as usize..found.span.end as usize;
        let mut message = found.message.clone();
        for more in [Some(&found.label), found.help.as_ref()].into_iter().flatten() {
            if !more.is_empty() {
                message += &format!("\n{more}");
            }
        }
        let unused = matches!(found.code, "W100" | "W120");
        Diagnostic {
            range: self.range(file, &bytes),
            severity: Some(match found.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
            }),
            code: Some(NumberOrString::String(found.code.to_string())),
            source: Some("dokulog".to_string()),
            message,
            tags: unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
            ..Diagnostic::default()
        }
    }

    /// Semantic tokens, each told by its distance from the one before.
    pub(super) fn tokens(&self, file: &str, within: Option<Bytes<usize>>) -> Vec<SemanticToken> {
        let text = self.service.text(file).unwrap_or("");
        let mut tokens = Vec::new();
        let mut last = Position::default();
        for found in self.service.colours(file) {
            let word = &text[found.range.clone()];
            let outside = |w: &Bytes<usize>| found.range.end < w.start || w.end < found.range.start;
            let Some(token_type) = token_type(found.colour, word) else { continue };
            if within.as_ref().is_some_and(outside) {
                continue;
            }
            let at = self.position(file, found.range.start);
            let delta_line = at.line - last.line;
            let from = if delta_line == 0 { last.character } else { 0 };
            tokens.push(SemanticToken {
                delta_line,
                delta_start: at.character - from,
                length: word.encode_utf16().count() as u32,
                token_type,
                token_modifiers_bitset: u32::from(found.defines) | u32::from(found.bundled) << 1,
            });
            last = at;
        }
        tokens
    }
}

/// A place of the protocol as the service counts it.
pub(super) fn own(position: Position) -> service::Position {
    service::Position { line: position.line, character: position.character }
}

/// What words are, in the order of [`token_type`].
pub(super) const TYPES: [SemanticTokenType; 12] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::CLASS,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::MACRO,
    SemanticTokenType::METHOD,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::NUMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::COMMENT,
    SemanticTokenType::OPERATOR,
];

/// What is said of words besides: defined here, built in or bundled.
pub(super) const MODIFIERS: [SemanticTokenModifier; 2] =
    [SemanticTokenModifier::DECLARATION, SemanticTokenModifier::DEFAULT_LIBRARY];

fn token_type(colour: Colour, word: &str) -> Option<u32> {
    Some(match colour {
        Colour::Keyword => 0,
        Colour::Rule => 1,
        Colour::Helper => 2,
        Colour::Conclusion => 3,
        Colour::Function => 4,
        Colour::Set | Colour::Label => 5,
        Colour::Variable => 6,
        Colour::Parameter => 7,
        Colour::Number | Colour::Cell => 8,
        Colour::Text => 9,
        Colour::Comment => 10,
        Colour::Mark if matches!(word, "(" | ")" | "{" | "}" | "," | ".") => return None,
        Colour::Mark => 11,
    })
}

//! Rule files while they are being written: what an editor asks, as pure functions of the text.
//!
//! A [`Service`] has the texts of a folder, the bundled rules beside them, and answers about a
//! place in a text. It works on words and marks ([`outline`]), so it answers while the text cannot
//! be read; what the checker knows (kinds, mistakes) comes from [`Folder`], which reads a file only
//! when it changes. No files, no threads, no clock: the server `dokulog lsp` and the page in the
//! browser both stand on it.
//!
//! ```text
//! position  lines and columns           complete   what could stand here
//! grammar   words, and their entries    hover      what stands here
//! outline   words, rules, clauses       navigate   where it is said, used, renamed
//! sense     what a word refers to       remedy     mistakes as edits
//! colour    tokens by meaning           layout     format, fold, list
//! offer     built-in words to complete
//! ```

mod colour;
mod complete;
mod grammar;
mod hover;
mod layout;
mod navigate;
mod offer;
mod outline;
mod position;
mod remedy;
mod sense;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::language::{Checked, Diagnostic, Folder, Origin, Source, bundled};
use crate::meaning::layout_mistakes;
use crate::proof::Verdict;

pub use colour::Colour;
pub use grammar::keywords;
pub use layout::{Fold, Symbol};
pub use navigate::Place;
pub use offer::{Offer, OfferKind};
pub use position::{Lines, Position};
pub use remedy::Remedy;

use outline::Outline;

/// A change of one text: the bytes to replace, and by what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The file.
    pub file: String,
    /// The bytes.
    pub range: Range<usize>,
    /// What stands there afterwards.
    pub text: String,
}

/// A folder of rule files, the bundled ones beside them.
pub struct Service {
    /// The bundled files, then the folder's by name.
    folder: Folder,
    bundled: usize,
    outlines: Vec<OnceCell<Outline>>,
    checked: OnceCell<Checked>,
    /// The helpers of the folder.
    own: OnceCell<BTreeSet<String>>,
    /// Verdicts by what a rule says, as they are found.
    verdicts: BTreeMap<String, Verdict>,
}

impl Default for Service {
    fn default() -> Service {
        Service::new(Vec::new())
    }
}

impl Service {
    /// A folder with these files, names and texts, beside everything bundled.
    pub fn new(files: Vec<(String, String)>) -> Service {
        Service::beside(bundled::sources(), files)
    }

    /// A folder with these files beside some of the bundled ones.
    pub fn beside(mut sources: Vec<(Origin, Source)>, files: Vec<(String, String)>) -> Service {
        let bundled = sources.len();
        let files: BTreeMap<String, String> = files.into_iter().collect();
        sources.extend(files.into_iter().map(|(name, text)| (Origin::User, Source { name, text })));
        let folder = Folder::new(sources);
        let outlines = folder.sources().iter().map(|_| OnceCell::new()).collect();
        Service {
            folder,
            bundled,
            outlines,
            checked: OnceCell::new(),
            own: OnceCell::new(),
            verdicts: BTreeMap::new(),
        }
    }

    /// The names of the folder's files, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.folder.sources()[self.bundled..].iter().map(|source| source.name.as_str())
    }

    /// The text of a file, a bundled one too.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.number(name).map(|number| self.text_of(number))
    }

    /// Adds a file, or gives it another text.
    pub fn put(&mut self, name: &str, text: String) {
        match self.number(name).filter(|&number| number >= self.bundled) {
            Some(number) => {
                if self.folder.sources()[number].text == text {
                    return;
                }
                self.folder.put(number, text);
                self.outlines[number] = OnceCell::new();
                self.checked = OnceCell::new();
                self.own = OnceCell::new();
            }
            None => {
                let mut files = self.files();
                files.push((name.to_string(), text));
                self.restart(files);
            }
        }
    }

    /// Forgets a file.
    pub fn remove(&mut self, name: &str) {
        let mut files = self.files();
        let before = files.len();
        files.retain(|(file, _)| file != name);
        if files.len() < before {
            self.restart(files);
        }
    }

    /// Replaces a part of a file, or all of it.
    pub fn edit(&mut self, name: &str, range: Option<(Position, Position)>, text: &str) {
        let Some(number) = self.number(name).filter(|&number| number >= self.bundled) else {
            return self.put(name, text.to_string());
        };
        let Some((start, end)) = range else { return self.put(name, text.to_string()) };
        let lines = &self.outline(number).lines;
        let old = self.text_of(number);
        let start = lines.offset(old, start);
        let end = lines.offset(old, end).max(start);
        let new = [&old[..start], text, &old[end..]].concat();
        self.put(name, new);
    }

    /// All mistakes of a file, in the order of the text.
    pub fn diagnostics(&self, name: &str) -> &[Diagnostic] {
        let Some(number) = self.number(name) else { return &[] };
        let all = &self.checked().diagnostics;
        let before = |number: usize| {
            all.partition_point(|mistake| usize::from(mistake.span.source) < number)
        };
        &all[before(number)..before(number + 1)]
    }

    /// What the checker says of the folder and the bundled rules.
    pub fn checked(&self) -> &Checked {
        self.checked.get_or_init(|| {
            let mut checked = self.folder.check();
            let sources = self.folder.sources();
            let is_own = |number: &usize| self.folder.origin(*number) == Origin::User;
            let from = (0..sources.len()).find(is_own).unwrap_or(sources.len());
            checked.diagnostics.extend(layout_mistakes(sources, from));
            checked.diagnostics.sort_by_key(|d| (d.span, d.severity, d.code));
            checked
        })
    }

    /// The bundled files and those of the folder.
    pub fn sources(&self) -> Vec<(Origin, Source)> {
        let sources = self.folder.sources().iter().enumerate();
        sources.map(|(number, source)| (self.folder.origin(number), source.clone())).collect()
    }

    /// Notes what a proof found, for whoever looks at the rule next.
    pub fn learn(&mut self, key: String, verdict: Verdict) {
        self.verdicts.insert(key, verdict);
    }

    /// The byte of a file at a position.
    pub fn offset(&self, name: &str, position: Position) -> usize {
        self.number(name)
            .map_or(0, |number| self.outline(number).lines.offset(self.text_of(number), position))
    }

    /// The position of a byte of a file.
    pub fn position(&self, name: &str, offset: usize) -> Position {
        self.number(name).map_or(Position::default(), |number| {
            self.outline(number).lines.position(self.text_of(number), offset)
        })
    }

    fn files(&self) -> Vec<(String, String)> {
        let sources = self.folder.sources()[self.bundled..].iter();
        sources.map(|source| (source.name.clone(), source.text.clone())).collect()
    }

    pub(crate) fn restart(&mut self, files: Vec<(String, String)>) {
        let verdicts = std::mem::take(&mut self.verdicts);
        let mut bundled = self.sources();
        bundled.truncate(self.bundled);
        *self = Service { verdicts, ..Service::beside(bundled, files) };
    }

    /// The number of a file: the folder's own first.
    fn number(&self, name: &str) -> Option<usize> {
        self.folder.sources().iter().rposition(|source| source.name == name)
    }

    fn text_of(&self, number: usize) -> &str {
        &self.folder.sources()[number].text
    }

    fn name_of(&self, number: usize) -> &str {
        &self.folder.sources()[number].name
    }

    fn outline(&self, number: usize) -> &Outline {
        self.outlines[number].get_or_init(|| Outline::new(self.text_of(number)))
    }

    /// The text of a lexeme.
    fn word(&self, number: usize, lexeme: usize) -> &str {
        let lexeme = &self.outline(number).lexemes[lexeme];
        &self.text_of(number)[lexeme.start..lexeme.end]
    }

    fn is_bundled(&self, number: usize) -> bool {
        number < self.bundled
    }
}

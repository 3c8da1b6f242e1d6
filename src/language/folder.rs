//! Rule files that are checked together again and again, while one of them changes.

use super::ast;
use super::bundled;
use super::check::{Checked, checked};
use super::diagnostic::{Diagnostic, Source};
use super::parse;
use super::rule::Origin;
use super::stored;

/// Rule files, each read once for every text it has.
pub struct Folder {
    files: Vec<(Origin, ast::File)>,
    sources: Vec<Source>,
    /// What could not be read, file by file.
    mistakes: Vec<Vec<Diagnostic>>,
}

impl Folder {
    /// Reads files, at most 65,535.
    pub fn new(sources: Vec<(Origin, Source)>) -> Folder {
        let mut folder = Folder { files: Vec::new(), sources: Vec::new(), mistakes: Vec::new() };
        for (origin, source) in sources.into_iter().take(usize::from(u16::MAX)) {
            let (file, mistakes) = read(&source, folder.files.len());
            folder.files.push((origin, file));
            folder.sources.push(source);
            folder.mistakes.push(mistakes);
        }
        folder
    }

    /// Gives the file with this number another text.
    pub fn put(&mut self, number: usize, text: String) {
        let old = std::mem::replace(&mut self.sources[number].text, text);
        let (source, file) = (&self.sources[number], &mut self.files[number].1);
        self.mistakes[number] =
            parse::again(file, &old, source, number as u16).unwrap_or_else(|| {
                let (whole, mistakes) = read(source, number);
                *file = whole;
                mistakes
            });
    }

    /// The files, as numbered in spans.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Whether all of a file can be read.
    pub fn is_read(&self, number: usize) -> bool {
        self.mistakes[number].is_empty()
    }

    /// Where a file comes from.
    pub fn origin(&self, number: usize) -> Origin {
        self.files[number].0
    }

    /// Checks all of them together, as [`load`](super::load) does.
    pub fn check(&self) -> Checked {
        checked(&self.files, &self.sources, self.mistakes.concat())
    }
}

/// Reads a file; one that comes with the program was parsed when that was built.
pub(super) fn read(source: &Source, number: usize) -> (ast::File, Vec<Diagnostic>) {
    if let Some(parsed) = bundled::parsed(source) {
        return (stored::restore(parsed, number as u16), Vec::new());
    }
    let mut mistakes = Vec::new();
    let file = parse::file(source, number as u16, &mut mistakes);
    (file, mistakes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const WRITTEN: [&str; 22] = [
        "",
        "",
        " ",
        "\n",
        ".",
        "..",
        ",",
        "{",
        "}",
        "(",
        ")",
        "\"",
        ":-",
        "x",
        "𝄞",
        "% é\n",
        "rule ",
        "rule more \"More\" {\n",
        "layout x {\n",
        "level 5.\n",
        "odd(D, A, B) in trace even(D, A, C)",
        "helper(A, B) :- sees(A, B).\n",
    ];

    /// What the build script has parsed is what the text says.
    #[test]
    fn what_is_stored_is_what_is_parsed() {
        let rules = bundled::sources().into_iter().map(|(_, source)| source);
        for source in rules.chain(bundled::layouts()) {
            let parsed = parse::file(&source, 7, &mut Vec::new());
            let stored = stored::restore(bundled::parsed(&source).expect("no mistakes"), 7);
            assert_eq!(format!("{stored:?}"), format!("{parsed:?}"), "{}", source.name);
            let other = Source { text: format!("{} ", source.text), ..source };
            assert!(bundled::parsed(&other).is_none(), "another text is another file");
        }
    }

    /// What an edit leaves is what a file is that was never edited.
    #[test]
    fn reading_around_an_edit_is_reading_the_file() {
        let sources = bundled::sources().into_iter();
        let text: String = sources
            .filter(|(_, source)| {
                ["colouring", "chains", "helpers"].iter().any(|n| source.name.contains(n))
            })
            .map(|(_, source)| source.text)
            .chain(["layout own {\n    extends classic(9).\n}\n".to_string()])
            .collect();
        let of = |text: &str| (Origin::User, Source { name: "a".into(), text: text.into() });
        let mut folder = Folder::new(vec![of(&text)]);
        let mut random = Random::new(18);
        for step in 0..1200 {
            let mut edited = folder.sources[0].text.clone();
            if step % 25 == 0 {
                edited = text.clone();
            }
            let boundary = |mut at: usize| {
                at = at.min(edited.len());
                while !edited.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let start = boundary(random.below(edited.len() + 1));
            let end = boundary(start + [0, 0, 1, 1, 2, 7, 40, 300][random.below(8)]).max(start);
            edited.replace_range(start..end, WRITTEN[random.below(WRITTEN.len())]);
            folder.put(0, edited.clone());
            let fresh = Folder::new(vec![of(&edited)]);
            assert_eq!(folder.mistakes, fresh.mistakes, "step {step}: {edited}");
            let (found, wanted) = (&folder.files[0].1, &fresh.files[0].1);
            assert!(format!("{found:?}") == format!("{wanted:?}"), "step {step}: {edited}");
        }
    }
}

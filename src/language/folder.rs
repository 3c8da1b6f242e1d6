//! Rule files that are checked together again and again, while one of them changes.

use super::ast;
use super::check::{Checked, checked};
use super::diagnostic::{Diagnostic, Source};
use super::parse;
use super::rule::Origin;

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
        self.sources[number].text = text;
        let (file, mistakes) = read(&self.sources[number], number);
        self.files[number].1 = file;
        self.mistakes[number] = mistakes;
    }

    /// The files, as numbered in spans.
    pub fn sources(&self) -> &[Source] {
        &self.sources
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

fn read(source: &Source, number: usize) -> (ast::File, Vec<Diagnostic>) {
    let mut mistakes = Vec::new();
    let file = parse::file(source, number as u16, &mut mistakes);
    (file, mistakes)
}

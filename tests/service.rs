//! What an editor is told, as text in, text out: `tests/service`.
//!
//! A page has files (`== file NAME`, the cursor at `▮`) and questions (`== hover`) with what is
//! answered below them. `DOKULOG_BLESS=1 cargo test --test texts service::` writes the answers anew; read
//! the difference.

use std::fs;
use std::ops::Range;
use std::path::Path;

use dokulog::language::render;
use dokulog::service::{Edit, Place, Service};

const CURSOR: char = '▮';

/// A page: the words of a heading, and what stands below it.
fn sections(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in page.lines() {
        match (line.strip_prefix("== "), found.last_mut()) {
            (Some(heading), _) => found.push((heading.to_string(), String::new())),
            (None, Some((_, below))) => *below += &format!("{line}\n"),
            (None, None) => panic!("a page begins with a heading: {line}"),
        }
    }
    found
}

struct Asked {
    service: Service,
    file: String,
    offset: usize,
}

impl Asked {
    fn new(sections: &[(String, String)]) -> Asked {
        let mut asked = Asked { service: Service::default(), file: String::new(), offset: 0 };
        for (heading, text) in sections {
            let Some(name) = heading.strip_prefix("file ") else { continue };
            if asked.file.is_empty() {
                asked.file = name.to_string();
            }
            if let Some(offset) = text.find(CURSOR) {
                asked.file = name.to_string();
                asked.offset = offset;
            }
            asked.service.put(name, text.replace(CURSOR, ""));
        }
        asked
    }

    fn at(&self, file: &str, offset: usize) -> String {
        let position = self.service.position(file, offset);
        format!("{file}:{}:{}", position.line + 1, position.character + 1)
    }

    fn quoted(&self, file: &str, range: Range<usize>) -> String {
        let text = &self.service.text(file).expect("a known file")[range.clone()];
        format!("{} {text}", self.at(file, range.start))
    }

    fn places(&self, places: Vec<Place>) -> String {
        let line =
            |place: &Place| format!("{}\n", self.quoted(&place.file, place.start..place.end));
        places.iter().map(line).collect()
    }

    /// The texts after some edits.
    fn edited(&self, edits: &[Edit]) -> String {
        let mut files: Vec<&str> = edits.iter().map(|edit| edit.file.as_str()).collect();
        files.dedup();
        let mut out = String::new();
        for file in files {
            let mut text = self.service.text(file).expect("a known file").to_string();
            let mut mine: Vec<&Edit> = edits.iter().filter(|edit| edit.file == file).collect();
            mine.sort_by_key(|edit| edit.range.start);
            for edit in mine.iter().rev() {
                text.replace_range(edit.range.clone(), &edit.text);
            }
            out += &format!("--- {file}\n{text}");
        }
        out
    }

    fn answer(&self, question: &str) -> String {
        let (service, file, offset) = (&self.service, self.file.as_str(), self.offset);
        let (word, rest) = question.split_once(' ').unwrap_or((question, ""));
        match word {
            "diagnostics" => {
                let texts: Vec<_> = service.sources().into_iter().map(|(_, s)| s).collect();
                let all = service.names().flat_map(|name| service.diagnostics(name));
                all.map(|mistake| render::text(mistake, &texts, false)).collect()
            }
            "remedies" => {
                let all = 0..service.text(file).expect("a known file").len();
                let found = service.remedies(file, all);
                let line = |r: &dokulog::service::Remedy| {
                    format!("{}\n{}", r.title, self.edited(&r.edits))
                };
                found.iter().map(line).collect()
            }
            "colours" => {
                let mut out = String::new();
                for found in service.colours(file) {
                    let mut colour = format!("{:?}", found.colour).to_lowercase();
                    colour += if found.defines { " defined" } else { "" };
                    colour += if found.bundled { " bundled" } else { "" };
                    out += &format!("{colour}: {}\n", self.quoted(file, found.range));
                }
                out
            }
            "complete" => {
                let (range, offers) = service.complete(file, offset);
                let mut out = format!("{}\n", self.quoted(file, range));
                for offer in offers {
                    let kind = format!("{:?}", offer.kind).to_lowercase();
                    out +=
                        &format!("{kind} {} | {} | {:?}\n", offer.label, offer.usage, offer.insert);
                    if rest == "whole" {
                        out += &format!("{}\n", offer.meaning);
                    }
                }
                out
            }
            "hover" => match service.hover(file, offset) {
                Some((range, told)) => {
                    format!("{}\n{}\n", self.quoted(file, range), told.trim_end())
                }
                None => "nothing\n".to_string(),
            },
            "signature" => match service.signature(file, offset) {
                Some(found) => {
                    let active = found.arguments.get(found.active).cloned();
                    let active = active.map_or("", |range| &found.label[range]);
                    format!("{} at {active}\n{}\n", found.label, found.meaning)
                }
                None => "nothing\n".to_string(),
            },
            "definitions" => self.places(service.definitions(file, offset)),
            "references" => self.places(service.references(file, offset, rest == "all")),
            "highlights" => {
                let ranges = service.highlights(file, offset);
                ranges.into_iter().map(|range| format!("{}\n", self.quoted(file, range))).collect()
            }
            "rename" => match service.rename(file, offset, rest) {
                Ok(edits) => self.edited(&edits),
                Err(why) => format!("{why}\n"),
            },
            "symbols" => service
                .symbols(file)
                .iter()
                .map(|s| format!("{} | {} | {}\n", self.at(file, s.range.start), s.name, s.detail))
                .collect(),
            "find" => service
                .find_symbols(rest)
                .iter()
                .map(|(file, s)| {
                    format!("{} | {} | {}\n", self.at(file, s.range.start), s.name, s.detail)
                })
                .collect(),
            "folds" => {
                let what = |comment: bool| if comment { " comment" } else { "" };
                let folds = service.folds(file);
                let line = |f: &dokulog::service::Fold| {
                    format!("{}-{}{}\n", f.first + 1, f.last + 1, what(f.comment))
                };
                folds.iter().map(line).collect()
            }
            "hints" => {
                let mut text = service.text(file).expect("a known file").to_string();
                for hint in service.hints(file, 0..text.len()).iter().rev() {
                    text.insert_str(hint.at, &format!("‹{}›", hint.kind));
                }
                text
            }
            "format" => {
                let range = (rest == "here").then_some(offset..offset);
                let edits = service.format(file, range);
                if edits.is_empty() { "nothing\n".to_string() } else { self.edited(&edits) }
            }
            _ => panic!("there is no question {question}"),
        }
    }
}

#[test]
fn every_question_has_its_answer() {
    let bless = std::env::var_os("DOKULOG_BLESS").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/service");
    let entries = fs::read_dir(&folder).expect("a readable folder");
    let mut pages: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    pages.sort();
    assert!(pages.len() >= 20, "only {} pages", pages.len());
    let mut wrong = Vec::new();
    for path in pages {
        let page = fs::read_to_string(&path).expect("a readable page");
        let sections = sections(&page);
        let asked = Asked::new(&sections);
        let mut found = String::new();
        for (heading, text) in &sections {
            let is_given = heading.starts_with("file ") || heading.starts_with("about ");
            let below = if is_given { text.clone() } else { asked.answer(heading) };
            found += &format!("== {heading}\n{below}");
        }
        if bless {
            fs::write(&path, &found).expect("a writable page");
        } else if page != found {
            wrong.push(format!("{} is now:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every remedy takes a mistake away, and brings none that is worse.
#[test]
fn remedies_mend() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let entries = fs::read_dir(&folder).expect("a readable folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rules"));
    paths.sort();
    let mut mended = 0;
    for path in paths {
        let text = fs::read_to_string(&path).expect("a readable file");
        let service = Service::new(vec![("x.rules".to_string(), text.clone())]);
        let before = service.diagnostics("x.rules");
        for remedy in service.remedies("x.rules", 0..text.len()) {
            let mistake = &before[remedy.mistake];
            let mut after = text.clone();
            let mut edits = remedy.edits;
            edits.sort_by_key(|edit| edit.range.start);
            for edit in edits.iter().rev() {
                after.replace_range(edit.range.clone(), &edit.text);
            }
            let service = Service::new(vec![("x.rules".to_string(), after.clone())]);
            let left = service.diagnostics("x.rules");
            let still = left.iter().any(|d| d.code == mistake.code && d.message == mistake.message);
            assert!(!still, "{}: {}\n{after}\n{left:#?}", path.display(), remedy.title);
            mended += 1;
        }
    }
    assert!(mended >= 20, "only {mended} remedies");
}

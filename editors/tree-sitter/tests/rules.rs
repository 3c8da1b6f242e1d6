//! Every bundled rule is read, what is broken is not, and the colours name what there is.

use std::fs;
use std::path::{Path, PathBuf};

use tree_sitter::{Language, Parser, Query, Tree};

fn language() -> Language {
    Language::new(tree_sitter_dokulog::LANGUAGE)
}

fn read(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&language()).expect("a version that the library knows");
    parser.parse(text, None).expect("a tree")
}

/// The files below a folder whose names end so.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found
}

/// Where the first error is, counted from one.
fn first_error(tree: &Tree) -> Option<(usize, usize)> {
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if node.is_error() || node.is_missing() {
            let at = node.start_position();
            return Some((at.row + 1, at.column + 1));
        }
        open.extend((0..node.child_count()).rev().filter_map(|i| node.child(i as u32)));
    }
    None
}

#[test]
fn bundled_rules_and_layouts_are_read() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rules = files(&project.join("rules"), ".rules");
    assert!(rules.len() > 10, "{} files", rules.len());
    let layouts = files(&project.join("layouts"), ".rules");
    assert!(!layouts.is_empty());
    for path in rules.into_iter().chain(layouts) {
        let text = fs::read_to_string(&path).expect("a file");
        assert_eq!(first_error(&read(&text)), None, "{}", path.display());
    }
}

#[test]
fn what_is_broken_is_not_read() {
    for text in [
        "rule x \"X\" { level 5. eliminate(C, :- live(C, D). }",
        "rule x { level 5 }",
        "pair(A, B) : sees(A, B).",
        "rule 9 { }",
    ] {
        assert!(first_error(&read(text)).is_some(), "{text}");
    }
}

#[test]
fn colours_name_what_there_is() {
    let query = Query::new(&language(), tree_sitter_dokulog::HIGHLIGHTS).expect("a query");
    assert!(query.pattern_count() > 10);
}

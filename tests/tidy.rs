//! Promises of ARCHITECTURE.md that the compiler does not keep.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The chain of modules: each uses only those before it.
const CHAIN: [&str; 14] = [
    "random",
    "board",
    "text",
    "language",
    "meaning",
    "trace",
    "engine",
    "search",
    "generate",
    "proof",
    "service",
    "interface",
    "studio",
    "command",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder with this extension, sorted.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The source without comments and without its test modules.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a readable source file");
    let tests = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let lines = text[..tests].lines().map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// Which module of the chain a file of `src` belongs to.
fn module(path: &Path) -> Option<String> {
    let below = path.strip_prefix(root().join("src")).expect("a file of src");
    let first = below.components().next()?.as_os_str().to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    CHAIN.contains(&name).then(|| name.to_string())
}

fn is_test(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "tests.rs")
}

/// The library's own code, with the module it belongs to.
fn sources() -> Vec<(PathBuf, String, String)> {
    let sources = files("src", "rs").into_iter().filter(|path| !is_test(path));
    sources.filter_map(|path| Some((path.clone(), module(&path)?, code(&path)))).collect()
}

#[test]
fn modules_depend_downward() {
    for (path, module, code) in sources() {
        let rank = |name: &str| CHAIN.iter().position(|&m| m == name);
        for after in code.split("crate::").skip(1) {
            let used = after.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            let used = used.unwrap_or("");
            assert!(
                rank(used) <= rank(&module),
                "{}: {module} uses {used}, which comes after it",
                path.display()
            );
        }
    }
}

#[test]
fn only_commands_read_and_write() {
    for (path, module, code) in sources() {
        if module == "command" {
            continue;
        }
        for word in
            ["std::fs", "std::io", "println!", "eprint", "std::env", "Instant", "SystemTime"]
        {
            assert!(!code.contains(word), "{}: {word} outside of command", path.display());
        }
    }
}

#[test]
fn unsafe_is_for_vector_instructions_and_system_calls() {
    let with: BTreeSet<PathBuf> = sources()
        .into_iter()
        .filter(|(_, _, code)| {
            let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.clone().any(|word| word == "unsafe")
        })
        .map(|(path, _, _)| path.strip_prefix(root()).expect("below the root").to_path_buf())
        .collect();
    let places = ["src/board/simd/x86", "src/command/signals.rs"];
    let is_allowed = |path: &PathBuf| places.iter().any(|place| path.starts_with(place));
    assert!(!with.is_empty() && with.iter().all(is_allowed), "{with:?}");
}

#[test]
fn nothing_is_unwrapped_or_left_for_later() {
    for (path, _, code) in sources() {
        for word in [".unwrap()", "todo!", "unimplemented!", "dbg!", "allow(dead_code)"] {
            assert!(!code.contains(word), "{}: {word}", path.display());
        }
    }
}

/// A function that does not fit on a page does more than one thing.
const PAGE: usize = 80;

#[test]
fn functions_fit_on_a_page() {
    for path in files("src", "rs") {
        let text = fs::read_to_string(&path).expect("a readable source file");
        let lines: Vec<&str> = text.lines().collect();
        for (start, line) in lines.iter().enumerate() {
            let said = line.trim_start();
            let words: Vec<&str> = said.split_whitespace().collect();
            let before = words.iter().take_while(|word| **word != "fn").count();
            let is_function = before < words.len().min(4)
                && words[..before].iter().all(|word| {
                    word.starts_with("pub") || ["const", "unsafe", "in", "async"].contains(word)
                });
            if !is_function {
                continue;
            }
            let end = format!("{}}}", &line[..line.len() - said.len()]);
            let body = lines[start..].iter().take_while(|line| **line != end);
            // What only a trait says has no body.
            let has_body = lines[start..].iter().find(|l| l.ends_with(['{', ';', '}']));
            let length = body.count() + 1;
            assert!(
                length <= PAGE || !has_body.is_some_and(|l| l.ends_with('{')),
                "{}:{}: {length} lines",
                path.display(),
                start + 1
            );
        }
    }
}

#[test]
fn one_file_knows_petgraph() {
    let knows = |(_, _, code): &(PathBuf, String, String)| code.contains("petgraph");
    let files: Vec<PathBuf> = sources().into_iter().filter(knows).map(|(path, ..)| path).collect();
    assert_eq!(files, [root().join("src/board/graph.rs")]);
}

fn rule_names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in files("rules", "rules") {
        let text = fs::read_to_string(&path).expect("a readable rule file");
        let blocks = text.lines().filter_map(|line| line.strip_prefix("rule "));
        names.extend(blocks.filter_map(|rest| {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_string)
        }));
    }
    names
}

#[test]
fn every_rule_has_its_page() {
    for name in rule_names() {
        let page = root().join("tests/rules").join(format!("{name}.md"));
        assert!(page.is_file(), "no page for rule {name}");
    }
}

/// The engine knows shapes, never names.
#[test]
fn no_technique_is_written_in_rust() {
    for (path, module, code) in sources() {
        if !["board", "trace", "engine", "search", "proof"].contains(&module.as_str()) {
            continue;
        }
        for name in rule_names() {
            let quoted = format!("\"{name}");
            assert!(!code.contains(&quoted), "{}: names {name}", path.display());
        }
    }
}

/// What a function of the language means is said in `meaning`, and a second time by the join, on
/// purpose; `shape` only knows it when it sees it, and `proof/general` which cells it looks at.
#[test]
fn one_file_says_what_functions_mean() {
    for (path, module, code) in sources() {
        let may_know = module == "language"
            || ["join", "shape"]
                .iter()
                .any(|f| path.starts_with(root().join("src/engine").join(f)))
            || path.starts_with(root().join("src/proof/general"));
        if may_know || path == root().join("src/meaning/term.rs") {
            continue;
        }
        for function in ["CommonPeers", "Touching", "Missing", "Peers", "Cells"] {
            let word = format!("Function::{function}");
            assert!(!code.contains(&word), "{}: {word}", path.display());
        }
    }
}

/// Whoever runs, tells or proves rules reads terms and conditions through the one `Reading`.
#[test]
fn one_module_evaluates() {
    for (path, module, code) in sources() {
        let evaluates = |line: &str| line.starts_with("impl") && line.contains(" Reading<");
        let is_evaluator = code.lines().any(evaluates);
        assert!(!is_evaluator || module == "meaning", "{}: evaluates", path.display());
    }
}

/// Proving is for `proof` and those who ask it: what comes before shows, finds or tells.
#[test]
fn only_proof_proves() {
    let before = CHAIN.iter().take_while(|module| **module != "proof");
    let before: Vec<&str> = before.copied().collect();
    for (path, module, code) in sources() {
        let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        let proves = words.any(|word| word.to_lowercase().starts_with("prove"));
        assert!(!proves || !before.contains(&module.as_str()), "{}: proves", path.display());
    }
}

/// A folder's own file is in it.
#[test]
fn a_folder_opens_with_mod() {
    for path in files("src", "rs") {
        assert!(!path.with_extension("").is_dir(), "{} and a folder beside it", path.display());
    }
}

/// One noun, one type; `interface` shows some of them to others under the same names.
#[test]
fn one_noun_one_type() {
    for noun in ["Plan", "Step", "State", "Worker", "Rule", "Grid", "Trace"] {
        let defines = |code: &str| {
            let words: Vec<&str> = code.split_whitespace().collect();
            let is_noun = |word: &str| {
                word.split(|c: char| !c.is_alphanumeric() && c != '_').next() == Some(noun)
            };
            words
                .windows(2)
                .any(|two| ["struct", "enum", "trait"].contains(&two[0]) && is_noun(two[1]))
        };
        let own = sources().into_iter().filter(|(_, module, _)| module != "interface");
        let found: Vec<PathBuf> =
            own.filter(|(_, _, code)| defines(code)).map(|(path, ..)| path).collect();
        assert!(found.len() <= 1, "{noun} in {found:?}");
    }
}

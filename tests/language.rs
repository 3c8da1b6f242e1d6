//! Rule files as a whole: bundled ones, strange ones, their layout, and the manual.

use std::fs;
use std::path::{Path, PathBuf};

use dokulog::language::{self, Diagnostic, Origin, RuleSet, Severity, Source, bundled, vocabulary};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn source(text: &str) -> Source {
    Source { name: "test.rules".to_string(), text: text.to_string() }
}

/// A text loaded beside the bundled helpers, with what is wrong with it.
fn load(text: &str) -> (Option<RuleSet>, Vec<Diagnostic>) {
    let mut sources = bundled::helpers();
    sources.push((Origin::User, source(text)));
    language::load(sources)
}

fn bundled_sources() -> Vec<(Origin, Source)> {
    [
        bundled::helpers(),
        bundled::standard(),
        bundled::extended(),
        bundled::advanced(),
        bundled::forcing(),
    ]
    .concat()
}

#[test]
fn bundled_rules_have_no_errors_and_few_warnings() {
    // As a user's, since what is bundled is not judged whenever it is loaded.
    let sources = bundled_sources().into_iter().map(|(_, source)| (Origin::User, source));
    let (rules, diagnostics) = language::load(sources.collect());
    assert!(rules.is_some(), "{diagnostics:#?}");
    // What really depends on the order says so, and templates begin on the first row, of which there
    // is one; nothing else is warned of.
    for diagnostic in diagnostics {
        let begins = diagnostic.code == "W121" && diagnostic.message.contains("helper filled");
        assert!(diagnostic.code == "W110" || begins, "{diagnostic:#?}");
    }
}

#[test]
fn every_rule_file_is_bundled() {
    let names: Vec<String> = bundled_sources().into_iter().map(|(_, s)| s.name).collect();
    for folder in ["rules", "rules/standard", "rules/extended", "rules/advanced", "rules/forcing"] {
        for entry in fs::read_dir(root().join(folder)).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.extension().is_some_and(|extension| extension == "rules") {
                let name = path.file_name().expect("a name").to_string_lossy();
                let name = format!("{folder}/{name}");
                assert!(names.contains(&name), "{name} is not compiled in");
            }
        }
    }
}

/// What is wrong with a strange file, by code.
fn codes(text: &str) -> Vec<&'static str> {
    let (rules, diagnostics) = load(text);
    let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(rules.is_none(), failed);
    for diagnostic in &diagnostics {
        let texts = [bundled::helpers().remove(0).1, source(text)];
        assert!(!language::render::text(diagnostic, &texts, false).is_empty());
    }
    diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn strange_files_are_refused_in_peace() {
    assert_eq!(codes(""), ["E001"]);
    assert_eq!(codes("% nothing but a comment"), Vec::<&str>::new());
    assert_eq!(codes(" \n\u{feff}"), ["E001"]);
    assert_eq!(codes(&"a".repeat(10 << 20)), ["E001"]);
    assert_eq!(codes(&format!("p(X) :- X = {}1.", "(".repeat(100_000))), ["E001"]);
    assert_eq!(codes(&format!("p(X) :- X = {}.", "|".repeat(100_000))), ["E001"]);
    assert_eq!(codes(&format!("p(X) :- X = {{{}.", "{".repeat(100_000))), ["E001"]);
    assert_eq!(codes(&format!("p(X) :- X = 1{}.", " + 1".repeat(3_000))), ["E001"]);
    assert_eq!(codes(&format!("p(X) :- {}.", "not ".repeat(3_000))), ["E001"]);
    assert!(codes(&"rule ".repeat(10_000)).contains(&"E001"));
    assert!(codes(&"}{".repeat(50)).contains(&"E001"));
    assert!(codes(&"\0\u{1}\u{7f}é漢🦀".repeat(100)).contains(&"E001"));
    assert!(codes("rule é \"É\" { level 1. place(C, D) :- C in ünsolved. }").contains(&"E001"));
    let lists = format!("{}? b.\n", "a,".repeat(8_000)).repeat(6);
    assert_eq!(codes(&lists), ["E001"; 6]);
    assert_eq!(codes(&"x ? .\n".repeat(10_000)).len(), 201);
    assert!(codes("\"").contains(&"E001"));
    assert!(codes(":-.").contains(&"E001"));
    assert!(codes("rule").contains(&"E001"));
    assert!(codes("rule x(N in 1..99999999999) \"X\" {}").contains(&"E060"));
}

#[test]
fn many_helpers_are_checked_in_time() {
    let mut text = String::new();
    for i in 0..9_000 {
        text += &format!("h{}(A) :- h{}(A), A in unsolved.\n", i, i + 1);
    }
    text += "h9000(A) :- A in unsolved.\nrule x \"X\" { level 1. place(A, 1) :- h0(A). }\n";
    assert_eq!(codes(&text), Vec::<&str>::new());
}

#[test]
fn every_cut_of_a_rule_file_is_survived() {
    let (_, source) = bundled::standard().remove(2);
    let places: Vec<usize> = source.text.char_indices().map(|(i, _)| i).step_by(7).collect();
    for end in places {
        codes(&source.text[..end]);
    }
}

// ---------------------------------------------------------------------------------- layout

#[test]
fn layout_is_stable_and_keeps_every_word() {
    let mut texts: Vec<Source> = bundled_sources().into_iter().map(|(_, s)| s).collect();
    for entry in fs::read_dir(root().join("tests/diagnostics")).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.extension().is_some_and(|extension| extension == "rules") {
            texts.push(source(&fs::read_to_string(path).expect("a readable file")));
        }
    }
    let words = |text: &str| text.split_whitespace().collect::<String>();
    for text in texts {
        let Ok(once) = language::format(&text) else { continue };
        let twice = language::format(&source(&once)).expect("what was laid out can be read");
        assert_eq!(once, twice, "{}", text.name);
        assert_eq!(words(&text.text), words(&once), "{}", text.name);
    }
}

#[test]
fn bundled_rules_have_the_canonical_layout() {
    for (_, source) in bundled_sources() {
        assert_eq!(language::format(&source).expect("it can be read"), source.text);
    }
}

#[test]
fn layout_is_this() {
    let messy = "%  a helper\ntwin( A,B ):-bivalue(A,X,Y),bivalue(B,X,Y),sees(A,B). % both\n\
        rule t(N in 2 .. 4)\"T {a|b|c}\"{level 30+2 * N.  assumes unique_solution.tags a,b.\n\
        % why\n eliminate(H\\Cs,Ds):-H in houses,Cs in choose(N,unsolved&H),\n\
        Ds=candidates(Cs), % all of them\n|Ds|<=N,forall X in Ds:(|spots(X,H)|<=N).\n\n\n\
        explain \"in {H}, the {N} cells {Cs}\" trace twin(A,B).}\n\n\n\n% the end";
    let wanted = "%  a helper
twin(A, B) :- bivalue(A, X, Y), bivalue(B, X, Y), sees(A, B).  % both

rule t(N in 2..4) \"T {a|b|c}\" {
    level 30 + 2*N.
    assumes unique_solution.
    tags a, b.
    % why
    eliminate(H \\ Cs, Ds) :-
        H in houses, Cs in choose(N, unsolved & H),
        Ds = candidates(Cs),  % all of them
        |Ds| <= N, forall X in Ds : (|spots(X, H)| <= N).

    explain \"in {H}, the {N} cells {Cs}\" trace twin(A, B).
}

% the end
";
    assert_eq!(language::format(&source(messy)).expect("it can be read"), wanted);
}

#[test]
fn layout_refuses_what_it_cannot_read() {
    assert!(language::format(&source("rule x { place(C, D) :- C }")).is_err());
}

// ---------------------------------------------------------------------------------- manual

fn manual() -> String {
    fs::read_to_string(root().join("rules/README.md")).expect("the manual")
}

/// The cells of a table row, without code marks; `\|` is a bar.
fn cells(line: &str) -> Vec<String> {
    let line = line.replace("\\|", "\u{1}");
    let inner = line.trim().trim_matches('|');
    inner.split('|').map(|cell| cell.trim().replace('\u{1}', "|").replace('`', "")).collect()
}

#[test]
fn the_manual_lists_every_built_in_word() {
    let manual = manual();
    let rows: Vec<Vec<String>> =
        manual.lines().filter(|line| line.starts_with("| `")).map(cells).collect();
    for word in vocabulary::WORDS {
        let row = vec![word.usage.to_string(), word.summary.replace('`', "")];
        assert!(
            rows.contains(&row),
            "the manual's tables lack | `{}` | {} |",
            word.usage,
            word.summary
        );
    }
}

#[test]
fn the_manual_lists_every_code() {
    let manual = manual();
    let rows: Vec<Vec<String>> =
        manual.lines().filter(|l| l.starts_with("| ")).map(cells).collect();
    for (code, about) in language::CODES {
        let row = vec![code.to_string(), about.replace('`', "")];
        assert!(rows.contains(&row), "the manual lacks | {code} | {about} |");
    }
}

#[test]
fn the_manual_shows_rules_that_are_right() {
    let manual = manual();
    let mut blocks = 0;
    for (number, block) in manual.split("```").enumerate() {
        let Some(text) = block.strip_prefix("prolog\n").filter(|_| number % 2 == 1) else {
            continue;
        };
        blocks += 1;
        let (rules, diagnostics) = load(text);
        let unexpected: Vec<&Diagnostic> =
            diagnostics.iter().filter(|d| d.code != "W120").collect();
        assert!(rules.is_some() && unexpected.is_empty(), "{text}\n{unexpected:#?}");
        let layout = language::format(&source(text)).expect("it can be read");
        assert_eq!(layout, text, "a rule of the manual has the canonical layout");
    }
    assert!(blocks >= 8, "only {blocks} rules in the manual");
}

#[test]
fn the_manual_quotes_messages_exactly() {
    let manual = manual();
    for block in manual.split("```text\n").skip(1) {
        let text = block.split("```").next().expect("an end");
        if !text.starts_with("error[") && !text.starts_with("warning[") {
            continue;
        }
        let arrow = text.lines().find_map(|l| l.trim().strip_prefix("--> ")).expect("a place");
        let name = arrow.split(':').next().expect("a file");
        let path = root().join("tests/diagnostics").join(name);
        let beside = fs::read_to_string(Path::new(&path).with_extension("txt")).expect(name);
        assert_eq!(text.trim_end(), beside.trim_end());
    }
}

//! Any text as a rule file: it is refused with reasons, or it can be laid out and run.

use dokulog::board::Layout;
use dokulog::engine::Engine;
use dokulog::language::{self, Origin, RuleSet, Severity, Source, bundled, render};

/// The bundled helpers; their file is loaded with texts that name one.
const HELPERS: [&str; 4] = ["bivalue", "conjugate", "strong", "weak"];

/// Loads the text, lays it out, plans what it says.
pub fn rules(bytes: &[u8]) {
    let source = Source { name: "any.rules".into(), text: String::from_utf8_lossy(bytes).into() };
    let loaded = load(&source);
    if let Ok(laid_out) = language::format(&source) {
        let (name, is_new) = (source.name, laid_out != source.text);
        let laid_out = Source { name, text: laid_out };
        let again = language::format(&laid_out).expect("the canonical layout can be read");
        assert_eq!(again, laid_out.text, "the canonical layout is stable");
        assert!(!is_new || load(&laid_out).is_some() == loaded.is_some(), "layout means nothing");
    }
    if let Some(rules) = loaded {
        let four = Layout::classic(4).expect("4 is a classic size");
        let mut worker = Engine::assuming_unique(&rules, &four).worker();
        for instance in 0..rules.instances().len() {
            assert!(!worker.describe(instance).is_empty(), "every rule has a plan");
        }
    }
}

/// The rules, exactly if no message is an error; every message can be shown.
fn load(source: &Source) -> Option<RuleSet> {
    let uses_helpers = HELPERS.iter().any(|name| source.text.contains(name));
    let mut sources = if uses_helpers { bundled::helpers() } else { Vec::new() };
    sources.push((Origin::User, source.clone()));
    let texts: Vec<Source> = sources.iter().map(|(_, source)| source.clone()).collect();
    let (rules, diagnostics) = language::load(sources);
    let errors = diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(rules.is_none(), errors, "rules come exactly when there is no error");
    for diagnostic in &diagnostics {
        assert!(render::text(diagnostic, &texts, false).ends_with('\n'));
    }
    rules
}

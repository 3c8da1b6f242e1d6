//! The studio's engine: `tests/studio/requests` holds requests, and beside each its answer.

use std::fs;
use std::path::PathBuf;

use dokulog::Studio;
use serde_json::Value;

fn requests() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/studio/requests");
    let entries = fs::read_dir(folder).expect("a readable folder");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| !path.to_string_lossy().ends_with(".answer.json"));
    found.sort();
    found
}

/// One line for what holds no object: a list of 81 digits is read at a glance.
fn pretty(value: &Value, indent: usize) -> String {
    let pad = "  ".repeat(indent + 1);
    let holds_objects = |list: &Vec<Value>| list.iter().any(Value::is_object);
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let one = |(name, value): (&String, &Value)| {
                format!("{pad}{}: {}", Value::from(name.as_str()), pretty(value, indent + 1))
            };
            let lines: Vec<String> = fields.iter().map(one).collect();
            format!("{{\n{}\n{}}}", lines.join(",\n"), "  ".repeat(indent))
        }
        Value::Array(list) if holds_objects(list) => {
            let lines: Vec<String> =
                list.iter().map(|value| format!("{pad}{}", pretty(value, indent + 1))).collect();
            format!("[\n{}\n{}]", lines.join(",\n"), "  ".repeat(indent))
        }
        other => other.to_string(),
    }
}

#[test]
fn requests_have_their_answers() {
    let studio = Studio::default();
    let bless = std::env::var_os("DOKULOG_BLESS").is_some();
    let all = requests();
    assert!(all.len() >= 20, "{} requests", all.len());
    let mut wrong = Vec::new();
    for path in all {
        let request = fs::read_to_string(&path).expect("a readable request");
        let answer: Value = serde_json::from_str(&studio.answer(&request)).expect("JSON");
        let shown = pretty(&answer, 0) + "\n";
        let expected = path.with_extension("answer.json");
        if bless {
            fs::write(&expected, &shown).expect("a file that can be written");
        } else if fs::read_to_string(&expected).ok().as_deref() != Some(&shown) {
            wrong.push(format!("{}:\n{shown}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is kept of earlier requests changes no answer.
#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let used = Studio::default();
    let texts: Vec<String> =
        requests().iter().map(|path| fs::read_to_string(path).expect("a request")).collect();
    texts.iter().for_each(|request| drop(used.answer(request)));
    for request in texts.iter().rev() {
        assert_eq!(used.answer(request), Studio::default().answer(request), "{request}");
    }
}

/// Whatever is sent, there is an answer.
#[test]
fn nothing_that_is_sent_does_harm() {
    let studio = Studio::default();
    let board = |size: usize, digit: u8| {
        let cells = vec![digit.to_string(); size * size].join(",");
        format!(r#"{{"size":{size},"givens":[{cells}],"entries":[],"gone":[[99999,9]]}}"#)
    };
    let mut requests: Vec<String> = vec!["".into(), "[".repeat(100_000), "{\"version\":1}".into()];
    for ask in ["state", "hint", "steps", "check", "rate", "why", "suppose", "matches", "worksheet"]
    {
        for board in
            [board(9, 0), board(9, 9), board(4, 200), board(7, 0), board(0, 0), "{}".into()]
        {
            let rest = r#""cell":5000,"digit":77,"rule":"no_such:9""#;
            requests.push(format!(r#"{{"version":1,"ask":"{ask}","board":{board},{rest}}}"#));
        }
    }
    for ask in ["tokens", "completion", "hover", "format", "diagnostics", "read"] {
        for text in
            ["é\\u0000\\\"%\\\"", "rule", "\\ud83d\\ude00 rule a {", "{{{{[[[[", "C in r1c1 :-"]
        {
            for offset in [0, 1, 3, 1_000_000] {
                requests.push(format!(
                    r#"{{"version":1,"ask":"{ask}","text":"{text}","offset":{offset}}}"#
                ));
            }
        }
    }
    for request in requests {
        let answer = studio.answer(&request);
        assert!(serde_json::from_str::<Value>(&answer).is_ok_and(|a| a.is_object()), "{answer}");
    }
}

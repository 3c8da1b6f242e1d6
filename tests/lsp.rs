//! The language server: a recorded conversation, random edits, bad input, memory.
//!
//! `tests/lsp/*.txt` are conversations: `>` is said to the server, `<` is what it says. `>+` comes
//! together with the next line, `>!` is sent as it stands, `~` waits for the job under way.
//! `DOKULOG_BLESS=1 cargo test --test program lsp::` writes the answers anew; read the difference.
//! `DOKULOG_LONG_TESTS=1 cargo test --release --test program lsp::` makes 10,000 random edits, and 100,000 for
//! memory.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dokulog::command::lsp::{Event, Server, parsed, written};
use dokulog::language::{self, Origin, Severity, Source, bundled};
use dokulog::meaning::layout_mistakes;
use dokulog::random::Random;
use dokulog::service::{Lines, Position, Service};
use serde_json::{Value, json};

fn is_long() -> bool {
    std::env::var_os("DOKULOG_LONG_TESTS").is_some()
}

/// A server in this process, and its jobs' news.
struct Talk {
    server: Server,
    news: Receiver<Event>,
}

impl Talk {
    fn new() -> Talk {
        let (events, news) = channel();
        Talk { server: Server::new(events), news }
    }

    /// Says things together; what is answered.
    fn say(&mut self, bodies: &[String]) -> Vec<Value> {
        let came = bodies.iter().map(|body| Event::Came(parsed(body.as_bytes())));
        self.server.take(came.collect());
        self.heard()
    }

    fn heard(&mut self) -> Vec<Value> {
        if self.server.is_idle() {
            self.server.publish();
        }
        self.server.sent()
    }

    fn wait(&mut self) -> Vec<Value> {
        while self.server.is_busy() {
            let event = self.news.recv().expect("a job ends");
            self.server.take(vec![event]);
        }
        self.heard()
    }

    fn note(&mut self, method: &str, params: Value) -> Vec<Value> {
        self.say(&[json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()])
    }
}

/// A message without what every message says.
fn shown(message: &Value) -> String {
    let mut message = message.clone();
    if let Some(object) = message.as_object_mut() {
        object.shift_remove("jsonrpc");
    }
    message.to_string()
}

fn full(message: &str) -> String {
    match serde_json::from_str::<Value>(message) {
        Ok(Value::Object(mut object)) => {
            object.insert("jsonrpc".to_string(), json!("2.0"));
            Value::Object(object).to_string()
        }
        _ => panic!("not an object: {message}"),
    }
}

#[test]
fn conversations_are_as_recorded() {
    let _alone = alone();
    let bless = std::env::var_os("DOKULOG_BLESS").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lsp");
    let entries = fs::read_dir(&folder).expect("a readable folder");
    let mut pages: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    pages.sort();
    let mut exchanges = 0;
    for path in pages {
        let page = fs::read_to_string(&path).expect("a readable page");
        let mut talk = Talk::new();
        let mut found = String::new();
        let mut together = Vec::new();
        for line in page.lines().filter(|line| !line.starts_with('<')) {
            found += &format!("{line}\n");
            let heard = if line == "~" {
                talk.wait()
            } else if let Some(body) = line.strip_prefix(">+ ") {
                together.push(full(body));
                continue;
            } else if let Some(body) = line.strip_prefix("> ") {
                together.push(full(body));
                talk.say(&std::mem::take(&mut together))
            } else if let Some(body) = line.strip_prefix(">! ") {
                talk.say(&[body.to_string()])
            } else {
                assert!(line.is_empty() || line.starts_with('#'), "what is this? {line}");
                continue;
            };
            exchanges += 1;
            found.extend(heard.iter().map(|message| format!("< {}\n", shown(message))));
        }
        if bless {
            fs::write(&path, &found).expect("a writable page");
        }
        let page = fs::read_to_string(&path).expect("a readable page");
        assert!(page == found, "{} is now:\n{found}", path.display());
    }
    assert!(exchanges >= 60, "only {exchanges} exchanges");
}

/// Code, severity, message and place, as an editor shows them.
type Shown = (String, u64, String, [u64; 4]);

fn told(params: &Value) -> Vec<Shown> {
    let place = |d: &Value| {
        let of = |end: &str, what: &str| d["range"][end][what].as_u64().expect("a number");
        let (start, end) = ("start", "end");
        [of(start, "line"), of(start, "character"), of(end, "line"), of(end, "character")]
    };
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let list = params["diagnostics"].as_array().expect("a list").iter();
    list.map(|d| {
        let severity = d["severity"].as_u64().expect("a number");
        (text(&d["code"]), severity, text(&d["message"]), place(d))
    })
    .collect()
}

/// What a check of everything from the beginning says of one file.
fn fresh(files: &BTreeMap<String, String>) -> BTreeMap<String, Vec<Shown>> {
    let mut sources = bundled::sources();
    let own = sources.len();
    for (name, text) in files {
        let source = Source { name: name.clone(), text: text.clone() };
        sources.push((Origin::User, source));
    }
    let texts: Vec<Source> = sources.iter().map(|(_, source)| source.clone()).collect();
    let (_, mut diagnostics) = language::load(sources);
    diagnostics.extend(layout_mistakes(&texts, own));
    diagnostics.sort_by_key(|d| (d.span, d.severity, d.code));
    let mut found: BTreeMap<String, Vec<Shown>> = BTreeMap::new();
    for (number, (name, text)) in files.iter().enumerate() {
        let lines = Lines::new(text);
        let here = diagnostics.iter().filter(|d| usize::from(d.span.source) == own + number);
        let list = here.map(|d| {
            let at = |offset: u32| lines.position(text, offset as usize);
            let (start, end) = (at(d.span.start), at(d.span.end));
            let severity = if d.severity == Severity::Error { 1 } else { 2 };
            let more = [Some(&d.label), d.help.as_ref()].into_iter().flatten();
            let more = more.filter(|more| !more.is_empty()).map(|more| format!("\n{more}"));
            let message = format!("{}{}", d.message, more.collect::<String>());
            let place = [start.line, start.character, end.line, end.character].map(u64::from);
            (d.code.to_string(), severity, message, place)
        });
        found.insert(name.clone(), list.collect());
    }
    found
}

const PIECES: [&str; 21] = [
    "\n",
    " ",
    ".",
    "x",
    "}",
    "{",
    "𝄞",
    "\"",
    "% é\n",
    "rule more \"More\" {\n",
    "(C, D)",
    ":-",
    "bivalue(A, X, Y), ",
    "level 5.\n",
    "C in unsolved",
    "tiwns(A, B, X, Y)",
    "suppose place(C, D) below 12 : (contradiction), ",
    "weak(C, D, A, X) in trace aic(C, D, A, X), ",
    "S in choose(1..3, unsolved), ",
    "layout mine \"Mine\" {\n    extends classic(9).\n}\n",
    "als(D, S, H)",
];

/// A random edit of a text: where, and what stands there afterwards.
fn random_edit(random: &mut Random, text: &str) -> (usize, usize, &'static str) {
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(random.below(text.len() + 1));
    let length = [0, 0, 1, 1, 2, 7, 40][random.below(7)];
    let end = boundary((start + length).min(text.len())).max(start);
    (start, end, if random.below(4) == 0 { "" } else { PIECES[random.below(PIECES.len())] })
}

fn initialized() -> Talk {
    let mut talk = Talk::new();
    let start = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize",
                        "params": { "capabilities": {} } });
    talk.say(&[start.to_string()]);
    talk.note("initialized", json!({}));
    talk
}

const TWINS: &str = "% Twins.
twins(A, B, X, Y) :- bivalue(A, X, Y), bivalue(B, X, Y), sees(A, B), A < B, X < Y.
";
const OTHER: &str = "rule twins \"Twins\" {
    level 33.
    eliminate(common_peers({A, B}), {X, Y}) :- twins(A, B, X, Y).
    explain \"{A} and {B} are {X} and {Y}, one each\".
}
";

#[test]
fn random_edits_end_where_a_fresh_check_does() {
    let _alone = alone();
    let steps = if is_long() { 10_000 } else { 100 };
    let mut random = Random::new(18);
    let mut talk = initialized();
    // Enough of both that an edit leaves most of a file alone.
    let helpers: String = (0..9).map(|i| TWINS.replace("twins", &format!("twins{i}"))).collect();
    let rules: String =
        (0..9).map(|i| OTHER.replace("rule twins", &format!("rule r{i}"))).collect();
    let start: BTreeMap<String, String> = [
        ("/w/a.rules".to_string(), format!("{TWINS}{helpers}")),
        ("/w/b.rules".to_string(), format!("{OTHER}{rules}")),
    ]
    .into();
    let mut files = start.clone();
    let mut seen: BTreeMap<String, Vec<Shown>> = BTreeMap::new();
    let mut notice = |heard: Vec<Value>| {
        for message in heard {
            let uri = message["params"]["uri"].as_str().expect("an address").to_string();
            let name = uri.strip_prefix("file://").expect("a file").to_string();
            seen.insert(name, told(&message["params"]));
        }
        seen.clone()
    };
    for (name, text) in &start {
        let document = json!({ "uri": format!("file://{name}"), "languageId": "dokulog",
                               "version": 0, "text": text });
        notice(talk.note("textDocument/didOpen", json!({ "textDocument": document })));
    }
    for step in 1..=steps {
        let name = ["/w/a.rules", "/w/b.rules"][random.below(2)].to_string();
        let text = &files[&name];
        let (change, after) = if step % 40 == 0 {
            (json!({ "text": start[&name] }), start[&name].clone())
        } else {
            let (from, to, new) = random_edit(&mut random, text);
            let lines = Lines::new(text);
            let place = |at: usize| {
                let Position { line, character } = lines.position(text, at);
                json!({ "line": line, "character": character })
            };
            let range = json!({ "start": place(from), "end": place(to) });
            let after = [&text[..from], new, &text[to..]].concat();
            (json!({ "range": range, "text": new }), after)
        };
        files.insert(name.clone(), after);
        let document = json!({ "uri": format!("file://{name}"), "version": step });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        let seen = notice(talk.note("textDocument/didChange", params));
        for (name, wanted) in fresh(&files) {
            let shown = seen.get(&name).cloned().unwrap_or_default();
            assert_eq!(shown, wanted, "step {step}: {name}\n{}", files[&name]);
        }
    }
}

/// Pages of memory that this process has.
fn memory() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0)
}

/// One test at a time, so that memory is that of one.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn memory_does_not_grow_with_edits() {
    let _alone = alone();
    let steps = if is_long() { 100_000 } else { 300 };
    let mut service = Service::new(vec![("a.rules".into(), TWINS.into())]);
    let mut random = Random::new(7);
    let mut early = 0;
    for step in 0..steps {
        let text = service.text("a.rules").expect("a file").to_string();
        if step % 40 == 0 {
            service.put("a.rules", TWINS.to_string());
        } else {
            let (from, to, new) = random_edit(&mut random, &text);
            let at = |offset| service.position("a.rules", offset);
            let range = Some((at(from), at(to)));
            service.edit("a.rules", range, new);
        }
        let length = service.text("a.rules").expect("a file").len();
        let offset = random.below(length + 1);
        // Nothing that is asked may panic, wherever the cursor is.
        let _ = service.diagnostics("a.rules").len();
        let _ = service.complete("a.rules", offset);
        let _ = service.hover("a.rules", offset);
        let _ = service.signature("a.rules", offset);
        let _ = service.references("a.rules", offset, true);
        let _ = service.highlights("a.rules", offset);
        let _ = service.rename("a.rules", offset, "Other");
        let _ = (service.colours("a.rules"), service.folds("a.rules"), service.symbols("a.rules"));
        let _ = service.remedies("a.rules", offset..offset);
        let _ = service.format("a.rules", Some(offset..offset));
        if step == steps / 5 {
            early = memory();
        }
    }
    let grown = memory().saturating_sub(early) * 4096;
    assert!(grown < 16 << 20, "{grown} bytes more after {steps} edits");
}

/// The program itself: what it says on standard output, and whether it ended well.
fn run(input: &[u8], folder: &Path) -> (Vec<Value>, bool) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dokulog"))
        .args(["lsp", "--stdio"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("a pipe that takes it");
    let output = child.wait_with_output().expect("an end");
    let mut left = std::str::from_utf8(&output.stdout).expect("text");
    let mut heard = Vec::new();
    while let Some(rest) = left.strip_prefix("Content-Length: ") {
        let (length, rest) = rest.split_once("\r\n\r\n").expect("a header");
        let (body, rest) = rest.split_at(length.parse().expect("a length"));
        heard.push(serde_json::from_str(body).expect("JSON"));
        left = rest;
    }
    assert!(left.is_empty(), "{left}");
    (heard, output.status.success())
}

#[test]
fn the_program_reads_the_folder_and_writes_nothing() {
    let _alone = alone();
    let folder = std::env::temp_dir().join(format!("dokulog-lsp-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("inner folder")).expect("a folder");
    fs::write(folder.join("a.rules"), TWINS).expect("a file");
    fs::write(folder.join("inner folder/b.rules"), OTHER.replace("33.", "33")).expect("a file");
    let state = || {
        let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file");
        (read("a.rules"), read("inner folder/b.rules"), fs::read_dir(&folder).unwrap().count())
    };
    let before = state();
    let root = format!("file://{}", folder.display());
    let say = |id: Option<u64>, method: &str, params: Value| {
        let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        if let Some(id) = id {
            message["id"] = json!(id);
        }
        written(&message)
    };
    let mut input = say(Some(1), "initialize", json!({ "capabilities": {}, "rootUri": root }));
    input.extend(say(None, "initialized", json!({})));
    input.extend(b"Content-Length: 9\r\n\r\n{\"broken\"");
    input.extend(b"Nothing: here\r\n\r\n");
    let at = json!({ "textDocument": { "uri": format!("{root}/a.rules") },
                     "position": { "line": 1, "character": 2 }, "newName": "couple" });
    input.extend(say(Some(2), "textDocument/rename", at));
    input.extend(say(Some(3), "shutdown", Value::Null));
    input.extend(say(None, "exit", Value::Null));
    let (heard, good) = run(&input, &folder);
    assert!(good, "{heard:#?}");
    let edits = heard.iter().find(|m| m["id"] == 2).expect("an answer");
    let changed = edits["result"]["changes"].as_object().expect("edits").len();
    assert_eq!(changed, 2, "{edits}");
    let broken = heard.iter().filter(|m| m["error"]["code"] == -32700).count();
    assert_eq!(broken, 2, "{heard:#?}");
    assert_eq!(before, state());
    // Without `shutdown`, or at the end of the input, it ends with a failure, and ends.
    assert!(!run(&say(None, "exit", Value::Null), &folder).1);
    assert!(!run(b"", &folder).1);
    assert!(!run(b"Content-Length: 99999999999999999999\r\n\r\n", &folder).1);
    fs::remove_dir_all(&folder).expect("a folder to remove");
}

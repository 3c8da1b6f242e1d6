//! The studio's page in a real browser, served in every way: by the program, as a static folder
//! with the engine as WebAssembly, and as one file. The paths are texts in `tests/studio/paths`.
//! Where Chromium or its driver is missing, or the folder was not built (`web/build`), the tests are
//! ignored; where `CI` is set, what is missing fails.

mod webdriver;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};
use webdriver::{Browser, Driver, find};

/// How long something may take to appear on a machine with much else to do.
const PATIENCE: Duration = Duration::from_secs(60);

const KEYS: [(&str, &str); 10] = [
    ("ArrowUp", "\u{e013}"),
    ("ArrowDown", "\u{e015}"),
    ("ArrowLeft", "\u{e012}"),
    ("ArrowRight", "\u{e014}"),
    ("Enter", "\u{e007}"),
    ("Tab", "\u{e004}"),
    ("Escape", "\u{e00c}"),
    ("Backspace", "\u{e003}"),
    ("Shift", "\u{e008}"),
    ("Control", "\u{e009}"),
];

/// A key by its name; what has none stands for itself.
fn key(name: &str) -> &str {
    KEYS.iter().find(|(known, _)| *known == name).map_or(name, |(_, key)| key)
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The program as a server.
struct Program(Child, String);

impl Program {
    fn start() -> Program {
        let mut process = Command::new(env!("CARGO_BIN_EXE_dokulog"))
            .args(["studio", "--no-open", "--port", "0", "-q"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("its output is piped");
        BufReader::new(output).read_line(&mut line).expect("its address");
        Program(process, line.trim().to_string())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A plain server of files: the page as it stands in `web`, the engine as it was built.
fn serve_folder(built: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let built = built.clone();
            std::thread::spawn(move || send_file(stream, &built));
        }
    });
    address
}

fn send_file(mut stream: TcpStream, built: &Path) {
    let mut lines = BufReader::new(&mut stream);
    let mut first = String::new();
    let _ = lines.read_line(&mut first);
    let mut line = String::new();
    while lines.read_line(&mut line).is_ok_and(|read| read > 2) {
        line.clear();
    }
    let name = first.split(' ').nth(1).unwrap_or("/").trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let folder = if name.ends_with(".wasm") { built } else { &root().join("web") };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        _ => "application/wasm",
    };
    let (status, body) = match fs::read(folder.join(name)) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
    let _ = stream.read(&mut [0; 16]);
}

/// One walk along a path.
struct Walk<'a> {
    driver: &'a Driver,
    chromium: &'a Path,
    browser: Option<Browser<'a>>,
    address: String,
    phone: bool,
    name: String,
}

impl<'a> Walk<'a> {
    fn browser(&self) -> &Browser<'a> {
        self.browser.as_ref().expect("a path begins with `open`")
    }

    fn run(&self, script: &str, values: Value) -> Value {
        let session = &self.browser().session;
        let path = format!("/session/{session}/execute/sync");
        self.driver.try_ask("POST", &path, &json!({ "script": script, "args": values }))
    }

    /// Waits until a piece of script says `true`.
    fn until(&self, what: &str, script: &str, values: Value) {
        let begun = Instant::now();
        while self.run(script, values.clone()) != true {
            let said = "return document.querySelector('#status-left').textContent";
            if begun.elapsed() > PATIENCE {
                panic!("waited in vain: {what} (the page says: {})", self.run(said, json!([])));
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn open(&mut self) {
        self.browser = None;
        let profile =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("studio-{}", self.name));
        let browser = Browser::open(self.driver, self.chromium, &profile, self.phone);
        browser.load(&self.address);
        self.browser = Some(browser);
        self.until("ready", "return document.body.dataset.ready === 'true'", json!([]));
    }

    fn paste(&self, text: &str) {
        let script = "document.activeElement.blur?.(); const held = new DataTransfer(); \
                      held.setData('text', arguments[0]); document.body.dispatchEvent(\
                      new ClipboardEvent('paste', { clipboardData: held, bubbles: true }))";
        self.run(script, json!([text]));
    }

    /// Waits for an element that can be clicked, and clicks it with a real pointer.
    fn click(&self, line: &str, selector: &str) {
        let find = "const found = document.querySelector(arguments[0]); \
                    if (!found || found.disabled) return false; \
                    found.scrollIntoView({ block: 'center' }); return true";
        let begun = Instant::now();
        loop {
            self.until(line, find, json!([selector]));
            let session = &self.browser().session;
            let ask = |path: String, body: Value| {
                self.driver.try_ask("POST", &format!("/session/{session}/{path}"), &body)
            };
            let found =
                ask("element".into(), json!({ "using": "css selector", "value": selector }));
            let id = found.as_object().and_then(|ids| ids.values().next()?.as_str());
            let clicked = id.map(|id| ask(format!("element/{id}/click"), json!({})));
            if clicked.as_ref().is_some_and(Value::is_null) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{line}: {clicked:?}");
        }
    }

    fn keys(&self, combination: &[&str]) {
        let pressed = combination.iter().map(|name| key(name));
        let down = pressed.clone().map(|key| json!({ "type": "keyDown", "value": key }));
        let up = pressed.rev().map(|key| json!({ "type": "keyUp", "value": key }));
        let strokes: Vec<Value> = down.chain(up).collect();
        let keys = json!({ "type": "key", "id": "keys", "actions": strokes });
        self.browser().ask("actions", json!({ "actions": [keys] }));
    }

    fn write(&self, line: &str, selector: &str, old: Option<&str>, new: &str) {
        let script = "const field = document.querySelector(arguments[0]), old = arguments[1]; \
                      const at = field ? field.value.indexOf(old ?? '') : -1; \
                      if (at < 0) return false; field.focus(); \
                      field.setSelectionRange(at, old === null ? field.value.length : at + old.length); \
                      document.execCommand('insertText', false, arguments[2]); return true";
        self.until(line, script, json!([selector, old, new.replace("\\n", "\n")]));
    }

    fn see(&self, line: &str, selector: &str, text: &str) {
        let (selector, attribute) =
            match selector.strip_suffix('>').and_then(|s| s.rsplit_once(" <")) {
                Some((selector, attribute)) => (selector, Some(attribute)),
                None => (selector, None),
            };
        let script = "return [...document.querySelectorAll(arguments[0])].some((found) => \
                      ((arguments[2] ? found.getAttribute(arguments[2]) : found.textContent) ?? '')\
                      .includes(arguments[1]))";
        self.until(line, script, json!([selector, text, attribute]));
    }

    /// No serious finding of axe-core.
    fn axe(&self, axe: &str) {
        let script = format!(
            "{axe};\nconst done = arguments[arguments.length - 1]; axe.run(document).then((found) => \
             done(found.violations.filter((v) => ['serious', 'critical'].includes(v.impact))\
             .map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200))])))"
        );
        self.browser().ask("timeouts", json!({ "script": 120_000 }));
        let found = self.browser().ask("execute/async", json!({ "script": script, "args": [] }));
        assert_eq!(found, json!([]), "axe-core has found something serious");
    }

    fn cut_network(&self) {
        let path = format!("/session/{}/chromium/network_conditions", self.browser().session);
        let cut =
            json!({ "network_conditions": { "offline": true, "latency": 0, "throughput": 0 } });
        self.driver.ask("POST", &path, &cut);
    }

    fn follow(&mut self, line: &str, axe: Option<&str>) {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let two = || rest.split_once(" | ").expect("two parts");
        match command {
            "phone" => self.phone = true,
            "open" => self.open(),
            "fresh" => {
                let address = self.run("return location.href", json!([]));
                self.address = address.as_str().expect("an address").to_string();
                self.open();
            }
            "paste" => self.paste(&rest.replace('|', "\n")),
            "paste-long" => self.paste(&"1".repeat(rest.parse().expect("a number"))),
            "click" => self.click(line, rest),
            "key" => self.keys(&rest.split('+').collect::<Vec<_>>()),
            "keys" => rest.chars().for_each(|key| self.keys(&[&key.to_string()])),
            "type" => self.write(line, two().0, None, two().1),
            "replace" => {
                let (selector, more) = two();
                let (old, new) = more.split_once(" | ").unwrap_or((more, ""));
                self.write(line, selector, Some(old), new);
            }
            "see" => self.see(line, two().0, two().1),
            "check" => self.until(line, &format!("return !!({rest})"), json!([])),
            "run" => drop(self.run(rest, json!([]))),
            "silent" => self.browser().assert_silent(),
            "offline" => self.cut_network(),
            "axe" => axe.into_iter().for_each(|axe| self.axe(axe)),
            _ => panic!("there is no command {command}"),
        }
    }
}

/// The text of axe-core, from the registry; nothing where it cannot be fetched.
fn axe() -> Option<String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("axe");
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if !file.is_file() {
        fs::create_dir_all(&folder).ok()?;
        let install =
            ["install", "--silent", "--no-audit", "--no-fund", "--prefix", ".", "axe-core@4"];
        Command::new("npm").args(install).current_dir(&folder).status().ok()?;
    }
    fs::read_to_string(file).ok()
}

fn walk(way: &str, path: &Path, chromium: &Path, driver: &Driver, axe: Option<&str>) {
    let program = (way == "program").then(Program::start);
    let built = root().join("target/studio");
    let address = match &program {
        Some(Program(_, address)) => address.clone(),
        None if way == "file" => format!("file://{}", built.join("studio.html").display()),
        None => serve_folder(built),
    };
    let name = format!("{way}-{}", path.file_stem().expect("a name").to_string_lossy());
    let mut walk = Walk { driver, chromium, browser: None, address, phone: false, name };
    for line in fs::read_to_string(path).expect("a readable path").lines() {
        if !line.is_empty() && !line.starts_with(['%', '@']) {
            walk.follow(line, axe);
        }
    }
}

/// The ways of serving that a path is for: `@ folder` in its text, or the program and the folder.
fn ways(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a readable path");
    let told = text.lines().find_map(|line| line.strip_prefix("@ "));
    told.unwrap_or("program folder").split(' ').map(str::to_string).collect()
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let chromium = find(&["chromium", "chromium-browser", "google-chrome"]);
    let chromedriver = find(&["chromedriver"]);
    let is_missing = chromium.is_none() || chromedriver.is_none();
    if is_missing && std::env::var_os("CI").is_some() {
        eprintln!("there is no Chromium, or no chromedriver");
        return ExitCode::FAILURE;
    }
    let is_built = root().join("target/studio/dokulog.wasm").is_file();
    if !is_built && std::env::var_os("CI").is_some() {
        eprintln!("the folder is not built: run web/build");
        return ExitCode::FAILURE;
    }
    let driver =
        chromedriver.as_deref().filter(|_| !arguments.list).map(Driver::start).map(Arc::new);
    let axe = driver.as_ref().and_then(|_| axe()).map(Arc::new);
    if axe.is_none() && driver.is_some() && std::env::var_os("CI").is_some() {
        eprintln!("axe-core cannot be fetched");
        return ExitCode::FAILURE;
    }
    let entries = fs::read_dir(root().join("tests/studio/paths")).expect("a readable folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let mut trials = Vec::new();
    for path in paths {
        for way in ways(&path) {
            let ignored = is_missing || (way != "program" && !is_built);
            let name = format!("{way}::{}", path.file_stem().expect("a name").to_string_lossy());
            let (path, chromium) = (path.clone(), chromium.clone());
            let (driver, axe) = (driver.clone(), axe.clone());
            let run = move || {
                let (chromium, driver) = (chromium.expect("Chromium"), driver.expect("its driver"));
                walk(&way, &path, &chromium, &driver, axe.as_deref().map(String::as_str));
                Ok(())
            };
            trials.push(Trial::test(name, run).with_ignored_flag(ignored));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

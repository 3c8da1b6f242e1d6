//! Headless Chromium, driven through chromedriver by the WebDriver protocol.

// Each test file uses a part of it.
#![allow(dead_code)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// A program on the search path.
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut candidates =
        std::env::split_paths(&path).flat_map(|folder| names.iter().map(move |n| folder.join(n)));
    candidates.find(|candidate| candidate.is_file())
}

/// A running chromedriver and its port.
pub struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    pub fn start(program: &Path) -> Driver {
        let mut process = Command::new(program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let output = process.stdout.take().expect("its output is piped");
        let mut lines = BufReader::new(output).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, port) = line.split_once("successfully on port ")?;
                port.trim_end_matches('.').parse().ok()
            })
            .expect("chromedriver says its port");
        // Whatever else it says must not fill the pipe.
        std::thread::spawn(move || lines.map_while(Result::ok).count());
        Driver { process, port }
    }

    /// One request of the WebDriver protocol; the answer's `value`.
    pub fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let value = self.try_ask(method, path, body);
        assert!(value.get("error").is_none(), "{method} {path}: {value}");
        value
    }

    /// The same; a value with `error` where it cannot be done.
    pub fn try_ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream =
            TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver listens");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a time limit");
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("a request that can be sent");
        let mut answer = Vec::new();
        let mut chunk = [0; 4096];
        // The connection may stay open: read as many bytes as the answer announces.
        loop {
            if let Some(body) = complete(&answer) {
                let answer: Value = serde_json::from_str(&body).expect("an answer in JSON");
                return answer["value"].clone();
            }
            let read = stream.read(&mut chunk).expect("an answer in time");
            assert!(read > 0, "{method} {path}: the answer breaks off");
            answer.extend_from_slice(&chunk[..read]);
        }
    }
}

/// The body of an answer that is all there.
fn complete(answer: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(answer);
    let (head, _) = text.split_once("\r\n\r\n")?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    })?;
    let body = answer.get(head.len() + 4..)?;
    (body.len() >= length).then(|| String::from_utf8_lossy(&body[..length]).into_owned())
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser window.
pub struct Browser<'a> {
    pub driver: &'a Driver,
    pub session: String,
}

impl<'a> Browser<'a> {
    pub fn open(driver: &'a Driver, chromium: &Path, profile: &Path, phone: bool) -> Browser<'a> {
        let _ = fs::remove_dir_all(profile);
        let mut options = json!({
            "binary": chromium,
            "args": [
                "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-dev-shm-usage", "--window-size=1200,900",
                // A colour that is still changing has no contrast yet.
                "--force-prefers-reduced-motion",
                format!("--user-data-dir={}", profile.display()),
            ],
        });
        if phone {
            options["mobileEmulation"] =
                json!({ "deviceMetrics": { "width": 390, "height": 844, "pixelRatio": 2.0 } });
        }
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let answer = driver.ask("POST", "/session", &capabilities);
        let session = answer["sessionId"].as_str().expect("a session").to_string();
        Browser { driver, session }
    }

    pub fn ask(&self, command: &str, body: Value) -> Value {
        self.driver.ask("POST", &format!("/session/{}/{command}", self.session), &body)
    }
    pub fn load(&self, address: &str) {
        self.ask("url", json!({ "url": address }));
    }
    /// What a piece of script returns.
    pub fn run(&self, script: &str) -> Value {
        self.ask("execute/sync", json!({ "script": script, "args": [] }))
    }
    pub fn press(&self, key: &str) {
        let strokes =
            json!([{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }]);
        self.ask(
            "actions",
            json!({ "actions": [{ "type": "key", "id": "keys", "actions": strokes }] }),
        );
    }
    pub fn click(&self, selector: &str) {
        let found = self.ask("element", json!({ "using": "css selector", "value": selector }));
        let ids = found.as_object().expect("an element");
        let id = ids.values().next().and_then(Value::as_str).expect("its id");
        self.ask(&format!("element/{id}/click"), json!({}));
    }
    pub fn assert_silent(&self) {
        let log = self.ask("se/log", json!({ "type": "browser" }));
        assert_eq!(log, json!([]), "the console has something to say");
    }
}

impl Drop for Browser<'_> {
    fn drop(&mut self) {
        self.driver.ask("DELETE", &format!("/session/{}", self.session), &Value::Null);
    }
}

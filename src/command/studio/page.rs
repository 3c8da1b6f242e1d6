//! The page as it is compiled into the program.

macro_rules! files {
    ($($name:literal: $kind:literal),* $(,)?) => {
        &[$(($name, $kind, include_bytes!(concat!("../../../web/", $name)) as &[u8])),*]
    };
}

/// The files of `web/`: name, type, contents.
pub(super) const FILES: &[(&str, &str, &[u8])] = files! {
    "index.html": "text/html; charset=utf-8",
    "studio.css": "text/css; charset=utf-8",
    "main.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "words.js": "text/javascript; charset=utf-8",
    "engine.js": "text/javascript; charset=utf-8",
    "desk.js": "text/javascript; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "steps.js": "text/javascript; charset=utf-8",
    "rule.js": "text/javascript; charset=utf-8",
    "editor.js": "text/javascript; charset=utf-8",
    "lesson.js": "text/javascript; charset=utf-8",
    "share.js": "text/javascript; charset=utf-8",
};

/// The page itself, told that there is a server.
pub(super) fn index() -> String {
    let page = FILES.iter().find(|(name, ..)| *name == "index.html").map(|(_, _, bytes)| *bytes);
    let page = String::from_utf8_lossy(page.unwrap_or_default());
    page.replace("data-engine=\"wasm\"", "data-engine=\"server\"")
}

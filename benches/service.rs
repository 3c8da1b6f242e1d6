//! How long an editor waits: `cargo bench --bench service`.
//!
//! A file of 2,000 lines with everything bundled beside it. Every round types one letter and then
//! asks; printed are the median and the largest of the rounds, in milliseconds.

use std::time::Instant;

use dokulog::language::bundled;
use dokulog::service::Service;

const FILE: &str = "large.rules";
const LINES: usize = 2_000;
const ROUNDS: usize = 100;

/// All bundled rules again and again under other names; their helpers are there already.
fn large() -> String {
    let mut text = String::new();
    for round in 0.. {
        for (_, source) in bundled::sources() {
            let mut inside = false;
            for line in source.text.lines() {
                inside |= line.starts_with("rule ");
                if inside {
                    text += &line.replacen("rule ", &format!("rule c{round}_"), 1);
                    text.push('\n');
                }
                inside &= line != "}";
            }
            if text.lines().count() >= LINES {
                return text;
            }
        }
    }
    text
}

/// What is asked after a keystroke: the file and the byte behind it.
type Question = fn(&Service, usize);

fn main() {
    let text = large();
    println!("{} lines, {} bytes", text.lines().count(), text.len());
    let questions: [(&str, Question); 9] = [
        ("diagnostics", |s, _| drop(s.diagnostics(FILE).to_vec())),
        ("completion", |s, at| drop(s.complete(FILE, at))),
        ("hover", |s, at| drop(s.hover(FILE, at))),
        ("signature", |s, at| drop(s.signature(FILE, at))),
        ("tokens", |s, _| drop(s.colours(FILE))),
        ("symbols", |s, _| drop(s.symbols(FILE))),
        ("hints", |s, _| drop(s.hints(FILE, 0..usize::MAX))),
        ("references", |s, at| drop(s.references(FILE, at, true))),
        ("format", |s, _| drop(s.format(FILE, None))),
    ];
    for (name, question) in questions {
        let mut service = Service::new(vec![(FILE.to_string(), text.clone())]);
        let middle =
            text[text.len() / 2..].find("candidates").map_or(0, |i| text.len() / 2 + i + 4);
        let mut times = Vec::new();
        for round in 0..ROUNDS {
            let at = service.position(FILE, middle);
            let letter = ["x", ""][round % 2];
            let end = if letter.is_empty() { middle + 1 } else { middle };
            let end = service.position(FILE, end);
            let begun = Instant::now();
            service.edit(FILE, Some((at, end)), letter);
            question(&service, middle + letter.len());
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        println!("{name:<12} {:.2} ms, at most {:.2} ms", times[ROUNDS / 2], times[ROUNDS - 1]);
    }
}

//! How long an editor waits: `cargo bench --bench service`.
//!
//! A file of 2,000 lines with everything bundled beside it. A letter is typed at places all over
//! the file, and in a helper that many rules call, in the comment above everything, and as a brace
//! behind a rule; then something is asked. Printed are the median and the largest of the places, in
//! milliseconds, each place at its best of five times, and the longest that one answer ever took:
//! what that has more is other programs' doing.

use std::time::Instant;

use dokulog::language::bundled;
use dokulog::service::Service;

const FILE: &str = "large.rules";
const LINES: usize = 2_000;
const PLACES: usize = 100;
const TIMES: usize = 5;
const HELPER: &str = "% Two cells with the same two digits.
large_pair(A, B, X, Y) :- bivalue(A, X, Y), bivalue(B, X, Y), A < B, X < Y.

";
const CALLS: &str = "rule calls_NUMBER \"Calls a helper\" {
    level 33.
    eliminate(common_peers({A, B}), {X, Y}) :- large_pair(A, B, X, Y), sees(A, B).
    explain \"{A} and {B} are {X} and {Y}, one each\".
}
";

/// All bundled rules again and again under other names; their helpers are there already.
fn large() -> String {
    let mut text = HELPER.to_string();
    for round in 0.. {
        for (number, (_, source)) in bundled::sources().into_iter().enumerate() {
            let mut inside = false;
            for line in source.text.lines() {
                inside |= line.starts_with("rule ");
                if inside {
                    text += &line.replacen("rule ", &format!("rule c{round}_"), 1);
                    text.push('\n');
                }
                inside &= line != "}";
            }
            text += &CALLS.replace("NUMBER", &format!("{round}_{number}"));
            if text.lines().count() >= LINES {
                return text;
            }
        }
    }
    text
}

/// Behind `what`, where it stands first after a byte.
fn behind(text: &str, from: usize, what: &str) -> usize {
    from + text[from..].find(what).expect("it stands there") + what.len()
}

/// What is asked after a keystroke: the file and the byte behind it.
type Question = fn(&Service, usize);

fn main() {
    let text = large();
    println!("{} lines, {} bytes", text.lines().count(), text.len());
    let half: usize = text.lines().take(LINES / 2).map(|line| line.len() + 1).sum();
    let somewhere = |place: usize| {
        let line = text.lines().take(place * LINES / PLACES).map(|line| line.len() + 1).sum();
        (line..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
    };
    // A letter at the end of a word, or what else stands there.
    let at_word = |at: usize| {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = at + text[at..].find(word).unwrap_or(0);
        start + text[start..].find(|c| !word(c)).unwrap_or(0)
    };
    let all: Vec<usize> = (0..PLACES).map(|place| at_word(somewhere(place))).collect();
    let places = [
        ("anywhere", all, "x"),
        ("in a helper", vec![behind(&text, 0, "large_pair(A, B, X, Y) :- biv")], "x"),
        ("in a comment", vec![behind(&text, 0, "% Two cells")], "x"),
        ("ends a rule", vec![behind(&text, half, "\n}\n")], "}"),
    ];
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
    for (place, all, letter) in places {
        for (name, question) in questions {
            let mut service = Service::new(vec![(FILE.to_string(), text.clone())]);
            let mut longest = 0f64;
            let mut best = Vec::new();
            for &at in &all {
                let mut quickest = [f64::MAX; 2];
                for _ in 0..TIMES {
                    // Typed, and taken away again.
                    for (way, (letter, end)) in
                        [(letter, at), ("", at + letter.len())].into_iter().enumerate()
                    {
                        let range = (service.position(FILE, at), service.position(FILE, end));
                        let begun = Instant::now();
                        service.edit(FILE, Some(range), letter);
                        question(&service, at + letter.len());
                        let took = begun.elapsed().as_secs_f64() * 1e3;
                        longest = longest.max(took);
                        quickest[way] = quickest[way].min(took);
                    }
                }
                best.extend(quickest);
            }
            best.sort_by(f64::total_cmp);
            let (median, most) = (best[best.len() / 2], best[best.len() - 1]);
            println!(
                "{place:<13}{name:<12}{median:6.2} ms, at most {most:6.2} ms, once {longest:6.2} ms"
            );
        }
    }
}

//! How long an editor waits: `cargo bench --bench service`.
//!
//! A file of 2,000 lines with everything bundled beside it. Every round types one letter, or takes
//! it away again, and then asks; printed are the median and the largest of the rounds, in
//! milliseconds. What is typed stands in a rule, in a helper that many rules call, in a comment
//! above everything, or is the brace that ends a rule.

use std::time::Instant;

use dokulog::language::bundled;
use dokulog::service::Service;

const FILE: &str = "large.rules";
const LINES: usize = 2_000;
const ROUNDS: usize = 100;
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

/// Behind `what`, in the second half of the text if it stands there.
fn behind(text: &str, what: &str) -> usize {
    let half: usize = text.lines().take(LINES / 2).map(|line| line.len() + 1).sum();
    let found = text[half..].find(what).map(|at| half + at).or_else(|| text.find(what));
    found.expect("it stands there") + what.len()
}

/// What is asked after a keystroke: the file and the byte behind it.
type Question = fn(&Service, usize);

fn main() {
    let text = large();
    println!("{} lines, {} bytes", text.lines().count(), text.len());
    let places = [
        ("in a rule", behind(&text, ":- cand"), "x"),
        ("in a helper", behind(&text, "large_pair(A, B, X, Y) :- biv"), "x"),
        ("in a comment", behind(&text, "% Two cells"), "x"),
        ("ends a rule", behind(&text, "\n}\n"), "}"),
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
    for (place, middle, letter) in places {
        for (name, question) in questions {
            let mut service = Service::new(vec![(FILE.to_string(), text.clone())]);
            let mut times = Vec::new();
            for round in 0..ROUNDS {
                let (letter, end) =
                    if round % 2 == 0 { (letter, middle) } else { ("", middle + letter.len()) };
                let range = (service.position(FILE, middle), service.position(FILE, end));
                let begun = Instant::now();
                service.edit(FILE, Some(range), letter);
                question(&service, middle + letter.len());
                times.push(begun.elapsed().as_secs_f64() * 1e3);
            }
            times.sort_by(f64::total_cmp);
            let (median, most) = (times[ROUNDS / 2], times[ROUNDS - 1]);
            println!("{place:<14}{name:<12} {median:6.2} ms, at most {most:6.2} ms");
        }
    }
}

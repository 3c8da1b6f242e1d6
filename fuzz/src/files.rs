//! Rule files that nobody would write: mutated, very long, very deep, very many.

// Fuzz targets and tests use some of this each.
#![allow(dead_code)]

use dokulog::random::Random;

use super::choices::Choices;
use super::writing::write;

/// The largest file that is read.
const MOST_BYTES: usize = 1_000_000;

/// A file and what is odd about it.
pub struct Odd {
    /// In a word.
    pub sort: &'static str,
    /// Its text, which need not be one.
    pub bytes: Vec<u8>,
    /// Whether it has one rule, or a few: then it can be proved, too.
    pub is_small: bool,
}

/// An odd file: most are mutations of one rule, some are as large as files can be.
pub fn odd(seeds: &[String], random: &mut Random) -> Odd {
    let small = |sort, text: String| Odd { sort, bytes: text.into_bytes(), is_small: true };
    let large = |sort, text: String| Odd { sort, bytes: text.into_bytes(), is_small: false };
    match random.below(100) {
        0..25 => small("words", words(&pick(seeds, random), random)),
        25..45 => small("written", written(seeds, random)),
        45..60 => small("written, words", words(&written(seeds, random), random)),
        60..70 => Odd { sort: "bytes", bytes: bytes(&pick(seeds, random), random), is_small: true },
        70..76 => small("deep", deep(random)),
        76..82 => small("helpers", helpers(random)),
        82..86 => small("names", names(random)),
        86..90 => small("lists", lists(random)),
        90..95 => small("clauses", clauses(random)),
        95..98 => large("many rules", many(seeds, random)),
        98 => large("many helpers", many_helpers(random)),
        _ => large("noise", words(&many(seeds, random), random)),
    }
}

fn pick(seeds: &[String], random: &mut Random) -> String {
    random.pick(seeds).clone()
}

/// A number up to one of some.
fn count(most: &[usize], random: &mut Random) -> usize {
    let most = *random.pick(most);
    1 + random.below(most)
}

/// A rule by choices.
fn written(seeds: &[String], random: &mut Random) -> String {
    let bytes: Vec<u8> = (0..4_000).map(|_| random.bits() as u8).collect();
    write(seeds, &mut Choices::new(&bytes)).map_or_else(String::new, |written| written.text)
}

/// Words of the language, and numbers at which something may turn over.
const WORDS: [&str; 38] = [
    "not",
    "forall",
    "choose",
    "in",
    "within",
    "unsolved",
    "candidates",
    "common_peers",
    "peers",
    "spots",
    "missing",
    "row",
    "column",
    "box",
    "houses",
    "rows",
    "lines",
    "digits",
    "cells",
    "touching",
    "sees",
    "live",
    "given",
    "rectangle",
    "orientation",
    "bivalue",
    "strong",
    "{",
    "}",
    "|",
    "<=",
    "!=",
    "+",
    "*",
    "1000000",
    "0",
    "81",
    ",",
];

/// Words taken away, doubled, exchanged or put in.
fn words(text: &str, random: &mut Random) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '(', ')', ',', '\n']).collect();
    for _ in 0..1 + random.below(4) {
        if words.len() < 2 {
            break;
        }
        let (a, b) = (random.below(words.len()), random.below(words.len()));
        match random.below(5) {
            0 => drop(words.remove(a)),
            1 => words.insert(b, words[a]),
            2 => words.swap(a, b),
            3 => words[a] = *random.pick(&WORDS),
            _ => words.insert(a, *random.pick(&WORDS)),
        }
    }
    words.concat()
}

/// Bytes changed, taken away or doubled.
fn bytes(text: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(8) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] = random.bits() as u8,
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, *random.pick(b"(){}|,.:-%\"<=>\0 \n")),
            _ => {
                let end = (at + random.below(40)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

fn rule(name: &str, clauses: &str) -> String {
    format!("rule {name} \"Odd\" {{\n    level 60.\n{clauses}}}\n")
}

/// Terms and conditions inside each other.
fn deep(random: &mut Random) -> String {
    let depth = 1 + random.below(66);
    let (open, close, core) = *random.pick(&[
        ("candidates(common_peers(spots(", ", row(C))))", "D"),
        ("candidates(spots(", ", unsolved))", "candidates(C)"),
        ("(", " + 1)", "1"),
        ("(2 * ", ")", "|unsolved|"),
        ("(|unsolved| - ", ")", "|candidates(C)|"),
        ("not ", "", "given(C)"),
        ("forall X in row(C) : (", ")", "sees(X, C)"),
        ("{", "}", "C"),
        ("|spots(candidates(C), row(C)) + ", "|", "unsolved"),
    ]);
    let term = format!("{}{core}{}", open.repeat(depth), close.repeat(depth));
    let condition = match core {
        "1" | "|unsolved|" | "|candidates(C)|" => format!("{term} > 0"),
        "D" => format!("X in {term}"),
        "candidates(C)" => format!("{term} within digits"),
        "C" => format!("{term} within unsolved"),
        "unsolved" => format!("{term} > 3"),
        _ => term,
    };
    rule(
        "odd",
        &format!("    eliminate(C, D) :- C in unsolved, D in candidates(C), {condition}.\n"),
    )
}

/// Helpers upon helpers: doubled, recursive, growing, counting.
fn helpers(random: &mut Random) -> String {
    let count = count(&[5, 40, 400], random);
    let step = *random.pick(&[
        "h{n}(C) :- h{p}(C), h{p}(C).",
        "h{n}(C) :- h{p}(C), sees(C, E), h{p}(E).",
        "h{n}(C) :- h{p}(C). h{n}(C) :- sees(C, E), h{p}(E).",
        "h{n}(C) :- sees(C, E), not h{p}(E).",
        "h{n}(C) :- forall E in peers(C) : (h{p}(E)).",
        "h{n}(C) :- h{n}(E), sees(C, E), h{p}(C). h{n}(C) :- h{p}(C).",
    ]);
    let mut text = match random.below(3) {
        0 => "h0(C) :- C in unsolved.\n".to_string(),
        1 => "h0(C) :- n(N), |candidates(C)| = N.\n\
              n(N) :- N = 1.\nn(N) :- n(M), N = M + 1, N <= 1000000.\n"
            .to_string(),
        _ => "h0(C) :- grown(S), C in S.\ngrown(S) :- C in unsolved, S = {C}.\n\
              grown(T) :- grown(S), C in unsolved, T = S + {C}.\n"
            .to_string(),
    };
    for n in 1..=count {
        let (this, before) = (n.to_string(), (n - 1).to_string());
        text += &step.replace("{n}", &this).replace("{p}", &before);
        text.push('\n');
    }
    text + &rule("odd", &format!("    eliminate(C, D) :- h{count}(C), D in candidates(C).\n"))
}

/// Names, titles and reasons without end.
fn names(random: &mut Random) -> String {
    let long = "abcdefgh".repeat(count(&[10, 1_000, 100_000], random));
    match random.below(4) {
        0 => rule(&long, "    place(C, D) :- candidates(C) within {D}, C in unsolved.\n"),
        1 => rule("odd", &format!("    place(C{long}, D) :- candidates(C{long}) within {{D}}.\n")),
        2 => {
            format!("rule odd \"{long}\" {{ level 1. place(C, D) :- candidates(C) within {{D}}. }}")
        }
        _ => {
            format!("% {long}\n{long}(C) :- C in unsolved.\n")
                + &rule("odd", &format!("    eliminate(C, D) :- {long}(C), D in candidates(C).\n"))
        }
    }
}

/// Lists of cells, digits and conditions.
fn lists(random: &mut Random) -> String {
    let count = count(&[9, 81, 2_000], random);
    let cell = |random: &mut Random| format!("r{}c{}", 1 + random.below(9), 1 + random.below(9));
    let cells: Vec<String> = (0..count).map(|_| cell(random)).collect();
    let cells = cells.join(", ");
    let body = match random.below(4) {
        0 => format!("C in {{{cells}}}, D in candidates(C)"),
        1 => format!("C in unsolved, D in candidates({{{cells}}} & peers(C))"),
        2 => (0..count.min(60)).fold("C in unsolved, D in candidates(C)".into(), |all, n| {
            format!("{all}, X{n} in peers(C), D in candidates(X{n})")
        }),
        _ => (0..count.min(60)).fold("C in unsolved, D in candidates(C)".into(), |all, n| {
            format!("{all}, S{n} in choose({}, unsolved & row(C))", 1 + n % 5)
        }),
    };
    rule("odd", &format!("    eliminate(C, D) :- {body}.\n"))
}

/// One rule of many clauses.
fn clauses(random: &mut Random) -> String {
    let count = count(&[20, 300, 4_000], random);
    let clause = *random.pick(&[
        "    eliminate(C, D) :- C in unsolved, D in candidates(C), |candidates(C)| <= {n} - 1.\n",
        "    eliminate(C, D) :- sees(C, E), candidates(E) within {D}, |unsolved| >= {n}.\n",
        "    place(C, D) :- H in houses, Cs in choose(3, unsolved & H), C in Cs, D in candidates(C), \
         |candidates(Cs)| * {n} <= 2.\n",
        "    contradiction :- C in unsolved, |candidates(C)| * {n} < 0.\n",
    ]);
    let all: String = (1..=count).map(|n| clause.replace("{n}", &n.to_string())).collect();
    rule("odd", &all)
}

/// A file of rules up to its largest size, each under another name.
fn many(seeds: &[String], random: &mut Random) -> String {
    let most = *random.pick(&[20_000, 200_000, MOST_BYTES]);
    let alike = random.below(2) == 0;
    let one = pick(seeds, random);
    let mut text = String::new();
    for n in 0.. {
        let seed = if alike { one.clone() } else { pick(seeds, random) };
        let Some((helpers, rule)) = seed.split_once("rule ") else { continue };
        let name = rule.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let renamed = format!("rule x{n}_{rule}");
        let helpers = if text.contains(helpers) { "" } else { helpers };
        if name.is_empty() || text.len() + helpers.len() + renamed.len() > most {
            break;
        }
        text += helpers;
        text += &renamed;
    }
    text
}

/// As many helpers as there may be, and a rule on top.
fn many_helpers(random: &mut Random) -> String {
    let count = *random.pick(&[2_000, 9_900]);
    let step = *random.pick(&[
        "h{n}(C) :- h{p}(C).\n",
        "h{n}(C) :- h{p}(C), C in unsolved.\nh{n}(C) :- h0(C).\n",
        "h{n}(C) :- sees(C, E), h{p}(E).\n",
        "h{n}(C) :- not h{p}(C), C in unsolved.\n",
        "h{n}(C) :- h{p}(C).\nh{p}(C) :- h{n}(C).\n",
    ]);
    let mut text = "h0(C) :- C in unsolved.\n".to_string();
    for n in 1..=count {
        text += &step.replace("{n}", &n.to_string()).replace("{p}", &(n - 1).to_string());
    }
    text + &rule("odd", &format!("    eliminate(C, D) :- h{count}(C), D in candidates(C).\n"))
}

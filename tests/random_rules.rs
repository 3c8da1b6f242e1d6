//! Rules put together at random: whatever the checker accepts, every back end runs alike.

mod support;

use dokulog::board::Grid;
use dokulog::engine::{BackEnds, Deducer, Engine, Naive, Options};
use dokulog::language::{self, Origin, RuleSet, Source, bundled};
use dokulog::random::Random;
use support::{layout, long, puzzle};

const HEADS: [&str; 12] = [
    "place(C, D)",
    "eliminate(C, D)",
    "eliminate(A, D)",
    "eliminate(A, {D, E})",
    "eliminate(H \\ {C}, D)",
    "eliminate(H \\ B, D)",
    "eliminate(B \\ H, D)",
    "eliminate(H \\ S, T)",
    "eliminate(S, digits \\ T)",
    "eliminate(peers(C), D)",
    "eliminate(common_peers({A, C}), D)",
    "eliminate(A, D), eliminate(C, E)",
];

const CONDITIONS: [&str; 36] = [
    "C in unsolved",
    "A in unsolved & H",
    "C in unsolved & H",
    "C in H \\ B",
    "H in houses",
    "H in lines",
    "H in rows",
    "B in boxes",
    "candidates(C) within {D}",
    "candidates(C) within {D, E}",
    "candidates({A, C}) within {D, E}",
    "spots(D, H) within {C}",
    "spots(D, H) within {A, C}",
    "spots(D, H) within B",
    "spots(D, B) within H",
    "spots(D, H \\ B) within {C}",
    "|spots(D, H)| <= 2",
    "|candidates(A)| = 2",
    "|candidates(C)| <= 2",
    "S in choose(2, unsolved & H)",
    "S in choose(2, H)",
    "T = candidates(S)",
    "T in choose(2, missing(H))",
    "S = spots(T, H)",
    "|T| <= 2",
    "|S| <= 2",
    "sees(A, C)",
    "not sees(A, C)",
    "A != C",
    "A < C",
    "D != E",
    "D < E",
    "live(A, D)",
    "live(C, E)",
    "not given(A)",
    "pair(C, D, E)",
];

/// A rule text; most are refused by the checker, and that is fine.
fn rule(number: u64, random: &mut Random) -> String {
    let mut body: Vec<&str> = Vec::new();
    for _ in 0..2 + random.below(5) {
        let condition = *random.pick(&CONDITIONS);
        if !body.contains(&condition) {
            body.push(condition);
        }
    }
    let head = random.pick(&HEADS);
    let level = 5 + random.below(60);
    format!("rule r{number} \"R\" {{\n level {level}.\n {head} :- {}.\n}}\n", body.join(", "))
}

const HELPER: &str = "pair(C, X, Y) :- C in unsolved, candidates(C) within {X, Y}, X != Y.\n";

/// How many variables a rule has: naive loops over more than four take too long.
fn variables(rule: &str) -> usize {
    let words = rule.split(|c: char| !c.is_alphanumeric());
    let names = words.filter(|word| word.len() == 1 && word.chars().all(char::is_uppercase));
    names.collect::<std::collections::BTreeSet<_>>().len()
}

/// The standard rules, or none, and a random rule; nothing if the checker refuses it.
fn rule_set(number: u64) -> Option<(RuleSet, String)> {
    let mut random = Random::for_item(31, number);
    let rule = rule(number, &mut random);
    if variables(&rule) > 5 {
        return None;
    }
    let text = format!("{HELPER}{rule}");
    let mut sources = if random.below(2) == 0 {
        [bundled::helpers(), bundled::standard()].concat()
    } else {
        Vec::new()
    };
    sources.push((Origin::User, Source { name: "random.rules".to_string(), text: text.clone() }));
    language::load(sources).0.map(|rules| (rules, text))
}

/// Whether naive loops over all bindings are affordable on 9×9: one cell variable only.
fn is_small(text: &str) -> bool {
    !text.contains("A,") && !text.contains("(A") && !text.contains("A ") && !text.contains('E')
}

#[test]
fn random_rules_run_alike_on_every_back_end() {
    let (mut sets, mut nines, wanted) = (0, 0, if long() { 1000 } else { 30 });
    for number in 0.. {
        if sets == wanted {
            break;
        }
        let Some((rules, text)) = rule_set(number) else { continue };
        sets += 1;
        let rule = text.strip_prefix(HELPER).unwrap_or(&text);
        let size = if is_small(rule) { 9 } else { 4 };
        nines += usize::from(size == 9);
        let layout = layout(size);
        let mut naive = Naive::new(&rules);
        let mut workers = [BackEnds::Join, BackEnds::Plain, BackEnds::All].map(|back_ends| {
            let options = Options { back_ends, ..Options::default() };
            (back_ends, Engine::with(&rules, &layout, options).worker())
        });
        for item in 0..2 {
            let start = Grid::from_givens(layout.clone(), &puzzle(&layout, 10 * number + item))
                .expect("no clash");
            let mut expected = start.clone();
            let report = naive.fixpoint(&mut expected);
            let steps = (size == 4).then(|| naive.trace(&mut start.clone()));
            for (back_ends, worker) in &mut workers {
                let context = format!("{back_ends:?}, puzzle {item} of {size}\n{text}");
                let mut found = start.clone();
                let got = worker.fixpoint(&mut found);
                assert_eq!(got.outcome, report.outcome, "{context}");
                assert!(found == expected, "{context}\n{found:?}\n{expected:?}");
                if let Some(steps) = &steps {
                    assert_eq!(&worker.trace(&mut start.clone()), steps, "{context}");
                }
            }
        }
    }
    println!("{sets} rule sets, {nines} of them on 9×9");
}

//! Verdicts on rules. Each file of `tests/proof` has its verdict beside it; the bundled rules are
//! proved; the proofs are held against the evaluators.

#[path = "../fuzz/src/choices.rs"]
mod choices;
#[path = "../fuzz/src/matcher.rs"]
mod matcher;
#[path = "../fuzz/src/states.rs"]
mod states;

use std::sync::{Arc, OnceLock};
use std::thread;

use dokulog::board::Layout;
use dokulog::engine::{Deducer, Engine, Naive, Unfit};
use dokulog::language::{self, Clause, Kind, Literal, Origin, RuleSet, Source};
use dokulog::meaning::Layouts;
use dokulog::proof::{
    Budget, Coverage, Judgement, Options, Verdict, as_json, as_svg, as_text, conclusions, covers,
    holds_everywhere, judge, known, known_everywhere, paragraph, superfluous,
};
use dokulog::random::Random;
use rayon::prelude::*;

use choices::Choices;
use matcher::{claims, is_counterexample, is_recursive};
use states::{layout, solution, state};

fn bundled() -> Vec<(Origin, Source)> {
    let mut sources = language::bundled::helpers();
    sources.extend(language::bundled::standard());
    sources.extend(language::bundled::extended());
    sources.extend(language::bundled::advanced());
    sources.extend(language::bundled::forcing());
    sources
}

fn load(sources: Vec<(Origin, Source)>) -> RuleSet {
    let (rules, diagnostics) = language::load(sources);
    rules.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// The bundled rules and one more file.
fn with(name: &str, text: &str) -> RuleSet {
    let mut sources = bundled();
    sources.push((Origin::User, Source { name: name.into(), text: text.into() }));
    load(sources)
}

fn instance(rules: &RuleSet, name: &str) -> usize {
    rules.instances().iter().position(|i| i.name == name).expect(name)
}

/// The instances of the user's rules.
fn own(rules: &RuleSet) -> Vec<usize> {
    let is_own = |i: &usize| rules.rule(rules.instances()[*i].rule).origin == Origin::User;
    (0..rules.instances().len()).filter(is_own).collect()
}

/// The files of `tests/proof`: name, text, verdict.
fn cases() -> Vec<(String, String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/proof");
    let mut cases: Vec<_> = std::fs::read_dir(folder)
        .expect("tests/proof is there")
        .map(|entry| {
            let path = entry.expect("readable").path();
            let text = std::fs::read_to_string(&path).expect("readable");
            let verdict = text.lines().next().and_then(|line| line.strip_prefix("% verdict: "));
            let verdict = verdict.expect("the first line has the verdict").to_string();
            (path.file_name().expect("a file").to_string_lossy().into_owned(), text, verdict)
        })
        .collect();
    cases.sort();
    cases
}

#[test]
fn every_case_gets_its_verdict() {
    let cases = cases();
    let broken = cases.iter().filter(|(_, _, verdict)| verdict == "unsound").count();
    assert!(broken >= 24, "{broken} broken rules");
    let mut wrong = Vec::new();
    for (file, text, verdict) in cases {
        let rules = with(&file, &text);
        for i in own(&rules) {
            let found = judge(&rules, i, &layout(9), &Options::default());
            if std::env::var_os("DOKULOG_SHOW").is_some() {
                let open = found.counterexample.as_ref().map(|c| 81 - c.state.given().len());
                eprintln!("{file:40} {:16} {open:?} {}", found.verdict.code(), found.questions);
            }
            if found.verdict.code() != verdict {
                wrong.push(format!("{file}: {} {}", found.verdict.code(), found.reason));
            }
            if let Some(shown) = &found.counterexample {
                is_counterexample(&rules, i, shown);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is wrong somewhere has no proof for every layout, whatever is found when it is run.
#[test]
fn nothing_unsound_holds_everywhere() {
    for (file, text, verdict) in cases().into_iter().filter(|(_, _, verdict)| verdict == "unsound")
    {
        let rules = with(&file, &text);
        for i in own(&rules) {
            let everywhere = holds_everywhere(&rules, i, 9, Budget::default());
            assert!(!everywhere, "{file}: {verdict}");
        }
    }
}

/// Where something is said of a set for each member of a `forall`, there is a cell in each of these
/// sets. The four here are different, and no four cells were kept for them once: then there is no
/// such board, and anything follows.
#[test]
fn sets_of_a_forall_have_members_of_their_own() {
    let text = r#"
        found(D, S) :- H in houses, S = spots(D, H).
        rule far_apart "Far apart" {
            level 60.
            eliminate(A, E) :-
                A in unsolved, B in unsolved, F in unsolved, G in unsolved, D in digits,
                spots(D, common_peers({A, B})) within {}, spots(D, common_peers({A, F})) within {},
                spots(D, common_peers({A, G})) within {}, spots(D, common_peers({B, F})) within {},
                spots(D, common_peers({B, G})) within {}, spots(D, common_peers({F, G})) within {},
                forall C in {A, B, F, G} : (found(D, spots(D, peers(C)))), E in candidates(A).
        }"#;
    let rules = with("far_apart.rules", text);
    assert!(!holds_everywhere(&rules, own(&rules)[0], 9, Budget::default()));
}

/// Rules that are sound on one layout and wrong on another: each file says it, `% on x: unsound`.
#[test]
fn verdicts_are_those_of_the_layout() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/proof_layouts");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("it is there")
        .map(|e| e.expect("readable").path())
        .collect();
    files.sort();
    let layouts = Layouts::bundled();
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("readable");
        let file = path.file_name().expect("a file").to_string_lossy().into_owned();
        let rules = with(&file, &text);
        let (mut refuted, mut asked) = (false, Vec::new());
        for line in text.lines().map_while(|line| line.strip_prefix("% on ")) {
            let (name, verdict) = line.rsplit_once(": ").expect("a layout and a verdict");
            let layout = layouts.find(name).unwrap_or_else(|_| panic!("{name}"));
            refuted |= verdict == "unsound";
            asked.push((layout, name, verdict));
        }
        assert!(refuted, "{file} is wrong nowhere");
        for i in own(&rules) {
            assert!(!holds_everywhere(&rules, i, 9, Budget::default()), "{file}");
            for (layout, name, verdict) in &asked {
                let found = judge(&rules, i, layout, &Options::default());
                if found.verdict.code() != *verdict {
                    let found = (found.verdict.code(), &found.reason);
                    wrong.push(format!("{file} on {name}: {found:?}"));
                }
                let runs = Unfit::find(&rules, &rules.instances()[i], layout).is_none();
                if let Some(shown) = found.counterexample.as_ref().filter(|_| runs) {
                    is_counterexample(&rules, i, shown);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The numbers of digits that bundled layouts with further houses have, and for which it is noted
/// what holds on every layout.
const SIZES: [usize; 2] = [6, 9];

/// For each bundled rule, the numbers of digits with which it is proved for every layout, by proofs
/// made here and now: what is noted of it counts for nothing.
fn everywhere() -> &'static [Vec<usize>] {
    static PROVED: OnceLock<Vec<Vec<usize>>> = OnceLock::new();
    PROVED.get_or_init(|| {
        let rules = load(bundled());
        let holds = |&size: &usize| -> Vec<bool> {
            let all = 0..rules.instances().len();
            all.map(|i| holds_everywhere(&rules, i, size, Budget::default())).collect()
        };
        let by_size: Vec<Vec<bool>> = thread::scope(|scope| {
            let started = SIZES.each_ref().map(|size| scope.spawn(|| holds(size)));
            started.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let sizes = |i: usize| SIZES.into_iter().zip(&by_size).filter(move |(_, holds)| holds[i]);
        (0..rules.instances().len()).map(|i| sizes(i).map(|(size, _)| size).collect()).collect()
    })
}

/// `docs/layouts.md` says which rules are proved for every layout. To write it anew:
/// `DOKULOG_BLESS=1 cargo test --test texts proof::`.
#[test]
fn the_manual_says_what_holds_everywhere() {
    let rules = load(bundled());
    let mut said = String::new();
    for size in SIZES {
        let (mut there, mut open) = (Vec::new(), Vec::new());
        for (instance, sizes) in rules.instances().iter().zip(everywhere()) {
            if !rules.rule(instance.rule).assumes_unique {
                let list = if sizes.contains(&size) { &mut there } else { &mut open };
                list.push(format!("`{}`", instance.name));
            }
        }
        let all = there.len() + open.len();
        said += &format!("With {size} digits, {} of {all} are proved so", there.len());
        said += &match open.is_empty() {
            true => ".\n\n".to_string(),
            false => {
                format!(", and layout by layout, as far as they are: {}.\n\n", open.join(", "))
            }
        };
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/layouts.md");
    let text = std::fs::read_to_string(path).expect("readable");
    let begin = "<!-- proved: written by tests/proof.rs -->\n";
    let end = "<!-- end -->";
    let (before, rest) = text.split_once(begin).expect("where it begins");
    let (there, after) = rest.split_once(end).expect("where it ends");
    if std::env::var_os("DOKULOG_BLESS").is_some() {
        std::fs::write(path, format!("{before}{begin}{said}{end}{after}")).expect("writable");
    } else {
        assert_eq!(there, said);
    }
}

/// The bundled rules are proved, and the table of their verdicts says so. To write the table anew:
/// `DOKULOG_BLESS=1 cargo test --test texts proof::`; twice where rules that suppose rest on new verdicts.
#[test]
fn no_unproved_rule_ships() {
    let rules = load(bundled());
    let everywhere = everywhere();
    let judged = rules.instances().par_iter().enumerate().map(|(i, instance)| {
        let found = judge(&rules, i, &layout(9), &Options::default());
        // A rule that has nothing to do on 9 × 9 is for some other layout, and proved there.
        let elsewhere = Unfit::find(&rules, instance, &layout(9)).map(|_| {
            assert_eq!(found.verdict, Verdict::NeverFires, "{}", instance.name);
            let fits = |layout: &Arc<Layout>| Unfit::find(&rules, instance, layout).is_none();
            let layouts = Layouts::bundled();
            let all = layouts.names().filter_map(|(name, _)| layouts.find(name).ok());
            let judged = all.filter(fits).map(|l| judge(&rules, i, &l, &Options::default()));
            let fires = |found: &Judgement| found.verdict != Verdict::NeverFires;
            { judged }.find(fires).expect("a layout on which it fires")
        });
        let proved = elsewhere.as_ref().unwrap_or(&found);
        if !matches!(proved.verdict, Verdict::Sound | Verdict::SoundIfUnique) {
            return Err(format!("{}: {:?} {}", instance.name, proved.verdict, proved.reason));
        }
        Ok(paragraph(&rules, instance, found.verdict, &everywhere[i]))
    });
    let (proved, wrong): (Vec<_>, Vec<_>) =
        judged.collect::<Vec<_>>().into_iter().partition(Result::is_ok);
    let table: String = proved.into_iter().flatten().collect();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/proof/proved.txt");
    if std::env::var_os("DOKULOG_BLESS").is_some() {
        std::fs::write(file, &table).expect("writable");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    if std::env::var_os("DOKULOG_BLESS").is_some() {
        return;
    }
    for instance in rules.instances() {
        let name = &instance.name;
        assert!(known(&rules, instance).is_some(), "{name} is not in src/proof/proved.txt");
    }
    assert_eq!(std::fs::read_to_string(file).expect("readable"), table);
}

#[test]
fn a_changed_rule_is_not_known() {
    let text = "rule pointing \"Pointing\" { level 20. \
        eliminate(L, D) :- B in boxes, L in lines, spots(D, B) within L. }";
    let rules = with("mine.rules", text);
    let pointing = &rules.instances()[instance(&rules, "pointing")];
    assert_eq!(known(&rules, pointing), None);
    assert!(!known_everywhere(&rules, pointing, 9));
    let claiming = &rules.instances()[instance(&rules, "claiming")];
    assert!(known_everywhere(&rules, claiming, 9) && !known_everywhere(&rules, claiming, 5));
    assert!(known(&rules, &rules.instances()[instance(&rules, "claiming")]).is_some());
}

#[test]
fn meanings_are_found_and_said() {
    let rules = load(bundled());
    let said = |name: &str| {
        judge(&rules, instance(&rules, name), &layout(9), &Options::default()).meanings
    };
    assert_eq!(said("aic"), ["`aic(A,X,B,Y)`: A is X or B is Y"]);
    assert_eq!(said("x_chain"), ["`x_chain(D,A,B)`: A is D or B is D"]);
    assert_eq!(
        said("colour_trap"),
        ["`even(D,A,C)`: A is D exactly if C is D", "`odd(D,A,B)`: either A is D or B is D"]
    );
}

/// How the reason begins where work may have ended: what helpers mean is found within a part of
/// it, too, and states on which a rule fires.
const ENDED: [&str; 4] =
    ["the budget ran out", "the meanings found", "no state was found", "it supposes with"];

fn is_long_test() -> bool {
    std::env::var_os("DOKULOG_LONG_TESTS").is_some()
}

/// Whether a rule takes minutes where everything is unfolded or every binding tried: it is one of
/// the hard ones, or has helpers about sets.
fn is_long(rules: &RuleSet, instance: usize) -> bool {
    let rule = rules.rule(rules.instances()[instance].rule);
    let is_set = |kind: &Kind| matches!(kind, Kind::Cells | Kind::Digits | Kind::Houses);
    let helpers = rules.reachable(rule.clauses.iter().flat_map(Clause::calls));
    matches!(rule.origin, Origin::Advanced | Origin::Forcing)
        || helpers.into_iter().any(|helper| rules.predicate(helper).kinds.iter().any(is_set))
}

/// Every binding, and bindings up to symmetry, lead to the same verdict. Without symmetry there is
/// more to do, and the work allowed may end first: with `DOKULOG_LONG_TESTS` all is allowed, else a
/// part of it, and rules of many cells are left out.
#[test]
fn symmetry_changes_no_verdict() {
    let layout = layout(4);
    let long = is_long_test();
    let work = if long { 16 * Budget::USUAL } else { Budget::USUAL / 16 };
    let all = Options { symmetry: false, budget: Budget::new(work) };
    let mut sets = vec![load(bundled())];
    sets.extend(cases().iter().map(|(file, text, _)| with(file, text)));
    let mut compared = 0;
    for (n, rules) in sets.iter().enumerate() {
        let mut chosen = if n == 0 { (0..rules.instances().len()).collect() } else { own(rules) };
        let few = ["w_wing", "turbot", "skyscraper"];
        let is_few = |i: usize| few.iter().all(|few| !rules.instances()[i].name.starts_with(few));
        chosen.retain(|&i| long || is_few(i) && !is_long(rules, i));
        for i in chosen {
            let one_by_one = judge(rules, i, &layout, &all);
            if !ENDED.iter().any(|ended| one_by_one.reason.starts_with(ended)) {
                let up_to_symmetry = judge(rules, i, &layout, &Options::default()).verdict;
                let name = &rules.instances()[i].name;
                assert_eq!(up_to_symmetry, one_by_one.verdict, "{name}: {}", one_by_one.reason);
                compared += 1;
            }
        }
    }
    assert!(compared > 60, "{compared} verdicts compared");
}

/// How far recursive helpers are unfolded here: what is left out is not concluded.
const UNFOLDINGS: usize = 2;

/// On random states, the propositions of the proof and the evaluators conclude the same.
#[test]
fn proof_and_matcher_agree() {
    let layout = layout(4);
    let mut random = Random::new(7);
    let mut sets = vec![load(bundled())];
    sets.extend(cases().iter().map(|(file, text, _)| with(file, text)));
    let mut compared = 0;
    for (n, rules) in sets.iter().enumerate() {
        let chosen: Vec<usize> =
            if n == 0 { (0..rules.instances().len()).collect() } else { own(rules) };
        let mut worker = Engine::assuming_unique(rules, &layout).worker();
        for i in chosen.into_iter().filter(|&i| is_long_test() || !is_long(rules, i)) {
            for _ in 0..3 {
                let bytes: Vec<u8> = (0..100).map(|_| random.bits() as u8).collect();
                let mut choices = Choices::new(&bytes);
                let solution = solution(&layout, &mut choices);
                let state = state(&layout, &solution, false, &mut choices);
                let matches = Naive::new(rules).matches(i, &state);
                let name = &rules.instances()[i].name;
                assert_eq!(matches, worker.matches(i, &state), "{name}");
                // What asks for derivations may be any facts to the propositions.
                let rule = rules.rule(rules.instances()[i].rule);
                if rule.clauses.iter().any(|c| c.conditions().any(Literal::traces)) {
                    continue;
                }
                let claimed = conclusions(rules, i, &state, UNFOLDINGS);
                let found = claims(rules, i, &matches);
                compared += claimed.len();
                // What a hypothesis leads to is anything to the proof that is true of the solution.
                if rules.rule(rules.instances()[i].rule).supposes() {
                    assert!(found.is_subset(&claimed), "{name} on\n{state:?}");
                    continue;
                }
                assert!(claimed.is_subset(&found), "{name} on\n{state:?}");
                assert!(is_recursive(rules, i) || claimed == found, "{name} on\n{state:?}");
            }
        }
    }
    assert!(compared > 500, "{compared} conclusions compared");
}

#[test]
fn counterexamples_are_shown() {
    let (file, text, _) =
        cases().into_iter().find(|(f, _, _)| f == "xy_wing_one_pincer.rules").expect("there");
    let rules = with(&file, &text);
    let i = own(&rules)[0];
    let found = judge(&rules, i, &layout(9), &Options::default());
    let json = serde_json::to_value(as_json(&rules, i, &found, 1.25)).expect("JSON");
    let shown = &json["counterexample"];
    assert_eq!(json["rule"], "xy_wing_one_pincer");
    assert_eq!(json["verdict"], "unsound");
    assert_eq!(shown["puzzle"].as_str().map(str::len), Some(81));
    assert_eq!(shown["state"].as_str().map(str::len), Some(729));
    assert_eq!(shown["solution"].as_str().map(str::len), Some(81));
    assert!(shown["conclusion"]["eliminate"]["cell"].is_string());
    assert!(shown["bindings"]["P"].is_string());
    let keys: Vec<&String> = json.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["rule", "params", "verdict", "millis", "counterexample"]);
    let shown = found.counterexample.expect("one");
    let text = as_text(&rules, &shown);
    assert!(text.contains("It eliminates") && text.contains('!'), "{text}");
    assert!(as_svg(&rules, &shown).starts_with("<svg"));
}

#[test]
fn superfluous_conditions_are_found() {
    let text = "rule wing \"Wing\" { level 51. \
        eliminate(common_peers({A, B}), Z) :- bivalue(P, X, Y), bivalue(A, X, Z), sees(P, A), \
        bivalue(B, Y, Z), sees(P, B), Z != X, not sees(A, B). }";
    let rules = with("wing.rules", text);
    let i = own(&rules)[0];
    let found = superfluous(&rules, i, &layout(9), &Options::default());
    let found: Vec<&str> = found.into_iter().map(|span| rules.text(span)).collect();
    assert_eq!(found, ["Z != X", "not sees(A, B)"]);
}

#[test]
fn covering_is_decided() {
    let rules = load(bundled());
    let of = |a: &str, b: &str| {
        let (a, b) = (instance(&rules, a), instance(&rules, b));
        covers(&rules, a, b, &layout(9), &Options::default())
    };
    assert!(matches!(of("skyscraper", "turbot_fish"), Coverage::Covered));
    assert!(matches!(of("naked_single", "hidden_single"), Coverage::NotCovered(_)));
    assert!(matches!(of("turbot_fish", "skyscraper"), Coverage::NotCovered(_)));
    assert!(matches!(of("skyscraper", "x_chain"), Coverage::Covered));
}

//! A crate that depends on this one, as others would write it: it deduces, explains and proves in
//! a few lines, without the program and without the modules inside.

use std::fs;
use std::path::Path;
use std::process::Command;

use dokulog::{Error, Outcome, Puzzle, Rules, Solution};

const PROGRAM: &str = r#"use dokulog::{Puzzle, Rules};

fn main() -> Result<(), dokulog::Error> {
    let line = "2..1...578...76..2...2..8.96...93...75...............4.....1....987...........38.";
    let puzzle: Puzzle = line.parse()?;
    let rules = Rules::standard();
    println!("{}", rules.deduce(&puzzle)?.puzzle);
    println!("{}", rules.explain(&puzzle)?.steps[6]);
    println!("{}", rules.prove("pointing")?[0]);
    Ok(())
}
"#;

const SAID: &str = "\
249138657835976412176254839624593178751842963983617524462381795398765241517429386
Pointing: in box 9, every 7 is on row 7, so 7 goes nowhere else on row 7. Remove 7 from r7c2 and \
r7c3.
pointing: sound
";

/// Makes the crate and runs it.
fn run(name: &str, program: &str) -> std::process::Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::create_dir_all(folder.join("src")).expect("a folder for the crate");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         dokulog = {{ path = {root:?}, default-features = false }}\n\n\
         [profile.dev]\ndebug = 0\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::write(folder.join("src/main.rs"), program).expect("a program");
    // The same versions, which are here already.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a copy");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dependent-target");
    Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo")
}

#[test]
fn a_dependent_crate_deduces_explains_and_proves() {
    assert!(PROGRAM.lines().count() <= 12);
    let ran = run("dependent", PROGRAM);
    let error = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), SAID, "{error}");
    // What is inside stays inside.
    let ran = run("prying", "fn main() { dokulog::engine::gaps; }");
    let error = String::from_utf8_lossy(&ran.stderr);
    assert!(error.contains("module `engine` is private"), "{error}");
}

/// A puzzle with two solutions.
const TWO: &str =
    "..24......3..29...748...9.2....4.5.6...7.51....59....4261......5....3.28.9.......";

#[test]
fn several_solutions_are_told_and_rules_that_assume_one_refuse_them() {
    let puzzle: Puzzle = TWO.parse().expect("a puzzle");
    assert_eq!(puzzle.count(10), Ok(2));
    let rules = Rules::extended();
    let Ok(Solution::Several(first, second)) = rules.solve(&puzzle) else {
        panic!("there are two solutions");
    };
    assert!(first != second && first.is_solved() && second.is_solved());
    assert!(!rules.names().contains(&"unique_rectangle".to_string()));
    let unique = rules.assuming_unique();
    assert!(unique.names().contains(&"unique_rectangle".to_string()));
    for refused in [
        unique.deduce(&puzzle).map(|_| ()),
        unique.solve(&puzzle).map(|_| ()),
        unique.explain(&puzzle).map(|_| ()),
        unique.hint(&puzzle).map(|_| ()),
        unique.rate(&puzzle).map(|_| ()),
    ] {
        assert!(matches!(refused, Err(Error::NotUnique(_))), "{refused:?}");
    }
}

#[test]
fn what_is_wrong_is_said_in_a_sentence() {
    let said = |error: Error| error.to_string();
    let bad = "nonsense".parse::<Puzzle>().map_err(said).expect_err("no puzzle");
    assert!(bad.starts_with("no puzzle found"), "{bad}");
    let rules = Rules::standard();
    let bad = rules.prove("naked_subst").map_err(said).expect_err("no rule");
    assert_eq!(bad, "there is no rule naked_subst: did you mean naked_subset?");
    let bad = rules.with("rule x").map(|_| ()).map_err(said).expect_err("no rule file");
    assert!(bad.contains("E001"), "{bad}");
    let bad = "11......33......".parse::<Puzzle>().map_err(said).expect_err("a clash");
    assert_eq!(bad, "line 1, column 2: 1 is already in row 1 (r1c1)");
}

#[test]
fn what_is_made_is_solved_rated_and_explained() {
    let rules = Rules::extended();
    for seed in 1..=5 {
        let puzzle = Puzzle::generate(seed);
        assert_eq!(puzzle.count(2), Ok(1));
        assert_eq!(puzzle.to_string().parse(), Ok(puzzle.clone()));
        let (deduced, told) = (rules.deduce(&puzzle), rules.explain(&puzzle));
        let (deduced, told) = (deduced.expect("no refusal"), told.expect("no refusal"));
        let rated = rules.rate(&puzzle).expect("no refusal");
        assert_eq!(told.end, deduced);
        assert_eq!(rated.steps, told.steps.len());
        assert_eq!(rated.grade.is_some(), deduced.outcome == Outcome::Solved);
        let hint = rules.hint(&puzzle).expect("no refusal").expect("a step");
        assert_eq!(hint, told.steps[0]);
        let Ok(Solution::One(solution)) = rules.solve(&puzzle) else { panic!("one solution") };
        assert!(deduced.outcome != Outcome::Solved || solution == deduced.puzzle);
    }
}

//! `docs/techniques.md` and its pictures: one for every bundled rule, drawn from a position where
//! it applies. Run with `DOKULOG_BLESS=1` to draw them anew, then look at them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dokulog::engine::{Engine, tell};
use dokulog::language::{Origin, RuleSet, bundled};
use dokulog::text;
use dokulog::trace::{Caption, Language, Marks, Notation, Picture, Speaker, ToldStep, Words};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// `instance  rules used  puzzle`: the picture shows the first use of the instance.
fn positions() -> Vec<(String, Vec<String>, String)> {
    let path = folder().join("techniques/positions.txt");
    let text = fs::read_to_string(path).expect("the list of positions");
    let line = |line: &str| {
        let [instance, rules, puzzle] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("not three words: {line}");
        };
        let rules = rules.split(',').map(str::to_string).collect();
        (instance.to_string(), rules, puzzle.to_string())
    };
    text.lines().map(line).collect()
}

/// The rules of a position: names, or names with a parameter.
fn only(all: &RuleSet, names: &[String]) -> RuleSet {
    all.keep(|rule, instance| names.iter().any(|n| *n == rule.name || *n == instance.name))
}

/// The first use of an instance.
fn first_use(rules: &RuleSet, instance: &str, puzzle: &str) -> ToldStep {
    let items = text::read(puzzle.as_bytes(), text::Hint::default()).expect("a puzzle");
    let grid = items.into_iter().next().expect("one puzzle").expect("a puzzle").grid;
    let story = tell(rules, &mut Engine::assuming_unique(rules, grid.layout()).worker(), &grid);
    let used = |step: &ToldStep| rules.instances()[step.account.found.instance].name == instance;
    story.steps.into_iter().find(used).unwrap_or_else(|| panic!("{instance} is not used"))
}

fn check(path: &Path, text: &str) {
    if std::env::var_os("DOKULOG_BLESS").is_some() {
        fs::write(path, text).expect("a file that can be written");
        return;
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert!(kept == text, "{} is out of date: DOKULOG_BLESS=1 draws it anew", path.display());
}

#[test]
fn every_technique_has_its_picture() {
    let all = bundled::rules();
    let mut page = String::from(
        "# Techniques in pictures\n\n\
         Every technique that comes with dokulog, with its idea and one position where it applies. \
         The ideas are the comments of the rule files, the sentences are what `dokulog explain` \
         says, and the pictures are what it draws: the house the argument starts from has a solid \
         outline, the one where it ends a dashed one; pattern cells are tinted, pattern candidates \
         ringed, eliminated ones struck through, placed digits boxed; in a chain a solid \
         arrow says \"one of the two\", a dashed one \"not both\", a square is a candidate that is \
         supposed not to be, a disc one that then is. Fins are diamonds, sets of cells have frames \
         of their own, groups a band around them; below each picture stands what is on it.\n",
    );
    let mut drawn: BTreeSet<String> = BTreeSet::new();
    let mut explained: BTreeSet<String> = BTreeSet::new();
    let mut list = positions();
    let place = |name: &String| all.instances().iter().position(|i| i.name == *name);
    list.sort_by_key(|(instance, ..)| place(instance));
    for (name, used, puzzle) in list {
        let rules = only(&all, &used);
        let told_step = first_use(&rules, &name, &puzzle);
        let words = Words::plain(told_step.before.layout().clone());
        let speaker = Speaker { rules: &rules, words: &words };
        let marks = Marks::of(&rules, &told_step.account, &told_step.before);
        let heading = speaker.title(told_step.account.found.instance);
        let caption = Caption { heading: heading.clone(), text: String::new() };
        let svg = Picture::new(&words).svg(&told_step.before, &marks, &caption);
        let file = format!("{}.svg", name.replace(':', "_"));
        check(&folder().join("techniques").join(&file), &svg);
        let rule = rules.rule(rules.instances()[told_step.account.found.instance].rule);
        let french = Words { language: Language::Fr, notation: Notation::Rc, ..words.clone() };
        let french = Speaker { rules: &rules, words: &french };
        let origin = match rule.origin {
            Origin::Standard => "standard",
            Origin::Advanced => "advanced",
            Origin::Forcing => "forcing",
            _ => "extended",
        };
        page += &format!(
            "\n## {heading}\n\n`{name}`, level {}, {origin}; in French *{}*.\n",
            rules.instances()[told_step.account.found.instance].level,
            french.title(told_step.account.found.instance),
        );
        if explained.insert(rule.name.clone()) {
            page += &format!("\n{}\n", rule.comment.trim());
        }
        page += &format!("\n![{heading}](techniques/{file})\n\n");
        page += &format!("> {}\n", speaker.sentence(&told_step.account, &told_step.before));
        for link in speaker.chain(&told_step.account, &told_step.before) {
            page += &format!("> - {link}\n");
        }
        for branch in &told_step.account.branches {
            let below = rules.below(branch.hypothesis.below);
            let under = Speaker { rules: &below, words: &words };
            let step = |step: &ToldStep| {
                let title = under.title(step.account.found.instance);
                format!("{title} → {}", words.effects(&step.account.found.conclusion))
            };
            let mut steps: Vec<String> = branch.steps.iter().map(step).collect();
            steps.extend(branch.end.hole().map(|hole| words.hole(hole)));
            if steps.is_empty() {
                steps.push("that says it already".to_string());
            }
            let supposed = words.hypothesis(&branch.hypothesis);
            page += &format!("> - Suppose {supposed}: {}.\n", steps.join("; "));
        }
        page += &format!(">\n> {}\n", french.sentence(&told_step.account, &told_step.before));
        drawn.insert(name);
    }
    check(&folder().join("techniques.md"), &page);
    for instance in all.instances() {
        assert!(drawn.contains(&instance.name), "no picture of {}", instance.name);
    }
}

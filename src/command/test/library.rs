//! Scoring rules on a technique library.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::super::input::{read_bytes, shown};
use super::super::{Context, Failure, Run, Status, print, say};
use crate::engine::{Deducer, Naive};
use crate::language::RuleSet;
use crate::text::library::{Case, RULES};

/// How many cases of a code there are, and how many some rule meets.
#[derive(Default)]
struct Score {
    met: usize,
    cases: usize,
    missed: Vec<usize>,
}

/// For each technique, how many cases have a match with exactly the stated effect.
///
/// A rule that is named as ours for a technique is held against that technique; a rule of another
/// name against all, and what it meets nothing of is not shown.
pub fn score(rules: &RuleSet, path: &Path, context: &Context) -> Run {
    let bytes = read_bytes(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut cases = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if !line.trim().is_empty() && !line.starts_with('#') {
            let case = Case::parse(line).map_err(|(column, why)| {
                Failure::new(format!("{}:{}:{column}: {why}", shown(path), i + 1))
            })?;
            cases.push((i + 1, case));
        }
    }
    let mut naive = Naive::new(rules);
    let mut failed = false;
    let mut total = (0, 0);
    for (place, instance) in rules.instances().iter().enumerate() {
        let named = RULES.iter().any(|(_, rule)| *rule == instance.name);
        let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
        let mut seen: HashMap<&str, bool> = HashMap::new();
        for (line, case) in &cases {
            let ours = case.rule() == Some(instance.name.as_str());
            if !ours && (named || case.rule().is_none()) {
                continue;
            }
            let score = scores.entry(case.code.as_str()).or_default();
            score.cases += 1;
            if meets(&mut naive, place, case) {
                score.met += 1;
                seen.insert(case.code.as_str(), true);
            } else {
                score.missed.push(*line);
            }
        }
        for (code, score) in scores.iter().filter(|(code, _)| named || seen.contains_key(*code)) {
            let Score { met, cases, missed } = score;
            total = (total.0 + met, total.1 + cases);
            failed |= !missed.is_empty();
            print(&format!("{code} {}: {met} of {cases}\n", instance.name))?;
            if !missed.is_empty() && !context.quiet {
                let lines: Vec<String> = missed.iter().map(usize::to_string).collect();
                say(&format!("  missed: {}:{}", shown(path), lines.join(",")));
            }
        }
    }
    print(&format!("{} of {} cases\n", total.0, total.1))?;
    Ok(if failed { Status::Failed } else { Status::Done })
}

/// Whether some match has exactly the stated effect, or no match any where none must be.
fn meets(naive: &mut Naive, instance: usize, case: &Case) -> bool {
    let mut effects = naive.matches(instance, &case.grid).into_iter().map(|m| m.conclusion);
    if case.finds_nothing() {
        return effects.all(|effect| effect.is_empty());
    }
    effects.any(|effect| effect.places == case.places && effect.eliminates == case.eliminates)
}

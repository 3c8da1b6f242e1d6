//! Scoring rules on a technique library.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::super::input::{read_bytes, shown};
use super::super::{Context, Failure, Run, Status, print, say};
use crate::board::Layout;
use crate::engine::{Deducer, Engine, Worker};
use crate::language::RuleSet;
use crate::text::library::Case;

/// The cases of a library, each with its line.
type Cases = Vec<(usize, Case)>;

/// For each technique, how many cases have a match with exactly the stated effect.
///
/// A rule is held against the techniques that it `scores`; one that names none against all, and
/// what it meets nothing of is not shown. A case that no rule meets is missed, also where there is
/// no rule for it.
pub fn score(rules: &RuleSet, path: &Path, context: &Context) -> Run {
    let cases = read(path)?;
    let layout = Layout::classic(9).expect("9 is a classic size");
    let mut worker = Engine::assuming_unique(rules, &layout).worker();
    let mut met: BTreeSet<usize> = BTreeSet::new();
    let mut scored: BTreeSet<&str> = BTreeSet::new();
    for (place, instance) in rules.instances().iter().enumerate() {
        let named = !instance.scores.is_empty();
        let mut of_code: BTreeMap<&str, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (line, case) in &cases {
            if named && !instance.scores.contains(&case.code) {
                continue;
            }
            let (hits, misses) = of_code.entry(&case.code).or_default();
            match meets(&mut worker, place, case) {
                true => hits.push(*line),
                false => misses.push(*line),
            }
        }
        for (code, (hits, misses)) in of_code {
            if !named && hits.is_empty() {
                continue;
            }
            scored.insert(code);
            let count = hits.len() + misses.len();
            print(&format!("{code} {}: {} of {count}\n", instance.name, hits.len()))?;
            missed(&misses, path, context);
            met.extend(hits);
        }
    }
    let mut without: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (line, case) in cases.iter().filter(|(_, case)| !scored.contains(case.code.as_str())) {
        without.entry(&case.code).or_default().push(*line);
    }
    for (code, lines) in &without {
        print(&format!("{code} has no rule: 0 of {}\n", lines.len()))?;
        missed(lines, path, context);
    }
    print(&format!("{} of {} cases\n", met.len(), cases.len()))?;
    Ok(if met.len() == cases.len() { Status::Done } else { Status::Failed })
}

fn missed(lines: &[usize], path: &Path, context: &Context) {
    if !lines.is_empty() && !context.quiet {
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        say(&format!("  missed: {}:{}", shown(path), lines.join(",")));
    }
}

fn read(path: &Path) -> Result<Cases, Failure> {
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
    Ok(cases)
}

/// Whether some match has exactly the stated effect, or no match any where none must be.
fn meets(worker: &mut Worker, instance: usize, case: &Case) -> bool {
    let mut effects = worker.matches(instance, &case.grid).into_iter().map(|m| m.conclusion);
    if case.finds_nothing() {
        return effects.all(|effect| effect.is_empty());
    }
    effects.any(|effect| effect.places == case.places && effect.eliminates == case.eliminates)
}

//! Scoring rules on a technique library.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;

use super::super::input::{read_bytes, shown};
use super::super::shelf::{AT_A_TIME, Lent, Shelf};
use super::super::{Context, Failure, Run, Status, print, say};
use crate::board::Layout;
use crate::engine::{Deducer, Engine, Options, Worker};
use crate::language::RuleSet;
use crate::text::library::Case;

/// A case of a library, with its line.
type Numbered = (usize, Case);

/// For each technique, how many cases have a match with exactly the stated effect.
///
/// A rule is held against the techniques that it `scores`. Only where no rule names any are all
/// held against all, and what a rule meets nothing of is not shown: a net meets by chance what a
/// wing is asked for. A case that no rule meets is missed, also where there is no rule for it.
pub(super) fn score(rules: &RuleSet, path: &Path, context: &Context) -> Run {
    let cases = read(path)?;
    let named = rules.instances().iter().any(|instance| !instance.scores.is_empty());
    let met = context.share(|| meetings(rules, &cases, named))?;
    let mut scored: BTreeSet<&str> = BTreeSet::new();
    for (place, instance) in rules.instances().iter().enumerate() {
        let mut of_code: BTreeMap<&str, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for ((line, case), met) in cases.iter().zip(&met) {
            let Some(&is_met) = met.get(&place) else { continue };
            let (hits, misses) = of_code.entry(&case.code).or_default();
            if is_met { hits.push(*line) } else { misses.push(*line) }
        }
        of_code.retain(|_, (hits, _)| named || !hits.is_empty());
        for (code, (hits, misses)) in of_code {
            scored.insert(code);
            let count = hits.len() + misses.len();
            print(&format!("{code} {}: {} of {count}\n", instance.name, hits.len()))?;
            missed(&misses, path, context);
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
    let count = met.iter().filter(|met| met.values().any(|&is_met| is_met)).count();
    print(&format!("{count} of {} cases\n", cases.len()))?;
    Ok(if count == cases.len() { Status::Done } else { Status::Failed })
}

/// How much more a rule may try here than elsewhere: a library asks whether it finds something, not
/// how soon.
const PATIENCE: u64 = 100;

/// For each case, the instances held against it and whether they meet it.
fn meetings(rules: &RuleSet, cases: &[Numbered], named: bool) -> Vec<BTreeMap<usize, bool>> {
    let layout = Layout::classic(9).expect("9 is a classic size");
    let usual = Options::default();
    let budget = usual.budget.saturating_mul(PATIENCE);
    let options = Options { budget, assume_unique: true, ..usual };
    let engine = Engine::with(rules, &layout, options).expect("uniqueness is assumed");
    let shelf = Shelf::new(|| engine.worker());
    let held = |worker: &mut Lent<Worker>, (_, case): &Numbered| {
        let instances = rules.instances().iter().enumerate();
        let asked = instances.filter(|(_, i)| !named || i.scores.contains(&case.code));
        asked.map(|(place, _)| (place, meets(worker, place, case))).collect()
    };
    cases.par_iter().with_max_len(AT_A_TIME).map_init(|| shelf.lend(), held).collect()
}

fn missed(lines: &[usize], path: &Path, context: &Context) {
    if !lines.is_empty() && !context.quiet {
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        say(&format!("  missed: {}:{}", shown(path), lines.join(",")));
    }
}

fn read(path: &Path) -> Result<Vec<Numbered>, Failure> {
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

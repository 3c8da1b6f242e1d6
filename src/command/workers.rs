//! What is to be said of a run by the rules.

use super::prove::typed;
use crate::board::{Grid, Hole};
use crate::engine::Deducer;
use crate::language::RuleSet;
use crate::search::{Reasoner, Workers, WrongStep};
use crate::trace::{Outcome, Words};

/// What is said where the budget of a rule ran out.
pub(super) const CUT_OFF: &str = "there is too much to try, and it was cut off";

/// What is to be said of the rules that were cut off, if there are any.
pub(super) fn cut_off(rules: &RuleSet, instances: &[usize]) -> Option<String> {
    let names = instances.iter().map(|&i| rules.instances()[i].name.as_str());
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| format!("rule {}: {CUT_OFF}", names.join(", ")))
}

/// Which rule is wrong, where one has led to the loss of a solution.
pub(super) fn wrong_rule(reasoner: &Reasoner, workers: &mut Workers, grid: &Grid) -> String {
    match reasoner.wrong_step(workers, grid) {
        Some((instance, step)) => {
            wrong_step(reasoner.rules(), instance, step, &Words::plain(grid.layout().clone()))
        }
        // A rule may just say so; and step by step a wrong one may lead elsewhere.
        None => "a rule is wrong: the puzzle has a solution, which is lost".to_string(),
    }
}

/// A wrong step in words.
pub(super) fn wrong_step(
    rules: &RuleSet,
    instance: usize,
    WrongStep { number, lost }: WrongStep,
    words: &Words,
) -> String {
    let (name, prove) = (&rules.instances()[instance].name, typed(rules, instance));
    let (cell, digit) = (words.cell(lost.cell), lost.digit);
    words.pick(
        format!(
            "rule {name} is wrong: step {number} takes {digit} from {cell}, which the solution has \
             there; {prove} looks into it"
        ),
        format!(
            "la règle {name} est fausse : l'étape {number} retire {digit} de {cell}, où la solution \
             l'a ; {prove} l'examine"
        ),
    )
}

/// Why there is no solution, for people: found again step by step.
pub(super) fn contradiction(
    reasoner: &Reasoner,
    workers: &mut Workers,
    grid: &Grid,
) -> Option<String> {
    let worker = reasoner.worker(workers, grid).ok()?;
    let (report, _) = worker.trace(&mut grid.clone());
    let Outcome::Contradiction { hole, instance, step } = report.outcome else {
        return Some("contradiction".to_string());
    };
    let layout = grid.layout();
    let what = match hole {
        Some(Hole::Cell(cell)) => format!("no candidate left in {}", layout.cell_name(cell)),
        Some(Hole::House(house, digit)) => {
            format!("no spot left for {digit} in {}", layout.house_name(house))
        }
        None => "a rule says so".to_string(),
    };
    Some(match instance {
        Some(i) => {
            let name = &reasoner.rules().instances()[i].name;
            format!("contradiction: {what} after {name} (step {step})")
        }
        None => format!("contradiction: {what}"),
    })
}

//! What comes before a rule that someone asks about: an easier one, whose step should be made
//! first. Until then the rule has matches that are true and teach nothing.

use crate::board::Grid;
use crate::engine::{Deducer, account};
use crate::interface::Selector;
use crate::language::RuleSet;
use crate::search::Reasoner;
use crate::trace::{Speaker, Words};

use super::Failure;
use super::options::RuleOptions;

/// The step that a rule easier than the first of these makes here, in a sentence.
pub(super) fn easier_step(
    options: &RuleOptions,
    asked: &RuleSet,
    grid: &Grid,
    words: &Words,
) -> Result<Option<String>, Failure> {
    let Some(level) = asked.instances().iter().map(|instance| instance.level).min() else {
        return Ok(None);
    };
    let names: Vec<Selector> =
        asked.instances().iter().map(|instance| Selector::parse(&instance.name)).collect();
    let rules = options.load()?.keep(|rule, instance| {
        let is_asked = names.iter().any(|name| name.matches(rule, instance));
        instance.level < level && !is_asked
    });
    let Ok(engine) = Reasoner::new(rules.clone(), options.engine()).engine(grid) else {
        return Ok(None);
    };
    let mut worker = engine.worker();
    let Some(step) = worker.next_step(grid) else { return Ok(None) };
    let Some(account) = account(&rules, &mut worker, &step, grid) else { return Ok(None) };
    let title = Speaker { rules: &rules, words }.title(step.instance);
    let effects = words.effects(&account.found.conclusion);
    Ok(Some(words.pick(
        format!("an easier step comes first: {title}, {effects}"),
        format!("une étape plus facile vient avant : {title}, {effects}"),
    )))
}

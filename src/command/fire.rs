//! `dokulog fire`: every match of one rule on this very state.

use std::collections::HashSet;

use super::easier::easier_step;
use super::explainer::LookOptions;
use super::options::TextOrJson;
use super::workers::CUT_OFF;
use super::{Context, Run, Status, print, say, standing};
use crate::board::Grid;
use crate::engine::Naive;
use crate::engine::near::is_telling;
use crate::interface::Selector;
use crate::language::RuleSet;
use crate::search::Reasoner;
use crate::trace::{Conclusion, Match, Speaker, Words, counted, json};

/// Options of `fire`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog fire xy_wing grid.sud
  dokulog fire naked_subset:2 --all grid.sud")]
pub(super) struct Arguments {
    /// The rule, or RULE:N for one value of its parameter, as in naked_subset:2
    rule: String,
    #[command(flatten)]
    look: LookOptions,
    /// Also matches that change nothing, and every match with the same effect
    #[arg(long)]
    all: bool,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Run {
    let (rule, puzzle) = arguments.look.puzzle.asked(&arguments.rule);
    let rules = arguments.look.rules.everything()?;
    let selector = Selector::parse(&rule);
    selector.find(&rules)?;
    let rules = rules.keep(|rule, instance| selector.matches(rule, instance));
    let grid = puzzle.read()?.grid;
    let words = Words::plain(grid.layout().clone());
    standing::warn(&words, &grid, context);
    let reasoner = Reasoner::new(rules, arguments.look.rules.engine());
    if let Err(refusal) = reasoner.check(&grid) {
        say(&format!("dokulog: {refusal}"));
        return Ok(Status::Failed);
    }
    let rules = reasoner.rules();
    let naive = Naive::within(rules, arguments.look.rules.engine().budget);
    let (mut found, cut_off) = matches(rules, &naive, &grid);
    let mut left_out = 0;
    if !arguments.all {
        if let Some(easier) = easier_step(&arguments.look.rules, rules, &grid, &words)? {
            if !context.quiet {
                say(&format!("dokulog: {easier}"));
            }
            let all = found.len();
            found.retain(|found| is_telling(&found.bindings, &grid));
            left_out = all - found.len();
        }
        keep_one_each(&mut found);
    }
    for m in &found {
        match arguments.look.format.format {
            TextOrJson::Text => print(&text(rules, &words, &naive, m, &grid))?,
            TextOrJson::Json => print(&json::line(&json::found(rules, grid.layout(), m)))?,
        }
    }
    if !context.quiet {
        let more = match left_out {
            0 => String::new(),
            more => format!(
                "; {more} that the easier step makes needless are left out: --all shows them"
            ),
        };
        say(&format!("{}{more}", counted(found.len(), "match", "matches")));
    }
    if cut_off {
        say(&format!("dokulog: {CUT_OFF}; there may be more matches"));
        return Ok(Status::Failed);
    }
    Ok(Status::Done)
}

/// The matches of all rules on a state, and whether there may be more.
pub(super) fn matches(rules: &RuleSet, naive: &Naive, grid: &Grid) -> (Vec<Match>, bool) {
    let (mut found, mut cut_off) = (Vec::new(), false);
    for instance in 0..rules.instances().len() {
        let (matches, is_cut_off) = naive.matches_within_budget(instance, grid);
        found.extend(matches);
        cut_off |= is_cut_off;
    }
    (found, cut_off)
}

/// Keeps one of those that change the same, and none that change nothing.
pub(super) fn keep_one_each(found: &mut Vec<Match>) {
    let mut seen: HashSet<(usize, Conclusion)> = HashSet::new();
    found.retain(|m| !m.conclusion.is_empty() && seen.insert((m.instance, m.conclusion.clone())));
}

/// Title, reason and effect; then the variables.
pub(super) fn text(
    rules: &RuleSet,
    words: &Words,
    naive: &Naive,
    found: &Match,
    grid: &Grid,
) -> String {
    let speaker = Speaker { rules, words };
    let account = naive.account(found.clone(), grid);
    let title = speaker.title(found.instance);
    let reason = speaker.reason(&account, grid);
    let effect = match found.conclusion.is_empty() {
        true => "changes nothing".to_string(),
        false => words.effects(&found.conclusion),
    };
    let rule = rules.rule_of(found.instance);
    let variables = rule.clauses[found.clause].variables.iter().zip(&found.bindings);
    let shown = variables
        .filter(|(v, value)| v.name != "_" && v.kind == value.kind())
        .map(|(v, value)| format!("{} = {}", v.name, words.whole(value)));
    let shown: Vec<String> = shown.collect();
    format!("{title}: {reason}\n  {effect}\n  {}\n", shown.join(", "))
}

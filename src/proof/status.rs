//! What is known of a rule without much work: the bundled rules' verdicts on 9 × 9 stand in a
//! table, and what can be proved on the spot is.
//!
//! The table is keyed by what a rule says: its clauses and those of the helpers it uses, word for
//! word, but not their layout, nor titles and reasons. A rule that was changed is not in it.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::board::Layout;
use crate::language::{Clause, Instance, RuleSet};

use super::budget::Budget;
use super::judge::{Options, judge};
use super::verdict::Verdict;

/// One paragraph a rule with its parameter: verdict, name, and the numbers of digits with which it
/// is proved for every layout, if any; then what it says, indented.
const TABLE: &str = include_str!("proved.txt");

/// What is known of a rule at a glance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glimpse {
    /// The verdict, which is the one that a proof without hurry gives.
    Known(Verdict),
    /// It was tried, and little work did not decide it.
    Undecided,
    /// It was not tried: the work allowed was done before.
    NotTried,
}

/// Looks at many rules, with one budget for all.
#[derive(Clone, Debug)]
pub struct Glance {
    budget: Budget,
}

/// Of what is left, one rule may take one part in so many, unless that is too little to try.
const PARTS: u64 = 4;
const LEAST: u64 = 10_000;

impl Glance {
    /// Steps for all rules together, unless told otherwise: not two seconds.
    pub const USUAL: u64 = 1_500_000;

    /// With so many steps.
    pub fn new(steps: u64) -> Glance {
        Glance { budget: Budget::new(steps) }
    }

    /// What is known of an instance on 9 × 9: from the table, or proved on the spot.
    pub fn at(&mut self, rules: &RuleSet, instance: usize) -> Glimpse {
        if let Some(verdict) = known(rules, &rules.instances()[instance]) {
            return Glimpse::Known(verdict);
        }
        let steps = (self.budget.left() / PARTS).min(Budget::USUAL);
        let Some(layout) = Layout::classic(9).filter(|_| steps >= LEAST) else {
            return Glimpse::NotTried;
        };
        let options = Options { budget: Budget::new(steps), ..Options::default() };
        let found = judge(rules, instance, &layout, &options);
        self.budget.spend(found.steps);
        match found.verdict {
            Verdict::NotProved => Glimpse::Undecided,
            verdict => Glimpse::Known(verdict),
        }
    }
}

/// What the table has of a rule: the verdict on 9 × 9, and with how many digits it is sound on every
/// layout.
struct Noted {
    verdict: Verdict,
    everywhere: Vec<usize>,
}

/// What an instance has in the table.
fn noted(rules: &RuleSet, instance: &Instance) -> Option<&'static Noted> {
    static KNOWN: OnceLock<(HashMap<String, Noted>, usize)> = OnceLock::new();
    let (known, longest) = KNOWN.get_or_init(|| {
        let known: HashMap<String, Noted> =
            TABLE.split_inclusive("\n\n").filter_map(entry).collect();
        let longest = known.keys().map(String::len).max().unwrap_or(0);
        (known, longest)
    });
    known.get(&said(rules, instance, *longest)?)
}

/// Whether the table says that an instance is sound on every layout with so many digits; if it
/// supposes, as far as the rules are with which it does.
pub fn known_everywhere(rules: &RuleSet, instance: &Instance, size: usize) -> bool {
    noted(rules, instance).is_some_and(|noted| noted.everywhere.contains(&size))
}

/// The verdict on an instance, if it is in the table.
pub fn known(rules: &RuleSet, instance: &Instance) -> Option<Verdict> {
    let verdict = noted(rules, instance)?.verdict;
    // What a rule that supposes is worth hangs on the rules that run under its hypotheses.
    let rule = rules.rule(instance.rule);
    let suppositions = rule.clauses.iter().flat_map(Clause::suppositions);
    let level = suppositions.map(|supposition| supposition.level(instance.parameter)).max();
    let Some(level) = level else { return Some(verdict) };
    let below = rules.below(level);
    let sound = |below_it: &Instance| {
        matches!(self::known(&below, below_it), Some(Verdict::Sound | Verdict::NeverFires))
    };
    below.instances().iter().all(sound).then_some(verdict)
}

/// A paragraph of the table: what the rule says, and what is noted of it.
fn entry(paragraph: &str) -> Option<(String, Noted)> {
    let (first, said) = paragraph.split_once('\n')?;
    let (code, rest) = first.split_once(' ')?;
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.code() == code)?;
    let sizes = rest.split_once(EVERYWHERE).map_or("", |(_, sizes)| sizes);
    let everywhere = sizes.split(' ').filter_map(|size| size.parse().ok()).collect();
    Some((said.trim_end().to_string() + "\n", Noted { verdict, everywhere }))
}

/// What stands before the numbers of digits.
const EVERYWHERE: &str = " everywhere with ";

/// A paragraph of the table as it is written.
pub fn paragraph(
    rules: &RuleSet,
    instance: &Instance,
    verdict: Verdict,
    everywhere: &[usize],
) -> String {
    let said = said(rules, instance, usize::MAX).expect("of any length");
    let sizes: Vec<String> = everywhere.iter().map(usize::to_string).collect();
    let sizes = match sizes.is_empty() {
        true => String::new(),
        false => format!("{EVERYWHERE}{}", sizes.join(" ")),
    };
    format!("{} {}{sizes}\n{said}\n", verdict.code(), instance.name)
}

/// What an instance says, a line a clause; nothing if that is longer than so many bytes.
pub fn said(rules: &RuleSet, instance: &Instance, most: usize) -> Option<String> {
    let rule = rules.rule(instance.rule);
    let mut said = String::new();
    if let (Some(parameter), Some(value)) = (&rule.parameter, instance.parameter) {
        said += &format!("  {} = {value}\n", parameter.name);
    }
    if rule.assumes_unique {
        said += "  assumes unique_solution\n";
    }
    let mut seen = vec![false; rules.predicates().len()];
    let mut next: Vec<&Clause> = rule.clauses.iter().rev().collect();
    // What was unfolded is called no more, but said all the same.
    let mut unfolded = rule.unfolded.clone();
    while let Some(helper) = unfolded.pop() {
        if !std::mem::replace(&mut seen[usize::from(helper.0)], true) {
            next.splice(0..0, rules.predicate(helper).clauses.iter().rev());
        }
    }
    while let Some(clause) = next.pop() {
        said += &format!("  {}\n", rules.words(clause.span));
        if said.len() > most {
            return None;
        }
        for helper in clause.calls() {
            if !std::mem::replace(&mut seen[usize::from(helper.0)], true) {
                next.extend(rules.predicate(helper).clauses.iter().rev());
            }
            for &inner in &rules.predicate(helper).unfolded {
                if !std::mem::replace(&mut seen[usize::from(inner.0)], true) {
                    next.extend(rules.predicate(inner).clauses.iter().rev());
                }
            }
        }
    }
    Some(said)
}

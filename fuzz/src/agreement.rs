//! Any rule, on any state: all who can run it or speak of it say the same.
//!
//! The naive evaluator is held against the join and the whole engine (matches, fixpoint, steps),
//! against the replay of a trace, the grounds of its steps, the nearest match of `why-not`, and
//! the propositions of proofs.

// Fuzz targets and tests use some of this each.
#![allow(dead_code)]

use std::collections::BTreeSet;

use dokulog::board::Grid;
use dokulog::engine::near::{first_without_answer, near_miss};
use dokulog::engine::{BackEnds, Deducer, Engine, Naive, Options, Worker, tell};
use dokulog::language::{Clause, Head, Literal, PredicateId, RuleSet};
use dokulog::proof::{Claim, conclusions};
use dokulog::trace::{Grounds, Outcome, Replay, Speaker, Story, ToldStep, Words, holds, record};

use super::choices::Choices;
use super::matcher::{claims, is_recursive};
use super::states::{layout, solution, state};
use super::verdicts::shown;
use super::writing::term::names_far;
use super::writing::{Written, bundled_seeds, write};

/// States on which they are compared.
const STATES: usize = 3;
/// Steps of the naive evaluator for one pass over a rule: where it takes more, nothing is compared.
const STEPS: u64 = 60_000;
/// The same for what is searched anew for every step of a trace, and for every binding.
const FEW_STEPS: u64 = 12_000;
/// The same for the nearest match and for propositions, which look at what is not there, too.
const FEWEST_STEPS: u64 = 3_000;
/// Steps of a trace that are told.
const TOLD: usize = 24;

/// How much was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Compared {
    /// States.
    pub states: usize,
    /// Matches.
    pub matches: usize,
    /// Steps replayed, and their grounds.
    pub steps: usize,
    /// Proofs looked at on other states.
    pub elsewhere: usize,
    /// Nearest matches tried.
    pub misses: usize,
    /// Conclusions of propositions.
    pub claims: usize,
}

impl Compared {
    /// More of the same.
    pub fn add(&mut self, more: Compared) {
        self.states += more.states;
        self.matches += more.matches;
        self.steps += more.steps;
        self.elsewhere += more.elsewhere;
        self.misses += more.misses;
        self.claims += more.claims;
    }
}

/// A rule written by the choices, on a small grid.
pub fn agreement(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let size = choices.pick(&[4, 4, 6]);
    if let Some(written) = write(&bundled_seeds(), &mut choices) {
        agree(&written, size, &mut choices).expect("all say the same");
    }
}

/// Compares on a few states of a size; how much was compared, or where they differ.
pub fn agree(written: &Written, size: usize, choices: &mut Choices) -> Result<Compared, String> {
    let (layout, rules) = (layout(size), &written.rules);
    let mut compared = Compared::default();
    let mut workers = [BackEnds::Join, BackEnds::All].map(|back_ends| {
        let options = Options { back_ends, assume_unique: true, ..Options::default() };
        Engine::with(rules, &layout, options).expect("uniqueness is assumed").worker()
    });
    for _ in 0..STATES {
        let solution = solution(&layout, choices);
        let lies = choices.below(4) == 1;
        let state = state(&layout, &solution, lies, choices);
        let other = self::state(&layout, &solution, false, choices);
        let case = Case { rules, written, state: &state };
        let effort = case.effort(&state).max(case.effort(&other));
        if effort > STEPS || state.hole().is_some() {
            continue;
        }
        compared.states += 1;
        for worker in &mut workers {
            compared.matches += case.matches(worker)?;
            case.runs(worker, effort)?;
        }
        if effort <= FEW_STEPS {
            case.story(&mut workers[0], &other, &mut compared)?;
        }
        if effort <= FEWEST_STEPS {
            case.why_not(&mut compared)?;
            if size == 4 && !lies {
                compared.claims += case.propositions()?;
            }
        }
    }
    Ok(compared)
}

struct Case<'a> {
    rules: &'a RuleSet,
    written: &'a Written,
    state: &'a Grid,
}

impl Case<'_> {
    /// Steps of the naive evaluator on a state, up to a few more than are affordable.
    fn effort(&self, state: &Grid) -> u64 {
        let naive = Naive::within(self.rules, STEPS + 1);
        let steps = |&instance: &usize| match naive.matches_within_budget(instance, state) {
            (_, true) => STEPS + 1,
            _ => naive.inferences(instance, state),
        };
        self.written.own.iter().map(steps).max().unwrap_or(0)
    }

    fn fail<T>(&self, what: String) -> Result<T, String> {
        Err(format!("{what}\non\n{}\n{}", shown(self.state), self.written.text))
    }

    fn matches(&self, worker: &mut Worker) -> Result<usize, String> {
        let mut count = 0;
        for &instance in &self.written.own {
            let expected = Naive::new(self.rules).matches(instance, self.state);
            let found = worker.matches(instance, self.state);
            if found != expected {
                let lost = expected.iter().find(|m| !found.contains(m));
                let more = found.iter().find(|m| !expected.contains(m));
                return self.fail(format!("the join loses {lost:?}, adds {more:?}"));
            }
            count += found.len();
        }
        Ok(count)
    }

    fn runs(&self, worker: &mut Worker, effort: u64) -> Result<(), String> {
        let mut naive = Naive::new(self.rules);
        if worker.next_step(self.state) != naive.next_step(self.state) {
            return self.fail("the next steps differ".to_string());
        }
        if effort > FEW_STEPS {
            return Ok(());
        }
        let (mut fast, mut slow) = (self.state.clone(), self.state.clone());
        let (end, slow_end) =
            (worker.fixpoint(&mut fast).outcome, naive.fixpoint(&mut slow).outcome);
        if std::mem::discriminant(&end) != std::mem::discriminant(&slow_end) {
            return self.fail(format!("the engine ends {end:?}, the evaluator {slow_end:?}"));
        }
        if !matches!(end, Outcome::Contradiction { .. }) && fast != slow {
            let (fast, slow) = (shown(&fast), shown(&slow));
            return self.fail(format!("the engine ends with\n{fast}\nthe evaluator with\n{slow}"));
        }
        Ok(())
    }

    /// A trace, replayed through text; what its steps rest on; its proofs on another state.
    fn story(
        &self,
        worker: &mut Worker,
        other: &Grid,
        compared: &mut Compared,
    ) -> Result<(), String> {
        let naive = Naive::new(self.rules);
        let mut story = tell(self.rules, worker, self.state);
        if story.steps.len() > TOLD {
            story.end = story.steps[TOLD].before.clone();
            story.steps.truncate(TOLD);
        }
        self.replay(&story, &naive)?;
        self.grounds(&story, &naive)?;
        compared.steps += story.steps.len();
        for step in &story.steps {
            self.elsewhere(step, other, &naive)?;
            compared.elsewhere += 1;
        }
        Ok(())
    }

    /// An account found on one state, looked at on another: its conditions hold there, and a replay
    /// accepts it, if and only if it is a match there.
    fn elsewhere(&self, step: &ToldStep, other: &Grid, naive: &Naive) -> Result<(), String> {
        let found = &step.account.found;
        let says = holds(self.rules, &step.account, other, naive);
        let matches = naive.matches_within_budget(found.instance, other).0;
        let same =
            matches.iter().find(|m| m.clause == found.clause && m.bindings == found.bindings);
        let mut told_step = ToldStep { before: other.clone(), account: step.account.clone() };
        told_step.account.found = same.unwrap_or(found).clone();
        // Where hypotheses lead was told of the other state: here it is asked.
        told_step.account.branches.clear();
        let words = Words::plain(other.layout().clone());
        let speaker = Speaker { rules: self.rules, words: &words };
        let object =
            serde_json::to_value(record::write(&speaker, 1, &told_step, &[])).expect("an object");
        let replayed = Replay::new(self.rules, None).searching(naive).step(&object);
        let is_match = same.is_some();
        // A helper may hold for another reason.
        let agree = says == is_match || (is_match && !step.account.premises.is_empty());
        if !agree || replayed.is_ok() != says {
            return self.fail(format!(
                "{found:?} holds by its conditions: {says}, is a match: {is_match}, replayed: \
                 {replayed:?}, on\n{}",
                shown(other)
            ));
        }
        Ok(())
    }

    fn replay(&self, story: &Story, naive: &Naive) -> Result<(), String> {
        let words = Words::plain(story.end.layout().clone());
        let speaker = Speaker { rules: self.rules, words: &words };
        let start = Some(story.start().clone());
        let mut replay = Replay::new(self.rules, start).searching(naive);
        for (i, step) in story.steps.iter().enumerate() {
            let object =
                serde_json::to_value(record::write(&speaker, i + 1, step, &[])).expect("an object");
            let object = serde_json::from_str(&object.to_string()).expect("JSON");
            if let Err(refusal) = replay.step(&object) {
                return self.fail(format!("replay: {refusal}\n{object}"));
            }
        }
        if *replay.state().unwrap_or(&story.end) != story.end {
            return self.fail("the replay ends elsewhere".to_string());
        }
        Ok(())
    }

    /// The steps that a step rests on are enough for it, one after the other.
    fn grounds(&self, story: &Story, naive: &Naive) -> Result<(), String> {
        let grounds = Grounds::of(self.rules, story, naive);
        for (step, needed) in grounds.all.iter().enumerate() {
            let mut grid = story.start().clone();
            for &needed in needed.iter().chain([&step]) {
                let account = &story.steps[needed].account;
                if !holds(self.rules, account, &grid, naive) {
                    let all = &grounds.all;
                    return self.fail(format!("step {step} rests on {all:?}: not on {needed}"));
                }
                account.found.conclusion.apply(&mut grid);
            }
        }
        Ok(())
    }

    /// The nearest match is one once its candidates are gone; a condition is blamed only if the
    /// clause has no match.
    fn why_not(&self, compared: &mut Compared) -> Result<(), String> {
        for &instance in &self.written.own {
            let naive = Naive::new(self.rules);
            let found = naive.matches_within_budget(instance, self.state).0;
            let rule = self.rules.rule(self.rules.instances()[instance].rule);
            for clause in 0..rule.clauses.len() {
                let blamed = first_without_answer(self.rules, instance, clause, self.state, &[]);
                let has_match = found.iter().any(|m| m.clause == clause);
                // A head may name a cell that the grid does not have: no condition is to blame.
                let mut is_excused = !has_match && names_far(&self.written.text);
                // Where hypotheses lead is not asked: whoever blames them has seen that none matches.
                is_excused |= has_match && rule.supposes();
                if blamed.is_some() == has_match && !is_excused {
                    let why = format!("clause {clause}: condition {blamed:?} is blamed");
                    return self.fail(format!("{why}, {} matches in all", found.len()));
                }
            }
            let Some(miss) = near_miss(self.rules, instance, self.state, &[]) else { continue };
            compared.misses += 1;
            let mut after = self.state.clone();
            let mut gone = miss.needs.iter().filter(|&&c| !after.eliminate(c)).peekable();
            if let Some(gone) = gone.peek() {
                return self.fail(format!("{miss:?}: {gone:?} is not there"));
            }
            drop(gone);
            let found = naive.matches_within_budget(instance, &after).0;
            if miss.needs.is_empty()
                || !found.iter().any(|m| m.clause == miss.clause && m.conclusion == miss.conclusion)
            {
                return self.fail(format!("{miss:?} is no match once it is granted"));
            }
        }
        Ok(())
    }

    /// What the propositions conclude, recursive helpers unfolded once.
    fn propositions(&self) -> Result<usize, String> {
        let mut count = 0;
        for &instance in &self.written.own {
            if denies_recursion(self.rules, instance) {
                continue;
            }
            let claimed = conclusions(self.rules, instance, self.state, 1);
            let matches = Naive::new(self.rules).matches(instance, self.state);
            let mut found = claims(self.rules, instance, &matches);
            let rule = self.rules.rule(self.rules.instances()[instance].rule);
            if rule.clauses.iter().flat_map(|c| &c.heads).any(|h| matches!(h, Head::Place(..))) {
                // What is placed where it is impossible empties a cell; the proof does not ask
                // for that.
                found.retain(|c| !matches!(c, Claim::Eliminate(_)) || claimed.contains(c));
            }
            let is_all = claimed == found || is_recursive(self.rules, instance);
            if !claimed.is_subset(&found) || !is_all {
                let more: Vec<_> = claimed.difference(&found).collect();
                let less: Vec<_> = found.difference(&claimed).collect();
                return self.fail(format!("propositions add {more:?} and lose {less:?}"));
            }
            count += found.len();
        }
        Ok(count)
    }
}

/// Whether a recursive helper stands under `not` or `forall`: unfolded once, it holds too seldom,
/// so what denies it holds too often.
fn denies_recursion(rules: &RuleSet, instance: usize) -> bool {
    fn is_denied(rules: &RuleSet, clauses: &[Clause], under: bool, seen: &mut Seen) -> bool {
        clauses.iter().flat_map(|clause| &clause.body).any(|goal| {
            let under = under || !matches!(goal.literal, Literal::Call(..));
            goal.literal.calls().into_iter().any(|helper| {
                let predicate = rules.predicate(helper);
                (under && predicate.recursive)
                    || seen.insert((helper, under))
                        && is_denied(rules, &predicate.clauses, under, seen)
            })
        })
    }
    let rule = rules.rule(rules.instances()[instance].rule);
    is_denied(rules, &rule.clauses, false, &mut Seen::new())
}

type Seen = BTreeSet<(PredicateId, bool)>;

//! The verdict on a rule: proofs first, then counterexamples, then the admission of neither.

use std::sync::Arc;

use crate::board::Layout;
use crate::language::{Clause, Head, Recursion, RuleSet, TooMany};

use super::budget::Budget;
use super::counterexample::{Counterexample, Maker};
use super::defence::{Defence, Witness};
use super::everywhere::{self, generally};
use super::flatten::{Flat, flatten, recursive_helpers, unfolding};
use super::inquiry::{Aim, First, Inquiry, OnModel, Tally};
use super::meaning::Meanings;
use super::status::{known, known_everywhere};
use super::verdict::{Judgement, Verdict};
use super::walk::Flow;

/// How to prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Bindings up to symmetry; without it every binding is tried, which is for tests.
    pub symmetry: bool,
    /// The work allowed for one rule with its parameter.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options { symmetry: true, budget: Budget::default() }
    }
}

/// How deep recursive helpers are unfolded in search of a counterexample.
const MOST_UNFOLDINGS: usize = 3;
/// The parts of the budget: at most one in so many for the meanings of helpers and for one search
/// for a puzzle or a state; one in so many is kept for running the rule.
const MEANING: u64 = 2;
const SEARCH: u64 = 12;
/// The part for a proof for every layout, on boards with so many symmetries that one for them alone is
/// as short.
const GENERAL_BOXED: u64 = 16;
const DEFENCE: u64 = 4;
/// States that a rule is run on at least before it is praised.
const FEWEST_STATES: u64 = 4;

/// The verdict on an instance of a rule set, for a layout.
///
/// ```
/// use dokulog::board::Layout;
/// use dokulog::language::{Origin, Source, load};
/// use dokulog::proof::{Options, Verdict, judge};
///
/// let text = r#"
///     rule guess "Guess" {
///         level 1.
///         place(C, D) :- C in unsolved, D in candidates(C), |candidates(C)| <= 2.
///         explain "{C} may be {D}".
///     }"#;
/// let source = Source { name: "guess.rules".into(), text: text.into() };
/// let rules = load(vec![(Origin::User, source)]).0.unwrap();
/// let found = judge(&rules, 0, &Layout::classic(9).unwrap(), &Options::default());
/// assert_eq!(found.verdict, Verdict::Unsound);
/// let puzzle = found.counterexample.unwrap();
/// assert!(puzzle.unique);
/// ```
pub fn judge(
    rules: &RuleSet,
    instance: usize,
    layout: &Arc<Layout>,
    options: &Options,
) -> Judgement {
    let chosen = &rules.instances()[instance];
    let rule = rules.rule(chosen.rule);
    let mut budget = options.budget;
    let mut general = false;
    let mut meanings = Meanings::default();
    if options.symmetry && !rule.assumes_unique {
        let part = if layout.is_boxed() { GENERAL_BOXED } else { everywhere::PART };
        let (size, boxed) = (layout.size(), layout.is_boxed());
        let is_known = !boxed && known_everywhere(rules, chosen, size);
        let (found, steps) = generally(rules, instance, size, is_known, budget.part(part));
        budget.spend(steps);
        general = found.is_some();
        meanings = found.unwrap_or_default();
    }
    if !general {
        let part = budget.part(MEANING);
        let (found, steps) = Meanings::infer(rules, layout, &rule.clauses, options.symmetry, part);
        budget.spend(steps);
        meanings = found;
    }
    let said = meanings.in_words(rules);
    let told = !said.is_empty();
    let mut judge = Judge {
        rules,
        instance,
        layout,
        options,
        budget,
        clauses: &rule.clauses,
        judgement: Judgement {
            verdict: Verdict::NotProved,
            counterexample: None,
            meanings: said,
            reason: String::new(),
            general,
            states: 0,
            questions: 0,
            steps: 0,
            stages: [0; 4],
        },
        meanings,
    };
    match judge.verdict(told).and_then(|verdict| judge.founded(verdict)) {
        Ok(verdict) => judge.judgement.verdict = verdict,
        Err(reason) => judge.judgement.reason = reason,
    }
    judge.judgement.steps = options.budget.left() - judge.budget.left();
    judge.judgement
}

struct Judge<'a> {
    rules: &'a RuleSet,
    instance: usize,
    layout: &'a Arc<Layout>,
    options: &'a Options,
    /// What is left.
    budget: Budget,
    clauses: &'a [Clause],
    meanings: Meanings,
    judgement: Judgement,
}

impl Judge<'_> {
    /// The verdict, or why there is none.
    fn verdict(&mut self, recursive: bool) -> Result<Verdict, String> {
        if self.judgement.general {
            return self.defended(false, recursive);
        }
        let rule = self.rules.rule_of(self.instance);
        let flats = self.flats(self.clauses, Recursion::Keep, true).map_err(|_| self.too_many())?;
        // A rule that needs one solution gets its puzzle at once, if something goes wrong.
        let mut maker = Maker::new(self.rules, self.instance);
        let proof = match rule.assumes_unique {
            true => self.pass(&flats, self.budget.but(DEFENCE), &mut maker),
            false => self.pass(&flats, self.budget.but(DEFENCE), &mut First),
        };
        if proof.models == 0 && proof.unknown == 0 {
            return self.defended(rule.assumes_unique, recursive);
        }
        if let Some(made) = maker.made {
            return Ok(self.unsound(made));
        }
        if let Some(made) = self.counterexample(&flats) {
            return Ok(self.unsound(made));
        }
        // A model may rest on a meaning or on an order that was weakened: look at what it stands
        // for.
        if recursive {
            for depth in 1..=MOST_UNFOLDINGS {
                let Ok(flats) = self.flats(self.clauses, Recursion::Unroll(depth), true) else {
                    break;
                };
                if let Some(made) = self.counterexample(&flats) {
                    return Ok(self.unsound(made));
                }
            }
        }
        let strict =
            self.flats(self.clauses, Recursion::Keep, false).map_err(|_| self.too_many())?;
        if strict.iter().any(|flat| flat.ordered)
            && let Some(made) = self.counterexample(&strict)
        {
            return Ok(self.unsound(made));
        }
        let budget = self.budget.part(DEFENCE);
        let mut defence = Defence::new(self.rules, self.instance, self.layout, budget);
        defence.sample();
        self.budget.spend(defence.spent());
        self.judgement.states += defence.states;
        if let Some(made) = defence.lost {
            return Ok(self.unsound(*made));
        }
        Err(if proof.unknown > 0 || self.budget.is_spent() {
            "the budget ran out".to_string()
        } else if recursive {
            "the meanings found for its helpers do not carry it, and no counterexample was found"
                .to_string()
        } else if proof.left_out > 0 {
            "it has a condition that cannot be put to the solver, and no counterexample was found"
                .to_string()
        } else if rule.assumes_unique {
            "what would show it is a second solution, and neither swapping two digits on its \
             `rectangle` or on the cells it names nor taking the other candidate of every open cell \
             gives one; no counterexample was found"
                .to_string()
        } else {
            "no proof and no counterexample was found".to_string()
        })
    }

    /// What is proved of a rule that supposes holds if it holds of the rules that run under its
    /// hypotheses: they keep every solution.
    fn founded(&mut self, verdict: Verdict) -> Result<Verdict, String> {
        let parameter = self.rules.instances()[self.instance].parameter;
        let suppositions = self.clauses.iter().flat_map(Clause::suppositions);
        let level = suppositions.map(|supposition| supposition.level(parameter)).max();
        let Some(level) = level.filter(|_| verdict.is_proved()) else { return Ok(verdict) };
        let below = self.rules.below(level);
        for (i, instance) in below.instances().iter().enumerate() {
            let noted = match self.layout.is_classic_nine() {
                true => known(&below, instance),
                false => self.holds_everywhere(&below, i).then_some(Verdict::Sound),
            };
            let verdict = noted.unwrap_or_else(|| {
                let options = Options { budget: Budget::new(self.budget.left()), ..*self.options };
                let found = judge(&below, i, self.layout, &options);
                self.budget.spend(found.steps);
                found.verdict
            });
            if !matches!(verdict, Verdict::Sound | Verdict::NeverFires) {
                let name = &instance.name;
                return Err(format!(
                    "it supposes with the rules below {level}, and {name} is not proved"
                ));
            }
        }
        let reason = std::mem::take(&mut self.judgement.reason);
        let rest = if reason.is_empty() { reason } else { format!("; {reason}") };
        self.judgement.reason = format!("as the rules below {level} are{rest}");
        Ok(verdict)
    }

    /// Whether a rule is known to be sound on every layout with as many digits, or on 9 × 9, and is
    /// found to be on all others.
    fn holds_everywhere(&mut self, rules: &RuleSet, instance: usize) -> bool {
        let (size, chosen) = (self.layout.size(), &rules.instances()[instance]);
        if known_everywhere(rules, chosen, size) {
            return true;
        }
        if known(rules, chosen) != Some(Verdict::Sound) {
            return false;
        }
        let budget = Budget::new(self.options.budget.left()).part(everywhere::PART);
        let (found, steps) = generally(rules, instance, size, false, budget);
        self.budget.spend(steps);
        found.is_some()
    }

    /// The verdict on a rule that was proved, once it has been run.
    fn defended(&mut self, assumes_unique: bool, recursive: bool) -> Result<Verdict, String> {
        let budget = self.budget.part(DEFENCE);
        let mut defence = Defence::new(self.rules, self.instance, self.layout, budget);
        let impossible = self.witnesses(&mut defence, recursive);
        defence.sample();
        self.budget.spend(defence.spent());
        self.judgement.states += defence.states;
        let Defence { fired, lost, states, .. } = defence;
        if let Some(made) = lost {
            return Ok(self.unsound(*made));
        }
        if states < FEWEST_STATES {
            return Err("the budget ran out before it could be run".to_string());
        }
        self.on_four()?;
        let clause = |i: usize| match self.clauses.len() {
            1 => "it".to_string(),
            _ => format!("its clause {}", i + 1),
        };
        // What says that there is no solution may fire only where there is none.
        let concludes = |i: &usize| !self.clauses[*i].heads.contains(&Head::Contradiction);
        let mut all = (0..fired.len()).filter(concludes);
        if let Some(i) = all.find(|&i| fired[i] && impossible[i]) {
            return Err(format!("{} fires where the proof says it cannot", clause(i)));
        }
        let unseen: Vec<usize> =
            (0..fired.len()).filter(concludes).filter(|&i| !fired[i]).collect();
        if unseen.len() == fired.len() {
            if unseen.iter().all(|&i| impossible[i]) {
                self.judgement.reason =
                    format!("no state lets it conclude anything, and none of {states} did");
                return Ok(Verdict::NeverFires);
            }
            return Err(format!("no state was found on which it fires, among {states}"));
        }
        if let Some(&i) = unseen.first() {
            let tried = if impossible[i] { "as no state can let it" } else { "in any state tried" };
            self.judgement.reason = format!("{} never fires, {tried}", clause(i));
        }
        Ok(if assumes_unique { Verdict::SoundIfUnique } else { Verdict::Sound })
    }

    /// Has the solver make states on which each clause fires, and runs the rule there. Whether
    /// each clause was proved to fire nowhere.
    fn witnesses(&mut self, defence: &mut Defence, recursive: bool) -> Vec<bool> {
        let parameter = self.rules.instances()[self.instance].parameter;
        let mut impossible = Vec::new();
        for clause in 0..self.clauses.len() {
            let mut ruled_out = false;
            let clauses = &self.clauses[clause..=clause];
            let most = match recursive_helpers(self.rules, clauses).is_empty() {
                _ if !recursive => 0,
                false => MOST_UNFOLDINGS,
                true => 1,
            };
            self.budget.spend(1 + self.rules.predicates().len() as u64 / 100);
            let unrolled = (1..=most).map(Recursion::Unroll);
            // Short chains first: those of a meaning may be none at all.
            for recursion in unrolled.chain([Recursion::Keep]) {
                let Ok(flats) = self.flats(clauses, recursion, true) else { continue };
                let mut inquiry = self.inquiry(self.budget.part(SEARCH));
                for flat in &flats {
                    let mut witness = Witness { defence: &mut *defence, clause, models: 0 };
                    inquiry.ask(flat, parameter, Aim::Fires, &mut witness);
                    if defence.fired[clause] || defence.lost.is_some() {
                        break;
                    }
                }
                let (tally, steps) = (inquiry.tally, inquiry.encoder.spent());
                self.budget.spend(steps);
                if defence.fired[clause] || defence.lost.is_some() {
                    break;
                }
                let none = tally.models == 0 && tally.unknown == 0;
                ruled_out = none && recursion == Recursion::Keep;
            }
            impossible.push(ruled_out);
        }
        impossible
    }

    /// Holds the prover against the evaluator where it is cheap: a rule that loses a solution on
    /// 4 × 4 must not be proved there.
    fn on_four(&mut self) -> Result<(), String> {
        let Some(four) = Layout::classic(4).filter(|four| **four != **self.layout) else {
            return Ok(());
        };
        let mut defence = Defence::new(self.rules, self.instance, &four, self.budget.part(SEARCH));
        defence.sample();
        self.budget.spend(defence.spent());
        if defence.lost.is_none() {
            return Ok(());
        }
        let options = Options { budget: Budget::new(self.budget.left()), ..*self.options };
        let judgement = judge(self.rules, self.instance, &four, &options);
        self.budget.spend(judgement.steps);
        match judgement.verdict {
            Verdict::Unsound | Verdict::NotProved => Ok(()),
            _ => Err("it loses a solution on 4×4, where the proof says it cannot".to_string()),
        }
    }

    fn unsound(&mut self, made: Counterexample) -> Verdict {
        self.judgement.counterexample = Some(Box::new(made));
        Verdict::Unsound
    }

    /// Why there are no alternatives to look at.
    fn too_many(&self) -> String {
        match self.budget.is_spent() {
            true => "the budget ran out".to_string(),
            false => "its clauses unfold into more alternatives than the budget allows".to_string(),
        }
    }

    /// The alternatives of these clauses.
    fn flats(
        &mut self,
        clauses: &[Clause],
        recursion: Recursion,
        relax: bool,
    ) -> Result<Vec<Flat>, TooMany> {
        let mut all = Vec::new();
        for clause in clauses {
            // Unrolled, everything is looked at as it is.
            let kept = if recursion == Recursion::Keep { self.meanings.kept() } else { &[] };
            let flats = flatten(self.rules, clause, recursion, kept, relax, self.budget);
            self.budget.spend(unfolding(&flats, self.budget));
            all.extend(flats?);
            if self.budget.is_spent() {
                return Err(TooMany);
            }
        }
        Ok(all)
    }

    fn inquiry(&self, budget: Budget) -> Inquiry<'_> {
        let meanings = self.meanings.clone();
        Inquiry::new(self.rules, self.layout, meanings, self.options.symmetry, budget)
    }

    /// Asks whether a conclusion can be false, of all clauses.
    fn pass(&mut self, flats: &[Flat], budget: Budget, on_model: &mut dyn OnModel) -> Tally {
        let instance = &self.rules.instances()[self.instance];
        let mut inquiry = self.inquiry(budget);
        inquiry.unique = self.rules.rule(instance.rule).assumes_unique;
        for flat in flats {
            if inquiry.ask(flat, instance.parameter, Aim::Wrong, on_model) == Flow::Stop {
                break;
            }
        }
        let (tally, stages, steps) =
            (inquiry.tally, inquiry.stages.closed, inquiry.encoder.spent());
        self.budget.spend(steps);
        self.judgement.questions += tally.questions;
        for (sum, more) in self.judgement.stages.iter_mut().zip(stages) {
            *sum += more;
        }
        tally
    }

    fn counterexample(&mut self, flats: &[Flat]) -> Option<Counterexample> {
        let mut maker = Maker::new(self.rules, self.instance);
        self.pass(flats, self.budget.part(SEARCH), &mut maker);
        maker.made
    }
}

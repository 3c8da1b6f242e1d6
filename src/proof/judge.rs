//! The verdict on a rule: proofs first, then counterexamples, then the admission of neither.

use std::sync::Arc;

use crate::board::Layout;
use crate::language::{Clause, Head, Recursion, RuleSet, TooMany};

use super::counterexample::{Counterexample, Maker};
use super::defence::{Defence, Witness};
use super::flatten::{Flat, flatten, recursive_helpers};
use super::inquiry::{Aim, Budget, First, Inquiry, OnModel, Tally};
use super::meaning::Meanings;
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
        let budget = Budget {
            questions: 400_000,
            conflicts: 2_000_000,
            propagations: 60_000_000,
            steps: 4_000_000,
        };
        Options { symmetry: true, budget }
    }
}

/// How deep recursive helpers are unfolded in search of a counterexample.
const MOST_UNFOLDINGS: usize = 3;
/// Questions for things that are nice to know.
const SMALL: Budget =
    Budget { questions: 20_000, conflicts: 200_000, propagations: 20_000_000, steps: 400_000 };

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
    let mut helpers = Vec::new();
    for clause in &rule.clauses {
        for helper in recursive_helpers(rules, clause) {
            if !helpers.contains(&helper) {
                helpers.push(helper);
            }
        }
    }
    let meanings = Meanings::infer(rules, layout, &helpers, options.symmetry, options.budget);
    let said = |&helper: &_| Some(meanings.of(helper)?.in_words(rules.predicate(helper)));
    let mut judge = Judge {
        rules,
        instance,
        layout,
        options,
        clauses: &rule.clauses,
        judgement: Judgement {
            verdict: Verdict::NotProved,
            counterexample: None,
            meanings: helpers.iter().filter_map(said).collect(),
            reason: String::new(),
            states: 0,
            questions: 0,
            stages: [0; 4],
        },
        meanings,
    };
    match judge.verdict(!helpers.is_empty()) {
        Ok(verdict) => judge.judgement.verdict = verdict,
        Err(reason) => judge.judgement.reason = reason,
    }
    judge.judgement
}

struct Judge<'a> {
    rules: &'a RuleSet,
    instance: usize,
    layout: &'a Arc<Layout>,
    options: &'a Options,
    clauses: &'a [Clause],
    meanings: Meanings,
    judgement: Judgement,
}

impl Judge<'_> {
    /// The verdict, or why there is none.
    fn verdict(&mut self, recursive: bool) -> Result<Verdict, String> {
        let many = |TooMany| "its helpers unfold into too many alternatives".to_string();
        let rule = self.rules.rule(self.rules.instances()[self.instance].rule);
        let flats = self.flats(Recursion::Keep, true).map_err(many)?;
        // A rule that needs one solution gets its puzzle at once, if something goes wrong.
        let mut maker = Maker::new(self.rules, self.instance);
        let proof = match rule.assumes_unique {
            true => self.pass(&flats, self.options.budget, &mut maker),
            false => self.pass(&flats, self.options.budget, &mut First),
        };
        if proof.models == 0 && proof.unknown == 0 {
            return self.defended(rule.assumes_unique);
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
                let Ok(flats) = self.flats(Recursion::Unroll(depth), true) else { break };
                if let Some(made) = self.counterexample(&flats) {
                    return Ok(self.unsound(made));
                }
            }
        }
        let strict = self.flats(Recursion::Keep, false).map_err(many)?;
        if strict.iter().any(|flat| flat.ordered)
            && let Some(made) = self.counterexample(&strict)
        {
            return Ok(self.unsound(made));
        }
        let mut defence = Defence::new(self.rules, self.instance, self.layout);
        defence.sample();
        self.judgement.states += defence.states;
        if let Some(made) = defence.lost {
            return Ok(self.unsound(*made));
        }
        Err(if proof.unknown > 0 {
            "the budget ran out".to_string()
        } else if recursive {
            "the meanings found for its helpers do not carry it, and no counterexample was found"
                .to_string()
        } else if proof.left_out > 0 {
            "it has a condition that cannot be put to the solver, and no counterexample was found"
                .to_string()
        } else if rule.assumes_unique {
            "no second solution is known that would show it, and no counterexample was found"
                .to_string()
        } else {
            "no proof and no counterexample was found".to_string()
        })
    }

    /// The verdict on a rule that was proved, once it has been run.
    fn defended(&mut self, assumes_unique: bool) -> Result<Verdict, String> {
        let mut defence = Defence::new(self.rules, self.instance, self.layout);
        let impossible = self.witnesses(&mut defence);
        defence.sample();
        self.judgement.states += defence.states;
        let Defence { fired, lost, states, .. } = defence;
        if let Some(made) = lost {
            return Ok(self.unsound(*made));
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
    fn witnesses(&mut self, defence: &mut Defence) -> Vec<bool> {
        let parameter = self.rules.instances()[self.instance].parameter;
        let mut impossible = Vec::new();
        for clause in 0..self.clauses.len() {
            let mut ruled_out = false;
            let recursive = !recursive_helpers(self.rules, &self.clauses[clause]).is_empty();
            let unrolled = (1..=MOST_UNFOLDINGS).filter(|_| recursive).map(Recursion::Unroll);
            // Short chains first: those of a meaning may be none at all.
            for recursion in unrolled.chain([Recursion::Keep]) {
                let Ok(flats) = flatten(self.rules, &self.clauses[clause], recursion, true) else {
                    continue;
                };
                let mut inquiry = self.inquiry(self.small());
                for flat in &flats {
                    let mut witness = Witness { defence: &mut *defence, clause, models: 0 };
                    inquiry.ask(flat, parameter, Aim::Fires, &mut witness);
                    if defence.fired[clause] || defence.lost.is_some() {
                        break;
                    }
                }
                if defence.fired[clause] || defence.lost.is_some() {
                    break;
                }
                let none = inquiry.tally.models == 0 && inquiry.tally.unknown == 0;
                ruled_out = none && recursion == Recursion::Keep;
            }
            impossible.push(ruled_out);
        }
        impossible
    }

    /// Holds the prover against the evaluator where it is cheap: a rule that loses a solution on
    /// 4 × 4 must not be proved there.
    fn on_four(&self) -> Result<(), String> {
        let Some(four) = Layout::classic(4).filter(|four| **four != **self.layout) else {
            return Ok(());
        };
        let mut defence = Defence::new(self.rules, self.instance, &four);
        defence.sample();
        if defence.lost.is_none() {
            return Ok(());
        }
        match judge(self.rules, self.instance, &four, self.options).verdict {
            Verdict::Unsound | Verdict::NotProved => Ok(()),
            _ => Err("it loses a solution on 4×4, where the proof says it cannot".to_string()),
        }
    }

    fn unsound(&mut self, made: Counterexample) -> Verdict {
        self.judgement.counterexample = Some(Box::new(made));
        Verdict::Unsound
    }

    fn flats(&self, recursion: Recursion, relax: bool) -> Result<Vec<Flat>, TooMany> {
        let flats = |clause| flatten(self.rules, clause, recursion, relax);
        Ok(self.clauses.iter().map(flats).collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Little work, and no more than is allowed for the whole.
    fn small(&self) -> Budget {
        let Budget { questions, conflicts, propagations, steps } = self.options.budget;
        Budget {
            questions: questions.min(SMALL.questions),
            conflicts: conflicts.min(SMALL.conflicts),
            propagations: propagations.min(SMALL.propagations),
            steps: steps.min(SMALL.steps),
        }
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
        let (tally, stages) = (inquiry.tally, inquiry.stages.closed);
        self.judgement.questions += tally.questions;
        for (sum, more) in self.judgement.stages.iter_mut().zip(stages) {
            *sum += more;
        }
        tally
    }

    fn counterexample(&mut self, flats: &[Flat]) -> Option<Counterexample> {
        let mut maker = Maker::new(self.rules, self.instance);
        self.pass(flats, self.small(), &mut maker);
        maker.made
    }
}

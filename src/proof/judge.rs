//! The verdict on a rule: proofs first, then counterexamples, then the admission of neither.

use std::sync::Arc;

use crate::board::Layout;
use crate::language::{Clause, Head, Recursion, RuleSet, TooMany};

use super::counterexample::{Counterexample, Maker};
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
        let budget = Budget { questions: 400_000, conflicts: 2_000_000, propagations: 60_000_000 };
        Options { symmetry: true, budget }
    }
}

/// How deep recursive helpers are unfolded in search of a counterexample.
const MOST_UNFOLDINGS: usize = 3;
/// Questions for things that are nice to know.
const SMALL: Budget = Budget { questions: 20_000, conflicts: 200_000, propagations: 20_000_000 };

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
    let meanings = Meanings::infer(rules, layout, &helpers, options.symmetry);
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
        // A rule that needs one solution gets no second chance on closed states: what goes wrong
        // is made a puzzle at once.
        let mut maker = Maker::new(self.rules, self.instance);
        let proof = match rule.assumes_unique {
            true => self.pass(&flats, false, self.options.budget, &mut maker),
            false => self.pass(&flats, false, self.options.budget, &mut First),
        };
        if proof.models == 0 && proof.unknown == 0 {
            return Ok(if self.never_fires(&flats, false) {
                Verdict::NeverFires
            } else if rule.assumes_unique {
                Verdict::SoundIfUnique
            } else {
                Verdict::Sound
            });
        }
        let mut closed = Tally::default();
        if !rule.assumes_unique {
            // Once more on states where singles are closed; what still goes wrong is made a puzzle.
            closed = self.pass(&flats, true, self.options.budget, &mut maker);
            let holds = closed.models == 0 && closed.unknown == 0;
            if holds && !self.never_fires(&flats, true) {
                return Ok(Verdict::SoundIfClosed);
            }
        }
        if let Some(made) = maker.made {
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
        if let Some(made) = self.counterexample(&flats) {
            return Ok(self.unsound(made));
        }
        Err(if proof.unknown + closed.unknown > 0 {
            "the budget ran out".to_string()
        } else if recursive {
            "the meanings found for its helpers do not carry it, and no counterexample was found"
                .to_string()
        } else if rule.assumes_unique {
            "no second solution is known that would show it, and no counterexample was found"
                .to_string()
        } else {
            "no proof and no counterexample was found".to_string()
        })
    }

    fn unsound(&mut self, made: Counterexample) -> Verdict {
        self.judgement.counterexample = Some(Box::new(made));
        Verdict::Unsound
    }

    fn flats(&self, recursion: Recursion, relax: bool) -> Result<Vec<Flat>, TooMany> {
        let mut all = Vec::new();
        for clause in self.clauses {
            all.extend(flatten(self.rules, clause, recursion, relax)?);
        }
        Ok(all)
    }

    /// Little work, and no more than is allowed for the whole.
    fn small(&self) -> Budget {
        let Budget { questions, conflicts, propagations } = self.options.budget;
        Budget {
            questions: questions.min(SMALL.questions),
            conflicts: conflicts.min(SMALL.conflicts),
            propagations: propagations.min(SMALL.propagations),
        }
    }

    fn inquiry(&self, budget: Budget) -> Inquiry<'_> {
        let meanings = self.meanings.clone();
        Inquiry::new(self.rules, self.layout, meanings, self.options.symmetry, budget)
    }

    /// Asks whether a conclusion can be false, of all clauses.
    fn pass(
        &mut self,
        flats: &[Flat],
        closed: bool,
        budget: Budget,
        on_model: &mut dyn OnModel,
    ) -> Tally {
        let instance = &self.rules.instances()[self.instance];
        let mut inquiry = self.inquiry(budget);
        inquiry.unique = self.rules.rule(instance.rule).assumes_unique;
        if closed {
            let literal = inquiry.encoder.singles_closed();
            inquiry.assumed.push(literal);
        }
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
        self.pass(flats, false, self.small(), &mut maker);
        maker.made
    }

    /// Whether no body can hold with a conclusion that changes something.
    fn never_fires(&mut self, flats: &[Flat], closed: bool) -> bool {
        let contradicts = |clause: &Clause| clause.heads.contains(&Head::Contradiction);
        if self.clauses.iter().any(contradicts) {
            return false;
        }
        let parameter = self.rules.instances()[self.instance].parameter;
        let mut inquiry = self.inquiry(self.small());
        if closed {
            let literal = inquiry.encoder.singles_closed();
            inquiry.assumed.push(literal);
        }
        for flat in flats {
            inquiry.ask(flat, parameter, Aim::Fires, &mut First);
            if inquiry.tally.models > 0 || inquiry.tally.unknown > 0 {
                return false;
            }
        }
        true
    }
}

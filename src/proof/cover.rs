//! Are a rule's conclusions always another rule's too?
//!
//! A state is looked for on which the first rule concludes something and the second does not
//! conclude the same. Whenever the second does after all, what its match rests on is written down
//! as a clause, so that the next state must break it; the search ends with a state that shows the
//! difference, or with none.

use std::collections::HashMap;
use std::sync::Arc;

use crate::board::{Candidate, Grid, Layout};
use crate::engine::{Deducer, Engine, Naive, Worker};
use crate::language::{Clause, Literal, Recursion, RuleSet};
use crate::meaning::Open;
use crate::trace::{Bindings, Conclusion, Match};

use super::encode::Encoder;
use super::existence::Existence;
use super::flatten::{flatten, recursive_helpers};
use super::inquiry::{Aim, Claim, Inquiry, OnModel};
use super::judge::Options;
use super::meaning::Meanings;
use super::sat::Lit;
use super::stage::Scope;
use super::symbol::Propositions;
use super::walk::Flow;

/// What came of the question.
#[derive(Clone, Debug)]
pub enum Coverage {
    /// Every conclusion of the first rule is one of the second, on the same state.
    Covered,
    /// Not on this state: the second rule does not conclude this, and the first does.
    NotCovered(Box<(Grid, Claim)>),
    /// The budget ran out.
    Unknown,
}

/// Whether every conclusion of the instance `first` is one of the instance `second`.
pub fn covers(
    rules: &RuleSet,
    first: usize,
    second: usize,
    layout: &Arc<Layout>,
    options: &Options,
) -> Coverage {
    let chosen = &rules.instances()[first];
    let clauses = &rules.rule(chosen.rule).clauses;
    let mut other = Other {
        rules,
        first,
        second,
        worker: Engine::assuming_unique(rules, layout).worker(),
        naive: Naive::new(rules),
        apart: HashMap::new(),
        found: None,
        gave_up: false,
    };
    let mut unknown = false;
    for clause in clauses {
        // A recursive helper is looked at for short chains only: a difference is a difference,
        // but that there is none cannot be said.
        let recursive = !recursive_helpers(rules, std::slice::from_ref(clause)).is_empty();
        let recursion = if recursive { Recursion::Unroll(2) } else { Recursion::Keep };
        let flats = flatten(rules, clause, recursion, &[], true, options.budget);
        let Ok(flats) = flats else { return Coverage::Unknown };
        unknown |= recursive;
        let meanings = Meanings::default();
        let mut inquiry = Inquiry::new(rules, layout, meanings, options.symmetry, options.budget);
        other.apart.clear();
        for flat in &flats {
            inquiry.ask(flat, chosen.parameter, Aim::Alone, &mut other);
            if let Some(found) = other.found {
                return Coverage::NotCovered(Box::new(found));
            }
            unknown |= other.gave_up || inquiry.tally.unknown > 0 || inquiry.tally.left_out > 0;
        }
    }
    if unknown { Coverage::Unknown } else { Coverage::Covered }
}

/// Holds the second rule against each state on which the first concludes something.
struct Other<'a> {
    rules: &'a RuleSet,
    first: usize,
    second: usize,
    worker: Worker,
    naive: Naive,
    apart: HashMap<Claim, Lit>,
    found: Option<(Grid, Claim)>,
    gave_up: bool,
}

impl OnModel for Other<'_> {
    fn apart(&mut self, encoder: &mut Encoder, claim: Claim) -> Lit {
        *self.apart.entry(claim).or_insert_with(|| encoder.variable())
    }

    fn model(&mut self, encoder: &mut Encoder, _: &[Lit], _: Scope, claim: Claim) -> Flow {
        let Some(solution) = encoder.solution_found() else {
            self.gave_up = true;
            return Flow::Stop;
        };
        let state = encoder.state_found(&solution, true);
        let matches = self.worker.matches(self.second, &state);
        let Some(same) = matches.into_iter().find(|m| concludes(&m.conclusion, claim, &state))
        else {
            // The order of cells and digits was relaxed: see that the first rule really is there.
            let really = self.naive.matches(self.first, &state);
            if really.iter().any(|m| concludes(&m.conclusion, claim, &state)) {
                self.found = Some((state, claim));
            } else {
                self.gave_up = true;
            }
            return Flow::Stop;
        };
        match self.grounds(encoder, same, &state) {
            Some(mut broken) => {
                broken.push(!self.apart(encoder, claim));
                encoder.clause(&broken);
                Flow::Next
            }
            None => {
                self.gave_up = true;
                Flow::Stop
            }
        }
    }
}

impl Other<'_> {
    /// Literals of which one must hold where this match of the second rule is not one.
    fn grounds(&self, encoder: &mut Encoder, found: Match, state: &Grid) -> Option<Vec<Lit>> {
        let instance = &self.rules.instances()[found.instance];
        let clause = &self.rules.rule(instance.rule).clauses[found.clause];
        let account = self.naive.account(found, state);
        let mut all = Vec::new();
        let mut existence = Existence::new(self.rules);
        let mut rests = |clause: &Clause, bindings: &Bindings, parameter| {
            let mut bound = bindings.iter().map(|&value| Some(Open::fixed(value))).collect();
            let mut reading = Propositions { logic: &mut *encoder, parameter };
            for goal in &clause.body {
                if !matches!(goal.literal, Literal::Call(..)) {
                    reading.conditions(&goal.literal, &mut bound, &mut existence, &mut all).ok()?;
                }
            }
            Some(())
        };
        rests(clause, &account.found.bindings, instance.parameter)?;
        for derivation in account.premises.iter().flat_map(|premise| premise.all()) {
            let clause = &self.rules.predicate(derivation.predicate).clauses[derivation.clause];
            rests(clause, &derivation.bindings, None)?;
        }
        all.retain(|&literal| literal != Lit::TRUE);
        all.sort_unstable();
        all.dedup();
        Some(all.into_iter().map(|literal| !literal).collect())
    }
}

/// Whether a conclusion says this too, or more.
fn concludes(conclusion: &Conclusion, claim: Claim, state: &Grid) -> bool {
    match claim {
        Claim::Contradiction => conclusion.contradiction,
        // A cell whose other candidates go is not placed yet.
        Claim::Place(candidate) => conclusion.places.contains(&candidate),
        Claim::Eliminate(candidate) => {
            let excludes = |place: &Candidate| {
                (place.cell == candidate.cell && place.digit != candidate.digit)
                    || (place.digit == candidate.digit
                        && state.layout().sees(place.cell, candidate.cell))
            };
            conclusion.eliminates.contains(&candidate) || conclusion.places.iter().any(excludes)
        }
    }
}

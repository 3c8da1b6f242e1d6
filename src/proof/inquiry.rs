//! One look at a clause: every binding, every conclusion, refuted or not.

use std::sync::Arc;

use crate::board::{Candidate, Digit, Layout};
use crate::language::{PredicateId, RuleSet};

use crate::meaning::never_holds;

use super::budget::Budget;
use super::encode::Encoder;
use super::existence::Existence;
use super::flatten::Flat;
use super::general;
use super::lemma::Lemma;
use super::meaning::Meanings;
use super::plan::plan;
use super::question::Question;
use super::sat::Lit;
use super::stage::{Scope, Stages};
use super::symmetry::{Used, constants};
use super::walk::{Flow, Walk};

/// What is asked of every binding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim<'d> {
    /// Can the body hold and a conclusion be false?
    Wrong,
    /// Can the body hold and a conclusion change something?
    Fires,
    /// Can the body hold, a conclusion change something, and another rule not conclude the same?
    Alone,
    /// Can the body hold and the head's nodes have values outside of this meaning?
    Outside(PredicateId),
    /// Can the body hold and this not be true of the head's arguments, for these digits?
    Against(Lemma, &'d [Digit]),
}

/// What a clause is wrong about: the digit that it places or eliminates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Claim {
    /// It places this digit.
    Place(Candidate),
    /// It eliminates it.
    Eliminate(Candidate),
    /// It says that there is no solution.
    Contradiction,
}

/// What the inquiry does with a model it found.
pub(super) trait OnModel {
    /// A solved grid and a state stand in the encoder in which the literals hold. Whether to go on.
    fn model(
        &mut self,
        encoder: &mut Encoder,
        literals: &[Lit],
        scope: Scope,
        claim: Claim,
    ) -> Flow;
    /// With [`Aim::Alone`]: what says that the other rule does not conclude this.
    fn apart(&mut self, _: &mut Encoder, _: Claim) -> Lit {
        Lit::TRUE
    }
}

/// Stops at the first model.
pub(super) struct First;

impl OnModel for First {
    fn model(&mut self, _: &mut Encoder, _: &[Lit], _: Scope, _: Claim) -> Flow {
        Flow::Stop
    }
}

/// How a inquiry ended, apart from models.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    /// Bindings and conclusions asked about.
    pub questions: u64,
    /// Questions left open by the budget.
    pub unknown: u64,
    /// Conditions that had to be left out, so that the body was weaker than it is.
    pub left_out: u64,
    /// Models found.
    pub models: u64,
}

/// The prover at work on one clause after another, with one encoder.
pub(super) struct Inquiry<'a> {
    /// The rules.
    pub rules: &'a RuleSet,
    /// The propositions.
    pub encoder: Encoder,
    /// Helpers under `not` and `forall`.
    pub existence: Existence<'a>,
    /// Whether bindings are walked up to symmetry.
    pub symmetry: bool,
    /// What the recursive helpers mean.
    pub meanings: Meanings,
    /// The values of a helper's nodes in the last model, when [`Aim::Outside`] found one.
    pub row: Option<usize>,
    /// Whether the puzzle has one solution.
    pub unique: bool,
    /// What has been done.
    pub tally: Tally,
    /// With which question to stop.
    pub last_question: u64,
    /// At which stages.
    pub stages: Stages,
    /// Whether it is about every layout with as many digits.
    pub general: bool,
}

/// Steps that it takes to begin.
const BEGINNING: u64 = 50;
/// Literals looked at for an order of binding, as many as take a step.
const PLANNING_A_STEP: u64 = 20;

impl<'a> Inquiry<'a> {
    /// A inquiry that has done nothing yet.
    pub(super) fn new(
        rules: &'a RuleSet,
        layout: &Arc<Layout>,
        meanings: Meanings,
        symmetry: bool,
        budget: Budget,
    ) -> Inquiry<'a> {
        let mut encoder = Encoder::new(layout.clone(), budget);
        encoder.count_steps(BEGINNING);
        Inquiry {
            rules,
            encoder,
            existence: Existence::new(rules),
            symmetry,
            meanings,
            row: None,
            unique: false,
            tally: Tally::default(),
            last_question: u64::MAX,
            stages: Stages::default(),
            general: false,
        }
    }

    /// The same about every layout with so many digits.
    pub(super) fn about_all(
        rules: &'a RuleSet,
        size: usize,
        meanings: Meanings,
        budget: Budget,
    ) -> Inquiry<'a> {
        let layout = general::names(size);
        Inquiry { general: true, ..Inquiry::new(rules, &layout, meanings, true, budget) }
    }

    /// What a clause names; nothing if the layout lacks some of it, so that it never holds.
    pub(super) fn named(&self, flat: &Flat) -> Option<Used> {
        constants(flat, self.encoder.layout(), self.symmetry && !flat.ordered)
    }

    /// Asks about every binding of a clause.
    pub(super) fn ask(
        &mut self,
        flat: &Flat,
        parameter: Option<i64>,
        aim: Aim,
        on_model: &mut dyn OnModel,
    ) -> Flow {
        if self.general {
            let Some((flat, used)) = self.generalised(flat, parameter) else {
                self.tally.unknown += 1;
                return Flow::Stop;
            };
            return self.walk(&flat, parameter, aim, on_model, used);
        }
        let conditions: Vec<_> = flat.body.iter().collect();
        if never_holds(&conditions, self.encoder.layout(), parameter) {
            return Flow::Next;
        }
        let Some(used) = self.named(flat) else { return Flow::Next };
        self.walk(flat, parameter, aim, on_model, used)
    }

    /// The clause as it is asked about on every layout, what it names, and an encoder for that;
    /// nothing if it cannot be asked about.
    fn generalised(&mut self, flat: &Flat, parameter: Option<i64>) -> Option<(Flat, Used)> {
        let layout = self.encoder.layout().clone();
        let (flat, room) = general::generalised(flat, parameter, layout.size(), &self.meanings)?;
        let used = self.named(&flat)?;
        let spent = self.encoder.spent();
        self.encoder = Encoder::general(layout, room, self.encoder.budget());
        self.encoder.count_steps(spent + BEGINNING);
        self.existence = Existence::new(self.rules);
        Some((flat, used.general(room)))
    }

    fn walk(
        &mut self,
        flat: &Flat,
        parameter: Option<i64>,
        aim: Aim,
        on_model: &mut dyn OnModel,
        mut used: Used,
    ) -> Flow {
        if let Aim::Against(_, case) = aim {
            used = case.iter().fold(used, |used, &digit| used.digit(digit));
        }
        let plan = plan(flat, parameter, vec![false; flat.variables.len()]);
        self.encoder.count_steps(plan.looked_at / PLANNING_A_STEP);
        let mut question = Question { inquiry: self, flat, parameter, aim, on_model };
        let bound = vec![None; flat.variables.len()];
        Walk::new(flat, &plan, bound).run(&mut question, used)
    }
}

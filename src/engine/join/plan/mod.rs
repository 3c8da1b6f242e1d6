//! From a clause to a list of steps, each to be done for every binding that passes those before
//! it.
//!
//! ```text
//! body      helpers over sets unfolded, parameters filled in
//!  split    conditions broken up into the smallest that mean the same
//!  part     calls of chains that are kept as bits, in two
//!  family   clauses for one size after the other, as one
//!  effect, choose, packing, lone   what the heads say beforehand, what prunes a choice
//! source    what one condition says about one variable, given those bound
//! sizes     how much that is expected to leave; sample, the board it is measured on
//! hoist     what need not be made again for every value of another variable
//! order     the cheapest order of the variables
//! build     the steps in that order: compile terms, condition tests, narrow domains, scan rows,
//!           generator
//! describe  the same in words
//! ```

pub(super) mod masks;

mod body;
mod build;
mod choose;
mod compile;
mod condition;
mod describe;
mod effect;
mod family;
mod generator;
mod hoist;
mod lone;
mod narrow;
mod order;
mod packing;
mod part;
mod sample;
mod scan;
mod sizes;
mod source;
mod split;
mod symmetry;
mod taking;

use crate::language::{Literal, Term, Var, Variable};

use super::bits::Width;
use super::code::{HeadTerm, JoinStep, Narrowing, SmallSet};
use super::table::{IndexId, Tables};
use super::view::Needs;
use build::Builder;
use compile::Compiler;
use order::{Item, order};

pub(super) use body::{Body, SetHelpers, bodies, is_table, names_only_up_to};
pub(super) use family::merge;
pub(super) use part::Chains;
pub(super) use sample::sample;
pub(super) use sizes::{Sizes, TableSize};
pub(super) use source::{BuiltIn, Relationship};
pub(super) use symmetry::{Symmetric, is_same, symmetric_columns};
pub(super) use taking::taking;

/// What a plan is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// What changes, all matches together.
    Effects,
    /// Each conclusion that changes something.
    Conclusions,
    /// Every match.
    Matches,
    /// Every match that takes away a candidate given.
    Taking,
    /// The tuples of a helper.
    Tuples,
}

impl Purpose {
    /// Whether all that changes nothing may be left out.
    pub(super) fn is_for_effects(self) -> bool {
        matches!(self, Purpose::Effects | Purpose::Conclusions)
    }

    /// Whether each match is told, with all its variables.
    fn tells(self) -> bool {
        matches!(self, Purpose::Matches | Purpose::Taking)
    }
}

/// A body ready to run.
#[derive(Clone, Debug)]
pub(super) struct JoinPlan {
    pub steps: Vec<JoinStep>,
    /// For each step, and the end: the last one before it that gives a variable several values.
    pub back: Vec<Option<u16>>,
    /// From this step on one solution is enough.
    pub settled: usize,
    /// Whether no two solutions have the same heads: every variable bound before the heads are
    /// known is one of theirs.
    pub distinct: bool,
    pub heads: Vec<HeadTerm>,
    pub needs: Needs,
    /// The indices that must be there.
    pub indices: Vec<IndexId>,
    /// Where each variable of the clause is kept; nothing for one that is local to a `forall`.
    pub places: Vec<Option<u8>>,
    /// What each step does, in words.
    pub words: Vec<String>,
    /// Bindings expected to be tried.
    pub cost: f64,
}

impl JoinPlan {
    /// Whether it finds the same as another, whatever the words for it.
    pub(super) fn does_the_same(&self, other: &JoinPlan) -> bool {
        self.steps == other.steps && self.settled == other.settled && self.heads == other.heads
    }

    /// Gives a digit of the clause no other values than those that are asked about.
    pub(super) fn ask(&mut self, digit: Var) {
        let slot = self.places[digit.index()];
        for step in &mut self.steps {
            if let JoinStep::Small(bind) = step
                && Some(bind.slot) == slot
            {
                bind.domain.push(Narrowing { set: SmallSet::Asked, negated: false });
            }
        }
    }
}

/// What plans of a layout have in common.
pub(super) struct Setting<'a, W: Width> {
    pub tables: &'a mut Tables<W>,
    pub sizes: &'a Sizes,
    pub size: usize,
    pub helpers: usize,
    /// Those of the helpers called that are chains kept as bits.
    pub chains: Chains,
    /// Those of them of which it is known that two columns can change places.
    pub symmetric: Symmetric,
}

/// The plan of a body; `given` are variables bound beforehand.
pub(super) fn plan<W: Width>(
    setting: Setting<W>,
    body: &Body,
    own: usize,
    purpose: Purpose,
    given: u64,
) -> Option<JoinPlan> {
    let mut body = body.clone();
    part::part(&mut body, &setting.chains, setting.sizes.parts);
    if purpose == Purpose::Effects {
        effect::name_victim(&mut body);
        effect::name_victim_of_choice(&mut body);
        lone::define_lone(&mut body);
    }
    if purpose.is_for_effects() {
        effect::add_effects(&mut body);
    }
    if purpose == Purpose::Effects {
        symmetry::break_symmetry(&mut body, &setting.symmetric);
    }
    if !purpose.tells() {
        body.unify(given);
        body.drop_untold(given);
    }
    choose::cover(&mut body);
    hoist::hoist(&mut body);
    if !purpose.tells() {
        hoist::hoist_choices(&mut body);
    }
    let order = order(&body, setting.sizes, given, purpose)?;
    // The member of a choice needs a place of its own while its image is taken.
    let mut variables = body.variables.clone();
    let mut member_of = vec![None; variables.len()];
    for literal in &body.literals {
        if let Literal::Choose(Term::Var(v), ..) = literal {
            member_of[v.index()] = Some(Var(variables.len() as u16));
            variables.push(Variable { name: String::new(), kind: body.kind(*v).member()? });
        }
    }
    let Setting { tables, sizes, size, helpers, .. } = setting;
    let mut compiler = Compiler::new(tables, &variables, size, helpers, body.dropped)?;
    compiler.numbered = given;
    let mut builder = Builder::new(&body, sizes, compiler, member_of, purpose, given);
    builder.ready()?;
    for (i, item) in order.items.iter().enumerate() {
        match item {
            Item::Bind(v) => {
                builder.bind(*v, i + 1 == order.items.len())?;
            }
            Item::Generate(place) => builder.generate(*place)?,
        }
        builder.ready()?;
    }
    builder.finish(own, order.cost)
}

/// See [`JoinPlan::back`].
fn back(steps: &[JoinStep]) -> Vec<Option<u16>> {
    let mut last = None;
    let mut back = Vec::new();
    for at in 0..=steps.len() {
        back.push(last);
        let is_variable = |step: &JoinStep| {
            matches!(
                step,
                JoinStep::Cell(_)
                    | JoinStep::Small(_)
                    | JoinStep::Orientation { .. }
                    | JoinStep::Scan(_)
            )
        };
        if steps.get(at).is_some_and(is_variable) {
            last = Some(at as u16);
        }
    }
    back
}

//! What the propositions say a rule concludes on one state: to be held against the evaluators.

use std::collections::BTreeSet;

use crate::board::Grid;
use crate::language::{Recursion, RuleSet};

use super::budget::Budget;
use super::encode::Encoder;
use super::flatten::flatten;
use super::inquiry::{Aim, Claim, Inquiry, OnModel};
use super::meaning::Meanings;
use super::sat::Lit;
use super::stage::Scope;
use super::walk::Flow;

/// Everything that an instance concludes on a state that contains a solution, by the propositions
/// that its proof is made of. Recursive helpers are unfolded `depth` times.
pub fn conclusions(rules: &RuleSet, instance: usize, grid: &Grid, depth: usize) -> BTreeSet<Claim> {
    let chosen = &rules.instances()[instance];
    let budget = Budget::endless();
    let mut inquiry = Inquiry::new(rules, grid.layout(), Meanings::default(), false, budget);
    for literal in inquiry.encoder.state_is(grid) {
        inquiry.encoder.clause(&[literal]);
    }
    let mut claims = BTreeSet::new();
    for clause in &rules.rule(chosen.rule).clauses {
        let flats = flatten(rules, clause, Recursion::Unroll(depth), &[], false, Budget::default());
        for flat in flats.unwrap_or_default() {
            let before = inquiry.tally.left_out;
            let mut here = Claims(BTreeSet::new());
            inquiry.ask(&flat, chosen.parameter, Aim::Fires, &mut here);
            // Without all of its conditions, a body holds too often.
            if inquiry.tally.left_out == before {
                claims.extend(here.0);
            }
        }
    }
    claims
}

/// Notes every claim.
struct Claims(BTreeSet<Claim>);

impl OnModel for Claims {
    fn model(&mut self, _: &mut Encoder, _: &[Lit], _: Scope, claim: Claim) -> Flow {
        self.0.insert(claim);
        Flow::Next
    }
}

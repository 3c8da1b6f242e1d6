//! A rule proved for every layout with as many digits, by one proof.
//!
//! What is asked about a layout that is not known is weaker than the clause, so how the clause is
//! put matters: as it stands, or with names for what its conditions say is there; and weaker, with
//! less to walk through: with rows, columns and boxes taken for any houses, or with a name less.
//! Each of these is wrong wherever the clause is, so it is enough that one of them never is. A
//! little work goes to each first, then what is left to those that were not decided. Where the
//! solver finds something wrong with one, it would with a weaker one, which is not tried.

use crate::language::{Recursion, RuleSet};

use super::budget::Budget;
use super::flatten::{Flat, flatten, unfolding};
use super::general::{WithNames, knows_kinds, witnessed};
use super::inquiry::{Aim, First, Inquiry, Tally};
use super::meaning::Meanings;

/// The part of the budget for such a proof: one in so many.
pub(super) const PART: u64 = 2;
/// The part of it that each way of putting a clause gets first: one in so many of the whole.
const FIRST_PART: u64 = 32;

/// Whether a rule is proved for every layout with so many digits, by one proof, before it is run on
/// any.
pub fn holds_everywhere(rules: &RuleSet, instance: usize, size: usize, budget: Budget) -> bool {
    let assumes_unique = rules.rule_of(instance).assumes_unique;
    !assumes_unique && generally(rules, instance, size, false, budget.part(PART)).0.is_some()
}

/// Proves a rule for every layout with so many digits, unless it is known to be: the meanings that
/// the proof rests on, if there is one, and the steps it took.
pub(super) fn generally(
    rules: &RuleSet,
    instance: usize,
    size: usize,
    is_known: bool,
    budget: Budget,
) -> (Option<Meanings>, u64) {
    let chosen = &rules.instances()[instance];
    let rule = rules.rule(chosen.rule);
    let (meanings, steps) = Meanings::infer_generally(rules, size, &rule.clauses, budget.part(2));
    if is_known {
        return (Some(meanings), steps);
    }
    let left = budget.left();
    let mut proof = Proof { rules, size, parameter: chosen.parameter, meanings, budget };
    proof.budget.spend(steps);
    let holds = rule.clauses.iter().all(|clause| {
        let kept = proof.meanings.kept();
        let flats = flatten(rules, clause, Recursion::Keep, kept, true, proof.budget);
        proof.budget.spend(unfolding(&flats, proof.budget));
        flats.is_ok_and(|flats| flats.iter().all(|flat| proof.holds(flat)))
    });
    let steps = left - proof.budget.left();
    (holds.then_some(proof.meanings), steps)
}

/// A way to put a clause, and weaker ones.
struct Way {
    flats: Vec<Flat>,
    weaker: Vec<Vec<Flat>>,
}

/// A proof under way.
struct Proof<'a> {
    rules: &'a RuleSet,
    size: usize,
    parameter: Option<i64>,
    meanings: Meanings,
    budget: Budget,
}

impl Proof<'_> {
    /// Whether a clause is never wrong, put in one way or another.
    fn holds(&mut self, flat: &Flat) -> bool {
        let plain = Way { flats: vec![flat.clone()], weaker: Vec::new() };
        let mut undecided = Vec::new();
        if self.is_proved(plain, &mut undecided) {
            return true;
        }
        // With names, heads are asked about one by one.
        let all = witnessed(flat).is_some_and(|heads| {
            heads.into_iter().all(|WithNames { flats, with_fewer }| {
                let way = Way { flats, weaker: with_fewer };
                let mut open = Vec::new();
                self.is_proved(way, &mut open) || self.are_any_proved(&open)
            })
        });
        all || self.are_any_proved(&undecided)
    }

    /// The same with all the work that is left, of those that were not decided; the weaker ones
    /// first, as they have less to walk through.
    fn are_any_proved(&mut self, undecided: &[Vec<Flat>]) -> bool {
        undecided.iter().rev().any(|flats| self.asked(flats, self.budget) == Some(true))
    }

    /// Whether a little work shows that one way to put a clause, or a weaker one, is never wrong;
    /// else those are added that it does not decide.
    fn is_proved(&mut self, way: Way, undecided: &mut Vec<Vec<Flat>>) -> bool {
        let Way { flats, weaker } = way;
        let little = |budget: Budget| budget.part(FIRST_PART);
        match self.asked(&flats, little(self.budget)) {
            Some(proved) => return proved,
            None if self.budget.is_spent() => return false,
            None => {}
        }
        let any_kind = flats.iter().any(knows_kinds).then(|| {
            let forget = |flat: &Flat| Flat { any_kind: true, ..flat.clone() };
            flats.iter().map(forget).collect::<Vec<Flat>>()
        });
        undecided.push(flats);
        for flats in any_kind.into_iter().chain(weaker) {
            match self.asked(&flats, little(self.budget)) {
                Some(true) => return true,
                Some(false) => {}
                None => undecided.push(flats),
            }
        }
        false
    }

    /// Whether none of these clauses is ever wrong; nothing if the work allowed does not tell.
    fn asked(&mut self, flats: &[Flat], part: Budget) -> Option<bool> {
        let meanings = self.meanings.clone();
        let mut inquiry = Inquiry::about_all(self.rules, self.size, meanings, part);
        for flat in flats {
            inquiry.ask(flat, self.parameter, Aim::Wrong, &mut First);
            let Tally { models, unknown, .. } = inquiry.tally;
            if models > 0 || unknown > 0 {
                break;
            }
        }
        let Tally { models, unknown, .. } = inquiry.tally;
        self.budget.spend(inquiry.encoder.spent());
        match (models, unknown) {
            (0, 0) => Some(true),
            (0, _) => None,
            _ => Some(false),
        }
    }
}

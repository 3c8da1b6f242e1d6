//! Conditions that a rule does not need: without one of them it is still sound, and finds more.

use std::sync::Arc;

use crate::board::Layout;
use crate::language::{
    Clause, Comparison, Kind, Literal, Recursion, Relation, RuleSet, Span, Term,
};

use super::flatten::flatten;
use super::inquiry::{Aim, First, Inquiry};
use super::judge::Options;
use super::meaning::Meanings;

/// The conditions of an instance's clauses that are superfluous, each by itself: dropping one of
/// them keeps the rule sound; dropping two may not.
///
/// Conditions that only guard (`in unsolved`, `live`), order (`A < B`) or define are left alone.
pub fn superfluous(
    rules: &RuleSet,
    instance: usize,
    layout: &Arc<Layout>,
    options: &Options,
) -> Vec<Span> {
    let chosen = &rules.instances()[instance];
    let rule = rules.rule(chosen.rule);
    let mut found = Vec::new();
    // What a derivation is needed for, the prover does not know.
    let asks = |clause: &&Clause| clause.conditions().any(Literal::traces);
    for clause in rule.clauses.iter().filter(|clause| !asks(clause)) {
        let kind = |term: &Term| clause.kind_of(term);
        for dropped in 0..clause.body.len() {
            if !is_condition(&clause.body[dropped].literal, &kind) {
                continue;
            }
            let mut without = clause.clone();
            without.body.remove(dropped);
            let (meanings, _) = Meanings::infer(
                rules,
                layout,
                std::slice::from_ref(&without),
                options.symmetry,
                options.budget,
            );
            let flats =
                flatten(rules, &without, Recursion::Keep, meanings.kept(), true, options.budget);
            let Ok(flats) = flats else { continue };
            let mut inquiry =
                Inquiry::new(rules, layout, meanings, options.symmetry, options.budget);
            inquiry.unique = rule.assumes_unique;
            for flat in &flats {
                inquiry.ask(flat, chosen.parameter, Aim::Wrong, &mut First);
            }
            if inquiry.tally.models == 0 && inquiry.tally.unknown == 0 {
                found.push(clause.body[dropped].span);
            }
        }
    }
    found
}

/// Whether a literal is there to make the rule true, rather than to guard, order or define.
fn is_condition(literal: &Literal, kind: &dyn Fn(&Term) -> Kind) -> bool {
    match literal {
        Literal::In(_, set) => !matches!(set, Term::Constant(_)),
        Literal::Choose(..) => false,
        Literal::Within(..) => true,
        Literal::Compare(Comparison::Equal, left, _) => kind(left).set().is_some(),
        Literal::Compare(Comparison::Unequal, ..) => true,
        Literal::Compare(_, left, _) => kind(left) == Kind::Number,
        Literal::Relation(relation, _) => {
            !matches!(relation, Relation::Live | Relation::Orientation)
        }
        Literal::Call(..) | Literal::Traced(..) => true,
        Literal::Not(_) | Literal::Forall(..) | Literal::Exists(_) => true,
        Literal::Suppose(_) => true,
        Literal::Collect(..) => false,
    }
}

//! Rules that are not for a layout: they are not run there.

use std::fmt;

use crate::board::Layout;
use crate::language::{Clause, Function, Instance, Literal, PredicateId, Relation, RuleSet, Term};
use crate::meaning::never_holds;

/// Why a rule is not run on a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// It trusts that there is one solution, and argues that digits could change places. That may
    /// break what the layout asks beside rows, columns and boxes.
    Unique,
    /// It speaks of the box of a cell, and there are none.
    NoBoxes,
    /// It is about houses, or about digits that exclude each other, and there are none such.
    Nothing,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Unfit::Unique => {
                "it assumes one solution, which is for layouts of rows, columns and boxes alone"
            }
            Unfit::NoBoxes => "it speaks of boxes, and the layout has none",
            Unfit::Nothing => "the layout has nothing of what it is about",
        })
    }
}

impl Unfit {
    /// Why an instance is not run on a layout, if it is not.
    pub fn find(rules: &RuleSet, instance: &Instance, layout: &Layout) -> Option<Unfit> {
        let rule = rules.rule(instance.rule);
        let never = |clause: &Clause| {
            let conditions: Vec<_> = clause.body.iter().map(|goal| &goal.literal).collect();
            never_holds(&conditions, layout, instance.parameter)
        };
        if rule.clauses.iter().all(never) {
            return Some(Unfit::Nothing);
        }
        if layout.is_boxed() {
            return None;
        }
        if rule.assumes_unique && !layout.is_plain() {
            return Some(Unfit::Unique);
        }
        let needs_boxes = !layout.has_boxes() && speaks_of_boxes(rules, &rule.clauses);
        needs_boxes.then_some(Unfit::NoBoxes)
    }
}

/// Whether clauses, or the helpers that they call, ask for the box of a cell.
fn speaks_of_boxes(rules: &RuleSet, clauses: &[Clause]) -> bool {
    let mut called = vec![false; rules.predicates().len()];
    let mut waiting: Vec<PredicateId> = Vec::new();
    let mut found = false;
    let mut look = |clause: &Clause, waiting: &mut Vec<PredicateId>| {
        clause.conditions().for_each(|literal| {
            literal.each(&mut |l| match l {
                Literal::Call(helper, _) => waiting.push(*helper),
                Literal::Relation(Relation::Rectangle, _) => found = true,
                _ => {}
            });
        });
        clause.each_term(&mut |term| found |= matches!(term, Term::Call(Function::Box, _)));
    };
    clauses.iter().for_each(|clause| look(clause, &mut waiting));
    while let Some(helper) = waiting.pop() {
        if !std::mem::replace(&mut called[helper.0 as usize], true) {
            let clauses = &rules.predicate(helper).clauses;
            clauses.iter().for_each(|clause| look(clause, &mut waiting));
        }
    }
    found
}

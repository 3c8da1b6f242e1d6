//! Where `suppose` may stand, and what may run under a hypothesis. E080, E081.
//!
//! A rule supposes only with rules of a lower level than its own, so hypotheses nest by level and
//! never turn in a circle. A supposition is only ever wanted to be true: where its truth were
//! denied, collected or gone through, a run that is cut off would say what does not follow.

use super::draft::{Clause, Goal, Literal, Owner};
use crate::language::clause::{Literal as Checked, Supposition};
use crate::language::diagnostic::{Diagnostic, Span};
use crate::language::rule::{Parameter, Predicate, Rule};

/// Checks the places of the suppositions of a clause.
pub(super) fn places(clause: &Clause, diagnostics: &mut Vec<Diagnostic>) {
    let refused = match clause.owner {
        Owner::Rule(_) => None,
        Owner::Helper(_) => Some(("a helper", "a helper has no level: say it in the rule")),
        Owner::Goal => Some(("a query", "write a rule and `fire` it")),
    };
    clause.goals().for_each(|goal| look(goal, refused, diagnostics));
}

type Refused = Option<(&'static str, &'static str)>;

fn look(goal: &Goal, refused: Refused, diagnostics: &mut Vec<Diagnostic>) {
    let wanted = "a supposition can only be wanted to be true: say it after the colon";
    match &goal.literal {
        Literal::Suppose(..) => {
            if let Some((place, help)) = refused {
                let message = format!("`suppose` cannot stand in {place}");
                diagnostics.push(Diagnostic::error("E080", goal.span, message).help(help));
            }
        }
        Literal::Forall(generator, body) => {
            let through = refused.or(Some(("what `forall` goes through", wanted)));
            generator.goals.iter().for_each(|goal| look(goal, through, diagnostics));
            body.goals.iter().for_each(|goal| look(goal, refused, diagnostics));
        }
        Literal::Collect(_, _, generator) => {
            let set = refused.or(Some(("a set `{X : …}`", "use `exists` or `forall`")));
            generator.goals.iter().for_each(|goal| look(goal, set, diagnostics));
        }
        literal => literal.inside().for_each(|goal| look(goal, refused, diagnostics)),
    }
}

/// Checks that a rule supposes only with what is easier than itself, and asks for what can be known.
pub(super) fn rule(rule: &Rule, helpers: &[Predicate], diagnostics: &mut Vec<Diagnostic>) {
    let mut look = |literal: &Checked, span: Span| {
        each(literal, &mut |found| {
            levels(rule, found, span, diagnostics);
            let helper = found.helper().map(|helper| &helpers[usize::from(helper.0)]);
            if let Some(helper) = helper.filter(|helper| helper.given.contains(&true)) {
                let name = &helper.name;
                let message = format!("`{name}` cannot be asked of where a hypothesis leads");
                let help = "it holds only of arguments that are given: ask a helper that finds its \
                            own";
                diagnostics.push(Diagnostic::error("E081", span, message).help(help));
            }
        });
    };
    for clause in &rule.clauses {
        clause.body.iter().for_each(|goal| look(&goal.literal, goal.span));
        for head in clause.heads.iter().filter_map(|head| head.generator()) {
            head.conditions.iter().for_each(|literal| look(literal, clause.span));
        }
    }
}

fn each(literal: &Checked, see: &mut dyn FnMut(&Supposition)) {
    literal.each(&mut |inner| {
        if let Checked::Suppose(supposition) = inner {
            see(supposition);
        }
    });
}

fn levels(rule: &Rule, found: &Supposition, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    let values = |p: &Parameter| (p.from..=p.to).map(Some).collect();
    let values: Vec<Option<i64>> = rule.parameter.as_ref().map_or(vec![None], values);
    for (value, &level) in values.into_iter().zip(&rule.levels) {
        let Some(below) = found.below.constant(value) else {
            let message = "what stands after `below` is a level: a number, or arithmetic on the \
                           parameter";
            let help = "write `below 40`, or `below 10 * N`";
            return diagnostics.push(Diagnostic::error("E081", span, message).help(help));
        };
        if below > i64::from(level) {
            let message = format!(
                "rule {} has level {level}, so it cannot suppose with the rules below {below}",
                rule.name
            );
            let help = format!(
                "a rule supposes with easier rules only: write `below {level}` or less, or raise \
                 its level to {below}"
            );
            return diagnostics.push(Diagnostic::error("E080", span, message).help(help));
        }
    }
}

//! Which helper is finished before which. E040.
//!
//! A helper that denies another, goes through it with `forall` or collects it in a set needs it
//! finished; so no helper may do that to itself, through others or not.

use super::draft::{Clause, Goal, Literal, Owner};
use super::helpers::Signature;
use super::monotone::literal_depends;
use super::text::Texts;
use crate::board::Reliance;
use crate::language::clause;
use crate::language::diagnostic::{Diagnostic, Span};

/// What is known of each helper.
pub(super) struct Strata {
    pub stratum: Vec<usize>,
    pub recursive: Vec<bool>,
}

/// Which helpers' answers depend on the candidates.
pub(super) fn changing(clauses: &[Vec<clause::Clause>]) -> Vec<bool> {
    let none = vec![false; clauses.len()];
    let mut changing = none.clone();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); clauses.len()];
    // Those that depend by themselves, then those that call them.
    let mut next = Vec::new();
    for (helper, clauses) in clauses.iter().enumerate() {
        for goal in clauses.iter().flat_map(|clause| &clause.body) {
            if literal_depends(&goal.literal, &none) {
                next.push(helper);
            }
            for callee in goal.literal.calls() {
                callers[usize::from(callee.0)].push(helper);
            }
        }
    }
    while let Some(helper) = next.pop() {
        if !std::mem::replace(&mut changing[helper], true) {
            next.append(&mut callers[helper]);
        }
    }
    changing
}

/// A call of one helper in another's clause.
#[derive(Clone, Copy)]
struct Call {
    /// What it stands under that needs the helper to be finished, if anything.
    under: Option<&'static str>,
    span: Span,
}

/// Orders the helpers.
pub(super) fn order(
    clauses: &[Clause],
    signatures: &[Signature],
    texts: &Texts,
    diagnostics: &mut Vec<Diagnostic>,
) -> Strata {
    let mut graph = Reliance::of(signatures.len());
    for clause in clauses {
        if let Owner::Helper(helper) = clause.owner {
            for goal in &clause.body {
                calls(goal, None, &mut |callee, call| {
                    graph.add(helper, callee, call);
                });
            }
        }
    }
    let mut strata =
        Strata { stratum: vec![0; signatures.len()], recursive: vec![false; signatures.len()] };
    let mut group = vec![usize::MAX; signatures.len()];
    // Groups come with the called ones first.
    for (number, members) in graph.circles().into_iter().enumerate() {
        members.iter().for_each(|&member| group[member] = number);
        let mut below = 0;
        let mut recursive = false;
        let mut denial = None;
        for &member in &members {
            for (callee, call) in graph.below(member) {
                if group[callee] != number {
                    below = below.max(strata.stratum[callee] + 1);
                    continue;
                }
                recursive = true;
                if call.under.is_some() {
                    denial.get_or_insert((member, callee, call));
                }
            }
        }
        for &member in &members {
            strata.stratum[member] = below;
            strata.recursive[member] = recursive;
        }
        if let Some((caller, callee, call)) = denial {
            diagnostics.push(cycle(&graph, (caller, callee), call, signatures, texts));
        }
    }
    strata
}

fn calls(goal: &Goal, under: Option<&'static str>, found: &mut impl FnMut(usize, Call)) {
    if let Literal::Call(helper, _) = goal.literal {
        found(helper, Call { under, span: goal.span });
    }
    let mut inside = |goals: &[Goal], under| {
        goals.iter().for_each(|goal| calls(goal, under, found));
    };
    match &goal.literal {
        Literal::Not(denied) => inside(std::slice::from_ref(denied), Some("not")),
        // The body of a `forall` may grow while its ways stay as they are.
        Literal::Forall(generator, body) => {
            inside(&generator.goals, under.or(Some("forall")));
            inside(&body.goals, under);
        }
        Literal::Exists(generator) => inside(&generator.goals, under),
        Literal::Collect(_, _, generator) => inside(&generator.goals, under.or(Some("{X : …}"))),
        _ => {}
    }
}

/// The message with the whole cycle: from the denied helper back to the one that denies it.
fn cycle(
    graph: &Reliance<Call>,
    (caller, callee): (usize, usize),
    call: Call,
    signatures: &[Signature],
    texts: &Texts,
) -> Diagnostic {
    let name = |helper: usize| signatures[helper].name.as_str();
    let path = graph.way(callee, caller);
    let under = call.under.unwrap_or("not");
    let mut words = vec![format!("{} needs {under} {}", name(caller), name(callee))];
    words.extend(path.windows(2).map(|pair| format!("{} needs {}", name(pair[0]), name(pair[1]))));
    let message = match (under, caller == callee) {
        ("not", true) => format!("`{}` is denied in its own definition", name(caller)),
        ("not", false) => {
            format!("`{}` denies `{}`, which depends on it", name(caller), name(callee))
        }
        ("forall", true) => {
            format!("`{}` is what a `forall` goes through in its own definition", name(caller))
        }
        ("forall", false) => {
            let (caller, callee) = (name(caller), name(callee));
            format!("`{caller}` goes through `{callee}` with `forall`, which depends on it")
        }
        (_, true) => format!("`{}` is collected in a set in its own definition", name(caller)),
        (_, false) => {
            let (caller, callee) = (name(caller), name(callee));
            format!("`{caller}` collects `{callee}` in a set, which depends on it")
        }
    };
    Diagnostic::error("E040", call.span, message)
        .label(format!("the cycle: {}", words.join(", ")))
        .help(format!(
            "`{}` must be finished first: define it without `{}`",
            texts.line_of(call.span),
            name(caller)
        ))
}

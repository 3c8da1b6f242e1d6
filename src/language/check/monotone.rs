//! Whether a body, once true, stays true as candidates vanish. W110.
//!
//! If it does, the end of a run does not depend on the order in which rules fire. `unsolved`,
//! `missing` and `live` count as fixed: they only guard, once singles are closed.

use super::text::Texts;
use crate::language::clause::{
    Arithmetic, Clause, Comparison, Function, Head, Kind, Literal, Relation, SetOperation, Term,
};
use crate::language::diagnostic::{Diagnostic, Span};

/// What happens to a value as candidates vanish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trend {
    Fixed,
    Shrinks,
    Grows,
    Either,
}

use Trend::{Either, Fixed, Grows, Shrinks};

impl Trend {
    fn flip(self) -> Trend {
        match self {
            Shrinks => Grows,
            Grows => Shrinks,
            other => other,
        }
    }
    fn with(self, other: Trend) -> Trend {
        match (self, other) {
            (Fixed, trend) | (trend, Fixed) => trend,
            (a, b) if a == b => a,
            _ => Either,
        }
    }
}

/// Warns of each condition of a clause that may become false again. `changing` tells the helpers
/// whose answers depend on the candidates.
pub(super) fn check(
    clause: &Clause,
    owner: &str,
    changing: &[bool],
    texts: &Texts,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut body = Body { clause, changing, trends: vec![Fixed; clause.variables.len()] };
    body.collect(clause.conditions());
    let definitions = body.define();
    for (number, goal) in clause.body.iter().enumerate() {
        if definitions.contains(&number) {
            continue;
        }
        if let Some(problem) = body.literal(&goal.literal, true) {
            diagnostics.push(warning(goal.span, owner, &problem, texts));
        }
    }
    for generator in clause.heads.iter().filter_map(Head::generator) {
        if let Some(problem) = generator.conditions.iter().find_map(|l| body.literal(l, true)) {
            diagnostics.push(warning(clause.span, owner, &problem, texts));
        }
    }
    body.heads(owner, diagnostics);
}

fn warning(span: Span, owner: &str, problem: &Problem, texts: &Texts) -> Diagnostic {
    let text = texts.line_of(span);
    let message =
        format!("`{text}` may become false again: what {owner} finds can depend on the order");
    Diagnostic::warning("W110", span, message).label(problem.label).help(problem.help)
}

/// Why a condition is not monotone, and what to write.
struct Problem {
    label: &'static str,
    help: &'static str,
}

const SHRINKS: Problem = Problem {
    label: "candidates vanish, so this can change",
    help: "say what is excluded rather than what is there: `candidates(C) within {…}`",
};
const EXACT: Problem = Problem {
    label: "true of this state, perhaps not of a later one",
    help: "write `within` or `<=` instead of an exact comparison",
};
const LARGE: Problem = Problem {
    label: "a set of candidates gets smaller",
    help: "write `|…| <= N`: a smaller set is as good",
};
const RIGHT: Problem = Problem {
    label: "the right side loses candidates",
    help: "keep what shrinks on the left of `within`",
};
const DENIED: Problem = Problem {
    label: "the helper may become true later",
    help: "say it without `not`, with `within` or `<=`",
};
const ARGUMENT: Problem = Problem {
    label: "a set that shrinks is handed over",
    help: "hand over the cells or digits and let the helper test the set with `within`",
};

struct Body<'a> {
    clause: &'a Clause,
    changing: &'a [bool],
    trends: Vec<Trend>,
}

impl Body<'_> {
    /// What becomes of the sets `{X : …}`: they grow if ways only appear.
    fn collect<'l>(&mut self, literals: impl Iterator<Item = &'l Literal>) {
        let mut found = Vec::new();
        literals.for_each(|literal| {
            literal.each(&mut |inner| {
                if let Literal::Collect(set, _, generator) = inner {
                    found.push((*set, generator.clone()));
                }
            });
        });
        for (set, generator) in found {
            let stay =
                |wanted| generator.conditions.iter().all(|l| self.literal(l, wanted).is_none());
            self.trends[set.index()] = match (stay(true), stay(false)) {
                (true, true) => Fixed,
                (true, false) => Grows,
                (false, true) => Shrinks,
                (false, false) => Either,
            };
        }
    }

    /// Follows `V = term` where that is what gives V; returns which goals are definitions.
    fn define(&mut self) -> Vec<usize> {
        let mut definitions = Vec::new();
        let mut defined = vec![false; self.trends.len()];
        loop {
            let before = definitions.len();
            for (number, goal) in self.clause.body.iter().enumerate() {
                let Literal::Compare(Comparison::Equal, left, right) = &goal.literal else {
                    continue;
                };
                if definitions.contains(&number) {
                    continue;
                }
                for (name, value) in [(left, right), (right, left)] {
                    let Term::Var(v) = name else { continue };
                    let set = self.clause.variables[v.index()].kind;
                    let set = set.member().is_some() || set == Kind::Number;
                    if set && !defined[v.index()] && !self.given_elsewhere(v.index()) {
                        defined[v.index()] = true;
                        self.trends[v.index()] = self.trend(value);
                        definitions.push(number);
                        break;
                    }
                }
            }
            // A definition may lean on a later one.
            for &number in &definitions {
                if let Literal::Compare(_, left, right) = &self.clause.body[number].literal {
                    match (left, right) {
                        (Term::Var(v), value) if defined[v.index()] => {
                            self.trends[v.index()] = self.trend(value)
                        }
                        (value, Term::Var(v)) => self.trends[v.index()] = self.trend(value),
                        _ => {}
                    }
                }
            }
            if definitions.len() == before {
                return definitions;
            }
        }
    }

    /// Whether `choose`, `orientation` or a helper gives the variable.
    fn given_elsewhere(&self, wanted: usize) -> bool {
        let is = |term: &Term| matches!(term, Term::Var(v) if v.index() == wanted);
        self.clause.body.iter().any(|goal| match &goal.literal {
            Literal::Choose(subset, ..) => is(subset),
            Literal::Relation(Relation::Orientation, terms) | Literal::Call(_, terms) => {
                terms.iter().any(is)
            }
            Literal::Collect(set, ..) => set.index() == wanted,
            _ => false,
        })
    }

    fn trend(&self, term: &Term) -> Trend {
        match term {
            Term::Var(v) => self.trends[v.index()],
            Term::Cell { .. } | Term::Digit(_) | Term::Number(_) | Term::Parameter => Fixed,
            Term::Constant(_) => Fixed,
            Term::Arithmetic(operation, left, right) => {
                let (a, b) = (self.trend(left), self.trend(right));
                match operation {
                    Arithmetic::Subtract => a.with(b.flip()),
                    _ => a.with(b),
                }
            }
            Term::Size(set) | Term::Lone(set) | Term::CellsOf(set) => self.trend(set),
            Term::Set(_, members) => match members.iter().all(|m| self.trend(m) == Fixed) {
                true => Fixed,
                false => Either,
            },
            Term::Operation(operation, left, right) => {
                let (a, b) = (self.trend(left), self.trend(right));
                match operation {
                    SetOperation::Difference => a.with(b.flip()),
                    _ => a.with(b),
                }
            }
            Term::Call(function, terms) => {
                let inner = terms.iter().fold(Fixed, |t, term| t.with(self.trend(term)));
                match function {
                    Function::Candidates | Function::Spots => Shrinks.with(inner),
                    Function::Missing => inner,
                    Function::CommonPeers => inner.flip(),
                    Function::Cells | Function::Touching => inner,
                    _ if inner == Fixed => Fixed,
                    _ => Either,
                }
            }
        }
    }

    /// What is wrong with a condition that must stay true (`wanted`), or must stay false.
    fn literal(&self, literal: &Literal, wanted: bool) -> Option<Problem> {
        // Trends that keep the condition as it is.
        let turn = |trend: Trend| if wanted { trend } else { trend.flip() };
        let falls = |term: &Term| matches!(turn(self.trend(term)), Fixed | Shrinks);
        let rises = |term: &Term| matches!(turn(self.trend(term)), Fixed | Grows);
        let stays = |term: &Term| self.trend(term) == Fixed;
        match literal {
            Literal::In(member, set) => (!stays(member) || !rises(set)).then_some(SHRINKS),
            Literal::Choose(_, least, most, set) => {
                (!stays(least) || !stays(most) || !rises(set)).then_some(SHRINKS)
            }
            Literal::Within(left, right) => match (falls(left), rises(right)) {
                (_, false) => Some(RIGHT),
                (false, _) => Some(EXACT),
                _ => None,
            },
            Literal::Compare(comparison, left, right) => match comparison {
                Comparison::Equal | Comparison::Unequal => {
                    (!stays(left) || !stays(right)).then_some(EXACT)
                }
                Comparison::Less | Comparison::AtMost => {
                    (!falls(left) || !rises(right)).then_some(LARGE)
                }
                Comparison::Greater | Comparison::AtLeast => {
                    (!rises(left) || !falls(right)).then_some(LARGE)
                }
            },
            Literal::Relation(_, terms) => (!terms.iter().all(stays)).then_some(EXACT),
            Literal::Call(helper, terms) => {
                if !terms.iter().all(stays) {
                    return Some(ARGUMENT);
                }
                (!wanted && self.changing[helper.0 as usize]).then_some(DENIED)
            }
            // Which derivation is shortest may change with every candidate that goes: whoever
            // asks for it wants the one of this state.
            Literal::Traced(..) => None,
            Literal::Not(denied) => self.literal(denied, !wanted),
            Literal::Forall(_, set, body) => {
                if !falls(set) {
                    return Some(EXACT);
                }
                body.iter().find_map(|literal| self.literal(literal, wanted))
            }
            Literal::Exists(generator) => {
                generator.conditions.iter().find_map(|literal| self.literal(literal, wanted))
            }
            // What becomes of the set is what counts, where it is used.
            Literal::Collect(..) => None,
            // From fewer candidates the same follows, or a contradiction.
            Literal::Suppose(supposition) => {
                if let Head::Asked(helper, terms) = &supposition.goal {
                    let asked = Literal::Call(*helper, terms.clone());
                    if let Some(found) = self.literal(&asked, wanted) {
                        return Some(found);
                    }
                }
                (!supposition.terms().into_iter().all(stays)).then_some(EXACT)
            }
        }
    }

    /// A conclusion that gets smaller says less when the rule fires late, unless its size is
    /// bounded: a set smaller than its bound is a contradiction.
    fn heads(&self, owner: &str, diagnostics: &mut Vec<Diagnostic>) {
        for head in &self.clause.heads {
            let Head::Eliminate(cells, digits) = head.plain() else { continue };
            for term in [cells, digits] {
                if matches!(self.trend(term), Fixed | Grows) || self.bounded(term) {
                    continue;
                }
                let message = format!(
                    "what {owner} eliminates gets smaller as candidates vanish: it can depend on the order"
                );
                diagnostics.push(
                    Diagnostic::warning("W110", self.clause.span, message)
                        .help("bound the set's size with `|…| <= N`, or name it otherwise"),
                );
            }
        }
    }

    /// Whether the body has a condition `|set| <= …`.
    fn has_bound(&self, set: &Term) -> bool {
        let is_size = |term: &Term| matches!(term, Term::Size(inner) if **inner == *set);
        self.clause.body.iter().any(|goal| match &goal.literal {
            Literal::Compare(Comparison::AtMost | Comparison::Less, left, _) => is_size(left),
            Literal::Compare(Comparison::AtLeast | Comparison::Greater, _, right) => is_size(right),
            _ => false,
        })
    }

    /// Whether every changing part of a term has a bound, by its name or written in line.
    fn bounded(&self, term: &Term) -> bool {
        match term {
            Term::Var(v) => self.trends[v.index()] == Fixed || self.has_bound(term),
            Term::Lone(t) | Term::CellsOf(t) | Term::Size(t) => self.bounded(t),
            Term::Operation(_, left, right) | Term::Arithmetic(_, left, right) => {
                self.bounded(left) && self.bounded(right)
            }
            Term::Call(Function::Candidates | Function::Spots, _) => self.has_bound(term),
            Term::Call(_, terms) | Term::Set(_, terms) => terms.iter().all(|t| self.bounded(t)),
            _ => true,
        }
    }
}

/// Whether a term depends on the candidates or on what is placed.
pub(super) fn depends(term: &Term) -> bool {
    match term {
        Term::Constant(crate::language::clause::ConstantSet::Unsolved) => true,
        Term::Call(Function::Candidates | Function::Spots | Function::Missing, _) => true,
        Term::Call(_, terms) | Term::Set(_, terms) => terms.iter().any(depends),
        Term::Lone(t) | Term::CellsOf(t) | Term::Size(t) => depends(t),
        Term::Operation(_, a, b) | Term::Arithmetic(_, a, b) => depends(a) || depends(b),
        _ => false,
    }
}

/// Whether a condition depends on the candidates, given which helpers do.
pub(super) fn literal_depends(literal: &Literal, changing: &[bool]) -> bool {
    match literal {
        Literal::In(a, b) | Literal::Within(a, b) | Literal::Compare(_, a, b) => {
            depends(a) || depends(b)
        }
        Literal::Choose(a, b, c, d) => [a, b, c, d].into_iter().any(depends),
        Literal::Relation(relation, terms) => {
            *relation == Relation::Live || terms.iter().any(depends)
        }
        Literal::Call(helper, terms) => changing[helper.0 as usize] || terms.iter().any(depends),
        Literal::Traced(..) => true,
        Literal::Not(literal) => literal_depends(literal, changing),
        Literal::Forall(_, set, body) => {
            depends(set) || body.iter().any(|literal| literal_depends(literal, changing))
        }
        Literal::Exists(generator) | Literal::Collect(_, _, generator) => {
            generator.conditions.iter().any(|literal| literal_depends(literal, changing))
        }
        Literal::Suppose(_) => true,
    }
}

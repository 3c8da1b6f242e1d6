//! What a helper with sets means, where unfolding it would be too much: its lemmas.
//!
//! A lemma ties a set of cells to a set of digits, in one of a few shapes. Each shape that fits a
//! helper's arguments is put to every one of its clauses; what all of them allow is a lemma, and is
//! used in the place of the clauses. So seven sizes of almost locked sets are looked at once, and
//! not in every combination that a rule makes of them.

use crate::board::{Cell, Digit, Layout};
use crate::language::{Clause, Kind, Literal, Predicate, PredicateId, RuleSet};
use crate::meaning::{Fuzzy, Truth, Value};

use super::encode::Encoder;
use super::sat::Lit;
use super::symbol::Symbol;
use super::symmetry::Used;

/// How a set of cells and a set of digits belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Every digit is in the cells.
    All,
    /// Every digit is in the cells, but for one at most.
    AllButOne,
    /// The digits are the candidates of the cells.
    Candidates,
}

/// The shapes, those first that say more.
const STOCK: [Shape; 3] = [Shape::All, Shape::AllButOne, Shape::Candidates];

/// Fewer clauses than this are unfolded.
const MANY_CLAUSES: usize = 3;

/// Something that is true of two arguments of a helper whenever it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lemma {
    cells: usize,
    digits: usize,
    shape: Shape,
}

/// The helpers that are not unfolded, those first that others rest on: with sets among their
/// arguments, and many clauses.
pub(super) fn kept(rules: &RuleSet, clauses: &[Clause]) -> Vec<PredicateId> {
    let wide = |&helper: &PredicateId| {
        let Predicate { clauses, kinds, recursive, .. } = rules.predicate(helper);
        let is_set = |kind: &Kind| matches!(kind, Kind::Cells | Kind::Digits | Kind::Houses);
        !recursive && clauses.len() >= MANY_CLAUSES && kinds.iter().any(is_set)
    };
    let mut found = rules.reachable(clauses.iter().flat_map(Clause::calls));
    found.retain(wide);
    found.sort_by_key(|&helper| rules.reachable([helper]).len());
    found
}

/// The helpers that stand inside of a `forall` and rest on one of these, if some are named.
pub(super) fn inside(
    rules: &RuleSet,
    clauses: &[Clause],
    resting_on: Option<&[PredicateId]>,
) -> Vec<PredicateId> {
    let mut found = Vec::new();
    let helpers = rules.reachable(clauses.iter().flat_map(Clause::calls));
    let more = helpers.iter().flat_map(|&helper| &rules.predicate(helper).clauses);
    for goal in clauses.iter().chain(more).flat_map(|clause| &clause.body) {
        if matches!(goal.literal, Literal::Forall(..)) {
            found.extend(goal.literal.calls());
        }
    }
    found.sort_unstable();
    found.dedup();
    if let Some(these) = resting_on {
        found.retain(|&helper| rules.reachable([helper]).iter().any(|h| these.contains(h)));
    }
    found
}

impl Lemma {
    /// Everything that could be true of a helper with arguments of these kinds.
    pub(super) fn stock(predicate: &Predicate) -> Vec<Lemma> {
        let places = |wanted: Kind| {
            let kinds = predicate.kinds.iter().enumerate();
            kinds.filter(move |(_, kind)| **kind == wanted).map(|(place, _)| place)
        };
        let mut all = Vec::new();
        for cells in places(Kind::Cells) {
            for digits in places(Kind::Digits) {
                all.extend(STOCK.map(|shape| Lemma { cells, digits, shape }));
            }
        }
        all
    }

    /// The set of cells and the set of digits, if these are its candidates.
    pub(super) fn candidates(&self) -> Option<(usize, usize)> {
        (self.shape == Shape::Candidates).then_some((self.cells, self.digits))
    }

    /// Whether it follows from another one.
    pub(super) fn follows(&self, other: &Lemma) -> bool {
        let stronger = self.shape == Shape::AllButOne && other.shape == Shape::All;
        stronger && (self.cells, self.digits) == (other.cells, other.digits)
    }

    /// The digits that it could fail for, up to symmetry: one, or two.
    pub(super) fn cases(&self, layout: &Layout, used: Used) -> Vec<Vec<Digit>> {
        let mut cases = Vec::new();
        for one in used.digits_to_try(layout) {
            if self.shape != Shape::AllButOne {
                cases.push(vec![one]);
                continue;
            }
            // It makes no difference which of two is named first.
            let others = used.digit(one).digits_to_try(layout);
            cases.extend(others.iter().filter(|&other| other > one).map(|other| vec![one, other]));
        }
        cases
    }

    /// How it fails for these digits: literals that would hold together.
    pub(super) fn flaw(
        &self,
        encoder: &mut Encoder,
        arguments: &[Symbol],
        case: &[Digit],
    ) -> Vec<Lit> {
        let (Value::Cells(cells), Value::Digits(digits)) =
            (&arguments[self.cells], &arguments[self.digits])
        else {
            unreachable!("a lemma is about sets of cells and of digits");
        };
        let mut flaw = Vec::new();
        for &digit in case {
            let listed = digits.contains::<Encoder>(digit);
            if self.shape == Shape::Candidates {
                let mut some = Vec::new();
                for cell in cells.widest() {
                    let here = encoder.possible(cell, digit);
                    some.push(encoder.and(vec![cells.contains::<Encoder>(cell), here]));
                }
                let possible = encoder.or(some);
                let both = encoder.and(vec![listed, possible]);
                let neither = encoder.and(vec![!listed, !possible]);
                flaw.extend([!both, !neither]);
            } else {
                flaw.extend([listed, !held(encoder, cells, digit)]);
            }
        }
        flaw
    }

    /// Conditions that together say it: it fails for no digits.
    pub(super) fn conditions(
        &self,
        encoder: &mut Encoder,
        arguments: &[Symbol],
        out: &mut Vec<Lit>,
    ) {
        // Of a layout that is not known, `generalised` says it of all candidates, not of some.
        if self.shape == Shape::Candidates && encoder.general.is_some() {
            return;
        }
        let layout = encoder.layout().clone();
        for case in self.cases(&layout, Used::nothing(&layout, false)) {
            let flaw = self.flaw(encoder, arguments, &case);
            out.push(!encoder.and(flaw));
        }
    }

    /// In words, with the names of the arguments.
    pub(super) fn in_words(&self, names: &[String]) -> String {
        let (cells, digits) = (&names[self.cells], &names[self.digits]);
        match self.shape {
            Shape::All => format!("{cells} has every digit of {digits}"),
            Shape::AllButOne => format!("{cells} has every digit of {digits} but one at most"),
            Shape::Candidates => format!("{digits} are the candidates of {cells}"),
        }
    }
}

/// When some cell of a set has a digit in the solution.
pub(super) fn held(encoder: &mut Encoder, cells: &Fuzzy<Cell, 10, Lit>, digit: Digit) -> Lit {
    let mut some = Vec::new();
    for cell in cells.widest() {
        let here = encoder.solution(cell, digit);
        some.push(encoder.and(vec![cells.contains::<Encoder>(cell), here]));
    }
    encoder.or(some)
}

//! What one condition says about one variable, given those bound before it.
//!
//! [`source`] finds it; the order of the variables is chosen by how much the sources are
//! expected to leave, and the plan is built from them.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::language::{
    Comparison, Function, Literal, PredicateId, Relation, SetOperation, Term, Var,
};

use super::super::table::TableId;
use super::super::view::Few;
use super::body::{Body, members};
use super::masks::{is_bound, mask_of};

/// A set that a variable must be in, or must not be in.
#[derive(Clone, Debug)]
pub(super) struct Source<'t> {
    pub set: SourceSet<'t>,
    /// It must not be in the set.
    pub negated: bool,
    /// Nothing is left of the condition once the variable is in the set.
    pub exact: bool,
}

/// Where the set comes from; the terms are bound.
#[derive(Clone, Debug)]
pub(super) enum SourceSet<'t> {
    /// A set term.
    Term(&'t Term),
    /// Just this.
    Equal(&'t Term),
    /// What comes after this, or before.
    After(&'t Term),
    Before(&'t Term),
    /// The cells that see this one, or all of these.
    Peers(&'t Term),
    CommonPeers(Cow<'t, Term>),
    /// The cells that have this digit.
    Plane(&'t Term),
    /// The cells that have one of these digits.
    Planes(&'t Term),
    /// The digits of this cell.
    Candidates(&'t Term),
    Given,
    /// The houses of this cell, the houses around these cells, the cells of this house.
    HousesOf(&'t Term),
    Around(Cow<'t, Term>),
    House(&'t Term),
    /// The cells with few candidates, with just so many, or with none but these.
    FewCandidates(u8),
    CandidateCount(u8),
    CandidatesWithin(&'t Term),
    /// Digits with few spots in this house, houses with few spots for this digit.
    FewDigits(Few, &'t Term),
    FewHouses(Few, &'t Term),
    /// One of so many variables that `left` must be within, besides these members.
    Rest {
        left: Cow<'t, Term>,
        right: Vec<&'t Term>,
        variables: u8,
    },
    /// A column of a helper, or of a built-in table, given some others.
    Column {
        table: Relationship,
        terms: &'t [Term],
        column: usize,
    },
    /// In the set for every member.
    Every {
        local: Var,
        over: &'t Term,
        each: Box<Source<'t>>,
    },
}

/// A table: a helper's or a built-in one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::engine::join) enum Relationship {
    Helper(PredicateId),
    BuiltIn(BuiltIn),
}

/// A relation of the language that is a table; those of the helpers come before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::engine::join) enum BuiltIn {
    Rectangle,
    Excludes,
}

impl BuiltIn {
    /// All of them.
    pub(crate) const ALL: [BuiltIn; 2] = [BuiltIn::Rectangle, BuiltIn::Excludes];

    /// The table of a relation, if it is one.
    pub(crate) fn of(relation: Relation) -> Option<BuiltIn> {
        match relation {
            Relation::Rectangle => Some(BuiltIn::Rectangle),
            Relation::Excludes => Some(BuiltIn::Excludes),
            _ => None,
        }
    }
}

impl Relationship {
    /// Which table it is, where there are so many helpers.
    pub(crate) fn table(self, helpers: usize) -> TableId {
        match self {
            Relationship::Helper(predicate) => predicate.0 as usize,
            Relationship::BuiltIn(relation) => helpers + relation as usize,
        }
    }
}

/// What `literal` says about `v`; nothing if it waits for other variables.
pub(super) fn source<'t>(
    literal: &'t Literal,
    v: Var,
    bound: u64,
    body: &Body,
) -> Option<Source<'t>> {
    let literals = &body.literals[..];
    let ready = |term: &Term| is_bound(term, bound);
    let is = |term: &Term| *term == Term::Var(v);
    let exactly = |set| Some(Source { set, negated: false, exact: true });
    match literal {
        Literal::In(x, set) if is(x) && ready(set) => exactly(SourceSet::Term(set)),
        Literal::In(x, Term::CellsOf(house)) if is(house) && ready(x) => {
            exactly(SourceSet::HousesOf(x))
        }
        Literal::Within(left, right) => within(left, right, v, bound, literals),
        Literal::Compare(Comparison::Less, Term::Number(0), Term::Size(set)) => match &**set {
            Term::Call(Function::Spots, terms) => match &terms[..] {
                [digits, Term::Lone(cell)] if is(cell) && ready(digits) => {
                    exactly(SourceSet::Planes(digits))
                }
                _ => None,
            },
            _ => None,
        },
        Literal::Compare(comparison, a, b) => {
            counted(*comparison, a, b, v).or_else(|| compared(*comparison, a, b, v, bound))
        }
        Literal::Relation(Relation::Sees, terms) => match &terms[..] {
            [a, b] if is(a) && ready(b) => exactly(SourceSet::Peers(b)),
            [a, b] if is(b) && ready(a) => exactly(SourceSet::Peers(a)),
            _ => None,
        },
        Literal::Relation(Relation::Given, terms) if is(&terms[0]) => exactly(SourceSet::Given),
        Literal::Relation(Relation::Live, terms) => match &terms[..] {
            [cell, digit] if is(cell) && ready(digit) => exactly(SourceSet::Plane(digit)),
            [cell, digit] if is(digit) && ready(cell) => exactly(SourceSet::Candidates(cell)),
            _ => None,
        },
        Literal::Relation(relation @ (Relation::Rectangle | Relation::Excludes), terms) => {
            column(Relationship::BuiltIn(BuiltIn::of(*relation)?), terms, v, bound)
        }
        // Their rows are gone through as a whole.
        Literal::Call(_, terms) if body.has_sets(terms) => None,
        Literal::Call(predicate, terms) => {
            column(Relationship::Helper(*predicate), terms, v, bound)
        }
        Literal::Not(inner) => {
            let inner = source(inner, v, bound, body)?;
            inner.exact.then_some(Source { negated: !inner.negated, ..inner })
        }
        Literal::Forall(local, over, inner) => match &inner[..] {
            [inner] if ready(over) => {
                let each = source(inner, v, bound | 1 << local.index(), body)?;
                let exact = each.exact;
                let each = Box::new(each);
                exact.then_some(Source {
                    set: SourceSet::Every { local: *local, over, each },
                    negated: false,
                    exact,
                })
            }
            _ => None,
        },
        _ => None,
    }
}

fn compared<'t>(
    comparison: Comparison,
    a: &'t Term,
    b: &'t Term,
    v: Var,
    bound: u64,
) -> Option<Source<'t>> {
    let is = |term: &Term| *term == Term::Var(v);
    let (mine, other) = if is(a) && is_bound(b, bound) {
        (true, b)
    } else if is(b) && is_bound(a, bound) {
        (false, a)
    } else {
        let is_equal = comparison == Comparison::Equal;
        return if is_equal { row_of(a, b, v, bound) } else { None };
    };
    let (set, negated) = match (comparison, mine) {
        (Comparison::Equal, _) => (SourceSet::Equal(other), false),
        (Comparison::Unequal, _) => (SourceSet::Equal(other), true),
        (Comparison::Less, true) => (SourceSet::Before(other), false),
        (Comparison::Less, false) => (SourceSet::After(other), false),
        (Comparison::AtMost, true) => (SourceSet::After(other), true),
        (Comparison::AtMost, false) => (SourceSet::Before(other), true),
        _ => return None,
    };
    Some(Source { set, negated, exact: true })
}

/// The numbers of candidates by which cells are kept.
const COUNTS: RangeInclusive<i64> = 1..=8;

/// `|candidates(C)| = 2`, and what else a number can say of that.
fn counted<'t>(comparison: Comparison, a: &Term, b: &Term, v: Var) -> Option<Source<'t>> {
    use Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
    let is_count = |term: &Term| {
        let Term::Size(set) = term else { return false };
        matches!(&**set, Term::Call(Function::Candidates, cells)
            if matches!(&cells[0], Term::Lone(cell) if **cell == Term::Var(v)))
    };
    let (comparison, number) = match (a, b) {
        (count, Term::Number(number)) if is_count(count) => (comparison, *number),
        (Term::Number(number), count) if is_count(count) => (comparison.turned(), *number),
        _ => return None,
    };
    let (is_equal, number, negated) = match comparison {
        Equal => (true, number, false),
        Unequal => (true, number, true),
        AtMost => (false, number, false),
        Less => (false, number.checked_sub(1)?, false),
        Greater => (false, number, true),
        AtLeast => (false, number.checked_sub(1)?, true),
    };
    let count = COUNTS.contains(&number).then_some(number as u8)?;
    let set =
        if is_equal { SourceSet::CandidateCount(count) } else { SourceSet::FewCandidates(count) };
    Some(Source { set, negated, exact: true })
}

/// `row(C) = H` leaves for C the cells of H, if H is a row at all.
fn row_of<'t>(a: &'t Term, b: &'t Term, v: Var, bound: u64) -> Option<Source<'t>> {
    let of_v = |term: &Term| match term {
        Term::Call(Function::Row | Function::Column | Function::Box, cells) => {
            cells[0] == Term::Var(v)
        }
        _ => false,
    };
    let pairs = [(a, b), (b, a)];
    let (_, house) = pairs.into_iter().find(|(own, other)| of_v(own) && is_bound(other, bound))?;
    Some(Source { set: SourceSet::House(house), negated: false, exact: false })
}

fn within<'t>(
    left: &'t Term,
    right: &'t Term,
    v: Var,
    bound: u64,
    literals: &[Literal],
) -> Option<Source<'t>> {
    let some = |set, exact| Some(Source { set, negated: false, exact });
    let is = |term: &Term| *term == Term::Var(v);
    match left {
        Term::Call(Function::Candidates, cells)
            if matches!(&cells[0], Term::Lone(cell) if is(cell)) && !right.mentions(v) =>
        {
            if is_bound(right, bound) {
                return some(SourceSet::CandidatesWithin(right), true);
            }
            if let Some(members) = members(right) {
                return some(SourceSet::FewCandidates(members.len() as u8), false);
            }
        }
        Term::Call(Function::Spots, terms) => {
            if let ([Term::Lone(digit), Term::CellsOf(house)], Some(members)) =
                (&terms[..], members(right))
            {
                let unsolved = |member: &Term| is_unsolved(member, literals);
                let few = Few { count: members.len() as u8, open: members.iter().all(unsolved) };
                if is(digit) && is_bound(house, bound) {
                    return some(SourceSet::FewDigits(few, house), false);
                }
                if is(house) && is_bound(digit, bound) {
                    return some(SourceSet::FewHouses(few, digit), false);
                }
            }
        }
        _ => {}
    }
    if !is_bound(left, bound) {
        return None;
    }
    rest_within(Cow::Borrowed(left), right, v, bound)
}

/// `left` is bound, and must be within what depends on `v`.
fn rest_within<'t>(left: Cow<'t, Term>, right: &'t Term, v: Var, bound: u64) -> Option<Source<'t>> {
    let is = |term: &Term| *term == Term::Var(v);
    let (set, exact) = match right {
        Term::CellsOf(house) if is(house) => (SourceSet::Around(left), true),
        Term::Call(Function::Peers, cell) if is(&cell[0]) => (SourceSet::CommonPeers(left), true),
        Term::Operation(SetOperation::Union, a, b) => {
            let (known, unknown) = match (is_bound(a, bound), is_bound(b, bound)) {
                (true, false) => (a, b),
                (false, true) => (b, a),
                _ => return None,
            };
            let minus = |left: Cow<Term>| {
                let left = Box::new(left.into_owned());
                Term::Operation(SetOperation::Difference, left, known.clone())
            };
            return rest_within(Cow::Owned(minus(left)), unknown, v, bound);
        }
        _ => {
            let members = members(right)?;
            if !members.iter().any(is) {
                return None;
            }
            let (known, unknown): (Vec<&Term>, Vec<&Term>) =
                members.iter().partition(|member| is_bound(member, bound));
            if !unknown.iter().all(|member| matches!(member, Term::Var(_))) {
                return None;
            }
            let variables = mask_of(unknown).count_ones() as u8;
            (SourceSet::Rest { left, right: known, variables }, variables == 1)
        }
    };
    Some(Source { set, negated: false, exact })
}

/// Whether the body says that this is an unsolved cell.
fn is_unsolved(term: &Term, literals: &[Literal]) -> bool {
    use crate::language::ConstantSet::Unsolved;
    literals
        .iter()
        .any(|literal| matches!(literal, Literal::In(x, Term::Constant(Unsolved)) if x == term))
}

/// A column of a table, given those that are bound.
fn column<'t>(table: Relationship, terms: &'t [Term], v: Var, bound: u64) -> Option<Source<'t>> {
    let column = terms.iter().position(|term| *term == Term::Var(v))?;
    let others = || terms.iter().enumerate().filter(|&(i, _)| i != column);
    let exact = others().all(|(_, term)| is_bound(term, bound));
    Some(Source { set: SourceSet::Column { table, terms, column }, negated: false, exact })
}

//! What prunes `choose`: a bound on the size of a union over the chosen, and members that must
//! be chosen.
//!
//! In `Cs in choose(N, S), Ds = candidates(Cs), |Ds| <= N` the union of the candidates only grows
//! with each cell, so a branch ends as soon as it is larger than N.

use crate::language::{
    Arithmetic, Comparison, ConstantSet, Function, Kind, Literal, Relation, SetOperation, Term, Var,
};

use super::body::Body;
use super::masks::{is_bound, term_mask};

/// A bound on the union of an image over the chosen.
#[derive(Clone, Debug)]
pub(super) struct UnionBound {
    /// The image of the whole choice; it is the union of the images of its members.
    pub image: Term,
    /// At most so many; if it grows, so many more than are chosen.
    pub limit: Term,
    pub grows: bool,
    /// The literals that this settles.
    pub settles: Vec<usize>,
    /// The variable that the image defines.
    pub defines: Option<Var>,
}

/// The variable that a `choose` gives.
pub(super) fn chosen(literal: &Literal) -> Option<Var> {
    match literal {
        Literal::Choose(Term::Var(v), ..) => Some(*v),
        _ => None,
    }
}

/// A bound that prunes the `choose` at this place although more is to be chosen: what is known of a
/// union is within the bound on all of it. It settles nothing.
pub(super) fn first_bound_of(body: &Body, place: usize, bound: u64) -> Option<UnionBound> {
    let v = chosen(&body.literals[place])?;
    let known = bound | 1 << v.index();
    let mut limits = body.literals.iter().filter_map(|literal| match literal {
        Literal::Compare(Comparison::AtMost, Term::Size(set), limit) if is_bound(limit, bound) => {
            Some((&**set, limit))
        }
        _ => None,
    });
    limits.find_map(|(set, limit)| {
        let image = match set {
            Term::Var(defined) => body.literals.iter().find_map(|literal| match literal {
                Literal::Compare(Comparison::Equal, Term::Var(a), b) if a == defined => Some(b),
                _ => None,
            })?,
            image => image,
        };
        let image = known_part(image, known)?;
        let fits = image.mentions(v) && distributes(&image, v);
        let limit = limit.clone();
        let (settles, defines) = (Vec::new(), None);
        fits.then_some(UnionBound { image, limit, grows: false, settles, defines })
    })
}

/// A part of a union, or of what is made of one member by member, in which only these variables
/// stand.
fn known_part(term: &Term, known: u64) -> Option<Term> {
    match term {
        term if is_bound(term, known) => Some(term.clone()),
        Term::Operation(SetOperation::Union, a, b) => {
            match (known_part(a, known), known_part(b, known)) {
                (Some(a), Some(b)) => {
                    Some(Term::Operation(SetOperation::Union, Box::new(a), Box::new(b)))
                }
                (one, other) => one.or(other),
            }
        }
        Term::Call(function @ (Function::Candidates | Function::Cells), terms) => {
            Some(Term::Call(*function, vec![known_part(&terms[0], known)?]))
        }
        _ => None,
    }
}

/// The bound that prunes the `choose` at this place.
pub(super) fn bound_of(body: &Body, place: usize, bound: u64) -> Option<UnionBound> {
    let v = chosen(&body.literals[place])?;
    for (i, literal) in body.literals.iter().enumerate() {
        let Literal::Compare(Comparison::AtMost, Term::Size(set), limit) = literal else {
            continue;
        };
        let Some((limit, grows)) = limit_of(limit, v, bound) else { continue };
        let fits = |image: &Term| {
            let mask = term_mask(image);
            mask >> v.index() & 1 == 1 && mask & !bound & !(1 << v.index()) == 0
        };
        if fits(set) && distributes(set, v) {
            let (image, limit) = ((**set).clone(), limit.clone());
            return Some(UnionBound { image, limit, grows, settles: vec![i], defines: None });
        }
        let Term::Var(defined) = **set else { continue };
        for (j, other) in body.literals.iter().enumerate() {
            let Literal::Compare(Comparison::Equal, a, b) = other else { continue };
            let image = match (a, b) {
                (Term::Var(a), b) if *a == defined => b,
                (a, Term::Var(b)) if *b == defined => a,
                _ => continue,
            };
            if bound >> defined.index() & 1 == 0 && fits(image) && distributes(image, v) {
                let (image, limit) = (image.clone(), limit.clone());
                let (settles, defines) = (vec![i, j], Some(defined));
                return Some(UnionBound { image, limit, grows, settles, defines });
            }
        }
    }
    None
}

/// A limit that is known, or that is known to be so many more than `v` has members.
fn limit_of(limit: &Term, v: Var, bound: u64) -> Option<(&Term, bool)> {
    let is_size = |term: &Term| matches!(term, Term::Size(set) if **set == Term::Var(v));
    match limit {
        limit if is_bound(limit, bound) => Some((limit, false)),
        Term::Arithmetic(Arithmetic::Add, a, b) => {
            let more = if is_size(a) { b } else { a };
            let grows = (is_size(a) || is_size(b)) && matches!(**more, Term::Number(0..));
            grows.then_some((&**more, true))
        }
        _ => None,
    }
}

/// What the choice at this place must hold: the literal `S within Xs` and its `S`.
pub(super) fn required_of(body: &Body, place: usize, bound: u64) -> Option<(usize, &Term)> {
    let v = chosen(&body.literals[place])?;
    body.literals.iter().enumerate().find_map(|(i, literal)| match literal {
        Literal::Within(set, Term::Var(x)) if *x == v && is_bound(set, bound) => Some((i, set)),
        _ => None,
    })
}

/// The cells that the houses chosen at this place must hold: the literals that say so, and each
/// one's cells.
pub(super) fn covered_by(body: &Body, place: usize, bound: u64) -> Vec<(usize, Term)> {
    let Some(v) = chosen(&body.literals[place]) else { return Vec::new() };
    if body.kind(v) != Kind::Houses {
        return Vec::new();
    }
    let is_cover = |term: &Term| matches!(term, Term::Call(Function::Cells, terms) if terms[0] == Term::Var(v));
    let covered = |literal: &Literal| match literal {
        Literal::In(x, right) if is_cover(right) && is_bound(x, bound) => {
            Some(Term::Lone(Box::new(x.clone())))
        }
        Literal::Within(left, right) if is_cover(right) && is_bound(left, bound) => {
            Some(left.clone())
        }
        // What is not covered must be within `right`, so what is not within `right` is covered.
        Literal::Within(Term::Operation(SetOperation::Difference, all, cover), right)
            if is_cover(cover) && is_bound(all, bound) && is_bound(right, bound) =>
        {
            let (all, right) = (all.clone(), Box::new(right.clone()));
            Some(Term::Operation(SetOperation::Difference, all, right))
        }
        _ => None,
    };
    let literals = body.literals.iter().enumerate();
    literals.filter_map(|(i, literal)| Some((i, covered(literal)?))).collect()
}

/// Whether the term over a union is the union of the terms over its (one or more) parts.
pub(super) fn distributes(term: &Term, v: Var) -> bool {
    let free = |term: &Term| !term.mentions(v);
    match term {
        term if free(term) => true,
        Term::Var(_) => true,
        Term::Operation(SetOperation::Union, a, b) => distributes(a, v) && distributes(b, v),
        Term::Operation(SetOperation::Intersection, a, b) => {
            free(a) && distributes(b, v) || free(b) && distributes(a, v)
        }
        Term::Operation(SetOperation::Difference, a, b) => distributes(a, v) && free(b),
        Term::Call(Function::Candidates | Function::Cells, terms) => distributes(&terms[0], v),
        Term::Call(Function::Spots | Function::Touching, terms) => {
            free(&terms[0]) && distributes(&terms[1], v)
                || free(&terms[1]) && distributes(&terms[0], v)
        }
        _ => false,
    }
}

/// The image of one member.
pub(super) fn image_of_one(image: &Term, v: Var, member: Var) -> Term {
    image.map(&|term| match term {
        Term::Var(w) if w == v => Term::Lone(Box::new(Term::Var(member))),
        other => other,
    })
}

/// Rewrites `S within cells(Cover) + T` where Cover is chosen among houses that part the board:
/// each cell of `S \ T` has one house among them, and that must be in Cover. So the houses that
/// `S \ T` touches are within Cover, and there are at most as many as are chosen.
pub(super) fn cover(body: &mut Body) {
    let mut further = Vec::new();
    for place in 0..body.literals.len() {
        let Literal::Within(set, right) = &body.literals[place] else { continue };
        let mut parts = Vec::new();
        parts_of_union(right, &mut parts);
        let covered = parts.iter().position(|part| cover_of(part, body).is_some());
        let Some(covered) = covered else { continue };
        let (cover, number, houses) = cover_of(parts[covered], body).expect("just found");
        let mut left = set.clone();
        for (i, part) in parts.iter().enumerate() {
            if i != covered {
                let (a, b) = (Box::new(left), Box::new((*part).clone()));
                left = Term::Operation(SetOperation::Difference, a, b);
            }
        }
        let touched = body.add_variable(Kind::Houses);
        let houses = Term::Call(Function::Touching, vec![houses, left]);
        further.push(Literal::Compare(Comparison::Equal, touched.clone(), houses));
        let size = Term::Size(Box::new(touched.clone()));
        further.push(Literal::Compare(Comparison::AtMost, size, number));
        body.literals[place] = Literal::Within(touched, Term::Var(cover));
    }
    body.literals.extend(further);
}

fn parts_of_union<'t>(term: &'t Term, parts: &mut Vec<&'t Term>) {
    match term {
        Term::Operation(SetOperation::Union, a, b) => {
            parts_of_union(a, parts);
            parts_of_union(b, parts);
        }
        term => parts.push(term),
    }
}

/// For `cells(Cover)`: Cover, how many it has, and what it is chosen from, if that parts the
/// board.
fn cover_of(term: &Term, body: &Body) -> Option<(Var, Term, Term)> {
    let Term::Call(Function::Cells, terms) = term else { return None };
    let Term::Var(cover) = terms[0] else { return None };
    body.literals.iter().find_map(|literal| match literal {
        Literal::Choose(Term::Var(v), _, number, houses) if *v == cover => {
            parts_the_board(houses, body).then(|| (cover, number.clone(), houses.clone()))
        }
        _ => None,
    })
}

fn parts_the_board(houses: &Term, body: &Body) -> bool {
    match houses {
        Term::Constant(ConstantSet::Rows | ConstantSet::Columns | ConstantSet::Boxes) => true,
        Term::Var(_) => body.literals.iter().any(|literal| {
            matches!(literal, Literal::Relation(Relation::Orientation, terms)
                if terms.contains(houses))
        }),
        _ => false,
    }
}

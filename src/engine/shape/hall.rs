//! N things of a set that together have at most N partners: then nothing else has those partners.
//!
//! ```text
//! things                partners                 what goes
//! cells of a house      their digits             the digits from the house's other cells
//! digits of a house     their cells              the cells' other digits
//! lines one way         the lines across         the digit from the rest of the lines across
//! ```

use crate::board::Houses;
use crate::language::{
    Comparison, ConstantSet, Function, Head, Kind, Literal, Relation, SetOperation, Term, Var,
};

use super::normal::Normal;
use crate::meaning::Scene;

/// Things and partners.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incidence {
    /// Cells of one of these houses, and digits.
    Cells(Houses),
    /// Digits of one of these houses, and cells.
    Digits(Houses),
    /// Of one digit: rows and columns, columns and rows, or either.
    Lines {
        /// Whether the things may be rows.
        rows: bool,
        /// Whether the things may be columns.
        columns: bool,
    },
}

/// The Hall operator's arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hall {
    /// Things and partners.
    pub incidence: Incidence,
    /// How many things.
    pub size: usize,
    /// Whether placed cells, digits or lines count as things.
    pub with_placed: bool,
}

/// The arguments, if a clause has this shape.
pub(super) fn recognise(normal: &Normal, ground: &Scene) -> Option<Hall> {
    let [Head::Eliminate(cells, digits)] = &normal.heads[..] else { return None };
    let mut parts = Parts::default();
    for literal in &normal.body {
        parts.sort_in(literal, ground)?;
    }
    let (things, count, from) = parts.choice?;
    let size = usize::try_from(ground.number(count)?).ok()?;
    let (partners, bound) = parts.bound?;
    let bound_is_size = ground.number(bound) == Some(size as i64)
        || *bound == Term::Size(Box::new(Term::Var(things)));
    if !bound_is_size || !(1..=ground.layout().size()).contains(&size) {
        return None;
    }
    let shape = Shape { things: Term::Var(things), from, partners, cells, digits };
    let (incidence, with_placed) = match normal.variables[things.index()].kind {
        Kind::Cells => shape.cells(&parts.houses, ground)?,
        Kind::Digits => shape.digits(&parts.houses, ground)?,
        Kind::Houses => shape.lines(&parts)?,
        _ => return None,
    };
    Some(Hall { incidence, size, with_placed })
}

/// The conditions by what they are for.
#[derive(Default)]
struct Parts<'a> {
    choice: Option<(Var, &'a Term, &'a Term)>,
    bound: Option<(&'a Term, &'a Term)>,
    houses: Vec<(Var, Houses)>,
    orientation: Option<(&'a Term, &'a Term)>,
    digit: Option<Var>,
}

impl<'a> Parts<'a> {
    fn sort_in(&mut self, literal: &'a Literal, ground: &Scene) -> Option<()> {
        match literal {
            Literal::Choose(Term::Var(things), size, most, from)
                if self.choice.is_none() && size == most =>
            {
                self.choice = Some((*things, size, from));
            }
            Literal::Compare(Comparison::AtMost | Comparison::Equal, Term::Size(set), bound)
            | Literal::Compare(Comparison::Equal, bound, Term::Size(set))
                if self.bound.is_none() =>
            {
                self.bound = Some((set, bound));
            }
            Literal::In(Term::Var(house), set) => match ground.houses(set) {
                Some(houses) => self.houses.push((*house, houses)),
                None if *set == Term::Constant(ConstantSet::Digits) => self.digit = Some(*house),
                None => return None,
            },
            Literal::Relation(Relation::Orientation, terms) if self.orientation.is_none() => {
                self.orientation = Some((&terms[0], &terms[1]));
            }
            _ => return None,
        }
        Some(())
    }
}

/// The terms to compare with what is expected.
struct Shape<'a> {
    things: Term,
    from: &'a Term,
    partners: &'a Term,
    cells: &'a Term,
    digits: &'a Term,
}

impl Shape<'_> {
    /// `Cs in choose(N, unsolved & H), |candidates(Cs)| <= N`: eliminate(H \ Cs, candidates(Cs))
    fn cells(&self, houses: &[(Var, Houses)], ground: &Scene) -> Option<(Incidence, bool)> {
        let (house, with_placed) = cells_of_house(self.from)?;
        let Term::Operation(SetOperation::Difference, all, these) = self.cells else {
            return None;
        };
        let fits = *self.partners == call(Function::Candidates, [self.things.clone()])
            && self.digits == self.partners
            && **these == self.things
            && cells_of_house(all)?.0 == house;
        let houses = only_house(house, houses, ground)?;
        fits.then_some((Incidence::Cells(houses), with_placed))
    }

    /// `Ds in choose(N, missing(H)), |spots(Ds, H)| <= N`: eliminate(spots(Ds, H), digits \ Ds)
    fn digits(&self, houses: &[(Var, Houses)], ground: &Scene) -> Option<(Incidence, bool)> {
        let Term::Call(Function::Spots, arguments) = self.partners else { return None };
        let (house, _) = cells_of_house(&arguments[1])?;
        let missing = call(Function::Missing, [Term::Var(house)]);
        let all = Term::Constant(ConstantSet::Digits);
        let with_placed = *self.from == all;
        let Term::Operation(SetOperation::Difference, rest, these) = self.digits else {
            return None;
        };
        let candidates = call(Function::Candidates, [self.partners.clone()]);
        let fits = arguments[0] == self.things
            && (with_placed || *self.from == missing)
            && self.cells == self.partners
            && **these == self.things
            && (**rest == all || **rest == missing || **rest == candidates);
        // Where placed digits may be chosen, the placed cells have to be among the spots.
        let whole = arguments[1] == Term::CellsOf(Box::new(Term::Var(house)));
        let houses = only_house(house, houses, ground)?;
        (fits && (whole || !with_placed)).then_some((Incidence::Digits(houses), with_placed))
    }

    /// `Base in choose(N, Lines), |touching(Across, spots(D, Base))| <= N`:
    /// eliminate(cells(touching…) \ cells(Base), D)
    fn lines(&self, parts: &Parts) -> Option<(Incidence, bool)> {
        let Term::Call(Function::Touching, arguments) = self.partners else { return None };
        let (across, spots) = (&arguments[0], &arguments[1]);
        let Term::Lone(digit) = self.digits else { return None };
        let Term::Var(digit) = **digit else { return None };
        let these = call(Function::Cells, [self.things.clone()]);
        let lone = Term::Lone(Box::new(Term::Var(digit)));
        let rest = Term::Operation(
            SetOperation::Difference,
            Box::new(call(Function::Cells, [self.partners.clone()])),
            Box::new(these.clone()),
        );
        let fits = *spots == call(Function::Spots, [lone, these])
            && *self.cells == rest
            && parts.houses.is_empty()
            && parts.digit.is_none_or(|d| d == digit);
        let (rows, columns) = (ConstantSet::Rows, ConstantSet::Columns);
        let incidence = match (self.from, across, parts.orientation) {
            (lines, across, Some(both)) if both == (lines, across) && lines != across => {
                matches!((lines, across), (Term::Var(_), Term::Var(_))).then_some(())?;
                Incidence::Lines { rows: true, columns: true }
            }
            (Term::Constant(a), Term::Constant(b), None) if (*a, *b) == (rows, columns) => {
                Incidence::Lines { rows: true, columns: false }
            }
            (Term::Constant(a), Term::Constant(b), None) if (*a, *b) == (columns, rows) => {
                Incidence::Lines { rows: false, columns: true }
            }
            _ => return None,
        };
        fits.then_some((incidence, true))
    }
}

/// `H`, or `unsolved & H`: the house, and whether placed cells are in.
fn cells_of_house(term: &Term) -> Option<(Var, bool)> {
    match term {
        Term::CellsOf(house) => match **house {
            Term::Var(house) => Some((house, true)),
            _ => None,
        },
        Term::Operation(SetOperation::Intersection, left, right) => {
            let unsolved = Term::Constant(ConstantSet::Unsolved);
            let other = match (&**left, &**right) {
                (l, r) if *l == unsolved => r,
                (l, r) if *r == unsolved => l,
                _ => return None,
            };
            Some((cells_of_house(other)?.0, false))
        }
        _ => None,
    }
}

/// The houses that the one house variable ranges over; nothing if a group is among them.
fn only_house(house: Var, houses: &[(Var, Houses)], ground: &Scene) -> Option<Houses> {
    let all = ground.layout().all_houses();
    let is_of_houses = |some: &Houses| some.within(&all);
    houses.iter().try_fold(all, |all, (var, some)| {
        (*var == house && is_of_houses(some)).then_some(all & *some)
    })
}

fn call<const N: usize>(function: Function, arguments: [Term; N]) -> Term {
    Term::Call(function, arguments.to_vec())
}

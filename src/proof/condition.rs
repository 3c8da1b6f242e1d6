//! Conditions under a binding, as propositions about the state.

use crate::board::{Cell, Cells, Digits, HouseKind, Layout};
use crate::language::{Comparison, Literal, Relation, Term};

use super::evaluate::{Beyond, Environment, Evaluator, Helpers};
use super::sat::Lit;
use super::symbol::{Amount, Fuzzy, Symbol};

impl Evaluator<'_> {
    /// Adds conditions to `out` that together say that the literal holds. Helper calls are left
    /// to `helpers`.
    pub fn conditions(
        &mut self,
        literal: &Literal,
        bound: &mut Environment,
        helpers: &mut dyn Helpers,
        out: &mut Vec<Lit>,
    ) -> Result<(), Beyond> {
        match literal {
            Literal::In(member, set) => {
                let condition = match self.term(member, bound) {
                    Symbol::Cell(c) => self.cells(set, bound, Cells::only(c)).contains(c),
                    Symbol::Digit(d) => self.digits(set, bound, Digits::only(d)).contains(d),
                    Symbol::House(h) => self.houses(set, bound).contains(h),
                    other => unreachable!("{other:?} is not scalar"),
                };
                out.push(condition);
            }
            Literal::Choose(subset, size, set) => {
                let equal = Literal::Compare(
                    Comparison::Equal,
                    Term::Size(Box::new(subset.clone())),
                    size.clone(),
                );
                self.conditions(&equal, bound, helpers, out)?;
                self.conditions(
                    &Literal::Within(subset.clone(), set.clone()),
                    bound,
                    helpers,
                    out,
                )?;
            }
            Literal::Within(left, right) => match self.term(left, bound) {
                Symbol::Cells(left) => {
                    let right = self.cells(right, bound, left.widest());
                    left.within(&right, self.encoder, out);
                }
                Symbol::Digits(left) => {
                    let right = self.digits(right, bound, left.widest());
                    left.within(&right, self.encoder, out);
                }
                Symbol::Houses(left) => {
                    let right = self.houses(right, bound);
                    left.within(&right, self.encoder, out);
                }
                other => unreachable!("{other:?} is not a set"),
            },
            Literal::Compare(comparison, left, right) => {
                let (left, right) = (self.term(left, bound), self.term(right, bound));
                self.comparison(*comparison, &left, &right, out);
            }
            Literal::Relation(relation, terms) => {
                let condition = self.relation(*relation, terms, bound);
                out.push(condition);
            }
            Literal::Call(helper, terms) => {
                let value = |term: &Term| match term {
                    Term::Var(v) if bound[v.index()].is_none() => None,
                    term => Some(self.term(term, bound)),
                };
                let arguments = terms.iter().map(value).collect();
                out.push(helpers.holds(self.encoder, *helper, arguments)?);
            }
            Literal::Not(inner) => {
                let mut conditions = Vec::new();
                self.conditions(inner, bound, helpers, &mut conditions)?;
                out.push(!self.encoder.and(conditions));
            }
            Literal::Forall(local, set, body) => {
                let members = members_of(&self.term(set, bound));
                self.encoder.members += members.len() as u64;
                for (member, present) in members {
                    bound[local.index()] = Some(member);
                    let mut conditions = Vec::new();
                    for inner in body {
                        self.conditions(inner, bound, helpers, &mut conditions)?;
                    }
                    if present == Lit::TRUE {
                        out.extend(conditions);
                    } else {
                        let all = self.encoder.and(conditions);
                        out.push(self.encoder.or(vec![!present, all]));
                    }
                }
                bound[local.index()] = None;
            }
        }
        Ok(())
    }

    fn comparison(&mut self, kind: Comparison, left: &Symbol, right: &Symbol, out: &mut Vec<Lit>) {
        let mut equal = Vec::new();
        match (left, right) {
            (Symbol::Number(left), Symbol::Number(right)) => {
                let literal = self.compare_numbers(kind, left, right);
                return out.push(literal);
            }
            (Symbol::Cells(left), Symbol::Cells(right)) => {
                left.equals(right, self.encoder, &mut equal)
            }
            (Symbol::Digits(left), Symbol::Digits(right)) => {
                left.equals(right, self.encoder, &mut equal)
            }
            (Symbol::Houses(left), Symbol::Houses(right)) => {
                left.equals(right, self.encoder, &mut equal)
            }
            (Symbol::Cell(left), Symbol::Cell(right)) => {
                return out.push(Lit::constant(kind.holds(left, right)));
            }
            (Symbol::Digit(left), Symbol::Digit(right)) => {
                return out.push(Lit::constant(kind.holds(left, right)));
            }
            (Symbol::House(left), Symbol::House(right)) => {
                return out.push(Lit::constant(kind.holds(left, right)));
            }
            _ => unreachable!("only things of one kind are compared"),
        }
        match kind {
            Comparison::Equal => out.extend(equal),
            _ => out.push(!self.encoder.and(equal)),
        }
    }

    fn compare_numbers(&mut self, kind: Comparison, left: &Amount, right: &Amount) -> Lit {
        // left - right >= bound, as a count.
        let difference = left.clone().plus(right.clone().negated());
        let mut at_least = |bound: i64| {
            let wanted = (bound - difference.fixed).max(0) as usize;
            self.encoder.at_least(&difference.counted, wanted)
        };
        match kind {
            Comparison::AtLeast => at_least(0),
            Comparison::Greater => at_least(1),
            Comparison::Less => !at_least(0),
            Comparison::AtMost => !at_least(1),
            Comparison::Equal | Comparison::Unequal => {
                let (zero, more) = (at_least(0), at_least(1));
                let equal = self.encoder.and(vec![zero, !more]);
                if kind == Comparison::Equal { equal } else { !equal }
            }
        }
    }

    fn relation(&mut self, relation: Relation, terms: &[Term], bound: &Environment) -> Lit {
        match relation {
            Relation::Sees => {
                let (a, b) = (self.cell(&terms[0], bound), self.cell(&terms[1], bound));
                Lit::constant(self.encoder.layout().sees(a, b))
            }
            Relation::Given => {
                let cell = self.cell(&terms[0], bound);
                self.encoder.given(cell)
            }
            Relation::Live => {
                let (cell, digit) = (self.cell(&terms[0], bound), self.digit(&terms[1], bound));
                self.encoder.possible(cell, digit)
            }
            Relation::Rectangle => {
                let corners = [0, 1, 2, 3].map(|i| Some(self.cell(&terms[i], bound)));
                Lit::constant(may_be_rectangle(self.encoder.layout(), corners))
            }
            Relation::Orientation => {
                let (lines, across) =
                    (self.houses(&terms[0], bound), self.houses(&terms[1], bound));
                let layout = self.encoder.layout().clone();
                let rows = Fuzzy::fixed(layout.houses_of_kind(HouseKind::Row));
                let columns = Fuzzy::fixed(layout.houses_of_kind(HouseKind::Column));
                let mut either = Vec::new();
                for (a, b) in [(&rows, &columns), (&columns, &rows)] {
                    let mut both = Vec::new();
                    lines.equals(a, self.encoder, &mut both);
                    across.equals(b, self.encoder, &mut both);
                    either.push(self.encoder.and(both));
                }
                self.encoder.or(either)
            }
        }
    }
}

/// The members of a set with their conditions.
pub fn members_of(set: &Symbol) -> Vec<(Symbol, Lit)> {
    match set {
        Symbol::Cells(s) => s.widest().iter().map(|m| (Symbol::Cell(m), s.contains(m))).collect(),
        Symbol::Digits(s) => s.widest().iter().map(|m| (Symbol::Digit(m), s.contains(m))).collect(),
        Symbol::Houses(s) => s.widest().iter().map(|m| (Symbol::House(m), s.contains(m))).collect(),
        other => unreachable!("{other:?} is not a set"),
    }
}

/// Whether the corners known so far can belong to a rectangle in two boxes: A and B on a line, A
/// and C on a line the other way, T across from A. Exact once all four are known.
pub fn may_be_rectangle(layout: &Layout, corners: [Option<Cell>; 4]) -> bool {
    let place = |c: Cell| (layout.row_index(c), layout.column_index(c));
    let line = |a: Option<Cell>, b: Option<Cell>| match (a.map(place), b.map(place)) {
        (Some((r, c)), Some((s, d))) => (r == s) != (c == d),
        _ => true,
    };
    let apart = |a: Option<Cell>, b: Option<Cell>| match (a.map(place), b.map(place)) {
        (Some((r, c)), Some((s, d))) => r != s && c != d,
        _ => true,
    };
    let [a, b, c, t] = corners;
    let fits = line(a, b) && line(a, c) && line(b, t) && line(c, t) && apart(a, t) && apart(b, c);
    match corners {
        [Some(a), Some(b), Some(c), Some(_)] if fits => {
            let one = layout.box_of(a);
            (layout.box_of(b) == one) != (layout.box_of(c) == one)
        }
        _ => fits,
    }
}

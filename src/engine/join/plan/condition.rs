//! From conditions whose variables are all bound to tests.

use crate::language::{Comparison, Kind, Literal, Relation, Term};

use super::super::bits::Width;
use super::super::code::{AnySet, CellsSet, SetTest, SmallSet, Test};
use super::compile::Compiler;
use super::masks::term_mask;
use super::source::{BuiltIn, Relationship};

impl<W: Width> Compiler<'_, W> {
    /// A condition whose variables are all bound.
    pub(super) fn test(&mut self, literal: &Literal) -> Option<Test> {
        Some(match literal {
            Literal::In(x, set) => {
                let x = self.scalar(x)?;
                self.any(set)?.contains(x)
            }
            Literal::Choose(set, least, most, over) => {
                let within = self.test(&Literal::Within(set.clone(), over.clone()))?;
                let size = self.number(&Term::Size(Box::new(set.clone())))?;
                let (least, most) = (self.number(least)?, self.number(most)?);
                let enough = Test::Numbers(Comparison::AtLeast, size.clone(), least);
                Test::All(vec![within, enough, Test::Numbers(Comparison::AtMost, size, most)])
            }
            Literal::Within(left, right) => match (self.any(left)?, self.any(right)?) {
                (AnySet::Cells(a), AnySet::Cells(b)) => Test::Cells(SetTest::Within(a, b)),
                (AnySet::Small(a), AnySet::Small(b)) => Test::Small(SetTest::Within(a, b)),
                _ => return None,
            },
            Literal::Compare(comparison, a, b) => self.comparison(*comparison, a, b)?,
            Literal::Relation(relation, terms) => self.relation(*relation, terms)?,
            Literal::Call(predicate, terms)
                if terms.iter().any(|term| self.kind(term).set().is_none()) =>
            {
                self.row(predicate.0 as usize, terms)?
            }
            Literal::Call(predicate, terms) => {
                self.tuple(Relationship::Helper(*predicate), terms)?
            }
            // The definition has derivations; tables have not.
            Literal::Traced(..) => return None,
            Literal::Not(inner) => Test::Not(Box::new(self.test(inner)?)),
            Literal::Forall(local, over, inner) => {
                let (slot, over) = (self.place(*local), self.any(over)?);
                let tests = inner.iter().map(|literal| self.test(literal));
                Test::Every { slot, over, tests: tests.collect::<Option<Vec<_>>>()? }
            }
            Literal::Exists(generator) => self.some_way(generator)?,
            // A set that is known already: `collected` has one that is not.
            Literal::Collect(set, ..) => match (self.collected(literal)?, self.place(*set)) {
                (AnySet::Cells(a), b) => Test::Cells(SetTest::Equal(a, CellsSet::Register(b))),
                (AnySet::Small(a), b) => Test::Small(SetTest::Equal(a, SmallSet::Register(b))),
            },
            // Hypotheses have a back end of their own.
            Literal::Suppose(_) => return None,
        })
    }

    fn relation(&mut self, relation: Relation, terms: &[Term]) -> Option<Test> {
        let set = match (relation, terms) {
            (Relation::Sees, [_, cell]) => CellsSet::Peers(self.scalar(cell)?),
            (Relation::Given, [_]) => CellsSet::Given,
            (Relation::Live, [_, digit]) => CellsSet::Plane(self.scalar(digit)?),
            (Relation::Rectangle | Relation::Excludes, terms) => {
                return self.tuple(Relationship::BuiltIn(BuiltIn::of(relation)?), terms);
            }
            (Relation::Orientation, [lines, across]) => {
                let (lines, across): (SmallSet, SmallSet) = (self.set(lines)?, self.set(across)?);
                let equal =
                    |set: &SmallSet, to: SmallSet| Test::Small(SetTest::Equal(set.clone(), to));
                let neither = |a: SmallSet, b: SmallSet| {
                    let both = vec![equal(&lines, a), equal(&across, b)];
                    Test::Not(Box::new(Test::All(both)))
                };
                let rows = neither(SmallSet::Rows, SmallSet::Columns);
                let columns = neither(SmallSet::Columns, SmallSet::Rows);
                return Some(Test::Not(Box::new(Test::All(vec![rows, columns]))));
            }
            _ => return None,
        };
        Some(Test::Cells(SetTest::In(self.scalar(&terms[0])?, set)))
    }

    /// Whether a table has a tuple.
    fn tuple(&mut self, table: Relationship, terms: &[Term]) -> Option<Test> {
        let is_told = |term: &Term| term_mask(term) & self.dropped == 0;
        let is_cell = |term: &Term| self.kind(term) == Kind::Cell;
        let cell = terms.iter().rposition(|term| is_told(term) && is_cell(term));
        let column = cell.or_else(|| terms.iter().rposition(is_told))?;
        let item = self.scalar(&terms[column])?;
        Some(self.column(table, terms, column, u64::MAX)?.contains(item))
    }

    /// Whether of two sets that can change places the first comes first; if they have no numbers,
    /// either may.
    fn in_order(&self, a: &Term, b: &Term) -> Test {
        match (a, b) {
            (Term::Var(v), Term::Var(w))
                if self.kind(a) == Kind::Cells && self.is_numbered(*v) && self.is_numbered(*w) =>
            {
                Test::InOrder(self.place(*v), self.place(*w))
            }
            _ => Test::All(Vec::new()),
        }
    }

    fn comparison(&mut self, comparison: Comparison, a: &Term, b: &Term) -> Option<Test> {
        use Comparison::{AtMost, Equal, Less, Unequal};
        Some(match self.kind(a) {
            Kind::Number => {
                // `|S| <= 3` need not count beyond 3, nor does `|S| > 3`.
                let bound = match (comparison, a, b) {
                    (AtMost, Term::Size(set), Term::Number(n)) => Some((set, *n, true)),
                    (Less, Term::Size(set), Term::Number(n)) => {
                        Some((set, n.saturating_sub(1), true))
                    }
                    (AtMost, Term::Number(n), Term::Size(set)) => {
                        Some((set, n.saturating_sub(1), false))
                    }
                    (Less, Term::Number(n), Term::Size(set)) => Some((set, *n, false)),
                    _ => None,
                };
                match bound {
                    Some((set, count @ 0..=8, is_few)) => {
                        let few = match self.any(set)? {
                            AnySet::Cells(set) => Test::Cells(SetTest::Few(set, count as u8)),
                            AnySet::Small(set) => Test::Small(SetTest::Few(set, count as u8)),
                        };
                        if is_few { few } else { Test::Not(Box::new(few)) }
                    }
                    _ => Test::Numbers(comparison, self.number(a)?, self.number(b)?),
                }
            }
            Kind::Cell | Kind::Digit | Kind::House => {
                Test::Scalars(comparison, self.scalar(a)?, self.scalar(b)?)
            }
            _ if comparison == AtMost => self.in_order(a, b),
            _ => {
                let equal = match (self.any(a)?, self.any(b)?) {
                    (AnySet::Cells(a), AnySet::Cells(b)) => Test::Cells(SetTest::Equal(a, b)),
                    (AnySet::Small(a), AnySet::Small(b)) => Test::Small(SetTest::Equal(a, b)),
                    _ => return None,
                };
                match comparison {
                    Equal => equal,
                    Unequal => Test::Not(Box::new(equal)),
                    _ => return None,
                }
            }
        })
    }
}

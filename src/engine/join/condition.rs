//! From conditions whose variables are all bound to tests.

use crate::language::{Comparison, Kind, Literal, Relation, Term};

use super::bits::Width;
use super::body::term_mask;
use super::compile::{Compiler, SetTerm};
use super::expression::{CellsTerm, SmallTerm};
use super::source::Relationship;
use super::test::Test;

impl<W: Width> Compiler<'_, W> {
    /// A condition whose variables are all bound.
    pub fn test(&mut self, literal: &Literal) -> Option<Test> {
        Some(match literal {
            Literal::In(x, set) => {
                let x = self.scalar(x)?;
                match self.set(set)? {
                    SetTerm::Cells(cells) => Test::CellIn(x, cells),
                    SetTerm::Small(small) => Test::SmallIn(x, small),
                }
            }
            Literal::Choose(set, number, over) => {
                let within = self.test(&Literal::Within(set.clone(), over.clone()))?;
                let size = Term::Size(Box::new(set.clone()));
                let (size, number) = (self.number(&size)?, self.number(number)?);
                let equal = Test::Numbers(Comparison::Equal, size, number);
                Test::All(vec![within, equal])
            }
            Literal::Within(left, right) => match (self.set(left)?, self.set(right)?) {
                (SetTerm::Cells(a), SetTerm::Cells(b)) => Test::CellsWithin(a, b),
                (SetTerm::Small(a), SetTerm::Small(b)) => Test::SmallWithin(a, b),
                _ => return None,
            },
            Literal::Compare(comparison, a, b) => self.comparison(*comparison, a, b)?,
            Literal::Relation(relation, terms) => match (relation, &terms[..]) {
                (Relation::Sees, [a, b]) => {
                    Test::CellIn(self.scalar(a)?, CellsTerm::Peers(self.scalar(b)?))
                }
                (Relation::Given, [cell]) => Test::CellIn(self.scalar(cell)?, CellsTerm::Given),
                (Relation::Live, [cell, digit]) => {
                    Test::CellIn(self.scalar(cell)?, CellsTerm::Plane(self.scalar(digit)?))
                }
                (Relation::Rectangle, terms) => self.tuple(Relationship::Rectangle, terms)?,
                (Relation::Orientation, [lines, across]) => {
                    let (lines, across) = (self.small(lines)?, self.small(across)?);
                    let either = |a: SmallTerm, b: SmallTerm| {
                        Test::All(vec![
                            Test::SmallEqual(lines.clone(), a),
                            Test::SmallEqual(across.clone(), b),
                        ])
                    };
                    let rows = either(SmallTerm::Rows, SmallTerm::Columns);
                    let columns = either(SmallTerm::Columns, SmallTerm::Rows);
                    let neither = vec![Test::Not(Box::new(rows)), Test::Not(Box::new(columns))];
                    Test::Not(Box::new(Test::All(neither)))
                }
                _ => return None,
            },
            Literal::Call(predicate, terms) => {
                self.tuple(Relationship::Helper(*predicate), terms)?
            }
            Literal::Not(inner) => Test::Not(Box::new(self.test(inner)?)),
            Literal::Forall(local, over, inner) => {
                let slot = self.places[local.index()];
                let over = self.over(over)?;
                let tests =
                    inner.iter().map(|literal| self.test(literal)).collect::<Option<Vec<_>>>()?;
                Test::Every { slot, over, tests }
            }
        })
    }

    /// Whether a table has a tuple.
    fn tuple(&mut self, table: Relationship, terms: &[Term]) -> Option<Test> {
        let is_told = |term: &Term| term_mask(term) & self.dropped == 0;
        let is_cell = |term: &Term| self.kind(term) == Kind::Cell;
        let cell = terms.iter().rposition(|term| is_told(term) && is_cell(term));
        let column = cell.or_else(|| terms.iter().rposition(is_told))?;
        let item = self.scalar(&terms[column])?;
        Some(match self.column(table, terms, column, u64::MAX)? {
            SetTerm::Cells(cells) => Test::CellIn(item, cells),
            SetTerm::Small(small) => Test::SmallIn(item, small),
        })
    }

    fn comparison(&mut self, comparison: Comparison, a: &Term, b: &Term) -> Option<Test> {
        use Comparison::{AtMost, Equal, Less, Unequal};
        Some(match self.kind(a) {
            Kind::Number => {
                // `|S| <= 3` need not count beyond 3.
                let few = match (comparison, a, b) {
                    (AtMost, Term::Size(set), Term::Number(n)) => Some((set, *n)),
                    (Less, Term::Size(set), Term::Number(n)) => Some((set, n - 1)),
                    _ => None,
                };
                match few {
                    Some((set, count)) if (0..=8).contains(&count) => match self.set(set)? {
                        SetTerm::Cells(cells) => Test::FewCells(cells, count as u8),
                        SetTerm::Small(small) => Test::FewSmall(small, count as u8),
                    },
                    _ => Test::Numbers(comparison, self.number(a)?, self.number(b)?),
                }
            }
            Kind::Cell | Kind::Digit | Kind::House => {
                Test::Scalars(comparison, self.scalar(a)?, self.scalar(b)?)
            }
            _ => {
                let equal = match (self.set(a)?, self.set(b)?) {
                    (SetTerm::Cells(a), SetTerm::Cells(b)) => Test::CellsEqual(a, b),
                    (SetTerm::Small(a), SetTerm::Small(b)) => Test::SmallEqual(a, b),
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

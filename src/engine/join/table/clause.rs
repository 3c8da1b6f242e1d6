//! The clauses of helpers that fill each other: those that begin, and those that go on.

use crate::language::{Head, Kind, Literal, Term};

use super::super::bits::Width;
use super::super::code::{Frame, Goes};
use super::super::plan::{Body, JoinPlan};
use super::path::variables;
use super::{Numbers, TableId, Tables};

/// A clause that calls nothing in the circle: the table it fills, and how.
#[derive(Clone, Debug)]
pub(in crate::engine::join) struct Start {
    pub table: TableId,
    pub plan: JoinPlan,
    /// If there is no other condition than one call: what to copy instead of running the plan.
    pub copied: Option<Copied>,
}

impl Start {
    /// What to copy, unless what a Prolog would call for it is to be counted.
    pub(super) fn copied(&self, counting: bool) -> Option<&Copied> {
        self.copied.as_ref().filter(|_| !counting)
    }
}

/// Columns of another table.
#[derive(Clone, Debug)]
pub(in crate::engine::join) struct Copied {
    pub from: TableId,
    columns: Vec<usize>,
}

impl Copied {
    /// What a body without another condition than one call copies.
    pub(crate) fn find(body: &Body) -> Option<Copied> {
        let ([Literal::Call(helper, terms)], [Head::Helper(head)]) =
            (&body.literals[..], &body.heads[..])
        else {
            return None;
        };
        let called = variables(terms).filter(|called| !called.is_empty())?;
        let column = |term: &Term| match term {
            Term::Var(v) => called.iter().position(|other| other == v),
            _ => None,
        };
        let columns = head.iter().map(column).collect::<Option<_>>()?;
        Some(Copied { from: helper.0 as usize, columns })
    }

    /// Whether some columns of the copy are these of the other table.
    pub(super) fn has(&self, columns: &[usize], from: &[usize]) -> bool {
        columns.iter().map(|&column| self.columns[column]).eq(from.iter().copied())
    }

    /// Calls `see` with each tuple, some of them perhaps more than once.
    pub(super) fn each<W: Width>(&self, tables: &Tables<W>, mut see: impl FnMut(&[u16])) {
        let (tuples, arity) = tables.tuples(self.from);
        let mut copy = [0u16; 6];
        for tuple in tuples.chunks_exact(arity) {
            for (value, &column) in copy.iter_mut().zip(&self.columns) {
                *value = tuple[column];
            }
            see(&copy[..self.columns.len()]);
        }
    }
}

/// A recursive clause, to be run for each new tuple of one of its calls.
#[derive(Clone, Debug)]
pub(in crate::engine::join) struct Fresh {
    pub(super) from: TableId,
    pub(super) to: TableId,
    /// What each column of the tuple must be, or where it goes.
    pub(super) columns: Vec<Column>,
    pub(super) plan: JoinPlan,
    /// Which of those who find the same from the same tuple, if there are others.
    pub(super) shared: Option<usize>,
}

/// What is done with a value of a tuple.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Column {
    Constant(u16),
    /// The first time that the variable occurs.
    Slot(u8),
    /// Again.
    Same(u8),
    /// A set by its number, and again.
    Set(Goes),
    SameSet(Goes),
}

impl Fresh {
    pub(crate) fn new(
        from: TableId,
        to: TableId,
        terms: &[Term],
        plan: JoinPlan,
        (kinds, size): (&[Kind], usize),
    ) -> Option<Fresh> {
        let mut columns = Vec::new();
        let mut seen = Vec::new();
        for (term, kind) in terms.iter().zip(kinds) {
            columns.push(match term {
                Term::Var(v) => {
                    let place = plan.places[v.index()]?;
                    let again = seen.contains(v);
                    seen.push(*v);
                    match (kind, again) {
                        (Kind::Cells, false) => Column::Set(Goes::Cells(place)),
                        (Kind::Cells, true) => Column::SameSet(Goes::Cells(place)),
                        (Kind::Digits | Kind::Houses, false) => Column::Set(Goes::Small(place)),
                        (Kind::Digits | Kind::Houses, true) => Column::SameSet(Goes::Small(place)),
                        (_, false) => Column::Slot(place),
                        (_, true) => Column::Same(place),
                    }
                }
                Term::Digit(digit) => Column::Constant(digit.index() as u16),
                Term::Cell { row, column } => {
                    Column::Constant(*row as u16 * size as u16 + *column as u16)
                }
                _ => return None,
            });
        }
        Some(Fresh { from, to, columns, plan, shared: None })
    }

    pub(super) fn does_the_same(&self, other: &Fresh) -> bool {
        self.columns == other.columns && self.plan.does_the_same(&other.plan)
    }
}

impl Column {
    /// Gives the value to whom it goes; whether it is one that fits.
    #[inline(always)]
    pub(super) fn bind<W: Width>(
        self,
        value: u16,
        numbers: &Numbers<W>,
        frame: &mut Frame<W>,
    ) -> bool {
        match self {
            Column::Slot(slot) => frame.slots[slot as usize].set(value as u32),
            Column::Set(goes) => goes.put_number(value, numbers, frame),
            Column::Same(slot) => return frame.slots[slot as usize].get() == value as u32,
            Column::Constant(constant) => return constant == value,
            Column::SameSet(goes) => return goes.number(frame) == value,
        }
        true
    }
}

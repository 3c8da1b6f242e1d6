//! From what a condition says about a variable to a set that the variable is in, or not in.

use crate::language::{Kind, Term};

use super::super::bits::Width;
use super::super::code::{CellsSet, SmallSet};
use super::compile::{Compile, Compiler};
use super::source::{Source, SourceSet};

impl<W: Width> Compiler<'_, W> {
    /// The set that a source stands for, for a variable of this kind.
    pub(super) fn source<S: Narrow>(
        &mut self,
        source: &Source,
        kind: Kind,
        bound: u64,
    ) -> Option<S> {
        Some(match &source.set {
            SourceSet::Term(term) => self.set(term)?,
            SourceSet::Equal(term) => S::only(self.scalar(term)?),
            SourceSet::Before(term) => S::before(self.scalar(term)?),
            SourceSet::Rest { left, right, variables } => {
                let known = !right.is_empty();
                let right = Term::Set(kind, right.iter().map(|&term| term.clone()).collect());
                let (left, right) = (self.set(left)?, self.set(&right)?);
                S::rest(left, known.then_some(right), *variables, S::everything(kind))
            }
            SourceSet::Column { table, terms, column } => {
                let set = self.column(*table, terms, *column, bound)?;
                S::of(&set)?.clone()
            }
            SourceSet::Every { local, over, each } => {
                let slot = self.place(*local);
                let over = self.any(over)?;
                let inner = self.source(each, kind, bound | 1 << local.index())?;
                let everything = S::everything(kind);
                let each = if each.negated { everything.clone().minus(inner) } else { inner };
                S::every(slot, over, each, everything)
            }
            own => S::narrow(self, own, kind)?,
        })
    }
}

/// What only a variable of this sort is told.
pub(super) trait Narrow: Compile {
    fn narrow<W: Width>(compiler: &mut Compiler<W>, source: &SourceSet, kind: Kind)
    -> Option<Self>;
}

impl Narrow for CellsSet {
    fn narrow<W: Width>(compiler: &mut Compiler<W>, source: &SourceSet, _: Kind) -> Option<Self> {
        Some(match source {
            SourceSet::After(cell) => CellsSet::After(compiler.scalar(cell)?),
            SourceSet::Peers(cell) => CellsSet::Peers(compiler.scalar(cell)?),
            SourceSet::CommonPeers(set) => compiler.common_peers(set)?,
            SourceSet::Plane(digit) => CellsSet::Plane(compiler.scalar(digit)?),
            SourceSet::Planes(digits) => CellsSet::Planes(Box::new(compiler.set(digits)?)),
            SourceSet::Given => CellsSet::Given,
            SourceSet::House(house) => CellsSet::House(compiler.scalar(house)?),
            SourceSet::FewCandidates(count) => {
                compiler.need_counts(*count);
                CellsSet::FewCandidates(*count)
            }
            SourceSet::CandidateCount(count) => {
                compiler.need_counts(*count);
                CellsSet::CandidateCount(*count)
            }
            SourceSet::CandidatesWithin(digits) => {
                CellsSet::CandidatesWithin(Box::new(compiler.set(digits)?))
            }
            _ => return None,
        })
    }
}

impl Narrow for SmallSet {
    fn narrow<W: Width>(
        compiler: &mut Compiler<W>,
        source: &SourceSet,
        kind: Kind,
    ) -> Option<Self> {
        Some(match source {
            SourceSet::After(digit) if kind == Kind::Digit => {
                SmallSet::DigitsAfter(compiler.scalar(digit)?)
            }
            SourceSet::After(house) => SmallSet::HousesAfter(compiler.scalar(house)?),
            SourceSet::Candidates(cell) => {
                compiler.needs.candidates = true;
                SmallSet::Candidates(compiler.scalar(cell)?)
            }
            SourceSet::HousesOf(cell) => SmallSet::HousesOf(compiler.scalar(cell)?),
            SourceSet::Around(set) => SmallSet::Around(Box::new(compiler.set(set)?)),
            SourceSet::FewDigits(few, house) => {
                compiler.need_few(*few);
                SmallSet::FewDigits(*few, compiler.scalar(house)?)
            }
            SourceSet::FewHouses(few, digit) => {
                compiler.need_few(*few);
                SmallSet::FewHouses(*few, compiler.scalar(digit)?)
            }
            _ => return None,
        })
    }
}

//! From terms and sources to expressions, for one layout.

use crate::language::{ConstantSet, Function, Head, Kind, SetOperation, Term, Var};

use super::bits::Width;
use super::body::{kind_of, members, term_mask};
use super::expression::{CellsTerm, Lookup, Number, Over, REGISTERS, SLOTS, Scalar, SmallTerm};
use super::source::{Relationship, Source, SourceSet};
use super::table::{IndexId, TableId, Tables};
use super::view::Needs;

/// A set of cells, or one of digits or houses.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum SetTerm {
    Cells(CellsTerm),
    Small(SmallTerm),
}

/// What a head comes to.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(super) enum HeadTerm {
    Place(Scalar, Scalar),
    Eliminate(CellsTerm, SmallTerm),
    Contradiction,
    Tuple(Vec<Scalar>),
}

/// Compiles the terms of one body.
pub(super) struct Compiler<'a, W: Width> {
    pub tables: &'a mut Tables<W>,
    pub kinds: &'a [Kind],
    /// Where each variable is kept: a slot, or a register of its kind.
    pub places: Vec<u8>,
    /// Digits of the layout, and its rows.
    pub size: usize,
    /// The table of `rectangle`.
    pub rectangle: TableId,
    /// What the plan looks at.
    pub needs: Needs,
    pub indices: Vec<IndexId>,
    /// See [`super::body::Body::dropped`].
    pub dropped: u64,
}

impl<'a, W: Width> Compiler<'a, W> {
    /// Gives each variable its place; nothing if there are too many.
    pub fn new(
        tables: &'a mut Tables<W>,
        kinds: &'a [Kind],
        size: usize,
        rectangle: TableId,
    ) -> Option<Self> {
        let (mut slots, mut cells, mut small) = (0u8, 0u8, 0u8);
        let mut places = Vec::new();
        for kind in kinds {
            let next = match kind {
                Kind::Cells => &mut cells,
                Kind::Digits | Kind::Houses => &mut small,
                _ => &mut slots,
            };
            places.push(*next);
            *next += 1;
        }
        let fits = (slots as usize) + 4 < SLOTS
            && (cells as usize) + 2 < REGISTERS
            && (small as usize) + 2 < REGISTERS;
        fits.then_some(Compiler {
            tables,
            kinds,
            places,
            size,
            rectangle,
            needs: Needs::default(),
            indices: Vec::new(),
            dropped: 0,
        })
    }

    pub fn kind(&self, term: &Term) -> Kind {
        kind_of(term, self.kinds)
    }

    pub fn scalar(&self, term: &Term) -> Option<Scalar> {
        Some(match term {
            Term::Var(v) => Scalar::Slot(self.places[v.index()]),
            Term::Cell { row, column } => {
                Scalar::Constant(*row as u16 * self.size as u16 + *column as u16)
            }
            Term::Digit(digit) => Scalar::Constant(digit.index() as u16),
            Term::Call(function, cells) => {
                let cell = Box::new(self.scalar(&cells[0])?);
                match function {
                    Function::Row => Scalar::Row(cell),
                    Function::Column => Scalar::Column(cell),
                    Function::Box => Scalar::Box(cell),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    pub fn number(&mut self, term: &Term) -> Option<Number> {
        Some(match term {
            Term::Var(v) => Number::Slot(self.places[v.index()]),
            Term::Number(number) => Number::Constant(*number),
            Term::Size(set) => match self.set(set)? {
                SetTerm::Cells(cells) => Number::Cells(cells),
                SetTerm::Small(small) => Number::Small(small),
            },
            Term::Arithmetic(operation, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Number::Arithmetic(*operation, Box::new(a), Box::new(b))
            }
            _ => return None,
        })
    }

    pub fn set(&mut self, term: &Term) -> Option<SetTerm> {
        match self.kind(term) {
            Kind::Cells => self.cells(term).map(SetTerm::Cells),
            Kind::Digits | Kind::Houses => self.small(term).map(SetTerm::Small),
            _ => None,
        }
    }

    pub fn cells(&mut self, term: &Term) -> Option<CellsTerm> {
        Some(match term {
            Term::Var(v) => CellsTerm::Register(self.places[v.index()]),
            Term::Constant(ConstantSet::Unsolved) => CellsTerm::Unsolved,
            Term::Lone(cell) => CellsTerm::Only(self.scalar(cell)?),
            Term::Set(_, cells) => {
                let mut set: Option<CellsTerm> = None;
                for cell in cells {
                    let only = CellsTerm::Only(self.scalar(cell)?);
                    set = Some(match set {
                        Some(set) => CellsTerm::Or(Box::new(set), Box::new(only)),
                        None => only,
                    });
                }
                match set {
                    Some(set) => set,
                    None => CellsTerm::Minus(Box::new(CellsTerm::All), Box::new(CellsTerm::All)),
                }
            }
            Term::CellsOf(house) => CellsTerm::House(self.scalar(house)?),
            Term::Operation(operation, a, b) => {
                let (a, b) = (Box::new(self.cells(a)?), Box::new(self.cells(b)?));
                match operation {
                    SetOperation::Union => CellsTerm::Or(a, b),
                    SetOperation::Intersection => CellsTerm::And(a, b),
                    SetOperation::Difference => CellsTerm::Minus(a, b),
                }
            }
            Term::Call(function, terms) => match (function, &terms[..]) {
                (Function::Spots, [Term::Lone(digit), cells]) => {
                    let digit = self.scalar(digit)?;
                    match self.cells(cells)? {
                        CellsTerm::House(house) => CellsTerm::Spots(digit, house),
                        cells => {
                            let plane = Box::new(CellsTerm::Plane(digit));
                            CellsTerm::And(plane, Box::new(cells))
                        }
                    }
                }
                (Function::Spots, [digits, cells]) => {
                    let planes = CellsTerm::Planes(Box::new(self.small(digits)?));
                    CellsTerm::And(Box::new(planes), Box::new(self.cells(cells)?))
                }
                (Function::Peers, [cell]) => CellsTerm::Peers(self.scalar(cell)?),
                (Function::CommonPeers, [cells]) => match members(cells) {
                    Some([first, rest @ ..]) => {
                        let mut common = CellsTerm::Peers(self.scalar(first)?);
                        for cell in rest {
                            let peers = CellsTerm::Peers(self.scalar(cell)?);
                            common = CellsTerm::And(Box::new(common), Box::new(peers));
                        }
                        common
                    }
                    _ => CellsTerm::CommonPeers(Box::new(self.cells(cells)?)),
                },
                (Function::Cells, [houses]) => match houses {
                    Term::Lone(house) => CellsTerm::House(self.scalar(house)?),
                    houses => CellsTerm::Houses(Box::new(self.small(houses)?)),
                },
                _ => return None,
            },
            _ => return None,
        })
    }

    pub fn small(&mut self, term: &Term) -> Option<SmallTerm> {
        Some(match term {
            Term::Var(v) => SmallTerm::Register(self.places[v.index()]),
            Term::Constant(constant) => match constant {
                ConstantSet::Digits => SmallTerm::AllDigits,
                ConstantSet::Houses => SmallTerm::AllHouses,
                ConstantSet::Rows => SmallTerm::Rows,
                ConstantSet::Columns => SmallTerm::Columns,
                ConstantSet::Boxes => SmallTerm::Boxes,
                ConstantSet::Lines => {
                    SmallTerm::Or(Box::new(SmallTerm::Rows), Box::new(SmallTerm::Columns))
                }
                ConstantSet::Unsolved => return None,
            },
            Term::Lone(item) => SmallTerm::Only(self.scalar(item)?),
            Term::Set(_, items) => {
                let mut set: Option<SmallTerm> = None;
                for item in items {
                    let only = SmallTerm::Only(self.scalar(item)?);
                    set = Some(match set {
                        Some(set) => SmallTerm::Or(Box::new(set), Box::new(only)),
                        None => only,
                    });
                }
                match set {
                    Some(set) => set,
                    None => SmallTerm::Minus(
                        Box::new(SmallTerm::AllDigits),
                        Box::new(SmallTerm::AllDigits),
                    ),
                }
            }
            Term::Operation(operation, a, b) => {
                let (a, b) = (Box::new(self.small(a)?), Box::new(self.small(b)?));
                match operation {
                    SetOperation::Union => SmallTerm::Or(a, b),
                    SetOperation::Intersection => SmallTerm::And(a, b),
                    SetOperation::Difference => SmallTerm::Minus(a, b),
                }
            }
            Term::Call(function, terms) => match (function, &terms[..]) {
                (Function::Candidates, [cells]) => {
                    self.needs.candidates = true;
                    match cells {
                        Term::Lone(cell) => SmallTerm::Candidates(self.scalar(cell)?),
                        cells => SmallTerm::CandidatesOf(Box::new(self.cells(cells)?)),
                    }
                }
                (Function::Missing, [house]) => {
                    self.needs.missing = true;
                    SmallTerm::Missing(self.scalar(house)?)
                }
                (Function::Touching, [houses, cells]) => {
                    let houses = Box::new(self.small(houses)?);
                    match self.cells(cells)? {
                        CellsTerm::House(house) => SmallTerm::Meeting(houses, house),
                        cells => SmallTerm::Touching(houses, Box::new(cells)),
                    }
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Everything of a kind.
    pub fn everything(&self, kind: Kind) -> SetTerm {
        match kind {
            Kind::Cell => SetTerm::Cells(CellsTerm::All),
            Kind::Digit => SetTerm::Small(SmallTerm::AllDigits),
            _ => SetTerm::Small(SmallTerm::AllHouses),
        }
    }

    /// The set that a source stands for, for a variable of this kind.
    pub fn source(&mut self, source: &Source, kind: Kind, bound: u64) -> Option<SetTerm> {
        let is_cell = kind == Kind::Cell;
        let cells = |cells| Some(SetTerm::Cells(cells));
        let small = |small| Some(SetTerm::Small(small));
        match &source.set {
            SourceSet::Term(term) => self.set(term),
            SourceSet::Equal(term) => {
                let scalar = self.scalar(term)?;
                if is_cell {
                    cells(CellsTerm::Only(scalar))
                } else {
                    small(SmallTerm::Only(scalar))
                }
            }
            SourceSet::After(term) => {
                let scalar = self.scalar(term)?;
                match kind {
                    Kind::Cell => cells(CellsTerm::After(scalar)),
                    Kind::Digit => small(SmallTerm::DigitsAfter(scalar)),
                    _ => small(SmallTerm::HousesAfter(scalar)),
                }
            }
            SourceSet::Before(term) => {
                let scalar = self.scalar(term)?;
                if is_cell {
                    cells(CellsTerm::Before(scalar))
                } else {
                    small(SmallTerm::Before(scalar))
                }
            }
            SourceSet::Peers(cell) => cells(CellsTerm::Peers(self.scalar(cell)?)),
            SourceSet::CommonPeers(set) => {
                cells(CellsTerm::CommonPeers(Box::new(self.cells(set)?)))
            }
            SourceSet::Plane(digit) => cells(CellsTerm::Plane(self.scalar(digit)?)),
            SourceSet::Candidates(cell) => {
                self.needs.candidates = true;
                small(SmallTerm::Candidates(self.scalar(cell)?))
            }
            SourceSet::Given => cells(CellsTerm::Given),
            SourceSet::HousesOf(cell) => small(SmallTerm::HousesOf(self.scalar(cell)?)),
            SourceSet::Around(set) => small(SmallTerm::Around(Box::new(self.cells(set)?))),
            SourceSet::House(house) => cells(CellsTerm::House(self.scalar(house)?)),
            SourceSet::FewCandidates(count) => {
                self.needs.few_candidates = self.needs.few_candidates.max(*count);
                cells(CellsTerm::FewCandidates(*count))
            }
            SourceSet::CandidatesWithin(digits) => {
                cells(CellsTerm::CandidatesWithin(Box::new(self.small(digits)?)))
            }
            SourceSet::FewDigits(few, house) => {
                self.need_few(*few);
                small(SmallTerm::FewDigits(*few, self.scalar(house)?))
            }
            SourceSet::FewHouses(few, digit) => {
                self.need_few(*few);
                small(SmallTerm::FewHouses(*few, self.scalar(digit)?))
            }
            SourceSet::Rest { left, right, variables } => {
                let known = !right.is_empty();
                let right = Term::Set(kind, right.iter().map(|&term| term.clone()).collect());
                match (self.set(left)?, self.set(&right)?) {
                    (SetTerm::Cells(left), SetTerm::Cells(right)) => cells(CellsTerm::Rest {
                        left: Box::new(left),
                        right: known.then(|| Box::new(right)),
                        variables: *variables,
                    }),
                    (SetTerm::Small(left), SetTerm::Small(right)) => {
                        let SetTerm::Small(everything) = self.everything(kind) else {
                            return None;
                        };
                        small(SmallTerm::Rest {
                            left: Box::new(left),
                            right: known.then(|| Box::new(right)),
                            variables: *variables,
                            everything: Box::new(everything),
                        })
                    }
                    _ => None,
                }
            }
            SourceSet::Column { table, terms, column } => {
                self.column(*table, terms, *column, bound)
            }
            SourceSet::Every { local, over, each } => {
                let slot = self.places[local.index()];
                let over = Box::new(self.over(over)?);
                let inner = self.source(each, kind, bound | 1 << local.index())?;
                match (inner, self.everything(kind)) {
                    (SetTerm::Cells(inner), SetTerm::Cells(all)) => {
                        let each = if each.negated {
                            CellsTerm::Minus(Box::new(all), Box::new(inner))
                        } else {
                            inner
                        };
                        cells(CellsTerm::Every { slot, over, each: Box::new(each) })
                    }
                    (SetTerm::Small(inner), SetTerm::Small(all)) => {
                        let everything = Box::new(all.clone());
                        let each = if each.negated {
                            SmallTerm::Minus(Box::new(all), Box::new(inner))
                        } else {
                            inner
                        };
                        small(SmallTerm::Every { slot, over, each: Box::new(each), everything })
                    }
                    _ => None,
                }
            }
        }
    }

    fn need_few(&mut self, few: super::view::Few) {
        if !self.needs.few_spots.contains(&few) {
            self.needs.few_spots.push(few);
        }
    }

    pub fn over(&mut self, term: &Term) -> Option<Over> {
        Some(match self.set(term)? {
            SetTerm::Cells(cells) => Over::Cells(cells),
            SetTerm::Small(small) => Over::Small(small),
        })
    }

    /// A column of a table given those that are bound.
    pub fn column(
        &mut self,
        table: Relationship,
        terms: &[Term],
        column: usize,
        bound: u64,
    ) -> Option<SetTerm> {
        let key: Vec<usize> = (0..terms.len())
            .filter(|&i| i != column && term_mask(&terms[i]) & (!bound | self.dropped) == 0)
            .collect();
        let table = match table {
            Relationship::Helper(predicate) => predicate.0 as usize,
            Relationship::Rectangle => self.rectangle,
        };
        let id = self.tables.index(table, &key, column);
        if !self.indices.contains(&id) {
            self.indices.push(id);
        }
        let strides: Vec<(usize, usize)> = self.tables.columns(id).0.to_vec();
        let key = strides
            .iter()
            .map(|&(column, stride)| Some((self.scalar(&terms[column])?, stride)))
            .collect::<Option<Vec<_>>>()?;
        Some(match id {
            IndexId::Cells(index) => SetTerm::Cells(CellsTerm::Lookup(Lookup::new(index, key))),
            IndexId::Small(index) => SetTerm::Small(SmallTerm::Lookup(Lookup::new(index, key))),
        })
    }

    pub fn head(&mut self, head: &Head) -> Option<HeadTerm> {
        Some(match head {
            Head::Place(cell, digit) => {
                self.needs.candidates = true;
                HeadTerm::Place(self.scalar(cell)?, self.scalar(digit)?)
            }
            Head::Eliminate(cells, digits) => {
                HeadTerm::Eliminate(self.cells(cells)?, self.small(digits)?)
            }
            Head::Contradiction => HeadTerm::Contradiction,
            Head::Helper(terms) => HeadTerm::Tuple(
                terms.iter().map(|term| self.scalar(term)).collect::<Option<Vec<_>>>()?,
            ),
        })
    }

    /// The variable's place.
    pub fn place(&self, v: Var) -> u8 {
        self.places[v.index()]
    }
}

//! From terms to expressions, for one layout.

use crate::language::{ConstantSet, Function, Head, Kind, SetOperation, Term, Var, Variable};

use super::super::bits::Width;
use super::super::code::{
    AnySet, CellsSet, HeadTerm, Lookup, Number, REGISTERS, SLOTS, Scalar, SmallSet, Sort,
};
use super::super::table::{IndexId, Tables};
use super::super::view::{Few, Needs};
use super::body::members;
use super::masks::{is_bound, term_mask};
use super::source::Relationship;

/// Compiles the terms of one body.
pub(super) struct Compiler<'a, W: Width> {
    pub tables: &'a mut Tables<W>,
    pub variables: &'a [Variable],
    /// Where each variable is kept: a slot, or a register of its kind.
    pub places: Vec<u8>,
    /// Digits of the layout, and its rows.
    pub size: usize,
    /// How many helpers there are; the built-in tables come after theirs.
    pub helpers: usize,
    /// What the plan looks at.
    pub needs: Needs,
    pub indices: Vec<IndexId>,
    /// See [`super::body::Body::dropped`].
    pub dropped: u64,
    /// The variables that come from rows: the numbers of their sets are known.
    pub numbered: u64,
}

impl<'a, W: Width> Compiler<'a, W> {
    /// Gives each variable its place; nothing if there are too many.
    pub(super) fn new(
        tables: &'a mut Tables<W>,
        variables: &'a [Variable],
        size: usize,
        helpers: usize,
        dropped: u64,
    ) -> Option<Self> {
        let (mut slots, mut cells, mut small) = (0u8, 0u8, 0u8);
        let mut places = Vec::new();
        for variable in variables {
            let next = match variable.kind {
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
            variables,
            places,
            size,
            helpers,
            needs: Needs::default(),
            indices: Vec::new(),
            dropped,
            numbered: 0,
        })
    }

    pub(super) fn kind(&self, term: &Term) -> Kind {
        term.kind(self.variables)
    }

    /// The variable's place.
    pub(super) fn place(&self, v: Var) -> u8 {
        self.places[v.index()]
    }

    pub(super) fn scalar(&self, term: &Term) -> Option<Scalar> {
        Some(match term {
            Term::Var(v) => Scalar::Slot(self.place(*v)),
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

    pub(super) fn number(&mut self, term: &Term) -> Option<Number> {
        Some(match term {
            Term::Var(v) => Number::Slot(self.place(*v)),
            Term::Number(number) => Number::Constant(*number),
            Term::Size(set) => Number::Size(self.any(set)?),
            Term::Arithmetic(operation, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Number::Arithmetic(*operation, Box::new(a), Box::new(b))
            }
            _ => return None,
        })
    }

    /// A set of whichever sort the term is.
    pub(super) fn any(&mut self, term: &Term) -> Option<AnySet> {
        match self.kind(term) {
            Kind::Cells => self.set(term).map(AnySet::Cells),
            Kind::Digits | Kind::Houses => self.set(term).map(AnySet::Small),
            _ => None,
        }
    }

    /// A set of this sort.
    pub(super) fn set<S: Compile>(&mut self, term: &Term) -> Option<S> {
        Some(match term {
            Term::Var(v) => S::register(self.place(*v)),
            Term::Lone(item) => S::only(self.scalar(item)?),
            Term::Set(kind, items) => {
                let mut set: Option<S> = None;
                for item in items {
                    let only = S::only(self.scalar(item)?);
                    set = Some(match set {
                        Some(set) => set.or(only),
                        None => only,
                    });
                }
                set.unwrap_or_else(|| S::everything(*kind).minus(S::everything(*kind)))
            }
            Term::Operation(operation, a, b) => {
                let (a, b): (S, S) = (self.set(a)?, self.set(b)?);
                match operation {
                    SetOperation::Union => a.or(b),
                    SetOperation::Intersection => a.and(b),
                    SetOperation::Difference => a.minus(b),
                }
            }
            word => S::word(self, word)?,
        })
    }

    /// A column of a table given those that are bound.
    pub(super) fn column(
        &mut self,
        table: Relationship,
        terms: &[Term],
        column: usize,
        bound: u64,
    ) -> Option<AnySet> {
        let is_key = |term: &Term| is_bound(term, bound) && term_mask(term) & self.dropped == 0;
        let key: Vec<usize> =
            (0..terms.len()).filter(|&i| i != column && is_key(&terms[i])).collect();
        let table = table.table(self.helpers);
        let id = self.tables.index(table, &key, column);
        if !self.indices.contains(&id) {
            self.indices.push(id);
        }
        let part = |&(column, stride): &(usize, u64)| Some((self.scalar(&terms[column])?, stride));
        let key = self.tables.columns(id).key.iter().map(part).collect::<Option<Vec<_>>>()?;
        Some(match id {
            IndexId::Cells(index) => AnySet::Cells(CellsSet::Lookup(Lookup::new(index, key))),
            IndexId::Small(index) => AnySet::Small(SmallSet::Lookup(Lookup::new(index, key))),
            IndexId::Rows(_) => return None,
        })
    }

    pub(super) fn head(&mut self, head: &Head) -> Option<HeadTerm> {
        Some(match head {
            Head::Place(cell, digit) => {
                self.needs.candidates = true;
                HeadTerm::Place(self.scalar(cell)?, self.scalar(digit)?)
            }
            Head::Eliminate(cells, digits) => {
                HeadTerm::Eliminate(self.set(cells)?, self.set(digits)?)
            }
            Head::Contradiction => HeadTerm::Contradiction,
            Head::Helper(terms) if terms.iter().any(|term| self.kind(term).set().is_none()) => {
                let columns = terms.iter().map(|term| self.row_term(term));
                HeadTerm::Row(columns.collect::<Option<Vec<_>>>()?)
            }
            Head::Helper(terms) => {
                let columns = terms.iter().map(|term| self.scalar(term));
                HeadTerm::Tuple(columns.collect::<Option<Vec<_>>>()?)
            }
            // What stands after `for` is in a body of its own here.
            Head::Asked(..) | Head::Each(..) => return None,
        })
    }

    /// Whether a variable is a set that comes from rows.
    pub(super) fn is_numbered(&self, v: Var) -> bool {
        self.numbered >> v.index() & 1 == 1
    }

    /// The cells that see all of these; kept, where they are a digit's spots in a set with a number.
    pub(super) fn common_peers(&mut self, cells: &Term) -> Option<CellsSet> {
        if let Term::Call(Function::Spots, terms) = cells
            && let [Term::Lone(digit), Term::Var(v)] = &terms[..]
            && self.is_numbered(*v)
        {
            self.needs.of_sets = true;
            return Some(CellsSet::PeersOfSpots(self.scalar(digit)?, self.place(*v)));
        }
        Some(CellsSet::CommonPeers(Box::new(self.set(cells)?)))
    }

    /// Says that the plan looks at cells with at most so many candidates.
    pub(super) fn need_counts(&mut self, count: u8) {
        self.needs.few_candidates = self.needs.few_candidates.max(count);
    }

    /// Says that the plan looks at houses and digits with few spots.
    pub(super) fn need_few(&mut self, few: Few) {
        if !self.needs.few_spots.contains(&few) {
            self.needs.few_spots.push(few);
        }
    }
}

/// The words of the language for sets of a sort.
pub(super) trait Compile: Sort {
    /// Everything of a kind.
    fn everything(kind: Kind) -> Self;
    /// A constant set, the cells of a house, or a call.
    fn word<W: Width>(compiler: &mut Compiler<W>, term: &Term) -> Option<Self>;
}

impl Compile for CellsSet {
    fn everything(_: Kind) -> CellsSet {
        CellsSet::All
    }

    fn word<W: Width>(compiler: &mut Compiler<W>, term: &Term) -> Option<CellsSet> {
        Some(match term {
            Term::Constant(ConstantSet::Unsolved) => CellsSet::Unsolved,
            Term::CellsOf(house) => CellsSet::House(compiler.scalar(house)?),
            Term::Call(function, terms) => match (function, &terms[..]) {
                (Function::Spots, [Term::Lone(digit), Term::CellsOf(house)]) => {
                    CellsSet::Spots(compiler.scalar(digit)?, compiler.scalar(house)?)
                }
                (Function::Spots, [digits, cells]) => {
                    let planes = match digits {
                        Term::Lone(digit) => CellsSet::Plane(compiler.scalar(digit)?),
                        digits => CellsSet::Planes(Box::new(compiler.set(digits)?)),
                    };
                    return Some(planes.and(compiler.set(cells)?));
                }
                (Function::Peers, [cell]) => CellsSet::Peers(compiler.scalar(cell)?),
                (Function::CommonPeers, [cells]) => match members(cells) {
                    Some([first, rest @ ..]) => {
                        let mut common = CellsSet::Peers(compiler.scalar(first)?);
                        for cell in rest {
                            common = common.and(CellsSet::Peers(compiler.scalar(cell)?));
                        }
                        return Some(common);
                    }
                    _ => return compiler.common_peers(cells),
                },
                (Function::Cells, [Term::Lone(house)]) => CellsSet::House(compiler.scalar(house)?),
                (Function::Cells, [houses]) => CellsSet::Houses(Box::new(compiler.set(houses)?)),
                _ => return None,
            },
            _ => return None,
        })
    }
}

impl Compile for SmallSet {
    fn everything(kind: Kind) -> SmallSet {
        let is_digit = matches!(kind, Kind::Digit | Kind::Digits);
        if is_digit { SmallSet::AllDigits } else { SmallSet::Everywhere }
    }

    fn word<W: Width>(compiler: &mut Compiler<W>, term: &Term) -> Option<SmallSet> {
        Some(match term {
            Term::Constant(constant) => match constant {
                ConstantSet::Digits => SmallSet::AllDigits,
                ConstantSet::Houses => SmallSet::AllHouses,
                ConstantSet::Rows => SmallSet::Rows,
                ConstantSet::Columns => SmallSet::Columns,
                ConstantSet::Boxes => SmallSet::Boxes,
                ConstantSet::Groups => SmallSet::Groups,
                ConstantSet::Pieces => SmallSet::Pieces,
                ConstantSet::Lines => {
                    return Some(SmallSet::Rows.or(SmallSet::Columns));
                }
                ConstantSet::Unsolved => return None,
            },
            Term::Call(function, terms) => match (function, &terms[..]) {
                (Function::Candidates, [cells]) => {
                    compiler.needs.candidates = true;
                    match cells {
                        Term::Lone(cell) => SmallSet::Candidates(compiler.scalar(cell)?),
                        Term::Var(v) if compiler.is_numbered(*v) => {
                            compiler.needs.of_sets = true;
                            SmallSet::CandidatesOfNumber(compiler.place(*v))
                        }
                        cells => SmallSet::CandidatesOf(Box::new(compiler.set(cells)?)),
                    }
                }
                (Function::Missing, [house]) => {
                    compiler.needs.missing = true;
                    SmallSet::Missing(compiler.scalar(house)?)
                }
                (Function::Touching, [houses, cells]) => {
                    let houses = Box::new(compiler.set(houses)?);
                    match compiler.set(cells)? {
                        CellsSet::House(house) => SmallSet::Meeting(houses, house),
                        CellsSet::Only(cell) => houses.and(SmallSet::HousesOf(cell)),
                        cells => SmallSet::Touching(houses, Box::new(cells)),
                    }
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

//! What becomes of the solutions of a plan.

use crate::board::{Candidate, Cell, Cells, Digit, Digits, Grid, House, Houses};
use crate::language::Kind;
use crate::trace::{Bindings, Conclusion, Value};

use super::super::Effects;
use super::super::bits::{Bits, Width};
use super::super::code::{CellsSet, Frame, HeadTerm, REGISTERS, RowTerm, Scene, Sort};
use super::super::plan::JoinPlan;
use super::super::table::{NO_NUMBER, Numbers};

/// Room for the columns of any table.
const ROOM: usize = 8;

/// Who hears of each solution.
pub(in crate::engine::join) trait Sink<W: Width> {
    /// One solution; whether it was the last one wanted.
    fn found(&mut self, scene: &Scene<W>, frame: &Frame<W>, heads: &[HeadTerm]) -> bool;

    /// Of the cells that would lose a digit, those of which that is news.
    fn news(&self, _digit: usize, cells: W::Cells) -> W::Cells {
        cells
    }
}

/// The tuples of a helper, one after the other, and the sets among them that have no number yet.
#[derive(Clone)]
pub(in crate::engine::join) struct Found<W: Width> {
    pub tuples: Vec<u16>,
    cells: Vec<W::Cells>,
    small: Vec<W::Small>,
    /// Whether tuples that differ in one cell stay one, and then, by tuple, those cells, and which
    /// column they are.
    pub gathers: bool,
    pub gathered: Vec<W::Cells>,
    pub gathered_place: usize,
}

impl<W: Width> Found<W> {
    pub(crate) fn new() -> Self {
        Found {
            tuples: Vec::new(),
            cells: Vec::new(),
            small: Vec::new(),
            gathers: false,
            gathered: Vec::new(),
            gathered_place: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.tuples.clear();
        self.cells.clear();
        self.small.clear();
        self.gathered.clear();
    }

    /// Gives every set its number; whether there are enough numbers.
    pub(crate) fn number(&mut self, kinds: &[Kind], numbers: &mut Numbers<W>) -> bool {
        let (mut cells, mut small) = (self.cells.drain(..), self.small.drain(..));
        if cells.len() + small.len() == 0 {
            return true;
        }
        for tuple in self.tuples.chunks_exact_mut(kinds.len()) {
            for (value, kind) in tuple.iter_mut().zip(kinds) {
                if *value == NO_NUMBER {
                    let number = match kind {
                        Kind::Cells => cells.next().and_then(|set| numbers.cells.number(set)),
                        _ => small.next().and_then(|set| numbers.small.number(set)),
                    };
                    let Some(number) = number else { return false };
                    *value = number;
                }
            }
        }
        true
    }

    /// A tuple for each of some cells, at their place among the others.
    #[inline]
    fn add_gathered(&mut self, cells: W::Cells, place: usize, arity: usize) {
        if self.gathers {
            self.gathered.push(cells);
            self.gathered_place = place;
            return;
        }
        let first = self.tuples.len() - arity;
        for (i, cell) in cells.iter().enumerate() {
            if i > 0 {
                self.tuples.extend_from_within(first..first + arity);
            }
            let last = self.tuples.len() - arity;
            self.tuples[last + place] = cell as u16;
        }
    }

    fn add_row(&mut self, columns: &[RowTerm], scene: &Scene<W>, frame: &Frame<W>) {
        let mut row = [0; ROOM];
        for (value, column) in row.iter_mut().zip(columns) {
            *value = match column {
                RowTerm::Scalar(scalar) => scalar.value(scene, frame) as u16,
                RowTerm::CellsNumber(register) => {
                    frame.cells_numbers[*register as usize % REGISTERS]
                }
                RowTerm::SmallNumber(register) => {
                    frame.small_numbers[*register as usize % REGISTERS]
                }
                RowTerm::Cells(CellsSet::Only(cell)) => {
                    let cell = cell.value(scene, frame);
                    scene.tables.numbers.cells.of_lone(cell).unwrap_or_else(|| {
                        self.cells.push(W::Cells::only(cell));
                        NO_NUMBER
                    })
                }
                RowTerm::Cells(set) => {
                    self.cells.push(set.value(scene, frame));
                    NO_NUMBER
                }
                RowTerm::Small(set) => {
                    self.small.push(set.value(scene, frame));
                    NO_NUMBER
                }
            };
        }
        // A row with all its room is moved at once; what is behind it is taken off again.
        let end = self.tuples.len() + columns.len();
        self.tuples.extend_from_slice(&row);
        self.tuples.truncate(end);
    }
}

impl<W: Width> Sink<W> for &mut Found<W> {
    #[inline(always)]
    fn found(&mut self, scene: &Scene<W>, frame: &Frame<W>, heads: &[HeadTerm]) -> bool {
        for head in heads {
            match head {
                HeadTerm::Tuple(columns) => {
                    let values = columns.iter().map(|column| column.value(scene, frame) as u16);
                    self.tuples.extend(values);
                }
                HeadTerm::Gathered { columns, place, register } => {
                    let values = columns.iter().map(|column| column.value(scene, frame) as u16);
                    self.tuples.extend(values);
                    let cells = frame.cells[*register as usize];
                    self.add_gathered(cells, *place as usize, columns.len());
                }
                HeadTerm::Row(columns) => self.add_row(columns, scene, frame),
                _ => {}
            }
        }
        false
    }
}

/// Counts and forgets.
pub(in crate::engine::join) struct Nobody;

impl<W: Width> Sink<W> for Nobody {
    fn found(&mut self, _: &Scene<W>, _: &Frame<W>, _: &[HeadTerm]) -> bool {
        false
    }
}

/// Adds up what all matches change.
impl<W: Width> Sink<W> for &mut Effects {
    fn found(&mut self, scene: &Scene<W>, frame: &Frame<W>, heads: &[HeadTerm]) -> bool {
        let view = scene.view;
        self.eliminates.resize(scene.statics.digits, Cells::EMPTY);
        let mut effective = false;
        for head in heads {
            match head {
                HeadTerm::Place(cell, digit) => {
                    let (cell, digit) = (cell.value(scene, frame), digit.value(scene, frame));
                    if !view.planes[digit].contains(cell) {
                        for other in view.candidates[cell].iter() {
                            self.eliminates[other].insert(Cell::at(cell));
                            effective = true;
                        }
                    } else if view.unsolved.contains(cell) {
                        let (cell, digit) = (Cell::at(cell), Digit::at(digit));
                        self.places.push(Candidate { cell, digit });
                        effective = true;
                    }
                }
                HeadTerm::Eliminate(cells, digits) => {
                    let cells = cells.value(scene, frame);
                    for digit in digits.value(scene, frame).iter() {
                        let gone = view.planes[digit].and(cells);
                        if !gone.is_empty() {
                            self.eliminates[digit] |= W::widen(gone);
                            effective = true;
                        }
                    }
                }
                HeadTerm::Contradiction => {
                    self.contradiction = true;
                    effective = true;
                }
                HeadTerm::Tuple(_) | HeadTerm::Gathered { .. } | HeadTerm::Row(_) => {}
            }
        }
        self.firings += u64::from(effective);
        false
    }

    fn news(&self, digit: usize, cells: W::Cells) -> W::Cells {
        self.eliminates.get(digit).map_or(cells, |known| cells.minus(W::narrow(known)))
    }
}

/// What the heads come to on a grid.
fn conclude<W: Width>(
    grid: &Grid,
    scene: &Scene<W>,
    frame: &Frame<W>,
    heads: &[HeadTerm],
) -> Conclusion {
    let mut conclusion = Conclusion::default();
    for head in heads {
        match head {
            HeadTerm::Place(cell, digit) => {
                let cell = Cell::at(cell.value(scene, frame));
                let digit = Digit::at(digit.value(scene, frame));
                conclusion.add_place(grid, Candidate { cell, digit });
            }
            HeadTerm::Eliminate(cells, digits) => {
                let cells = W::widen(cells.value(scene, frame));
                let digits = digits.value(scene, frame).iter().map(Digit::at).collect();
                conclusion.add_eliminate(grid, cells, digits);
            }
            HeadTerm::Contradiction => conclusion.contradiction = true,
            HeadTerm::Tuple(_) | HeadTerm::Gathered { .. } | HeadTerm::Row(_) => {}
        }
    }
    conclusion.finish();
    conclusion
}

/// Keeps the least conclusion that changes something.
pub(in crate::engine::join) struct Least<'a> {
    pub grid: &'a Grid,
    pub least: &'a mut Option<Conclusion>,
}

impl<W: Width> Sink<W> for Least<'_> {
    fn found(&mut self, scene: &Scene<W>, frame: &Frame<W>, heads: &[HeadTerm]) -> bool {
        let conclusion = conclude(self.grid, scene, frame, heads);
        let less = self.least.as_ref().is_none_or(|least| conclusion < *least);
        if less && !conclusion.is_empty() {
            *self.least = Some(conclusion);
        }
        false
    }
}

/// Matches kept at most: nobody reads more, and each takes memory.
pub(in crate::engine::join) const MOST_MATCHES: usize = 50_000;
/// Parts of matches kept at most: a match with `for` has one for each way.
pub(in crate::engine::join) const MOST_PARTS: usize = 20 * MOST_MATCHES;

/// Which matches to keep.
#[derive(Clone, Copy)]
pub(in crate::engine::join) enum Wanted<'a> {
    /// Every one.
    All,
    /// Those that change something.
    Effective,
    /// Those that take away a candidate.
    Taking(Candidate),
    /// Those with one conclusion.
    Like(&'a Conclusion),
}

impl Wanted<'_> {
    /// A candidate that they take away, if one is known.
    pub(crate) fn first(self) -> Option<Candidate> {
        match self {
            Wanted::Taking(candidate) => Some(candidate),
            Wanted::Like(Conclusion { eliminates, .. }) => eliminates.first().copied(),
            Wanted::All | Wanted::Effective => None,
        }
    }

    /// What is to be kept of their parts, where each has a conclusion of its own.
    pub(crate) fn of_parts(self) -> Self {
        match self {
            Wanted::All | Wanted::Effective => self,
            Wanted::Taking(_) => Wanted::Effective,
            Wanted::Like(_) => Wanted::All,
        }
    }

    pub(crate) fn is(self, conclusion: &Conclusion) -> bool {
        match self {
            Wanted::All => true,
            Wanted::Effective => !conclusion.is_empty(),
            Wanted::Taking(candidate) => conclusion.eliminates.contains(&candidate),
            Wanted::Like(wanted) => wanted == conclusion,
        }
    }
}

/// Keeps matches.
pub(in crate::engine::join) struct Matches<'a> {
    pub grid: &'a Grid,
    pub kinds: &'a [Kind],
    pub plan: &'a JoinPlan,
    pub wanted: Wanted<'a>,
    /// How many to keep.
    pub most: usize,
    pub found: &'a mut Vec<(Bindings, Conclusion)>,
}

impl<W: Width> Sink<W> for Matches<'_> {
    fn found(&mut self, scene: &Scene<W>, frame: &Frame<W>, heads: &[HeadTerm]) -> bool {
        let conclusion = conclude(self.grid, scene, frame, heads);
        if self.wanted.is(&conclusion) {
            self.found.push((bindings(self.plan, self.kinds, frame), conclusion));
        }
        self.found.len() >= self.most
    }
}

/// The variables of the clause. One that is local to a `forall` has no value; an empty set stands
/// in.
fn bindings<W: Width>(plan: &JoinPlan, kinds: &[Kind], frame: &Frame<W>) -> Bindings {
    let digits = |set: W::Small| -> Digits { set.iter().map(Digit::at).collect() };
    let houses = |set: W::Small| -> Houses { set.iter().map(House::at).collect() };
    let value = |(&kind, &place): (&Kind, &Option<u8>)| {
        let Some(place) = place.map(usize::from) else {
            return match kind {
                Kind::Cell | Kind::Cells => Value::Cells(Cells::EMPTY),
                Kind::Digit | Kind::Digits => Value::Digits(Digits::EMPTY),
                Kind::House | Kind::Houses => Value::Houses(Houses::EMPTY),
                Kind::Number => Value::Number(0),
            };
        };
        match kind {
            Kind::Cell => Value::Cell(Cell::at(frame.slots[place].get() as usize)),
            Kind::Digit => Value::Digit(Digit::at(frame.slots[place].get() as usize)),
            Kind::House => Value::House(House::at(frame.slots[place].get() as usize)),
            Kind::Number => Value::Number(frame.numbers[place]),
            Kind::Cells => Value::Cells(W::widen(frame.cells[place])),
            Kind::Digits => Value::Digits(digits(frame.small[place])),
            Kind::Houses => Value::Houses(houses(frame.small[place])),
        }
    };
    kinds.iter().zip(&plan.places).map(value).collect()
}

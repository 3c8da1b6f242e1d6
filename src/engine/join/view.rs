//! What a layout and a state look like to a join: one bit set for each question it may ask.
//!
//! [`Statics`] never changes. [`View`] is filled once a state and shared by all plans; what costs
//! more than copying the planes is made when the first plan asks for it.

use crate::board::{Cell, Grid, House, HouseKind, Layout};

use super::bits::{Bits, Width};

/// The layout.
#[derive(Clone)]
pub(super) struct Statics<W: Width> {
    /// How many cells, digits, houses and groups there are.
    pub cells: usize,
    pub digits: usize,
    pub houses: usize,
    /// Rows and columns have this size, boxes this shape.
    pub all_cells: W::Cells,
    pub all_digits: W::Small,
    pub all_houses: W::Small,
    /// The houses, and the groups, which come after them.
    pub everywhere: W::Small,
    pub groups: W::Small,
    pub pieces: W::Small,
    pub rows: W::Small,
    pub columns: W::Small,
    pub boxes: W::Small,
    /// By house.
    pub cells_of: Vec<W::Cells>,
    /// By house: the houses that have a cell with it in common, itself included.
    pub meeting: Vec<W::Small>,
    /// By cell.
    pub houses_of: Vec<W::Small>,
    pub peers: Vec<W::Cells>,
    pub row: Vec<u8>,
    pub column: Vec<u8>,
    pub box_of: Vec<u8>,
    /// By cell: the cells with a higher number.
    pub after: Vec<W::Cells>,
}

impl<W: Width> Statics<W> {
    pub(super) fn new(layout: &Layout) -> Self {
        let kind = |kind: HouseKind| {
            let mut set = W::Small::EMPTY;
            layout.houses_of_kind(kind).iter().for_each(|h| set.insert(h.index()));
            set
        };
        let cells = layout.cell_count();
        let by_cell = |house: &dyn Fn(Cell) -> House| {
            (0..cells).map(|c| house(Cell::at(c)).index() as u8).collect()
        };
        let all_cells = W::Cells::first_n(cells);
        let (full, all) = (layout.house_count(), layout.houses_and_groups());
        // Those of the houses and groups that a cell is in.
        let around = |cell: Cell| {
            let mut set = W::Small::EMPTY;
            let here = all.iter().filter(|&house| layout.cells(house).contains(cell));
            here.for_each(|house| set.insert(house.index()));
            set
        };
        Statics {
            cells,
            digits: layout.size(),
            houses: all.len(),
            all_cells,
            all_digits: W::Small::first_n(layout.size()),
            all_houses: W::Small::first_n(full),
            everywhere: W::Small::first_n(all.len()),
            groups: W::Small::first_n(all.len()).minus(W::Small::first_n(full)),
            pieces: if layout.is_jigsaw() { kind(HouseKind::Box) } else { W::Small::EMPTY },
            rows: kind(HouseKind::Row),
            columns: kind(HouseKind::Column),
            boxes: kind(HouseKind::Box),
            cells_of: all.iter().map(|h| W::narrow(&layout.cells(h))).collect(),
            meeting: all
                .iter()
                .map(|house| {
                    let cells = layout.cells(house).into_iter();
                    cells.fold(W::Small::EMPTY, |met, cell| met.or(around(cell)))
                })
                .collect(),
            houses_of: (0..cells).map(|c| around(Cell::at(c))).collect(),
            peers: (0..cells).map(|c| W::narrow(layout.peers(Cell::at(c)))).collect(),
            row: by_cell(&|c| layout.row(c)),
            column: by_cell(&|c| layout.column(c)),
            // Rules that ask for the box of a cell are not run where there is none.
            box_of: by_cell(&|c| layout.box_of(c).unwrap_or(House::at(0))),
            after: (0..cells).map(|c| all_cells.minus(W::Cells::first_n(c + 1))).collect(),
        }
    }
}

/// `spots` of at most so many cells, and whether all of them must be unsolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Few {
    pub count: u8,
    pub open: bool,
}

/// What a plan wants of the view beyond the planes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Needs {
    pub candidates: bool,
    /// The largest `few_candidates` asked for.
    pub few_candidates: u8,
    pub few_spots: Vec<Few>,
    pub missing: bool,
    /// What is kept of sets by their numbers.
    pub of_sets: bool,
}

/// Houses and digits with few spots.
#[derive(Clone)]
pub(super) struct FewSpots<W: Width> {
    pub few: Few,
    /// By house.
    pub digits: Vec<W::Small>,
    /// By digit.
    pub houses: Vec<W::Small>,
    made: bool,
}

/// A state.
#[derive(Clone)]
pub(super) struct View<W: Width> {
    pub unsolved: W::Cells,
    pub given: W::Cells,
    /// The digits that a plan which looks at one at a time is asked about.
    pub asked: W::Small,
    /// By digit: the cells where it is possible.
    pub planes: Vec<W::Cells>,
    /// By cell: the digits possible there.
    pub candidates: Vec<W::Small>,
    /// By number: the cells with at most so many candidates.
    pub few_candidates: Vec<W::Cells>,
    /// By house: the digits not placed there.
    pub missing: Vec<W::Small>,
    pub few_spots: Vec<FewSpots<W>>,
    made: Needs,
}

impl<W: Width> View<W> {
    pub(super) fn new(statics: &Statics<W>) -> Self {
        View {
            unsolved: W::Cells::EMPTY,
            given: W::Cells::EMPTY,
            asked: statics.all_digits,
            planes: vec![W::Cells::EMPTY; statics.digits],
            candidates: vec![W::Small::EMPTY; statics.cells],
            few_candidates: Vec::new(),
            missing: vec![W::Small::EMPTY; statics.houses],
            few_spots: Vec::new(),
            made: Needs::default(),
        }
    }

    /// Copies the planes, and forgets everything made for the last state.
    pub(super) fn load(&mut self, grid: &Grid) {
        for (mine, plane) in self.planes.iter_mut().zip(grid.planes()) {
            *mine = W::narrow(plane);
        }
        self.unsolved = W::narrow(&grid.unsolved());
        self.given = W::narrow(&grid.given());
        self.asked = W::Small::first_n(self.planes.len());
        self.forget();
    }

    fn forget(&mut self) {
        self.made.candidates = false;
        self.made.missing = false;
        self.made.few_candidates = 0;
        self.few_spots.iter_mut().for_each(|few| few.made = false);
    }

    /// Makes what is wanted, unless it is there already.
    #[inline]
    pub(super) fn ensure(&mut self, statics: &Statics<W>, needs: &Needs) {
        if needs.candidates && !self.made.candidates {
            self.make_candidates();
        }
        if needs.few_candidates > self.made.few_candidates {
            self.make_few_candidates(statics, needs.few_candidates);
        }
        if needs.missing && !self.made.missing {
            self.make_missing(statics);
        }
        for &few in &needs.few_spots {
            let known = self.few_spots.iter().position(|known| known.few == few);
            let place = known.unwrap_or_else(|| {
                let (digits, houses) = (vec![], vec![]);
                self.few_spots.push(FewSpots { few, digits, houses, made: false });
                self.few_spots.len() - 1
            });
            if !self.few_spots[place].made {
                self.make_few_spots(statics, place);
            }
        }
    }

    /// Turns the planes, those of eight digits at a time: eight of their cells are a square of bits.
    fn make_candidates(&mut self) {
        let (eights, others) = self.planes.as_chunks::<8>();
        for (place, cells) in self.candidates.chunks_mut(64).enumerate() {
            let mut digits = [0; 64];
            for (eight, planes) in eights.iter().enumerate() {
                let rows = planes.map(|plane| plane.word(place).to_le_bytes());
                for (i, digits) in digits[..cells.len()].chunks_mut(8).enumerate() {
                    let square = u64::from_le_bytes(rows.map(|row| row[i]));
                    for (digits, new) in digits.iter_mut().zip(turned(square).to_le_bytes()) {
                        *digits |= u64::from(new) << (8 * eight);
                    }
                }
            }
            for (d, plane) in (8 * eights.len()..).zip(others) {
                plane.word(place).each(|cell| digits[cell] |= 1 << d);
            }
            for (cell, digits) in cells.iter_mut().zip(digits) {
                *cell = W::Small::of_word(digits);
            }
        }
        self.made.candidates = true;
    }

    /// Counts all cells at once: `seen[k]` are the cells with more than `k` candidates so far.
    fn make_few_candidates(&mut self, statics: &Statics<W>, most: u8) {
        let seen = &mut self.few_candidates;
        seen.clear();
        seen.resize(most as usize + 1, W::Cells::EMPTY);
        for plane in &self.planes {
            for k in (1..seen.len()).rev() {
                seen[k] = seen[k].or(seen[k - 1].and(*plane));
            }
            seen[0] = seen[0].or(*plane);
        }
        for more in seen.iter_mut() {
            *more = statics.all_cells.minus(*more);
        }
        self.made.few_candidates = most;
    }

    fn make_missing(&mut self, statics: &Statics<W>) {
        self.missing.fill(statics.all_digits);
        for (d, plane) in self.planes.iter().enumerate() {
            for cell in plane.minus(self.unsolved).iter() {
                for house in statics.houses_of[cell].iter() {
                    self.missing[house] = self.missing[house].minus(W::Small::only(d));
                }
            }
        }
        self.made.missing = true;
    }

    fn make_few_spots(&mut self, statics: &Statics<W>, place: usize) {
        let FewSpots { few, digits, houses, made } = &mut self.few_spots[place];
        digits.clear();
        digits.resize(statics.houses, W::Small::EMPTY);
        houses.clear();
        houses.resize(statics.digits, W::Small::EMPTY);
        for (d, plane) in self.planes.iter().enumerate() {
            let closed = plane.minus(self.unsolved);
            for (h, cells) in statics.cells_of.iter().enumerate() {
                let spots = plane.and(*cells);
                if (!few.open || !spots.meets(closed)) && spots.at_most(few.count as usize) {
                    digits[h].insert(d);
                    houses[d].insert(h);
                }
            }
        }
        *made = true;
    }

    /// Where the houses and digits with few spots are kept, once they were made.
    pub(super) fn few_spots_of(&self, few: Few) -> &FewSpots<W> {
        let known = self.few_spots.iter().find(|known| known.few == few);
        known.expect("a plan lists what it needs")
    }
}

/// A square of eight by eight bits, rows for columns: its quarters change places, then theirs.
fn turned(mut square: u64) -> u64 {
    for (distance, corner) in
        [(28, 0x0000_0000_f0f0_f0f0), (14, 0x0000_cccc_0000_cccc), (7, 0x00aa_00aa_00aa_00aa)]
    {
        let changed = (square ^ square >> distance) & corner;
        square ^= changed ^ changed << distance;
    }
    square
}

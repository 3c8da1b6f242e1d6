//! Plane programs and the Hall operator on plain bit sets, for any layout.
//!
//! Straight from the shapes' definitions, match by match, so that a pass, a trace and a test can
//! use the same loops.

use crate::board::{Candidate, Cell, Cells, Digit, Digits, Grid, House, HouseKind};

use super::plan::PlanePlan;
use super::shape::{Effect, Hall, Incidence, Pair, Questions};

/// What one match does.
pub enum Act<'a> {
    /// A digit is placed.
    Place(Candidate),
    /// Digits go from cells.
    Eliminate(&'a [(Digit, Cells)]),
}

/// Calls `see` with every effective match of a clause that is a plane program.
pub fn each_answer(grid: &Grid, effect: Effect, asked: &Questions, see: &mut dyn FnMut(Act)) {
    match effect {
        Effect::Place => {
            if asked.lone_in_cell {
                lone_in_cell(grid, see);
            }
            for house in asked.lone_in_house {
                lone_in_house(grid, house, see);
            }
        }
        Effect::Eliminate => {
            let layout = grid.layout();
            for &(from, to) in &asked.locked {
                let (from, to) = (layout.cells(from), layout.cells(to));
                by_pair(grid, &Pair { empty: from - to, then: to - from }, see);
            }
            for pair in &asked.pairs {
                by_pair(grid, pair, see);
            }
        }
    }
}

fn lone_in_cell(grid: &Grid, see: &mut dyn FnMut(Act)) {
    let (mut once, mut twice) = (Cells::EMPTY, Cells::EMPTY);
    for plane in grid.planes() {
        twice |= once & *plane;
        once |= *plane;
    }
    let lone = (once - twice) - grid.placed();
    for digit in grid.layout().digits() {
        for cell in grid.plane(digit) & lone {
            see(Act::Place(Candidate { cell, digit }));
        }
    }
}

fn lone_in_house(grid: &Grid, house: House, see: &mut dyn FnMut(Act)) {
    for digit in grid.layout().digits() {
        if let Some(cell) = grid.spots(digit, house).single()
            && !grid.placed().contains(cell)
        {
            see(Act::Place(Candidate { cell, digit }));
        }
    }
}

fn by_pair(grid: &Grid, pair: &Pair, see: &mut dyn FnMut(Act)) {
    for digit in grid.layout().digits() {
        let plane = grid.plane(digit);
        if plane.meets(&pair.then) && !plane.meets(&pair.empty) {
            see(Act::Eliminate(&[(digit, plane & pair.then)]));
        }
    }
}

/// Calls `see` with every effective match of a clause that is a Hall operator.
pub fn each_tight(grid: &Grid, hall: &Hall, see: &mut dyn FnMut(Act)) {
    match hall.incidence {
        Incidence::Cells(houses) => {
            for house in houses {
                tight_cells(grid, hall, house, see);
            }
        }
        Incidence::Digits(houses) => {
            for house in houses {
                tight_digits(grid, hall, house, see);
            }
        }
        Incidence::Lines { rows, columns } => {
            for digit in grid.layout().digits() {
                if rows {
                    tight_lines(grid, hall.size, digit, HouseKind::Row, HouseKind::Column, see);
                }
                if columns {
                    tight_lines(grid, hall.size, digit, HouseKind::Column, HouseKind::Row, see);
                }
            }
        }
    }
}

/// Cells of a house with few digits: the digits go from its other cells.
fn tight_cells(grid: &Grid, hall: &Hall, house: House, see: &mut dyn FnMut(Act)) {
    let all = grid.layout().cells(house);
    let chosen = if hall.with_placed { all } else { all - grid.placed() };
    let cells: Vec<Cell> = chosen.iter().collect();
    let masks: Vec<u32> =
        cells.iter().map(|&cell| grid.candidates(cell).words()[0] as u32).collect();
    each_tight_set(&masks, hall.size, &mut |set, union| {
        let inside: Cells = members(set).map(|i| cells[i]).collect();
        let digits = Digits::from_words([u64::from(union)]);
        eliminate(grid, all - inside, digits, see);
    });
}

/// Digits of a house with few cells: the cells' other digits go.
fn tight_digits(grid: &Grid, hall: &Hall, house: House, see: &mut dyn FnMut(Act)) {
    let layout = grid.layout();
    let cells = layout.cells_in_order(house);
    let placed = |d: &Digit| grid.spots(*d, house).meets(&grid.placed());
    let digits: Vec<Digit> = layout.digits().filter(|d| hall.with_placed || !placed(d)).collect();
    let spot = |digit: Digit, i: usize| {
        u32::from(grid.is_possible(Candidate { cell: cells[i], digit })) << i
    };
    let masks: Vec<u32> = digits
        .iter()
        .map(|&digit| (0..cells.len()).fold(0, |mask, i| mask | spot(digit, i)))
        .collect();
    each_tight_set(&masks, hall.size, &mut |set, union| {
        let inside: Digits = members(set).map(|i| digits[i]).collect();
        let spots: Cells = members(union).map(|i| cells[i]).collect();
        eliminate(grid, spots, layout.all_digits() - inside, see);
    });
}

/// Lines of a digit with few lines across: the digit goes from the rest of those.
fn tight_lines(
    grid: &Grid,
    size: usize,
    digit: Digit,
    lines: HouseKind,
    across: HouseKind,
    see: &mut dyn FnMut(Act),
) {
    let layout = grid.layout();
    let lines: Vec<House> = layout.houses_of_kind(lines).iter().collect();
    let across: Vec<House> = layout.houses_of_kind(across).iter().collect();
    let meets = |line: House, i: usize| {
        u32::from(grid.spots(digit, line).meets(&layout.cells(across[i]))) << i
    };
    let masks: Vec<u32> = lines
        .iter()
        .map(|&line| (0..across.len()).fold(0, |mask, i| mask | meets(line, i)))
        .collect();
    let joined = |houses: &[House], set: u32| {
        members(set).fold(Cells::EMPTY, |cells, i| cells | layout.cells(houses[i]))
    };
    each_tight_set(&masks, size, &mut |set, union| {
        let rest = joined(&across, union) - joined(&lines, set);
        eliminate(grid, rest, Digits::only(digit), see);
    });
}

/// Reports an elimination, if anything of it is left to do.
fn eliminate(grid: &Grid, cells: Cells, digits: Digits, see: &mut dyn FnMut(Act)) {
    let mut gone = [(Digit::at(0), Cells::EMPTY); 25];
    let mut count = 0;
    for digit in digits {
        let live = grid.plane(digit) & cells;
        if !live.is_empty() {
            gone[count] = (digit, live);
            count += 1;
        }
    }
    if count > 0 {
        see(Act::Eliminate(&gone[..count]));
    }
}

fn members(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |i| set >> i & 1 == 1)
}

/// The sets of `size` masks whose union has at most `size` bits, and that union.
fn each_tight_set(masks: &[u32], size: usize, see: &mut dyn FnMut(u32, u32)) {
    fn further(
        masks: &[u32],
        size: usize,
        from: usize,
        set: u32,
        union: u32,
        see: &mut dyn FnMut(u32, u32),
    ) {
        let have = set.count_ones() as usize;
        if have == size {
            return see(set, union);
        }
        for i in from..(masks.len() + have + 1).saturating_sub(size) {
            let joined = union | masks[i];
            if joined.count_ones() as usize <= size {
                further(masks, size, i + 1, set | 1 << i, joined, see);
            }
        }
    }
    further(masks, size, 0, 0, 0, see);
}

/// What all matches of a pass change, collected on the state before it.
#[derive(Default)]
pub struct Pass {
    /// Placements, by clause, sorted.
    places: Vec<Vec<Candidate>>,
    /// Cells that lose each digit.
    gone: Vec<Cells>,
    /// Effective matches.
    firings: u64,
}

impl Pass {
    /// All answers of a plane program.
    pub fn of_planes(grid: &Grid, plan: &PlanePlan) -> Pass {
        let mut pass = Pass::default();
        for asked in &plan.clauses {
            pass.places.push(Vec::new());
            each_answer(grid, plan.effect, asked, &mut |act| pass.add(act));
        }
        pass
    }

    /// All tight sets.
    pub fn of_halls(grid: &Grid, halls: &[Hall]) -> Pass {
        let mut pass = Pass::default();
        for hall in halls {
            each_tight(grid, hall, &mut |act| pass.add(act));
        }
        pass
    }

    fn add(&mut self, act: Act) {
        match act {
            Act::Place(candidate) => {
                self.places.last_mut().expect("a list a clause").push(candidate);
            }
            Act::Eliminate(gone) => {
                self.firings += 1;
                for &(digit, cells) in gone {
                    if self.gone.len() <= digit.index() {
                        self.gone.resize(digit.index() + 1, Cells::EMPTY);
                    }
                    self.gone[digit.index()] |= cells;
                }
            }
        }
    }

    /// Makes it so; how many matches changed something.
    pub fn apply(mut self, grid: &mut Grid) -> u64 {
        for (d, cells) in self.gone.iter().enumerate() {
            grid.eliminate_all(Digit::at(d), *cells);
        }
        for places in &mut self.places {
            places.sort_unstable();
            places.dedup();
            for &place in &*places {
                self.firings += u64::from(grid.conclude_place(place));
            }
        }
        self.firings
    }
}

//! Candidates as masks, twice: the digits of each cell, and the spots of each digit in each house.

use crate::board::{Candidate, Cell, Cells, Digit, Layout};

/// What the board looks up of a layout.
pub(crate) struct Tables {
    size: usize,
    /// Each house's cells; a spot is a place in this list.
    cells: Vec<Vec<u16>>,
    /// Each cell's houses, and its spot there.
    places: Vec<Vec<(u8, u8)>>,
    /// Each cell's peers.
    peers: Vec<Vec<u16>>,
    /// By cell and digit: the cells and digits that it excludes beside; empty if nothing does.
    excluded: Vec<Vec<(u16, u8)>>,
    /// For each house the others that share cells with it, if more than one.
    crossings: Vec<Vec<Crossing>>,
}

/// A house that shares more than one cell with another.
struct Crossing {
    other: u8,
    /// The shared spots of this house.
    shared: u32,
    /// The spots of the other house that are not shared.
    beyond: u32,
}

impl Tables {
    /// The tables of a layout.
    pub(crate) fn new(layout: &Layout) -> Tables {
        let numbers = |cells: &[Cell]| cells.iter().map(|c| c.index() as u16).collect();
        let houses = || layout.all_houses().into_iter();
        let mut places = vec![Vec::new(); layout.cell_count()];
        for house in houses() {
            for (spot, cell) in layout.cells_in_order(house).iter().enumerate() {
                places[cell.index()].push((house.index() as u8, spot as u8));
            }
        }
        let spots_in = |house, cells: Cells| -> u32 {
            let spots = layout.cells_in_order(house).iter().enumerate();
            spots.map(|(spot, &cell)| u32::from(cells.contains(cell)) << spot).sum()
        };
        let crossings_of = |house| {
            let others = houses().filter(|&other| other != house);
            let crossings = others.map(|other| Crossing {
                other: other.index() as u8,
                shared: spots_in(house, layout.cells(other)),
                beyond: spots_in(other, layout.cells(other) - layout.cells(house)),
            });
            crossings.filter(|crossing| crossing.shared.count_ones() > 1).collect()
        };
        Tables {
            size: layout.size(),
            cells: houses().map(|h| numbers(layout.cells_in_order(h))).collect(),
            places,
            peers: layout
                .all_cells()
                .iter()
                .map(|c| layout.peers(c).iter().map(|p| p.index() as u16).collect())
                .collect(),
            excluded: excluded(layout),
            crossings: houses().map(crossings_of).collect(),
        }
    }
}

fn excluded(layout: &Layout) -> Vec<Vec<(u16, u8)>> {
    if layout.knows_no_digit() {
        return Vec::new();
    }
    let mut table = Vec::new();
    for cell in layout.all_cells() {
        for digit in layout.digits() {
            let by_digit = layout.excluded(Candidate { cell, digit }).iter();
            let single = by_digit.flat_map(|(d, cells)| cells.iter().map(move |c| (c, *d)));
            table.push(single.map(|(c, d)| (c.index() as u16, d.index() as u8)).collect());
        }
    }
    table
}

/// Candidates, and what is still to be concluded from them.
#[derive(Clone)]
pub(crate) struct Board {
    /// The digits possible in each cell.
    digits: Vec<u32>,
    /// The spots possible for each digit in each house: house by house, digit by digit.
    spots: Vec<u32>,
    /// Whether a cell's digit has been taken from its peers.
    placed: Vec<bool>,
    /// How many cells are.
    decided: usize,
    /// Decided, not placed yet.
    singles: Vec<(u16, u8)>,
    /// House and digit whose spots became fewer.
    changed: Vec<(u8, u8)>,
    is_changed: Vec<bool>,
}

impl Board {
    /// These candidates with all that follows; `None` when there is no solution.
    pub(crate) fn new(tables: &Tables, layout: &Layout, planes: &[Cells]) -> Option<Board> {
        let size = tables.size;
        let lists = tables.cells.len() * size;
        let mut board = Board {
            digits: vec![u32::MAX >> (32 - size); tables.places.len()],
            spots: vec![u32::MAX >> (32 - size); lists],
            placed: vec![false; tables.places.len()],
            decided: 0,
            singles: Vec::new(),
            changed: Vec::new(),
            is_changed: vec![false; lists],
        };
        for (d, plane) in planes.iter().enumerate() {
            for cell in layout.all_cells() - (*plane & layout.open()[d]) {
                if !board.eliminate(tables, cell.index(), d) {
                    return None;
                }
            }
        }
        if size == 1 {
            board.singles.push((0, 0));
        }
        board.conclude(tables).then_some(board)
    }

    /// The digits possible in a cell, one bit each.
    pub(crate) fn digits(&self, cell: usize) -> u32 {
        self.digits[cell]
    }

    /// How many cells are decided.
    pub(crate) fn decided(&self) -> usize {
        self.decided
    }

    /// Places a digit and concludes; `false` when that leaves no solution.
    pub(crate) fn decide(&mut self, tables: &Tables, guess: Candidate) -> bool {
        self.singles.push((guess.cell.index() as u16, guess.digit.index() as u8));
        self.conclude(tables)
    }

    /// The digits of a solved board.
    pub(crate) fn numbers(&self) -> Vec<u8> {
        self.digits.iter().map(|bits| bits.trailing_zeros() as u8 + 1).collect()
    }

    /// Takes a candidate away; `false` when its cell has no other, or a house no other spot.
    fn eliminate(&mut self, tables: &Tables, cell: usize, digit: usize) -> bool {
        let bits = &mut self.digits[cell];
        if *bits >> digit & 1 == 0 {
            return true;
        }
        *bits &= !(1 << digit);
        match bits.count_ones() {
            0 => return false,
            1 => self.singles.push((cell as u16, bits.trailing_zeros() as u8)),
            _ => {}
        }
        for &(house, spot) in &tables.places[cell] {
            let list = house as usize * tables.size + digit;
            let spots = &mut self.spots[list];
            *spots &= !(1 << spot);
            match spots.count_ones() {
                0 => return false,
                1 => {
                    let cell = tables.cells[house as usize][spots.trailing_zeros() as usize];
                    self.singles.push((cell, digit as u8));
                }
                _ if !self.is_changed[list] => {
                    self.is_changed[list] = true;
                    self.changed.push((house, digit as u8));
                }
                _ => {}
            }
        }
        true
    }

    /// Singles first, then locked candidates, until nothing is left to conclude.
    fn conclude(&mut self, tables: &Tables) -> bool {
        loop {
            if let Some((cell, digit)) = self.singles.pop() {
                if !self.place(tables, cell as usize, digit as usize) {
                    return false;
                }
            } else if let Some((house, digit)) = self.changed.pop() {
                let list = house as usize * tables.size + digit as usize;
                self.is_changed[list] = false;
                if !self.lock(tables, house as usize, digit as usize) {
                    return false;
                }
            } else {
                return true;
            }
        }
    }

    fn place(&mut self, tables: &Tables, cell: usize, digit: usize) -> bool {
        if self.digits[cell] >> digit & 1 == 0 {
            return false;
        }
        if std::mem::replace(&mut self.placed[cell], true) {
            return true;
        }
        self.decided += 1;
        let mut others = self.digits[cell] & !(1 << digit);
        while others != 0 {
            if !self.eliminate(tables, cell, others.trailing_zeros() as usize) {
                return false;
            }
            others &= others - 1;
        }
        let excluded = tables.excluded.get(cell * tables.size + digit).into_iter().flatten();
        tables.peers[cell].iter().all(|&peer| self.eliminate(tables, peer as usize, digit)) && {
            excluded
        }
        .all(|&(c, d)| self.eliminate(tables, c.into(), d.into()))
    }

    /// All spots of a digit in a house are in another house: it goes from the rest of that one.
    fn lock(&mut self, tables: &Tables, house: usize, digit: usize) -> bool {
        let spots = self.spots[house * tables.size + digit];
        for crossing in &tables.crossings[house] {
            if spots & !crossing.shared == 0 {
                let other = crossing.other as usize;
                let mut off = self.spots[other * tables.size + digit] & crossing.beyond;
                while off != 0 {
                    let cell = tables.cells[other][off.trailing_zeros() as usize];
                    if !self.eliminate(tables, cell as usize, digit) {
                        return false;
                    }
                    off &= off - 1;
                }
            }
        }
        true
    }

    /// The alternatives of a cell, or of a digit in a house, with the fewest of all; none when
    /// every cell is decided.
    pub(crate) fn fewest(&self, tables: &Tables) -> Vec<Candidate> {
        let open = |bits: &u32| bits.count_ones() > 1;
        let cell = (0..self.digits.len())
            .filter(|&c| open(&self.digits[c]))
            .min_by_key(|&c| self.digits[c].count_ones());
        let Some(cell) = cell else { return Vec::new() };
        let list = (0..self.spots.len())
            .filter(|&l| open(&self.spots[l]))
            .min_by_key(|&l| self.spots[l].count_ones());
        if let Some(list) = list
            && self.spots[list].count_ones() < self.digits[cell].count_ones()
        {
            let (house, digit) = (list / tables.size, Digit::at(list % tables.size));
            let cells = bits(self.spots[list]).map(|spot| tables.cells[house][spot] as usize);
            return cells.map(|cell| Candidate { cell: Cell::at(cell), digit }).collect();
        }
        let digits = bits(self.digits[cell]).map(Digit::at);
        digits.map(|digit| Candidate { cell: Cell::at(cell), digit }).collect()
    }
}

/// The places of the ones, ascending.
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}

//! What is said of a layout that is not known.

use std::collections::HashMap;

use crate::board::{Candidate, Cell, Cells, Digit, House, HouseKind, Houses};
use crate::language::ConstantSet;
use crate::meaning::Truth;

use super::super::encode::Encoder;
use super::super::sat::Lit;
use super::Room;

/// The propositions about cells and houses made so far.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// How many cells and houses there are.
    pub room: Room,
    there: HashMap<Cell, Lit>,
    exists: HashMap<House, Lit>,
    sees: HashMap<(Cell, Cell), Lit>,
    excludes: HashMap<(Candidate, Candidate), Lit>,
    members: HashMap<(Cell, House), Lit>,
    guards: HashMap<(House, usize), Lit>,
}

impl Board {
    /// Nothing said yet.
    pub(crate) fn new(room: Room) -> Board {
        Board {
            room,
            there: HashMap::new(),
            exists: HashMap::new(),
            sees: HashMap::new(),
            excludes: HashMap::new(),
            members: HashMap::new(),
            guards: HashMap::new(),
        }
    }

    /// All cells.
    pub(crate) fn all_cells(&self) -> Cells {
        Cells::first_n(self.room.cells())
    }
}

/// The encoder where the layout is not known.
impl Encoder {
    fn board(&mut self) -> &mut Board {
        self.general.as_mut().expect("the layout is not known")
    }

    fn room(&self) -> Room {
        self.general.as_ref().expect("the layout is not known").room
    }

    /// The houses that a word stands for.
    pub(in super::super) fn general_houses(&self, word: ConstantSet) -> Houses {
        let layout = self.layout();
        let kinds = self.room().kinds;
        let kind = |kind| if kinds { layout.houses_of_kind(kind) } else { Houses::EMPTY };
        let lines = kind(HouseKind::Row) | kind(HouseKind::Column);
        match word {
            ConstantSet::Rows => kind(HouseKind::Row),
            ConstantSet::Columns => kind(HouseKind::Column),
            ConstantSet::Boxes => kind(HouseKind::Box),
            ConstantSet::Lines => lines,
            ConstantSet::Houses => {
                lines | kind(HouseKind::Box) | layout.houses_of_kind(HouseKind::Extra)
            }
            ConstantSet::Groups => layout.groups(),
            ConstantSet::Pieces | ConstantSet::Digits | ConstantSet::Unsolved => Houses::EMPTY,
        }
    }

    /// There is such a house: of rows and columns there is one for each digit.
    pub(in super::super) fn general_exists(&mut self, house: House) -> Lit {
        if matches!(self.layout().kind(house), HouseKind::Row | HouseKind::Column) {
            return Lit::TRUE;
        }
        if let Some(&known) = self.board().exists.get(&house) {
            return known;
        }
        let exists = self.variable();
        self.board().exists.insert(house, exists);
        exists
    }

    /// There is such a cell: a slot is there if it has its digit.
    pub(in super::super) fn general_there(&mut self, cell: Cell) -> Lit {
        if let Some(digit) = self.room().digit_of(cell) {
            return self.solution(cell, digit);
        }
        if let Some(&known) = self.board().there.get(&cell) {
            return known;
        }
        let there = self.variable();
        self.board().there.insert(cell, there);
        there
    }

    /// Whether a cell is one that a binding may name.
    pub(in super::super) fn is_nameable(&self, cell: Cell) -> bool {
        self.room().digit_of(cell).is_none()
    }

    /// The solution has this digit in this cell; those of a slot have no other.
    pub(in super::super) fn general_solution(&mut self, cell: Cell, digit: Digit) -> Lit {
        if self.room().digit_of(cell).is_some_and(|own| own != digit) {
            return Lit::FALSE;
        }
        let at = self.at(cell, digit);
        if let Some(known) = self.solution[at] {
            return known;
        }
        let literal = self.variable();
        self.solution[at] = Some(literal);
        for other in self.layout().clone().digits().filter(|&other| other != digit) {
            if let Some(rival) = self.solution[self.at(cell, other)] {
                self.clause(&[!literal, !rival]);
            }
        }
        for other in self.board().all_cells().iter().filter(|&other| other != cell) {
            let (Some(rival), Some(&sees)) =
                (self.solution[self.at(other, digit)], self.board().sees.get(&pair(cell, other)))
            else {
                continue;
            };
            self.clause(&[!sees, !literal, !rival]);
        }
        literal
    }

    /// The cells see each other: then they differ.
    pub(in super::super) fn general_sees(&mut self, a: Cell, b: Cell) -> Lit {
        if a == b {
            return Lit::FALSE;
        }
        if let Some(&known) = self.board().sees.get(&pair(a, b)) {
            return known;
        }
        let sees = self.variable();
        self.board().sees.insert(pair(a, b), sees);
        for digit in self.layout().clone().digits() {
            let both = (self.solution[self.at(a, digit)], self.solution[self.at(b, digit)]);
            if let (Some(one), Some(other)) = both {
                self.clause(&[!sees, !one, !other]);
            }
        }
        sees
    }

    /// The candidates exclude each other: they are not both true.
    pub(in super::super) fn general_excludes(&mut self, a: Candidate, b: Candidate) -> Lit {
        let key = if (a.cell, a.digit) < (b.cell, b.digit) { (a, b) } else { (b, a) };
        if let Some(&known) = self.board().excludes.get(&key) {
            return known;
        }
        let (one, other) = (self.solution(a.cell, a.digit), self.solution(b.cell, b.digit));
        let excludes = self.variable();
        self.clause(&[!excludes, !one, !other]);
        self.board().excludes.insert(key, excludes);
        excludes
    }

    /// The cell is in the house.
    pub(in super::super) fn general_member(&mut self, cell: Cell, house: House) -> Lit {
        if let Some(&known) = self.board().members.get(&(cell, house)) {
            return known;
        }
        let layout = self.layout().clone();
        let kind = layout.kind(house);
        if kind == HouseKind::Extra {
            return self.new_member(cell, house);
        }
        // A cell is in one of a kind at most. That every cell is on a row and on a column is said
        // only where lines that are not named matter.
        let all = layout.houses_of_kind(kind);
        if !self.room().lines || kind == HouseKind::Box {
            let member = self.new_member(cell, house);
            for other in all.iter().filter(|&other| other != house) {
                if let Some(&rival) = self.board().members.get(&(cell, other)) {
                    self.clause(&[!member, !rival]);
                }
            }
            return member;
        }
        let members: Vec<Lit> = all.iter().map(|house| self.new_member(cell, house)).collect();
        for (i, &one) in members.iter().enumerate() {
            members[..i].iter().for_each(|&other| self.clause(&[!one, !other]));
        }
        let there = self.general_there(cell);
        let some: Vec<Lit> = [!there].into_iter().chain(members).collect();
        self.clause(&some);
        self.board().members[&(cell, house)]
    }

    fn new_member(&mut self, cell: Cell, house: House) -> Lit {
        let member = self.variable();
        self.board().members.insert((cell, house), member);
        if self.room().digit_of(cell).is_some() {
            let there = self.general_there(cell);
            self.clause(&[!member, there]);
        }
        for other in self.board().all_cells().iter().filter(|&other| other != cell) {
            if let Some(&there) = self.board().members.get(&(other, house)) {
                let sees = self.general_sees(cell, other);
                self.clause(&[!member, !there, sees]);
                self.cross_once([cell, other], house, [member, there]);
            }
        }
        member
    }

    /// A row and a column have one cell in common: two cells are not both on both.
    fn cross_once(&mut self, cells: [Cell; 2], line: House, on_line: [Lit; 2]) {
        let layout = self.layout().clone();
        let across = match layout.kind(line) {
            HouseKind::Row if !self.room().lines => HouseKind::Column,
            HouseKind::Column if !self.room().lines => HouseKind::Row,
            _ => return,
        };
        for other in layout.houses_of_kind(across) {
            let on_it = cells.map(|cell| self.board().members.get(&(cell, other)).copied());
            if let [Some(one), Some(two)] = on_it {
                self.clause(&[!on_line[0], !on_line[1], !one, !two]);
            }
        }
    }

    /// Where this holds, the house has every digit that is named: at a cell that is named, or at
    /// one of the slots up to that of its number.
    pub(in super::super) fn general_guard(&mut self, house: House, number: usize) -> Lit {
        if self.layout().groups().contains(house) {
            return Lit::TRUE;
        }
        if let Some(&known) = self.board().guards.get(&(house, number)) {
            return known;
        }
        let guard = self.variable();
        let room = self.room();
        if number < room.houses {
            for digit in (0..room.digits).map(Digit::at) {
                let named = (0..room.named).map(Cell::at);
                let slots = (0..=number).map(|number| room.slot(number, digit));
                let mut some = vec![!guard];
                for cell in named.chain(slots) {
                    let (member, here) =
                        (self.general_member(cell, house), self.solution(cell, digit));
                    some.push(self.and(vec![member, here]));
                }
                self.clause(&some);
            }
        }
        self.board().guards.insert((house, number), guard);
        guard
    }
}

fn pair(a: Cell, b: Cell) -> (Cell, Cell) {
    if a < b { (a, b) } else { (b, a) }
}

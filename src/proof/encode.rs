//! A solved grid and a state that contains it, as propositions.
//!
//! ```text
//! g(c,d)   the solution has d in c           at most one: always; at least one: behind guards
//! s(c,d)   d is still possible in c          g(c,d) → s(c,d)
//! p(c)     c is placed                       then its only candidate is the solution's digit,
//!                                            and that digit is no candidate of its peers
//! v(c)     c was given                       v(c) → p(c)
//! ```
//!
//! Every variable is made when it is first asked for, with its clauses to those made before. What
//! no condition mentions may be anything, so it need not exist: a proof about four cells of a
//! 25 × 25 grid is as small as one about four cells of a 4 × 4 grid.

use std::collections::HashMap;
use std::sync::Arc;

use crate::board::{Candidate, Cell, Cells, Digit, Grid, House, Layout};
use crate::meaning::Truth;

use super::budget::Budget;
use super::general::{Board, Room};
use super::sat::{Answer, Bat, Lit, Solver};

/// What takes about as long as a step of a walk: literals written or looked up, literals that the
/// solver sets, and steps that it takes to learn from a conflict.
const LITERALS_A_STEP: u64 = 5;
const PROPAGATIONS_A_STEP: u64 = 10;
const STEPS_A_CONFLICT: u64 = 5;

/// The propositions made so far, and the solver that holds them.
pub(super) struct Encoder {
    layout: Arc<Layout>,
    /// What takes the place of the layout, where that is not known.
    pub(super) general: Option<Box<Board>>,
    pub(super) solver: Bat,
    pub(super) solution: Vec<Option<Lit>>,
    possible: Vec<Option<Lit>>,
    placed: Vec<Option<Lit>>,
    given: Vec<Option<Lit>>,
    cell_guards: Vec<Option<Lit>>,
    house_guards: Vec<Option<Lit>>,
    whole: Option<Lit>,
    pub(super) gates: HashMap<Vec<Lit>, Lit>,
    /// Literals in clauses so far, and those of gates that were there already.
    literals: u64,
    pub(super) looked_up: u64,
    /// Steps of walks and other work so far.
    steps: u64,
    budget: Budget,
}

impl Encoder {
    /// Nothing said yet.
    pub(super) fn new(layout: Arc<Layout>, budget: Budget) -> Encoder {
        let (cells, size) = (layout.cell_count(), layout.size());
        Encoder {
            general: None,
            solver: Bat::new(),
            solution: vec![None; cells * size],
            possible: vec![None; cells * size],
            placed: vec![None; cells],
            given: vec![None; cells],
            cell_guards: vec![None; cells],
            house_guards: vec![None; layout.houses_and_groups().len()],
            whole: None,
            gates: HashMap::new(),
            literals: 0,
            looked_up: 0,
            steps: 0,
            budget,
            layout,
        }
    }

    /// Nothing said yet, of a layout that is not known.
    pub(crate) fn general(layout: Arc<Layout>, room: Room, budget: Budget) -> Encoder {
        let general = Some(Box::new(Board::new(room)));
        Encoder { general, ..Encoder::new(layout, budget) }
    }

    /// The layout.
    pub(super) fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// At least one of these holds, from now on.
    pub(super) fn clause(&mut self, literals: &[Lit]) {
        self.say(literals);
    }

    fn say(&mut self, literals: &[Lit]) {
        self.literals += literals.len() as u64;
        self.solver.clause(literals);
    }

    /// Whether there is no room or no patience for more.
    pub(super) fn is_full(&self) -> bool {
        self.literals > self.budget.literals() || self.spent() >= self.budget.left()
    }

    /// Notes steps of a walk through bindings, or other work.
    pub(super) fn count_steps(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// What there may be in all.
    pub(super) fn budget(&self) -> Budget {
        self.budget
    }

    /// The steps taken so far.
    pub(super) fn spent(&self) -> u64 {
        self.steps
            + (self.literals + self.looked_up) / LITERALS_A_STEP
            + self.solver.propagations() / PROPAGATIONS_A_STEP
            + self.solver.conflicts() * STEPS_A_CONFLICT
    }

    /// A new proposition.
    pub(super) fn variable(&mut self) -> Lit {
        self.solver.variable()
    }

    /// Looks for a grid and a state with all of these.
    pub(super) fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> Answer {
        if self.is_full() {
            return Answer::Unknown;
        }
        let left = self.budget.left() - self.spent();
        self.solver.solve(assumptions, conflicts, left.saturating_mul(PROPAGATIONS_A_STEP))
    }

    /// What cannot hold together, after [`Answer::None`].
    pub(super) fn core(&self) -> Vec<Lit> {
        self.solver.core()
    }

    /// The value in the last model.
    pub(super) fn value(&self, literal: Lit) -> bool {
        self.solver.value(literal)
    }

    /// Conflicts met so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }

    pub(super) fn at(&self, cell: Cell, digit: Digit) -> usize {
        cell.index() * self.layout.size() + digit.index()
    }

    /// The solution has this digit in this cell.
    pub(super) fn solution(&mut self, cell: Cell, digit: Digit) -> Lit {
        if self.general.is_some() {
            return self.general_solution(cell, digit);
        }
        let at = self.at(cell, digit);
        if let Some(literal) = self.solution[at] {
            return literal;
        }
        let literal = self.solver.variable();
        self.solution[at] = Some(literal);
        for other in self.layout.digits() {
            if let Some(rival) = self.solution[self.at(cell, other)].filter(|_| other != digit) {
                self.say(&[!literal, !rival]);
            }
        }
        for (peer, other) in self.rivals(cell, digit) {
            if let Some(rival) = self.solution[self.at(peer, other)] {
                self.say(&[!literal, !rival]);
            }
        }
        if !self.layout.open()[digit.index()].contains(cell) {
            self.say(&[!literal]);
        }
        literal
    }

    /// The candidates that one excludes: its digit in the cells that it sees, others by value.
    fn rivals(&self, cell: Cell, digit: Digit) -> Vec<(Cell, Digit)> {
        let by_value = self.layout.excluded(Candidate { cell, digit }).iter();
        let by_value = by_value.flat_map(|(other, cells)| cells.iter().map(move |c| (c, *other)));
        self.layout.peers(cell).iter().map(|peer| (peer, digit)).chain(by_value).collect()
    }

    /// This digit is still possible in this cell.
    pub(super) fn possible(&mut self, cell: Cell, digit: Digit) -> Lit {
        let at = self.at(cell, digit);
        if let Some(literal) = self.possible[at] {
            return literal;
        }
        let solution = self.solution(cell, digit);
        let literal = self.solver.variable();
        self.possible[at] = Some(literal);
        self.say(&[!solution, literal]);
        if self.general.is_some() {
            let there = self.general_there(cell);
            self.say(&[!literal, there]);
            return literal;
        }
        for (peer, other) in self.rivals(cell, digit) {
            if let Some(placed) = self.placed[peer.index()] {
                let there = self.solution(peer, other);
                self.say(&[!placed, !there, !literal]);
            }
        }
        if !self.layout.open()[digit.index()].contains(cell) {
            self.say(&[!literal]);
        }
        literal
    }

    /// This cell is placed.
    pub(super) fn placed(&mut self, cell: Cell) -> Lit {
        if let Some(literal) = self.placed[cell.index()] {
            return literal;
        }
        // Mostly placed grids are found sooner, and easier to read.
        let literal = self.solver.likely();
        for digit in self.layout.digits() {
            let (solution, possible) = (self.solution(cell, digit), self.possible(cell, digit));
            self.say(&[!literal, !possible, solution]);
            if self.general.is_some() {
                continue;
            }
            for (peer, other) in self.rivals(cell, digit) {
                if let Some(there) = self.possible[self.at(peer, other)] {
                    self.say(&[!literal, !solution, !there]);
                }
            }
        }
        self.say_filled(literal, cell);
        self.placed[cell.index()] = Some(literal);
        literal
    }

    /// This cell was given.
    pub(super) fn given(&mut self, cell: Cell) -> Lit {
        if let Some(literal) = self.given[cell.index()] {
            return literal;
        }
        let placed = self.placed(cell);
        let literal = self.solver.likely();
        self.say(&[!literal, placed]);
        self.given[cell.index()] = Some(literal);
        literal
    }

    /// Where this holds, the solution has a digit in this cell.
    pub(super) fn cell_guard(&mut self, cell: Cell) -> Lit {
        if let Some(guard) = self.cell_guards[cell.index()] {
            return guard;
        }
        let guard = self.solver.variable();
        self.say_filled(guard, cell);
        self.cell_guards[cell.index()] = Some(guard);
        guard
    }

    /// Where the guard holds, the solution has a digit in this cell.
    fn say_filled(&mut self, guard: Lit, cell: Cell) {
        let mut some = vec![!guard];
        for digit in self.layout.digits() {
            some.push(self.solution(cell, digit));
        }
        self.say(&some);
    }

    /// Where this holds, the solution has every digit in this house.
    pub(super) fn house_guard(&mut self, house: House) -> Lit {
        if let Some(guard) = self.house_guards[house.index()] {
            return guard;
        }
        // A group need not have any digit.
        if self.layout.groups().contains(house) {
            return Lit::TRUE;
        }
        let guard = self.solver.variable();
        for digit in self.layout.digits() {
            let mut some = vec![!guard];
            for cell in self.layout.cells(house) {
                some.push(self.solution(cell, digit));
            }
            self.say(&some);
        }
        self.house_guards[house.index()] = Some(guard);
        guard
    }

    /// Where this holds, the solution is a solved grid.
    pub(super) fn whole_grid(&mut self) -> Lit {
        debug_assert!(self.general.is_none(), "there is no grid without a layout");
        if let Some(whole) = self.whole {
            return whole;
        }
        let whole = self.solver.variable();
        for cell in self.layout.all_cells() {
            let guard = self.cell_guard(cell);
            self.say(&[!whole, guard]);
        }
        for house in self.layout.all_houses() {
            let guard = self.house_guard(house);
            self.say(&[!whole, guard]);
        }
        self.whole = Some(whole);
        whole
    }

    /// At least `count` of these.
    pub(super) fn at_least(&mut self, parts: &[Lit], count: usize) -> Lit {
        match count > parts.len() {
            true => Lit::FALSE,
            false => self.reached(parts, count).swap_remove(count),
        }
    }

    /// The solution of the last model, where every cell has a digit.
    pub(super) fn solution_found(&self) -> Option<Vec<Digit>> {
        let digit_of = |cell| {
            self.layout.digits().find(|&digit| {
                self.solution[self.at(cell, digit)].is_some_and(|literal| self.value(literal))
            })
        };
        self.layout.all_cells().iter().map(digit_of).collect()
    }

    /// The state of the last model. What no condition mentions is only the solution's candidate
    /// in a cell or, with `wide`, every candidate that no placed cell excludes.
    pub(super) fn state_found(&self, solution: &[Digit], wide: bool) -> Grid {
        let marked = |marks: &[Option<Lit>]| -> Cells {
            let holds = |c: &Cell| marks[c.index()].is_some_and(|literal| self.value(literal));
            self.layout.all_cells().iter().filter(holds).collect()
        };
        let (placed, given) = (marked(&self.placed), marked(&self.given));
        let mut planes = vec![Cells::EMPTY; self.layout.size()];
        for cell in self.layout.all_cells() {
            for digit in self.layout.digits() {
                let there = match self.possible[self.at(cell, digit)] {
                    Some(literal) => self.value(literal),
                    None => {
                        let is_free = || {
                            let rival = |&(c, d): &(Cell, Digit)| {
                                placed.contains(c) && solution[c.index()] == d
                            };
                            self.layout.open()[digit.index()].contains(cell)
                                && !self.rivals(cell, digit).iter().any(rival)
                        };
                        solution[cell.index()] == digit || (wide && is_free())
                    }
                };
                if there {
                    planes[digit.index()].insert(cell);
                }
            }
        }
        Grid::from_parts(self.layout.clone(), planes, placed, given)
    }

    /// Literals that say: the state is this one.
    pub(super) fn state_is(&mut self, grid: &Grid) -> Vec<Lit> {
        let layout = self.layout.clone();
        let mut literals = Vec::new();
        for cell in layout.all_cells() {
            for digit in layout.digits() {
                let literal = self.possible(cell, digit);
                let there = grid.is_possible(Candidate { cell, digit });
                literals.push(if there { literal } else { !literal });
            }
            let (placed, given) = (self.placed(cell), self.given(cell));
            literals.push(if grid.placed().contains(cell) { placed } else { !placed });
            literals.push(if grid.given().contains(cell) { given } else { !given });
        }
        literals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_grid_is_a_solved_grid() {
        let layout = Layout::classic(9).expect("classic");
        let mut encoder = Encoder::new(layout.clone(), Budget::endless());
        let whole = encoder.whole_grid();
        assert_eq!(encoder.solve(&[whole], 10_000), Answer::Model);
        let solution = encoder.solution_found().expect("every cell has a digit");
        for house in layout.all_houses() {
            let digits: crate::board::Digits =
                layout.cells(house).iter().map(|c| solution[c.index()]).collect();
            assert_eq!(digits, layout.all_digits());
        }
    }

    #[test]
    fn counting_counts() {
        let mut encoder = Encoder::new(Layout::classic(4).expect("classic"), Budget::endless());
        let parts: Vec<Lit> = (0..5).map(|_| encoder.variable()).collect();
        for count in 0..=6 {
            let gate = encoder.at_least(&parts, count);
            for true_ones in 0..=5 {
                let mut given: Vec<Lit> =
                    (0..5).map(|i| if i < true_ones { parts[i] } else { !parts[i] }).collect();
                given.push(gate);
                let holds = encoder.solve(&given, 100) == Answer::Model;
                assert_eq!(holds, true_ones >= count);
            }
        }
    }
}

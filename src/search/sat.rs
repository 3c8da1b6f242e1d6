//! Solutions from a SAT solver, for boards on which a search tree grows without end.
//!
//! A variable a candidate that singles and locked candidates leave; every cell has exactly one
//! digit, every digit exactly one spot in every house. A solution found is forbidden, and the
//! solver asked again, until it says that there is none.

use batsat::callbacks::Callbacks;
use batsat::clause::Kind;
use batsat::{Lit, Solver, SolverInterface, SolverOpts, lbool};

use crate::board::{Candidate, Cell, Digit, Grid, Layout};

use super::any::{self, Board};
use super::solver::Ending;

/// Counts conflicts, and stops at as many as allowed.
struct Budget {
    conflicts: u64,
    allowed: u64,
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _clause: &[Lit], kind: Kind) {
        self.conflicts += u64::from(kind == Kind::Learnt);
    }
    fn stop(&self) -> bool {
        self.conflicts >= self.allowed
    }
}

/// The solutions of one grid, one at a time.
pub struct SatEnumerator {
    solver: Option<Solver<Budget>>,
    /// The variable of each candidate, cell by cell.
    literals: Vec<Vec<(u8, Lit)>>,
}

impl SatEnumerator {
    /// The solutions of a grid, candidates respected, with so many conflicts allowed in all.
    pub fn new(grid: &Grid, conflicts: u64) -> SatEnumerator {
        let Some((layout, board)) = any::reduced(grid) else {
            return SatEnumerator { solver: None, literals: Vec::new() };
        };
        let budget = Budget { conflicts: 0, allowed: conflicts };
        let mut solver = Solver::new(options(), budget);
        let literals = encode(&mut solver, &layout, &board);
        SatEnumerator { solver: Some(solver), literals }
    }

    /// Forbids a solution that is known already.
    pub fn forbid(&mut self, numbers: &[u8]) {
        let Some(solver) = &mut self.solver else { return };
        let of_cell = |(digits, &number): (&Vec<(u8, Lit)>, &u8)| {
            digits.iter().find(|(digit, _)| digit + 1 == number).map(|&(_, literal)| !literal)
        };
        let open = self.literals.iter().zip(numbers).filter(|(digits, _)| digits.len() > 1);
        let mut clause: Vec<Lit> = open.filter_map(of_cell).collect();
        solver.add_clause_reuse(&mut clause);
    }

    /// The next solution; `Err` when the conflicts were used up.
    pub fn find_next(&mut self) -> Result<Option<Vec<u8>>, Ending> {
        let Some(solver) = &mut self.solver else { return Ok(None) };
        if !solver.is_ok() {
            return Ok(None);
        }
        let answer = solver.solve_limited(&[]);
        if answer == lbool::FALSE {
            return Ok(None);
        }
        if answer != lbool::TRUE {
            return Err(Ending::GaveUp);
        }
        let number = |digits: &Vec<(u8, Lit)>| {
            let digit =
                digits.iter().find(|&&(_, literal)| solver.value_lit(literal) == lbool::TRUE);
            digit.expect("every cell has a digit in a model").0 + 1
        };
        let numbers: Vec<u8> = self.literals.iter().map(number).collect();
        self.forbid(&numbers);
        Ok(Some(numbers))
    }

    /// Conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.solver.as_ref().map_or(0, |solver| solver.num_conflicts())
    }
}

/// Decisions place digits rather than exclude them, and older conflicts count for a little longer
/// than usual: a quarter fewer conflicts on 25×25 boards. Other restarts, more clauses kept and a
/// shorter memory changed nothing or were worse.
fn options() -> SolverOpts {
    SolverOpts { var_decay: 0.97, ..SolverOpts::default() }
}

fn encode(solver: &mut Solver<Budget>, layout: &Layout, board: &Board) -> Vec<Vec<(u8, Lit)>> {
    let mut literals = Vec::new();
    for cell in 0..layout.cell_count() {
        let digits = (0..layout.size()).filter(|digit| board.digits(cell) >> digit & 1 == 1);
        let of_cell: Vec<(u8, Lit)> = digits
            .map(|digit| (digit as u8, Lit::new(solver.new_var(lbool::TRUE, true), true)))
            .collect();
        exactly_one(solver, of_cell.iter().map(|&(_, literal)| literal).collect());
        literals.push(of_cell);
    }
    for house in layout.all_houses() {
        for digit in 0..layout.size() as u8 {
            let cells = layout.cells_in_order(house).iter();
            let spots = cells.filter_map(|cell| {
                let digits = &literals[cell.index()];
                digits.iter().find(|&&(d, _)| d == digit).map(|&(_, literal)| literal)
            });
            exactly_one(solver, spots.collect());
        }
    }
    if !layout.is_of_houses() {
        pairs(solver, layout, &literals);
    }
    literals
}

/// What cells owe each other beside their houses.
fn pairs(solver: &mut Solver<Budget>, layout: &Layout, literals: &[Vec<(u8, Lit)>]) {
    let literal = |cell: Cell, digit: Digit| {
        let digits = &literals[cell.index()];
        digits.iter().find(|(d, _)| usize::from(*d) == digit.index()).map(|(_, literal)| *literal)
    };
    for cell in layout.all_cells() {
        for digit in layout.digits() {
            let Some(here) = literal(cell, digit) else { continue };
            let same = (digit, *layout.peers(cell));
            for (other, cells) in layout.excluded(Candidate { cell, digit }).iter().chain([&same]) {
                for there in cells.iter().filter_map(|c| literal(c, *other)) {
                    solver.add_clause_reuse(&mut vec![!here, !there]);
                }
            }
        }
    }
}

fn exactly_one(solver: &mut Solver<Budget>, mut literals: Vec<Lit>) {
    for i in 0..literals.len() {
        for j in 0..i {
            solver.add_clause_reuse(&mut vec![!literals[i], !literals[j]]);
        }
    }
    solver.add_clause_reuse(&mut literals);
}

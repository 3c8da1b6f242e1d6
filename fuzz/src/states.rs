//! States of the candidates, made by choices.

use std::sync::{Arc, OnceLock};

use dokulog::board::{Candidate, Cell, Cells, Digit, Grid, Layout};
use dokulog::generate::full_grid;
use dokulog::random::Random;
use dokulog::search::plain;

use super::choices::Choices;

/// The layout of a size.
pub fn layout(size: usize) -> Arc<Layout> {
    Layout::classic(size).expect("a classic size")
}

/// A full grid: any of the 288 at size 4, one of 256 at every other size.
pub fn solution(layout: &Layout, choices: &mut Choices) -> Vec<u8> {
    static FOURS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    static NINES: [OnceLock<Vec<u8>>; 256] = [const { OnceLock::new() }; 256];
    if layout.size() > 4 {
        let number = choices.below(256);
        let make = || full_grid(layout, &mut Random::new(number as u64));
        return match layout.is_classic_nine() {
            true => NINES[number].get_or_init(make).clone(),
            false => make(),
        };
    }
    let all = FOURS.get_or_init(|| {
        let mut all = Vec::new();
        plain::each_solution(layout, &[0; 16], &mut |grid| {
            all.push(grid.to_vec());
            true
        });
        all
    });
    all[choices.below(all.len())].clone()
}

/// Some candidates, some cells placed, some of these given: a state that contains the solution,
/// or, with `lies`, one that may not.
pub fn state(layout: &Arc<Layout>, solution: &[u8], lies: bool, choices: &mut Choices) -> Grid {
    let digit_of = |cell: Cell| Digit::new(usize::from(solution[cell.index()]));
    let mut grid = Grid::empty(layout.clone());
    let mut given = Cells::EMPTY;
    for cell in layout.all_cells() {
        match choices.below(8) {
            6 => grid.place(Candidate { cell, digit: digit_of(cell) }),
            7 => {
                grid.place(Candidate { cell, digit: digit_of(cell) });
                given.insert(cell);
            }
            _ => {}
        }
    }
    // Eighths of the wrong candidates that are gone.
    let density = choices.pick(&[0, 2, 3, 4, 5, 6, 7]);
    for cell in grid.unsolved() {
        for digit in layout.digits() {
            let gone = choices.below(8) < density;
            if gone && (digit != digit_of(cell) || (lies && choices.below(16) == 0)) {
                grid.eliminate(Candidate { cell, digit });
            }
        }
    }
    Grid::from_parts(layout.clone(), grid.planes().to_vec(), grid.placed(), given)
}

//! Any clues: the enumerators find exactly the solutions that the plain counter finds.

use dokulog::board::{Candidate, Digit, Grid};
use dokulog::search::{any, nine, plain};

use super::choices::Choices;
use super::states::{layout, solution};

/// Grids with more solutions than this are counted up to here.
const MOST: usize = 50;
/// With fewer clues the plain counter may take very long to see that there is no solution.
const FEWEST_CLUES: usize = 24;

/// A puzzle of 4×4, 6×6 or 9×9 with some clues of a full grid, perhaps wrong, perhaps with some
/// candidates taken away.
pub fn enumerator(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let layout = layout(choices.pick(&[9, 9, 6, 4]));
    let mut puzzle = solution(&layout, &mut choices);
    let density = 2 + choices.below(5);
    for number in &mut puzzle {
        *number = if choices.below(8) < density { *number } else { 0 };
    }
    for _ in 0..choices.below(3) {
        let cell = choices.below(puzzle.len());
        puzzle[cell] = choices.below(layout.size() + 1) as u8;
    }
    if layout.size() == 9 && puzzle.iter().filter(|&&number| number > 0).count() < FEWEST_CLUES {
        return;
    }
    let Ok(mut grid) = Grid::from_givens(layout.clone(), &puzzle) else {
        // The grid is refused; the enumerator of digits must find nothing.
        if let Ok(digits) = puzzle.as_slice().try_into() {
            assert_eq!(nine::Enumerator::of_digits(digits).count_up_to(1), 0, "{puzzle:?}");
        }
        return;
    };
    let mut expected = Vec::new();
    plain::each_solution(&layout, &puzzle, &mut |found| {
        expected.push(found.to_vec());
        expected.len() < MOST
    });
    let complete = expected.len() < MOST;
    for cell in grid.unsolved() {
        let digit = Digit::at(choices.below(layout.size()));
        if complete && choices.below(16) == 1 && grid.eliminate(Candidate { cell, digit }) {
            expected.retain(|found| usize::from(found[cell.index()]) != digit.number());
        }
    }
    let mut found: Vec<Vec<u8>> = any::Enumerator::new(&grid).take(MOST).collect();
    check(&mut found, &expected, complete, &puzzle);
    if layout.size() == 9 {
        let solver = nine::Enumerator::of_grid(&grid);
        let mut found: Vec<Vec<u8>> = solver.take(MOST).map(|digits| digits.to_vec()).collect();
        check(&mut found, &expected, complete, &puzzle);
    }
}

/// The same solutions, or, where not all were wanted, as many of them, all different.
fn check(found: &mut Vec<Vec<u8>>, expected: &[Vec<u8>], complete: bool, puzzle: &[u8]) {
    found.sort();
    let count = found.len();
    found.dedup();
    assert_eq!(found.len(), count, "no solution twice: {puzzle:?}");
    if complete {
        let mut expected = expected.to_vec();
        expected.sort();
        assert_eq!(*found, expected, "{puzzle:?}");
    } else {
        assert_eq!(count, expected.len(), "{puzzle:?}");
    }
}

//! The last resort on every size: the same solutions from the tree, the SAT solver and the plain
//! counter.

use std::collections::BTreeSet;
use std::sync::Arc;

use dokulog::board::{Cells, Grid, Layout, SIZES};
use dokulog::search::{Answer, Auto, Ending, Enumerate, Limits, Sat, Solver, plain};

fn ask(solver: &mut dyn Solver, grid: &Grid, solutions: usize) -> Answer {
    solver.solve(grid, &Limits { solutions, work: 10_000_000, seed: 0 })
}

/// A full grid of any size: each row is the one above, shifted.
fn full(layout: &Layout) -> Vec<u8> {
    let (size, width) = (layout.size(), layout.box_width());
    let shift = |row: usize| width * (row % layout.box_height()) + row / layout.box_height();
    let number = |i: usize| ((i % size + shift(i / size)) % size) as u8 + 1;
    (0..size * size).map(number).collect()
}

/// The full grid with some cells left out, and now and then a wrong digit.
fn puzzle(layout: &Layout, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let mut numbers = full(layout);
    let count = numbers.len();
    for _ in 0..count / 2 + below(count / 8) {
        numbers[below(count)] = 0;
    }
    if below(3) == 0 {
        numbers[below(count)] = below(layout.size()) as u8 + 1;
    }
    numbers
}

fn assert_valid(layout: &Layout, puzzle: &[u8], solution: &[u8]) {
    for house in layout.all_houses() {
        let cells = layout.cells_in_order(house);
        let digits: BTreeSet<u8> = cells.iter().map(|c| solution[c.index()]).collect();
        assert_eq!(digits.len(), layout.size());
        assert!(digits.iter().all(|&d| (1..=layout.size() as u8).contains(&d)));
    }
    assert!(puzzle.iter().zip(solution).all(|(&p, &s)| p == 0 || p == s));
}

#[test]
fn all_methods_find_the_same_solutions_on_every_size() {
    for size in SIZES {
        let layout = Layout::classic(size).expect("a classic size");
        let mut seen = [0; 3];
        for seed in 0..if size < 16 { 30 } else { 10 } {
            let numbers = puzzle(&layout, seed);
            let Ok(grid) = Grid::from_givens(layout.clone(), &numbers) else { continue };
            let tree = ask(&mut Enumerate, &grid, 50);
            let sat = ask(&mut Sat, &grid, 50);
            let mut solver = Auto::default();
            let auto = ask(&mut solver, &grid, 50);
            let took_the_tree = solver.took() == Some("enumerate");
            assert!(!took_the_tree || tree.solutions == auto.solutions);
            assert_eq!(tree.solutions.len(), auto.solutions.len());
            assert_eq!((tree.ending, sat.ending), (auto.ending, auto.ending));
            assert_eq!(tree.solutions.len(), sat.solutions.len());
            for solution in tree.solutions.iter().chain(&sat.solutions) {
                assert_valid(&layout, &numbers, solution);
            }
            if tree.ending == Ending::Complete {
                let sets = [tree.solutions.clone(), sat.solutions].map(BTreeSet::from_iter);
                assert_eq!(sets[0].len(), tree.solutions.len(), "each solution once");
                assert!(sets[0] == sets[1]);
            }
            if size <= 9 {
                assert_eq!(plain::count(&layout, &numbers, 50), tree.solutions.len());
            }
            seen[tree.solutions.len().min(2)] += 1;
        }
        assert!(seen[1] + seen[2] > 0, "size {size}: {seen:?}");
    }
}

#[test]
fn there_are_288_grids_of_four_and_many_of_six() {
    let four = Grid::empty(Layout::classic(4).expect("a classic size"));
    for solver in [&mut Enumerate as &mut dyn Solver, &mut Sat] {
        let answer = ask(solver, &four, 1000);
        assert_eq!((answer.solutions.len(), answer.ending), (288, Ending::Complete));
    }
    let six = Grid::empty(Layout::classic(6).expect("a classic size"));
    let answer = ask(&mut Enumerate, &six, 1000);
    assert_eq!((answer.solutions.len(), answer.ending), (1000, Ending::Enough));
}

#[test]
fn candidates_are_respected_and_a_board_without_solution_ends_complete() {
    let layout = Layout::classic(9).expect("a classic size");
    let grid = Grid::empty(layout.clone());
    let first = ask(&mut Enumerate, &grid, 1).solutions.remove(0);
    // Pencil marks: the first solution's digits and one more candidate a cell.
    let mut planes = vec![Cells::EMPTY; 9];
    for cell in layout.all_cells() {
        let number = first[cell.index()] as usize;
        planes[number - 1].insert(cell);
        planes[(number + cell.index()) % 9].insert(cell);
    }
    let marks = |planes: &[Cells]| {
        Grid::from_parts(layout.clone(), planes.to_vec(), Cells::EMPTY, Cells::EMPTY)
    };
    for solver in [&mut Enumerate as &mut dyn Solver, &mut Sat, &mut Auto::default()] {
        let answer = ask(solver, &marks(&planes), 100);
        assert_eq!(answer.ending, Ending::Complete);
        assert!(answer.solutions.contains(&first));
        for solution in &answer.solutions {
            let kept =
                |c: usize| planes[solution[c] as usize - 1].contains(layout.cell_at(c / 9, c % 9));
            assert!((0..81).all(kept));
        }
        let mut none = planes.clone();
        none[4] = Cells::EMPTY;
        let answer = ask(solver, &marks(&none), 100);
        assert_eq!((answer.solutions.len(), answer.ending), (0, Ending::Complete));
    }
}

#[test]
fn a_further_house_is_respected() {
    let diagonal = (0..9).map(|i| dokulog::board::Cell::at(10 * i)).collect();
    let layout = Arc::new(Layout::boxed(3, 3, &[diagonal]));
    let grid = Grid::empty(layout.clone());
    for solver in [&mut Enumerate as &mut dyn Solver, &mut Sat] {
        for solution in ask(solver, &grid, 3).solutions {
            assert_valid(&layout, &[0; 81], &solution);
        }
    }
}

#[test]
fn auto_says_what_it_took_and_a_small_budget_ends_with_giving_up() {
    let layout = Layout::classic(16).expect("a classic size");
    let mut auto = Auto::default();
    assert_eq!(ask(&mut auto, &Grid::empty(layout.clone()), 1).ending, Ending::Enough);
    assert_eq!(auto.took(), Some("enumerate"));
    let limits = Limits { solutions: 1, work: 3, seed: 0 };
    let answer = auto.solve(&Grid::empty(layout), &limits);
    assert_eq!((answer.solutions.len(), answer.ending), (0, Ending::GaveUp));
}

//! Puzzles from full grids: by taking clues away until none can go, or by adding clues until one
//! solution is left.

use std::fmt;
use std::ops::RangeInclusive;

use crate::board::{Cell, Layout};
use crate::random::Random;

use super::full::some_full_grid;

/// Which cells are clues together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetry {
    /// None: each cell for itself.
    #[default]
    None,
    /// The pattern stays the same turned by 180°, as newspapers like it.
    HalfTurn,
    /// The pattern stays the same turned by 90°.
    QuarterTurn,
    /// Left and right mirror each other.
    LeftRight,
    /// Top and bottom mirror each other.
    TopBottom,
    /// The two sides of the main diagonal mirror each other.
    Diagonal,
}

impl Symmetry {
    /// Every symmetry, and its name.
    pub const ALL: [(Symmetry, &str); 6] = [
        (Symmetry::None, "none"),
        (Symmetry::HalfTurn, "half-turn"),
        (Symmetry::QuarterTurn, "quarter-turn"),
        (Symmetry::LeftRight, "left-right"),
        (Symmetry::TopBottom, "top-bottom"),
        (Symmetry::Diagonal, "diagonal"),
    ];

    /// The cells that go with a cell, itself included.
    pub fn orbit(self, layout: &Layout, cell: Cell) -> Vec<Cell> {
        let last = layout.size() - 1;
        let turn = |cell: Cell| {
            let (r, c) = (layout.row_index(cell), layout.column_index(cell));
            match self {
                Symmetry::None => cell,
                Symmetry::HalfTurn => layout.cell_at(last - r, last - c),
                Symmetry::QuarterTurn => layout.cell_at(c, last - r),
                Symmetry::LeftRight => layout.cell_at(r, last - c),
                Symmetry::TopBottom => layout.cell_at(last - r, c),
                Symmetry::Diagonal => layout.cell_at(c, r),
            }
        };
        let mut orbit = vec![cell];
        let mut next = turn(cell);
        while next != cell {
            orbit.push(next);
            next = turn(next);
        }
        orbit
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = Symmetry::ALL.iter().find(|(s, _)| s == self).map(|(_, name)| name);
        f.write_str(name.expect("every symmetry is in the table"))
    }
}

/// What is asked of a puzzle: whether it has one solution, whether it is wanted.
pub(super) type PuzzleTest<'a> = &'a mut dyn FnMut(&[u8]) -> bool;

/// Takes clues away in random order while the solution stays the only one: until none can go, or
/// until no more than `enough` are left.
pub fn remove_until_minimal(
    layout: &Layout,
    solution: &[u8],
    symmetry: Symmetry,
    enough: usize,
    random: &mut Random,
    is_unique: PuzzleTest,
) -> Vec<u8> {
    let mut puzzle = solution.to_vec();
    let mut clues = puzzle.len();
    let mut order: Vec<Cell> = layout.all_cells().into_iter().collect();
    random.shuffle(&mut order);
    for cell in order {
        if clues <= enough {
            break;
        }
        if puzzle[cell.index()] == 0 {
            continue;
        }
        let orbit = symmetry.orbit(layout, cell);
        for c in &orbit {
            puzzle[c.index()] = 0;
        }
        if is_unique(&puzzle) {
            clues -= orbit.len();
        } else {
            for c in &orbit {
                puzzle[c.index()] = solution[c.index()];
            }
        }
    }
    puzzle
}

/// Adds clues of a full grid in random order until no other solution is left, as the tree-search
/// text makes its puzzles.
pub(super) fn add_until_unique(
    layout: &Layout,
    solution: &[u8],
    symmetry: Symmetry,
    random: &mut Random,
    is_unique: PuzzleTest,
) -> Vec<u8> {
    let mut puzzle = vec![0; solution.len()];
    let mut order: Vec<Cell> = layout.all_cells().into_iter().collect();
    random.shuffle(&mut order);
    // With fewer than size − 1 different digits two of them can always be swapped, and a search
    // of a nearly empty grid is slow: the first clues are added without asking.
    let unasked = 2 * layout.cell_count() / 9;
    for (added, cell) in order.into_iter().enumerate() {
        if puzzle[cell.index()] != 0 {
            continue;
        }
        for c in symmetry.orbit(layout, cell) {
            puzzle[c.index()] = solution[c.index()];
        }
        if added >= unasked && is_unique(&puzzle) {
            break;
        }
    }
    puzzle
}

/// Makes puzzles by number: number 7 of a seed is the same whoever made the others.
#[derive(Clone, Debug)]
pub struct Maker {
    /// The seed of them all.
    pub seed: u64,
    /// Which cells are clues together.
    pub symmetry: Symmetry,
    /// How many clues; minimal puzzles where not told.
    pub clues: Option<RangeInclusive<usize>>,
    /// Add clues until unique, instead of taking them away.
    pub add: bool,
    /// The full grid they all have as their solution; random ones where not told.
    pub solution: Option<Vec<u8>>,
    /// How many puzzles may be thrown away for each that is kept.
    pub attempts: u64,
}

impl Maker {
    /// The puzzle with this number that has the wanted clues, unless the attempts run out first, or
    /// the layout has no full grid.
    pub fn puzzle(&self, layout: &Layout, number: u64, is_unique: PuzzleTest) -> Option<Vec<u8>> {
        self.puzzle_while(layout, number, is_unique, &mut |_| true, &|| true)
    }

    /// The same that `wanted` accepts, while it is to go on.
    pub fn puzzle_while(
        &self,
        layout: &Layout,
        number: u64,
        is_unique: PuzzleTest,
        wanted: PuzzleTest,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Vec<u8>> {
        let mut random = Random::for_item(self.seed, number);
        for _ in (0..self.attempts).take_while(|_| goes_on()) {
            let puzzle = self.attempt(layout, &mut random, is_unique)?;
            let clues = puzzle.iter().filter(|&&n| n > 0).count();
            if self.clues.as_ref().is_none_or(|range| range.contains(&clues)) && wanted(&puzzle) {
                return Some(puzzle);
            }
        }
        None
    }

    fn attempt(
        &self,
        layout: &Layout,
        random: &mut Random,
        is_unique: PuzzleTest,
    ) -> Option<Vec<u8>> {
        let solution = match &self.solution {
            Some(solution) => solution.clone(),
            None => some_full_grid(layout, random)?,
        };
        if self.add {
            return Some(add_until_unique(layout, &solution, self.symmetry, random, is_unique));
        }
        let enough = match &self.clues {
            Some(range) => range.start() + random.below(range.end() - range.start() + 1),
            None => 0,
        };
        let symmetry = self.symmetry;
        Some(remove_until_minimal(layout, &solution, symmetry, enough, random, is_unique))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::plain;

    fn maker(symmetry: Symmetry, clues: Option<RangeInclusive<usize>>, add: bool) -> Maker {
        Maker { seed: 1, symmetry, clues, add, solution: None, attempts: 100 }
    }

    fn made(maker: &Maker, layout: &Layout) -> Vec<u8> {
        let unique = &mut |puzzle: &[u8]| plain::count(layout, puzzle, 2) == 1;
        maker.puzzle(layout, 3, unique).expect("a puzzle within the attempts")
    }

    #[test]
    fn a_minimal_puzzle_needs_each_of_its_clues() {
        let layout = Layout::classic(9).expect("9 is a classic size");
        let mut puzzle = made(&maker(Symmetry::None, None, false), &layout);
        assert_eq!(plain::count(&layout, &puzzle, 2), 1);
        for cell in 0..81 {
            let clue = std::mem::take(&mut puzzle[cell]);
            assert!(clue == 0 || plain::count(&layout, &puzzle, 2) == 2, "clue {cell}");
            puzzle[cell] = clue;
        }
    }

    #[test]
    fn symmetry_and_clues_are_as_asked() {
        let layout = Layout::classic(9).expect("9 is a classic size");
        for (symmetry, _) in Symmetry::ALL {
            let puzzle = made(&maker(symmetry, Some(34..=42), false), &layout);
            assert!((34..=42).contains(&puzzle.iter().filter(|&&n| n > 0).count()));
            for cell in layout.all_cells() {
                let orbit = symmetry.orbit(&layout, cell);
                let given = orbit.iter().filter(|c| puzzle[c.index()] > 0).count();
                assert!(given == 0 || given == orbit.len(), "{symmetry}");
            }
        }
    }

    #[test]
    fn adding_clues_ends_with_one_solution() {
        let layout = Layout::classic(6).expect("6 is a classic size");
        let puzzle = made(&maker(Symmetry::None, None, true), &layout);
        assert_eq!(plain::count(&layout, &puzzle, 2), 1);
    }

    #[test]
    fn what_cannot_be_made_ends() {
        let layout = Layout::classic(4).expect("4 is a classic size");
        let unique = &mut |puzzle: &[u8]| plain::count(&layout, puzzle, 2) == 1;
        let maker = maker(Symmetry::None, None, false);
        assert_eq!(maker.puzzle_while(&layout, 0, unique, &mut |_| false, &|| true), None);
    }
}

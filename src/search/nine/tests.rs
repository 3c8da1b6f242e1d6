//! The enumerator against the plain counter, and on the grids that people know.

use super::*;
use crate::board::Layout;
use crate::search::plain;

fn read(text: &str) -> [u8; 81] {
    let digits: Vec<u8> = text.bytes().map(|b| if b == b'.' { 0 } else { b - b'0' }).collect();
    digits.try_into().expect("81 cells")
}

const ESCARGOT: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
const TUTORIAL: &str =
    "9..1....5..5.9.2.18...4........8.......7.........26..92..3....6...2..9....19.457.";

#[test]
fn the_sources_grids() {
    let mut escargot = read(ESCARGOT);
    assert_eq!(Enumerator::of_digits(&escargot).count_up_to(10), 1);
    escargot[78] = 0;
    assert_eq!(Enumerator::of_digits(&escargot).count_up_to(1000), 90);
    assert_eq!(Enumerator::of_digits(&read(TUTORIAL)).count_up_to(1000), 434);
}

/// Puzzles that are one mistake or one missing clue away from a good one.
fn mutated(count: usize) -> Vec<[u8; 81]> {
    let mut state = 5_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let solved = Enumerator::of_digits(&read(ESCARGOT)).next().expect("one solution");
    let mut puzzles = Vec::new();
    while puzzles.len() < count {
        let mut digits = solved;
        for _ in 0..45 + below(22) {
            digits[below(81)] = 0;
        }
        match below(3) {
            0 => {}
            1 => digits[below(81)] = below(9) as u8 + 1,
            _ => {
                let cell = (0..81).cycle().skip(below(81)).find(|&c| digits[c] > 0);
                digits[cell.expect("clues are left")] = below(9) as u8 + 1;
            }
        }
        puzzles.push(digits);
    }
    puzzles
}

#[test]
fn counts_are_those_of_the_plain_counter() {
    let layout = Layout::classic(9).expect("9 is a classic size");
    let many = std::env::var_os("DOKULOG_LONG_TESTS").is_some();
    let mut seen = [0; 3];
    for puzzle in mutated(if many { 5000 } else { 300 }) {
        let clash = Grid::from_givens(layout.clone(), &puzzle).is_err();
        let expected = if clash { 0 } else { plain::count(&layout, &puzzle, 500) };
        let solutions: Vec<_> = Enumerator::of_digits(&puzzle).take(500).collect();
        assert_eq!(solutions.len(), expected, "{puzzle:?}");
        for limit in [1, 2, 3, expected, 500] {
            let count = Enumerator::of_digits(&puzzle).count_up_to(limit);
            assert_eq!(count, expected.min(limit), "{limit} of {puzzle:?}");
        }
        for solution in &solutions {
            check(&puzzle, solution, &layout);
        }
        seen[solutions.len().min(2)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 20), "none, one, many: {seen:?}");
}

/// Every house has every digit, and the clues are kept.
fn check(puzzle: &[u8; 81], solution: &[u8; 81], layout: &Layout) {
    for house in layout.all_houses() {
        let mut digits: Vec<u8> =
            layout.cells_in_order(house).iter().map(|c| solution[c.index()]).collect();
        digits.sort_unstable();
        assert_eq!(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    assert!((0..81).all(|c| puzzle[c] == 0 || puzzle[c] == solution[c]));
}

/// Solves a board on chosen instructions: the solutions in order, and what they cost.
struct Solutions(Enumerator, usize);

impl simd::Kernel for Solutions {
    type Output = (Vec<Planes>, Counters);
    #[inline(always)]
    fn run<L: Lanes>(mut self) -> (Vec<Planes>, Counters) {
        let mut found = Vec::new();
        while found.len() < self.1 && Advance(&mut self.0).run::<L>() == Stop::Solution {
            found.push(self.0.solution);
        }
        (found, self.0.counters)
    }
}

#[test]
fn all_instruction_sets_find_the_same_solutions_in_the_same_order() {
    let mut puzzles = mutated(60);
    puzzles.extend([read(ESCARGOT), read(TUTORIAL), [0; 81]]);
    for puzzle in puzzles {
        let search = || Solutions(Enumerator::of_digits(&puzzle).count_placements(), 100);
        let expected = simd::run_on(simd::Isa::Portable, search()).expect("any machine");
        for isa in simd::Isa::ALL {
            if let Some(found) = simd::run_on(isa, search()) {
                assert!(found == expected, "{isa:?}: {puzzle:?}");
            }
        }
    }
}

#[test]
fn candidates_are_respected() {
    let escargot = read(ESCARGOT);
    let solution = Enumerator::of_digits(&escargot).next().expect("one solution");
    // Pencil marks: blank cells may be their digit or the next one.
    let mut marks = board_of(&escargot);
    for (cell, &digit) in solution.iter().enumerate() {
        for other in 0..9 {
            if other + 1 != digit && other + 1 != digit % 9 + 1 {
                marks.remove(crate::board::Cell::at(cell), crate::board::Digit::at(other as usize));
            }
        }
    }
    assert_eq!(Enumerator::new(&marks).collect::<Vec<_>>(), [solution]);
    let last = crate::board::Cell::at(80);
    marks.remove(last, crate::board::Digit::new(solution[80] as usize));
    assert_eq!(Enumerator::new(&marks).next(), None);
    assert_eq!(Enumerator::new(&Planes::EMPTY).next(), None);
}

#[test]
fn a_search_can_be_taken_up_again() {
    let mut escargot = read(ESCARGOT);
    escargot[78] = 0;
    let whole: Vec<_> = Enumerator::of_digits(&escargot).collect();
    let mut search = Enumerator::of_digits(&escargot);
    let mut parts = Vec::new();
    let mut pauses = 0;
    loop {
        match search.next_within(1) {
            Ok(Some(solution)) => parts.push(solution),
            Ok(None) => break,
            Err(Tired) => pauses += 1,
        }
    }
    assert_eq!(parts, whole);
    assert!(pauses > 0);
    assert!(search.counters().guesses > 0 && search.counters().backtracks > 0);
}

/// Counts on chosen instructions, as if many solutions were likely, or even the board rich.
struct Counted(Enumerator, bool);

impl simd::Kernel for Counted {
    type Output = usize;
    #[inline(always)]
    fn run<L: Lanes>(mut self) -> usize {
        let mut count = 0;
        while !self.0.stack.is_empty() {
            (self.0.counters.backtracks, self.0.counters.guesses) = (0, many::GUESSES);
            // One board at a time, so that a wrong guess is forgotten.
            let rest = self.0.stack.split_off(self.0.stack.len() - 1);
            let others = std::mem::replace(&mut self.0.stack, rest);
            let enumerator = &mut self.0;
            let limit = usize::MAX;
            count += many::Count { enumerator, limit, doubts: false, rich: self.1 }.run::<L>();
            self.0.stack = others;
        }
        count
    }
}

#[test]
fn a_few_are_counted_as_one_by_one_and_the_search_goes_on() {
    for puzzle in mutated(300) {
        let all = Enumerator::of_digits(&puzzle).take(3).count();
        for limit in [1, 2] {
            let mut enumerator = Enumerator::of_digits(&puzzle);
            let count = enumerator.count_up_to(limit);
            assert_eq!(count, all.min(limit), "{puzzle:?}");
            // What is left is still there, but for what was passed over.
            let rest = enumerator.take(3).count();
            assert!(rest == 0 || all > limit, "{puzzle:?}");
        }
    }
}

/// Counts up to two on chosen instructions.
struct Two(Enumerator);

impl simd::Kernel for Two {
    type Output = (usize, Counters);
    #[inline(always)]
    fn run<L: Lanes>(mut self) -> (usize, Counters) {
        let enumerator = &mut self.0;
        let count = many::Count { enumerator, limit: 2, doubts: true, rich: false }.run::<L>();
        (count, self.0.counters)
    }
}

/// Two boxes in a row, the last box but for a few cells, and little else: as rich as can be. Half of
/// them with a wrong clue, which may leave no solution.
#[test]
fn a_second_solution_of_a_rich_board_is_one() {
    let layout = Layout::classic(9).expect("9 is a classic size");
    let mut solutions = Enumerator::of_digits(&[0; 81]);
    let mut seen = [0; 3];
    let mut second = 0;
    for turn in 0..150 {
        let solved = solutions.nth(6).expect("there are many");
        let mut puzzle = solved;
        for (cell, digit) in puzzle.iter_mut().enumerate() {
            let (row, column) = (cell / 9, cell % 9);
            let is_open =
                row < 3 || column < 3 || (row * 7 + column * 3 + turn * 5) % 32 < turn % 5;
            let is_kept = row == column || cell % 11 == turn % 11;
            *digit = if is_open && !is_kept { 0 } else { *digit };
        }
        if turn % 2 == 1 {
            let cell = (turn * 31..).map(|c| c % 81).find(|&c| puzzle[c] > 0).expect("a clue");
            puzzle[cell] = puzzle[cell] % 9 + 1;
        }
        let clash = Grid::from_givens(layout.clone(), &puzzle).is_err();
        let expected = if clash { 0 } else { plain::count(&layout, &puzzle, 2) };
        assert_eq!(Enumerator::of_digits(&puzzle).count_up_to(2), expected, "{puzzle:?}");
        seen[expected] += 1;
        let portable = simd::run_on(simd::Isa::Portable, Two(Enumerator::of_digits(&puzzle)));
        let (count, counters) = portable.expect("any machine");
        second += usize::from(count == 2 && counters.backtracks > 0);
        for isa in simd::Isa::ALL {
            let found = simd::run_on(isa, Two(Enumerator::of_digits(&puzzle)));
            assert!(found.is_none_or(|found| found == (count, counters)), "{isa:?}: {puzzle:?}");
        }
    }
    assert!(seen[0] > 10 && seen[2] > 50, "none, one, many: {seen:?}");
    // Not stopped by a wrong guess.
    assert!(second > 0);
}

#[test]
fn many_solutions_are_counted_as_one_by_one() {
    for puzzle in mutated(150) {
        let expected = Enumerator::of_digits(&puzzle).take(3000).count();
        if expected == 3000 {
            continue;
        }
        for (isa, rich) in simd::Isa::ALL.into_iter().flat_map(|isa| [(isa, false), (isa, true)]) {
            let count = simd::run_on(isa, Counted(Enumerator::of_digits(&puzzle), rich));
            assert!(count.is_none_or(|count| count == expected), "{isa:?}: {count:?} {puzzle:?}");
        }
    }
}

#[test]
fn a_grid_of_pairs_has_all_its_solutions() {
    // Without two of its digits: every open cell has these two candidates.
    let solved = Enumerator::of_digits(&read(ESCARGOT)).next().expect("one solution");
    let layout = Layout::classic(9).expect("9 is a classic size");
    let mut several = 0;
    for (a, b) in (1..=9).flat_map(|a| (a + 1..=9).map(move |b| (a, b))) {
        let puzzle = solved.map(|digit| if digit == a || digit == b { 0 } else { digit });
        let expected = plain::count(&layout, &puzzle, 1000);
        let count = simd::run(Counted(Enumerator::of_digits(&puzzle), false));
        assert_eq!(count, expected, "{a} and {b}");
        several += usize::from(expected > 2);
    }
    assert!(several > 0);
}

#[test]
fn with_next_to_nothing_given_counting_ends() {
    for digit in 0..=9 {
        let mut puzzle = [0; 81];
        puzzle[40] = digit;
        for limit in [3, 100, 10_000] {
            assert_eq!(Enumerator::of_digits(&puzzle).count_up_to(limit), limit);
        }
    }
}

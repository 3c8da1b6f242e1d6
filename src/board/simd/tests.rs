//! Every operation on random lanes, on all instruction sets, against the portable version.

use super::*;

/// All operations on two boards, as boards.
struct Everything<'a>(&'a Planes, &'a Planes, &'a Planes);

impl Kernel for Everything<'_> {
    type Output = Vec<Planes>;
    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<Planes> {
        let (a, b, c) = (L::load(self.0), L::load(self.1), L::load(self.2));
        let shifted = [a << 1, a >> 2, a << 9, a >> 18, a.run_of(3), a.run_of(9)];
        let folded = [a.any_band(), a.any_digit(), L::any_of(a, b, c), L::two_of(a, b, c)];
        let [one, two] = a.count_2();
        let further = [L::one_of(a, b, c), L::select(a, b, c), L::at(one - two)];
        let bands = L::from_bands(a.any_digit().bands());
        let simple = [a & b, a | b, a ^ b, a - b, L::splat(7), L::all(5), bands];
        // Heads of segments, and of columns, leave room for those of another digit.
        let (row, column) = (a & L::splat(0o111_111_111), a & L::splat(0o777));
        let (rows, columns) = (row.pair(1), column.pair(9));
        let [next, last] = columns.turn();
        let paired = [
            a.plus(b),
            L::unpair(rows, 1, 0o111_111_111),
            L::unpair(columns, 9, 0o777),
            L::unpair(<L::Pairs as Bits>::any_of(columns, next, last), 9, 0o777),
            L::unpair(<L::Pairs as Bits>::two_of(columns, next, last), 9, 0o777),
            L::unpair(<L::Pairs as Bits>::one_of(columns, next, last), 9, 0o777),
            L::unpair(<L::Pairs as Bits>::select(columns, next, last), 9, 0o777),
            L::unpair((columns ^ next) - (last & columns), 9, 0o777),
            L::unpair(columns.any_band(), 9, 0o777),
            L::unpair((column & L::splat(0o111)).pair(9).run_of(3), 9, 0o777),
        ];
        let groups = [
            &simple[..],
            &further,
            &paired,
            &shifted,
            &folded,
            &a.turn(),
            &a.digits_2(),
            &a.digits_4(),
        ];
        let mut out = Vec::new();
        for lanes in groups.concat() {
            let mut planes = Planes::EMPTY;
            lanes.store(&mut planes);
            out.push(planes);
        }
        let same = [one.is_all(), one.is_same(two), one.is_same(a.count_1()), a.is_empty()];
        out.push(Planes([a.lanes() ^ (a & b).lanes().rotate_left(1); 32]));
        let lanes = [a.has_empty_lane(), (a | b | c).has_empty_lane()];
        out.push(Planes([u32::from(lanes[0]) + 2 * u32::from(lanes[1]); 32]));
        out.push(Planes(same.map(u32::from).repeat(8).try_into().expect("8 times 4")));
        out.push(Planes(
            [[0; 3], one.bands(), two.bands()].concat().repeat(4)[..32].try_into().expect("32"),
        ));
        out
    }
}

/// Boards with fewer and fewer candidates.
fn random_boards(seed: u64) -> Vec<Planes> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 32) as u32
    };
    let mut boards = Vec::new();
    for density in 0..6 {
        for _ in 0..50 {
            let mut planes = Planes::FULL;
            for lane in &mut planes.0 {
                for _ in 0..density {
                    *lane &= next();
                }
            }
            boards.push(planes);
        }
    }
    boards.push(Planes::EMPTY);
    boards
}

#[test]
fn all_instruction_sets_agree() {
    let (a, b, c) = (random_boards(1), random_boards(2), random_boards(3));
    for i in 0..a.len() {
        let work = || Everything(&a[i], &b[i], &c[i]);
        let expected = run_on(Isa::Portable, work()).expect("any machine");
        for isa in Isa::ALL {
            if let Some(found) = run_on(isa, work()) {
                assert_eq!(found, expected, "{isa:?}");
            }
        }
        assert_eq!(run(work()), expected);
    }
}

#[test]
fn planes_and_cells_are_the_same_candidates() {
    for planes in random_boards(4) {
        let cells: Vec<Cells> = (0..9).map(|d| planes.cells(Digit::at(d))).collect();
        assert_eq!(Planes::from_cells(&cells), planes);
        for (d, cells) in cells.iter().enumerate() {
            for cell in (0..81).map(Cell::at) {
                assert_eq!(planes.contains(cell, Digit::at(d)), cells.contains(cell));
            }
        }
    }
}

/// The tables of a board: cell by cell, numbers in and out, tight sets of its rows of cells.
struct Tables<'a>(&'a Planes, &'a [u8; 81]);

impl Kernel for Tables<'_> {
    type Output = (ByCell, Planes, [u8; 81], Vec<Tight>);
    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let lanes = L::load(self.0);
        let cells = lanes.by_cell();
        let (mut planes, mut numbers) = (Planes::EMPTY, [0; 81]);
        L::from_numbers(self.1).store(&mut planes);
        lanes.to_numbers(&mut numbers);
        let mut tight = Vec::new();
        for count in 0..=9 {
            for row in 0..9 {
                let masks = std::array::from_fn(|i| cells.0[ByCell::place(9 * row + i)]);
                tight.push(L::tight(&masks, count));
            }
        }
        (cells, planes, numbers, tight)
    }
}

#[test]
fn tables_agree_on_all_instruction_sets() {
    for (i, planes) in random_boards(5).into_iter().enumerate() {
        let numbers = std::array::from_fn(|cell| ((cell * 7 + i * 13) % 11) as u8);
        let work = || Tables(&planes, &numbers);
        let expected = run_on(Isa::Portable, work()).expect("any machine");
        for isa in Isa::ALL {
            if let Some(found) = run_on(isa, work()) {
                assert!(found == expected, "{isa:?}");
            }
        }
    }
}

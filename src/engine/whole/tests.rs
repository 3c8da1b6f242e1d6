//! Every operation gives the same on registers of every kind and on bit sets.

use super::bits::{self, Bits};
use super::lanes::Nine;
use super::*;
use crate::board::simd::{self, Isa, Kernel, Lanes, Planes};
use crate::board::{Cells, Layout};
use crate::random::Random;

/// All sets that the operations make of one, as the cells of each digit.
fn results<B: Board>(board: &B, set: B::Set, to: impl Fn(B::Set) -> Vec<Cells>) -> Vec<Vec<Cells>> {
    let mut found = vec![
        board.none(),
        board.all(),
        board.same_cell(set),
        board.same_house(set),
        board.alone_in_cell(set),
        board.crowded(set),
    ];
    for kinds in 0..8 {
        let asked = [kinds & 1 != 0, kinds & 2 != 0, kinds & 4 != 0, false];
        found.push(board.alone_in_house(set, asked));
    }
    for line in [Line::Row, Line::Column] {
        let segments = board.segments(set, line);
        found.push(board.fill(segments, line));
        for of in [Whole::Box, Whole::Line] {
            found.push(board.fill(board.only(segments, of, line), line));
            found.push(board.fill(board.beside(segments, of, line), line));
        }
    }
    found.into_iter().map(to).collect()
}

fn cells_of(planes: &Planes, layout: &Layout) -> Vec<Cells> {
    layout.digits().map(|digit| planes.cells(digit)).collect()
}

struct Results<'a>(&'a Planes, &'a Layout);

impl Kernel for Results<'_> {
    type Output = (Vec<Vec<Cells>>, [bool; 2]);
    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let (board, set) = (Nine::<L>::new(self.1), L::load(self.0));
        let to = |set: L| cells_of(&board.store(set & board.all()), self.1);
        let found = results(&board, set, to);
        (found, [board.is_empty(set), board.is_everywhere(set)])
    }
}

#[test]
fn registers_and_bit_sets_do_the_same() {
    let layout = Layout::classic(9).expect("9 is a classic size");
    let bits = Bits::new(&layout);
    for number in 0..300 {
        let mut random = Random::for_item(40, number);
        let kept = [1, 3, 10, 30, 60, 99][number as usize % 6];
        let mut planes = Planes::EMPTY;
        for cell in layout.all_cells() {
            for digit in layout.digits() {
                if random.below(100) < kept {
                    planes.insert(cell, digit);
                }
            }
        }
        let set = bits::Planes::new(&cells_of(&planes, &layout));
        let expected = results(&bits, set, |set| set.cells()[..9].to_vec());
        let tests = [bits.is_empty(set), bits.is_everywhere(set)];
        for isa in Isa::ALL {
            if let Some((found, answers)) = simd::run_on(isa, Results(&planes, &layout)) {
                for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    assert_eq!(found, expected, "operation {i}, {isa:?}, set {number}");
                }
                assert_eq!(answers, tests, "{isa:?}, set {number}");
            }
        }
    }
}

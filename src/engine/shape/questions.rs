//! Questions to the whole board: families of pairs of cell sets that cover whole kinds of houses.
//!
//! ```text
//! for each cell C of a house H     no D in H∖{C}  →  place D in C         alone in its house
//! for a box A and a line B         no D in A∖B    →  eliminate D in B∖A   locked
//! ```

use crate::board::{Cells, House, HouseKind, Houses, Layout};

/// What follows for the candidates in an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// They are placed.
    Place,
    /// They are eliminated.
    Eliminate,
}

/// If a digit is nowhere in `empty`, then the answer has its candidates in `then`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pair {
    /// Where the digit must be gone already.
    pub empty: Cells,
    /// Which of its candidates are the answer.
    pub then: Cells,
}

/// Rows, columns, boxes, extra houses: which of them.
pub type Kinds = [bool; 4];

/// The kinds in the order of [`Kinds`].
pub const KINDS: [HouseKind; 4] =
    [HouseKind::Row, HouseKind::Column, HouseKind::Box, HouseKind::Extra];

/// Boxes and the lines of one direction, where a digit of one is only where it meets the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Locked {
    /// Candidates outside a box on the line that the box is locked to.
    pub box_to_line: bool,
    /// Candidates outside a line in the box that the line is locked to.
    pub line_to_box: bool,
}

/// Questions to the whole board; the answer is the union of theirs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Questions {
    /// Candidates alone in their cell.
    pub alone_in_cell: bool,
    /// Candidates alone of their digit in a house of these kinds.
    pub alone_in_house: Kinds,
    /// Candidates locked out of a row or box; of a column or box.
    pub locked: [Locked; 2],
    /// Candidates of the pairs that apply.
    pub pairs: Vec<Pair>,
}

impl Questions {
    /// Placing pairs as whole kinds of houses as far as they are such, the others as they are.
    ///
    /// Nothing if a pair does not decide its digit: with `empty` gone, `then` has to be the last
    /// cell of some house.
    pub(super) fn of_places(mut pairs: Vec<Pair>, layout: &Layout) -> Option<Questions> {
        pairs.sort_unstable();
        pairs.dedup();
        let mut asked = Questions::default();
        let mut covered = vec![false; pairs.len()];
        for (kind, is_asked) in KINDS.into_iter().zip(&mut asked.alone_in_house) {
            let houses = layout.houses_of_kind(kind);
            let family = houses.iter().flat_map(|house| {
                let all = layout.cells(house);
                all.into_iter().map(move |cell| {
                    let then = Cells::only(cell);
                    Pair { empty: all - then, then }
                })
            });
            *is_asked = has_family(&pairs, &mut covered, family);
        }
        asked.pairs = others(&pairs, &covered);
        let decides = |pair: &Pair| {
            let either = pair.empty | pair.then;
            layout.all_houses().iter().any(|house| layout.cells(house).within(&either))
        };
        asked.pairs.iter().all(decides).then_some(asked)
    }

    /// Eliminating pairs as boxes and lines as far as they are such, the others as they are.
    pub(super) fn of_eliminations(mut pairs: Vec<Pair>, layout: &Layout) -> Questions {
        pairs.sort_unstable();
        pairs.dedup();
        let boxes = layout.houses_of_kind(HouseKind::Box);
        let mut asked = Questions::default();
        let mut covered = vec![false; pairs.len()];
        for (kind, locked) in KINDS.into_iter().zip(&mut asked.locked) {
            let lines = layout.houses_of_kind(kind);
            let mut has =
                |from, to| has_family(&pairs, &mut covered, locked_pairs(from, to, layout));
            locked.box_to_line = has(boxes, lines);
            locked.line_to_box = has(lines, boxes);
        }
        asked.pairs = others(&pairs, &covered);
        asked
    }

    /// Adds another clause's questions.
    pub fn join(&mut self, other: Questions) {
        self.alone_in_cell |= other.alone_in_cell;
        for (mine, its) in self.alone_in_house.iter_mut().zip(other.alone_in_house) {
            *mine |= its;
        }
        for (mine, its) in self.locked.iter_mut().zip(other.locked) {
            mine.box_to_line |= its.box_to_line;
            mine.line_to_box |= its.line_to_box;
        }
        self.pairs.extend(other.pairs);
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }
}

/// The pairs of houses that meet.
fn locked_pairs(from: Houses, to: Houses, layout: &Layout) -> impl Iterator<Item = Pair> {
    let cells = move |house: House| layout.cells(house);
    let both = from.iter().flat_map(move |a| to.iter().map(move |b| (a, b)));
    let meeting = both.filter(move |&(a, b)| cells(a).meets(&cells(b)));
    meeting.map(move |(a, b)| Pair { empty: cells(a) - cells(b), then: cells(b) - cells(a) })
}

/// Whether all of a family is among sorted pairs, and some of it not covered by another; then it
/// covers them.
fn has_family(
    pairs: &[Pair],
    covered: &mut [bool],
    mut family: impl Iterator<Item = Pair>,
) -> bool {
    let place = |pair: Pair| pairs.binary_search(&pair).ok();
    let mut places = Vec::new();
    if !family.all(|pair| place(pair).inspect(|&place| places.push(place)).is_some()) {
        return false;
    }
    let mut is_new = false;
    for place in places {
        is_new |= !std::mem::replace(&mut covered[place], true);
    }
    is_new
}

/// The pairs that no family covers.
fn others(pairs: &[Pair], covered: &[bool]) -> Vec<Pair> {
    pairs.iter().zip(covered).filter(|(_, covered)| !**covered).map(|(pair, _)| *pair).collect()
}

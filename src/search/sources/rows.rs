//! Drawing a row: the missing digits, each once, in an order that follows weights.

use crate::board::{Cell, Grid, House};
use crate::random::Random;

/// Blanks in a row up to which all their sets of digits are weighed: the tables of a 16×16 grid
/// take 8 MB.
const WEIGHED: usize = 16;

/// The law of a row's blanks: independent draws by the weights of cell and digit, on condition that
/// the blanks get each missing digit once. So an order of the digits has the product of its
/// weights for a chance, and is drawn exactly, cell after cell.
pub(super) struct Row {
    /// The blanks, those with the fewest candidates first.
    cells: Vec<usize>,
    /// The missing digits, from 0.
    digits: Vec<usize>,
    /// For each set of missing digits, what all ways to put it into the last blanks weigh. Empty
    /// in a row with too many blanks: there a digit is drawn without a look at the blanks after it.
    ways: Vec<f64>,
}

impl Row {
    pub(super) fn new(grid: &Grid, row: House) -> Row {
        let layout = grid.layout();
        let mut cells: Vec<Cell> = (layout.cells(row) & grid.unsolved()).iter().collect();
        cells.sort_by_key(|&cell| grid.candidates(cell).len());
        let digits: Vec<usize> = layout
            .digits()
            .filter(|&digit| !(grid.plane(digit) & grid.placed()).meets(&layout.cells(row)))
            .map(|digit| digit.index())
            .collect();
        let sets = if cells.len() <= WEIGHED { 1 << digits.len() } else { 0 };
        let cells = cells.into_iter().map(Cell::index).collect();
        Row { cells, digits, ways: vec![0.0; sets] }
    }

    /// Takes new weights, by cell and digit; whether some order has any.
    pub(super) fn weigh(&mut self, size: usize, weights: &[f64]) -> bool {
        let Row { cells, digits, ways } = self;
        if ways.is_empty() {
            return true;
        }
        if cells.len() != digits.len() {
            return false;
        }
        ways[0] = 1.0;
        for set in 1..ways.len() {
            let cell = cells[cells.len() - set.count_ones() as usize];
            let weighed = bits(set).map(|i| weights[cell * size + digits[i]] * ways[set ^ 1 << i]);
            ways[set] = weighed.sum();
        }
        ways[ways.len() - 1] > 0.0
    }

    /// Fills the row; how many cells got a digit without weight, as no other was left.
    pub(super) fn draw(
        &self,
        size: usize,
        weights: &[f64],
        random: &mut Random,
        numbers: &mut [u8],
    ) -> u64 {
        let mut left = (1usize << self.digits.len()) - 1;
        let mut amiss = 0;
        for &cell in &self.cells {
            let weight = |i: usize| {
                let after = self.ways.get(left ^ 1 << i).copied().unwrap_or(1.0);
                weights[cell * size + self.digits[i]] * after
            };
            let all = || bits(left).map(weight).sum::<f64>();
            let mut mark = random.unit() * self.ways.get(left).copied().unwrap_or_else(all);
            let mut picked = None;
            for i in bits(left) {
                let weight = weight(i);
                if weight > 0.0 {
                    picked = Some(i);
                    mark -= weight;
                    if mark < 0.0 {
                        break;
                    }
                }
            }
            amiss += u64::from(picked.is_none());
            let picked = picked.unwrap_or(left.trailing_zeros() as usize);
            numbers[cell] = self.digits[picked] as u8 + 1;
            left ^= 1 << picked;
        }
        amiss
    }
}

/// The members of a set of small numbers.
pub(super) fn bits(mut set: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Layout;

    #[test]
    fn orders_come_as_often_as_their_weights_say() {
        let layout = Layout::classic(4).expect("4 is a classic size");
        let mut givens = [0; 16];
        givens[0] = 4;
        let grid = Grid::from_givens(layout.clone(), &givens).expect("no clash");
        let mut row = Row::new(&grid, layout.row(layout.cell_at(0, 0)));
        let mut weights = vec![0.0; 64];
        // r1c2 is 1 or 2, r1c3 is 1 or 3, r1c4 is 1, 2 or 3: three orders, of weights 3, 4 and 4.
        weights[4..7].copy_from_slice(&[3.0, 2.0, 0.0]);
        weights[8..11].copy_from_slice(&[2.0, 0.0, 1.0]);
        weights[12..15].copy_from_slice(&[2.0, 1.0, 1.0]);
        assert!(row.weigh(4, &weights));
        let (mut random, mut seen) = (Random::new(3), std::collections::BTreeMap::new());
        for _ in 0..11_000 {
            let mut numbers = [4, 0, 0, 0];
            assert_eq!(row.draw(4, &weights, &mut random, &mut numbers), 0);
            *seen.entry(numbers).or_insert(0) += 1;
        }
        let near = |numbers: [u8; 4], expected: i32| (seen[&numbers] - expected).abs() < 300;
        assert_eq!(seen.len(), 3, "{seen:?}");
        assert!(near([4, 1, 3, 2], 3000) && near([4, 2, 3, 1], 4000) && near([4, 2, 1, 3], 4000));
        // No digit for r1c2.
        (weights[4], weights[5]) = (0.0, 0.0);
        assert!(!row.weigh(4, &weights));
    }
}

//! The grid as 81 little-endian numbers of 32 bits, row by row, 0 for a blank.

use super::alphabet::Alphabet;
use super::puzzle::{Fault, Item, Puzzle, classic, grid_of_givens};

/// Bytes of one grid.
pub(super) const BYTES: usize = 324;

/// Whether these bytes can be such grids: whole ones, and no number above nine.
pub(super) fn is_grids(bytes: &[u8]) -> bool {
    !bytes.is_empty()
        && bytes.len().is_multiple_of(BYTES)
        && bytes.chunks(4).all(|number| number[0] <= 9 && number[1..] == [0, 0, 0])
}

/// The grid in these bytes, the `index`-th of its file.
pub(super) fn grid(index: usize, bytes: &[u8]) -> Item {
    if !is_grids(bytes) || bytes.len() != BYTES {
        let message = format!("grid {} is not 81 numbers from 0 to 9 of four bytes", index + 1);
        return Err(Fault::whole(message));
    }
    let numbers: Vec<u8> = bytes.chunks(4).map(|number| number[0]).collect();
    let grid = grid_of_givens(&classic(9, &None), &numbers, Alphabet::One, |_| (0, 0))?;
    Ok(Puzzle { grid, id: None, line: 0, alphabet: Alphabet::One })
}

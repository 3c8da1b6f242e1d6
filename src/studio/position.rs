//! The page's board as a grid, and back.

use serde_json::json;

use super::Answer;
use super::request::{Board, Language, Position};
use crate::board::{Candidate, Cell, Digit, Grid, Hole, Layout};
use crate::trace::Words;

/// The words for a grid in a language.
pub(super) fn words(grid: &Grid, language: Language) -> Words {
    Words { language: language.into(), ..Words::plain(grid.layout().clone()) }
}

/// The cell and digit that are asked about.
pub(super) fn candidate(grid: &Grid, cell: usize, digit: u8) -> Result<Candidate, String> {
    let layout = grid.layout();
    match cell < layout.cell_count() && (1..=layout.size()).contains(&usize::from(digit)) {
        true => Ok(Candidate { cell: Cell::at(cell), digit: Digit::new(digit.into()) }),
        false => Err(format!("there is no cell {cell} or no digit {digit} on this board")),
    }
}

/// Candidates as pairs of cell and number.
pub(super) fn pairs<'a>(
    candidates: impl IntoIterator<Item = &'a Candidate>,
) -> Vec<(usize, usize)> {
    candidates.into_iter().map(|c| (c.cell.index(), c.digit.number())).collect()
}

/// The grid of a board, or why there is none.
pub(super) fn grid(board: &Board) -> Result<Grid, String> {
    let (mut grid, clashes) = with_clashes(board)?;
    if let Some((cell, other)) = clashes.first() {
        let name = |cell: usize| grid.layout().cell_name(Cell::at(cell));
        return Err(format!("{} and {} hold the same digit", name(*other), name(*cell)));
    }
    for &(cell, digit) in &board.gone {
        let gone = candidate(&grid, cell, digit)?;
        if !grid.placed().contains(gone.cell) {
            grid.eliminate(gone);
        }
    }
    Ok(grid)
}

/// The grid without those digits that clash, and the clashes as pairs of cells.
fn with_clashes(board: &Board) -> Result<(Grid, Vec<(usize, usize)>), String> {
    let size = board.size;
    let layout = Layout::classic(size).ok_or_else(|| format!("there is no size {size}"))?;
    let cells = layout.cell_count();
    let is_whole = |list: &[u8]| list.iter().all(|&digit| usize::from(digit) <= size);
    if board.givens.len() != cells
        || ![0, cells].contains(&board.entries.len())
        || !is_whole(&board.givens)
        || !is_whole(&board.entries)
    {
        return Err(format!("the board does not have {cells} cells with digits up to {size}"));
    }
    let mut grid = Grid::empty(layout);
    let mut clashes = Vec::new();
    let digits = |list: &[u8]| -> Vec<Candidate> {
        let set = list.iter().enumerate().filter(|(_, digit)| **digit > 0);
        let set = set.map(|(i, &d)| Candidate { cell: Cell::at(i), digit: Digit::new(d.into()) });
        set.collect()
    };
    for given in digits(&board.givens) {
        if let Err(clash) = grid.give(given) {
            clashes.push((given.cell.index(), clash.earlier().index()));
        }
    }
    for entry in digits(&board.entries).into_iter().filter(|e| board.givens[e.cell.index()] == 0) {
        let rivals = *grid.layout().peers(entry.cell) & grid.placed() & grid.plane(entry.digit);
        match rivals.first() {
            Some(rival) => clashes.push((entry.cell.index(), rival.index())),
            None => grid.place(entry),
        }
    }
    Ok((grid, clashes))
}

/// The board of a grid: what is placed but not given is an entry.
pub(super) fn board(grid: &Grid) -> Board {
    let digits = grid.digits();
    let given = |i: usize| grid.given().contains(Cell::at(i));
    let those = |wanted: bool| {
        let one = |(i, &digit): (usize, &u8)| if given(i) == wanted { digit } else { 0 };
        digits.iter().enumerate().map(one).collect::<Vec<u8>>()
    };
    let mut board = Board {
        size: grid.layout().size(),
        givens: those(true),
        entries: those(false),
        gone: Vec::new(),
    };
    if let Ok((plain, _)) = with_clashes(&board) {
        for cell in grid.unsolved() {
            let gone = plain.candidates(cell) - grid.candidates(cell);
            board.gone.extend(gone.iter().map(|d| (cell.index(), d.number() as u8)));
        }
    }
    board
}

/// The candidates of every cell, a list a cell; none where something is placed.
pub(super) fn candidates(grid: &Grid) -> Vec<Vec<usize>> {
    let open = |cell| match grid.placed().contains(cell) {
        true => Vec::new(),
        false => grid.candidates(cell).iter().map(Digit::number).collect(),
    };
    grid.layout().all_cells().iter().map(open).collect()
}

/// Why there is no solution left, in a sentence, and the cells that show it.
pub(super) fn hole(grid: &Grid, words: &Words, hole: Hole) -> (String, Vec<usize>) {
    match hole {
        Hole::Cell(cell) => {
            let name = words.cell(cell);
            let said = words.pick(
                format!("{name} has no digit left"),
                format!("{name} n'a plus de chiffre possible"),
            );
            (said, vec![cell.index()])
        }
        Hole::House(house, digit) => {
            let name = words.house(house);
            let said = words.pick(
                format!("{digit} has no place left in {name}"),
                format!("{digit} n'a plus de place dans la {name}"),
            );
            let cells = grid.layout().cells(house).iter().map(|c| c.index());
            (said, cells.collect())
        }
    }
}

/// Candidates, clashes, and whether something has no place left.
pub(super) fn state(asked: &Position) -> Answer {
    let (mut grid, clashes) = with_clashes(&asked.board)?;
    for &(cell, digit) in &asked.board.gone {
        let gone = candidate(&grid, cell, digit)?;
        if !grid.placed().contains(gone.cell) {
            grid.eliminate(gone);
        }
    }
    let words = words(&grid, asked.language);
    let hole = grid.hole().filter(|_| clashes.is_empty()).map(|h| hole(&grid, &words, h));
    let layout = grid.layout();
    Ok(json!({
        "box_height": layout.box_height(),
        "box_width": layout.box_width(),
        "candidates": candidates(&grid),
        "clashes": clashes,
        "placed": grid.placed().len() + clashes.len(),
        "solved": grid.is_solved() && clashes.is_empty(),
        "problem": hole.as_ref().map(|(said, _)| said),
        "problem_cells": hole.map(|(_, cells)| cells).unwrap_or_default(),
    }))
}

//! Grids row by row: plain, spaced, framed, with titles, headers and sections, and pencil marks.

use std::sync::Arc;

use crate::board::Layout;

use super::alphabet::{Alphabet, NOTHING, STRAY};
use super::frame;
use super::marks::grid_of_masks;
use super::measure::{Content, Cut, RowShape, cells};
use super::puzzle::{Fault, Item, Puzzle, classic, grid_of_givens, place_further, stray};

/// The mask of a cell that has no candidate left, which is not that of a blank.
const NO_DIGIT: u32 = 1 << 31;

/// Takes a file line by line and puts grids together.
pub(super) struct Rows {
    shape: RowShape,
    table: [u8; 256],
    board: Arc<Layout>,
    /// What the next grid will be called.
    title: Option<String>,
    /// The section of an `.sdk` file that the lines are in, in lower case.
    section: String,
    /// Lines until `?S` are parameters.
    in_parameters: bool,
    /// The grid under way.
    grid: Part,
    /// A `[Puzzle]` that a `[State]` may follow.
    held: Option<Puzzle>,
}

/// A grid of which some rows were read.
#[derive(Default)]
struct Part {
    rows: usize,
    masks: Vec<u32>,
    places: Vec<(usize, usize)>,
    fault: Option<Fault>,
    line: usize,
    gap: bool,
    airy: bool,
}

impl Rows {
    /// A reader for files of this shape.
    pub(super) fn new(shape: RowShape, board: &Option<Arc<Layout>>) -> Rows {
        let table = shape.alphabet.table(shape.size);
        Rows {
            table,
            board: classic(shape.size, board),
            shape,
            title: None,
            section: String::new(),
            in_parameters: false,
            grid: Part::default(),
            held: None,
        }
    }

    /// Takes one line, without its end.
    pub(super) fn line(&mut self, number: usize, line: &[u8], found: &mut Vec<Item>) {
        let flat = frame::flatten(line);
        let size = self.shape.size;
        if self.in_parameters {
            self.in_parameters = !flat.starts_with(b"?S");
        } else if flat.starts_with(b"?P") {
            self.in_parameters = true;
        } else if frame::is_blank(&flat) {
            self.empty_line(number, found);
        } else if frame::is_comment(&flat) {
            self.comment(line, &flat);
        } else if let Some(name) = frame::section(&flat) {
            self.break_off(number, found);
            self.section = name;
        } else if frame::is_frame(&flat, self.shape.dash_is_blank, size)
            && !matches!(self.shape.cut, Cut::Columns(_) if flat.iter().all(|b| *b != b'-'))
        {
            self.grid.gap = false;
        } else if !self.is_row_like(&flat) {
            self.break_off(number, found);
            self.title = frame::title(line).filter(|title| *title != size.to_string());
            self.section.clear();
        } else if !self.is_solution() {
            self.row(number, line, &flat, found);
        }
    }

    /// Takes the end of the file.
    pub(super) fn finish(&mut self, number: usize, found: &mut Vec<Item>) {
        self.break_off(number, found);
        found.extend(self.held.take().map(Ok));
    }

    /// Whether what follows is said to be a solution, or a section that is no grid.
    fn is_solution(&self) -> bool {
        let is_solution = |text: &str| text.len() < 40 && text.to_lowercase().contains("solution");
        self.title.as_deref().is_some_and(is_solution) || !frame::holds_grid(&self.section)
    }

    fn empty_line(&mut self, number: usize, found: &mut Vec<Item>) {
        let rows = self.grid.rows;
        if rows == 0 {
            return;
        }
        if self.shape.empty_line_is_row {
            self.row(number, b"", b"", found);
        } else if rows == 1 {
            self.grid.airy = true;
        } else if !self.grid.airy
            && (!rows.is_multiple_of(self.board.box_height()) || self.grid.gap)
        {
            self.break_off(number, found);
        } else {
            self.grid.gap = !self.grid.airy;
        }
    }

    fn comment(&mut self, line: &[u8], flat: &[u8]) {
        let is_sdk_header = flat.len() > 1 && flat[0] == b'#' && flat[1].is_ascii_uppercase();
        if self.grid.rows == 0 && !is_sdk_header {
            self.title = frame::title(line);
        }
    }

    /// Whether a line is meant as a row, even if something is wrong with it.
    fn is_row_like(&self, flat: &[u8]) -> bool {
        let size = self.shape.size;
        let flat = frame::without_comment(flat);
        if let Cut::Columns(_) = self.shape.cut {
            return flat.iter().all(|b| !b.is_ascii_alphabetic())
                || flat.iter().filter(|b| b.is_ascii_alphabetic()).count() == 1;
        }
        let cut = if self.shape.cut == Cut::Pairs { &Cut::Words } else { &self.shape.cut };
        let wanted = if self.shape.cut == Cut::Pairs { 2 * size } else { size };
        let cells = cells(flat, cut);
        let signs: usize = cells.iter().map(|(_, cell)| cell.len()).sum();
        let marks = self.shape.content == Content::Marks;
        let known = |b: &&u8| self.table[**b as usize] != STRAY || (marks && **b == NOTHING);
        let good: usize = cells.iter().map(|(_, cell)| cell.iter().filter(known).count()).sum();
        let slack = if self.grid.rows > 0 { wanted / 2 } else { (wanted / 4).max(1) };
        good > 0 && 2 * good > signs && cells.len().abs_diff(wanted) <= slack
    }

    fn row(&mut self, number: usize, line: &[u8], flat: &[u8], found: &mut Vec<Item>) {
        if self.grid.rows == 0 {
            self.grid.line = number;
        }
        self.grid.gap = false;
        self.grid.rows += 1;
        if self.grid.fault.is_none() {
            let read = self.cells_of_row(number, line, frame::without_comment(flat));
            self.grid.fault = read.err();
        }
        if self.grid.rows == self.shape.size {
            let part = std::mem::take(&mut self.grid);
            self.complete(part, found);
        }
    }

    fn cells_of_row(&mut self, number: usize, line: &[u8], flat: &[u8]) -> Result<(), Fault> {
        let size = self.shape.size;
        let row = cells(flat, &self.shape.cut);
        let mut masks = Vec::with_capacity(size);
        for &(column, cell) in &row {
            masks.push(self.mask(number, line, column, cell)?);
        }
        if let Cut::Columns(starts) = &self.shape.cut {
            let closes = |i: usize| flat[i] == b'.' && i == starts[size - 1] + 1;
            let is_known =
                |i: usize| starts.contains(&i) || matches!(flat[i], b' ' | b'|') || closes(i);
            let odd = (0..flat.len()).find(|&i| !is_known(i));
            if let Some(column) = odd {
                let sign = frame::character(line, column);
                return Err(stray(number, column + 1, sign, size, self.shape.alphabet));
            }
        }
        if row.len() != size {
            let cells = if row.len() == 1 { "cell" } else { "cells" };
            let message = format!("row has {} {cells}, the other rows have {size}", row.len());
            return Err(Fault::at(number, 0, message));
        }
        self.grid.masks.extend(masks);
        self.grid.places.extend(row.iter().map(|(column, _)| (number, column + 1)));
        Ok(())
    }

    /// The digits of one cell; 0 for a blank, [`NO_DIGIT`] for a cell without candidates.
    fn mask(&self, number: usize, line: &[u8], column: usize, cell: &[u8]) -> Result<u32, Fault> {
        let (size, alphabet) = (self.shape.size, self.shape.alphabet);
        let stray = |at: usize| stray(number, at + 1, frame::character(line, at), size, alphabet);
        if alphabet == Alphabet::Numbers {
            let text = std::str::from_utf8(cell).unwrap_or_default();
            return match text.parse::<usize>() {
                Ok(n) if (1..=size).contains(&n) => Ok(1 << (n - 1)),
                Ok(0) => Ok(0),
                Ok(n) => {
                    let message = format!("{n} is not 1-{size}");
                    Err(Fault::at(number, column + 1, message))
                }
                Err(_) if cell.iter().all(|b| self.table[*b as usize] == 0) => Ok(0),
                Err(_) => Err(stray(column)),
            };
        }
        if self.shape.content == Content::Digit && cell.len() > 1 {
            let text = String::from_utf8_lossy(cell);
            let name = alphabet.name(size);
            let message = format!("'{text}' is not one of {name}");
            return Err(Fault::at(number, column + 1, message));
        }
        if self.shape.content == Content::Marks && cell == [NOTHING] {
            return Ok(NO_DIGIT);
        }
        let mut mask = 0;
        for (i, &sign) in cell.iter().enumerate() {
            match self.table[sign as usize] {
                0 => {}
                STRAY if sign == b' ' => {}
                STRAY => return Err(stray(column + i)),
                digit => mask |= 1 << (digit - 1),
            }
        }
        Ok(mask)
    }

    /// Hands out a grid of which every row was read.
    fn complete(&mut self, part: Part, found: &mut Vec<Item>) {
        let id = self.title.take();
        if let Some(fault) = part.fault {
            found.extend(self.held.take().map(Ok));
            found.push(Err(fault.of(id)));
            return;
        }
        let (size, alphabet) = (self.shape.size, self.shape.alphabet);
        let place = |cell: usize| part.places[cell];
        let numbers = || -> Vec<u8> {
            part.masks
                .iter()
                .map(|m| if *m == 0 { 0 } else { m.trailing_zeros() as u8 + 1 })
                .collect()
        };
        if self.section == "state"
            && let Some(mut puzzle) = self.held.take()
        {
            let placed = place_further(&mut puzzle.grid, &numbers(), alphabet, place);
            found.push(match placed {
                Ok(()) => Ok(puzzle),
                Err(fault) => Err(fault.of(puzzle.id)),
            });
            return;
        }
        found.extend(self.held.take().map(Ok));
        let grid = match self.shape.content {
            Content::Digit => grid_of_givens(&self.board, &numbers(), alphabet, place),
            Content::Marks => {
                let all = (1 << size) - 1;
                let open = |mask: &u32| match *mask {
                    0 => all,
                    mask => mask & all,
                };
                Ok(grid_of_masks(&self.board, &part.masks.iter().map(open).collect::<Vec<_>>()))
            }
        };
        match grid {
            Err(fault) => found.push(Err(fault.of(id))),
            Ok(grid) => {
                let puzzle = Puzzle { grid, id, line: part.line, alphabet };
                if self.section == "puzzle" {
                    self.held = Some(puzzle);
                } else {
                    found.push(Ok(puzzle));
                }
            }
        }
    }

    /// Something else begins: a grid under way lacks rows.
    fn break_off(&mut self, number: usize, found: &mut Vec<Item>) {
        let part = std::mem::take(&mut self.grid);
        if part.rows == 0 {
            return;
        }
        found.extend(self.held.take().map(Ok));
        let size = self.shape.size;
        let rows = if part.rows == 1 { "row" } else { "rows" };
        let message = format!("grid has {} {rows}, {size} are needed", part.rows);
        let fault = part.fault.unwrap_or(Fault::at(number.max(1), 0, message));
        found.push(Err(fault.of(self.title.take())));
    }
}

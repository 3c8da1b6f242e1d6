//! Houses drawn as letters: the same letter, the same house.

use std::collections::BTreeMap;

use crate::board::{Cell, Cells};
use crate::language::{Diagnostic, Span};

use super::{Draft, wrong};

/// A sign for cells that are in none of the houses drawn.
const NONE: char = '.';

impl Draft {
    /// Adds the houses of a picture: boxes, or with a name further houses.
    pub(super) fn picture(
        &mut self,
        name: Option<&str>,
        rows: &[(String, Span)],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let size = self.parts.size;
        if rows.len() != size {
            return Err(wrong(span, format!("the picture has {} rows, not {size}", rows.len())));
        }
        let mut drawn: BTreeMap<usize, (char, Vec<Cell>, Span)> = BTreeMap::new();
        let mut order: Vec<char> = Vec::new();
        for (row, (text, span)) in rows.iter().enumerate() {
            let count = text.chars().count();
            if count != size {
                return Err(wrong(*span, format!("this row has {count} signs, not {size}")));
            }
            for (column, sign) in text.chars().enumerate().filter(|(_, sign)| *sign != NONE) {
                let place = order.iter().position(|known| *known == sign).unwrap_or_else(|| {
                    order.push(sign);
                    order.len() - 1
                });
                let house = drawn.entry(place).or_insert((sign, Vec::new(), *span));
                house.1.push(Cell::at(row * size + column));
            }
        }
        for (sign, cells, span) in drawn.values() {
            if cells.len() != size {
                let message = format!("`{sign}` has {} cells, and a house has {size}", cells.len());
                return Err(wrong(*span, message));
            }
        }
        match name {
            Some(name) => {
                for (number, (_, cells, span)) in (1..).zip(drawn.into_values()) {
                    let name = format!("{} {number}", name.replace('_', " "));
                    self.house(true, name, cells.into_iter().collect(), span)?;
                }
            }
            None => self.drawn_boxes(drawn.into_values().collect(), span)?,
        }
        Ok(())
    }

    fn drawn_boxes(
        &mut self,
        drawn: Vec<(char, Vec<Cell>, Span)>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let size = self.parts.size;
        if !self.parts.boxes.is_empty() {
            return Err(wrong(span, "there are boxes already: a cell is in one box"));
        }
        if drawn.len() != size {
            let message = format!("the picture has {} boxes, not {size}", drawn.len());
            return Err(wrong(span, message));
        }
        for (sign, cells, span) in &drawn {
            if !is_whole(size, cells) {
                let found = wrong(*span, format!("box `{sign}` is in two parts"));
                return Err(found.help("say `regions NAME` for houses that may be scattered"));
            }
        }
        self.parts.boxes = drawn.into_iter().map(|(_, cells, _)| cells).collect();
        Ok(())
    }
}

/// Whether all cells can be reached from the first, side by side.
fn is_whole(size: usize, cells: &[Cell]) -> bool {
    let all: Cells = cells.iter().copied().collect();
    let mut reached = Cells::EMPTY;
    let mut waiting: Vec<Cell> = cells.first().copied().into_iter().collect();
    while let Some(cell) = waiting.pop() {
        if !all.contains(cell) || reached.contains(cell) {
            continue;
        }
        reached.insert(cell);
        let (row, column) = (cell.index() / size, cell.index() % size);
        let beside = [
            (row > 0).then(|| cell.index() - size),
            (row + 1 < size).then(|| cell.index() + size),
            (column > 0).then(|| cell.index() - 1),
            (column + 1 < size).then(|| cell.index() + 1),
        ];
        waiting.extend(beside.into_iter().flatten().map(Cell::at));
    }
    reached == all
}

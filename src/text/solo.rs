//! The game ids of Simon Tatham's Solo: `3x3:…`, `3x3x:…` with diagonals, `9j:…,…` with boxes of
//! any shape.
//!
//! ```text
//! grid    a number for a digit, a letter for a run of blanks (a is 1), _ between two numbers
//! boxes   the sides between neighbours in a row, row by row, then those between neighbours in a
//!         column, column by column; a letter is a run of sides that are open and then one that is
//!         a wall (_ for none before it), z is 25 open ones and no wall
//! ```

use std::sync::Arc;

use crate::board::{Cell, Grid, Layout, Named, Parts};

use super::alphabet::Alphabet;
use super::puzzle::{Fault, Item, Puzzle, grid_of_givens};

/// Whether a line looks like an id.
pub(super) fn is_id(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let Some(colon) = line.iter().position(|b| *b == b':') else { return false };
    let (head, tail) = (&line[..colon], &line[colon + 1..]);
    let digits = head.iter().take_while(|b| b.is_ascii_digit()).count();
    let is_size = matches!(head.get(digits), Some(b'x' | b'j')) && (1..=2).contains(&digits);
    let is_plain = |b: &u8| b.is_ascii_digit() || b.is_ascii_lowercase() || b"_,".contains(b);
    is_size
        && !tail.is_empty()
        && head.iter().all(u8::is_ascii_alphanumeric)
        && tail.iter().all(is_plain)
}

/// The puzzle of a line.
pub(super) fn line(number: usize, line: &[u8]) -> Item {
    let text = String::from_utf8_lossy(line);
    let (layout, numbers) = read(text.trim()).map_err(|message| Fault::at(number, 0, message))?;
    let grid = grid_of_givens(&layout, &numbers, Alphabet::Numbers, |_| (number, 0))?;
    Ok(Puzzle { grid, id: None, line: number, alphabet: Alphabet::One })
}

fn read(text: &str) -> Result<(Arc<Layout>, Vec<u8>), String> {
    let (head, tail) = text.split_once(':').ok_or("an id is `3x3:…`, `3x3x:…` or `9j:…,…`")?;
    let Kind { height, width, diagonals } = kind(head)?;
    let size = height * width;
    let (grid, walls) = match tail.split_once(',') {
        Some((grid, walls)) => (grid, Some(walls)),
        None => (tail, None),
    };
    let is_jigsaw = width == 1;
    let boxes = match (walls, is_jigsaw) {
        (Some(walls), true) => drawn(size, walls)?,
        (None, false) => Parts::boxed(height, width).boxes,
        (None, true) => return Err("the boxes are missing after a comma".to_string()),
        (Some(_), false) => return Err("boxes are drawn, but `j` is missing".to_string()),
    };
    let numbers = digits(size, grid)?;
    let mut parts = Parts { size, boxes, ..Parts::default() };
    if diagonals {
        parts.houses = both_diagonals(size);
    }
    parts.name = head.to_string();
    let layout = Layout::new(parts);
    let classic = Layout::classic(size).filter(|classic| **classic == layout);
    Ok((classic.unwrap_or_else(|| Arc::new(layout)), numbers))
}

struct Kind {
    height: usize,
    width: usize,
    diagonals: bool,
}

/// What stands before the colon: the size, then `x`, `j`, and how hard and how symmetric it is.
fn kind(head: &str) -> Result<Kind, String> {
    let number = |text: &str| -> Option<(usize, usize)> {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        Some((text[..end].parse().ok()?, end))
    };
    let wrong = || format!("`{head}` is no size such as 3x3, 2x3 or 9j");
    let (first, end) = number(head).ok_or_else(wrong)?;
    let mut rest = &head[end..];
    let (mut height, mut width, mut is_jigsaw) = (first, 1, false);
    if let Some((second, end)) = rest.strip_prefix('x').and_then(number) {
        (height, width) = (first, second);
        rest = &rest[1 + end..];
    }
    let mut diagonals = false;
    let mut signs = rest.chars();
    while let Some(sign) = signs.next() {
        match sign {
            'x' => diagonals = true,
            'j' => is_jigsaw = true,
            'k' => return Err("a puzzle with cages: these are not read".to_string()),
            'd' => drop(signs.next()),
            'r' | 'm' | 'a' | '0'..='9' => {}
            _ => return Err(wrong()),
        }
    }
    if is_jigsaw {
        (height, width) = (height.saturating_mul(width), 1);
    } else if width == 1 {
        return Err(wrong());
    }
    match (2..=25).contains(&height.saturating_mul(width)) {
        true => Ok(Kind { height, width, diagonals }),
        false => Err(format!("`{head}`: sizes go from 2 to 25")),
    }
}

fn both_diagonals(size: usize) -> Vec<Named> {
    let falling = (0..size).map(|i| Cell::at(i * size + i)).collect();
    let rising = (0..size).map(|i| Cell::at(i * size + size - 1 - i)).collect();
    let named = |name: &str, cells| Named { name: name.to_string(), cells };
    vec![named("the falling diagonal", falling), named("the rising diagonal", rising)]
}

fn digits(size: usize, text: &str) -> Result<Vec<u8>, String> {
    let cells = size * size;
    let mut found = Vec::with_capacity(cells);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            'a'..='z' => found.resize(found.len() + sign as usize - 'a' as usize + 1, 0),
            '_' => {}
            '0'..='9' => {
                let mut number = sign as usize - '0' as usize;
                while let Some(next) = signs.peek().and_then(|c| c.to_digit(10)) {
                    number = number.saturating_mul(10).saturating_add(next as usize);
                    signs.next();
                }
                if !(1..=size).contains(&number) {
                    return Err(format!("{number} is not 1-{size}"));
                }
                found.push(number as u8);
            }
            other => return Err(format!("'{}' is not of a grid", other.escape_debug())),
        }
        if found.len() > cells {
            return Err(format!("the grid has more than {cells} cells"));
        }
    }
    match found.len() == cells {
        true => Ok(found),
        false => Err(format!("the grid has {} cells, {cells} are needed", found.len())),
    }
}

/// The cells on both sides of each side that may be a wall, in the order of ids.
fn sides(size: usize) -> Vec<(usize, usize)> {
    let mut sides = Vec::with_capacity(2 * size * (size - 1));
    for row in 0..size {
        sides.extend((1..size).map(|c| (row * size + c - 1, row * size + c)));
    }
    for column in 0..size {
        sides.extend((1..size).map(|r| ((r - 1) * size + column, r * size + column)));
    }
    sides
}

/// The boxes that walls leave.
fn drawn(size: usize, text: &str) -> Result<Vec<Vec<Cell>>, String> {
    let sides = sides(size);
    let mut walls = vec![false; sides.len() + 1];
    let mut at = 0;
    for sign in text.chars() {
        let (open, wall) = match sign {
            '_' => (0, true),
            'z' => (25, false),
            'a'..='y' => (sign as usize - 'a' as usize + 1, true),
            other => return Err(format!("'{}' is not of boxes", other.escape_debug())),
        };
        at += open;
        if at > sides.len() {
            return Err("the boxes have more sides than the grid".to_string());
        }
        if wall {
            walls[at] = true;
            at += 1;
        }
    }
    // The last wall is the end of the list.
    if at != sides.len() + 1 && at != sides.len() {
        return Err(format!("the boxes have {at} sides, {} are needed", sides.len()));
    }
    let mut of: Vec<usize> = (0..size * size).collect();
    for _ in 0..size * size {
        let mut changed = false;
        for (&(a, b), _) in sides.iter().zip(&walls).filter(|(_, is_wall)| !**is_wall) {
            let least = of[a].min(of[b]);
            changed |= of[a] != of[b];
            (of[a], of[b]) = (least, least);
        }
        if !changed {
            break;
        }
    }
    let mut boxes: Vec<Vec<Cell>> = Vec::new();
    let mut first: Vec<usize> = Vec::new();
    for (cell, root) in of.iter().enumerate() {
        let place = first.iter().position(|known| known == root).unwrap_or_else(|| {
            first.push(*root);
            boxes.push(Vec::new());
            boxes.len() - 1
        });
        boxes[place].push(Cell::at(cell));
    }
    match boxes.len() == size && boxes.iter().all(|cells| cells.len() == size) {
        true => Ok(boxes),
        false => Err(format!("the boxes are not {size} with {size} cells each")),
    }
}

/// The id of a grid, if Solo has such a layout.
pub fn id(grid: &Grid) -> Option<String> {
    let layout = grid.layout();
    let (size, parts) = (layout.size(), layout.parts());
    let plain = Parts { houses: Vec::new(), ..parts.clone() };
    let has_diagonals = parts.houses.len() == 2 && {
        let (mine, wanted) = (&parts.houses, both_diagonals(size));
        let is_there = |named: &Named| mine.iter().any(|house| house.cells == named.cells);
        wanted.iter().all(is_there)
    };
    let is_solo = Layout::new(plain).is_plain() && layout.has_boxes();
    if !is_solo || !(parts.houses.is_empty() || has_diagonals) {
        return None;
    }
    let x = if has_diagonals { "x" } else { "" };
    let is_regular =
        Parts::boxed(layout.box_height(), size / layout.box_height()).boxes == parts.boxes;
    let numbers = written_digits(&grid.digits());
    Some(match is_regular {
        true => format!("{}x{}{x}:{numbers}", layout.box_height(), layout.box_width()),
        false => format!("{size}j{x}:{numbers},{}", written_boxes(layout)),
    })
}

fn written_digits(numbers: &[u8]) -> String {
    let mut out = String::new();
    let mut blanks = 0;
    let mut last_is_digit = false;
    let flush = |out: &mut String, blanks: &mut usize| {
        while *blanks > 0 {
            let run = (*blanks).min(26);
            out.push((b'a' + run as u8 - 1) as char);
            *blanks -= run;
        }
    };
    for &number in numbers {
        if number == 0 {
            blanks += 1;
            last_is_digit = false;
            continue;
        }
        flush(&mut out, &mut blanks);
        if last_is_digit {
            out.push('_');
        }
        out += &number.to_string();
        last_is_digit = true;
    }
    flush(&mut out, &mut blanks);
    out
}

fn written_boxes(layout: &Layout) -> String {
    let mut out = String::new();
    let mut open = 0;
    let of = |cell: usize| layout.box_of(Cell::at(cell));
    let walls = sides(layout.size()).into_iter().map(|(a, b)| of(a) != of(b));
    for is_wall in walls.chain([true]) {
        if !is_wall {
            open += 1;
            if open == 25 {
                out.push('z');
                open = 0;
            }
            continue;
        }
        out.push(if open == 0 { '_' } else { (b'a' + open as u8 - 1) as char });
        open = 0;
    }
    out
}

//! Any bytes as a puzzle file: what is read makes sense, and comes back when it is written.

use dokulog::text::{self, Alphabet, Detection, Form, Hint, Item, Puzzle, Reader};

/// Reads the bytes, in one go and in two; what holds of every grid that comes of it.
pub fn puzzles(bytes: &[u8]) {
    let Ok(detection) = text::detect(bytes, true, Hint::default()) else { return };
    let items = in_blocks(&detection, bytes, 0);
    for puzzle in items.iter().flatten() {
        let grid = &puzzle.grid;
        assert!(grid.given().within(&grid.placed()), "givens are placed");
        for cell in grid.placed() {
            assert_eq!(grid.candidates(cell).len(), 1, "{cell:?} is placed");
        }
    }
    if let Some(Ok(puzzle)) = items.first() {
        let forms =
            [Form::Rows, Form::Line, Form::Separated, Form::Prolog, Form::Marks, Form::Cube];
        comes_back(puzzle, forms[bytes.len() % forms.len()]);
    }
    let half = detection.whole_units(&bytes[..bytes.len() / 2]);
    assert!(half == 0 || in_blocks(&detection, bytes, half) == items, "blocks do not show");
}

/// A grid that is written in a form is read again as it was. Larger grids than 9×9 may use signs
/// that mean something else when they are alone, so of these only the length is looked at.
fn comes_back(puzzle: &Puzzle, form: Form) {
    let grid = &puzzle.grid;
    let mut written = Vec::new();
    text::write(grid, form, puzzle.alphabet, &mut written);
    assert!(written.len() > grid.layout().cell_count(), "every cell is written");
    let shows_candidates = matches!(form, Form::Marks | Form::Cube);
    let is_plain = grid.layout().size() <= 9 && puzzle.alphabet == Alphabet::One;
    if !is_plain || (shows_candidates && grid.hole().is_some()) {
        return;
    }
    let again = text::read(&written, Hint { from: Some(form), ..Hint::default() });
    let context = || format!("as {form}:\n{}", String::from_utf8_lossy(&written));
    let again = again.unwrap_or_else(|fault| panic!("{fault:?} {}", context()));
    let [Ok(again)] = again.as_slice() else { panic!("{again:?} {}", context()) };
    if shows_candidates {
        assert!(again.grid.planes() == grid.planes(), "{}", context());
    } else {
        assert_eq!(again.grid.digits(), grid.digits(), "{}", context());
    }
}

/// A file in two blocks, as the commands read it; or in one, if the first is empty.
fn in_blocks(detection: &Detection, bytes: &[u8], cut: usize) -> Vec<Item> {
    let mut found = Vec::new();
    let mut reader = Reader::new(detection, 1);
    reader.block(&bytes[..cut], &mut found);
    if detection.form.is_line_by_line() {
        // Another reader may go on: every line stands for itself.
        reader = Reader::new(detection, reader.next_line());
    }
    reader.block(&bytes[cut..], &mut found);
    reader.finish(&mut found);
    found
}

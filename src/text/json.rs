//! One JSON object a line, as `--to json` writes them.

use serde_json::Value;

use super::alphabet::{Alphabet, size_of_cube, size_of_square};
use super::form::Form;
use super::lines::Lines;
use super::puzzle::{Fault, Item};

/// The members that hold the state, the fullest first.
const STATE: [&str; 7] = ["candidates", "p1", "puzzle", "givens", "grid", "sudoku", "quizzes"];

/// What a line says.
pub(super) fn line(number: usize, line: &[u8]) -> Item {
    let value: Value = serde_json::from_slice(line).map_err(|error| {
        let column = if error.column() > 0 { error.column() } else { 1 };
        Fault::at(number, column, "not a JSON object")
    })?;
    let id = match value.get("id") {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Null) | None => None,
        Some(other) => Some(other.to_string()),
    };
    let state = STATE.iter().find_map(|name| value.get(name).and_then(Value::as_str));
    let Some(state) = state else {
        let message = "object has no text member `puzzle`, `givens`, `p1` or `candidates`";
        return Err(Fault::at(number, 0, message).of(id));
    };
    let lines = match (size_of_square(state.len()), size_of_cube(state.len())) {
        (Some(size), _) => Lines::new(Form::Line, size, alphabet(size, state)),
        (None, Some(size)) => Lines::new(Form::Cube, size, alphabet(size, state)),
        _ => {
            let message = format!("puzzle has {} cells, 81 are needed", state.chars().count());
            return Err(Fault::at(number, 0, message).of(id));
        }
    };
    let signs = state.as_bytes();
    let start = line.windows(signs.len()).position(|part| part == signs).unwrap_or(0);
    lines.signs(number, start, signs, id)
}

fn alphabet(size: usize, signs: &str) -> Alphabet {
    let mut counts = [0; 256];
    signs.bytes().for_each(|b| counts[b as usize] += 1);
    Alphabet::of_signs(size, &counts)
}

//! Puzzles in and out: detection, readers, writers.
//!
//! [`detect`] looks at the beginning of a file and says which [`Form`] it has; a [`Reader`] then
//! takes the file piece by piece, so that long lists never stand in memory; [`read`] does both
//! for a text that does. Nothing here opens a file.

mod alphabet;
mod binary;
mod boards;
mod csv;
mod detect;
mod fast;
mod form;
mod frame;
mod json;
pub mod library;
mod lines;
mod marks;
mod measure;
mod prolog;
mod puzzle;
mod reader;
mod rows;
mod solo;
mod thousands;
mod visible;
mod write;
mod xml;

pub use alphabet::Alphabet;
pub use boards::{Boards, Wanted};
pub use csv::no_formula;
pub use detect::{Detection, Hint, detect};
pub use fast::FastLines;
pub use form::{FORMS, Form};
pub use puzzle::{Fault, Item, Puzzle};
pub use reader::{Reader, read};
pub use solo::id as solo_id;
pub use thousands::thousands;
pub use visible::{escape, visible, visible_line};
pub use write::write;

//! What happened and why: values, matches, steps, outcomes; explanations; replay.

mod step;
mod derivation;
mod words;
pub mod json;
mod statement;
mod sentence;
mod marks;
mod story;
mod picture;
mod page;
mod chart;
mod listing;
mod branch;
mod grounds;
pub mod record;
mod rating;
mod replay;

pub use crate::meaning::{Bindings, Value};
pub use branch::{Branch, needed, suppositions};
pub use chart::{Bar, svg_chart, text_chart};
pub use derivation::Derivation;
pub use grounds::{Grounds, holds};
pub use listing::{counted, listing, outcome};
pub use marks::{Link, Marks};
pub use page::{Heading, page};
pub use picture::{Caption, FOR_PAGES, Picture};
pub use rating::{Grade, Rating};
pub use replay::{Replay, Search};
pub use sentence::{Account, Speaker};
pub use statement::{Meeting, meeting};
pub use step::{Changes, Conclusion, Match, Outcome, Report, Step, Trace};
pub use story::{Story, ToldStep};
pub use words::{Language, Notation, Words, digit_named};

//! Is this rule sound? A proof, or a puzzle where it goes wrong.

pub mod trial;

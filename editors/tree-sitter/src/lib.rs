//! The language of dokulog's rule files, for programs that use tree-sitter.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_dokulog() -> *const ();
}

// What the parser that is linked in calls itself.
/// The language.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_dokulog) };
/// What is coloured how.
pub const HIGHLIGHTS: &str = include_str!("../queries/highlights.scm");

//! The helpers that can be called, by name.

use std::collections::HashMap;

use crate::language::diagnostic::Span;

/// A helper's name, how many arguments it has, and where that was first said.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub name: String,
    pub arity: usize,
    /// Its first head as written: `bivalue(C, X, Y)`.
    pub usage: String,
    pub span: Span,
    /// Whether the user's files define it.
    pub user: bool,
}

/// The helpers that can be called.
#[derive(Default)]
pub(super) struct Helpers {
    pub signatures: Vec<Signature>,
    by_name: HashMap<(bool, String), usize>,
}

impl Helpers {
    /// Adds a helper.
    pub(super) fn add(&mut self, signature: Signature) -> usize {
        let number = self.signatures.len();
        self.by_name.insert((signature.user, signature.name.clone()), number);
        self.signatures.push(signature);
        number
    }
    /// How a helper is called in messages.
    pub(super) fn title(&self, helper: usize) -> String {
        format!("helper {}", self.signatures[helper].name)
    }
    /// The helper defined on this side: in the user's files, or among the bundled ones.
    pub(super) fn defined(&self, name: &str, user: bool) -> Option<usize> {
        self.by_name.get(&(user, name.to_string())).copied()
    }
    /// The helper that a call means: the user's own first, where the user calls.
    pub(super) fn called(&self, name: &str, user: bool) -> Option<usize> {
        let own = if user { self.defined(name, true) } else { None };
        own.or_else(|| self.defined(name, false))
    }
}

//! Why a helper holds: the clause, its variables, and the helpers it rests on in turn.

use crate::language::PredicateId;

use crate::meaning::{Bindings, Value};

/// One derivation of `helper(arguments)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derivation {
    /// Which helper.
    pub predicate: PredicateId,
    /// Its arguments.
    pub arguments: Vec<Value>,
    /// Which of its clauses.
    pub clause: usize,
    /// The clause's variables.
    pub bindings: Bindings,
    /// A derivation for each helper called in the clause's body (not under `not` or `forall`), in the
    /// order of the body.
    pub premises: Vec<Derivation>,
}

impl Derivation {
    /// This derivation and all it rests on, premises before what rests on them.
    pub fn all(&self) -> Vec<&Derivation> {
        let mut all: Vec<&Derivation> = self.premises.iter().flat_map(Derivation::all).collect();
        all.push(self);
        all
    }
}

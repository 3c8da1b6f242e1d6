//! Values that depend on the state: sets and numbers made of the solver's literals.

use crate::meaning::{self, Meant, Reading};

use super::encode::Encoder;

/// What a term stands for under a binding.
pub(super) type Symbol = Meant<Encoder>;
/// The variables of a clause while its bindings are walked through.
pub(super) type Environment = meaning::Environment<Encoder>;
/// The arguments of a helper, as far as they are given.
pub(super) type Given = meaning::Given<Encoder>;
/// Terms and conditions as propositions.
pub(super) type Propositions<'a> = Reading<'a, Encoder>;

//! Is this rule sound? Proved from the checked rule that also runs, or refuted by a puzzle.
//!
//! For every solved grid and every state that contains it, whenever a body holds in the state, the
//! head does not go against the grid. The negation of that is put to a SAT solver, one small
//! question for each binding of the rule's variables up to symmetry.
//!
//! ```text
//! sat       the solver, behind a trait            flatten   helpers unfolded
//! encode    grid and state as propositions        plan      the order of binding
//! symbol    values that depend on the state       symmetry  what need not be tried twice
//! stage     as little of the grid as will do      walk      all bindings
//! existence helpers under `not` and `forall`      inquiry   the questions
//! meaning   what recursive helpers mean           second    what two solutions look like
//! lemma     what helpers with sets mean
//! judge     the verdict                           counterexample   puzzles from models
//! defence   the rule is run before it is praised  subsets  choices up to symmetry
//! question  one clause asked about                budget    how much work there may be
//! general   proofs about every layout at once     truths    the meaning's truths as literals
//! everywhere  such a proof, in one way or another
//! wording   what helpers mean, in words
//! ```
//!
//! # Why "sound" is sound
//!
//! Let a rule lose a solution: there are a solved grid, a state that contains it, and a binding
//! under which the body holds in the state and a head goes against the grid. Then some question
//! has a model, and the verdict is not "sound", because:
//!
//! 1. *States are all there.* Whatever a state and a grid may be, the encoder's clauses hold of
//!    them: they say only what `encode` lists, and a placed cell is as the engine leaves it.
//!    (`proof_and_matcher_agree` fixes the state and compares every conclusion with the matcher.)
//! 2. *Conditions mean what they mean.* Terms and conditions are read by `crate::meaning`, as the
//!    naive evaluator reads them, over literals instead of truths; numbers are exact, in sums or in
//!    tables of their values. (The same test; `written_rules`.)
//! 3. *What cannot be said is left out or taken to be anything*, and that only weakens the body: a
//!    number without known bounds compares as it likes, a condition that is beyond the method is
//!    dropped. Under `not` and `forall` nothing is dropped: the whole condition is.
//!    (`tests/proof/number_by_recursion`, `choose_computed`.)
//! 4. *No binding is forgotten.* Rows of a band, bands, digits and so on may be exchanged, as the
//!    encoder and all words of the language are blind to it, unless a clause names cells or digits
//!    or compares their order, in itself or in a helper under `not`: named ones count as used, and
//!    order turns symmetry off. (`symmetry_changes_no_verdict`, `all_but_a_corner`.) A choice
//!    among lines and boxes at once is left to the solver, which may make any; and as long as a
//!    binding touches no row and no column, one digit may be taken to stand where `arrangement`
//!    has it, as rows and columns can be exchanged until it does. A walk that is given up counts
//!    as unknown, and unknown is "not proved".
//! 5. *Recursive helpers hold only with a row of their meaning*, by induction over derivations: all
//!    helpers that rest on each other grow together until no clause allows another row; where the
//!    work allowed ends first, any row may be. (`chain_of_chains`, `exchanged_pair`.)
//!    Helpers with sets and many clauses hold only where their lemmas are true: each lemma was put
//!    to every clause, for all bindings, and one that was not refuted there is none. Inside of a
//!    `forall`, a helper is taken by its meaning only where it is said to hold. (The broken sets
//!    and chains of `tests/proof`, `als_digit_too_many` first.)
//! 6. *A refutation is the solver's*, with clauses that hold of every solved grid and guards that
//!    only switch such clauses off. (`a_whole_grid_is_a_solved_grid`, `counting_counts`.)
//! 7. *Uniqueness* is used only as "this other grid is a solution too", and that grid is written
//!    out, with every way in which it could fail; where a layout asks for more than rows, columns
//!    and boxes, nothing is said. (`unique_rectangle_givens`, `bug_plus_one_naive`,
//!    `swapped_corners`.)
//!
//! Most rules are proved once for every layout with as many digits, by `general`, which has its own
//! argument; the others for the layout in question.
//!
//! Programs have mistakes, so a verdict is defended as well: a clause called sound is shown firing
//! on a state that the solver made and the evaluator confirmed, and the rule is run on random
//! states that contain a solution; a solution lost refutes it, whatever was proved.

mod agree;
mod budget;
mod counterexample;
mod cover;
mod defence;
mod encode;
mod everywhere;
mod existence;
mod flatten;
mod general;
mod judge;
mod lemma;
mod lint;
mod meaning;
mod plan;
mod sat;
mod second;
mod inquiry;
mod question;
mod show;
mod stage;
mod status;
mod subsets;
mod symbol;
mod symmetry;
pub mod trial;
mod truths;
mod verdict;
mod walk;
mod wording;

pub use agree::conclusions;
pub use budget::Budget;
pub use counterexample::{Counterexample, puzzle_of};
pub use cover::{Coverage, covers};
pub use everywhere::holds_everywhere;
pub use inquiry::Claim;
pub use judge::{Options, judge};
pub use lint::superfluous;
pub use show::{as_json, as_svg, as_text, sentence};
pub use status::{Glance, Glimpse, known, known_everywhere, paragraph, said};
pub use verdict::{Judgement, Verdict};

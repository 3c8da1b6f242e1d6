//! The satisfiability solver behind a small trait, so that another one is one `impl` away.

use std::ops::Not;

use batsat::{Callbacks, Solver as Batsat, SolverInterface, SolverOpts, lbool};

/// A literal: a variable or its negation. Variable 0 is the constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lit(u32);

impl Lit {
    /// What always holds.
    pub(super) const TRUE: Lit = Lit(0);
    /// What never holds.
    pub(super) const FALSE: Lit = Lit(1);

    /// A truth value as a literal.
    pub(super) fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }
    fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }
    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What a solver answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// There is a model; [`Solver::value`] reads it.
    Model,
    /// There is none; [`Solver::core`] says which assumptions are to blame.
    None,
    /// The budget ran out.
    Unknown,
}

/// An incremental solver: clauses are added for good, assumptions hold for one call.
pub(super) trait Solver {
    /// A new variable.
    fn variable(&mut self) -> Lit;
    /// A new variable that is tried true first.
    fn likely(&mut self) -> Lit;
    /// At least one of these holds.
    fn clause(&mut self, literals: &[Lit]);
    /// Looks for a model in which all assumptions hold, for at most so many conflicts, until about
    /// so many literals more are set.
    fn solve(&mut self, assumptions: &[Lit], conflicts: u64, propagations: u64) -> Answer;
    /// The value in the last model.
    fn value(&self, literal: Lit) -> bool;
    /// Assumptions that cannot hold together, after [`Answer::None`].
    fn core(&self) -> Vec<Lit>;
    /// Conflicts met so far, over all calls.
    fn conflicts(&self) -> u64;
    /// Literals set so far, over all calls.
    fn propagations(&self) -> u64;
}

/// Counts conflicts and says stop when a call has had its share.
#[derive(Default)]
struct Budget {
    conflicts: u64,
    limit: u64,
}

/// Conflicts between two looks at how many literals were set, where there are few variables; a
/// conflict sets at most all of them.
const MOST_AT_ONCE: u64 = 1_000;
const SET_AT_ONCE: u64 = 4_000_000;

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: batsat::clause::Kind) {
        if kind == batsat::clause::Kind::Learnt {
            self.conflicts += 1;
        }
    }
    fn stop(&self) -> bool {
        self.conflicts > self.limit
    }
}

/// The solver in use: pure Rust, incremental, with assumptions and cores.
pub(super) struct Bat {
    solver: Batsat<Budget>,
    buffer: Vec<batsat::Lit>,
    model: Vec<bool>,
}

fn outward(literal: Lit) -> batsat::Lit {
    let variable = batsat::Var::unsafe_from_idx(literal.variable() as u32);
    batsat::Lit::new(variable, !literal.is_negated())
}

fn inward(literal: batsat::Lit) -> Lit {
    Lit(literal.var().idx() << 1 | u32::from(!literal.sign()))
}

impl Bat {
    /// A solver that knows the constant and nothing else.
    pub(super) fn new() -> Bat {
        let solver = Batsat::new(SolverOpts::default(), Budget::default());
        let mut bat = Bat { solver, buffer: Vec::new(), model: Vec::new() };
        let constant = bat.variable();
        debug_assert_eq!(constant, Lit::TRUE);
        bat.clause(&[Lit::TRUE]);
        bat
    }
}

impl Default for Bat {
    fn default() -> Bat {
        Bat::new()
    }
}

impl Solver for Bat {
    fn variable(&mut self) -> Lit {
        Lit(self.solver.new_var_default().idx() << 1)
    }

    fn likely(&mut self) -> Lit {
        Lit(self.solver.new_var(lbool::TRUE, true).idx() << 1)
    }

    fn clause(&mut self, literals: &[Lit]) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend(literals.iter().map(|&l| outward(l)));
        self.solver.add_clause_reuse(&mut buffer);
        self.buffer = buffer;
    }

    fn solve(&mut self, assumptions: &[Lit], conflicts: u64, propagations: u64) -> Answer {
        let assumptions: Vec<_> = assumptions.iter().map(|&l| outward(l)).collect();
        let last = self.conflicts().saturating_add(conflicts);
        let enough = self.propagations().saturating_add(propagations);
        let at_once = SET_AT_ONCE / u64::from(self.solver.num_vars().max(1));
        let at_once = at_once.clamp(1, MOST_AT_ONCE);
        loop {
            self.solver.cb_mut().limit = last.min(self.conflicts() + at_once);
            let answer = self.solver.solve_limited(&assumptions);
            if answer == lbool::TRUE {
                self.model.clear();
                self.model.extend(self.solver.get_model().iter().map(|&v| v == lbool::TRUE));
                return Answer::Model;
            } else if answer == lbool::FALSE {
                return Answer::None;
            } else if self.conflicts() > last || self.propagations() >= enough {
                return Answer::Unknown;
            }
        }
    }

    fn value(&self, literal: Lit) -> bool {
        self.model.get(literal.variable()).copied().unwrap_or(false) != literal.is_negated()
    }

    fn core(&self) -> Vec<Lit> {
        self.solver.unsat_core().iter().map(|&l| !inward(l)).collect()
    }

    fn conflicts(&self) -> u64 {
        self.solver.cb().conflicts
    }

    fn propagations(&self) -> u64 {
        self.solver.num_propagations()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_forgotten_and_blamed() {
        let mut solver = Bat::new();
        let (a, b, c) = (solver.variable(), solver.variable(), solver.variable());
        solver.clause(&[!a, !b]);
        assert_eq!(solver.solve(&[c, a, b], 100, u64::MAX), Answer::None);
        let mut core = solver.core();
        core.sort();
        assert_eq!(core, [a, b]);
        assert_eq!(solver.solve(&[c, a], 100, u64::MAX), Answer::Model);
        assert!(solver.value(a) && !solver.value(b) && solver.value(!b) && solver.value(c));
    }

    #[test]
    fn a_hard_call_ends_with_its_budget() {
        // Nine pigeons, eight holes.
        let mut solver = Bat::new();
        let nest: Vec<Vec<Lit>> =
            (0..9).map(|_| (0..8).map(|_| solver.variable()).collect()).collect();
        for (i, pigeon) in nest.iter().enumerate() {
            solver.clause(pigeon);
            for other in &nest[..i] {
                for hole in 0..8 {
                    solver.clause(&[!pigeon[hole], !other[hole]]);
                }
            }
        }
        assert_eq!(solver.solve(&[], 50, u64::MAX), Answer::Unknown);
        assert_eq!(solver.solve(&[], u64::MAX, 1_000), Answer::Unknown);
        assert!(solver.propagations() < 500_000, "{}", solver.propagations());
    }
}

//! Which earlier steps a step rests on: the fewest without which its conditions fail.
//!
//! Every candidate that is gone was taken by some step, or by the givens. A step needs another
//! one if its conditions, with its own bindings, no longer hold once what that step took is put
//! back. So this works for any rule, and again without the engine.

use crate::board::{Cells, Grid};
use crate::language::{Clause, Literal, RuleSet};
use crate::meaning::Scene;

use super::derivation::Derivation;
use super::replay::Search;
use super::sentence::Account;
use super::story::Story;

/// For each step, the steps it rests on directly, and how many it rests on in all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grounds {
    /// Earlier steps needed, counted from 0, those that rest on fewest steps first.
    pub direct: Vec<Vec<usize>>,
    /// All earlier steps needed, in order.
    pub all: Vec<Vec<usize>>,
}

impl Grounds {
    /// The grounds of every step of a story.
    pub fn of(rules: &RuleSet, story: &Story, search: &dyn Search) -> Grounds {
        let mut grounds = Grounds { direct: Vec::new(), all: Vec::new() };
        for i in 0..story.steps.len() {
            let told_step = &story.steps[i];
            let direct = grounds.needed(rules, story, &told_step.account, i, search);
            grounds.all.push(grounds.closure(&direct));
            grounds.direct.push(direct);
        }
        grounds
    }

    /// The steps before step `now` that an account found there needs, cheapest first.
    pub fn needed(
        &self,
        rules: &RuleSet,
        story: &Story,
        account: &Account,
        now: usize,
        search: &dyn Search,
    ) -> Vec<usize> {
        let before = story.steps.get(now).map_or(&story.end, |told_step| &told_step.before);
        let mut grid = before.clone();
        let mut kept = Vec::new();
        // Put back the steps with the longest grounds first, so that short ones are kept.
        let mut order: Vec<usize> = (0..now).collect();
        order.sort_by_key(|&step| std::cmp::Reverse((self.all[step].len(), step)));
        for step in order {
            let restored = put_back(&grid, &story.steps[step].before, story.after(step));
            if holds(rules, account, &restored, search) {
                grid = restored;
            } else {
                kept.push(step);
            }
        }
        kept.reverse();
        kept
    }

    /// These steps and all that they rest on, in order.
    pub fn closure(&self, steps: &[usize]) -> Vec<usize> {
        let mut all: Vec<usize> = steps.to_vec();
        all.extend(steps.iter().flat_map(|&step| &self.all[step]));
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// `grid` with everything that one step changed undone.
fn put_back(grid: &Grid, before: &Grid, after: &Grid) -> Grid {
    let planes = before.planes().iter().zip(after.planes()).zip(grid.planes());
    let planes: Vec<Cells> =
        planes.map(|((before, after), now)| *now | (*before - *after)).collect();
    let placed = grid.placed() - (after.placed() - before.placed());
    Grid::from_parts(grid.layout().clone(), planes, placed, grid.given())
}

/// Whether every condition of an account holds on a state, with the account's own bindings.
///
/// A helper that is called holds by its derivation; one under `not` or `forall` has none, and
/// `search` tells. What cannot be told does not count as true.
pub fn holds(rules: &RuleSet, account: &Account, grid: &Grid, search: &dyn Search) -> bool {
    let instance = &rules.instances()[account.found.instance];
    let clause = &rules.rule(instance.rule).clauses[account.found.clause];
    let own = Scene::on(grid, instance.parameter, &account.found.bindings);
    body_holds(clause, own, grid, search)
        && account.premises.iter().flat_map(Derivation::all).all(|derivation| {
            let clause = &rules.predicate(derivation.predicate).clauses[derivation.clause];
            body_holds(clause, Scene::on(grid, None, &derivation.bindings), grid, search)
        })
}

fn body_holds(clause: &Clause, mut scene: Scene, grid: &Grid, search: &dyn Search) -> bool {
    let facts = search.on(grid);
    clause.body.iter().all(|goal| match &goal.literal {
        Literal::Call(..) => true,
        literal => scene.truth(literal, &*facts) == Some(true),
    })
}

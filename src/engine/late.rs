//! Which rules come late: the end of a run does not depend on the order, its time does.

use crate::language::{Clause, Kind, Origin};

use super::compiled::Engine;
use super::matcher::Matcher;
use super::plan::Plan;

/// Instances that wait until nothing else has anything to say.
#[derive(Default)]
pub(super) struct Late {
    /// Joins, if there are nets: a round of hypotheses costs less than a pattern of many sets, and
    /// mostly decides the rest.
    always: Vec<usize>,
    /// Besides, where nobody is told of passes: joins over sets, and those that cost much. Bundled
    /// rules stay true as candidates vanish, so the end is the same; a user's rule may not, and
    /// then none waits.
    untold: Vec<usize>,
}

impl Late {
    /// Of joins over sets the hardest first: mostly it finds what the others would, and all of them
    /// rest on the same sets. What costs much comes last, and the easiest of it first.
    pub(super) fn of(engine: &Engine, matcher: &Matcher) -> Late {
        let (rules, instances) = (engine.rules(), engine.rules().instances());
        let joins = || (0..instances.len()).rev().filter(|&i| engine.plans()[i] == Plan::Join);
        if (0..instances.len()).any(|i| matcher.is_net(i)) {
            let all: Vec<usize> = joins().filter(|&i| !matcher.is_net(i)).collect();
            return Late { always: all.clone(), untold: all };
        }
        let is_of = |i: usize, origin| rules.rule(instances[i].rule).origin == origin;
        if (0..instances.len()).any(|i| is_of(i, Origin::User)) {
            return Late::default();
        }
        let is_set = |kind: &Kind| matches!(kind, Kind::Cells | Kind::Digits | Kind::Houses);
        let over_sets = |i: usize| {
            let clauses = &rules.rule(instances[i].rule).clauses;
            let helpers = rules.reachable(clauses.iter().flat_map(Clause::calls));
            helpers.into_iter().any(|helper| rules.predicate(helper).kinds.iter().any(is_set))
        };
        let sets = joins().filter(|&i| !is_of(i, Origin::Advanced) && over_sets(i));
        let dear = joins().rev().filter(|&i| is_of(i, Origin::Advanced));
        Late { always: Vec::new(), untold: sets.chain(dear).collect() }
    }

    /// In a run of which somebody is told, or how many passes it took, or not.
    pub(super) fn where_told(&self, is_told: bool) -> &[usize] {
        if is_told { &self.always } else { &self.untold }
    }
}

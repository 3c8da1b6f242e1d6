//! Why a hypothesis leads to what is asked: its steps, cut to those that the goal rests on; and
//! the shortest reason among many.

use std::collections::HashMap;

use crate::board::Grid;
use crate::language::RuleSet;
use crate::meaning::{Hypothesis, Scene, Supposed};
use crate::trace::{Branch, Conclusion, Grounds, Match, Search as _, Story, ToldStep, needed};

use crate::engine::naive::Naive;
use crate::engine::{Deducer, tell};

use super::ends::{Effort, Ends};

/// Tells where hypotheses lead from one state.
pub(crate) struct Guide<'a> {
    state: &'a Grid,
    rules: RuleSet,
    deducer: &'a mut dyn Deducer,
    search: Naive,
    told: HashMap<Vec<Supposed>, (Story, Grounds)>,
}

impl<'a> Guide<'a> {
    /// With these rules, which the deducer runs.
    pub(crate) fn new(
        state: &'a Grid,
        rules: RuleSet,
        deducer: &'a mut dyn Deducer,
        budget: u64,
    ) -> Guide<'a> {
        let search = Naive::within(&rules, budget);
        Guide { state, rules, deducer, search, told: HashMap::new() }
    }

    fn told(&mut self, hypothesis: &Hypothesis) {
        let Guide { state, rules, deducer, search, told } = self;
        told.entry(hypothesis.supposed.clone()).or_insert_with(|| {
            let story = tell(rules, *deducer, &hypothesis.on(state));
            let grounds = Grounds::of(rules, &story, search);
            (story, grounds)
        });
    }

    /// All that follows from a hypothesis, and the steps of it that a goal rests on; nothing if it
    /// is not reached.
    fn needed(&mut self, hypothesis: &Hypothesis, goal: &Supposed) -> Option<(&Story, Vec<usize>)> {
        self.told(hypothesis);
        let (story, grounds) = &self.told[&hypothesis.supposed];
        Some((story, needed(story, grounds, goal, &self.search)?))
    }

    /// How many steps a goal rests on, those inside them included; nothing if it is not reached.
    pub(crate) fn length(&mut self, hypothesis: &Hypothesis, goal: &Supposed) -> Option<usize> {
        let (story, steps) = self.needed(hypothesis, goal)?;
        Some(steps.iter().map(|&step| 1 + story.steps[step].account.nested()).sum())
    }

    /// The steps that a goal rests on; nothing if it is not reached.
    pub(crate) fn branch(&mut self, hypothesis: &Hypothesis, goal: &Supposed) -> Option<Branch> {
        let (story, kept) = self.needed(hypothesis, goal)?;
        let found: Vec<Match> =
            kept.iter().map(|&step| story.steps[step].account.found.clone()).collect();
        let (steps, end) = (story.steps.clone(), story.end.clone());
        let whole = Branch { hypothesis: hypothesis.clone(), goal: goal.clone(), steps, end };
        let (steps, end) = self.again(hypothesis.on(self.state), found);
        let cut = Branch { steps, end, ..whole.clone() };
        Some(if cut.is_complete(&self.search) { cut } else { whole })
    }

    /// The same matches one after the other, each on the state that those before it lead to.
    fn again(&mut self, start: Grid, found: Vec<Match>) -> (Vec<ToldStep>, Grid) {
        let (mut steps, mut grid) = (Vec::new(), start);
        for found in found {
            let instance = &self.rules.instances()[found.instance];
            let clause = &self.rules.rule(instance.rule).clauses[found.clause];
            let scene = Scene::on(&grid, instance.parameter, &found.bindings);
            let facts = self.search.on(&grid);
            let conclusion = Conclusion::of(&clause.heads, &grid, &scene, &*facts);
            drop(facts);
            let Some(conclusion) = conclusion.filter(|conclusion| !conclusion.is_empty()) else {
                continue;
            };
            let before = grid.clone();
            conclusion.apply(&mut grid);
            let account = self.search.account(Match { conclusion, ..found }, &before);
            steps.push(ToldStep { before, account });
        }
        (steps, grid)
    }
}

/// An effective match, and what it takes to see it.
pub(crate) struct Reason {
    /// The match.
    pub found: Match,
    /// The passes that lead to all ends.
    pub passes: usize,
    /// What is supposed, branch by branch.
    pub hypotheses: Vec<Hypothesis>,
    /// What is asked of each of them.
    pub goal: Supposed,
}

/// Ways to a conclusion whose reasons are told and compared: of those that take the fewest passes.
pub(crate) const TRIES: usize = 8;

impl Reason {
    /// A match with its hypotheses and what is asked of each; nothing if some end is not known.
    pub(crate) fn of(
        found: Match,
        asked: Vec<(Hypothesis, Supposed)>,
        grid: &Grid,
        ends: &mut Ends,
    ) -> Option<Reason> {
        ends.at(grid);
        let goal = asked.first().map_or(Supposed::Contradiction, |(_, goal)| goal.clone());
        let hypotheses: Vec<Hypothesis> = asked.into_iter().map(|(one, _)| one).collect();
        let mut passes = 0;
        for hypothesis in &hypotheses {
            passes += ends.led(hypothesis, Effort::Full)?.passes;
        }
        Some(Reason { found, passes, hypotheses, goal })
    }

    /// Whether the rules under their hypotheses suppose themselves: the first will do then.
    pub(crate) fn are_deep(reasons: &[Reason], ends: &mut Ends) -> bool {
        let mut levels = reasons.iter().flat_map(|reason| &reason.hypotheses);
        levels.any(|hypothesis| ends.nature(hypothesis.below).0)
    }

    /// The first match in the order in which nets look: few branches, cells with few candidates.
    pub(crate) fn first(reasons: Vec<Reason>, grid: &Grid) -> Option<Match> {
        let key = |reason: &Reason| {
            let first = reason.hypotheses.first();
            (reason.hypotheses.len(), first.map_or(0, |first| first.choices(grid)))
        };
        reasons.into_iter().min_by_key(key).map(|reason| reason.found)
    }

    /// The match whose reason is the shortest once it is cut to what it rests on, the least of
    /// these. Telling takes long, so only so many ways are told, those with the fewest passes.
    pub(crate) fn shortest(
        mut reasons: Vec<Reason>,
        grid: &Grid,
        ends: &mut Ends,
        tries: usize,
    ) -> Option<Match> {
        ends.at(grid);
        reasons.sort_by(|a, b| {
            let key = |reason: &Reason| (reason.passes, reason.hypotheses.len());
            key(a).cmp(&key(b)).then_with(|| a.found.cmp(&b.found))
        });
        let mut ways: Vec<(usize, Vec<Hypothesis>)> = Vec::new();
        reasons.retain(|Reason { found, hypotheses, .. }| {
            let is = |(clause, way): &(usize, Vec<Hypothesis>)| {
                *clause == found.clause && way == hypotheses
            };
            let known = ways.iter().any(is);
            if !known && ways.len() < tries {
                ways.push((found.clause, hypotheses.clone()));
                return true;
            }
            known
        });
        if reasons.len() <= 1 {
            return reasons.pop().map(|reason| reason.found);
        }
        let first = reasons.first()?.found.clone();
        let below = reasons.first()?.hypotheses.first()?.below;
        let mut guide = ends.guide(grid, below)?;
        let mut best: Option<(usize, Match)> = None;
        for Reason { found, hypotheses, goal, .. } in reasons {
            if hypotheses.iter().any(|one| one.below != below) {
                continue;
            }
            let lengths = hypotheses.iter().map(|one| guide.length(one, &goal));
            let Some(length) = lengths.sum::<Option<usize>>() else { continue };
            if best.as_ref().is_none_or(|best| (length, &found) < (best.0, &best.1)) {
                best = Some((length, found));
            }
        }
        Some(best.map_or(first, |(_, found)| found))
    }
}

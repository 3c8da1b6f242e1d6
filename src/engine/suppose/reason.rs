//! Why a hypothesis leads to what is asked: its steps, cut to those that the goal rests on; and
//! the shortest reason among many.

use std::collections::HashMap;

use crate::board::Grid;
use crate::language::RuleSet;
use crate::meaning::{Hypothesis, Scene, Supposed};
use crate::trace::{Branch, Conclusion, Grounds, Match, Story, Telling, needed};

use crate::engine::naive::Naive;
use crate::engine::{Deducer, tell};

/// Tells where hypotheses lead from one state.
pub struct Guide<'a> {
    rules: RuleSet,
    deducer: &'a mut dyn Deducer,
    search: Naive,
    told: HashMap<Vec<Supposed>, (Story, Grounds)>,
}

impl<'a> Guide<'a> {
    /// With these rules, which the deducer runs.
    pub fn new(rules: RuleSet, deducer: &'a mut dyn Deducer, budget: u64) -> Guide<'a> {
        let search = Naive::within(&rules, budget);
        Guide { rules, deducer, search, told: HashMap::new() }
    }

    fn told(&mut self, grid: &Grid, hypothesis: &Hypothesis) -> &(Story, Grounds) {
        let Guide { rules, deducer, search, told } = self;
        told.entry(hypothesis.supposed.clone()).or_insert_with(|| {
            let story = tell(rules, *deducer, &hypothesis.on(grid));
            let grounds = Grounds::of(rules, &story, search);
            (story, grounds)
        })
    }

    /// How many steps a goal rests on, those inside them included; nothing if it is not reached.
    pub fn length(
        &mut self,
        grid: &Grid,
        hypothesis: &Hypothesis,
        goal: &Supposed,
    ) -> Option<usize> {
        let (story, grounds) = self.told(grid, hypothesis);
        let steps = needed(story, grounds, goal)?;
        Some(steps.iter().map(|&step| 1 + story.steps[step].proof.nested()).sum())
    }

    /// The steps that a goal rests on; nothing if it is not reached.
    pub fn branch(
        &mut self,
        grid: &Grid,
        hypothesis: &Hypothesis,
        goal: &Supposed,
    ) -> Option<Branch> {
        let (story, grounds) = self.told(grid, hypothesis);
        let kept = needed(story, grounds, goal)?;
        let found: Vec<Match> =
            kept.iter().map(|&step| story.steps[step].proof.found.clone()).collect();
        let (steps, end) = (story.steps.clone(), story.end.clone());
        let whole = Branch { hypothesis: hypothesis.clone(), goal: goal.clone(), steps, end };
        let (steps, end) = self.again(hypothesis.on(grid), found);
        let cut = Branch { steps, end, ..whole.clone() };
        Some(if cut.is_complete() { cut } else { whole })
    }

    /// The same matches one after the other, each on the state that those before it lead to.
    fn again(&mut self, start: Grid, found: Vec<Match>) -> (Vec<Telling>, Grid) {
        let (mut steps, mut grid) = (Vec::new(), start);
        for found in found {
            let instance = &self.rules.instances()[found.instance];
            let clause = &self.rules.rule(instance.rule).clauses[found.clause];
            let scene = Scene::on(&grid, instance.parameter, &found.bindings);
            let facts = crate::trace::Searched { search: Some(&self.search), grid: &grid };
            let conclusion = Conclusion::of(&clause.heads, &grid, &scene, &facts);
            let Some(conclusion) = conclusion.filter(|conclusion| !conclusion.is_empty()) else {
                continue;
            };
            let before = grid.clone();
            conclusion.apply(&mut grid);
            let proof = self.search.prove(Match { conclusion, ..found }, &before);
            steps.push(Telling { before, proof });
        }
        (steps, grid)
    }
}

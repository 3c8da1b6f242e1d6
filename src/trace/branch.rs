//! A hypothesis and the steps by which it leads to what is asked.

use crate::board::{Candidate, Cell, Cells, Digit, Grid};
use crate::language::{Clause, Literal};
use crate::meaning::{Hypothesis, Scene, Supposed};

use super::grounds::Grounds;
use super::replay::{Search, facts};
use super::step::Outcome;
use super::story::{Story, ToldStep};

/// Where a hypothesis leads: the steps that the goal rests on, and no others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// What is supposed. The rules of the steps are those under its level:
    /// [`crate::language::RuleSet::below`].
    pub hypothesis: Hypothesis,
    /// What is asked.
    pub goal: Supposed,
    /// The steps, the first from the state with the hypothesis.
    pub steps: Vec<ToldStep>,
    /// The state at the end.
    pub end: Grid,
}

impl Branch {
    /// How many steps there are, those of hypotheses inside it included.
    pub fn length(&self) -> usize {
        self.steps.iter().map(|told_step| 1 + told_step.account.nested()).sum()
    }

    /// Whether it ends where there is no solution.
    pub fn is_contradiction(&self) -> bool {
        let says = self.steps.last().is_some_and(|t| t.account.found.conclusion.contradiction);
        says || self.end.hole().is_some()
    }

    /// Whether it leads where it should.
    pub fn is_complete(&self, search: &dyn Search) -> bool {
        self.is_contradiction() || is_reached(&self.goal, &self.end, Some(search))
    }
}

/// Whether a goal holds on a state without a contradiction.
pub(super) fn is_reached(goal: &Supposed, end: &Grid, search: Option<&dyn Search>) -> bool {
    let facts = facts(search, end);
    goal.holds(end, |helper, arguments| facts.holds(helper, arguments)) == Some(true)
}

/// The hypotheses of a match, each with what is asked of it: those of the body, and of the members
/// that a `forall` in it goes through.
pub fn suppositions(clause: &Clause, scene: &Scene) -> Vec<(Hypothesis, Supposed)> {
    fn look(literal: &Literal, scene: &mut Scene, found: &mut Vec<(Hypothesis, Supposed)>) {
        match literal {
            Literal::Suppose(supposition) => found.extend(scene.supposition(supposition)),
            Literal::Forall(local, set, body) => {
                let before = scene.bound[local.index()];
                for member in scene.value(set).map(|set| set.members()).unwrap_or_default() {
                    scene.bound[local.index()] = Some(member);
                    body.iter().for_each(|literal| look(literal, scene, found));
                }
                scene.bound[local.index()] = before;
            }
            _ => {}
        }
    }
    let (mut scene, mut found) = (scene.clone(), Vec::new());
    clause.body.iter().for_each(|goal| look(&goal.literal, &mut scene, &mut found));
    found.dedup();
    found
}

/// The steps that a goal rests on, at the end of a story that reaches it: the fewest that are
/// found. Nothing if it is not reached.
pub fn needed(
    story: &Story,
    grounds: &Grounds,
    goal: &Supposed,
    search: &dyn Search,
) -> Option<Vec<usize>> {
    let weight = |steps: &Vec<usize>| -> usize {
        steps.iter().map(|&step| 1 + story.steps[step].account.nested()).sum()
    };
    let mut ways: Vec<Vec<Candidate>> = holes(&story.end);
    let reached = |end: &Grid| is_reached(goal, end, Some(search));
    let mut fact = None;
    match goal {
        _ if !reached(&story.end) => {}
        Supposed::Place(place) => {
            let others = story.start().candidates(place.cell).iter();
            let others = others.filter(|digit| *digit != place.digit);
            ways.push(others.map(|digit| Candidate { cell: place.cell, digit }).collect());
        }
        Supposed::Eliminate(cells, digits) => {
            let all = cells.iter().flat_map(|cell| digits.iter().map(move |d| (cell, d)));
            ways.push(all.map(|(cell, digit)| Candidate { cell, digit }).collect());
        }
        Supposed::Fact(..) => fact = Some(fewest(story, grounds, reached)),
        Supposed::Contradiction => {}
    }
    let steps = ways.iter().map(|gone| grounds.closure(&took(story, gone)));
    let steps = steps.chain(fact);
    let said = match story.outcome {
        Outcome::Contradiction { hole: None, .. } => story.steps.len().checked_sub(1),
        _ => None,
    };
    steps.chain(said.map(|last| grounds.closure(&[last]))).min_by_key(weight)
}

/// Steps without which a state is no longer reached, each tried once, the last first.
fn fewest(story: &Story, grounds: &Grounds, reached: impl Fn(&Grid) -> bool) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..story.steps.len()).collect();
    for step in (0..story.steps.len()).rev() {
        let others: Vec<usize> = kept.iter().copied().filter(|&other| other != step).collect();
        if grounds.closure(&others).contains(&step) {
            continue;
        }
        let mut end = story.start().clone();
        for &other in &others {
            story.steps[other].account.found.conclusion.apply(&mut end);
        }
        if reached(&end) {
            kept = others;
        }
    }
    kept
}

/// What must have gone for there to be a hole, for each hole of a state.
fn holes(end: &Grid) -> Vec<Vec<Candidate>> {
    let layout = end.layout();
    let cell = |cell: Cell| layout.digits().map(|digit| Candidate { cell, digit }).collect();
    let spots = |cells: Cells, digit: Digit| -> Vec<Candidate> {
        cells.iter().map(|cell| Candidate { cell, digit }).collect()
    };
    let empty = layout.all_cells().iter().filter(|&c| end.candidates(c).is_empty());
    let mut all: Vec<Vec<Candidate>> = empty.map(cell).collect();
    for house in layout.all_houses() {
        for digit in layout.digits().filter(|&digit| end.spots(digit, house).is_empty()) {
            all.push(spots(layout.cells(house), digit));
        }
    }
    all
}

/// The steps that took these candidates.
fn took(story: &Story, gone: &[Candidate]) -> Vec<usize> {
    let had = |grid: &Grid, candidate: &Candidate| grid.is_possible(*candidate);
    let takes = |&step: &usize| {
        let (before, after) = (&story.steps[step].before, story.after(step));
        gone.iter().any(|candidate| had(before, candidate) && !had(after, candidate))
    };
    (0..story.steps.len()).filter(takes).collect()
}

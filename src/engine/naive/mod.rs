//! The naive evaluator: what a rule means, by nested loops straight from the definition.
//!
//! ```text
//! order   which literal is used when
//! term    the value of a term
//! body    the loops
//! table   helpers, as least fixpoints
//! derive  why a helper holds
//! goal    helpers asked goal by goal, for one derivation
//! asked   helpers asked of a state, by whoever tells or checks steps
//! ```
//!
//! It is the judge of every faster way to run a rule, so it is kept plain.

mod asked;
mod body;
mod derive;
mod goal;
mod order;
mod table;
mod term;

use std::cell::RefCell;

use crate::board::Grid;
use crate::language::{Clause, Kind, LeftOut, RuleSet};
use crate::meaning::Scene;
use crate::trace::{
    Account, Bindings, Changes, Conclusion, Match, Outcome, Report, Step, Trace, Value,
    suppositions,
};

use super::compiled::Options;
use super::suppose::{Ends, Net, Reason, TRIES};
use super::{Deducer, Unfit};
pub(super) use asked::OnState;
use body::{Filled, Flow, Solver};
use goal::Goals;
pub(super) use goal::can_be_asked as can_go_on;
use order::order;
use table::Tables;
use term::{Environment, NaiveState};

/// Steps that suffice for every rule that people wait for.
pub const BUDGET: u64 = 100_000_000;

/// Runs rules by their definition, on any layout.
pub struct Naive {
    rules: RuleSet,
    budget: u64,
    asked: RefCell<Option<OnState>>,
    ends: RefCell<Ends>,
}

impl Naive {
    /// An evaluator for these rules.
    pub fn new(rules: &RuleSet) -> Naive {
        Naive::within(rules, u64::MAX)
    }

    /// An evaluator that takes at most so many steps to find the matches of a rule.
    pub fn within(rules: &RuleSet, budget: u64) -> Naive {
        Naive::with(rules, Options { budget, ..Options::default() })
    }

    /// An evaluator with the budget of these options; hypotheses run on their back ends.
    pub fn with(rules: &RuleSet, options: Options) -> Naive {
        let (rules, budget) = (rules.clone(), options.budget);
        let ends = RefCell::new(Ends::new(&rules, options));
        Naive { rules, budget, asked: RefCell::new(None), ends }
    }

    /// Another run begins.
    pub(super) fn begin(&mut self) {
        self.ends.get_mut().begin();
    }

    /// What hypotheses took so far.
    pub(super) fn supposed(&self) -> u64 {
        self.ends.borrow().spent()
    }

    /// The effective matches of a net, or some of them; the steps that took, and whether it was cut
    /// off.
    pub(super) fn reasons(
        &self,
        net: &Net,
        place: (usize, usize),
        grid: &Grid,
        found: &mut Vec<Reason>,
    ) -> (u64, bool) {
        let (ways, steps, is_cut_off) = self.ways(net, grid);
        let mut ends = self.ends.borrow_mut();
        net.reasons(ways, place, grid, &mut ends, found);
        (steps, is_cut_off || ends.is_cut_off())
    }

    /// The match with the shortest of the reasons, as far as so many ways are told.
    pub(super) fn shortest(&self, found: Vec<Reason>, grid: &Grid, tries: usize) -> Option<Match> {
        Reason::shortest(found, grid, &mut self.ends.borrow_mut(), tries)
    }

    /// The ways in which the other conditions of a net hold; the steps that took, and whether it
    /// was cut off.
    fn ways(&self, net: &Net, grid: &Grid) -> (Vec<Bindings>, u64, bool) {
        let state = NaiveState { grid, parameter: net.parameter(), ends: None };
        let mut tables = Tables::within(&self.rules, self.budget);
        let mut ways = Vec::new();
        let _ = each_solution(&self.rules, state, &net.rest, &mut tables, &mut |bound, _| {
            ways.push(all_bound(&net.rest, bound));
            Flow::Continue(())
        });
        (ways, self.budget - tables.left(), tables.is_cut_off())
    }

    /// What a net changes, or some of it; the steps that took, and whether it was cut off.
    pub(super) fn net(&self, net: &Net, grid: &Grid, changes: &mut Changes) -> (u64, bool) {
        if net.is_plain() {
            let mut ends = self.ends.borrow_mut();
            net.refutations(grid, &mut ends, changes);
            return (0, ends.is_cut_off());
        }
        let (ways, steps, is_cut_off) = self.ways(net, grid);
        let mut ends = self.ends.borrow_mut();
        net.changes(ways, grid, &mut ends, changes);
        (steps, is_cut_off || ends.is_cut_off())
    }

    /// The matches of an instance in their order, and whether the budget ran out before all were
    /// found.
    pub fn matches_within_budget(&self, instance: usize, grid: &Grid) -> (Vec<Match>, bool) {
        let (found, is_cut_off, _) = self.look(instance, grid);
        (found, is_cut_off)
    }

    /// The same, and the steps that it took.
    pub fn look(&self, instance: usize, grid: &Grid) -> (Vec<Match>, bool, u64) {
        if self.is_run(instance, grid) {
            self.look_anyway(instance, grid)
        } else {
            (Vec::new(), false, 0)
        }
    }

    /// The same, also where the rule is not for the layout: to show why it is not.
    pub fn look_anyway(&self, instance: usize, grid: &Grid) -> (Vec<Match>, bool, u64) {
        let mut tables = Tables::within(&self.rules, self.budget);
        let mut found = Vec::new();
        self.each_anyway(instance, grid, &mut tables, &mut |m| found.push(m));
        sort(&mut found);
        let is_cut_off = tables.is_cut_off() || self.ends.borrow().is_cut_off();
        (found, is_cut_off, self.budget - tables.left())
    }

    /// Literals called and heads produced to find all matches of an instance.
    pub fn inferences(&self, instance: usize, grid: &Grid) -> u64 {
        let mut tables = Tables::within(&self.rules, self.budget);
        self.each_match(instance, grid, &mut tables, &mut |_| {});
        tables.calls()
    }

    /// A match on this state with the derivations of the helpers that it rests on.
    pub fn account(&self, found: Match, grid: &Grid) -> Account {
        derive::account(&self.rules, grid, found, &self.ends)
    }

    /// Whether an instance is for the layout of a grid.
    fn is_run(&self, instance: usize, grid: &Grid) -> bool {
        Unfit::find(&self.rules, &self.rules.instances()[instance], grid.layout()).is_none()
    }

    /// Calls `see` with every match of an instance, in no particular order; none where it is not
    /// for the layout.
    fn each_match(
        &self,
        instance: usize,
        grid: &Grid,
        tables: &mut Tables,
        see: &mut dyn FnMut(Match),
    ) {
        if self.is_run(instance, grid) {
            self.each_anyway(instance, grid, tables, see);
        }
    }

    /// The same, whatever it is for.
    fn each_anyway(
        &self,
        instance: usize,
        grid: &Grid,
        tables: &mut Tables,
        see: &mut dyn FnMut(Match),
    ) {
        let chosen = &self.rules.instances()[instance];
        for (c, clause) in self.rules.rule(chosen.rule).clauses.iter().enumerate() {
            let state = NaiveState { grid, parameter: chosen.parameter, ends: Some(&self.ends) };
            let _ = each_solution(&self.rules, state, clause, tables, &mut |bound, tables| {
                let mut scene = Scene::open(grid, chosen.parameter, 0);
                scene.bound.clone_from(bound);
                let filled = Filled { rules: &self.rules, state, tables };
                let conclusion = Conclusion::of(&clause.heads, grid, &scene, &filled);
                // Without a conclusion the work was cut off: all variables of a head are bound.
                let Some(conclusion) = conclusion else { return Flow::Break(()) };
                see(Match { instance, clause: c, bindings: all_bound(clause, bound), conclusion });
                Flow::Continue(())
            });
        }
    }

    /// The matches of an instance that go on from those of what was left of its clauses, in their
    /// order; whether the budget ran out, and the steps that it took.
    pub(super) fn go_on(
        &self,
        instance: usize,
        grid: &Grid,
        begun: &[(Match, Option<&LeftOut>)],
    ) -> (Vec<Match>, bool, u64) {
        let parameter = self.rules.instances()[instance].parameter;
        let goals = Goals::new(&self.rules, grid, self.budget);
        let state = NaiveState { grid, parameter, ends: Some(&self.ends) };
        let mut found: Vec<Match> = Vec::new();
        for (first, left_out) in begun {
            let Some(LeftOut { variables, rest }) = left_out else {
                found.push(first.clone());
                continue;
            };
            let mut bound: Environment = vec![None; rest.variables.len()];
            for (v, value) in variables.iter().zip(&first.bindings) {
                bound[v.index()] = Some(*value).filter(|_| !rest.is_local(*v));
            }
            let steps = order(rest, bound.iter().map(Option::is_some).collect(), None);
            let kinds: Vec<Kind> = rest.variables.iter().map(|v| v.kind).collect();
            let solver = Solver { state, calls: &goals, kinds: &kinds };
            let flow = solver.solve(&steps, &mut bound, &mut |bound| {
                let mut scene = Scene::open(grid, parameter, 0);
                scene.bound.clone_from(bound);
                let conclusion = Conclusion::of(&rest.heads, grid, &scene, &goals);
                let Some(conclusion) = conclusion else { return Flow::Break(()) };
                let bindings = all_bound(rest, bound);
                found.push(Match { instance, clause: first.clause, bindings, conclusion });
                Flow::Continue(())
            });
            if flow.is_break() {
                break;
            }
        }
        sort(&mut found);
        (found, goals.left() == 0, self.budget - goals.left())
    }

    /// The matches of an instance that change something, least first.
    fn effective(&self, instance: usize, grid: &Grid, tables: &mut Tables) -> Vec<Match> {
        let mut found = Vec::new();
        self.each_match(instance, grid, tables, &mut |m| {
            if !m.conclusion.is_empty() {
                found.push(m);
            }
        });
        sort(&mut found);
        found
    }

    /// Of the matches of a rule that supposes, the one with the shortest reason comes first.
    pub(super) fn shortest_first(&self, found: &mut [Match], grid: &Grid) {
        let Some(Match { instance, .. }) = found.first() else { return };
        let chosen = &self.rules.instances()[*instance];
        let rule = self.rules.rule(chosen.rule);
        if !rule.supposes() {
            return;
        }
        let mut ends = self.ends.borrow_mut();
        ends.begin();
        let reason = |found: &Match| {
            let scene = Scene::on(grid, chosen.parameter, &found.bindings);
            let asked = suppositions(&rule.clauses[found.clause], &scene);
            Reason::of(found.clone(), asked, grid, &mut ends)
        };
        let reasons = found.iter().map(reason).collect::<Option<Vec<Reason>>>();
        let shortest = reasons.and_then(|all| match Reason::are_deep(&all, &mut ends) {
            true => Reason::first(all, grid),
            false => Reason::shortest(all, grid, &mut ends, TRIES),
        });
        if let Some(place) = shortest.and_then(|best| found.iter().position(|m| *m == best)) {
            found[..=place].rotate_right(1);
        }
    }

    /// The matches that change something, of the easiest instance that has any; least first.
    pub fn easiest(&self, grid: &Grid) -> Vec<Match> {
        self.easiest_but(grid, &mut Vec::new())
    }

    /// The same without these instances, to which those are added that the budget is too small for.
    pub fn easiest_but(&self, grid: &Grid, cut_off: &mut Vec<usize>) -> Vec<Match> {
        let mut tables = Tables::within(&self.rules, self.budget);
        for instance in 0..self.rules.instances().len() {
            if cut_off.contains(&instance) {
                continue;
            }
            tables.allow(self.budget);
            let mut found = self.effective(instance, grid, &mut tables);
            if tables.is_cut_off() || self.ends.borrow().is_cut_off() {
                cut_off.push(instance);
                tables = Tables::within(&self.rules, self.budget);
                self.ends.borrow_mut().begin();
            }
            if !found.is_empty() {
                self.shortest_first(&mut found, grid);
                return found;
            }
        }
        Vec::new()
    }

    fn run(&self, grid: &mut Grid, mut trace: Option<&mut Trace>) -> Report {
        let mut report = Report {
            outcome: Outcome::Stuck,
            firings: vec![0; self.rules.instances().len()],
            inferences: None,
            cut_off: Vec::new(),
        };
        let mut steps = 0;
        let mut last = None;
        loop {
            if let Some(hole) = grid.hole() {
                let outcome =
                    Outcome::Contradiction { hole: Some(hole), instance: last, step: steps };
                return Report { outcome, ..report };
            }
            if grid.is_solved() {
                return Report { outcome: Outcome::Solved, ..report };
            }
            let mut tables = Tables::new(&self.rules);
            let found = (0..self.rules.instances().len()).find_map(|instance| {
                let found = self.effective(instance, grid, &mut tables);
                (!found.is_empty()).then_some(found)
            });
            let Some(mut found) = found else { return report };
            if trace.is_some() {
                self.shortest_first(&mut found, grid);
            }
            steps += 1;
            last = Some(found[0].instance);
            report.firings[found[0].instance] += 1;
            let is_contradiction = match &mut trace {
                Some(trace) => {
                    let Match { instance, clause, conclusion, .. } = found[0].clone();
                    conclusion.apply(grid);
                    let is_contradiction = conclusion.contradiction;
                    trace.push(Step { instance, clause, conclusion });
                    is_contradiction
                }
                None => {
                    let mut changes = Changes::default();
                    found.iter().for_each(|found| changes.add(&found.conclusion));
                    changes.apply(grid);
                    changes.contradiction
                }
            };
            if is_contradiction {
                let outcome = Outcome::Contradiction { hole: None, instance: last, step: steps };
                return Report { outcome, ..report };
            }
        }
    }
}

impl Deducer for Naive {
    fn fixpoint(&mut self, grid: &mut Grid) -> Report {
        self.run(grid, None)
    }

    fn trace(&mut self, grid: &mut Grid) -> (Report, Trace) {
        let mut trace = Trace::new();
        let report = self.run(grid, Some(&mut trace));
        (report, trace)
    }

    fn next_step(&mut self, grid: &Grid) -> Option<Step> {
        if grid.hole().is_some() {
            return None;
        }
        let Match { instance, clause, conclusion, .. } = self.easiest(grid).into_iter().next()?;
        Some(Step { instance, clause, conclusion })
    }

    fn matches(&mut self, instance: usize, grid: &Grid) -> Vec<Match> {
        self.matches_within_budget(instance, grid).0
    }

    fn witness(&mut self, step: &Step, before: &Grid) -> Option<Match> {
        let mut found: Vec<Match> = Vec::new();
        let mut tables = Tables::within(&self.rules, self.budget);
        self.each_match(step.instance, before, &mut tables, &mut |m| {
            if m.clause == step.clause && m.conclusion == step.conclusion {
                found.push(m);
            }
        });
        sort(&mut found);
        self.shortest_first(&mut found, before);
        found.into_iter().next()
    }
}

/// Calls `found` with each solution of a clause's body on a state until it says no or so many
/// steps were taken; the heads are not looked at. Whether the work was cut off.
pub fn each_answer(
    clause: &Clause,
    rules: &RuleSet,
    grid: &Grid,
    budget: u64,
    found: &mut dyn FnMut(Bindings) -> bool,
) -> bool {
    let state = NaiveState { grid, parameter: None, ends: None };
    let mut tables = Tables::within(rules, budget);
    let _ = each_solution(rules, state, clause, &mut tables, &mut |bound, _| {
        if found(all_bound(clause, bound)) { Flow::Continue(()) } else { Flow::Break(()) }
    });
    tables.is_cut_off()
}

/// Whether a body can be asked at all: see [`order::gives_all`].
pub(super) fn can_be_asked(clause: &Clause) -> bool {
    order::gives_all(clause)
}

/// The first solutions of a clause's body on a state, at most `limit`, as far as so many steps
/// lead.
pub fn answers(
    clause: &Clause,
    rules: &RuleSet,
    grid: &Grid,
    budget: u64,
    limit: usize,
) -> Vec<Bindings> {
    let mut found = Vec::new();
    if limit > 0 {
        each_answer(clause, rules, grid, budget, &mut |bindings| {
            found.push(bindings);
            found.len() < limit
        });
    }
    found
}

/// Matches in their canonical order: clause, conclusion, bindings.
fn sort(matches: &mut [Match]) {
    matches.sort_by(|a, b| {
        (a.clause, &a.conclusion, &a.bindings).cmp(&(b.clause, &b.conclusion, &b.bindings))
    });
}

fn each_solution(
    rules: &RuleSet,
    state: NaiveState,
    clause: &Clause,
    tables: &mut Tables,
    found: &mut dyn FnMut(&Environment, &Tables) -> Flow,
) -> Flow {
    if !state.has_all_named_by(clause) {
        return Flow::Continue(());
    }
    let steps = order(clause, vec![false; clause.variables.len()], None);
    tables.prepare(rules, state.grid, clause, &steps);
    let kinds: Vec<Kind> = clause.variables.iter().map(|v| v.kind).collect();
    let tables = &*tables;
    let filled = Filled { rules, state, tables };
    let solver = Solver { state, calls: &filled, kinds: &kinds };
    solver.solve(&steps, &mut vec![None; kinds.len()], &mut |bound| {
        found(bound, tables)?;
        tables.spend(table::MATCH)
    })
}

/// The bindings of a solution. A generator's own variable has no value; an empty one stands in.
fn all_bound(clause: &Clause, bound: &Environment) -> Bindings {
    let values = bound.iter().zip(&clause.variables);
    values.map(|(value, variable)| value.unwrap_or_else(|| Value::nothing(variable.kind))).collect()
}

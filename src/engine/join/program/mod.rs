//! The plans of a rule set for one layout and one width, and the state that they run on.

mod declare;

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use crate::board::{Candidate, Digits, Grid, Layout};
use crate::language::{Clause, Kind, Literal, RuleSet, Var};
use crate::trace::{Bindings, Conclusion, Value};

use super::bits::{Bits, Width};
use super::code::Scene;
use super::plan::{BuiltIn, JoinPlan, Purpose, Sizes};
use super::run::{Least, MOST_MATCHES, MOST_PARTS, Matches, Nobody, Runner, Sink, Wanted};
use super::table::{Circle, IndexId, KeyHasher, Scratch, TableId, Tables};
use super::view::{Statics, View};
use super::{Effects, Ended};

/// Which plan.
type Key = (usize, usize, Purpose);

/// Plans, tables and state.
#[derive(Clone)]
pub(super) struct Program<W: Width> {
    rules: Arc<RuleSet>,
    layout: Arc<Layout>,
    statics: Arc<Statics<W>>,
    view: View<W>,
    tables: Tables<W>,
    sizes: Sizes,
    plans: HashMap<u64, Option<Arc<Vec<JoinPlan>>>, BuildHasherDefault<KeyHasher>>,
    /// By helper: how it is filled, together with those it calls in a circle.
    circles: Vec<Option<Option<Arc<Circle>>>>,
    /// By helper, where it was asked: the columns that can change places, if any.
    symmetric: Vec<Option<Option<(usize, usize)>>>,
    scratch: Scratch<W>,
    /// What every plan may try, and the tables that ran out of it on this state, or rest on one
    /// that did.
    pub budget: u64,
    cut_off: Vec<TableId>,
    /// What all of them have tried.
    pub spent: u64,
    /// Whether to count, and what was counted while filling tables.
    counting: bool,
    inferences: u64,
}

/// The parts of each match as one.
fn unite(mut parts: Vec<(Bindings, Conclusion)>) -> Vec<(Bindings, Conclusion)> {
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    let mut whole: Vec<(Bindings, Conclusion)> = Vec::new();
    for (bindings, part) in parts {
        match whole.last_mut().filter(|(last, _)| *last == bindings) {
            Some((_, conclusion)) => {
                conclusion.places.extend(part.places);
                conclusion.eliminates.extend(part.eliminates);
                conclusion.contradiction |= part.contradiction;
            }
            None => whole.push((bindings, part)),
        }
    }
    whole.iter_mut().for_each(|(_, conclusion)| conclusion.finish());
    whole
}

impl<W: Width> Program<W> {
    pub(super) fn new(rules: Arc<RuleSet>, layout: Arc<Layout>) -> Self {
        let statics = Statics::new(&layout);
        let helpers = rules.predicates().len();
        let count = helpers + BuiltIn::ALL.len();
        let tables = Tables::new(helpers, count);
        let sizes = Sizes {
            cells: layout.cell_count() as f64,
            digits: layout.size() as f64,
            houses: layout.houses_and_groups().len() as f64,
            peers: layout.peers(crate::board::Cell::at(0)).len() as f64,
            tables: vec![None; count + 2 * helpers],
            helpers,
            parts: tables.parts,
            known: HashSet::new(),
        };
        Program {
            view: View::new(&statics),
            statics: Arc::new(statics),
            tables,
            sizes,
            plans: HashMap::default(),
            circles: vec![None; helpers],
            symmetric: vec![None; helpers],
            scratch: Scratch::new(),
            budget: u64::MAX,
            cut_off: Vec::new(),
            spent: 0,
            counting: false,
            inferences: 0,
            rules,
            layout,
        }
    }

    pub(super) fn load(&mut self, grid: &Grid) {
        self.view.load(grid);
        self.tables.forget();
        self.cut_off.clear();
    }

    pub(super) fn ask(&mut self, digits: Digits) {
        self.view.asked = W::Small::EMPTY;
        digits.iter().for_each(|digit| self.view.asked.insert(digit.index()));
    }

    /// The state loaded, as a grid: conclusions are told in its terms.
    fn grid(&self) -> Grid {
        let planes = self.view.planes.iter().map(|&plane| W::widen(plane)).collect();
        let placed = self.layout.all_cells() - W::widen(self.view.unsolved);
        Grid::from_parts(self.layout.clone(), planes, placed, W::widen(self.view.given))
    }

    /// Makes everything that a plan looks at.
    fn prepare(&mut self, plan: &JoinPlan) {
        self.view.ensure(&self.statics, &plan.needs);
        for &index in &plan.indices {
            if !self.tables.is_built(index) {
                self.build(index);
            }
        }
        if plan.needs.of_sets {
            self.tables.keep_of_sets(self.statics.digits);
        }
    }

    #[cold]
    fn build(&mut self, index: IndexId) {
        let table = self.tables.columns(index).table;
        self.fill(table);
        self.tables.build(index);
    }

    fn fill(&mut self, table: TableId) {
        let table = self.tables.parts.whole(table);
        if self.tables.is_filled(table) {
            return;
        }
        let circle = self.circles[table].clone().flatten();
        let circle = circle.expect("a plan looks only into tables that can be filled");
        let mut is_whole = true;
        for other in circle.tables_read(self.counting) {
            self.fill(other);
            is_whole &= !self.cut_off.contains(&other);
        }
        for plan in circle.plans(self.counting) {
            self.view.ensure(&self.statics, &plan.needs);
            for &index in &plan.indices {
                let other = self.tables.whole_of(index);
                if !circle.fills(other) {
                    self.fill(other);
                    is_whole &= !self.cut_off.contains(&other);
                }
                self.tables.build(index);
            }
        }
        let scene = (&*self.statics, &self.view);
        let (budget, counting) = (self.budget, self.counting);
        let (inferences, left) =
            circle.fill(scene, &mut self.tables, &mut self.scratch, budget, counting);
        self.inferences += inferences;
        if left == 0 || !is_whole {
            self.cut_off.extend(&circle.tables);
        }
        self.spent += budget - left;
    }

    fn run<S: Sink<W>>(&mut self, plan: &JoinPlan, sink: S) -> Ended {
        self.prepare(plan);
        // What is not in a table that was cut off may hold all the same.
        let is_cut_off = |&index: &IndexId| self.cut_off.contains(&self.tables.whole_of(index));
        if !self.cut_off.is_empty() && plan.indices.iter().any(is_cut_off) {
            return Ended::CutOff;
        }
        let scene = &Scene { statics: &self.statics, view: &self.view, tables: &self.tables };
        let mut runner =
            Runner::<W, S, false>::new(scene, &mut self.scratch.memory, plan, sink, self.budget);
        runner.run(0);
        self.spent += self.budget - runner.budget;
        if runner.cut_off { Ended::CutOff } else { Ended::Complete }
    }

    /// How much more than a few steps it may take to test a binding: generators go through sets.
    pub(super) fn weight(&self) -> u64 {
        fn depth(literal: &Literal) -> u32 {
            match literal {
                Literal::Not(inner) => depth(inner),
                literal => {
                    let inside = literal.inside().iter().map(depth).max().unwrap_or(0);
                    loops(literal) + inside
                }
            }
        }
        // The variables of a call come together, from a table.
        fn loops(literal: &Literal) -> u32 {
            let calls = || literal.inside().iter().filter(|l| matches!(l, Literal::Call(..)));
            let is_free = |v: &Var| !calls().any(|call| call.mentions(*v));
            let free = literal.locals().iter().filter(|v| is_free(v)).count();
            let bound = literal.locals().len() - free;
            (free + calls().count().min(bound)) as u32
        }
        let rules = &self.rules;
        let mut fired: Vec<_> = rules.instances().iter().map(|instance| instance.rule).collect();
        fired.dedup();
        let of_rules = || fired.iter().flat_map(|&rule| &rules.rule(rule).clauses);
        let called = rules.reachable(of_rules().flat_map(Clause::calls));
        let of_helpers = called.into_iter().flat_map(|helper| &rules.predicate(helper).clauses);
        let goals = of_rules().chain(of_helpers).flat_map(|clause| &clause.body);
        let depth = goals.map(|goal| depth(&goal.literal)).max().unwrap_or(0);
        ((self.statics.cells as u64).saturating_pow(depth) / 100).max(1)
    }

    /// Whether there is a plan for what is asked of a clause.
    pub(super) fn supports(&mut self, instance: usize, clause: usize, purpose: Purpose) -> bool {
        let purpose = match purpose {
            Purpose::Conclusions if self.has_for(instance, clause) => Purpose::Matches,
            purpose => purpose,
        };
        self.plans((instance, clause, purpose)).is_some()
    }

    pub(super) fn effects(
        &mut self,
        instance: usize,
        clause: usize,
        effects: &mut Effects,
    ) -> Ended {
        let Some(plans) = self.plans((instance, clause, Purpose::Effects)) else {
            return Ended::Complete;
        };
        let mut ended = Ended::Complete;
        for plan in plans.iter() {
            ended = ended.and(self.run(plan, &mut *effects));
        }
        ended
    }

    /// If it is known that each conclusion only takes candidates away, and which is the first of all
    /// these, the least conclusion begins with it.
    pub(super) fn least(
        &mut self,
        instance: usize,
        clause: usize,
        first: Option<Candidate>,
    ) -> (Option<Conclusion>, Ended) {
        let (mut least, mut ended) = (None, Ended::Complete);
        if self.has_for(instance, clause) {
            let wanted = first.map_or(Wanted::Effective, Wanted::Taking);
            let (found, ended) = self.matches(instance, clause, wanted);
            return (found.into_iter().next().map(|(_, conclusion)| conclusion), ended);
        }
        let plans = self.plans((instance, clause, Purpose::Conclusions));
        let Some(plans) = plans else { return (None, ended) };
        let grid = self.grid();
        for plan in plans.iter() {
            ended = ended.and(self.run(plan, Least { grid: &grid, least: &mut least }));
        }
        (least, ended)
    }

    /// The matches wanted with their conclusions, sorted. If it is cut off, some; none where a match
    /// has parts.
    pub(super) fn matches(
        &mut self,
        instance: usize,
        clause: usize,
        wanted: Wanted,
    ) -> (Vec<(Bindings, Conclusion)>, Ended) {
        let has_for = self.has_for(instance, clause);
        let asked = wanted.first().filter(|_| has_for).and_then(|candidate| {
            let plans = self.plans((instance, clause, Purpose::Taking))?;
            Some((candidate, plans))
        });
        let (asked, plans) = match asked {
            Some((candidate, plans)) => (Some(candidate), Some(plans)),
            None => (None, self.plans((instance, clause, Purpose::Matches))),
        };
        let (mut found, mut ended) = (Vec::new(), Ended::Complete);
        let Some(plans) = plans else { return (found, ended) };
        let grid = self.grid();
        let rules = self.rules.clone();
        let rule = rules.rule(rules.instances()[instance].rule);
        let most = if has_for { MOST_PARTS } else { MOST_MATCHES };
        let clause = &rule.clauses[clause];
        let kinds: Vec<Kind> = clause.variables.iter().map(|v| v.kind).collect();
        for plan in plans.iter() {
            let (grid, kinds) = (&grid, &kinds[..]);
            // The parts of a match with `for` have conclusions of their own.
            let wanted = if has_for { wanted.of_parts() } else { wanted };
            if let Some(Candidate { cell, digit }) = asked {
                let places = &plan.places[kinds.len()..];
                for (place, value) in places.iter().zip([cell.index(), digit.index()]) {
                    let place = place.expect("what is given is no generator's");
                    self.scratch.memory.frame.slots[place as usize].set(value as u32);
                }
            }
            let sink = Matches { grid, kinds, plan, wanted, most, found: &mut found };
            ended = ended.and(self.run(plan, sink));
        }
        if found.len() >= most {
            ended = Ended::CutOff;
        }
        for (v, &kind) in kinds.iter().enumerate() {
            if clause.is_local(Var(v as u16)) {
                found.iter_mut().for_each(|(bindings, _)| bindings[v] = Value::nothing(kind));
            }
        }
        if has_for {
            // Which matches lack a part is not known, and one without all its parts is none.
            if ended == Ended::CutOff {
                found.clear();
            }
            found = unite(found);
            found.retain(|(_, conclusion)| wanted.is(conclusion));
        }
        found.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
        found.dedup();
        (found, ended)
    }

    /// Whether a clause has a conclusion with `for`.
    fn has_for(&self, instance: usize, clause: usize) -> bool {
        let rule = self.rules.rule(self.rules.instances()[instance].rule);
        rule.clauses[clause].heads.iter().any(|head| head.generator().is_some())
    }

    pub(super) fn inferences(&mut self, instance: usize, clause: usize) -> u64 {
        let Some(plans) = self.plans((instance, clause, Purpose::Matches)) else { return 0 };
        (self.counting, self.inferences) = (true, 0);
        for plan in plans.iter() {
            self.prepare(plan);
            let scene = &Scene { statics: &self.statics, view: &self.view, tables: &self.tables };
            let mut runner = Runner::<W, Nobody, true>::new(
                scene,
                &mut self.scratch.memory,
                plan,
                Nobody,
                self.budget,
            );
            runner.run(0);
            self.inferences += runner.inferences;
        }
        self.counting = false;
        self.inferences
    }

    pub(super) fn describe(&mut self, instance: usize, clause: usize) -> Vec<String> {
        let Some(plans) = self.plans((instance, clause, Purpose::Effects)) else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        for plan in plans.iter() {
            for (depth, words) in plan.words.iter().enumerate() {
                lines.push(format!("{:indent$}{words}", "", indent = 2 * depth.min(20)));
            }
            lines.push(format!("about {} bindings tried", plan.cost.round()));
        }
        lines
    }
}

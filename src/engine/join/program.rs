//! The plans of a rule set for one layout and one width, and the state that they run on.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use crate::board::{Grid, Layout};
use crate::language::{Clause, Head, Kind, Literal, PredicateId, RuleSet};
use crate::trace::{Bindings, Conclusion};

use super::bits::Width;
use super::body::{Body, bodies, is_table, literal_mask};
use super::chain::{Chain, Link};
use super::closure::{Circle, Fresh, Room};
use super::expression::Scene;
use super::plan::{Plan, Purpose, Setting, plan};
use super::run::{Runner, Sink};
use super::sink::{Least, Matches, Nobody};
use super::sizes::{Sizes, TableSize, sample};
use super::table::{IndexId, KeyHasher, TableId, Tables};
use super::view::{Statics, View};
use super::{Effects, Ended};

/// Which plan.
type Key = (usize, usize, Purpose);

/// Bindings tried to fill a table on the sample board.
const MOST_MEASURED: u64 = 200_000;

/// Plans, tables and state.
#[derive(Clone)]
pub(super) struct Program<W: Width> {
    rules: Arc<RuleSet>,
    layout: Arc<Layout>,
    statics: Arc<Statics<W>>,
    view: View<W>,
    tables: Tables<W>,
    sizes: Sizes,
    plans: HashMap<u64, Option<Arc<Vec<Plan>>>, BuildHasherDefault<KeyHasher>>,
    /// By helper: how it is filled, together with those it calls in a circle.
    circles: Vec<Option<Option<Arc<Circle>>>>,
    room: Room<W>,
    /// What every plan may try, and whether a table ran out of it on this state.
    pub budget: u64,
    table_cut_off: bool,
    /// Whether to count, and what was counted while filling tables.
    counting: bool,
    inferences: u64,
}

impl<W: Width> Program<W> {
    pub fn new(rules: Arc<RuleSet>, layout: Arc<Layout>) -> Self {
        let statics = Statics::new(&layout);
        let rectangle = rules.predicates().len();
        let sizes = Sizes {
            cells: layout.cell_count() as f64,
            digits: layout.size() as f64,
            houses: layout.house_count() as f64,
            peers: layout.peers(crate::board::Cell::at(0)).len() as f64,
            tables: vec![None; rectangle + 1],
            rectangle,
            known: HashSet::new(),
        };
        Program {
            view: View::new(&statics),
            statics: Arc::new(statics),
            tables: Tables::new(rectangle + 1),
            sizes,
            plans: HashMap::default(),
            circles: vec![None; rectangle],
            room: Room::new(),
            budget: u64::MAX,
            table_cut_off: false,
            counting: false,
            inferences: 0,
            rules,
            layout,
        }
    }

    pub fn load(&mut self, grid: &Grid) {
        self.view.load(grid);
        self.tables.forget();
        self.table_cut_off = false;
    }

    /// The state loaded, as a grid: conclusions are told in its terms.
    fn grid(&self) -> Grid {
        let planes = self.view.planes.iter().map(|&plane| W::widen(plane)).collect();
        let placed = self.layout.all_cells() - W::widen(self.view.unsolved);
        Grid::from_parts(self.layout.clone(), planes, placed, W::widen(self.view.given))
    }

    fn size_of(&self, kind: Kind) -> usize {
        match kind {
            Kind::Cell => self.statics.cells,
            Kind::Digit => self.statics.digits,
            _ => self.statics.houses,
        }
    }

    /// The plans of a clause: one for each body that it unfolds to.
    pub fn plans(&mut self, key: Key) -> Option<Arc<Vec<Plan>>> {
        let (instance, clause, purpose) = key;
        let packed = (instance as u64) << 32 | (clause as u64) << 2 | purpose as u64;
        if let Some(known) = self.plans.get(&packed) {
            return known.clone();
        }
        let made = self.make_plans(key).map(Arc::new);
        self.plans.insert(packed, made.clone());
        made
    }

    fn make_plans(&mut self, (instance, clause, purpose): Key) -> Option<Vec<Plan>> {
        let rules = self.rules.clone();
        let chosen = &rules.instances()[instance];
        let clause = &rules.rule(chosen.rule).clauses[clause];
        if !self.has_all_named_by(clause) {
            return Some(Vec::new());
        }
        let bodies = bodies(&rules, clause, chosen.parameter)?;
        let own = clause.variables.len();
        bodies.iter().map(|body| self.plan(body, own, purpose, 0)).collect()
    }

    /// A clause about `r9c9` or the digit 9 has no match on a board of four rows.
    fn has_all_named_by(&self, clause: &Clause) -> bool {
        super::body::names_only_up_to(clause, self.layout.size())
    }

    /// The plan of a body, once the tables it looks into are declared.
    fn plan(&mut self, body: &Body, own: usize, purpose: Purpose, given: u64) -> Option<Plan> {
        for predicate in super::body::calls(body) {
            // Those of the circle that is being made are known already.
            if self.sizes.tables[predicate.0 as usize].is_none() {
                self.declare(predicate)?;
            } else if let Some(None) = self.circles[predicate.0 as usize] {
                return None;
            }
        }
        if super::body::names_rectangle(body) {
            self.declare_rectangle();
        }
        let setting = Setting {
            tables: &mut self.tables,
            sizes: &self.sizes,
            size: self.statics.digits,
            rectangle: self.sizes.rectangle,
        };
        let plan = plan(setting, body, own, purpose, given)?;
        for &index in &plan.indices {
            let (columns, value) = self.tables.columns(index);
            let key = columns.iter().fold(0u8, |key, &(column, _)| key | 1 << column);
            self.sizes.known.insert((self.tables.table_of(index), key, value as u8));
        }
        Some(plan)
    }

    /// Makes the table of a helper known, with a plan to fill it.
    fn declare(&mut self, predicate: PredicateId) -> Option<()> {
        let place = predicate.0 as usize;
        if let Some(known) = &self.circles[place] {
            return known.as_ref().map(|_| ());
        }
        let rules = self.rules.clone();
        let circle = super::closure::circle(&rules, predicate);
        for &p in &circle {
            let kinds = &rules.predicate(p).kinds;
            if !is_table(&rules, p) {
                circle.iter().for_each(|p| self.circles[p.0 as usize] = Some(None));
                return None;
            }
            let sizes = kinds.iter().map(|&kind| self.size_of(kind)).collect();
            self.tables.declare(p.0 as usize, kinds, sizes);
            // Until it is filled on the sample board.
            self.sizes.tables[p.0 as usize] = Some(TableSize::Guess(4.0 * self.sizes.cells));
        }
        let made = self.make_circle(&rules, &circle).map(Arc::new);
        for p in &circle {
            self.circles[p.0 as usize] = Some(made.clone());
        }
        made.as_ref()?;
        self.measure(&circle);
        Some(())
    }

    /// Fills tables on the sample board, to know how large they get.
    fn measure(&mut self, predicates: &[PredicateId]) {
        let filled: Vec<TableId> = (0..self.rules.predicates().len())
            .filter(|&table| self.sizes.tables[table].is_some() && self.tables.is_filled(table))
            .collect();
        let mut view = View::new(&self.statics);
        view.load(&sample(&self.layout));
        std::mem::swap(&mut self.view, &mut view);
        let (budget, counting, cut_off) = (self.budget, self.counting, self.table_cut_off);
        (self.budget, self.counting) = (MOST_MEASURED, false);
        self.tables.forget();
        for p in predicates {
            let table = p.0 as usize;
            self.fill(table);
            let (tuples, arity) = self.tables.tuples(table);
            self.sizes.tables[table] = Some(TableSize::of(tuples, arity));
        }
        self.tables.forget();
        std::mem::swap(&mut self.view, &mut view);
        self.budget = budget;
        // The state loaded had its tables; they have been paid for.
        filled.into_iter().for_each(|table| self.fill(table));
        (self.counting, self.table_cut_off) = (counting, cut_off);
    }

    fn make_circle(&mut self, rules: &RuleSet, circle: &[PredicateId]) -> Option<Circle> {
        let tables = circle.iter().map(|p| p.0 as usize).collect();
        let mut made = Circle { tables, ..Circle::default() };
        let is_inner =
            |literal: &Literal| matches!(literal, Literal::Call(p, _) if circle.contains(p));
        let mut recursive = Vec::new();
        for &p in circle {
            for clause in &rules.predicate(p).clauses {
                if !self.has_all_named_by(clause) {
                    continue;
                }
                for body in bodies(rules, clause, None)? {
                    if body.literals.iter().any(&is_inner) {
                        recursive.push((p, body));
                    } else {
                        // A call in a circle under `forall` is beyond this.
                        if super::body::calls(&body).any(|callee| circle.contains(&callee)) {
                            return None;
                        }
                        let plan = self.plan(&body, clause.variables.len(), Purpose::Tuples, 0)?;
                        made.starts.push((p.0 as usize, plan));
                    }
                }
            }
        }
        made.chain = chain_of(rules, circle, &recursive, &is_inner);
        for (p, body) in recursive {
            for place in (0..body.literals.len()).filter(|&i| is_inner(&body.literals[i])) {
                let mut rest = body.clone();
                let call = rest.literals.remove(place);
                let given = literal_mask(&call);
                let Literal::Call(callee, terms) = call else { return None };
                // All variables keep their places, so that the call's can be set.
                let all = rest.kinds.len();
                let plan = self.plan(&rest, all, Purpose::Tuples, given)?;
                let fresh =
                    Fresh::new(callee.0 as usize, p.0 as usize, &terms, plan, self.statics.digits)?;
                made.steps.push(fresh);
            }
        }
        Some(made)
    }

    fn declare_rectangle(&mut self) {
        let table = self.sizes.rectangle;
        if self.sizes.tables[table].is_some() {
            return;
        }
        let cells = self.statics.cells;
        self.tables.declare(table, &[Kind::Cell; 4], vec![cells; 4]);
        let tuples = super::closure::rectangles(&self.layout);
        for tuple in tuples.chunks_exact(4) {
            self.tables.insert(table, tuple);
        }
        self.tables.set_filled(table, true);
        self.sizes.tables[table] = Some(TableSize::of(&tuples, 4));
    }

    /// Makes everything that a plan looks at.
    fn prepare(&mut self, plan: &Plan) {
        self.view.ensure(&self.statics, &plan.needs);
        for &index in &plan.indices {
            if !self.tables.is_built(index) {
                self.build(index);
            }
        }
    }

    #[cold]
    fn build(&mut self, index: IndexId) {
        let table = self.tables.table_of(index);
        self.fill(table);
        self.tables.build(index);
    }

    fn fill(&mut self, table: TableId) {
        if self.tables.is_filled(table) {
            return;
        }
        let circle = self.circles[table].clone().flatten();
        let circle = circle.expect("a plan looks only into tables that can be filled");
        for plan in circle.plans() {
            self.view.ensure(&self.statics, &plan.needs);
            for &index in &plan.indices {
                let other = self.tables.table_of(index);
                if !circle.fills(other) {
                    self.fill(other);
                }
                self.tables.build(index);
            }
        }
        let scene = (&*self.statics, &self.view);
        let (budget, counting) = (self.budget, self.counting);
        let (inferences, cut_off) =
            circle.fill(scene, &mut self.tables, &mut self.room, budget, counting);
        self.inferences += inferences;
        self.table_cut_off |= cut_off;
    }

    fn run<S: Sink<W>>(&mut self, plan: &Plan, sink: S) -> Ended {
        self.prepare(plan);
        // What is not in a table that was cut off may hold all the same.
        if self.table_cut_off {
            return Ended::CutOff;
        }
        let scene = Scene { statics: &self.statics, view: &self.view, tables: &self.tables };
        let mut runner =
            Runner::<W, S, false>::new(scene, &mut self.room.desk, plan, sink, self.budget);
        runner.run(0);
        if runner.cut_off { Ended::CutOff } else { Ended::Complete }
    }

    /// How much more than a few steps it may take to test a binding: `forall` goes through sets.
    pub fn weight(&self) -> u64 {
        fn depth(literal: &Literal) -> u32 {
            match literal {
                Literal::Not(inner) => depth(inner),
                Literal::Forall(_, _, body) => 1 + body.iter().map(depth).max().unwrap_or(0),
                _ => 0,
            }
        }
        let of_rules = self.rules.rules().iter().flat_map(|rule| &rule.clauses);
        let of_helpers = self.rules.predicates().iter().flat_map(|helper| &helper.clauses);
        let goals = of_rules.chain(of_helpers).flat_map(|clause| &clause.body);
        let depth = goals.map(|goal| depth(&goal.literal)).max().unwrap_or(0);
        ((self.statics.cells as u64).saturating_pow(depth) / 100).max(1)
    }

    pub fn effects(&mut self, instance: usize, clause: usize, effects: &mut Effects) -> Ended {
        let Some(plans) = self.plans((instance, clause, Purpose::Effects)) else {
            return Ended::Complete;
        };
        let mut ended = Ended::Complete;
        for plan in plans.iter() {
            ended = ended.and(self.run(plan, &mut *effects));
        }
        ended
    }

    pub fn least(&mut self, instance: usize, clause: usize) -> (Option<Conclusion>, Ended) {
        let plans = self.plans((instance, clause, Purpose::Conclusions));
        let (mut least, mut ended) = (None, Ended::Complete);
        let Some(plans) = plans else { return (None, ended) };
        let grid = self.grid();
        for plan in plans.iter() {
            ended = ended.and(self.run(plan, Least { grid: &grid, least: &mut least }));
        }
        (least, ended)
    }

    /// Every match with its conclusion, sorted; or those with the conclusion wanted.
    pub fn matches(
        &mut self,
        instance: usize,
        clause: usize,
        wanted: Option<&Conclusion>,
    ) -> (Vec<(Bindings, Conclusion)>, Ended) {
        let plans = self.plans((instance, clause, Purpose::Matches));
        let (mut found, mut ended) = (Vec::new(), Ended::Complete);
        let Some(plans) = plans else { return (found, ended) };
        let grid = self.grid();
        let rules = self.rules.clone();
        let rule = rules.rule(rules.instances()[instance].rule);
        let kinds: Vec<Kind> = rule.clauses[clause].variables.iter().map(|v| v.kind).collect();
        for plan in plans.iter() {
            let (grid, kinds) = (&grid, &kinds[..]);
            let sink = Matches { grid, kinds, plan, wanted, found: &mut found };
            ended = ended.and(self.run(plan, sink));
        }
        found.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
        found.dedup();
        (found, ended)
    }

    pub fn inferences(&mut self, instance: usize, clause: usize) -> u64 {
        let Some(plans) = self.plans((instance, clause, Purpose::Matches)) else { return 0 };
        (self.counting, self.inferences) = (true, 0);
        for plan in plans.iter() {
            self.prepare(plan);
            let scene = Scene { statics: &self.statics, view: &self.view, tables: &self.tables };
            let mut runner = Runner::<W, Nobody, true>::new(
                scene,
                &mut self.room.desk,
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

    pub fn describe(&mut self, instance: usize, clause: usize) -> Vec<String> {
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

/// How the recursive clauses of a circle make chains, if they do.
fn chain_of(
    rules: &RuleSet,
    circle: &[PredicateId],
    recursive: &[(PredicateId, Body)],
    is_inner: &dyn Fn(&Literal) -> bool,
) -> Option<Chain> {
    let kinds = &rules.predicate(*circle.first()?).kinds;
    if circle.iter().any(|&p| rules.predicate(p).kinds != *kinds) {
        return None;
    }
    let mut parts = Vec::new();
    for (_, body) in recursive {
        let (inner, rest): (Vec<Literal>, Vec<Literal>) =
            body.literals.iter().cloned().partition(is_inner);
        let ([Literal::Call(_, call)], [Head::Helper(head)]) = (&inner[..], &body.heads[..]) else {
            return None;
        };
        parts.push((call.clone(), head.clone(), rest));
    }
    let links: Vec<Link> =
        parts.iter().map(|(call, head, rest)| Link { call, head, rest }).collect();
    Chain::find(kinds.len(), &links)
}

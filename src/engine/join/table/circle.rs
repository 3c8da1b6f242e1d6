//! Filling the tables of helpers, those that call each other in a circle together.
//!
//! The tuples of clauses that call nothing in the circle come first. Then each new tuple is taken
//! once as each call into the circle that it fits, and the rest of that clause is run.

use super::super::bits::{Bits, Width};
use super::super::code::{Memory, Scene};
use super::super::plan::JoinPlan;
use super::super::run::{Found, Runner};
use super::super::view::{Statics, View};
use super::chain::{Chain, Nodes, Starts};
use super::clause::{Column, Fresh, Start};
use super::known::Known;
use super::path::{Matrices, Path};
use super::{TableId, Tables};

/// Helpers filled together.
#[derive(Clone, Debug, Default)]
pub(in crate::engine::join) struct Circle {
    /// Clauses that call nothing in the circle.
    pub starts: Vec<Start>,
    /// The same as they are written, for counting: above those of one family are one.
    pub counted: Vec<Start>,
    /// Clauses that do, once for each such call.
    pub steps: Vec<Fresh>,
    /// The tables filled.
    pub tables: Vec<TableId>,
    /// How the clauses make chains, if they do.
    pub chain: Option<Chain>,
    /// The paths on which such chains go on, if they are kept as bits and all go on so.
    pub paths: Vec<Path>,
    /// Whether the one table is kept as bits: see [`super::Reach`].
    pub is_parted: bool,
}

impl Circle {
    /// Notes which steps find the same, as where two helpers take turns.
    pub(crate) fn share(&mut self) {
        for place in 0..self.steps.len() {
            let step = &self.steps[place];
            let others = || (0..self.steps.len()).filter(|&other| other != place);
            let mut alike = others().filter(|&other| self.steps[other].does_the_same(step));
            self.steps[place].shared = alike.next().map(|other| other.min(place));
        }
    }

    /// The plans that are run to fill it.
    pub(crate) fn plans(&self, counting: bool) -> impl Iterator<Item = &JoinPlan> {
        let steps = if self.goes_on_paths(counting) { &[][..] } else { &self.steps[..] };
        let starts = self.starts(counting).iter();
        let run = starts.filter(move |start| start.copied(counting).is_none());
        run.map(|start| &start.plan).chain(steps.iter().map(|step| &step.plan))
    }

    fn starts(&self, counting: bool) -> &[Start] {
        if counting { &self.counted } else { &self.starts }
    }

    /// The tables that are read without a plan: those copied, and those that paths lead through.
    pub(crate) fn tables_read(&self, counting: bool) -> impl Iterator<Item = TableId> {
        let starts = self.starts(counting).iter();
        let copied = starts.filter_map(move |start| start.copied(counting));
        copied.map(|copied| copied.from).chain(self.paths.iter().flat_map(Path::tables))
    }

    /// Whether no plan is run to go on: what a Prolog would call for it is not counted then.
    fn goes_on_paths(&self, counting: bool) -> bool {
        !counting && !self.paths.is_empty()
    }

    /// Whether a table is filled here.
    pub(crate) fn fills(&self, table: TableId) -> bool {
        self.tables.contains(&table)
    }

    /// Fills the tables; the inferences made, and what is left of the budget.
    pub(crate) fn fill<W: Width>(
        &self,
        (statics, view): (&Statics<W>, &View<W>),
        tables: &mut Tables<W>,
        scratch: &mut Scratch<W>,
        budget: u64,
        counting: bool,
    ) -> (u64, u64) {
        let mut account = Account { statics, view, budget, counting, inferences: 0 };
        match &self.chain {
            Some(chain) => {
                let account = &mut account;
                self.fill_chain(&mut Filling { chain, tables, scratch, account });
            }
            None => self.fill_anyhow(tables, scratch, &mut account),
        }
        for &table in &self.tables {
            tables.set_filled(table, false);
        }
        (account.inferences, account.budget)
    }

    fn fill_anyhow<W: Width>(
        &self,
        tables: &mut Tables<W>,
        scratch: &mut Scratch<W>,
        account: &mut Account<W>,
    ) {
        let Scratch { memory, found, .. } = scratch;
        found.clear();
        // No plan goes through rows while they are made: what comes twice is dropped when one does.
        let later =
            self.steps.is_empty() && self.tables.iter().all(|&table| tables.has_sets(table));
        let starts = self.starts(account.counting);
        for start in starts {
            let Start { table, plan, .. } = start;
            let copied = start.copied(account.counting);
            let is_all = starts.len() == 1 && self.steps.is_empty();
            let is_set = is_all && plan.distinct && copied.is_none();
            found.gathers = !is_set && !later;
            match copied {
                Some(copied) => {
                    copied.each(tables, |tuple| found.tuples.extend_from_slice(tuple));
                    account.spend(found.tuples.len() as u64 / COPIED_A_BINDING);
                }
                None => account.run(tables, memory, plan, None, found),
            }
            account.number(tables, *table, found);
            match is_set {
                true => tables.set_tuples(*table, &found.tuples),
                false if later => tables.add_tuples(*table, &found.tuples),
                false => insert_all(tables, *table, found),
            }
            found.clear();
        }
        found.gathers = true;
        let mut seen = vec![0; self.steps.len()];
        let mut progress = true;
        while progress {
            progress = false;
            for (step, seen) in self.steps.iter().zip(&mut seen) {
                let arity = tables.tuples(step.from).1;
                while *seen * arity < tables.tuples(step.from).0.len() && account.budget > 0 {
                    let tuple = tables.tuples(step.from).0[*seen * arity..][..arity].to_vec();
                    *seen += 1;
                    progress = true;
                    let fresh = Some((&step.columns[..], &tuple[..]));
                    account.run(tables, memory, &step.plan, fresh, found);
                    account.number(tables, step.to, found);
                    insert_all(tables, step.to, found);
                }
            }
        }
    }

    /// See [`Chain`].
    fn fill_chain<W: Width>(&self, filling: &mut Filling<W>) {
        self.find_nodes(filling);
        let Filling { chain, tables, scratch, account } = &mut *filling;
        let by_paths = self.goes_on_paths(account.counting);
        let begun = match self.starts(account.counting) {
            [start] => start.copied(account.counting),
            _ => None,
        };
        let Scratch { nodes, starts, matrices, ranks, .. } = &mut **scratch;
        if by_paths {
            matrices.number(&self.paths, (chain, self.tables[0]), begun, tables, nodes);
        }
        nodes.rank(chain, tables.kinds(self.tables[0]), self.is_parted, ranks);
        starts.sort(ranks);
        match by_paths {
            true => {
                let starts = (&*starts, begun);
                account.spend(matrices.lay(&self.paths, chain, starts, tables, (nodes, ranks)));
            }
            false => nodes.graph.lay(|node| ranks[node as usize]),
        }
        match self.is_parted {
            true => account.spend(tables.part(self.tables[0], chain, starts, (nodes, ranks))),
            false => self.write_out(filling),
        }
    }

    /// The nodes where chains begin, and, unless paths tell, where one can go from each.
    fn find_nodes<W: Width>(&self, filling: &mut Filling<W>) {
        let Filling { chain, tables, scratch, account } = filling;
        let arity = tables.arity(self.tables[0]);
        let Scratch { memory, nodes, starts, found, known, .. } = scratch;
        nodes.clear(chain, &self.tables, tables);
        starts.clear(chain, self.tables[0], tables);
        found.clear();
        found.gathers = false;
        for start in self.starts(account.counting) {
            let Start { table, plan, .. } = start;
            let mut begin = |tuple: &[u16]| {
                starts.push(chain, tuple, nodes.number(chain, *table, tuple));
            };
            if let Some(copied) = start.copied(account.counting) {
                copied.each(tables, begin);
                account.spend(starts.pairs().len() as u64);
                continue;
            }
            account.run(tables, memory, plan, None, found);
            account.number(tables, *table, found);
            found.tuples.chunks_exact(arity).for_each(&mut begin);
            found.clear();
        }
        let steps = if self.goes_on_paths(account.counting) { &[][..] } else { &self.steps[..] };
        known.resize_with(steps.len().max(known.len()), Known::default);
        for (place, known) in known.iter_mut().enumerate().take(steps.len()) {
            if steps[place].shared == Some(place) {
                known.begin(chain, self.tables[0], tables);
            }
        }
        let mut node = 0;
        while node < nodes.graph.tables.len() && account.budget > 0 {
            let table = nodes.graph.tables[node];
            for step in steps.iter().filter(|step| step.from == table) {
                let shared = step.shared.filter(|_| !account.counting);
                let mut shared = shared.map(|group| &mut known[group]);
                let before = shared.as_mut().and_then(|known| known.of(chain, nodes.tuple(node)));
                let tuples = if let Some(place) = before {
                    known[step.shared.unwrap_or(0)].tuples(place)
                } else {
                    let fresh = Some((&step.columns[..], nodes.tuple(node)));
                    account.run(tables, memory, &step.plan, fresh, found);
                    account.number(tables, step.to, found);
                    if let Some(known) = shared {
                        known.add(&found.tuples);
                    }
                    &found.tuples
                };
                for tuple in tuples.chunks_exact(arity) {
                    let next = nodes.number(chain, step.to, tuple);
                    nodes.graph.next.push((node as u32, next));
                }
                found.clear();
            }
            node += 1;
        }
    }

    /// Gives each table its tuples: source by source, node by node.
    fn write_out<W: Width>(&self, filling: &mut Filling<W>) {
        let Filling { chain, tables, scratch, account } = filling;
        let arity = tables.arity(self.tables[0]);
        let Scratch { nodes, starts, places, tuples, .. } = scratch;
        tuples.resize_with(self.tables.len().max(tuples.len()), Vec::new);
        tuples.iter_mut().for_each(Vec::clear);
        let place = |table: &TableId| self.tables.iter().position(|t| t == table).unwrap_or(0);
        places.clear();
        places.extend(nodes.graph.tables.iter().map(place));
        nodes.graph.walk(starts.pairs(), |source, reached| {
            let mut tuple = [0u16; 6];
            chain.unpack_source(starts.source(source), &mut tuple);
            for (w, &word) in reached.iter().enumerate() {
                for bit in word.iter() {
                    if account.budget == 0 {
                        return;
                    }
                    account.budget -= 1;
                    let node = 64 * w + bit;
                    for &column in &chain.moving {
                        tuple[column] = nodes.tuples[node * arity + column];
                    }
                    tuples[places[node]].extend_from_slice(&tuple[..arity]);
                }
            }
        });
        for (&table, tuples) in self.tables.iter().zip(&*tuples) {
            tables.set_tuples(table, tuples);
        }
    }
}

/// How many columns that are copied cost as much as a binding tried; a guess.
const COPIED_A_BINDING: u64 = 16;

/// A chain, where its tuples go, with what and on which account.
struct Filling<'a, 'b, W: Width> {
    chain: &'a Chain,
    tables: &'a mut Tables<W>,
    scratch: &'a mut Scratch<W>,
    account: &'a mut Account<'b, W>,
}

/// The state, what may be tried on it, and what was counted.
struct Account<'a, W: Width> {
    statics: &'a Statics<W>,
    view: &'a View<W>,
    budget: u64,
    counting: bool,
    inferences: u64,
}

impl<W: Width> Account<'_, W> {
    /// Runs a plan, perhaps with a tuple bound.
    fn run(
        &mut self,
        tables: &mut Tables<W>,
        memory: &mut Memory<W>,
        plan: &JoinPlan,
        fresh: Option<(&[Column], &[u16])>,
        found: &mut Found<W>,
    ) {
        if plan.needs.of_sets {
            tables.keep_of_sets(self.statics.digits);
        }
        let scene = &Scene { statics: self.statics, view: self.view, tables };
        let (inferences, left) = if self.counting {
            run::<W, true>(scene, memory, plan, fresh, found, self.budget)
        } else {
            run::<W, false>(scene, memory, plan, fresh, found, self.budget)
        };
        self.inferences += inferences;
        self.budget = left;
    }

    /// So much was done at once.
    fn spend(&mut self, bindings: u64) {
        self.budget = self.budget.saturating_sub(bindings);
    }

    /// Gives the sets found their numbers. Where there are too many, nothing was found: the table
    /// is cut off.
    fn number(&mut self, tables: &mut Tables<W>, table: TableId, found: &mut Found<W>) {
        if !tables.number(table, found) {
            found.clear();
            self.budget = 0;
        }
    }
}

/// What filling needs, kept from one state to the next.
#[derive(Clone)]
pub(in crate::engine::join) struct Scratch<W: Width> {
    pub memory: Memory<W>,
    nodes: Nodes,
    starts: Starts,
    found: Found<W>,
    /// By the first of the steps that do the same.
    known: Vec<Known>,
    places: Vec<usize>,
    tuples: Vec<Vec<u16>>,
    matrices: Matrices,
    ranks: Vec<u32>,
}

impl<W: Width> Scratch<W> {
    pub(crate) fn new() -> Self {
        Scratch {
            memory: Memory::new(),
            nodes: Nodes::default(),
            starts: Starts::default(),
            found: Found::new(),
            known: Vec::new(),
            places: Vec::new(),
            tuples: Vec::new(),
            matrices: Matrices::default(),
            ranks: Vec::new(),
        }
    }
}

fn insert_all<W: Width>(tables: &mut Tables<W>, table: TableId, found: &mut Found<W>) {
    let arity = tables.tuples(table).1;
    for (tuple, &cells) in found.tuples.chunks_exact(arity).zip(&found.gathered) {
        tables.insert_gathered(table, tuple, found.gathered_place, cells);
    }
    if found.gathered.is_empty() {
        for tuple in found.tuples.chunks_exact(arity) {
            tables.insert(table, tuple);
        }
    }
    found.clear();
}

/// Runs a plan, perhaps with a tuple bound; the inferences made, and the budget left.
fn run<W: Width, const COUNT: bool>(
    scene: &Scene<W>,
    memory: &mut Memory<W>,
    plan: &JoinPlan,
    fresh: Option<(&[Column], &[u16])>,
    found: &mut Found<W>,
    budget: u64,
) -> (u64, u64) {
    let mut runner = Runner::<W, _, COUNT>::new(scene, memory, plan, found, budget);
    if let Some((columns, tuple)) = fresh {
        let mut bound = columns.iter().zip(tuple);
        if !bound.all(|(column, &value)| column.bind(value, &scene.tables.numbers, runner.frame)) {
            return (0, budget);
        }
    }
    runner.run(0);
    (runner.inferences, if runner.cut_off { 0 } else { runner.budget })
}

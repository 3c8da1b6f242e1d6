//! Filling the tables of helpers, those that call each other in a circle together.
//!
//! The tuples of clauses that call nothing in the circle come first. Then each new tuple is taken
//! once as each call into the circle that it fits, and the rest of that clause is run.

use crate::language::{Kind, Term};

use super::super::bits::{Bits, Width};
use super::super::code::{Goes, Memory, Scene};
use super::super::plan::JoinPlan;
use super::super::run::{Found, Runner};
use super::super::view::{Statics, View};
use super::chain::{Chain, Nodes};
use super::path::{Matrices, Path};
use super::{TableId, Tables};

/// Helpers filled together.
#[derive(Clone, Debug, Default)]
pub(in crate::engine::join) struct Circle {
    /// Clauses that call nothing in the circle, with the table they fill.
    pub starts: Vec<(TableId, JoinPlan)>,
    /// The same as they are written, for counting: above those of one family are one.
    pub counted: Vec<(TableId, JoinPlan)>,
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

/// A recursive clause, to be run for each new tuple of one of its calls.
#[derive(Clone, Debug)]
pub(in crate::engine::join) struct Fresh {
    from: TableId,
    to: TableId,
    /// What each column of the tuple must be, or where it goes.
    columns: Vec<Column>,
    plan: JoinPlan,
}

#[derive(Clone, Copy, Debug)]
enum Column {
    Constant(u16),
    /// The first time that the variable occurs.
    Slot(u8),
    /// Again.
    Same(u8),
    /// A set by its number, and again.
    Set(Goes),
    SameSet(Goes),
}

impl Fresh {
    pub fn new(
        from: TableId,
        to: TableId,
        terms: &[Term],
        plan: JoinPlan,
        (kinds, size): (&[Kind], usize),
    ) -> Option<Fresh> {
        let mut columns = Vec::new();
        let mut seen = Vec::new();
        for (term, kind) in terms.iter().zip(kinds) {
            columns.push(match term {
                Term::Var(v) => {
                    let place = plan.places[v.index()]?;
                    let again = seen.contains(v);
                    seen.push(*v);
                    match (kind, again) {
                        (Kind::Cells, false) => Column::Set(Goes::Cells(place)),
                        (Kind::Cells, true) => Column::SameSet(Goes::Cells(place)),
                        (Kind::Digits | Kind::Houses, false) => Column::Set(Goes::Small(place)),
                        (Kind::Digits | Kind::Houses, true) => Column::SameSet(Goes::Small(place)),
                        (_, false) => Column::Slot(place),
                        (_, true) => Column::Same(place),
                    }
                }
                Term::Digit(digit) => Column::Constant(digit.index() as u16),
                Term::Cell { row, column } => {
                    Column::Constant(*row as u16 * size as u16 + *column as u16)
                }
                _ => return None,
            });
        }
        Some(Fresh { from, to, columns, plan })
    }
}

impl Circle {
    /// The plans that are run to fill it.
    pub fn plans(&self, counting: bool) -> impl Iterator<Item = &JoinPlan> {
        let steps = if self.goes_on_paths(counting) { &[][..] } else { &self.steps[..] };
        self.starts(counting)
            .iter()
            .map(|(_, plan)| plan)
            .chain(steps.iter().map(|step| &step.plan))
    }

    fn starts(&self, counting: bool) -> &[(TableId, JoinPlan)] {
        if counting { &self.counted } else { &self.starts }
    }

    /// The tables that paths lead through.
    pub fn path_tables(&self) -> impl Iterator<Item = TableId> {
        self.paths.iter().flat_map(Path::tables)
    }

    /// Whether no plan is run to go on: what a Prolog would call for it is not counted then.
    fn goes_on_paths(&self, counting: bool) -> bool {
        !counting && !self.paths.is_empty()
    }

    /// Whether a table is filled here.
    pub fn fills(&self, table: TableId) -> bool {
        self.tables.contains(&table)
    }

    /// Fills the tables; the inferences made, and what is left of the budget.
    pub fn fill<W: Width>(
        &self,
        (statics, view): (&Statics<W>, &View<W>),
        tables: &mut Tables<W>,
        scratch: &mut Scratch<W>,
        budget: u64,
        counting: bool,
    ) -> (u64, u64) {
        let mut account = Account { statics, view, budget, counting, inferences: 0 };
        match &self.chain {
            Some(chain) => self.fill_chain(chain, tables, scratch, &mut account),
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
        found.gathers = false;
        let starts = self.starts(account.counting);
        if let ([(table, plan)], true) = (starts, self.steps.is_empty())
            && plan.distinct
        {
            account.run(tables, memory, plan, None, found);
            account.number(tables, *table, found);
            tables.set_tuples(*table, &found.tuples);
            return;
        }
        found.gathers = true;
        for (table, plan) in starts {
            account.run(tables, memory, plan, None, found);
            account.number(tables, *table, found);
            insert_all(tables, *table, found);
        }
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
    fn fill_chain<W: Width>(
        &self,
        chain: &Chain,
        tables: &mut Tables<W>,
        scratch: &mut Scratch<W>,
        account: &mut Account<W>,
    ) {
        let by_paths = self.goes_on_paths(account.counting);
        self.find_nodes(chain, tables, scratch, account);
        let Scratch { nodes, starts, matrices, ranks, .. } = &mut *scratch;
        if by_paths {
            matrices.number(&self.paths, (chain, self.tables[0]), tables, nodes);
        }
        nodes.rank(chain, tables.kinds(self.tables[0]), self.is_parted, ranks);
        for (_, node) in starts.iter_mut() {
            *node = ranks[*node as usize];
        }
        if !starts.is_sorted() {
            starts.sort_unstable();
        }
        starts.dedup();
        match by_paths {
            true => account.spend(matrices.lay(&self.paths, chain, tables, nodes, ranks)),
            false => nodes.graph.lay(|node| ranks[node as usize]),
        }
        match self.is_parted {
            true => account.spend(tables.part(self.tables[0], chain, starts, (nodes, ranks))),
            false => self.write_out(chain, tables, scratch, account),
        }
    }

    /// The nodes where chains begin, and, unless paths tell, where one can go from each.
    fn find_nodes<W: Width>(
        &self,
        chain: &Chain,
        tables: &mut Tables<W>,
        scratch: &mut Scratch<W>,
        account: &mut Account<W>,
    ) {
        let arity = tables.arity(self.tables[0]);
        let Scratch { memory, nodes, starts, found, .. } = scratch;
        nodes.clear(arity);
        starts.clear();
        found.clear();
        found.gathers = false;
        for (table, plan) in self.starts(account.counting) {
            account.run(tables, memory, plan, None, found);
            account.number(tables, *table, found);
            for tuple in found.tuples.chunks_exact(arity) {
                let node = nodes.number(chain, *table, tuple);
                starts.push((chain.pack(&chain.passing, tuple), node));
            }
            found.clear();
        }
        let steps = if self.goes_on_paths(account.counting) { &[][..] } else { &self.steps[..] };
        let mut node = 0;
        while node < nodes.graph.tables.len() && account.budget > 0 {
            let table = nodes.graph.tables[node];
            for step in steps.iter().filter(|step| step.from == table) {
                let fresh = Some((&step.columns[..], nodes.tuple(node)));
                account.run(tables, memory, &step.plan, fresh, found);
                account.number(tables, step.to, found);
                for tuple in found.tuples.chunks_exact(arity) {
                    let next = nodes.number(chain, step.to, tuple);
                    nodes.graph.next.push((node as u32, next));
                }
                found.clear();
            }
            node += 1;
        }
    }

    /// Gives each table its tuples: source by source, node by node.
    fn write_out<W: Width>(
        &self,
        chain: &Chain,
        tables: &mut Tables<W>,
        scratch: &mut Scratch<W>,
        account: &mut Account<W>,
    ) {
        let arity = tables.arity(self.tables[0]);
        let Scratch { nodes, starts, places, tuples, .. } = scratch;
        tuples.resize_with(self.tables.len().max(tuples.len()), Vec::new);
        tuples.iter_mut().for_each(Vec::clear);
        let place = |table: &TableId| self.tables.iter().position(|t| t == table).unwrap_or(0);
        places.clear();
        places.extend(nodes.graph.tables.iter().map(place));
        nodes.graph.walk(starts, |source, reached| {
            let mut tuple = [0u16; 6];
            chain.unpack_source(source, &mut tuple);
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
    starts: Vec<(u64, u32)>,
    found: Found<W>,
    places: Vec<usize>,
    tuples: Vec<Vec<u16>>,
    matrices: Matrices,
    ranks: Vec<u32>,
}

impl<W: Width> Scratch<W> {
    pub fn new() -> Self {
        Scratch {
            memory: Memory::new(),
            nodes: Nodes::default(),
            starts: Vec::new(),
            found: Found::new(),
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
        for (column, &value) in columns.iter().zip(tuple) {
            match *column {
                Column::Slot(slot) => runner.frame.slots[slot as usize].set(value as u32),
                Column::Same(slot) if runner.frame.slots[slot as usize].get() == value as u32 => {}
                Column::Constant(constant) if constant == value => {}
                Column::Set(goes) => goes.put_number(value, &scene.tables.numbers, runner.frame),
                Column::SameSet(goes) if goes.number(runner.frame) == value => {}
                _ => return (0, budget),
            }
        }
    }
    runner.run(0);
    (runner.inferences, if runner.cut_off { 0 } else { runner.budget })
}

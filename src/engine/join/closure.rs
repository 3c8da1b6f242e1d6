//! Filling the tables of helpers, those that call each other in a circle together.
//!
//! The tuples of clauses that call nothing in the circle come first. Then each new tuple is taken
//! once as each call into the circle that it fits, and the rest of that clause is run.

use crate::board::Layout;
use crate::language::{PredicateId, RuleSet, Term};

use super::bits::Width;
use super::expression::Scene;
use super::plan::Plan;
use super::run::Runner;
use super::table::{TableId, Tables};
use super::view::{Statics, View};

/// Helpers filled together.
#[derive(Clone, Debug, Default)]
pub(super) struct Circle {
    /// Clauses that call nothing in the circle, with the table they fill.
    pub starts: Vec<(TableId, Plan)>,
    /// Clauses that do, once for each such call.
    pub steps: Vec<Fresh>,
}

/// A recursive clause, to be run for each new tuple of one of its calls.
#[derive(Clone, Debug)]
pub(super) struct Fresh {
    from: TableId,
    to: TableId,
    /// What each column of the tuple must be, or where it goes.
    columns: Vec<Column>,
    plan: Plan,
}

#[derive(Clone, Copy, Debug)]
enum Column {
    Constant(u16),
    /// The first time that the variable occurs.
    Slot(u8),
    /// Again.
    Same(u8),
}

impl Fresh {
    pub fn new(
        from: TableId,
        to: TableId,
        terms: &[Term],
        plan: Plan,
        size: usize,
    ) -> Option<Fresh> {
        let mut columns = Vec::new();
        let mut seen = Vec::new();
        for term in terms {
            columns.push(match term {
                Term::Var(v) => {
                    let slot = plan.places[v.index()]?;
                    if seen.contains(v) {
                        Column::Same(slot)
                    } else {
                        seen.push(*v);
                        Column::Slot(slot)
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
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.starts.iter().map(|(_, plan)| plan).chain(self.steps.iter().map(|step| &step.plan))
    }

    /// Whether a table is filled here.
    pub fn fills(&self, table: TableId) -> bool {
        self.starts.iter().any(|(to, _)| *to == table)
            || self.steps.iter().any(|step| step.to == table || step.from == table)
    }

    fn tables(&self) -> Vec<TableId> {
        let mut tables: Vec<TableId> = self.starts.iter().map(|(to, _)| *to).collect();
        tables.extend(self.steps.iter().flat_map(|step| [step.from, step.to]));
        tables.sort_unstable();
        tables.dedup();
        tables
    }

    /// Fills the tables; the inferences made, and whether the budget ran out.
    pub fn fill<W: Width>(
        &self,
        (statics, view): (&Statics<W>, &View<W>),
        tables: &mut Tables<W>,
        mut budget: u64,
        counting: bool,
    ) -> (u64, bool) {
        let mut inferences = 0;
        let mut found: Vec<u16> = Vec::new();
        for (table, plan) in &self.starts {
            let scene = Scene { statics, view, tables };
            let (count, left) = if counting {
                run::<W, true>(scene, plan, None, &mut found, budget)
            } else {
                run::<W, false>(scene, plan, None, &mut found, budget)
            };
            inferences += count;
            budget = left;
            insert_all(tables, *table, &mut found);
        }
        let mut cut_off = budget == 0;
        let mut seen = vec![0; self.steps.len()];
        loop {
            let mut progress = false;
            for (step, seen) in self.steps.iter().zip(&mut seen) {
                let arity = tables.tuples(step.from).1;
                while *seen * arity < tables.tuples(step.from).0.len() && !cut_off {
                    let tuple: Vec<u16> =
                        tables.tuples(step.from).0[*seen * arity..][..arity].to_vec();
                    *seen += 1;
                    progress = true;
                    let scene = Scene { statics, view, tables };
                    let fresh = Some((&step.columns[..], &tuple[..]));
                    let (count, left) = if counting {
                        run::<W, true>(scene, &step.plan, fresh, &mut found, budget)
                    } else {
                        run::<W, false>(scene, &step.plan, fresh, &mut found, budget)
                    };
                    inferences += count;
                    budget = left;
                    cut_off |= budget == 0;
                    insert_all(tables, step.to, &mut found);
                }
            }
            if !progress {
                break;
            }
        }
        for table in self.tables() {
            tables.set_filled(table, false);
        }
        (inferences, cut_off)
    }
}

fn insert_all<W: Width>(tables: &mut Tables<W>, table: TableId, found: &mut Vec<u16>) {
    let arity = tables.tuples(table).1;
    for tuple in found.chunks_exact(arity) {
        tables.insert(table, tuple);
    }
    found.clear();
}

/// Runs a plan, perhaps with a tuple bound; the inferences made, and the budget left.
fn run<W: Width, const COUNT: bool>(
    scene: Scene<W>,
    plan: &Plan,
    fresh: Option<(&[Column], &[u16])>,
    found: &mut Vec<u16>,
    budget: u64,
) -> (u64, u64) {
    let mut runner = Runner::<W, _, COUNT>::new(scene, plan, found, budget);
    if let Some((columns, tuple)) = fresh {
        for (column, &value) in columns.iter().zip(tuple) {
            match *column {
                Column::Slot(slot) => runner.frame.slots[slot as usize].set(value as u32),
                Column::Same(slot) if runner.frame.slots[slot as usize].get() == value as u32 => {}
                Column::Constant(constant) if constant == value => {}
                _ => return (0, budget),
            }
        }
    }
    runner.run(0);
    (runner.inferences, if runner.cut_off { 0 } else { runner.budget })
}

/// The helpers that call each other in a circle with this one, itself included.
pub(super) fn circle(rules: &RuleSet, predicate: PredicateId) -> Vec<PredicateId> {
    let below = reachable(rules, predicate);
    let joins = |p: &PredicateId| *p == predicate || reachable(rules, *p).contains(&predicate);
    below.into_iter().filter(joins).collect()
}

/// The helper and all that it calls, directly or not, in order.
fn reachable(rules: &RuleSet, predicate: PredicateId) -> Vec<PredicateId> {
    let mut found = vec![predicate];
    let mut next = 0;
    while next < found.len() {
        for clause in &rules.predicate(found[next]).clauses {
            for goal in &clause.body {
                super::body::calls_of(&goal.literal, &mut |callee| {
                    if !found.contains(&callee) {
                        found.push(callee);
                    }
                });
            }
        }
        next += 1;
    }
    found.sort_unstable();
    found
}

/// All tuples of `rectangle`, one after the other.
pub(super) fn rectangles(layout: &Layout) -> Vec<u16> {
    let mut tuples = Vec::new();
    for a in layout.all_cells() {
        let (row, column) = (layout.row_index(a), layout.column_index(a));
        for r in (0..layout.size()).filter(|&r| r != row) {
            for c in (0..layout.size()).filter(|&c| c != column) {
                let along = layout.cell_at(row, c);
                let down = layout.cell_at(r, column);
                let one = layout.box_of(a);
                if (layout.box_of(along) == one) != (layout.box_of(down) == one) {
                    for (b, c) in [(along, down), (down, along)] {
                        let across =
                            layout.cell_at(layout.row_index(down), layout.column_index(along));
                        tuples.extend([a, b, c, across].map(|cell| cell.index() as u16));
                    }
                }
            }
        }
    }
    tuples
}

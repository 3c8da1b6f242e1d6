//! Making the plans of a rule set: a clause's when it is first wanted, a helper's with the tables
//! that it is filled from.

use std::sync::Arc;

use crate::language::{Clause, Head, Kind, Literal, PredicateId, RuleSet};
use crate::meaning::never_holds;

use super::super::super::shape::one_digit;
use super::super::bits::Width;
use super::super::plan::masks::literal_mask;
use super::super::plan::{
    Body, BuiltIn, Chains, JoinPlan, Purpose, Relationship, SetHelpers, Setting, Symmetric,
    TableSize, bodies, is_same, is_table, merge, names_only_up_to, plan, sample, symmetric_columns,
    taking,
};
use super::super::table::{
    Chain, Circle, Copied, Fresh, IndexId, Link, Path, Start, TableId, excluded, rectangles,
};
use super::super::view::View;
use super::{Key, Program};

/// Bindings tried to fill a table on the sample board: some milliseconds, so that a costly helper
/// does not hold up its plan. A table cut off is taken to be as large as it got.
const MOST_MEASURED: u64 = 200_000;

impl<W: Width> Program<W> {
    fn size_of(&self, kind: Kind) -> usize {
        match kind {
            Kind::Cell => self.statics.cells,
            Kind::Digit => self.statics.digits,
            _ => self.statics.houses,
        }
    }

    /// The plans of a clause: one for each body that it unfolds to.
    pub(crate) fn plans(&mut self, key: Key) -> Option<Arc<Vec<JoinPlan>>> {
        let (instance, clause, purpose) = key;
        let packed = (instance as u64) << 32 | (clause as u64) << 3 | purpose as u64;
        if let Some(known) = self.plans.get(&packed) {
            return known.clone();
        }
        let made = self.make_plans(key).map(Arc::new);
        self.plans.insert(packed, made.clone());
        made
    }

    fn make_plans(&mut self, (instance, clause, purpose): Key) -> Option<Vec<JoinPlan>> {
        let rules = self.rules.clone();
        let chosen = &rules.instances()[instance];
        let clause = &rules.rule(chosen.rule).clauses[clause];
        if !self.has_all_named_by(clause) {
            return Some(Vec::new());
        }
        let (clause, given) = match purpose {
            Purpose::Taking => (&taking(clause)?, 0b11 << clause.variables.len()),
            _ => (clause, 0),
        };
        let own = clause.variables.len();
        let (mut plans, mut known): (Vec<JoinPlan>, Vec<Body>) = Default::default();
        for part in clause.without_for() {
            // Without a conclusion there is nothing but a match.
            if part.heads.is_empty() && purpose != Purpose::Matches {
                continue;
            }
            let before = known.len();
            let planned =
                [SetHelpers::Tables, SetHelpers::Unfolded].into_iter().find_map(|with| {
                    known.truncate(before);
                    let mut planned = Vec::new();
                    let bodies = self.bodies(&rules, &part, chosen.parameter, with)?;
                    for mut body in bodies {
                        body.drop_strangers(&part);
                        for body in self.by_head(body, purpose) {
                            if purpose == Purpose::Effects && self.is_known(&body, &mut known) {
                                continue;
                            }
                            planned.push(self.plan(&body, own, purpose, given)?);
                        }
                    }
                    Some(planned)
                })?;
            plans.extend(planned);
        }
        let asked = one_digit(&rules, clause).filter(|_| purpose.is_for_effects());
        if let Some(digit) = asked {
            plans.iter_mut().for_each(|plan| plan.ask(digit));
        }
        Some(plans)
    }

    /// Whether a body has the same effects as one before it; if not, it becomes one of these.
    fn is_known(&mut self, body: &Body, known: &mut Vec<Body>) -> bool {
        if !body.goes_through_rows() {
            return false;
        }
        let symmetric = self.symmetric(body);
        let is_known = known.iter().any(|one| is_same(one, body, &symmetric));
        known.push(body.clone());
        is_known
    }

    /// Where all matches take effect at once, each conclusion about the ends of a chain by itself: it
    /// says more about those beforehand.
    fn by_head(&self, body: Body, purpose: Purpose) -> Vec<Body> {
        let is_chain = |helper: &PredicateId| self.rules.predicate(*helper).recursive;
        let are_apart = purpose == Purpose::Effects
            && body.heads.len() > 1
            && body.goes_through_rows()
            && body.heads.iter().all(|head| matches!(head, Head::Eliminate(..)))
            && body.calls().iter().any(is_chain);
        if !are_apart {
            return vec![body];
        }
        let alone = |head: &Head| Body { heads: vec![head.clone()], ..body.clone() };
        body.heads.iter().map(alone).collect()
    }

    /// A clause about `r9c9` or the digit 9 has no match on a board of four rows.
    fn has_all_named_by(&self, clause: &Clause) -> bool {
        names_only_up_to(clause, self.layout.size())
    }

    /// Those bodies of a clause that can hold: the layout has the cells and digits that they name,
    /// and what they ask for.
    fn bodies(
        &self,
        rules: &RuleSet,
        clause: &Clause,
        parameter: Option<i64>,
        with_sets: SetHelpers,
    ) -> Option<Vec<Body>> {
        let mut bodies = bodies(rules, clause, parameter, with_sets)?;
        bodies.retain(|body| {
            let conditions: Vec<&Literal> = body.literals.iter().collect();
            body.names_only_up_to(self.layout.size())
                && !never_holds(&conditions, &self.layout, parameter)
        });
        match self.layout.groups().is_empty() {
            true => Some(bodies),
            false => bodies.into_iter().map(Body::without_groups).collect(),
        }
    }

    /// The plan of a body, once the tables it looks into are declared.
    fn plan(&mut self, body: &Body, own: usize, purpose: Purpose, given: u64) -> Option<JoinPlan> {
        for predicate in body.calls() {
            // Those of the circle that is being made are known already.
            if self.sizes.tables[predicate.0 as usize].is_none() {
                self.declare(predicate)?;
            } else if let Some(None) = self.circles[predicate.0 as usize] {
                return None;
            }
        }
        for built_in in BuiltIn::ALL.into_iter().filter(|&built_in| body.asks(built_in)) {
            self.declare_built_in(built_in);
        }
        let chains = self.chains(body);
        let symmetric = match purpose {
            Purpose::Effects => self.symmetric(body),
            _ => Symmetric::new(),
        };
        let setting = Setting {
            tables: &mut self.tables,
            sizes: &self.sizes,
            size: self.statics.digits,
            helpers: self.sizes.helpers,
            chains,
            symmetric,
        };
        let plan = plan(setting, body, own, purpose, given)?;
        for &index in &plan.indices {
            let columns = self.tables.columns(index);
            let key = columns.key.iter().fold(0u8, |key, &(column, _)| key | 1 << column);
            self.sizes.known.insert((columns.table, key, columns.value as u8));
        }
        Some(plan)
    }

    /// Those of the helpers with sets that a body calls of which two columns can change places. Only
    /// of such as are no chains: these are seldom called twice, or with both ends alike.
    fn symmetric(&mut self, body: &Body) -> Symmetric {
        let rules = self.rules.clone();
        let mut found = Symmetric::new();
        for literal in &body.literals {
            let Literal::Call(helper, terms) = literal else { continue };
            let predicate = rules.predicate(*helper);
            if predicate.recursive || !body.has_sets(terms) {
                continue;
            }
            let columns = self.symmetric[helper.0 as usize].unwrap_or_else(|| {
                let clauses = predicate.clauses.iter();
                let bodies: Option<Vec<_>> = clauses
                    .map(|clause| self.bodies(&rules, clause, None, SetHelpers::Tables))
                    .collect();
                symmetric_columns(&bodies?.concat())
            });
            self.symmetric[helper.0 as usize] = Some(columns);
            found.extend(columns.map(|columns| (*helper, columns)));
        }
        found
    }

    /// Whether a table is kept as bits, so that its tuples cannot be read.
    fn is_parted(&self, table: TableId) -> bool {
        matches!(self.circles.get(table), Some(Some(Some(circle))) if circle.is_parted)
    }

    /// The chains that a body calls and that are kept as bits.
    fn chains(&self, body: &Body) -> Chains {
        let chain = |helper: PredicateId| match &self.circles[helper.0 as usize] {
            Some(Some(circle)) if circle.is_parted => Some((helper, circle.chain.clone()?)),
            _ => None,
        };
        body.calls().into_iter().filter_map(chain).collect()
    }

    /// Makes the table of a helper known, with a plan to fill it.
    fn declare(&mut self, predicate: PredicateId) -> Option<()> {
        let place = predicate.0 as usize;
        if let Some(known) = &self.circles[place] {
            return known.as_ref().map(|_| ());
        }
        let rules = self.rules.clone();
        let circle = rules.circle(predicate);
        for &p in &circle {
            let kinds = &rules.predicate(p).kinds;
            if !is_table(&rules, p, SetHelpers::Tables) {
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
        let (budget, counting, cut_off) = (self.budget, self.counting, self.cut_off.clone());
        (self.budget, self.counting) = (MOST_MEASURED, false);
        self.tables.forget();
        for p in predicates {
            let table = p.0 as usize;
            self.fill(table);
            self.tables.drop_repeated(table);
            let measured = |table: TableId| {
                let (tuples, arity) = self.tables.tuples(table);
                TableSize::of(tuples, arity)
            };
            let Some((beginnings, ends, pairs)) = self.tables.parted(table) else {
                self.sizes.tables[table] = Some(measured(table));
                continue;
            };
            let parts = self.tables.parts;
            let (beginnings, pairs) = (beginnings as f64, pairs as f64);
            let part = pairs / (beginnings * ends as f64).max(1.0);
            let nodes = Box::new(measured(parts.ends(table)));
            self.sizes.tables[parts.begins(table)] = Some(measured(parts.begins(table)));
            self.sizes.tables[parts.ends(table)] =
                Some(TableSize::Ends { nodes, beginnings, part });
            self.sizes.tables[table] = Some(TableSize::Guess(pairs));
        }
        self.tables.forget();
        std::mem::swap(&mut self.view, &mut view);
        self.budget = budget;
        // The state loaded had its tables; they have been paid for.
        filled.into_iter().for_each(|table| self.fill(table));
        (self.counting, self.cut_off) = (counting, cut_off);
    }

    /// How a clause that calls nothing in its circle fills a table.
    fn start(&mut self, p: PredicateId, body: &Body) -> Option<Start> {
        let plan = self.plan(body, body.variables.len(), Purpose::Tuples, 0)?;
        let copied = Copied::find(body).filter(|copied| !self.is_parted(copied.from));
        Some(Start { table: p.0 as usize, plan, copied })
    }

    fn make_circle(&mut self, rules: &RuleSet, circle: &[PredicateId]) -> Option<Circle> {
        let tables = circle.iter().map(|p| p.0 as usize).collect();
        let mut made = Circle { tables, ..Circle::default() };
        let is_inner =
            |literal: &Literal| matches!(literal, Literal::Call(p, _) if circle.contains(p));
        let mut recursive = Vec::new();
        for &p in circle {
            let mut starts = Vec::new();
            for clause in &rules.predicate(p).clauses {
                if !self.has_all_named_by(clause) {
                    continue;
                }
                for body in self.bodies(rules, clause, None, SetHelpers::Tables)? {
                    let inside = body.literals.iter().filter(|l| !is_inner(l));
                    let mut called = inside.flat_map(|literal| literal.calls());
                    // A call in a circle under `forall` is beyond this.
                    if called.any(|callee| circle.contains(&callee)) {
                        return None;
                    }
                    if body.literals.iter().any(&is_inner) {
                        recursive.push((p, body));
                    } else {
                        starts.push(body);
                    }
                }
            }
            let merged = merge(&starts);
            let first = made.starts.len();
            for body in &merged {
                made.starts.push(self.start(p, body)?);
            }
            match merged.len() == starts.len() {
                true => made.counted.extend_from_slice(&made.starts[first..]),
                false => {
                    for body in &starts {
                        made.counted.push(self.start(p, body)?);
                    }
                }
            }
        }
        if let Some((chain, paths)) = chain_of(rules, circle, &recursive, &is_inner) {
            let kinds = &rules.predicate(circle[0]).kinds;
            made.is_parted = circle.len() == 1 && kinds.iter().any(|kind| kind.set().is_none());
            if made.is_parted {
                self.tables.declare_parts(circle[0].0 as usize, &chain);
                made.paths = paths;
            }
            made.chain = Some(chain);
        }
        for (p, body) in recursive {
            for place in (0..body.literals.len()).filter(|&i| is_inner(&body.literals[i])) {
                let mut rest = body.clone();
                let call = rest.literals.remove(place);
                let given = literal_mask(&call);
                let Literal::Call(callee, terms) = call else { return None };
                // All variables keep their places, so that the call's can be set.
                let all = rest.variables.len();
                let plan = self.plan(&rest, all, Purpose::Tuples, given)?;
                // Rows cannot be gone through while they are made.
                let is_of_circle = |&id: &IndexId| {
                    matches!(id, IndexId::Rows(_)) && made.fills(self.tables.columns(id).table)
                };
                if plan.indices.iter().any(is_of_circle) {
                    return None;
                }
                let kinds = &rules.predicate(callee).kinds;
                let (from, to) = (callee.0 as usize, p.0 as usize);
                let fresh = Fresh::new(from, to, &terms, plan, (kinds, self.statics.digits))?;
                made.steps.push(fresh);
            }
        }
        made.share();
        if made.tables_read(false).any(|table| self.is_parted(table)) {
            made.paths.clear();
        }
        Some(made)
    }

    fn declare_built_in(&mut self, built_in: BuiltIn) {
        let table = Relationship::BuiltIn(built_in).table(self.sizes.helpers);
        if self.sizes.tables[table].is_some() {
            return;
        }
        let (kinds, tuples) = match built_in {
            BuiltIn::Rectangle => ([Kind::Cell; 4], rectangles(&self.layout)),
            BuiltIn::Excludes => {
                ([Kind::Cell, Kind::Digit, Kind::Cell, Kind::Digit], excluded(&self.layout))
            }
        };
        let sizes = kinds.iter().map(|&kind| self.size_of(kind)).collect();
        self.tables.declare(table, &kinds, sizes);
        for tuple in tuples.chunks_exact(4) {
            self.tables.insert(table, tuple);
        }
        self.tables.set_filled(table, true);
        self.sizes.tables[table] = Some(TableSize::of(&tuples, 4));
    }
}

/// How the recursive clauses of a circle make chains, if they do, and the paths on which these go on,
/// if all do so.
fn chain_of(
    rules: &RuleSet,
    circle: &[PredicateId],
    recursive: &[(PredicateId, Body)],
    is_inner: &dyn Fn(&Literal) -> bool,
) -> Option<(Chain, Vec<Path>)> {
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
    let chain = Chain::find(kinds, &links)?;
    let paths = links.iter().map(|link| Path::find(&chain, link)).collect::<Option<_>>();
    Some((chain, paths.unwrap_or_default()))
}

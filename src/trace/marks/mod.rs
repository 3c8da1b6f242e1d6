//! What to mark on a board for a step: houses, cells, candidates, links.
//!
//! Nothing here knows a technique. The pattern is what the conditions look at: every candidate
//! that `spots(…)`, `candidates(…)` or `live(…)` answers with in the match and in its helpers. What
//! the rule itself says of its pictures comes first ([`drawn`]).

mod drawn;

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{Candidate, Cell, Cells, Grid, House, Houses, Layout};
use crate::language::{Clause, Function, Line, Literal, Paint, Relation, RuleSet, Term, Var};

use super::derivation::Derivation;
use super::sentence::{Account, chain};
use super::statement::Statement;
use crate::meaning::{Scene, Value};

/// What to mark. A candidate is in at most one of `ringed`, `struck`, `boxed`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Houses outlined; those the argument starts from first.
    pub outlined: Vec<House>,
    /// How many of them the argument starts from; the others are where it ends.
    pub starting: usize,
    /// Cells of the pattern.
    pub tinted: Cells,
    /// Candidates of the pattern.
    pub ringed: BTreeSet<Candidate>,
    /// Candidates eliminated.
    pub struck: BTreeSet<Candidate>,
    /// Digits placed.
    pub boxed: BTreeSet<Candidate>,
    /// Candidates of the pattern that are drawn in a way of their own.
    pub painted: BTreeMap<Candidate, Paint>,
    /// Cells of the pattern that are.
    pub framed: BTreeMap<Cell, Paint>,
    /// Links, those of a chain in its order.
    pub links: Vec<Link>,
}

/// A link between two candidates, or between groups of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// Where it begins.
    pub from: BTreeSet<Candidate>,
    /// Where it ends.
    pub to: BTreeSet<Candidate>,
    /// What it says.
    pub line: Line,
}

impl Link {
    /// The two candidates between which it is drawn: the nearest of both groups.
    pub fn ends(&self, layout: &Layout) -> Option<(Candidate, Candidate)> {
        let away = |a: Candidate, b: Candidate| {
            let rows = layout.row_index(a.cell).abs_diff(layout.row_index(b.cell));
            let columns = layout.column_index(a.cell).abs_diff(layout.column_index(b.cell));
            rows * rows + columns * columns
        };
        let pairs = self.from.iter().flat_map(|a| self.to.iter().map(move |b| (*a, *b)));
        pairs.min_by_key(|(a, b)| (away(*a, *b), *a, *b))
    }
}

impl Marks {
    /// Where to look: the house that the argument starts from, else one that holds the whole
    /// pattern, else the box of a cell that changes.
    pub fn where_to_look(&self, layout: &Layout) -> House {
        let shared = self
            .tinted
            .iter()
            .fold(layout.all_houses(), |houses: Houses, cell| houses & layout.houses_of(cell));
        let shared = if self.tinted.len() > 1 { shared.first() } else { None };
        let own = |c: &Candidate| layout.box_of(c.cell).unwrap_or(layout.row(c.cell));
        let changed = self.boxed.iter().chain(&self.struck).map(own).next();
        self.outlined.first().copied().or(shared).or(changed).unwrap_or(House::at(0))
    }

    /// The marks of a step on the state before it.
    pub fn of(rules: &RuleSet, account: &Account, before: &Grid) -> Marks {
        let instance = &rules.instances()[account.found.instance];
        let clause = &rules.rule(instance.rule).clauses[account.found.clause];
        let bindings = &account.found.bindings;
        let scene = Scene::on(before, instance.parameter, bindings);
        let mut seen = BTreeSet::new();
        look(clause, &scene, before, &mut seen);
        for derivation in account.premises.iter().flat_map(Derivation::all) {
            let clause = &rules.predicate(derivation.predicate).clauses[derivation.clause];
            let scene = Scene::on(before, None, &derivation.bindings);
            look(clause, &scene, before, &mut seen);
        }
        let boxed: BTreeSet<Candidate> = account.found.conclusion.places.iter().copied().collect();
        let struck: BTreeSet<Candidate> =
            account.found.conclusion.eliminates.iter().copied().collect();
        let ringed = |c: &Candidate| !boxed.contains(c) && !struck.contains(c);
        let ringed: BTreeSet<Candidate> = seen.into_iter().filter(ringed).collect();
        let targets: Cells = struck.iter().map(|c| c.cell).collect();
        let named = bindings.iter().filter_map(|value| match value {
            Value::Cell(cell) if !targets.contains(*cell) => Some(*cell),
            _ => None,
        });
        let tinted = ringed.iter().chain(&boxed).map(|c| c.cell).chain(named).collect();
        let (outlined, starting) = houses(clause, &scene);
        let links: Vec<Link> = chain(rules, account, before).iter().filter_map(link).collect();
        let (painted, framed) = (BTreeMap::new(), BTreeMap::new());
        let marks =
            Marks { outlined, starting, tinted, ringed, struck, boxed, painted, framed, links };
        let marks = drawn::on(marks, rules, account, before);
        marks.with_nodes()
    }

    /// What a chain supposes not to be is off, what then is, on.
    fn with_nodes(mut self) -> Marks {
        let (mut off, mut on) = (BTreeSet::new(), BTreeSet::new());
        for link in self.links.iter().filter(|link| link.line != Line::Group) {
            let strong = link.line == Line::Strong;
            let (first, second) = if strong { (&mut off, &mut on) } else { (&mut on, &mut off) };
            first.extend(&link.from);
            second.extend(&link.to);
        }
        if self.links.iter().all(|link| link.line != Line::Strong) {
            return self;
        }
        off.retain(|candidate| !on.contains(candidate));
        for (nodes, paint) in [(on, Paint::On), (off, Paint::Off)] {
            nodes.into_iter().for_each(|candidate| self.paint(candidate, paint));
        }
        self
    }

    /// Draws a candidate in a way of its own, unless it goes or is drawn so already.
    fn paint(&mut self, candidate: Candidate, paint: Paint) {
        if !self.struck.contains(&candidate) && !self.boxed.contains(&candidate) {
            self.ringed.remove(&candidate);
            self.tinted.insert(candidate.cell);
            self.painted.entry(candidate).or_insert(paint);
        }
    }
}

fn link(statement: &Statement) -> Option<Link> {
    let (a, b, line) = match *statement {
        Statement::Either(a, b, _) => (a, b, Line::Strong),
        Statement::Excludes(a, b, _) => (a, b, Line::Weak),
        _ => return None,
    };
    Some(Link { from: BTreeSet::from([a]), to: BTreeSet::from([b]), line })
}

/// The houses that a clause names, in the order of its body: those it starts from (the first
/// variable of this kind), then the others. Whole kinds, such as all rows, are no pattern.
fn houses(clause: &Clause, scene: &Scene) -> (Vec<House>, usize) {
    let mut variables: Vec<Var> = Vec::new();
    for goal in &clause.body {
        goal.literal.each_term(&mut |term| {
            if let Term::Var(var) = term
                && !variables.contains(var)
                && clause.variables[var.index()].name != "_"
            {
                variables.push(*var);
            }
        });
    }
    let size = scene.layout().size();
    let mut named: Vec<House> = Vec::new();
    let mut starting = 0;
    for var in variables {
        let houses: Houses = match scene.bound[var.index()] {
            Some(Value::House(house)) => Houses::only(house),
            Some(Value::Houses(houses)) if houses.len() < size => houses,
            _ => continue,
        };
        named.extend(houses.iter().filter(|h| !named.contains(h)).collect::<Vec<_>>());
        if starting == 0 {
            starting = named.len();
        }
    }
    (named, starting)
}

/// Adds every candidate that the body's conditions look at.
fn look(clause: &Clause, scene: &Scene, grid: &Grid, seen: &mut BTreeSet<Candidate>) {
    for goal in &clause.body {
        if let Literal::Relation(Relation::Live, arguments) = &goal.literal
            && let [cell, digit] = &arguments[..]
            && let (Some(Value::Cell(cell)), Some(Value::Digit(digit))) =
                (scene.value(cell), scene.value(digit))
        {
            seen.insert(Candidate { cell, digit });
        }
        if !goal.literal.inside().is_empty() {
            continue;
        }
        goal.literal.each_term(&mut |term| seen.extend(looked_at(term, scene, grid)));
    }
}

/// The live candidates that a call of `spots` or `candidates` is about.
fn looked_at(term: &Term, scene: &Scene, grid: &Grid) -> Vec<Candidate> {
    let layout = scene.layout();
    let (digits, cells) = match term {
        Term::Call(Function::Spots, arguments) => (scene.digits(&arguments[0]), &arguments[1]),
        Term::Call(Function::Candidates, arguments) => (Some(layout.all_digits()), &arguments[0]),
        _ => return Vec::new(),
    };
    let (Some(digits), Some(cells)) = (digits, scene.cells(cells)) else { return Vec::new() };
    let spots = |digit| (grid.plane(digit) & cells & grid.unsolved()).iter();
    let live = |digit| spots(digit).map(move |cell| Candidate { cell, digit });
    digits.iter().flat_map(live).collect()
}

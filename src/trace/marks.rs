//! What to mark on a board for a step: houses, cells, candidates, links.
//!
//! Nothing here knows a technique. The pattern is what the conditions look at: every candidate
//! that `spots(…)`, `candidates(…)` or `live(…)` answers with in the match and in its helpers.

use std::collections::BTreeSet;

use crate::board::{Candidate, Cells, Grid, House, Houses};
use crate::language::{Clause, Function, Literal, Relation, RuleSet, Term, Var};

use super::derivation::Derivation;
use super::evaluate::{Scene, members};
use super::sentence::{Proof, chain};
use super::statement::Statement;
use super::step::Value;

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
    /// Links of a chain: from, to, and whether one of the two must be true.
    pub links: Vec<(Candidate, Candidate, bool)>,
}

impl Marks {
    /// The marks of a step on the state before it.
    pub fn of(rules: &RuleSet, proof: &Proof, before: &Grid) -> Marks {
        let instance = &rules.instances()[proof.found.instance];
        let clause = &rules.rule(instance.rule).clauses[proof.found.clause];
        let bindings = &proof.found.bindings;
        let scene = Scene { grid: before, parameter: instance.parameter, bindings };
        let mut seen = BTreeSet::new();
        look(clause, &scene, &mut seen);
        for derivation in proof.premises.iter().flat_map(Derivation::all) {
            let clause = &rules.predicate(derivation.predicate).clauses[derivation.clause];
            let scene = Scene { grid: before, parameter: None, bindings: &derivation.bindings };
            look(clause, &scene, &mut seen);
        }
        let boxed: BTreeSet<Candidate> = proof.found.conclusion.places.iter().copied().collect();
        let struck: BTreeSet<Candidate> =
            proof.found.conclusion.eliminates.iter().copied().collect();
        let ringed = |c: &Candidate| !boxed.contains(c) && !struck.contains(c);
        let ringed: BTreeSet<Candidate> = seen.into_iter().filter(ringed).collect();
        let targets: Cells = struck.iter().map(|c| c.cell).collect();
        let named = bindings.iter().filter_map(|value| match value {
            Value::Cell(cell) if !targets.contains(*cell) => Some(*cell),
            _ => None,
        });
        let tinted = ringed.iter().chain(&boxed).map(|c| c.cell).chain(named).collect();
        let (outlined, starting) = houses(clause, &scene);
        let links = chain(rules, proof, before).iter().filter_map(link).collect();
        Marks { outlined, starting, tinted, ringed, struck, boxed, links }
    }
}

fn link(statement: &Statement) -> Option<(Candidate, Candidate, bool)> {
    match *statement {
        Statement::Either(a, b, _) => Some((a, b, true)),
        Statement::Excludes(a, b, _) => Some((a, b, false)),
        _ => None,
    }
}

/// The houses that a clause names, in the order of its body: those it starts from (the first
/// variable of this kind), then the others. Whole kinds, such as all rows, are no pattern.
fn houses(clause: &Clause, scene: &Scene) -> (Vec<House>, usize) {
    let mut variables: Vec<Var> = Vec::new();
    for goal in &clause.body {
        for_each_term(&goal.literal, &mut |term| {
            if let Term::Var(var) = term
                && !variables.contains(var)
                && clause.variables[var.index()].name != "_"
            {
                variables.push(*var);
            }
        });
    }
    let size = scene.grid.layout().size();
    let mut named: Vec<House> = Vec::new();
    let mut starting = 0;
    for var in variables {
        let houses: Houses = match scene.bindings[var.index()] {
            Value::House(house) => Houses::only(house),
            Value::Houses(houses) if houses.len() < size => houses,
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
fn look(clause: &Clause, scene: &Scene, seen: &mut BTreeSet<Candidate>) {
    for goal in &clause.body {
        if let Literal::Relation(Relation::Live, arguments) = &goal.literal
            && let [cell, digit] = &arguments[..]
            && let (Some(Value::Cell(cell)), Some(Value::Digit(digit))) =
                (scene.term(cell), scene.term(digit))
        {
            seen.insert(Candidate { cell, digit });
        }
        if matches!(goal.literal, Literal::Not(_) | Literal::Forall(..)) {
            continue;
        }
        for_each_term(&goal.literal, &mut |term| seen.extend(looked_at(term, scene)));
    }
}

/// The live candidates that a call of `spots` or `candidates` is about.
fn looked_at(term: &Term, scene: &Scene) -> Vec<Candidate> {
    let layout = scene.grid.layout();
    let (digits, cells) = match term {
        Term::Call(Function::Spots, arguments) => (scene.term(&arguments[0]), &arguments[1]),
        Term::Call(Function::Candidates, arguments) => {
            (Some(Value::Digits(layout.all_digits())), &arguments[0])
        }
        _ => return Vec::new(),
    };
    let (Some(digits), Some(Value::Cells(cells))) = (digits, scene.term(cells)) else {
        return Vec::new();
    };
    let mut live = Vec::new();
    for digit in members(digits) {
        if let Value::Digit(digit) = digit {
            let spots = scene.grid.plane(digit) & cells & scene.grid.unsolved();
            live.extend(spots.iter().map(|cell| Candidate { cell, digit }));
        }
    }
    live
}

/// Calls `visit` on every term of a condition, outer terms first.
fn for_each_term(literal: &Literal, visit: &mut dyn FnMut(&Term)) {
    match literal {
        Literal::In(a, b) | Literal::Within(a, b) | Literal::Compare(_, a, b) => {
            [a, b].into_iter().for_each(|t| for_each_part(t, visit));
        }
        Literal::Choose(a, b, c) => [a, b, c].into_iter().for_each(|t| for_each_part(t, visit)),
        Literal::Relation(_, terms) | Literal::Call(_, terms) => {
            terms.iter().for_each(|t| for_each_part(t, visit));
        }
        Literal::Not(inner) => for_each_term(inner, visit),
        Literal::Forall(_, set, body) => {
            for_each_part(set, visit);
            body.iter().for_each(|literal| for_each_term(literal, visit));
        }
    }
}

fn for_each_part(term: &Term, visit: &mut dyn FnMut(&Term)) {
    visit(term);
    match term {
        Term::Arithmetic(_, a, b) | Term::Operation(_, a, b) => {
            for_each_part(a, visit);
            for_each_part(b, visit);
        }
        Term::Size(inner) | Term::Lone(inner) | Term::CellsOf(inner) => for_each_part(inner, visit),
        Term::Set(_, terms) | Term::Call(_, terms) => {
            terms.iter().for_each(|t| for_each_part(t, visit));
        }
        _ => {}
    }
}

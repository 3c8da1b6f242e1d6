//! What a rule says of its pictures, for one match: `mark … as …`, `link … to …`.
//!
//! After `for`, a helper holds where the step rests on it, so nobody has to run anything again.

use std::collections::BTreeSet;

use crate::board::{Candidate, Cells, Digits, Grid, Houses};
use crate::language::{Clause, Drawing, Kind, Node, Paint, PredicateId, RuleSet, Stroke};
use crate::meaning::{Facts, Scene, Tuples, Value};

use super::super::derivation::Derivation;
use super::super::sentence::Account;
use super::{Link, Marks};

/// The marks with what the rule says of them.
pub(super) fn on(mut marks: Marks, rules: &RuleSet, account: &Account, before: &Grid) -> Marks {
    let instance = &rules.instances()[account.found.instance];
    let rule = rules.rule(instance.rule);
    let clause = &rule.clauses[account.found.clause];
    let mut own: Vec<&Drawing> = rule.drawings.iter().collect();
    own.retain(|drawing| drawing.clause == clause.span);
    if own.iter().any(|drawing| matches!(drawing.stroke, Stroke::Link(..))) {
        marks.links.clear();
    }
    if own.iter().any(|drawing| outlines(drawing)) {
        (marks.outlined, marks.starting) = (Vec::new(), 0);
    }
    let seen = marks.ringed.clone();
    let says_pattern =
        |drawing: &&Drawing| matches!(drawing.stroke, Stroke::Mark(_, Paint::Pattern));
    if own.iter().any(says_pattern) {
        marks.ringed.clear();
        marks.tinted = marks.boxed.iter().map(|candidate| candidate.cell).collect();
    }
    let facts = Rests(account.premises.iter().flat_map(Derivation::all).collect());
    for drawing in own {
        let mut scene = scene(drawing, clause, account, instance.parameter, before);
        let mut strokes = Vec::new();
        let mut add = |scene: &Scene| {
            strokes.extend(stroke(&drawing.stroke, scene, before, &seen));
            true
        };
        match &drawing.each {
            Some(each) => {
                scene.each_way(each, &facts, &mut add);
            }
            None => {
                add(&scene);
            }
        }
        strokes.into_iter().for_each(|stroke| marks.draw(stroke));
    }
    marks.links = in_turn(std::mem::take(&mut marks.links));
    marks
}

/// Links as a chain goes along them: each begins where the one before it ends, as far as that goes.
fn in_turn(mut links: Vec<Link>) -> Vec<Link> {
    let mut chain: Vec<Link> = Vec::new();
    while !links.is_empty() {
        let follows = |link: &Link| {
            chain.last().is_some_and(|last| link.from == last.to && link.line != last.line)
        };
        let is_first = |link: &Link| !links.iter().any(|other| other.to == link.from);
        let next = links.iter().position(follows).or_else(|| links.iter().position(is_first));
        chain.push(links.remove(next.unwrap_or(0)));
    }
    chain
}

/// Whether houses are drawn.
fn outlines(drawing: &Drawing) -> bool {
    let Stroke::Mark(node, _) = &drawing.stroke else { return false };
    node.place.kind(&drawing.variables) == Kind::Houses
}

/// A drawing's variables, those of the match bound by name.
fn scene<'g>(
    drawing: &Drawing,
    clause: &Clause,
    account: &Account,
    parameter: Option<i64>,
    before: &'g Grid,
) -> Scene<'g> {
    let mut scene = Scene::open(before, parameter, drawing.variables.len());
    for (variable, bound) in drawing.variables.iter().zip(&mut scene.bound) {
        let values = clause.variables.iter().zip(&account.found.bindings);
        let mut same = values.filter(|(other, value)| {
            *other == variable && variable.name != "_" && value.kind() == variable.kind
        });
        *bound = same.next().map(|(_, value)| *value);
    }
    scene
}

/// What is drawn once.
enum Drawn {
    Houses(Houses, Paint),
    Cells(Cells, Paint),
    Candidates(BTreeSet<Candidate>, Paint),
    Link(Link),
}

fn stroke(
    stroke: &Stroke,
    scene: &Scene,
    grid: &Grid,
    seen: &BTreeSet<Candidate>,
) -> Option<Drawn> {
    match stroke {
        Stroke::Mark(node, paint) => match (scene.value(&node.place)?, &node.digits) {
            (Value::Houses(houses), _) => Some(Drawn::Houses(houses, *paint)),
            (Value::Cells(cells), None) if paint.is_of_cells() => Some(Drawn::Cells(cells, *paint)),
            _ => Some(Drawn::Candidates(candidates(node, scene, grid, seen)?, *paint)),
        },
        Stroke::Link(from, to, line) => {
            let [from, to] = [from, to].map(|node| candidates(node, scene, grid, seen));
            let (from, to) = (from?, to?);
            let is_there = !from.is_empty() && !to.is_empty();
            is_there.then_some(Drawn::Link(Link { from, to, line: *line }))
        }
    }
}

/// The candidates of a node: of its digits, else those of the pattern, else all that are there.
fn candidates(
    node: &Node,
    scene: &Scene,
    grid: &Grid,
    seen: &BTreeSet<Candidate>,
) -> Option<BTreeSet<Candidate>> {
    let cells = scene.cells(&node.place)?;
    let all = |digits: Digits| {
        let live = |cell| (grid.candidates(cell) & digits).iter().map(move |digit| (cell, digit));
        let pairs = (cells & grid.unsolved()).iter().flat_map(live);
        pairs.map(|(cell, digit)| Candidate { cell, digit }).collect::<BTreeSet<_>>()
    };
    Some(match &node.digits {
        Some(digits) => all(scene.digits(digits)?),
        None => {
            let there = all(grid.layout().all_digits());
            let pattern: BTreeSet<Candidate> = there.intersection(seen).copied().collect();
            if pattern.is_empty() { there } else { pattern }
        }
    })
}

impl Marks {
    fn draw(&mut self, drawn: Drawn) {
        match drawn {
            Drawn::Houses(houses, paint) => {
                let new = houses.iter().filter(|house| !self.outlined.contains(house));
                let new: Vec<_> = new.collect();
                if paint == Paint::Base {
                    let at = self.starting;
                    self.outlined.splice(at..at, new.iter().copied());
                    self.starting += new.len();
                } else {
                    self.outlined.extend(new);
                }
            }
            Drawn::Cells(cells, paint) => {
                let paint = self.numbered(paint);
                for cell in cells {
                    self.tinted.insert(cell);
                    self.framed.entry(cell).or_insert(paint);
                    self.ringed.retain(|candidate| candidate.cell != cell);
                }
            }
            Drawn::Candidates(candidates, Paint::Pattern) => {
                for candidate in candidates {
                    self.tinted.insert(candidate.cell);
                    let plain = !self.struck.contains(&candidate)
                        && !self.boxed.contains(&candidate)
                        && !self.painted.contains_key(&candidate);
                    if plain {
                        self.ringed.insert(candidate);
                    }
                }
            }
            Drawn::Candidates(candidates, paint) => {
                candidates.into_iter().for_each(|candidate| self.paint(candidate, paint));
            }
            Drawn::Link(link) => {
                if !self.links.contains(&link) {
                    self.links.push(link);
                }
            }
        }
    }

    /// The next number for a set without one; after the last the first comes again.
    fn numbered(&self, paint: Paint) -> Paint {
        if paint != Paint::NextSet {
            return paint;
        }
        let last = self.framed.values().filter_map(|paint| match paint {
            Paint::Set(number) => Some(*number),
            _ => None,
        });
        Paint::Set(last.max().unwrap_or(0) % Paint::SETS + 1)
    }
}

/// The facts on which a step rests.
struct Rests<'a>(Vec<&'a Derivation>);

impl Facts for Rests<'_> {
    fn holds(&self, helper: PredicateId, arguments: &[Value]) -> Option<bool> {
        Some(self.0.iter().any(|d| d.predicate == helper && d.arguments == arguments))
    }

    fn tuples(&self, helper: PredicateId, arguments: &[Option<Value>]) -> Option<Tuples> {
        let agrees = |derivation: &&&Derivation| {
            let mut pairs = derivation.arguments.iter().zip(arguments);
            derivation.predicate == helper
                && pairs.all(|(value, wanted)| wanted.is_none_or(|wanted| wanted == *value))
        };
        let mut found: Vec<Vec<Value>> = Vec::new();
        for derivation in self.0.iter().filter(agrees) {
            if !found.contains(&derivation.arguments) {
                found.push(derivation.arguments.clone());
            }
        }
        Some(found)
    }

    fn traced(&self, fact: PredicateId, goal: PredicateId, arguments: &[Value]) -> Option<Tuples> {
        let mut all = self.0.iter();
        let goal = all.find(|d| d.predicate == goal && d.arguments == arguments)?;
        Rests(goal.all()).tuples(fact, &vec![None; Rests(goal.all()).arity(fact)?])
    }
}

impl Rests<'_> {
    /// How many arguments a helper has, if the step rests on it.
    fn arity(&self, helper: PredicateId) -> Option<usize> {
        self.0.iter().find(|d| d.predicate == helper).map(|d| d.arguments.len())
    }
}

//! Solving a body: nested loops, one a step.

use std::ops::ControlFlow;

use crate::board::{Candidate, Cell, HouseKind};
use crate::language::{Kind, Literal, Relation, Term};
use crate::trace::Value;

use super::order::Step;
use super::table::Tables;
use super::term::{Environment, State, contains, empty, lone, members, size, union, within};

/// Goes on unless whoever listens has heard enough.
pub(super) type Flow = ControlFlow<()>;

/// A body being solved: the state, the helpers' tables, and who hears of each solution.
pub(super) struct Solver<'a> {
    pub state: State<'a>,
    pub tables: &'a Tables,
    pub kinds: &'a [Kind],
}

impl Solver<'_> {
    /// Calls `found` once for each way to take all steps.
    pub fn solve(
        &self,
        steps: &[Step],
        bound: &mut Environment,
        found: &mut dyn FnMut(&Environment) -> Flow,
    ) -> Flow {
        self.tables.call()?;
        let Some((step, rest)) = steps.split_first() else { return found(bound) };
        match step {
            Step::Test(literal) => {
                if self.holds(literal, bound) {
                    self.solve(rest, bound, found)?;
                }
            }
            Step::Define(v, term) => {
                bound[v.index()] = Some(self.state.value(term, bound));
                self.solve(rest, bound, found)?;
                bound[v.index()] = None;
            }
            Step::Member(v, set) => {
                for member in members(&self.state.value(set, bound)) {
                    bound[v.index()] = Some(member);
                    self.solve(rest, bound, found)?;
                }
                bound[v.index()] = None;
            }
            Step::Domain(v) => {
                let domain = self.state.domain(self.kinds[v.index()]);
                for member in members(&domain.expect("only scalars range over their kind")) {
                    bound[v.index()] = Some(member);
                    self.solve(rest, bound, found)?;
                }
                bound[v.index()] = None;
            }
            Step::Subset(v, number, set) => {
                let set = self.state.value(set, bound);
                let Ok(wanted) = usize::try_from(self.state.number(number, bound)) else {
                    return Flow::Continue(());
                };
                each_subset(&members(&set), wanted, empty_like(&set), &mut |subset| {
                    bound[v.index()] = Some(subset);
                    self.solve(rest, bound, found)
                })?;
                bound[v.index()] = None;
            }
            Step::Relation(relation, terms) => {
                let known: Vec<Option<Value>> =
                    terms.iter().map(|term| self.known(term, bound)).collect();
                self.each_tuple(*relation, &known, &mut |tuple| {
                    self.with(terms, tuple, rest, bound, found)
                })?;
            }
            Step::Call(predicate, terms, positions) => {
                let key: Vec<Value> =
                    positions.iter().map(|&i| self.state.value(&terms[i], bound)).collect();
                for tuple in self.tables.of(*predicate).matching(positions, &key) {
                    self.with(terms, tuple, rest, bound, found)?;
                }
            }
            Step::Fresh(predicate, terms) => {
                for tuple in self.tables.of(*predicate).fresh() {
                    self.with(terms, tuple, rest, bound, found)?;
                }
            }
        }
        Flow::Continue(())
    }

    fn known(&self, term: &Term, bound: &Environment) -> Option<Value> {
        match term {
            Term::Var(v) => bound[v.index()],
            term => Some(self.state.value(term, bound)),
        }
    }

    /// Goes on with the terms made equal to the tuple, if they can be.
    fn with(
        &self,
        terms: &[Term],
        tuple: &[Value],
        rest: &[Step],
        bound: &mut Environment,
        found: &mut dyn FnMut(&Environment) -> Flow,
    ) -> Flow {
        let mut newly = Vec::new();
        let mut equal = true;
        for (term, &value) in terms.iter().zip(tuple) {
            match (self.known(term, bound), term) {
                (Some(known), _) => equal &= known == value,
                (None, Term::Var(v)) => {
                    bound[v.index()] = Some(value);
                    newly.push(*v);
                }
                (None, _) => unreachable!("only a variable is unknown"),
            }
            if !equal {
                break;
            }
        }
        let flow = if equal { self.solve(rest, bound, found) } else { Flow::Continue(()) };
        for v in newly {
            bound[v.index()] = None;
        }
        flow
    }

    /// Whether a literal holds; all its variables are bound. Means nothing once the work was cut
    /// off, and nothing is found then.
    pub fn holds(&self, literal: &Literal, bound: &mut Environment) -> bool {
        let state = &self.state;
        match literal {
            Literal::In(member, set) => {
                contains(&state.value(set, bound), state.value(member, bound))
            }
            Literal::Choose(subset, number, set) => {
                let subset = state.value(subset, bound);
                i64::try_from(size(&subset)) == Ok(state.number(number, bound))
                    && within(&subset, &state.value(set, bound))
            }
            Literal::Within(left, right) => {
                within(&state.value(left, bound), &state.value(right, bound))
            }
            Literal::Compare(comparison, left, right) => {
                comparison.holds(&state.value(left, bound), &state.value(right, bound))
            }
            Literal::Relation(relation, terms) => {
                let known: Vec<Option<Value>> =
                    terms.iter().map(|term| Some(state.value(term, bound))).collect();
                self.each_tuple(*relation, &known, &mut |tuple| {
                    let equal = tuple.iter().zip(&known).all(|(a, b)| Some(*a) == *b);
                    if equal { Flow::Break(()) } else { Flow::Continue(()) }
                })
                .is_break()
            }
            Literal::Call(predicate, terms) => {
                let tuple: Vec<Value> = terms.iter().map(|term| state.value(term, bound)).collect();
                self.tables.of(*predicate).contains(&tuple)
            }
            Literal::Not(literal) => !self.holds(literal, bound),
            Literal::Forall(local, set, body) => {
                let all = members(&state.value(set, bound)).into_iter().all(|member| {
                    bound[local.index()] = Some(member);
                    self.tables.call().is_continue()
                        && body.iter().all(|literal| self.holds(literal, bound))
                });
                bound[local.index()] = None;
                all
            }
        }
    }

    /// Calls `see` with the tuples of a built-in relation; at least with all that agree with
    /// what is known.
    fn each_tuple(
        &self,
        relation: Relation,
        known: &[Option<Value>],
        see: &mut dyn FnMut(&[Value]) -> Flow,
    ) -> Flow {
        let (layout, grid) = (self.state.layout(), self.state.grid);
        let cells = |known: Option<Value>| match known {
            Some(Value::Cell(cell)) => crate::board::Cells::only(cell),
            _ => layout.all_cells(),
        };
        match relation {
            Relation::Sees => match *known {
                [Some(Value::Cell(a)), Some(Value::Cell(b))] => {
                    if layout.sees(a, b) {
                        see(&[Value::Cell(a), Value::Cell(b)])?;
                    }
                }
                [None, Some(Value::Cell(b))] => {
                    for a in layout.peers(b) {
                        see(&[Value::Cell(a), Value::Cell(b)])?;
                    }
                }
                [a, _] => {
                    for a in cells(a) {
                        for b in layout.peers(a) {
                            see(&[Value::Cell(a), Value::Cell(b)])?;
                        }
                    }
                }
                _ => unreachable!("sees has two arguments"),
            },
            Relation::Given => {
                for cell in grid.given() & cells(known[0]) {
                    see(&[Value::Cell(cell)])?;
                }
            }
            Relation::Live => {
                for cell in cells(known[0]) {
                    for digit in layout.digits() {
                        let wanted = known[1].is_none_or(|d| d == Value::Digit(digit));
                        if wanted && grid.is_possible(Candidate { cell, digit }) {
                            see(&[Value::Cell(cell), Value::Digit(digit)])?;
                        }
                    }
                }
            }
            Relation::Rectangle => {
                for a in cells(known[0]) {
                    self.each_rectangle(a, see)?;
                }
            }
            Relation::Orientation => {
                let rows = Value::Houses(layout.houses_of_kind(HouseKind::Row));
                let columns = Value::Houses(layout.houses_of_kind(HouseKind::Column));
                see(&[rows, columns])?;
                see(&[columns, rows])?;
            }
        }
        Flow::Continue(())
    }

    /// The rectangles in two boxes with a corner at `a`.
    fn each_rectangle(&self, a: Cell, see: &mut dyn FnMut(&[Value]) -> Flow) -> Flow {
        let layout = self.state.layout();
        let (row, column) = (layout.row_index(a), layout.column_index(a));
        for r in (0..layout.size()).filter(|&r| r != row) {
            for c in (0..layout.size()).filter(|&c| c != column) {
                let along = layout.cell_at(row, c);
                let down = layout.cell_at(r, column);
                let across = layout.cell_at(r, c);
                let one = layout.box_of(a);
                let boxes = (layout.box_of(along) == one, layout.box_of(down) == one);
                if matches!(boxes, (true, false) | (false, true)) {
                    for (b, c) in [(along, down), (down, along)] {
                        see(&[a, b, c, across].map(Value::Cell))?;
                    }
                }
            }
        }
        Flow::Continue(())
    }
}

fn empty_like(set: &Value) -> Value {
    empty(match set {
        Value::Cells(_) => Kind::Cell,
        Value::Digits(_) => Kind::Digit,
        _ => Kind::House,
    })
}

/// Calls `see` with `chosen` and `wanted` of the members, in order.
fn each_subset(
    members: &[Value],
    wanted: usize,
    chosen: Value,
    see: &mut dyn FnMut(Value) -> Flow,
) -> Flow {
    if wanted == 0 {
        return see(chosen);
    }
    for i in 0..members.len().saturating_sub(wanted - 1) {
        each_subset(&members[i + 1..], wanted - 1, union(chosen, lone(members[i])), see)?;
    }
    Flow::Continue(())
}

//! Walking through the bindings of a flat clause, up to symmetry.
//!
//! At the end of each way stand the literals that say that the body holds under this binding. Each
//! carries the step at which it was added, so that a refutation which needs only the early ones
//! closes everything that starts with them: the walk jumps back that far.

use std::collections::HashSet;

use crate::board::{Cell, Cells, Digit, Digits, House, HouseKind, Houses, Index, Layout, Set};
use crate::language::{Kind, Literal, PredicateId, Term, Var};

use super::condition::may_be_rectangle;
use super::encode::Encoder;
use super::evaluate::{Beyond, Environment, Evaluator};
use super::flatten::Flat;
use super::plan::{Plan, Step};
use super::sat::Lit;
use super::symbol::{Amount, Fuzzy, Symbol};
use super::symmetry::Used;

/// What to do after the end of a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Go on with the next binding.
    Next,
    /// Everything that shares the first steps up to this one is done.
    Back(usize),
    /// Stop the walk.
    Stop,
}

/// The end of a way: all variables bound.
pub struct Leaf<'a> {
    /// The values.
    pub bound: &'a Environment,
    /// The literals that say that the body holds, each with the step that added it.
    pub body: &'a [(Lit, usize)],
    /// What the binding has touched.
    pub used: Used,
    /// After which step everything that the heads mention was bound.
    pub heads_known: usize,
    /// How many steps there are.
    pub steps: usize,
}

/// Whoever wants to see the bindings.
pub trait Visitor {
    /// The propositions.
    fn encoder(&mut self) -> &mut Encoder;
    /// The rule's parameter.
    fn parameter(&self) -> Option<i64>;
    /// What a recursive helper's meaning says of these arguments, as conditions.
    fn recursive(&mut self, helper: PredicateId, arguments: &[Symbol], out: &mut Vec<Lit>);
    /// A condition had to be left out.
    fn left_out(&mut self);
    /// There are too many ways, and the walk ends here.
    fn too_many(&mut self);
    /// Called at the end of each way.
    fn leaf(&mut self, leaf: &Leaf) -> Flow;
    /// Evaluates a condition.
    fn conditions(
        &mut self,
        literal: &Literal,
        bound: &mut Environment,
        out: &mut Vec<Lit>,
    ) -> Result<(), Beyond>;
}

/// Steps of one walk, so that any rule ends.
const MOST_STEPS: u64 = 20_000_000;
/// Subsets tried at one step, which all stand in memory.
const MOST_SUBSETS: usize = 200_000;

/// A walk under way.
pub struct Walk<'a> {
    flat: &'a Flat,
    plan: &'a Plan,
    bound: Environment,
    body: Vec<(Lit, usize)>,
    /// Steps that may still be taken.
    left: u64,
}

impl<'a> Walk<'a> {
    /// A walk that starts from these values.
    pub fn new(flat: &'a Flat, plan: &'a Plan, bound: Environment) -> Walk<'a> {
        Walk { flat, plan, bound, body: Vec::new(), left: MOST_STEPS }
    }

    /// Walks through all bindings.
    pub fn run<V: Visitor>(&mut self, visitor: &mut V, used: Used) -> Flow {
        self.step(0, visitor, used)
    }

    fn step<V: Visitor>(&mut self, at: usize, visitor: &mut V, used: Used) -> Flow {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            visitor.too_many();
            return Flow::Stop;
        }
        let Some(step) = self.plan.steps.get(at) else {
            return visitor.leaf(&Leaf {
                bound: &self.bound,
                body: &self.body,
                used,
                heads_known: self.plan.heads_known,
                steps: self.plan.steps.len(),
            });
        };
        match step {
            Step::Test(literal) => {
                let length = self.body.len();
                let mut flow = Flow::Next;
                if self.test(*literal, at, visitor) {
                    flow = self.step(at + 1, visitor, used);
                }
                self.body.truncate(length);
                flow
            }
            Step::Corners(terms) => {
                let corner = |i: usize| match &terms[i] {
                    Term::Var(v) => match self.bound[v.index()] {
                        Some(Symbol::Cell(cell)) => Some(cell),
                        _ => None,
                    },
                    Term::Cell { row, column } => Some(
                        visitor.encoder().layout().cell_at(usize::from(*row), usize::from(*column)),
                    ),
                    _ => None,
                };
                let corners = [0, 1, 2, 3].map(corner);
                if may_be_rectangle(visitor.encoder().layout(), corners) {
                    self.step(at + 1, visitor, used)
                } else {
                    Flow::Next
                }
            }
            Step::Bind(variable) => self.bind(at, *variable, visitor, used),
            Step::Define(variable, term) => {
                let value = self.evaluator(visitor).term(term, &self.bound);
                self.with(at, *variable, value, visitor, used)
            }
            Step::Split(variable, term, most) => {
                let value = self.evaluator(visitor).term(term, &self.bound);
                match value {
                    Symbol::Cells(set) => self.split(at, *variable, &set, *most, visitor, used),
                    Symbol::Digits(set) => self.split(at, *variable, &set, *most, visitor, used),
                    Symbol::Houses(set) => self.split(at, *variable, &set, *most, visitor, used),
                    other => self.with(at, *variable, other, visitor, used),
                }
            }
            Step::Subset(variable, size, set) => {
                let Amount { fixed, counted } = self.evaluator(visitor).number(size, &self.bound);
                debug_assert!(counted.is_empty(), "the size of a choice does not change");
                let size = fixed.max(0) as usize;
                match self.evaluator(visitor).term(set, &self.bound) {
                    Symbol::Cells(set) => self.subsets(at, *variable, &set, size, visitor, used),
                    Symbol::Digits(set) => self.subsets(at, *variable, &set, size, visitor, used),
                    Symbol::Houses(set) => self.subsets(at, *variable, &set, size, visitor, used),
                    other => unreachable!("{other:?} is not a set"),
                }
            }
            Step::Orient(lines, across) => self.orient(at, *lines, *across, visitor, used),
            Step::Unknown(variable) => {
                let value = self.unknown(*variable, visitor);
                self.with(at, *variable, value, visitor, used)
            }
        }
    }

    fn evaluator<'v, V: Visitor>(&self, visitor: &'v mut V) -> Evaluator<'v> {
        let parameter = visitor.parameter();
        Evaluator { encoder: visitor.encoder(), parameter }
    }

    /// Adds a condition; whether it may hold at all.
    fn test<V: Visitor>(&mut self, literal: usize, at: usize, visitor: &mut V) -> bool {
        let literal = &self.flat.body[literal];
        let mut conditions = Vec::new();
        let members = visitor.encoder().members;
        if let Literal::Call(helper, terms) = literal {
            let mut evaluator = self.evaluator(visitor);
            let arguments: Vec<Symbol> =
                terms.iter().map(|term| evaluator.term(term, &self.bound)).collect();
            visitor.recursive(*helper, &arguments, &mut conditions);
        } else if visitor.conditions(literal, &mut self.bound, &mut conditions).is_err() {
            visitor.left_out();
            conditions.clear();
        }
        self.left = self.left.saturating_sub(visitor.encoder().members - members);
        self.body.extend(conditions.iter().filter(|&&l| l != Lit::TRUE).map(|&l| (l, at)));
        !conditions.contains(&Lit::FALSE)
    }

    fn with<V: Visitor>(
        &mut self,
        at: usize,
        variable: Var,
        value: Symbol,
        visitor: &mut V,
        used: Used,
    ) -> Flow {
        self.bound[variable.index()] = Some(value);
        let flow = self.step(at + 1, visitor, used);
        self.bound[variable.index()] = None;
        flow
    }

    fn bind<V: Visitor>(&mut self, at: usize, variable: Var, visitor: &mut V, used: Used) -> Flow {
        let layout = visitor.encoder().layout().clone();
        let values: Vec<(Symbol, Used)> = match self.flat.variables[variable.index()].kind {
            Kind::Cell => {
                let all = used.cells_to_try(&layout);
                all.iter().map(|c| (Symbol::Cell(c), used.cell(&layout, c))).collect()
            }
            Kind::Digit => {
                let all = used.digits_to_try(&layout);
                all.iter().map(|d| (Symbol::Digit(d), used.digit(d))).collect()
            }
            _ => {
                let all = used.houses_to_try(&layout);
                all.iter().map(|h| (Symbol::House(h), used.house(&layout, h))).collect()
            }
        };
        for (value, used) in values {
            match self.with(at, variable, value, visitor, used) {
                Flow::Back(to) if to < at => return Flow::Back(to),
                Flow::Stop => return Flow::Stop,
                _ => {}
            }
        }
        Flow::Next
    }

    fn orient<V: Visitor>(
        &mut self,
        at: usize,
        lines: Var,
        across: Var,
        visitor: &mut V,
        used: Used,
    ) -> Flow {
        let layout = visitor.encoder().layout().clone();
        let kind = |kind| Symbol::Houses(Fuzzy::fixed(layout.houses_of_kind(kind)));
        let rows = kind(HouseKind::Row);
        let columns = kind(HouseKind::Column);
        for (one, other) in [(&rows, &columns), (&columns, &rows)] {
            self.bound[across.index()] = Some(other.clone());
            let flow = self.with(at, lines, one.clone(), visitor, used);
            self.bound[across.index()] = None;
            match flow {
                Flow::Back(to) if to < at => return Flow::Back(to),
                Flow::Stop => return Flow::Stop,
                _ => {}
            }
        }
        Flow::Next
    }

    /// Every subset of this size; its members are members of the set.
    fn subsets<T: Member<W>, const W: usize, V: Visitor>(
        &mut self,
        at: usize,
        variable: Var,
        set: &Fuzzy<T, W>,
        size: usize,
        visitor: &mut V,
        used: Used,
    ) -> Flow {
        let layout = visitor.encoder().layout().clone();
        let Some(subsets) = grow(&layout, set.widest(), size..=size, used) else {
            visitor.too_many();
            return Flow::Stop;
        };
        for (chosen, used) in subsets {
            let length = self.body.len();
            for member in chosen {
                let present = set.contains(member);
                self.body.extend((present != Lit::TRUE).then_some((present, at)));
            }
            let flow = self.with(at, variable, T::symbol(chosen), visitor, used);
            self.body.truncate(length);
            match flow {
                Flow::Back(to) if to < at => return Flow::Back(to),
                Flow::Stop => return Flow::Stop,
                _ => {}
            }
        }
        Flow::Next
    }

    /// Every value with at most so many members that the set can have.
    fn split<T: Member<W>, const W: usize, V: Visitor>(
        &mut self,
        at: usize,
        variable: Var,
        set: &Fuzzy<T, W>,
        most: usize,
        visitor: &mut V,
        used: Used,
    ) -> Flow {
        if set.maybe.is_empty() {
            return self.with(at, variable, T::symbol(set.sure), visitor, used);
        }
        let layout = visitor.encoder().layout().clone();
        let widest = set.widest();
        let Some(subsets) = grow(&layout, widest, 0..=most, used) else {
            visitor.too_many();
            return Flow::Stop;
        };
        for (chosen, used) in subsets {
            if !set.sure.within(&chosen) {
                continue;
            }
            let length = self.body.len();
            for &(member, present) in &set.maybe {
                let literal = if chosen.contains(member) { present } else { !present };
                self.body.push((literal, at));
            }
            let flow = self.with(at, variable, T::symbol(chosen), visitor, used);
            self.body.truncate(length);
            match flow {
                Flow::Back(to) if to < at => return Flow::Back(to),
                Flow::Stop => return Flow::Stop,
                _ => {}
            }
        }
        Flow::Next
    }

    fn unknown<V: Visitor>(&mut self, variable: Var, visitor: &mut V) -> Symbol {
        let encoder = visitor.encoder();
        let layout = encoder.layout().clone();
        match self.flat.variables[variable.index()].kind {
            Kind::Cells => Symbol::Cells(Fuzzy::collect(
                layout.all_cells().iter().map(|c| (c, encoder.variable())).collect::<Vec<_>>(),
            )),
            Kind::Digits => Symbol::Digits(Fuzzy::collect(
                layout.all_digits().iter().map(|d| (d, encoder.variable())).collect::<Vec<_>>(),
            )),
            Kind::Houses => Symbol::Houses(Fuzzy::collect(
                layout.all_houses().iter().map(|h| (h, encoder.variable())).collect::<Vec<_>>(),
            )),
            _ => {
                let counted = (0..layout.cell_count()).map(|_| encoder.variable()).collect();
                Symbol::Number(Amount { fixed: 0, counted })
            }
        }
    }
}

/// What sets of a kind are made of, and how they grow up to symmetry.
trait Member<const W: usize>: Index + std::fmt::Debug {
    fn symbol(set: Set<Self, W>) -> Symbol;
    fn to_try(used: &Used, layout: &Layout) -> Set<Self, W>;
    fn touch(self, used: Used, layout: &Layout) -> Used;
    /// Whether it is enough to add members in ascending order: true where members of the set are
    /// told apart by one coordinate.
    fn ascending(set: Set<Self, W>, layout: &Layout) -> bool;
}

impl Member<10> for Cell {
    fn symbol(set: Cells) -> Symbol {
        Symbol::Cells(Fuzzy::fixed(set))
    }
    fn to_try(used: &Used, layout: &Layout) -> Cells {
        used.cells_to_try(layout)
    }
    fn touch(self, used: Used, layout: &Layout) -> Used {
        used.cell(layout, self)
    }
    fn ascending(set: Cells, layout: &Layout) -> bool {
        let Some(first) = set.first() else { return true };
        set.within(&layout.cells(layout.row(first)))
            || set.within(&layout.cells(layout.column(first)))
    }
}

impl Member<1> for Digit {
    fn symbol(set: Digits) -> Symbol {
        Symbol::Digits(Fuzzy::fixed(set))
    }
    fn to_try(used: &Used, layout: &Layout) -> Digits {
        used.digits_to_try(layout)
    }
    fn touch(self, used: Used, _: &Layout) -> Used {
        used.digit(self)
    }
    fn ascending(_: Digits, _: &Layout) -> bool {
        true
    }
}

impl Member<2> for House {
    fn symbol(set: Houses) -> Symbol {
        Symbol::Houses(Fuzzy::fixed(set))
    }
    fn to_try(used: &Used, layout: &Layout) -> Houses {
        used.houses_to_try(layout)
    }
    fn touch(self, used: Used, layout: &Layout) -> Used {
        used.house(layout, self)
    }
    fn ascending(set: Houses, layout: &Layout) -> bool {
        let Some(first) = set.first() else { return true };
        let kind = layout.kind(first);
        matches!(kind, HouseKind::Row | HouseKind::Column)
            && set.iter().all(|house| layout.kind(house) == kind)
    }
}

/// The subsets of `from` with so many members, up to symmetry, each with what it touches. Without
/// symmetry, or where one coordinate tells the members apart, members are added in ascending order.
/// Nothing if there are too many.
fn grow<T: Member<W>, const W: usize>(
    layout: &Layout,
    from: Set<T, W>,
    sizes: std::ops::RangeInclusive<usize>,
    used: Used,
) -> Option<Vec<(Set<T, W>, Used)>> {
    struct Growth<'a, T, const W: usize> {
        layout: &'a Layout,
        from: Set<T, W>,
        sizes: std::ops::RangeInclusive<usize>,
        ascending: bool,
        seen: HashSet<Set<T, W>>,
        found: Vec<(Set<T, W>, Used)>,
    }
    fn go<T: Member<W>, const W: usize>(
        growth: &mut Growth<T, W>,
        chosen: Set<T, W>,
        last: Option<T>,
        used: Used,
    ) {
        if growth.sizes.contains(&chosen.len()) {
            growth.found.push((chosen, used));
        }
        if chosen.len() >= *growth.sizes.end() || growth.seen.len() > MOST_SUBSETS {
            return;
        }
        for member in (T::to_try(&used, growth.layout) & growth.from) - chosen {
            if growth.ascending && last.is_some_and(|last| member < last) {
                continue;
            }
            let mut with = chosen;
            with.insert(member);
            if growth.seen.insert(with) {
                go(growth, with, Some(member), member.touch(used, growth.layout));
            }
        }
    }
    let ascending = T::ascending(from, layout) || !used.renames();
    let mut growth =
        Growth { layout, from, sizes, ascending, seen: HashSet::new(), found: Vec::new() };
    go(&mut growth, Set::EMPTY, None, used);
    (growth.seen.len() <= MOST_SUBSETS).then_some(growth.found)
}

//! Walking through the bindings of a flat clause, up to symmetry.
//!
//! At the end of each way stand the literals that say that the body holds under this binding. Each
//! carries the step at which it was added, so that a refutation which needs only the early ones
//! closes everything that starts with them: the walk jumps back that far.

mod sets;

use crate::board::{HouseKind, Layout};
use crate::language::{Comparison, Kind, Literal, PredicateId, Term, Var};
use crate::meaning::{self, Amount, Helpers, Logic, Number, Value, Valued};

use super::encode::Encoder;
use super::flatten::Flat;
use super::plan::{Order, Turn};
use super::sat::Lit;
use super::symbol::{Environment, Propositions, Symbol};
use super::symmetry::Used;

use sets::any_of;

/// What to do after the end of a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// Go on with the next binding.
    Next,
    /// Everything that shares the first steps up to this one is done.
    Back(usize),
    /// Stop the walk.
    Stop,
}

impl Flow {
    /// The same, if no other binding of this step is to be tried.
    fn leaves(self, at: usize) -> Option<Flow> {
        let leaves = self == Flow::Stop || matches!(self, Flow::Back(to) if to < at);
        leaves.then_some(self)
    }
}

/// The end of a way: all variables bound.
pub(super) struct Leaf<'a> {
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
pub(super) trait Visitor {
    /// The propositions.
    fn encoder(&mut self) -> &mut Encoder;
    /// The rule's parameter.
    fn parameter(&self) -> Option<i64>;
    /// What a recursive helper's meaning says of these arguments, as conditions.
    fn recursive(&mut self, helper: PredicateId, arguments: &[Symbol], out: &mut Vec<Lit>);
    /// A condition had to be left out, or a value taken to be anything: what is walked through
    /// is weaker than the clause.
    fn left_out(&mut self);
    /// There are too many ways, and the walk ends here.
    fn too_many(&mut self);
    /// How many members `forall` went through so far.
    fn members(&self) -> u64;
    /// Whether a variable may stand for some value that the solver finds: not where it is denied
    /// that there is one.
    fn may_guess(&self) -> bool;
    /// Called at the end of each way.
    fn leaf(&mut self, leaf: &Leaf) -> Flow;
    /// Who reads terms and conditions, and who knows when helpers hold.
    fn propositions(&mut self) -> (Propositions<'_>, &mut dyn Helpers<Encoder>);
    /// Evaluates a condition.
    fn conditions(&mut self, literal: &Literal, bound: &mut Environment) -> Valued<Vec<Lit>> {
        let (mut propositions, helpers) = self.propositions();
        propositions.told(literal, bound, helpers)
    }
}

/// A walk under way.
pub(super) struct Walk<'a> {
    flat: &'a Flat,
    plan: &'a Order,
    bound: Environment,
    body: Vec<(Lit, usize)>,
}

impl<'a> Walk<'a> {
    /// A walk that starts from these values.
    pub(super) fn new(flat: &'a Flat, plan: &'a Order, bound: Environment) -> Walk<'a> {
        Walk { flat, plan, bound, body: Vec::new() }
    }

    /// Walks through all bindings.
    pub(super) fn run<V: Visitor>(&mut self, visitor: &mut V, used: Used) -> Flow {
        self.step(0, visitor, used)
    }

    fn step<V: Visitor>(&mut self, at: usize, visitor: &mut V, used: Used) -> Flow {
        visitor.encoder().count_steps(1);
        if visitor.encoder().is_full() {
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
            Turn::Test(literal) => {
                let length = self.body.len();
                let mut flow = Flow::Next;
                if self.test(&self.flat.body[*literal], at, visitor) {
                    flow = self.step(at + 1, visitor, used);
                }
                self.body.truncate(length);
                flow
            }
            Turn::Corners(terms) => {
                if self.may_be_rectangle(terms, visitor.encoder().layout()) {
                    self.step(at + 1, visitor, used)
                } else {
                    Flow::Next
                }
            }
            Turn::Bind(variable) => self.bind(at, *variable, visitor, used),
            Turn::Define(variable, term) => match self.value(*variable, term, visitor) {
                Some(value) => self.with(at, *variable, value, visitor, used),
                None => Flow::Stop,
            },
            Turn::Collect(variable, literal) => {
                let value = self.collected(*variable, *literal, visitor);
                self.with(at, *variable, value, visitor, used)
            }
            Turn::Split(variable, term, most) => match self.value(*variable, term, visitor) {
                Some(Value::Cells(set)) => self.split(at, *variable, &set, *most, visitor, used),
                Some(Value::Digits(set)) => self.split(at, *variable, &set, *most, visitor, used),
                Some(Value::Houses(set)) => self.split(at, *variable, &set, *most, visitor, used),
                Some(other) => self.with(at, *variable, other, visitor, used),
                None => Flow::Stop,
            },
            Turn::Subset(variable, size, set) => {
                let sizes = self.sizes(size, visitor);
                match self.value(*variable, set, visitor) {
                    Some(Value::Cells(set)) => {
                        self.subsets(at, *variable, &set, &sizes, visitor, used)
                    }
                    Some(Value::Digits(set)) => {
                        self.subsets(at, *variable, &set, &sizes, visitor, used)
                    }
                    Some(Value::Houses(all))
                        if !used.is_general() && self.is_mixed(&all, visitor) =>
                    {
                        let guess = any_of(all.widest(), visitor.encoder());
                        let guess = Value::Houses(guess);
                        self.guess(at, *variable, guess, (size, set), visitor, used)
                    }
                    Some(Value::Houses(set)) => {
                        self.subsets(at, *variable, &set, &sizes, visitor, used)
                    }
                    Some(other) => unreachable!("{other:?} is not a set"),
                    None => Flow::Stop,
                }
            }
            Turn::Orient(lines, across) => self.orient(at, *lines, *across, visitor, used),
            Turn::Unknown(variable) => {
                let value = self.unknown(*variable, visitor);
                self.with(at, *variable, value, visitor, used)
            }
        }
    }

    /// Whether the cells among these terms can be corners of a rectangle.
    fn may_be_rectangle(&self, terms: &[Term], layout: &Layout) -> bool {
        let corner = |i: usize| match &terms[i] {
            Term::Var(v) => match self.bound[v.index()] {
                Some(Value::Cell(cell)) => Some(cell),
                _ => None,
            },
            Term::Cell { row, column } => {
                Some(layout.cell_at(usize::from(*row), usize::from(*column)))
            }
            _ => None,
        };
        layout.may_be_rectangle([0, 1, 2, 3].map(corner))
    }

    fn reading<'v, V: Visitor>(&self, visitor: &'v mut V) -> Propositions<'v> {
        let parameter = visitor.parameter();
        Propositions { logic: visitor.encoder(), parameter }
    }

    /// The value of a term for a variable. A number that is too much to work out may be anything;
    /// for anything else, the walk ends.
    fn value<V: Visitor>(&self, variable: Var, term: &Term, visitor: &mut V) -> Option<Symbol> {
        match self.reading(visitor).value(term, &self.bound) {
            Ok(value) => Some(value),
            Err(_) if self.flat.variables[variable.index()].kind == Kind::Number => {
                visitor.left_out();
                Some(Value::Number(Amount::Unknown))
            }
            Err(_) => {
                visitor.too_many();
                None
            }
        }
    }

    /// The sizes that a choice can have, each with when it has it; any size if that cannot be
    /// told.
    fn sizes<V: Visitor>(&self, [size, most]: &[Term; 2], visitor: &mut V) -> Vec<(usize, Lit)> {
        let all = visitor.encoder().layout().cell_count();
        let mut reading = self.reading(visitor);
        if size != most {
            let ends = [size, most].map(|end| reading.number(end, &self.bound));
            if let [Ok(least), Ok(most)] = ends
                && let Some(sizes) = between(&least, &most, all, reading.logic)
            {
                return sizes;
            }
            visitor.left_out();
            return (0..=all).map(|size| (size, Lit::TRUE)).collect();
        }
        let values = reading.number(size, &self.bound).and_then(|size| match size.if_fixed() {
            Some(size) => Ok(vec![(size, Lit::TRUE)]),
            None => size.values(reading.logic),
        });
        match values {
            Ok(values) => values
                .into_iter()
                .filter_map(|(size, when)| Some((usize::try_from(size).ok()?, when)))
                .collect(),
            Err(_) => {
                visitor.left_out();
                (0..=all).map(|size| (size, Lit::TRUE)).collect()
            }
        }
    }

    /// What a condition comes to; a recursive helper is taken by its meaning.
    fn told<V: Visitor>(&mut self, literal: &Literal, visitor: &mut V) -> Valued<Vec<Lit>> {
        let Literal::Call(helper, terms) = literal else {
            return visitor.conditions(literal, &mut self.bound);
        };
        let mut reading = self.reading(visitor);
        let arguments = terms.iter().map(|term| reading.value(term, &self.bound));
        let arguments = arguments.collect::<Valued<Vec<Symbol>>>()?;
        let mut conditions = Vec::new();
        visitor.recursive(*helper, &arguments, &mut conditions);
        Ok(conditions)
    }

    /// Adds a condition; whether it may hold at all.
    fn test<V: Visitor>(&mut self, literal: &Literal, at: usize, visitor: &mut V) -> bool {
        let members = visitor.members();
        let conditions = self.told(literal, visitor).unwrap_or_else(|_| {
            visitor.left_out();
            Vec::new()
        });
        let members = visitor.members() - members;
        visitor.encoder().count_steps(members);
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
                all.iter().map(|c| (Value::Cell(c), used.cell(&layout, c))).collect()
            }
            Kind::Digit => {
                let all = used.digits_to_try(&layout);
                all.iter().map(|d| (Value::Digit(d), used.digit(d))).collect()
            }
            _ => {
                let mut all = used.houses_to_try(&layout);
                if self.flat.may_be_group(variable) {
                    all |= layout.groups();
                }
                all.iter().map(|h| (Value::House(h), used.house(&layout, h))).collect()
            }
        };
        for (value, used) in values {
            if let Some(flow) = self.with(at, variable, value, visitor, used).leaves(at) {
                return flow;
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
        // Rows and columns are told from other houses here, so they are all kept.
        let kind = |kind| Value::Houses(Fuzzy::fixed(layout.houses_of_kind(kind)));
        let rows = kind(HouseKind::Row);
        let columns = kind(HouseKind::Column);
        for (one, other) in [(&rows, &columns), (&columns, &rows)] {
            self.bound[across.index()] = Some(other.clone());
            let flow = self.with(at, lines, one.clone(), visitor, used);
            self.bound[across.index()] = None;
            if let Some(flow) = flow.leaves(at) {
                return flow;
            }
        }
        Flow::Next
    }
}

type Fuzzy<T, const W: usize> = meaning::Fuzzy<T, W, Lit>;

/// The sizes from one number to another, up to `all`, each with when it is one.
fn between(
    least: &Amount<Lit>,
    most: &Amount<Lit>,
    all: usize,
    logic: &mut Encoder,
) -> Option<Vec<(usize, Lit)>> {
    let mut found = Vec::new();
    for size in 0..=all {
        let number = Amount::fixed(size as i64);
        let enough = logic.compare(Comparison::AtLeast, &number, least).ok()?;
        let not_more = logic.compare(Comparison::AtMost, &number, most).ok()?;
        let when = Logic::all(logic, vec![enough, not_more]);
        if when != Lit::FALSE {
            found.push((size, when));
        }
    }
    Some(found)
}

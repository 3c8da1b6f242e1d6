//! In which order the variables of a flat clause are bound.
//!
//! Every condition is evaluated as soon as its variables are bound, so that a binding which cannot
//! be is left early. The order decides only how much work there is.

use crate::language::{Comparison, Head, Kind, Literal, Relation, Term, Var};

use super::flatten::Flat;

/// One thing to do while walking through the bindings.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Turn {
    /// Bind a cell, digit or house to everything of its kind, up to symmetry.
    Bind(Var),
    /// Bind a variable to a term's value, which may depend on the state.
    Define(Var, Term),
    /// The same for a set of at most so many members: one binding for each value it can have.
    Split(Var, Term, usize),
    /// Bind the set that the condition with this number collects.
    Collect(Var, usize),
    /// Bind a variable to every subset of these sizes.
    Subset(Var, [Term; 2], Term),
    /// Bind the rows and the columns, either way round.
    Orient(Var, Var),
    /// Bind a set or number that only a recursive helper limits to something unknown.
    Unknown(Var),
    /// Evaluate the condition with this number.
    Test(usize),
    /// See whether four cells can still be a rectangle.
    Corners([Term; 4]),
}

/// The steps, and after which of them the heads are known.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// What to do, in order.
    pub steps: Vec<Turn>,
    /// After this many steps, everything that the heads mention is bound.
    pub heads_known: usize,
    /// Literals looked at to find the order.
    pub looked_at: u64,
}

/// The plan for a clause in which the variables of `bound` have values already.
pub(super) fn plan(flat: &Flat, parameter: Option<i64>, bound: Vec<bool>) -> Order {
    let mut planner = Planner {
        flat,
        parameter,
        bound,
        steps: Vec::new(),
        done: vec![false; flat.body.len()],
        variables: flat.body.iter().map(Literal::variables).collect(),
        heads: head_variables(flat),
        mentioned: flat.mentioned(),
        heads_first: flat.body.iter().any(Literal::traces),
        looked_at: 0,
    };
    planner.run();
    let mut unbound = head_variables(flat);
    let mut heads_known = 0;
    for (i, step) in planner.steps.iter().enumerate() {
        let before = unbound.len();
        match step {
            Turn::Bind(v) | Turn::Unknown(v) => unbound.retain(|u| u != v),
            Turn::Define(v, _) | Turn::Split(v, ..) | Turn::Subset(v, ..) | Turn::Collect(v, _) => {
                unbound.retain(|u| u != v);
            }
            Turn::Orient(v, w) => unbound.retain(|u| u != v && u != w),
            Turn::Test(_) | Turn::Corners(_) => {}
        }
        if unbound.len() < before {
            heads_known = i + 1;
        }
    }
    Order { steps: planner.steps, heads_known, looked_at: planner.looked_at }
}

fn head_variables(flat: &Flat) -> Vec<Var> {
    let mut found = Vec::new();
    for term in flat.heads.iter().flat_map(Head::terms) {
        term.each_variable(&mut |v| found.push(v));
    }
    found
}

struct Planner<'a> {
    flat: &'a Flat,
    parameter: Option<i64>,
    bound: Vec<bool>,
    steps: Vec<Turn>,
    done: Vec<bool>,
    /// Those of each literal of the body.
    variables: Vec<Vec<Var>>,
    /// Those of the heads, and whether they come first.
    heads: Vec<Var>,
    heads_first: bool,
    /// By variable: of one that nothing mentions, any value will do.
    mentioned: Vec<bool>,
    looked_at: u64,
}

impl Planner<'_> {
    fn run(&mut self) {
        self.traced();
        for &free in &self.flat.free {
            self.bind(free, Turn::Unknown(free));
        }
        loop {
            self.tests();
            if !(self.definition() || self.scalar(true) || self.choice() || self.scalar(false)) {
                break;
            }
        }
        self.unknowns();
        self.tests();
    }

    /// What asks for a derivation cannot be told: a set of such facts is any set, whatever it
    /// waits for.
    fn traced(&mut self) {
        for (i, literal) in self.flat.body.iter().enumerate() {
            if let Literal::Collect(set, ..) = literal
                && literal.traces()
            {
                self.done[i] = true;
                self.bind(*set, Turn::Unknown(*set));
            }
        }
    }

    fn knows(&self, term: &Term) -> bool {
        term.is_known(&|v| self.bound[v.index()])
    }

    fn unbound(&self, term: &Term) -> Option<Var> {
        match term {
            Term::Var(v) if !self.bound[v.index()] => Some(*v),
            _ => None,
        }
    }

    fn bind(&mut self, variable: Var, step: Turn) {
        self.bound[variable.index()] = true;
        self.steps.push(step);
        for literal in &self.flat.body {
            if let Literal::Relation(Relation::Rectangle, terms) = literal {
                let corners: [Term; 4] = std::array::from_fn(|i| terms[i].clone());
                let known = corners.iter().filter(|&term| self.knows(term)).count();
                if corners.contains(&Term::Var(variable)) && (2..4).contains(&known) {
                    self.steps.push(Turn::Corners(corners));
                }
            }
        }
    }

    /// Everything that can be evaluated now.
    fn tests(&mut self) {
        self.looked_at += self.done.len() as u64;
        for (i, variables) in self.variables.iter().enumerate() {
            if !self.done[i] && variables.iter().all(|v| self.bound[v.index()]) {
                self.done[i] = true;
                self.steps.push(Turn::Test(i));
            }
        }
    }

    /// `V = term`, where the term is known, or `V = {X : …}`.
    fn definition(&mut self) -> bool {
        for (i, literal) in self.flat.body.iter().enumerate() {
            if let Literal::Collect(set, ..) = literal {
                let waits = |v: &Var| v != set && !self.bound[v.index()];
                if !self.done[i]
                    && !self.bound[set.index()]
                    && !literal.variables().iter().any(waits)
                {
                    self.done[i] = true;
                    self.bind(*set, Turn::Collect(*set, i));
                    return true;
                }
                continue;
            }
            let Literal::Compare(Comparison::Equal, left, right) = literal else { continue };
            for (variable, term) in [(left, right), (right, left)] {
                let Some(variable) = self.unbound(variable) else { continue };
                if self.done[i] || !self.knows(term) {
                    continue;
                }
                self.done[i] = true;
                // Of a layout that is not known, values could have cells that are not named.
                let kind = self.flat.variables[variable.index()].kind;
                let splits = !self.flat.general || kind == Kind::Digits;
                let step = match self.most_members(variable).filter(|_| splits) {
                    Some(most) => Turn::Split(variable, term.clone(), most),
                    None => Turn::Define(variable, term.clone()),
                };
                self.bind(variable, step);
                return true;
            }
        }
        false
    }

    /// How many members a set variable may have, where a condition limits it.
    fn most_members(&self, variable: Var) -> Option<usize> {
        let size = Term::Size(Box::new(Term::Var(variable)));
        let limits = self.flat.body.iter().filter_map(|literal| match literal {
            Literal::Compare(comparison, left, right) => {
                let (comparison, bound) = if *left == size {
                    (*comparison, right)
                } else if *right == size {
                    (comparison.turned(), left)
                } else {
                    return None;
                };
                let bound = constant(bound, self.parameter)?;
                match comparison {
                    Comparison::Equal | Comparison::AtMost => Some(bound),
                    Comparison::Less => Some(bound - 1),
                    _ => None,
                }
            }
            _ => None,
        });
        // Digits are alike, so there are few sets of them to try.
        let kind = self.flat.variables[variable.index()].kind;
        let most = if kind == Kind::Digits { 9 } else { 6 };
        limits.min().filter(|&limit| limit <= most).map(|limit| limit.max(0) as usize)
    }

    /// The scalar variable that makes most conditions ready; with `connected`, only one that some
    /// condition ties to what is bound.
    fn scalar(&mut self, connected: bool) -> bool {
        let mut best: Option<(usize, usize, usize, usize)> = None;
        for (v, variable) in self.flat.variables.iter().enumerate() {
            let rank = match variable.kind {
                Kind::Digit => 1,
                Kind::House => 0,
                Kind::Cell => 2,
                _ => continue,
            };
            let this = Var(v as u16);
            if self.bound[v] || !self.mentioned[v] || self.is_local(this) {
                continue;
            }
            let (mut ready, mut tied) = (0, false);
            self.looked_at += self.done.len() as u64;
            for (i, literal) in self.flat.body.iter().enumerate() {
                let variables = &self.variables[i];
                if self.done[i] || !variables.contains(&this) {
                    continue;
                }
                let others = variables.iter().filter(|&&w| w != this);
                let bound = others.clone().filter(|w| self.bound[w.index()]).count();
                if bound == others.count() {
                    ready += 1;
                    tied |= bound > 0;
                }
                let corners = matches!(literal, Literal::Relation(Relation::Rectangle, _));
                tied |= corners && bound > 0;
            }
            if connected && !tied {
                continue;
            }
            // The conclusions of facts of a derivation are about them, not about its ends.
            let first = usize::from(self.heads_first && self.heads.contains(&this));
            let key = (first, ready, rank, usize::MAX - v);
            if best.is_none_or(|known| known < key) {
                best = Some(key);
            }
        }
        let Some((_, _, _, place)) = best else { return false };
        let variable = Var((usize::MAX - place) as u16);
        self.bind(variable, Turn::Bind(variable));
        true
    }

    /// Whether a variable belongs to a generator.
    fn is_local(&self, variable: Var) -> bool {
        self.flat.body.iter().any(|literal| literal.binds(variable))
    }

    /// `Xs in choose(N, S)` or `orientation(Lines, Across)`.
    fn choice(&mut self) -> bool {
        for (i, literal) in self.flat.body.iter().enumerate() {
            if self.done[i] {
                continue;
            }
            match literal {
                Literal::Choose(subset, least, most, set) => {
                    let Some(variable) = self.unbound(subset) else { continue };
                    if [least, most, set].into_iter().all(|term| self.knows(term)) {
                        self.done[i] = true;
                        let sizes = [least.clone(), most.clone()];
                        self.bind(variable, Turn::Subset(variable, sizes, set.clone()));
                        return true;
                    }
                }
                Literal::Relation(Relation::Orientation, terms) => {
                    let (lines, across) = (self.unbound(&terms[0]), self.unbound(&terms[1]));
                    if let (Some(lines), Some(across)) = (lines, across) {
                        self.done[i] = lines != across;
                        self.bound[across.index()] = true;
                        self.bind(lines, Turn::Orient(lines, across));
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// What nothing but a recursive helper limits.
    fn unknowns(&mut self) {
        for v in 0..self.flat.variables.len() {
            let variable = Var(v as u16);
            if !self.bound[v] && self.mentioned[v] && !self.is_local(variable) {
                self.bind(variable, Turn::Unknown(variable));
                self.tests();
                while self.definition() {
                    self.tests();
                }
            }
        }
    }
}

/// A number without variables.
fn constant(term: &Term, parameter: Option<i64>) -> Option<i64> {
    match term {
        Term::Number(number) => Some(*number),
        Term::Parameter => parameter,
        Term::Arithmetic(operation, left, right) => {
            let (left, right) = (constant(left, parameter)?, constant(right, parameter)?);
            operation.of(left, right)
        }
        _ => None,
    }
}

//! Clauses that ask the same of all ends: whether all are contradictions, or what they have in
//! common.
//!
//! ```text
//! heads          :- rest,                suppose … below L : (contradiction).
//! eliminate(T, X) :- rest, guards of T X, forall V in S : (suppose … below L : (eliminate(T, X))).
//! ```
//!
//! What is common to the ends of all members of S is found for all T and X at once, as an
//! intersection of candidates; for all T, where the rest says what X is. All results of a pass take
//! effect together; where each end takes long, because the rules that lead there suppose
//! themselves, the first one is taken alone.

use crate::board::{Candidate, Cells, Digits, Grid};
use crate::language::{
    Clause, Generator, Goal, Head, Literal, Relation, Supposition, Term, Var, Variable,
};
use crate::meaning::{Bindings, Hypothesis, NoFacts, Scene, Supposed, Value};
use crate::trace::{Changes, Conclusion, Match};

use super::ends::{Effort, End, Ends};
use super::reason::Reason;

/// A clause that asks the same of all ends.
pub(crate) struct Net {
    /// The conditions besides; what the goal alone is about stays free.
    pub rest: Clause,
    heads: Vec<Head>,
    supposition: Supposition,
    /// The variable and the set of a `forall`.
    over: Option<(Var, Term)>,
    aim: Aim,
    parameter: Option<i64>,
    /// Whether it takes away every candidate whose placement leads to a contradiction, and says
    /// nothing else.
    is_plain: bool,
}

/// Whoever hears of a conclusion: on which bindings, under which hypotheses and in how many passes,
/// what was asked of them. Whether it was enough.
type Seen<'s> = dyn FnMut(&Scene, (&[Hypothesis], usize), Supposed, Conclusion) -> bool + 's;

/// What is asked.
enum Aim {
    /// Whether all ends are contradictions.
    Contradiction,
    /// What all ends have lost, if these hold of it.
    Gone(Var, Var, Vec<Literal>),
    /// What all ends have decided, if these hold of it.
    Decided(Var, Var, Vec<Literal>),
}

impl Net {
    /// The net of a clause, if it is one.
    pub(crate) fn of(clause: &Clause, parameter: Option<i64>) -> Option<Net> {
        if clause.suppositions().len() != 1 {
            return None;
        }
        let supposes = |goal: &&Goal| {
            let mut found = false;
            goal.literal.each(&mut |inner| found |= matches!(inner, Literal::Suppose(_)));
            found
        };
        let (asking, rest): (Vec<&Goal>, Vec<&Goal>) = clause.body.iter().partition(supposes);
        let (supposition, over) = match &asking[..] {
            [goal] => match &goal.literal {
                Literal::Suppose(supposition) => (&**supposition, None),
                Literal::Forall(local, set, body) => match &body[..] {
                    [Literal::Suppose(supposition)] => (&**supposition, Some((*local, set))),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let (aim, rest) = Aim::of(clause, supposition, over, rest)?;
        let mut free: Vec<Var> = over.iter().map(|(local, _)| *local).collect();
        if let Aim::Gone(t, x, _) | Aim::Decided(t, x, _) = aim {
            let is_free = |v: &Var| !rest.iter().any(|goal| goal.literal.mentions(*v));
            free.extend([t, x].into_iter().filter(is_free));
        }
        // What a head makes is left free by whoever goes through the conditions.
        let kind = |v: Var| (v, clause.variables[v.index()].kind);
        let locals = free.into_iter().map(kind).collect();
        let free = Generator { locals, conditions: Vec::new() };
        let is_plain = over.is_none() && is_plain(clause, supposition, &rest);
        let rest = Clause {
            heads: vec![Head::Each(Box::new(Head::Contradiction), free)],
            body: rest.into_iter().cloned().collect(),
            ..clause.clone()
        };
        Some(Net {
            rest,
            heads: clause.heads.clone(),
            supposition: supposition.clone(),
            over: over.map(|(local, set)| (local, set.clone())),
            aim,
            parameter,
            is_plain,
        })
    }

    /// The rule's parameter.
    pub(crate) fn parameter(&self) -> Option<i64> {
        self.parameter
    }

    /// The level under which rules run.
    pub(crate) fn level(&self) -> i64 {
        self.supposition.level(self.parameter)
    }

    /// Whether it looks for contradictions of one hypothesis.
    pub(crate) fn is_contradiction(&self) -> bool {
        let one = self.over.is_none() && self.supposition.hypotheses.len() == 1;
        one && matches!(self.aim, Aim::Contradiction)
    }

    /// How many variables its other conditions bind, helpers and choices counted as many.
    pub(crate) fn free_variables(&self) -> usize {
        let is_many = |goal: &Goal| matches!(goal.literal, Literal::Call(..) | Literal::Choose(..));
        let bound = (0..self.rest.variables.len()).map(|v| Var(v as u16));
        let bound = bound.filter(|v| !self.rest.is_local(*v)).count();
        if self.rest.body.iter().any(is_many) { usize::MAX } else { bound }
    }

    /// Whether it is known without its conditions which hypotheses are asked: see
    /// [`Net::refutations`].
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// What a plain net changes: it takes away what [`Ends::refuted`] finds.
    pub(crate) fn refutations(&self, grid: &Grid, ends: &mut Ends, out: &mut Changes) {
        ends.at(grid);
        let below = self.level();
        let (one, is_quick) = ends.nature(below);
        let efforts = if is_quick { &[Effort::Full][..] } else { &[Effort::Little, Effort::Full] };
        for &effort in efforts {
            let eliminates = ends.refuted(below, effort, one);
            if !eliminates.is_empty() {
                out.add(&Conclusion { eliminates, ..Conclusion::default() });
                return;
            }
        }
    }

    /// What the clause concludes, given all ways in which the other conditions hold. It may be only
    /// some of it, as long as there is any: whoever asks asks again after a change.
    pub(crate) fn changes(
        &self,
        ways: Vec<Bindings>,
        grid: &Grid,
        ends: &mut Ends,
        out: &mut Changes,
    ) {
        ends.at(grid);
        let efforts = match ends.nature(self.level()) {
            (_, true) => &[Effort::Full][..],
            _ => &[Effort::Little, Effort::Full],
        };
        self.each(ways, grid, (ends, efforts), &mut |_, _, _, conclusion| {
            out.add(&conclusion);
            out.contradiction
        });
    }

    /// The effective matches, given all ways; or some of them, as long as there are any.
    pub(crate) fn reasons(
        &self,
        ways: Vec<Bindings>,
        (instance, clause): (usize, usize),
        grid: &Grid,
        ends: &mut Ends,
        out: &mut Vec<Reason>,
    ) {
        ends.at(grid);
        // All of them are compared, unless that takes long.
        let efforts = match ends.nature(self.level()) {
            (true, false) => &[Effort::Little, Effort::Full][..],
            _ => &[Effort::Full],
        };
        let ends = (ends, efforts);
        self.each(ways, grid, ends, &mut |scene, (hypotheses, passes), goal, conclusion| {
            let value = |(value, variable): (&Option<Value>, &Variable)| match value {
                Some(value) if value.kind() == variable.kind => *value,
                _ => Value::nothing(variable.kind),
            };
            let free = self.over.iter().map(|(local, _)| local.index()).collect::<Vec<_>>();
            let bound = scene.bound.iter().zip(&self.rest.variables).enumerate();
            let bindings = bound.map(|(v, bound)| match free.contains(&v) {
                true => Value::nothing(bound.1.kind),
                false => value(bound),
            });
            let found = Match { instance, clause, bindings: bindings.collect(), conclusion };
            let hypotheses = hypotheses.to_vec();
            out.push(Reason { found, passes, hypotheses, goal });
            false
        });
    }

    /// Calls `see` with every effective conclusion until it says to stop.
    fn each(
        &self,
        ways: Vec<Bindings>,
        grid: &Grid,
        (ends, efforts): (&mut Ends, &[Effort]),
        see: &mut Seen,
    ) {
        let (one, _) = ends.nature(self.level());
        let mut asked: Vec<(Scene, Vec<Hypothesis>)> = ways
            .iter()
            .filter_map(|way| {
                let mut scene = Scene::on(grid, self.parameter, way);
                let hypotheses = self.hypotheses(&mut scene)?;
                Some((scene, hypotheses))
            })
            .collect();
        // Few branches first, and cells with few candidates.
        asked.sort_by_cached_key(|(_, hypotheses)| {
            (hypotheses.len(), hypotheses.first().map_or(0, |first| first.choices(grid)))
        });
        let mut any = false;
        let mut stop = false;
        for &effort in efforts {
            for (scene, hypotheses) in &asked {
                self.ask(scene, hypotheses, grid, (&mut *ends, effort), &mut |s, h, g, c| {
                    any |= !c.is_empty();
                    stop |= !c.is_empty() && see(s, h, g, c);
                    stop
                });
                if stop || one && any {
                    return;
                }
            }
            if any {
                return;
            }
        }
    }

    /// The hypotheses of a way: one, or one for each member of the set.
    fn hypotheses(&self, scene: &mut Scene) -> Option<Vec<Hypothesis>> {
        let Some((local, set)) = &self.over else {
            return Some(vec![scene.hypothesis(&self.supposition)?]);
        };
        let members = scene.value(set)?.members().into_iter();
        let hypothesis = |member: Value| {
            scene.bound[local.index()] = Some(member);
            scene.hypothesis(&self.supposition)
        };
        members.map(hypothesis).collect()
    }

    /// Asks the ends of one way.
    fn ask(
        &self,
        scene: &Scene,
        hypotheses: &[Hypothesis],
        grid: &Grid,
        (ends, effort): (&mut Ends, Effort),
        see: &mut Seen,
    ) {
        let facts = NoFacts;
        let mut passes = 0;
        for hypothesis in hypotheses {
            let Some(led) = ends.led(hypothesis, effort) else { return };
            passes += led.passes;
            if matches!(self.aim, Aim::Contradiction) && !led.end.is_contradiction() {
                return;
            }
        }
        let (t, x, guards) = match &self.aim {
            Aim::Contradiction => {
                if let Some(conclusion) = Conclusion::of(&self.heads, grid, scene, &facts) {
                    see(scene, (hypotheses, passes), Supposed::Contradiction, conclusion);
                }
                return;
            }
            Aim::Gone(t, x, guards) | Aim::Decided(t, x, guards) => (*t, *x, guards),
        };
        let Some(common) = self.common(hypotheses, grid, (ends, effort)) else { return };
        let mut scene = scene.clone();
        let digits = match scene.bound[x.index()] {
            Some(Value::Digit(given)) => Digits::only(given),
            _ => grid.layout().all_digits(),
        };
        for (digit, cells) in grid.layout().digits().zip(common) {
            if !digits.contains(digit) {
                continue;
            }
            for cell in cells {
                scene.bound[t.index()] = Some(Value::Cell(cell));
                scene.bound[x.index()] = Some(Value::Digit(digit));
                if !guards.iter().all(|guard| scene.holds(guard) == Some(true)) {
                    continue;
                }
                let goal = match self.aim {
                    Aim::Decided(..) => Supposed::Place(Candidate { cell, digit }),
                    _ => Supposed::Eliminate(Cells::only(cell), Digits::only(digit)),
                };
                if let Some(conclusion) = Conclusion::of(&self.heads, grid, &scene, &facts)
                    && see(&scene, (hypotheses, passes), goal, conclusion)
                {
                    return;
                }
            }
        }
    }

    /// The candidates that all ends have lost, or have decided. A contradiction has all of them.
    fn common(
        &self,
        hypotheses: &[Hypothesis],
        grid: &Grid,
        (ends, effort): (&mut Ends, Effort),
    ) -> Option<Vec<Cells>> {
        let is_gone = matches!(self.aim, Aim::Gone(..));
        let mut common: Vec<Cells> = match is_gone {
            true => grid.planes().to_vec(),
            false => grid.planes().iter().map(|plane| *plane - grid.placed()).collect(),
        };
        for hypothesis in hypotheses {
            let end = ends.end(hypothesis, effort)?;
            if end.is_contradiction() {
                continue;
            }
            let single = if is_gone { Cells::EMPTY } else { single(end, grid) };
            let mut any = false;
            for (common, digit) in common.iter_mut().zip(grid.layout().digits()) {
                let plane = end.plane(digit);
                *common = if is_gone { *common - plane } else { *common & plane & single };
                any |= !common.is_empty();
            }
            if !any {
                return None;
            }
        }
        Some(common)
    }
}

/// Whether a clause is `eliminate(C, D) :- live(C, D), suppose place(C, D) … : (contradiction)`.
fn is_plain(clause: &Clause, supposition: &Supposition, rest: &[&Goal]) -> bool {
    let [Head::Place(cell, digit)] = &supposition.hypotheses[..] else { return false };
    let [Head::Eliminate(Term::Lone(cells), Term::Lone(digits))] = &clause.heads[..] else {
        return false;
    };
    let [goal] = rest else { return false };
    let is_live = match &goal.literal {
        Literal::Relation(Relation::Live, about) => about[..] == [cell.clone(), digit.clone()],
        _ => false,
    };
    let variables = matches!((cell, digit), (Term::Var(_), Term::Var(_)));
    let asks = supposition.goal == Head::Contradiction;
    asks && is_live && variables && **cells == *cell && **digits == *digit
}

/// The cells with one candidate at an end reached from a grid.
fn single(end: &End, grid: &Grid) -> Cells {
    let (mut once, mut twice) = (Cells::EMPTY, Cells::EMPTY);
    for digit in grid.layout().digits() {
        let plane = end.plane(digit);
        twice |= once & plane;
        once |= plane;
    }
    once - twice
}

impl Aim {
    /// What a clause asks, and those of its other conditions that are not about the goal alone.
    fn of<'c>(
        clause: &Clause,
        supposition: &Supposition,
        over: Option<(Var, &Term)>,
        rest: Vec<&'c Goal>,
    ) -> Option<(Aim, Vec<&'c Goal>)> {
        let (t, x) = match (&supposition.goal, &clause.heads[..]) {
            (Head::Contradiction, heads) => {
                let plain = heads.iter().all(|head| head.generator().is_none());
                return plain.then_some((Aim::Contradiction, rest));
            }
            (Head::Eliminate(..), [head]) | (Head::Place(..), [head])
                if *head == supposition.goal =>
            {
                match supposition.goal.terms()[..] {
                    [Term::Var(t), Term::Var(x)] => (*t, *x),
                    [Term::Lone(t), Term::Lone(x)] => match (&**t, &**x) {
                        (Term::Var(t), Term::Var(x)) => (*t, *x),
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            _ => return None,
        };
        let terms = || {
            let supposed = supposition.hypotheses.iter().flat_map(Head::terms);
            supposed.chain(over.map(|(_, set)| set))
        };
        if t == x || terms().any(|term| term.mentions(t)) {
            return None;
        }
        // The digit is given where it is supposed: then the rest says which it is.
        let is_given = terms().any(|term| term.mentions(x));
        let about =
            |goal: &&Goal| goal.literal.mentions(t) || !is_given && goal.literal.mentions(x);
        let (guards, rest): (Vec<&Goal>, Vec<&Goal>) = rest.into_iter().partition(about);
        let guards: Vec<Literal> = guards.iter().map(|goal| goal.literal.clone()).collect();
        let in_rest = |v: Var| rest.iter().any(|goal| goal.literal.mentions(v));
        if is_given && !in_rest(x) {
            return None;
        }
        let bound = |v: Var| v == t || v == x || in_rest(v);
        let is_guard = |guard: &Literal| {
            let collects = matches!(guard, Literal::Collect(..));
            guard.calls().is_empty() && !collects && guard.variables().into_iter().all(bound)
        };
        if !guards.iter().all(is_guard) {
            return None;
        }
        Some(match supposition.goal {
            Head::Place(..) => (Aim::Decided(t, x, guards), rest),
            _ => (Aim::Gone(t, x, guards), rest),
        })
    }
}

impl Hypothesis {
    /// How many candidates the first cell of a hypothesis has.
    pub(super) fn choices(&self, grid: &Grid) -> usize {
        match self.supposed.first() {
            Some(Supposed::Place(Candidate { cell, .. })) => grid.candidates(*cell).len(),
            _ => 0,
        }
    }
}

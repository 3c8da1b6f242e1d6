//! Kinds are inferred, never written. E020.
//!
//! Every variable and every argument of a helper starts with all kinds possible; each use rules
//! some out, until nothing changes. What a helper's own clauses say comes first, then what its
//! callers say; what is still open then (a cell, or a set of cells?) becomes the simplest.

mod mismatch;

use std::collections::{HashSet, VecDeque};

use super::draft::{Clause, Goal, Head, Literal, Owner, Shape, Term};
use super::helpers::Signature;
use super::hints::{self, Hints, NO_HINT};
use super::masks::{
    ALL, CELL, CELLISH, CELLS, DIGIT, DIGITISH, DIGITS, HOUSE, HOUSEISH, HOUSES, Mask, NUMBER,
    SCALARS, SETS, accepted, clear, common_set, common_sets, mask, members_of, reachable, result,
    set_of, simplest,
};
use super::text::Texts;
use crate::language::ast::Sign;
use crate::language::clause::{Comparison, ConstantSet, Kind};
use crate::language::diagnostic::{Diagnostic, Span};

/// What is known of a variable or an argument of a helper.
#[derive(Clone, Copy)]
struct Slot {
    mask: Mask,
    /// The use that first ruled something out.
    because: Option<Span>,
    /// A message has been given; it fits everywhere.
    poisoned: bool,
    hints: Hints,
}

const OPEN: Slot = Slot { mask: ALL, because: None, poisoned: false, hints: NO_HINT };

/// The kinds of all clauses' variables and all helpers' arguments.
pub(super) struct Kinds {
    pub variables: Vec<Vec<Kind>>,
    pub arguments: Vec<Vec<Kind>>,
    /// The clauses with a mistake.
    pub broken: Vec<bool>,
}

/// Infers all kinds. `fixed` are the arguments' kinds of helpers that are checked already, `known`
/// the kinds of clauses' variables that are.
pub(super) fn infer(
    clauses: &[Clause],
    signatures: &[Signature],
    (fixed, known): (&[Vec<Kind>], &[Vec<Option<Kind>>]),
    texts: &Texts,
    diagnostics: &mut Vec<Diagnostic>,
) -> Kinds {
    let mut inference = Inference {
        clauses,
        variables: clauses.iter().map(|c| vec![OPEN; c.variables.len()]).collect(),
        arguments: signatures.iter().map(|s| vec![OPEN; s.arity]).collect(),
        callers: vec![Vec::new(); signatures.len()],
        callers_speak: false,
        changed: Vec::new(),
        current: 0,
        reported: HashSet::new(),
        signatures,
        broken: vec![false; clauses.len()],
        texts,
        diagnostics,
    };
    for (helper, kinds) in fixed.iter().enumerate() {
        for (argument, &kind) in kinds.iter().enumerate() {
            inference.arguments[helper][argument].mask = mask(kind);
        }
    }
    for (slots, kinds) in inference.variables.iter_mut().zip(known) {
        for (slot, kind) in slots.iter_mut().zip(kinds) {
            slot.mask = kind.map_or(slot.mask, mask);
        }
    }
    inference.note_callers();
    inference.note_hints();
    let is_helper = |&c: &usize| matches!(clauses[c].owner, Owner::Helper(_));
    inference.run((0..clauses.len()).filter(is_helper).collect());
    inference.callers_speak = true;
    inference.run((0..clauses.len()).collect());
    inference.decide();
    inference.finish()
}

struct Inference<'a> {
    clauses: &'a [Clause],
    variables: Vec<Vec<Slot>>,
    arguments: Vec<Vec<Slot>>,
    /// The clauses that call or define a helper.
    callers: Vec<Vec<usize>>,
    /// Whether a call may narrow the helper's arguments.
    callers_speak: bool,
    /// Helpers whose arguments were narrowed.
    changed: Vec<usize>,
    /// The clause being looked at.
    current: usize,
    /// Where a message has been given.
    reported: HashSet<Span>,
    signatures: &'a [Signature],
    broken: Vec<bool>,
    texts: &'a Texts<'a>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Inference<'_> {
    fn note_callers(&mut self) {
        for (number, clause) in self.clauses.iter().enumerate() {
            let mut helpers = Vec::new();
            if let Owner::Helper(helper) = clause.owner {
                helpers.push(helper);
            }
            clause.goals().for_each(|goal| called(goal, &mut helpers));
            helpers.sort_unstable();
            helpers.dedup();
            for helper in helpers {
                self.callers[helper].push(number);
            }
        }
    }

    /// Looks at clauses, and again at those that a change concerns, until nothing changes.
    fn run(&mut self, clauses: Vec<usize>) {
        let mut waiting: VecDeque<usize> = clauses.into();
        let mut queued = vec![false; self.clauses.len()];
        waiting.iter().for_each(|&c| queued[c] = true);
        while let Some(clause) = waiting.pop_front() {
            queued[clause] = false;
            self.visit(clause);
            for helper in std::mem::take(&mut self.changed) {
                for &caller in &self.callers[helper] {
                    if caller != clause && !std::mem::replace(&mut queued[caller], true) {
                        waiting.push_back(caller);
                    }
                }
            }
        }
    }

    /// Looks at one clause until nothing in it changes.
    fn visit(&mut self, number: usize) {
        self.current = number;
        let clause = &self.clauses[number];
        loop {
            let before: Vec<Mask> = self.variables[number].iter().map(|s| s.mask).collect();
            let changed = self.changed.len();
            for (head, &span) in clause.heads.iter().zip(&clause.head_spans) {
                self.head(head, clause.owner, span);
            }
            for goal in clause.goals() {
                self.goal(goal);
            }
            let mut pairs = self.variables[number].iter().zip(&before);
            if changed == self.changed.len() && pairs.all(|(slot, &mask)| slot.mask == mask) {
                break;
            }
        }
    }

    fn head(&mut self, head: &Head, owner: Owner, span: Span) {
        match head {
            Head::Place(cell, digit) => {
                self.narrow(cell, CELL, span);
                self.narrow(digit, DIGIT, span);
            }
            Head::Eliminate(cells, digits) => {
                self.narrow(cells, CELLISH, span);
                self.narrow(digits, DIGITISH, span);
            }
            Head::Helper(terms) => {
                let Owner::Helper(helper) = owner else {
                    return terms.iter().for_each(|term| self.inner(term, span));
                };
                for (argument, term) in terms.iter().enumerate() {
                    let slot = self.arguments[helper][argument];
                    if self.mask(term) & slot.mask == 0 {
                        self.clash(term, slot.mask, slot.because);
                        continue;
                    }
                    self.narrow(term, slot.mask, slot.because.unwrap_or(span));
                    self.narrow_argument(helper, argument, self.mask(term), span);
                }
            }
            Head::Asked(helper, terms) => self.call(*helper, terms, span),
            Head::Contradiction | Head::Unknown(_) => {}
        }
    }

    fn goal(&mut self, goal: &Goal) {
        let span = goal.span;
        match &goal.literal {
            Literal::In(member, set) => self.membership(member, set, span),
            Literal::Choose(subset, least, most, set) => {
                self.narrow(least, NUMBER, span);
                self.narrow(most, NUMBER, span);
                self.narrow(set, SETS | HOUSE, span);
                let of = self.mask(set);
                let cells = if of & (CELLS | HOUSE) != 0 { CELLS } else { 0 };
                self.narrow(subset, cells | of & (DIGITS | HOUSES), span);
                let chosen = self.mask(subset);
                let cells = if chosen & CELLS != 0 { CELLS | HOUSE } else { 0 };
                self.narrow(set, cells | chosen & (DIGITS | HOUSES), span);
            }
            Literal::Within(left, right) => {
                let (a, b) = (self.mask(left), self.mask(right));
                let (allowed_a, allowed_b) = common_set(a, b);
                self.narrow(left, allowed_a, span);
                self.narrow(right, allowed_b, span);
            }
            Literal::Compare(comparison, left, right) => {
                self.comparison(*comparison, left, right, span)
            }
            Literal::Relation(_, kinds, terms) => {
                for (kind, term) in kinds.iter().zip(terms) {
                    self.narrow(term, mask(*kind), span);
                }
            }
            Literal::Call(helper, terms) => self.call(*helper, terms, span),
            Literal::Traced(fact, terms, goal, others) => {
                self.call(*fact, terms, span);
                self.call(*goal, others, span);
            }
            Literal::Not(goal) => self.goal(goal),
            Literal::Forall(..) | Literal::Exists(_) => {
                goal.literal.inside().for_each(|goal| self.goal(goal));
            }
            Literal::Collect(set, member, generator) => {
                generator.goals.iter().for_each(|goal| self.goal(goal));
                let member = Term { shape: Shape::Variable(*member), span };
                self.narrow(&member, SCALARS, span);
                self.narrow(set, set_of(self.mask(&member) & SCALARS), span);
                self.narrow(&member, members_of(self.mask(set)), span);
            }
            Literal::Suppose(hypotheses, below, goal) => {
                for head in hypotheses.iter().chain([&**goal]) {
                    self.head(head, Owner::Goal, span);
                }
                self.narrow(below, NUMBER, span);
            }
            Literal::Unknown(_) => {}
        }
    }

    fn membership(&mut self, member: &Term, set: &Term, span: Span) {
        self.narrow(set, SETS | HOUSE, span);
        self.narrow(member, SCALARS, span);
        let (x, of) = (self.mask(member), self.mask(set));
        // A cell may be looked for in a set of houses; a variable is a house there otherwise.
        let through = x == CELL && of == HOUSES;
        let cell = if of & (CELLS | HOUSE) != 0 || through { CELL } else { 0 };
        let digit = if of & DIGITS != 0 { DIGIT } else { 0 };
        let house = if of & HOUSES != 0 && !through { HOUSE } else { 0 };
        self.narrow(member, cell | digit | house, span);
        let x = self.mask(member);
        let cells = if x & CELL != 0 { CELLS | HOUSE } else { 0 };
        let digits = if x & DIGIT != 0 { DIGITS } else { 0 };
        let houses = if x & HOUSE != 0 || x == CELL { HOUSES } else { 0 };
        self.narrow(set, cells | digits | houses, span);
    }

    fn comparison(&mut self, comparison: Comparison, left: &Term, right: &Term, span: Span) {
        self.inner(left, span);
        self.inner(right, span);
        let (mut a, mut b) = (self.mask(left), self.mask(right));
        if !matches!(comparison, Comparison::Equal | Comparison::Unequal) {
            let ordered = SCALARS | NUMBER;
            if let Some(set) = [(left, a), (right, b)].into_iter().find(|(_, m)| m & ordered == 0) {
                return self.no_order(set.0, span);
            }
            (a, b) = (a & ordered, b & ordered);
            if a & b == 0 {
                // As sets of cells the two could be equal, but neither comes before the other.
                return self.clash(right, a, None);
            }
        }
        let (allowed_a, allowed_b) = if a & b != 0 { (a & b, a & b) } else { common_set(a, b) };
        if a & allowed_a == 0 {
            self.clash(left, allowed_a, None);
        } else if b & allowed_b == 0 {
            self.clash(right, allowed_b, None);
        } else {
            self.narrow(left, allowed_a, span);
            self.narrow(right, allowed_b, span);
        }
    }

    fn call(&mut self, helper: usize, terms: &[Term], span: Span) {
        for (argument, term) in terms.iter().enumerate() {
            self.inner(term, span);
            let slot = self.arguments[helper][argument];
            let both = self.mask(term) & slot.mask;
            if both != 0 {
                self.narrow(term, both, span);
                if self.callers_speak {
                    self.narrow_argument(helper, argument, both, span);
                }
            } else if reachable(self.mask(term)) & slot.mask == 0 {
                return self.wrong_argument(helper, argument, term, span);
            }
        }
    }

    fn narrow_argument(&mut self, helper: usize, argument: usize, allowed: Mask, because: Span) {
        let slot = &mut self.arguments[helper][argument];
        let mask = slot.mask & allowed;
        if mask != 0 && mask != slot.mask {
            slot.mask = mask;
            slot.because.get_or_insert(because);
            self.changed.push(helper);
        }
    }

    /// The kinds a term can have as it stands.
    fn mask(&self, term: &Term) -> Mask {
        match &term.shape {
            Shape::Variable(v) => self.variables[self.current][*v].mask,
            Shape::Cell(..) => CELL,
            Shape::Number(_) => DIGIT | NUMBER,
            Shape::Parameter | Shape::Size(_) => NUMBER,
            Shape::Constant(constant) => match constant {
                ConstantSet::Digits => DIGITS,
                ConstantSet::Unsolved => CELLS,
                _ => HOUSES,
            },
            Shape::Function(function, _, _) => mask(result(*function)),
            Shape::Set(members) => {
                let scalars = members.iter().fold(SCALARS, |m, term| m & self.mask(term));
                set_of(scalars)
            }
            Shape::Binary(sign, left, right) => {
                let (a, b) = (self.mask(left), self.mask(right));
                let sets = common_sets(a, b);
                match sign {
                    Sign::Plus => sets | a & b & NUMBER,
                    Sign::Minus | Sign::Times => NUMBER,
                    Sign::Without | Sign::And => sets,
                }
            }
            Shape::Unknown => ALL,
        }
    }

    /// Rules out what is not in `allowed`, in the term and what it is made of.
    fn narrow(&mut self, term: &Term, allowed: Mask, because: Span) {
        self.inner(term, because);
        self.narrow_outside(term, allowed, because);
    }

    /// The same where the arguments inside are done: to do them anew at each level would take
    /// twice as long for each.
    fn narrow_outside(&mut self, term: &Term, allowed: Mask, because: Span) {
        let mine = self.mask(term);
        if mine & allowed == 0 {
            return self.clash(term, allowed, None);
        }
        match &term.shape {
            Shape::Variable(v) => {
                let slot = &mut self.variables[self.current][*v];
                if slot.poisoned {
                    return;
                }
                if slot.mask & allowed != slot.mask {
                    slot.mask &= allowed;
                    slot.because.get_or_insert(because);
                }
            }
            Shape::Set(members) => {
                let scalars = members_of(allowed);
                members.iter().for_each(|member| self.narrow_outside(member, scalars, because));
            }
            Shape::Binary(sign, left, right) => {
                let result = mine & allowed;
                let mut operands = 0;
                for (kind, wanted) in [(CELLS, CELLISH), (DIGITS, DIGITISH), (HOUSES, HOUSEISH)] {
                    if result & kind != 0 {
                        operands |= wanted;
                    }
                }
                operands |= result & NUMBER;
                if matches!(sign, Sign::Minus | Sign::Times) {
                    operands = NUMBER;
                }
                self.narrow_outside(left, operands, because);
                self.narrow_outside(right, operands, because);
                // A sum of one kind needs both sides of that kind.
                let (a, b) = (self.mask(left), self.mask(right));
                if operands != NUMBER && (a == NUMBER || b == NUMBER) {
                    self.narrow_outside(left, NUMBER, because);
                    self.narrow_outside(right, NUMBER, because);
                }
            }
            _ => {}
        }
    }

    /// The arguments inside a term, whatever the term is used for.
    fn inner(&mut self, term: &Term, because: Span) {
        match &term.shape {
            Shape::Function(_, kinds, terms) => {
                for (kind, argument) in kinds.iter().zip(terms) {
                    self.narrow(argument, accepted(*kind), term.span);
                }
            }
            Shape::Size(set) => self.narrow(set, SETS | HOUSE, because),
            Shape::Set(members) => {
                members.iter().for_each(|member| self.narrow(member, SCALARS, because));
                let scalars = members.iter().fold(SCALARS, |m, term| m & self.mask(term));
                if scalars != 0 {
                    members.iter().for_each(|member| self.narrow_outside(member, scalars, because));
                } else {
                    let first = members.iter().find(|m| self.mask(m).count_ones() == 1);
                    let wanted = first.map_or(SCALARS, |m| self.mask(m));
                    if let Some(other) = members.iter().find(|m| self.mask(m) & wanted == 0) {
                        self.clash(other, wanted, first.map(|m| m.span));
                    }
                }
            }
            Shape::Binary(_, left, right) => {
                self.inner(left, because);
                self.inner(right, because);
            }
            _ => {}
        }
    }

    /// Notes what the uses of variables suggest.
    fn note_hints(&mut self) {
        for (number, clause) in self.clauses.iter().enumerate() {
            for (slot, hints) in self.variables[number].iter_mut().zip(hints::of(clause)) {
                slot.hints = hints;
            }
            let Owner::Helper(helper) = clause.owner else { continue };
            for (argument, term) in clause.heads[0].terms().into_iter().enumerate() {
                if let Shape::Variable(v) = term.shape {
                    self.arguments[helper][argument].hints.add(self.variables[number][v].hints);
                }
            }
        }
    }

    /// What is still open becomes what its uses suggest, or the simplest; what nothing is known
    /// of is a mistake.
    fn decide(&mut self) {
        for helper in 0..self.arguments.len() {
            for argument in 0..self.arguments[helper].len() {
                let slot = self.arguments[helper][argument];
                if slot.mask.count_ones() > 1 && clear(slot.mask) {
                    self.arguments[helper][argument].mask = slot.hints.choose(slot.mask);
                    self.run(self.callers[helper].clone());
                }
            }
        }
        for number in 0..self.clauses.len() {
            self.current = number;
            for v in 0..self.variables[number].len() {
                let slot = self.variables[number][v];
                if slot.mask.count_ones() > 1 && !slot.poisoned {
                    if !clear(slot.mask) {
                        self.unclear(v, slot.mask);
                    }
                    self.variables[number][v].mask = slot.hints.choose(slot.mask);
                    self.visit(number);
                }
            }
        }
    }

    fn finish(self) -> Kinds {
        let kinds = |slots: &Vec<Slot>| slots.iter().map(|slot| simplest(slot.mask)).collect();
        Kinds {
            variables: self.variables.iter().map(kinds).collect(),
            arguments: self.arguments.iter().map(kinds).collect(),
            broken: self.broken,
        }
    }
}

/// The helpers called in a condition.
fn called(goal: &Goal, found: &mut Vec<usize>) {
    if let Literal::Call(helper, _) = goal.literal {
        found.push(helper);
    }
    found.extend(goal.literal.asked());
    goal.literal.inside().for_each(|goal| called(goal, found));
}

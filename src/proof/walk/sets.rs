//! Variables that stand for sets: chosen, collected, or any.

use std::ops::RangeInclusive;

use crate::board::{House, Set};
use crate::language::{Generator, Kind, Literal, Term, Var};
use crate::meaning::{Amount, Member, OnLayout as _, Truth, Value};
use crate::proof::encode::Encoder;
use crate::proof::sat::Lit;
use crate::proof::subsets::{Choosable, grow};
use crate::proof::symbol::Symbol;
use crate::proof::symmetry::Used;

use super::{Flow, Fuzzy, Visitor, Walk};

impl Walk<'_> {
    /// Whether there are too many houses to try all choices of them: lines and boxes at once.
    pub(super) fn is_mixed<V: Visitor>(&self, all: &Fuzzy<House, 2>, visitor: &mut V) -> bool {
        visitor.may_guess() && all.widest().len() > visitor.encoder().layout().size()
    }

    /// A choice that the solver makes.
    pub(super) fn guess<V: Visitor>(
        &mut self,
        at: usize,
        variable: Var,
        guess: Symbol,
        ([least, most], set): (&[Term; 2], &Term),
        visitor: &mut V,
        used: Used,
    ) -> Flow {
        self.bound[variable.index()] = Some(guess.clone());
        let choice = Literal::Choose(Term::Var(variable), least.clone(), most.clone(), set.clone());
        let length = self.body.len();
        let flow = match self.test(&choice, at, visitor) {
            true => self.with(at, variable, guess, visitor, used),
            false => Flow::Next,
        };
        self.bound[variable.index()] = None;
        self.body.truncate(length);
        flow
    }

    /// Every subset of one of these sizes; its members are members of the set.
    pub(super) fn subsets<T: Choosable<W>, const W: usize, V: Visitor>(
        &mut self,
        at: usize,
        variable: Var,
        set: &Fuzzy<T, W>,
        sizes: &[(usize, Lit)],
        visitor: &mut V,
        used: Used,
    ) -> Flow {
        let all = set.widest();
        let sizes: Vec<_> = sizes.iter().filter(|(size, _)| *size <= all.len()).collect();
        let (Some(least), Some(most)) =
            (sizes.iter().map(|size| size.0).min(), sizes.iter().map(|size| size.0).max())
        else {
            return Flow::Next;
        };
        self.each_set(at, variable, (all, least..=most), visitor, used, |chosen| {
            let (_, when) = sizes.iter().find(|(size, _)| *size == chosen.len())?;
            let present = chosen.iter().map(|member| set.contains::<Encoder>(member));
            Some(present.chain([*when]).collect())
        })
    }

    /// Every value with at most so many members that the set can have.
    pub(super) fn split<T: Choosable<W>, const W: usize, V: Visitor>(
        &mut self,
        at: usize,
        variable: Var,
        set: &Fuzzy<T, W>,
        most: usize,
        visitor: &mut V,
        used: Used,
    ) -> Flow {
        if set.maybe.is_empty() {
            return self.with(at, variable, T::SYMBOL(set.clone()), visitor, used);
        }
        self.each_set(at, variable, (set.widest(), 0..=most), visitor, used, |chosen| {
            let literal = |&(member, present): &(T, Lit)| match chosen.contains(member) {
                true => present,
                false => !present,
            };
            set.sure.within(&chosen).then(|| set.maybe.iter().map(literal).collect())
        })
    }

    /// One binding for each subset of these sizes; `when` tells what must hold for it, or that it
    /// cannot be.
    fn each_set<T: Choosable<W>, const W: usize, V: Visitor>(
        &mut self,
        at: usize,
        variable: Var,
        (from, sizes): (Set<T, W>, RangeInclusive<usize>),
        visitor: &mut V,
        used: Used,
        when: impl Fn(Set<T, W>) -> Option<Vec<Lit>>,
    ) -> Flow {
        let layout = visitor.encoder().layout().clone();
        let room = visitor.encoder().budget().subsets();
        let Some(subsets) = grow(&layout, from, sizes, used, room) else {
            visitor.too_many();
            return Flow::Stop;
        };
        visitor.encoder().count_steps(4 * subsets.len() as u64);
        for (chosen, used) in subsets {
            let Some(literals) = when(chosen) else { continue };
            let length = self.body.len();
            let literals = literals.into_iter().filter(|&literal| literal != Lit::TRUE);
            self.body.extend(literals.map(|literal| (literal, at)));
            let flow = self.with(at, variable, T::SYMBOL(Fuzzy::fixed(chosen)), visitor, used);
            self.body.truncate(length);
            if let Some(flow) = flow.leaves(at) {
                return flow;
            }
        }
        Flow::Next
    }

    /// The set `{X : …}`. Where it cannot be told exactly, it is any set of things of which all
    /// that can be told of its members is true.
    pub(super) fn collected<V: Visitor>(
        &mut self,
        set: Var,
        literal: usize,
        visitor: &mut V,
    ) -> Symbol {
        let Literal::Collect(_, member, generator) = &self.flat.body[literal] else {
            return self.unknown(set, visitor);
        };
        let members = visitor.members();
        let (mut propositions, helpers) = visitor.propositions();
        let exact = propositions.collect(*member, generator, &mut self.bound, helpers);
        let members = visitor.members() - members;
        visitor.encoder().count_steps(members);
        if let Ok(exact) = exact {
            return exact;
        }
        match self.unknown(set, visitor) {
            Value::Cells(set) => {
                Value::Cells(self.likely(&set, *member, generator, Value::Cell, visitor))
            }
            Value::Digits(set) => {
                Value::Digits(self.likely(&set, *member, generator, Value::Digit, visitor))
            }
            Value::Houses(set) => {
                Value::Houses(self.likely(&set, *member, generator, Value::House, visitor))
            }
            other => other,
        }
    }

    /// Those of an unknown set of which the conditions hold that can be told of one member alone.
    fn likely<T: Member, const W: usize, V: Visitor>(
        &mut self,
        set: &Fuzzy<T, W>,
        member: Var,
        generator: &Generator,
        value: impl Fn(T) -> Symbol,
        visitor: &mut V,
    ) -> Fuzzy<T, W> {
        let others: Vec<Var> = generator.own().into_iter().filter(|v| *v != member).collect();
        let mut kept = Vec::new();
        for item in set.widest() {
            self.bound[member.index()] = Some(value(item));
            let mut all = vec![set.contains::<Encoder>(item)];
            for literal in &generator.conditions {
                if others.iter().any(|v| literal.mentions(*v)) {
                    continue;
                }
                all.extend(self.told(literal, visitor).into_iter().flatten());
            }
            kept.push((item, visitor.encoder().and(all)));
        }
        self.bound[member.index()] = None;
        Fuzzy::collect::<Encoder>(kept)
    }

    pub(super) fn unknown<V: Visitor>(&mut self, variable: Var, visitor: &mut V) -> Symbol {
        visitor.left_out();
        let encoder = visitor.encoder();
        let layout = encoder.layout().clone();
        match self.flat.variables[variable.index()].kind {
            Kind::Cells => Value::Cells(any_of(encoder.all_cells(), encoder)),
            Kind::Digits => Value::Digits(any_of(layout.all_digits(), encoder)),
            // A set may have been taken from the groups.
            Kind::Houses => Value::Houses(any_of(layout.houses_and_groups(), encoder)),
            _ => Value::Number(Amount::Unknown),
        }
    }
}

/// A set of which nothing is known.
pub(super) fn any_of<T: Member, const W: usize>(
    all: Set<T, W>,
    encoder: &mut Encoder,
) -> Fuzzy<T, W> {
    Fuzzy::collect::<Encoder>(all.iter().map(|item| (item, encoder.variable())))
}

//! When a condition holds.

use crate::board::{Candidate, Cell, Cells, Digits, Houses};
use crate::language::{Comparison, ConstantSet, Literal, PredicateId, Relation, Term, Var};

use super::hypothesis::{Hypothesis, Supposed};
use super::logic::{Environment, Given, Logic, Meant, NoValue, Valued};
use super::term::Reading;
use super::value::Value;

/// Whoever knows when helpers hold.
pub trait Helpers<L: Logic> {
    /// When a helper holds of these arguments; an argument that is not given may be anything.
    fn holds(&mut self, logic: &mut L, helper: PredicateId, given: Given<L>) -> Valued<L::Bit>;

    /// The tuples of which a helper may hold that agree with the arguments given; nothing if there
    /// is no such list.
    fn tuples(
        &mut self,
        _logic: &mut L,
        _helper: PredicateId,
        _arguments: &[Option<Meant<L>>],
    ) -> Valued<Option<Vec<Vec<Meant<L>>>>> {
        Ok(None)
    }

    /// When a hypothesis leads to a contradiction, or to a state of which the goal is true.
    fn leads(&mut self, _: &mut L, _: &Hypothesis, _: &Supposed) -> Valued<L::Bit> {
        Err(NoValue::Beyond)
    }

    /// The tuples of a helper on which the shortest derivation of another's tuple rests; none if
    /// that does not hold.
    fn traced(
        &mut self,
        _logic: &mut L,
        _fact: PredicateId,
        _goal: PredicateId,
        _arguments: &[Meant<L>],
    ) -> Valued<Vec<Vec<Meant<L>>>> {
        Err(NoValue::Beyond)
    }

    /// Told of each member that a generator goes through; may have had enough.
    fn member(&mut self) -> Valued<()> {
        Ok(())
    }
}

impl<L: Logic> Reading<'_, L> {
    /// When a condition holds.
    pub fn truth(
        &mut self,
        literal: &Literal,
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
    ) -> Valued<L::Bit> {
        let mut bits = self.told(literal, bound, helpers)?;
        Ok(match bits.len() {
            1 => bits.swap_remove(0),
            _ => self.logic.all(bits),
        })
    }

    /// All that must hold for a condition.
    pub fn told(
        &mut self,
        literal: &Literal,
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
    ) -> Valued<Vec<L::Bit>> {
        let mut bits = Vec::new();
        self.conditions(literal, bound, helpers, &mut bits)?;
        Ok(bits)
    }

    /// Adds truths to `out` that together say that a condition holds.
    pub fn conditions(
        &mut self,
        literal: &Literal,
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
        out: &mut Vec<L::Bit>,
    ) -> Valued<()> {
        match literal {
            Literal::In(member, set) => {
                let bit = self.is_in(member, set, bound)?;
                out.push(bit);
            }
            Literal::Choose(subset, least, most, set) => {
                let count = self.number(&Term::Size(Box::new(subset.clone())), bound)?;
                let limits: &[(Comparison, &Term)] = match least == most {
                    true => &[(Comparison::Equal, least)],
                    false => &[(Comparison::AtLeast, least), (Comparison::AtMost, most)],
                };
                for (comparison, limit) in limits {
                    let limit = self.number(limit, bound)?;
                    let bit = self.logic.compare(*comparison, &count, &limit)?;
                    out.push(bit);
                }
                self.is_within(subset, set, bound, out)?;
            }
            Literal::Within(left, right) => self.is_within(left, right, bound, out)?,
            Literal::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left, bound)?, self.value(right, bound)?);
                self.comparison(*comparison, &left, &right, out)?;
            }
            Literal::Relation(relation, terms) => {
                let bit = self.relation(*relation, terms, bound)?;
                out.push(bit);
            }
            Literal::Call(helper, terms) => {
                let value = |term: &Term| match self.value(term, bound) {
                    Err(NoValue::Unbound) => Ok(None),
                    other => other.map(Some),
                };
                let arguments = terms.iter().map(value).collect::<Valued<_>>()?;
                out.push(helpers.holds(self.logic, *helper, arguments)?);
            }
            Literal::Traced(fact, terms, goal, others) => {
                let tuples = self.traced((*fact, *goal), others, bound, helpers)?;
                let bit = self.is_among(terms, &tuples, bound)?;
                out.push(bit);
            }
            Literal::Not(inner) => {
                let bit = self.truth(inner, bound, helpers)?;
                out.push(self.logic.not(bit));
            }
            Literal::Forall(local, set, body) => {
                let set = self.value(set, bound)?;
                let before = bound[local.index()].take();
                let result = self.for_all(*local, &set, body, bound, helpers, out);
                bound[local.index()] = before;
                result?;
            }
            Literal::Exists(generator) => {
                let bit = self.exists(generator, bound, helpers)?;
                out.push(bit);
            }
            Literal::Collect(set, member, generator) => {
                let collected = self.collect(*member, generator, bound, helpers)?;
                let set = bound[set.index()].clone().ok_or(NoValue::Unbound)?;
                self.equal_sets(&set, &collected, out);
            }
            Literal::Suppose(supposition) => {
                let (hypothesis, goal) = self.supposition(supposition, bound)?;
                out.push(helpers.leads(self.logic, &hypothesis, &goal)?);
            }
        }
        Ok(())
    }

    /// When terms have the values of one of the tuples.
    fn is_among(
        &mut self,
        terms: &[Term],
        tuples: &[Vec<Meant<L>>],
        bound: &Environment<L>,
    ) -> Valued<L::Bit> {
        let value = |term: &Term| self.value(term, bound);
        let terms = terms.iter().map(value).collect::<Valued<Vec<_>>>()?;
        let mut some = Vec::new();
        for tuple in tuples {
            let mut equal = Vec::new();
            for (value, term) in tuple.iter().zip(&terms) {
                self.comparison(Comparison::Equal, value, term, &mut equal)?;
            }
            some.push(self.logic.all(equal));
        }
        Ok(self.logic.any(some))
    }

    /// The tuples of the first helper on which the second with these arguments rests.
    pub(super) fn traced(
        &mut self,
        (fact, goal): (PredicateId, PredicateId),
        arguments: &[Term],
        bound: &Environment<L>,
        helpers: &mut dyn Helpers<L>,
    ) -> Valued<Vec<Vec<Meant<L>>>> {
        let value = |term: &Term| self.value(term, bound);
        let arguments = arguments.iter().map(value).collect::<Valued<Vec<_>>>()?;
        helpers.traced(self.logic, fact, goal, &arguments)
    }

    fn is_in(&mut self, member: &Term, set: &Term, bound: &Environment<L>) -> Valued<L::Bit> {
        Ok(match self.value(member, bound)? {
            Value::Cell(cell) => {
                let set = self.set(set, bound, Cells::only(cell))?;
                self.logic.contains(&set, cell)
            }
            Value::Digit(digit) => {
                let set = self.set(set, bound, Digits::only(digit))?;
                self.logic.contains(&set, digit)
            }
            Value::House(house) => {
                let set = self.set(set, bound, Houses::only(house))?;
                self.logic.contains(&set, house)
            }
            other => unreachable!("{other:?} is no member of anything"),
        })
    }

    fn is_within(
        &mut self,
        left: &Term,
        right: &Term,
        bound: &Environment<L>,
        out: &mut Vec<L::Bit>,
    ) -> Valued<()> {
        match self.value(left, bound)? {
            Value::Cells(left) => {
                let right = self.set(right, bound, L::widest(&left))?;
                self.logic.within(&left, &right, out);
            }
            Value::Digits(left) => {
                let right = self.set(right, bound, L::widest(&left))?;
                self.logic.within(&left, &right, out);
            }
            Value::Houses(left) => {
                let right = self.set(right, bound, L::widest(&left))?;
                self.logic.within(&left, &right, out);
            }
            other => unreachable!("{other:?} is not a set"),
        }
        Ok(())
    }

    fn comparison(
        &mut self,
        comparison: Comparison,
        left: &Meant<L>,
        right: &Meant<L>,
        out: &mut Vec<L::Bit>,
    ) -> Valued<()> {
        let mut equal = Vec::new();
        let truth = match (left, right) {
            (Value::Number(left), Value::Number(right)) => {
                let bit = self.logic.compare(comparison, left, right)?;
                out.push(bit);
                return Ok(());
            }
            (Value::Cell(left), Value::Cell(right)) => comparison.holds(left, right),
            (Value::Digit(left), Value::Digit(right)) => comparison.holds(left, right),
            (Value::House(left), Value::House(right)) => comparison.holds(left, right),
            (left, right) => {
                self.equal_sets(left, right, &mut equal);
                match comparison {
                    Comparison::Equal => out.append(&mut equal),
                    Comparison::Unequal => {
                        let bit = self.logic.all(equal);
                        out.push(self.logic.not(bit));
                    }
                    other => unreachable!("sets have no order: {other:?}"),
                }
                return Ok(());
            }
        };
        out.push(self.logic.constant(truth));
        Ok(())
    }

    fn equal_sets(&mut self, left: &Meant<L>, right: &Meant<L>, out: &mut Vec<L::Bit>) {
        match (left, right) {
            (Value::Cells(left), Value::Cells(right)) => {
                self.logic.within(left, right, out);
                self.logic.within(right, left, out);
            }
            (Value::Digits(left), Value::Digits(right)) => {
                self.logic.within(left, right, out);
                self.logic.within(right, left, out);
            }
            (Value::Houses(left), Value::Houses(right)) => {
                self.logic.within(left, right, out);
                self.logic.within(right, left, out);
            }
            (left, right) => unreachable!("{left:?} and {right:?} are not sets of one kind"),
        }
    }

    fn relation(
        &mut self,
        relation: Relation,
        terms: &[Term],
        bound: &Environment<L>,
    ) -> Valued<L::Bit> {
        let mut cell = |i: usize| self.cell(&terms[i], bound);
        match relation {
            Relation::Sees => {
                let (a, b) = (cell(0)?, cell(1)?);
                Ok(self.logic.sees(a, b))
            }
            Relation::Excludes => {
                let (a, b) = (cell(0)?, cell(2)?);
                let (x, y) = (self.digit(&terms[1], bound)?, self.digit(&terms[3], bound)?);
                let (a, b) = (Candidate { cell: a, digit: x }, Candidate { cell: b, digit: y });
                Ok(self.logic.excludes(a, b))
            }
            Relation::Given => {
                let cell = cell(0)?;
                self.logic.given(cell)
            }
            Relation::Live => {
                let cell = cell(0)?;
                let digit = self.digit(&terms[1], bound)?;
                self.logic.possible(Candidate { cell, digit })
            }
            Relation::Rectangle => {
                let corners: [Cell; 4] = [cell(0)?, cell(1)?, cell(2)?, cell(3)?];
                if self.logic.is_general() {
                    return Err(NoValue::Beyond);
                }
                let holds = self.logic.layout().is_rectangle(corners);
                Ok(self.logic.constant(holds))
            }
            Relation::Orientation => {
                let all = self.logic.layout().all_houses();
                let rows = self.logic.fixed(self.logic.houses_called(ConstantSet::Rows));
                let columns = self.logic.fixed(self.logic.houses_called(ConstantSet::Columns));
                let lines = Value::Houses(self.set(&terms[0], bound, all)?);
                let across = Value::Houses(self.set(&terms[1], bound, all)?);
                let (rows, columns) = (Value::Houses(rows), Value::Houses(columns));
                let mut either = Vec::new();
                for (a, b) in [(&rows, &columns), (&columns, &rows)] {
                    let mut both = Vec::new();
                    self.equal_sets(&lines, a, &mut both);
                    self.equal_sets(&across, b, &mut both);
                    either.push(self.logic.all(both));
                }
                Ok(self.logic.any(either))
            }
        }
    }

    fn for_all(
        &mut self,
        local: Var,
        set: &Meant<L>,
        body: &[Literal],
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
        out: &mut Vec<L::Bit>,
    ) -> Valued<()> {
        let members: Vec<(Meant<L>, L::Bit)> = match set {
            Value::Cells(set) => {
                let member = |m| (Value::Cell(m), self.logic.contains(set, m));
                L::widest(set).iter().map(member).collect()
            }
            Value::Digits(set) => {
                let member = |m| (Value::Digit(m), self.logic.contains(set, m));
                L::widest(set).iter().map(member).collect()
            }
            Value::Houses(set) => {
                let member = |m| (Value::House(m), self.logic.contains(set, m));
                L::widest(set).iter().map(member).collect()
            }
            other => unreachable!("{other:?} is not a set"),
        };
        let (yes, no) = (self.logic.constant(true), self.logic.constant(false));
        for (member, present) in members {
            helpers.member()?;
            bound[local.index()] = Some(member);
            let mut conditions = Vec::new();
            for inner in body {
                self.conditions(inner, bound, helpers, &mut conditions)?;
                // What is false needs no further look.
                if conditions.contains(&no) {
                    break;
                }
            }
            if present == yes {
                out.append(&mut conditions);
            } else {
                let absent = self.logic.not(present);
                let all = self.logic.all(conditions);
                out.push(self.logic.any(vec![absent, all]));
            }
            if out.contains(&no) {
                break;
            }
        }
        Ok(())
    }
}

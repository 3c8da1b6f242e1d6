//! The ways of a generator: what `exists`, `for` and `{X : …}` go through.
//!
//! Its conditions are used in the order that suits them: what can be told is told, what defines or
//! lists a variable does so, and a cell, digit or house that nothing lists is everything of its
//! kind. A way comes with the truths that together say that it is one.

use crate::board::Set;
use crate::language::{Comparison, ConstantSet, Generator, Kind, Literal, Term, Var};

use super::condition::Helpers;
use super::logic::{Environment, Logic, Meant, Member, NoValue, Number, Valued};
use super::term::Reading;
use super::value::Value;

/// Hears of a way; whether to go on.
pub(super) type Found<'f, L> =
    &'f mut dyn FnMut(&mut Reading<L>, &Environment<L>, &[<L as Logic>::Bit]) -> Valued<bool>;

/// Some variables, and the values that they may have together.
type Listed<L> = (Vec<Var>, Vec<Vec<Meant<L>>>);

/// A generator on its way.
struct Open<'g> {
    locals: &'g [(Var, Kind)],
    conditions: Vec<&'g Literal>,
    /// Whether each of its variables must have a value in the end.
    all: bool,
}

impl<'g> Open<'g> {
    fn without(&self, place: usize) -> Open<'g> {
        let mut conditions = self.conditions.clone();
        conditions.remove(place);
        Open { locals: self.locals, conditions, all: self.all }
    }

    /// Its variables without a value.
    fn unbound<B>(&self, bound: &[Option<B>]) -> Vec<(Var, Kind)> {
        self.locals.iter().filter(|(v, _)| bound[v.index()].is_none()).copied().collect()
    }
}

/// A generator's own variables have no value before it: what stands for one in the bindings of a
/// match that was written down says nothing.
fn forget<B>(generator: &Generator, bound: &mut [Option<B>]) {
    generator.locals.iter().for_each(|(v, _)| bound[v.index()] = None);
}

impl<L: Logic> Reading<'_, L> {
    /// Calls `found` with every way of a generator, its variables bound.
    pub fn ways(
        &mut self,
        generator: &Generator,
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
        found: Found<L>,
    ) -> Valued<()> {
        forget(generator, bound);
        self.each_way(generator, true, bound, helpers, found)
    }

    /// When a generator has a way.
    pub fn exists(
        &mut self,
        generator: &Generator,
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
    ) -> Valued<L::Bit> {
        forget(generator, bound);
        self.goes_on(generator, bound, helpers)
    }

    /// When a generator has a way with the values that its variables have already.
    fn goes_on(
        &mut self,
        generator: &Generator,
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
    ) -> Valued<L::Bit> {
        let yes = self.logic.constant(true);
        let mut some = Vec::new();
        self.each_way(generator, false, bound, helpers, &mut |reading, _, bits| {
            let bit = reading.logic.all(bits.to_vec());
            let goes_on = bit != yes;
            some.push(bit);
            Ok(goes_on)
        })?;
        Ok(self.logic.any(some))
    }

    /// The set of all members for which a generator has a way.
    pub fn collect(
        &mut self,
        member: Var,
        generator: &Generator,
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
    ) -> Valued<Meant<L>> {
        let kind = generator.locals.iter().find(|(v, _)| *v == member).map(|(_, kind)| *kind);
        let kind = kind.ok_or(NoValue::Unbound)?;
        forget(generator, bound);
        let own = |v: Var| generator.locals.iter().any(|(local, _)| *local == v);
        // `{X in S : …}` needs a look at S only.
        let among = generator.conditions.iter().find_map(|literal| match literal {
            Literal::In(Term::Var(v), set) if *v == member && set.is_known(&|v| !own(v)) => {
                Some(set)
            }
            _ => None,
        });
        let limit = match among {
            Some(set) => Some(self.value(set, bound)?),
            None => None,
        };
        let parameter = self.parameter;
        let digits = self.logic.layout().all_digits();
        let (cells, houses) =
            (self.logic.all_cells(), self.logic.houses_called(ConstantSet::Houses));
        let mut keep = |logic: &mut L, value: Meant<L>| {
            helpers.member()?;
            bound[member.index()] = Some(value);
            let bit = Reading { logic, parameter }.goes_on(generator, bound, helpers);
            bound[member.index()] = None;
            bit
        };
        Ok(match kind {
            Kind::Cell => {
                let limit = limit.as_ref().and_then(Value::as_cells);
                let all = self.at_most(limit, cells);
                Value::Cells(self.logic.filter(&all, |logic, c| keep(logic, Value::Cell(c)))?)
            }
            Kind::Digit => {
                let limit = limit.as_ref().and_then(Value::as_digits);
                let all = self.at_most(limit, digits);
                Value::Digits(self.logic.filter(&all, |logic, d| keep(logic, Value::Digit(d)))?)
            }
            _ => {
                let limit = limit.as_ref().and_then(Value::as_houses);
                let all = self.at_most(limit, houses);
                Value::Houses(self.logic.filter(&all, |logic, h| keep(logic, Value::House(h)))?)
            }
        })
    }

    /// What may be a member at all: of a set, if there is one, or anything.
    fn at_most<T: Member, const W: usize>(
        &self,
        limit: Option<&L::Set<T, W>>,
        all: Set<T, W>,
    ) -> L::Set<T, W> {
        self.logic.fixed(limit.map_or(all, L::widest))
    }

    fn each_way(
        &mut self,
        generator: &Generator,
        all: bool,
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
        found: Found<L>,
    ) -> Valued<()> {
        let conditions = generator.conditions.iter().collect();
        let open = Open { locals: &generator.locals, conditions, all };
        let before = open.unbound(bound);
        let result = self.go(&open, &mut Vec::new(), bound, helpers, found);
        before.iter().for_each(|(v, _)| bound[v.index()] = None);
        result.map(|_| ())
    }

    /// Uses the next condition; whether to go on.
    fn go(
        &mut self,
        open: &Open,
        bits: &mut Vec<L::Bit>,
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
        found: Found<L>,
    ) -> Valued<bool> {
        let unbound = open.unbound(bound);
        if let Some(place) = open.conditions.iter().position(|l| can_be_told(l, open, &unbound)) {
            let length = bits.len();
            self.conditions(open.conditions[place], bound, helpers, bits)?;
            let no = self.logic.constant(false);
            let goes_on = match bits[length..].contains(&no) {
                true => Ok(true),
                false => self.go(&open.without(place), bits, bound, helpers, found),
            };
            bits.truncate(length);
            return goes_on;
        }
        if open.conditions.is_empty() {
            return found(self, bound, bits);
        }
        for (place, &literal) in open.conditions.iter().enumerate() {
            let own = |v: Var| unbound.iter().any(|(other, _)| *other == v);
            if let Some((v, value)) = self.defined(literal, &own, bound, helpers)? {
                bound[v.index()] = Some(value);
                let goes_on = self.go(&open.without(place), bits, bound, helpers, found);
                bound[v.index()] = None;
                return goes_on;
            }
        }
        let listed = self.listed(open, &unbound, bound, helpers)?;
        let (variables, tuples) = listed.ok_or(NoValue::Beyond)?;
        for tuple in tuples {
            helpers.member()?;
            for (v, value) in variables.iter().zip(tuple) {
                bound[v.index()] = Some(value);
            }
            let goes_on = self.go(open, bits, bound, helpers, found);
            variables.iter().for_each(|v| bound[v.index()] = None);
            if !goes_on? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The variable that a condition gives one value, and that value.
    fn defined(
        &mut self,
        literal: &Literal,
        own: &dyn Fn(Var) -> bool,
        bound: &mut Environment<L>,
        helpers: &mut dyn Helpers<L>,
    ) -> Valued<Option<(Var, Meant<L>)>> {
        let known = |term: &Term| term.is_known(&|v| !own(v));
        match literal {
            Literal::Compare(Comparison::Equal, Term::Var(v), term) if own(*v) && known(term) => {
                Ok(Some((*v, self.value(term, bound)?)))
            }
            Literal::Compare(Comparison::Equal, term, Term::Var(v)) if own(*v) && known(term) => {
                Ok(Some((*v, self.value(term, bound)?)))
            }
            Literal::Collect(set, member, generator)
                if own(*set) && literal.variables().iter().all(|v| v == set || !own(*v)) =>
            {
                Ok(Some((*set, self.collect(*member, generator, bound, helpers)?)))
            }
            _ => Ok(None),
        }
    }

    /// Some variables, and the values that they may have together: the conditions still say when.
    fn listed(
        &mut self,
        open: &Open,
        unbound: &[(Var, Kind)],
        bound: &Environment<L>,
        helpers: &mut dyn Helpers<L>,
    ) -> Valued<Option<Listed<L>>> {
        let own = |v: Var| unbound.iter().any(|(other, _)| *other == v);
        let known = |term: &Term| term.is_known(&|v| !own(v));
        for literal in &open.conditions {
            let (v, values) = match literal {
                Literal::In(Term::Var(v), set) if own(*v) && known(set) => {
                    (*v, self.members(set, bound)?)
                }
                Literal::Choose(Term::Var(v), least, most, set)
                    if own(*v) && known(least) && known(most) && known(set) =>
                {
                    (*v, self.subsets((least, most), set, bound, helpers)?)
                }
                _ => continue,
            };
            return Ok(Some((vec![v], values.into_iter().map(|value| vec![value]).collect())));
        }
        for literal in &open.conditions {
            let Literal::Traced(fact, terms, goal, others) = literal else { continue };
            if others.iter().all(known) {
                let tuples = self.traced((*fact, *goal), others, bound, helpers)?;
                return Ok(Some(own_of(terms, &own, tuples)));
            }
        }
        for literal in &open.conditions {
            let Literal::Call(helper, terms) = literal else { continue };
            let given = |term: &Term| match term.is_known(&|v| !own(v)) {
                true => self.value(term, bound).map(Some),
                false => Ok(None),
            };
            let arguments = terms.iter().map(given).collect::<Valued<Vec<_>>>()?;
            let Some(tuples) = helpers.tuples(self.logic, *helper, &arguments)? else { continue };
            return Ok(Some(own_of(terms, &own, tuples)));
        }
        let layout = self.logic.layout();
        for &(v, kind) in unbound {
            let values: Vec<Meant<L>> = match kind {
                Kind::Cell => self.logic.all_cells().iter().map(Value::Cell).collect(),
                Kind::Digit => layout.all_digits().iter().map(Value::Digit).collect(),
                Kind::House => {
                    let all = self.logic.houses_called(ConstantSet::Houses);
                    all.iter().map(Value::House).collect()
                }
                _ => continue,
            };
            return Ok(Some((vec![v], values.into_iter().map(|value| vec![value]).collect())));
        }
        Ok(None)
    }

    /// Everything that may be in a set.
    fn members(&mut self, set: &Term, bound: &Environment<L>) -> Valued<Vec<Meant<L>>> {
        Ok(match self.value(set, bound)? {
            Value::Cells(set) => L::widest(&set).iter().map(Value::Cell).collect(),
            Value::Digits(set) => L::widest(&set).iter().map(Value::Digit).collect(),
            Value::Houses(set) => L::widest(&set).iter().map(Value::House).collect(),
            other => unreachable!("{other:?} is not a set"),
        })
    }

    /// Every set of these sizes of what may be in a set.
    fn subsets(
        &mut self,
        (least, most): (&Term, &Term),
        set: &Term,
        bound: &Environment<L>,
        helpers: &mut dyn Helpers<L>,
    ) -> Valued<Vec<Meant<L>>> {
        let least = self.number(least, bound)?.if_fixed().ok_or(NoValue::Beyond)?;
        let most = self.number(most, bound)?.if_fixed().ok_or(NoValue::Beyond)?;
        let set = match self.value(set, bound)? {
            Value::Cells(set) => Value::Cells(L::widest(&set)),
            Value::Digits(set) => Value::Digits(L::widest(&set)),
            Value::Houses(set) => Value::Houses(L::widest(&set)),
            other => unreachable!("{other:?} is not a set"),
        };
        let (mut found, mut enough) = (Vec::new(), Ok(()));
        set.each_subset(least, most, &mut |subset| {
            enough = helpers.member();
            found.push(match subset {
                Value::Cells(set) => Value::Cells(self.logic.fixed(set)),
                Value::Digits(set) => Value::Digits(self.logic.fixed(set)),
                Value::Houses(set) => Value::Houses(self.logic.fixed(set)),
                other => unreachable!("{other:?} is not a set"),
            });
            enough.is_err()
        });
        enough.map(|()| found)
    }
}

/// Those of the terms that are variables of the generator, and their values in each tuple.
fn own_of<V>(
    terms: &[Term],
    own: &dyn Fn(Var) -> bool,
    tuples: Vec<Vec<V>>,
) -> (Vec<Var>, Vec<Vec<V>>) {
    let variable = |term: &Term| match term {
        Term::Var(v) if own(*v) => Some(*v),
        _ => None,
    };
    let of = |tuple: Vec<V>| -> Vec<V> {
        let places = terms.iter().map(|term| variable(term).is_some());
        places.zip(tuple).filter(|(is_own, _)| *is_own).map(|(_, value)| value).collect()
    };
    (terms.iter().filter_map(variable).collect(), tuples.into_iter().map(of).collect())
}

/// Whether a condition waits for none of the variables. A helper does not wait for those that only
/// it names, where nobody asks for their values.
fn can_be_told(literal: &Literal, open: &Open, unbound: &[(Var, Kind)]) -> bool {
    let waits = |v: Var| match literal {
        Literal::Call(_, terms) if !open.all => {
            let alone = |term: &Term| *term == Term::Var(v) || !term.mentions(v);
            let others = open.conditions.iter().filter(|other| !std::ptr::eq(**other, literal));
            let once = terms.iter().filter(|term| term.mentions(v)).count() == 1;
            !(once && terms.iter().all(alone) && !others.into_iter().any(|other| other.mentions(v)))
        }
        _ => true,
    };
    unbound.iter().all(|(v, _)| !literal.mentions(*v) || !waits(*v))
}

//! From generators to tests and sets: loops over the cells, digits and houses that they name, in
//! the test of one binding.

use std::sync::Arc;

use crate::language::{Comparison, Generator, Kind, Literal, Term, Var};

use super::super::bits::Width;
use super::super::code::{AnySet, CellsSet, SmallSet, Test};
use super::body::Body;
use super::compile::Compiler;
use super::masks::literal_mask;
use super::narrow::Narrow;
use super::source::source;

/// What is left of a generator.
#[derive(Clone)]
struct Rest {
    conditions: Vec<Literal>,
    /// Its variables that have no value yet.
    open: Vec<(Var, Kind)>,
}

impl Rest {
    fn bound(&self) -> u64 {
        self.open.iter().fold(u64::MAX, |bound, (v, _)| bound & !(1 << v.index()))
    }

    /// Puts the definition of a variable in its place, as long as there is one.
    fn unfolded(mut self) -> Rest {
        let is_open = |open: &[(Var, Kind)], v: Var| open.iter().any(|(other, _)| *other == v);
        let definition = |rest: &Rest| {
            rest.conditions.iter().enumerate().find_map(|(place, literal)| match literal {
                Literal::Compare(Comparison::Equal, Term::Var(v), term)
                | Literal::Compare(Comparison::Equal, term, Term::Var(v))
                    if is_open(&rest.open, *v) && !term.mentions(*v) =>
                {
                    Some((place, *v, term.clone()))
                }
                _ => None,
            })
        };
        while let Some((place, v, value)) = definition(&self) {
            self.conditions.remove(place);
            self.open.retain(|(other, _)| *other != v);
            let put = |term: &Term| {
                term.map(&|term| if term == Term::Var(v) { value.clone() } else { term })
            };
            self.conditions = self.conditions.iter().map(|l| l.map(&put, &|v| v)).collect();
        }
        self
    }
}

impl<W: Width> Compiler<'_, W> {
    /// Whether a generator has a way; all other variables are bound.
    pub(super) fn some_way(&mut self, generator: &Generator) -> Option<Test> {
        let (conditions, open) = (generator.conditions.clone(), generator.locals.clone());
        self.way(Rest { conditions, open }.unfolded())
    }

    /// The set that a literal collects.
    pub(super) fn collected(&mut self, literal: &Literal) -> Option<AnySet> {
        let Literal::Collect(_, member, generator) = literal else { return None };
        let (conditions, open) = (generator.conditions.clone(), generator.locals.clone());
        let rest = Rest { conditions, open };
        let kind = rest.open.iter().find(|(v, _)| v == member)?.1;
        self.filter(rest, *member, kind)
    }

    /// The variables without the conditions around the generator, which say nothing of it.
    fn no_body(&self) -> Body {
        Body {
            variables: self.variables.to_vec(),
            helpers: Arc::from([]),
            literals: Vec::new(),
            heads: Vec::new(),
            dropped: 0,
            determined: Vec::new(),
        }
    }

    fn way(&mut self, mut rest: Rest) -> Option<Test> {
        let bound = rest.bound();
        let (ready, waiting): (Vec<Literal>, Vec<Literal>) =
            rest.conditions.into_iter().partition(|literal| literal_mask(literal) & !bound == 0);
        let mut tests = ready.iter().map(|l| self.test(l)).collect::<Option<Vec<_>>>()?;
        if waiting.is_empty() {
            return Some(Test::All(tests));
        }
        rest.conditions = waiting;
        // The variable that most conditions say something of.
        let alone = self.no_body();
        let told = |v: Var| {
            let says = |literal: &&Literal| source(literal, v, bound, &alone).is_some();
            rest.conditions.iter().filter(says).count()
        };
        let scalars = rest.open.iter().filter(|(_, kind)| kind.set().is_some());
        let &(v, kind) = scalars.max_by_key(|(v, _)| (told(*v), std::cmp::Reverse(*v)))?;
        let over = self.filter(rest, v, kind)?;
        // Some member: not all of them fail.
        let slot = self.place(v);
        let none = Test::Every { slot, over, tests: vec![Test::Not(Box::new(Test::All(vec![])))] };
        tests.push(Test::Not(Box::new(none)));
        Some(Test::All(tests))
    }

    /// The values of a variable with which the rest has a way.
    fn filter(&mut self, rest: Rest, v: Var, kind: Kind) -> Option<AnySet> {
        match kind {
            Kind::Cell => self.filtered::<CellsSet>(rest, v, kind).map(AnySet::Cells),
            Kind::Digit | Kind::House => {
                self.filtered::<SmallSet>(rest, v, kind).map(AnySet::Small)
            }
            _ => None,
        }
    }

    fn filtered<S: Narrow>(&mut self, mut rest: Rest, v: Var, kind: Kind) -> Option<S> {
        let bound = rest.bound();
        let mut over: Option<S> = None;
        let (alone, mut conditions) = (self.no_body(), Vec::new());
        for literal in rest.conditions {
            let found = source(&literal, v, bound, &alone).filter(|found| !found.negated);
            let settled = found.as_ref().is_some_and(|found| {
                found.exact && literal_mask(&literal) & !bound == 1 << v.index()
            });
            if let Some(found) = found {
                let set = self.source(&found, kind, bound)?;
                over = Some(match over {
                    Some(over) => over.and(set),
                    None => set,
                });
            }
            if !settled {
                conditions.push(literal);
            }
        }
        let over = over.unwrap_or_else(|| S::everything(kind));
        rest.open.retain(|(other, _)| *other != v);
        if conditions.is_empty() {
            return Some(over);
        }
        rest.conditions = conditions;
        let tests = vec![self.way(rest.unfolded())?];
        Some(S::filter(self.place(v), over, tests))
    }
}

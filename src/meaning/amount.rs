//! A number that depends on something. Always exact, or not there at all.

use crate::language::{Arithmetic, Comparison};

use super::logic::{NoValue, Number, Valued};
use super::truth::Truth;

/// A number.
#[derive(Clone, PartialEq, Debug)]
pub enum Amount<B> {
    /// `fixed`, plus how many of `counted` hold.
    Sum {
        /// What is certain.
        fixed: i64,
        /// What counts one each if it holds.
        counted: Vec<B>,
    },
    /// Each value that it can have, with when it has it; just one of them always holds.
    Table(Vec<(i64, B)>),
    /// A number of which nothing is known.
    Unknown,
}

/// Values that a number may have, and pairs of values that are looked at together: beyond that,
/// a rule is too much for those who ask.
const MOST_VALUES: usize = 1_000;
const MOST_PAIRS: usize = 10_000;

impl<B: Clone + std::fmt::Debug> Number for Amount<B> {
    fn fixed(number: i64) -> Amount<B> {
        Amount::Sum { fixed: number, counted: Vec::new() }
    }
    fn if_fixed(&self) -> Option<i64> {
        match self {
            Amount::Sum { fixed, counted } if counted.is_empty() => Some(*fixed),
            _ => None,
        }
    }
}

impl<B: Clone + PartialEq + std::fmt::Debug> Amount<B> {
    /// The sum, the difference or the product.
    pub fn arithmetic<K: Truth<Bit = B>>(
        &self,
        operation: Arithmetic,
        other: &Amount<B>,
        truth: &mut K,
    ) -> Valued<Amount<B>> {
        match (self, other) {
            (Amount::Unknown, _) | (_, Amount::Unknown) => Ok(Amount::Unknown),
            (Amount::Sum { .. }, Amount::Sum { .. }) if operation != Arithmetic::Multiply => {
                let other = match operation {
                    Arithmetic::Subtract => other.negated::<K>()?,
                    _ => other.clone(),
                };
                self.plus(other)
            }
            _ => self.paired(other, truth, |a, b| operation.of(a, b).ok_or(NoValue::TooLarge)),
        }
    }

    /// When a comparison holds.
    pub fn compare<K: Truth<Bit = B>>(
        &self,
        comparison: Comparison,
        other: &Amount<B>,
        truth: &mut K,
    ) -> Valued<B> {
        match (self, other) {
            (Amount::Unknown, _) | (_, Amount::Unknown) => return Ok(truth.unknown()),
            (Amount::Sum { .. }, Amount::Sum { .. }) => {}
            _ => {
                let holds = |a: i64, b: i64| Ok(i64::from(comparison.holds(&a, &b)));
                return match self.paired(other, truth, holds)? {
                    Amount::Table(values) => {
                        let holds = values.into_iter().find(|(value, _)| *value == 1);
                        Ok(holds.map_or(K::constant(false), |(_, bit)| bit))
                    }
                    other => unreachable!("{other:?} is no table"),
                };
            }
        }
        let difference = self.plus(other.negated::<K>()?)?;
        let Amount::Sum { fixed, counted } = difference else { unreachable!("a sum of sums") };
        // self - other >= bound, as a count.
        let mut at_least = |bound: i64| {
            let wanted = bound.saturating_sub(fixed);
            match usize::try_from(wanted) {
                Ok(wanted) if wanted > counted.len() => K::constant(false),
                Ok(wanted) => truth.reached(&counted, wanted).swap_remove(wanted),
                Err(_) => K::constant(true),
            }
        };
        Ok(match comparison {
            Comparison::AtLeast => at_least(0),
            Comparison::Greater => at_least(1),
            Comparison::Less => K::not(at_least(0)),
            Comparison::AtMost => K::not(at_least(1)),
            Comparison::Equal | Comparison::Unequal => {
                let (zero, more) = (at_least(0), at_least(1));
                let equal = truth.and(vec![zero, K::not(more)]);
                if comparison == Comparison::Equal { equal } else { K::not(equal) }
            }
        })
    }

    fn plus(&self, other: Amount<B>) -> Valued<Amount<B>> {
        let (Amount::Sum { fixed: a, counted: left }, Amount::Sum { fixed: b, counted: right }) =
            (self, other)
        else {
            unreachable!("only sums are added this way");
        };
        let fixed = a.checked_add(b).ok_or(NoValue::TooLarge)?;
        let counted: Vec<B> = left.iter().cloned().chain(right).collect();
        if counted.len() > MOST_VALUES {
            return Err(NoValue::TooMuch);
        }
        Ok(Amount::Sum { fixed, counted })
    }

    /// Minus a count is the count of what does not hold, less all of them.
    fn negated<K: Truth<Bit = B>>(&self) -> Valued<Amount<B>> {
        let Amount::Sum { fixed, counted } = self else {
            unreachable!("only sums are subtracted this way");
        };
        let all = counted.len() as i64;
        let fixed = fixed.checked_neg().and_then(|fixed| fixed.checked_sub(all));
        let counted = counted.iter().cloned().map(K::not).collect();
        Ok(Amount::Sum { fixed: fixed.ok_or(NoValue::TooLarge)?, counted })
    }

    /// Each value that it can have, with when it has it; ascending.
    pub fn values<K: Truth<Bit = B>>(&self, truth: &mut K) -> Valued<Vec<(i64, B)>> {
        match self {
            Amount::Table(values) => Ok(values.clone()),
            Amount::Unknown => Err(NoValue::Beyond),
            Amount::Sum { fixed, counted } => {
                let mut reached = truth.reached(counted, counted.len());
                reached.push(K::constant(false));
                let mut values = Vec::new();
                for count in 0..=counted.len() {
                    let value = fixed.checked_add(count as i64).ok_or(NoValue::TooLarge)?;
                    let just = vec![reached[count].clone(), K::not(reached[count + 1].clone())];
                    values.push((value, truth.and(just)));
                }
                Ok(values)
            }
        }
    }

    /// What an operation gives for each pair of values.
    fn paired<K: Truth<Bit = B>>(
        &self,
        other: &Amount<B>,
        truth: &mut K,
        operation: impl Fn(i64, i64) -> Valued<i64>,
    ) -> Valued<Amount<B>> {
        let (left, right) = (self.values(truth)?, other.values(truth)?);
        if left.len() * right.len() > MOST_PAIRS {
            return Err(NoValue::TooMuch);
        }
        let mut ways: std::collections::BTreeMap<i64, Vec<B>> = Default::default();
        for (a, when_a) in &left {
            for (b, when_b) in &right {
                let both = truth.and(vec![when_a.clone(), when_b.clone()]);
                if both != K::constant(false) {
                    ways.entry(operation(*a, *b)?).or_default().push(both);
                }
            }
        }
        if ways.len() > MOST_VALUES {
            return Err(NoValue::TooMuch);
        }
        let values = ways.into_iter().map(|(value, ways)| (value, truth.or(ways)));
        Ok(Amount::Table(values.collect()))
    }
}

//! A set whose members are partly certain, partly a truth that depends on something.

use crate::board::{Cell, Digit, House, Set};

use super::amount::Amount;
use super::logic::{Member, Number};
use super::truth::Truth;
use super::value::Value;

/// A set: some members for sure, some if their truth holds (ascending, never constant).
#[derive(Clone, PartialEq, Debug)]
pub struct Fuzzy<T: Member, const W: usize, B> {
    /// Members in any case.
    pub sure: Set<T, W>,
    /// Members in some cases.
    pub maybe: Vec<(T, B)>,
}

impl<T: Member, const W: usize, B: Clone + PartialEq> Fuzzy<T, W, B> {
    /// A set that depends on nothing.
    pub fn fixed(sure: Set<T, W>) -> Self {
        Fuzzy { sure, maybe: Vec::new() }
    }

    /// From members in ascending order, each with its truth.
    pub fn collect<K: Truth<Bit = B>>(members: impl IntoIterator<Item = (T, B)>) -> Self {
        let (yes, no) = (K::constant(true), K::constant(false));
        let mut set = Fuzzy::fixed(Set::EMPTY);
        for (member, bit) in members {
            if bit == yes {
                set.sure.insert(member);
            } else if bit != no {
                set.maybe.push((member, bit));
            }
        }
        set
    }

    /// The set itself, where it depends on nothing.
    pub fn if_fixed(&self) -> Option<Set<T, W>> {
        self.maybe.is_empty().then_some(self.sure)
    }

    /// Everything that may be a member.
    pub fn widest(&self) -> Set<T, W> {
        let mut all = self.sure;
        for &(member, _) in &self.maybe {
            all.insert(member);
        }
        all
    }

    fn place(&self, item: T) -> Option<usize> {
        self.maybe.binary_search_by(|(member, _)| member.cmp(&item)).ok()
    }

    /// Whether this may be a member.
    pub fn may_contain(&self, item: T) -> bool {
        self.sure.contains(item) || self.place(item).is_some()
    }

    /// When this is a member.
    pub fn contains<K: Truth<Bit = B>>(&self, item: T) -> B {
        if self.sure.contains(item) {
            return K::constant(true);
        }
        self.place(item).map_or(K::constant(false), |i| self.maybe[i].1.clone())
    }

    /// The set of those of `universe` for which a condition on both memberships holds.
    pub fn combine<K: Truth<Bit = B>>(
        &self,
        other: &Self,
        universe: Set<T, W>,
        truth: &mut K,
        condition: impl Fn(&mut K, B, B) -> B,
    ) -> Self {
        let member = |m| (m, condition(truth, self.contains::<K>(m), other.contains::<K>(m)));
        Fuzzy::collect::<K>(universe.iter().map(member))
    }
}

/// A value whose sets and numbers depend on something.
pub type Open<B> = Value<Fuzzy<Cell, 10, B>, Fuzzy<Digit, 1, B>, Fuzzy<House, 2, B>, Amount<B>>;

impl<B: Clone + PartialEq + std::fmt::Debug> Open<B> {
    /// A value that depends on nothing.
    pub fn fixed(value: Value) -> Open<B> {
        match value {
            Value::Cell(cell) => Value::Cell(cell),
            Value::Digit(digit) => Value::Digit(digit),
            Value::House(house) => Value::House(house),
            Value::Number(number) => Value::Number(Amount::fixed(number)),
            Value::Cells(set) => Value::Cells(Fuzzy::fixed(set)),
            Value::Digits(set) => Value::Digits(Fuzzy::fixed(set)),
            Value::Houses(set) => Value::Houses(Fuzzy::fixed(set)),
        }
    }

    /// The value, where it depends on nothing.
    pub fn if_fixed(&self) -> Option<Value> {
        Some(match self {
            Value::Cell(cell) => Value::Cell(*cell),
            Value::Digit(digit) => Value::Digit(*digit),
            Value::House(house) => Value::House(*house),
            Value::Number(number) => Value::Number(number.if_fixed()?),
            Value::Cells(set) => Value::Cells(set.if_fixed()?),
            Value::Digits(set) => Value::Digits(set.if_fixed()?),
            Value::Houses(set) => Value::Houses(set.if_fixed()?),
        })
    }
}

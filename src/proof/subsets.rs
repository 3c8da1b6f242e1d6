//! The subsets of a set, up to symmetry.

use std::collections::HashSet;

use crate::board::{Cell, Cells, Digit, Digits, House, HouseKind, Houses, Index, Layout, Set};
use crate::meaning::Fuzzy;

use super::sat::Lit;
use super::symbol::Symbol;
use super::symmetry::Used;

/// What makes a value of a set.
type Made<T, const W: usize> = fn(Fuzzy<T, W, Lit>) -> Symbol;

/// What sets of a kind are made of, and how they grow up to symmetry.
pub(super) trait Choosable<const W: usize>: Index + std::fmt::Debug {
    const SYMBOL: Made<Self, W>;
    fn to_try(used: &Used, layout: &Layout) -> Set<Self, W>;
    fn touch(self, used: Used, layout: &Layout) -> Used;
    /// Whether it is enough to add members in ascending order: true where members of the set are
    /// told apart by one coordinate.
    fn ascending(set: Set<Self, W>, layout: &Layout) -> bool;
}

impl Choosable<10> for Cell {
    const SYMBOL: Made<Cell, 10> = Symbol::Cells;
    fn to_try(used: &Used, layout: &Layout) -> Cells {
        used.cells_to_try(layout)
    }
    fn touch(self, used: Used, layout: &Layout) -> Used {
        used.cell(layout, self)
    }
    fn ascending(set: Cells, layout: &Layout) -> bool {
        let Some(first) = set.first() else { return true };
        set.within(&layout.cells(layout.row(first)))
            || set.within(&layout.cells(layout.column(first)))
    }
}

impl Choosable<1> for Digit {
    const SYMBOL: Made<Digit, 1> = Symbol::Digits;
    fn to_try(used: &Used, layout: &Layout) -> Digits {
        used.digits_to_try(layout)
    }
    fn touch(self, used: Used, _: &Layout) -> Used {
        used.digit(self)
    }
    fn ascending(_: Digits, _: &Layout) -> bool {
        true
    }
}

impl Choosable<2> for House {
    const SYMBOL: Made<House, 2> = Symbol::Houses;
    fn to_try(used: &Used, layout: &Layout) -> Houses {
        used.houses_to_try(layout) | layout.groups()
    }
    fn touch(self, used: Used, layout: &Layout) -> Used {
        used.house(layout, self)
    }
    fn ascending(set: Houses, layout: &Layout) -> bool {
        let Some(first) = set.first() else { return true };
        let kind = layout.kind(first);
        matches!(kind, HouseKind::Row | HouseKind::Column)
            && set.iter().all(|house| layout.kind(house) == kind)
    }
}

/// The subsets of `from` with so many members, up to symmetry, each with what it touches. Without
/// symmetry, or where one coordinate tells the members apart, members are added in ascending order.
/// Nothing if there are more than `most`, as all of them stand in memory.
pub(super) fn grow<T: Choosable<W>, const W: usize>(
    layout: &Layout,
    from: Set<T, W>,
    sizes: std::ops::RangeInclusive<usize>,
    used: Used,
    most: usize,
) -> Option<Vec<(Set<T, W>, Used)>> {
    struct Growth<'a, T, const W: usize> {
        layout: &'a Layout,
        from: Set<T, W>,
        sizes: std::ops::RangeInclusive<usize>,
        ascending: bool,
        most: usize,
        seen: HashSet<Set<T, W>>,
        found: Vec<(Set<T, W>, Used)>,
    }
    fn go<T: Choosable<W>, const W: usize>(
        growth: &mut Growth<T, W>,
        chosen: Set<T, W>,
        last: Option<T>,
        used: Used,
    ) {
        if growth.sizes.contains(&chosen.len()) {
            growth.found.push((chosen, used));
        }
        if chosen.len() >= *growth.sizes.end() || growth.seen.len() > growth.most {
            return;
        }
        for member in (T::to_try(&used, growth.layout) & growth.from) - chosen {
            if growth.ascending && last.is_some_and(|last| member < last) {
                continue;
            }
            let mut with = chosen;
            with.insert(member);
            if growth.seen.insert(with) {
                go(growth, with, Some(member), member.touch(used, growth.layout));
            }
        }
    }
    let ascending = T::ascending(from, layout) && !used.is_general() || !used.renames();
    let mut growth =
        Growth { layout, from, sizes, ascending, most, seen: HashSet::new(), found: Vec::new() };
    go(&mut growth, Set::EMPTY, None, used);
    (growth.seen.len() <= most).then_some(growth.found)
}

//! Kinds still possible, as bits, and what can be made into what.

use crate::language::clause::{Function, Kind};

/// Kinds still possible, one bit each.
pub(super) type Mask = u8;

pub(super) const CELL: Mask = 1 << Kind::Cell as u8;
pub(super) const DIGIT: Mask = 1 << Kind::Digit as u8;
pub(super) const HOUSE: Mask = 1 << Kind::House as u8;
pub(super) const NUMBER: Mask = 1 << Kind::Number as u8;
pub(super) const CELLS: Mask = 1 << Kind::Cells as u8;
pub(super) const DIGITS: Mask = 1 << Kind::Digits as u8;
pub(super) const HOUSES: Mask = 1 << Kind::Houses as u8;
pub(super) const ALL: Mask = 0x7f;
pub(super) const SCALARS: Mask = CELL | DIGIT | HOUSE;
pub(super) const SETS: Mask = CELLS | DIGITS | HOUSES;
/// What can stand where a set of cells is wanted, and so on.
pub(super) const CELLISH: Mask = CELL | CELLS | HOUSE | HOUSES;
pub(super) const DIGITISH: Mask = DIGIT | DIGITS;
pub(super) const HOUSEISH: Mask = HOUSE | HOUSES;

pub(super) const KINDS: [Kind; 7] =
    [Kind::Cell, Kind::Digit, Kind::House, Kind::Number, Kind::Cells, Kind::Digits, Kind::Houses];

/// The mask of one kind.
pub(super) fn mask(kind: Kind) -> Mask {
    1 << kind as u8
}

/// The simplest kind of a mask.
pub(super) fn simplest(mask: Mask) -> Kind {
    KINDS[(mask & ALL).trailing_zeros().min(6) as usize]
}

/// What a value of a kind can be made into where `wanted` is asked for.
pub(super) fn accepted(wanted: Kind) -> Mask {
    match wanted {
        Kind::Cells => CELLISH,
        Kind::Digits => DIGITISH,
        Kind::Houses => HOUSEISH,
        kind => mask(kind),
    }
}

/// The kinds that something of one of these kinds can be made into.
pub(super) fn reachable(from: Mask) -> Mask {
    KINDS.iter().filter(|&&kind| accepted(kind) & from != 0).fold(0, |m, &k| m | mask(k))
}

/// How a kind is called, with its article.
pub fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Cell => "a cell",
        Kind::Digit => "a digit",
        Kind::House => "a house",
        Kind::Number => "a number",
        Kind::Cells => "a set of cells",
        Kind::Digits => "a set of digits",
        Kind::Houses => "a set of houses",
    }
}

/// How a mask is called: `a cell or a digit`. Where a cell will do, its set goes without saying.
pub(super) fn words(mask: Mask) -> String {
    let mut shown = mask;
    if mask & CELL != 0 && mask & CELLS != 0 {
        shown &= !(CELLS | HOUSE | HOUSES);
    } else if mask & CELLS != 0 {
        shown &= !(HOUSE | HOUSES);
    } else if mask & HOUSE != 0 {
        shown &= !HOUSES;
    }
    if mask & DIGIT != 0 {
        shown &= !DIGITS;
    }
    let kinds: Vec<&str> =
        KINDS.iter().filter(|&&k| shown & self::mask(k) != 0).map(|&k| word(k)).collect();
    match kinds.split_last() {
        Some((last, [])) => last.to_string(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_string(),
    }
}

/// Whether all that is open is how a thing is written: a cell or a set of cells, a digit or a
/// number.
pub(super) fn clear(mask: Mask) -> bool {
    [CELLISH, DIGITISH, HOUSEISH, DIGIT | NUMBER].iter().any(|family| mask & !family == 0)
}

/// The kind of a function's value.
pub(super) fn result(function: Function) -> Kind {
    match function {
        Function::Candidates | Function::Missing => Kind::Digits,
        Function::Spots | Function::Peers | Function::CommonPeers | Function::Cells => Kind::Cells,
        Function::Touching => Kind::Houses,
        Function::Row | Function::Column | Function::Box => Kind::House,
    }
}

/// What things are, and what sets of them are.
const MEMBERS: [(Mask, Mask); 3] = [(CELL, CELLS), (DIGIT, DIGITS), (HOUSE, HOUSES)];

pub(super) fn set_of(scalars: Mask) -> Mask {
    let sets = MEMBERS.iter().filter(|(scalar, _)| scalars & scalar != 0);
    sets.fold(0, |sets, (_, set)| sets | set)
}

/// What members may be so that their set is allowed; a set of houses can stand for its cells.
pub(super) fn members_of(sets: Mask) -> Mask {
    let scalars = MEMBERS.iter().filter(|(_, set)| sets & set != 0);
    scalars.fold(0, |scalars, (scalar, _)| scalars | scalar)
}

/// The kinds of set that two sides can both be made into.
pub(super) fn common_sets(a: Mask, b: Mask) -> Mask {
    let mut sets = 0;
    if a & CELLISH != 0 && b & CELLISH != 0 {
        // Two sets of houses, or one and a lone house, are sets of houses.
        let houses = a & HOUSEISH != 0 && b & HOUSEISH != 0 && (a | b) & HOUSES != 0;
        let only_houses = a & !HOUSEISH == 0 && b & !HOUSEISH == 0 && (a == HOUSES || b == HOUSES);
        if houses {
            sets |= HOUSES;
        }
        if !only_houses {
            sets |= CELLS;
        }
    }
    if a & DIGITISH != 0 && b & DIGITISH != 0 {
        sets |= DIGITS;
    }
    sets
}

/// What each side may be where both must become sets of one kind.
pub(super) fn common_set(a: Mask, b: Mask) -> (Mask, Mask) {
    let sets = common_sets(a, b);
    let mut allowed = 0;
    for (kind, wanted) in [(CELLS, CELLISH), (DIGITS, DIGITISH), (HOUSES, HOUSEISH)] {
        if sets & kind != 0 {
            allowed |= wanted;
        }
    }
    if sets == 0 {
        // No set fits both: the message is about the side that is less certain.
        let wanted = |other: Mask| {
            let mut m = 0;
            for wanted in [CELLISH, DIGITISH] {
                if other & wanted != 0 {
                    m |= wanted;
                }
            }
            m
        };
        return if a & (CELLISH | DIGITISH) == 0 {
            (CELLISH | DIGITISH, ALL)
        } else if b & (CELLISH | DIGITISH) == 0 {
            (ALL, CELLISH | DIGITISH)
        } else {
            (ALL, wanted(a))
        };
    }
    (allowed, allowed)
}

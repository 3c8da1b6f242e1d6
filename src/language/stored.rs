//! Parsed files as bytes. What comes with the program is parsed when it is built: pest takes longer
//! over the bundled rules than everything else between the start and the end of a short run.
//!
//! The build script includes this file and those that parse; `folder` reads its bytes where it would
//! parse the very text that they were made of.

use super::ast::*;
use super::comparison::Comparison;
use super::diagnostic::Span;

/// A file as bytes.
#[allow(dead_code, reason = "the build script alone stores")]
pub(crate) fn store(file: &File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.store(&mut bytes);
    bytes
}

/// The file that was stored, as number `source` of those loaded together.
pub(super) fn restore(bytes: &[u8], source: u16) -> File {
    File::restore(&mut Bytes { rest: bytes, source })
}

/// Bytes not yet read.
struct Bytes<'a> {
    rest: &'a [u8],
    source: u16,
}

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let (first, rest) = self.rest.split_first().expect("all that was stored");
        self.rest = rest;
        *first
    }
}

/// What can be written as bytes and read again.
trait Stored {
    fn store(&self, bytes: &mut Vec<u8>);
    fn restore(bytes: &mut Bytes) -> Self;
}

/// Seven bits a byte, the lowest first.
impl Stored for u64 {
    fn store(&self, bytes: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    fn restore(bytes: &mut Bytes) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = bytes.next();
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }
}

/// Numbers that fit are numbers of 64 bits.
macro_rules! numbers {
    ($($number:ty),*) => { $(impl Stored for $number {
        fn store(&self, bytes: &mut Vec<u8>) {
            (*self as u64).store(bytes);
        }
        fn restore(bytes: &mut Bytes) -> $number {
            u64::restore(bytes) as $number
        }
    })* };
}
numbers!(u8, u32, usize, i64);

impl Stored for bool {
    fn store(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }
    fn restore(bytes: &mut Bytes) -> bool {
        bytes.next() != 0
    }
}

impl Stored for String {
    fn store(&self, bytes: &mut Vec<u8>) {
        self.len().store(bytes);
        bytes.extend(self.as_bytes());
    }
    fn restore(bytes: &mut Bytes) -> String {
        let length = usize::restore(bytes);
        let (text, rest) = bytes.rest.split_at(length);
        bytes.rest = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn store(&self, bytes: &mut Vec<u8>) {
        self.len().store(bytes);
        self.iter().for_each(|member| member.store(bytes));
    }
    fn restore(bytes: &mut Bytes) -> Vec<T> {
        (0..usize::restore(bytes)).map(|_| T::restore(bytes)).collect()
    }
}

impl<T: Stored> Stored for Option<T> {
    fn store(&self, bytes: &mut Vec<u8>) {
        self.is_some().store(bytes);
        self.iter().for_each(|value| value.store(bytes));
    }
    fn restore(bytes: &mut Bytes) -> Option<T> {
        bool::restore(bytes).then(|| T::restore(bytes))
    }
}

impl<T: Stored> Stored for Box<T> {
    fn store(&self, bytes: &mut Vec<u8>) {
        (**self).store(bytes);
    }
    fn restore(bytes: &mut Bytes) -> Box<T> {
        Box::new(T::restore(bytes))
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn store(&self, bytes: &mut Vec<u8>) {
        self.0.store(bytes);
        self.1.store(bytes);
    }
    fn restore(bytes: &mut Bytes) -> (A, B) {
        (A::restore(bytes), B::restore(bytes))
    }
}

/// The number of the source is that of the loading.
impl Stored for Span {
    fn store(&self, bytes: &mut Vec<u8>) {
        self.start.store(bytes);
        (self.end - self.start).store(bytes);
    }
    fn restore(bytes: &mut Bytes) -> Span {
        let start = u32::restore(bytes);
        Span { source: bytes.source, start, end: start + u32::restore(bytes) }
    }
}

/// Nothing is wrong with what comes with the program.
impl Stored for Piece {
    fn store(&self, bytes: &mut Vec<u8>) {
        assert!(self.mistakes.is_empty(), "{:?}", self.mistakes);
        self.sort.store(bytes);
        self.start.store(bytes);
    }
    fn restore(bytes: &mut Bytes) -> Piece {
        let sort = PieceSort::restore(bytes);
        Piece { sort, start: usize::restore(bytes), mistakes: Vec::new() }
    }
}

/// Fields one after the other; all of them, or it does not compile.
macro_rules! records {
    ($($name:ident { $($field:ident),* })*) => { $(impl Stored for $name {
        fn store(&self, bytes: &mut Vec<u8>) {
            let $name { $($field),* } = self;
            $($field.store(bytes);)*
        }
        fn restore(bytes: &mut Bytes) -> $name {
            $(let $field = Stored::restore(bytes);)*
            $name { $($field),* }
        }
    })* };
}
records! {
    Word { text, span }
    File { pieces, rules, layouts, clauses }
    RuleBlock {
        name, parameter, titles, levels, assumes, tags, scores, clauses, explains, examples,
        drawings, comment, span, broken
    }
    LayoutBlock { name, number, title, members, broken }
    Parameter { name, from, to, span }
    Explain { language, text, trace }
    Example { grid, gives, span }
    Drawing { nodes, name, each, span }
    Node { place, digits }
    Clause { heads, body, comment, span }
    Head { atom, each }
    Atom { name, arguments, span }
    Condition { kind, span }
    Supposition { hypotheses, below, goal }
    Expression { kind, span }
}

/// A number for the variant, then what it holds.
macro_rules! choices {
    ($($name:ident { $($number:literal $variant:ident $(($($part:ident),*))? $({$($field:ident),*})?),* })*) => { $(
        impl Stored for $name {
            fn store(&self, bytes: &mut Vec<u8>) {
                match self {
                    $($name::$variant $(($($part),*))? $({$($field),*})? => {
                        bytes.push($number);
                        $($($part.store(bytes);)*)?
                        $($($field.store(bytes);)*)?
                    })*
                }
            }
            fn restore(bytes: &mut Bytes) -> $name {
                match bytes.next() {
                    $($number => {
                        $($(let $part = Stored::restore(bytes);)*)?
                        $($(let $field = Stored::restore(bytes);)*)?
                        $name::$variant $(($($part),*))? $({$($field),*})?
                    })*
                    other => unreachable!("{other} was not stored"),
                }
            }
        }
    )* };
}
choices! {
    PieceSort { 0 Rule, 1 Layout, 2 Clause, 3 Broken }
    LayoutMember {
        0 Extends(name, number),
        1 Size(size, span),
        2 Boxes(height, width, span),
        3 Picture { name, rows, span },
        4 House { is_full, name, number, title, set, span },
        5 Clause(clause)
    }
    ConditionKind {
        0 Binary(operator, left, right),
        1 Atom(atom),
        2 Traced(fact, goal),
        3 Not(condition),
        4 Forall(generator, conditions),
        5 Exists(generator, conditions),
        6 Suppose(supposition)
    }
    Operator { 0 In, 1 Within, 2 Compare(comparison) }
    Comparison { 0 Equal, 1 Unequal, 2 Less, 3 AtMost, 4 Greater, 5 AtLeast }
    ExpressionKind {
        0 Variable(name),
        1 Cell(row, column),
        2 Number(number),
        3 Atom(atom),
        4 Set(members),
        5 Collected(variable, conditions),
        6 Size(set),
        7 Binary(sign, left, right),
        8 Range(from, to),
        9 Broken
    }
    Sign { 0 Plus, 1 Minus, 2 Without, 3 And, 4 Times }
}

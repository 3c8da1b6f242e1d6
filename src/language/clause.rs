//! What clauses are made of: kinds, terms, conditions, conclusions. Names are resolved, kinds known,
//! every conversion written out.

use crate::board::{Digit, Index, Set};

use super::diagnostic::Span;

pub use super::comparison::Comparison;

/// What a variable or a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// One cell.
    Cell,
    /// One digit.
    Digit,
    /// One house.
    House,
    /// A number: a size, a parameter, arithmetic on them.
    Number,
    /// A set of cells.
    Cells,
    /// A set of digits.
    Digits,
    /// A set of houses.
    Houses,
}

impl Kind {
    /// The kind of a set of these, if there are such sets.
    pub fn set(self) -> Option<Kind> {
        match self {
            Kind::Cell => Some(Kind::Cells),
            Kind::Digit => Some(Kind::Digits),
            Kind::House => Some(Kind::Houses),
            _ => None,
        }
    }
    /// The kind of the members, if this is a kind of set.
    pub fn member(self) -> Option<Kind> {
        match self {
            Kind::Cells => Some(Kind::Cell),
            Kind::Digits => Some(Kind::Digit),
            Kind::Houses => Some(Kind::House),
            _ => None,
        }
    }
}

/// A variable of a clause: its place in [`Clause::variables`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u16);

impl Var {
    /// Its place in [`Clause::variables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable's name and kind. Each `_` is a variable of its own, named `_`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name in the rule file.
    pub name: String,
    /// What it stands for.
    pub kind: Kind,
}

/// A set that is there from the start. All but `Unsolved` never change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConstantSet {
    /// All digits.
    Digits,
    /// All rows.
    Rows,
    /// All columns.
    Columns,
    /// All boxes.
    Boxes,
    /// All rows and columns.
    Lines,
    /// All houses.
    Houses,
    /// All groups: sets of fewer cells, where no digit is twice.
    Groups,
    /// The boxes, where they are no rectangles side by side.
    Pieces,
    /// The cells not placed.
    Unsolved,
}

/// A built-in function. Arguments have exactly these kinds; the checker converts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// `candidates(Cells) -> Digits`: the union over the cells.
    Candidates,
    /// `spots(Digits, Cells) -> Cells`: those of the cells where one of the digits is possible.
    Spots,
    /// `missing(House) -> Digits`: digits not placed in the house.
    Missing,
    /// `peers(Cell) -> Cells`.
    Peers,
    /// `common_peers(Cells) -> Cells`: cells that see all of them (none of them sees itself).
    CommonPeers,
    /// `cells(Houses) -> Cells`: the union.
    Cells,
    /// `touching(Houses, Cells) -> Houses`: the houses that meet the cells.
    Touching,
    /// `row(Cell) -> House`.
    Row,
    /// `column(Cell) -> House`.
    Column,
    /// `box(Cell) -> House`.
    Box,
}

/// Union, intersection, difference of two sets of the same kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SetOperation {
    /// `S + T`
    Union,
    /// `S & T`
    Intersection,
    /// `S \ T`
    Difference,
}

impl SetOperation {
    /// What it makes of two sets.
    pub fn of<T: Index, const W: usize>(self, a: Set<T, W>, b: Set<T, W>) -> Set<T, W> {
        match self {
            SetOperation::Union => a | b,
            SetOperation::Intersection => a & b,
            SetOperation::Difference => a - b,
        }
    }
}

/// `+ - *` on numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arithmetic {
    /// `A + B`
    Add,
    /// `A - B`
    Subtract,
    /// `A * B`
    Multiply,
}

impl Arithmetic {
    /// The result; nothing if it leaves 64 bits, which the checker sees to that it does not.
    #[inline]
    pub fn of(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Subtract => left.checked_sub(right),
            Arithmetic::Multiply => left.checked_mul(right),
        }
    }
}

/// An expression. [`Clause::kind_of`] tells its kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A variable.
    Var(Var),
    /// A cell by name, `r2c4`, as row and column from 0 (the layout decides the number).
    Cell {
        /// Row from 0.
        row: u8,
        /// Column from 0.
        column: u8,
    },
    /// A digit by number.
    Digit(Digit),
    /// A number.
    Number(i64),
    /// The rule's parameter.
    Parameter,
    /// Arithmetic on numbers.
    Arithmetic(Arithmetic, Box<Term>, Box<Term>),
    /// `|S|`
    Size(Box<Term>),
    /// A constant set.
    Constant(ConstantSet),
    /// `{A, B}`: members of one scalar kind; `{}` has the kind given.
    Set(Kind, Vec<Term>),
    /// A lone cell, digit or house where a set is wanted.
    Lone(Box<Term>),
    /// A house where a set of cells is wanted.
    CellsOf(Box<Term>),
    /// Union, intersection, difference.
    Operation(SetOperation, Box<Term>, Box<Term>),
    /// A built-in function.
    Call(Function, Vec<Term>),
}

/// A built-in relation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `sees(A, B)`: two cells cannot be equal.
    Sees,
    /// `excludes(A, X, B, Y)`: by the layout A is not X or B is not Y, for two different digits.
    Excludes,
    /// `given(C)`: the cell was given.
    Given,
    /// `live(C, D)`: D is still possible in C.
    Live,
    /// `rectangle(A, B, C, T)`: corners of a rectangle in two boxes, T across from A:
    /// A and B in a row, A and C in a column, or A and B in a column, A and C in a row.
    Rectangle,
    /// `orientation(Lines, Across)`: rows and columns, or columns and rows.
    Orientation,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// `X in S`: a scalar and a set of its kind.
    In(Term, Term),
    /// `Xs in choose(A..B, S)`: subset, least and greatest size, set; `choose(N, S)` has N twice.
    Choose(Term, Term, Term, Term),
    /// `S within T`: two sets of one kind.
    Within(Term, Term),
    /// A comparison of two terms of one kind.
    Compare(Comparison, Term, Term),
    /// A built-in relation.
    Relation(Relation, Vec<Term>),
    /// A helper.
    Call(PredicateId, Vec<Term>),
    /// `fact(…) in trace goal(…)`: the first helper is one of those on which the shortest derivation
    /// of the second rests; all variables of the second are bound elsewhere.
    Traced(PredicateId, Vec<Term>, PredicateId, Vec<Term>),
    /// `not p(…)`: all its variables are bound elsewhere.
    Not(Box<Literal>),
    /// `forall X in S : (…)`: X is local; all other variables are bound elsewhere.
    Forall(Var, Term, Vec<Literal>),
    /// `exists … : (…)`: there is a way. A `forall` through anything else than the members of a
    /// set is written with this and `not`.
    Exists(Generator),
    /// `S = {X : …}`: S is the set of all X.
    Collect(Var, Var, Generator),
    /// `suppose … below L : (…)`: from this state and the hypotheses, the rules of a level under
    /// L lead to a contradiction, or to a state of which the goal is true.
    Suppose(Box<Supposition>),
}

/// Hypotheses, and what is asked of the state to which they lead.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Supposition {
    /// What is supposed: `place` and `eliminate`.
    pub hypotheses: Vec<Head>,
    /// The loaded rules of a level under this one run: a number, or arithmetic on the parameter.
    pub below: Term,
    /// What is asked: `contradiction`, `place`, `eliminate`, or a helper.
    pub goal: Head,
}

/// Conditions over variables of their own; all others are bound elsewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Generator {
    /// Its own variables.
    pub locals: Vec<(Var, Kind)>,
    /// The conditions, in any order.
    pub conditions: Vec<Literal>,
}

/// A condition and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The condition.
    pub literal: Literal,
    /// Where it stands.
    pub span: Span,
}

/// What a clause concludes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    /// `place(C, D)`: a cell and a digit.
    Place(Term, Term),
    /// `eliminate(Cells, Digits)`: every pair of the product of the two sets.
    Eliminate(Term, Term),
    /// `contradiction`
    Contradiction,
    /// A helper's head: one term an argument.
    Helper(Vec<Term>),
    /// A helper that is asked of where a hypothesis leads.
    Asked(PredicateId, Vec<Term>),
    /// `… for …`: the conclusion for every way, all in one match.
    Each(Box<Head>, Generator),
}

/// `heads :- body.` One match has the effect of all heads (a helper's clause has one).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// What it concludes, all at once.
    pub heads: Vec<Head>,
    /// The conditions, in the author's order; the order means nothing.
    pub body: Vec<Goal>,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Where it stands.
    pub span: Span,
}

/// Which helper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredicateId(pub u16);

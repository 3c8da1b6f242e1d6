//! Between which bounds every number stays: all arithmetic is exact, in 64 bits. E070.
//!
//! The bounds of a helper's numbers are the least fixpoint over its clauses. A bound that keeps
//! growing counts as none at all, unless a comparison in the clause holds it: so
//! `big(N) :- big(M), N = M + 1, N <= 110.` is fine, and without the comparison it is not.

use crate::language::clause::{Arithmetic, Clause, Comparison, Kind, Literal, Term};
use crate::language::diagnostic::{Diagnostic, Span};
use crate::language::rule::Parameter;

/// From a smallest to a largest value; nothing in between where the first is larger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    least: i128,
    most: i128,
}

/// Beyond this, a number has no bound. Far more than 64 bits, and two of them can be added.
const FAR: i128 = 1 << 120;
/// Sizes of sets of cells, digits and houses on the largest layout.
const MOST_CELLS: i128 = 625;
const MOST_DIGITS: i128 = 25;
const MOST_HOUSES: i128 = 128;
/// Rounds in which bounds may grow step by step before they count as growing for ever.
const PATIENCE: usize = 6;

impl Range {
    const NOTHING: Range = Range { least: FAR, most: -FAR };
    const ANYTHING: Range = Range { least: -FAR, most: FAR };

    fn only(number: i128) -> Range {
        Range { least: number, most: number }
    }
    fn is_empty(self) -> bool {
        self.least > self.most
    }
    fn and(self, other: Range) -> Range {
        Range { least: self.least.max(other.least), most: self.most.min(other.most) }
    }
    fn or(self, other: Range) -> Range {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
    fn fits(self) -> bool {
        self.is_empty() || (self.least >= i64::MIN.into() && self.most <= i64::MAX.into())
    }
    /// What was known before, with no bound where this goes beyond it.
    fn widened(self, before: Range) -> Range {
        Range {
            least: if self.least < before.least { -FAR } else { before.least },
            most: if self.most > before.most { FAR } else { before.most },
        }
    }

    fn arithmetic(self, operation: Arithmetic, other: Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::NOTHING;
        }
        let ends = match operation {
            Arithmetic::Add => [self.least + other.least, self.most + other.most].to_vec(),
            Arithmetic::Subtract => [self.least - other.most, self.most - other.least].to_vec(),
            Arithmetic::Multiply => {
                let product = |a: i128, b: i128| {
                    let far = if (a < 0) == (b < 0) { FAR } else { -FAR };
                    a.checked_mul(b).unwrap_or(far)
                };
                let ends = [self.least, self.most];
                ends.into_iter()
                    .flat_map(|a| [product(a, other.least), product(a, other.most)])
                    .collect()
            }
        };
        let least = ends.iter().copied().min().expect("two ends");
        let most = ends.into_iter().max().expect("two ends");
        Range { least: least.clamp(-FAR, FAR), most: most.clamp(-FAR, FAR) }
    }

    /// What is left of this where it compares so with another.
    fn limited(self, comparison: Comparison, other: Range) -> Range {
        let limit = match comparison {
            Comparison::Equal => other,
            Comparison::Unequal => Range::ANYTHING,
            Comparison::Less => Range { most: other.most - 1, ..Range::ANYTHING },
            Comparison::AtMost => Range { most: other.most, ..Range::ANYTHING },
            Comparison::Greater => Range { least: other.least + 1, ..Range::ANYTHING },
            Comparison::AtLeast => Range { least: other.least, ..Range::ANYTHING },
        };
        self.and(limit)
    }

    /// Whether a comparison can hold.
    pub(super) fn may(self, comparison: Comparison, other: Range) -> bool {
        match comparison {
            Comparison::Unequal => self.least != self.most || self != other,
            _ => !self.limited(comparison, other).is_empty(),
        }
    }
}

/// The bounds of a number term without variables of its own.
pub(super) fn of(term: &Term, parameter: Option<i64>) -> Range {
    let parameter = parameter.map(|value| Range::only(value.into()));
    Numbers { variables: &[], parameter, kind: &|_| None }.of(term)
}

/// The numbers of a clause.
struct Numbers<'a> {
    variables: &'a [Range],
    parameter: Option<Range>,
    kind: &'a dyn Fn(&Term) -> Option<Kind>,
}

impl Numbers<'_> {
    fn of(&self, term: &Term) -> Range {
        match term {
            Term::Var(v) => self.variables.get(v.index()).copied().unwrap_or(Range::ANYTHING),
            Term::Number(number) => Range::only(i128::from(*number)),
            Term::Parameter => self.parameter.unwrap_or(Range::ANYTHING),
            Term::Size(set) => {
                let most = match (self.kind)(set) {
                    Some(Kind::Digits) => MOST_DIGITS,
                    Some(Kind::Houses) => MOST_HOUSES,
                    _ => MOST_CELLS,
                };
                Range { least: 0, most }
            }
            Term::Arithmetic(operation, left, right) => {
                self.of(left).arithmetic(*operation, self.of(right))
            }
            _ => Range::ANYTHING,
        }
    }
}

/// The bounds of a clause's variables; nothing if the clause can never hold.
fn variables(
    clause: &Clause,
    helpers: &[Vec<Range>],
    parameter: Option<Range>,
) -> Option<Vec<Range>> {
    let kind = |term: &Term| Some(clause.kind_of(term));
    let mut found = vec![Range::ANYTHING; clause.variables.len()];
    // Each round carries a bound one equation further.
    for _ in 0..=clause.body.len().min(40) {
        let before = found.clone();
        for goal in &clause.body {
            match &goal.literal {
                Literal::Compare(comparison, left, right)
                    if clause.kind_of(left) == Kind::Number =>
                {
                    let numbers = Numbers { variables: &found, parameter, kind: &kind };
                    let (of_left, of_right) = (numbers.of(left), numbers.of(right));
                    if let Term::Var(v) = left {
                        found[v.index()] = of_left.limited(*comparison, of_right);
                    }
                    if let Term::Var(v) = right {
                        found[v.index()] = of_right.limited(comparison.turned(), of_left);
                    }
                }
                Literal::Call(helper, terms) => {
                    for (term, range) in terms.iter().zip(&helpers[helper.0 as usize]) {
                        match term {
                            Term::Var(v) if clause.variables[v.index()].kind == Kind::Number => {
                                found[v.index()] = found[v.index()].and(*range);
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        if found == before {
            break;
        }
    }
    let number = |v: usize| clause.variables[v].kind == Kind::Number;
    let dead = (0..found.len()).any(|v| number(v) && found[v].is_empty());
    (!dead).then_some(found)
}

/// One round of all clauses: the bounds of every helper's arguments.
fn round(of_helper: &[Vec<Clause>], helpers: &[Vec<Range>]) -> Vec<Vec<Range>> {
    let mut next: Vec<Vec<Range>> =
        helpers.iter().map(|ranges| vec![Range::NOTHING; ranges.len()]).collect();
    for (helper, clauses) in of_helper.iter().enumerate() {
        for clause in clauses {
            let Some(found) = variables(clause, helpers, None) else { continue };
            let kind = |term: &Term| Some(clause.kind_of(term));
            let numbers = Numbers { variables: &found, parameter: None, kind: &kind };
            for (range, term) in next[helper].iter_mut().zip(clause.formals()) {
                if clause.kind_of(term) == Kind::Number {
                    *range = range.or(numbers.of(term));
                }
            }
        }
    }
    next
}

/// The bounds of every helper's arguments; only those of numbers mean something.
pub(super) fn helpers(of_helper: &[Vec<Clause>]) -> Vec<Vec<Range>> {
    let arity = |clauses: &Vec<Clause>| clauses.first().map_or(0, |c| c.formals().len());
    let mut ranges: Vec<Vec<Range>> =
        of_helper.iter().map(|clauses| vec![Range::NOTHING; arity(clauses)]).collect();
    let numeric = |clause: &Clause| clause.variables.iter().any(|v| v.kind == Kind::Number);
    if !of_helper.iter().flatten().any(numeric) {
        return ranges;
    }
    // Every round beyond patience moves some bound to the end for good.
    for number in 0.. {
        let mut next = round(of_helper, &ranges);
        if number >= PATIENCE {
            for (next, before) in next.iter_mut().flatten().zip(ranges.iter().flatten()) {
                *next = next.widened(*before);
            }
        }
        if next == ranges {
            break;
        }
        ranges = next;
    }
    // What comparisons hold back comes back again.
    for _ in 0..PATIENCE {
        ranges = round(of_helper, &ranges);
    }
    ranges
}

/// Reports every condition and head of a clause whose arithmetic could leave 64 bits.
pub(super) fn check(
    clause: &Clause,
    helpers: &[Vec<Range>],
    parameter: Option<&Parameter>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let parameter = parameter.map(|p| Range { least: i128::from(p.from), most: i128::from(p.to) });
    let Some(found) = variables(clause, helpers, parameter) else { return };
    let kind = |term: &Term| Some(clause.kind_of(term));
    let numbers = Numbers { variables: &found, parameter, kind: &kind };
    let mut report = |span: Span, term: &Term| {
        if !matches!(term, Term::Arithmetic(..)) || numbers.of(term).fits() {
            return false;
        }
        diagnostics.push(
            Diagnostic::error("E070", span, "this number could grow beyond 64 bits")
                .label("nothing holds it within bounds")
                .help("use smaller factors, or limit a variable, such as `N <= 100`"),
        );
        true
    };
    for goal in &clause.body {
        let mut reported = false;
        goal.literal.each_term(&mut |term| reported = reported || report(goal.span, term));
    }
    let head =
        Span { end: clause.body.first().map_or(clause.span.end, |g| g.span.start), ..clause.span };
    let mut reported = false;
    for term in clause.heads.iter().flat_map(|head| head.terms()) {
        term.each(&mut |term| reported = reported || report(head, term));
    }
}

//! From drafts to checked clauses: every conversion is written out.

use super::draft::{self, Shape};
use super::kinds::Kinds;
use super::masks;
use crate::board::Digit;
use crate::language::ast::Sign;
use crate::language::clause::{
    Arithmetic, Clause, Function, Generator, Goal, Head, Kind, Literal, PredicateId, SetOperation,
    Supposition, Term, Var, Variable,
};
use crate::language::diagnostic::Span;
use crate::language::drawing::Node;

/// The checked clause of a draft whose kinds are known and fit.
pub(super) fn clause(draft: &draft::Clause, number: usize, kinds: &Kinds) -> Clause {
    let lowering = Lowering::of(number, kinds);
    Clause {
        heads: draft
            .heads
            .iter()
            .zip(&draft.each)
            .map(|(head, each)| {
                let head = lowering.head(head, draft.owner);
                match each {
                    Some(each) => Head::Each(Box::new(head), lowering.generator(each)),
                    None => head,
                }
            })
            .collect(),
        body: draft.body.iter().map(|goal| lowering.goal(goal)).collect(),
        variables: variables(draft, number, kinds),
        span: draft.span,
    }
}

/// The variables of a draft with their kinds.
pub(super) fn variables(draft: &draft::Clause, number: usize, kinds: &Kinds) -> Vec<Variable> {
    let names = draft.variables.iter().zip(&kinds.variables[number]);
    names.map(|(variable, &kind)| Variable { name: variable.name.clone(), kind }).collect()
}

/// What stands after the `for` of a drawing.
pub(super) fn generator(number: usize, kinds: &Kinds, generator: &draft::Generator) -> Generator {
    Lowering::of(number, kinds).generator(generator)
}

/// A place in a picture, and digits there: cells, and houses unless it is linked. Else where
/// something else stands, what was wanted there, and what it is.
pub(super) fn node(
    number: usize,
    kinds: &Kinds,
    (place, digits): (&draft::Term, Option<&draft::Term>),
    is_linked: bool,
) -> Result<Node, (Span, &'static str, Kind)> {
    let lowering = Lowering::of(number, kinds);
    let kind = match lowering.natural(place) {
        Kind::House | Kind::Houses if !is_linked && digits.is_none() => Kind::Houses,
        Kind::Cell | Kind::Cells | Kind::House | Kind::Houses => Kind::Cells,
        other if is_linked => return Err((place.span, "a cell or a set of cells", other)),
        other => return Err((place.span, "cells or houses", other)),
    };
    if let Some(digits) = digits {
        let found = lowering.natural(digits);
        let is_number = matches!(digits.shape, Shape::Number(_));
        if !matches!(found, Kind::Digit | Kind::Digits) && !is_number {
            return Err((digits.span, "a digit or a set of digits", found));
        }
    }
    let digits = digits.map(|digits| lowering.term(digits, Kind::Digits));
    Ok(Node { place: lowering.term(place, kind), digits })
}

struct Lowering<'a> {
    variables: &'a [Kind],
    arguments: &'a [Vec<Kind>],
}

impl<'a> Lowering<'a> {
    fn of(number: usize, kinds: &'a Kinds) -> Lowering<'a> {
        Lowering { variables: &kinds.variables[number], arguments: &kinds.arguments }
    }

    fn head(&self, head: &draft::Head, owner: draft::Owner) -> Head {
        match head {
            draft::Head::Place(cell, digit) => {
                Head::Place(self.term(cell, Kind::Cell), self.term(digit, Kind::Digit))
            }
            draft::Head::Eliminate(cells, digits) => {
                Head::Eliminate(self.term(cells, Kind::Cells), self.term(digits, Kind::Digits))
            }
            draft::Head::Helper(terms) => {
                let kind = |argument: usize, term: &draft::Term| match owner {
                    draft::Owner::Helper(helper) => self.arguments[helper][argument],
                    _ => self.natural(term),
                };
                Head::Helper(
                    terms.iter().enumerate().map(|(i, t)| self.term(t, kind(i, t))).collect(),
                )
            }
            draft::Head::Asked(helper, terms) => {
                Head::Asked(PredicateId(*helper as u16), self.arguments_of(*helper, terms))
            }
            draft::Head::Contradiction | draft::Head::Unknown(_) => Head::Contradiction,
        }
    }

    fn goal(&self, goal: &draft::Goal) -> Goal {
        Goal { literal: self.literal(&goal.literal), span: goal.span }
    }

    fn literal(&self, literal: &draft::Literal) -> Literal {
        match literal {
            draft::Literal::In(member, set) => {
                let kind = match self.natural(set) {
                    // `{}` has no kind of its own.
                    _ if is_empty(set) => match self.natural(member) {
                        Kind::Number => Kind::Digit,
                        kind => kind,
                    },
                    Kind::Digits => Kind::Digit,
                    Kind::Houses if self.natural(member) == Kind::House => Kind::House,
                    _ => Kind::Cell,
                };
                let of = kind.set().unwrap_or(Kind::Cells);
                Literal::In(self.term(member, kind), self.term(set, of))
            }
            draft::Literal::Choose(subset, least, most, set) => {
                let kind = self.common_set(subset, set);
                Literal::Choose(
                    self.term(subset, kind),
                    self.term(least, Kind::Number),
                    self.term(most, Kind::Number),
                    self.term(set, kind),
                )
            }
            draft::Literal::Within(left, right) => {
                let kind = self.common_set(left, right);
                Literal::Within(self.term(left, kind), self.term(right, kind))
            }
            draft::Literal::Compare(comparison, left, right) => {
                let kind = self.common(left, right);
                Literal::Compare(*comparison, self.term(left, kind), self.term(right, kind))
            }
            draft::Literal::Relation(relation, kinds, terms) => Literal::Relation(
                *relation,
                terms.iter().zip(*kinds).map(|(term, &kind)| self.term(term, kind)).collect(),
            ),
            draft::Literal::Call(helper, terms) => {
                Literal::Call(PredicateId(*helper as u16), self.arguments_of(*helper, terms))
            }
            draft::Literal::Traced(fact, terms, goal, others) => Literal::Traced(
                PredicateId(*fact as u16),
                self.arguments_of(*fact, terms),
                PredicateId(*goal as u16),
                self.arguments_of(*goal, others),
            ),
            draft::Literal::Not(goal) => Literal::Not(Box::new(self.literal(&goal.literal))),
            draft::Literal::Forall(generator, body) => self.forall(generator, body),
            draft::Literal::Exists(generator) => Literal::Exists(self.generator(generator)),
            draft::Literal::Collect(set, member, generator) => {
                let Shape::Variable(set) = set.shape else {
                    unreachable!("a collected set is a variable")
                };
                let (set, member) = (Var(set as u16), Var(*member as u16));
                Literal::Collect(set, member, self.generator(generator))
            }
            draft::Literal::Suppose(hypotheses, below, goal) => {
                let head = |head| self.head(head, draft::Owner::Goal);
                Literal::Suppose(Box::new(Supposition {
                    hypotheses: hypotheses.iter().map(head).collect(),
                    below: self.term(below, Kind::Number),
                    goal: head(goal),
                }))
            }
            draft::Literal::Unknown(_) => Literal::Compare(
                crate::language::clause::Comparison::Equal,
                Term::Number(0),
                Term::Number(0),
            ),
        }
    }

    fn arguments_of(&self, helper: usize, terms: &[draft::Term]) -> Vec<Term> {
        let kinds = &self.arguments[helper];
        terms.iter().zip(kinds).map(|(term, &kind)| self.term(term, kind)).collect()
    }

    fn generator(&self, generator: &draft::Generator) -> Generator {
        let locals = generator.locals.iter();
        Generator {
            locals: locals.map(|&v| (Var(v as u16), self.variables[v])).collect(),
            conditions: generator.goals.iter().map(|goal| self.literal(&goal.literal)).collect(),
        }
    }

    /// Through the members of a set as it is; else there is no way without the body.
    fn forall(&self, generator: &draft::Generator, body: &draft::Generator) -> Literal {
        let mut ways = self.generator(generator);
        let all = self.generator(body);
        let mut conditions = match all.locals.is_empty() {
            true => all.conditions,
            false => vec![Literal::Exists(all)],
        };
        if let ([(own, _)], [Literal::In(Term::Var(member), set)]) =
            (&ways.locals[..], &ways.conditions[..])
            && own == member
            && !set.mentions(*own)
        {
            return Literal::Forall(*own, set.clone(), conditions);
        }
        let body = match conditions.len() {
            1 => conditions.remove(0),
            _ => Literal::Exists(Generator { locals: Vec::new(), conditions }),
        };
        ways.conditions.push(Literal::Not(Box::new(body)));
        Literal::Not(Box::new(Literal::Exists(ways)))
    }

    /// The kind a term has before any conversion. A lone number counts as a number.
    fn natural(&self, term: &draft::Term) -> Kind {
        match &term.shape {
            Shape::Variable(v) => self.variables[*v],
            Shape::Cell(..) => Kind::Cell,
            Shape::Number(_) | Shape::Parameter | Shape::Size(_) | Shape::Unknown => Kind::Number,
            Shape::Constant(constant) => match constant {
                crate::language::clause::ConstantSet::Digits => Kind::Digits,
                crate::language::clause::ConstantSet::Unsolved => Kind::Cells,
                _ => Kind::Houses,
            },
            Shape::Function(function, _, _) => masks::result(*function),
            Shape::Set(members) => self.member_kind(members).set().unwrap_or(Kind::Cells),
            Shape::Binary(sign, left, right) => {
                let (a, b) = (self.natural(left), self.natural(right));
                let number = a == Kind::Number && b == Kind::Number;
                match sign {
                    Sign::Minus | Sign::Times => Kind::Number,
                    Sign::Plus if number => Kind::Number,
                    _ => self.common_set(left, right),
                }
            }
        }
    }

    fn member_kind(&self, members: &[draft::Term]) -> Kind {
        let kinds = members.iter().map(|member| self.natural(member));
        // A number among set members is a digit.
        kinds.map(|k| if k == Kind::Number { Kind::Digit } else { k }).next().unwrap_or(Kind::Cell)
    }

    fn as_set(&self, kind: Kind) -> Kind {
        match kind {
            Kind::Cell | Kind::House | Kind::Cells => Kind::Cells,
            Kind::Digit | Kind::Digits | Kind::Number => Kind::Digits,
            Kind::Houses => Kind::Houses,
        }
    }

    /// The kind of set that both sides become.
    fn common_set(&self, left: &draft::Term, right: &draft::Term) -> Kind {
        let (a, b) = (self.natural(left), self.natural(right));
        if is_empty(left) {
            return self.as_set(b);
        }
        if is_empty(right) {
            return self.as_set(a);
        }
        match (a, b) {
            (Kind::Houses, Kind::House | Kind::Houses) | (Kind::House, Kind::Houses) => {
                Kind::Houses
            }
            (Kind::Digits | Kind::Digit | Kind::Number, _) => Kind::Digits,
            _ => Kind::Cells,
        }
    }

    /// The kind that both sides of a comparison become.
    fn common(&self, left: &draft::Term, right: &draft::Term) -> Kind {
        let (a, b) = (self.natural(left), self.natural(right));
        match (a, b) {
            _ if a == b => a,
            (Kind::Number, Kind::Digit) | (Kind::Digit, Kind::Number) => Kind::Digit,
            _ => self.common_set(left, right),
        }
    }

    /// The term, made into the kind that is wanted.
    fn term(&self, term: &draft::Term, wanted: Kind) -> Term {
        let found = match &term.shape {
            Shape::Number(number) if wanted != Kind::Number => {
                let digit = Term::Digit(Digit::new((*number).clamp(1, 25) as usize));
                return if wanted == Kind::Digits { Term::Lone(Box::new(digit)) } else { digit };
            }
            _ if is_empty(term) => {
                return Term::Set(wanted.member().unwrap_or(Kind::Cell), Vec::new());
            }
            // `1 + 3` where digits are wanted is the set of the two.
            Shape::Binary(Sign::Plus, ..) if wanted == Kind::Digits => Kind::Digits,
            _ => self.natural(term),
        };
        let plain = self.plain(term, found);
        match (found, wanted) {
            _ if found == wanted => plain,
            (Kind::House, Kind::Cells) => Term::CellsOf(Box::new(plain)),
            (Kind::Houses, Kind::Cells) => Term::Call(Function::Cells, vec![plain]),
            (Kind::Cell | Kind::Digit | Kind::House, _) => Term::Lone(Box::new(plain)),
            _ => plain,
        }
    }

    /// The term as the kind it has by itself.
    fn plain(&self, term: &draft::Term, kind: Kind) -> Term {
        match &term.shape {
            Shape::Variable(v) => Term::Var(Var(*v as u16)),
            Shape::Cell(row, column) => Term::Cell { row: *row, column: *column },
            Shape::Number(number) => Term::Number(*number),
            Shape::Parameter => Term::Parameter,
            Shape::Unknown => Term::Number(0),
            Shape::Constant(constant) => Term::Constant(*constant),
            Shape::Size(set) => {
                let kind = self.as_set(self.natural(set));
                Term::Size(Box::new(self.term(set, kind)))
            }
            Shape::Function(function, kinds, terms) => Term::Call(
                *function,
                terms.iter().zip(*kinds).map(|(term, &kind)| self.term(term, kind)).collect(),
            ),
            Shape::Set(members) => {
                let member = self.member_kind(members);
                Term::Set(member, members.iter().map(|m| self.term(m, member)).collect())
            }
            Shape::Binary(sign, left, right) => {
                let (a, b) = (Box::new(self.term(left, kind)), Box::new(self.term(right, kind)));
                match (sign, kind) {
                    (Sign::Plus, Kind::Number) => Term::Arithmetic(Arithmetic::Add, a, b),
                    (Sign::Minus, _) => Term::Arithmetic(Arithmetic::Subtract, a, b),
                    (Sign::Times, _) => Term::Arithmetic(Arithmetic::Multiply, a, b),
                    (Sign::Plus, _) => Term::Operation(SetOperation::Union, a, b),
                    (Sign::And, _) => Term::Operation(SetOperation::Intersection, a, b),
                    (Sign::Without, _) => Term::Operation(SetOperation::Difference, a, b),
                }
            }
        }
    }
}

/// Whether this is `{}`, or made of nothing else: then it has no kind of its own.
fn is_empty(term: &draft::Term) -> bool {
    match &term.shape {
        Shape::Set(members) => members.is_empty(),
        Shape::Binary(Sign::Plus | Sign::And | Sign::Without, left, right) => {
            is_empty(left) && is_empty(right)
        }
        _ => false,
    }
}

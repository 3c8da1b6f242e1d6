//! Conditions and the terms in them.

use pest::iterators::Pair;

use super::{Production, Reader, inner};
use crate::language::ast::*;
use crate::language::comparison::Comparison;
use crate::language::diagnostic::Span;
use crate::language::{limits, syntax};

impl Reader<'_> {
    pub(super) fn body(&mut self, pair: Pair<Production>) -> Vec<Condition> {
        let conditions = pair.into_inner().filter(|part| part.as_rule() != Production::comma);
        conditions.filter_map(|part| self.condition(part)).collect()
    }

    pub(super) fn condition(&mut self, pair: Pair<Production>) -> Option<Condition> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Production::negation => {
                let denied = inner(pair, Production::comparison).next()?;
                ConditionKind::Not(Box::new(self.condition(denied)?))
            }
            Production::forall => {
                let (generator, body) = self.quantified(pair);
                ConditionKind::Forall(generator, body)
            }
            Production::exists => {
                let (generator, body) = self.quantified(pair);
                ConditionKind::Exists(generator, body)
            }
            Production::suppose => ConditionKind::Suppose(Box::new(self.supposition(pair)?)),
            _ => self.comparison(pair, span)?,
        };
        Some(Condition { kind, span })
    }

    /// What stands before the colon of `forall` or `exists`, and what after it.
    fn quantified(&mut self, pair: Pair<Production>) -> (Vec<Condition>, Vec<Condition>) {
        let (mut generator, mut body) = (Vec::new(), Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Production::generator => generator = self.body(part),
                Production::body => body = self.body(part),
                _ => {}
            }
        }
        (generator, body)
    }

    fn supposition(&mut self, pair: Pair<Production>) -> Option<Supposition> {
        let (mut atoms, mut below) = (Vec::new(), None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Production::atom => atoms.push(self.atom(part)),
                Production::expression => below = Some(self.expression(part)),
                _ => {}
            }
        }
        let goal = atoms.pop()?;
        Some(Supposition { hypotheses: atoms, below: below?, goal })
    }

    fn comparison(&mut self, pair: Pair<Production>, span: Span) -> Option<ConditionKind> {
        let mut parts = pair.into_inner();
        let left = self.expression(parts.next()?);
        let operator = parts.next();
        if let Some(traced) = operator.as_ref().filter(|pair| pair.as_rule() == Production::traced)
        {
            let goal =
                inner(traced.clone(), Production::atom).next().map(|atom| self.atom(atom))?;
            return match left.kind {
                ExpressionKind::Atom(fact) => Some(ConditionKind::Traced(fact, goal)),
                ExpressionKind::Broken => None,
                _ => {
                    self.diagnostics.push(syntax::no_fact(left.span));
                    None
                }
            };
        }
        let (Some(operator), Some(right)) = (operator, parts.next()) else {
            return match left.kind {
                ExpressionKind::Atom(atom) => Some(ConditionKind::Atom(atom)),
                ExpressionKind::Broken => None,
                _ => {
                    self.diagnostics.push(syntax::no_condition(span, self.text));
                    None
                }
            };
        };
        let operator = match operator.into_inner().next()?.as_rule() {
            Production::kw_in => Operator::In,
            Production::kw_within => Operator::Within,
            Production::equal => Operator::Compare(Comparison::Equal),
            Production::unequal => Operator::Compare(Comparison::Unequal),
            Production::less => Operator::Compare(Comparison::Less),
            Production::at_most => Operator::Compare(Comparison::AtMost),
            Production::greater => Operator::Compare(Comparison::Greater),
            _ => Operator::Compare(Comparison::AtLeast),
        };
        Some(ConditionKind::Binary(operator, left, self.expression(right)))
    }

    pub(super) fn atom(&mut self, pair: Pair<Production>) -> Atom {
        let span = self.span(&pair);
        let mut name = Word { text: String::new(), span };
        let mut arguments = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Production::arguments => {
                    arguments =
                        inner(part, Production::argument).map(|a| self.argument(a)).collect()
                }
                _ => name = self.word(&part),
            }
        }
        Atom { name, arguments, span }
    }

    /// An expression, or a range of two.
    fn argument(&mut self, pair: Pair<Production>) -> Expression {
        let span = self.span(&pair);
        let mut ends = inner(pair, Production::expression).map(|e| self.expression(e));
        match (ends.next(), ends.next()) {
            (Some(from), Some(to)) => {
                Expression { kind: ExpressionKind::Range(Box::new(from), Box::new(to)), span }
            }
            (Some(one), None) => one,
            _ => Expression { kind: ExpressionKind::Broken, span },
        }
    }

    /// An expression or a product: terms with signs between, grouped from the left.
    pub(super) fn expression(&mut self, pair: Pair<Production>) -> Expression {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let mut left = match parts.next() {
            Some(first) => self.term(first),
            None => return Expression { kind: ExpressionKind::Broken, span },
        };
        let mut length = 1;
        while let (Some(sign), Some(right)) = (parts.next(), parts.next()) {
            length += 1;
            if length > limits::OPERATORS {
                self.diagnostics.push(limits::too_many_operators(span));
                return Expression { kind: ExpressionKind::Broken, span };
            }
            let sign = match sign.as_rule() {
                Production::plus => Sign::Plus,
                Production::minus => Sign::Minus,
                Production::without => Sign::Without,
                Production::and => Sign::And,
                _ => Sign::Times,
            };
            let right = self.term(right);
            let span = Span { end: right.span.end, ..left.span };
            let kind = ExpressionKind::Binary(sign, Box::new(left), Box::new(right));
            left = Expression { kind, span };
        }
        left
    }

    fn term(&mut self, pair: Pair<Production>) -> Expression {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Production::product => return self.expression(pair),
            Production::group => {
                let expression = inner(pair, Production::expression).next();
                let expression = expression.map(|e| self.expression(e));
                return Expression {
                    kind: expression.map_or(ExpressionKind::Broken, |e| e.kind),
                    span,
                };
            }
            Production::size => match inner(pair, Production::expression).next() {
                Some(set) => ExpressionKind::Size(Box::new(self.expression(set))),
                None => ExpressionKind::Broken,
            },
            Production::set => match inner(pair.clone(), Production::collected).next() {
                Some(collected) => self.collected(collected),
                None => ExpressionKind::Set(
                    inner(pair, Production::expression).map(|e| self.expression(e)).collect(),
                ),
            },
            Production::number => match pair.as_str().parse::<i64>() {
                Ok(number) if number <= limits::NUMBER => ExpressionKind::Number(number),
                _ => {
                    self.diagnostics.push(limits::too_large_number(span));
                    ExpressionKind::Broken
                }
            },
            Production::cell => match cell(pair.as_str()) {
                Some((row, column)) => ExpressionKind::Cell(row, column),
                None => {
                    self.diagnostics.push(syntax::no_cell(span, pair.as_str()));
                    ExpressionKind::Broken
                }
            },
            Production::variable => ExpressionKind::Variable(pair.as_str().to_string()),
            _ => ExpressionKind::Atom(self.atom(pair)),
        };
        Expression { kind, span }
    }

    /// `X in S : …` or `X : …`, the inside of a set.
    fn collected(&mut self, pair: Pair<Production>) -> ExpressionKind {
        let (mut member, mut conditions) = (None, Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Production::variable => member = Some(self.word(&part)),
                Production::expression => {
                    let set = self.expression(part);
                    let Some(member) = &member else { continue };
                    let variable = ExpressionKind::Variable(member.text.clone());
                    let span = Span { end: set.span.end, ..member.span };
                    let variable = Expression { kind: variable, span: member.span };
                    let kind = ConditionKind::Binary(Operator::In, variable, set);
                    conditions.push(Condition { kind, span });
                }
                Production::generator => conditions.extend(self.body(part)),
                _ => {}
            }
        }
        member.map_or(ExpressionKind::Broken, |m| ExpressionKind::Collected(m, conditions))
    }
}

/// `r2c4` as row and column from 0.
fn cell(text: &str) -> Option<(u8, u8)> {
    let (row, column) = text.strip_prefix('r')?.split_once('c')?;
    let number = |text: &str| text.parse::<u8>().ok().filter(|n| (1..=25).contains(n));
    Some((number(row)? - 1, number(column)? - 1))
}

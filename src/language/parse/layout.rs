//! The part of the reader that reads layouts.

use pest::iterators::Pair;

use super::{Production, Reader, inner, is_brace};
use crate::language::ast::{LayoutBlock, LayoutMember, Word};

impl Reader<'_> {
    pub(super) fn layout_block(&mut self, pair: Pair<Production>) -> LayoutBlock {
        let start = pair.as_span().start();
        let mut layout = LayoutBlock {
            name: Word { text: String::new(), span: self.at(start, start + "layout".len()) },
            number: None,
            title: None,
            members: Vec::new(),
            broken: false,
        };
        let before = self.diagnostics.len();
        for part in pair.into_inner() {
            match part.as_rule() {
                Production::layout_header => {
                    layout.number = number(&part);
                    layout.title = strings(&part).next().map(|text| self.string(&text));
                    let name = inner(part, Production::name).next();
                    layout.name = name.map_or(layout.name, |name| self.word(&name));
                }
                Production::broken_header => {
                    self.broken_header(&part, start, Production::layout_header_only);
                }
                brace if is_brace(brace) => self.missing_brace(&part, &layout.name),
                Production::broken_layout_member => {
                    self.broken(&part, Production::layout_member_only)
                }
                _ => layout.members.extend(self.layout_member(part)),
            }
        }
        layout.broken = self.diagnostics.len() > before;
        layout
    }

    fn layout_member(&mut self, pair: Pair<Production>) -> Option<LayoutMember> {
        let span = self.span(&pair);
        let mut numbers = inner(pair.clone(), Production::number);
        let mut next_number = || value(&numbers.next()?);
        Some(match pair.as_rule() {
            Production::clause => LayoutMember::Clause(self.clause(pair)),
            Production::extends => {
                let number = number(&pair);
                let name = inner(pair, Production::name).next()?;
                LayoutMember::Extends(self.word(&name), number)
            }
            Production::layout_size => LayoutMember::Size(next_number()?, span),
            Production::boxes => LayoutMember::Boxes(next_number()?, next_number()?, span),
            Production::picture => {
                let rows = strings(&pair).map(|row| self.string(&row)).collect();
                let name = inner(pair, Production::name).next().map(|name| self.word(&name));
                LayoutMember::Picture { name, rows, span }
            }
            Production::house => {
                let is_full = inner(pair.clone(), Production::word_house).next().is_some();
                let title = strings(&pair).next().map(|text| self.string(&text));
                let name = inner(pair.clone(), Production::name).next()?;
                let set = inner(pair.clone(), Production::expression).next()?;
                LayoutMember::House {
                    is_full,
                    name: self.word(&name),
                    number: number(&pair),
                    title,
                    set: self.expression(set),
                    span,
                }
            }
            _ => return None,
        })
    }
}

fn strings<'i>(pair: &Pair<'i, Production>) -> impl Iterator<Item = Pair<'i, Production>> {
    pair.clone().into_inner().filter(|part| part.as_rule() == Production::string)
}

/// The number after a name; one that is too large is as good as another.
fn number(pair: &Pair<Production>) -> Option<i64> {
    let ordinal = pair.clone().into_inner().find(|part| part.as_rule() == Production::ordinal)?;
    let number = ordinal.into_inner().find(|part| part.as_rule() == Production::number)?;
    value(&number)
}

fn value(pair: &Pair<Production>) -> Option<i64> {
    Some(pair.as_str().parse().unwrap_or(i64::MAX))
}

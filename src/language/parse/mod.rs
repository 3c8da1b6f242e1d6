//! From text to [`ast`](super::ast): pest reads, broken parts are reported and skipped.

mod again;
mod condition;
mod layout;

use pest::Parser;
use pest::iterators::Pair;

use super::ast::*;
use super::diagnostic::{Diagnostic, Source, Span};
use super::limits;
use super::syntax;

mod generated {
    #![allow(missing_docs)]
    /// The parser that pest makes from the grammar.
    #[derive(pest_derive::Parser)]
    #[grammar = "../grammar/rules.pest"]
    pub(crate) struct Grammar;
}
pub(super) use again::again;
pub(super) use generated::{Grammar, Rule as Production};

/// Reads one file. What is broken is reported and left out; the rest is read.
pub(crate) fn file(source: &Source, number: u16, diagnostics: &mut Vec<Diagnostic>) -> File {
    if let Err(diagnostic) = limits::check(&source.text, number) {
        diagnostics.push(diagnostic);
        return File::default();
    }
    let mut reader = Reader { text: &source.text, number, diagnostics };
    match Grammar::parse(Production::file, &source.text) {
        Ok(pairs) => reader.file(pairs.flat_map(Pair::into_inner)),
        Err(error) => {
            reader.syntax(&error, 0, source.text.len());
            File::default()
        }
    }
}

/// Reads a goal, such as `bivalue(C, X, Y), C in boxes`.
pub(super) fn goal(
    source: &Source,
    number: u16,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Condition> {
    if let Err(diagnostic) = limits::check(&source.text, number) {
        diagnostics.push(diagnostic);
        return Vec::new();
    }
    let mut reader = Reader { text: &source.text, number, diagnostics };
    match Grammar::parse(Production::goal, &source.text) {
        Ok(mut pairs) => {
            let goal = pairs.next().expect("a goal is one pair");
            let body = inner(goal, Production::body).next().expect("a goal has a body");
            reader.body(body)
        }
        Err(error) => {
            reader.syntax(&error, 0, source.text.len());
            Vec::new()
        }
    }
}

/// The parts of a pair that are of one production.
fn inner(pair: Pair<Production>, wanted: Production) -> impl Iterator<Item = Pair<Production>> {
    pair.into_inner().filter(move |part| part.as_rule() == wanted)
}

fn is_brace(part: Production) -> bool {
    matches!(part, Production::missing_open_brace | Production::missing_close_brace)
}

struct Reader<'a> {
    text: &'a str,
    number: u16,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn at(&self, start: usize, end: usize) -> Span {
        Span { source: self.number, start: start as u32, end: end as u32 }
    }

    fn span(&self, pair: &Pair<Production>) -> Span {
        let span = pair.as_span();
        let end = span.start() + span.as_str().trim_end().len();
        self.at(span.start(), end)
    }

    fn word(&self, pair: &Pair<Production>) -> Word {
        Word { text: pair.as_str().to_string(), span: self.span(pair) }
    }

    /// A string without its quotes; its span too.
    fn string(&self, pair: &Pair<Production>) -> Word {
        let span = pair.as_span();
        Word {
            text: pair.as_str().trim_matches('"').to_string(),
            span: self.at(span.start() + 1, span.end() - 1),
        }
    }

    fn syntax(&mut self, error: &pest::error::Error<Production>, start: usize, end: usize) {
        self.diagnostics.push(syntax::message(error, self.text, self.number, start, end));
    }

    /// Reads a broken part once more, alone, to say where it breaks.
    fn broken(&mut self, pair: &Pair<Production>, whole: Production) {
        let (start, end) = (pair.as_span().start(), pair.as_span().end());
        if let Err(error) = Grammar::parse(whole, &self.text[start..end]) {
            self.syntax(&error, start, end);
        } else {
            self.diagnostics.push(syntax::stray(self.text, self.number, start));
        }
    }

    /// Says where a header breaks that begins at `start`, or that the brace behind it is missing.
    fn broken_header(&mut self, pair: &Pair<Production>, start: usize, whole: Production) {
        let end = (pair.as_span().end() + 1).min(self.text.len());
        match Grammar::parse(whole, &self.text[start..end]) {
            Err(error) => self.syntax(&error, start, end),
            Ok(_) => self.missing(pair, "{"),
        }
    }

    /// Reports a brace that is not there, unless the block has no name either.
    fn missing_brace(&mut self, pair: &Pair<Production>, name: &Word) {
        match pair.as_rule() {
            Production::missing_close_brace => self.missing(pair, "}"),
            _ if name.text.is_empty() => {}
            _ => self.missing(pair, "{"),
        }
    }

    fn missing(&mut self, pair: &Pair<Production>, mark: &str) {
        let position = pair.as_span().start();
        self.diagnostics.push(syntax::missing(self.text, self.number, position, mark));
    }

    fn file<'i>(&mut self, pairs: impl Iterator<Item = Pair<'i, Production>>) -> File {
        let mut file = File::default();
        for pair in pairs {
            let (start, before) = (pair.as_span().start(), self.diagnostics.len());
            let sort = match pair.as_rule() {
                Production::rule_block => {
                    file.rules.push(self.rule_block(pair));
                    PieceSort::Rule
                }
                Production::layout_block => {
                    file.layouts.push(self.layout_block(pair));
                    PieceSort::Layout
                }
                Production::clause => {
                    file.clauses.push(self.clause(pair));
                    PieceSort::Clause
                }
                Production::broken_clause => {
                    self.broken(&pair, Production::clause_only);
                    PieceSort::Broken
                }
                _ => continue,
            };
            let mistakes = self.diagnostics[before..].to_vec();
            file.pieces.push(Piece { sort, start, mistakes });
        }
        file
    }

    fn rule_block(&mut self, pair: Pair<Production>) -> RuleBlock {
        let start = pair.as_span().start();
        let mut rule = RuleBlock {
            name: Word { text: String::new(), span: self.at(start, start + "rule".len()) },
            parameter: None,
            titles: Vec::new(),
            levels: Vec::new(),
            assumes: Vec::new(),
            tags: Vec::new(),
            scores: Vec::new(),
            clauses: Vec::new(),
            explains: Vec::new(),
            examples: Vec::new(),
            drawings: Vec::new(),
            comment: comment_above(self.text, start),
            span: self.span(&pair),
            broken: false,
        };
        let before = self.diagnostics.len();
        for part in pair.into_inner() {
            if part.as_rule() != Production::clause {
                self.no_stop(&part);
            }
            match part.as_rule() {
                Production::header => self.header(part, &mut rule),
                Production::broken_header => {
                    self.broken_header(&part, start, Production::header_only);
                }
                brace if is_brace(brace) => self.missing_brace(&part, &rule.name),
                Production::level => {
                    let level = inner(part, Production::expression).next();
                    rule.levels.extend(level.map(|e| self.expression(e)));
                }
                Production::assumes => {
                    rule.assumes.extend(inner(part, Production::name).map(|n| self.word(&n)))
                }
                Production::tags => {
                    rule.tags.extend(inner(part, Production::name).map(|n| self.word(&n)))
                }
                Production::scores => {
                    rule.scores.extend(inner(part, Production::string).map(|s| self.string(&s)))
                }
                Production::title => {
                    let mut parts = part.into_inner().skip(1);
                    if let (Some(language), Some(text)) = (parts.next(), parts.next()) {
                        rule.titles.push((Some(self.word(&language)), self.string(&text)));
                    }
                }
                Production::explain => rule.explains.push(self.explain(part)),
                Production::example => rule.examples.push(self.example(part)),
                Production::mark | Production::link => rule.drawings.push(self.drawing(part)),
                Production::clause => rule.clauses.push(self.clause(part)),
                Production::broken_member => self.broken(&part, Production::member_only),
                _ => {}
            }
        }
        rule.broken = self.diagnostics.len() > before;
        rule
    }

    /// Reports the full stop that a member or clause lacks.
    fn no_stop(&mut self, pair: &Pair<Production>) {
        let missing = pair.clone().into_inner().last();
        if let Some(part) = missing.filter(|part| part.as_rule() == Production::missing_stop) {
            self.missing(&part, ".");
        }
    }

    fn header(&mut self, pair: Pair<Production>, rule: &mut RuleBlock) {
        for part in pair.into_inner() {
            match part.as_rule() {
                Production::name => rule.name = self.word(&part),
                Production::parameter => {
                    let span = self.span(&part);
                    let mut numbers = inner(part.clone(), Production::number);
                    let mut number = || numbers.next().and_then(|n| n.as_str().parse().ok());
                    let (from, to) = (number().unwrap_or(i64::MAX), number().unwrap_or(i64::MAX));
                    let name = inner(part, Production::variable).next();
                    rule.parameter =
                        name.map(|name| Parameter { name: self.word(&name), from, to, span });
                }
                _ => rule.titles.push((None, self.string(&part))),
            }
        }
    }

    fn explain(&mut self, pair: Pair<Production>) -> Explain {
        let language = inner(pair.clone(), Production::name).next().map(|name| self.word(&name));
        let (text, trace) = self.text_and_atoms(pair);
        Explain { language, text, trace }
    }

    fn example(&mut self, pair: Pair<Production>) -> Example {
        let span = self.span(&pair);
        let (grid, gives) = self.text_and_atoms(pair);
        Example { grid, gives, span }
    }

    fn text_and_atoms(&mut self, pair: Pair<Production>) -> (Word, Vec<Atom>) {
        let nothing = Word { text: String::new(), span: self.span(&pair) };
        let text = inner(pair.clone(), Production::string).next();
        let atoms = inner(pair, Production::atom).map(|atom| self.atom(atom)).collect();
        (text.map_or(nothing, |text| self.string(&text)), atoms)
    }

    fn drawing(&mut self, pair: Pair<Production>) -> Drawing {
        let span = self.span(&pair);
        let mut drawing = Drawing { nodes: Vec::new(), name: None, each: None, span };
        for part in pair.into_inner() {
            match part.as_rule() {
                Production::node => {
                    let mut terms = inner(part, Production::expression);
                    let place = terms.next().expect("a node begins with a term");
                    let (place, digits) = (self.expression(place), terms.next());
                    let digits = digits.map(|digits| self.expression(digits));
                    drawing.nodes.push(Node { place, digits });
                }
                Production::name => drawing.name = Some(self.word(&part)),
                Production::generator => drawing.each = Some(self.body(part)),
                _ => {}
            }
        }
        drawing
    }

    fn clause(&mut self, pair: Pair<Production>) -> Clause {
        self.no_stop(&pair);
        let span = self.span(&pair);
        let comment = comment_above(self.text, pair.as_span().start());
        let (mut heads, mut body) = (Vec::new(), Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Production::heads => {
                    heads = inner(part, Production::head).map(|h| self.head(h)).collect()
                }
                Production::body => body = self.body(part),
                _ => {}
            }
        }
        Clause { heads, body, comment, span }
    }

    fn head(&mut self, pair: Pair<Production>) -> Head {
        let mut atom = None;
        let mut each = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Production::generator => each = Some(self.body(part)),
                Production::atom => atom = Some(self.atom(part)),
                _ => {}
            }
        }
        Head { atom: atom.expect("a head begins with its name"), each }
    }
}

/// The comment lines right above a position, without their `%`.
fn comment_above(text: &str, start: usize) -> String {
    let line_start = text[..start].rfind('\n').map_or(0, |end| end + 1);
    if !text[line_start..start].trim().is_empty() {
        return String::new();
    }
    let mut lines: Vec<&str> = text[..line_start]
        .lines()
        .rev()
        .map_while(|line| line.trim().strip_prefix('%'))
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
        .collect();
    lines.reverse();
    lines.join("\n")
}

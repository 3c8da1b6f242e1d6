//! Reading a file again after an edit: only the pieces around it are read, those before stay and
//! those behind are moved.
//!
//! A file is a row of pieces, and what a piece is depends on nothing but the text from where it
//! begins. So the pieces behind an edit are the same as soon as one begins where it did; those
//! before it are the same where the text that the parser has looked at is, and it never looks
//! further than the next full stop, however the brackets before that are broken.

use pest::Parser;

use super::{Grammar, Production, Reader, comment_above};
use crate::language::ast::{
    Atom, Clause, Condition, ConditionKind, Expression, ExpressionKind, File, LayoutMember, Piece,
    PieceSort, RuleBlock, Word,
};
use crate::language::diagnostic::{Diagnostic, Source, Span};
use crate::language::limits;

/// Pieces that are read one by one; where there are more, the file is read as a whole.
const MOST: usize = 32;

/// What becomes of a file when its text changes; nothing if it has to be read as a whole.
pub(crate) fn again(
    file: &mut File,
    old: &str,
    source: &Source,
    number: u16,
) -> Option<Vec<Diagnostic>> {
    let new = source.text.as_str();
    limits::check(new, number).ok()?;
    let same = |(a, b): &(u8, u8)| a == b;
    let before = old.bytes().zip(new.bytes()).take_while(same).count();
    let most = old.len().min(new.len()) - before;
    let behind = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(same).count();
    let delta = new.len() as i64 - old.len() as i64;
    let starts = |place: usize| file.pieces.get(place).map(|piece| piece.start);
    let sentence = last_sentence(&new.as_bytes()[..before]);
    let kept = (0..).take_while(|&i| starts(i + 1).is_some_and(|start| start < sentence)).count();
    let touched = file.pieces.partition_point(|piece| piece.start < old.len() - behind);
    let mut position = if kept == 0 { 0 } else { starts(kept)? };
    let mut middle = File::default();
    let mut rest = file.pieces.len();
    while let Some((mut piece, start, end)) = one(new, position, number) {
        let moved = |p: &Piece| p.start as i64 + delta == start as i64;
        if let Some(place) = file.pieces.iter().skip(touched).position(moved) {
            rest = touched + place;
            break;
        }
        if middle.pieces.len() == MOST {
            return None;
        }
        middle.append(&mut piece);
        position = end;
    }
    let first = kept + middle.pieces.len();
    file.splice(kept..rest, middle, delta);
    file.comment_again(first, new);
    Some(file.pieces.iter().flat_map(|piece| piece.mistakes.iter().cloned()).collect())
}

/// Where the last full stop that surely is one ends: at the end of a line without a comment, since
/// a text ends on its line.
fn last_sentence(text: &[u8]) -> usize {
    let mut end = text.len();
    while let Some(line_end) = text[..end].iter().rposition(|&byte| byte == b'\n') {
        let start = text[..line_end].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = text[start..line_end].trim_ascii_end();
        if line.ends_with(b".") && !line.ends_with(b"..") && !line.contains(&b'%') {
            return start + line.len();
        }
        end = line_end;
    }
    0
}

/// The piece that begins at a place, or after blanks and comments there: with where it begins and
/// ends.
fn one(text: &str, position: usize, number: u16) -> Option<(File, usize, usize)> {
    let slice = &text[position..];
    let mut pairs = Grammar::parse(Production::piece_only, slice).ok()?;
    let pair = pairs.next()?.into_inner().next()?;
    let (start, end) = (position + pair.as_span().start(), position + pair.as_span().end());
    let mut diagnostics = Vec::new();
    let mut file =
        Reader { text: slice, number, diagnostics: &mut diagnostics }.file(std::iter::once(pair));
    file.splice(0..0, File::default(), position as i64);
    file.rules.iter_mut().for_each(|rule| rule.comment = comment_above(text, start));
    file.clauses.iter_mut().for_each(|clause| clause.comment = comment_above(text, start));
    Some((file, start, end))
}

impl File {
    fn append(&mut self, other: &mut File) {
        self.pieces.append(&mut other.pieces);
        self.rules.append(&mut other.rules);
        self.layouts.append(&mut other.layouts);
        self.clauses.append(&mut other.clauses);
    }

    /// Reads the comment above a piece again: what was between it and the piece before may be gone.
    fn comment_again(&mut self, place: usize, text: &str) {
        let Some(piece) = self.pieces.get(place) else { return };
        let before = self.pieces[..place].iter().filter(|p| p.sort == piece.sort).count();
        let comment = comment_above(text, piece.start);
        match piece.sort {
            PieceSort::Rule => self.rules[before].comment = comment,
            PieceSort::Clause => self.clauses[before].comment = comment,
            _ => {}
        }
    }

    /// Puts other pieces in the place of these, and moves those behind.
    fn splice(&mut self, pieces: std::ops::Range<usize>, other: File, delta: i64) {
        let count = |pieces: &[Piece], sort| pieces.iter().filter(|p| p.sort == sort).count();
        let range = |sort| {
            let start = count(&self.pieces[..pieces.start], sort);
            start..start + count(&self.pieces[pieces.clone()], sort)
        };
        let (rules, layouts, clauses) =
            (range(PieceSort::Rule), range(PieceSort::Layout), range(PieceSort::Clause));
        let shift = Shift(delta);
        self.pieces[pieces.end..].iter_mut().for_each(|piece| shift.piece(piece));
        self.rules[rules.end..].iter_mut().for_each(|rule| shift.rule(rule));
        for layout in &mut self.layouts[layouts.end..] {
            shift.words([&mut layout.name]);
            shift.words(&mut layout.title);
            layout.members.iter_mut().for_each(|member| shift.member(member));
        }
        self.clauses[clauses.end..].iter_mut().for_each(|clause| shift.clause(clause));
        self.pieces.splice(pieces, other.pieces);
        self.rules.splice(rules, other.rules);
        self.layouts.splice(layouts, other.layouts);
        self.clauses.splice(clauses, other.clauses);
    }
}

/// Moves everything that was read by some bytes.
struct Shift(i64);

impl Shift {
    fn span(&self, span: &mut Span) {
        span.start = (i64::from(span.start) + self.0) as u32;
        span.end = (i64::from(span.end) + self.0) as u32;
    }

    fn words<'a>(&self, words: impl IntoIterator<Item = &'a mut Word>) {
        words.into_iter().for_each(|word| self.span(&mut word.span));
    }

    fn piece(&self, piece: &mut Piece) {
        piece.start = (piece.start as i64 + self.0) as usize;
        for mistake in &mut piece.mistakes {
            self.span(&mut mistake.span);
            if let Some(remedy) = &mut mistake.remedy {
                self.span(&mut remedy.0);
            }
        }
    }

    fn rule(&self, rule: &mut RuleBlock) {
        self.span(&mut rule.span);
        self.words([&mut rule.name]);
        if let Some(parameter) = &mut rule.parameter {
            self.span(&mut parameter.span);
            self.words([&mut parameter.name]);
        }
        for (language, title) in &mut rule.titles {
            self.words(language);
            self.words([title]);
        }
        rule.levels.iter_mut().for_each(|level| self.expression(level));
        self.words(rule.assumes.iter_mut().chain(&mut rule.tags).chain(&mut rule.scores));
        rule.clauses.iter_mut().for_each(|clause| self.clause(clause));
        for explain in &mut rule.explains {
            self.words(&mut explain.language);
            self.words([&mut explain.text]);
            explain.trace.iter_mut().for_each(|atom| self.atom(atom));
        }
        for example in &mut rule.examples {
            self.span(&mut example.span);
            self.words([&mut example.grid]);
            example.gives.iter_mut().for_each(|atom| self.atom(atom));
        }
        for drawing in &mut rule.drawings {
            self.span(&mut drawing.span);
            self.words(&mut drawing.name);
            for node in &mut drawing.nodes {
                self.expression(&mut node.place);
                node.digits.iter_mut().for_each(|digits| self.expression(digits));
            }
            self.conditions(drawing.each.iter_mut().flatten());
        }
    }

    fn member(&self, member: &mut LayoutMember) {
        match member {
            LayoutMember::Extends(name, _) => self.words([name]),
            LayoutMember::Size(_, span) | LayoutMember::Boxes(_, _, span) => self.span(span),
            LayoutMember::Picture { name, rows, span } => {
                self.words(name.iter_mut().chain(rows));
                self.span(span);
            }
            LayoutMember::House { name, title, set, span, .. } => {
                self.words([name].into_iter().chain(title));
                self.expression(set);
                self.span(span);
            }
            LayoutMember::Clause(clause) => self.clause(clause),
        }
    }

    fn clause(&self, clause: &mut Clause) {
        self.span(&mut clause.span);
        for head in &mut clause.heads {
            self.atom(&mut head.atom);
            self.conditions(head.each.iter_mut().flatten());
        }
        self.conditions(&mut clause.body);
    }

    fn conditions<'a>(&self, conditions: impl IntoIterator<Item = &'a mut Condition>) {
        conditions.into_iter().for_each(|condition| self.condition(condition));
    }

    fn condition(&self, condition: &mut Condition) {
        self.span(&mut condition.span);
        match &mut condition.kind {
            ConditionKind::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ConditionKind::Atom(atom) => self.atom(atom),
            ConditionKind::Traced(fact, goal) => {
                self.atom(fact);
                self.atom(goal);
            }
            ConditionKind::Not(denied) => self.condition(denied),
            ConditionKind::Forall(generator, body) | ConditionKind::Exists(generator, body) => {
                self.conditions(generator.iter_mut().chain(body));
            }
            ConditionKind::Suppose(supposition) => {
                supposition.hypotheses.iter_mut().for_each(|atom| self.atom(atom));
                self.expression(&mut supposition.below);
                self.atom(&mut supposition.goal);
            }
        }
    }

    fn atom(&self, atom: &mut Atom) {
        self.span(&mut atom.span);
        self.words([&mut atom.name]);
        atom.arguments.iter_mut().for_each(|argument| self.expression(argument));
    }

    fn expression(&self, expression: &mut Expression) {
        self.span(&mut expression.span);
        match &mut expression.kind {
            ExpressionKind::Atom(atom) => self.atom(atom),
            ExpressionKind::Set(members) => {
                members.iter_mut().for_each(|member| self.expression(member));
            }
            ExpressionKind::Collected(member, conditions) => {
                self.words([member]);
                self.conditions(conditions);
            }
            ExpressionKind::Size(inner) => self.expression(inner),
            ExpressionKind::Binary(_, left, right) | ExpressionKind::Range(left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Variable(_)
            | ExpressionKind::Cell(..)
            | ExpressionKind::Number(_)
            | ExpressionKind::Broken => {}
        }
    }
}

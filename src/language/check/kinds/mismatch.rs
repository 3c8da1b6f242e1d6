//! The messages about kinds that do not fit. Each is given once.

use super::super::draft::{Shape, Term};
use super::super::masks::{ALL, Mask, NUMBER, SCALARS, clear, words};
use super::Inference;
use crate::language::diagnostic::{Diagnostic, Span};

impl Inference<'_> {
    /// Reports `<` and the like on a set.
    pub(super) fn no_order(&mut self, set: &Term, span: Span) {
        self.broken[self.current] = true;
        if self.reported.insert(span) {
            let text = self.texts.line_of(set.span);
            let message = format!("`{text}` is {}, and sets have no order", words(self.mask(set)));
            self.diagnostics.push(
                Diagnostic::error("E020", set.span, message)
                    .help(format!("compare its size, `|{text}|`, or use `within`")),
            );
        }
    }

    /// Reports the first argument of a call that does not fit.
    pub(super) fn wrong_argument(
        &mut self,
        helper: usize,
        argument: usize,
        term: &Term,
        span: Span,
    ) {
        self.broken[self.current] = true;
        if !self.reported.insert(span) {
            return;
        }
        let (text, name) = (self.texts.line_of(term.span), &self.signatures[helper].name);
        let (mine, wanted) = (self.mask(term), self.arguments[helper][argument].mask);
        let message =
            format!("`{text}` is {}, but `{name}` wants {} here", words(mine), words(wanted));
        let kinds: Vec<String> = self.arguments[helper].iter().map(|s| words(s.mask)).collect();
        self.diagnostics.push(
            Diagnostic::error("E020", term.span, message)
                .label(format!("{} is wanted here", words(wanted)))
                .help(format!("the arguments of `{name}` are {}", kinds.join(", "))),
        );
    }

    /// Reports that a term is not what is wanted, once.
    pub(super) fn clash(&mut self, term: &Term, wanted: Mask, wanted_because: Option<Span>) {
        let mine = self.mask(term);
        let text = self.texts.line_of(term.span);
        self.broken[self.current] = true;
        let mut message =
            format!("`{text}` is {}, but {} is wanted here", words(mine), words(wanted));
        let mut help = None;
        if mine == 0 || mine == ALL {
            message = format!("the kinds in `{text}` do not fit together");
        }
        if let Shape::Variable(v) = term.shape {
            let slot = &mut self.variables[self.current][v];
            if std::mem::replace(&mut slot.poisoned, true) {
                return;
            }
            slot.mask = ALL;
            let mine = if clear(mine) { slot.hints.choose(mine) } else { mine };
            help = slot.because.filter(|b| *b != term.span).map(|because| {
                let (line, text) = (self.texts.line(because), self.texts.line_of(because));
                format!("`{}` on line {line} makes it {}", text, words(mine))
            });
            message = format!("`{text}` cannot be both {} and {}", words(mine), words(wanted));
        }
        if !self.reported.insert(term.span) {
            return;
        }
        if let Some(because) = wanted_because {
            let (line, text) = (self.texts.line(because), self.texts.line_of(because));
            help = Some(format!("`{text}` on line {line} makes it {}", words(wanted)));
        }
        let mut diagnostic = Diagnostic::error("E020", term.span, message);
        if let Shape::Variable(_) = term.shape {
            diagnostic.label = format!("{} is wanted here", words(wanted));
        }
        diagnostic.help = help;
        self.diagnostics.push(diagnostic);
    }

    /// Reports a variable that could be several kinds of thing.
    pub(super) fn unclear(&mut self, v: usize, mask: Mask) {
        self.broken[self.current] = true;
        let variable = &self.clauses[self.current].variables[v];
        let span = variable.uses[0];
        if self.clauses[self.current].broken || !self.reported.insert(span) {
            return;
        }
        let scalars = words(mask & (SCALARS | NUMBER));
        let message = format!("nothing says whether `{}` is {scalars}", variable.name);
        let name = &variable.name;
        self.diagnostics.push(
            Diagnostic::error("E020", span, message).help(format!(
                "say it: `{name} in unsolved`, `{name} in digits`, `{name} in houses`"
            )),
        );
    }
}

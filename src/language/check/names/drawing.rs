//! The names in `mark` and `link`: variables of the clause, or of their own `for`. E102.

use super::Resolver;
use crate::language::ast;
use crate::language::check::draft::{Clause, Head, Owner};
use crate::language::check::scope;
use crate::language::diagnostic::Diagnostic;

impl Resolver<'_> {
    /// A drawing as a clause whose head lists its terms; what it may name is bound elsewhere.
    pub(crate) fn drawing(mut self, drawing: &ast::Drawing, known: Vec<String>) -> Clause {
        let span = drawing.span;
        self.levels.push(known);
        let mut terms = Vec::new();
        let written =
            drawing.nodes.iter().flat_map(|node| [Some(&node.place), node.digits.as_ref()]);
        let written: Vec<&ast::Expression> = written.flatten().collect();
        if let Some(conditions) = &drawing.each {
            let mut names = scope::of_body(conditions);
            written.iter().for_each(|term| scope::of_term(term, &mut names));
            self.open(names, scope::members(conditions), span);
        }
        terms.extend(written.into_iter().map(|term| self.term(term)));
        if let Some(set) = self.collected.pop() {
            let help = "name the set in the body, as in `Cs = {C : …}`, and mark `Cs`";
            let message = "a picture collects no sets";
            self.report(Diagnostic::error("E102", set.span, message).help(help));
        }
        let each = drawing.each.as_ref().map(|conditions| {
            let goals = self.goals(conditions);
            self.close(goals)
        });
        Clause {
            owner: Owner::Goal,
            heads: vec![Head::Helper(terms)],
            each: vec![each],
            head_spans: vec![span],
            body: Vec::new(),
            variables: self.variables,
            span,
            broken: self.broken,
        }
    }
}

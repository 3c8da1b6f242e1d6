//! The names of generators: each has variables of its own, which hide those around it.

use super::Resolver;
use crate::language::ast;
use crate::language::check::draft::{Generator, Goal, Literal, Shape, Term, Variable};
use crate::language::check::scope;
use crate::language::diagnostic::{Diagnostic, Span};
use crate::language::limits;

impl Resolver<'_> {
    /// Begins a generator. Its own variables are those that it makes, and those of its names that
    /// stand nowhere outside of it.
    pub(super) fn open(&mut self, names: Vec<String>, makes: Vec<String>, span: Span) {
        if self.levels.len() > limits::GENERATORS {
            self.report(limits::too_many_generators(span));
        }
        let outside = |name: &String| self.levels.iter().flatten().any(|other| other == name);
        let mut own: Vec<String> = makes;
        own.extend(names.iter().filter(|name| !outside(name)).cloned());
        let mut numbers = Vec::new();
        for name in own {
            let known = |&n: &usize| self.variables[n].name == name;
            if self.parameter != Some(name.as_str()) && !numbers.iter().any(known) {
                let number = self.variables.len();
                self.variables.push(Variable { name: name.clone(), uses: Vec::new(), local: true });
                self.scope.push((name, number));
                numbers.push(number);
            }
        }
        self.levels.push(names);
        self.own.push(numbers);
    }

    /// Ends a generator.
    pub(super) fn close(&mut self, goals: Vec<Goal>) -> Generator {
        self.levels.pop();
        let locals = self.own.pop().expect("a generator is open");
        self.scope.retain(|(_, number)| !locals.contains(number));
        Generator { locals, goals }
    }

    /// Conditions, each with the sets that it collects.
    pub(super) fn goals(&mut self, conditions: &[ast::Condition]) -> Vec<Goal> {
        let mut goals = Vec::new();
        for condition in conditions {
            let outside = std::mem::take(&mut self.collected);
            goals.push(self.goal(condition));
            goals.append(&mut self.collected);
            self.collected = outside;
        }
        goals
    }

    /// `{X : …}` is a variable of its own, said to be that set by a condition beside it.
    pub(super) fn collect(
        &mut self,
        member: &ast::Word,
        conditions: &[ast::Condition],
        span: Span,
    ) -> Shape {
        let number = self.new_variable("_", span, !self.own.is_empty());
        self.own.last_mut().into_iter().for_each(|own| own.push(number));
        let mut names = scope::of_body(conditions);
        names.push(member.text.clone());
        self.open(names, vec![member.text.clone()], span);
        let made = self.own.last().and_then(|own| own.first().copied());
        let Some(made) = made else {
            let message = format!("`{}` is the rule's parameter", member.text);
            let help = "name the members otherwise";
            self.report(Diagnostic::error("E010", member.span, message).help(help));
            self.close(Vec::new());
            return Shape::Unknown;
        };
        self.variables[made].uses.push(member.span);
        let goals = self.goals(conditions);
        let generator = self.close(goals);
        let set = Term { shape: Shape::Variable(number), span };
        self.collected.push(Goal { literal: Literal::Collect(set, made, generator), span });
        Shape::Variable(number)
    }
}

//! What each name means: variables, built-in words, helpers. E010, E011, E012, E050.

use std::collections::HashMap;

use super::draft::{Clause, Goal, Head, Literal, Owner, Shape, Term, Variable};
use crate::language::ast::{self, ConditionKind, ExpressionKind, Operator};
use crate::language::diagnostic::{Diagnostic, Span};
use crate::language::limits;
use crate::language::rule::Comparison;
use crate::language::spelling;
use crate::language::vocabulary::{self, Meaning};

/// A helper's name, how many arguments it has, and where that was first said.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    pub arity: usize,
    /// Its first head as written: `bivalue(C, X, Y)`.
    pub usage: String,
    pub span: Span,
    /// Whether the user's files define it.
    pub user: bool,
}

/// The helpers that can be called.
#[derive(Default)]
pub struct Helpers {
    pub signatures: Vec<Signature>,
    by_name: HashMap<(bool, String), usize>,
}

impl Helpers {
    /// Adds a helper.
    pub fn add(&mut self, signature: Signature) -> usize {
        let number = self.signatures.len();
        self.by_name.insert((signature.user, signature.name.clone()), number);
        self.signatures.push(signature);
        number
    }
    /// How a helper is called in messages.
    pub fn title(&self, helper: usize) -> String {
        format!("helper {}", self.signatures[helper].name)
    }
    /// The helper defined on this side: in the user's files, or among the bundled ones.
    pub fn defined(&self, name: &str, user: bool) -> Option<usize> {
        self.by_name.get(&(user, name.to_string())).copied()
    }
    /// The helper that a call means: the user's own first, where the user calls.
    pub fn called(&self, name: &str, user: bool) -> Option<usize> {
        let own = if user { self.defined(name, true) } else { None };
        own.or_else(|| self.defined(name, false))
    }
}

/// Resolves the names of one clause.
pub struct Resolver<'a> {
    helpers: &'a Helpers,
    diagnostics: &'a mut Vec<Diagnostic>,
    user: bool,
    parameter: Option<&'a str>,
    variables: Vec<Variable>,
    /// Name and number of the variables in sight; a `forall` hides those before it.
    scope: Vec<(String, usize)>,
    /// How many `forall` are open.
    foralls: usize,
    broken: bool,
}

impl<'a> Resolver<'a> {
    pub fn new(
        helpers: &'a Helpers,
        diagnostics: &'a mut Vec<Diagnostic>,
        user: bool,
        parameter: Option<&'a str>,
    ) -> Self {
        Resolver {
            helpers,
            diagnostics,
            user,
            parameter,
            variables: Vec::new(),
            scope: Vec::new(),
            foralls: 0,
            broken: false,
        }
    }

    /// A rule's or a helper's clause.
    pub fn clause(mut self, clause: &ast::Clause, owner: Owner) -> Clause {
        // A helper has one head; another has been reported.
        let count = if matches!(owner, Owner::Helper(_)) { 1 } else { clause.heads.len() };
        let heads = clause.heads.iter().take(count).map(|head| self.head(head, owner)).collect();
        let body = clause.body.iter().map(|condition| self.goal(condition)).collect();
        Clause {
            owner,
            heads,
            head_spans: clause.heads.iter().take(count).map(|head| head.span).collect(),
            body,
            variables: self.variables,
            span: clause.span,
            broken: self.broken,
        }
    }

    /// A goal as a clause whose head lists its named variables.
    pub fn query(mut self, body: &[ast::Condition], span: Span) -> Clause {
        let body = body.iter().map(|condition| self.goal(condition)).collect();
        let named = self.variables.iter().enumerate();
        let named = named.filter(|(_, v)| !v.local && !v.name.starts_with('_'));
        let head = named
            .map(|(number, v)| Term { shape: Shape::Variable(number), span: v.uses[0] })
            .collect();
        Clause {
            owner: Owner::Goal,
            heads: vec![Head::Helper(head)],
            head_spans: vec![span],
            body,
            variables: self.variables,
            span,
            broken: self.broken,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.broken = true;
        self.diagnostics.push(diagnostic);
    }

    fn head(&mut self, atom: &ast::Atom, owner: Owner) -> Head {
        let mut terms: Vec<Term> = atom.arguments.iter().map(|a| self.term(a)).collect();
        if let Owner::Helper(_) = owner {
            return Head::Helper(terms);
        }
        let name = atom.name.text.as_str();
        let Some(Meaning::Head(kinds)) = vocabulary::find(name).map(|word| word.meaning) else {
            let heads = ["place", "eliminate", "contradiction"];
            let mut diagnostic = Diagnostic::error(
                "E010",
                atom.name.span,
                format!("a rule concludes `place`, `eliminate` or `contradiction`, not `{name}`"),
            );
            diagnostic.help = Some(match spelling::nearest(name, heads) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "a helper's clause stands outside the rule's `{ … }`".to_string(),
            });
            self.report(diagnostic);
            return Head::Unknown(terms);
        };
        if terms.len() != kinds.len() {
            self.wrong_count(atom, kinds.len(), vocabulary::find(name).map_or("", |w| w.usage));
            return Head::Unknown(terms);
        }
        match (name, terms.pop(), terms.pop()) {
            ("place", Some(digit), Some(cell)) => Head::Place(cell, digit),
            ("eliminate", Some(digits), Some(cells)) => Head::Eliminate(cells, digits),
            _ => Head::Contradiction,
        }
    }

    fn wrong_count(&mut self, atom: &ast::Atom, wanted: usize, usage: &str) {
        let name = &atom.name.text;
        let found = atom.arguments.len();
        let arguments = match wanted {
            0 => "no arguments".to_string(),
            1 => "1 argument".to_string(),
            n => format!("{n} arguments"),
        };
        let diagnostic =
            Diagnostic::error("E011", atom.span, format!("`{name}` has {arguments}, not {found}"));
        self.report(diagnostic.help(format!("write it as `{usage}`")));
    }

    fn goal(&mut self, condition: &ast::Condition) -> Goal {
        let span = condition.span;
        let literal = match &condition.kind {
            ConditionKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ConditionKind::Atom(atom) => self.call(atom),
            ConditionKind::Not(denied) => Literal::Not(Box::new(self.goal(denied))),
            ConditionKind::Forall(variable, set, body) => {
                let set = self.term(set);
                let depth = self.scope.len();
                if self.foralls == limits::FORALLS {
                    self.report(limits::too_many_foralls(span));
                }
                self.foralls += 1;
                let number = self.new_variable(&variable.text, variable.span, true);
                self.scope.push((variable.text.clone(), number));
                let body = body.iter().map(|condition| self.goal(condition)).collect();
                self.scope.remove(depth);
                self.foralls -= 1;
                Literal::Forall(number, set, body)
            }
        };
        Goal { literal, span }
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: &ast::Expression,
        right: &ast::Expression,
    ) -> Literal {
        let left = self.term(left);
        if let (Operator::In, ExpressionKind::Atom(atom)) = (operator, &right.kind)
            && atom.name.text == "choose"
        {
            let mut terms: Vec<Term> = atom.arguments.iter().map(|a| self.term(a)).collect();
            return match (terms.len(), terms.pop(), terms.pop()) {
                (2, Some(set), Some(size)) => Literal::Choose(left, size, set),
                (_, last, _) => {
                    self.wrong_count(atom, 2, "Xs in choose(N, S)");
                    Literal::Unknown(terms.into_iter().chain(last).chain([left]).collect())
                }
            };
        }
        let right = self.term(right);
        let comparison = match operator {
            Operator::In => return Literal::In(left, right),
            Operator::Within => return Literal::Within(left, right),
            Operator::Equal => Comparison::Equal,
            Operator::Unequal => Comparison::Unequal,
            Operator::Less => Comparison::Less,
            Operator::AtMost => Comparison::AtMost,
            Operator::Greater => Comparison::Greater,
            Operator::AtLeast => Comparison::AtLeast,
        };
        Literal::Compare(comparison, left, right)
    }

    fn call(&mut self, atom: &ast::Atom) -> Literal {
        let terms: Vec<Term> = atom.arguments.iter().map(|a| self.term(a)).collect();
        let name = atom.name.text.as_str();
        match vocabulary::find(name) {
            Some(word) => match word.meaning {
                Meaning::Relation(relation, kinds) if kinds.len() == terms.len() => {
                    return Literal::Relation(relation, kinds, terms);
                }
                Meaning::Relation(_, kinds) => self.wrong_count(atom, kinds.len(), word.usage),
                Meaning::Head(_) => {
                    let message =
                        format!("`{name}` is a conclusion: it cannot stand among the conditions");
                    let help = match name {
                        "place" => {
                            "to ask what is still possible, write `candidates(C) within {D}`"
                        }
                        "eliminate" => "to ask what is still possible, write `live(C, D)`",
                        _ => "conclusions stand before the `:-`",
                    };
                    self.report(Diagnostic::error("E050", atom.span, message).help(help));
                }
                _ => {
                    let message = format!("`{}` is a term, not a condition", word.usage);
                    let help = "compare it: `=`, `<=`, `in`, `within`";
                    self.report(Diagnostic::error("E001", atom.span, message).help(help));
                }
            },
            None => match self.helpers.called(name, self.user) {
                Some(helper) => {
                    let signature = &self.helpers.signatures[helper];
                    if signature.arity == terms.len() {
                        return Literal::Call(helper, terms);
                    }
                    let (arity, usage) = (signature.arity, signature.usage.clone());
                    self.wrong_count(atom, arity, &usage);
                }
                None => {
                    let relations = vocabulary::WORDS
                        .iter()
                        .filter(|w| matches!(w.meaning, Meaning::Relation(..)))
                        .map(|w| w.name);
                    let helpers = self.helpers.signatures.iter().map(|s| s.name.as_str());
                    let near = spelling::nearest(name, relations.chain(helpers));
                    let message = format!("there is no helper or relation `{name}`");
                    let mut diagnostic = Diagnostic::error("E010", atom.name.span, message);
                    diagnostic.help = Some(match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "define it: `name(…) :- … .` outside the rule".to_string(),
                    });
                    self.report(diagnostic);
                }
            },
        }
        Literal::Unknown(terms)
    }

    fn new_variable(&mut self, name: &str, span: Span, local: bool) -> usize {
        self.variables.push(Variable { name: name.to_string(), uses: vec![span], local });
        self.variables.len() - 1
    }

    fn variable(&mut self, name: &str, span: Span) -> Shape {
        if name == "_" {
            return Shape::Variable(self.new_variable(name, span, false));
        }
        if self.parameter == Some(name) {
            return Shape::Parameter;
        }
        let known = self.scope.iter().rev().find(|(known, _)| known == name);
        if let Some(&(_, number)) = known {
            self.variables[number].uses.push(span);
            return Shape::Variable(number);
        }
        let number = self.new_variable(name, span, false);
        self.scope.push((name.to_string(), number));
        Shape::Variable(number)
    }

    fn term(&mut self, expression: &ast::Expression) -> Term {
        let span = expression.span;
        let shape = match &expression.kind {
            ExpressionKind::Variable(name) => self.variable(name, span),
            ExpressionKind::Cell(row, column) => Shape::Cell(*row, *column),
            ExpressionKind::Number(number) => Shape::Number(*number),
            ExpressionKind::Atom(atom) => self.word(atom),
            ExpressionKind::Set(members) => {
                Shape::Set(members.iter().map(|m| self.term(m)).collect())
            }
            ExpressionKind::Size(set) => Shape::Size(Box::new(self.term(set))),
            ExpressionKind::Binary(sign, left, right) => {
                let left = self.term(left);
                Shape::Binary(*sign, Box::new(left), Box::new(self.term(right)))
            }
            ExpressionKind::Broken => {
                self.broken = true;
                Shape::Unknown
            }
        };
        Term { shape, span }
    }

    /// A constant set or a function; anything else is a mistake.
    fn word(&mut self, atom: &ast::Atom) -> Shape {
        let terms: Vec<Term> = atom.arguments.iter().map(|a| self.term(a)).collect();
        let name = atom.name.text.as_str();
        match vocabulary::find(name) {
            Some(word) => match word.meaning {
                Meaning::Constant(constant) if terms.is_empty() => {
                    return Shape::Constant(constant);
                }
                Meaning::Constant(_) => self.wrong_count(atom, 0, word.usage),
                Meaning::Function(function, kinds) if kinds.len() == terms.len() => {
                    return Shape::Function(function, kinds, terms);
                }
                Meaning::Function(_, kinds) => self.wrong_count(atom, kinds.len(), word.usage),
                Meaning::Choose => {
                    let message = "`choose` stands only right after `in`";
                    let help = "write `Xs in choose(N, S)`";
                    self.report(Diagnostic::error("E001", atom.span, message).help(help));
                }
                Meaning::Relation(..) | Meaning::Head(_) => {
                    let message = format!("`{name}` is true or false; it has no value");
                    let help = format!("use it as a condition of its own: `{}`", word.usage);
                    self.report(Diagnostic::error("E001", atom.span, message).help(help));
                }
            },
            None => self.unknown_word(atom),
        }
        Shape::Unknown
    }

    fn unknown_word(&mut self, atom: &ast::Atom) {
        let name = atom.name.text.as_str();
        if self.helpers.called(name, self.user).is_some() {
            let message = format!("`{name}` is a helper: it is true or false and has no value");
            let help = "call it as a condition of its own, with a variable for what you want";
            return self.report(Diagnostic::error("E001", atom.span, message).help(help));
        }
        let upper = capital(name);
        let in_sight = self.scope.iter().any(|(known, _)| *known == upper)
            || self.parameter == Some(upper.as_str());
        let alone = atom.arguments.is_empty();
        let words = vocabulary::WORDS.iter().filter(|word| match word.meaning {
            Meaning::Constant(_) => alone,
            Meaning::Function(..) => !alone,
            _ => false,
        });
        let near = spelling::nearest(name, words.map(|word| word.name));
        let message = match alone {
            true => format!("there is no set `{name}`"),
            false => format!("there is no function `{name}`"),
        };
        let mut diagnostic = Diagnostic::error("E010", atom.name.span, message);
        diagnostic.help = Some(match near {
            _ if alone && in_sight => {
                format!("variables begin with a capital: did you mean `{upper}`?")
            }
            Some(near) => format!("did you mean `{near}`?"),
            None if alone => format!("variables begin with a capital: did you mean `{upper}`?"),
            None => "`dokulog rules` lists the built-in words".to_string(),
        });
        self.report(diagnostic);
    }
}

/// The name with a capital.
fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |c| c.to_uppercase().chain(letters).collect())
}

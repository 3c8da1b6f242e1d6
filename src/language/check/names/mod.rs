//! What each name means: variables, built-in words, helpers. E010, E011, E012, E050, E081.

mod drawing;
mod generator;
mod unknown;

use super::draft::{Clause, Generator, Goal, Head, Literal, Owner, Shape, Term, Variable};
use super::helpers::Helpers;
use super::scope;
use super::text::Texts;
use crate::language::ast::{self, ConditionKind, ExpressionKind, Operator};
use crate::language::diagnostic::{Diagnostic, Span};
use crate::language::spelling;
use crate::language::vocabulary::{self, Meaning};

/// Resolves the names of one clause.
pub(super) struct Resolver<'a> {
    helpers: &'a Helpers,
    diagnostics: &'a mut Vec<Diagnostic>,
    user: bool,
    parameter: Option<&'a str>,
    variables: Vec<Variable>,
    /// Name and number of the variables in sight; later ones hide those before them.
    scope: Vec<(String, usize)>,
    /// The names that stand outside the generators that are open, clause first.
    levels: Vec<Vec<String>>,
    /// The variables of the generators that are open.
    own: Vec<Vec<usize>>,
    /// The sets `{X : …}` met in the condition at hand, named by a variable.
    collected: Vec<Goal>,
    /// Whether the clause is a helper's.
    in_helper: bool,
    broken: bool,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(
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
            levels: Vec::new(),
            own: Vec::new(),
            collected: Vec::new(),
            in_helper: false,
            broken: false,
        }
    }

    /// A rule's or a helper's clause.
    pub(super) fn clause(mut self, clause: &ast::Clause, owner: Owner) -> Clause {
        self.in_helper = matches!(owner, Owner::Helper(_));
        self.levels.push(scope::of_clause(clause));
        // A helper has one head; another has been reported.
        let count = if matches!(owner, Owner::Helper(_)) { 1 } else { clause.heads.len() };
        let (mut heads, mut each) = (Vec::new(), Vec::new());
        for head in clause.heads.iter().take(count) {
            let (head, generator) = self.conclusion(head, owner);
            heads.push(head);
            each.push(generator);
        }
        let first = std::mem::take(&mut self.collected);
        let mut body = self.goals(&clause.body);
        body.extend(first);
        Clause {
            owner,
            heads,
            each,
            head_spans: clause.heads.iter().take(count).map(|head| head.atom.span).collect(),
            body,
            variables: self.variables,
            span: clause.span,
            broken: self.broken,
        }
    }

    /// A goal as a clause whose head lists its named variables.
    pub(super) fn query(mut self, body: &[ast::Condition], span: Span) -> Clause {
        self.levels.push(scope::of_body(body));
        let body = self.goals(body);
        let named = self.variables.iter().enumerate();
        let named = named.filter(|(_, v)| !v.local && !v.name.starts_with('_'));
        let head = named
            .map(|(number, v)| Term { shape: Shape::Variable(number), span: v.uses[0] })
            .collect();
        Clause {
            owner: Owner::Goal,
            heads: vec![Head::Helper(head)],
            each: vec![None],
            head_spans: vec![span],
            body,
            variables: self.variables,
            span,
            broken: self.broken,
        }
    }

    /// A head, and what stands after its `for`.
    fn conclusion(&mut self, head: &ast::Head, owner: Owner) -> (Head, Option<Generator>) {
        let Some(conditions) = &head.each else { return (self.head(&head.atom, owner), None) };
        if let Owner::Helper(_) = owner {
            let message = "`for` stands only after the conclusion of a rule";
            let help = "a helper says the same with these conditions after the `:-`";
            let diagnostic = Diagnostic::error("E050", head.atom.span, message).help(help);
            self.report(diagnostic);
        }
        let mut names = scope::of_body(conditions);
        scope::of_atom(&head.atom, &mut names);
        let makes = scope::members(conditions);
        self.open(names, makes, head.atom.span);
        let outside = std::mem::take(&mut self.collected);
        let atom = self.head(&head.atom, owner);
        let first = std::mem::replace(&mut self.collected, outside);
        let mut goals = self.goals(conditions);
        goals.extend(first);
        (atom, Some(self.close(goals)))
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
            let near = spelling::nearest(name, heads);
            diagnostic.help = Some(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "a helper's clause stands outside the rule's `{ … }`".to_string(),
            });
            diagnostic.remedy = near.map(|near| Box::new((atom.name.span, near.to_string())));
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

    fn goal(&mut self, condition: &ast::Condition) -> Goal {
        let span = condition.span;
        let literal = match &condition.kind {
            ConditionKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ConditionKind::Atom(atom) => self.call(atom),
            ConditionKind::Traced(fact, goal) => self.traced(fact, goal, span),
            ConditionKind::Not(denied) => Literal::Not(Box::new(self.goal(denied))),
            ConditionKind::Forall(generator, body) => {
                self.open(scope::of_body(generator), scope::members(generator), span);
                let goals = self.goals(generator);
                // What is collected in the body is of the body.
                self.own.push(Vec::new());
                let body = self.goals(body);
                let body = Generator { locals: self.own.pop().unwrap_or_default(), goals: body };
                Literal::Forall(self.close(goals), body)
            }
            ConditionKind::Exists(generator, body) => {
                let mut names = scope::of_body(generator);
                names.extend(scope::of_body(body));
                self.open(names, scope::members(generator), span);
                let mut goals = self.goals(generator);
                goals.extend(self.goals(body));
                Literal::Exists(self.close(goals))
            }
            ConditionKind::Suppose(supposition) => self.supposition(supposition),
        };
        Goal { literal, span }
    }

    fn supposition(&mut self, supposition: &ast::Supposition) -> Literal {
        let mut heads = Vec::new();
        for atom in &supposition.hypotheses {
            if ["place", "eliminate"].contains(&atom.name.text.as_str()) {
                heads.push(self.head(atom, Owner::Goal));
                continue;
            }
            let message = format!("`{}` cannot be supposed", atom.name.text);
            let help = "suppose `place(C, D)` or `eliminate(Cs, Ds)`";
            self.report(Diagnostic::error("E081", atom.name.span, message).help(help));
            heads.push(Head::Unknown(atom.arguments.iter().map(|a| self.term(a)).collect()));
        }
        let below = self.term(&supposition.below);
        let goal = self.asked(&supposition.goal);
        Literal::Suppose(heads, below, Box::new(goal))
    }

    /// What is asked of where a hypothesis leads.
    fn asked(&mut self, atom: &ast::Atom) -> Head {
        let name = atom.name.text.as_str();
        if ["place", "eliminate", "contradiction"].contains(&name) {
            return self.head(atom, Owner::Goal);
        }
        if vocabulary::find(name).is_some() {
            let message = format!("`{name}` cannot be asked of where a hypothesis leads");
            let help = "ask for `contradiction`, `place(C, D)`, `eliminate(Cs, Ds)` or a helper";
            self.report(Diagnostic::error("E081", atom.name.span, message).help(help));
            return Head::Unknown(atom.arguments.iter().map(|a| self.term(a)).collect());
        }
        match self.call(atom) {
            Literal::Call(helper, terms) => Head::Asked(helper, terms),
            other => Head::Unknown(other.terms().into_iter().cloned().collect()),
        }
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
            return self.choose(left, atom);
        }
        let right = self.term(right);
        match operator {
            Operator::In => Literal::In(left, right),
            Operator::Within => Literal::Within(left, right),
            Operator::Compare(comparison) => Literal::Compare(comparison, left, right),
        }
    }

    /// `Xs in choose(N, S)` and `Xs in choose(A..B, S)`.
    fn choose(&mut self, chosen: Term, atom: &ast::Atom) -> Literal {
        if let [size, set] = &atom.arguments[..] {
            let (least, most) = match &size.kind {
                ExpressionKind::Range(least, most) => (self.term(least), self.term(most)),
                _ => {
                    let size = self.term(size);
                    (size.clone(), size)
                }
            };
            return Literal::Choose(chosen, least, most, self.term(set));
        }
        let terms: Vec<Term> = atom.arguments.iter().map(|a| self.term(a)).collect();
        self.wrong_count(atom, 2, "Xs in choose(N, S)");
        Literal::Unknown(terms.into_iter().chain([chosen]).collect())
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
                    diagnostic.remedy =
                        near.map(|near| Box::new((atom.name.span, near.to_string())));
                    self.report(diagnostic);
                }
            },
        }
        Literal::Unknown(terms)
    }

    /// `fact(…) in trace goal(…)`: two helpers.
    fn traced(&mut self, fact: &ast::Atom, goal: &ast::Atom, span: Span) -> Literal {
        if self.in_helper {
            let message = "`in trace` stands only in a rule";
            let help = "a helper holds or does not; say in the rule what of its derivation counts";
            self.report(Diagnostic::error("E050", span, message).help(help));
        }
        let (first, second) = (self.call(fact), self.call(goal));
        for (literal, atom) in [(&first, fact), (&second, goal)] {
            if let Literal::Relation(..) = literal {
                let name = &atom.name.text;
                let message = format!("`{name}` is built in: it has no derivation");
                let help = "name helpers on both sides of `in trace`";
                self.report(Diagnostic::error("E001", atom.span, message).help(help));
            }
        }
        match (first, second) {
            (Literal::Call(fact, terms), Literal::Call(goal, others)) => {
                Literal::Traced(fact, terms, goal, others)
            }
            (first, second) => {
                let terms = first.terms().into_iter().chain(second.terms());
                Literal::Unknown(terms.cloned().collect())
            }
        }
    }

    fn new_variable(&mut self, name: &str, span: Span, local: bool) -> usize {
        self.variables.push(Variable { name: name.to_string(), uses: vec![span], local });
        self.variables.len() - 1
    }

    fn variable(&mut self, name: &str, span: Span) -> Shape {
        if name == "_" {
            let number = self.new_variable(name, span, !self.own.is_empty());
            self.own.last_mut().into_iter().for_each(|own| own.push(number));
            return Shape::Variable(number);
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
            ExpressionKind::Collected(member, conditions) => self.collect(member, conditions, span),
            ExpressionKind::Size(set) => Shape::Size(Box::new(self.term(set))),
            ExpressionKind::Binary(sign, left, right) => {
                let left = self.term(left);
                Shape::Binary(*sign, Box::new(left), Box::new(self.term(right)))
            }
            ExpressionKind::Range(from, to) => {
                let message = "a range stands only as the size in `choose`";
                let help = "write `Xs in choose(1..3, S)`";
                self.report(Diagnostic::error("E001", span, message).help(help));
                self.term(from);
                self.term(to);
                Shape::Unknown
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
}

/// Says of names that nothing has which of them are rules.
pub(super) fn rules_called(
    is_rule: impl Fn(&str) -> bool,
    texts: &Texts,
    diagnostics: &mut [Diagnostic],
) {
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.code == "E010") {
        let name = texts.line_of(diagnostic.span);
        if is_rule(&name) {
            diagnostic.remedy = None;
            diagnostic.help = Some(format!(
                "`{name}` is a rule, no condition: `dokulog fire {name} FILE` shows its matches"
            ));
        }
    }
}

//! Walking through terms, conditions and clauses, and rebuilding them.

use super::diagnostic::Span;
use super::rule::{
    Clause, Comparison, ConstantSet, Function, Goal, Head, Kind, Literal, PredicateId, RuleSet,
    Term, Var, Variable,
};

impl Term {
    /// The terms directly inside this one.
    pub fn parts(&self) -> Vec<&Term> {
        match self {
            Term::Arithmetic(_, a, b) | Term::Operation(_, a, b) => vec![a, b],
            Term::Size(inner) | Term::Lone(inner) | Term::CellsOf(inner) => vec![inner],
            Term::Set(_, terms) | Term::Call(_, terms) => terms.iter().collect(),
            Term::Var(_)
            | Term::Cell { .. }
            | Term::Digit(_)
            | Term::Number(_)
            | Term::Parameter
            | Term::Constant(_) => Vec::new(),
        }
    }

    /// Calls `see` with this term and everything in it, outer terms first.
    pub fn each(&self, see: &mut dyn FnMut(&Term)) {
        see(self);
        self.parts().into_iter().for_each(|part| part.each(see));
    }

    /// Calls `see` with every variable in it.
    pub fn each_variable(&self, see: &mut dyn FnMut(Var)) {
        self.each(&mut |term| {
            if let Term::Var(v) = term {
                see(*v);
            }
        });
    }

    /// Whether all its variables are among these.
    pub fn is_known(&self, known: &dyn Fn(Var) -> bool) -> bool {
        match self {
            Term::Var(v) => known(*v),
            term => term.parts().into_iter().all(|part| part.is_known(known)),
        }
    }

    /// Whether a variable occurs in it.
    pub fn mentions(&self, variable: Var) -> bool {
        !self.is_known(&|v| v != variable)
    }

    /// Rebuilt from the leaves up.
    pub fn map(&self, f: &dyn Fn(Term) -> Term) -> Term {
        let inner = |term: &Term| Box::new(term.map(f));
        let all = |terms: &[Term]| terms.iter().map(|term| term.map(f)).collect();
        f(match self {
            Term::Arithmetic(operation, a, b) => Term::Arithmetic(*operation, inner(a), inner(b)),
            Term::Size(set) => Term::Size(inner(set)),
            Term::Set(kind, members) => Term::Set(*kind, all(members)),
            Term::Lone(member) => Term::Lone(inner(member)),
            Term::CellsOf(house) => Term::CellsOf(inner(house)),
            Term::Operation(operation, a, b) => Term::Operation(*operation, inner(a), inner(b)),
            Term::Call(function, terms) => Term::Call(*function, all(terms)),
            leaf => leaf.clone(),
        })
    }

    /// The kind of a term over these variables.
    pub fn kind(&self, variables: &[Variable]) -> Kind {
        self.kind_by(&|v| Some(variables[v.index()].kind)).expect("every variable has a kind")
    }

    /// The kind of a term, as far as the kinds of its variables are known.
    pub fn kind_by(&self, of: &dyn Fn(Var) -> Option<Kind>) -> Option<Kind> {
        Some(match self {
            Term::Var(v) => of(*v)?,
            Term::Cell { .. } => Kind::Cell,
            Term::Digit(_) => Kind::Digit,
            Term::Number(_) | Term::Parameter | Term::Arithmetic(..) | Term::Size(_) => {
                Kind::Number
            }
            Term::Constant(ConstantSet::Digits) => Kind::Digits,
            Term::Constant(ConstantSet::Unsolved) => Kind::Cells,
            Term::Constant(_) => Kind::Houses,
            Term::Set(kind, _) => kind.set().expect("members are scalar"),
            Term::Lone(member) => member.kind_by(of)?.set().expect("a lone thing is scalar"),
            Term::CellsOf(_) => Kind::Cells,
            Term::Operation(_, left, _) => left.kind_by(of)?,
            Term::Call(function, _) => function.result(),
        })
    }
}

impl Function {
    /// The kind of its value.
    pub fn result(self) -> Kind {
        match self {
            Function::Candidates | Function::Missing => Kind::Digits,
            Function::Spots | Function::Peers | Function::CommonPeers | Function::Cells => {
                Kind::Cells
            }
            Function::Touching => Kind::Houses,
            Function::Row | Function::Column | Function::Box => Kind::House,
        }
    }
}

impl Literal {
    /// The terms of the condition itself, not those of conditions inside it.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Literal::In(a, b) | Literal::Within(a, b) | Literal::Compare(_, a, b) => vec![a, b],
            Literal::Choose(a, b, c) => vec![a, b, c],
            Literal::Relation(_, terms) | Literal::Call(_, terms) => terms.iter().collect(),
            Literal::Not(_) => Vec::new(),
            Literal::Forall(_, set, _) => vec![set],
        }
    }

    /// The conditions inside it.
    pub fn inside(&self) -> &[Literal] {
        match self {
            Literal::Not(inner) => std::slice::from_ref(inner),
            Literal::Forall(_, _, body) => body,
            _ => &[],
        }
    }

    /// Calls `see` with the condition and everything in it, outer conditions first.
    pub fn each(&self, see: &mut dyn FnMut(&Literal)) {
        see(self);
        self.inside().iter().for_each(|inner| inner.each(see));
    }

    /// Calls `see` with every term in it, outer terms first.
    pub fn each_term(&self, see: &mut dyn FnMut(&Term)) {
        self.each(&mut |literal| literal.terms().into_iter().for_each(|term| term.each(see)));
    }

    /// Its variables in ascending order, without those local to a `forall`.
    pub fn variables(&self) -> Vec<Var> {
        let mut found = Vec::new();
        self.each_term(&mut |term| {
            if let Term::Var(v) = term {
                found.push(*v);
            }
        });
        found.sort_unstable();
        found.dedup();
        found.retain(|&v| !self.binds(v));
        found
    }

    /// Whether a `forall` in it makes the variable.
    pub fn binds(&self, variable: Var) -> bool {
        matches!(self, Literal::Forall(local, ..) if *local == variable)
            || self.inside().iter().any(|inner| inner.binds(variable))
    }

    /// Whether a variable occurs in it.
    pub fn mentions(&self, variable: Var) -> bool {
        self.terms().into_iter().any(|term| term.mentions(variable))
            || self.inside().iter().any(|inner| inner.mentions(variable))
    }

    /// The helpers that it calls, under `not` and `forall` too.
    pub fn calls(&self) -> Vec<PredicateId> {
        let mut found = Vec::new();
        self.each(&mut |literal| {
            if let Literal::Call(helper, _) = literal {
                found.push(*helper);
            }
        });
        found
    }

    /// The same condition with other terms; `local` renames what a `forall` makes.
    pub fn map(&self, f: &dyn Fn(&Term) -> Term, local: &dyn Fn(Var) -> Var) -> Literal {
        let all = |terms: &[Term]| terms.iter().map(f).collect();
        match self {
            Literal::In(a, b) => Literal::In(f(a), f(b)),
            Literal::Choose(a, b, c) => Literal::Choose(f(a), f(b), f(c)),
            Literal::Within(a, b) => Literal::Within(f(a), f(b)),
            Literal::Compare(comparison, a, b) => Literal::Compare(*comparison, f(a), f(b)),
            Literal::Relation(relation, terms) => Literal::Relation(*relation, all(terms)),
            Literal::Call(helper, terms) => Literal::Call(*helper, all(terms)),
            Literal::Not(inner) => Literal::Not(Box::new(inner.map(f, local))),
            Literal::Forall(variable, set, body) => {
                let body = body.iter().map(|inner| inner.map(f, local)).collect();
                Literal::Forall(local(*variable), f(set), body)
            }
        }
    }
}

impl Head {
    /// Its terms.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Head::Place(a, b) | Head::Eliminate(a, b) => vec![a, b],
            Head::Contradiction => Vec::new(),
            Head::Helper(terms) => terms.iter().collect(),
        }
    }

    /// The same head with other terms.
    pub fn map(&self, f: &dyn Fn(&Term) -> Term) -> Head {
        match self {
            Head::Place(a, b) => Head::Place(f(a), f(b)),
            Head::Eliminate(a, b) => Head::Eliminate(f(a), f(b)),
            Head::Contradiction => Head::Contradiction,
            Head::Helper(terms) => Head::Helper(terms.iter().map(f).collect()),
        }
    }
}

impl Clause {
    /// The kind of a term of this clause.
    pub fn kind_of(&self, term: &Term) -> Kind {
        term.kind(&self.variables)
    }

    /// Calls `see` with every term, and with the terms inside them.
    pub fn each_term(&self, see: &mut dyn FnMut(&Term)) {
        self.heads.iter().flat_map(Head::terms).for_each(|term| term.each(see));
        self.body.iter().for_each(|goal| goal.literal.each_term(see));
    }

    /// The helpers that it calls.
    pub fn calls(&self) -> Vec<PredicateId> {
        self.body.iter().flat_map(|goal| goal.literal.calls()).collect()
    }

    /// Whether a `forall` makes the variable.
    pub fn is_local(&self, variable: Var) -> bool {
        self.body.iter().any(|goal| goal.literal.binds(variable))
    }

    /// The arguments of a helper's head.
    pub fn formals(&self) -> &[Term] {
        match &self.heads[..] {
            [Head::Helper(terms)] => terms,
            _ => unreachable!("a helper's clause has the helper as its head"),
        }
    }

    /// The clause's body as it reads where the helper is called with these arguments.
    ///
    /// An argument takes the place of the head's variable; where the head has something else, or
    /// the same variable again, an equation, said to stand at `call`, makes them equal. The
    /// clause's other variables are added to `variables`, under new numbers.
    pub fn unfold(
        &self,
        arguments: &[Term],
        call: Span,
        variables: &mut Vec<Variable>,
    ) -> Vec<Goal> {
        let mut meant: Vec<Option<Term>> = vec![None; self.variables.len()];
        let mut equations = Vec::new();
        for (formal, argument) in self.formals().iter().zip(arguments) {
            match formal {
                Term::Var(v) if meant[v.index()].is_none() => {
                    meant[v.index()] = Some(argument.clone());
                }
                _ => equations.push((formal, argument.clone())),
            }
        }
        let mut number = |variable: &Variable| {
            variables.push(variable.clone());
            Term::Var(Var((variables.len() - 1) as u16))
        };
        let meant: Vec<Term> = meant
            .into_iter()
            .zip(&self.variables)
            .map(|(term, variable)| term.unwrap_or_else(|| number(variable)))
            .collect();
        let put = |term: &Term| {
            term.map(&|term| match term {
                Term::Var(v) => meant[v.index()].clone(),
                other => other,
            })
        };
        let local = |v: Var| match meant[v.index()] {
            Term::Var(renamed) => renamed,
            _ => unreachable!("a local variable is no argument"),
        };
        let equal = |(formal, argument): (&Term, Term)| {
            let literal = Literal::Compare(Comparison::Equal, argument, put(formal));
            Goal { literal, span: call }
        };
        let renamed =
            |goal: &Goal| Goal { literal: goal.literal.map(&put, &local), span: goal.span };
        equations.into_iter().map(equal).chain(self.body.iter().map(renamed)).collect()
    }
}

impl RuleSet {
    /// These helpers and all that they call, directly or not, in ascending order.
    pub fn reachable(&self, from: impl IntoIterator<Item = PredicateId>) -> Vec<PredicateId> {
        let mut found: Vec<PredicateId> = Vec::new();
        let mut next: Vec<PredicateId> = from.into_iter().collect();
        while let Some(helper) = next.pop() {
            if !found.contains(&helper) {
                found.push(helper);
                next.extend(self.predicate(helper).clauses.iter().flat_map(Clause::calls));
            }
        }
        found.sort_unstable();
        found
    }

    /// The helpers that call each other in a circle with this one, itself among them.
    pub fn circle(&self, helper: PredicateId) -> Vec<PredicateId> {
        let mut below = self.reachable([helper]);
        below.retain(|&p| p == helper || self.reachable([p]).contains(&helper));
        below
    }
}

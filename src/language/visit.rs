//! Walking through terms, conditions and clauses, and rebuilding them.

use super::clause::{
    Clause, Comparison, ConstantSet, Function, Generator, Goal, Head, Kind, Literal, PredicateId,
    Supposition, Term, Var, Variable,
};
use super::diagnostic::Span;
use super::rule::{Rule, RuleSet};

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

    /// A number that only the parameter changes, if it is one within 64 bits.
    pub fn constant(&self, parameter: Option<i64>) -> Option<i64> {
        match self {
            Term::Number(number) => Some(*number),
            Term::Parameter => parameter,
            Term::Arithmetic(operation, a, b) => {
                operation.of(a.constant(parameter)?, b.constant(parameter)?)
            }
            _ => None,
        }
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
            Literal::Choose(a, b, c, d) => vec![a, b, c, d],
            Literal::Relation(_, terms) | Literal::Call(_, terms) => terms.iter().collect(),
            Literal::Traced(_, fact, _, goal) => fact.iter().chain(goal).collect(),
            Literal::Not(_) | Literal::Exists(_) | Literal::Collect(..) => Vec::new(),
            Literal::Forall(_, set, _) => vec![set],
            Literal::Suppose(supposition) => supposition.terms(),
        }
    }

    /// The conditions inside it.
    pub fn inside(&self) -> &[Literal] {
        match self {
            Literal::Not(inner) => std::slice::from_ref(inner),
            Literal::Forall(_, _, body) => body,
            Literal::Exists(generator) | Literal::Collect(_, _, generator) => &generator.conditions,
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

    /// Its variables in ascending order, without those of a generator in it.
    pub fn variables(&self) -> Vec<Var> {
        let mut found = Vec::new();
        self.each(&mut |literal| {
            if let Literal::Collect(set, ..) = literal {
                found.push(*set);
            }
            literal.terms().into_iter().for_each(|term| term.each_variable(&mut |v| found.push(v)));
        });
        found.sort_unstable();
        found.dedup();
        if !self.inside().is_empty() {
            found.retain(|&v| !self.binds(v));
        }
        found
    }

    /// The variables that it makes for the conditions inside it.
    pub fn locals(&self) -> Vec<Var> {
        match self {
            Literal::Forall(local, ..) => vec![*local],
            Literal::Exists(generator) | Literal::Collect(_, _, generator) => generator.own(),
            _ => Vec::new(),
        }
    }

    /// Whether a generator in it makes the variable.
    pub fn binds(&self, variable: Var) -> bool {
        self.locals().contains(&variable) || self.inside().iter().any(|inner| inner.binds(variable))
    }

    /// Whether a variable occurs in it.
    pub fn mentions(&self, variable: Var) -> bool {
        matches!(self, Literal::Collect(set, ..) if *set == variable)
            || self.terms().into_iter().any(|term| term.mentions(variable))
            || self.inside().iter().any(|inner| inner.mentions(variable))
    }

    /// The helpers that it calls, under `not` and `forall` too.
    pub fn calls(&self) -> Vec<PredicateId> {
        let mut found = Vec::new();
        self.each(&mut |literal| match literal {
            Literal::Call(helper, _) => found.push(*helper),
            Literal::Traced(fact, _, goal, _) => found.extend([*fact, *goal]),
            Literal::Suppose(supposition) => found.extend(supposition.helper()),
            _ => {}
        });
        found
    }

    /// Whether it asks for the derivation of a helper.
    pub fn traces(&self) -> bool {
        let mut found = false;
        self.each(&mut |literal| found |= matches!(literal, Literal::Traced(..)));
        found
    }

    /// The same condition with other terms; `local` renames what a generator makes, and the sets
    /// that are collected.
    pub fn map(&self, f: &dyn Fn(&Term) -> Term, local: &dyn Fn(Var) -> Var) -> Literal {
        let all = |terms: &[Term]| terms.iter().map(f).collect();
        match self {
            Literal::In(a, b) => Literal::In(f(a), f(b)),
            Literal::Choose(a, b, c, d) => Literal::Choose(f(a), f(b), f(c), f(d)),
            Literal::Within(a, b) => Literal::Within(f(a), f(b)),
            Literal::Compare(comparison, a, b) => Literal::Compare(*comparison, f(a), f(b)),
            Literal::Relation(relation, terms) => Literal::Relation(*relation, all(terms)),
            Literal::Call(helper, terms) => Literal::Call(*helper, all(terms)),
            Literal::Traced(fact, terms, goal, others) => {
                Literal::Traced(*fact, all(terms), *goal, all(others))
            }
            Literal::Not(inner) => Literal::Not(Box::new(inner.map(f, local))),
            Literal::Forall(variable, set, body) => {
                let body = body.iter().map(|inner| inner.map(f, local)).collect();
                Literal::Forall(local(*variable), f(set), body)
            }
            Literal::Exists(generator) => Literal::Exists(generator.map(f, local)),
            Literal::Collect(set, member, generator) => {
                Literal::Collect(local(*set), local(*member), generator.map(f, local))
            }
            Literal::Suppose(supposition) => Literal::Suppose(Box::new(supposition.map(f))),
        }
    }
}

impl Supposition {
    /// The terms of the hypotheses and of the goal.
    pub fn terms(&self) -> Vec<&Term> {
        self.hypotheses.iter().chain([&self.goal]).flat_map(Head::terms).collect()
    }

    /// The same with other terms.
    pub fn map(&self, f: &dyn Fn(&Term) -> Term) -> Supposition {
        Supposition {
            hypotheses: self.hypotheses.iter().map(|head| head.map(f)).collect(),
            below: self.below.clone(),
            goal: self.goal.map(f),
        }
    }

    /// The helper that is asked of where it leads, if one is.
    pub fn helper(&self) -> Option<PredicateId> {
        match self.goal {
            Head::Asked(helper, _) => Some(helper),
            _ => None,
        }
    }

    /// The level under which rules run.
    pub fn level(&self, parameter: Option<i64>) -> i64 {
        self.below.constant(parameter).expect("the checker saw to it that it is a number")
    }
}

impl Generator {
    /// Its own variables.
    pub fn own(&self) -> Vec<Var> {
        self.locals.iter().map(|(v, _)| *v).collect()
    }

    /// The same generator with other terms and other variables of its own.
    pub fn map(&self, f: &dyn Fn(&Term) -> Term, local: &dyn Fn(Var) -> Var) -> Generator {
        Generator {
            locals: self.locals.iter().map(|&(v, kind)| (local(v), kind)).collect(),
            conditions: self.conditions.iter().map(|inner| inner.map(f, local)).collect(),
        }
    }
}

impl Head {
    /// Its conclusion, without what stands after `for`.
    pub fn plain(&self) -> &Head {
        match self {
            Head::Each(head, _) => head.plain(),
            head => head,
        }
    }

    /// What stands after `for`, if anything does.
    pub fn generator(&self) -> Option<&Generator> {
        match self {
            Head::Each(_, generator) => Some(generator),
            _ => None,
        }
    }

    /// Its terms, without those of conditions.
    pub fn terms(&self) -> Vec<&Term> {
        match self.plain() {
            Head::Place(a, b) | Head::Eliminate(a, b) => vec![a, b],
            Head::Contradiction => Vec::new(),
            Head::Helper(terms) | Head::Asked(_, terms) => terms.iter().collect(),
            Head::Each(..) => unreachable!("a plain head has no `for`"),
        }
    }

    /// The same head with other terms; its generator keeps its own variables.
    pub fn map(&self, f: &dyn Fn(&Term) -> Term) -> Head {
        match self {
            Head::Place(a, b) => Head::Place(f(a), f(b)),
            Head::Eliminate(a, b) => Head::Eliminate(f(a), f(b)),
            Head::Contradiction => Head::Contradiction,
            Head::Helper(terms) => Head::Helper(terms.iter().map(f).collect()),
            Head::Asked(helper, terms) => Head::Asked(*helper, terms.iter().map(f).collect()),
            Head::Each(head, generator) => {
                Head::Each(Box::new(head.map(f)), generator.map(f, &|v| v))
            }
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
        self.conditions().for_each(|literal| literal.each_term(see));
    }

    /// The conditions of the body, and those after the `for` of its heads.
    pub fn conditions(&self) -> impl Iterator<Item = &Literal> {
        let each = self.heads.iter().filter_map(Head::generator);
        let body = self.body.iter().map(|goal| &goal.literal);
        body.chain(each.flat_map(|generator| &generator.conditions))
    }

    /// The helpers that it calls.
    pub fn calls(&self) -> Vec<PredicateId> {
        self.conditions().flat_map(Literal::calls).collect()
    }

    /// The suppositions in it.
    pub fn suppositions(&self) -> Vec<&Supposition> {
        fn look<'l>(literal: &'l Literal, found: &mut Vec<&'l Supposition>) {
            if let Literal::Suppose(supposition) = literal {
                found.push(supposition);
            }
            literal.inside().iter().for_each(|inner| look(inner, found));
        }
        let mut found = Vec::new();
        self.conditions().for_each(|literal| look(literal, &mut found));
        found
    }

    /// Whether a generator makes the variable.
    pub fn is_local(&self, variable: Var) -> bool {
        let each = self.heads.iter().filter_map(Head::generator);
        each.into_iter().any(|generator| generator.own().contains(&variable))
            || self.conditions().any(|literal| literal.binds(variable))
    }

    /// Clauses without `for` that together conclude the same: what stands after `for` is at the
    /// end of a body of its own. The first has the body and the heads without `for`, if any.
    pub fn without_for(&self) -> Vec<Clause> {
        let (each, plain): (Vec<&Head>, Vec<&Head>) =
            self.heads.iter().partition(|head| matches!(head, Head::Each(..)));
        let mut clauses =
            vec![Clause { heads: plain.into_iter().cloned().collect(), ..self.clone() }];
        for head in each {
            let mut clause = Clause { heads: vec![head.plain().clone()], ..self.clone() };
            let generator = head.generator().into_iter().flat_map(|g| &g.conditions);
            let goal = |literal: &Literal| Goal { literal: literal.clone(), span: self.span };
            clause.body.extend(generator.map(goal));
            clauses.push(clause);
        }
        clauses
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
        let collects = |v: Var| {
            let is = |literal: &Literal| matches!(literal, Literal::Collect(set, ..) if *set == v);
            self.conditions().any(is)
        };
        for (formal, argument) in self.formals().iter().zip(arguments) {
            match formal {
                Term::Var(v) if meant[v.index()].is_none() && !collects(*v) => {
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
            _ => unreachable!("neither a local variable nor a collected set is an argument"),
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

impl Rule {
    /// Whether it reasons under hypotheses.
    pub fn supposes(&self) -> bool {
        self.clauses.iter().any(|clause| !clause.suppositions().is_empty())
    }
}

impl RuleSet {
    /// These helpers and all that they call, directly or not, in ascending order.
    pub fn reachable(&self, from: impl IntoIterator<Item = PredicateId>) -> Vec<PredicateId> {
        let mut seen = vec![false; self.predicates().len()];
        let mut found: Vec<PredicateId> = Vec::new();
        let mut next: Vec<PredicateId> = from.into_iter().collect();
        while let Some(helper) = next.pop() {
            if !std::mem::replace(&mut seen[usize::from(helper.0)], true) {
                found.push(helper);
                next.extend(self.predicate(helper).clauses.iter().flat_map(Clause::calls));
            }
        }
        found.sort_unstable();
        found
    }

    /// The helpers that call each other in a circle with this one, itself among them.
    pub fn circle(&self, helper: PredicateId) -> Vec<PredicateId> {
        if !self.predicate(helper).recursive {
            return vec![helper];
        }
        // From the helper down, then up again along the same calls.
        let mut callers: Vec<Vec<PredicateId>> = vec![Vec::new(); self.predicates().len()];
        for caller in self.reachable([helper]) {
            for callee in self.predicate(caller).clauses.iter().flat_map(Clause::calls) {
                callers[usize::from(callee.0)].push(caller);
            }
        }
        let mut found: Vec<PredicateId> = Vec::new();
        let mut next = vec![helper];
        while let Some(callee) = next.pop() {
            let above = std::mem::take(&mut callers[usize::from(callee.0)]);
            if !above.is_empty() {
                found.push(callee);
                next.extend(above);
            }
        }
        found.sort_unstable();
        found
    }
}

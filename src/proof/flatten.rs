//! Helpers unfolded: a clause becomes alternatives without helper calls, or with recursive ones
//! only.

use crate::language::{
    Clause, Comparison, Function, Head, Kind, Literal, PredicateId, RuleSet, Term, Var, Variable,
};

/// A clause whose body has no helper calls left, but for recursive ones that were to be kept.
#[derive(Clone, Debug)]
pub struct Flat {
    /// What it concludes.
    pub heads: Vec<Head>,
    /// The conditions.
    pub body: Vec<Literal>,
    /// Its variables: those of the clause first, then those of the helpers.
    pub variables: Vec<Variable>,
    /// Whether some condition compares the order of cells, digits or houses.
    pub ordered: bool,
}

/// What to do with calls of recursive helpers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recursion {
    /// Leave them: their inferred meaning will stand for them.
    Keep,
    /// Unfold each at most so many times; longer derivations are left out.
    Unroll(usize),
}

/// More alternatives than anyone can walk through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

const MOST_ALTERNATIVES: usize = 2000;

/// All alternatives of a clause. With `relax`, `A < B` of cells, digits or houses is weakened to
/// `A != B`, so that the alternatives know no order and symmetry applies.
pub fn flatten(
    rules: &RuleSet,
    clause: &Clause,
    recursion: Recursion,
    relax: bool,
) -> Result<Vec<Flat>, TooMany> {
    let depth = match recursion {
        Recursion::Keep => 0,
        Recursion::Unroll(depth) => depth,
    };
    let body = clause.body.iter().map(|goal| (goal.literal.clone(), depth)).collect();
    let variables = clause.variables.clone();
    let mut open = vec![Open { heads: clause.heads.clone(), body, variables }];
    let mut flat = Vec::new();
    while let Some(next) = open.pop() {
        let call = next.body.iter().position(|(literal, _)| match literal {
            Literal::Call(helper, _) => {
                recursion != Recursion::Keep || !rules.predicate(*helper).recursive
            }
            _ => false,
        });
        match call {
            Some(call) => open.extend(next.unfold(call, rules).into_iter().rev()),
            None => flat.push(next.finish(relax)),
        }
        if open.len() + flat.len() > MOST_ALTERNATIVES {
            return Err(TooMany);
        }
    }
    Ok(flat)
}

/// A clause on its way; each condition with the unfoldings of recursive helpers left to it.
#[derive(Clone)]
struct Open {
    heads: Vec<Head>,
    body: Vec<(Literal, usize)>,
    variables: Vec<Variable>,
}

impl Open {
    /// The alternatives with the call at this place unfolded.
    fn unfold(&self, place: usize, rules: &RuleSet) -> Vec<Open> {
        let (Literal::Call(helper, arguments), depth) = &self.body[place] else {
            unreachable!("only calls are unfolded");
        };
        let predicate = rules.predicate(*helper);
        let mut depth = *depth;
        if predicate.recursive {
            if depth == 0 {
                return Vec::new();
            }
            depth -= 1;
        }
        predicate.clauses.iter().map(|c| self.replaced(place, c, arguments, depth)).collect()
    }

    fn replaced(&self, place: usize, clause: &Clause, arguments: &[Term], depth: usize) -> Open {
        let mut new = self.clone();
        new.body.remove(place);
        let Some(Head::Helper(formals)) = clause.heads.first() else {
            unreachable!("a helper's clause has a helper's head");
        };
        // An argument takes the place of the helper's variable; other variables get new numbers.
        let mut meant: Vec<Option<Term>> = vec![None; clause.variables.len()];
        let mut equations = Vec::new();
        for (formal, argument) in formals.iter().zip(arguments) {
            match formal {
                Term::Var(v) if meant[v.index()].is_none() => {
                    meant[v.index()] = Some(argument.clone());
                }
                _ => equations.push((formal, argument.clone())),
            }
        }
        let mut number = |variable: &Variable| {
            new.variables.push(variable.clone());
            Term::Var(Var((new.variables.len() - 1) as u16))
        };
        let meant: Vec<Term> = meant
            .into_iter()
            .zip(&clause.variables)
            .map(|(term, variable)| term.unwrap_or_else(|| number(variable)))
            .collect();
        for (formal, argument) in equations {
            let formal = in_term(formal, &meant);
            new.body.push((Literal::Compare(Comparison::Equal, argument, formal), 0));
        }
        for goal in &clause.body {
            new.body.push((in_literal(&goal.literal, &meant), depth));
        }
        new
    }

    fn finish(self, relax: bool) -> Flat {
        let mut body = Vec::new();
        for (literal, _) in self.body {
            let relaxed = match literal {
                Literal::Compare(comparison, left, right)
                    if relax && is_scalar(kind_of(&left, &self.variables)) =>
                {
                    match comparison {
                        Comparison::Less | Comparison::Greater => {
                            Some(Literal::Compare(Comparison::Unequal, left, right))
                        }
                        Comparison::AtMost | Comparison::AtLeast => None,
                        _ => Some(Literal::Compare(comparison, left, right)),
                    }
                }
                literal => Some(literal),
            };
            body.extend(relaxed.filter(|literal| !body.contains(literal)));
        }
        let ordered = body.iter().any(|literal| knows_order(literal, &self.variables));
        Flat { heads: self.heads, body, variables: self.variables, ordered }
    }
}

fn is_scalar(kind: Kind) -> bool {
    kind.set().is_some()
}

/// The kind of a term over these variables.
fn kind_of(term: &Term, variables: &[Variable]) -> Kind {
    match term {
        Term::Var(v) => variables[v.index()].kind,
        Term::Cell { .. } => Kind::Cell,
        Term::Digit(_) => Kind::Digit,
        Term::Call(Function::Row | Function::Column | Function::Box, _) => Kind::House,
        Term::Number(_) | Term::Parameter | Term::Arithmetic(..) | Term::Size(_) => Kind::Number,
        _ => Kind::Cells,
    }
}

fn knows_order(literal: &Literal, variables: &[Variable]) -> bool {
    match literal {
        Literal::Compare(comparison, left, _) => {
            !matches!(comparison, Comparison::Equal | Comparison::Unequal)
                && is_scalar(kind_of(left, variables))
        }
        Literal::Not(inner) => knows_order(inner, variables),
        Literal::Forall(_, _, body) => body.iter().any(|inner| knows_order(inner, variables)),
        _ => false,
    }
}

/// The term with each variable replaced by what it means.
fn in_term(term: &Term, meant: &[Term]) -> Term {
    let boxed = |term: &Term| Box::new(in_term(term, meant));
    match term {
        Term::Var(v) => meant[v.index()].clone(),
        Term::Arithmetic(operation, a, b) => Term::Arithmetic(*operation, boxed(a), boxed(b)),
        Term::Size(set) => Term::Size(boxed(set)),
        Term::Set(kind, members) => Term::Set(*kind, in_terms(members, meant)),
        Term::Lone(member) => Term::Lone(boxed(member)),
        Term::CellsOf(house) => Term::CellsOf(boxed(house)),
        Term::Operation(operation, a, b) => Term::Operation(*operation, boxed(a), boxed(b)),
        Term::Call(function, arguments) => Term::Call(*function, in_terms(arguments, meant)),
        Term::Cell { .. }
        | Term::Digit(_)
        | Term::Number(_)
        | Term::Parameter
        | Term::Constant(_) => term.clone(),
    }
}

fn in_terms(terms: &[Term], meant: &[Term]) -> Vec<Term> {
    terms.iter().map(|term| in_term(term, meant)).collect()
}

fn in_literal(literal: &Literal, meant: &[Term]) -> Literal {
    let put = |term: &Term| in_term(term, meant);
    match literal {
        Literal::In(a, b) => Literal::In(put(a), put(b)),
        Literal::Choose(a, b, c) => Literal::Choose(put(a), put(b), put(c)),
        Literal::Within(a, b) => Literal::Within(put(a), put(b)),
        Literal::Compare(comparison, a, b) => Literal::Compare(*comparison, put(a), put(b)),
        Literal::Relation(relation, terms) => Literal::Relation(*relation, in_terms(terms, meant)),
        Literal::Call(helper, terms) => Literal::Call(*helper, in_terms(terms, meant)),
        Literal::Not(inner) => Literal::Not(Box::new(in_literal(inner, meant))),
        Literal::Forall(local, set, body) => {
            let Term::Var(local) = meant[local.index()] else {
                unreachable!("a local variable is no argument");
            };
            let body = body.iter().map(|inner| in_literal(inner, meant)).collect();
            Literal::Forall(local, put(set), body)
        }
    }
}

/// Calls `see` with a term and everything in it.
pub fn each_term(term: &Term, see: &mut dyn FnMut(&Term)) {
    see(term);
    match term {
        Term::Arithmetic(_, a, b) | Term::Operation(_, a, b) => {
            each_term(a, see);
            each_term(b, see);
        }
        Term::Size(inner) | Term::Lone(inner) | Term::CellsOf(inner) => each_term(inner, see),
        Term::Set(_, terms) | Term::Call(_, terms) => {
            terms.iter().for_each(|term| each_term(term, see));
        }
        Term::Var(_)
        | Term::Cell { .. }
        | Term::Digit(_)
        | Term::Number(_)
        | Term::Parameter
        | Term::Constant(_) => {}
    }
}

/// Calls `see` with every term of a literal.
pub fn each_term_of(literal: &Literal, see: &mut dyn FnMut(&Term)) {
    match literal {
        Literal::In(a, b) | Literal::Within(a, b) | Literal::Compare(_, a, b) => {
            each_term(a, see);
            each_term(b, see);
        }
        Literal::Choose(a, b, c) => [a, b, c].into_iter().for_each(|term| each_term(term, see)),
        Literal::Relation(_, terms) | Literal::Call(_, terms) => {
            terms.iter().for_each(|term| each_term(term, see));
        }
        Literal::Not(inner) => each_term_of(inner, see),
        Literal::Forall(_, set, body) => {
            each_term(set, see);
            body.iter().for_each(|inner| each_term_of(inner, see));
        }
    }
}

/// Calls `see` with every variable of a term.
pub fn each_variable(term: &Term, see: &mut dyn FnMut(Var)) {
    each_term(term, &mut |inner| {
        if let Term::Var(v) = inner {
            see(*v);
        }
    });
}

/// The variables of a literal, without those local to a `forall`.
pub fn variables_of(literal: &Literal) -> Vec<Var> {
    let mut found = Vec::new();
    match literal {
        Literal::Not(inner) => found = variables_of(inner),
        Literal::Forall(local, set, body) => {
            each_variable(set, &mut |v| found.push(v));
            found.extend(body.iter().flat_map(variables_of).filter(|v| v != local));
        }
        _ => each_term_of(literal, &mut |term| {
            if let Term::Var(v) = term {
                found.push(*v);
            }
        }),
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The recursive helpers that a body may reach, callees before callers.
pub fn recursive_helpers(rules: &RuleSet, clause: &Clause) -> Vec<PredicateId> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    for goal in &clause.body {
        reach(rules, &goal.literal, &mut seen, &mut found);
    }
    found
}

fn reach(
    rules: &RuleSet,
    literal: &Literal,
    seen: &mut Vec<PredicateId>,
    found: &mut Vec<PredicateId>,
) {
    match literal {
        Literal::Call(helper, _) if !seen.contains(helper) => {
            seen.push(*helper);
            for clause in &rules.predicate(*helper).clauses {
                for goal in &clause.body {
                    reach(rules, &goal.literal, seen, found);
                }
            }
            if rules.predicate(*helper).recursive {
                found.push(*helper);
            }
        }
        Literal::Not(inner) => reach(rules, inner, seen, found),
        Literal::Forall(_, _, body) => {
            body.iter().for_each(|inner| reach(rules, inner, seen, found));
        }
        _ => {}
    }
}

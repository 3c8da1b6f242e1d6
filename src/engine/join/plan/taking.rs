//! Clauses with `for` of which only the matches that take away a candidate given are looked for.

use crate::language::{Clause, Comparison, Goal, Head, Kind, Literal, Term, Var, Variable};

/// The clause with two more variables, a cell and a digit, that its conclusion must take away.
///
/// `eliminate(S, Z) for Z in Ds :- …` becomes `eliminate(S, Z) for Z in Ds :- …, D in Ds, C in S'`
/// where S' is S with D in the place of Z: so what C and D say of the other variables is known from
/// the start, and yet Z goes through all that a match concludes. Nothing for other conclusions.
pub(in crate::engine::join) fn taking(clause: &Clause) -> Option<Clause> {
    let [Head::Each(head, generator)] = &clause.heads[..] else { return None };
    let Head::Eliminate(cells, Term::Lone(digit)) = &**head else { return None };
    let is_plain = |literal: &Literal| literal.locals().is_empty() && literal.inside().is_empty();
    if !generator.conditions.iter().all(is_plain) {
        return None;
    }
    let mut asking = clause.clone();
    let mut add = |kind: Kind| {
        asking.variables.push(Variable { name: "_".to_string(), kind });
        Term::Var(Var(asking.variables.len() as u16 - 1))
    };
    let (cell, given) = (add(Kind::Cell), add(Kind::Digit));
    // What stands for the variables of `for` in the way that takes the candidate away.
    let mut other = |(v, kind): &(Var, Kind)| {
        let is_digit = **digit == Term::Var(*v);
        (*v, if is_digit { given.clone() } else { add(*kind) })
    };
    let others: Vec<(Var, Term)> = generator.locals.iter().map(&mut other).collect();
    let put = |term: &Term| {
        term.map(&|term| {
            let is_it = |(v, _): &&(Var, Term)| term == Term::Var(*v);
            others.iter().find(is_it).map_or_else(|| term.clone(), |(_, other)| other.clone())
        })
    };
    let conditions = generator.conditions.iter().map(|condition| condition.map(&put, &|v| v));
    let mut further: Vec<Literal> = conditions.collect();
    if put(digit) != given {
        further.push(Literal::Compare(Comparison::Equal, put(digit), given.clone()));
    }
    further.push(Literal::In(cell, put(cells)));
    asking.body.extend(further.into_iter().map(|literal| Goal { literal, span: clause.span }));
    Some(asking)
}

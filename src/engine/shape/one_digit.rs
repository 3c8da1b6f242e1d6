//! Clauses that look at one digit at a time.

use crate::language::{Clause, Function, Head, Literal, PredicateId, Relation, RuleSet, Term, Var};

/// The digit that a clause takes away, if what it says of a digit hangs on nothing else of a state
/// but where that digit is possible, and which cells are open.
pub fn one_digit(rules: &RuleSet, clause: &Clause) -> Option<Var> {
    let taken = |head: &Head| match head {
        Head::Eliminate(_, Term::Lone(digit)) => match **digit {
            Term::Var(digit) => Some(digit),
            _ => None,
        },
        _ => None,
    };
    let digit = taken(clause.heads.first()?)?;
    let is_alone = clause.heads.iter().all(|head| taken(head) == Some(digit))
        && looks_only_at(rules, clause, digit, &mut Vec::new());
    is_alone.then_some(digit)
}

/// Whether a clause looks at no other digit than the variable's. Of the helpers in `known` that is
/// known, or about to be: by the column that the digit stands in.
fn looks_only_at(
    rules: &RuleSet,
    clause: &Clause,
    digit: Var,
    known: &mut Vec<(PredicateId, usize)>,
) -> bool {
    let digit = Term::Var(digit);
    let mut only = true;
    // `D in missing(H)` asks of one digit, all else about digits that are missing of all.
    let (mut missing, mut asked) = (0, 0);
    clause.each_term(&mut |term| match term {
        Term::Call(Function::Candidates, _) => only = false,
        Term::Call(Function::Spots, terms) => {
            only &= matches!(&terms[0], Term::Lone(of) if **of == digit);
        }
        Term::Call(Function::Missing, _) => missing += 1,
        _ => {}
    });
    let mut look = |literal: &Literal| match literal {
        Literal::In(of, Term::Call(Function::Missing, _)) if *of == digit => asked += 1,
        Literal::Relation(Relation::Live, terms) => only &= terms[1] == digit,
        Literal::Call(helper, terms) => {
            let column = terms.iter().position(|term| *term == digit);
            only &= column.is_some_and(|column| helper_does(rules, *helper, column, known));
        }
        Literal::Traced(..) | Literal::Suppose(_) => only = false,
        _ => {}
    };
    clause.conditions().for_each(|literal| literal.each(&mut look));
    only && missing == asked
}

/// The same of the clauses of a helper, and the digit in a column.
fn helper_does(
    rules: &RuleSet,
    helper: PredicateId,
    column: usize,
    known: &mut Vec<(PredicateId, usize)>,
) -> bool {
    if known.contains(&(helper, column)) {
        return true;
    }
    known.push((helper, column));
    rules.predicate(helper).clauses.iter().all(|clause| match clause.formals()[column] {
        Term::Var(digit) => looks_only_at(rules, clause, digit, known),
        _ => false,
    })
}

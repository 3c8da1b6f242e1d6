//! What is hard about a rule file: so that a run can say that all of it was there.

use dokulog::language::{Clause, Kind, Literal, Origin, Predicate, RuleSet, Term};

/// What a rule may have.
pub const SORTS: [&str; 8] = [
    "recursion over cells and digits",
    "recursion over numbers",
    "recursion over sets",
    "helpers that call recursive ones",
    "sizes computed",
    "arithmetic at its bounds",
    "not",
    "forall",
];

/// The numbers from which on something may turn over.
const LARGE: i64 = 999;

/// Which of [`SORTS`] the user's rules have, themselves or in the helpers that they use.
pub fn sorts(rules: &RuleSet) -> [bool; 8] {
    let own = rules.rules().iter().filter(|rule| rule.origin == Origin::User);
    let clauses: Vec<&Clause> = own.flat_map(|rule| &rule.clauses).collect();
    let helpers: Vec<&Predicate> = rules
        .reachable(clauses.iter().flat_map(|clause| clause.calls()))
        .into_iter()
        .map(|helper| rules.predicate(helper))
        .collect();
    let recursive = |kinds: fn(&Kind) -> bool| {
        helpers.iter().any(|helper| helper.recursive && helper.kinds.iter().any(kinds))
    };
    let is_set = |kind: &Kind| matches!(kind, Kind::Cells | Kind::Digits | Kind::Houses);
    let calls_recursive = |helper: &&Predicate| {
        let mut calls = helper.clauses.iter().flat_map(Clause::calls);
        !helper.recursive && calls.any(|callee| rules.predicate(callee).recursive)
    };
    let (mut computed, mut large, mut not, mut forall) = (false, false, false, false);
    let all = clauses.into_iter().chain(helpers.iter().flat_map(|helper| &helper.clauses));
    for clause in all {
        clause.each_term(&mut |term| large |= matches!(term, Term::Number(n) if *n >= LARGE));
        for goal in &clause.body {
            goal.literal.each(&mut |literal| match literal {
                Literal::Choose(_, least, most, _) => {
                    let fixed = |size: &Term| matches!(size, Term::Number(_) | Term::Parameter);
                    computed |= !fixed(least) || !fixed(most);
                }
                Literal::Not(_) => not = true,
                Literal::Forall(..) => forall = true,
                _ => {}
            });
        }
    }
    [
        recursive(|kind| matches!(kind, Kind::Cell | Kind::Digit)),
        recursive(|kind| *kind == Kind::Number),
        recursive(is_set),
        helpers.iter().any(calls_recursive),
        computed,
        large,
        not,
        forall,
    ]
}

//! What the matcher makes of a rule, to be held against what the prover says of it.

use std::collections::BTreeSet;

use dokulog::board::{Candidate, Digit};
use dokulog::engine::{Deducer, Engine};
use dokulog::language::{Clause, Head, RuleSet};
use dokulog::proof::{Claim, Counterexample, puzzle_of};
use dokulog::search::plain;
use dokulog::trace::Match;

/// What the matches of an instance claim. A rule that only places eliminates by placing what is
/// impossible; the proof asks of such a rule what it places.
pub fn claims(rules: &RuleSet, instance: usize, matches: &[Match]) -> BTreeSet<Claim> {
    let clauses = &rules.rule(rules.instances()[instance].rule).clauses;
    let mut heads = clauses.iter().flat_map(|clause| &clause.heads);
    let only_places = heads.all(|head| matches!(head, Head::Place(..)));
    let mut claims = BTreeSet::new();
    for Match { conclusion, .. } in matches {
        claims.extend(conclusion.places.iter().map(|&c| Claim::Place(c)));
        if !only_places {
            claims.extend(conclusion.eliminates.iter().map(|&c| Claim::Eliminate(c)));
        }
        claims.extend(conclusion.contradiction.then_some(Claim::Contradiction));
    }
    claims
}

/// Whether a rule uses a recursive helper, which the claims unfold only so far.
pub fn is_recursive(rules: &RuleSet, instance: usize) -> bool {
    let clauses = &rules.rule(rules.instances()[instance].rule).clauses;
    let helpers = rules.reachable(clauses.iter().flat_map(Clause::calls));
    helpers.into_iter().any(|helper| rules.predicate(helper).recursive)
}

/// The counterexample is one, by an enumerator and an evaluator that the prover does not use.
pub fn is_counterexample(rules: &RuleSet, instance: usize, shown: &Counterexample) {
    let layout = shown.state.layout();
    let puzzle = puzzle_of(&shown.state).expect("givens that do not clash").digits();
    let mut solutions = Vec::new();
    plain::each_solution(layout, &puzzle, &mut |found| {
        solutions.push(found.to_vec());
        solutions.len() < 2
    });
    if shown.unique {
        assert!(solutions.len() == 1 && solutions[0] == shown.solution);
    }
    for cell in layout.all_cells() {
        let digit = Digit::new(shown.solution[cell.index()] as usize);
        assert!(shown.state.is_possible(Candidate { cell, digit }), "the state has the solution");
    }
    // Of millions of matches the engine lists some, and says so.
    let mut worker = Engine::assuming_unique(rules, layout).worker();
    let found = worker.matches(instance, &shown.state);
    let is_found = found.contains(&shown.found) || worker.cut_off().contains(&instance);
    let (wanted, count) = (&shown.found, found.len());
    assert!(
        is_found,
        "{wanted:?} is not among the {count} matches of the engine\n{:?}",
        shown.state
    );
    let holds = |c: &Candidate| shown.solution[c.cell.index()] as usize == c.digit.number();
    let concluded = &shown.found.conclusion;
    match shown.wrong {
        Claim::Place(c) => assert!(concluded.places.contains(&c) && !holds(&c)),
        Claim::Eliminate(c) => assert!(concluded.eliminates.contains(&c) && holds(&c)),
        Claim::Contradiction => assert!(concluded.contradiction),
    }
}

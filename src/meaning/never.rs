//! Conditions that nothing on a layout makes true, whatever the state.

use crate::board::{Houses, Layout};
use crate::language::{ConstantSet, Literal, Relation, Term, Var};

use super::scene::Scene;

/// Whether conditions never hold together on a layout, as one of them asks for houses of a kind, or
/// for digits that exclude each other, where there are none. Nothing is said of the others.
pub fn never_holds(conditions: &[&Literal], layout: &Layout, parameter: Option<i64>) -> bool {
    let scene = Scene::without_state(layout, parameter, 0);
    let is_empty = |set: &Var| {
        conditions.iter().any(|condition| match condition {
            Literal::Collect(collected, _, generator) => {
                let inside: Vec<&Literal> = generator.conditions.iter().collect();
                collected == set && never_holds(&inside, layout, parameter)
            }
            _ => false,
        })
    };
    let houses = |set: &Term| match set {
        Term::Var(set) => is_empty(set).then_some(Houses::EMPTY),
        set if names_houses(set) => scene.houses(set),
        _ => None,
    };
    conditions.iter().any(|condition| match condition {
        Literal::In(_, set) => houses(set).is_some_and(|houses| houses.is_empty()),
        Literal::Choose(_, least @ (Term::Number(_) | Term::Parameter), _, set) => {
            let least = scene.number(least);
            houses(set).zip(least).is_some_and(|(houses, least)| (houses.len() as i64) < least)
        }
        Literal::Relation(Relation::Excludes, _) => layout.parts().excluded.is_empty(),
        _ => false,
    })
}

/// Whether a term is made of the kinds of houses alone: `houses \ lines`.
fn names_houses(term: &Term) -> bool {
    match term {
        Term::Constant(ConstantSet::Digits | ConstantSet::Unsolved) => false,
        Term::Constant(_) => true,
        Term::Operation(_, left, right) => names_houses(left) && names_houses(right),
        _ => false,
    }
}

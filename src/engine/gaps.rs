//! Families of rules with a size left out.
//!
//! Sets of N things with N partners have one end whatever the order only if all smaller sizes are
//! there too: a pair that is not looked for may hide in a triple, or not, as chance has it.

use crate::board::Layout;
use crate::language::RuleSet;

use super::shape::{self, Hall, Incidence, Shape};

/// An instance whose smaller sizes are missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The instance's place in [`RuleSet::instances`].
    pub instance: usize,
    /// The sizes from 2 that no instance of the same shape has.
    pub missing: Vec<usize>,
}

/// The gaps of a rule set, in firing order. Shapes tell families, so a rule under another name
/// fills a gap too.
pub fn gaps(rules: &RuleSet, layout: &Layout) -> Vec<Gap> {
    let mut halls: Vec<(usize, Hall)> = Vec::new();
    for (place, instance) in rules.instances().iter().enumerate() {
        for clause in &rules.rule(instance.rule).clauses {
            if let Some(Shape::Hall(hall)) =
                shape::recognise_hall(clause, layout, instance.parameter)
            {
                halls.push((place, hall));
            }
        }
    }
    let mut found: Vec<Gap> = Vec::new();
    for (instance, hall) in &halls {
        let has = |size: &usize| {
            halls
                .iter()
                .any(|(_, other)| other.size == *size && covers(other.incidence, hall.incidence))
        };
        let missing: Vec<usize> = (2..hall.size).filter(|size| !has(size)).collect();
        if !missing.is_empty() && found.iter().all(|gap| gap.instance != *instance) {
            found.push(Gap { instance: *instance, missing });
        }
    }
    found
}

/// Whether one looks wherever the other does.
fn covers(one: Incidence, other: Incidence) -> bool {
    match (one, other) {
        (Incidence::Cells(a), Incidence::Cells(b)) => b.within(&a),
        (Incidence::Digits(a), Incidence::Digits(b)) => b.within(&a),
        (
            Incidence::Lines { rows, columns },
            Incidence::Lines { rows: other_rows, columns: other_columns },
        ) => (rows || !other_rows) && (columns || !other_columns),
        _ => false,
    }
}

impl Gap {
    /// The warning in words.
    pub fn sentence(&self, rules: &RuleSet) -> String {
        let sizes: Vec<String> = self.missing.iter().map(usize::to_string).collect();
        format!(
            "{} without size {}: the result may depend on the order of the rules",
            rules.instances()[self.instance].name,
            sizes.join(" and ")
        )
    }
}

//! How an instance is run: the back end that its clauses' shapes allow, for one layout.

use crate::board::{HouseKind, Houses, Layout};
use crate::language::{Instance, RuleSet};

use super::fit::Unfit;
use super::shape::{self, Effect, Hall, Incidence, KINDS, Locked, Questions, Shape};

/// The back end of an instance.
#[derive(Clone, PartialEq, Debug)]
pub enum Plan {
    /// Questions to the whole board, and what follows for the candidates in the answer.
    Planes(Effect, Questions),
    /// The Hall operator, once a clause.
    Hall(Vec<Hall>),
    /// The generic join, or the naive evaluator where the join has no plan.
    Join,
    /// Not at all: the rule is not for this layout.
    Off(Unfit),
}

impl Plan {
    /// The plan of an instance.
    pub fn new(rules: &RuleSet, instance: &Instance, layout: &Layout) -> Plan {
        if let Some(unfit) = Unfit::find(rules, instance, layout) {
            return Plan::Off(unfit);
        }
        let clauses = &rules.rule(instance.rule).clauses;
        let shapes: Option<Vec<Shape>> = clauses
            .iter()
            .map(|clause| shape::recognise(clause, layout, instance.parameter))
            .collect();
        shapes.and_then(Plan::of_shapes).unwrap_or(Plan::Join)
    }

    fn of_shapes(shapes: Vec<Shape>) -> Option<Plan> {
        let (mut questions, mut halls, mut effects) =
            (Questions::default(), Vec::new(), Vec::new());
        for shape in shapes {
            match shape {
                Shape::Planes(effect, asked) => {
                    questions.join(asked);
                    effects.push(effect);
                }
                Shape::Hall(hall) => halls.push(hall),
            }
        }
        match (&effects[..], &halls[..]) {
            ([], [_, ..]) => Some(Plan::Hall(halls)),
            ([effect, rest @ ..], []) if rest.iter().all(|other| other == effect) => {
                Some(Plan::Planes(*effect, questions))
            }
            _ => None,
        }
    }

    /// The plan of a run that is not to ask the whole board.
    pub fn by_join(&self) -> Plan {
        match self {
            Plan::Off(unfit) => Plan::Off(*unfit),
            _ => Plan::Join,
        }
    }

    /// The plan in words, a line each.
    pub fn describe(&self, layout: &Layout) -> Vec<String> {
        match self {
            Plan::Planes(effect, asked) => describe_questions(*effect, asked, layout),
            Plan::Hall(halls) => halls.iter().map(|hall| describe_hall(hall, layout)).collect(),
            Plan::Join => Vec::new(),
            Plan::Off(unfit) => vec![unfit.to_string()],
        }
    }

    /// The back end's name.
    pub fn back_end(&self) -> &'static str {
        match self {
            Plan::Planes(..) => "plane program",
            Plan::Hall(_) => "Hall operator",
            Plan::Join => "join",
            Plan::Off(_) => "not run",
        }
    }
}

fn describe_questions(effect: Effect, asked: &Questions, layout: &Layout) -> Vec<String> {
    let what = match effect {
        Effect::Place => "place",
        Effect::Eliminate => "eliminate",
    };
    let mut lines = Vec::new();
    if asked.alone_in_cell {
        lines.push(format!("{what} candidates alone in their cell"));
    }
    let kinds = KINDS.into_iter().zip(asked.alone_in_house).filter(|(_, is_asked)| *is_asked);
    let houses = kinds.fold(Houses::EMPTY, |all, (kind, _)| all | layout.houses_of_kind(kind));
    if !houses.is_empty() {
        let houses = families(houses, layout);
        lines.push(format!("{what} candidates alone of their digit in {houses}"));
    }
    let lines_where = |is_asked: fn(&Locked) -> bool| {
        let kinds = KINDS.into_iter().zip(&asked.locked).filter(|(_, locked)| is_asked(locked));
        kinds.fold(Houses::EMPTY, |all, (kind, _)| all | layout.houses_of_kind(kind))
    };
    let boxes = layout.houses_of_kind(HouseKind::Box);
    let to_line = lines_where(|locked| locked.box_to_line);
    let to_box = lines_where(|locked| locked.line_to_box);
    for (from, to) in [(boxes, to_line), (to_box, boxes)] {
        if !from.is_empty() && !to.is_empty() {
            let (from, to) = (families(from, layout), families(to, layout));
            lines.push(format!("{what} in {to}, where {from} hold the digit only where they meet"));
        }
    }
    if !asked.pairs.is_empty() {
        let end = match effect {
            Effect::Place => "so it is the one of the second",
            Effect::Eliminate => "so none in the second",
        };
        let count = asked.pairs.len();
        lines.push(format!("{what} by {count} pairs of cell sets: none in the first, {end}"));
    }
    lines.push("all digits at once".to_string());
    lines
}

fn describe_hall(hall: &Hall, layout: &Layout) -> String {
    let n = hall.size;
    match hall.incidence {
        Incidence::Cells(houses) => {
            format!("{n} cells with at most {n} digits, in {}", families(houses, layout))
        }
        Incidence::Digits(houses) => {
            format!("{n} digits with at most {n} cells, in {}", families(houses, layout))
        }
        Incidence::Lines { rows, columns } => {
            let lines = match (rows, columns) {
                (true, true) => "rows or columns",
                (true, false) => "rows",
                _ => "columns",
            };
            format!("{n} {lines} with at most {n} lines across, for each digit")
        }
    }
}

/// Houses by kind, and how many: `rows, columns and boxes`.
fn families(houses: Houses, layout: &Layout) -> String {
    let mut names = Vec::new();
    for (kind, name) in KINDS.into_iter().zip(["rows", "columns", "boxes", "extra houses"]) {
        let all = layout.houses_of_kind(kind);
        let some = houses & all;
        if some == all && !all.is_empty() {
            names.push(name.to_string());
        } else if !some.is_empty() {
            names.push(format!("{} of the {name}", some.len()));
        }
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

//! How an instance is run: the back end that its clauses' shapes allow, for one layout.

use std::fmt::Write;

use crate::board::simd::BAND;
use crate::board::{Cells, HouseKind, Houses, Layout};
use crate::language::{Instance, RuleSet};

use super::shape::{self, Effect, Hall, Incidence, Pair, Questions, Shape};

/// The back end of an instance.
#[derive(Clone, PartialEq, Debug)]
pub enum Plan {
    /// Questions to the whole board.
    Planes(PlanePlan),
    /// The Hall operator, once a clause.
    Hall(Vec<Hall>),
    /// The generic join, or the naive evaluator where the join has no plan.
    Join,
}

/// Questions to the whole board, one list a clause.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanePlan {
    /// What follows for the candidates in the answer.
    pub effect: Effect,
    /// The questions of each clause.
    pub clauses: Vec<Questions>,
    /// All questions for 9×9 registers; nothing on other layouts.
    pub nine: Option<NineQuestions>,
}

/// [`Questions`] as whole families of houses, for the 9×9 board in registers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NineQuestions {
    /// Candidates alone in their cell.
    pub lone_in_cell: bool,
    /// Candidates alone in a row, a column or a box.
    pub lone_in_house: bool,
    /// Candidates outside a box on a row that the box is locked to; the same by columns.
    pub box_to_line: [bool; 2],
    /// Candidates outside a row in a box that the row is locked to; the same by columns.
    pub line_to_box: [bool; 2],
    /// All else: cells by band.
    pub pairs: Vec<([u32; 3], [u32; 3])>,
}

impl Plan {
    /// The plan of an instance.
    pub fn new(rules: &RuleSet, instance: &Instance, layout: &Layout) -> Plan {
        let clauses = &rules.rule(instance.rule).clauses;
        let shapes: Option<Vec<Shape>> = clauses
            .iter()
            .map(|clause| shape::recognise(clause, layout, instance.parameter))
            .collect();
        shapes.and_then(|shapes| Plan::of_shapes(shapes, layout)).unwrap_or(Plan::Join)
    }

    fn of_shapes(shapes: Vec<Shape>, layout: &Layout) -> Option<Plan> {
        let (mut questions, mut halls, mut effects) = (Vec::new(), Vec::new(), Vec::new());
        for shape in shapes {
            match shape {
                Shape::Planes(effect, asked) => {
                    questions.push(asked);
                    effects.push(effect);
                }
                Shape::Hall(hall) => halls.push(hall),
            }
        }
        match (&effects[..], &halls[..]) {
            ([], [_, ..]) => Some(Plan::Hall(halls)),
            ([effect, rest @ ..], []) if rest.iter().all(|other| other == effect) => {
                let nine = if layout.is_classic_nine() {
                    Some(NineQuestions::new(&questions, layout)?)
                } else {
                    None
                };
                Some(Plan::Planes(PlanePlan { effect: *effect, clauses: questions, nine }))
            }
            _ => None,
        }
    }

    /// The plan in words, a line each.
    pub fn describe(&self, layout: &Layout) -> Vec<String> {
        match self {
            Plan::Planes(planes) => planes.describe(layout),
            Plan::Hall(halls) => halls.iter().map(|hall| describe_hall(hall, layout)).collect(),
            Plan::Join => Vec::new(),
        }
    }

    /// The back end's name.
    pub fn back_end(&self) -> &'static str {
        match self {
            Plan::Planes(_) => "plane program",
            Plan::Hall(_) => "Hall operator",
            Plan::Join => "join",
        }
    }
}

impl NineQuestions {
    /// All questions of these clauses; nothing if a question is only about some houses.
    fn new(clauses: &[Questions], layout: &Layout) -> Option<NineQuestions> {
        let mut nine = NineQuestions::default();
        for asked in clauses {
            nine.lone_in_cell |= asked.lone_in_cell;
            if asked.lone_in_house == layout.all_houses() {
                nine.lone_in_house = true;
            } else if !asked.lone_in_house.is_empty() {
                return None;
            }
            let mut locked = asked.locked.clone();
            for (by, line) in [HouseKind::Row, HouseKind::Column].into_iter().enumerate() {
                for (from, to) in [(HouseKind::Box, line), (line, HouseKind::Box)] {
                    let is_family =
                        |pair: &(_, _)| layout.kind(pair.0) == from && layout.kind(pair.1) == to;
                    if locked.iter().filter(|pair| is_family(pair)).count() == 27 {
                        locked.retain(|pair| !is_family(pair));
                        let family = if from == HouseKind::Box {
                            &mut nine.box_to_line
                        } else {
                            &mut nine.line_to_box
                        };
                        family[by] = true;
                    }
                }
            }
            let others = locked.iter().map(|&(from, to)| Pair {
                empty: layout.cells(from) - layout.cells(to),
                then: layout.cells(to) - layout.cells(from),
            });
            let pairs = others.chain(asked.pairs.iter().copied());
            nine.pairs.extend(pairs.map(|pair| (bands(pair.empty), bands(pair.then))));
        }
        Some(nine)
    }
}

/// The 81 cells as three bands of 27 bits.
fn bands(cells: Cells) -> [u32; 3] {
    let bits = cells.words()[0] as u128 | (cells.words()[1] as u128) << 64;
    std::array::from_fn(|band| (bits >> (27 * band)) as u32 & BAND)
}

impl PlanePlan {
    fn describe(&self, layout: &Layout) -> Vec<String> {
        let what = match self.effect {
            Effect::Place => "place",
            Effect::Eliminate => "eliminate",
        };
        let mut lines = Vec::new();
        for asked in &self.clauses {
            if asked.lone_in_cell {
                lines.push(format!("{what} candidates alone in their cell"));
            }
            if !asked.lone_in_house.is_empty() {
                let houses = families(asked.lone_in_house, layout);
                lines.push(format!("{what} candidates alone of their digit in {houses}"));
            }
            if !asked.locked.is_empty() {
                let from: Houses = asked.locked.iter().map(|pair| pair.0).collect();
                let to: Houses = asked.locked.iter().map(|pair| pair.1).collect();
                lines.push(format!(
                    "{what} in {}, where {} hold the digit only where they meet ({} pairs)",
                    families(to, layout),
                    families(from, layout),
                    asked.locked.len()
                ));
            }
            if !asked.pairs.is_empty() {
                lines.push(format!(
                    "{what} by {} pairs of cell sets: none in the first, so none in the second",
                    asked.pairs.len()
                ));
            }
        }
        lines.push("all digits at once".to_string());
        lines
    }
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
    let kinds = [
        (HouseKind::Row, "rows"),
        (HouseKind::Column, "columns"),
        (HouseKind::Box, "boxes"),
        (HouseKind::Extra, "extra houses"),
    ];
    for (kind, name) in kinds {
        let all = layout.houses_of_kind(kind);
        let some = houses & all;
        if !some.is_empty() {
            let mut text = String::new();
            if some != all {
                let _ = write!(text, "{} of the ", some.len());
            }
            names.push(text + name);
        }
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

//! Links between candidates, or between groups of them.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::board::Candidate;
use crate::language::Line;

use super::super::marks::{self, Marks};
use super::{Picture, number};

/// How two candidates are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// One of the two is true.
    Strong,
    /// Not both are true.
    Weak,
    /// They belong together.
    Group,
    /// What an end of the chain takes away.
    Effect,
}

/// What the ends of a chain take away.
pub(super) fn effects(marks: &Marks) -> Vec<marks::Link> {
    let is_chain = marks.links.iter().any(|link| link.line == Line::Strong);
    let (Some(first), Some(last), true) = (marks.links.first(), marks.links.last(), is_chain)
    else {
        return Vec::new();
    };
    // A ring takes away along its links, not at its ends.
    let ends = [&first.from, &last.to].into_iter().filter(|_| first.from != last.to);
    let effect = |end: &BTreeSet<Candidate>, struck: Candidate| marks::Link {
        from: end.clone(),
        to: BTreeSet::from([struck]),
        line: Line::Weak,
    };
    ends.flat_map(|end| marks.struck.iter().map(move |&struck| effect(end, struck))).collect()
}

impl Picture<'_> {
    /// All links, the groups that they join, and what the ends of a chain take away.
    pub(super) fn links(&self, marks: &Marks) -> String {
        let mut svg = String::new();
        let groups: BTreeSet<&BTreeSet<Candidate>> =
            marks.links.iter().flat_map(|link| [&link.from, &link.to]).collect();
        for group in groups.into_iter().filter(|group| group.len() > 1) {
            self.capsule(group, &mut svg);
        }
        let layout = &self.words.layout;
        for link in &marks.links {
            let sort = match link.line {
                Line::Strong => Link::Strong,
                Line::Weak => Link::Weak,
                Line::Group => Link::Group,
            };
            if let Some((from, to)) = link.ends(layout).filter(|(from, to)| from != to) {
                self.link(from, to, sort, &mut svg);
            }
        }
        for link in effects(marks) {
            if let Some((from, to)) = link.ends(layout) {
                self.link(from, to, Link::Effect, &mut svg);
            }
        }
        svg
    }

    /// A band around candidates of one digit on a line, or around each where they are not.
    fn capsule(&self, group: &BTreeSet<Candidate>, svg: &mut String) {
        let spots: Vec<(f64, f64)> = group.iter().map(|&candidate| self.at(candidate)).collect();
        let edge = |pick: fn(&(f64, f64)) -> f64, least: bool| {
            let all = spots.iter().map(pick);
            if least { all.fold(f64::MAX, f64::min) } else { all.fold(f64::MIN, f64::max) }
        };
        let (left, right) = (edge(|p| p.0, true), edge(|p| p.0, false));
        let (top, bottom) = (edge(|p| p.1, true), edge(|p| p.1, false));
        if right - left > 0.5 && bottom - top > 0.5 {
            return;
        }
        let r = self.radius() + 3.5;
        let (x, y) = (number(left - r), number(top - r));
        let (w, h) = (number(right - left + 2.0 * r), number(bottom - top + 2.0 * r));
        let r = number(r);
        let _ = write!(
            svg,
            "<rect class=\"capsule\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\"/>"
        );
    }

    /// An arrow between two candidates, bent so that it misses those between them.
    fn link(&self, from: Candidate, to: Candidate, link: Link, svg: &mut String) {
        let ((x0, y0), (x1, y1)) = (self.at(from), self.at(to));
        let (dx, dy) = (x1 - x0, y1 - y0);
        let length = (dx * dx + dy * dy).sqrt().max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let bend = match link {
            Link::Effect | Link::Group => 0.0,
            _ if from.cell == to.cell => 0.0,
            _ => (length * 0.12).min(self.cell * 0.5),
        };
        let (mx, my) = ((x0 + x1) / 2.0 - uy * bend, (y0 + y1) / 2.0 + ux * bend);
        let edge = self.radius() + 1.0;
        let (sx, sy) = (number(x0 + ux * edge), number(y0 + uy * edge));
        // The head points where the bent line ends.
        let (tx, ty) = (x1 - mx, y1 - my);
        let along = (tx * tx + ty * ty).sqrt().max(1.0);
        let (tx, ty) = (tx / along, ty / along);
        let (hx, hy) = (x1 - tx * edge, y1 - ty * edge);
        let (long, half) = match link {
            Link::Strong => (6.5, 3.2),
            Link::Weak => (4.5, 2.6),
            Link::Effect | Link::Group => (0.0, 0.0),
        };
        let long = if length < 2.0 * edge + long { (length - 2.0 * edge).max(2.0) } else { long };
        let base = if link == Link::Strong { long } else { 0.0 };
        let (ex, ey) = (number(hx - tx * base), number(hy - ty * base));
        let (mx, my) = (number(mx), number(my));
        let (class, head) = match link {
            Link::Strong => ("link", "head"),
            Link::Weak => ("link weak", "weak-head"),
            Link::Group => ("link group", ""),
            Link::Effect => ("effect", ""),
        };
        let _ = write!(svg, "<path class=\"{class}\" d=\"M{sx} {sy}Q{mx} {my} {ex} {ey}\"/>");
        if !head.is_empty() {
            let wing = |side: f64| {
                let (x, y) = (hx - tx * long - ty * half * side, hy - ty * long + tx * half * side);
                format!("{} {}", number(x), number(y))
            };
            let (left, right, x, y) = (wing(1.0), wing(-1.0), number(hx), number(hy));
            let close = if link == Link::Strong { "z" } else { "" };
            let _ = write!(svg, "<path class=\"{head}\" d=\"M{left}L{x} {y}L{right}{close}\"/>");
        }
    }
}

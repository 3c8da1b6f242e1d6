//! The sets and conditions of a layout, tried with every cell and digit.

use crate::board::{Candidate, Cell, Cells, Digit, Layout, Parts};
use crate::language::layout::{
    Asked, Check, Claim, Places as Written, VARIABLES, cell_variables, digit_variables,
};
use crate::language::{Diagnostic, Span, Term, Var};
use crate::meaning::{Scene, Value};

use super::{sorted, wrong};

/// Combinations of cells and digits that a layout may try.
const MOST_TRIES: usize = 5_000_000;

/// A layout as far as it is known, and variables for cells and digits.
pub(super) struct Places<'a> {
    layout: &'a Layout,
    scene: Scene<'a>,
    tries: &'a mut usize,
}

impl<'a> Places<'a> {
    pub(super) fn new(layout: &'a Layout, tries: &'a mut usize) -> Places<'a> {
        Places { layout, scene: Scene::without_state(layout, None, VARIABLES), tries }
    }

    /// The cells of a set.
    pub(super) fn cells(&mut self, written: &Written, span: Span) -> Result<Cells, Diagnostic> {
        match written {
            Written::Known(term) => self.scene.cells(term).ok_or_else(|| not_here(span)),
            Written::Both(operation, left, right) => {
                let (left, right) = (self.cells(left, span)?, self.cells(right, span)?);
                Ok(operation.of(left, right))
            }
            Written::Where(checks) => {
                let mut found = Cells::EMPTY;
                for cell in self.layout.all_cells() {
                    self.bind_cell(0, cell);
                    if self.hold(checks, span)? {
                        found.insert(cell);
                    }
                }
                Ok(found)
            }
        }
    }

    fn bind_cell(&mut self, number: usize, cell: Cell) {
        let [own, row, column] = cell_variables(number);
        let number = |index: usize| Some(Value::Number(index as i64 + 1));
        self.scene.bound[own.index()] = Some(Value::Cell(cell));
        self.scene.bound[row.index()] = number(self.layout.row_index(cell));
        self.scene.bound[column.index()] = number(self.layout.column_index(cell));
    }

    fn bind_digit(&mut self, number: usize, digit: Digit) {
        let [own, counted] = digit_variables(number);
        self.scene.bound[own.index()] = Some(Value::Digit(digit));
        self.scene.bound[counted.index()] = Some(Value::Number(digit.number() as i64));
    }

    /// Whether all conditions hold.
    fn hold<'c>(
        &mut self,
        checks: impl IntoIterator<Item = &'c Check>,
        span: Span,
    ) -> Result<bool, Diagnostic> {
        *self.tries += 1;
        if *self.tries > MOST_TRIES {
            let found = wrong(span, "too many combinations of cells and digits to try");
            return Err(found.help("say first where the cells stand: `adjacent(A, B)`"));
        }
        for check in checks {
            let holds = match &check.asked {
                Asked::Plain(literal) => self.scene.holds(literal).ok_or_else(|| not_here(span))?,
                Asked::Beside(beside, a, b) => {
                    let place = |term| {
                        let cell = self.scene.cell(term).ok_or_else(|| not_here(span))?;
                        Ok((self.layout.row_index(cell), self.layout.column_index(cell)))
                    };
                    beside.holds(self.layout.size(), place(a)?, place(b)?)
                }
            };
            if holds == check.denied {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds what a clause says to the parts of the layout.
    pub(super) fn claims(
        &mut self,
        claim: &Claim,
        checks: &[Check],
        span: Span,
        parts: &mut Parts,
    ) -> Result<(), Diagnostic> {
        let (of_digits, of_cells): (Vec<&Check>, Vec<&Check>) =
            checks.iter().partition(|check| check.of_digits);
        let (cells, digits): (Vec<&Term>, Vec<&Term>) = match claim {
            Claim::Differ([a, b]) => (vec![a, b], vec![]),
            Claim::Exclude([a, x, b, y]) => (vec![a, b], vec![x, y]),
            Claim::Only(cell, _) => (vec![cell], vec![]),
        };
        let mut ways = Vec::new();
        self.each_cell(&cells, &mut |places| {
            if places.hold(of_cells.iter().copied(), span)? {
                ways.push(places.bound_cells(&cells, span)?);
            }
            Ok(())
        })?;
        for way in ways {
            for (number, cell) in variables(&cells).zip(&way) {
                if let Some(number) = number {
                    self.bind_cell(number, *cell);
                }
            }
            match (claim, &way[..]) {
                (Claim::Differ(_), [a, b]) => {
                    differ(*a, *b, self.layout, span, parts)?;
                }
                (Claim::Only(_, term), [cell]) => {
                    let digits = self.scene.digits(term).ok_or_else(|| not_here(span))?;
                    if digits.is_empty() {
                        return Err(wrong(span, "a cell without any digit"));
                    }
                    parts.only.push((*cell, digits));
                }
                (Claim::Exclude(_), [a, b]) => {
                    self.exclude([*a, *b], &digits, &of_digits, span, parts)?;
                }
                _ => {}
            }
        }
        parts.differ.sort_unstable();
        parts.differ.dedup();
        parts.excluded.sort_unstable();
        parts.excluded.dedup();
        Ok(())
    }

    /// Tries every cell for each variable among the terms.
    fn each_cell(
        &mut self,
        terms: &[&Term],
        see: &mut dyn FnMut(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let Some((first, rest)) = terms.split_first() else { return see(self) };
        let Some(number) = variables(&[first]).next().flatten() else {
            return self.each_cell(rest, see);
        };
        for cell in self.layout.all_cells() {
            self.bind_cell(number, cell);
            self.each_cell(rest, see)?;
        }
        Ok(())
    }

    fn bound_cells(&self, terms: &[&Term], span: Span) -> Result<Vec<Cell>, Diagnostic> {
        terms.iter().map(|term| self.scene.cell(term).ok_or_else(|| not_here(span))).collect()
    }

    fn exclude(
        &mut self,
        [a, b]: [Cell; 2],
        digits: &[&Term],
        checks: &[&Check],
        span: Span,
        parts: &mut Parts,
    ) -> Result<(), Diagnostic> {
        let own = |term: &Term| match term {
            Term::Var(v) => Some((v.index() - digit_variables(0)[0].index()) / 2),
            _ => None,
        };
        let all = |term: &Term| match term {
            Term::Digit(digit) => vec![*digit],
            _ => self.layout.digits().collect(),
        };
        let (xs, ys) = (all(digits[0]), all(digits[1]));
        let same = own(digits[0]).is_some() && own(digits[0]) == own(digits[1]);
        for &x in &xs {
            if let Some(number) = own(digits[0]) {
                self.bind_digit(number, x);
            }
            for &y in ys.iter().filter(|y| !same || **y == x) {
                if let Some(number) = own(digits[1]) {
                    self.bind_digit(number, y);
                }
                let inside = [x, y].iter().all(|d| d.index() < self.layout.size());
                if !inside || !self.hold(checks.iter().copied(), span)? {
                    continue;
                }
                if a == b {
                    let name = self.layout.cell_name(a);
                    return Err(wrong(span, format!("{name} would exclude digits of itself"))
                        .help("add `A != B`"));
                }
                match x == y {
                    true => differ(a, b, self.layout, span, parts)?,
                    false => {
                        let (x, y) =
                            (Candidate { cell: a, digit: x }, Candidate { cell: b, digit: y });
                        parts.excluded.push(sorted(x, y));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Adds a pair that differs.
fn differ(
    a: Cell,
    b: Cell,
    layout: &Layout,
    span: Span,
    parts: &mut Parts,
) -> Result<(), Diagnostic> {
    if a == b {
        let name = layout.cell_name(a);
        let found = wrong(span, format!("{name} would have to differ from itself"));
        return Err(found.help("add `A != B`"));
    }
    parts.differ.push((a.min(b), a.max(b)));
    Ok(())
}

/// The number of the cell variable that each term is, if it is one.
fn variables(terms: &[&Term]) -> impl Iterator<Item = Option<usize>> {
    let number = |term: &&Term| match term {
        Term::Var(Var(v)) => Some(usize::from(*v) / 3),
        _ => None,
    };
    terms.iter().map(number).collect::<Vec<_>>().into_iter()
}

fn not_here(span: Span) -> Diagnostic {
    wrong(span, "this names a cell, a digit or a box that the layout does not have")
}

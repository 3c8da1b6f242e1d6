//! From what is written to steps: names and kinds of a layout's members.

use super::{
    Asked, Check, Claim, LayoutStep, Places, RELATIONS, StepKind, cell_variables, digit_variables,
    key,
};
use crate::board::Digit;
use crate::language::ast::{
    Atom, Clause, Condition, ConditionKind, Expression, ExpressionKind, LayoutMember, Operator,
    Sign,
};
use crate::language::clause::{
    Arithmetic, Comparison, ConstantSet, Function, Kind, Literal, Relation, SetOperation, Term,
};
use crate::language::diagnostic::{Diagnostic, Span};
use crate::language::spelling::nearest;

type Lowered<T> = Result<T, Diagnostic>;

/// A member as a step; what is wrong with it is told.
pub(super) fn step(member: &LayoutMember, diagnostics: &mut Vec<Diagnostic>) -> Option<LayoutStep> {
    let kind = match member {
        LayoutMember::Extends(name, number) => Ok(StepKind::Extends(key(&name.text, *number))),
        LayoutMember::Size(size, _) => Ok(StepKind::Size(*size)),
        LayoutMember::Boxes(height, width, _) => Ok(StepKind::Boxes(*height, *width)),
        LayoutMember::Picture { name, rows, .. } => {
            let rows = rows.iter().map(|row| (row.text.clone(), row.span)).collect();
            Ok(StepKind::Picture(name.as_ref().map(|n| n.text.clone()), rows))
        }
        LayoutMember::House { is_full, name, number, title, set, .. } => {
            let said = match (title, number) {
                (Some(title), _) => title.text.clone(),
                (None, Some(number)) => format!("{} {number}", name.text.replace('_', " ")),
                (None, None) => name.text.replace('_', " "),
            };
            let cells = Scope::default().places(set);
            let house = |cells| StepKind::House { is_full: *is_full, name: said, cells };
            cells.map(house)
        }
        LayoutMember::Clause(clause) => claim(clause),
    };
    match kind {
        Ok(kind) => Some(LayoutStep { kind, span: span(member) }),
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            None
        }
    }
}

/// Where a member stands.
pub(super) fn span(member: &LayoutMember) -> Span {
    match member {
        LayoutMember::Extends(name, _) => name.span,
        LayoutMember::Clause(clause) => clause.span,
        LayoutMember::Size(_, span)
        | LayoutMember::Boxes(_, _, span)
        | LayoutMember::Picture { span, .. }
        | LayoutMember::House { span, .. } => *span,
    }
}

const CLAIMS: [(&str, &str); 3] = [
    ("differ", "differ(A, B) :- …"),
    ("exclude", "exclude(A, X, B, Y) :- …"),
    ("only", "only(C, {…}) :- …"),
];

fn claim(clause: &Clause) -> Lowered<StepKind> {
    let [head] = &clause.heads[..] else {
        return Err(Diagnostic::error("E050", clause.span, "a layout's clause has one head"));
    };
    let atom = &head.atom;
    let Some((_, usage)) = CLAIMS.iter().find(|(name, _)| *name == atom.name.text) else {
        let help = CLAIMS.map(|(_, usage)| format!("`{usage}`")).join(", ");
        let message = format!("a layout has no clauses for `{}`", atom.name.text);
        return Err(Diagnostic::error("E010", atom.name.span, message).help(help));
    };
    if head.each.is_some() {
        return Err(Diagnostic::error("E050", atom.span, "`for` is for the heads of rules"));
    }
    let mut scope = Scope::default();
    let wrong = || {
        let message = format!("`{}` is written `{usage}`", atom.name.text);
        Err(Diagnostic::error("E011", atom.span, message))
    };
    let claim = match (atom.name.text.as_str(), &atom.arguments[..]) {
        ("differ", [a, b]) => Claim::Differ([scope.head_cell(a)?, scope.head_cell(b)?]),
        ("exclude", [a, x, b, y]) => Claim::Exclude([
            scope.head_cell(a)?,
            scope.head_digit(x)?,
            scope.head_cell(b)?,
            scope.head_digit(y)?,
        ]),
        ("only", [cell, digits]) => Claim::Only(scope.head_cell(cell)?, digit_set(digits)?),
        _ => return wrong(),
    };
    let mut checks = Vec::new();
    for condition in &clause.body {
        checks.push(scope.check(condition)?);
    }
    Ok(StepKind::Where(claim, checks))
}

/// `{2, 4}`, or `digits` without some.
fn digit_set(expression: &Expression) -> Lowered<Term> {
    match &expression.kind {
        ExpressionKind::Set(members) => {
            let members = members.iter().map(|member| match member.kind {
                ExpressionKind::Number(number @ 1..=25) => {
                    Ok(Term::Digit(Digit::new(number as usize)))
                }
                _ => Err(mixed(member.span, "a digit")),
            });
            Ok(Term::Set(Kind::Digit, members.collect::<Lowered<_>>()?))
        }
        ExpressionKind::Atom(atom) if atom.name.text == "digits" && atom.arguments.is_empty() => {
            Ok(Term::Constant(ConstantSet::Digits))
        }
        ExpressionKind::Binary(sign, left, right) => {
            let operation = operation(*sign).ok_or_else(|| mixed(expression.span, "digits"))?;
            let (left, right) = (digit_set(left)?, digit_set(right)?);
            Ok(Term::Operation(operation, Box::new(left), Box::new(right)))
        }
        _ => Err(mixed(expression.span, "a set of digits, such as `{2, 4, 6, 8}`")),
    }
}

fn operation(sign: Sign) -> Option<SetOperation> {
    match sign {
        Sign::Plus => Some(SetOperation::Union),
        Sign::And => Some(SetOperation::Intersection),
        Sign::Without => Some(SetOperation::Difference),
        Sign::Minus | Sign::Times => None,
    }
}

fn mixed(span: Span, wanted: &str) -> Diagnostic {
    Diagnostic::error("E020", span, format!("this is not {wanted}"))
}

fn unknown(atom: &Atom, known: &[&str]) -> Diagnostic {
    let message = format!("layouts do not know `{}`", atom.name.text);
    let found = Diagnostic::error("E010", atom.name.span, message);
    match nearest(&atom.name.text, known.iter().copied()) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help(format!("they know {}", known.join(", "))),
    }
}

/// The variables of a clause or of a set.
#[derive(Default)]
struct Scope {
    cells: Vec<String>,
    digits: Vec<String>,
}

impl Scope {
    fn head_cell(&mut self, expression: &Expression) -> Lowered<Term> {
        match &expression.kind {
            ExpressionKind::Variable(name) => {
                if self.cells.contains(name) || self.digits.contains(name) {
                    let message = format!("`{name}` stands twice in the head");
                    let help = "a cell does not differ from itself";
                    return Err(Diagnostic::error("E090", expression.span, message).help(help));
                }
                self.cells.push(name.clone());
                Ok(Term::Var(cell_variables(self.cells.len() - 1)[0]))
            }
            ExpressionKind::Cell(row, column) => Ok(Term::Cell { row: *row, column: *column }),
            _ => Err(mixed(expression.span, "a cell")),
        }
    }

    fn head_digit(&mut self, expression: &Expression) -> Lowered<Term> {
        match &expression.kind {
            ExpressionKind::Variable(name) if self.cells.contains(name) => {
                Err(mixed(expression.span, "a digit"))
            }
            ExpressionKind::Variable(name) => {
                let known = self.digits.iter().position(|known| known == name);
                let place = known.unwrap_or(self.digits.len());
                if known.is_none() {
                    self.digits.push(name.clone());
                }
                Ok(Term::Var(digit_variables(place)[0]))
            }
            ExpressionKind::Number(number @ 1..=25) => {
                Ok(Term::Digit(Digit::new(*number as usize)))
            }
            _ => Err(mixed(expression.span, "a digit")),
        }
    }

    fn cell(&self, expression: &Expression) -> Lowered<Term> {
        match &expression.kind {
            ExpressionKind::Variable(name) => match self.cells.iter().position(|c| c == name) {
                Some(place) => Ok(Term::Var(cell_variables(place)[0])),
                None if self.digits.contains(name) => Err(mixed(expression.span, "a cell")),
                None => Err(unbound(expression.span, name)),
            },
            ExpressionKind::Cell(row, column) => Ok(Term::Cell { row: *row, column: *column }),
            _ => Err(mixed(expression.span, "a cell")),
        }
    }

    /// A set of cells.
    fn places(&self, expression: &Expression) -> Lowered<Places> {
        let span = expression.span;
        Ok(match &expression.kind {
            ExpressionKind::Collected(member, conditions) => {
                let inner = Scope { cells: vec![member.text.clone()], digits: Vec::new() };
                let checks = conditions.iter().map(|condition| inner.check(condition));
                Places::Where(checks.collect::<Lowered<_>>()?)
            }
            ExpressionKind::Binary(sign, left, right) => {
                let operation = operation(*sign).ok_or_else(|| mixed(span, "a set of cells"))?;
                let (left, right) = (self.places(left)?, self.places(right)?);
                Places::Both(operation, Box::new(left), Box::new(right))
            }
            _ => Places::Known(self.known(expression)?),
        })
    }

    /// A set of cells that rules know.
    fn known(&self, expression: &Expression) -> Lowered<Term> {
        const SETS: [&str; 6] = ["cells", "row", "column", "box", "peers", "rectangle_of"];
        let span = expression.span;
        let atom = match &expression.kind {
            ExpressionKind::Set(members) => {
                let members = members.iter().map(|member| self.cell(member));
                return Ok(Term::Set(Kind::Cell, members.collect::<Lowered<_>>()?));
            }
            ExpressionKind::Binary(sign, left, right) => {
                let operation = operation(*sign).ok_or_else(|| mixed(span, "a set of cells"))?;
                let (left, right) = (self.known(left)?, self.known(right)?);
                return Ok(Term::Operation(operation, Box::new(left), Box::new(right)));
            }
            ExpressionKind::Atom(atom) => atom,
            ExpressionKind::Cell(..) => return Ok(Term::Lone(Box::new(self.cell(expression)?))),
            _ => return Err(mixed(span, "a set of cells")),
        };
        let house = |function, cell: &Expression| -> Lowered<Term> {
            Ok(Term::CellsOf(Box::new(Term::Call(function, vec![self.cell(cell)?]))))
        };
        match (atom.name.text.as_str(), &atom.arguments[..]) {
            ("cells", []) => {
                Ok(Term::Call(Function::Cells, vec![Term::Constant(ConstantSet::Rows)]))
            }
            ("row", [cell]) => house(Function::Row, cell),
            ("column", [cell]) => house(Function::Column, cell),
            ("box", [cell]) => house(Function::Box, cell),
            ("peers", [cell]) => Ok(Term::Call(Function::Peers, vec![self.cell(cell)?])),
            ("rectangle_of", [from, to]) => rectangle(from, to),
            (name, _) if SETS.contains(&name) => {
                let message = format!("`{name}` has another number of arguments");
                Err(Diagnostic::error("E011", atom.span, message))
            }
            _ => Err(unknown(atom, &SETS)),
        }
    }

    fn check(&self, condition: &Condition) -> Lowered<Check> {
        let (asked, denied) = match &condition.kind {
            ConditionKind::Not(inner) => {
                let check = self.check(inner)?;
                return Ok(Check { denied: !check.denied, ..check });
            }
            ConditionKind::Atom(atom) => (self.relation(atom)?, false),
            ConditionKind::Binary(Operator::In, left, right) => {
                let (cell, set) = (self.cell(left)?, self.known(right)?);
                (Asked::Plain(Literal::In(cell, set)), false)
            }
            ConditionKind::Binary(Operator::Compare(comparison), left, right) => {
                (Asked::Plain(self.compared(*comparison, left, right)?), false)
            }
            ConditionKind::Binary(Operator::Within, ..) => {
                return Err(mixed(condition.span, "a condition of layouts"));
            }
            ConditionKind::Forall(..)
            | ConditionKind::Exists(..)
            | ConditionKind::Traced(..)
            | ConditionKind::Suppose(_) => {
                let message = "layouts have no `forall`, `exists`, `trace` or `suppose`";
                return Err(Diagnostic::error("E090", condition.span, message));
            }
        };
        let mut of_digits = false;
        if let Asked::Plain(literal) = &asked {
            literal.each_term(&mut |term| {
                of_digits |= matches!(term, Term::Var(v) if *v >= digit_variables(0)[0]);
            });
        }
        Ok(Check { asked, denied, of_digits })
    }

    fn relation(&self, atom: &Atom) -> Lowered<Asked> {
        let [a, b] = &atom.arguments[..] else {
            let known = RELATIONS.map(|(name, ..)| name);
            return Err(match known.contains(&atom.name.text.as_str()) {
                true => Diagnostic::error("E011", atom.span, "this is about two cells"),
                false => unknown(atom, &known),
            });
        };
        let (a, b) = (self.cell(a)?, self.cell(b)?);
        if atom.name.text == "sees" {
            return Ok(Asked::Plain(Literal::Relation(Relation::Sees, vec![a, b])));
        }
        match RELATIONS.iter().find(|(name, ..)| *name == atom.name.text) {
            Some((_, beside, _)) => Ok(Asked::Beside(*beside, a, b)),
            None => Err(unknown(atom, &RELATIONS.map(|(name, ..)| name))),
        }
    }

    /// A comparison of numbers, of cells, or of boxes.
    fn compared(
        &self,
        comparison: Comparison,
        left: &Expression,
        right: &Expression,
    ) -> Lowered<Literal> {
        let of_box = |expression: &Expression| match &expression.kind {
            ExpressionKind::Atom(atom) if atom.name.text == "box" => match &atom.arguments[..] {
                [cell] => Some(self.cell(cell)),
                _ => None,
            },
            _ => None,
        };
        if let (Some(left), Some(right)) = (of_box(left), of_box(right)) {
            let call = |cell| Term::Call(Function::Box, vec![cell]);
            return Ok(Literal::Compare(comparison, call(left?), call(right?)));
        }
        let is_cell = |expression: &Expression| match &expression.kind {
            ExpressionKind::Variable(name) => self.cells.contains(name),
            ExpressionKind::Cell(..) => true,
            _ => false,
        };
        let (left, right) = match is_cell(left) || is_cell(right) {
            true => (self.cell(left)?, self.cell(right)?),
            false => (self.number(left)?, self.number(right)?),
        };
        Ok(Literal::Compare(comparison, left, right))
    }

    fn number(&self, expression: &Expression) -> Lowered<Term> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Number(number) => Ok(Term::Number(*number)),
            ExpressionKind::Variable(name) => match self.digits.iter().position(|d| d == name) {
                Some(place) => Ok(Term::Var(digit_variables(place)[1])),
                None if self.cells.contains(name) => Err(mixed(span, "a number")),
                None => Err(unbound(span, name)),
            },
            ExpressionKind::Atom(atom) => {
                let which = match atom.name.text.as_str() {
                    "row" => 1,
                    "column" => 2,
                    _ => return Err(unknown(atom, &["row", "column"])),
                };
                let [cell] = &atom.arguments[..] else {
                    return Err(Diagnostic::error("E011", atom.span, "this is about one cell"));
                };
                match self.cell(cell)? {
                    Term::Var(v) => Ok(Term::Var(cell_variables(v.index() / 3)[which])),
                    Term::Cell { row, column } => {
                        let number = if which == 1 { row } else { column };
                        Ok(Term::Number(i64::from(number) + 1))
                    }
                    _ => Err(mixed(span, "a number")),
                }
            }
            ExpressionKind::Binary(sign, left, right) => {
                let operation = match sign {
                    Sign::Plus => Arithmetic::Add,
                    Sign::Minus => Arithmetic::Subtract,
                    Sign::Times => Arithmetic::Multiply,
                    Sign::And | Sign::Without => return Err(mixed(span, "a number")),
                };
                let (left, right) = (self.number(left)?, self.number(right)?);
                Ok(Term::Arithmetic(operation, Box::new(left), Box::new(right)))
            }
            _ => Err(mixed(span, "a number")),
        }
    }
}

fn unbound(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("E031", span, format!("nothing says what `{name}` is"))
        .help("conditions of a layout are about the variables of its head, or of its set")
}

/// The cells between two corners.
fn rectangle(from: &Expression, to: &Expression) -> Lowered<Term> {
    let corner = |expression: &Expression| match expression.kind {
        ExpressionKind::Cell(row, column) => Ok((row, column)),
        _ => Err(mixed(expression.span, "a cell by name, such as `r2c2`")),
    };
    let ((top, left), (bottom, right)) = (corner(from)?, corner(to)?);
    let (rows, columns) = (top.min(bottom)..=top.max(bottom), left.min(right)..=left.max(right));
    let cell = |row| columns.clone().map(move |column| Term::Cell { row, column });
    Ok(Term::Set(Kind::Cell, rows.flat_map(cell).collect()))
}

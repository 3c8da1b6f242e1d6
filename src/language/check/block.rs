//! A rule's other members: parameter, level, titles, explanation, examples. E060, W130, W131.

use super::helpers::Helpers;
use super::template;
use crate::board::{Cell, Digit, SIZES};
use crate::language::ast::{self, ExpressionKind, Sign};
use crate::language::clause::{Clause, PredicateId};
use crate::language::diagnostic::{Diagnostic, Span};
use crate::language::rule::{Example, Explanation, Origin, Parameter, Rule, Segment, Template};

/// The level of a rule that names none.
pub(super) const DEFAULT_LEVEL: i32 = 100;

/// The most values a parameter may have.
const VALUES: i64 = 25;

/// The parameter of a rule, if its range makes sense.
pub(super) fn parameter(
    block: &ast::RuleBlock,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Parameter> {
    let found = block.parameter.as_ref()?;
    let name = found.name.text.clone();
    if found.from > found.to || found.to > VALUES {
        let message = match found.from > found.to {
            true => format!("`{name}` has no values"),
            false => format!("`{name}` goes up to {VALUES} at most"),
        };
        diagnostics.push(
            Diagnostic::error("E060", found.span, message)
                .help("write the smaller number first, as in `(N in 2..4)`"),
        );
        return Some(Parameter { name, from: 1, to: 1 });
    }
    Some(Parameter { name, from: found.from, to: found.to })
}

/// Everything of a rule but its clauses, which come checked.
pub(super) fn rule(
    block: &ast::RuleBlock,
    parameter: Option<Parameter>,
    clauses: Vec<Clause>,
    origin: Origin,
    helpers: &Helpers,
    diagnostics: &mut Vec<Diagnostic>,
) -> Rule {
    let mut titles: Vec<Template> = block
        .titles
        .iter()
        .map(|(language, text)| {
            template::read(language.as_ref(), text, parameter.as_ref(), diagnostics)
        })
        .collect();
    if !titles.iter().any(|title| title.language == "en") {
        let name = block.name.text.replace('_', " ");
        let mut letters = name.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        let text = first.into_iter().chain(letters).collect();
        let segments = vec![Segment::Text(text)];
        titles.push(Template { language: "en".to_string(), segments });
    }
    titles.sort_by_key(|title| title.language != "en");
    Rule {
        unfolded: Vec::new(),
        drawings: Vec::new(),
        name: block.name.text.clone(),
        titles,
        levels: levels(block, parameter.as_ref(), diagnostics),
        assumes_unique: assumes(block, diagnostics),
        tags: block.tags.iter().map(|tag| tag.text.clone()).collect(),
        scores: block
            .scores
            .iter()
            .map(|code| template::read(None, code, parameter.as_ref(), diagnostics))
            .collect(),
        explanation: explanation(
            block,
            parameter.as_ref(),
            &clauses,
            origin == Origin::User,
            helpers,
            diagnostics,
        ),
        examples: block.examples.iter().map(|e| example(e, diagnostics)).collect(),
        comment: block.comment.clone(),
        origin,
        span: block.name.span,
        block: block.span,
        clauses,
        parameter,
    }
}

fn assumes(block: &ast::RuleBlock, diagnostics: &mut Vec<Diagnostic>) -> bool {
    for word in block.assumes.iter().filter(|word| word.text != "unique_solution") {
        let message = format!("a rule cannot assume `{}`", word.text);
        diagnostics.push(
            Diagnostic::error("E060", word.span, message)
                .help("the only assumption is `unique_solution`"),
        );
    }
    block.assumes.iter().any(|word| word.text == "unique_solution")
}

fn levels(
    block: &ast::RuleBlock,
    parameter: Option<&Parameter>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<i32> {
    let values: Vec<Option<i64>> = match parameter {
        Some(p) => (p.from..=p.to).map(Some).collect(),
        None => vec![None],
    };
    let Some(level) = block.levels.first() else {
        let message = format!("rule {} has no level", block.name.text);
        diagnostics.push(
            Diagnostic::warning("W131", block.name.span, message)
                .label(format!("it fires last, at level {DEFAULT_LEVEL}"))
                .help("add `level 50.`: lower is easier and fires first"),
        );
        return vec![DEFAULT_LEVEL; values.len()];
    };
    if let Some(second) = block.levels.get(1) {
        let message = format!("rule {} has two levels", block.name.text);
        diagnostics.push(Diagnostic::error("E060", second.span, message).help("keep one of them"));
    }
    let name = parameter.map(|p| p.name.as_str());
    let mut levels = Vec::new();
    for value in values {
        match number(level, name, value) {
            Ok(found) => levels.push(found.clamp(0, 1_000_000) as i32),
            Err(span) => {
                let message = "a level is a number, or arithmetic on the parameter";
                diagnostics.push(
                    Diagnostic::error("E060", span, message)
                        .help("write `level 30.`, or `level 30 + 2*N.`"),
                );
                return vec![DEFAULT_LEVEL];
            }
        }
    }
    if levels.windows(2).any(|pair| pair[1] < pair[0]) {
        let name = name.unwrap_or("N");
        let message = format!("the level falls as {name} grows");
        diagnostics.push(
            Diagnostic::warning("W131", level.span, message)
                .label(levels.iter().map(|l| l.to_string()).collect::<Vec<_>>().join(", "))
                .help(format!("a larger {name} is usually harder: let the level grow")),
        );
    }
    levels
}

/// The value of arithmetic on the parameter, or what is not arithmetic.
fn number(
    expression: &ast::Expression,
    name: Option<&str>,
    value: Option<i64>,
) -> Result<i64, Span> {
    match &expression.kind {
        ExpressionKind::Number(number) => Ok(*number),
        ExpressionKind::Variable(v) if Some(v.as_str()) == name => value.ok_or(expression.span),
        ExpressionKind::Binary(sign, left, right) => {
            let (a, b) = (number(left, name, value)?, number(right, name, value)?);
            match sign {
                Sign::Plus => Ok(a.saturating_add(b)),
                Sign::Minus => Ok(a.saturating_sub(b)),
                Sign::Times => Ok(a.saturating_mul(b)),
                _ => Err(expression.span),
            }
        }
        _ => Err(expression.span),
    }
}

fn explanation(
    block: &ast::RuleBlock,
    parameter: Option<&Parameter>,
    clauses: &[Clause],
    user: bool,
    helpers: &Helpers,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Explanation> {
    let mut sentences = Vec::new();
    let mut trace = Vec::new();
    for explain in &block.explains {
        let sentence =
            template::read(explain.language.as_ref(), &explain.text, parameter, diagnostics);
        for segment in &sentence.segments {
            if let Segment::Variable(name) = segment {
                unbound(name, explain, clauses, diagnostics);
            }
        }
        sentences.push(sentence);
        for atom in &explain.trace {
            trace.extend(traced(atom, clauses, user, helpers, diagnostics));
        }
    }
    sentences.sort_by_key(|sentence| sentence.language != "en");
    (!sentences.is_empty()).then_some(Explanation { sentences, trace })
}

/// Warns when a clause does not bind a variable that the explanation names.
fn unbound(
    name: &str,
    explain: &ast::Explain,
    clauses: &[Clause],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let bound = |clause: &Clause| clause.variables.iter().any(|v| v.name == name && name != "_");
    let missing = clauses.iter().filter(|clause| !bound(clause)).count();
    if missing == 0 {
        return;
    }
    let message = match missing == clauses.len() {
        true => format!("the explanation names `{name}`, which no condition binds"),
        false => format!("the explanation names `{name}`, which not every clause binds"),
    };
    let wanted = format!("{{{name}}}");
    let start = explain.text.text.find(&wanted).unwrap_or(0) as u32;
    let span = Span {
        start: explain.text.span.start + start,
        end: explain.text.span.start + start + wanted.len() as u32,
        ..explain.text.span
    };
    let known: Vec<&str> = clauses
        .iter()
        .flat_map(|clause| clause.variables.iter().map(|v| v.name.as_str()))
        .filter(|name| *name != "_")
        .collect();
    let is_in_some = known.contains(&name);
    let near = crate::language::spelling::nearest(name, known).filter(|_| !is_in_some);
    let help = match near {
        _ if is_in_some => {
            "name only what every clause binds, or make two rules of them".to_string()
        }
        Some(near) => format!("did you mean `{{{near}}}`?"),
        None => "use a variable of the clause".to_string(),
    };
    let remedy = near.map(|near| Box::new((span, format!("{{{near}}}"))));
    let diagnostic = Diagnostic::warning("W130", span, message).help(help);
    diagnostics.push(Diagnostic { remedy, ..diagnostic });
}

fn traced(
    atom: &ast::Atom,
    clauses: &[Clause],
    user: bool,
    helpers: &Helpers,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(PredicateId, Vec<String>)> {
    let name = &atom.name.text;
    let Some(helper) = helpers.called(name, user) else {
        let names = helpers.signatures.iter().map(|s| s.name.as_str());
        let mut diagnostic =
            Diagnostic::error("E010", atom.name.span, format!("there is no helper `{name}`"));
        let near = crate::language::spelling::nearest(name, names);
        diagnostic.help = near.map(|near| format!("did you mean `{near}`?"));
        diagnostic.remedy = near.map(|near| Box::new((atom.name.span, near.to_string())));
        diagnostics.push(diagnostic);
        return None;
    };
    let arity = helpers.signatures[helper].arity;
    if arity != atom.arguments.len() {
        let message = format!("`{name}` has {arity} arguments, not {}", atom.arguments.len());
        diagnostics.push(
            Diagnostic::error("E011", atom.span, message)
                .help(format!("write it as `{}`", helpers.signatures[helper].usage)),
        );
        return None;
    }
    let mut names = Vec::new();
    for argument in &atom.arguments {
        match &argument.kind {
            ExpressionKind::Variable(name) => {
                let bound = clauses.iter().all(|c| c.variables.iter().any(|v| v.name == *name));
                if !bound && name != "_" {
                    let message = format!("`trace` names `{name}`, which no condition binds");
                    diagnostics.push(Diagnostic::warning("W130", argument.span, message));
                }
                names.push(name.clone());
            }
            _ => {
                let message = "`trace` repeats a call of the body, with its variables";
                diagnostics.push(Diagnostic::error("E001", argument.span, message));
                return None;
            }
        }
    }
    Some((PredicateId(helper as u16), names))
}

/// How many rows an example's grid has: that many characters squared, or nine.
fn grid_size(grid: &str) -> usize {
    let characters = grid.chars().filter(|c| !c.is_whitespace()).count();
    SIZES.into_iter().find(|size| size * size == characters).unwrap_or(9)
}

fn example(example: &ast::Example, diagnostics: &mut Vec<Diagnostic>) -> Example {
    let size = grid_size(&example.grid.text);
    let mut checked = Example {
        grid: example.grid.text.clone(),
        places: Vec::new(),
        eliminates: Vec::new(),
        span: example.span,
    };
    for atom in &example.gives {
        let list = match atom.name.text.as_str() {
            "place" => &mut checked.places,
            "eliminate" => &mut checked.eliminates,
            other => {
                let message = format!("an example gives `place` or `eliminate`, not `{other}`");
                diagnostics.push(Diagnostic::error("E060", atom.span, message));
                continue;
            }
        };
        let [cells, digits] = atom.arguments.as_slice() else {
            let message = format!("`{}` has 2 arguments", atom.name.text);
            diagnostics.push(Diagnostic::error("E011", atom.span, message));
            continue;
        };
        let mut bad = None;
        let cells = members(cells, &mut |expression| match expression.kind {
            ExpressionKind::Cell(row, column)
                if (row as usize) < size && (column as usize) < size =>
            {
                Some(Cell::at(row as usize * size + column as usize))
            }
            _ => {
                bad = Some((expression.span, "a cell, such as `r2c4`, is wanted here"));
                None
            }
        });
        let digits = members(digits, &mut |expression| match expression.kind {
            ExpressionKind::Number(number) if (1..=size as i64).contains(&number) => {
                Some(Digit::new(number as usize))
            }
            _ => {
                bad = Some((expression.span, "a digit of the grid is wanted here"));
                None
            }
        });
        if let Some((span, message)) = bad {
            diagnostics.push(Diagnostic::error("E060", span, message));
        }
        for &cell in &cells {
            list.extend(digits.iter().map(|&digit| (cell, digit)));
        }
    }
    checked.places.sort();
    checked.eliminates.sort();
    checked
}

/// The members of a set written out, or the one thing.
fn members<T>(
    expression: &ast::Expression,
    read: &mut impl FnMut(&ast::Expression) -> Option<T>,
) -> Vec<T> {
    match &expression.kind {
        ExpressionKind::Set(members) => members.iter().filter_map(read).collect(),
        _ => read(expression).into_iter().collect(),
    }
}

//! Which variables the body says something about. E030, E031, W100.
//!
//! A cell, digit or house that no condition generates ranges over all of them, so it is enough
//! that it stands in some condition. A set or a number must be given: by `=`, by `in choose`, by
//! `orientation`, by a helper. What stands only under `not` or inside `forall` is not given. A
//! generator's own variables are given by its own conditions.

use super::draft::{Clause, Generator, Goal, Head, Literal, Owner, Shape, Term};
use super::given::Modes;
use super::masks::word;
use super::text::Texts;
use crate::language::clause::{Comparison, Kind};
use crate::language::diagnostic::{Diagnostic, Span};

/// Checks one clause; `owner` is how its rule or helper is called, `quoted` the variables that
/// its explanation names.
pub(super) fn check(
    clause: &Clause,
    kinds: &[Kind],
    modes: Modes,
    (owner, quoted): (&str, &[String]),
    texts: &Texts,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let wanted = modes.wanted;
    let told = super::given::given(clause, wanted);
    let mut given = given(&clause.body, &[], told, kinds, wanted);
    let excused = vec![false; clause.variables.len()];
    let mut generators = Generators { clause, kinds, wanted, excused, diagnostics };
    for goal in &clause.body {
        generators.check(goal, &given);
    }
    for (head, each) in clause.heads.iter().zip(&clause.each) {
        let Some(each) = each else { continue };
        let known = generators.own(each, &given);
        for &v in each.locals.iter().filter(|&&v| !known[v]) {
            if !std::mem::replace(&mut generators.excused[v], true) {
                generators.diagnostics.extend(unlimited(clause, head, (v, kinds[v]), owner));
            }
        }
    }
    let mut excused = generators.excused;
    clause.variables.iter().zip(&mut given).for_each(|(v, given)| *given |= v.local);
    let missing: Vec<usize> =
        (0..given.len()).filter(|&v| !given[v] && !clause.variables[v].local).collect();
    // What waits for another variable is not the cause, unless all wait for each other.
    let waits = |v: usize| clause.body.iter().any(|goal| would_give(goal, v, wanted));
    let causes: Vec<usize> = missing.iter().copied().filter(|&v| !waits(v)).collect();
    if causes.is_empty() && !missing.is_empty() {
        diagnostics.push(circle(clause, &missing, wanted));
    }
    missing.iter().for_each(|&v| excused[v] = true);
    for v in causes {
        let cause = Cause { clause, kinds, modes, v };
        diagnostics.push(cause.mistake(owner, texts, &mut excused));
    }
    if clause.owner == Owner::Goal {
        return;
    }
    for (v, variable) in clause.variables.iter().enumerate() {
        let name = &variable.name;
        if variable.uses.len() == 1
            && !excused[v]
            && !name.starts_with('_')
            && !quoted.contains(name)
        {
            let message = format!("`{name}` is used only once in {owner}");
            diagnostics.push(
                Diagnostic::warning("W100", variable.uses[0], message)
                    .help(format!("write `_` if any will do; is `{name}` a slip otherwise?"))
                    .remedy(variable.uses[0], "_"),
            );
        }
    }
}

/// A variable of a `for` that a head has and nothing limits.
fn unlimited(
    clause: &Clause,
    head: &Head,
    (v, kind): (usize, Kind),
    owner: &str,
) -> Option<Diagnostic> {
    let head = std::slice::from_ref(head);
    let span = in_heads(head, v)?;
    let name = &clause.variables[v].name;
    let message = format!("`{name}` is in a head of {owner} but nothing limits it");
    let help = format!("say something about `{name}` after the `for` or the `:-`");
    Some(Diagnostic::error("E030", span, message).label(effect(head, v, kind)).help(help))
}

/// A variable of which nothing says what it is.
struct Cause<'a> {
    clause: &'a Clause,
    kinds: &'a [Kind],
    modes: Modes<'a>,
    v: usize,
}

impl Cause<'_> {
    /// What is said of it; a variable that was taken for it is excused.
    fn mistake(&self, owner: &str, texts: &Texts, excused: &mut [bool]) -> Diagnostic {
        let Cause { clause, kinds, v, .. } = *self;
        let name = &clause.variables[v].name;
        if let Some(diagnostic) = self.not_given() {
            return diagnostic;
        }
        let (span, place) = first_use(clause, v);
        let head = in_heads(&clause.heads, v).filter(|_| clause.owner != Owner::Goal);
        let (Some(span), Place::Plain) = (head, place) else {
            return self.unsaid(span, place);
        };
        let message =
            format!("`{name}` is in the head of {owner} but nothing in the body limits it");
        let mut diagnostic =
            Diagnostic::error("E030", span, message).label(effect(&clause.heads, v, kinds[v]));
        diagnostic.help = match near_miss(clause, v, kinds, texts) {
            Some((slip, place, help)) => {
                excused[slip] = true;
                diagnostic.remedy = Some(Box::new((place, name.clone())));
                Some(help)
            }
            None => remedy(kinds[v], name),
        };
        diagnostic
    }

    /// A helper must be given it.
    fn not_given(&self) -> Option<Diagnostic> {
        let Cause { clause, kinds, modes, v } = *self;
        let (helper, span) = clause.body.iter().find_map(|goal| asks(goal, v, modes.wanted))?;
        let (helper, name) = (&modes.signatures[helper].name, &clause.variables[v].name);
        let message = format!("`{helper}` must be given `{name}`: nothing says what it is");
        let mut diagnostic = Diagnostic::error("E031", span, message);
        diagnostic.label = word(kinds[v]).to_string();
        diagnostic.help = match name.as_str() {
            "_" => Some("give it a name, and say what it is: `Xs = …`".to_string()),
            name => remedy(kinds[v], name),
        };
        Some(diagnostic)
    }

    /// It stands where nothing is given.
    fn unsaid(&self, span: Span, place: Place) -> Diagnostic {
        let Cause { clause, kinds, v, .. } = *self;
        let name = &clause.variables[v].name;
        let message = match place {
            Place::Not => format!("`{name}` stands only under `not`, so nothing says what it is"),
            Place::Forall => {
                format!("`{name}` stands only inside a generator, so nothing says what it is")
            }
            Place::Plain => format!("nothing says what `{name}` is ({})", word(kinds[v])),
        };
        let mut diagnostic = Diagnostic::error("E031", span, message);
        diagnostic.help = match (place, name.as_str()) {
            (Place::Not, "_") => {
                Some("define a helper without this argument and deny that".to_string())
            }
            (Place::Not | Place::Forall, _) => {
                let example = example(kinds[v], name);
                Some(format!("add a condition that gives it, such as {example}"))
            }
            _ => remedy(kinds[v], name),
        };
        diagnostic
    }
}

/// Which variables conditions give or limit, besides those given already. A cell, digit or house
/// need only stand in a condition, unless it is one of `own`: those must be generated.
/// What a helper must be given, it does not give.
pub(super) fn given(
    goals: &[Goal],
    own: &[usize],
    mut given: Vec<bool>,
    kinds: &[Kind],
    wanted: &[Vec<bool>],
) -> Vec<bool> {
    let scalar = |v: usize| kinds[v].set().is_some();
    for goal in goals {
        for term in goal.literal.terms() {
            term.variables(&mut |v, _| given[v] |= scalar(v) && !own.contains(&v));
        }
    }
    // Definitions may lean on each other, in any order, but not in a circle.
    loop {
        let before = given.clone();
        for goal in goals {
            match &goal.literal {
                Literal::Compare(Comparison::Equal, left, right) => {
                    define(left, right, &mut given);
                    define(right, left, &mut given);
                }
                Literal::Choose(subset, least, most, set)
                    if [least, most, set].into_iter().all(|term| ready(term, &given)) =>
                {
                    give(subset, &mut given);
                }
                Literal::Traced(_, fact, _, goal)
                    if goal.iter().all(|term| ready(term, &given)) =>
                {
                    give_all(fact.iter().map(|term| (term, false)), &mut given);
                }
                Literal::In(member, _) => give(member, &mut given),
                Literal::Relation(_, _, terms) => {
                    give_all(terms.iter().map(|term| (term, false)), &mut given);
                }
                Literal::Call(helper, terms) => {
                    give_all(terms.iter().zip(wanted[*helper].iter().copied()), &mut given);
                }
                Literal::Collect(set, _, generator) => {
                    let mut ready = true;
                    for goal in &generator.goals {
                        let outside = |v: usize| given[v] || generator.locals.contains(&v);
                        goal.variables(&mut |v, _| ready &= outside(v) || scalar(v));
                    }
                    if ready {
                        give(set, &mut given);
                    }
                }
                Literal::Unknown(terms) => {
                    for term in terms {
                        term.variables(&mut |v, _| given[v] = true);
                    }
                }
                _ => {}
            }
        }
        if given == before {
            return given;
        }
    }
}

/// The helper that must be given a variable, and where that stands.
fn asks(goal: &Goal, wanted: usize, modes: &[Vec<bool>]) -> Option<(usize, Span)> {
    if let Literal::Call(helper, terms) = &goal.literal {
        let asked = terms.iter().zip(&modes[*helper]).filter(|(_, given)| **given);
        for (term, _) in asked {
            let mut found = None;
            term.variables(&mut |v, span| found = found.or((v == wanted).then_some(span)));
            if let Some(span) = found {
                return Some((*helper, span));
            }
        }
    }
    goal.literal.inside().find_map(|goal| asks(goal, wanted, modes))
}

/// The generators of a clause under check.
struct Generators<'a> {
    clause: &'a Clause,
    kinds: &'a [Kind],
    /// Which arguments of helpers must be given.
    wanted: &'a [Vec<bool>],
    /// Variables of which nothing more is said.
    excused: Vec<bool>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Generators<'_> {
    /// Checks those in a condition, with what is given around them.
    fn check(&mut self, goal: &Goal, around: &[bool]) {
        match &goal.literal {
            Literal::Not(denied) => self.check(denied, around),
            Literal::Forall(generator, body) => {
                let known = self.own(generator, around);
                self.own(body, &known);
            }
            Literal::Exists(generator) => {
                self.own(generator, around);
            }
            Literal::Collect(_, member, generator) => {
                let known = self.own(generator, around);
                if !known[*member] {
                    let says = |name: &str| format!("nothing says what `{name}` is");
                    self.mistake(*member, goal.span, says, "say it");
                }
            }
            _ => {}
        }
    }

    /// What is given inside a generator; reports those of its own variables that are not.
    fn own(&mut self, generator: &Generator, around: &[bool]) -> Vec<bool> {
        let Generator { goals, locals, .. } = generator;
        let known = given(goals, locals, around.to_vec(), self.kinds, self.wanted);
        for goal in goals {
            let mut missing = Vec::new();
            for term in goal.literal.terms() {
                term.variables(&mut |v, span| missing.push((v, span)));
            }
            missing.retain(|(v, _)| !known[*v] && locals.contains(v));
            for (v, span) in missing {
                let says = |name: &str| {
                    format!("`{name}` stands only inside a generator, and nothing there gives it")
                };
                self.mistake(v, span, says, "add a condition that gives it");
            }
            self.check(goal, &known);
        }
        known
    }

    /// Reports a variable, once.
    fn mistake(&mut self, v: usize, span: Span, says: impl Fn(&str) -> String, advice: &str) {
        if std::mem::replace(&mut self.excused[v], true) {
            return;
        }
        let name = &self.clause.variables[v].name;
        let help = format!("{advice}, such as {}", example(self.kinds[v], name));
        self.diagnostics.push(Diagnostic::error("E031", span, says(name)).help(help));
    }
}

fn define(left: &Term, right: &Term, given: &mut [bool]) {
    if ready(right, given) {
        give(left, given);
    }
}

fn give(term: &Term, given: &mut [bool]) {
    if let Shape::Variable(v) = term.shape {
        given[v] = true;
    }
}

/// What tuples give: variables that stand there alone, once all else, and what is wanted, is known.
fn give_all<'t>(terms: impl Iterator<Item = (&'t Term, bool)> + Clone, given: &mut [bool]) {
    let waits = |(term, wanted): (&Term, bool)| {
        (wanted || !matches!(term.shape, Shape::Variable(_))) && !ready(term, given)
    };
    if !terms.clone().any(waits) {
        terms.for_each(|(term, _)| give(term, given));
    }
}

fn ready(term: &Term, given: &[bool]) -> bool {
    let mut ready = true;
    term.variables(&mut |v, _| ready &= given[v]);
    ready
}

fn in_heads(heads: &[Head], wanted: usize) -> Option<Span> {
    let mut found = None;
    for term in heads.iter().flat_map(Head::terms) {
        term.variables(&mut |v, span| {
            if v == wanted {
                found.get_or_insert(span);
            }
        });
    }
    found
}

/// What the head would do with a variable that can be anything.
fn effect(heads: &[Head], wanted: usize, kind: Kind) -> String {
    let verb = match heads.iter().find(|h| in_heads(std::slice::from_ref(h), wanted).is_some()) {
        Some(Head::Place(..)) => "place",
        Some(Head::Eliminate(..)) => "eliminate",
        _ => "",
    };
    match (verb, kind) {
        ("place", Kind::Digit) => "this would place every digit".to_string(),
        ("place", _) => "this would place in every cell".to_string(),
        ("eliminate", Kind::Digit) => "this would eliminate every digit".to_string(),
        ("eliminate", Kind::Cell) => "this would eliminate from every cell".to_string(),
        ("eliminate", Kind::House) => "this would eliminate in every house".to_string(),
        (_, Kind::Cell | Kind::Digit | Kind::House) => {
            format!("this would be true of every {}", &word(kind)[2..])
        }
        _ => "what is it?".to_string(),
    }
}

/// A condition that gives a variable.
fn example(kind: Kind, name: &str) -> String {
    match kind {
        Kind::Cell => format!("`{name} in unsolved`"),
        Kind::Digit => format!("`{name} in digits`"),
        Kind::House => format!("`{name} in houses`"),
        _ => format!("`{name} = …`"),
    }
}

fn remedy(kind: Kind, name: &str) -> Option<String> {
    match kind {
        Kind::Cell | Kind::Digit | Kind::House => {
            Some(format!("say something about `{name}` after the `:-`"))
        }
        Kind::Number => Some(format!("define it: `{name} = |…|`")),
        _ => Some(format!("define it: `{name} = …`, or `{name} in choose(…, …)`")),
    }
}

/// A call in which a variable used once, or `_`, of the same kind stands: perhaps a slip. The
/// variable, where it stands, and the question to the author.
fn near_miss(
    clause: &Clause,
    wanted: usize,
    kinds: &[Kind],
    texts: &Texts,
) -> Option<(usize, Span, String)> {
    for goal in &clause.body {
        let mut slip = None;
        goal.variables(&mut |v, span| {
            let once = clause.variables[v].uses.len() == 1;
            if once && v != wanted && kinds[v] == kinds[wanted] && slip.is_none() {
                slip = Some((v, span));
            }
        });
        let Some((v, slip)) = slip else { continue };
        let before = texts.line_of(Span { end: slip.start, ..goal.span });
        let after = texts.line_of(Span { start: slip.end, ..goal.span });
        let space = if before.ends_with(',') { " " } else { "" };
        let name = &clause.variables[wanted].name;
        let line = texts.line(goal.span);
        let help = format!("did you mean `{before}{space}{name}{after}` on line {line}?");
        return Some((v, slip, help));
    }
    None
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Plain,
    Not,
    Forall,
}

/// Whether a condition gives a variable once other variables are known.
fn would_give(goal: &Goal, sought: usize, wanted: &[Vec<bool>]) -> bool {
    let is = |term: &Term| matches!(term.shape, Shape::Variable(v) if v == sought);
    match &goal.literal {
        Literal::Compare(Comparison::Equal, left, right) => is(left) || is(right),
        Literal::Choose(subset, ..) => is(subset),
        Literal::Collect(set, _, _) => is(set),
        Literal::Call(helper, terms) => {
            terms.iter().zip(&wanted[*helper]).any(|(term, wanted)| !wanted && is(term))
        }
        _ => false,
    }
}

/// Variables that are defined only by each other.
fn circle(clause: &Clause, missing: &[usize], wanted: &[Vec<bool>]) -> Diagnostic {
    let names: Vec<String> =
        missing.iter().map(|&v| format!("`{}`", clause.variables[v].name)).collect();
    let gives = |goal: &&Goal, v: usize| would_give(goal, v, wanted);
    let calls = |goal: &&Goal| matches!(goal.literal, Literal::Call(..));
    let call = clause.body.iter().filter(calls).find(|g| missing.iter().any(|&v| gives(g, v)));
    let goal = call.or_else(|| clause.body.iter().find(|goal| gives(goal, missing[0])));
    let span = goal.map_or(clause.span, |goal| goal.span);
    let message = match names.as_slice() {
        [one] => format!("{one} is defined by itself"),
        names => format!("{} are defined only by each other", names.join(" and ")),
    };
    Diagnostic::error("E031", span, message).help(match call.is_some() {
        true => "call it with a variable, and compare that: `h(Xs, N), N = |…|`",
        false => "define one of them by something else, such as `candidates(C)`",
    })
}

/// Where a variable first stands in the body, and under what.
fn first_use(clause: &Clause, wanted: usize) -> (Span, Place) {
    fn look(goal: &Goal, wanted: usize, place: Place) -> Option<(Span, Place)> {
        let mut found = None;
        let place = match goal.literal {
            Literal::Not(_) => Place::Not,
            Literal::Forall(..) | Literal::Exists(_) | Literal::Collect(..) => Place::Forall,
            _ => place,
        };
        for term in goal.literal.terms() {
            term.variables(&mut |v, span| {
                if v == wanted {
                    found.get_or_insert((span, place));
                }
            });
        }
        found.or_else(|| goal.literal.inside().find_map(|goal| look(goal, wanted, place)))
    }
    let uses = clause.body.iter().filter_map(|goal| look(goal, wanted, Place::Plain));
    uses.min_by_key(|(span, _)| span.start)
        .unwrap_or((clause.variables[wanted].uses[0], Place::Plain))
}

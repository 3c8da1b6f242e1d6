//! A body as a list of steps, each to be done for every binding that passes those before it.

use crate::language::{Head, Kind, Literal, Relation, Term, Var};

use super::bits::Width;
use super::body::{Body, head_mask, literal_mask, term_mask};
use super::choose::{bound_of, image_of_one, required_of};
use super::compile::{Compiler, HeadTerm, SetTerm};
use super::describe::{self, Names};
use super::effect::{add_effects, upper_bound};
use super::expression::CellsTerm;
use super::order::{Item, definition, order};
use super::sizes::Sizes;
use super::source::{SourceSet, is_ready, source};
use super::step::{Bound, Choose, Pruning, Step};
use super::table::{IndexId, TableId, Tables};
use super::test::Test;
use super::view::Needs;

/// What a plan is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Purpose {
    /// What changes, all matches together.
    Effects,
    /// Each conclusion that changes something.
    Conclusions,
    /// Every match.
    Matches,
    /// The tuples of a helper.
    Tuples,
}

/// A body ready to run.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub steps: Vec<Step>,
    /// For each step, and the end: the last one before it that gives a variable several values.
    pub back: Vec<Option<u16>>,
    /// From this step on one solution is enough.
    pub settled: usize,
    /// Whether no two solutions have the same heads: every variable bound before the heads are
    /// known is one of theirs.
    pub distinct: bool,
    pub heads: Vec<HeadTerm>,
    pub needs: Needs,
    /// The indices that must be there.
    pub indices: Vec<IndexId>,
    /// Where each variable of the clause is kept; nothing for one that is local to a `forall`.
    pub places: Vec<Option<u8>>,
    /// What each step does, in words.
    pub words: Vec<String>,
    /// Bindings expected to be tried.
    pub cost: f64,
}

/// What plans of a layout have in common.
pub(super) struct Setting<'a, W: Width> {
    pub tables: &'a mut Tables<W>,
    pub sizes: &'a Sizes,
    pub size: usize,
    pub rectangle: TableId,
}

/// The plan of a body; `given` are variables bound beforehand.
pub(super) fn plan<W: Width>(
    setting: Setting<W>,
    body: &Body,
    own: usize,
    purpose: Purpose,
    given: u64,
) -> Option<Plan> {
    let mut body = body.clone();
    if matches!(purpose, Purpose::Effects | Purpose::Conclusions) {
        add_effects(&mut body);
    }
    if purpose != Purpose::Matches {
        body.drop_untold(given);
    }
    super::choose::cover(&mut body);
    let effects = matches!(purpose, Purpose::Effects | Purpose::Conclusions);
    let order = order(&body, setting.sizes, given, effects)?;
    // The member of a choice needs a place of its own while its image is taken.
    let mut kinds = body.kinds.clone();
    let mut member_of = vec![None; body.kinds.len()];
    for literal in &body.literals {
        if let Literal::Choose(Term::Var(v), _, _) = literal {
            member_of[v.index()] = Some(Var(kinds.len() as u16));
            kinds.push(body.kinds[v.index()].member()?);
        }
    }
    let mut compiler = Compiler::new(setting.tables, &kinds, setting.size, setting.rectangle)?;
    compiler.dropped = body.dropped;
    let heads = body.heads.iter().fold(0, |mask, head| mask | head_mask(head));
    let mut builder = Builder {
        sizes: setting.sizes,
        done: vec![false; body.literals.len()],
        body: &body,
        compiler,
        member_of,
        bound: given | body.dropped,
        steps: Vec::new(),
        words: Vec::new(),
        purpose,
        heads,
        known_of_head: 0,
        effective: false,
        settled: None,
        distinct: true,
    };
    builder.ready()?;
    for (i, item) in order.items.iter().enumerate() {
        match item {
            Item::Bind(v) => {
                let last = i + 1 == order.items.len();
                builder.bind(*v, last && purpose == Purpose::Effects)?;
            }
            Item::Generate(place) => builder.generate(*place)?,
        }
        builder.ready()?;
    }
    if !builder.done.iter().all(|&done| done) {
        return None;
    }
    let local = body.literals.iter().fold(0, |mask, l| mask | super::body::local_mask(l));
    let places =
        (0..own).map(|v| (local >> v & 1 == 0).then(|| builder.compiler.places[v])).collect();
    let heads =
        body.heads.iter().map(|head| builder.head(head)).collect::<Option<Vec<HeadTerm>>>()?;
    Some(Plan {
        back: back(&builder.steps),
        settled: builder.settled.unwrap_or(builder.steps.len()),
        distinct: builder.distinct,
        steps: builder.steps,
        heads,
        needs: builder.compiler.needs,
        indices: builder.compiler.indices,
        places,
        words: builder.words,
        cost: order.cost,
    })
}

/// See [`Plan::back`].
fn back(steps: &[Step]) -> Vec<Option<u16>> {
    let mut last = None;
    let mut back = Vec::new();
    for at in 0..=steps.len() {
        back.push(last);
        let is_variable = |step: &Step| {
            matches!(step, Step::Cell { .. } | Step::Small { .. } | Step::Orientation { .. })
        };
        if steps.get(at).is_some_and(is_variable) {
            last = Some(at as u16);
        }
    }
    back
}

struct Builder<'a, W: Width> {
    sizes: &'a Sizes,
    body: &'a Body,
    compiler: Compiler<'a, W>,
    /// For a variable that is chosen: the variable that stands for one member.
    member_of: Vec<Option<Var>>,
    bound: u64,
    done: Vec<bool>,
    steps: Vec<Step>,
    words: Vec<String>,
    purpose: Purpose,
    heads: u64,
    /// How many parts of the head were known at the last test of its effect.
    known_of_head: usize,
    effective: bool,
    /// See [`Plan::settled`].
    settled: Option<usize>,
    distinct: bool,
}

impl<W: Width> Builder<'_, W> {
    fn push(&mut self, step: Step, words: String) {
        self.steps.push(step);
        self.words.push(words);
    }

    /// Before some variables are bound: if nothing of the head is open, one solution is enough
    /// from here on; else those that the head does not tell may make solutions look alike.
    fn settle(&mut self, next: u64) {
        if self.purpose != Purpose::Matches && self.heads & !self.bound == 0 {
            self.settled.get_or_insert(self.steps.len());
        }
        let told = self.body.heads.iter().fold(0, |mask, head| match head {
            Head::Helper(terms) => terms
                .iter()
                .filter(|term| matches!(term, Term::Var(_)))
                .fold(mask, |mask, term| mask | term_mask(term)),
            _ => mask,
        });
        self.distinct &= self.settled.is_some() || next & !told == 0;
    }

    /// Definitions and tests that can be done now.
    fn ready(&mut self) -> Option<()> {
        loop {
            let mut progress = false;
            for place in 0..self.body.literals.len() {
                let literal = &self.body.literals[place];
                if self.done[place] {
                    continue;
                }
                if let Some((v, term)) = definition(literal, &self.body.kinds, self.bound) {
                    self.define(v, term)?;
                } else if is_ready(literal, self.bound) {
                    let test = self.compiler.test(literal)?;
                    let words = self.words_of(literal);
                    self.push(Step::Test(test), format!("if {words}"));
                } else {
                    continue;
                }
                self.done[place] = true;
                progress = true;
            }
            if !progress {
                break;
            }
        }
        self.test_effect()
    }

    fn define(&mut self, v: Var, term: &Term) -> Option<()> {
        let register = self.compiler.place(v);
        let step = if self.body.kinds[v.index()] == Kind::Number {
            Step::DefineNumber(register, self.compiler.number(term)?)
        } else {
            match self.compiler.set(term)? {
                SetTerm::Cells(cells) => Step::DefineCells(register, cells),
                SetTerm::Small(small) => Step::DefineSmall(register, small),
            }
        };
        let words = format!("{} = {}", self.name(v), self.term(term));
        self.push(step, words);
        self.bound |= 1 << v.index();
        Some(())
    }

    /// A test of whether the head can change anything, as soon as enough of it is known.
    fn test_effect(&mut self) -> Option<()> {
        let effects = matches!(self.purpose, Purpose::Effects | Purpose::Conclusions);
        if !effects || self.effective {
            return Some(());
        }
        if self.heads & !self.bound == 0 {
            self.effective = true;
            self.push(Step::Effective, "if that changes something".to_string());
            return Some(());
        }
        let [Head::Eliminate(cells, Term::Lone(digit))] = &self.body.heads[..] else {
            return Some(());
        };
        if term_mask(digit) & !self.bound != 0 {
            return Some(());
        }
        let mut parts = 0;
        let Some(upper) = upper_bound(cells, self.bound, &mut parts) else { return Some(()) };
        if parts > self.known_of_head.max(1) {
            self.known_of_head = parts;
            let words = format!("if {} is possible in {}", self.term(digit), self.term(&upper));
            let plane = CellsTerm::Plane(self.compiler.scalar(digit)?);
            let upper = self.compiler.cells(&upper)?;
            self.push(Step::Test(Test::CellsMeet(upper, plane)), words);
        }
        Some(())
    }

    /// Binds a variable; if `whole`, perhaps to all its values at once.
    fn bind(&mut self, v: Var, whole: bool) -> Option<()> {
        let kind = self.body.kinds[v.index()];
        self.settle(1 << v.index());
        let mut sets: Vec<(SetTerm, bool)> = Vec::new();
        let mut words = Vec::new();
        let after = self.bound | 1 << v.index();
        for place in 0..self.body.literals.len() {
            let literal = &self.body.literals[place];
            if self.done[place] || literal_mask(literal) >> v.index() & 1 == 0 {
                continue;
            }
            let Some(source) = source(literal, v, self.bound, &self.body.literals) else {
                continue;
            };
            let settled = source.exact && is_ready(literal, after);
            // A table that leaves most of what there is anyway is not worth an index.
            let part = self.sizes.part(&source, kind, self.body, self.bound);
            if !settled && part > 0.6 && matches!(source.set, SourceSet::Column { .. }) {
                continue;
            }
            let set = (self.compiler.source(&source, kind, self.bound)?, source.negated);
            if !sets.contains(&set) {
                sets.push(set);
            }
            words.push(self.words_of(literal));
            if settled {
                self.done[place] = true;
            }
        }
        // Sets to be in come first: one of them is where the intersection starts.
        sets.sort_by_key(|(_, negated)| *negated);
        if sets.first().is_none_or(|(_, negated)| *negated) {
            sets.insert(0, (self.compiler.everything(kind), false));
        }
        let slot = self.compiler.place(v);
        self.bound = after;
        let name = self.name(v);
        let words = if words.is_empty() {
            format!("each {}: {name}", word_of(kind))
        } else {
            format!("each {name} with {}", words.join(", "))
        };
        let step = if kind == Kind::Cell {
            let cells = |(set, negated)| match set {
                SetTerm::Cells(set) => Some(Bound { set, negated }),
                SetTerm::Small(_) => None,
            };
            let domain = sets.into_iter().map(cells).collect::<Option<Vec<_>>>()?;
            let all_done = self.body.literals.iter().zip(&self.done).all(|(_, &done)| done);
            if whole && all_done && self.is_lone_target(v) {
                let register = super::expression::REGISTERS as u8 - 1;
                self.effective = true;
                self.push(Step::AllCells { register, domain }, format!("all at once: {words}"));
                return Some(());
            }
            Step::Cell { slot, domain }
        } else {
            let small = |(set, negated)| match set {
                SetTerm::Small(set) => Some(Bound { set, negated }),
                SetTerm::Cells(_) => None,
            };
            let domain = sets.into_iter().map(small).collect::<Option<Vec<_>>>()?;
            Step::Small { slot, domain }
        };
        self.push(step, words);
        Some(())
    }

    /// Whether the one head is `eliminate(T, …)` with T just this variable.
    fn is_lone_target(&self, v: Var) -> bool {
        match &self.body.heads[..] {
            [Head::Eliminate(Term::Lone(cell), digits)] => {
                **cell == Term::Var(v) && term_mask(digits) >> v.index() & 1 == 0
            }
            _ => false,
        }
    }

    fn head(&mut self, head: &Head) -> Option<HeadTerm> {
        if let (Some(Step::AllCells { register, .. }), Head::Eliminate(_, digits)) =
            (self.steps.last(), head)
        {
            let register = *register;
            return Some(HeadTerm::Eliminate(
                CellsTerm::Register(register),
                self.compiler.small(digits)?,
            ));
        }
        self.compiler.head(head)
    }

    fn generate(&mut self, place: usize) -> Option<()> {
        let literal = &self.body.literals[place];
        self.settle(literal_mask(literal) & !self.bound);
        let words = format!("each {}", self.words_of(literal));
        match literal {
            Literal::Relation(Relation::Orientation, terms) => {
                let (Term::Var(lines), Term::Var(across)) = (&terms[0], &terms[1]) else {
                    return None;
                };
                let both = 1u64 << lines.index() | 1 << across.index();
                if both & self.bound != 0 || lines == across {
                    return None;
                }
                self.bound |= both;
                self.done[place] = true;
                let (lines, across) = (self.compiler.place(*lines), self.compiler.place(*across));
                self.push(Step::Orientation { lines, across }, words);
            }
            Literal::Choose(Term::Var(v), number, over) => {
                let mut words = words;
                let required = match required_of(self.body, place, self.bound) {
                    Some((settled, set)) => {
                        self.done[settled] = true;
                        words += &format!(", with {} in it", self.term(set));
                        Some(self.compiler.set(set)?)
                    }
                    None => None,
                };
                let pruning = self.pruning(place, *v, &mut words)?;
                let number = self.compiler.number(number)?;
                let over = self.compiler.over(over)?;
                let register = self.compiler.place(*v);
                self.done[place] = true;
                self.bound |= 1 << v.index();
                if let Some((_, Some(defined))) = &pruning {
                    self.bound |= 1 << defined.index();
                }
                let pruning = pruning.map(|(pruning, _)| pruning);
                let choose = Choose { register, over, number, required, pruning };
                self.push(Step::Choose(Box::new(choose)), words);
            }
            _ => return None,
        }
        Some(())
    }

    #[allow(clippy::type_complexity)]
    fn pruning(
        &mut self,
        place: usize,
        v: Var,
        words: &mut String,
    ) -> Option<Option<(Pruning, Option<Var>)>> {
        let Some(union) = bound_of(self.body, place, self.bound) else { return Some(None) };
        let member = self.member_of[v.index()]?;
        for &settled in &union.settles {
            self.done[settled] = true;
        }
        *words += &format!(", while |{}| <= {}", self.term(&union.image), self.term(&union.limit));
        let pruning = Pruning {
            slot: self.compiler.place(member),
            of_one: self.compiler.set(&image_of_one(&union.image, v, member))?,
            of_all: self.compiler.set(&union.image)?,
            limit: self.compiler.number(&union.limit)?,
            defines: union.defines.map(|v| self.compiler.place(v)),
        };
        Some(Some((pruning, union.defines)))
    }

    fn names(&self) -> Names<'_> {
        Names { variables: &self.body.names, helpers: &self.body.helpers }
    }
    fn name(&self, v: Var) -> String {
        describe::name(self.names(), v)
    }
    fn term(&self, term: &Term) -> String {
        describe::term(self.names(), term)
    }
    fn words_of(&self, literal: &Literal) -> String {
        describe::literal(self.names(), literal)
    }
}

fn word_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Cell => "cell",
        Kind::Digit => "digit",
        _ => "house",
    }
}

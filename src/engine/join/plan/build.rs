//! The steps of a body in an order of its variables.

use crate::language::{Head, Kind, Literal, Relation, Term, Var};

use super::super::bits::Width;
use super::super::code::{
    AnySet, Bind, CellsSet, Choose, HeadTerm, JoinStep, Narrowing, Number, Packing, Pruning,
    REGISTERS, Scalar, SetTest, SmallSet, Sort, Test,
};
use super::body::Body;
use super::choose::{bound_of, covered_by, first_bound_of, image_of_one, required_of};
use super::compile::Compiler;
use super::describe::{self, Names};
use super::effect::upper_bound;
use super::masks::{head_mask, is_bound, literal_mask, local_mask, mask_of};
use super::narrow::Narrow;
use super::order::{collected, definition};
use super::packing::{avoided_by, held_of};
use super::sizes::Sizes;
use super::source::{SourceSet, source};
use super::{JoinPlan, Purpose, back};

/// A table that leaves more than this part of what there is anyway is not worth an index: building
/// it costs more than the bindings it saves. A guess.
const WORTH_AN_INDEX: f64 = 0.6;

/// Up to how many candidates it pays to find the cells first that have no more; a guess.
const MOST_PASSING: i64 = 4;

pub(super) struct Builder<'a, W: Width> {
    pub(super) sizes: &'a Sizes,
    pub(super) body: &'a Body,
    pub(super) compiler: Compiler<'a, W>,
    /// For a variable that is chosen: the variable that stands for one member.
    member_of: Vec<Option<Var>>,
    pub(super) bound: u64,
    /// The variables of each literal, and whether it is settled.
    pub(super) masks: Vec<u64>,
    pub(super) done: Vec<bool>,
    /// How many scans of rows there are.
    pub(super) scans: usize,
    /// The step that goes through the beginnings of a chain, and what it binds.
    pub(super) beginnings: Option<(usize, u64)>,
    pub(super) steps: Vec<JoinStep>,
    words: Vec<String>,
    purpose: Purpose,
    heads: u64,
    /// How many parts of the head were known at the last test of its effect.
    known_of_head: usize,
    effective: bool,
    /// See [`JoinPlan::settled`].
    settled: Option<usize>,
    distinct: bool,
}

impl<'a, W: Width> Builder<'a, W> {
    pub(super) fn new(
        body: &'a Body,
        sizes: &'a Sizes,
        compiler: Compiler<'a, W>,
        member_of: Vec<Option<Var>>,
        purpose: Purpose,
        given: u64,
    ) -> Self {
        Builder {
            sizes,
            body,
            compiler,
            member_of,
            bound: given | body.dropped,
            masks: body.literals.iter().map(literal_mask).collect(),
            done: vec![false; body.literals.len()],
            scans: 0,
            beginnings: None,
            steps: Vec::new(),
            words: Vec::new(),
            purpose,
            heads: head_mask(&body.heads),
            known_of_head: 0,
            effective: false,
            settled: None,
            distinct: true,
        }
    }

    /// The plan, if every literal is settled. The first `own` variables are the clause's.
    pub(super) fn finish(mut self, own: usize, cost: f64) -> Option<JoinPlan> {
        if !self.done.iter().all(|&done| done) {
            return None;
        }
        let local = self.body.literals.iter().fold(0, |mask, l| mask | local_mask(l));
        let place = |v: usize| (local >> v & 1 == 0).then(|| self.compiler.places[v]);
        let places = (0..own).map(place).collect();
        let heads = self.body.heads.iter().map(|head| self.head(head)).collect::<Option<_>>()?;
        Some(JoinPlan {
            back: back(&self.steps),
            settled: self.settled.unwrap_or(self.steps.len()),
            distinct: self.distinct,
            steps: self.steps,
            heads,
            needs: self.compiler.needs,
            indices: self.compiler.indices,
            places,
            words: self.words,
            cost,
        })
    }

    pub(super) fn push(&mut self, step: JoinStep, words: String) {
        self.steps.push(step);
        self.words.push(words);
    }

    /// Before some variables are bound: if nothing of the head is open, one solution is enough
    /// from here on; else those that the head does not tell may make solutions look alike.
    fn settle(&mut self, next: u64) {
        if !self.purpose.tells() && self.heads & !self.bound == 0 {
            self.settled.get_or_insert(self.steps.len());
        }
        let columns = self.body.heads.iter().flat_map(|head| match head {
            Head::Helper(terms) => &terms[..],
            _ => &[],
        });
        let mut told = mask_of(columns.filter(|term| matches!(term, Term::Var(_))));
        for (own, by) in &self.body.determined {
            told |= if by & !told == 0 { *own } else { 0 };
        }
        self.distinct &= self.settled.is_some() || next & !told == 0;
    }

    /// Definitions and tests that can be done now.
    pub(super) fn ready(&mut self) -> Option<()> {
        loop {
            let mut progress = false;
            for place in 0..self.body.literals.len() {
                let literal = &self.body.literals[place];
                if self.done[place] {
                    continue;
                }
                if let Some((v, term)) = definition(literal, self.body, self.bound) {
                    self.define(v, term)?;
                } else if let Some(v) = collected(literal, self.bound) {
                    let set = self.compiler.collected(literal)?;
                    let words = self.words_of(literal);
                    self.push(JoinStep::Define(self.compiler.place(v), set), words);
                    self.bound |= 1 << v.index();
                } else if self.masks[place] & !self.bound == 0 {
                    let test = match self.every(literal) {
                        Some(test) => test,
                        None => self.compiler.test(literal)?,
                    };
                    let words = self.words_of(literal);
                    self.push(JoinStep::Test(test), format!("if {words}"));
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

    /// `forall C in S : (…)` where what is said of C puts it in a set that is known without it.
    fn every(&mut self, literal: &Literal) -> Option<Test> {
        let Literal::Forall(local, over, inner) = literal else { return None };
        let [inner] = &inner[..] else { return None };
        let source = source(inner, *local, self.bound & !(1 << local.index()), self.body)?;
        let is_at_hand = matches!(
            source.set,
            SourceSet::Plane(_) | SourceSet::FewCandidates(_) | SourceSet::CandidateCount(_)
        );
        if !source.exact || !is_at_hand {
            return None;
        }
        let over: CellsSet = self.compiler.set(over)?;
        let set: CellsSet = self.compiler.source(&source, Kind::Cell, self.bound)?;
        Some(match source.negated {
            false => Test::Cells(SetTest::Within(over, set)),
            true => Test::Not(Box::new(Test::Cells(SetTest::Meet(over, set)))),
        })
    }

    fn define(&mut self, v: Var, term: &Term) -> Option<()> {
        let register = self.compiler.place(v);
        let step = if self.body.kind(v) == Kind::Number {
            JoinStep::DefineNumber(register, self.compiler.number(term)?)
        } else {
            JoinStep::Define(register, self.compiler.any(term)?)
        };
        let words = format!("{} = {}", self.name(v), self.term(term));
        self.push(step, words);
        self.bound |= 1 << v.index();
        Some(())
    }

    /// Whether only all effects together are asked for.
    pub(super) fn is_for_effects(&self) -> bool {
        self.purpose == Purpose::Effects
    }

    /// A test of whether the head can change anything, as soon as enough of it is known.
    fn test_effect(&mut self) -> Option<()> {
        if !self.purpose.is_for_effects() || self.effective {
            return Some(());
        }
        if self.heads & !self.bound == 0 {
            self.effective = true;
            self.push(JoinStep::Effective, "if that changes something".to_string());
            return Some(());
        }
        let [Head::Eliminate(cells, Term::Lone(digit))] = &self.body.heads[..] else {
            return Some(());
        };
        if !is_bound(digit, self.bound) {
            return Some(());
        }
        let mut parts = 0;
        let Some(upper) = upper_bound(cells, self.bound, &mut parts) else { return Some(()) };
        if parts > self.known_of_head.max(1) {
            self.known_of_head = parts;
            let words = format!("if {} is possible in {}", self.term(digit), self.term(&upper));
            let plane = CellsSet::Plane(self.compiler.scalar(digit)?);
            let upper = self.compiler.set(&upper)?;
            self.push(JoinStep::Test(Test::Cells(SetTest::Meet(upper, plane))), words);
        }
        Some(())
    }

    /// Binds a variable; if it is the last one, perhaps to all its values at once.
    pub(super) fn bind(&mut self, v: Var, is_last: bool) -> Option<()> {
        self.settle(1 << v.index());
        if self.body.kind(v) != Kind::Cell {
            let (bind, words) = self.domain(v)?;
            self.push(JoinStep::Small(bind), words);
            return Some(());
        }
        let (mut bind, words) = self.domain(v)?;
        if is_last && self.done.iter().all(|&done| done) && self.is_lone_target(v) {
            bind.slot = REGISTERS as u8 - 1;
            self.effective = true;
            self.push(JoinStep::AllCells(bind), format!("all at once: {words}"));
        } else {
            self.push(JoinStep::Cell(bind), words);
        }
        Some(())
    }

    /// What a variable may be: the sets that the literals put it in; and in words.
    fn domain<S: Narrow>(&mut self, v: Var) -> Option<(Bind<S>, String)> {
        let kind = self.body.kind(v);
        let mut domain: Vec<Narrowing<S>> = Vec::new();
        let mut words = Vec::new();
        let after = self.bound | 1 << v.index();
        for place in 0..self.body.literals.len() {
            let literal = &self.body.literals[place];
            if self.done[place] || self.masks[place] >> v.index() & 1 == 0 {
                continue;
            }
            let Some(source) = source(literal, v, self.bound, self.body) else {
                continue;
            };
            let settled = source.exact && self.masks[place] & !after == 0;
            let part = self.sizes.part(&source, kind, self.body, self.bound);
            if !settled && part > WORTH_AN_INDEX && matches!(source.set, SourceSet::Column { .. }) {
                continue;
            }
            let set = self.compiler.source(&source, kind, self.bound)?;
            let narrowing = Narrowing { set, negated: source.negated };
            if !domain.contains(&narrowing) {
                domain.push(narrowing);
            }
            words.push(self.words_of(literal));
            self.done[place] |= settled;
        }
        // Sets to be in come first: one of them is where the intersection starts.
        domain.sort_by_key(|narrowing| narrowing.negated);
        if domain.first().is_none_or(|narrowing| narrowing.negated) {
            domain.insert(0, Narrowing { set: S::everything(kind), negated: false });
        }
        self.bound = after;
        let name = self.name(v);
        let words = if words.is_empty() {
            format!("each {}: {name}", word_of(kind))
        } else {
            format!("each {name} with {}", words.join(", "))
        };
        Some((Bind { slot: self.compiler.place(v), domain }, words))
    }

    /// Whether the one head is `eliminate(T, …)` with T just this variable, or a tuple with it as
    /// its last cell and nowhere else.
    fn is_lone_target(&self, v: Var) -> bool {
        match (&self.body.heads[..], self.purpose) {
            ([Head::Eliminate(Term::Lone(cell), digits)], Purpose::Effects) => {
                **cell == Term::Var(v) && !digits.mentions(v)
            }
            ([Head::Helper(terms)], Purpose::Tuples) => {
                let is_cell = |term: &Term| self.compiler.kind(term) == Kind::Cell;
                let last = terms.iter().rposition(is_cell);
                !self.body.has_sets(terms)
                    && last.is_some_and(|last| terms[last] == Term::Var(v))
                    && terms.iter().filter(|term| term.mentions(v)).count() == 1
            }
            _ => false,
        }
    }

    fn head(&mut self, head: &Head) -> Option<HeadTerm> {
        let Some(JoinStep::AllCells(bind)) = self.steps.last() else {
            return self.compiler.head(head);
        };
        let register = bind.slot;
        match (head, self.compiler.head(head)?) {
            (Head::Eliminate(..), HeadTerm::Eliminate(_, digits)) => {
                Some(HeadTerm::Eliminate(CellsSet::Register(register), digits))
            }
            (Head::Helper(terms), HeadTerm::Tuple(columns)) => {
                let is_cell = |term: &Term| self.compiler.kind(term) == Kind::Cell;
                let place = terms.iter().rposition(is_cell)? as u8;
                Some(HeadTerm::Gathered { columns, place, register })
            }
            _ => None,
        }
    }

    pub(super) fn generate(&mut self, place: usize) -> Option<()> {
        let literal = &self.body.literals[place];
        self.settle(self.masks[place] & !self.bound);
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
                self.push(JoinStep::Orientation { lines, across }, words);
            }
            Literal::Call(helper, terms) => {
                let scan = self.scan(place, *helper, terms)?;
                self.push_scan(scan, words);
            }
            Literal::Choose(Term::Var(v), least, most, over) => {
                let mut words = words;
                let required = match required_of(self.body, place, self.bound) {
                    Some((settled, set)) => {
                        self.done[settled] = true;
                        words += &format!(", with {} in it", self.term(set));
                        Some(self.compiler.any(set)?)
                    }
                    None => None,
                };
                let pruning = self.pruning(place, *v, &mut words)?;
                let covered = match pruning {
                    Some(_) => None,
                    None => self.covered(place, &mut words)?,
                };
                let (least, most) = (self.compiler.number(least)?, self.compiler.number(most)?);
                let packing = match (&required, &pruning, &covered) {
                    (None, None, None) => self.packing(place, *v, &mut words)?,
                    _ => None,
                };
                let over = self.compiler.any(over)?;
                let over = self.avoiding(place, over, &mut words)?;
                let over = match &pruning {
                    Some((pruning, _)) => self.passing(over, pruning),
                    None => over,
                };
                let register = self.compiler.place(*v);
                self.done[place] = true;
                self.bound |= 1 << v.index();
                if let Some((_, Some(defined))) = &pruning {
                    self.bound |= 1 << defined.index();
                }
                let pruning = pruning.map(|(pruning, _)| pruning);
                let choose =
                    Choose { register, over, least, most, required, pruning, covered, packing };
                self.push(JoinStep::Choose(Box::new(choose)), words);
            }
            _ => return None,
        }
        Some(())
    }

    /// What the houses chosen must hold apart, and others must be able to hold.
    fn packing(&mut self, place: usize, v: Var, words: &mut String) -> Option<Option<Packing>> {
        let held = held_of(self.body, place, self.bound).filter(|_| self.is_for_effects());
        let Some(held) = held else { return Some(None) };
        let member = self.member_of[v.index()]?;
        let (image, most) = (self.term(&held.image), self.term(&held.most));
        let most = if held.without_one { format!("{most} - 1") } else { most };
        *words += &format!(", while {most} of {} can hold {image}", self.term(&held.houses));
        if held.apart {
            *words += ", no two the same";
        }
        Some(Some(Packing {
            slot: self.compiler.place(member),
            of_one: self.compiler.set(&image_of_one(&held.image, v, member))?,
            houses: self.compiler.set(&held.houses)?,
            most: self.compiler.number(&held.most)?,
            without_one: held.without_one,
            apart: held.apart,
        }))
    }

    /// What is chosen from, without the houses of cells that must be in none of those chosen.
    fn avoiding(&mut self, place: usize, over: AnySet, words: &mut String) -> Option<AnySet> {
        let AnySet::Small(mut over) = over else { return Some(over) };
        for (settled, cell) in avoided_by(self.body, place, self.bound) {
            self.done[settled] = true;
            *words += &format!(", without {}", self.term(&cell));
            over = over.minus(SmallSet::HousesOf(self.compiler.scalar(&cell)?));
        }
        Some(AnySet::Small(over))
    }

    /// What is chosen from, without the cells that have more candidates than all that are chosen may
    /// have together.
    fn passing(&mut self, over: AnySet, pruning: &Pruning) -> AnySet {
        let is_its_candidates =
            pruning.of_one == AnySet::Small(SmallSet::Candidates(Scalar::Slot(pruning.slot)));
        match (over, &pruning.limit) {
            (AnySet::Cells(over), Number::Constant(limit @ 1..=MOST_PASSING))
                if is_its_candidates && !pruning.grows =>
            {
                self.compiler.need_counts(*limit as u8);
                AnySet::Cells(over.and(CellsSet::FewCandidates(*limit as u8)))
            }
            (over, _) => over,
        }
    }

    /// What the houses chosen must hold.
    fn covered(&mut self, place: usize, words: &mut String) -> Option<Option<CellsSet>> {
        let mut all: Option<CellsSet> = None;
        for (settled, cells) in covered_by(self.body, place, self.bound) {
            self.done[settled] = true;
            *words += &format!(", to hold {}", self.term(&cells));
            let cells = self.compiler.set(&cells)?;
            all = Some(match all {
                Some(all) => all.or(cells),
                None => cells,
            });
        }
        Some(all)
    }

    #[allow(clippy::type_complexity)]
    fn pruning(
        &mut self,
        place: usize,
        v: Var,
        words: &mut String,
    ) -> Option<Option<(Pruning, Option<Var>)>> {
        let union = bound_of(self.body, place, self.bound)
            .or_else(|| first_bound_of(self.body, place, self.bound));
        let Some(union) = union else { return Some(None) };
        let member = self.member_of[v.index()]?;
        for &settled in &union.settles {
            self.done[settled] = true;
        }
        let chosen = if union.grows { format!("|{}| + ", self.name(v)) } else { String::new() };
        let (image, limit) = (self.term(&union.image), self.term(&union.limit));
        *words += &format!(", while |{image}| <= {chosen}{limit}");
        let pruning = Pruning {
            slot: self.compiler.place(member),
            of_one: self.compiler.any(&image_of_one(&union.image, v, member))?,
            of_all: self.compiler.any(&union.image)?,
            limit: self.compiler.number(&union.limit)?,
            grows: union.grows,
            defines: union.defines.map(|v| self.compiler.place(v)),
        };
        Some(Some((pruning, union.defines)))
    }

    fn names(&self) -> Names<'_> {
        let parts = self.sizes.parts;
        Names { variables: &self.body.variables, helpers: &self.body.helpers, parts }
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

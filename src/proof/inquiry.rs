//! One look at a clause: every binding, every conclusion, refuted or not.

use std::sync::Arc;

use crate::board::{Candidate, Layout};
use crate::language::{Head, Literal, PredicateId, RuleSet};
use crate::meaning::{Amount, NoValue, Truth, Value};

use super::encode::Encoder;
use super::existence::Existence;
use super::flatten::Flat;
use super::meaning::Meanings;
use super::plan::plan;
use super::sat::Lit;
use super::second::Second;
use super::stage::{Refutation, Scope, Stages};
use super::symbol::{Environment, Propositions, Symbol};
use super::symmetry::constants;
use super::walk::{Flow, Leaf, Visitor, Walk};

/// Heads are looked at when all their variables are bound.
const BOUND: &str = "all variables of a head are bound";

/// How much work there may be, so that any rule file ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Questions put to the solver.
    pub questions: u64,
    /// Conflicts the solver may meet, over all questions.
    pub conflicts: u64,
    /// Literals it may set, over all questions: easy questions about much take their time, too.
    pub propagations: u64,
    /// Steps of walks through bindings, of which many come to no question.
    pub steps: u64,
}

/// What is asked of every binding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Can the body hold and a conclusion be false?
    Wrong,
    /// Can the body hold and a conclusion change something?
    Fires,
    /// Can the body hold, a conclusion change something, and another rule not conclude the same?
    Alone,
    /// Can the body hold and the head's nodes have values outside of this meaning?
    Outside(PredicateId),
}

/// What a clause is wrong about: the digit that it places or eliminates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Claim {
    /// It places this digit.
    Place(Candidate),
    /// It eliminates it.
    Eliminate(Candidate),
    /// It says that there is no solution.
    Contradiction,
}

/// What the inquiry does with a model it found.
pub trait OnModel {
    /// A solved grid and a state stand in the encoder in which the literals hold. Whether to go on.
    fn model(
        &mut self,
        encoder: &mut Encoder,
        literals: &[Lit],
        scope: Scope,
        claim: Claim,
    ) -> Flow;
    /// With [`Aim::Alone`]: what says that the other rule does not conclude this.
    fn apart(&mut self, _: &mut Encoder, _: Claim) -> Lit {
        Lit::TRUE
    }
}

/// Stops at the first model.
pub struct First;

impl OnModel for First {
    fn model(&mut self, _: &mut Encoder, _: &[Lit], _: Scope, _: Claim) -> Flow {
        Flow::Stop
    }
}

/// How a inquiry ended, apart from models.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Bindings and conclusions asked about.
    pub questions: u64,
    /// Questions left open by the budget.
    pub unknown: u64,
    /// Conditions that had to be left out, so that the body was weaker than it is.
    pub left_out: u64,
    /// Models found.
    pub models: u64,
}

/// The prover at work on one clause after another, with one encoder.
pub struct Inquiry<'a> {
    /// The rules.
    pub rules: &'a RuleSet,
    /// The propositions.
    pub encoder: Encoder,
    /// Helpers under `not` and `forall`.
    pub existence: Existence<'a>,
    /// Whether bindings are walked up to symmetry.
    pub symmetry: bool,
    /// What the recursive helpers mean.
    pub meanings: Meanings,
    /// The values of a helper's nodes in the last model, when [`Aim::Outside`] found one.
    pub row: Option<usize>,
    /// Whether the puzzle has one solution.
    pub unique: bool,
    /// What has been done.
    pub tally: Tally,
    /// At which stages.
    pub stages: Stages,
    /// What is left to do it with.
    pub budget: Budget,
}

impl<'a> Inquiry<'a> {
    /// A inquiry that has done nothing yet.
    pub fn new(
        rules: &'a RuleSet,
        layout: &Arc<Layout>,
        meanings: Meanings,
        symmetry: bool,
        budget: Budget,
    ) -> Inquiry<'a> {
        let mut encoder = Encoder::new(layout.clone());
        encoder.limit_steps(budget.steps);
        Inquiry {
            rules,
            encoder,
            existence: Existence::new(rules),
            symmetry,
            meanings,
            row: None,
            unique: false,
            tally: Tally::default(),
            stages: Stages::default(),
            budget,
        }
    }

    /// Asks about every binding of a clause.
    pub fn ask(
        &mut self,
        flat: &Flat,
        parameter: Option<i64>,
        aim: Aim,
        on_model: &mut dyn OnModel,
    ) -> Flow {
        let layout = self.encoder.layout().clone();
        let Some(used) = constants(flat, &layout, self.symmetry && !flat.ordered) else {
            return Flow::Next;
        };
        let plan = plan(flat, parameter, vec![false; flat.variables.len()]);
        let mut question = Question { inquiry: self, flat, parameter, aim, on_model };
        let bound = vec![None; flat.variables.len()];
        Walk::new(flat, &plan, bound).run(&mut question, used)
    }

    /// Whether the budget is used up.
    pub fn is_spent(&self) -> bool {
        self.tally.questions >= self.budget.questions
            || self.encoder.conflicts() >= self.budget.conflicts
            || self.encoder.propagations() >= self.budget.propagations
            || self.encoder.is_full()
    }
}

/// A clause being asked about.
struct Question<'q, 'a> {
    inquiry: &'q mut Inquiry<'a>,
    flat: &'q Flat,
    parameter: Option<i64>,
    aim: Aim,
    on_model: &'q mut dyn OnModel,
}

impl Visitor for Question<'_, '_> {
    fn encoder(&mut self) -> &mut Encoder {
        &mut self.inquiry.encoder
    }
    fn parameter(&self) -> Option<i64> {
        self.parameter
    }
    fn recursive(&mut self, helper: PredicateId, arguments: &[Symbol], out: &mut Vec<Lit>) {
        let Inquiry { meanings, encoder, tally, .. } = &mut *self.inquiry;
        match meanings.of(helper) {
            Some(meaning) => meaning.conditions(encoder, arguments, out),
            None => tally.left_out += 1,
        }
    }
    fn left_out(&mut self) {
        self.inquiry.tally.left_out += 1;
    }
    fn too_many(&mut self) {
        self.inquiry.tally.unknown += 1;
    }
    fn members(&self) -> u64 {
        self.inquiry.existence.members
    }
    fn collected(&mut self, literal: &Literal, bound: &mut Environment) -> Result<Symbol, NoValue> {
        let Literal::Collect(_, member, generator) = literal else { return Err(NoValue::Beyond) };
        let Inquiry { encoder, existence, .. } = &mut *self.inquiry;
        let mut propositions = Propositions { logic: encoder, parameter: self.parameter };
        propositions.collect(*member, generator, bound, existence)
    }
    fn conditions(
        &mut self,
        literal: &Literal,
        bound: &mut Environment,
        out: &mut Vec<Lit>,
    ) -> Result<(), NoValue> {
        let Inquiry { encoder, existence, .. } = &mut *self.inquiry;
        let mut propositions = Propositions { logic: encoder, parameter: self.parameter };
        propositions.conditions(literal, bound, existence, out)
    }
    fn leaf(&mut self, leaf: &Leaf) -> Flow {
        let scope = Scope::of(leaf.bound);
        if let Aim::Outside(helper) = self.aim {
            return self.outside(leaf, scope, helper);
        }
        // How far back the questions of this leaf reach: they hold for everything that shares the
        // steps up to there.
        let mut reach = leaf.heads_known;
        for head in &self.flat.heads {
            match self.head(leaf, scope, head) {
                Reach::To(step) => reach = reach.max(step),
                Reach::Body(step) => return Flow::Back(step),
                Reach::Open => reach = leaf.steps,
                Reach::Stop => return Flow::Stop,
            }
        }
        Flow::Back(reach)
    }
}

/// What came of a question.
enum Reach {
    /// Refuted with literals added up to this step, and the conclusion.
    To(usize),
    /// Refuted with literals added up to this step alone.
    Body(usize),
    /// Not refuted.
    Open,
    /// Enough.
    Stop,
}

impl Question<'_, '_> {
    fn reading(&mut self) -> Propositions<'_> {
        Propositions { logic: &mut self.inquiry.encoder, parameter: self.parameter }
    }

    fn head(&mut self, leaf: &Leaf, scope: Scope, head: &Head) -> Reach {
        match head {
            Head::Contradiction => self.put(leaf, scope, &[], Claim::Contradiction),
            Head::Place(cell, digit) => {
                let cell = self.reading().cell(cell, leaf.bound).expect(BOUND);
                let digit = self.reading().digit(digit, leaf.bound).expect(BOUND);
                let candidate = Candidate { cell, digit };
                let claim = match self.aim {
                    Aim::Fires | Aim::Alone => {
                        let placed = self.inquiry.encoder.placed(cell);
                        vec![!placed, self.inquiry.encoder.possible(cell, digit)]
                    }
                    _ => vec![!self.inquiry.encoder.solution(cell, digit)],
                };
                self.put(leaf, scope, &claim, Claim::Place(candidate))
            }
            Head::Eliminate(cells, digits) => {
                let layout = self.inquiry.encoder.layout().clone();
                let every = layout.all_cells();
                let cells = self.reading().cells(cells, leaf.bound, every).expect(BOUND);
                let all = layout.all_digits();
                let digits = self.reading().digits(digits, leaf.bound, all).expect(BOUND);
                let mut reach = Reach::To(0);
                for cell in leaf.used.cells_to_try(&layout) & cells.widest() {
                    let used = leaf.used.cell(&layout, cell);
                    for digit in used.digits_to_try(&layout) & digits.widest() {
                        let hit = match self.aim {
                            Aim::Fires | Aim::Alone => self.inquiry.encoder.possible(cell, digit),
                            _ => self.inquiry.encoder.solution(cell, digit),
                        };
                        let inside =
                            [cells.contains::<Encoder>(cell), digits.contains::<Encoder>(digit)];
                        let claim = [inside[0], inside[1], hit];
                        let candidate = Candidate { cell, digit };
                        match self.put(leaf, scope, &claim, Claim::Eliminate(candidate)) {
                            Reach::To(step) => match reach {
                                Reach::To(known) => reach = Reach::To(known.max(step)),
                                _ => reach = Reach::Open,
                            },
                            Reach::Open => reach = Reach::Open,
                            Reach::Body(step) => return Reach::Body(step),
                            Reach::Stop => return Reach::Stop,
                        }
                    }
                }
                reach
            }
            Head::Helper(_) | Head::Each(..) => Reach::Open,
        }
    }

    /// Puts one question: the body, and this claim.
    fn put(&mut self, leaf: &Leaf, scope: Scope, claim: &[Lit], what: Claim) -> Reach {
        if claim.contains(&Lit::FALSE) {
            return Reach::To(0);
        }
        let mut scope = scope;
        if let Claim::Place(candidate) | Claim::Eliminate(candidate) = what {
            scope.cells.insert(candidate.cell);
        }
        if self.inquiry.unique && self.aim == Aim::Wrong {
            return self.put_unique(leaf, scope, claim, what);
        }
        self.put_with(leaf, scope, claim, what)
    }

    /// The same where the puzzle has one solution: no other grid may be a solution too. Each way
    /// in which the other grid can fail to be one is a question of its own.
    fn put_unique(&mut self, leaf: &Leaf, scope: Scope, claim: &[Lit], what: Claim) -> Reach {
        let seconds = Second::all(self.flat, leaf.bound);
        if seconds.is_empty() {
            return self.put_with(leaf, scope, claim, what);
        }
        // Any one second grid will do; the first that always is a solution closes the question.
        let mut used = leaf.used;
        if let Claim::Place(candidate) | Claim::Eliminate(candidate) = what {
            let layout = self.inquiry.encoder.layout().clone();
            used = used.cell(&layout, candidate.cell).digit(candidate.digit);
        }
        let last = seconds.len() - 1;
        for (i, second) in seconds.iter().enumerate() {
            let mut closed = true;
            for (flaw, flawed) in second.flaws(&mut self.inquiry.encoder, used) {
                let mut literals = claim.to_vec();
                literals.push(flaw);
                let scope = Scope {
                    cells: scope.cells | flawed.cells,
                    houses: scope.houses | flawed.houses,
                };
                if i < last {
                    let body = self.assumptions(leaf, &literals);
                    if !self.refuted(&body, scope) {
                        closed = false;
                        break;
                    }
                } else {
                    match self.put_with(leaf, scope, &literals, what) {
                        Reach::Open => return Reach::Open,
                        Reach::Stop => return Reach::Stop,
                        Reach::To(_) | Reach::Body(_) => {}
                    }
                }
            }
            if closed {
                break;
            }
        }
        Reach::To(leaf.steps)
    }

    fn refuted(&mut self, literals: &[Lit], scope: Scope) -> bool {
        self.inquiry.tally.questions += 1;
        let conflicts =
            self.inquiry.budget.conflicts.saturating_sub(self.inquiry.encoder.conflicts());
        let Inquiry { stages, encoder, .. } = &mut *self.inquiry;
        matches!(stages.refute(encoder, literals, scope, conflicts), Refutation::Refuted(_))
    }

    fn assumptions(&self, leaf: &Leaf, claim: &[Lit]) -> Vec<Lit> {
        let mut literals: Vec<Lit> = leaf.body.iter().map(|&(literal, _)| literal).collect();
        literals.extend(claim.iter().filter(|&&l| l != Lit::TRUE));
        literals
    }

    fn put_with(&mut self, leaf: &Leaf, scope: Scope, claim: &[Lit], what: Claim) -> Reach {
        if self.inquiry.is_spent() {
            self.inquiry.tally.unknown += 1;
            return Reach::Stop;
        }
        self.inquiry.tally.questions += 1;
        let mut literals = self.assumptions(leaf, claim);
        let conflicts = self.inquiry.budget.conflicts - self.inquiry.encoder.conflicts();
        if self.aim == Aim::Alone {
            literals.push(self.on_model.apart(&mut self.inquiry.encoder, what));
            return self.alone(leaf, &literals, scope, claim, what);
        }
        let answer = if self.aim == Aim::Fires {
            self.inquiry.stages.whole(&mut self.inquiry.encoder, &literals, conflicts.min(2_000))
        } else {
            let Inquiry { stages, encoder, .. } = &mut *self.inquiry;
            stages.refute(encoder, &literals, scope, conflicts)
        };
        match answer {
            Refutation::Refuted(core) => reach_of(leaf, claim, &core),
            Refutation::Unknown => {
                self.inquiry.tally.unknown += 1;
                Reach::Open
            }
            Refutation::Model => {
                self.inquiry.tally.models += 1;
                match self.on_model.model(&mut self.inquiry.encoder, &literals, scope, what) {
                    Flow::Stop => Reach::Stop,
                    _ => Reach::Open,
                }
            }
        }
    }

    /// Asks again and again, while the other rule turns out to conclude the same.
    fn alone(
        &mut self,
        leaf: &Leaf,
        literals: &[Lit],
        scope: Scope,
        claim: &[Lit],
        what: Claim,
    ) -> Reach {
        loop {
            if self.inquiry.is_spent() {
                self.inquiry.tally.unknown += 1;
                return Reach::Stop;
            }
            self.inquiry.tally.questions += 1;
            let left = self.inquiry.budget.conflicts - self.inquiry.encoder.conflicts();
            let Inquiry { stages, encoder, .. } = &mut *self.inquiry;
            match stages.whole(encoder, literals, left) {
                // What the other rule concludes is about this claim: no going back beyond it.
                Refutation::Refuted(core) => {
                    return match reach_of(leaf, claim, &core) {
                        Reach::Body(_) | Reach::To(_) => Reach::To(leaf.steps),
                        other => other,
                    };
                }
                Refutation::Unknown => {
                    self.inquiry.tally.unknown += 1;
                    return Reach::Open;
                }
                Refutation::Model => match self.on_model.model(encoder, literals, scope, what) {
                    Flow::Next => {}
                    _ => {
                        self.inquiry.tally.models += 1;
                        return Reach::Stop;
                    }
                },
            }
        }
    }

    /// Whether the head's nodes can have values that the meaning does not know yet.
    fn outside(&mut self, leaf: &Leaf, scope: Scope, helper: PredicateId) -> Flow {
        let Some(Head::Helper(terms)) = self.flat.heads.first() else { return Flow::Next };
        let arguments: Vec<Symbol> = {
            let mut reading = self.reading();
            let value = |term| match reading.value(term, leaf.bound) {
                // Meanings are about cells and digits: any number will do.
                Err(NoValue::TooMuch | NoValue::TooLarge) => Value::Number(Amount::Unknown),
                value => value.expect(BOUND),
            };
            terms.iter().map(value).collect()
        };
        let Inquiry { meanings, encoder, .. } = &mut *self.inquiry;
        let Some(meaning) = meanings.of(helper) else { return Flow::Next };
        let nodes = meaning.nodes(encoder, &arguments);
        let mut inside = Vec::new();
        meaning.conditions(encoder, &arguments, &mut inside);
        let outside = !encoder.and(inside);
        match self.put(leaf, scope, &[outside], Claim::Contradiction) {
            Reach::To(step) => Flow::Back(step.max(leaf.heads_known)),
            Reach::Body(step) => Flow::Back(step),
            Reach::Open => Flow::Next,
            Reach::Stop => {
                let encoder = &self.inquiry.encoder;
                let bits =
                    nodes.iter().enumerate().map(|(i, &l)| usize::from(encoder.value(l)) << i);
                self.inquiry.row = Some(bits.sum());
                Flow::Stop
            }
        }
    }
}

/// How far a refutation reaches: the last step whose literals it blames, and whether it blames the
/// claim.
fn reach_of(leaf: &Leaf, claim: &[Lit], core: &[Lit]) -> Reach {
    let blamed = |literal: &Lit| core.contains(literal);
    let steps = leaf.body.iter().filter(|(literal, _)| blamed(literal));
    let step = steps.map(|&(_, step)| step).max().unwrap_or(0);
    if claim.iter().any(blamed) { Reach::To(step) } else { Reach::Body(step) }
}

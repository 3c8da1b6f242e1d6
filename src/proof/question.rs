//! One clause asked about: at the end of each way through its bindings, every conclusion.

use std::collections::HashSet;

use crate::board::{Candidate, Digit};
use crate::language::{Head, Literal, PredicateId};
use crate::meaning::{Amount, Helpers, NoValue, OnLayout as _, Truth, Value, Valued};

use super::encode::Encoder;
use super::existence::{Meant, leans_on};
use super::flatten::Flat;
use super::inquiry::{Aim, Claim, Inquiry, OnModel};
use super::lemma::Lemma;
use super::sat::Lit;
use super::second::Second;
use super::stage::{NAMED_HOUSES, Refutation, Scope};
use super::symbol::{Environment, Propositions, Symbol};
use super::walk::{Flow, Leaf, Visitor};

/// Heads are looked at when all their variables are bound.
const BOUND: &str = "all variables of a head are bound";
/// Steps of a question besides those of the solver, and literals of it that take one more.
const ASKING: u64 = 4;
const LITERALS_A_STEP: u64 = 16;
/// Conflicts that one look for a state on which a rule fires may cost.
const FIRING_CONFLICTS: u64 = 2_000;

/// A clause being asked about.
pub(super) struct Question<'q, 'a> {
    /// By whom.
    pub inquiry: &'q mut Inquiry<'a>,
    /// The clause.
    pub flat: &'q Flat,
    /// The rule's parameter.
    pub parameter: Option<i64>,
    /// What is asked.
    pub aim: Aim<'q>,
    /// Who looks at models.
    pub on_model: &'q mut dyn OnModel,
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
    fn may_guess(&self) -> bool {
        true
    }
    fn propositions(&mut self) -> (Propositions<'_>, &mut dyn Helpers<Encoder>) {
        let Inquiry { encoder, existence, .. } = &mut *self.inquiry;
        (Propositions { logic: encoder, parameter: self.parameter }, existence)
    }
    fn conditions(&mut self, literal: &Literal, bound: &mut Environment) -> Valued<Vec<Lit>> {
        let Inquiry { encoder, existence, meanings, .. } = &mut *self.inquiry;
        let mut propositions = Propositions { logic: encoder, parameter: self.parameter };
        if leans_on(literal, meanings.inside()) {
            return propositions.told(literal, bound, &mut Meant { existence, meanings });
        }
        propositions.told(literal, bound, existence)
    }
    fn leaf(&mut self, leaf: &Leaf) -> Flow {
        if leaf.used.is_full() {
            self.inquiry.tally.unknown += 1;
            return Flow::Stop;
        }
        match self.ask(leaf) {
            // What was asked of some cells says nothing of others.
            Flow::Back(_) if leaf.used.is_general() => Flow::Next,
            flow => flow,
        }
    }
}

impl Question<'_, '_> {
    /// Puts all questions about a binding.
    fn ask(&mut self, leaf: &Leaf) -> Flow {
        let most = leaf.used.chosen_houses().unwrap_or(NAMED_HOUSES);
        let scope = Scope::of(leaf.bound, most);
        if let Aim::Outside(helper) = self.aim {
            return self.outside(leaf, scope, helper);
        }
        if let Aim::Against(lemma, case) = self.aim {
            return self.against(leaf, scope, lemma, case);
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
                let every = self.inquiry.encoder.all_cells();
                let cells = self.reading().set(cells, leaf.bound, every).expect(BOUND);
                let all = layout.all_digits();
                let digits = self.reading().set(digits, leaf.bound, all).expect(BOUND);
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
                        let mut claim = vec![inside[0], inside[1], hit];
                        // With nothing touched, this is the first cell.
                        if self.aim == Aim::Wrong {
                            claim.extend(self.arrangement(leaf, digit));
                        }
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
            Head::Helper(_) | Head::Asked(..) | Head::Each(..) => Reach::Open,
        }
    }

    /// Where a digit is in the solution, as long as no row or column is told from another: any
    /// arrangement becomes this one when rows are exchanged in their bands, so that each has the
    /// digit in the stack of its own number there, and columns in their stacks, so that each has
    /// it in the band of its number. A cell that has the digit comes first, with its band and its
    /// stack.
    fn arrangement(&mut self, leaf: &Leaf, digit: Digit) -> Vec<Lit> {
        // Ways in which a second solution fails are looked at up to symmetry themselves.
        if self.inquiry.unique || !leaf.used.no_place() {
            return Vec::new();
        }
        let encoder = &mut self.inquiry.encoder;
        let layout = encoder.layout().clone();
        let (height, width) = (layout.box_height(), layout.box_width());
        let of_box = |n: usize| (n / height, n % height);
        let place = |(band, stack)| layout.cell_at(height * band + stack, width * stack + band);
        (0..layout.size()).map(|n| encoder.solution(place(of_box(n)), digit)).collect()
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
        self.count(literals);
        let Inquiry { stages, encoder, .. } = &mut *self.inquiry;
        matches!(stages.refute(encoder, literals, scope), Refutation::Refuted(_))
    }

    /// Notes that a question is put.
    fn count(&mut self, literals: &[Lit]) {
        self.inquiry.tally.questions += 1;
        self.inquiry.encoder.count_steps(ASKING + literals.len() as u64 / LITERALS_A_STEP);
    }

    fn assumptions(&self, leaf: &Leaf, claim: &[Lit]) -> Vec<Lit> {
        let mut literals: Vec<Lit> = leaf.body.iter().map(|&(literal, _)| literal).collect();
        literals.extend(claim.iter().filter(|&&l| l != Lit::TRUE));
        literals
    }

    fn put_with(&mut self, leaf: &Leaf, scope: Scope, claim: &[Lit], what: Claim) -> Reach {
        let Inquiry { encoder, tally, last_question, .. } = &mut *self.inquiry;
        if encoder.is_full() || tally.questions >= *last_question {
            tally.unknown += 1;
            return Reach::Stop;
        }
        let mut literals = self.assumptions(leaf, claim);
        self.count(&literals);
        if self.aim == Aim::Alone {
            literals.push(self.on_model.apart(&mut self.inquiry.encoder, what));
            return self.alone(leaf, &literals, scope, claim, what);
        }
        let answer = if self.aim == Aim::Fires {
            self.inquiry.stages.whole(&mut self.inquiry.encoder, &literals, FIRING_CONFLICTS)
        } else {
            let Inquiry { stages, encoder, .. } = &mut *self.inquiry;
            stages.refute(encoder, &literals, scope)
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
            if self.inquiry.encoder.is_full() {
                self.inquiry.tally.unknown += 1;
                return Reach::Stop;
            }
            self.count(literals);
            let Inquiry { stages, encoder, .. } = &mut *self.inquiry;
            match stages.whole(encoder, literals, u64::MAX) {
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

    /// The values of a helper's arguments.
    fn arguments(&mut self, leaf: &Leaf) -> Option<Vec<Symbol>> {
        let Some(Head::Helper(terms)) = self.flat.heads.first() else { return None };
        let mut reading = self.reading();
        let value = |term| match reading.value(term, leaf.bound) {
            // Meanings are about cells and digits: any number will do.
            Err(NoValue::TooMuch | NoValue::TooLarge) => Value::Number(Amount::Unknown),
            value => value.expect(BOUND),
        };
        Some(terms.iter().map(value).collect())
    }

    /// Whether the head's arguments can go against a lemma, for these digits.
    fn against(&mut self, leaf: &Leaf, scope: Scope, lemma: Lemma, case: &[Digit]) -> Flow {
        let Some(arguments) = self.arguments(leaf) else { return Flow::Next };
        let flaw = lemma.flaw(&mut self.inquiry.encoder, &arguments, case);
        match self.put(leaf, scope, &flaw, Claim::Contradiction) {
            Reach::To(step) => Flow::Back(step.max(leaf.heads_known)),
            Reach::Body(step) => Flow::Back(step),
            Reach::Open | Reach::Stop => Flow::Stop,
        }
    }

    /// Whether the head's nodes can have values that the meaning does not know yet.
    fn outside(&mut self, leaf: &Leaf, scope: Scope, helper: PredicateId) -> Flow {
        let Some(arguments) = self.arguments(leaf) else { return Flow::Next };
        let Inquiry { meanings, encoder, .. } = &mut *self.inquiry;
        let Some(meaning) = meanings.of(helper) else { return Flow::Next };
        let nodes = meaning.nodes(encoder, &arguments);
        let mut inside = Vec::new();
        meaning.conditions(encoder, &arguments, &mut inside);
        let mut claim = vec![!encoder.and(inside)];
        let digit = meaning.first_digit(&arguments);
        if let Some(digit) = digit {
            claim.extend(self.arrangement(leaf, digit));
        }
        match self.put(leaf, scope, &claim, Claim::Contradiction) {
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
    let core: HashSet<Lit> = core.iter().copied().collect();
    let blamed = |literal: &Lit| core.contains(literal);
    let steps = leaf.body.iter().filter(|(literal, _)| blamed(literal));
    let step = steps.map(|&(_, step)| step).max().unwrap_or(0);
    if claim.iter().any(blamed) { Reach::To(step) } else { Reach::Body(step) }
}

//! Running a plan: forward step by step, back to the last variable that has values left.
//!
//! ```text
//! step      0 each D      1 each A      2 if …      3 each B      end
//! back      –             0             1           1             3
//! left      {5, 7}        {r1c4, r2c2}              {r9c9}
//! ```
//!
//! Where a step fails, and after each solution, the run goes back to the variable before, takes
//! its next value and goes forward again. From the step on where nothing of the head is open, one
//! solution is enough: then it goes back to the variable before that step.

use super::bits::{Bits, Width};
use super::compile::HeadTerm;
use super::count::{cell_calls, small_calls};
use super::expression::{CellsTerm, Frame, REGISTERS, SLOTS, Scene, SmallTerm};
use super::plan::Plan;
use super::step::{Bound, Step};

/// Who hears of each solution.
pub(super) trait Sink<W: Width> {
    /// One solution; whether it was the last one wanted.
    fn found(&mut self, scene: Scene<W>, frame: &Frame<W>, heads: &[HeadTerm]) -> bool;
}

/// The values that variables have not taken yet: of cells and of digits and houses by slot, of
/// orientations by the register of their lines.
#[derive(Clone)]
struct Left<W: Width> {
    cells: [W::Cells; SLOTS],
    small: [W::Small; SLOTS],
    across: [bool; REGISTERS],
}

/// Where variables have their values, kept from one run to the next.
#[derive(Clone)]
pub(super) struct Desk<W: Width> {
    frame: Frame<W>,
    left: Left<W>,
}

impl<W: Width> Desk<W> {
    pub fn new() -> Self {
        let left = Left {
            cells: [W::Cells::EMPTY; SLOTS],
            small: [W::Small::EMPTY; SLOTS],
            across: [false; REGISTERS],
        };
        Desk { frame: Frame::new(), left }
    }
}

/// A plan being run. With `COUNT` every literal called is counted.
pub(super) struct Runner<'a, W: Width, S, const COUNT: bool> {
    pub scene: Scene<'a, W>,
    pub plan: &'a Plan,
    pub frame: &'a mut Frame<W>,
    left: &'a mut Left<W>,
    pub sink: S,
    /// Bindings that may still be tried.
    pub budget: u64,
    /// Whether to come to an end: enough was found, or the budget is used up.
    pub stop: bool,
    pub cut_off: bool,
    pub inferences: u64,
}

impl<'a, W: Width, S: Sink<W>, const COUNT: bool> Runner<'a, W, S, COUNT> {
    pub fn new(
        scene: Scene<'a, W>,
        desk: &'a mut Desk<W>,
        plan: &'a Plan,
        sink: S,
        budget: u64,
    ) -> Self {
        let Desk { frame, left } = desk;
        let (stop, cut_off, inferences) = (false, false, 0);
        Runner { scene, plan, frame, left, sink, budget, stop, cut_off, inferences }
    }

    #[inline]
    pub(super) fn count(&mut self, calls: usize) {
        if COUNT {
            self.inferences += calls as u64;
        }
    }

    /// One more binding; whether it may be tried.
    #[inline]
    pub(super) fn spend(&mut self) -> bool {
        match self.budget.checked_sub(1) {
            Some(left) => {
                self.budget = left;
                true
            }
            None => {
                (self.stop, self.cut_off) = (true, true);
                false
            }
        }
    }

    #[inline(always)]
    fn cells(&self, domain: &[Bound<CellsTerm>]) -> W::Cells {
        let (scene, frame) = (self.scene, &*self.frame);
        let mut left = domain[0].set.quick(scene, frame);
        for bound in &domain[1..] {
            let set = bound.set.quick(scene, frame);
            left = if bound.negated { left.minus(set) } else { left.and(set) };
        }
        left
    }

    #[inline(always)]
    fn small(&self, domain: &[Bound<SmallTerm>]) -> W::Small {
        let (scene, frame) = (self.scene, &*self.frame);
        let mut left = domain[0].set.quick(scene, frame);
        for bound in &domain[1..] {
            let set = bound.set.quick(scene, frame);
            left = if bound.negated { left.minus(set) } else { left.and(set) };
        }
        left
    }

    /// Runs the plan from a step on; whether a solution was found.
    pub fn run(&mut self, from: usize) -> bool {
        let plan = self.plan;
        let mut found = false;
        let mut at = from;
        loop {
            // Forward: whether to go on to the next step, or back.
            let Some(step) = plan.steps.get(at) else {
                self.found();
                found = true;
                at = at.min(plan.settled);
                if !self.back(&mut at, from) {
                    return true;
                }
                continue;
            };
            let goes_on = match step {
                Step::Cell { slot, domain } => {
                    if COUNT {
                        self.inferences += cell_calls(domain, self.scene, self.frame);
                    }
                    let cells = self.cells(domain);
                    if at + 1 == plan.steps.len() {
                        found |= self.last(*slot, cells, &mut at);
                        false
                    } else {
                        self.left.cells[*slot as usize % SLOTS] = cells;
                        self.next_cell(*slot)
                    }
                }
                Step::Small { slot, domain } => {
                    if COUNT {
                        self.inferences += small_calls(domain, self.scene, self.frame);
                    }
                    let small = self.small(domain);
                    if at + 1 == plan.steps.len() {
                        found |= self.last(*slot, small, &mut at);
                        false
                    } else {
                        self.left.small[*slot as usize % SLOTS] = small;
                        self.next_small(*slot)
                    }
                }
                Step::Test(test) => {
                    self.count(1);
                    test.holds(self.scene, self.frame)
                }
                Step::Effective => self.is_effective(),
                Step::AllCells { register, domain } => {
                    if COUNT {
                        self.inferences += cell_calls(domain, self.scene, self.frame);
                    }
                    let cells = self.cells(domain);
                    self.frame.cells[*register as usize] = cells;
                    !cells.is_empty()
                }
                Step::DefineCells(register, term) => {
                    self.count(1);
                    self.frame.cells[*register as usize] = term.value(self.scene, self.frame);
                    true
                }
                Step::DefineSmall(register, term) => {
                    self.count(1);
                    self.frame.small[*register as usize] = term.value(self.scene, self.frame);
                    true
                }
                Step::DefineNumber(slot, number) => {
                    self.count(1);
                    self.frame.numbers[*slot as usize] = number.value(self.scene, self.frame);
                    true
                }
                Step::Orientation { lines, across } => {
                    self.count(1);
                    let (rows, columns) = (self.scene.statics.rows, self.scene.statics.columns);
                    self.frame.small[*lines as usize] = rows;
                    self.frame.small[*across as usize] = columns;
                    self.left.across[*lines as usize] = true;
                    true
                }
                Step::Choose(choose) => {
                    // The rest of the plan is run for each subset.
                    if self.choose(at, choose) {
                        found = true;
                        at = at.min(plan.settled);
                    }
                    false
                }
            };
            if goes_on {
                at += 1;
            } else if !self.back(&mut at, from) {
                return found;
            }
        }
    }

    /// Goes back from a step to the last one before it, but not before `from`, whose variable has
    /// a value left; to the step after it, with that value.
    #[inline(always)]
    fn back(&mut self, at: &mut usize, from: usize) -> bool {
        let plan = self.plan;
        while let Some(before) = plan.back[*at].map(usize::from)
            && before >= from
            && !self.stop
        {
            *at = before;
            let goes_on = match &plan.steps[before] {
                Step::Cell { slot, .. } => self.next_cell(*slot),
                Step::Small { slot, .. } => self.next_small(*slot),
                Step::Orientation { lines, across } => self.turn(*lines, *across),
                _ => false,
            };
            if goes_on {
                *at = before + 1;
                return true;
            }
        }
        false
    }

    /// The last step binds a variable: each value is a solution. Goes to where to go back from.
    #[inline(always)]
    fn last<B: Bits>(&mut self, slot: u8, mut members: B, at: &mut usize) -> bool {
        let mut found = false;
        while !members.is_empty() && self.spend() {
            self.frame.slots[slot as usize % SLOTS].set(members.pop() as u32);
            self.found();
            found = true;
            if self.stop || *at >= self.plan.settled {
                *at = (*at).min(self.plan.settled);
                break;
            }
        }
        found
    }

    /// The next value of a cell variable.
    #[inline(always)]
    fn next_cell(&mut self, slot: u8) -> bool {
        let slot = slot as usize % SLOTS;
        let left = &mut self.left.cells[slot];
        if left.is_empty() {
            return false;
        }
        self.frame.slots[slot].set(left.pop() as u32);
        self.spend()
    }

    /// The next value of a digit or house variable.
    #[inline(always)]
    fn next_small(&mut self, slot: u8) -> bool {
        let slot = slot as usize % SLOTS;
        let left = &mut self.left.small[slot];
        if left.is_empty() {
            return false;
        }
        self.frame.slots[slot].set(left.pop() as u32);
        self.spend()
    }

    /// After rows and columns, columns and rows.
    #[cold]
    fn turn(&mut self, lines: u8, across: u8) -> bool {
        let (rows, columns) = (self.scene.statics.rows, self.scene.statics.columns);
        self.frame.small[lines as usize] = columns;
        self.frame.small[across as usize] = rows;
        std::mem::take(&mut self.left.across[lines as usize])
    }

    #[inline(always)]
    fn found(&mut self) {
        self.count(self.plan.heads.len());
        self.stop |= self.sink.found(self.scene, self.frame, &self.plan.heads);
    }

    fn is_effective(&self) -> bool {
        let Scene { statics: _, view, tables: _ } = self.scene;
        let (scene, frame) = (self.scene, &*self.frame);
        self.plan.heads.iter().any(|head| match head {
            HeadTerm::Eliminate(cells, SmallTerm::Only(digit)) => {
                let plane = view.planes[digit.value(scene, frame)];
                plane.meets(cells.quick(scene, frame))
            }
            HeadTerm::Eliminate(cells, digits) => {
                let cells = cells.value(scene, frame);
                digits.value(scene, frame).iter().any(|d| view.planes[d].meets(cells))
            }
            HeadTerm::Place(cell, digit) => {
                let (cell, digit) = (cell.value(scene, frame), digit.value(scene, frame));
                if view.planes[digit].contains(cell) {
                    view.unsolved.contains(cell)
                } else {
                    !view.candidates[cell].is_empty()
                }
            }
            HeadTerm::Contradiction | HeadTerm::Tuple(_) => true,
        })
    }
}

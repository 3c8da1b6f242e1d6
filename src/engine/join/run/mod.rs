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

mod count;
mod packing;
mod reach;
mod scan;
mod sink;
mod subsets;

use super::bits::{Bits, Width};
use super::code::{
    AnySet, Bind, CellsSet, Frame, HeadTerm, JoinStep, Left, Memory, Narrowing, SLOTS, Scene,
    SmallSet, Sort,
};
use super::plan::JoinPlan;

pub(super) use sink::{Found, Least, MOST_MATCHES, MOST_PARTS, Matches, Nobody, Sink, Wanted};

/// A plan being run. With `COUNT` every literal called is counted.
pub(super) struct Runner<'a, W: Width, K, const COUNT: bool> {
    scene: &'a Scene<'a, W>,
    plan: &'a JoinPlan,
    pub frame: &'a mut Frame<W>,
    left: &'a mut Left<W>,
    sink: K,
    /// Bindings that may still be tried.
    pub budget: u64,
    /// Whether to come to an end: enough was found, or the budget is used up.
    stop: bool,
    pub cut_off: bool,
    pub inferences: u64,
}

impl<'a, W: Width, K: Sink<W>, const COUNT: bool> Runner<'a, W, K, COUNT> {
    pub(super) fn new(
        scene: &'a Scene<'a, W>,
        memory: &'a mut Memory<W>,
        plan: &'a JoinPlan,
        sink: K,
        budget: u64,
    ) -> Self {
        let Memory { frame, left } = memory;
        left.run += 1;
        let (stop, cut_off, inferences) = (false, false, 0);
        Runner { scene, plan, frame, left, sink, budget, stop, cut_off, inferences }
    }

    #[inline]
    fn count(&mut self, calls: usize) {
        if COUNT {
            self.inferences += calls as u64;
        }
    }

    /// One more binding; whether it may be tried.
    #[inline]
    fn spend(&mut self) -> bool {
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

    /// What a variable may be.
    #[inline(always)]
    fn domain<S: Sort>(&mut self, domain: &[Narrowing<S>]) -> S::Bits<W> {
        let (scene, frame) = (self.scene, &*self.frame);
        if COUNT {
            self.inferences += count::calls(domain, scene, frame);
        }
        let mut left = domain[0].set.quick(scene, frame);
        for bound in &domain[1..] {
            let set = bound.set.quick(scene, frame);
            left = if bound.negated { left.minus(set) } else { left.and(set) };
        }
        left
    }

    /// Runs the plan from a step on; whether a solution was found.
    pub(super) fn run(&mut self, from: usize) -> bool {
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
                JoinStep::Cell(bind) => self.bind(bind, &mut at, &mut found),
                JoinStep::Small(bind) => self.bind(bind, &mut at, &mut found),
                JoinStep::Choose(choose) => {
                    // The rest of the plan is run for each subset.
                    if self.choose(at, choose) {
                        found = true;
                        at = at.min(plan.settled);
                    }
                    false
                }
                JoinStep::Scan(scan) => self.open_rows(scan),
                other => self.does(other),
            };
            if goes_on {
                at += 1;
            } else if !self.back(&mut at, from) {
                return found;
            }
        }
    }

    /// A step that gives no variable several values at once; whether to go on.
    #[inline(always)]
    fn does(&mut self, step: &JoinStep) -> bool {
        match step {
            JoinStep::Test(test) => {
                self.count(1);
                return test.holds(self.scene, self.frame);
            }
            JoinStep::Effective => return self.is_effective(),
            JoinStep::AllCells(Bind { slot, domain }) => {
                let cells = self.domain(domain);
                self.frame.cells[*slot as usize] = cells;
                return !cells.is_empty();
            }
            JoinStep::Define(register, AnySet::Cells(set)) => {
                self.count(1);
                self.frame.cells[*register as usize] = set.value(self.scene, self.frame);
            }
            JoinStep::Define(register, AnySet::Small(set)) => {
                self.count(1);
                self.frame.small[*register as usize] = set.value(self.scene, self.frame);
            }
            JoinStep::DefineNumber(slot, number) => {
                self.count(1);
                self.frame.numbers[*slot as usize] = number.value(self.scene, self.frame);
            }
            JoinStep::Orientation { lines, across } => {
                self.count(1);
                let (rows, columns) = (self.scene.statics.rows, self.scene.statics.columns);
                self.frame.small[*lines as usize] = rows;
                self.frame.small[*across as usize] = columns;
                self.left.across[*lines as usize] = true;
            }
            JoinStep::Cell(_) | JoinStep::Small(_) | JoinStep::Choose(_) | JoinStep::Scan(_) => {}
        }
        true
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
                JoinStep::Cell(bind) => self.next::<CellsSet>(bind.slot),
                JoinStep::Small(bind) => self.next::<SmallSet>(bind.slot),
                JoinStep::Orientation { lines, across } => self.turn(*lines, *across),
                JoinStep::Scan(scan) => self.next_row(scan),
                _ => false,
            };
            if goes_on {
                *at = before + 1;
                return true;
            }
        }
        false
    }

    /// Binds a variable to its first value. If that is the last step, each value is a solution;
    /// then it goes to where to go back from.
    #[inline(always)]
    fn bind<S: Sort>(&mut self, bind: &Bind<S>, at: &mut usize, found: &mut bool) -> bool {
        let mut members = self.domain(&bind.domain);
        let slot = bind.slot as usize % SLOTS;
        if *at + 1 < self.plan.steps.len() {
            S::left(self.left)[slot] = members;
            return self.next::<S>(bind.slot);
        }
        while !members.is_empty() && self.spend() {
            self.frame.slots[slot].set(members.pop() as u32);
            self.found();
            *found = true;
            if self.stop || *at >= self.plan.settled {
                *at = (*at).min(self.plan.settled);
                break;
            }
        }
        false
    }

    /// The next value of a variable.
    #[inline(always)]
    fn next<S: Sort>(&mut self, slot: u8) -> bool {
        let slot = slot as usize % SLOTS;
        let left = &mut S::left(self.left)[slot];
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
        if let [HeadTerm::Gathered { register, .. }] = &self.plan.heads[..] {
            // Each of its tuples costs as much as one that was bound by itself.
            let tuples = self.frame.cells[*register as usize].len();
            self.count(tuples);
            match self.budget.checked_sub(tuples as u64) {
                Some(left) => self.budget = left,
                None => (self.budget, self.stop, self.cut_off) = (0, true, true),
            }
        } else {
            self.count(self.plan.heads.len());
        }
        self.stop |= self.sink.found(self.scene, self.frame, &self.plan.heads);
    }

    fn is_effective(&self) -> bool {
        let (scene, frame, view) = (self.scene, &*self.frame, self.scene.view);
        self.plan.heads.iter().any(|head| match head {
            HeadTerm::Eliminate(cells, SmallSet::Only(digit)) => {
                let digit = digit.value(scene, frame);
                let gone = view.planes[digit].and(cells.quick(scene, frame));
                !gone.is_empty() && !self.sink.news(digit, gone).is_empty()
            }
            HeadTerm::Eliminate(cells, digits) => {
                let cells = cells.value(scene, frame);
                let is_news = |d: usize| {
                    let gone = view.planes[d].and(cells);
                    !gone.is_empty() && !self.sink.news(d, gone).is_empty()
                };
                digits.value(scene, frame).iter().any(is_news)
            }
            HeadTerm::Place(cell, digit) => {
                let (cell, digit) = (cell.value(scene, frame), digit.value(scene, frame));
                if view.planes[digit].contains(cell) {
                    view.unsolved.contains(cell)
                } else {
                    !view.candidates[cell].is_empty()
                }
            }
            HeadTerm::Contradiction
            | HeadTerm::Tuple(_)
            | HeadTerm::Gathered { .. }
            | HeadTerm::Row(_) => true,
        })
    }
}

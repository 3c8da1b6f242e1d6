//! Running a plan: one call a step, nested as deep as there are variables.

use super::bits::{Bits, Register, Width};
use super::compile::{HeadTerm, SetTerm};
use super::count::{cell_calls, small_calls};
use super::expression::{CellsTerm, Frame, Over, Scene, SmallTerm};
use super::plan::{Bound, Choose, Plan, Pruning, Step};

/// Who hears of each solution.
pub(super) trait Sink<W: Width> {
    /// One solution; whether it was the last one wanted.
    fn found(&mut self, scene: Scene<W>, frame: &Frame<W>, heads: &[HeadTerm]) -> bool;
}

/// A plan being run. With `COUNT` every literal called is counted.
pub(super) struct Runner<'a, W: Width, S, const COUNT: bool> {
    pub scene: Scene<'a, W>,
    pub plan: &'a Plan,
    pub frame: Frame<W>,
    pub sink: S,
    /// Bindings that may still be tried.
    pub budget: u64,
    /// Whether to come to an end: enough was found, or the budget is used up.
    pub stop: bool,
    pub cut_off: bool,
    pub inferences: u64,
}

impl<'a, W: Width, S: Sink<W>, const COUNT: bool> Runner<'a, W, S, COUNT> {
    pub fn new(scene: Scene<'a, W>, plan: &'a Plan, sink: S, budget: u64) -> Self {
        let frame = Frame::new();
        let (stop, cut_off, inferences) = (false, false, 0);
        Runner { scene, plan, frame, sink, budget, stop, cut_off, inferences }
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

    #[inline]
    fn cells(&self, domain: &[Bound<CellsTerm>]) -> W::Cells {
        let (scene, frame) = (self.scene, &self.frame);
        let mut left = domain[0].set.quick(scene, frame);
        for bound in &domain[1..] {
            if left.is_empty() {
                break;
            }
            let set = bound.set.quick(scene, frame);
            left = if bound.negated { left.minus(set) } else { left.and(set) };
        }
        left
    }

    #[inline]
    fn small(&self, domain: &[Bound<SmallTerm>]) -> W::Small {
        let (scene, frame) = (self.scene, &self.frame);
        let mut left = domain[0].set.quick(scene, frame);
        for bound in &domain[1..] {
            if left.is_empty() {
                break;
            }
            let set = bound.set.quick(scene, frame);
            left = if bound.negated { left.minus(set) } else { left.and(set) };
        }
        left
    }

    /// Runs the plan from a step on; whether a solution was found.
    pub fn run(&mut self, at: usize) -> bool {
        let plan = self.plan;
        let Some(step) = plan.steps.get(at) else { return self.found() };
        match step {
            Step::Cell { slot, domain, exists } => {
                if COUNT {
                    self.inferences += cell_calls(domain, self.scene, &self.frame);
                }
                let cells = self.cells(domain);
                self.each(at, *slot, cells, *exists)
            }
            Step::Small { slot, domain, exists } => {
                if COUNT {
                    self.inferences += small_calls(domain, self.scene, &self.frame);
                }
                let small = self.small(domain);
                self.each(at, *slot, small, *exists)
            }
            Step::Test(test) => {
                self.count(1);
                test.holds(self.scene, &self.frame) && self.run(at + 1)
            }
            Step::Effective => self.is_effective() && self.run(at + 1),
            Step::AllCells { register, domain } => {
                if COUNT {
                    self.inferences += cell_calls(domain, self.scene, &self.frame);
                }
                let cells = self.cells(domain);
                self.frame.cells[*register as usize] = cells;
                !cells.is_empty() && self.run(at + 1)
            }
            Step::DefineCells(register, term) => {
                self.count(1);
                self.frame.cells[*register as usize] = term.value(self.scene, &self.frame);
                self.run(at + 1)
            }
            Step::DefineSmall(register, term) => {
                self.count(1);
                self.frame.small[*register as usize] = term.value(self.scene, &self.frame);
                self.run(at + 1)
            }
            Step::DefineNumber(slot, number) => {
                self.count(1);
                let number = number.value(self.scene, &self.frame);
                self.frame.slots[*slot as usize].set(number as u32);
                self.run(at + 1)
            }
            Step::Orientation { lines, across, exists } => {
                self.count(1);
                let (rows, columns) = (self.scene.statics.rows, self.scene.statics.columns);
                let mut found = false;
                for (one, other) in [(rows, columns), (columns, rows)] {
                    self.frame.small[*lines as usize] = one;
                    self.frame.small[*across as usize] = other;
                    found |= self.run(at + 1);
                    if self.stop || found && *exists {
                        break;
                    }
                }
                found
            }
            Step::Choose(choose) => self.choose(at, choose),
        }
    }

    /// Goes on with each member in the slot.
    #[inline]
    fn each<B: Bits>(&mut self, at: usize, slot: u8, mut members: B, exists: bool) -> bool {
        let mut found = false;
        while !members.is_empty() {
            if !self.spend() {
                break;
            }
            self.frame.slots[slot as usize].set(members.pop() as u32);
            found |= self.run(at + 1);
            if self.stop || found && exists {
                break;
            }
        }
        found
    }

    #[cold]
    fn found(&mut self) -> bool {
        self.count(self.plan.heads.len());
        self.stop |= self.sink.found(self.scene, &self.frame, &self.plan.heads);
        true
    }

    fn is_effective(&self) -> bool {
        let Scene { statics: _, view, tables: _ } = self.scene;
        let (scene, frame) = (self.scene, &self.frame);
        self.plan.heads.iter().any(|head| match head {
            HeadTerm::Eliminate(cells, SmallTerm::Only(digit)) => {
                let plane = view.planes[digit.value(scene, frame)];
                plane.meets(cells.value(scene, frame))
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

    /// Goes on with each subset of the size wanted.
    fn choose(&mut self, at: usize, choose: &Choose) -> bool {
        let (scene, frame) = (self.scene, &self.frame);
        let Ok(wanted) = usize::try_from(choose.number.value(scene, frame)) else { return false };
        match (&choose.over, &choose.required) {
            (Over::Cells(over), Some(SetTerm::Cells(required))) => {
                let (over, required) = (over.value(scene, frame), required.value(scene, frame));
                self.choose_from(at, choose, over, required, wanted)
            }
            (Over::Small(over), Some(SetTerm::Small(required))) => {
                let (over, required) = (over.value(scene, frame), required.value(scene, frame));
                self.choose_from(at, choose, over, required, wanted)
            }
            (Over::Cells(over), _) => {
                let over = over.value(scene, frame);
                self.choose_from(at, choose, over, W::Cells::EMPTY, wanted)
            }
            (Over::Small(over), _) => {
                let over = over.value(scene, frame);
                self.choose_from(at, choose, over, W::Small::EMPTY, wanted)
            }
        }
    }

    fn choose_from<F: Register<W>>(
        &mut self,
        at: usize,
        choose: &Choose,
        over: F,
        required: F,
        wanted: usize,
    ) -> bool {
        let Some(left) = wanted.checked_sub(required.len()) else { return false };
        if !required.within(over) {
            return false;
        }
        let rest = over.minus(required);
        if left > 0 && rest.at_most(left - 1) {
            return false;
        }
        let Some(pruning) = &choose.pruning else {
            let none = Images::<W::Small> { images: &[], limit: usize::MAX, defines: None };
            return self.pick_from(at, choose, rest, required, left, none, W::Small::EMPTY);
        };
        let limit = pruning.limit.value(self.scene, &self.frame);
        let Ok(limit) = usize::try_from(limit) else { return false };
        match (&pruning.of_one, &pruning.of_all) {
            // The union over nothing is not the image of nothing.
            (_, SetTerm::Small(all)) if wanted == 0 => {
                F::set(&mut self.frame, choose.register, F::EMPTY);
                let image = all.value(self.scene, &self.frame);
                self.choose_nothing(at, pruning, image, limit)
            }
            (_, SetTerm::Cells(all)) if wanted == 0 => {
                F::set(&mut self.frame, choose.register, F::EMPTY);
                let image = all.value(self.scene, &self.frame);
                self.choose_nothing(at, pruning, image, limit)
            }
            (SetTerm::Small(image), _) => {
                let image = |runner: &Self| image.value(runner.scene, &runner.frame);
                self.choose_bounded(at, choose, pruning, (rest, required), image, left, limit)
            }
            (SetTerm::Cells(image), _) => {
                let image = |runner: &Self| image.value(runner.scene, &runner.frame);
                self.choose_bounded(at, choose, pruning, (rest, required), image, left, limit)
            }
        }
    }

    fn choose_nothing<B: Register<W>>(
        &mut self,
        at: usize,
        pruning: &Pruning,
        image: B,
        limit: usize,
    ) -> bool {
        self.count(1);
        if let Some(register) = pruning.defines {
            B::set(&mut self.frame, register, image);
        }
        image.at_most(limit) && self.run(at + 1)
    }

    /// Takes the images of all items, leaves out those that are too large by themselves, and
    /// picks from the others.
    #[allow(clippy::too_many_arguments)]
    fn choose_bounded<F: Register<W>, B: Register<W>>(
        &mut self,
        at: usize,
        choose: &Choose,
        pruning: &Pruning,
        (rest, required): (F, F),
        image: impl Fn(&Self) -> B,
        left: usize,
        limit: usize,
    ) -> bool {
        let slot = pruning.slot as usize;
        let mut union = B::EMPTY;
        for item in required.iter() {
            self.frame.slots[slot].set(item as u32);
            union = union.or(image(self));
        }
        if !union.at_most(limit) {
            return false;
        }
        let mut few = [B::EMPTY; 32];
        let mut many = Vec::new();
        let mut from = F::EMPTY;
        let mut count = 0;
        for item in rest.iter() {
            self.count(1);
            self.frame.slots[slot].set(item as u32);
            let one = image(self);
            if one.at_most(limit) {
                from.insert(item);
                if count < few.len() {
                    few[count] = one;
                } else {
                    if many.is_empty() {
                        many.extend_from_slice(&few);
                    }
                    many.push(one);
                }
                count += 1;
            }
        }
        let images = if many.is_empty() { &few[..count] } else { &many[..] };
        let images = Images { images, limit, defines: pruning.defines };
        self.pick_from(at, choose, from, required, left, images, union)
    }

    #[allow(clippy::too_many_arguments)]
    fn pick_from<F: Register<W>, B: Register<W>>(
        &mut self,
        at: usize,
        choose: &Choose,
        from: F,
        chosen: F,
        left: usize,
        images: Images<B>,
        union: B,
    ) -> bool {
        let mut few = [0u16; 32];
        let mut many = Vec::new();
        let mut count = 0;
        for item in from.iter() {
            if count < few.len() {
                few[count] = item as u16;
            } else {
                if many.is_empty() {
                    many.extend_from_slice(&few);
                }
                many.push(item as u16);
            }
            count += 1;
        }
        if count < left {
            return false;
        }
        let items = if many.is_empty() { &few[..count] } else { &many[..] };
        let choice = Choice { at, register: choose.register, exists: choose.exists, items, images };
        self.pick(&choice, 0, left, chosen, union)
    }

    /// Picks so many more of the items from `from` on.
    fn pick<F: Register<W>, B: Register<W>>(
        &mut self,
        choice: &Choice<B>,
        from: usize,
        left: usize,
        chosen: F,
        union: B,
    ) -> bool {
        if left == 0 {
            F::set(&mut self.frame, choice.register, chosen);
            if let Some(register) = choice.images.defines {
                B::set(&mut self.frame, register, union);
            }
            return self.run(choice.at + 1);
        }
        let mut found = false;
        for i in from..=choice.items.len() - left {
            if !self.spend() {
                break;
            }
            self.count(1);
            let mut union = union;
            if let Some(image) = choice.images.images.get(i) {
                union = union.or(*image);
                if !union.at_most(choice.images.limit) {
                    continue;
                }
            }
            let chosen = chosen.or(F::only(choice.items[i] as usize));
            found |= self.pick(choice, i + 1, left - 1, chosen, union);
            if self.stop || found && choice.exists {
                break;
            }
        }
        found
    }
}

/// A `choose` being gone through.
struct Choice<'a, B> {
    at: usize,
    register: u8,
    exists: bool,
    items: &'a [u16],
    images: Images<'a, B>,
}

/// The image of each item, if the union of those chosen is bounded, and where that union goes.
struct Images<'a, B> {
    images: &'a [B],
    limit: usize,
    defines: Option<u8>,
}

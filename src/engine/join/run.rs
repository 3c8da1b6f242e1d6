//! Running a plan: one call a step, nested as deep as there are variables.

use super::bits::{Bits, Width};
use super::compile::{HeadTerm, SetTerm};
use super::expression::{CellsTerm, Frame, Number, Over, Scene, SmallTerm};
use super::plan::{Bound, Plan, Pruning, Step};

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
        let mut left = domain[0].set.value(scene, frame);
        for bound in &domain[1..] {
            if left.is_empty() {
                break;
            }
            let set = bound.set.value(scene, frame);
            left = if bound.negated { left.minus(set) } else { left.and(set) };
        }
        left
    }

    #[inline]
    fn small(&self, domain: &[Bound<SmallTerm>]) -> W::Small {
        let (scene, frame) = (self.scene, &self.frame);
        let mut left = domain[0].set.value(scene, frame);
        for bound in &domain[1..] {
            if left.is_empty() {
                break;
            }
            let set = bound.set.value(scene, frame);
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
                self.count(domain.len());
                let cells = self.cells(domain);
                self.each(at, *slot, cells, *exists)
            }
            Step::Small { slot, domain, exists } => {
                self.count(domain.len());
                let small = self.small(domain);
                self.each(at, *slot, small, *exists)
            }
            Step::Test(test) => {
                self.count(1);
                test.holds(self.scene, &self.frame) && self.run(at + 1)
            }
            Step::Effective => self.is_effective() && self.run(at + 1),
            Step::AllCells { register, domain } => {
                self.count(domain.len());
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
            Step::Choose { register, over, number, required, pruning, exists } => {
                self.choose(at, *register, over, number, required.as_ref(), pruning, *exists)
            }
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

    #[allow(clippy::too_many_arguments)]
    fn choose(
        &mut self,
        at: usize,
        register: u8,
        over: &Over,
        number: &Number,
        required: Option<&SetTerm>,
        pruning: &Option<Box<Pruning>>,
        exists: bool,
    ) -> bool {
        let (scene, frame) = (self.scene, &self.frame);
        let Ok(wanted) = usize::try_from(number.value(scene, frame)) else { return false };
        let mut chosen: Vec<u16> = Vec::new();
        let mut items: Vec<u16> = Vec::new();
        let is_cells = matches!(over, Over::Cells(_));
        match (over, required) {
            (Over::Cells(over), Some(SetTerm::Cells(required))) => {
                let (over, required) = (over.value(scene, frame), required.value(scene, frame));
                if !required.within(over) {
                    return false;
                }
                chosen.extend(required.iter().map(|c| c as u16));
                items.extend(over.minus(required).iter().map(|c| c as u16));
            }
            (Over::Small(over), Some(SetTerm::Small(required))) => {
                let (over, required) = (over.value(scene, frame), required.value(scene, frame));
                if !required.within(over) {
                    return false;
                }
                chosen.extend(required.iter().map(|c| c as u16));
                items.extend(over.minus(required).iter().map(|c| c as u16));
            }
            (Over::Cells(over), _) => {
                items.extend(over.value(scene, frame).iter().map(|c| c as u16));
            }
            (Over::Small(over), _) => {
                items.extend(over.value(scene, frame).iter().map(|c| c as u16));
            }
        }
        let Some(left) = wanted.checked_sub(chosen.len()) else { return false };
        if items.len() < left {
            return false;
        }
        let mut choice = Choice {
            at,
            register,
            is_cells,
            exists,
            items,
            images: Vec::new(),
            limit: usize::MAX,
            defines: None,
            store: |_, _, _| {},
        };
        let Some(pruning) = pruning else {
            return self.pick::<u64>(&choice, 0, left, 0, &mut chosen);
        };
        let Ok(limit) = usize::try_from(pruning.limit.value(scene, frame)) else { return false };
        choice.limit = limit;
        choice.defines = pruning.defines;
        // The union over nothing is not the image of nothing; the general case is rare enough.
        if wanted == 0 {
            self.choose_nothing(&choice, pruning)
        } else {
            match (&pruning.of_one, is_cells) {
                (SetTerm::Small(image), _) => {
                    let image = |runner: &Self, item: u16| {
                        runner.frame.slots[pruning.slot as usize].set(item as u32);
                        image.value(runner.scene, &runner.frame)
                    };
                    let choice = choice.imaged(|frame, r, set| frame.small[r as usize] = set);
                    self.pick_bounded(choice, image, left, chosen)
                }
                (SetTerm::Cells(image), _) => {
                    let image = |runner: &Self, item: u16| {
                        runner.frame.slots[pruning.slot as usize].set(item as u32);
                        image.value(runner.scene, &runner.frame)
                    };
                    let choice = choice.imaged(|frame, r, set| frame.cells[r as usize] = set);
                    self.pick_bounded(choice, image, left, chosen)
                }
            }
        }
    }

    fn choose_nothing(&mut self, choice: &Choice<W, u64>, pruning: &Pruning) -> bool {
        self.count(1);
        self.set_chosen(choice.is_cells, choice.register, &[]);
        let few = match &pruning.of_all {
            SetTerm::Cells(image) => {
                let image = image.value(self.scene, &self.frame);
                if let Some(register) = pruning.defines {
                    self.frame.cells[register as usize] = image;
                }
                image.len() <= choice.limit
            }
            SetTerm::Small(image) => {
                let image = image.value(self.scene, &self.frame);
                if let Some(register) = pruning.defines {
                    self.frame.small[register as usize] = image;
                }
                image.len() <= choice.limit
            }
        };
        few && self.run(choice.at + 1)
    }

    /// Takes the images of all items, leaves out those that are too large by themselves, and
    /// picks from the others.
    fn pick_bounded<B: Bits>(
        &mut self,
        mut choice: Choice<W, B>,
        image: impl Fn(&Self, u16) -> B,
        left: usize,
        mut chosen: Vec<u16>,
    ) -> bool {
        let limit = choice.limit;
        let mut union = B::EMPTY;
        for &item in &chosen {
            union = union.or(image(self, item));
        }
        if !union.at_most(limit) {
            return false;
        }
        let items = std::mem::take(&mut choice.items);
        self.count(items.len());
        for item in items {
            let one = image(self, item);
            if one.at_most(limit) {
                choice.items.push(item);
                choice.images.push(one);
            }
        }
        if choice.items.len() < left {
            return false;
        }
        self.pick(&choice, 0, left, union, &mut chosen)
    }

    /// Picks so many more of the items from `from` on.
    fn pick<B: Bits>(
        &mut self,
        choice: &Choice<W, B>,
        from: usize,
        left: usize,
        union: B,
        chosen: &mut Vec<u16>,
    ) -> bool {
        if left == 0 {
            self.set_chosen(choice.is_cells, choice.register, chosen);
            if let Some(register) = choice.defines {
                (choice.store)(&mut self.frame, register, union);
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
            if let Some(image) = choice.images.get(i) {
                union = union.or(*image);
                if !union.at_most(choice.limit) {
                    continue;
                }
            }
            chosen.push(choice.items[i]);
            found |= self.pick(choice, i + 1, left - 1, union, chosen);
            chosen.pop();
            if self.stop || found && choice.exists {
                break;
            }
        }
        found
    }

    fn set_chosen(&mut self, is_cells: bool, register: u8, chosen: &[u16]) {
        if is_cells {
            let mut set = W::Cells::EMPTY;
            chosen.iter().for_each(|&item| set.insert(item as usize));
            self.frame.cells[register as usize] = set;
        } else {
            let mut set = W::Small::EMPTY;
            chosen.iter().for_each(|&item| set.insert(item as usize));
            self.frame.small[register as usize] = set;
        }
    }
}

/// A `choose` being gone through.
struct Choice<W: Width, B> {
    at: usize,
    register: u8,
    is_cells: bool,
    exists: bool,
    items: Vec<u16>,
    /// The image of each item, if the choice is bounded.
    images: Vec<B>,
    limit: usize,
    defines: Option<u8>,
    /// Puts the union into a register.
    store: fn(&mut Frame<W>, u8, B),
}

impl<W: Width> Choice<W, u64> {
    fn imaged<B: Bits>(self, store: fn(&mut Frame<W>, u8, B)) -> Choice<W, B> {
        let Choice { at, register, is_cells, exists, items, limit, defines, .. } = self;
        let images = Vec::new();
        Choice { at, register, is_cells, exists, items, images, limit, defines, store }
    }
}

//! Running `choose`: every subset of some sizes, as long as the union of its members' images is small
//! enough.

use super::super::bits::{Bits, Width};
use super::super::code::{AnySet, CellsSet, Choose, Frame, Pruning, Scene, SmallSet, Sort, of_any};
use super::{Runner, Sink};

/// A `choose` being gone through: what of it is the same for all subsets.
struct Choice<'a, S: Sort, I: Sort, W: Width> {
    /// The step, and where the subset goes.
    at: usize,
    register: u8,
    /// Whether one subset is enough.
    exists: bool,
    items: &'a [u16],
    /// The image of each item, if the union of those chosen is bounded, and where that union goes.
    images: &'a [I::Bits<W>],
    limit: Limit,
    defines: Option<u8>,
    required: S::Bits<W>,
}

impl<S: Sort, I: Sort, W: Width> Choice<'_, S, I, W> {
    fn new(at: usize, choose: &Choose, required: S::Bits<W>, exists: bool, limit: Limit) -> Self {
        let defines = choose.pruning.as_ref().and_then(|pruning| pruning.defines);
        let (register, items, images) = (choose.register, &[], &[]);
        Choice { at, register, exists, items, images, limit, defines, required }
    }
}

impl<W: Width, K: Sink<W>, const COUNT: bool> Runner<'_, W, K, COUNT> {
    /// Goes on with each subset of the sizes wanted.
    pub(super) fn choose(&mut self, at: usize, choose: &Choose) -> bool {
        match (&choose.over, &choose.covered, &choose.packing) {
            (AnySet::Small(over), Some(covered), _) => {
                self.choose_covering(at, choose, over, covered)
            }
            (AnySet::Small(over), _, Some(packing)) => {
                self.choose_packed(at, choose, over, packing)
            }
            _ => of_any!(&choose.over, over => self.choose_from(at, choose, over)),
        }
    }

    fn choose_from<S: Sort>(&mut self, at: usize, choose: &Choose, over: &S) -> bool {
        let (scene, frame) = (self.scene, &*self.frame);
        let Some(Pick { required, from: rest, mut left }) = pick_of(choose, over, scene, frame)
        else {
            return false;
        };
        let exists = at >= self.plan.settled;
        let Some(pruning) = &choose.pruning else {
            let choice = Choice::<S, SmallSet, W>::new(at, choose, required, exists, Limit::NONE);
            return self.pick_from(choice, rest, left, W::Small::EMPTY);
        };
        let limit = pruning.limit.value(scene, frame);
        let Ok(limit) = usize::try_from(limit) else { return false };
        let most = required.len() + left.most;
        let limit = Limit { size: limit, grows_to: if pruning.grows { most } else { 0 } };
        let mut found = false;
        if left.least == 0 && required.is_empty() {
            // The union over nothing is not the image of nothing.
            S::registers_mut(self.frame)[choose.register as usize] = S::Bits::<W>::EMPTY;
            found =
                of_any!(&pruning.of_all, all => self.choose_nothing(at, pruning, all, limit.size));
            if left.most == 0 || self.stop || found && exists {
                return found;
            }
            left.least = 1;
        }
        found
            | of_any!(&pruning.of_one, image => {
                let choice = Choice::<S, _, W>::new(at, choose, required, exists, limit);
                self.choose_bounded(choice, pruning.slot, image, rest, left)
            })
    }

    fn choose_nothing<I: Sort>(
        &mut self,
        at: usize,
        pruning: &Pruning,
        image: &I,
        limit: usize,
    ) -> bool {
        self.count(1);
        let image = image.value(self.scene, &*self.frame);
        if let Some(register) = pruning.defines {
            I::registers_mut(self.frame)[register as usize] = image;
        }
        image.at_most(limit) && self.run(at + 1)
    }

    /// Takes the images of all items, leaves out those that are too large by themselves, and
    /// picks from the others.
    fn choose_bounded<S: Sort, I: Sort>(
        &mut self,
        choice: Choice<S, I, W>,
        slot: u8,
        image: &I,
        rest: S::Bits<W>,
        left: Remaining,
    ) -> bool {
        let image = |runner: &Self, item: usize| {
            runner.frame.slots[slot as usize].set(item as u32);
            image.value(runner.scene, runner.frame)
        };
        let mut union = I::Bits::<W>::EMPTY;
        for item in choice.required.iter() {
            union = union.or(image(self, item));
        }
        let highest = choice.limit.with(choice.limit.grows_to);
        if !union.at_most(highest) {
            return false;
        }
        let mut images = List::new(I::Bits::<W>::EMPTY);
        let mut from = S::Bits::<W>::EMPTY;
        if COUNT {
            self.inferences += rest.len() as u64;
        }
        let runner = &*self;
        rest.each(|item| {
            let one = image(runner, item);
            if one.at_most(highest) {
                from.insert(item);
                images.push(one);
            }
        });
        self.pick_from(Choice { images: images.as_slice(), ..choice }, from, left, union)
    }

    /// Goes on with each set of houses that holds all of some cells.
    fn choose_covering(
        &mut self,
        at: usize,
        choose: &Choose,
        over: &SmallSet,
        covered: &CellsSet,
    ) -> bool {
        let (scene, frame) = (self.scene, &*self.frame);
        let Some(Pick { required, from, left }) = pick_of(choose, over, scene, frame) else {
            return false;
        };
        let held = required.gather(W::Cells::EMPTY, |all, h| all.or(scene.statics.cells_of[h]));
        let open = covered.value(scene, frame).minus(held);
        let exists = at >= self.plan.settled;
        let choice = Choice::new(at, choose, required, exists, Limit::NONE);
        self.cover(&choice, from, left, required, open)
    }

    /// Picks houses until all cells are in one of them: each time one of those around a cell that is
    /// still open. What was picked for it before is not picked again, so no subset comes twice.
    fn cover(
        &mut self,
        choice: &Choice<SmallSet, SmallSet, W>,
        mut from: W::Small,
        left: Remaining,
        chosen: W::Small,
        mut open: W::Cells,
    ) -> bool {
        if open.is_empty() {
            let choice = Choice { required: chosen, ..*choice };
            return self.pick_from(choice, from, left, W::Small::EMPTY);
        }
        if left.most == 0 {
            return false;
        }
        let statics = self.scene.statics;
        let mut around = statics.houses_of[open.pop()].and(from);
        let mut found = false;
        while !around.is_empty() && self.spend() {
            self.count(1);
            let house = around.pop();
            from = from.minus(W::Small::only(house));
            let open = open.minus(statics.cells_of[house]);
            if left.most > 1 || open.is_empty() {
                let chosen = chosen.or(W::Small::only(house));
                found |= self.cover(choice, from, left.without_one(), chosen, open);
                if self.stop || found && choice.exists {
                    break;
                }
            }
        }
        found
    }

    fn pick_from<S: Sort, I: Sort>(
        &mut self,
        choice: Choice<S, I, W>,
        from: S::Bits<W>,
        left: Remaining,
        union: I::Bits<W>,
    ) -> bool {
        let mut items = List::new(0u16);
        from.each(|item| items.push(item as u16));
        let items = items.as_slice();
        if items.len() < left.least {
            return false;
        }
        let chosen = choice.required;
        self.pick(&Choice { items, ..choice }, 0, left, chosen, union)
    }

    /// Picks so many more of the items from `from` on.
    fn pick<S: Sort, I: Sort>(
        &mut self,
        choice: &Choice<S, I, W>,
        from: usize,
        left: Remaining,
        chosen: S::Bits<W>,
        union: I::Bits<W>,
    ) -> bool {
        let mut found = false;
        let limit = choice.limit;
        let count = limit.grows_to.saturating_sub(left.most);
        if left.least == 0 && (limit.grows_to == 0 || union.at_most(limit.with(count))) {
            S::registers_mut(self.frame)[choice.register as usize] = chosen;
            if let Some(register) = choice.defines {
                I::registers_mut(self.frame)[register as usize] = union;
            }
            found = self.run(choice.at + 1);
            if self.stop || found && choice.exists {
                return found;
            }
        }
        if left.most == 0 {
            return found;
        }
        let last = (choice.items.len() + 1).saturating_sub(left.least.max(1));
        for i in from..last {
            if !self.spend() {
                break;
            }
            self.count(1);
            let mut union = union;
            if let Some(image) = choice.images.get(i) {
                union = union.or(*image);
                // As many as can still be chosen.
                let most = limit.grows_to.min(count + choice.items.len() - i);
                if !union.at_most(limit.with(most)) {
                    continue;
                }
            }
            let chosen = chosen.or(S::Bits::<W>::only(choice.items[i] as usize));
            found |= self.pick(choice, i + 1, left.without_one(), chosen, union);
            if self.stop || found && choice.exists {
                break;
            }
        }
        found
    }
}

/// What has to be chosen, what else there is to choose from, and how many of it.
pub(super) struct Pick<B> {
    pub required: B,
    pub from: B,
    pub left: Remaining,
}

/// What a choice begins with; nothing if there is no such subset.
#[inline(always)]
pub(super) fn pick_of<S: Sort, W: Width>(
    choose: &Choose,
    over: &S,
    scene: &Scene<W>,
    frame: &Frame<W>,
) -> Option<Pick<S::Bits<W>>> {
    let most = usize::try_from(choose.most.value(scene, frame)).ok()?;
    let least = choose.least.value(scene, frame).max(0) as usize;
    let over = over.value(scene, frame);
    let required = choose.required.as_ref().and_then(S::of);
    let required = required.map_or(S::Bits::<W>::EMPTY, |set| set.value(scene, frame));
    let most_left = most.checked_sub(required.len())?;
    let left = Remaining { least: least.saturating_sub(required.len()), most: most_left };
    let from = over.minus(required);
    let fits = least <= most
        && required.within(over)
        && (left.least == 0 || !from.at_most(left.least - 1));
    fits.then_some(Pick { required, from, left })
}

/// How large a union may be; if that grows with each one chosen, up to how many.
#[derive(Clone, Copy)]
struct Limit {
    size: usize,
    grows_to: usize,
}

impl Limit {
    const NONE: Limit = Limit { size: usize::MAX, grows_to: 0 };

    /// With so many chosen, if it grows.
    #[inline(always)]
    fn with(self, count: usize) -> usize {
        self.size + count
    }
}

/// How many are still to be picked.
#[derive(Clone, Copy)]
pub(super) struct Remaining {
    pub least: usize,
    pub most: usize,
}

impl Remaining {
    pub(super) fn without_one(self) -> Remaining {
        Remaining { least: self.least.saturating_sub(1), most: self.most - 1 }
    }
}

/// A list that needs no memory of its own while it is short, as those of 9 × 9 are.
pub(super) struct List<T> {
    short: [T; 32],
    count: usize,
    long: Vec<T>,
}

impl<T: Copy> List<T> {
    #[inline(always)]
    pub(super) fn new(filler: T) -> Self {
        List { short: [filler; 32], count: 0, long: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, item: T) {
        if self.count < self.short.len() {
            self.short[self.count] = item;
        } else {
            if self.long.is_empty() {
                self.long.extend_from_slice(&self.short);
            }
            self.long.push(item);
        }
        self.count += 1;
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[T] {
        if self.long.is_empty() { &self.short[..self.count] } else { &self.long }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
        if self.long.is_empty() { &mut self.short[..self.count] } else { &mut self.long }
    }
}

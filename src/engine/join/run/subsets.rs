//! Running `choose`: every subset of some sizes, as long as the union of its members' images is small
//! enough.

use super::super::bits::{Bits, Width};
use super::super::code::{AnySet, CellsSet, Choose, Frame, Pruning, Scene, SmallSet, Sort, of_any};
use super::{Runner, Sink};

/// A `choose` being gone through: what of it is the same for all subsets.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a, P> {
    /// The step, and where the subset goes.
    pub at: usize,
    pub register: u8,
    /// Whether one subset is enough.
    pub exists: bool,
    pub items: &'a [u16],
    pub prune: P,
}

/// What is kept of the items picked so far, to tell early that no subset with them passes.
pub(super) trait Prune<W: Width> {
    type Kept: Copy;
    /// With the item at this place, so many being left to pick; nothing if no such subset passes.
    fn with(&self, kept: Self::Kept, place: usize, left: Remaining) -> Option<Self::Kept>;
    /// Whether those picked are a subset that passes: then what it defines is written.
    fn ends(&self, _kept: Self::Kept, _left: Remaining, _frame: &mut Frame<W>) -> bool {
        true
    }
}

/// Every subset passes.
#[derive(Clone, Copy)]
struct Any;

impl<W: Width> Prune<W> for Any {
    type Kept = ();
    #[inline(always)]
    fn with(&self, _: (), _: usize, _: Remaining) -> Option<()> {
        Some(())
    }
}

/// The union of the items' images is bounded, and goes somewhere.
struct Bounded<'a, I: Sort, W: Width> {
    images: &'a [I::Bits<W>],
    limit: Limit,
    defines: Option<u8>,
}

impl<I: Sort, W: Width> Prune<W> for Bounded<'_, I, W> {
    type Kept = I::Bits<W>;
    #[inline(always)]
    fn with(&self, union: I::Bits<W>, place: usize, left: Remaining) -> Option<I::Bits<W>> {
        let union = union.or(self.images[place]);
        // As many as can still be chosen.
        let more = self.limit.count(left) + self.images.len() - place;
        let most = self.limit.grows_to.min(more);
        union.at_most(self.limit.with(most)).then_some(union)
    }

    #[inline(always)]
    fn ends(&self, union: I::Bits<W>, left: Remaining, frame: &mut Frame<W>) -> bool {
        let limit = self.limit;
        if limit.grows_to > 0 && !union.at_most(limit.with(limit.count(left))) {
            return false;
        }
        if let Some(register) = self.defines {
            I::registers_mut(frame)[register as usize] = union;
        }
        true
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
        let choice = Choice { at, register: choose.register, exists, items: &[], prune: Any };
        let Some(pruning) = &choose.pruning else {
            return self.pick_from::<S, _>(choice, rest, left, required, ());
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
                self.choose_bounded::<S, _>(choice, (pruning, image, limit), (required, rest), left)
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
        choice: Choice<Any>,
        (pruning, image, limit): (&Pruning, &I, Limit),
        (required, rest): (S::Bits<W>, S::Bits<W>),
        left: Remaining,
    ) -> bool {
        let image = |runner: &Self, item: usize| {
            runner.frame.slots[pruning.slot as usize].set(item as u32);
            image.value(runner.scene, runner.frame)
        };
        let mut union = I::Bits::<W>::EMPTY;
        for item in required.iter() {
            union = union.or(image(self, item));
        }
        let highest = limit.with(limit.grows_to);
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
        let prune = Bounded::<I, W> { images: images.as_slice(), limit, defines: pruning.defines };
        let Choice { at, register, exists, items, .. } = choice;
        let choice = Choice { at, register, exists, items, prune };
        self.pick_from::<S, _>(choice, from, left, required, union)
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
        let choice = Choice { at, register: choose.register, exists, items: &[], prune: Any };
        self.cover(&choice, from, left, required, open)
    }

    /// Picks houses until all cells are in one of them: each time one of those around a cell that is
    /// still open. What was picked for it before is not picked again, so no subset comes twice.
    fn cover(
        &mut self,
        choice: &Choice<Any>,
        mut from: W::Small,
        left: Remaining,
        chosen: W::Small,
        mut open: W::Cells,
    ) -> bool {
        if open.is_empty() {
            return self.pick_from::<SmallSet, _>(*choice, from, left, chosen, ());
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

    fn pick_from<S: Sort, P: Prune<W>>(
        &mut self,
        choice: Choice<P>,
        from: S::Bits<W>,
        left: Remaining,
        chosen: S::Bits<W>,
        kept: P::Kept,
    ) -> bool {
        let mut items = List::new(0u16);
        from.each(|item| items.push(item as u16));
        let items = items.as_slice();
        if items.len() < left.least {
            return false;
        }
        self.pick::<S, P>(&Choice { items, ..choice }, 0, left, chosen, kept)
    }

    /// Picks so many more of the items from `from` on.
    pub(super) fn pick<S: Sort, P: Prune<W>>(
        &mut self,
        choice: &Choice<P>,
        from: usize,
        left: Remaining,
        chosen: S::Bits<W>,
        kept: P::Kept,
    ) -> bool {
        let mut found = false;
        if left.least == 0 && choice.prune.ends(kept, left, self.frame) {
            S::registers_mut(self.frame)[choice.register as usize] = chosen;
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
            let Some(kept) = choice.prune.with(kept, i, left) else { continue };
            let chosen = chosen.or(S::Bits::<W>::only(choice.items[i] as usize));
            found |= self.pick::<S, P>(choice, i + 1, left.without_one(), chosen, kept);
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
    /// With so many chosen, if it grows.
    #[inline(always)]
    fn with(self, count: usize) -> usize {
        self.size + count
    }

    /// How many are chosen where so many are left.
    #[inline(always)]
    fn count(self, left: Remaining) -> usize {
        self.grows_to.saturating_sub(left.most)
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

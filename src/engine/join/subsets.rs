//! Running `choose`: every subset of a size, as long as the union of its members' images is small
//! enough.

use super::bits::{Bits, Register, Width};
use super::compile::SetTerm;
use super::expression::Over;
use super::run::{Runner, Sink};
use super::step::{Choose, Pruning};

impl<W: Width, S: Sink<W>, const COUNT: bool> Runner<'_, W, S, COUNT> {
    /// Goes on with each subset of the size wanted.
    pub(super) fn choose(&mut self, at: usize, choose: &Choose) -> bool {
        let (scene, frame) = (self.scene, &*self.frame);
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
        let limit = pruning.limit.value(self.scene, &*self.frame);
        let Ok(limit) = usize::try_from(limit) else { return false };
        match (&pruning.of_one, &pruning.of_all) {
            // The union over nothing is not the image of nothing.
            (_, SetTerm::Small(all)) if wanted == 0 => {
                F::set(self.frame, choose.register, F::EMPTY);
                let image = all.value(self.scene, &*self.frame);
                self.choose_nothing(at, pruning, image, limit)
            }
            (_, SetTerm::Cells(all)) if wanted == 0 => {
                F::set(self.frame, choose.register, F::EMPTY);
                let image = all.value(self.scene, &*self.frame);
                self.choose_nothing(at, pruning, image, limit)
            }
            (SetTerm::Small(image), _) => {
                let image = |runner: &Self| image.value(runner.scene, runner.frame);
                self.choose_bounded(at, choose, pruning, (rest, required), image, left, limit)
            }
            (SetTerm::Cells(image), _) => {
                let image = |runner: &Self| image.value(runner.scene, runner.frame);
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
            B::set(self.frame, register, image);
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
        let choice = Choice {
            at,
            register: choose.register,
            exists: at >= self.plan.settled,
            items,
            images,
        };
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
            F::set(self.frame, choice.register, chosen);
            if let Some(register) = choice.images.defines {
                B::set(self.frame, register, union);
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

//! Running `choose` where what the houses chosen hold must lie apart, and few others must hold it.

use super::super::bits::{Bits, Width};
use super::super::code::{Choose, Packing, SmallSet, Sort};
use super::super::view::Statics;
use super::subsets::{List, Pick, Remaining, pick_of};
use super::{Runner, Sink};

/// A choice of houses being gone through.
struct Packed<'a, W: Width> {
    at: usize,
    register: u8,
    /// Whether one is enough.
    exists: bool,
    items: &'a [Item<W>],
    apart: bool,
    /// How many houses must hold everything.
    most: usize,
}

/// A house, and what it holds.
#[derive(Clone, Copy)]
struct Item<W: Width> {
    house: u16,
    holds: W::Cells,
}

impl<W: Width, K: Sink<W>, const COUNT: bool> Runner<'_, W, K, COUNT> {
    /// Goes on with each subset of the sizes wanted that can pass.
    pub(super) fn choose_packed(
        &mut self,
        at: usize,
        choose: &Choose,
        over: &SmallSet,
        packing: &Packing,
    ) -> bool {
        let (scene, frame) = (self.scene, &*self.frame);
        let Some(Pick { from, left, .. }) = pick_of(choose, over, scene, frame) else {
            return false;
        };
        let most = packing.most.value(scene, frame) - i64::from(packing.without_one);
        let Ok(most) = usize::try_from(most) else { return false };
        let holders = packing.houses.value(scene, frame);
        let mut items = List::new(Item::<W> { house: 0, holds: W::Cells::EMPTY });
        from.each(|house| {
            frame.slots[packing.slot as usize].set(house as u32);
            let holds = packing.of_one.value(scene, frame);
            let others = holders.minus(W::Small::only(house));
            if can_hold(scene.statics, holds, others, most) {
                items.push(Item { house: house as u16, holds });
            }
        });
        // Those that hold much first: others seldom hold it with more.
        items.as_mut_slice().sort_by_key(|item| (usize::MAX - item.holds.len(), item.house));
        let exists = at >= self.plan.settled;
        let (register, apart, items) = (choose.register, packing.apart, items.as_slice());
        let packed = Packed { at, register, exists, items, apart, most };
        self.pack(&packed, 0, left, W::Small::EMPTY, (W::Cells::EMPTY, holders))
    }

    /// Picks so many more of the items from `from` on; `held` is what those chosen hold, and those
    /// that may hold it.
    fn pack(
        &mut self,
        packed: &Packed<W>,
        from: usize,
        left: Remaining,
        chosen: W::Small,
        (held, holders): (W::Cells, W::Small),
    ) -> bool {
        let mut found = false;
        if left.least == 0 {
            SmallSet::registers_mut(self.frame)[packed.register as usize] = chosen;
            found = self.run(packed.at + 1);
            if self.stop || found && packed.exists {
                return found;
            }
        }
        if left.most == 0 {
            return found;
        }
        let last = (packed.items.len() + 1).saturating_sub(left.least.max(1));
        for i in from..last {
            if !self.spend() {
                break;
            }
            self.count(1);
            let Item { house, holds } = packed.items[i];
            if packed.apart && held.meets(holds) {
                continue;
            }
            let (house, held) = (W::Small::only(house as usize), held.or(holds));
            let holders = holders.minus(house);
            if from > 0 && !can_hold(self.scene.statics, held, holders, packed.most) {
                continue;
            }
            let all = (held, holders);
            found |= self.pack(packed, i + 1, left.without_one(), chosen.or(house), all);
            if self.stop || found && packed.exists {
                break;
            }
        }
        found
    }
}

/// Whether so many of the houses hold all these cells.
fn can_hold<W: Width>(
    statics: &Statics<W>,
    cells: W::Cells,
    houses: W::Small,
    most: usize,
) -> bool {
    if cells.is_empty() {
        return true;
    }
    if most == 0 {
        return false;
    }
    let first = { cells }.pop();
    let mut around = statics.houses_of[first].and(houses);
    while !around.is_empty() {
        let house = around.pop();
        let rest = cells.minus(statics.cells_of[house]);
        if rest.is_empty()
            || most > 1 && can_hold(statics, rest, houses.minus(W::Small::only(house)), most - 1)
        {
            return true;
        }
    }
    false
}

//! Running `choose` where what the houses chosen hold must lie apart, and few others must hold it.

use super::super::bits::{Bits, Width};
use super::super::code::{Choose, Packing, SmallSet, Sort};
use super::super::view::Statics;
use super::subsets::{Choice, List, Pick, Prune, Remaining, pick_of};
use super::{Runner, Sink};

/// What the houses hold that can be chosen, and who must hold it.
struct Packed<'a, W: Width> {
    statics: &'a Statics<W>,
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

impl<W: Width> Prune<W> for Packed<'_, W> {
    /// What those chosen hold, and the houses that may hold it.
    type Kept = (W::Cells, W::Small);

    fn with(&self, (held, holders): Self::Kept, place: usize, _: Remaining) -> Option<Self::Kept> {
        let Item { house, holds } = self.items[place];
        if self.apart && held.meets(holds) {
            return None;
        }
        let (all, others) = (held.or(holds), holders.minus(W::Small::only(house as usize)));
        // What one holds was asked before.
        let passes = held.is_empty() || can_hold(self.statics, all, others, self.most);
        passes.then_some((all, others))
    }
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
        let items = items.as_slice();
        let mut houses = List::new(0u16);
        items.iter().for_each(|item| houses.push(item.house));
        let statics = scene.statics;
        let choice = Choice {
            at,
            register: choose.register,
            exists: at >= self.plan.settled,
            items: houses.as_slice(),
            prune: Packed { statics, items, apart: packing.apart, most },
        };
        let kept = (W::Cells::EMPTY, holders);
        self.pick::<SmallSet, _>(&choice, 0, left, W::Small::EMPTY, kept)
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

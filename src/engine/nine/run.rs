//! The fixpoint on registers.

use crate::board::groups::houses_of;
use crate::board::simd::{BAND, Kernel, Lanes, Planes};
use crate::engine::plan::{Plan, PlanePlan};
use crate::engine::shape::{Effect, Hall};

use super::memo::Memo;
use super::questions::{answer, count_locked, is_sound};

/// Why a run stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Every cell is placed.
    Solved,
    /// No instance has anything to say.
    Stuck,
    /// Something is wrong with the board; plain bit sets will tell what.
    Doubtful,
    /// This instance needs the join.
    Join(usize),
    /// This instance has an effective match (of a run that only looks).
    Fires(usize),
}

/// A run in numbers.
#[derive(Clone, Debug, Default)]
pub struct Passes {
    /// Matches that changed something, by instance.
    pub firings: Vec<u64>,
    /// Times an instance was tried.
    pub tried: u64,
    /// Passes that changed something.
    pub steps: usize,
    /// The instance of the last one.
    pub last: Option<usize>,
}

impl Passes {
    /// Another run begins.
    pub fn clear(&mut self) {
        self.firings.fill(0);
        (self.tried, self.steps, self.last) = (0, 0, None);
    }
}

/// What a pass changed: enough to find the reasons later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// Candidates placed or eliminated.
    pub candidates: Planes,
    /// Which of the two.
    pub effect: Effect,
    /// The instance.
    pub instance: u32,
}

/// Whether passes are recorded.
pub trait Record {
    /// Takes in a pass.
    fn pass<L: Lanes>(&mut self, instance: usize, effect: Effect, candidates: L);
}

impl Record for () {
    #[inline(always)]
    fn pass<L: Lanes>(&mut self, _: usize, _: Effect, _: L) {}
}

impl Record for Vec<Recorded> {
    #[inline(always)]
    fn pass<L: Lanes>(&mut self, instance: usize, effect: Effect, candidates: L) {
        let mut at_rest = Planes::EMPTY;
        candidates.store(&mut at_rest);
        self.push(Recorded { candidates: at_rest, effect, instance: instance as u32 });
    }
}

/// A run from one instance on. With `LOOK` it stops where it would change something.
pub struct Run<'a, R, const LOOK: bool> {
    /// The plans of all instances.
    pub plans: &'a [Plan],
    /// The candidates.
    pub board: &'a mut Planes,
    /// The placed cells, in the lanes of all digits.
    pub placed: &'a mut Planes,
    /// The tables of tight sets.
    pub memo: &'a mut Memo,
    /// What is counted.
    pub passes: &'a mut Passes,
    /// What is recorded.
    pub record: &'a mut R,
    /// The first instance to try.
    pub from: usize,
}

impl<R: Record, const LOOK: bool> Kernel for Run<'_, R, LOOK> {
    type Output = Stop;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Stop {
        let now = Now { x: L::load(self.board), placed: L::load(self.placed) };
        let (board, placed) = (&mut *self.board, &mut *self.placed);
        let (now, stop) =
            now.go::<R, LOOK>(self.plans, self.memo, self.passes, self.record, self.from);
        now.x.store(board);
        now.placed.store(placed);
        stop
    }
}

/// A run from the givens on, and the numbers placed in the end.
pub struct RunNumbers<'a, R> {
    /// The givens, 0 where none.
    pub givens: &'a [u8; 81],
    /// The digits placed, 0 where none.
    pub numbers: &'a mut [u8; 81],
    /// Everything else; its board and placed cells are overwritten.
    pub run: Run<'a, R, false>,
}

impl<R: Record> Kernel for RunNumbers<'_, R> {
    type Output = Stop;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Stop {
        let Run { plans, board, placed, memo, passes, record, from } = self.run;
        let given = L::from_numbers(self.givens);
        let cells = given.any_digit();
        let open = L::all(BAND) - (cells | houses_of(given));
        let now = Now { x: open | given, placed: cells };
        let (now, stop) = now.go::<R, false>(plans, memo, passes, record, from);
        now.x.store(board);
        now.placed.store(placed);
        (now.x & now.placed).to_numbers(self.numbers);
        stop
    }
}

/// The board in registers.
struct Now<L> {
    x: L,
    placed: L,
}

impl<L: Lanes> Now<L> {
    /// To the fixpoint.
    #[inline(always)]
    fn go<R: Record, const LOOK: bool>(
        mut self,
        plans: &[Plan],
        memo: &mut Memo,
        passes: &mut Passes,
        record: &mut R,
        from: usize,
    ) -> (Now<L>, Stop) {
        // Not empty when the board cannot have a solution.
        let mut doubt = L::splat(0);
        let mut instance = from;
        let mut tried = 0;
        let stop = loop {
            if instance == 0 && self.is_solved() {
                break Stop::Solved;
            }
            let Some(plan) = plans.get(instance) else { break Stop::Stuck };
            let fired = match plan {
                Plan::Planes(plan) => self.planes::<R, LOOK>(plan, instance, &mut doubt, record),
                Plan::Hall(halls) => match self.halls::<R, LOOK>(halls, instance, memo, record) {
                    Some(fired) => fired,
                    None => break Stop::Doubtful,
                },
                Plan::Join => break Stop::Join(instance),
            };
            tried += 1;
            if fired == 0 {
                instance += 1;
                continue;
            }
            if LOOK {
                break Stop::Fires(instance);
            }
            passes.firings[instance] += fired;
            passes.steps += 1;
            passes.last = Some(instance);
            instance = 0;
        };
        passes.tried += tried;
        let sound = doubt.is_empty() && is_sound(self.x, self.placed);
        (self, if sound { stop } else { Stop::Doubtful })
    }

    /// A pass of the Hall operator; nothing if the board cannot have a solution.
    #[inline(always)]
    fn halls<R: Record, const LOOK: bool>(
        &mut self,
        halls: &[Hall],
        instance: usize,
        memo: &mut Memo,
        record: &mut R,
    ) -> Option<u64> {
        let (mut count, mut gone) = (0, L::splat(0));
        for hall in halls {
            let (more, candidates) = memo.tight(self.x, self.placed, hall)?;
            (count, gone) = (count + more, gone | candidates);
        }
        if count > 0 && !LOOK {
            self.eliminate(gone, instance, record);
        }
        Some(count)
    }

    #[inline(always)]
    fn is_solved(&self) -> bool {
        (L::all(BAND) - self.placed).is_empty()
    }

    /// A pass of a plane program; how many matches changed something.
    #[inline(always)]
    fn planes<R: Record, const LOOK: bool>(
        &mut self,
        plan: &PlanePlan,
        instance: usize,
        doubt: &mut L,
        record: &mut R,
    ) -> u64 {
        let Some(asked) = &plan.nine else { return 0 };
        let found = answer(self.x, asked, doubt);
        match plan.effect {
            Effect::Place => {
                let new = found - self.placed;
                if new.is_empty() {
                    return 0;
                }
                if LOOK {
                    return 1;
                }
                record.pass(instance, Effect::Place, new);
                self.place(new)
            }
            Effect::Eliminate => {
                if found.is_empty() {
                    return 0;
                }
                if LOOK {
                    return 1;
                }
                let count = count_locked(self.x, asked);
                self.eliminate(found, instance, record);
                count
            }
        }
    }

    /// Places candidates, all at once; how many cells that is.
    #[inline(always)]
    fn place(&mut self, new: L) -> u64 {
        let cells = new.any_digit();
        self.x = (self.x - (cells | houses_of(new))) | new;
        self.placed = self.placed | cells;
        cells.bands().iter().map(|band| u64::from(band.count_ones())).sum()
    }

    #[inline(always)]
    fn eliminate<R: Record>(&mut self, gone: L, instance: usize, record: &mut R) {
        record.pass(instance, Effect::Eliminate, gone);
        self.x = self.x - gone;
    }
}

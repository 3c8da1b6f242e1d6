//! The fixpoint: placing, eliminating, and what is tried when.

use crate::board::simd::Planes;
use crate::engine::plan::Plan;
use crate::engine::shape::{Effect, Questions};

use super::Board;
use super::hall::taken;
use super::questions::{answer, is_sound};

/// Why a run stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Every cell is placed.
    Solved,
    /// No instance has anything to say.
    Stuck,
    /// A cell or a house is empty (of a run that looks after each pass, or only asks).
    Hole,
    /// Something went wrong on the way (of a run that looks at the end only).
    Doubtful,
    /// This instance needs the join.
    Join(usize),
    /// This instance has an effective match (of a run that only asks).
    Fires(usize),
}

/// What a run is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The end, as fast as can be. What is empty stays empty, and what is placed twice stays so or
    /// becomes empty: one look at the end tells whether something went wrong on the way.
    End,
    /// The end, and where it went wrong: looks for holes after each pass.
    Holes,
    /// The first instance that would change something.
    First,
}

/// A run in numbers.
#[derive(Clone, Debug, Default)]
pub struct Passes {
    /// Passes that changed something, by instance.
    pub firings: Vec<u64>,
    /// Times an instance was tried.
    pub tried: u64,
    /// Passes, or steps, that changed something.
    pub steps: usize,
    /// The instance that changed something last.
    pub last: Option<usize>,
}

impl Passes {
    /// Another run begins.
    pub fn clear(&mut self) {
        // Mostly there was nothing to count.
        if self.steps > 0 {
            self.firings.fill(0);
        }
        (self.tried, self.steps, self.last) = (0, 0, None);
    }

    /// Takes in a pass that changed something.
    #[inline(always)]
    pub fn fired(&mut self, instance: usize) {
        self.firings[instance] += 1;
        self.steps += 1;
        self.last = Some(instance);
    }
}

/// What a pass changed: enough to find the reasons later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recorded<AtRest = Planes> {
    /// Candidates placed or eliminated.
    pub candidates: AtRest,
    /// Which of the two.
    pub effect: Effect,
    /// The instance.
    pub instance: u32,
}

/// Whether passes are recorded.
pub trait Record<AtRest> {
    /// Whether they are.
    const WANTED: bool;
    /// Takes in a pass.
    fn pass(&mut self, instance: usize, effect: Effect, candidates: AtRest);
}

impl<AtRest> Record<AtRest> for () {
    const WANTED: bool = false;
    #[inline(always)]
    fn pass(&mut self, _: usize, _: Effect, _: AtRest) {}
}

impl<AtRest> Record<AtRest> for Vec<Recorded<AtRest>> {
    const WANTED: bool = true;
    #[inline(always)]
    fn pass(&mut self, instance: usize, effect: Effect, candidates: AtRest) {
        self.push(Recorded { candidates, effect, instance: instance as u32 });
    }
}

/// A run from one instance on, with all that it reads and writes.
pub(super) struct Run<'a, Memo, R> {
    /// The plans of all instances.
    pub plans: &'a [Plan],
    /// What it is for.
    pub purpose: Purpose,
    /// The first instance to try.
    pub from: usize,
    /// What the board remembers.
    pub memo: &'a mut Memo,
    /// What is counted.
    pub passes: &'a mut Passes,
    /// What is recorded.
    pub record: &'a mut R,
}

/// A state: the candidates, and every digit of the placed cells.
pub(super) struct WholeState<'a, B: Board> {
    /// The board that the sets are of.
    pub board: &'a B,
    /// The candidates.
    pub x: B::Set,
    /// The placed cells.
    pub placed: B::Set,
}

impl<B: Board> WholeState<'_, B> {
    /// To the fixpoint, or to where the join is needed.
    #[inline(always)]
    pub(super) fn go<R: Record<B::AtRest>>(&mut self, run: Run<B::Memo, R>) -> Stop {
        match run.purpose {
            Purpose::End => self.go_for::<R, true>(run),
            _ => self.go_for::<R, false>(run),
        }
    }

    /// The same; `END` tells whether the end is all that counts, so that the fast run has no code
    /// for anything else.
    #[inline(always)]
    fn go_for<R: Record<B::AtRest>, const END: bool>(&mut self, run: Run<B::Memo, R>) -> Stop {
        let Run { plans, purpose, from, memo, passes, record } = run;
        let mut instance = from;
        let mut tried = 0;
        let stop = loop {
            if instance == 0 {
                if !END && !self.board.is_everywhere(self.x) {
                    break Stop::Hole;
                }
                if self.is_solved() {
                    break Stop::Solved;
                }
            }
            let Some(plan) = plans.get(instance) else { break Stop::Stuck };
            let (effect, found) = match plan {
                Plan::Planes(effect, asked) => (*effect, self.asked(*effect, asked)),
                Plan::Hall(halls) => {
                    let mut gone = self.board.none();
                    for hall in halls {
                        gone = gone | taken(self.board, memo, self.x, self.placed, hall);
                    }
                    (Effect::Eliminate, gone)
                }
                Plan::Off(_) => {
                    instance += 1;
                    continue;
                }
                Plan::Join => break Stop::Join(instance),
            };
            tried += 1;
            if self.board.is_empty(found) {
                // Changes nothing, but the compiler does not know: else it would work out the
                // questions of all instances whenever the first is asked.
                self.x = self.x | found;
                instance += 1;
                continue;
            }
            if R::WANTED {
                record.pass(instance, effect, self.board.store(found));
            }
            if !END && purpose == Purpose::First {
                break Stop::Fires(instance);
            }
            match effect {
                Effect::Eliminate => self.x = self.x - found,
                Effect::Place => self.place::<END>(found),
            }
            passes.fired(instance);
            instance = 0;
        };
        passes.tried += tried;
        let is_wrong = END && !is_sound(self.board, self.x, self.placed);
        if is_wrong { Stop::Doubtful } else { stop }
    }

    #[inline(always)]
    fn is_solved(&self) -> bool {
        self.board.is_empty(self.board.all() - self.placed)
    }

    /// What a plane program changes.
    #[inline(always)]
    fn asked(&self, effect: Effect, asked: &Questions) -> B::Set {
        let answer = answer(self.board, self.x, asked);
        match effect {
            Effect::Place => answer - self.placed,
            Effect::Eliminate => answer,
        }
    }

    /// Places candidates, all at once: each takes the rest of its cell and its digit from its
    /// houses, from another that is placed with it too.
    #[inline(always)]
    fn place<const END: bool>(&mut self, new: B::Set) {
        let board = self.board;
        let cells = board.same_cell(new);
        self.x = (self.x - (cells | board.same_house(new))) | new;
        self.placed = self.placed | cells;
        if !END {
            self.x = self.x - board.crowded(new);
        }
    }
}

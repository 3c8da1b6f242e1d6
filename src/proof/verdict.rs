//! What can be said of a rule.

use super::counterexample::Counterexample;

/// What the prover says of a rule with its parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// It never concludes anything false.
    Sound,
    /// The same, for puzzles with one solution.
    SoundIfUnique,
    /// There is a puzzle on which it concludes something false.
    Unsound,
    /// It never concludes anything at all.
    NeverFires,
    /// Neither proved nor refuted.
    NotProved,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 5] = [
        Verdict::Sound,
        Verdict::SoundIfUnique,
        Verdict::Unsound,
        Verdict::NeverFires,
        Verdict::NotProved,
    ];

    /// As written in JSON.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Sound => "sound",
            Verdict::SoundIfUnique => "sound-if-unique",
            Verdict::Unsound => "unsound",
            Verdict::NeverFires => "never-fires",
            Verdict::NotProved => "not-proved",
        }
    }

    /// As said to people.
    pub fn in_words(self) -> &'static str {
        match self {
            Verdict::Sound => "sound",
            Verdict::SoundIfUnique => "sound if the puzzle has one solution",
            Verdict::Unsound => "unsound",
            Verdict::NeverFires => "never fires",
            Verdict::NotProved => "not proved",
        }
    }

    /// Whether nothing false can come of the rule where its assumptions hold.
    pub fn is_proved(self) -> bool {
        !matches!(self, Verdict::Unsound | Verdict::NotProved)
    }
}

/// A verdict with what it rests on.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// A puzzle, where the rule is unsound.
    pub counterexample: Option<Box<Counterexample>>,
    /// The meanings found for recursive helpers, in words.
    pub meanings: Vec<String>,
    /// Why it was not proved, or what else is to be said, in a sentence; mostly empty.
    pub reason: String,
    /// Whether the proof holds on every layout with as many digits.
    pub general: bool,
    /// States that the rule was run on before the verdict was given.
    pub states: u64,
    /// Questions put to the solver.
    pub questions: u64,
    /// Work done, in steps of the budget.
    pub steps: u64,
    /// Of those refuted: with the cells named only, the houses only, both, the whole grid.
    pub stages: [u64; 4],
}

//! Any rule, on grids of several sizes: one that is called sound concludes nothing false, one that
//! is said never to fire never does.

// Fuzz targets and tests use some of this each.
#![allow(dead_code)]

use std::sync::{Arc, OnceLock};

use dokulog::board::{Candidate, Cell, Digit, Grid, Layout};
use dokulog::engine::{Deducer, Engine, Naive, Options as Running};
use dokulog::language::bundled;
use dokulog::proof::{Budget, Options, Verdict, judge, puzzle_of};
use dokulog::search::has_one_solution;
use dokulog::trace::{Conclusion, Match};

use super::choices::Choices;
use super::matcher::is_counterexample;
use super::states::{layout, solution, state};
use super::writing::{Written, bundled_seeds, write};

/// The sizes on which rules are judged.
pub const SIZES: [usize; 3] = [4, 6, 9];
/// States on which a rule is watched.
const STATES: usize = 6;

/// How much is done for a rule: steps of the prover, and of the evaluators on a state.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// What the prover may do.
    pub budget: Budget,
    /// What the evaluators may do.
    pub steps: u64,
}

impl Care {
    /// What a user waits for.
    pub fn full() -> Care {
        Care { budget: Budget::default(), steps: 200_000 }
    }

    /// Enough to prove or refute most of what can be, for very many rules.
    pub fn little() -> Care {
        Care { budget: Budget::new(25_000), steps: 10_000 }
    }
}

/// What was seen of an instance on one size.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What the prover said.
    pub verdict: Verdict,
    /// Why it said nothing.
    pub reason: String,
    /// Whether a match changed something.
    pub fired: bool,
    /// Whether a match went against a solution.
    pub erred: bool,
}

/// A rule written by the choices, on one size.
pub fn verdicts(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let size = choices.pick(&SIZES);
    if let Some(written) = write(&bundled_seeds(), &mut choices) {
        watch(&written, size, Care::little(), &mut choices).expect("the verdicts are true");
    }
}

/// Judges every instance of a file on a size, and watches it on states that contain a solution;
/// what was seen, or what belies the verdict.
pub fn watch(
    written: &Written,
    size: usize,
    care: Care,
    choices: &mut Choices,
) -> Result<Vec<Seen>, String> {
    let layout = layout(size);
    let options = Options { budget: care.budget, ..Options::default() };
    let rules = &written.rules;
    let naive = Naive::within(rules, care.steps);
    let running = Running { budget: care.steps, assume_unique: true, ..Running::default() };
    let mut worker = Engine::with(rules, &layout, running).expect("uniqueness is assumed").worker();
    let states: Vec<_> = (0..STATES).map(|number| known_state(&layout, number, choices)).collect();
    let mut all = Vec::new();
    for &instance in &written.own {
        let judgement = judge(rules, instance, &layout, &options);
        let mut seen = Seen {
            verdict: judgement.verdict,
            reason: judgement.reason,
            fired: false,
            erred: false,
        };
        match (seen.verdict, &judgement.counterexample) {
            (Verdict::Unsound, Some(shown)) => is_counterexample(rules, instance, shown),
            (Verdict::Unsound, None) => return Err("unsound, and nothing to show for it".into()),
            _ => {}
        }
        for (state, solution) in &states {
            let mut found = naive.matches_within_budget(instance, state).0;
            found.extend(worker.matches(instance, state));
            let wrong = found.iter().find(|found| contradicts(found, state, solution));
            let fires = found.iter().find(|found| !found.conclusion.is_empty());
            seen.fired |= fires.is_some();
            seen.erred |= wrong.is_some();
            let belied = match seen.verdict {
                Verdict::Sound => wrong,
                Verdict::SoundIfUnique => wrong.filter(|_| is_unique(state)),
                Verdict::NeverFires => fires,
                _ => None,
            };
            if let Some(found) = belied {
                let name = &rules.instances()[instance].name;
                let code = seen.verdict.code();
                return Err(format!(
                    "{name} is called {code} on {size}×{size}, but on\n{}\nit concludes {}\n{}",
                    shown(state),
                    effects(found, state),
                    written.text
                ));
            }
        }
        all.push(seen);
    }
    Ok(all)
}

/// A state as candidates cell by cell; those of a placed cell end with `=`, of a given with `!`.
pub fn shown(state: &Grid) -> String {
    let layout = state.layout();
    let mut text = String::new();
    for cell in layout.all_cells() {
        let digits: String = state.candidates(cell).iter().map(|d| d.to_string()).collect();
        let mark = match (state.given().contains(cell), state.placed().contains(cell)) {
            (true, _) => "!",
            (_, true) => "=",
            _ => "",
        };
        let is_last = layout.column_index(cell) + 1 == layout.size();
        text += &format!("{}{mark}{}", digits, if is_last { "\n" } else { " " });
    }
    text
}

/// The first things that a match concludes.
pub fn effects(found: &Match, state: &Grid) -> String {
    let name = |c: &Candidate| state.layout().cell_name(c.cell);
    let Conclusion { places, eliminates, contradiction } = &found.conclusion;
    let mut all: Vec<String> = places.iter().map(|c| format!("{}={}", name(c), c.digit)).collect();
    all.extend(eliminates.iter().map(|c| format!("{}≠{}", name(c), c.digit)));
    all.extend(contradiction.then(|| "a contradiction".to_string()));
    all.truncate(6);
    all.join(", ")
}

/// A state that contains a solution: any, nearly solved, untouched, or of a game.
fn known_state(layout: &Arc<Layout>, number: usize, choices: &mut Choices) -> (Grid, Vec<u8>) {
    let solution = solution(layout, choices);
    let state = match number % 6 {
        0 if choices.below(4) == 0 => Grid::empty(layout.clone()),
        0..3 => state(layout, &solution, false, choices),
        3 => sparse(layout, &solution, choices),
        _ => played(layout, &solution, choices),
    };
    (state, solution)
}

/// One or two candidates beside the right one in some cells, nothing placed in most states.
fn sparse(layout: &Arc<Layout>, solution: &[u8], choices: &mut Choices) -> Grid {
    let mut planes = vec![dokulog::board::Cells::EMPTY; layout.size()];
    let often = choices.pick(&[1, 2, 4]);
    for cell in layout.all_cells() {
        planes[usize::from(solution[cell.index()]) - 1].insert(cell);
        for _ in 0..choices.pick(&[0, 1, 1, 2]) {
            if choices.below(4) < often {
                planes[choices.below(layout.size())].insert(cell);
            }
        }
    }
    let none = dokulog::board::Cells::EMPTY;
    let mut grid = Grid::from_parts(layout.clone(), planes, none, none);
    let places = choices.pick(&[0, 0, 2, 8]);
    for _ in 0..places {
        let cell = Cell::at(choices.below(layout.cell_count()));
        grid.place(Candidate { cell, digit: Digit::new(usize::from(solution[cell.index()])) });
    }
    grid
}

/// Some givens, and what the standard rules make of them in a few steps or in many.
fn played(layout: &Arc<Layout>, solution: &[u8], choices: &mut Choices) -> Grid {
    static ENGINES: OnceLock<Vec<Engine>> = OnceLock::new();
    let engines = ENGINES.get_or_init(|| {
        let rules = bundled::rules();
        let rules = rules.keep(|rule, _| rule.origin == dokulog::language::Origin::Standard);
        SIZES.map(|size| Engine::assuming_unique(&rules, &super::states::layout(size))).to_vec()
    });
    let eighths = choices.pick(&[2, 3, 3, 4, 5]);
    let keep = |digit: &u8| if choices.below(8) < eighths { *digit } else { 0 };
    let givens: Vec<u8> = solution.iter().map(keep).collect();
    let mut grid = Grid::from_givens(layout.clone(), &givens).expect("no clash");
    let engine = engines.iter().find(|engine| engine.fits(&grid)).expect("one a size");
    let mut worker = engine.worker();
    for _ in 0..choices.pick(&[0, 1, 3, 10, 30]) {
        let Some(step) = worker.next_step(&grid) else { break };
        step.conclusion.apply(&mut grid);
    }
    grid
}

/// Whether a match takes away a digit of the solution.
fn contradicts(found: &Match, state: &Grid, solution: &[u8]) -> bool {
    let mut after = state.clone();
    found.conclusion.apply(&mut after);
    let lost = |cell: Cell| {
        let digit = Digit::new(usize::from(solution[cell.index()]));
        !after.is_possible(Candidate { cell, digit })
    };
    found.conclusion.contradiction || state.layout().all_cells().iter().any(lost)
}

/// Whether the givens leave one solution only.
fn is_unique(state: &Grid) -> bool {
    puzzle_of(state).is_some_and(|puzzle| has_one_solution(&puzzle))
}

//! Any candidates: the engine ends where the naive evaluator ends.
#![no_main]

use dokulog::board::{Candidate, Cell, Digit, Grid, Layout};
use dokulog::engine::{Deducer, Engine, Naive};
use dokulog::language::{self, bundled};
use dokulog::trace::Outcome;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|gone: [u8; 8]| {
    let four = Layout::classic(4).expect("4 is a classic size");
    let sources = [bundled::helpers(), bundled::standard()].concat();
    let rules = language::load(sources).0.expect("the bundled rules load");
    let mut grid = Grid::empty(four.clone());
    for bit in 0..64 {
        if gone[bit / 8] >> (bit % 8) & 1 == 1 {
            grid.eliminate(Candidate { cell: Cell::at(bit / 4), digit: Digit::at(bit % 4) });
        }
    }
    if grid.hole().is_some() {
        return;
    }
    let (mut fast, mut slow) = (grid.clone(), grid);
    let end = Engine::new(&rules, &four).worker().fixpoint(&mut fast).outcome;
    let slow_end = Naive::new(&rules).fixpoint(&mut slow).outcome;
    assert_eq!(std::mem::discriminant(&end), std::mem::discriminant(&slow_end));
    if !matches!(end, Outcome::Contradiction { .. }) {
        assert!(fast == slow);
    }
});

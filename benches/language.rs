//! How long it takes to parse and check the bundled rules: `cargo bench --bench language`.
//!
//! Prints the least of many runs for the standard rules and for all of them, in milliseconds.

use std::time::Instant;

use dokulog::language::{self, Origin, Source, bundled};

fn least(sources: &[(Origin, Source)]) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..200 {
        let sources = sources.to_vec();
        let start = Instant::now();
        let (rules, _) = language::load(sources);
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
        assert!(rules.is_some(), "the bundled rules have no errors");
    }
    least
}

fn main() {
    let standard = [bundled::helpers(), bundled::standard()].concat();
    let all = [standard.clone(), bundled::extended()].concat();
    println!("standard rules  {:.3} ms", least(&standard));
    println!("all rules       {:.3} ms", least(&all));
}

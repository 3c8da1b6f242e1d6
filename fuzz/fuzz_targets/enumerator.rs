//! Any digits: the enumerator counts what the plain counter counts.
#![no_main]

use dokulog::board::{Grid, Layout};
use dokulog::search::nine::Enumerator;
use dokulog::search::plain;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: [u8; 81]| {
    let digits = bytes.map(|byte| if byte < 90 { byte % 10 } else { 0 });
    let nine = Layout::classic(9).expect("9 is a classic size");
    // A nearly empty grid is slow to search plainly.
    if digits.iter().filter(|&&digit| digit > 0).count() < 20 {
        return;
    }
    let slow = match Grid::from_givens(nine.clone(), &digits) {
        Ok(_) => plain::count(&nine, &digits, 3),
        Err(_) => 0,
    };
    assert_eq!(Enumerator::of_digits(&digits).count_up_to(3), slow);
});

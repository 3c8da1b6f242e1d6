//! A rule of one's own: written, proved, and proved wrong after a slip.
//!
//!     cargo run --example prove

use dokulog::{Error, Rules};

const RIGHT: &str = r#"
rule my_pair "My pair" {
    level 31.
    eliminate(H \ {A, B}, D) :-
        H in houses, A in unsolved & H, B in unsolved & H, A < B,
        candidates({A, B}) within {D, E}, D != E.
    explain "in {H}, {A} and {B} hold only {D} and {E}".
}"#;

fn main() -> Result<(), Error> {
    // Two cells of a house with three digits between them prove nothing.
    let wrong = RIGHT.replace("{D, E}, D != E", "{D, E, F}, D != E, E != F, D != F");
    for text in [RIGHT, &wrong] {
        for proof in Rules::standard().with(text)?.prove("my_pair")? {
            println!("{proof}");
            print!("{}", proof.counterexample.unwrap_or_default());
        }
    }
    Ok(())
}

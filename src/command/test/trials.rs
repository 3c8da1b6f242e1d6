//! The rules on generated puzzles.

use super::super::{Run, Status, print};
use super::Arguments;
use crate::board::{Grid, Layout};
use crate::generate::{Maker, Symmetry};
use crate::language::{Origin, Rule, RuleSet};
use crate::proof::trial::{Mistake, disorder, follow};
use crate::random::Random;
use crate::search::nine::Enumerator;
use crate::trace::Words;

/// Tries the tested rules, with the standard ones beside them: no digit of a solution may be
/// lost, shuffled orders must reach the same end, and each rule should fire somewhere.
pub(super) fn run(arguments: &Arguments, all: &RuleSet, tested: &dyn Fn(&Rule) -> bool) -> Run {
    let rules = all.keep(|rule, _| tested(rule) || rule.origin == Origin::Standard);
    let layout = Layout::classic(9).expect("9 is a classic size");
    let mut firings = vec![0; rules.instances().len()];
    let (mut mistakes, mut disorders) = (0, 0);
    for number in 0..arguments.puzzles {
        let (digits, solution) = puzzle(&layout, arguments.seed, number);
        let grid = Grid::from_givens(layout.clone(), &digits).expect("puzzles have no clashes");
        let line: String =
            digits.iter().map(|&n| if n == 0 { '.' } else { (n + 48) as char }).collect();
        match follow(&rules, &grid, &solution) {
            Err(mistake) => {
                mistakes += 1;
                firings[mistake.found.instance] += 1;
                print(&format!("{line}: {}\n", told(&rules, &mistake)))?;
            }
            Ok(finish) => {
                firings.iter_mut().zip(&finish.firings).for_each(|(sum, n)| *sum += n);
                let mut random = Random::for_item(arguments.seed, number);
                if let Some(order) =
                    disorder(&rules, &grid, &finish.end, arguments.shuffles, &mut random)
                {
                    disorders += 1;
                    let names = order.iter().map(|&i| rules.instances()[i].name.as_str());
                    let names: Vec<&str> = names.collect();
                    print(&format!("{line}: another end in the order {}\n", names.join(" ")))?;
                }
            }
        }
    }
    let counts = rules.instances().iter().zip(&firings);
    let counts = counts.filter(|(instance, _)| tested(rules.rule(instance.rule)));
    let fired: u64 = counts.map(|(_, count)| count).sum();
    print(&format!(
        "{} puzzles: {fired} matches fired, {mistakes} lost a digit of the solution, {disorders} \
         depended on the order\n",
        arguments.puzzles
    ))?;
    let silent = rules
        .instances()
        .iter()
        .zip(&firings)
        .filter(|(instance, count)| **count == 0 && tested(rules.rule(instance.rule)));
    let silent: Vec<&str> = silent.map(|(instance, _)| instance.name.as_str()).collect();
    if !silent.is_empty() {
        print(&format!("never fired: {}\n", silent.join(", ")))?;
    }
    Ok(if mistakes + disorders == 0 { Status::Done } else { Status::Failed })
}

/// A minimal puzzle and its solution.
fn puzzle(layout: &Layout, seed: u64, number: u64) -> (Vec<u8>, Vec<u8>) {
    let (symmetry, clues, solution) = (Symmetry::None, None, None);
    let maker = Maker { seed, symmetry, clues, solution, add: false, attempts: 1 };
    let solver = |digits: &[u8]| {
        Enumerator::of_digits(digits.try_into().expect("9×9 puzzles have 81 cells"))
    };
    let unique = &mut |digits: &[u8]| solver(digits).count_up_to(2) == 1;
    let digits = maker.puzzle(layout, number, unique).expect("any will do");
    let mut enumerator = solver(&digits);
    enumerator.advance();
    let solution = enumerator.digits().to_vec();
    (digits, solution)
}

fn told(rules: &RuleSet, mistake: &Mistake) -> String {
    let words = Words::plain(mistake.before.layout().clone());
    let name = &rules.instances()[mistake.found.instance].name;
    let effect = words.effects(&mistake.found.conclusion);
    format!("{name} concludes {effect}, but {}", words.equal(mistake.lost))
}

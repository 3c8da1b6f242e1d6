//! The rules on generated puzzles.

use super::super::progress::progress;
use super::super::{Context, Run, Status, print, say, workers};
use super::Arguments;
use crate::board::{Grid, Layout};
use crate::generate::{Maker, Symmetry};
use crate::language::{Origin, Rule, RuleSet};
use crate::proof::trial::{Mistake, disorder, follow_within};
use crate::random::Random;
use crate::search::nine::Enumerator;
use crate::trace::Words;

/// Tries the tested rules, with the standard ones beside them: no digit of a solution may be
/// lost, shuffled orders must reach the same end, and each rule should fire somewhere.
pub(super) fn run(
    arguments: &Arguments,
    all: &RuleSet,
    tested: &dyn Fn(&Rule) -> bool,
    context: &Context,
) -> Run {
    let mut rules = all.keep(|rule, _| tested(rule) || rule.origin == Origin::Standard);
    let layout = Layout::classic(9).expect("9 is a classic size");
    let names = |rules: &RuleSet, instances: &[usize]| -> Vec<String> {
        instances.iter().map(|&i| rules.instances()[i].name.clone()).collect()
    };
    let own = rules.instances().iter().filter(|instance| tested(rules.rule(instance.rule)));
    let mut firings: Vec<(String, u64)> = own.map(|instance| (instance.name.clone(), 0)).collect();
    let mut fired = |name: &str, count: u64| {
        firings.iter_mut().filter(|own| own.0 == name).for_each(|own| own.1 += count);
    };
    let (mut mistakes, mut disorders, mut cut_off) = (0, 0, Vec::new());
    let bar = progress(arguments.puzzles, "puzzles", context);
    for number in 0..arguments.puzzles {
        let (digits, solution) = puzzle(&layout, arguments.seed, number);
        let grid = Grid::from_givens(layout.clone(), &digits).expect("puzzles have no clashes");
        let line: String =
            digits.iter().map(|&n| if n == 0 { '.' } else { (n + 48) as char }).collect();
        match follow_within(&rules, &grid, &solution, arguments.budget) {
            Err(mistake) => {
                mistakes += 1;
                fired(&rules.instances()[mistake.found.instance].name, 1);
                bar.suspend(|| print(&format!("{line}: {}\n", told(&rules, &mistake))))?;
            }
            Ok(finish) => {
                let counts = rules.instances().iter().zip(&finish.firings);
                counts.for_each(|(instance, count)| fired(&instance.name, *count));
                if let Some(said) = workers::cut_off(&rules, &finish.cut_off) {
                    bar.suspend(|| say(&format!("dokulog: {said}; {LEFT_OUT}")));
                    let names = names(&rules, &finish.cut_off);
                    rules = rules.keep(|_, instance| !names.contains(&instance.name));
                    cut_off.extend(names);
                    continue;
                }
                let mut random = Random::for_item(arguments.seed, number);
                if let Some(order) =
                    disorder(&rules, &grid, &finish.end, arguments.shuffles, &mut random)
                {
                    disorders += 1;
                    let names = names(&rules, &order).join(" ");
                    let said = format!("{line}: another end in the order {names}\n");
                    bar.suspend(|| print(&said))?;
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let fired: u64 = firings.iter().map(|(_, count)| count).sum();
    print(&format!(
        "{} puzzles: {fired} matches fired, {mistakes} lost a digit of the solution, {disorders} \
         depended on the order\n",
        arguments.puzzles
    ))?;
    let is_silent = |own: &&(String, u64)| own.1 == 0 && !cut_off.contains(&own.0);
    let silent: Vec<&str> = firings.iter().filter(is_silent).map(|own| own.0.as_str()).collect();
    if !silent.is_empty() && arguments.puzzles > 0 {
        print(&format!("never fired: {}\n", silent.join(", ")))?;
    }
    if !cut_off.is_empty() {
        print(&format!("cut off: {}\n", cut_off.join(", ")))?;
    }
    let failed = mistakes + disorders > 0 || !cut_off.is_empty();
    Ok(if failed { Status::Failed } else { Status::Done })
}

/// What becomes of a rule that tries too much.
const LEFT_OUT: &str = "it is left out from here on (--budget N lets it try more)";

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

//! Making puzzles as `dokulog generate` does, with the same puzzles for the same words.

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use crate::board::{Grid, Layout};
use crate::engine::Options;
use crate::generate::{self, Judge, Maker, Symmetry, Wanted, some_full_grid};
use crate::random::Random;

use super::error::Error;
use super::puzzle::{Puzzle, layout_of};
use super::rules::Rules;
use super::selector::Selector;

/// What puzzles are asked for. All of them have one solution, and without `clues` none of their
/// clues can go.
#[derive(Clone, Debug)]
pub struct Order {
    /// The same seed gives the same puzzles.
    pub seed: u64,
    /// Digits, and cells a row; 9 if neither this nor a layout is told.
    pub size: Option<usize>,
    /// The name of a bundled layout, or the text of a rule file that has one.
    pub layout: Option<String>,
    /// How many clues.
    pub clues: Option<RangeInclusive<usize>>,
    /// Which cells are clues together.
    pub symmetry: Symmetry,
    /// Only puzzles that the rules solve, but not without this one.
    pub requires: Option<String>,
    /// Only puzzles that the rules solve, with the hardest rule's level in this range.
    pub level: Option<RangeInclusive<i64>>,
    /// Only puzzles that the rules alone do not solve.
    pub beyond_rules: bool,
    /// Add clues until one solution is left, instead of taking clues away.
    pub add: bool,
    /// Puzzles of this full grid, instead of random ones.
    pub solution: Option<Puzzle>,
    /// Give up a puzzle after so many that were not as asked.
    pub attempts: u64,
}

impl Default for Order {
    fn default() -> Order {
        Order {
            seed: 1,
            size: None,
            layout: None,
            clues: None,
            symmetry: Symmetry::None,
            requires: None,
            level: None,
            beyond_rules: false,
            add: false,
            solution: None,
            attempts: 20_000,
        }
    }
}

impl Order {
    fn layout(&self) -> Result<Arc<Layout>, Error> {
        let asked = match (&self.solution, &self.layout) {
            (Some(solution), _) => Some(solution.grid.layout().clone()),
            (None, Some(name)) => Some(layout_of(name)?),
            (None, None) => None,
        };
        Layout::or_classic(asked, self.size).map_err(Error::NotMade)
    }

    fn wanted(&self, rules: &Rules) -> Result<Wanted, Error> {
        if self.requires.is_none() && self.level.is_none() && !self.beyond_rules {
            return Ok(Wanted::default());
        }
        if self.beyond_rules && (self.requires.is_some() || self.level.is_some()) {
            let both = "puzzles beyond the rules need no rule, and have no level";
            return Err(Error::NotMade(both.to_string()));
        }
        let required = self.requires.as_deref().map(Selector::parse);
        let rules = match (&required, &self.requires) {
            (Some(selector), Some(name)) if selector.find(rules.rules()).is_err() => {
                rules.with_bundled(&[name])?.rules().clone()
            }
            _ => rules.rules().clone(),
        };
        let mut wanted = Wanted::solved_by(rules, Options::default());
        (wanted.levels, wanted.beyond_rules) = (self.level.clone(), self.beyond_rules);
        Ok(match required {
            Some(required) => wanted.requiring(|rule, i| required.matches(rule, i)),
            None => wanted,
        })
    }
}

/// Makes the puzzles of an order, by number: number 7 is the same whoever makes the others. It may
/// be shared by threads.
///
/// ```
/// use dokulog::{Order, Rules};
///
/// let order = Order { size: Some(4), seed: 7, ..Order::default() };
/// let workshop = Rules::standard().workshop(&order)?;
/// let puzzle = workshop.puzzle(0, &|| true)?.expect("nobody stops it");
/// assert_eq!((puzzle.size(), puzzle.count(2)?), (4, 1));
/// # Ok::<(), dokulog::Error>(())
/// ```
pub struct Workshop {
    order: Order,
    layout: Arc<Layout>,
    maker: Maker,
    wanted: Wanted,
    /// Those that no call is using just now.
    idle: Mutex<Vec<Judge>>,
}

impl Workshop {
    /// The puzzle with this number, from 0; nothing if `goes_on`, which is asked again and again,
    /// says no.
    pub fn puzzle(&self, number: u64, goes_on: &dyn Fn() -> bool) -> Result<Option<Puzzle>, Error> {
        let Workshop { order, layout, maker, wanted, idle } = self;
        let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let judge = idle().pop();
        let mut judge = judge.unwrap_or_else(|| Judge::new(wanted, layout));
        let made = judge.make(wanted, maker, number, goes_on);
        idle().push(judge);
        match made {
            Some(givens) => {
                let grid = Grid::from_givens(layout.clone(), &givens);
                Ok(Some(Puzzle { grid: grid.expect("the clues are those of a full grid") }))
            }
            None if !goes_on() => Ok(None),
            None => {
                let (number, attempts) = (number + 1, order.attempts);
                let name = order.requires.as_deref().unwrap_or_default();
                let why = wanted.why_none(name, layout, order.seed);
                Err(Error::NotMade(format!(
                    "puzzle {number}: none as asked in {attempts} attempts{why}"
                )))
            }
        }
    }

    /// How many puzzles the rules have looked at so far.
    pub fn looked_at(&self) -> u64 {
        self.wanted.tried()
    }
}

impl Rules {
    /// Makes ready for an order. A rule that it requires is added, if it is a bundled one.
    pub fn workshop(&self, order: &Order) -> Result<Workshop, Error> {
        let layout = order.layout()?;
        if let Some(solution) = order.solution.as_ref().filter(|full| !full.is_solved()) {
            return Err(Error::NotMade(format!("the grid {solution} is not full")));
        }
        let full = || some_full_grid(&layout, &mut Random::new(order.seed));
        if !layout.is_boxed() && full().is_none() {
            return Err(Error::NotMade("no full grid of this layout was found".to_string()));
        }
        let wanted = order.wanted(self)?;
        if let (Some(name), Some(why)) = (&order.requires, wanted.unfit(&layout)) {
            return Err(Error::NotMade(format!("{name} is not run on this layout: {why}")));
        }
        let most = layout.cell_count();
        let maker = Maker {
            seed: order.seed,
            symmetry: order.symmetry,
            clues: order.clues.clone().map(|n| *n.start().min(&most)..=*n.end().min(&most)),
            add: order.add,
            solution: order.solution.as_ref().map(|full| full.grid.digits()),
            attempts: order.attempts,
        };
        Ok(Workshop { order: order.clone(), layout, maker, wanted, idle: Mutex::default() })
    }

    /// The first puzzles of an order.
    ///
    /// ```
    /// use dokulog::{Order, Rules};
    ///
    /// let rules = Rules::standard();
    /// let order = Order { requires: Some("pointing".to_string()), ..Order::default() };
    /// let puzzle = &rules.generate(&order, 1)?[0];
    /// let names: Vec<String> = rules.names();
    /// let others: Vec<&str> = names.iter().map(String::as_str).filter(|n| *n != "pointing").collect();
    /// assert!(rules.deduce(puzzle)?.puzzle.is_solved());
    /// assert!(!rules.only(&others)?.deduce(puzzle)?.puzzle.is_solved());
    /// # Ok::<(), dokulog::Error>(())
    /// ```
    pub fn generate(&self, order: &Order, count: u64) -> Result<Vec<Puzzle>, Error> {
        let workshop = self.workshop(order)?;
        (0..count).filter_map(|number| workshop.puzzle(number, &|| true).transpose()).collect()
    }
}

/// A symmetry by its name: none, half-turn, quarter-turn, left-right, top-bottom or diagonal.
impl std::str::FromStr for generate::Symmetry {
    type Err = Error;

    fn from_str(name: &str) -> Result<Symmetry, Error> {
        let found = Symmetry::ALL.iter().find(|(_, known)| *known == name);
        let names = Symmetry::ALL.map(|(_, name)| name).join(", ");
        let none = format!("there is no symmetry {name}: there are {names}");
        found.map(|(symmetry, _)| *symmetry).ok_or(Error::NotMade(none))
    }
}

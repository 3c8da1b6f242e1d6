//! Rules, and what they have to say of a puzzle.

use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use crate::board::Layout;
use crate::engine::{self, Deducer, Options};
use crate::language::{self, Instance, Origin, Rule, RuleSet, Source, bundled};
use crate::proof;
use crate::search::{Ending, Reasoner, Workers, filled};
use crate::trace::{self, Language, Speaker, Story, ToldStep, Words};

use super::error::{Error, Problem};
use super::puzzle::Puzzle;
use super::selector::Selector;
use super::told::{Deduction, Difficulty, Explanation, Proof, Solution, Step, names};

/// A set of rules. It may be shared by threads, and is compiled once for each size of puzzle.
///
/// ```
/// use dokulog::{Puzzle, Rules};
///
/// let rules = Rules::standard().with(r#"
///     rule only_choice "Only choice" {
///         level 5.
///         place(C, D) :- candidates(C) within {D}, C in unsolved.
///         explain "{C} can only be {D}".
///     }"#)?;
/// let puzzle: Puzzle = "12..34....21..43".parse()?;
/// let hint = rules.hint(&puzzle)?.expect("a step");
/// assert_eq!(hint.to_string(), "Only choice: r1c3 can only be 3. Place 3 in r1c3.");
/// # Ok::<(), dokulog::Error>(())
/// ```
pub struct Rules {
    sources: Vec<(Origin, Source)>,
    /// Whether rules take part that assume one solution.
    unique: bool,
    pub(super) reasoner: Reasoner,
    /// What no call is using just now.
    idle: Mutex<Vec<Workers>>,
}

/// The bundled rules that are not standard, by where they come from.
const GROUPS: [(&str, Origin); 3] =
    [("extended", Origin::Extended), ("advanced", Origin::Advanced), ("forcing", Origin::Forcing)];

impl Rules {
    /// The bundled rules that people start with: singles, intersections, subsets.
    pub fn standard() -> Rules {
        let sources = [bundled::helpers(), bundled::standard()].concat();
        Rules::load(sources, false, |_, _| true).expect("the bundled rules have no errors")
    }

    /// Those, and the bundled rules that most players know, as far as they are true of every
    /// puzzle.
    pub fn extended() -> Rules {
        let sources = [bundled::helpers(), bundled::standard(), bundled::extended()].concat();
        Rules::load(sources, false, |_, _| true).expect("the bundled rules have no errors")
    }

    /// All bundled rules: the advanced and the forcing ones, too, and those that assume that a
    /// puzzle has one solution.
    pub fn all() -> Rules {
        let all = Rules::load(bundled::sources(), true, |_, _| true);
        all.expect("the bundled rules have no errors")
    }

    /// These and those of a rule file, whose text this is. A rule with the name of a bundled one
    /// takes its place.
    pub fn with(&self, text: &str) -> Result<Rules, Error> {
        let mut sources = self.sources.clone();
        let source = Source { name: "rules".to_string(), text: text.to_string() };
        sources.push((Origin::User, source));
        let new = sources.len() - 1;
        Rules::load(sources, self.unique, |rule, instance| {
            usize::from(rule.block.source) == new || self.fires(instance)
        })
    }

    /// These and bundled ones: `extended`, `advanced`, `forcing`, `all` of these, or a rule by its
    /// name.
    ///
    /// ```
    /// use dokulog::Rules;
    ///
    /// let rules = Rules::standard().with_bundled(&["xy_wing"])?;
    /// assert_eq!(rules.names().last().map(String::as_str), Some("xy_wing"));
    /// assert!(Rules::standard().with_bundled(&["xy_wig"]).is_err());
    /// # Ok::<(), dokulog::Error>(())
    /// ```
    pub fn with_bundled(&self, names: &[&str]) -> Result<Rules, Error> {
        let mut sources = bundled::sources();
        sources.extend(self.sources.iter().filter(|(from, _)| *from == Origin::User).cloned());
        let is_group =
            |name: &&str| *name == "all" || GROUPS.iter().any(|(group, _)| group == name);
        let (groups, names): (Vec<&str>, Vec<&str>) = names.iter().copied().partition(is_group);
        let selectors: Vec<Selector> = names.into_iter().map(Selector::parse).collect();
        let is_new = |rule: &Rule, instance: &Instance| {
            let group = GROUPS.iter().find(|(_, origin)| *origin == rule.origin);
            let asked =
                |(name, _): &(&str, Origin)| groups.iter().any(|g| g == name || *g == "all");
            group.is_some_and(asked) || selectors.iter().any(|s| s.matches(rule, instance))
        };
        let is_old = |rule: &Rule| self.sources.iter().any(|(from, _)| *from == rule.origin);
        let all = Rules::load(sources, true, |_, _| true)?;
        for selector in &selectors {
            let rule = selector.find_or(all.rules(), &GROUPS.map(|(name, _)| name))?;
            if rule.assumes_unique && !self.unique {
                return Err(Error::NotUnique(format!(
                    "rule {} assumes that the puzzle has one solution: say so first",
                    rule.name
                )));
            }
        }
        let allowed = |rule: &Rule| self.unique || !rule.assumes_unique;
        // Whatever is fired, a hypothesis has all of these to lead on.
        let loaded = all.rules().keep(|rule, i| allowed(rule) && (is_old(rule) || is_new(rule, i)));
        let fired = loaded.into_loaded().keep(|rule, i| self.fires(i) || is_new(rule, i));
        Ok(Rules::of(all.sources, self.unique, fired))
    }

    /// With those rules, too, that assume that a puzzle has one solution. Puzzles that have not
    /// are then refused.
    pub fn assuming_unique(&self) -> Rules {
        let is_kept = |rule: &Rule, i: &Instance| rule.assumes_unique || self.fires(i);
        Rules::load(self.sources.clone(), true, is_kept).expect("they were loaded before")
    }

    fn fires(&self, instance: &Instance) -> bool {
        self.rules().instances().iter().any(|mine| mine.name == instance.name)
    }

    /// Some of these rules, by their names: `naked_single`, or `naked_subset:2`.
    pub fn only(&self, names: &[&str]) -> Result<Rules, Error> {
        let selectors: Vec<Selector> = names.iter().map(|name| Selector::parse(name)).collect();
        selectors.iter().try_for_each(|selector| selector.find(self.rules()).map(|_| ()))?;
        let chosen = self.rules().keep(|rule, instance| {
            selectors.iter().any(|selector| selector.matches(rule, instance))
        });
        Ok(Rules::of(self.sources.clone(), self.unique, chosen))
    }

    fn load(
        sources: Vec<(Origin, Source)>,
        unique: bool,
        keep: impl Fn(&Rule, &Instance) -> bool,
    ) -> Result<Rules, Error> {
        let (rules, diagnostics) = language::load(sources.clone());
        let Some(rules) = rules else {
            let texts: Vec<Source> = sources.into_iter().map(|(_, source)| source).collect();
            return Err(Error::BadRules(Problem::all(&diagnostics, &texts)));
        };
        let rules = rules.keep(|rule, i| (unique || !rule.assumes_unique) && keep(rule, i));
        Ok(Rules::of(sources, unique, rules))
    }

    fn of(sources: Vec<(Origin, Source)>, unique: bool, rules: RuleSet) -> Rules {
        let reasoner = Reasoner::new(rules, Options::default());
        Rules { sources, unique, reasoner, idle: Mutex::default() }
    }

    pub(super) fn rules(&self) -> &RuleSet {
        self.reasoner.rules()
    }

    /// The rules by name, in the order in which they are tried.
    pub fn names(&self) -> Vec<String> {
        names(self.rules(), &(0..self.rules().instances().len()).collect::<Vec<_>>())
    }

    /// Workers that nobody is using.
    pub(super) fn workers(&self) -> Workers {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(super) fn give_back(&self, workers: Workers) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(workers);
    }

    /// Does something with workers that are used again.
    pub(super) fn at_work<T>(&self, work: impl FnOnce(&mut Workers) -> T) -> T {
        let mut workers = self.workers();
        let done = work(&mut workers);
        self.give_back(workers);
        done
    }

    /// What the rules alone decide.
    pub fn deduce(&self, puzzle: &Puzzle) -> Result<Deduction, Error> {
        let (grid, report) = self.at_work(|workers| self.reasoner.deduce(workers, &puzzle.grid))?;
        Ok(Deduction {
            puzzle: Puzzle { grid },
            outcome: report.outcome.into(),
            cut_off: names(self.rules(), &report.cut_off),
        })
    }

    /// The solution: by the rules, and a search of what they leave.
    pub fn solve(&self, puzzle: &Puzzle) -> Result<Solution, Error> {
        let solved = self.at_work(|workers| self.search(workers, &puzzle.grid))?;
        let full = |digits: &Vec<u8>| Puzzle { grid: filled(&puzzle.grid, digits) };
        match &solved.solutions()[..] {
            [first, second, ..] => Ok(Solution::Several(full(first), full(second))),
            _ if solved.ending() == Ending::GaveUp => Err(Error::GivenUp),
            [one] => Ok(Solution::One(full(one))),
            [] => Ok(Solution::None),
        }
    }

    /// Every step with its reason.
    pub fn explain(&self, puzzle: &Puzzle) -> Result<Explanation, Error> {
        self.explain_in(puzzle, Language::En)
    }

    /// A run, step by step.
    pub(super) fn story(&self, puzzle: &Puzzle) -> Result<Story, Error> {
        self.at_work(|workers| {
            let worker = self.reasoner.worker(workers, &puzzle.grid)?;
            Ok(engine::tell(self.rules(), worker, &puzzle.grid))
        })
    }

    /// Every step with its reason, in a language.
    pub fn explain_in(&self, puzzle: &Puzzle, language: Language) -> Result<Explanation, Error> {
        let story = self.story(puzzle)?;
        let words = Words { language, ..Words::plain(puzzle.grid.layout().clone()) };
        let speaker = Speaker { rules: self.rules(), words: &words };
        let steps = story.steps.iter().map(|told_step| Step::new(&speaker, told_step)).collect();
        let end = Deduction {
            puzzle: Puzzle { grid: story.end },
            outcome: story.outcome.into(),
            cut_off: names(self.rules(), &story.cut_off),
        };
        Ok(Explanation { steps, end })
    }

    /// The next step, if the rules know one.
    pub fn hint(&self, puzzle: &Puzzle) -> Result<Option<Step>, Error> {
        let grid = &puzzle.grid;
        self.at_work(|workers| {
            let worker = self.reasoner.worker(workers, grid)?;
            let account = worker
                .next_step(grid)
                .and_then(|step| engine::account(self.rules(), worker, &step, grid));
            let words = Words::plain(grid.layout().clone());
            let speaker = Speaker { rules: self.rules(), words: &words };
            Ok(account
                .map(|account| Step::new(&speaker, &ToldStep { before: grid.clone(), account })))
        })
    }

    /// How hard a puzzle is for someone with these rules.
    pub fn rate(&self, puzzle: &Puzzle) -> Result<Difficulty, Error> {
        let start = &puzzle.grid;
        let (report, trace, rating) = self.at_work(|workers| {
            let worker = self.reasoner.worker(workers, start)?;
            let (report, trace) = worker.trace(&mut start.clone());
            let rating = engine::rate(self.rules(), worker, start, (&trace, &report.outcome));
            Ok::<_, Error>((report, trace, rating))
        })?;
        let is_solved = report.outcome == trace::Outcome::Solved;
        Ok(Difficulty {
            grade: is_solved.then(|| rating.grade(self.rules())),
            hardest: rating.rule(self.rules()).map(|instance| instance.name.clone()),
            score: rating.score,
            steps: trace.len(),
        })
    }

    /// Proves a rule on 9×9, or shows a puzzle on which it goes wrong: `xy_wing`, or
    /// `naked_subset:2` for one value of its parameter.
    pub fn prove(&self, rule: &str) -> Result<Vec<Proof>, Error> {
        let selector = Selector::parse(rule);
        selector.find(self.rules())?;
        let layout = Layout::classic(9).expect("9 is a classic size");
        let instances = self.rules().instances().iter().enumerate();
        let meant = instances.filter(|(_, i)| selector.matches(self.rules().rule(i.rule), i));
        let judged = meant.map(|(number, instance)| {
            let found = proof::judge(self.rules(), number, &layout, &proof::Options::default());
            let shown = found.counterexample.as_ref();
            Proof {
                rule: instance.name.clone(),
                verdict: found.verdict,
                reason: found.reason,
                counterexample: shown.map(|shown| proof::as_text(self.rules(), shown)),
            }
        });
        Ok(judged.collect())
    }
}

/// Rules from the text of a rule file, and no others; bundled helpers may be used.
impl FromStr for Rules {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rules, Error> {
        Rules::load(bundled::helpers(), false, |_, _| true)?.with(text)
    }
}

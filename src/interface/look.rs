//! Looking at one state: every match of a rule, the answers to a goal, a run as a page.

use std::collections::HashSet;

use crate::engine::{BUDGET, Naive, naive};
use crate::language::{self, query};
use crate::trace::{Conclusion, Heading, Language, Speaker, ToldStep, Words, outcome, page};

use super::error::{Error, Problem};
use super::puzzle::Puzzle;
use super::rules::Rules;
use super::selector::Selector;
use super::told::{Reasons, Step};
use super::why::{Question, Why};

/// An answer to a goal: its variables by name, and their values as a rule file would have them.
pub type Answer = Vec<(String, String)>;

impl Rules {
    /// Every match of one rule on this very state that changes something, each effect once:
    /// `xy_wing`, or `naked_subset:2` for one value of its parameter.
    pub fn fire(&self, rule: &str, puzzle: &Puzzle) -> Result<Vec<Step>, Error> {
        let selector = Selector::parse(rule);
        selector.find(self.rules())?;
        self.reasoner.check(&puzzle.grid)?;
        let (rules, grid) = (self.rules(), &puzzle.grid);
        let naive = Naive::within(rules, BUDGET);
        let words = Words::plain(grid.layout().clone());
        let speaker = Speaker { rules, words: &words };
        let mut seen: HashSet<(usize, Conclusion)> = HashSet::new();
        let mut steps = Vec::new();
        let meant = rules.instances().iter().enumerate();
        for (instance, _) in meant.filter(|(_, i)| selector.matches(rules.rule(i.rule), i)) {
            let (matches, is_cut_off) = naive.matches_within_budget(instance, grid);
            if is_cut_off {
                return Err(Error::GivenUp);
            }
            for found in matches {
                let is_new = !found.conclusion.is_empty()
                    && seen.insert((instance, found.conclusion.clone()));
                if is_new {
                    let account = naive.account(found, grid);
                    let told_step = ToldStep { before: grid.clone(), account };
                    steps.push(Step::new(&speaker, &told_step));
                }
            }
        }
        Ok(steps)
    }

    /// The answers to a goal on this very state, at most so many, as Prolog's prompt gives them:
    /// `bivalue(C, X, Y), sees(C, r1c1)`.
    pub fn query(&self, goal: &str, puzzle: &Puzzle, limit: usize) -> Result<Vec<Answer>, Error> {
        let rules = self.rules();
        let clause = query(goal, rules).map_err(|(source, diagnostics)| {
            let mut sources = rules.sources().to_vec();
            sources.push(source);
            Error::BadRules(Problem::all(&diagnostics, &sources))
        })?;
        let words = Words::plain(puzzle.grid.layout().clone());
        let shown: Vec<(usize, &language::Variable)> =
            clause.variables.iter().enumerate().collect();
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let is_cut_off = naive::each_answer(&clause, rules, &puzzle.grid, BUDGET, &mut |bound| {
            let named = shown.iter().filter(|(v, variable)| {
                !variable.name.starts_with('_') && bound[*v].kind() == variable.kind
            });
            let answer: Answer = named
                .map(|(v, variable)| (variable.name.clone(), words.term(&bound[*v])))
                .collect();
            if found.len() < limit && seen.insert(answer.clone()) {
                found.push(answer);
            }
            found.len() < limit
        });
        if is_cut_off { Err(Error::GivenUp) } else { Ok(found) }
    }

    /// Why a cell is what it is, or is not: `r5c2=4`, `r5c2!=4`, or `r5c2` alone.
    pub fn why(
        &self,
        puzzle: &Puzzle,
        question: &str,
        language: Language,
    ) -> Result<Reasons, Error> {
        let words = Words { language, ..Words::plain(puzzle.grid.layout().clone()) };
        let question = Question::of(&words, question).map_err(Error::NoQuestion)?;
        let story = self.story(puzzle)?;
        let why = Why::new(self.rules(), &words, &story);
        let answer = self.at_work(|workers| {
            let worker = self.reasoner.worker(workers, &puzzle.grid)?;
            Ok::<_, Error>(why.answer(worker, &question))
        })?;
        let (status, steps, text) = (answer.status, why.steps(&answer), why.text(&answer));
        Ok(Reasons { status, sentence: answer.sentence, steps, text })
    }

    /// A run as one HTML page that needs nothing else: board, steps, forward and back.
    pub fn page(&self, puzzle: &Puzzle, title: &str, language: Language) -> Result<String, Error> {
        let story = self.story(puzzle)?;
        let words = Words { language, ..Words::plain(puzzle.grid.layout().clone()) };
        let speaker = Speaker { rules: self.rules(), words: &words };
        let ending = outcome(&words, &story);
        let heading =
            Heading { title: title.to_string(), summary: ending.clone(), outcome: ending };
        Ok(page(&speaker, &story, 0..story.steps.len(), &heading))
    }
}

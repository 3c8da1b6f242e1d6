//! What the commands that explain have in common: words, and a run told.

use std::sync::Arc;

use clap::ValueEnum;

use crate::board::{Grid, Layout};
use crate::engine::{Engine, Options, Worker, tell};
use crate::language::RuleSet;
use crate::trace::{Language, Notation, Outcome, Speaker, Step, Story, Trace, Words};

use super::input::PuzzleArguments;
use super::options::{RuleOptions, Selector, refused_unless_unique};
use super::workers::cut_off;
use super::{Failure, Status, say};

/// In which words.
#[derive(clap::Args, Clone, Debug)]
pub struct WordOptions {
    /// The language of the explanations
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value = "en", help_heading = "Words")]
    lang: Lang,
    /// How cells are written: r2c4, or B4
    #[arg(long, value_name = "NOTATION", value_enum, default_value = "rc", help_heading = "Words")]
    notation: Written,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Lang {
    /// English
    En,
    /// French
    Fr,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Written {
    /// r2c4
    Rc,
    /// B4
    A1,
}

impl WordOptions {
    /// The words for a layout.
    pub fn words(&self, layout: &Arc<Layout>) -> Words {
        let language = match self.lang {
            Lang::En => Language::En,
            Lang::Fr => Language::Fr,
        };
        let notation = match self.notation {
            Written::Rc => Notation::Rc,
            Written::A1 => Notation::A1,
        };
        Words { layout: layout.clone(), notation, language }
    }
}

/// A puzzle, the rules and the words to talk about it.
pub struct Telling {
    /// The rules.
    pub rules: RuleSet,
    /// The puzzle as read.
    pub grid: Grid,
    /// The words.
    pub words: Words,
    options: Options,
}

impl Telling {
    /// Reads a puzzle and loads the rules.
    pub fn load(
        puzzle: &PuzzleArguments,
        rules: &RuleOptions,
        words: &WordOptions,
    ) -> Result<Telling, Failure> {
        let (rules, options) = (rules.load()?, rules.engine());
        let grid = puzzle.read()?.grid;
        if let Some(refusal) = refused_unless_unique(&rules, &grid) {
            return Err(Failure::new(refusal));
        }
        let words = words.words(grid.layout());
        Ok(Telling { rules, grid, words, options })
    }

    /// The engine for these rules and this layout.
    pub fn worker(&self) -> Worker {
        Engine::with(&self.rules, self.grid.layout(), self.options).worker()
    }

    /// The whole run. Rules that were cut off are named on standard error.
    pub fn story(&self) -> Story {
        let story = tell(&self.rules, &mut self.worker(), &self.grid);
        if let Some(cut_off) = cut_off(&self.rules, &story.cut_off) {
            say(&format!("dokulog: {cut_off}"));
        }
        story
    }

    /// Who says it.
    pub fn speaker(&self) -> Speaker<'_> {
        Speaker { rules: &self.rules, words: &self.words }
    }
}

/// A contradiction fails, and so does a rule that was cut off; solved or stuck is done.
pub fn status(story: &Story) -> Status {
    match story.outcome {
        Outcome::Contradiction { .. } => Status::Failed,
        Outcome::Stuck if !story.cut_off.is_empty() => Status::Failed,
        _ => Status::Done,
    }
}

/// The first step of a story made by a rule, counted from 0.
pub fn first_use(rules: &RuleSet, story: &Story, rule: &str) -> Result<Option<usize>, Failure> {
    let selector = Selector::parse(rule);
    selector.find(rules)?;
    Ok(story.steps.iter().position(|telling| {
        let instance = &rules.instances()[telling.proof.found.instance];
        selector.matches(rules.rule(instance.rule), instance)
    }))
}

/// How hard a run was: the hardest rule decides the grade, all steps together the score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The last instance in firing order that was used, if any was.
    pub hardest: Option<usize>,
    /// The sum of the levels of all steps.
    pub score: i64,
}

impl Rating {
    /// The rating of the steps of a run.
    pub fn of(rules: &RuleSet, trace: &Trace) -> Rating {
        let level = |step: &Step| i64::from(rules.instances()[step.instance].level);
        Rating {
            hardest: trace.iter().map(|step| step.instance).max(),
            score: trace.iter().map(level).sum(),
        }
    }

    /// The grade: what the level of the hardest rule is called.
    pub fn grade(&self, rules: &RuleSet) -> &'static str {
        match self.hardest.map_or(0, |instance| rules.instances()[instance].level) {
            ..=11 => "easy",
            12..=29 => "medium",
            30..=47 => "hard",
            48..=58 => "very hard",
            _ => "extreme",
        }
    }
}

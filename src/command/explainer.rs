//! What the commands that explain have in common: words, and a run told.

use std::sync::Arc;

use clap::ValueEnum;

use crate::board::{Grid, Layout};
use crate::engine::{Engine, Worker, tell};
use crate::interface::Selector;
use crate::language::{Origin, RuleSet};
use crate::search::{NotUnique, Reasoner, WrongStep};
use crate::text::Item;
use crate::trace::{Conclusion, Language, Notation, Outcome, Speaker, Story, Words};

use super::input::PuzzleArguments;
use super::options::{FormatOption, RuleOptions};
use super::workers::{cut_off, wrong_step};
use super::{Failure, Status, say, standing};

/// In which words.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct WordOptions {
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
    pub(super) fn words(&self, layout: &Arc<Layout>) -> Words {
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

/// The state that is looked at, and by which rules.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct LookOptions {
    /// The puzzle.
    #[command(flatten)]
    pub puzzle: PuzzleArguments,
    /// For people or for programs.
    #[command(flatten)]
    pub format: FormatOption,
    /// The rules.
    #[command(flatten)]
    pub rules: RuleOptions,
}

/// What a run is told about, by which rules, in which words.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct TellOptions {
    /// The puzzle.
    #[command(flatten)]
    pub puzzle: PuzzleArguments,
    /// Go on with a grid that has no solution
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    words: WordOptions,
    /// The rules.
    #[command(flatten)]
    pub rules: RuleOptions,
}

impl From<NotUnique> for Failure {
    fn from(refusal: NotUnique) -> Failure {
        Failure::new(refusal.to_string())
    }
}

/// A puzzle, the rules and the words to talk about it.
pub(super) struct Explainer {
    /// The rules.
    pub rules: RuleSet,
    /// The puzzle as read.
    pub grid: Grid,
    /// The words.
    pub words: Words,
    /// What there is to say of a puzzle with several solutions.
    pub several: Option<String>,
    engine: Engine,
}

impl Explainer {
    /// Reads a puzzle and loads the rules, this one among them if one is named. Nothing is told of
    /// a grid without a solution, unless that is what is asked for.
    pub(super) fn load(options: &TellOptions, rule: Option<&str>) -> Result<Explainer, Failure> {
        let reasoner = Reasoner::new(options.rules.load_with(rule)?, options.rules.engine());
        Explainer::of(options, &reasoner, options.puzzle.read()?.grid)
    }

    /// The same for every puzzle of the file.
    pub(super) fn load_all(
        options: &TellOptions,
        rule: Option<&str>,
    ) -> Result<Vec<Result<Explainer, Failure>>, Failure> {
        let reasoner = Reasoner::new(options.rules.load_with(rule)?, options.rules.engine());
        let of = |item: Item| match item {
            Ok(puzzle) => Explainer::of(options, &reasoner, puzzle.grid),
            Err(fault) => Err(Failure::of_puzzle(fault.message)),
        };
        Ok(options.puzzle.read_all()?.into_iter().map(of).collect())
    }

    fn of(options: &TellOptions, reasoner: &Reasoner, grid: Grid) -> Result<Explainer, Failure> {
        let words = options.words.words(grid.layout());
        let several = standing::check(&words, &grid, options.anyway)?;
        let engine = reasoner.engine(&grid)?;
        Ok(Explainer { rules: reasoner.rules().clone(), grid, words, several, engine })
    }

    /// Says on standard error that there are several solutions.
    pub(super) fn warn(&self) {
        self.several.iter().for_each(|sentence| say(&format!("dokulog: {sentence}")));
    }

    /// A worker for these rules and this layout.
    pub(super) fn worker(&self) -> Worker {
        self.engine.worker()
    }

    /// The whole run. Rules that were cut off are named on standard error.
    pub(super) fn story(&self) -> Story {
        let story = tell(&self.rules, &mut self.worker(), &self.grid);
        if let Some(cut_off) = cut_off(&self.rules, &story.cut_off) {
            say(&format!("dokulog: {cut_off}"));
        }
        let found = story.steps.iter().map(|told| &told.account.found);
        if let Some(wrong) = self.wrong_step(found.map(|found| (found.instance, &found.conclusion)))
        {
            say(&format!("dokulog: {wrong}"));
        }
        story
    }

    /// Which rule is wrong, if a user's own takes a digit of the solution away.
    pub(super) fn wrong_step<'a>(
        &self,
        steps: impl Iterator<Item = (usize, &'a Conclusion)>,
    ) -> Option<String> {
        let (instances, conclusions): (Vec<usize>, Vec<&Conclusion>) = steps.unzip();
        let is_own = |&instance: &usize| self.rules.rule_of(instance).origin == Origin::User;
        if !instances.iter().any(is_own) {
            return None;
        }
        let wrong = WrongStep::find(&self.grid, conclusions)?;
        Some(wrong_step(&self.rules, instances[wrong.number - 1], wrong, &self.words))
    }

    /// Who says it.
    pub(super) fn speaker(&self) -> Speaker<'_> {
        Speaker { rules: &self.rules, words: &self.words }
    }
}

/// A contradiction fails, and so does a rule that was cut off; solved or stuck is done.
pub(super) fn status(story: &Story) -> Status {
    match story.outcome {
        Outcome::Contradiction { .. } => Status::Failed,
        Outcome::Stuck if !story.cut_off.is_empty() => Status::Failed,
        _ => Status::Done,
    }
}

/// The first step of a story made by a rule, counted from 0.
pub(crate) fn first_use(rules: &RuleSet, story: &Story, rule: &str) -> Option<usize> {
    let selector = Selector::parse(rule);
    story.steps.iter().position(|told_step| {
        let instance = &rules.instances()[told_step.account.found.instance];
        selector.matches(rules.rule(instance.rule), instance)
    })
}

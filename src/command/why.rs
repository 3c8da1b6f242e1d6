//! `dokulog why`: the steps that a placed digit rests on.

use super::explainer::{Explainer, TellOptions};
use super::options::{FormatOption, TextOrJson};
use super::{Context, Failure, Run, Status, print};
use crate::interface::{Question, Why};

/// Options of `why`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog why r5c2=4 grid.sud     why is it 4?
  dokulog why r5c2!=4 grid.sud    why is it not 4?
  dokulog why r5c2 grid.sud       what is it, and why?")]
pub(super) struct Arguments {
    /// A cell and a digit: r5c2=4, r5c2!=4, B4=7, or the cell alone
    #[arg(value_name = "CELL=DIGIT")]
    question: String,
    #[command(flatten)]
    tell: TellOptions,
    #[command(flatten)]
    format: FormatOption,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, _context: &Context) -> Run {
    let (question, puzzle) = arguments.tell.puzzle.asked(&arguments.question);
    let mut tell = arguments.tell.clone();
    tell.puzzle = puzzle;
    let explainer = Explainer::load(&tell, None)?;
    explainer.warn();
    let question = Question::of(&explainer.words, &question).map_err(Failure::new)?;
    let story = explainer.story();
    let why = Why::new(&explainer.rules, &explainer.words, &story);
    let answer = why.answer(&mut explainer.worker(), &question);
    print(&match arguments.format.format {
        TextOrJson::Text => why.text(&answer),
        TextOrJson::Json => why.json(&answer, &question),
    })?;
    Ok(Status::Done)
}

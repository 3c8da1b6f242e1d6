//! `dokulog explain`: every step in words, or as JSON, SVG or a page.

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rayon::prelude::*;

use crate::engine::{BUDGET, Naive};
use crate::text::visible_line;
use crate::trace::{
    Caption, Grounds, Heading, Marks, Picture, Speaker, Story, counted, json, listing, outcome,
    page, record,
};

use super::explainer::{Explainer, TellOptions, first_use, status};
use super::input::{name, reason, shown};
use super::output::{format, is_file, write_file, write_out};
use super::{Context, Failure, Run, Status, files, say};

/// Options of `explain`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog explain grid.sud
  dokulog explain grid.sud --brief --lang fr
  dokulog explain grid.sud --until xy_wing
  dokulog explain grid.sud -o grid.html
  dokulog explain grid.sud --step 12 -o step.svg
  dokulog explain grid.sud --format json | dokulog replay -
  dokulog explain list.txt --all --brief")]
pub(super) struct Arguments {
    #[command(flatten)]
    tell: TellOptions,
    /// text, json (one object a step), svg (one picture a step), html (one page) [default: what the
    /// output's name ends in, else text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Only this step
    #[arg(long, value_name = "N", conflicts_with_all = ["from_step", "until"])]
    step: Option<usize>,
    /// Begin with this step
    #[arg(long, value_name = "N")]
    from_step: Option<usize>,
    /// End with the first use of this rule
    #[arg(long, value_name = "RULE")]
    until: Option<String>,
    /// Fold singles in a row into one line
    #[arg(long)]
    brief: bool,
    /// Explain every puzzle of the file, one after the other
    #[arg(long, conflicts_with = "puzzle")]
    all: bool,
    /// Where to: a file, or a folder for several pictures; standard output if left out
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
    Svg,
    Html,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    files::protect(&arguments.tell.puzzle.file);
    arguments.tell.rules.protect();
    if let Some(path) = is_file(&arguments.output)
        && !arguments.may_be_folder(path)
    {
        files::claim(path)?;
    }
    if arguments.format.is_none() && arguments.format() == Format::Svg && arguments.step.is_none() {
        let problem = "one picture shows one step: --step N draws it, and --format svg all of them \
                       into a folder";
        return Err(Failure::new(problem));
    }
    if arguments.all {
        return arguments.every_puzzle(context);
    }
    let explainer = Explainer::load(&arguments.tell, arguments.until.as_deref())?;
    let story = explainer.story();
    let range = arguments.range(&explainer, &story)?;
    let speaker = explainer.speaker();
    let to = &arguments.output;
    match arguments.format() {
        Format::Text | Format::Json => write_out(to, &arguments.words(&explainer, &story)?)?,
        Format::Html => {
            let heading = heading(&explainer, &story, &arguments.tell.puzzle.file);
            write_out(to, &page(&speaker, &story, range, &heading))?;
        }
        Format::Svg => {
            explainer.warn();
            arguments.pictures(&speaker, &story, range)?;
        }
    }
    Ok(status(&story))
}

impl Arguments {
    fn format(&self) -> Format {
        format(self.format, &self.output, Format::Text)
    }

    /// The story as text or as JSON.
    fn words(&self, explainer: &Explainer, story: &Story) -> Result<String, Failure> {
        let range = self.range(explainer, story)?;
        if self.format() == Format::Json {
            explainer.warn();
            return Ok(as_json(&explainer.speaker(), story, range));
        }
        let ends = range.end == story.steps.len() && self.step.is_none();
        let mut text = listing(&explainer.speaker(), story, range, self.brief);
        if ends {
            if !text.is_empty() {
                text.push('\n');
            }
            text += &ending(explainer, story);
            text.push('\n');
        }
        Ok(text)
    }

    /// All puzzles of the file, each under its number.
    fn every_puzzle(&self, context: &Context) -> Run {
        if matches!(self.format(), Format::Svg | Format::Html) {
            return Err(Failure::new("--all writes text or JSON; --puzzle N draws one puzzle"));
        }
        let puzzles = Explainer::load_all(&self.tell, self.until.as_deref())?;
        let one = |loaded: Result<Explainer, Failure>| -> Result<(String, Status), Failure> {
            let explainer = loaded?;
            let story = explainer.story();
            Ok((self.words(&explainer, &story)?, status(&story)))
        };
        let told: Vec<_> = context.share(|| puzzles.into_par_iter().map(one).collect())?;
        let (mut out, mut all) = (String::new(), Status::Done);
        for (number, told) in (1..).zip(told) {
            let (text, status) = told.unwrap_or_else(|failure| {
                (format!("{}\n", visible_line(&failure.message)), Status::Failed)
            });
            all = all.max(status);
            out += &match self.format() {
                Format::Json if status == Status::Failed && !text.starts_with('{') => {
                    say(&format!("dokulog: puzzle {number}: {}", text.trim_end()));
                    String::new()
                }
                Format::Json => text,
                _ => format!("{}# {number}\n{text}", if number > 1 { "\n" } else { "" }),
            };
        }
        write_out(&self.output, &out)?;
        Ok(all)
    }

    /// Whether what is named may turn out to be a folder for pictures, and not a file.
    fn may_be_folder(&self, path: &Path) -> bool {
        self.format == Some(Format::Svg)
            && (path.is_dir() || (self.step.is_none() && !path.exists()))
    }

    /// The steps asked for, counted from 0.
    fn range(&self, explainer: &Explainer, story: &Story) -> Result<Range<usize>, Failure> {
        let count = story.steps.len();
        let place = |number: usize| match number.checked_sub(1).filter(|&place| place < count) {
            Some(place) => Ok(place),
            None => Err(Failure::new(format!(
                "there is no step {number}: this run has {}",
                counted(count, "step", "steps")
            ))),
        };
        if let Some(step) = self.step {
            let place = place(step)?;
            return Ok(place..place + 1);
        }
        let from = self.from_step.map_or(Ok(0), place)?;
        let to = match &self.until {
            None => count,
            Some(rule) => match first_use(&explainer.rules, story, rule) {
                Some(place) => place + 1,
                None => {
                    let problem = format!("{rule} is not used on this puzzle");
                    return Err(Failure::of_puzzle(problem));
                }
            },
        };
        Ok(from.min(to)..to)
    }

    fn pictures(
        &self,
        speaker: &Speaker,
        story: &Story,
        range: Range<usize>,
    ) -> Result<(), Failure> {
        let digits = story.steps.len().to_string().len();
        let folder = match is_file(&self.output) {
            Some(path) if range.len() != 1 || path.is_dir() => path,
            _ if range.len() == 1 => {
                return write_out(&self.output, &svg(speaker, story, range.start));
            }
            _ => {
                let problem = "several pictures: name a folder with -o, or one step with --step";
                return Err(Failure::new(problem));
            }
        };
        let made = if folder.is_dir() { Ok(()) } else { std::fs::create_dir(folder) };
        made.map_err(|error| Failure::new(format!("{}: {}", shown(folder), reason(&error))))?;
        let file = |step: usize| folder.join(format!("step-{:0digits$}.svg", step + 1));
        range.clone().try_for_each(|step| files::claim(&file(step)))?;
        for step in range {
            write_file(&file(step), &svg(speaker, story, step))?;
        }
        Ok(())
    }
}

/// How it ended, and whether there are several solutions.
fn ending(explainer: &Explainer, story: &Story) -> String {
    let outcome = outcome(&explainer.words, story);
    [Some(outcome), explainer.several.clone()].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn as_json(speaker: &Speaker, story: &Story, range: Range<usize>) -> String {
    let grounds = Grounds::of(speaker.rules, story, &Naive::within(speaker.rules, BUDGET));
    let mut lines = String::new();
    for step in range {
        let rests_on: Vec<usize> = grounds.direct[step].iter().map(|s| s + 1).collect();
        let written = record::write(speaker, step + 1, &story.steps[step], &rests_on);
        lines.push_str(&json::line(&written));
    }
    lines
}

/// One step as a picture with its words below.
pub(super) fn svg(speaker: &Speaker, story: &Story, step: usize) -> String {
    let told_step = &story.steps[step];
    let account = &told_step.account;
    let marks = Marks::of(speaker.rules, account, &told_step.before);
    let effects = speaker.words.effects(&account.found.conclusion);
    let caption = Caption {
        heading: format!("{}. {}", step + 1, speaker.title(account.found.instance)),
        text: match &speaker.chain(account, &told_step.before)[..] {
            [] => format!("{} → {effects}", speaker.reason(account, &told_step.before)),
            links => {
                let reason = speaker.reason(account, &told_step.before);
                format!("{reason}:\n{}\n→ {effects}", links.join("\n"))
            }
        },
    };
    Picture::new(speaker.words).svg(&told_step.before, &marks, &caption)
}

fn heading(explainer: &Explainer, story: &Story, file: &Path) -> Heading {
    let (words, speaker) = (&explainer.words, explainer.speaker());
    let hardest = story.steps.iter().map(|t| t.account.found.instance).max();
    let ending = ending(explainer, story);
    let summary = match hardest.map(|instance| speaker.title(instance)) {
        Some(title) => words.pick(
            format!("{ending} Hardest technique: {title}."),
            format!("{ending} Technique la plus difficile : {title}."),
        ),
        None => ending.clone(),
    };
    let file = name(file.file_name().map_or(file, Path::new));
    Heading { title: format!("Sudoku: {file}"), summary, outcome: ending }
}

//! `dokulog worksheet`: the position right before the first use of a rule, for print.

use std::path::PathBuf;

use clap::ValueEnum;

use super::explainer::{Explainer, TellOptions, first_use};
use super::output::{format, is_file, write_out};
use super::{Context, Failure, Run, Status, files};
use crate::text::escape;
use crate::trace::{Caption, FOR_PAGES, Marks, Picture, ToldStep};

/// Options of `worksheet`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog worksheet grid.sud --before naked_subset:2 -o pair.svg
  dokulog worksheet grid.sud --before xy_wing --answer -o wing.html")]
pub(super) struct Arguments {
    #[command(flatten)]
    tell: TellOptions,
    /// The rule to practise, or RULE:N for one value of its parameter
    #[arg(long, value_name = "RULE")]
    before: String,
    /// svg, or html (with lines to write on) [default: what the output's name ends in, else svg]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Add the answer: on a second board in svg, on a second page in html
    #[arg(long)]
    answer: bool,
    /// Where to; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Svg,
    Html,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, _context: &Context) -> Run {
    files::protect(&arguments.tell.puzzle.file);
    arguments.tell.rules.protect();
    is_file(&arguments.output).map_or(Ok(()), files::claim)?;
    let explainer = Explainer::load(&arguments.tell, Some(&arguments.before))?;
    explainer.warn();
    let story = explainer.story();
    let Some(step) = first_use(&explainer.rules, &story, &arguments.before) else {
        let rule = &arguments.before;
        return Err(Failure::of_puzzle(format!("{rule} is not used on this puzzle")));
    };
    let exercise = Exercise { explainer: &explainer, told_step: &story.steps[step] };
    let text = match format(arguments.format, &arguments.output, Format::Svg) {
        Format::Svg => exercise.svg(arguments.answer),
        Format::Html => exercise.html(arguments.answer),
    };
    write_out(&arguments.output, &text)?;
    Ok(Status::Done)
}

struct Exercise<'a> {
    explainer: &'a Explainer,
    told_step: &'a ToldStep,
}

impl Exercise<'_> {
    fn task(&self) -> String {
        let title = self.explainer.speaker().title(self.told_step.account.found.instance);
        self.explainer.words.pick(
            format!("Find the next step. Technique: {title}."),
            format!("Trouvez l'étape suivante. Technique : {title}."),
        )
    }

    fn answer(&self) -> String {
        self.explainer.speaker().sentence(&self.told_step.account, &self.told_step.before)
    }

    fn marks(&self) -> Marks {
        Marks::of(&self.explainer.rules, &self.told_step.account, &self.told_step.before)
    }

    /// The position with these marks, for a page.
    fn board(&self, marks: &Marks) -> String {
        let picture = Picture::new(&self.explainer.words).without_legend();
        picture.svg(&self.told_step.before, marks, &Caption::default())
    }

    /// The exercise, with the answer on a second board below it.
    fn svg(&self, answer: bool) -> String {
        let task = Caption { heading: self.task(), text: String::new() };
        let (before, marks) = (&self.told_step.before, self.marks());
        if !answer {
            let picture = Picture::new(&self.explainer.words);
            return picture.svg(before, &Marks::default(), &task);
        }
        let heading = self.explainer.words.pick("Answer", "Réponse").to_string();
        let solution = Caption { heading, text: self.answer() };
        let nothing = Marks::default();
        let boards = [(before, &nothing, &task), (before, &marks, &solution)];
        Picture::new(&self.explainer.words).sheet(&boards)
    }

    fn html(&self, answer: bool) -> String {
        let words = &self.explainer.words;
        let (why, effect, solution) = words.pick(
            ("Which cells, which digits, and why?", "What follows?", "Answer"),
            ("Quelles cases, quels chiffres, et pourquoi ?", "Qu'en résulte-t-il ?", "Réponse"),
        );
        let second = match answer {
            true => format!(
                "<section class=\"answer\">\n<h2>{solution}</h2>\n{}\
                 <div class=\"legend\">{}</div>\n<p>{}</p>\n</section>\n",
                self.board(&self.marks()),
                Picture::new(words).legend(&self.marks()),
                escape(&self.answer())
            ),
            false => String::new(),
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"data:,\">\n<title>{task}</title>\n<style>\n{STYLE}{FOR_PAGES}</style>\n\
             </head>\n<body>\n<main>\n<h1>{task}</h1>\n{board}\
             <p>{why}</p>\n<div class=\"line\"></div><div class=\"line\"></div>\n\
             <p>{effect}</p>\n<div class=\"line\"></div>\n{second}</main>\n</body>\n</html>\n",
            lang = words.language.code(),
            task = escape(&self.task()),
            board = self.board(&Marks::default()),
        )
    }
}

const STYLE: &str = "\
body { margin: 0; font: 16px/1.4 sans-serif; color: #111; background: #fff; }
main { max-width: 17cm; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.2rem; }
main > svg, .answer > svg { display: block; width: 100%; height: auto; }
.line { border-bottom: 1px solid #777; height: 2.2rem; }
.answer { break-before: page; margin-top: 2rem; }
@media (max-width: 440px) { main > svg, .answer > svg { margin: 0 -1rem; width: calc(100% + 2rem); } }
@media print { main { padding: 0; } }
";

//! `dokulog hint`: the next step, as much of it as asked for.

use serde::Serialize;

use super::explainer::{Explainer, TellOptions};
use super::options::{FormatOption, TextOrJson};
use super::workers::cut_off;
use super::{Context, Failure, Run, Status, print};
use crate::engine::{Deducer, account};
use crate::trace::{Account, Marks, json};

/// Options of `hint`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog hint grid.sud              where to look
  dokulog hint grid.sud --level 3    which technique, on which cells")]
pub(super) struct Arguments {
    #[command(flatten)]
    tell: TellOptions,
    /// 1 the house, 2 the technique, 3 the cells, 4 the effect
    #[arg(long, value_name = "1..4", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    level: u8,
    #[command(flatten)]
    format: FormatOption,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, _context: &Context) -> Run {
    let explainer = Explainer::load(&arguments.tell, None)?;
    explainer.warn();
    let (grid, words) = (&explainer.grid, &explainer.words);
    if grid.is_solved() {
        print(words.pick("Every cell is placed.\n", "Toutes les cases sont placées.\n"))?;
        return Ok(Status::Done);
    }
    if grid.hole().is_some() {
        return Err(Failure::of_puzzle(
            words.pick("this position has no solution", "cette position n'a pas de solution"),
        ));
    }
    let mut worker = explainer.worker();
    let Some(step) = worker.next_step(grid) else {
        if let Some(cut_off) = cut_off(&explainer.rules, worker.cut_off()) {
            return Err(Failure::of_puzzle(cut_off));
        }
        print(words.pick(
            "None of these rules applies here.\n",
            "Aucune de ces règles ne s'applique ici.\n",
        ))?;
        return Ok(Status::Done);
    };
    let wrong = explainer.wrong_step(std::iter::once((step.instance, &step.conclusion)));
    if let Some(wrong) = wrong {
        return Err(Failure::of_puzzle(wrong));
    }
    let Some(account) = account(&explainer.rules, &mut worker, &step, grid) else {
        let cut_off = cut_off(&explainer.rules, &[step.instance]).unwrap_or_default();
        return Err(Failure::of_puzzle(cut_off));
    };
    print(&match arguments.format.format {
        TextOrJson::Text => text(&explainer, &account, arguments.level),
        TextOrJson::Json => as_json(&explainer, &account, arguments.level),
    })?;
    Ok(Status::Done)
}

fn text(explainer: &Explainer, account: &Account, level: u8) -> String {
    let (words, speaker) = (&explainer.words, explainer.speaker());
    let marks = Marks::of(&explainer.rules, account, &explainer.grid);
    let house = words.house(marks.where_to_look(explainer.grid.layout()));
    let mut lines = vec![words.pick(format!("Look at {house}."), format!("Regardez la {house}."))];
    if level >= 2 {
        let title = speaker.title(account.found.instance);
        lines.push(words.pick(format!("Technique: {title}."), format!("Technique : {title}.")));
    }
    if level >= 3 {
        let cells = words.cells(marks.tinted);
        lines.push(words.pick(format!("Cells: {cells}."), format!("Cases : {cells}.")));
    }
    if level >= 4 {
        lines.push(format!("{}.", capitalised(speaker.reason(account, &explainer.grid))));
        lines
            .extend(speaker.chain(account, &explainer.grid).iter().map(|link| format!("  {link}")));
        lines.push(words.request(&account.found.conclusion));
    }
    lines.join("\n") + "\n"
}

/// With a capital at the start, unless that is a cell's name.
fn capitalised(mut sentence: String) -> String {
    let is_word = sentence.split(' ').next().is_some_and(|w| w.chars().all(char::is_alphabetic));
    if is_word && let Some(first) = sentence.get(..1).map(str::to_uppercase) {
        sentence.replace_range(..1, &first);
    }
    sentence
}

/// A hint as an object: more of it with every level.
#[derive(Serialize)]
struct Hint<'a> {
    level: u8,
    house: String,
    #[serde(flatten)]
    which: Option<json::Which<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<Vec<String>>,
    #[serde(flatten)]
    what: Option<json::What>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sentence: Option<String>,
}

fn as_json(explainer: &Explainer, account: &Account, level: u8) -> String {
    let (grid, speaker) = (&explainer.grid, explainer.speaker());
    let layout = grid.layout();
    let marks = Marks::of(&explainer.rules, account, grid);
    let found = json::found(&explainer.rules, layout, &account.found);
    let cells = || marks.tinted.iter().map(|cell| layout.cell_name(cell)).collect();
    json::line(&Hint {
        level,
        house: layout.house_name(marks.where_to_look(layout)),
        which: (level >= 2).then_some(found.which),
        title: (level >= 2).then(|| speaker.title(account.found.instance)),
        cells: (level >= 3).then(cells),
        what: (level >= 4).then_some(found.what),
        sentence: (level >= 4).then(|| speaker.sentence(account, grid)),
    })
}

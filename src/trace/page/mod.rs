//! A run as one HTML page that needs nothing else: board, steps, forward and back.
//!
//! The board is drawn once, with every pencil mark there was. For each step the page holds what
//! lies under and over the digits, and which marks go; the script does no more than show them.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::json;

use crate::board::{Candidate, Grid};
use crate::text::escape;

use super::branch::Branch;
use super::marks::Marks;
use super::picture::{FOR_PAGES, Picture, Sign, listed, signs};
use super::sentence::Speaker;
use super::story::{Story, ToldStep};
use super::words::Language;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What stands above the board, and how the run ended.
pub struct Heading {
    /// The page's title.
    pub title: String,
    /// One line about the whole run.
    pub summary: String,
    /// How it ended, in words.
    pub outcome: String,
}

/// The whole page. `steps` says which steps are told, counted from 0.
pub fn page(
    speaker: &Speaker,
    story: &Story,
    steps: std::ops::Range<usize>,
    heading: &Heading,
) -> String {
    let words = speaker.words;
    let picture = Picture::new(words);
    let told: Vec<(usize, &ToldStep)> = steps.clone().map(|i| (i, &story.steps[i])).collect();
    let start = told.first().map_or(&story.end, |(_, told_step)| &told_step.before);
    let mut shown = BTreeSet::new();
    let data = json!({
        "step": words.pick("Step #", "Étape #"),
        "before": steps.start,
        "start": words.pick("Start", "Départ"),
        "end": words.pick("End", "Fin"),
        "outcome": escape(&heading.outcome),
        "first": usize::from(!told.is_empty()),
        "steps": told.iter().map(|&(i, told_step)| {
            let marks = Marks::of(speaker.rules, &told_step.account, &told_step.before);
            shown.extend(signs(&marks));
            let (gone, placed) = changes(&told_step.before, story.after(i));
            json!({
                "under": picture.under(&marks), "over": picture.over(&marks),
                "gone": pairs(&gone), "placed": pairs(&placed),
            })
        }).collect::<Vec<_>>(),
    });
    let (width, height) = picture.size();
    let mut html = String::new();
    let _ = write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{FOR_PAGES}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<p class=\"summary\">{summary}</p>\n<div class=\"stage\">\n<figure>\n\
         <svg id=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
         font-family=\"sans-serif\">\n<g id=\"under\"></g>\n{frame}{digits}<g id=\"over\" class=\"over\"></g>\n\
         </svg>\n{legend}</figure>\n",
        lang = words.language.code(),
        title = escape(&heading.title),
        summary = escape(&heading.summary),
        frame = picture.zones() + &picture.frame(),
        digits = picture.digits(start, true),
        legend = legend(&shown, words.language),
    );
    let keys = words.pick(
        [("first", "Start"), ("back", "← Back"), ("forward", "Forward →"), ("last", "End")],
        [("first", "Début"), ("back", "← Retour"), ("forward", "Suite →"), ("last", "Fin")],
    );
    let without = words.pick(
        "Without scripts the board stays as it was at the start; every step is in the list.",
        "Sans script, la grille reste au départ ; toutes les étapes sont dans la liste.",
    );
    let _ = write!(
        html,
        "<div class=\"side\">\n<section id=\"now\" aria-live=\"polite\">\n\
         <p class=\"count\" id=\"count\"></p>\n<div id=\"words\"></div>\n\
         <noscript>{without}</noscript>\n</section>\n<div class=\"keys\">\n",
    );
    for (id, label) in keys {
        let _ = writeln!(html, "<button type=\"button\" id=\"{id}\">{label}</button>");
    }
    let _ = write!(html, "</div>\n<ol id=\"steps\" start=\"{}\">\n", steps.start + 1);
    for (shown, &(_, told_step)) in told.iter().enumerate() {
        html.push_str(&item(speaker, shown + 1, told_step));
    }
    let data = data.to_string().replace("</", "<\\/");
    let _ = write!(
        html,
        "</ol>\n</div>\n</div>\n</main>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    );
    html
}

/// A step of the list.
fn item(speaker: &Speaker, shown: usize, told_step: &ToldStep) -> String {
    let ToldStep { before, account } = told_step;
    let mut html = format!(
        "<li id=\"item-{shown}\"><a href=\"#step-{shown}\"><span class=\"title\">{}</span>{}{}.",
        escape(&speaker.title(account.found.instance)),
        speaker.words.colon(),
        escape(&speaker.reason(account, before)),
    );
    // The conclusion stands before the links: there may be many.
    let effects = escape(&speaker.words.effects(&account.found.conclusion));
    let _ = write!(html, " <span class=\"effects\">→&nbsp;{effects}</span>");
    let chain = speaker.chain(account, before);
    if !chain.is_empty() {
        let links: Vec<String> =
            chain.iter().map(|link| format!("<span>{}</span>", escape(link))).collect();
        let _ = write!(html, "<span class=\"chain\">{}</span>", links.join(" "));
    }
    html.push_str("</a>");
    account.branches.iter().for_each(|branch| html.push_str(&supposed(speaker, before, branch)));
    html.push_str("</li>\n");
    html
}

/// A hypothesis that can be opened: its steps, and the board to which they lead.
fn supposed(speaker: &Speaker, before: &Grid, branch: &Branch) -> String {
    let words = speaker.words;
    let rules = speaker.rules.below(branch.hypothesis.below);
    let under = Speaker { rules: &rules, words };
    let mut html = format!(
        "\n<details class=\"suppose\"><summary>{} {}</summary>\n<ol>\n",
        words.pick("Suppose", "Supposons"),
        escape(&words.hypothesis(&branch.hypothesis)),
    );
    for ToldStep { before, account } in &branch.steps {
        let _ = write!(
            html,
            "<li><span class=\"title\">{}</span>{}{}. <span class=\"effects\">→&nbsp;{}</span>",
            escape(&under.title(account.found.instance)),
            words.colon(),
            escape(&under.reason(account, before)),
            escape(&words.effects(&account.found.conclusion)),
        );
        account.branches.iter().for_each(|inner| html.push_str(&supposed(&under, before, inner)));
        html.push_str("</li>\n");
    }
    html.push_str("</ol>\n");
    if let Some(so) = words.so(branch) {
        let _ = writeln!(html, "<p>{}</p>", escape(&so));
    }
    let picture = Picture::new(words);
    let marks = Marks { tinted: branch.end.placed() - before.placed(), ..Marks::default() };
    let (width, height) = picture.size();
    let _ = write!(
        html,
        "<svg class=\"hypothetical\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"sans-serif\">\n{}{}{}</svg>\n</details>",
        picture.under(&marks),
        picture.frame(),
        picture.digits(&branch.end, false),
    );
    html
}

/// The pencil marks that go, and the digits that come, from one state to the next.
fn changes(before: &Grid, after: &Grid) -> (Vec<Candidate>, Vec<Candidate>) {
    let mut gone = Vec::new();
    let mut placed = Vec::new();
    for cell in before.unsolved() {
        let now_placed = after.placed().contains(cell);
        for digit in before.candidates(cell) {
            let candidate = Candidate { cell, digit };
            if now_placed || !after.is_possible(candidate) {
                gone.push(candidate);
            }
        }
        if now_placed && let Some(digit) = after.digit_at(cell) {
            placed.push(Candidate { cell, digit });
        }
    }
    (gone, placed)
}

fn pairs(candidates: &[Candidate]) -> Vec<[usize; 2]> {
    candidates.iter().map(|c| [c.cell.index(), c.digit.index()]).collect()
}

/// What each mark on the page means.
fn legend(signs: &BTreeSet<Sign>, language: Language) -> String {
    let heading = if language == Language::En { "Marks" } else { "Marques" };
    let list = listed(signs, language);
    format!(
        "<details class=\"legend\" id=\"legend\"><summary>{heading}</summary>{list}</details>\n"
    )
}

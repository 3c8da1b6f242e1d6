//! Why a cell is what it is: the steps that a digit rests on, as a tree.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::Serialize;

use crate::board::{Candidate, Cell, Digit};
use crate::engine::{BUDGET, Deducer, Naive, Worker};
use crate::language::{Head, Literal, RuleSet};
use crate::trace::{Account, Grounds, Speaker, Story, Words, counted, digit_named, json};

/// What is asked.
pub(crate) struct Question {
    cell: Cell,
    digit: Option<Digit>,
    /// Whether it is asked why it is *not* that digit.
    excluded: bool,
}

impl Question {
    /// Reads `r5c2=4`, `r5c2!=4`, `B4=7`, or a cell alone.
    pub(crate) fn of(words: &Words, text: &str) -> Result<Question, String> {
        let (cell, digit, excluded) =
            match ["!=", "≠", "<>", "="].iter().find(|s| text.contains(**s)) {
                Some(sign) => {
                    let (cell, digit) = text.split_once(*sign).unwrap_or((text, ""));
                    (cell, Some(digit), *sign != "=")
                }
                None => (text, None, false),
            };
        let size = words.layout.size();
        let found = words.cell_named(cell).ok_or_else(|| {
            format!("`{cell}` is no cell of a {size}×{size} grid: write r5c2, or E2")
        })?;
        let digit = match digit {
            Some(text) => Some(digit_named(&words.layout, text).ok_or_else(|| {
                format!("`{text}` is no digit of a {size}×{size} grid: 1 to {size}")
            })?),
            None => None,
        };
        Ok(Question { cell: found, digit, excluded })
    }
}

/// The answer: a sentence, and the account of a step with the steps that it rests on.
pub(crate) struct Answer {
    /// In a word: `placed`, `given`, `excluded` or `undecided`.
    pub status: &'static str,
    /// The sentence.
    pub sentence: String,
    root: Option<Root>,
}

/// What the tree hangs from: a step of the run, or a shorter reason for the same digit.
struct Root {
    step: usize,
    account: Account,
    rests_on: Vec<usize>,
}

/// A run that questions are asked about.
pub(crate) struct Why<'a> {
    /// The rules.
    pub rules: &'a RuleSet,
    /// The words to answer in.
    pub words: &'a Words,
    /// The run.
    pub story: &'a Story,
    grounds: Grounds,
}

impl<'a> Why<'a> {
    /// Looks at what each step of a run rests on.
    pub(crate) fn new(rules: &'a RuleSet, words: &'a Words, story: &'a Story) -> Why<'a> {
        let grounds = Grounds::of(rules, story, &Naive::within(rules, BUDGET));
        Why { rules, words, story, grounds }
    }

    /// The numbers of the steps that an answer rests on, its own last.
    pub(super) fn steps(&self, answer: &Answer) -> Vec<usize> {
        let Some(root) = &answer.root else { return Vec::new() };
        let before = self.grounds.closure(&root.rests_on);
        before.iter().chain([&root.step]).map(|step| step + 1).collect()
    }

    fn speaker(&self) -> Speaker<'_> {
        Speaker { rules: self.rules, words: self.words }
    }

    /// The answer to a question. The worker runs the same rules as the story did.
    pub(crate) fn answer(&self, worker: &mut Worker, question: &Question) -> Answer {
        let Why { words, story, grounds, .. } = self;
        let &Question { cell, digit: asked, excluded } = question;
        let name = words.cell(cell);
        let is = story.end.digit_at(cell);
        let plain = |status, sentence| Answer { status, sentence, root: None };
        let Some(digit) = asked.or(is) else {
            return plain("undecided", self.undecided(cell));
        };
        if is == Some(digit) && excluded {
            return plain(
                "placed",
                words.pick(format!("{name} is {digit}."), format!("{name} vaut bien {digit}.")),
            );
        }
        let candidate = Candidate { cell, digit };
        if is == Some(digit) {
            return self.placed(worker, candidate);
        }
        if story.end.is_possible(candidate) {
            return plain("undecided", self.undecided(cell));
        }
        let left = words.digits(story.end.candidates(cell));
        let instead = match is {
            Some(is) => words.pick(format!(", but {is}"), format!(", mais {is}")),
            None => words.pick(format!("; {left} are left"), format!(" ; il reste {left}")),
        };
        let sentence = words.pick(
            format!("{name} is not {digit}{instead}"),
            format!("{name} ne vaut pas {digit}{instead}"),
        );
        let status = "excluded";
        if !story.start().is_possible(candidate) {
            let from = words.pick(". The givens exclude it.", ". Les chiffres donnés l'excluent.");
            return plain(status, sentence + from);
        }
        let step = (0..story.steps.len())
            .find(|&step| !story.after(step).is_possible(candidate))
            .expect("a candidate that went was taken by a step");
        let root = Root {
            step,
            account: story.steps[step].account.clone(),
            rests_on: grounds.direct[step].clone(),
        };
        let by = words.pick(
            format!(". {digit} goes from {name} with step {}:", step + 1),
            format!(". {digit} quitte {name} à l'étape {} :", step + 1),
        );
        Answer { status, sentence: sentence + &by, root: Some(root) }
    }

    /// What is said of a cell that the rules leave open.
    fn undecided(&self, cell: Cell) -> String {
        let Why { words, story, .. } = self;
        let (name, left) = (words.cell(cell), words.digits(story.end.candidates(cell)));
        let (but, mais) = match story.cut_off.is_empty() {
            true => ("", ""),
            false => (", some of which were cut off,", ", dont certaines ont été interrompues,"),
        };
        words.pick(
            format!("These rules{but} do not decide {name}: {left} are left."),
            format!("Ces règles{mais} ne décident pas {name} : il reste {left}."),
        )
    }

    /// Why a digit is where it is.
    fn placed(&self, worker: &mut Worker, candidate: Candidate) -> Answer {
        let Why { words, story, grounds, .. } = self;
        let Candidate { cell, digit } = candidate;
        let name = words.cell(cell);
        if story.start().placed().contains(cell) {
            let given = story.start().given().contains(cell);
            let sentence = words.pick(
                format!("{name} is {digit} from the start: the puzzle says so."),
                format!("{name} vaut {digit} dès le départ : c'est un chiffre donné."),
            );
            return Answer { status: if given { "given" } else { "placed" }, sentence, root: None };
        }
        let root = self.shortest(worker, candidate);
        let count = root.as_ref().map_or(0, |root| grounds.closure(&root.rests_on).len());
        let steps = counted(count, "earlier step", "earlier steps");
        let etapes = counted(count, "étape précédente", "étapes précédentes");
        let sentence = match count {
            0 => words.pick(
                format!("{name} is {digit}, straight from the givens:"),
                format!("{name} vaut {digit}, directement d'après les chiffres donnés :"),
            ),
            _ => words.pick(
                format!("{name} is {digit}; this rests on {steps}:"),
                format!("{name} vaut {digit} ; cela repose sur {etapes} :"),
            ),
        };
        Answer { status: "placed", sentence, root }
    }

    /// The shortest reason for a digit: that of the run, or another rule's on the same state.
    fn shortest(&self, worker: &mut Worker, wanted: Candidate) -> Option<Root> {
        let Why { rules, story, grounds, .. } = self;
        let step = (0..story.steps.len())
            .find(|&step| story.steps[step].account.found.conclusion.places.contains(&wanted))?;
        let before = &story.steps[step].before;
        let mut best = Root {
            step,
            account: story.steps[step].account.clone(),
            rests_on: grounds.direct[step].clone(),
        };
        let mut fewest = grounds.all[step].len();
        for instance in (0..rules.instances().len()).filter(|&i| is_plain_placement(rules, i)) {
            for found in worker.matches(instance, before) {
                if found.conclusion.places == [wanted] {
                    let naive = Naive::within(rules, BUDGET);
                    let account = naive.account(found, before);
                    let rests_on = grounds.needed(rules, story, &account, step, &naive);
                    let count = grounds.closure(&rests_on).len();
                    if count < fewest {
                        fewest = count;
                        best = Root { step, account, rests_on };
                    }
                }
            }
        }
        Some(best)
    }

    fn line(&self, number: usize, account: &Account, step: usize) -> String {
        let speaker = self.speaker();
        let before = &self.story.steps[step].before;
        let title = speaker.title(account.found.instance);
        let (colon, reason) = (speaker.words.colon(), speaker.reason(account, before));
        let effects = speaker.words.effects(&account.found.conclusion);
        format!("{number}. {title}{colon}{reason} → {effects}")
    }

    /// The answer with its tree, in words.
    pub(crate) fn text(&self, answer: &Answer) -> String {
        let mut text = format!("{}\n", answer.sentence);
        if let Some(root) = &answer.root {
            let _ = write!(text, "\n{}\n", self.line(root.step + 1, &root.account, root.step));
            let mut told = BTreeSet::new();
            self.branches(&root.rests_on, "", &mut told, &mut text);
        }
        text
    }

    fn branches(
        &self,
        steps: &[usize],
        indent: &str,
        told: &mut BTreeSet<usize>,
        text: &mut String,
    ) {
        let words = self.words;
        for (i, &step) in steps.iter().enumerate() {
            let last = i + 1 == steps.len();
            let (branch, below) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            if !told.insert(step) {
                let above = words.pick("see above", "voir plus haut");
                let _ = writeln!(text, "{indent}{branch}{}. ({above})", step + 1);
                continue;
            }
            let account = &self.story.steps[step].account;
            let _ = writeln!(text, "{indent}{branch}{}", self.line(step + 1, account, step));
            self.branches(&self.grounds.direct[step], &format!("{indent}{below}"), told, text);
        }
    }

    /// The same as an object on a line.
    pub(crate) fn json(&self, answer: &Answer, question: &Question) -> String {
        let end = &self.story.end;
        let root = answer.root.as_ref();
        let steps = root.map(|root| self.grounds.closure(&root.rests_on));
        json::line(&Told {
            cell: end.layout().cell_name(question.cell),
            digit: question.digit.map(Digit::number),
            status: answer.status,
            is: end.digit_at(question.cell).map(Digit::number),
            left: end.candidates(question.cell).iter().map(Digit::number).collect(),
            sentence: &answer.sentence,
            steps: steps.map(|all| all.iter().map(|step| step + 1).collect()),
            because: root.map(|root| {
                self.node(root.step, &root.account, &root.rests_on, &mut BTreeSet::new())
            }),
        })
    }

    fn node(
        &self,
        step: usize,
        account: &Account,
        rests_on: &[usize],
        told: &mut BTreeSet<usize>,
    ) -> Node<'_> {
        let layout = self.story.end.layout();
        let before = &self.story.steps[step].before;
        let below = rests_on.iter().map(|&needed| match told.insert(needed) {
            true => {
                let account = &self.story.steps[needed].account;
                self.node(needed, account, &self.grounds.direct[needed], told)
            }
            false => Node { step: needed + 1, reason: None },
        });
        let rests_on = below.collect();
        let reason = Reason {
            found: json::found(self.rules, layout, &account.found),
            sentence: self.speaker().sentence(account, before),
            rests_on,
        };
        Node { step: step + 1, reason: Some(reason) }
    }
}

/// Whether an instance places digits without helpers, as singles do: quick to try.
fn is_plain_placement(rules: &RuleSet, instance: usize) -> bool {
    rules.rule_of(instance).clauses.iter().all(|clause| {
        let places = clause.heads.iter().all(|head| matches!(head, Head::Place(..)));
        places && !clause.body.iter().any(|goal| matches!(goal.literal, Literal::Call(..)))
    })
}

/// The answer as an object.
#[derive(Serialize)]
struct Told<'a> {
    cell: String,
    digit: Option<usize>,
    status: &'a str,
    is: Option<usize>,
    left: Vec<usize>,
    sentence: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<Node<'a>>,
}

/// A step of the tree; without its reason where it stands elsewhere already.
#[derive(Serialize)]
struct Node<'a> {
    step: usize,
    #[serde(flatten)]
    reason: Option<Reason<'a>>,
}

#[derive(Serialize)]
struct Reason<'a> {
    #[serde(flatten)]
    found: json::Found<'a>,
    sentence: String,
    rests_on: Vec<Node<'a>>,
}

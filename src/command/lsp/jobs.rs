//! What takes long: proving rules, running their examples, firing one on a puzzle.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use serde::Serialize;

use crate::board::Layout;
use crate::command::{fire, prove, test};
use crate::engine::{self, Naive};
use crate::language::RuleSet;
use crate::proof::{Options, Verdict, judge, said as said_by};
use crate::search::Reasoner;
use crate::text::{self, Hint};
use crate::trace::Words;

use super::server::Event;

/// What is to be done.
#[derive(Clone)]
pub(super) enum Task {
    /// Prove the rules.
    Prove,
    /// Run the rules' examples.
    Examples,
    /// Fire the rules on a puzzle.
    Fire(String),
}

/// What came of it: a page to be shown.
#[derive(Serialize)]
pub struct Document {
    /// What it is about.
    pub title: String,
    /// One line for a message.
    pub summary: String,
    /// Whether nothing is wrong.
    pub good: bool,
    /// All of it.
    pub text: String,
}

/// News of the job under way.
pub enum News {
    /// So many of so many are done, and this is next.
    Step(usize, usize, String),
    /// It is done, or could not be; the verdicts found.
    Done(Result<Document, String>, Vec<(String, Verdict)>),
}

/// The stack of a job: as much as a rule with all that is allowed in it may need.
const STACK: usize = 64 << 20;

/// Does a task beside the server; `stop` ends it after the rule under way.
pub(super) fn start(
    task: Task,
    rules: RuleSet,
    title: String,
    stop: Arc<AtomicBool>,
    to: Sender<Event>,
) {
    let teller = to.clone();
    let work = move || {
        let mut learned = Vec::new();
        let done = match task {
            Task::Prove => proofs(&rules, title, &stop, &to, &mut learned),
            Task::Examples => Ok(examples(&rules, title)),
            Task::Fire(puzzle) => fired(rules, title, &puzzle),
        };
        // Nobody is left to hear it once the server has ended.
        let _ = to.send(Event::News(News::Done(done, learned)));
    };
    let thread = std::thread::Builder::new().name("job".to_string()).stack_size(STACK);
    if let Err(error) = thread.spawn(work) {
        let why = format!("no thread could be started: {error}");
        let _ = teller.send(Event::News(News::Done(Err(why), Vec::new())));
    }
}

fn proofs(
    rules: &RuleSet,
    title: String,
    stop: &AtomicBool,
    to: &Sender<Event>,
    learned: &mut Vec<(String, Verdict)>,
) -> Result<Document, String> {
    let layout = Layout::classic(9).ok_or("9 is a classic size")?;
    let count = rules.instances().len();
    let (mut out, mut said, mut good) = (String::new(), Vec::new(), true);
    for (number, instance) in rules.instances().iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            return Err("stopped".to_string());
        }
        let _ = to.send(Event::News(News::Step(number, count, instance.name.clone())));
        let found = judge(rules, number, &layout, &Options::default());
        learned.extend(said_by(rules, instance, usize::MAX).map(|rule| (rule, found.verdict)));
        out += &prove::told(rules, number, &found);
        said.push(format!("{}: {}", instance.name, found.verdict.in_words()));
        good &= found.verdict.is_proved();
    }
    Ok(Document { title, summary: said.join(", "), good, text: out })
}

fn examples(rules: &RuleSet, title: String) -> Document {
    let (held, count, failed) = test::examples(rules, test::BUDGET);
    let summary = format!("examples: {held} of {count} hold");
    let text = format!("{}{summary}\n", failed.concat());
    Document { title, summary, good: held == count, text }
}

fn fired(rules: RuleSet, title: String, puzzle: &str) -> Result<Document, String> {
    let grid = match text::read(puzzle.as_bytes(), Hint::default()).as_deref() {
        Ok([Ok(puzzle)]) => puzzle.grid.clone(),
        Ok([Err(fault)]) | Err(fault) => return Err(format!("the puzzle: {}", fault.message)),
        Ok(_) => return Err("give one puzzle".to_string()),
    };
    let options = engine::Options::default();
    let reasoner = Reasoner::new(rules, options);
    reasoner.check(&grid).map_err(|refusal| refusal.to_string())?;
    let rules = reasoner.rules();
    let naive = Naive::within(rules, options.budget);
    let (mut found, cut_off) = fire::matches(rules, &naive, &grid);
    fire::keep_one_each(&mut found);
    let words = Words::plain(grid.layout().clone());
    let shown = found.iter().map(|m| fire::text(rules, &words, &naive, m, &grid));
    let mut text: String = shown.collect();
    let matches = if found.len() == 1 { "match" } else { "matches" };
    let more = if cut_off { "; there may be more" } else { "" };
    let summary = format!("{} {matches}{more}", found.len());
    text += &format!("{summary}\n");
    Ok(Document { title, summary, good: true, text })
}

//! The page's engine: a JSON request in, a JSON answer out.
//!
//! State lives in the page: every request carries board and rules, so there are no sessions and
//! nothing to lose. The same text is the body of an HTTP request, the message to a web worker and a
//! file of `tests/studio`. Nothing here reads a file or a clock or starts a thread; what takes long
//! is asked in small pieces (one instance to prove, a few puzzles to try), so that whoever asks can
//! say how far it is and stop.
//!
//! ```text
//! request    what can be asked            position   the page's board as a grid, and back
//! library    rule sets, kept by text      sheet      puzzles in, made, rated and for print
//! steps      steps, hints, why, suppose   shown      steps and marks as the page draws them
//! rules      fires here, why not, query   editing    diagnostics, tokens, completion, hover
//! proving    verdict and counterexample
//! ```

mod editing;
mod library;
mod position;
mod proving;
mod request;
mod rules;
mod puzzles;
mod shown;
mod steps;

use std::sync::{Mutex, PoisonError};

use serde_json::{Value as Json, json};

use crate::service::Service;
use library::Library;
use request::{Envelope, Request, VERSION};

/// What can be said in place of an answer: a sentence.
type Answer = Result<Json, String>;

/// Answers requests. It keeps nothing but rule sets that it would otherwise compile again, and the
/// text that was edited last as it was read.
#[derive(Default)]
pub struct Studio {
    library: Library,
    service: Mutex<Option<Service>>,
}

impl Studio {
    /// The answer to a request: an object, with nothing but `error`, a sentence, where there is
    /// none.
    ///
    /// ```
    /// let studio = dokulog::Studio::default();
    /// let answer = studio.answer(r#"{"version": 1, "ask": "read", "text": "12..34....21..43"}"#);
    /// assert!(answer.starts_with(r#"{"puzzles":[{"size":4,"givens":[1,2,0,0,3,4"#));
    /// assert_eq!(studio.answer("{}"), r#"{"error":"this is no request: missing field `version`"}"#);
    /// ```
    pub fn answer(&self, request: &str) -> String {
        let answer = match serde_json::from_str::<Envelope>(request) {
            Ok(Envelope { version: VERSION, request }) => self.of(&request),
            Ok(Envelope { version, .. }) => {
                Err(format!("this is version {VERSION}, and the request is of version {version}"))
            }
            Err(error) => Err(format!("this is no request: {}", without_place(&error))),
        };
        answer.unwrap_or_else(|sentence| json!({ "error": sentence })).to_string()
    }

    /// Whether a request may take long: it is asked where it can be stopped.
    pub fn takes_long(request: &str) -> bool {
        #[derive(serde::Deserialize)]
        struct Kind {
            ask: String,
        }
        let kind = serde_json::from_str::<Kind>(request);
        kind.is_ok_and(|kind| ["prove", "generate"].contains(&kind.ask.as_str()))
    }

    /// Asks what editors ask.
    fn edit(&self, ask: impl FnOnce(&mut Service) -> Answer) -> Answer {
        let mut kept = self.service.lock().unwrap_or_else(PoisonError::into_inner);
        ask(kept.get_or_insert_with(|| Service::beside(library::sources(), Vec::new())))
    }

    fn of(&self, request: &Request) -> Answer {
        let library = &self.library;
        match request {
            Request::Read(asked) => puzzles::read(asked),
            Request::State(asked) => position::state(asked),
            Request::Check(asked) => puzzles::check(asked),
            Request::Hint(context) => steps::hint(library, context),
            Request::Steps(context) => steps::all(library, context),
            Request::Why(asked) => steps::why(library, asked),
            Request::Suppose(asked) => steps::suppose(library, asked),
            Request::Matches(asked) => rules::matches(library, asked),
            Request::WhyNot(asked) => rules::why_not(library, asked),
            Request::Query(asked) => rules::query(library, asked),
            Request::Rules(asked) => rules::list(library, asked),
            Request::Diagnostics(asked) => self.edit(|s| editing::diagnostics(s, asked)),
            Request::Tokens(asked) => self.edit(|s| editing::tokens(s, asked)),
            Request::Completion(asked) => self.edit(|s| editing::completion(s, asked)),
            Request::Hover(asked) => self.edit(|s| editing::hover(s, asked)),
            Request::Format(asked) => editing::format(asked),
            Request::Prove(asked) => proving::prove(library, asked),
            Request::Generate(asked) => puzzles::generate(library, asked),
            Request::Rate(context) => puzzles::rate(library, context),
            Request::Worksheet(asked) => puzzles::worksheet(library, asked),
        }
    }
}

/// What is wrong, without the line and column of a text that nobody wrote by hand.
fn without_place(error: &serde_json::Error) -> String {
    let said = error.to_string();
    said.split(" at line ").next().unwrap_or(&said).to_string()
}

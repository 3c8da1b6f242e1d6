//! The commands, and the code lenses that offer them.

use lsp_server::RequestId;
use lsp_types::{CodeLensParams, ExecuteCommandParams, TextDocumentIdentifier};
use serde_json::{Value, json};

use crate::language::{self, RuleSet};
use crate::proof::Verdict;

use super::answers::{Answer, failed};
use super::jobs::Task;
use super::queue::Job;
use super::server::{Refusal, Server, parameters};

/// Proves rules.
pub(super) const PROVE: &str = "dokulog.prove";
/// Runs rules' examples.
pub(super) const EXAMPLES: &str = "dokulog.runExamples";
/// Fires a rule on a puzzle.
pub(super) const FIRE: &str = "dokulog.fire";

impl Server {
    pub(super) fn lenses(&self, params: CodeLensParams) -> Answer {
        let file = self.file(&params.text_document)?;
        let converter = self.converter();
        let uri = &params.text_document.uri;
        let mut lenses = Vec::new();
        for symbol in self.service.symbols(&file).iter().filter(|symbol| symbol.is_rule) {
            let range = converter.range(&file, &symbol.selection);
            let mut add = |title: String, command: &str| {
                let command =
                    json!({ "title": title, "command": command, "arguments": [uri, symbol.name] });
                lenses.push(json!({ "range": range, "command": command }));
            };
            add(self.proved(&symbol.name).unwrap_or_else(|| "prove".to_string()), PROVE);
            match self.service.examples(&file, &symbol.name) {
                0 => {}
                1 => add("run 1 example".to_string(), EXAMPLES),
                count => add(format!("run {count} examples"), EXAMPLES),
            }
            add("fire on puzzle…".to_string(), FIRE);
        }
        Ok(json!(lenses))
    }

    /// What is known of a rule's instances, if all are known.
    fn proved(&self, rule: &str) -> Option<String> {
        let rules = self.service.checked().rules.as_ref()?;
        let mine = rules.instances().iter().enumerate();
        let mine = mine.filter(|(_, instance)| rules.rule(instance.rule).name == rule);
        let verdicts: Option<Vec<Verdict>> =
            mine.map(|(number, _)| self.service.verdict(rules, number)).collect();
        let mut words: Vec<&str> = verdicts?.into_iter().map(Verdict::in_words).collect();
        words.dedup();
        (!words.is_empty()).then(|| format!("{}: prove again", words.join(", ")))
    }

    /// Queues a command.
    pub(super) fn command(&mut self, id: &RequestId, params: Value) -> Result<(), Refusal> {
        let params: ExecuteCommandParams = parameters(params)?;
        let text = |place: usize| params.arguments.get(place).and_then(Value::as_str);
        let task = match params.command.as_str() {
            PROVE => Task::Prove,
            EXAMPLES => Task::Examples,
            FIRE => {
                let puzzle = text(2).ok_or_else(|| {
                    Refusal::of("give the file, the rule and the puzzle, all as text")
                })?;
                Task::Fire(puzzle.to_string())
            }
            other => return Err(Refusal::of(format!("there is no command `{other}`"))),
        };
        let uri = text(0).ok_or_else(|| Refusal::of("give the file's address"))?;
        let uri: TextDocumentIdentifier = parameters(json!({ "uri": uri }))?;
        self.refresh();
        let file = self.file(&uri)?;
        let rules = self.rules(&file).map_err(failed)?;
        let of_file = |rule: &language::Rule| {
            rules.sources().get(usize::from(rule.span.source)).is_some_and(|s| s.name == file)
        };
        let wanted = text(1);
        let rules =
            rules.keep(|rule, _| of_file(rule) && wanted.is_none_or(|name| name == rule.name));
        if rules.instances().is_empty() {
            let what = wanted.map_or("there is no rule".to_string(), |n| format!("no rule `{n}`"));
            return Err(failed(format!("{what} in this file")));
        }
        let verb = match task {
            Task::Prove => "prove",
            Task::Examples => "examples of",
            Task::Fire(_) => "fire",
        };
        let title = format!("{verb} {}", wanted.unwrap_or("all rules"));
        let token = params.work_done_progress_params.work_done_token;
        self.enqueue(Job { id: id.clone(), token, task, rules, title });
        Ok(())
    }

    /// The rules of the folder; if there is an error elsewhere, those of one file.
    fn rules(&self, file: &str) -> Result<RuleSet, String> {
        if let Some(rules) = &self.service.checked().rules {
            return Ok(rules.clone());
        }
        let mut sources = self.service.sources();
        sources.retain(|(origin, s)| *origin != language::Origin::User || s.name == file);
        language::load(sources).0.ok_or_else(|| "there are errors; mend them first".to_string())
    }
}

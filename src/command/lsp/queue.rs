//! Who waits for a job, and what is heard of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lsp_server::{ErrorCode, RequestId};
use lsp_types::{NumberOrString, ProgressToken};
use serde_json::json;

use crate::language::RuleSet;

use super::jobs::{self, News, Task};
use super::server::{Refusal, Server, called_off};

/// A job that waits or is under way.
pub(super) struct Job {
    pub id: RequestId,
    pub token: Option<ProgressToken>,
    pub task: Task,
    pub rules: RuleSet,
    pub title: String,
}

/// The job under way.
pub(super) struct Running {
    job: Job,
    stop: Arc<AtomicBool>,
    /// Whether it was called off, and that was said.
    answered: bool,
}

impl Server {
    /// Queues a job.
    pub(super) fn enqueue(&mut self, job: Job) {
        self.jobs.push_back(job);
    }

    /// Begins the next job, if none is under way.
    pub(super) fn begin(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some(mut job) = self.jobs.pop_front() else { return };
        if job.token.is_none() && self.progress {
            let token = NumberOrString::String(format!("dokulog-job-{}", self.asked));
            self.ask("window/workDoneProgress/create", json!({ "token": token }));
            job.token = Some(token);
        }
        if let Some(token) = job.token.clone() {
            let value = json!({ "kind": "begin", "title": job.title, "cancellable": true,
                                "percentage": 0 });
            self.notify("$/progress", json!({ "token": token, "value": value }));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (task, rules, title) = (job.task.clone(), job.rules.clone(), job.title.clone());
        jobs::start(task, rules, title, stop.clone(), self.events.clone());
        self.running = Some(Running { job, stop, answered: false });
    }

    pub(super) fn news(&mut self, news: News) {
        let token = self.running.as_ref().filter(|r| !r.answered).and_then(|r| r.job.token.clone());
        match news {
            News::Step(done, of, next) => {
                let Some(token) = token else { return };
                let percentage = 100 * done / of.max(1);
                let value = json!({ "kind": "report", "message": next, "percentage": percentage });
                self.notify("$/progress", json!({ "token": token, "value": value }));
            }
            News::Done(done, learned) => {
                for (key, verdict) in learned {
                    self.service.learn(key, verdict);
                }
                let Some(running) = self.running.take() else { return };
                if !running.answered {
                    self.end_progress(&running.job);
                    match done {
                        Ok(document) => {
                            let kind = if document.good { 3 } else { 2 };
                            let message = json!({ "type": kind, "message": document.summary });
                            self.notify("window/showMessage", message);
                            self.answer(&running.job.id, json!(document));
                        }
                        Err(why) => {
                            self.refuse(&running.job.id, Refusal(ErrorCode::RequestFailed, why));
                        }
                    }
                }
                self.begin();
            }
        }
    }

    fn end_progress(&mut self, job: &Job) {
        if let Some(token) = &job.token {
            self.notify("$/progress", json!({ "token": token, "value": { "kind": "end" } }));
        }
    }

    /// Answers for a job that nobody wants any more. The rule under way is finished beside.
    pub(super) fn call_off(&mut self, is_meant: impl Fn(&Job) -> bool) {
        if let Some(place) = self.jobs.iter().position(&is_meant)
            && let Some(job) = self.jobs.remove(place)
        {
            self.refuse(&job.id, called_off());
        }
        let Some(mut running) = self.running.take() else { return };
        if is_meant(&running.job) && !running.answered {
            running.stop.store(true, Ordering::Relaxed);
            running.answered = true;
            self.end_progress(&running.job);
            self.refuse(&running.job.id, called_off());
        }
        self.running = Some(running);
    }
}

//! What is open, who asked, and what is under way.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    InitializeParams, NumberOrString, ProgressToken, Uri, WorkDoneProgressCancelParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::service::Service;

use super::convert::{self, Converter};
use super::folders::{self, Stamp};
use super::jobs::{self, News, Task};
use super::wire::Incoming;

/// What the server is told.
pub enum Event {
    /// Something came from the editor.
    Came(Incoming),
    /// News of the job under way.
    News(News),
}

/// Why a request is refused.
pub struct Refusal(pub ErrorCode, pub String);

impl Refusal {
    /// The request makes no sense.
    pub fn of(message: impl Into<String>) -> Refusal {
        Refusal(ErrorCode::InvalidParams, message.into())
    }
}

/// Reads a request's parameters.
pub fn parameters<P: DeserializeOwned>(value: Value) -> Result<P, Refusal> {
    serde_json::from_value(value).map_err(|error| Refusal::of(error.to_string()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Ready,
    ShutDown,
    Ended,
}

/// A job that waits or is under way.
pub(super) struct Job {
    pub id: RequestId,
    pub token: Option<ProgressToken>,
    pub task: Task,
    pub rules: crate::language::RuleSet,
    pub title: String,
}

struct Running {
    job: Job,
    stop: Arc<AtomicBool>,
    answered: bool,
}

/// A language server, without its streams.
pub struct Server {
    pub(super) service: Service,
    /// How the editor calls the files that it has open.
    pub(super) addresses: BTreeMap<String, Uri>,
    versions: BTreeMap<String, i32>,
    roots: Vec<PathBuf>,
    /// The files that are as they are on the disk, and as which they were read.
    on_disk: BTreeMap<PathBuf, Option<Stamp>>,
    stage: Stage,
    pub(super) snippets: bool,
    progress: bool,
    watches: bool,
    out: Vec<Value>,
    /// What was last said of each file.
    published: BTreeMap<String, Value>,
    jobs: VecDeque<Job>,
    running: Option<Running>,
    asked: u64,
    in_order: bool,
    events: Sender<Event>,
}

impl Server {
    /// A server that has been told nothing yet; jobs report to `events`.
    pub fn new(events: Sender<Event>) -> Server {
        Server {
            service: Service::default(),
            addresses: BTreeMap::new(),
            versions: BTreeMap::new(),
            roots: Vec::new(),
            on_disk: BTreeMap::new(),
            stage: Stage::New,
            snippets: false,
            progress: false,
            watches: false,
            out: Vec::new(),
            published: BTreeMap::new(),
            jobs: VecDeque::new(),
            running: None,
            asked: 0,
            in_order: false,
            events,
        }
    }

    /// Whether it has ended, and then whether in good order.
    pub fn ended(&self) -> Option<bool> {
        (self.stage == Stage::Ended).then_some(self.in_order)
    }

    /// Whether there is time to look at all files.
    pub fn is_idle(&self) -> bool {
        self.stage == Stage::Ready
    }

    /// Whether a job is under way.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// The messages to be sent, each once.
    pub fn sent(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.out)
    }

    /// Takes what has come together: what is called off further on is not even begun.
    pub fn take(&mut self, events: Vec<Event>) {
        let mut waiting: VecDeque<Event> = VecDeque::new();
        for event in events {
            if let Event::Came(Incoming::Message(Message::Notification(note))) = &event
                && note.method == "$/cancelRequest"
                && let Some(id) = cancelled(note)
            {
                let is_it = |event: &Event| matches!(event, Event::Came(Incoming::Message(Message::Request(r))) if r.id == id);
                if let Some(place) = waiting.iter().position(is_it) {
                    waiting.remove(place);
                    self.refuse(&id, called_off());
                    continue;
                }
            }
            waiting.push_back(event);
        }
        for event in waiting {
            if self.stage == Stage::Ended {
                return;
            }
            match event {
                Event::Came(Incoming::Message(Message::Request(request))) => self.request(request),
                Event::Came(Incoming::Message(Message::Notification(note))) => self.notified(note),
                Event::Came(Incoming::Message(Message::Response(_))) => {}
                Event::Came(Incoming::Broken(answer)) => self.out.push(answer),
                Event::Came(Incoming::End) => {
                    self.in_order = self.stage == Stage::ShutDown;
                    self.stage = Stage::Ended;
                }
                Event::News(news) => self.news(news),
            }
        }
    }

    /// The service's words in those of the protocol.
    pub(super) fn converter(&self) -> Converter<'_> {
        Converter { service: &self.service, addresses: &self.addresses }
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.out.push(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.asked += 1;
        let id = format!("dokulog-{}", self.asked);
        self.out.push(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    fn answer(&mut self, id: &RequestId, result: Value) {
        self.out.push(json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    fn refuse(&mut self, id: &RequestId, refusal: Refusal) {
        let error = json!({ "code": refusal.0 as i32, "message": refusal.1 });
        self.out.push(json!({ "jsonrpc": "2.0", "id": id, "error": error }));
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match (self.stage, method.as_str()) {
            (Stage::New, "initialize") => self.initialize(params).map(Some),
            (Stage::New, _) => {
                let message = "the first request is `initialize`".to_string();
                Err(Refusal(ErrorCode::ServerNotInitialized, message))
            }
            (Stage::Ready, "shutdown") => {
                self.stage = Stage::ShutDown;
                Ok(Some(Value::Null))
            }
            (Stage::Ready, "initialize") => {
                Err(Refusal(ErrorCode::InvalidRequest, "this was said before".to_string()))
            }
            (Stage::Ready, "workspace/executeCommand") => self.command(&id, params).map(|()| None),
            (Stage::Ready, method) => self.asked(method, params).map(Some),
            _ => Err(Refusal(ErrorCode::InvalidRequest, "the server is shut down".to_string())),
        };
        match answer {
            Ok(Some(result)) => self.answer(&id, result),
            Ok(None) => self.begin(),
            Err(refusal) => self.refuse(&id, refusal),
        }
    }

    fn initialize(&mut self, params: Value) -> Result<Value, Refusal> {
        let can = |path: &str| params.pointer(path).and_then(Value::as_bool).unwrap_or(false);
        let text = "/capabilities/textDocument";
        self.snippets = can(&format!("{text}/completion/completionItem/snippetSupport"));
        self.progress = can("/capabilities/window/workDoneProgress");
        self.watches = can("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration");
        let parameters: InitializeParams = parameters(params)?;
        let folders = parameters.workspace_folders.unwrap_or_default();
        self.roots = folders.iter().filter_map(|folder| convert::path(&folder.uri)).collect();
        // What editors said before there were several folders.
        #[allow(deprecated)]
        if let (true, Some(root)) = (self.roots.is_empty(), &parameters.root_uri) {
            self.roots.extend(convert::path(root));
        }
        self.stage = Stage::Ready;
        Ok(super::answers::capabilities())
    }

    fn notified(&mut self, note: Notification) {
        let Notification { method, params } = note;
        if method == "exit" {
            self.in_order = self.stage == Stage::ShutDown;
            self.stage = Stage::Ended;
            return;
        }
        if self.stage != Stage::Ready {
            return;
        }
        // A notification that makes no sense has nobody to be told.
        let taken = match method.as_str() {
            "initialized" => self.initialized(),
            "textDocument/didOpen" => self.opened(params),
            "textDocument/didChange" => self.changed(params),
            "textDocument/didClose" => self.closed(params),
            // There may be another file now.
            "textDocument/didSave" if !self.watches => {
                self.read_folders();
                Ok(())
            }
            "workspace/didChangeWatchedFiles" => self.watched(params),
            "workspace/didChangeWorkspaceFolders" => self.moved(params),
            "$/cancelRequest" => {
                let id = parameters(params).ok().and_then(|p: CancelParams| id_of(p.id));
                id.into_iter().for_each(|id| self.call_off(|job| job.id == id));
                Ok(())
            }
            "window/workDoneProgress/cancel" => {
                parameters(params).map(|p: WorkDoneProgressCancelParams| {
                    self.call_off(|job| job.token.as_ref() == Some(&p.token));
                })
            }
            _ => Ok(()),
        };
        if let Err(Refusal(_, why)) = taken {
            log::warn!("{method}: {why}");
        }
    }

    fn initialized(&mut self) -> Result<(), Refusal> {
        if self.watches {
            let watchers = json!([{ "globPattern": "**/*.rules" }]);
            let registration = json!({
                "id": "rules",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers },
            });
            self.ask("client/registerCapability", json!({ "registrations": [registration] }));
        }
        self.read_folders();
        Ok(())
    }

    /// Reads the rule files of all folders; what is open in the editor stays as it is there.
    fn read_folders(&mut self) {
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        let mut whole = true;
        self.on_disk.clear();
        for root in &self.roots {
            let (found, is_all) = folders::rule_files(root);
            whole &= is_all;
            for path in found {
                if let Some(text) = folders::text(&path) {
                    files.insert(path.to_string_lossy().into_owned(), text);
                }
                self.on_disk.insert(path.clone(), folders::stamp(&path));
            }
        }
        for name in self.addresses.keys() {
            files.insert(name.clone(), self.service.text(name).unwrap_or("").to_string());
        }
        self.service.restart(files.into_iter().collect());
        if !whole {
            let message = "dokulog: there is more in this folder than is looked at; \
                           open the folder with the rule files";
            self.notify("window/showMessage", json!({ "type": 2, "message": message }));
        }
    }

    /// Reads files again that others have changed, for an editor that does not tell.
    pub(super) fn refresh(&mut self) {
        if self.watches {
            return;
        }
        for (path, stamp) in &mut self.on_disk {
            let now = folders::stamp(path);
            let name = path.to_string_lossy();
            if now == *stamp || self.addresses.contains_key(name.as_ref()) {
                continue;
            }
            *stamp = now;
            match folders::text(path) {
                Some(text) => self.service.put(&name, text),
                None => self.service.remove(&name),
            }
        }
    }

    fn opened(&mut self, params: Value) -> Result<(), Refusal> {
        let document = parameters::<DidOpenTextDocumentParams>(params)?.text_document;
        let name = convert::name(&document.uri);
        if document.uri.as_str().starts_with(convert::BUNDLED) {
            return Ok(());
        }
        self.service.put(&name, document.text);
        self.versions.insert(name.clone(), document.version);
        self.addresses.insert(name, document.uri);
        Ok(())
    }

    fn changed(&mut self, params: Value) -> Result<(), Refusal> {
        let change: DidChangeTextDocumentParams = parameters(params)?;
        let name = convert::name(&change.text_document.uri);
        if !self.addresses.contains_key(&name) {
            return Err(Refusal::of("the file is not open"));
        }
        for part in change.content_changes {
            let range = part.range.map(|r| (convert::own(r.start), convert::own(r.end)));
            self.service.edit(&name, range, &part.text);
        }
        self.versions.insert(name, change.text_document.version);
        Ok(())
    }

    fn closed(&mut self, params: Value) -> Result<(), Refusal> {
        let uri = parameters::<DidCloseTextDocumentParams>(params)?.text_document.uri;
        let name = convert::name(&uri);
        self.addresses.remove(&name);
        self.versions.remove(&name);
        self.reread(&uri);
        Ok(())
    }

    /// Takes a file as it is on the disk, if it belongs to a folder.
    fn reread(&mut self, uri: &Uri) {
        let name = convert::name(uri);
        if self.addresses.contains_key(&name) {
            return;
        }
        let path = convert::path(uri).filter(|path| {
            let is_rule_file = path.extension().is_some_and(|extension| extension == "rules");
            is_rule_file && self.roots.iter().any(|root| path.starts_with(root))
        });
        match path.and_then(|path| folders::text(&path)) {
            Some(text) => {
                let path = PathBuf::from(&name);
                let stamp = folders::stamp(&path);
                self.on_disk.insert(path, stamp);
                self.service.put(&name, text);
            }
            None => self.service.remove(&name),
        }
    }

    fn watched(&mut self, params: Value) -> Result<(), Refusal> {
        let changes = parameters::<DidChangeWatchedFilesParams>(params)?.changes;
        changes.iter().for_each(|change| self.reread(&change.uri));
        Ok(())
    }

    fn moved(&mut self, params: Value) -> Result<(), Refusal> {
        let event = parameters::<DidChangeWorkspaceFoldersParams>(params)?.event;
        let gone: Vec<PathBuf> =
            event.removed.iter().filter_map(|folder| convert::path(&folder.uri)).collect();
        self.roots.retain(|root| !gone.contains(root));
        self.roots.extend(event.added.iter().filter_map(|folder| convert::path(&folder.uri)));
        self.read_folders();
        Ok(())
    }

    /// Says what is wrong with every file of which it is not the same as before.
    pub fn publish(&mut self) {
        self.refresh();
        let names: Vec<String> = self.service.names().map(str::to_string).collect();
        let mut said = Vec::new();
        for name in &names {
            let converter = self.converter();
            let Some(uri) = converter.uri(name) else { continue };
            let found = self.service.diagnostics(name).iter();
            let found: Vec<_> = found.map(|d| converter.diagnostic(name, d)).collect();
            said.push((name.clone(), json!(uri), json!(found)));
        }
        for (name, uri, found) in said {
            if self.published.get(&name).unwrap_or(&json!([])) == &found {
                continue;
            }
            let mut params = json!({ "uri": uri, "diagnostics": &found });
            if let Some(version) = self.versions.get(&name) {
                params["version"] = json!(version);
            }
            self.published.insert(name, found);
            self.notify("textDocument/publishDiagnostics", params);
        }
        let gone: Vec<String> =
            self.published.keys().filter(|name| !names.contains(name)).cloned().collect();
        for name in gone {
            let said = self.published.remove(&name).is_some_and(|found| found != json!([]));
            if let (true, Some(uri)) = (said, self.converter().uri(&name)) {
                let params = json!({ "uri": uri, "diagnostics": [] });
                self.notify("textDocument/publishDiagnostics", params);
            }
        }
    }

    /// Queues a job.
    pub(super) fn enqueue(&mut self, job: Job) {
        self.jobs.push_back(job);
    }

    /// Begins the next job, if none is under way.
    fn begin(&mut self) {
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

    fn news(&mut self, news: News) {
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
    fn call_off(&mut self, is_meant: impl Fn(&Job) -> bool) {
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

fn called_off() -> Refusal {
    Refusal(ErrorCode::RequestCanceled, "called off".to_string())
}

/// The request that a notification calls off.
fn cancelled(note: &Notification) -> Option<RequestId> {
    let params: CancelParams = serde_json::from_value(note.params.clone()).ok()?;
    id_of(params.id)
}

fn id_of(id: NumberOrString) -> Option<RequestId> {
    Some(match id {
        NumberOrString::Number(number) => RequestId::from(number),
        NumberOrString::String(text) => RequestId::from(text),
    })
}

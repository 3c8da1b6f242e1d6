//! Messages, one by one: who is asked what, and in which order.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::Sender;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use lsp_types::{
    CancelParams, InitializeParams, NumberOrString, Uri, WorkDoneProgressCancelParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::service::Service;

use super::convert::{self, Converter};
use super::folders::Stamp;
use super::jobs::News;
use super::queue::{Job, Running};
use super::wire::Incoming;

/// What the server is told.
pub enum Event {
    /// Something came from the editor.
    Came(Incoming),
    /// News of the job under way.
    News(News),
}

/// Why a request is refused.
pub(super) struct Refusal(pub ErrorCode, pub String);

impl Refusal {
    /// The request makes no sense.
    pub(super) fn of(message: impl Into<String>) -> Refusal {
        Refusal(ErrorCode::InvalidParams, message.into())
    }
}

/// Reads a request's parameters.
pub(super) fn parameters<P: DeserializeOwned>(value: Value) -> Result<P, Refusal> {
    serde_json::from_value(value).map_err(|error| Refusal::of(error.to_string()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Ready,
    ShutDown,
    Ended,
}

/// A language server, without its streams.
pub struct Server {
    pub(super) service: Service,
    /// How the editor calls the files that it has open.
    pub(super) addresses: BTreeMap<String, Uri>,
    pub(super) versions: BTreeMap<String, i32>,
    pub(super) roots: Vec<PathBuf>,
    /// The files that are as they are on the disk, and as which they were read.
    pub(super) on_disk: BTreeMap<PathBuf, Option<Stamp>>,
    stage: Stage,
    pub(super) snippets: bool,
    pub(super) progress: bool,
    pub(super) watches: bool,
    out: Vec<Value>,
    /// What was last said of each file.
    pub(super) published: BTreeMap<String, Value>,
    pub(super) jobs: VecDeque<Job>,
    pub(super) running: Option<Running>,
    pub(super) asked: u64,
    in_order: bool,
    pub(super) events: Sender<Event>,
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

    pub(super) fn ask(&mut self, method: &str, params: Value) {
        self.asked += 1;
        let id = format!("dokulog-{}", self.asked);
        self.out.push(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    pub(super) fn answer(&mut self, id: &RequestId, result: Value) {
        self.out.push(json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    pub(super) fn refuse(&mut self, id: &RequestId, refusal: Refusal) {
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
}

/// The answer to what was called off.
pub(super) fn called_off() -> Refusal {
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

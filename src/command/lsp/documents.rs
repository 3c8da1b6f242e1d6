//! The files: those that are open in the editor, those on the disk, and what is wrong with them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, Uri,
};
use serde_json::{Value, json};

use super::convert;
use super::folders;
use super::server::{Refusal, Server, parameters};

impl Server {
    pub(super) fn initialized(&mut self) -> Result<(), Refusal> {
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
    pub(super) fn read_folders(&mut self) {
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

    pub(super) fn opened(&mut self, params: Value) -> Result<(), Refusal> {
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

    pub(super) fn changed(&mut self, params: Value) -> Result<(), Refusal> {
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

    pub(super) fn closed(&mut self, params: Value) -> Result<(), Refusal> {
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

    pub(super) fn watched(&mut self, params: Value) -> Result<(), Refusal> {
        let changes = parameters::<DidChangeWatchedFilesParams>(params)?.changes;
        changes.iter().for_each(|change| self.reread(&change.uri));
        Ok(())
    }

    pub(super) fn moved(&mut self, params: Value) -> Result<(), Refusal> {
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
}

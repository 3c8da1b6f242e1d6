//! Requests about a place in a text, and the commands.

use lsp_server::{ErrorCode, RequestId};
use lsp_types::{
    CodeActionParams, CodeLensParams, CompletionItemKind, CompletionParams,
    DocumentFormattingParams, DocumentRangeFormattingParams, DocumentSymbolParams,
    ExecuteCommandParams, FoldingRangeParams, InlayHintParams, InsertTextFormat, ReferenceParams,
    RenameParams, SemanticTokens, SemanticTokensParams, SemanticTokensRangeParams, SymbolKind,
    TextDocumentIdentifier, TextDocumentPositionParams, TextEdit, WorkspaceSymbolParams,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::language::{self, RuleSet};
use crate::proof::Verdict;
use crate::service::{Edit, Offer, OfferKind, Symbol};

use super::convert::{self, MODIFIERS, TYPES};
use super::jobs::Task;
use super::server::{Job, Refusal, Server, parameters};

/// The commands, as the editor calls them.
const PROVE: &str = "dokulog.prove";
const EXAMPLES: &str = "dokulog.runExamples";
const FIRE: &str = "dokulog.fire";

type Answer = Result<Value, Refusal>;

/// What the server can do.
pub fn capabilities() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": ["{"] },
            "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "foldingRangeProvider": true,
            "inlayHintProvider": true,
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "renameProvider": { "prepareProvider": true },
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "codeLensProvider": {},
            "semanticTokensProvider": {
                "legend": { "tokenTypes": TYPES, "tokenModifiers": MODIFIERS },
                "full": true,
                "range": true,
            },
            "executeCommandProvider": { "commands": [PROVE, EXAMPLES, FIRE],
                                        "workDoneProgress": true },
            "workspace": {
                "workspaceFolders": { "supported": true, "changeNotifications": true },
            },
        },
        "serverInfo": { "name": "dokulog", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// A request of our own: the text of a bundled file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TextParams {
    text_document: TextDocumentIdentifier,
}

impl Server {
    /// Answers a request that takes no time.
    pub(super) fn asked(&mut self, method: &str, params: Value) -> Answer {
        match method {
            "textDocument/hover" => self.hover(parameters(params)?),
            "textDocument/completion" => self.completion(parameters(params)?),
            "textDocument/signatureHelp" => self.signature(parameters(params)?),
            "textDocument/definition" => self.definition(parameters(params)?),
            "textDocument/references" => self.references(parameters(params)?),
            "textDocument/documentHighlight" => self.highlights(parameters(params)?),
            "textDocument/documentSymbol" => self.symbols(parameters(params)?),
            "workspace/symbol" => self.find(parameters(params)?),
            "textDocument/foldingRange" => self.folds(parameters(params)?),
            "textDocument/inlayHint" => self.hints(parameters(params)?),
            "textDocument/formatting" => self.format(parameters(params)?),
            "textDocument/rangeFormatting" => self.format_range(parameters(params)?),
            "textDocument/prepareRename" => self.prepare_rename(parameters(params)?),
            "textDocument/rename" => self.rename(parameters(params)?),
            "textDocument/codeAction" => self.actions(parameters(params)?),
            "textDocument/codeLens" => self.lenses(parameters(params)?),
            "textDocument/semanticTokens/full" => {
                let params: SemanticTokensParams = parameters(params)?;
                let file = self.file(&params.text_document)?;
                let data = self.converter().tokens(&file, None);
                Ok(json!(SemanticTokens { result_id: None, data }))
            }
            "textDocument/semanticTokens/range" => {
                let params: SemanticTokensRangeParams = parameters(params)?;
                let file = self.file(&params.text_document)?;
                let converter = self.converter();
                let within = converter.bytes(&file, &params.range);
                let data = converter.tokens(&file, Some(within));
                Ok(json!(SemanticTokens { result_id: None, data }))
            }
            "dokulog/text" => {
                let params: TextParams = parameters(params)?;
                let file = self.file(&params.text_document)?;
                Ok(json!(self.service.text(&file)))
            }
            _ => {
                let message = format!("there is no request `{method}`");
                Err(Refusal(ErrorCode::MethodNotFound, message))
            }
        }
    }

    /// The file that is meant.
    fn file(&self, document: &TextDocumentIdentifier) -> Result<String, Refusal> {
        let name = convert::name(&document.uri);
        match self.service.text(&name) {
            Some(_) => Ok(name),
            None => Err(Refusal::of(format!("{} is not open", document.uri.as_str()))),
        }
    }

    /// The file and the byte that are meant.
    fn place(&self, at: &TextDocumentPositionParams) -> Result<(String, usize), Refusal> {
        let file = self.file(&at.text_document)?;
        let offset = self.service.offset(&file, convert::own(at.position));
        Ok((file, offset))
    }

    fn hover(&self, at: TextDocumentPositionParams) -> Answer {
        let (file, offset) = self.place(&at)?;
        Ok(self.service.hover(&file, offset).map_or(Value::Null, |(range, told)| {
            json!({
                "contents": { "kind": "markdown", "value": told },
                "range": self.converter().range(&file, &range),
            })
        }))
    }

    fn completion(&self, params: CompletionParams) -> Answer {
        let (file, offset) = self.place(&params.text_document_position)?;
        let (range, offers) = self.service.complete(&file, offset);
        let range = self.converter().range(&file, &range);
        let items: Vec<Value> = offers
            .iter()
            .enumerate()
            .map(|(order, offer)| self.item(order, offer, &range))
            .collect();
        Ok(json!({ "isIncomplete": true, "items": items }))
    }

    fn item(&self, order: usize, offer: &Offer, range: &lsp_types::Range) -> Value {
        let kind = match offer.kind {
            OfferKind::Variable => CompletionItemKind::VARIABLE,
            OfferKind::Conclusion | OfferKind::Helper => CompletionItemKind::FUNCTION,
            OfferKind::Relation | OfferKind::Function => CompletionItemKind::METHOD,
            OfferKind::Set => CompletionItemKind::ENUM_MEMBER,
            OfferKind::Keyword => CompletionItemKind::KEYWORD,
            OfferKind::Member => CompletionItemKind::SNIPPET,
            OfferKind::Rule => CompletionItemKind::CLASS,
            OfferKind::Label => CompletionItemKind::CONSTANT,
        };
        let (format, text) = match self.snippets {
            true => (InsertTextFormat::SNIPPET, offer.insert.clone()),
            false => (InsertTextFormat::PLAIN_TEXT, offer.label.clone()),
        };
        json!({
            "label": offer.label,
            "kind": kind,
            "detail": offer.usage,
            "documentation": { "kind": "markdown", "value": offer.meaning },
            "sortText": format!("{order:04}"),
            "insertTextFormat": format,
            "textEdit": TextEdit { range: *range, new_text: text },
        })
    }

    fn signature(&self, at: TextDocumentPositionParams) -> Answer {
        let (file, offset) = self.place(&at)?;
        Ok(self.service.signature(&file, offset).map_or(Value::Null, |found| {
            let units = |at: usize| found.label[..at].encode_utf16().count();
            let arguments: Vec<Value> = found
                .arguments
                .iter()
                .map(|range| json!({ "label": [units(range.start), units(range.end)] }))
                .collect();
            let signature = json!({
                "label": found.label,
                "documentation": { "kind": "markdown", "value": found.meaning },
                "parameters": arguments,
            });
            json!({
                "signatures": [signature],
                "activeSignature": 0,
                "activeParameter": found.active,
            })
        }))
    }

    fn definition(&self, at: TextDocumentPositionParams) -> Answer {
        let (file, offset) = self.place(&at)?;
        let places = self.service.definitions(&file, offset).into_iter();
        let converter = self.converter();
        let found = places.filter_map(|p| converter.location(&p.file, p.start..p.end));
        Ok(json!(found.collect::<Vec<_>>()))
    }

    fn references(&self, params: ReferenceParams) -> Answer {
        let (file, offset) = self.place(&params.text_document_position)?;
        let definition = params.context.include_declaration;
        let places = self.service.references(&file, offset, definition).into_iter();
        let converter = self.converter();
        let found = places.filter_map(|p| converter.location(&p.file, p.start..p.end));
        Ok(json!(found.collect::<Vec<_>>()))
    }

    fn highlights(&self, at: TextDocumentPositionParams) -> Answer {
        let (file, offset) = self.place(&at)?;
        let converter = self.converter();
        let ranges = self.service.highlights(&file, offset).into_iter();
        let found = ranges.map(|range| json!({ "range": converter.range(&file, &range) }));
        Ok(json!(found.collect::<Vec<_>>()))
    }

    fn symbols(&self, params: DocumentSymbolParams) -> Answer {
        let file = self.file(&params.text_document)?;
        let converter = self.converter();
        let symbol = |symbol: &Symbol| {
            json!({
                "name": symbol.name,
                "detail": symbol.detail,
                "kind": kind(symbol),
                "range": converter.range(&file, &symbol.range),
                "selectionRange": converter.range(&file, &symbol.selection),
            })
        };
        Ok(json!(self.service.symbols(&file).iter().map(symbol).collect::<Vec<_>>()))
    }

    fn find(&self, params: WorkspaceSymbolParams) -> Answer {
        let converter = self.converter();
        let symbol = |symbol: &Symbol| {
            let location = converter.location(&symbol.file, symbol.selection.clone())?;
            Some(json!({ "name": symbol.name, "kind": kind(symbol), "location": location,
                         "containerName": symbol.detail }))
        };
        let found = self.service.find_symbols(&params.query);
        Ok(json!(found.iter().filter_map(symbol).collect::<Vec<_>>()))
    }

    fn folds(&self, params: FoldingRangeParams) -> Answer {
        let file = self.file(&params.text_document)?;
        let folds = self.service.folds(&file).into_iter().map(|fold| {
            let kind = if fold.comment { "comment" } else { "region" };
            json!({ "startLine": fold.first, "endLine": fold.last, "kind": kind })
        });
        Ok(json!(folds.collect::<Vec<_>>()))
    }

    fn hints(&self, params: InlayHintParams) -> Answer {
        let file = self.file(&params.text_document)?;
        let converter = self.converter();
        let within = converter.bytes(&file, &params.range);
        let hints = self.service.hints(&file, within).into_iter().map(|hint| {
            let position = converter.position(&file, hint.at);
            json!({ "position": position, "label": format!(": {}", hint.kind), "kind": 1 })
        });
        Ok(json!(hints.collect::<Vec<_>>()))
    }

    fn edits(&self, edits: &[Edit]) -> Value {
        let converter = self.converter();
        json!(edits.iter().map(|edit| converter.text_edit(edit)).collect::<Vec<_>>())
    }

    fn format(&self, params: DocumentFormattingParams) -> Answer {
        let file = self.file(&params.text_document)?;
        Ok(self.edits(&self.service.format(&file, None)))
    }

    fn format_range(&self, params: DocumentRangeFormattingParams) -> Answer {
        let file = self.file(&params.text_document)?;
        let within = self.converter().bytes(&file, &params.range);
        Ok(self.edits(&self.service.format(&file, Some(within))))
    }

    fn prepare_rename(&self, at: TextDocumentPositionParams) -> Answer {
        let (file, offset) = self.place(&at)?;
        let range = self.service.renamed(&file, offset).map_err(failed)?;
        Ok(json!(self.converter().range(&file, &range)))
    }

    fn rename(&self, params: RenameParams) -> Answer {
        let (file, offset) = self.place(&params.text_document_position)?;
        let edits = self.service.rename(&file, offset, &params.new_name).map_err(failed)?;
        Ok(self.converter().workspace_edit(&edits))
    }

    fn actions(&self, params: CodeActionParams) -> Answer {
        let file = self.file(&params.text_document)?;
        let converter = self.converter();
        let within = converter.bytes(&file, &params.range);
        let mistakes = self.service.diagnostics(&file);
        let actions = self.service.remedies(&file, within).into_iter().map(|remedy| {
            json!({
                "title": remedy.title,
                "kind": "quickfix",
                "diagnostics": [converter.diagnostic(&file, &mistakes[remedy.mistake])],
                "isPreferred": true,
                "edit": converter.workspace_edit(&remedy.edits),
            })
        });
        Ok(json!(actions.collect::<Vec<_>>()))
    }

    fn lenses(&self, params: CodeLensParams) -> Answer {
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

fn kind(symbol: &Symbol) -> SymbolKind {
    if symbol.is_rule { SymbolKind::CLASS } else { SymbolKind::FUNCTION }
}

fn failed(why: String) -> Refusal {
    Refusal(ErrorCode::RequestFailed, why)
}

//! Requests about a place in a text.

use lsp_server::ErrorCode;
use lsp_types::{
    CodeActionParams, CompletionItemKind, CompletionParams, DocumentFormattingParams,
    DocumentRangeFormattingParams, DocumentSymbolParams, FoldingRangeParams, InlayHintParams,
    InsertTextFormat, ReferenceParams, RenameParams, SemanticTokens, SemanticTokensParams,
    SemanticTokensRangeParams, SymbolKind, TextDocumentIdentifier, TextDocumentPositionParams,
    TextEdit, WorkspaceSymbolParams,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::service::{Edit, Offer, OfferKind, Symbol};

use super::commands::{EXAMPLES, FIRE, PROVE};
use super::convert::{self, MODIFIERS, TYPES};
use super::server::{Refusal, Server, parameters};

/// What a request is answered.
pub(super) type Answer = Result<Value, Refusal>;

/// What the server can do.
pub(super) fn capabilities() -> Value {
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
    pub(super) fn file(&self, document: &TextDocumentIdentifier) -> Result<String, Refusal> {
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
        let symbol = |(file, symbol): &(&str, Symbol)| {
            let location = converter.location(file, symbol.selection.clone())?;
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
}

fn kind(symbol: &Symbol) -> SymbolKind {
    if symbol.is_rule { SymbolKind::CLASS } else { SymbolKind::FUNCTION }
}

/// A request that makes sense, and cannot be granted.
pub(super) fn failed(why: String) -> Refusal {
    Refusal(ErrorCode::RequestFailed, why)
}

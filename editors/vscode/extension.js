// The client of `dokulog lsp`: starts it, shows what its commands answer, shows bundled files.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** Shows the page that a command was answered with. */
async function show(page) {
  if (!page || typeof page.text !== "string") return;
  const content = `${page.title}\n\n${page.text}`;
  const document = await vscode.workspace.openTextDocument({ content, language: "plaintext" });
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

/** Asks for what a command still lacks, runs it, shows its answer. */
async function execute(command, args, next) {
  if (command === "dokulog.fire" && args.length < 3) {
    const puzzle = await vscode.window.showInputBox({
      prompt: "The puzzle, in one line: 81 signs, . or 0 for blanks",
    });
    if (!puzzle) return;
    args = [args[0], args[1], puzzle];
  }
  const page = await next(command, args);
  if (page) await show(page);
  return page;
}

async function activate(context) {
  const command = vscode.workspace.getConfiguration("dokulog").get("path", "dokulog");
  client = new LanguageClient(
    "dokulog",
    "dokulog",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ scheme: "file", language: "dokulog" }, { scheme: "untitled", language: "dokulog" }],
      middleware: { executeCommand: execute },
    },
  );
  const bundled = {
    provideTextDocumentContent: (uri) =>
      client.sendRequest("dokulog/text", { textDocument: { uri: uri.toString() } }),
  };
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider("dokulog", bundled),
    vscode.commands.registerCommand("dokulog.proveFile", () => {
      const editor = vscode.window.activeTextEditor;
      if (editor) return vscode.commands.executeCommand("dokulog.prove", editor.document.uri.toString());
    }),
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`dokulog: ${command} could not be started: ${error.message ?? error}`);
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };

-- A session in headless Neovim: a broken rule is shown, mended, completed, renamed in two files,
-- laid out and proved. Run by .ci/editors; ends with an error if anything is not as it should be.
local function check(good, what)
  if not good then
    io.stderr:write("session: " .. what .. "\n")
    vim.cmd("cquit 1")
  end
  io.stdout:write("ok: " .. what .. "\n")
end

local function wait(what, condition)
  check(vim.wait(20000, condition, 20), what)
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function mistakes()
  return vim.diagnostic.get(0)
end

-- What the server answers to a request about this buffer.
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  check(answers ~= nil, method .. " is answered")
  for _, answer in pairs(answers) do
    return answer.result
  end
end

local folder = os.getenv("DOKULOG_SESSION")
local dokulog = require("dokulog")
dokulog.setup({ cmd = { os.getenv("DOKULOG_PROGRAM"), "lsp" }, root_dir = folder })

vim.cmd("edit " .. folder .. "/b.rules")
check(vim.bo.filetype == "dokulog", "a rule file is known by its name")
check(vim.fn.synIDattr(vim.fn.synID(1, 1, 1), "name") == "dokulogKeyword", "its words have colours")
wait("the mistake is shown", function()
  return #mistakes() == 1
end)
local mistake = mistakes()[1]
check(mistake.message:match("there is no helper or relation `tiwns`"), "it is the right one")
check(mistake.lnum == 2 and mistake.col == 47, "in the right place")

-- The remedy.
vim.api.nvim_win_set_cursor(0, { 3, 48 })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local actions = ask("textDocument/codeAction", params)
check(#actions == 1 and actions[1].title == "Replace `tiwns` by `twins`", "there is a remedy")
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
check(text():match(":%- twins%(A, B, X, Y%)%."), "it is applied")
wait("and mends", function()
  return #mistakes() == 0
end)

-- Completion while the clause cannot be read.
vim.api.nvim_buf_set_text(0, 2, 64, 2, 65, { ", A in unsol" })
wait("what is being typed is a mistake", function()
  return #mistakes() > 0
end)
local at = vim.lsp.util.make_position_params()
at.position = { line = 2, character = 76 }
local list = ask("textDocument/completion", at)
check(list.items[1].label == "unsolved", "the word is completed")
vim.lsp.util.apply_text_edits({ list.items[1].textEdit }, vim.api.nvim_get_current_buf(), "utf-16")
check(text():match("A in unsolved\n"), "the completion is taken")
vim.api.nvim_buf_set_text(0, 2, 64, 2, 79, { "." })

-- The helper is renamed in two files.
vim.api.nvim_win_set_cursor(0, { 3, 48 })
vim.lsp.buf.rename("couple")
wait("renamed here", function()
  return text():match(":%- couple%(A, B, X, Y%)%.")
end)
local other = table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr(folder .. "/a.rules"), 0, -1, false), "\n")
check(other:match("\ncouple%(A, B, X, Y%) :%-"), "and in the other file")
check(vim.fn.readfile(folder .. "/a.rules")[2]:match("^twins"), "which nobody has written")
vim.cmd("silent wall")

-- Layout.
vim.api.nvim_buf_set_lines(0, 1, 2, false, { "level    33 ." })
local edits = ask("textDocument/formatting", vim.lsp.util.make_formatting_params({}))
vim.lsp.util.apply_text_edits(edits, vim.api.nvim_get_current_buf(), "utf-16")
check(vim.fn.getline(2) == "    level 33.", "laid out anew")

-- The proof.
local proved
dokulog.prove(function(failure, page)
  proved = failure and failure.message or page.summary
end)
wait("the proof ends", function()
  return proved ~= nil
end)
check(proved == "my_twins: sound", "and says: " .. proved)
check(text():match("my_twins%s+sound"), "on a page of its own")
vim.cmd("qall!")

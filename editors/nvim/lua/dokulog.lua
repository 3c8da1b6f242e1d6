-- The language server of dokulog in Neovim, 0.7 or later.
local M = {}

-- The page that a command was answered with, in a window of its own.
local function show(page)
  if type(page) ~= "table" or type(page.text) ~= "string" then
    return
  end
  vim.cmd("new")
  local lines = vim.split(page.title .. "\n\n" .. page.text, "\n", { trimempty = false })
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.modified = "nofile", "wipe", false
end

-- Runs a command of the server; its answer is shown, and handed to `done`.
function M.command(name, arguments, done)
  local params = { command = name, arguments = arguments }
  vim.lsp.buf_request(0, "workspace/executeCommand", params, function(failure, page)
    if failure then
      vim.notify("dokulog: " .. failure.message, vim.log.levels.ERROR)
    else
      show(page)
    end
    if done then
      done(failure, page)
    end
  end)
end

-- The rule around the cursor.
local function rule_here()
  for line = vim.fn.line("."), 1, -1 do
    local name = vim.fn.getline(line):match("^%s*rule%s+([%w_]+)")
    if name then
      return name
    end
  end
end

-- Proves the rule around the cursor, or all rules of the file.
function M.prove(done)
  M.command("dokulog.prove", { vim.uri_from_bufnr(0), rule_here() }, done)
end

-- Runs the examples of the rule around the cursor.
function M.run_examples(done)
  M.command("dokulog.runExamples", { vim.uri_from_bufnr(0), rule_here() }, done)
end

-- Fires the rule around the cursor on a puzzle that is asked for.
function M.fire(done)
  local uri, rule = vim.uri_from_bufnr(0), rule_here()
  vim.ui.input({ prompt = "Puzzle: " }, function(puzzle)
    if rule and puzzle and puzzle ~= "" then
      M.command("dokulog.fire", { uri, rule, puzzle }, done)
    end
  end)
end

-- Shows a bundled file, such as dokulog:/rules/helpers.rules.
local function bundled(event)
  local uri = event.match or vim.fn.expand("<amatch>")
  local client = vim.lsp.get_active_clients()[1]
  for _, other in ipairs(vim.lsp.get_active_clients()) do
    if other.name == "dokulog" then
      client = other
    end
  end
  if not client then
    return
  end
  local answer = client.request_sync("dokulog/text", { textDocument = { uri = uri } }, 1000, 0)
  local text = answer and answer.result or ""
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, "\n"))
  vim.bo.modified, vim.bo.modifiable, vim.bo.filetype = false, false, "dokulog"
end

-- Starts the server for every rule file. `options.cmd` is the program, `options.root_dir` the folder.
function M.setup(options)
  options = options or {}
  vim.api.nvim_create_autocmd("FileType", {
    pattern = "dokulog",
    callback = function()
      if vim.bo.buftype ~= "" or vim.api.nvim_buf_get_name(0):match("^dokulog:") then
        return
      end
      local file = vim.api.nvim_buf_get_name(0)
      local git = vim.fn.finddir(".git", vim.fn.fnamemodify(file, ":p:h") .. ";")
      local root = options.root_dir
        or (git ~= "" and vim.fn.fnamemodify(git, ":p:h:h"))
        or vim.fn.fnamemodify(file, ":p:h")
      -- One server for a folder, whatever the number of files.
      for _, client in ipairs(vim.lsp.get_active_clients()) do
        if client.name == "dokulog" and client.config.root_dir == root then
          return vim.lsp.buf_attach_client(0, client.id)
        end
      end
      local id = vim.lsp.start_client({
        name = "dokulog",
        cmd = options.cmd or { "dokulog", "lsp" },
        root_dir = root,
        workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
        on_attach = options.on_attach,
      })
      if id then
        vim.lsp.buf_attach_client(0, id)
      end
    end,
  })
  vim.api.nvim_create_autocmd("BufReadCmd", { pattern = "dokulog:*", callback = bundled })
  local commands = { DokulogProve = M.prove, DokulogExamples = M.run_examples, DokulogFire = M.fire }
  for name, run in pairs(commands) do
    vim.api.nvim_create_user_command(name, function()
      run()
    end, {})
  end
end

return M

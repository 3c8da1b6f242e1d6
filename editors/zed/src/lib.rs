//! Starts `dokulog lsp` for the rule files that Zed has open.

use zed_extension_api::{self as zed, LanguageServerId, Result};

struct Dokulog;

impl zed::Extension for Dokulog {
    fn new() -> Dokulog {
        Dokulog
    }

    fn language_server_command(
        &mut self,
        _: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let command = worktree.which("dokulog").ok_or("dokulog is not on the path")?;
        Ok(zed::Command { command, args: vec!["lsp".to_string()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Dokulog);

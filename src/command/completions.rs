//! `dokulog completions`: completions for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Context, Program, Run, Status, print_exact};

/// Options of `completions`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog completions bash > ~/.local/share/bash-completion/completions/dokulog
  dokulog completions zsh > ~/.zfunc/_dokulog
  dokulog completions fish > ~/.config/fish/completions/dokulog.fish")]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, _context: &Context) -> Run {
    let mut command = Program::command();
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "dokulog", &mut text);
    print_exact(&text)?;
    Ok(Status::Done)
}

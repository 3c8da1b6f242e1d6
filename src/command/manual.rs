//! `dokulog manual`: the manual page, in roff.

use clap::CommandFactory;

use super::{Context, Failure, Program, Run, Status, print_exact};

/// Options of `manual`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog manual | man -l -
  dokulog manual > ~/.local/share/man/man1/dokulog.1
  dokulog manual deduce | man -l -")]
pub(super) struct Arguments {
    /// The page of one subcommand; without it, the page of the program and all subcommands
    subcommand: Option<String>,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, _context: &Context) -> Run {
    let mut program = Program::command();
    program.build();
    let mut pages = Vec::new();
    let failed = |error: std::io::Error| Failure::new(format!("standard output: {error}"));
    match &arguments.subcommand {
        Some(name) => {
            let command = program.find_subcommand(name).cloned();
            let command = command.ok_or_else(|| {
                Failure::new(format!("there is no subcommand {name}: dokulog --help lists them"))
            })?;
            page(command, &mut pages).map_err(failed)?;
        }
        None => {
            page(program.clone(), &mut pages).map_err(failed)?;
            for command in program.get_subcommands().filter(|c| c.get_name() != "help") {
                section(command, &mut pages);
            }
        }
    }
    print_exact(&pages)?;
    Ok(Status::Done)
}

fn page(command: clap::Command, out: &mut Vec<u8>) -> std::io::Result<()> {
    clap_mangen::Man::new(command).render(out)
}

/// A subcommand's help as a section of the page of the program.
fn section(command: &clap::Command, out: &mut Vec<u8>) {
    let mut command = command.clone();
    let name = command.get_name().to_uppercase();
    let help = command.render_long_help().to_string();
    out.extend(format!(".SH DOKULOG {name}\n.nf\n").into_bytes());
    for line in help.lines() {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
        out.extend(format!("{guard}{line}\n").into_bytes());
    }
    out.extend(b".fi\n");
}

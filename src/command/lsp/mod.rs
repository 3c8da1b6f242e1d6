//! `dokulog lsp`: a language server for editors, on standard input and output.
//!
//! One thread reads messages, one works: it takes whatever has come, answers, and says what is
//! wrong with the files when nothing is waiting. Proofs, examples and firing run beside it, one at a
//! time. The server reads files and never writes one: what is to be changed is sent to the editor.
//!
//! ```text
//! wire       messages in and out           answers    requests about a place in a text
//! server     who is asked what             commands   prove, run examples, fire
//! documents  the files, and their mistakes queue      who waits for a command
//! folders    what is on the disk           jobs       commands at work
//! convert    the service's words in those of the protocol
//! ```

mod answers;
mod commands;
mod convert;
mod documents;
mod folders;
mod jobs;
mod queue;
mod server;
mod wire;

use std::io::{BufReader, stdin};
use std::sync::mpsc::channel;

use super::{Context, Failure, Run, Status, print_exact};

pub use server::{Event, Server};
pub use wire::{Incoming, parsed, read, written};

/// Options of `lsp`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog lsp        an editor starts it, and talks to it through standard input and output

docs/editors.md says how to set up Visual Studio Code, Neovim, Vim, Helix and Zed.")]
pub struct Arguments {
    /// Standard input and output, which are used anyway; some editors say so
    #[arg(long)]
    stdio: bool,
}

/// Runs it, until the editor says that it is enough.
pub fn run(_: &Arguments, _: &Context) -> Run {
    let (events, waiting) = channel();
    let mut server = Server::new(events.clone());
    let reader = std::thread::Builder::new().name("reader".to_string());
    let reading = reader.spawn(move || {
        let mut input = BufReader::new(stdin());
        loop {
            let incoming = read(&mut input);
            let ends = matches!(incoming, Incoming::End);
            if events.send(Event::Came(incoming)).is_err() || ends {
                return;
            }
        }
    });
    reading.map_err(|e| Failure::new(format!("no thread could be started: {e}")))?;
    while let Ok(event) = waiting.recv() {
        let events = std::iter::once(event).chain(waiting.try_iter()).collect();
        server.take(events);
        if server.is_idle() {
            server.publish();
        }
        for message in server.sent() {
            print_exact(&written(&message))?;
        }
        if let Some(in_order) = server.ended() {
            return Ok(if in_order { Status::Done } else { Status::Failed });
        }
    }
    Ok(Status::Failed)
}

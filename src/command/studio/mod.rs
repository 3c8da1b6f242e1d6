//! `dokulog studio`: the page in a browser, with this program as its engine.

mod page;
mod serve;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::json;

use super::input::{reason, shown};
use super::{Context, Failure, Run, Status, print, say, signals};
use crate::studio::Studio;

/// The port that is taken unless told otherwise, so that a bookmark stays good.
const PORT: u16 = 4181;
/// The most that is read of a file, and of a request.
const LIMIT: u64 = 1 << 20;

/// Options of `studio`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog studio                       opens the page; Ctrl-C ends it
  dokulog studio grid.sud mine.rules   with a puzzle and rules of your own")]
pub(super) struct Arguments {
    /// Puzzle files and rule files (.rules) to open
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The port; one that is free if this one is taken and not asked for
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Only say the address, do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Answer one request from standard input, and end
    #[arg(long, hide = true, conflicts_with_all = ["files", "port", "no_open"])]
    answer: bool,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    if arguments.answer {
        let request = read_text(std::io::stdin(), "standard input")?;
        print(&format!("{}\n", Studio::default().answer(&request)))?;
        return Ok(Status::Done);
    }
    let files: Result<Vec<_>, Failure> = arguments.files.iter().map(|path| open(path)).collect();
    let files = json!({ "files": files? }).to_string();
    signals::outlive_closed_connections();
    let unusable = |error: std::io::Error| Failure::new(format!("no server: {}", reason(&error)));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(4)
        .build()
        .map_err(unusable)?;
    let ended = runtime.block_on(async {
        let listener = listen(arguments.port).await?;
        let address = listener.local_addr().map_err(unusable)?;
        print(&format!("http://{address}/\n"))?;
        if !context.quiet {
            say("The studio is at this address, for this machine alone. Ctrl-C ends it.");
        }
        if !arguments.no_open {
            open_browser(&format!("http://{address}/"));
        }
        serve::until_stopped(listener, address, files).await.map_err(unusable)
    });
    // What is still being answered is of no use to anyone.
    runtime.shutdown_background();
    ended.map(|()| Status::Done)
}

/// A listener on the loopback address.
async fn listen(port: Option<u16>) -> Result<tokio::net::TcpListener, Failure> {
    let at = |port: u16| tokio::net::TcpListener::bind(("127.0.0.1", port));
    let wanted = port.unwrap_or(PORT);
    let free = match at(wanted).await {
        Err(_) if port.is_none() => at(0).await,
        other => other,
    };
    free.map_err(|error| Failure::new(format!("port {wanted}: {}", reason(&error))))
}

/// A file for the page: its name and its text.
fn open(path: &Path) -> Result<serde_json::Value, Failure> {
    let name = shown(path);
    let file = std::fs::File::open(path)
        .map_err(|error| Failure::new(format!("{name}: {}", reason(&error))))?;
    let text = read_text(file, &name)?;
    let title = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(json!({ "name": title, "text": text }))
}

fn read_text(from: impl Read, name: &str) -> Result<String, Failure> {
    let mut text = String::new();
    let read = from.take(LIMIT + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::new(format!("{name}: {}", reason(&error))))?;
    match text.len() as u64 > LIMIT {
        true => Err(Failure::new(format!("{name}: more than 1 MiB is too much for the page"))),
        false => Ok(text),
    }
}

/// Asks the system to show an address. Where that is not possible, it was printed.
fn open_browser(address: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = std::process::Command::new(program);
    command.arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        log::info!("{program}: {error}");
    }
}

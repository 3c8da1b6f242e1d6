//! The `dokulog` program: see `dokulog::command`.

use std::process::ExitCode;

fn main() -> ExitCode {
    dokulog::command::main()
}

//! The program: one file a subcommand. The only module with input and output.

// What is said goes through `streams`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod boards;
mod bulk;
mod files;
mod input;
mod output;
mod progress;
mod streams;
mod explainer;
mod options;
mod record;
mod shelf;
mod signals;
mod workers;
mod deduce;
mod solve;
mod standing;
mod count;
mod convert;
mod detect;
mod easier;
mod explain;
mod hint;
mod why;
mod why_not;
mod replay;
mod stats;
mod rate;
mod worksheet;
mod rules;
mod fire;
mod query;
mod check;
mod fmt;
mod prove;
mod test;
mod generate;
mod race;
mod graph;
pub mod lsp;
#[cfg(feature = "studio")]
mod studio;
mod completions;
mod manual;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::text::visible_line;
use streams::{print, print_coloured, print_exact, say, say_coloured};

/// Sudoku techniques as declarative rules: run, explained and proved.
#[derive(Parser)]
#[command(name = "dokulog", version, about, propagate_version = true)]
#[command(after_help = "\
Examples:
  dokulog solve grid.sud                    write grid.p2
  dokulog explain grid.sud                  every step with its reason
  dokulog prove mine.rules                  is my rule true?

Exit codes: 0 done, 1 some puzzle or rule failed, 2 usage or unreadable file.
Files may be 32 MiB, and of any size for deduce, solve, count and convert; a rule that tries more
than 100 million bindings is cut off. The manual's docs/limits.md has all limits.")]
pub struct Program {
    #[command(flatten)]
    context: Context,
    #[command(subcommand)]
    command: Command,
}

/// What every subcommand is told.
#[derive(clap::Args, Clone)]
pub struct Context {
    /// Say less: no summary, no progress
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Say more; twice for even more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Threads, where there are many puzzles; the result does not depend on them [default: one a
    /// core]
    #[arg(short, long, global = true, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl Context {
    /// Threads to take: no more than this machine has use for.
    fn threads(&self) -> usize {
        /// A thread more than these for a core is of no use.
        const A_CORE: usize = 8;
        match self.jobs.map(NonZeroUsize::get) {
            // Of use on any machine, so that this one need not be asked.
            Some(few @ ..=A_CORE) => few,
            jobs => {
                let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
                jobs.unwrap_or(cores).min(A_CORE * cores)
            }
        }
    }

    /// Does something with that many threads.
    fn share<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads()).build();
        Ok(pool.map_err(|error| Failure::new(format!("no threads: {error}")))?.install(work))
    }
}

#[derive(Subcommand)]
enum Command {
    /// Write what the rules alone decide: .sud → .p1
    Deduce(deduce::Arguments),
    /// Write the complete solution: .sud → .p2
    Solve(solve::Arguments),
    /// Count the solutions
    Count(count::Arguments),
    /// Read puzzles and write them again in another layout
    Convert(convert::Arguments),
    /// Say which layout a file has, and why
    Detect(detect::Arguments),
    /// Every step in words, or as JSON, SVG or a page
    Explain(explain::Arguments),
    /// The next step, as much of it as asked for
    Hint(hint::Arguments),
    /// The steps that a placed digit rests on
    Why(why::Arguments),
    /// The first condition of a rule that fails, and the closest match
    WhyNot(why_not::Arguments),
    /// Check a trace without the engine
    Replay(replay::Arguments),
    /// Which rules a collection of puzzles needs
    Stats(stats::Arguments),
    /// A puzzle's hardest rule and its score
    Rate(rate::Arguments),
    /// The position right before the first use of a rule, for print
    Worksheet(worksheet::Arguments),
    /// The rules loaded, in firing order, or one rule whole
    Rules(rules::Arguments),
    /// Every match of one rule on this very state
    Fire(fire::Arguments),
    /// The answers to a goal, as Prolog's prompt gives them
    Query(query::Arguments),
    /// Diagnostics of rule files
    Check(check::Arguments),
    /// Rule files in their canonical layout
    Fmt(fmt::Arguments),
    /// Prove rules sound, or show a puzzle where they go wrong
    Prove(prove::Arguments),
    /// Run the examples in rule files, and rules on generated puzzles
    Test(test::Arguments),
    /// Board, steps and rules in a browser, on this machine alone
    #[cfg(feature = "studio")]
    Studio(studio::Arguments),
    /// Make puzzles
    Generate(generate::Arguments),
    /// Solvers side by side
    Race(race::Arguments),
    /// The constraint graph of a layout
    Graph(graph::Arguments),
    /// A language server for editors, on standard input and output
    Lsp(lsp::Arguments),
    /// Completions for a shell
    Completions(completions::Arguments),
    /// The manual page, in roff
    Manual(manual::Arguments),
}

/// A subcommand by itself.
#[derive(Parser)]
struct Alone<T: clap::Args> {
    #[command(flatten)]
    context: Context,
    #[command(flatten)]
    arguments: T,
}

impl Program {
    /// The same as parsing, for a correct line with one of the subcommands that are called most: the
    /// options of all others are not even listed, which takes as long as solving a puzzle.
    fn of_correct_line(line: &[OsString]) -> Option<Program> {
        fn alone<T: clap::Args>(rest: &[OsString], of: fn(T) -> Command) -> Option<Program> {
            let Alone { context, arguments } = Alone::try_parse_from(rest).ok()?;
            Some(Program { context, command: of(arguments) })
        }
        let rest = line.get(1..)?;
        match rest.first()?.to_str()? {
            "deduce" => alone(rest, Command::Deduce),
            "solve" => alone(rest, Command::Solve),
            "count" => alone(rest, Command::Count),
            _ => None,
        }
    }
}

fn run(command: &Command, context: &Context) -> Run {
    match command {
        Command::Deduce(arguments) => deduce::run(arguments, context),
        Command::Solve(arguments) => solve::run(arguments, context),
        Command::Count(arguments) => count::run(arguments, context),
        Command::Convert(arguments) => convert::run(arguments, context),
        Command::Detect(arguments) => detect::run(arguments, context),
        Command::Explain(arguments) => explain::run(arguments, context),
        Command::Hint(arguments) => hint::run(arguments, context),
        Command::Why(arguments) => why::run(arguments, context),
        Command::WhyNot(arguments) => why_not::run(arguments, context),
        Command::Replay(arguments) => replay::run(arguments, context),
        Command::Stats(arguments) => stats::run(arguments, context),
        Command::Rate(arguments) => rate::run(arguments, context),
        Command::Worksheet(arguments) => worksheet::run(arguments, context),
        Command::Rules(arguments) => rules::run(arguments, context),
        Command::Fire(arguments) => fire::run(arguments, context),
        Command::Query(arguments) => query::run(arguments, context),
        Command::Check(arguments) => check::run(arguments, context),
        Command::Fmt(arguments) => fmt::run(arguments, context),
        Command::Prove(arguments) => prove::run(arguments, context),
        Command::Test(arguments) => test::run(arguments, context),
        #[cfg(feature = "studio")]
        Command::Studio(arguments) => studio::run(arguments, context),
        Command::Generate(arguments) => generate::run(arguments, context),
        Command::Race(arguments) => race::run(arguments, context),
        Command::Graph(arguments) => graph::run(arguments, context),
        Command::Lsp(arguments) => lsp::run(arguments, context),
        Command::Completions(arguments) => completions::run(arguments, context),
        Command::Manual(arguments) => manual::run(arguments, context),
    }
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// Exit code 0.
    Done,
    /// Exit code 1: some puzzle or rule failed; the rest was done.
    Failed,
}

/// A command that could not do its job: usage, unreadable file, broken rule file. Exit code 2,
/// unless the puzzle is to blame.
#[derive(Debug)]
pub struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// A failure with this sentence.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), code: 2 }
    }
    /// The one puzzle a command is about cannot be read or makes no sense: exit code 1.
    pub fn of_puzzle(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), code: 1 }
    }
    /// Says it; the exit code.
    fn tell(&self) -> u8 {
        say(&format!("dokulog: {}", visible_line(&self.message)));
        self.code
    }
}

/// What a command returns.
pub type Run = Result<Status, Failure>;

/// The program, with the command line of the process.
pub fn main() -> ExitCode {
    ExitCode::from(run_with(std::env::args_os()))
}

/// Parses a command line, runs the command, says what went wrong; the exit code.
pub fn run_with(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    signals::end_quietly_on_closed_pipe();
    let line: Vec<OsString> = arguments.into_iter().collect();
    let parse = || Program::try_parse_from(&line);
    let program = match Program::of_correct_line(&line).map_or_else(parse, Ok) {
        Ok(program) => program,
        Err(error) => return streams::usage(&error),
    };
    log_to_standard_error(&program.context);
    let ended = run(&program.command, &program.context);
    let (kept, earlier) = files::finish();
    let code = match ended.and_then(|status| kept.map(|()| status)) {
        Ok(Status::Done) => 0,
        Ok(Status::Failed) => 1,
        Err(failure) => failure.tell(),
    };
    /// As many as can be read at a glance.
    const SHOWN: usize = 5;
    for path in earlier.iter().take(SHOWN) {
        say(&format!("dokulog: {}: was not written; the earlier one stays", input::shown(path)));
    }
    if let more @ 1.. = earlier.len().saturating_sub(SHOWN) {
        say(&format!("dokulog: nor were {more} more, which stay as they were"));
    }
    streams::exit_code(code)
}

fn log_to_standard_error(context: &Context) {
    let level = ["warn", "info", "debug"][usize::from(context.verbose.min(2))];
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(level))
        .format(|_, record| {
            say(&format!("[{} {}] {}", record.level(), record.target(), record.args()));
            Ok(())
        })
        .init();
}

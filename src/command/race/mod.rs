//! `dokulog race`: solvers side by side.
//!
//! ```text
//! entrant   who runs: our methods, and SWI-Prolog where it is installed
//! table     what came out
//! plot      the same as a picture
//! makers    the makers of full grids, raced in the same way
//! ```

mod entrant;
mod makers;
mod plot;
mod table;

use std::path::{Path, PathBuf};

use crate::text::Item;

use super::options::RuleOptions;
use super::{Context, Failure, Run, Status};
use entrant::Entrant;
use table::Lap;

/// Options of `race`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog race data/sources
  dokulog race data/sources/escargot.sud --methods p2a,p2b --plot race.svg
  dokulog race data/annealing --methods anneal --tries 100
  dokulog race --makers

Work is counted in each method's own unit. Inferences of an enumerator: one for a placement, one
for an update, one for each cell examined. Of rules: one each time a literal is called (a scan
opened, a test made, a definition evaluated, a node of `choose`) and one for each conclusion, as a
Prolog would with the literals in the order of the join's plan. SWI-Prolog, where `swipl` is
installed, runs the source's two programs too and counts its own inferences.")]
pub struct Arguments {
    /// Puzzle files or folders
    #[arg(required_unless_present = "makers")]
    files: Vec<PathBuf>,
    /// Race only these, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    methods: Vec<String>,
    /// Run each so often; methods that draw at random make so many single tries
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Stop a method after so much work of its own kind
    #[arg(long, value_name = "WORK")]
    work: Option<u64>,
    /// Where random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write a picture of the times
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Race the makers of full grids instead
    #[arg(long)]
    makers: bool,
    #[command(flatten)]
    rules: RuleOptions,
}

/// Runs it.
pub fn run(arguments: &Arguments, _context: &Context) -> Run {
    if arguments.makers {
        return makers::run(arguments.tries.max(10), arguments.work, arguments.seed);
    }
    let rules = arguments.rules.load()?;
    let entrants = entrant::entrants(&arguments.methods)?;
    let mut status = Status::Done;
    let mut laps: Vec<Lap> = Vec::new();
    for (name, item) in puzzles(&arguments.files)? {
        let grid = match item {
            Ok(puzzle) => puzzle.grid,
            Err(fault) => {
                eprintln!("{}", fault.in_file(&name));
                status = Status::Failed;
                continue;
            }
        };
        for entrant in &entrants {
            log::info!("{name}: {}", entrant.name());
            laps.push(entrant.run(&name, &grid, &rules, arguments)?);
        }
    }
    super::print(&table::text(&laps))?;
    if let Some(path) = &arguments.plot {
        std::fs::write(path, plot::svg(&laps)).map_err(|error| {
            Failure::new(format!("{}: {}", path.display(), super::input::reason(&error)))
        })?;
    }
    Ok(status)
}

impl Entrant {
    fn run(
        &self,
        puzzle: &str,
        grid: &crate::board::Grid,
        rules: &crate::language::RuleSet,
        arguments: &Arguments,
    ) -> Result<Lap, Failure> {
        match self {
            Entrant::Method(method) => Ok(entrant::run_method(
                method,
                puzzle,
                grid,
                rules,
                entrant::Terms {
                    tries: arguments.tries,
                    budget: arguments.work.unwrap_or(method.budget),
                    seed: arguments.seed,
                },
            )),
            Entrant::Prolog(program) => program.run(puzzle, grid),
        }
    }
}

/// The puzzles of files, and of the files of folders in order of name, each with a short name.
fn puzzles(paths: &[PathBuf]) -> Result<Vec<(String, Item)>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => files.extend(files_of(path)?),
            false => files.push(path.clone()),
        }
    }
    let mut puzzles = Vec::new();
    for path in files {
        let items = super::input::read_all(&path.to_string_lossy(), None)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let several = items.len() > 1;
        puzzles.extend(items.into_iter().enumerate().map(|(i, item)| match several {
            true => (format!("{stem} {}", i + 1), item),
            false => (stem.clone(), item),
        }));
    }
    Ok(puzzles)
}

/// The `.sud` files of a folder, by name.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(format!("{}: {}", folder.display(), super::input::reason(&error)))
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "sud") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

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

use super::input::{reason, shown};
use super::options::RuleOptions;
use super::output::write_file;
use super::{Context, Failure, Run, Status, files, say};
use entrant::Entrant;
use table::Lap;

/// Options of `race`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog race data/sources
  dokulog race data/sources/escargot.sud --methods p2a,p2b --plot race.svg
  dokulog race data/annealing --methods anneal --tries 100
  dokulog race data/ladder --methods entropy-cell,entropy-sum --only naked_single
  dokulog race --makers

Work is counted in each method's own unit. Inferences of an enumerator: one for a placement, one
for an update, one for each cell examined. Of rules: one each time a literal is called (a scan
opened, a test made, a definition evaluated, a node of `choose`) and one for each conclusion, as a
Prolog would with the literals in the order of the join's plan. SWI-Prolog, where `swipl` is
installed, runs the source's two programs too and counts its own inferences.

entropy-cell-source and entropy-sum-source are the source's cross-entropy to the letter. What
entropy-cell and entropy-sum add to it: the rules run first (a puzzle that they solve takes no
filling; --only and --without choose them), and only what they leave is drawn; each row is drawn as
an order of its missing digits, by the family's chances on that condition; the chances move 0.6 of
the way to the best 3 %; a round draws 8 fillings for each candidate that is open; and after 5
rounds without a better filling a new start begins, for which the digits that houses lacked at the
end of the last one count for more. anneal is the source's, with nothing added.")]
pub(super) struct Arguments {
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
pub(super) fn run(arguments: &Arguments, _context: &Context) -> Run {
    if arguments.makers {
        return makers::run(arguments.tries.max(10), arguments.work, arguments.seed);
    }
    let paths = arguments.paths()?;
    paths.iter().for_each(|path| files::protect(path));
    arguments.rules.protect();
    arguments.plot.as_deref().map_or(Ok(()), files::claim)?;
    let rules = arguments.rules.load()?;
    let entrants = entrant::entrants(&arguments.methods)?;
    let mut status = Status::Done;
    let mut laps: Vec<Lap> = Vec::new();
    for (name, item) in puzzles(&paths)? {
        let grid = match item {
            Ok(puzzle) => puzzle.grid,
            Err(fault) => {
                say(&fault.in_file(&name).to_string());
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
        write_file(path, &plot::svg(&laps))?;
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

impl Arguments {
    /// The files, and those of folders in order of name.
    fn paths(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut paths = Vec::new();
        for path in &self.files {
            match path.is_dir() {
                true => paths.extend(files_of(path)?),
                false => paths.push(path.clone()),
            }
        }
        Ok(paths)
    }
}

/// The puzzles of files, each with a short name.
fn puzzles(paths: &[PathBuf]) -> Result<Vec<(String, Item)>, Failure> {
    let mut puzzles = Vec::new();
    for path in paths {
        let items = super::input::read_all(path, &Default::default())?;
        if items.iter().flatten().any(|puzzle| !puzzle.grid.layout().is_boxed()) {
            let message = format!("{}: race is for puzzles of classic layouts", shown(path));
            return Err(Failure::new(message));
        }
        let stem = shown(Path::new(path.file_stem().unwrap_or_default()));
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
    let failed =
        |error: std::io::Error| Failure::new(format!("{}: {}", shown(folder), reason(&error)));
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

//! Who runs: our methods by name, and SWI-Prolog where it is installed.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::board::Grid;
use crate::language::RuleSet;
use crate::search::{Ending, Limits, METHODS, Method, plain};

use super::super::{Failure, say};
use super::table::Lap;

/// One that runs.
pub(super) enum Entrant {
    /// One of our methods.
    Method(&'static Method),
    /// One of the source's programs, in SWI-Prolog.
    Prolog(&'static Program),
}

/// A Prolog program of the source.
pub(super) struct Program {
    name: &'static str,
    text: &'static str,
}

static PROGRAMS: [Program; 2] = [
    Program { name: "swi-p2a", text: include_str!("../../../benches/prolog/first.pl") },
    Program { name: "swi-p2b", text: include_str!("../../../benches/prolog/second.pl") },
];
const COMMON: &str = include_str!("../../../benches/prolog/common.pl");

/// How long a Prolog program may run.
const PATIENCE: Duration = Duration::from_secs(60);

impl Entrant {
    /// Its name in the table.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Entrant::Method(method) => method.name,
            Entrant::Prolog(program) => program.name,
        }
    }
}

/// Those asked for, or all; SWI-Prolog only where it is installed.
pub(super) fn entrants(names: &[String]) -> Result<Vec<Entrant>, Failure> {
    let known = || {
        let ours = METHODS.iter().map(Entrant::Method);
        ours.chain(PROGRAMS.iter().map(Entrant::Prolog))
    };
    if names.is_empty() {
        let prolog = has_swi();
        if !prolog {
            say("swi-p2a, swi-p2b: left out, `swipl` is not installed");
        }
        return Ok(known().filter(|e| prolog || matches!(e, Entrant::Method(_))).collect());
    }
    names
        .iter()
        .map(|name| {
            let found = known().find(|entrant| entrant.name() == name);
            let all = || known().map(|e| e.name()).collect::<Vec<_>>().join(", ");
            let found = found.ok_or_else(|| {
                Failure::new(format!("no method is called `{name}`; there are {}", all()))
            })?;
            if matches!(found, Entrant::Prolog(_)) && !has_swi() {
                return Err(Failure::new(format!("{name} needs `swipl`, which is not installed")));
            }
            Ok(found)
        })
        .collect()
}

fn has_swi() -> bool {
    let version = Command::new("swipl").arg("--version").stdout(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// How a method runs.
pub(super) struct Terms {
    /// How often.
    pub tries: u32,
    /// With how much work, each time.
    pub budget: u64,
    /// From which random numbers.
    pub seed: u64,
}

/// Runs one of our methods on one puzzle.
pub(super) fn run_method(
    method: &Method,
    puzzle: &str,
    grid: &Grid,
    rules: &RuleSet,
    terms: Terms,
) -> Lap {
    let mut solver = method.solver(rules);
    let mut lap = Lap::new(puzzle, method.name, method.unit);
    lap.is_random = method.is_random;
    for number in 0..u64::from(terms.tries) {
        let seed = terms.seed.wrapping_add(number);
        let limits = Limits { solutions: 1, work: terms.budget, seed };
        let start = Instant::now();
        let answer = if method.is_random && terms.tries > 1 {
            solver.attempt(grid, &limits)
        } else {
            solver.solve(grid, &limits)
        };
        lap.seconds.push(start.elapsed().as_secs_f64());
        lap.effort.add(&answer.effort);
        lap.effort.conflicts = lap.effort.conflicts.min(answer.effort.conflicts);
        match answer.solutions.first() {
            Some(_) => lap.solved += 1,
            None if answer.ending == Ending::Complete => lap.proved_empty = true,
            None => {}
        }
    }
    lap
}

impl Program {
    /// Runs the program on one puzzle, killed when it takes too long.
    pub(super) fn run(&self, puzzle: &str, grid: &Grid) -> Result<Lap, Failure> {
        let mut lap = Lap::new(puzzle, self.name, "inferences");
        if grid.layout().size() != 9 {
            return Ok(lap);
        }
        let numbers: String = grid
            .digits()
            .iter()
            .map(|&n| if n == 0 { '.' } else { char::from(b'0' + n) })
            .collect();
        let failed = |error: std::io::Error| Failure::new(format!("a temporary folder: {error}"));
        let folder = tempfile::tempdir().map_err(failed)?;
        for (name, text) in [("common.pl", COMMON), ("program.pl", self.text)] {
            std::fs::write(folder.path().join(name), text).map_err(failed)?;
        }
        let start = Instant::now();
        let child = Command::new("swipl")
            .args(["-q", "-g", "main", "-t", "halt", "program.pl", "--", &numbers])
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::new(format!("swipl: {error}")))?;
        let printed = wait(child, start);
        lap.seconds.push(start.elapsed().as_secs_f64());
        lap.effort.tries = 1;
        if let Some((solution, inferences)) =
            printed.as_deref().and_then(|p| p.trim().split_once(' '))
        {
            lap.effort.work = inferences.parse().unwrap_or(0);
            let digits: Vec<u8> = solution.bytes().map(|b| b.wrapping_sub(b'0')).collect();
            let is_solution = digits.len() == 81
                && grid.digits().iter().zip(&digits).all(|(&given, &d)| given == 0 || given == d)
                && plain::count(grid.layout(), &digits, 1) == 1;
            lap.solved = u32::from(is_solution);
            lap.proved_empty = solution == "none";
        }
        Ok(lap)
    }
}

/// What a child prints, unless it runs out of time.
fn wait(mut child: Child, start: Instant) -> Option<String> {
    while child.try_wait().ok()?.is_none() {
        if start.elapsed() > PATIENCE {
            // Killed, then reaped; both can only fail when it has just ended by itself.
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut printed = String::new();
    child.stdout.take()?.read_to_string(&mut printed).ok()?;
    Some(printed)
}

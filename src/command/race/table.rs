//! What came out, as a table.

use crate::search::Effort;
use crate::text::thousands;

/// One method on one puzzle.
pub(super) struct Lap {
    /// The puzzle's name.
    pub puzzle: String,
    /// The method's name.
    pub method: &'static str,
    /// What its work counts.
    pub unit: &'static str,
    /// How often it found a solution.
    pub solved: u32,
    /// Whether it showed that there is none.
    pub proved_empty: bool,
    /// Whether it draws at random.
    pub is_random: bool,
    /// The time of each run.
    pub seconds: Vec<f64>,
    /// What all runs cost; the conflicts are those left in the best grid of any run.
    pub effort: Effort,
}

impl Lap {
    /// Nothing has run yet.
    pub(super) fn new(puzzle: &str, method: &'static str, unit: &'static str) -> Lap {
        Lap {
            puzzle: puzzle.to_string(),
            method,
            unit,
            solved: 0,
            proved_empty: false,
            is_random: false,
            seconds: Vec::new(),
            effort: Effort { conflicts: u64::MAX, ..Effort::default() },
        }
    }

    /// How often it ran.
    fn runs(&self) -> u32 {
        self.seconds.len() as u32
    }

    /// The least time of a run.
    pub(super) fn least_seconds(&self) -> Option<f64> {
        self.seconds.iter().copied().reduce(f64::min)
    }

    fn outcome(&self) -> String {
        match (self.runs(), self.solved) {
            (0, _) => "not run".into(),
            (1, 1) => "yes".into(),
            (1, 0) if self.proved_empty => "no solution".into(),
            (_, 0) => match self.effort.conflicts {
                0 | u64::MAX => "none within the budget".into(),
                conflicts => format!("none ({conflicts} conflicts left)"),
            },
            (runs, solved) => format!("{solved} of {runs}"),
        }
    }

    /// Tries a solution takes: all tries over the solutions, with one standard deviation of that
    /// estimate.
    fn tries(&self) -> String {
        if self.runs() <= 1 || !self.is_random {
            return if self.runs() == 0 {
                String::new()
            } else {
                thousands(self.effort.tries / u64::from(self.runs()))
            };
        }
        match self.solved {
            0 => format!("more than {}", self.runs()),
            solved => {
                let rate = f64::from(solved) / f64::from(self.runs());
                let spread = ((1.0 - rate) / f64::from(self.runs()) / rate).sqrt() / rate;
                format!("{:.2} ± {spread:.2}", 1.0 / rate)
            }
        }
    }

    fn row(&self) -> [String; 7] {
        let mean = |total: u64| thousands(total / u64::from(self.runs().max(1)));
        [
            self.puzzle.clone(),
            self.method.to_string(),
            self.outcome(),
            self.least_seconds().map(time).unwrap_or_default(),
            if self.runs() == 0 {
                String::new()
            } else {
                format!("{} {}", mean(self.effort.work), self.unit)
            },
            if self.effort.nodes == 0 { String::new() } else { mean(self.effort.nodes) },
            self.tries(),
        ]
    }
}

/// What is counted as an inference.
const INFERENCES: &str = "
An inference of rules is a literal called (a scan opened, a test made, a definition evaluated, a
node of choose) or a conclusion; of p2a and p2b a placement, an update or a cell examined, besides
what the rules do first; SWI-Prolog counts its own calls.
";

/// The laps as text, columns aligned, and what their inferences are.
pub(super) fn text(laps: &[Lap]) -> String {
    let heads = ["puzzle", "method", "solved", "time", "work", "nodes", "tries"];
    let table = aligned(&heads, &laps.iter().map(Lap::row).collect::<Vec<_>>());
    let has_inferences = laps.iter().any(|lap| lap.unit == "inferences");
    table + if has_inferences { INFERENCES } else { "" }
}

/// Rows of cells under their heads; a repeated first cell is left blank.
pub(super) fn aligned<const N: usize>(heads: &[&str; N], rows: &[[String; N]]) -> String {
    let width = |i: usize| {
        let cells = rows.iter().map(|row| row[i].chars().count());
        cells.chain([heads[i].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    let mut line = |cells: Vec<&str>| {
        let padded = cells.iter().zip(&widths).map(|(cell, &w)| format!("{cell:<w$}"));
        text.push_str(padded.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    };
    line(heads.to_vec());
    let mut last = "";
    for row in rows {
        let mut cells: Vec<&str> = row.iter().map(String::as_str).collect();
        if row[0] == last {
            cells[0] = "";
        }
        last = &row[0];
        line(cells);
    }
    text
}

/// A time as people write it.
pub(super) fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        assert_eq!(
            (time(2.5), time(0.0125), time(3e-6)),
            ("2.50 s".into(), "12.50 ms".into(), "3.0 µs".into())
        );
    }

    #[test]
    fn tries_are_counted_as_the_source_does() {
        let mut lap = Lap::new("I", "anneal", "moves");
        (lap.seconds, lap.solved, lap.is_random) = (vec![0.5; 100], 13, true);
        assert!(lap.tries().starts_with("7.69 ± "));
        lap.solved = 0;
        assert_eq!(lap.tries(), "more than 100");
    }
}

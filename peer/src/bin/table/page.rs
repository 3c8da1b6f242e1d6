//! The table as a document, and as a picture.

use std::fmt::Write;
use std::process::Command;

use crate::Row;
use crate::growth::Curve;

/// The whole document.
pub fn text(rows: &[Row], curves: &[Curve], line: &str) -> String {
    let mut page = String::from(
        "# Benchmarks\n\nWritten by the program itself, none of it by hand. Times are of one \
         thread, the shortest of interleaved rounds; a ratio is how many times as long the other \
         takes, middle of the rounds, with the least and the most.\n\n",
    );
    let _ = writeln!(page, "- date: {}", said("date", &["-I"]));
    let _ = writeln!(page, "- machine: {}, {} cores", processor(), cores());
    let _ = writeln!(page, "- compiler: {}", said("rustc", &["--version"]));
    let _ = writeln!(
        page,
        "- commands: `cargo build --release`, `cargo run --release -p peer --bin table -- {line}`\n"
    );
    page.push_str("![The ratios](docs/benchmarks.svg)\n\n");
    page.push_str("| puzzles | task | dokulog, a puzzle | other | its time a puzzle | ratio |\n");
    page.push_str("|---|---|---|---|---|---|\n");
    for row in rows {
        let [least, middle, most] = row.ratios();
        let best = |times: &[f64]| time(times.iter().copied().fold(f64::MAX, f64::min));
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | **{}** ({}–{}) |",
            row.puzzles,
            row.task,
            best(&row.ours),
            row.rival,
            best(&row.theirs),
            ratio(middle),
            ratio(least),
            ratio(most),
        );
    }
    page.push_str("\n## Growth, and instructions\n");
    for curve in curves {
        let [a, b, c] = curve.columns;
        let _ = writeln!(page, "\n{}:\n\n| {a} | {b} | {c} |\n|---|---|---|", curve.heading);
        for [a, b, c] in &curve.rows {
            let _ = writeln!(page, "| {a} | {b} | {c} |");
        }
    }
    page
}

/// Where bars begin, how long they may get, and how far they are apart.
const LEFT: f64 = 10.0;
const LENGTH: f64 = 560.0;
const APART: usize = 40;

/// The middle ratios as bars on a logarithmic scale, each with its spread as a thin line.
pub fn picture(rows: &[Row]) -> String {
    let most = rows.iter().map(|row| row.ratios()[2]).fold(10.0, f64::max).log10();
    let at = |ratio: f64| LEFT + ratio.max(1.0).log10() / most * LENGTH;
    let (top, bottom) = (52, 52 + APART * rows.len());
    let mut body = String::from(
        "<text x=\"10\" y=\"18\" font-weight=\"bold\">How many times as long the others take \
         (logarithmic; thin lines: from the least to the most of the rounds)</text>\n",
    );
    for tick in [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0] {
        if tick <= 10f64.powf(most) {
            let x = at(tick);
            let _ = writeln!(
                body,
                "<line x1=\"{x:.0}\" y1=\"{top}\" x2=\"{x:.0}\" y2=\"{bottom}\" \
                 stroke=\"#ddd\"/>\n\
                 <text x=\"{x:.0}\" y=\"{}\" text-anchor=\"middle\" fill=\"#666\">{tick}</text>",
                top - 8,
            );
        }
    }
    for (i, row) in rows.iter().enumerate() {
        let y = top + APART * i;
        let [least, middle, highest] = row.ratios();
        let mid = y + 25;
        let _ = writeln!(
            body,
            "<text x=\"10\" y=\"{}\">{}: {}, against {}</text>\n\
             <rect x=\"{LEFT}\" y=\"{}\" width=\"{:.0}\" height=\"14\" fill=\"#7fa6cc\"/>\n\
             <line x1=\"{:.0}\" y1=\"{mid}\" x2=\"{:.0}\" y2=\"{mid}\" stroke=\"#1f4e79\" \
             stroke-width=\"2\"/>\n<text x=\"{:.0}\" y=\"{}\">{} ×</text>",
            y + 12,
            row.puzzles,
            row.task,
            row.rival,
            y + 18,
            (at(middle) - LEFT).max(2.0),
            at(least),
            at(highest),
            at(highest) + 6.0,
            y + 29,
            ratio(middle),
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 700 {}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n",
        bottom + 10
    )
}

fn time(micros: f64) -> String {
    match micros {
        t if t >= 1e6 => format!("{:.2} s", t / 1e6),
        t if t >= 1e3 => format!("{:.2} ms", t / 1e3),
        t => format!("{t:.2} µs"),
    }
}

fn ratio(ratio: f64) -> String {
    if ratio >= 100.0 { format!("{ratio:.0}") } else { format!("{ratio:.2}") }
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string()).unwrap_or_default()
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name"));
    line.map(|l| l.trim_start_matches([' ', '\t', ':']).to_string()).unwrap_or("unknown".into())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

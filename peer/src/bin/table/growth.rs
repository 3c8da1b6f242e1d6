//! How our own cost grows: with the number of puzzles, the size, the subsets, the rules loaded.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::PROGRAM;

/// What grows, how far, and the cost: a heading and lines of cells.
pub struct Curve {
    pub heading: &'static str,
    pub columns: [&'static str; 3],
    pub rows: Vec<[String; 3]>,
}

/// All curves. They run the program, so they hold for what people run.
pub fn measure() -> Vec<Curve> {
    let folder = std::env::temp_dir().join(format!("dokulog-growth-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let list = folder.join("list").to_string_lossy().into_owned();
    make(&["--count", "20000", "-o", &list]);
    let text = std::fs::read_to_string(&list).expect("a readable list");

    let numbers = [1_000, 10_000, 100_000].map(|count| {
        let many = folder.join(count.to_string()).to_string_lossy().into_owned();
        let lines: Vec<&str> = text.lines().cycle().take(count).collect();
        std::fs::write(&many, lines.join("\n") + "\n").expect("a writable list");
        let (seconds, peak) = run(&["solve", "-q", "-j1", "-o", "-", &many]);
        [count.to_string(), micros(seconds / count as f64), format!("{:.1} MB", peak / 1024.0)]
    });
    let sizes = [4, 6, 9, 12, 16, 25].map(|size| {
        let path = folder.join(format!("size{size}")).to_string_lossy().into_owned();
        let clues = if size == 25 { "--clues=380" } else { "--attempts=100000" };
        make(&["--size", &size.to_string(), "--count", "5", clues, "-o", &path]);
        let (deduce, _) = run(&["deduce", "-q", "-j1", "-o", "-", &path]);
        let (solve, _) = run(&["solve", "-q", "-j1", "-o", "-", &path]);
        [format!("{size}×{size}"), micros(deduce / 5.0), micros(solve / 5.0)]
    });
    let subsets = [1, 2, 3, 4].map(|most| {
        let most = most.to_string();
        let (seconds, _) = run(&["deduce", "-q", "-j1", "--max-subset", &most, "-o", "-", &list]);
        let solved = solved(&["deduce", "-j1", "--max-subset", &most, "-o", "-", &list]);
        [most, micros(seconds / 20_000.0), solved]
    });
    let singles = &["--only", "naked_single,hidden_single"][..];
    let some = &["--with", "fish,skyscraper,xy_wing,xyz_wing,w_wing"][..];
    let rules = [
        ("singles", singles),
        ("standard", &[][..]),
        ("standard, fish, wings", some),
        ("all", &["--with", "extended"][..]),
    ]
    .map(|(name, with)| {
        let one = folder.join("one").to_string_lossy().into_owned();
        let first = text.lines().next().expect("a line");
        std::fs::write(&one, format!("{first}\n")).expect("a writable list");
        let start = [&["deduce", "-q", "-o", "-"], with, &[one.as_str()]].concat();
        let (start, _) = run(&start);
        let hundred = folder.join("hundred").to_string_lossy().into_owned();
        let lines: Vec<&str> = text.lines().take(1000).collect();
        std::fs::write(&hundred, lines.join("\n") + "\n").expect("a writable list");
        let (many, _) =
            run(&[&["deduce", "-q", "-j1", "-o", "-"], with, &[hundred.as_str()]].concat());
        [name.to_string(), micros(start), micros((many - start).max(0.0) / 999.0)]
    });
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    vec![
        Curve {
            heading: "Number of puzzles (`solve -j1`)",
            columns: ["puzzles", "time a puzzle", "memory at most"],
            rows: numbers.to_vec(),
        },
        Curve {
            heading: "Size (five puzzles each, start to exit)",
            columns: ["size", "`deduce`, a puzzle", "`solve`, a puzzle"],
            rows: sizes.to_vec(),
        },
        Curve {
            heading: "Largest subset (`deduce -j1 --max-subset N`, 20,000 puzzles)",
            columns: ["N", "time a puzzle", "solved"],
            rows: subsets.to_vec(),
        },
        Curve {
            heading: "Rules loaded (`deduce -j1`)",
            columns: ["rules", "one puzzle, start to exit", "each further puzzle"],
            rows: rules.to_vec(),
        },
    ]
}

fn micros(seconds: f64) -> String {
    format!("{:.2} µs", seconds * 1e6)
}

fn make(options: &[&str]) {
    let status =
        Command::new(PROGRAM).args(["generate", "-q", "--seed", "1"]).args(options).status();
    assert!(status.expect("our program runs").success());
}

/// The least time of three runs, and the most memory in KB (read while it runs).
fn run(arguments: &[&str]) -> (f64, f64) {
    let (mut seconds, mut peak) = (f64::MAX, 0.0f64);
    for _ in 0..3 {
        let clock = Instant::now();
        let mut child = Command::new(PROGRAM)
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("our program starts");
        let status = format!("/proc/{}/status", child.id());
        while child.try_wait().expect("a child").is_none() {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let now = line.and_then(|l| l.trim().trim_end_matches(" kB").trim().parse().ok());
            peak = peak.max(now.unwrap_or(0.0));
            std::thread::sleep(std::time::Duration::from_micros(500));
        }
        seconds = seconds.min(clock.elapsed().as_secs_f64());
    }
    (seconds, peak)
}

/// `17,000 by deduction`, from the summary.
fn solved(arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(arguments).output().expect("our program runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let part = text.split([':', ',']).map(str::trim).collect::<Vec<_>>().join(",");
    let end = part.find(" by deduction").unwrap_or(0);
    let start = part[..end].find(" puzzles,").map_or(0, |i| i + " puzzles,".len());
    part[start..end].to_string()
}

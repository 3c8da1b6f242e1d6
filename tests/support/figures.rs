//! The figures of the README, taken from the table of BENCHMARKS.md: no claim is typed by hand.

/// Between these lines of the README stand figures.
const BEGIN: &str = "<!-- figures: from BENCHMARKS.md -->\n";
const END: &str = "<!-- end of figures -->\n";

/// The README with the figures of the benchmarks.
pub fn renewed(readme: &str, benchmarks: &str) -> String {
    let (before, rest) = readme.split_once(BEGIN).expect("the README has a place for figures");
    let (_, after) = rest.split_once(END).expect("the place for figures ends");
    format!("{before}{BEGIN}{}{END}{after}", figures(benchmarks))
}

/// What the README claims, and its other text.
#[allow(dead_code)] // The tests ask; whoever writes the benchmarks does not.
pub fn split(readme: &str) -> (&str, String) {
    let (before, rest) = readme.split_once(BEGIN).expect("the README has a place for figures");
    let (figures, after) = rest.split_once(END).expect("the place for figures ends");
    (figures, format!("{before}{after}"))
}

fn figures(benchmarks: &str) -> String {
    let fact = |name: &str| {
        let line = benchmarks.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or("unknown").to_string()
    };
    let mut text = format!(
        "\nMeasured on {}, {}, on minimal puzzles:\n\n\
         | task | dokulog | against | its time | times as long |\n|---|---|---|---|---|\n",
        fact("- date: "),
        fact("- machine: "),
    );
    let rows = benchmarks.lines().skip_while(|line| !line.starts_with("| puzzles |")).skip(2);
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        if let [_, task, ours, rival, theirs, ratio] = cells[..] {
            text += &format!("| {task} | {ours} | {rival} | {theirs} | {ratio} |\n");
        }
    }
    text + "\n"
}

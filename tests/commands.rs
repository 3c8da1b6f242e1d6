//! The program as people run it: files, messages, exit codes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const EASY: &str =
    ".97....2882.1..3.5..38..79..524.9.1.4.9716..3.1..5...........766.5.3........7.8.2";
const SECOND: &str =
    "8...1725....6.....1..4..9.6...1....59658.....241.963.....7.1.....7....3.6.2..81..";
/// 434 solutions.
const MANY: &str =
    "9..1....5..5.9.2.18...4........8.......7.........26..92..3....6...2..9....19.457.";
/// No rule of the standard set gets far here.
const HARD: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

/// A folder of its own for a test, removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("dokulog-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }
    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .expect("a folder")
            .map(|e| e.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
    /// Runs the program in the folder.
    fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, "")
    }
    fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dokulog"))
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.as_bytes().to_vec();
        let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().expect("the program ends");
        feeder.join().expect("the input was written");
        Ran::new(output)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Ran {
    out: String,
    err: String,
    code: i32,
}

impl Ran {
    fn new(output: Output) -> Ran {
        Ran {
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }
    #[track_caller]
    fn check(&self, code: i32, err: &str) {
        assert_eq!((self.err.as_str(), self.code), (err, code), "stdout: {}", self.out);
    }
}

fn rows(line: &str) -> String {
    let rows: Vec<&str> = (0..9).map(|r| &line[9 * r..9 * r + 9]).collect();
    rows.join("\n").replace('.', "0") + "\n"
}

#[test]
fn the_two_jobs() {
    let folder = Folder::new("two");
    folder.write("easy.sud", &rows(EASY));
    folder.write("hard.sud", &rows(HARD));
    folder.run(&["deduce", "easy.sud"]).check(0, "1 puzzle: 1 by deduction\n");
    folder.run(&["solve", "easy.sud"]).check(0, "1 puzzle: 1 by deduction\n");
    let p1 = folder.read("easy.p1");
    assert_eq!(p1, folder.read("easy.p2"));
    assert!(p1.lines().count() == 9 && !p1.contains('0'));
    folder.run(&["deduce", "hard.sud"]).check(0, "1 puzzle: 0 by deduction, 1 not decided\n");
    assert!(folder.read("hard.p1").contains('0'));
    folder.run(&["solve", "hard.p1"]).check(0, "1 puzzle: 1 needed search\n");
    let from_p1 = folder.read("hard.p2");
    folder.run(&["solve", "-q", "-o", "again.p2", "hard.sud"]).check(0, "");
    assert_eq!(from_p1, folder.read("again.p2"));
}

#[test]
fn pencil_marks_are_input_again() {
    let folder = Folder::new("marks");
    folder.write("hard.sud", &rows(HARD));
    folder.run(&["deduce", "-q", "--candidates", "-o", "hard.txt", "hard.sud"]).check(0, "");
    let marks = folder.read("hard.txt");
    let again = folder.run(&["deduce", "-q", "--candidates", "-o", "-", "hard.txt"]);
    assert_eq!(again.out, marks);
    let solved = folder.run(&["solve", "-q", "-o", "-", "hard.txt"]);
    assert_eq!(solved.code, 0);
    assert_eq!(solved.out, folder.run(&["solve", "-q", "-o", "-", "hard.sud"]).out);
    let cube = folder.run(&["convert", "-q", "--to", "729", "hard.txt"]).out;
    assert_eq!(cube.trim_end().len(), 729);
    folder.write("cube.txt", &cube);
    assert_eq!(folder.run(&["convert", "-q", "--to", "marks", "cube.txt"]).out, marks);
}

#[test]
fn every_message_of_the_table() {
    let folder = Folder::new("messages");
    let easy = rows(EASY);
    let mut lines: Vec<String> = easy.lines().map(str::to_string).collect();
    let fourth = lines[3].clone();
    folder.write("empty.sud", "");
    lines[3] = fourth[..8].to_string();
    folder.write("short.sud", &lines.join("\n"));
    lines[3] = format!("{}a{}", &fourth[..7], &fourth[8..]);
    folder.write("stray.sud", &lines.join("\n"));
    let mut twice = ["000000000"; 9];
    twice[3] = "505000000";
    twice[0] = "123000000";
    folder.write("twice.sud", &twice.join("\n"));
    folder.write("audio.sud", "RIFF\u{0}\u{1}WAVE");
    let said = |name: &str, message: &str| {
        let ran = folder.run(&["deduce", "-q", name]);
        ran.check(1, &format!("{name}: {message}\n").replace("sud: :", "sud:"));
        assert!(!folder.names().iter().any(|n| n.ends_with(".p1")), "{name}");
    };
    said("empty.sud", "file is empty");
    said("short.sud", ":4: row has 8 cells, the other rows have 9");
    said("stray.sud", ":4:8: 'a' is not 1-9 or a blank (0 . * _ - ?)");
    said("twice.sud", ":4:3: 5 is already in row 4 (r4c1)");
    let expected = "not a puzzle file: binary data (expected rows of 9 digits, lines of 81, \
                    pencil marks, CSV, JSON, a Prolog list of lists or 324 bytes of \
                    little-endian numbers)";
    said("audio.sud", expected);
}

#[test]
fn a_contradiction_names_the_place_and_the_step() {
    let folder = Folder::new("contradiction");
    // 1 to 8 around r1c9 leave it 9, which stands below it in its column.
    let mut line = format!("12345678.{}", ".".repeat(72));
    line.replace_range(80..81, "9");
    folder.write("x.sud", &rows(&line));
    let ran = folder.run(&["deduce", "-q", "x.sud"]);
    ran.check(1, "x.sud: contradiction: no candidate left in r1c9\n");
    let solve = folder.run(&["solve", "-q", "x.sud"]);
    assert_eq!(solve.code, 1);
    assert!(solve.err.starts_with("x.sud: no solution"), "{}", solve.err);
    // r1c9 must be 9 by elimination; then r2 has no 9 but in the same box.
    let mut line = format!("1234567..{}", ".".repeat(72));
    line.replace_range(9..18, "......89.");
    line.replace_range(26..27, "8");
    folder.write("y.sud", &rows(&line));
    let ran = folder.run(&["deduce", "-q", "y.sud"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(folder.names(), ["x.sud", "y.sud"]);
}

#[test]
fn a_bad_puzzle_never_stops_the_others() {
    let folder = Folder::new("list");
    let bad = EASY.replacen('9', "x", 1);
    folder.write("list.txt", &format!("{EASY}\n{bad}\n\n# a remark\n{SECOND} # two\n"));
    let ran = folder.run(&["solve", "list.txt"]);
    let message = "list.txt:2:2: 'x' is not 1-9 or a blank (0 . * _ - ?)";
    ran.check(1, &format!("{message}\n3 puzzles: 2 by deduction, 1 unreadable\n"));
    let written = folder.read("list.p2");
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1], format!("# {message}"));
    assert!(lines[2].ends_with(" # two") && lines[2].len() == 81 + 6);
}

#[test]
fn objects_keep_ids_and_go_on_after_errors() {
    let folder = Folder::new("json");
    let input = format!(
        "{{\"id\":\"a\",\"puzzle\":\"{HARD}\"}}\nnonsense\n{{\"id\":3,\"puzzle\":\"{EASY}\"}}\n"
    );
    let ran = folder.run_with(&["solve", "-q", "--to", "json", "-o", "-", "-"], &input);
    assert_eq!(ran.code, 1);
    let objects: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(objects.len(), 3);
    for (index, object) in objects.iter().enumerate() {
        assert_eq!(object["schema"], 2);
        assert_eq!(object["index"], index);
        assert_eq!(object["file"], "standard input");
    }
    assert_eq!(objects[0]["id"], "a");
    assert_eq!(objects[0]["status"], "solved");
    assert_eq!(objects[0]["givens"], HARD);
    let origin = objects[0]["origin"].as_str().expect("a text");
    assert_eq!(origin.matches('g').count(), HARD.chars().filter(|c| *c != '.').count());
    assert!(origin.contains('s'));
    assert_eq!(objects[1]["status"], "unreadable");
    assert_eq!(
        (&objects[1]["line"], &objects[1]["error"]),
        (&2.into(), &"not a JSON object".into())
    );
    assert_eq!(objects[2]["id"], "3");
    assert!(!objects[2]["origin"].as_str().expect("a text").contains('s'));
    assert!(objects[2]["rules"].as_object().is_some_and(|rules| !rules.is_empty()));
    let ran = folder.run_with(&["deduce", "-q", "--to", "json", "-o", "-", "-"], &input);
    let first: serde_json::Value =
        serde_json::from_str(ran.out.lines().next().expect("a line")).expect("an object");
    assert_eq!(first["status"], "stuck");
    // What was written is input again.
    let again = folder.run_with(&["solve", "-q", "-o", "-", "-"], &ran.out);
    assert_eq!(again.out.lines().filter(|line| !line.starts_with('#')).count(), 2);
}

#[test]
fn the_bytes_do_not_depend_on_the_threads() {
    let folder = Folder::new("threads");
    let mut list = String::new();
    for i in 0..150 {
        list += &format!("{}\n", [EASY, SECOND, MANY, "bad line", HARD][i % 5]);
    }
    folder.write("list.txt", &list);
    for command in
        [&["deduce"][..], &["solve"], &["solve", "--to", "json"], &["count", "--limit", "3"]]
    {
        let run = |threads: &str| {
            let mut arguments = command.to_vec();
            arguments.extend(["-j", threads, "-o", "-", "list.txt"]);
            let ran = folder.run(&arguments);
            (ran.out, ran.err, ran.code)
        };
        let one = run("1");
        assert_eq!(one.0.lines().count(), 150);
        assert!(one == run("2") && one == run("7"), "{command:?}");
    }
}

#[test]
fn lists_are_read_in_short_as_in_full() {
    let folder = Folder::new("short");
    let puzzles = [EASY, SECOND, MANY, HARD];
    let plain: String = puzzles.iter().map(|p| format!("{p}\n")).collect();
    let named: String = puzzles.iter().map(|p| format!("{p} # x\n")).collect();
    for command in ["deduce", "solve", "convert", "count"] {
        let short = folder.run_with(&[command, "-o", "-", "-"], &plain);
        let full = folder.run_with(&[command, "-o", "-", "-"], &named);
        assert_eq!(short.out, full.out.replace(" # x", ""), "{command}");
        assert_eq!((short.err, short.code), (full.err, full.code), "{command}");
        if command == "count" {
            continue;
        }
        let short = folder.run_with(&[command, "--to", "json", "-o", "-", "-"], &plain);
        let full = folder.run_with(&[command, "--to", "json", "-o", "-", "-"], &named);
        assert_eq!(short.out, full.out.replace("\"id\":\"x\",", ""), "{command}");
    }
}

#[test]
fn folders_go_in_and_out() {
    let folder = Folder::new("folders");
    folder.write("in/a.sud", &rows(EASY));
    folder.write("in/deep/b.sud", &rows(SECOND));
    folder.write("in/list.txt", &format!("{EASY}\n{SECOND}\n"));
    folder.write("in/README", "Nothing to solve here.\n");
    let ran = folder.run(&["deduce", "in"]);
    ran.check(0, "4 puzzles: 4 by deduction\n");
    assert_eq!(folder.read("in/list.p1").lines().count(), 2);
    assert_eq!(folder.read("in/a.p1").lines().count(), 9);
    // Results are not read again, and go to another folder in the same order.
    folder.run(&["deduce", "-q", "-o", "out/", "in"]).check(0, "");
    assert_eq!(folder.read("out/deep/b.p1"), folder.read("in/deep/b.p1"));
    let all = folder.run(&["deduce", "-q", "-o", "-", "in"]);
    assert_eq!(all.out.lines().map(str::len).collect::<Vec<_>>(), [81; 4]);
    let none = folder.run(&["deduce", "nowhere.sud"]);
    none.check(2, "dokulog: nowhere.sud: no such file or directory\n");
    folder.write("in/a.txt", EASY);
    let ran = folder.run(&["deduce", "in"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("would both be written to"), "{}", ran.err);
}

#[test]
fn several_solutions() {
    let folder = Folder::new("several");
    folder.write("many.sud", &rows(MANY));
    folder.run(&["solve", "many.sud"]).check(
        0,
        "many.sud: there are other solutions\n1 puzzle: 1 needed search, 1 with other solutions\n",
    );
    folder.run(&["solve", "-q", "--unique", "many.sud"]).check(
        1,
        "many.sud: more than one solution\ndokulog: many.p2: was not written; the earlier one stays\n",
    );
    let all = folder.run(&["solve", "-q", "--all", "-o", "-", "many.sud"]);
    let mut lines: Vec<&str> = all.out.lines().collect();
    assert_eq!((lines.len(), all.code), (434, 0));
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 434);
    let some = folder.run(&["solve", "--all", "--limit", "5", "-o", "-", "many.sud"]);
    assert_eq!(some.out.lines().count(), 5);
    assert!(some.err.contains("there may be other solutions"), "{}", some.err);
    assert_eq!(folder.run(&["count", "-q", "many.sud"]).out, "434\n");
    assert_eq!(folder.run(&["count", "-q", "--limit", "2", "many.sud"]).out, "2+\n");
    let none = folder.run_with(&["count", "-q", "-"], &format!("11{}\n", ".".repeat(79)));
    assert_eq!(none.code, 1);
}

#[test]
fn methods_have_names() {
    let folder = Folder::new("methods");
    folder.write("easy.sud", &rows(EASY));
    let by_rules = folder.run(&["solve", "-q", "-o", "-", "easy.sud"]).out;
    for method in ["enumerate", "p2a", "p2b", "memo"] {
        let ran = folder.run(&["solve", "-q", "--method", method, "-o", "-", "easy.sud"]);
        assert_eq!((ran.code, &ran.out), (0, &by_rules), "{method}");
    }
    let ran = folder.run(&["solve", "--method", "magic", "easy.sud"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("there are rules, auto"), "{}", ran.err);
}

#[test]
fn every_form_is_written() {
    let folder = Folder::new("forms");
    folder.write("list.txt", &format!("{EASY} # one\n{SECOND}\n"));
    let solved = folder.run(&["solve", "-q", "-o", "-", "list.txt"]).out;
    let plain: String = solved.lines().map(|line| format!("{}\n", &line[..81])).collect();
    for form in ["rows", "line", "marks", "729", "csv", "json", "prolog"] {
        let ran = folder.run(&["deduce", "-q", "--to", form, "-o", "-", "list.txt"]);
        assert_eq!(ran.code, 0);
        let again = folder.run_with(&["convert", "-q", "--to", "line", "-"], &ran.out);
        let lines: String = again.out.lines().map(|line| format!("{}\n", &line[..81])).collect();
        assert_eq!(lines, plain, "{form}: {}", ran.out);
        let keeps_ids = again.out.lines().next().is_some_and(|line| line.ends_with(" # one"));
        assert!(keeps_ids || form == "prolog", "{form}: {}", again.out);
    }
}

#[test]
fn rules_are_chosen() {
    let folder = Folder::new("rules");
    folder.write("easy.sud", &rows(EASY));
    let ran = folder.run(&["deduce", "--only", "naked_single", "-o", "-", "easy.sud"]);
    assert_eq!(ran.code, 0);
    assert_eq!(folder.run(&["deduce", "--max-subset", "3", "-q", "easy.sud"]).code, 0);
    assert_eq!(folder.run(&["deduce", "--only", "no_such_rule", "easy.sud"]).code, 2);
    assert_eq!(folder.run(&["deduce", "--rules", "missing.rules", "easy.sud"]).code, 2);
}

#[test]
fn detection_says_what_and_why() {
    let folder = Folder::new("detect");
    folder.write("a.sud", &rows(EASY));
    let ran = folder.run(&["detect", "a.sud"]);
    ran.check(0, "");
    let expected = "a.sud: rows (rows of the grid), 9×9, signs 1-9, 1 puzzle: 9 lines of 9 signs\n";
    assert_eq!(ran.out, expected);
    assert_eq!(folder.run(&["detect", "none.sud"]).code, 2);
}

#[test]
fn help_has_examples_that_work() {
    let folder = Folder::new("help");
    for command in ["deduce", "solve", "count", "convert", "detect", "completions", "manual"] {
        let help = folder.run(&[command, "--help"]);
        assert_eq!(help.code, 0);
        assert!(help.out.contains("Examples:\n  "), "{command}");
    }
    for command in ["deduce", "solve", "convert"] {
        let help = folder.run(&[command, "--help"]).out.replace('\n', " ");
        assert!(help.contains("never overwritten"), "{command}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let ran = folder.run(&["completions", shell]);
        assert!(ran.code == 0 && ran.out.contains("dokulog"), "{shell}");
    }
    let manual = folder.run(&["manual"]);
    assert!(manual.code == 0 && manual.out.contains(".TH dokulog"));
    assert!(manual.out.contains("DOKULOG DEDUCE"));
    assert_eq!(folder.run(&["deduce"]).code, 2);
    assert_eq!(folder.run(&["deduce", "--to", "jpeg", "x"]).code, 2);
}

#[test]
fn one_line_in_one_line_out() {
    let folder = Folder::new("stream");
    let mut child = Command::new(env!("CARGO_BIN_EXE_dokulog"))
        .args(["solve", "-q", "-j2", "--to", "line", "-o", "-", "-"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    for puzzle in [EASY, SECOND, EASY] {
        writeln!(stdin, "{puzzle}").expect("it listens");
        let mut line = String::new();
        std::io::BufRead::read_line(&mut stdout, &mut line).expect("it answers");
        assert!(line.len() == 82 && !line.contains('.'), "{line}");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn other_sizes_go_through() {
    let folder = Folder::new("sizes");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats");
    for name in ["size4.sud", "size6.sud", "size12.sud", "size16.sud", "size16_numbers.sud"] {
        let text = fs::read_to_string(fixtures.join(name)).expect("a fixture");
        folder.write(name, &text);
        let ran = folder.run(&["solve", "-q", "-o", "-", name]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        let count = folder.run_with(&["convert", "-q", "--to", "line", "-"], &ran.out);
        assert!(!count.out.contains('.'), "{name}: {}", ran.out);
    }
}

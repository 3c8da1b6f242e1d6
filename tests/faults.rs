//! What can go wrong around a run: nothing is lost, nothing is half-written, one sentence says so.
#![cfg(unix)]

#[path = "support/folder.rs"]
mod folder;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use folder::{EASY, Folder, cases};

fn run(folder: &Folder, arguments: &[&str]) -> (i32, String) {
    ended(folder.command(arguments).spawn().expect("the program runs"))
}

fn ended(child: Child) -> (i32, String) {
    let output = child.wait_with_output().expect("the program ends");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), err)
}

#[test]
fn a_full_disk() {
    let folder = Folder::new("full");
    fs::write(folder.path("list.txt"), EASY.repeat(2_000)).expect("a file");
    if Path::new("/dev/full").exists() {
        let (code, err) =
            run(&folder, &["convert", "-q", "--to", "line", "-o", "/dev/full", "list.txt"]);
        assert_eq!(code, 2);
        assert!(err.contains("/dev/full: cannot be written: no space left on device"), "{err}");
    }
    fs::write(folder.path("list.p2"), "an earlier result\n").expect("a file");
    let limited = format!(
        "trap '' XFSZ; ulimit -f 64; exec '{}' solve -q list.txt",
        env!("CARGO_BIN_EXE_dokulog")
    );
    let child = Command::new("bash")
        .args(["-c", &limited])
        .current_dir(&folder.0)
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let (code, err) = ended(child);
    assert_eq!(code, 2);
    assert!(err.contains("list.p2: cannot be written: "), "{err}");
    assert_eq!(folder.names(), ["list.p2", "list.txt"]);
    assert_eq!(fs::read_to_string(folder.path("list.p2")).expect("a file"), "an earlier result\n");
}

/// Runs as somebody who may not write everywhere: the administrator may.
fn run_as_anybody(folder: &Folder, arguments: &[&str]) -> (i32, String) {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;
    let is_administrator = fs::metadata(&folder.0).expect("a folder").uid() == 0;
    if !is_administrator {
        return run(folder, arguments);
    }
    // The program may lie where only the administrator looks.
    let program = folder.path("program");
    fs::copy(env!("CARGO_BIN_EXE_dokulog"), &program).expect("a copy");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    const NOBODY: u32 = 65_534;
    let child = Command::new(&program)
        .args(arguments)
        .current_dir(&folder.0)
        .uid(NOBODY)
        .gid(NOBODY)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let ended = ended(child);
    fs::remove_file(&program).expect("removed");
    ended
}

#[test]
fn a_folder_that_cannot_be_written() {
    let folder = Folder::new("readonly");
    let set = |path: &str, mode: u32| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder.path(path), permissions).expect("permissions");
    };
    fs::create_dir(folder.path("in")).expect("a folder");
    fs::write(folder.path("in/a.sud"), EASY).expect("a file");
    fs::write(folder.path("in/a.p1"), "earlier\n").expect("a file");
    fs::write(folder.path("b.sud"), EASY).expect("a file");
    set("in", 0o555);
    let solved = run_as_anybody(&folder, &["solve", "-q", "in/a.sud"]);
    let replaced = run_as_anybody(&folder, &["deduce", "-q", "in/a.sud"]);
    set("in", 0o755);
    let sentence = |name: &str| format!("dokulog: {name}: cannot be written: permission denied\n");
    assert_eq!(solved, (2, sentence("in/a.p2")));
    assert_eq!(replaced, (2, sentence("in/a.p1") + &stays("in/a.p1")));
    assert_eq!(fs::read_to_string(folder.path("in/a.p1")).expect("a file"), "earlier\n");
    assert!(!folder.path("in/a.p2").exists());

    set("b.sud", 0o000);
    let unread = run_as_anybody(&folder, &["solve", "-q", "-o", "-", "b.sud"]);
    assert_eq!(unread, (2, "dokulog: b.sud: permission denied\n".to_string()));
    set("b.sud", 0o644);

    // A file where a folder is needed stops everyone.
    let (code, err) = run(&folder, &["solve", "-q", "-o", "b.sud/x.p2", "in/a.sud"]);
    assert_eq!(code, 2);
    assert!(err.contains("cannot be"), "{err}");
    assert_eq!(folder.names(), ["b.sud", "in"]);
}

#[test]
fn a_file_that_is_gone_does_not_stop_the_others() {
    let folder = Folder::new("gone");
    fs::write(folder.path("b.sud"), EASY).expect("a file");
    let (code, err) = run(&folder, &["solve", "-q", "a.sud", "b.sud"]);
    assert_eq!((code, err.as_str()), (2, "dokulog: a.sud: no such file or directory\n"));
    assert_eq!(folder.names(), ["b.p2", "b.sud"]);
}

/// Files of every kind that a command reads, under several names.
fn inputs(name: &str) -> Folder {
    const RULE: &str = "rule NAME \"Title\" {\n    level 1.\n    place(C, D) :- C in unsolved, \
                        D in candidates(C), |candidates(C)| <= N.\n    explain \"{C}\".\n}\n";
    let folder = Folder::new(name);
    fs::create_dir(folder.path("sub")).expect("a folder");
    fs::create_dir(folder.path("rules")).expect("a folder");
    for puzzle in ["g.sud", "g.txt", "list.txt", "sub/g.p2", "sub/step-01.svg", "sub/step-02.svg"] {
        folder.write(puzzle, EASY);
    }
    let solved = folder.shell("dokulog solve -q -o - g.sud").stdout;
    folder.write("full.sud", &solved);
    folder.write("f.partial", &solved);
    let rule = |name: &str, most: &str| RULE.replace("NAME", name).replace("<= N", most);
    folder.write("r.rules", rule("right", "<= 1"));
    folder.write("g.p1", rule("right", "<= 1"));
    folder.write("wrong.rules", rule("wrong", "<= 2"));
    for name in ["g.sud", "full.sud", "r.rules", "wrong.rules"] {
        let hard = folder.path(&format!("{name}.hard"));
        fs::hard_link(folder.path(name), hard).expect("a link");
        symlink(name, folder.path(&format!("{name}.link"))).expect("a link");
    }
    fs::hard_link(folder.path("r.rules"), folder.path("rules/r.rules")).expect("a link");
    folder
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = inputs("inputs");
    let before = folder.contents();
    let mut wrong = Vec::new();
    for line in cases(include_str!("faults/overwriting.txt")) {
        let output = folder.shell(line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_said = ["never overwritten", "both be written to", "are the same file"]
            .iter()
            .any(|sentence| said.contains(sentence));
        let heard = is_said || line.contains("2>>");
        if output.status.code() != Some(2) || !heard {
            wrong.push(format!("{line}: {:?}\n{said}", output.status.code()));
        }
        if folder.contents() != before {
            panic!("{line}: changes a file\n{said}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_that_look_alike_are_two() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("alike");
    let names = [&b"a\xff"[..], "a\u{fffd}".as_bytes(), b"a\\xff"];
    let path =
        |name: &[u8], end: &str| folder.0.join(OsStr::from_bytes(&[name, end.as_bytes()].concat()));
    let puzzles = [EASY.to_string(), EASY.replacen('9', ".", 1), EASY.replacen('9', "3", 1)];
    for (name, puzzle) in names.iter().zip(&puzzles) {
        fs::write(path(name, ".sud"), puzzle).expect("a file");
    }
    for (command, end) in [("deduce", ".p1"), ("solve", ".p2")] {
        // The third has no solution.
        assert_eq!(folder.shell(&format!("dokulog {command} -q .")).status.code(), Some(1));
        assert!(!path(names[2], end).exists());
        for name in &names[..2] {
            let alone = Command::new(env!("CARGO_BIN_EXE_dokulog"))
                .args([command, "-q", "-o", "-"])
                .arg(path(name, ".sud"))
                .output()
                .expect("the program runs");
            assert_eq!(fs::read(path(name, end)).expect("a result"), alone.stdout);
            assert_eq!(alone.stdout.len(), 90);
        }
    }
    let rule = "rule mine \"Mine\" { level 70. contradiction :- C in unsolved, |candidates(C)| <= 0. explain \"{C}\". }\n";
    fs::write(path(b"r\xff", ".rules"), rule).expect("a file");
    // Every command takes such a name, and tells it from the other.
    for line in [
        "dokulog explain a$'\\xff'.sud",
        "dokulog hint a$'\\xff'.sud",
        "dokulog why r1c1 a$'\\xff'.sud",
        "dokulog why-not naked_single a$'\\xff'.sud",
        "dokulog fire naked_single a$'\\xff'.sud",
        "dokulog query 'C in unsolved' a$'\\xff'.sud",
        "dokulog worksheet a$'\\xff'.sud --before naked_single",
        "dokulog race a$'\\xff'.sud --methods tree",
        "dokulog generate --solution a$'\\xff'.p2 -o b$'\\xff' && test -f b$'\\xff'",
        "dokulog count a$'\\xff'.sud -o c$'\\xff' && test -f c$'\\xff'",
        "dokulog explain a$'\\xff'.sud --format json > t && dokulog replay t --start a$'\\xff'.sud",
        "dokulog detect a$'\\xff'.sud | grep -F 'a\\xff.sud: '",
        "dokulog rate a$'\\xff'.sud | grep -F 'a\\xff.sud: '",
        "dokulog stats a$'\\xff'.sud",
        "dokulog solve --to json -o - a$'\\xff'.sud | grep -F '\"a\\\\xff.sud\"'",
        "dokulog check r$'\\xff'.rules",
        "dokulog fmt r$'\\xff'.rules && dokulog rules --rules r$'\\xff'.rules",
    ] {
        let output = folder.shell(line);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {said}");
    }
}

#[test]
fn a_replaced_result_keeps_its_permissions() {
    let folder = Folder::new("mode");
    folder.write("a.sud", EASY);
    let mode =
        |name: &str| fs::metadata(folder.path(name)).expect("a file").permissions().mode() & 0o7777;
    for (line, name) in [
        ("umask 027; dokulog solve -q a.sud", "a.p2"),
        ("umask 027; dokulog explain a.sud --format html -o a.html", "a.html"),
        ("umask 027; dokulog generate -o a.txt", "a.txt"),
        ("umask 027; dokulog race a.sud --methods tree --plot a.svg", "a.svg"),
    ] {
        assert_eq!(folder.shell(line).status.code(), Some(0), "{line}");
        assert_eq!(mode(name), 0o640, "{line}");
        for kept in [0o600, 0o755, 0o444] {
            fs::set_permissions(folder.path(name), fs::Permissions::from_mode(kept)).expect("mine");
            assert_eq!(folder.shell(line).status.code(), Some(0), "{line}");
            assert_eq!(mode(name), kept, "{line}");
        }
    }
}

#[test]
fn a_name_as_long_as_names_can_be_works_twice() {
    let folder = Folder::new("long");
    let name = "n".repeat(255);
    folder.write("a.sud", EASY);
    folder.write(&format!("{}.sud", "m".repeat(251)), EASY);
    for line in [
        format!("dokulog solve -q a.sud -o {name}"),
        format!("dokulog solve -q {}.sud", "m".repeat(251)),
        format!("dokulog convert -q a.sud -o {name}"),
        format!("dokulog explain a.sud -o {name}"),
        format!("dokulog generate --count 3 -o {name}"),
        format!("dokulog race a.sud --methods tree --plot {name}"),
    ] {
        for _ in 0..2 {
            let output = folder.shell(&line);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!((output.status.code(), said.as_ref()), (Some(0), ""), "{line}");
            assert_eq!(folder.names().iter().filter(|name| name.starts_with('.')).count(), 0);
        }
    }
    let (code, err) = run(&folder, &["solve", "-q", "a.sud", "-o", &"n".repeat(256)]);
    assert_eq!(code, 2);
    assert!(err.contains(": cannot be written: file name too long"), "{err}");
}

#[test]
fn a_rerun_that_fails_says_that_the_old_result_stays() {
    let folder = Folder::new("stays");
    for (name, puzzle) in [("a", EASY), ("b", EASY), ("c", "no puzzle\n"), ("d", EASY)] {
        folder.write(&format!("{name}.sud"), puzzle);
        folder.write(&format!("{name}.p2"), "earlier\n");
    }
    folder.write("b.sud", EASY.replacen('9', "3", 1));
    let (code, err) = run(&folder, &["solve", "-q", "a.sud", "b.sud", "c.sud"]);
    assert_eq!(code, 1);
    assert!(err.ends_with(&(stays("b.p2") + &stays("c.p2"))), "{err}");
    assert_eq!(["b.p2", "c.p2"].map(|name| folder.read(name)), ["earlier\n", "earlier\n"]);
    assert_ne!(folder.read("a.p2"), "earlier\n");
    for (line, code) in [
        ("dokulog explain c.sud -o d.p2", 1),
        ("dokulog explain gone.sud -o d.p2", 2),
        ("dokulog worksheet a.sud --before naked_subset:4 -o d.p2", 1),
        ("dokulog prove pointing --svg d.p2 -q", 0),
        ("dokulog race c.sud --plot d.p2", 1),
        ("dokulog generate --clues 5 --attempts 2 -o d.p2", 2),
    ] {
        let output = folder.shell(line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        assert!(said.ends_with(&stays("d.p2")), "{line}: {said}");
        assert_eq!(folder.read("d.p2"), "earlier\n");
    }
}

#[test]
fn an_unfinished_file_is_neither_mistaken_nor_destroyed() {
    let folder = Folder::new("partial");
    let rule = "rule mine \"Mine\" { level 70. eliminate(C, D) :- C in unsolved, D in \
                candidates(C), |candidates(C)| > 9. explain \"{C}\". }\n";
    folder.write("r.rules", rule);
    let refused = |options: &str, sentence: &str| {
        let before = folder.contents();
        let output = folder.shell(&format!("dokulog generate {options}"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{options}: {said}");
        assert!(said.contains(sentence), "{options}: {said}");
        assert_eq!(folder.contents(), before, "{options}");
    };
    // Whatever is called so, it is not ours.
    for text in ["", "my notes\n", EASY, "# dokulog generate {\"seed\":1}\n"] {
        folder.write("f.partial", text);
        refused("-o f", "f.partial: is left from an unfinished run: --resume goes on with it");
        if !text.is_empty() {
            refused("-o f --resume", "f.partial: ");
        }
    }
    fs::remove_file(folder.path("f.partial")).expect("removed");
    // An unfinished run: one of its puzzles cannot be made.
    const SAME: &str = "--seed 7 --level 1..20 --rules r.rules -o f --resume";
    let unfinished = "dokulog generate --attempts 6 --count 500 --seed 7 --level 1..20 --rules \
                      r.rules -o f";
    let output = folder.shell(unfinished);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("none as asked in 6 attempts; "), "{said}");
    assert!(said.contains("are in f.partial, and --resume goes on from there"), "{said}");
    assert!(!folder.path("f").exists());
    for (options, sentence) in [
        ("--seed 8", "was begun with seed 7, not with seed 8"),
        ("--level 1..21", "was begun with level \"1..20\", not with level \"1..21\""),
        ("--clues 24..25", "was begun with no clues, not with clues \"24..25\""),
        ("--size 4", "was begun with size 9, not with size 4"),
        ("--to rows", "was begun with to \"line\", not with to \"rows\""),
        ("--add", "was begun with add false, not with add true"),
        ("--symmetry diagonal", "not with symmetry \"diagonal\""),
        ("--requires pointing", "not with requires \"pointing\""),
        ("--without pointing", "was begun with other rules; --resume needs the same options"),
        ("", "f.partial: has "),
    ] {
        let option = options.split(' ').next().unwrap_or_default();
        let kept: String = SAME
            .split(" --")
            .map(|part| part.trim_start_matches("--"))
            .filter(|part| {
                option.is_empty() || !option[2..].starts_with(part.split(' ').next().unwrap_or(""))
            })
            .map(|part| format!(" --{part}"))
            .collect();
        refused(&format!("{kept} {options}"), sentence);
    }
    let text = folder.read("f.partial");
    folder.write("r.rules", format!("% another\n{rule}"));
    refused(SAME, "was begun with other rules; --resume needs the same options");
    folder.write("r.rules", rule);
    let damaged = text.replace("\n.", "\n!");
    assert_ne!(damaged, text);
    folder.write("f.partial", damaged);
    refused(&format!("{SAME} --count 80"), " is damaged");
    // One that breaks off, and one that hardly began, are gone on with.
    let once = folder.shell("dokulog generate --seed 7 --level 1..20 --count 80");
    let head = text.find('\n').expect("a line") + 1;
    for length in [text.len(), text.len() - 30, head + 10, head, head - 1, 5, 0] {
        folder.write("f.partial", &text[..length]);
        let output = folder.shell(&format!("dokulog generate {SAME} --count 80"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert_eq!(folder.read("f").as_bytes(), once.stdout);
        assert!(!folder.path("f.partial").exists());
    }
}

#[test]
fn a_link_as_output() {
    let folder = Folder::new("link");
    fs::write(folder.path("a.sud"), EASY).expect("a file");
    fs::create_dir(folder.path("store")).expect("a folder");
    fs::write(folder.path("store/kept.p2"), "earlier\n").expect("a file");
    symlink("store/kept.p2", folder.path("a.p2")).expect("a link");
    assert_eq!(run(&folder, &["solve", "-q", "a.sud"]), (0, String::new()));
    assert!(fs::symlink_metadata(folder.path("a.p2")).expect("a link").is_symlink());
    let kept = fs::read_to_string(folder.path("store/kept.p2")).expect("a file");
    assert_eq!(kept.lines().count(), 9);
    fs::remove_file(folder.path("store/kept.p2")).expect("removed");
    let (code, err) = run(&folder, &["solve", "-q", "a.sud"]);
    assert_eq!(code, 2);
    assert_eq!(err, "dokulog: a.p2: is a symbolic link that leads nowhere\n");
}

/// What is said of an earlier result that a failed run leaves.
fn stays(name: &str) -> String {
    format!("dokulog: {name}: was not written; the earlier one stays\n")
}

/// Begins a run on standard input and waits until it has written something of its output.
fn half_way(folder: &Folder, output: &str) -> Child {
    let mut command = folder.command(&["solve", "-q", "-j2", "--to", "line", "-o", output, "-"]);
    let mut child = with_default_signals(&mut command).spawn().expect("the program runs");
    let stdin = child.stdin.as_mut().expect("a pipe");
    for _ in 0..4 {
        stdin.write_all(EASY.repeat(500).as_bytes()).expect("it listens");
    }
    stdin.flush().expect("it listens");
    std::thread::sleep(Duration::from_millis(300));
    child
}

/// Has signals act as they do in a shell, whatever the tests were started from.
fn with_default_signals(command: &mut Command) -> &mut Command {
    use std::os::unix::process::CommandExt;
    // SAFETY: `signal` may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
                libc::signal(signal, libc::SIG_DFL);
            }
            Ok(())
        })
    }
}

fn kill(child: &Child, signal: &str) {
    let killed = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
}

#[test]
fn killed_half_way() {
    for signal in ["KILL", "TERM", "INT", "HUP", "QUIT"] {
        let folder = Folder::new(&format!("killed-{signal}"));
        fs::write(folder.path("out.txt"), "earlier\n").expect("a file");
        for output in ["out.txt", "new.txt"] {
            let mut child = half_way(&folder, output);
            kill(&child, signal);
            child.wait().expect("it ends");
        }
        let names: Vec<String> = folder.names();
        assert_eq!(names.iter().filter(|name| !name.starts_with("core")).count(), 1, "{signal}");
        assert_eq!(fs::read_to_string(folder.path("out.txt")).expect("a file"), "earlier\n");
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let folder = Folder::new("nohup");
    for i in 0..40 {
        folder.write(&format!("{i:02}.sud"), EASY.repeat(100));
        folder.write(&format!("{i:02}.p2"), "earlier\n");
    }
    // The signals come at every moment, those in which a file gets its name among them.
    let line = format!(
        "trap '' HUP INT QUIT TERM; '{}' solve -q -j1 . & while kill -s HUP $! && kill -s INT $! \
         && kill -s QUIT $! && kill -s TERM $!; do :; done 2> /dev/null; wait $!",
        env!("CARGO_BIN_EXE_dokulog")
    );
    let output = folder.shell(&line);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for i in 0..40 {
        assert_eq!(folder.read(&format!("{i:02}.p2")).lines().count(), 100);
    }
    assert_eq!(folder.names().len(), 80);
}

/// Two hundred runs of every kind that writes, killed at random moments: inputs are as they were,
/// and what is written is as before, or whole.
#[test]
fn killed_at_any_moment() {
    let folder = Folder::new("moments");
    fs::create_dir(folder.path("in")).expect("a folder");
    fs::create_dir(folder.path("rules")).expect("a folder");
    let untidy = "rule  mine \"Mine\" { level 1.  place(C, D) :- C in unsolved, D in candidates(C), \
                  |candidates(C)| <= 1. explain \"{C}\". }\n";
    for i in 0..20 {
        folder.write(&format!("in/{i:02}.sud"), EASY.repeat(100));
        folder.write(&format!("in/{i:02}.p1"), "earlier\n");
        folder.write(&format!("rules/{i:02}.rules"), untidy);
    }
    let before = folder.contents();
    let runs: [(&[&str], &[&str]); 5] = [
        (&["solve", "-q", "in"], &["p2"]),
        (&["deduce", "-q", "in"], &["p1"]),
        (&["fmt", "-q", "rules"], &["rules"]),
        (&["explain", "in/00.sud", "--format", "html", "-o", "in/page.html"], &["html"]),
        (&["generate", "--count", "2000", "-o", "in/made.txt"], &["txt", "partial"]),
    ];
    let whole: Vec<_> = runs
        .iter()
        .map(|(arguments, _)| {
            assert_eq!(run(&folder, arguments).0, 0);
            let after = folder.contents();
            restore(&folder, &before);
            after
        })
        .collect();
    let mut random = dokulog::random::Random::new(13);
    for round in 0..200 {
        let number = round % runs.len();
        let (arguments, ends) = runs[number];
        let signal = ["KILL", "TERM", "INT", "HUP"][random.below(4)];
        let mut command = folder.command(arguments);
        let mut child = with_default_signals(&mut command).spawn().expect("the program runs");
        std::thread::sleep(Duration::from_micros(random.below(60_000) as u64));
        kill(&child, signal);
        child.wait().expect("it ends");
        for (path, bytes) in folder.contents() {
            let end = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            // A file that is to replace another has two names for a moment.
            let is_temporary = path
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with(".dokulog-"));
            assert!(!is_temporary || signal == "KILL", "{signal} {arguments:?}: {path:?} is left");
            let is_whole = whole[number].values().any(|other| *other == bytes);
            let is_fine = match before.get(&path) {
                _ if end == "partial" && ends.contains(&"partial") => true,
                Some(earlier) if !ends.contains(&end.as_str()) => bytes == *earlier,
                Some(earlier) => bytes == *earlier || whole[number].get(&path) == Some(&bytes),
                None if is_temporary => is_whole,
                None => whole[number].get(&path) == Some(&bytes),
            };
            assert!(is_fine, "{signal} {arguments:?}: {path:?} is neither as before nor whole");
        }
        restore(&folder, &before);
    }
}

/// Makes the files of a folder what they were.
fn restore(folder: &Folder, before: &std::collections::BTreeMap<std::path::PathBuf, Vec<u8>>) {
    for path in folder.contents().keys().filter(|path| !before.contains_key(*path)) {
        fs::remove_file(path).expect("removed");
    }
    for (path, bytes) in before {
        fs::write(path, bytes).expect("a file");
    }
}

#[test]
fn a_closed_pipe_is_quiet() {
    let folder = Folder::new("pipe");
    fs::write(folder.path("list.txt"), EASY.repeat(20_000)).expect("a file");
    let mut child =
        folder.command(&["convert", "--to", "line", "list.txt"]).spawn().expect("the program runs");
    let mut first = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    stdout.read_line(&mut first).expect("a line");
    drop(stdout);
    let (_, err) = ended(child);
    assert_eq!((first.as_str(), err.as_str()), (EASY, ""));
}

#[test]
fn two_processes_on_one_folder() {
    let folder = Folder::new("both");
    for i in 0..20 {
        fs::write(folder.path(&format!("{i:02}.sud")), EASY.repeat(1 + i)).expect("a file");
    }
    let start = || folder.command(&["solve", "-q", "."]).spawn().expect("the program runs");
    let (one, two) = (start(), start());
    assert_eq!(ended(one), (0, String::new()));
    assert_eq!(ended(two), (0, String::new()));
    assert_eq!(folder.names().len(), 40);
    for i in 1..20 {
        let text = fs::read_to_string(folder.path(&format!("{i:02}.p2"))).expect("a file");
        assert_eq!(text.lines().count(), 1 + i);
        assert!(text.lines().all(|line| line.len() == 81 && !line.contains('.')));
    }
}

#[test]
fn a_file_that_changes_while_it_is_read() {
    let folder = Folder::new("changes");
    for shrinks in [false, true] {
        fs::write(folder.path("list.txt"), EASY.repeat(40_000)).expect("a file");
        let mut child = folder
            .command(&["convert", "-q", "-j1", "--to", "line", "list.txt"])
            .spawn()
            .expect("the program runs");
        // It waits for someone to take its output.
        let mut stdout = child.stdout.take().expect("a pipe");
        let mut some = [0; 1000];
        stdout.read_exact(&mut some).expect("output");
        std::thread::sleep(Duration::from_millis(50));
        let mut file = File::options().append(true).open(folder.path("list.txt")).expect("a file");
        if shrinks {
            file.set_len(100_000).expect("cut off");
        } else {
            file.write_all(EASY.as_bytes()).expect("written");
        }
        drop(file);
        let rest = std::thread::spawn(move || {
            let mut rest = Vec::new();
            stdout.read_to_end(&mut rest).map(|_| rest.len())
        });
        let (code, err) = ended(child);
        rest.join().expect("no panic").expect("output");
        assert_eq!(code, 2);
        assert_eq!(err, "dokulog: list.txt: changed while it was read; nothing was written\n");
    }
}

#[test]
fn a_folder_that_vanishes_half_way() {
    let folder = Folder::new("vanishes");
    fs::create_dir(folder.path("sub")).expect("a folder");
    let child = half_way(&folder, "sub/out.txt");
    fs::remove_dir_all(folder.path("sub")).expect("removed");
    let (code, err) = ended(child);
    let sentence = "dokulog: sub/out.txt: cannot be written: no such file or directory";
    assert_eq!((code, err), (2, format!("{sentence}; nothing was kept\n")));
    assert!(folder.names().is_empty());
}

#[test]
fn an_input_that_vanishes_half_way_is_read_to_its_end() {
    let folder = Folder::new("unlinked");
    fs::write(folder.path("list.txt"), EASY.repeat(40_000)).expect("a file");
    let mut child = folder
        .command(&["convert", "-q", "-j1", "--to", "line", "list.txt"])
        .spawn()
        .expect("the program runs");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut some = [0; 1000];
    stdout.read_exact(&mut some).expect("output");
    fs::remove_file(folder.path("list.txt")).expect("removed");
    let mut rest = Vec::new();
    stdout.read_to_end(&mut rest).expect("output");
    assert_eq!(ended(child), (0, String::new()));
    assert_eq!(some.len() + rest.len(), 40_000 * EASY.len());
}

#[test]
fn a_line_without_an_end_is_refused() {
    let folder = Folder::new("endless");
    fs::write(folder.path("zeros.txt"), "1".repeat(5 << 20)).expect("a file");
    let (code, err) = run(&folder, &["solve", "-q", "zeros.txt"]);
    assert_eq!(code, 1);
    assert!(err.starts_with("zeros.txt: "), "{err}");
    assert_eq!(folder.names(), ["zeros.txt"]);
}

//! What can go wrong around a run: nothing is lost, nothing is half-written, one sentence says so.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const EASY: &str =
    ".97....2882.1..3.5..38..79..524.9.1.4.9716..3.1..5...........766.5.3........7.8.2\n";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("dokulog-fault-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .expect("a folder")
            .map(|e| e.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dokulog"));
        command.args(arguments).current_dir(&self.0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        ended(self.command(arguments).spawn().expect("the program runs"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
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
            folder.run(&["convert", "-q", "--to", "line", "-o", "/dev/full", "list.txt"]);
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
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let is_administrator = fs::metadata(&folder.0).expect("a folder").uid() == 0;
    if !is_administrator {
        return folder.run(arguments);
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
    use std::os::unix::fs::PermissionsExt;
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
    assert_eq!(replaced, (2, sentence("in/a.p1")));
    assert_eq!(fs::read_to_string(folder.path("in/a.p1")).expect("a file"), "earlier\n");
    assert!(!folder.path("in/a.p2").exists());

    set("b.sud", 0o000);
    let unread = run_as_anybody(&folder, &["solve", "-q", "-o", "-", "b.sud"]);
    assert_eq!(unread, (2, "dokulog: b.sud: permission denied\n".to_string()));
    set("b.sud", 0o644);

    // A file where a folder is needed stops everyone.
    let (code, err) = folder.run(&["solve", "-q", "-o", "b.sud/x.p2", "in/a.sud"]);
    assert_eq!(code, 2);
    assert!(err.contains("cannot be"), "{err}");
    assert_eq!(folder.names(), ["b.sud", "in"]);
}

#[test]
fn a_file_that_is_gone_does_not_stop_the_others() {
    let folder = Folder::new("gone");
    fs::write(folder.path("b.sud"), EASY).expect("a file");
    let (code, err) = folder.run(&["solve", "-q", "a.sud", "b.sud"]);
    assert_eq!((code, err.as_str()), (2, "dokulog: a.sud: no such file or directory\n"));
    assert_eq!(folder.names(), ["b.p2", "b.sud"]);
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = Folder::new("input");
    fs::write(folder.path("a.sud"), EASY).expect("a file");
    symlink("a.sud", folder.path("link.p2")).expect("a link");
    fs::hard_link(folder.path("a.sud"), folder.path("hard.p2")).expect("a link");
    for output in ["a.sud", "link.p2", "hard.p2", "./a.sud"] {
        let (code, err) = folder.run(&["solve", "-q", "-o", output, "a.sud"]);
        assert_eq!(code, 2, "{output}");
        assert!(err.contains("is an input, and inputs are never overwritten"), "{err}");
    }
    assert_eq!(fs::read_to_string(folder.path("a.sud")).expect("a file"), EASY);
    // Nor one of the other inputs.
    fs::write(folder.path("b.sud"), EASY).expect("a file");
    let (code, _) = folder.run(&["convert", "-q", "-o", "b.sud", "a.sud", "b.sud"]);
    assert_eq!(code, 2);
    assert_eq!(fs::read_to_string(folder.path("b.sud")).expect("a file"), EASY);
}

#[test]
fn a_link_as_output() {
    let folder = Folder::new("link");
    fs::write(folder.path("a.sud"), EASY).expect("a file");
    fs::create_dir(folder.path("store")).expect("a folder");
    fs::write(folder.path("store/kept.p2"), "earlier\n").expect("a file");
    symlink("store/kept.p2", folder.path("a.p2")).expect("a link");
    assert_eq!(folder.run(&["solve", "-q", "a.sud"]), (0, String::new()));
    assert!(fs::symlink_metadata(folder.path("a.p2")).expect("a link").is_symlink());
    let kept = fs::read_to_string(folder.path("store/kept.p2")).expect("a file");
    assert_eq!(kept.lines().count(), 9);
    fs::remove_file(folder.path("store/kept.p2")).expect("removed");
    let (code, err) = folder.run(&["solve", "-q", "a.sud"]);
    assert_eq!(code, 2);
    assert_eq!(err, "dokulog: a.p2: is a symbolic link that leads nowhere\n");
}

/// Begins a run on standard input and waits until it has written something of its output.
fn half_way(folder: &Folder, output: &str) -> Child {
    let mut child = folder
        .command(&["solve", "-q", "-j2", "--to", "line", "-o", output, "-"])
        .spawn()
        .expect("the program runs");
    let stdin = child.stdin.as_mut().expect("a pipe");
    for _ in 0..4 {
        stdin.write_all(EASY.repeat(500).as_bytes()).expect("it listens");
    }
    stdin.flush().expect("it listens");
    std::thread::sleep(Duration::from_millis(300));
    child
}

#[test]
fn killed_half_way() {
    for signal in ["KILL", "TERM", "INT"] {
        let folder = Folder::new(&format!("killed-{signal}"));
        fs::write(folder.path("out.txt"), "earlier\n").expect("a file");
        for output in ["out.txt", "new.txt"] {
            let mut child = half_way(&folder, output);
            let pid = child.id().to_string();
            let killed = Command::new("kill").args(["-s", signal, &pid]).status();
            assert!(killed.expect("kill runs").success());
            child.wait().expect("it ends");
        }
        assert_eq!(folder.names(), ["out.txt"], "{signal}");
        assert_eq!(fs::read_to_string(folder.path("out.txt")).expect("a file"), "earlier\n");
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
    let (code, err) = folder.run(&["solve", "-q", "zeros.txt"]);
    assert_eq!(code, 1);
    assert!(err.starts_with("zeros.txt: "), "{err}");
    assert_eq!(folder.names(), ["zeros.txt"]);
}

//! Parses the bundled rules and layouts, so that the program need not: see `language/stored`.

// What pest makes asks for it by this name.
extern crate alloc;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What parses, and what it needs.
#[allow(dead_code, unused_imports)]
#[path = "src/language"]
mod language {
    mod ast;
    mod comparison;
    pub mod diagnostic;
    mod limits;
    pub mod parse;
    pub mod stored;
    mod syntax;
}

use language::diagnostic::Source;

fn main() {
    for folder in ["grammar", "layouts", "rules", "src/language"] {
        println!("cargo:rerun-if-changed={folder}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    link_for_a_quick_start(&out);
    let mut names = Vec::new();
    for folder in ["layouts", "rules"] {
        parse_folder(folder, &out, &mut names);
    }
    names.sort();
    let rows = names.iter().map(|name| {
        let text = format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{name}\"))");
        let parsed = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))");
        format!("    (\"{name}\", {text}, {parsed}),\n")
    });
    let table = format!("&[\n{}]\n", rows.collect::<String>());
    fs::write(out.join("bundled.rs"), table).expect("room for what is made");
}

/// The program starts in less time where nothing in it has to be adjusted to its address first:
/// thousands of places, on pages that would not be touched otherwise. And where it brings the C
/// library along: to find, map and bind three shared ones takes as long as all of checking the rules.
/// Nothing else is linked so.
fn link_for_a_quick_start(out: &Path) {
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let is_known = target("OS") == "linux"
        && target("ENV") == "gnu"
        && ["x86_64", "aarch64"].contains(&target("ARCH").as_str());
    let is_static = target("FEATURE").split(',').any(|feature| feature == "crt-static");
    if !is_known || is_static {
        return;
    }
    println!("cargo:rustc-link-arg-bins=-no-pie");
    if let Some(folder) = static_libraries(out) {
        println!("cargo:rustc-link-arg-bins=-static");
        println!("cargo:rustc-link-arg-bins=-L{}", folder.display());
    }
}

/// A folder in which the linker finds, by the names of the shared libraries it is told of, the static
/// ones instead; nothing if this machine has not all of them. Cargo has no other way to link one
/// program so: the feature `crt-static` is for everything that is compiled, or for nothing.
fn static_libraries(out: &Path) -> Option<PathBuf> {
    let is_cross = env::var_os("HOST") != env::var_os("TARGET");
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let find = |library: &str| {
        let ask = format!("-print-file-name={library}");
        let answer = Command::new(&linker).arg(ask).output().ok()?;
        let path = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim());
        (path.is_absolute() && path.is_file()).then_some(path)
    };
    let folder = out.join("static");
    fs::create_dir_all(&folder).expect("a folder for what is made");
    for (shared, library) in
        [("libc.so", "libc.a"), ("libm.so", "libm.a"), ("libgcc_s.so", "libgcc_eh.a")]
    {
        let path = find(library).filter(|_| !is_cross)?;
        let script = format!("INPUT(\"{}\")\n", path.display());
        fs::write(folder.join(shared), script).expect("room for what is made");
    }
    Some(folder)
}

/// Writes what is in the `.rules` files of a folder, and of those in it, under the same names.
fn parse_folder(folder: &str, out: &Path, names: &mut Vec<String>) {
    fs::create_dir_all(out.join(folder)).expect("a folder for what is made");
    for entry in fs::read_dir(folder).expect("a folder of the crate") {
        let path = entry.expect("a file of the crate").path();
        let name = format!("{folder}/{}", path.file_name().unwrap_or_default().display());
        if path.is_dir() {
            parse_folder(&name, out, names);
        } else if name.ends_with(".rules") {
            let text = fs::read_to_string(&path).expect("a rule file");
            let source = Source { name: name.clone(), text };
            let mut mistakes = Vec::new();
            let file = language::parse::file(&source, 0, &mut mistakes);
            // One with mistakes is read, and told of, when the program runs.
            let bytes = match mistakes.is_empty() {
                true => language::stored::store(&file),
                false => Vec::new(),
            };
            fs::write(out.join(&name), bytes).expect("room for what is made");
            names.push(name);
        }
    }
}

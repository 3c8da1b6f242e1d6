//! Makes the parser from grammar.js, which node reads, and compiles it.

use std::env;
use std::path::PathBuf;

use tree_sitter_generate::{ABI_VERSION_MAX, OptLevel, generate_parser_in_directory};

fn main() {
    println!("cargo:rerun-if-changed=grammar.js");
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("a folder"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("a folder"));
    let grammar = here.join("grammar.js");
    let made = generate_parser_in_directory(
        here,
        Some(out.clone()),
        Some(grammar),
        ABI_VERSION_MAX,
        None,
        Some("node"),
        true,
        OptLevel::default(),
        &mut Vec::new(),
    );
    if let Err(why) = made {
        panic!("grammar.js: {why}");
    }
    let parser = out.join("parser.c");
    cc::Build::new().include(&out).file(parser).warnings(false).compile("tree-sitter-dokulog");
}

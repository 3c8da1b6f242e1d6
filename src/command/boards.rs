//! `--layout`: which layout puzzles are for.

use std::path::Path;
use std::sync::Arc;

use super::options::{colour, read_rule_file};
use super::{Failure, say_coloured};
use crate::board::Layout;
use crate::language::render;
use crate::meaning::{KnownBoards, Layouts, NoLayout};

/// Which layout.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct LayoutOption {
    /// The layout of the puzzles: a name such as windoku or classic:6, or a file that has one
    /// (FILE#NAME if it has several)
    #[arg(long, value_name = "NAME|FILE")]
    pub layout: Option<String>,
}

impl LayoutOption {
    /// The layout asked for.
    pub(super) fn find(&self) -> Result<Option<Arc<Layout>>, Failure> {
        self.layout.as_deref().map(find).transpose()
    }

    /// The layout asked for, or the classic one of a size.
    pub(super) fn find_or(&self, size: Option<usize>) -> Result<Arc<Layout>, Failure> {
        Layout::or_classic(self.find()?, size).map_err(Failure::new)
    }

    /// Whoever knows layouts, for readers of puzzles.
    pub(super) fn boards(&self) -> Result<KnownBoards, Failure> {
        Ok(KnownBoards::asking(self.find()?))
    }
}

/// The layout of a name, or of a file. What is wrong with a file is printed.
pub(super) fn find(name: &str) -> Result<Arc<Layout>, Failure> {
    let (path, part) = match name.split_once('#') {
        Some((path, part)) => (path, Some(part)),
        None => (name, None),
    };
    if !path.contains(['/', '\\']) && !path.ends_with(".rules") {
        let layouts = Layouts::bundled();
        return layouts.find(name).map_err(|refusal| refused(&layouts, name, refusal));
    }
    let layouts = Layouts::with(vec![read_rule_file(Path::new(path))?]);
    let mistakes = layouts.mistakes();
    if !mistakes.is_empty() {
        let colour = colour(&std::io::stderr());
        for mistake in &mistakes {
            say_coloured(&render::text(mistake, layouts.sources(), colour));
        }
        return Err(Failure::new(format!("{path}: the layouts have errors")));
    }
    let own: Vec<&str> = layouts.own().collect();
    let key = match (part, &own[..]) {
        (Some(part), _) => part,
        (None, [only]) => only,
        (None, []) => return Err(Failure::new(format!("{path}: has no layout that can be read"))),
        (None, several) => {
            let names = several.join(", ");
            let message = format!("{path}: has several layouts, say {path}#NAME: {names}");
            return Err(Failure::new(message));
        }
    };
    layouts.find(key).map_err(|refusal| refused(&layouts, key, refusal))
}

fn refused(layouts: &Layouts, name: &str, refusal: NoLayout) -> Failure {
    Failure::new(layouts.sentence(name, &refusal))
}

//! `--layout`: which layout puzzles are for.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::options::{colour, read_rule_file};
use super::{Failure, say_coloured};
use crate::board::{Layout, SIZES};
use crate::language::{Source, render};
use crate::meaning::{Layouts, NoLayout};
use crate::text::{Boards, Wanted};

/// Which layout.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct LayoutOption {
    /// The layout of the puzzles: a name such as windoku or classic:6, or a file that has one
    /// (FILE#NAME if it has several)
    #[arg(long, value_name = "NAME|FILE")]
    pub layout: Option<String>,
}

impl LayoutOption {
    /// The layout asked for.
    pub fn find(&self) -> Result<Option<Arc<Layout>>, Failure> {
        self.layout.as_deref().map(find).transpose()
    }

    /// The layout asked for, or the classic one of a size.
    pub fn find_or(&self, size: Option<usize>) -> Result<Arc<Layout>, Failure> {
        match (self.find()?, size) {
            (Some(layout), Some(size)) if layout.size() != size => {
                let own = layout.size();
                Err(Failure::new(format!(
                    "the layout has size {own}, and size {size} is asked for"
                )))
            }
            (Some(layout), _) => Ok(layout),
            (None, size) => {
                let size = size.unwrap_or(9);
                let sizes = SIZES.map(|size| size.to_string()).join(", ");
                Layout::classic(size).ok_or_else(|| {
                    Failure::new(format!("there is no size {size}: take one of {sizes}"))
                })
            }
        }
    }

    /// Whoever knows layouts, for readers of puzzles.
    pub fn boards(&self) -> Result<KnownBoards, Failure> {
        Ok(KnownBoards { asked: self.find()?, layouts: OnceLock::new() })
    }
}

/// The layout of a name, or of a file. What is wrong with a file is printed.
pub fn find(name: &str) -> Result<Arc<Layout>, Failure> {
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
    Failure::new(sentence(layouts, name, &refusal))
}

fn sentence(layouts: &Layouts, name: &str, refusal: &NoLayout) -> String {
    match refusal {
        NoLayout::Wrong(mistake) => format!("layout {name}: {}", mistake.message),
        NoLayout::Unknown(Some(near)) => {
            format!("there is no layout {name}: did you mean {near}?")
        }
        NoLayout::Unknown(None) => {
            let names: Vec<&str> = layouts.names().map(|(name, _)| name).collect();
            format!("there is no layout {name}; there are {}", names.join(", "))
        }
    }
}

/// The layouts that puzzle files may name.
#[derive(Debug)]
pub struct KnownBoards {
    asked: Option<Arc<Layout>>,
    /// Read when the first file asks.
    layouts: OnceLock<Layouts>,
}

impl Boards for KnownBoards {
    fn asked(&self) -> Option<Arc<Layout>> {
        self.asked.clone()
    }

    fn find(&self, wanted: &Wanted) -> Result<Arc<Layout>, String> {
        match wanted {
            Wanted::Named(name) => {
                let layouts = self.layouts.get_or_init(Layouts::bundled);
                layouts.find(name).map_err(|refusal| sentence(layouts, name, &refusal))
            }
            Wanted::Drawn(rows) => drawn(rows),
        }
    }
}

/// The layout whose boxes are drawn so.
fn drawn(rows: &[String]) -> Result<Arc<Layout>, String> {
    let is_row = |row: &&String| !row.is_empty() && !row.contains(['"', ' ']);
    let size = rows.first().filter(is_row).map_or(0, |row| row.chars().count());
    let rows: Vec<String> =
        rows.iter().take(size).filter(is_row).map(|row| format!("\"{row}\"")).collect();
    let text = format!("layout drawn {{ size {size}. boxes {}. }}", rows.join(" "));
    let layouts = Layouts::with(vec![Source { name: "regions".to_string(), text }]);
    layouts.find("drawn").map_err(|refusal| match refusal {
        NoLayout::Wrong(mistake) => format!("the regions: {}", mistake.message),
        NoLayout::Unknown(_) => "the regions are no picture of letters".to_string(),
    })
}

//! The layouts that puzzle files may name or draw, for whoever reads puzzles.

use std::sync::{Arc, OnceLock};

use crate::board::Layout;
use crate::language::Source;
use crate::text::{Boards, Wanted};

use super::{Layouts, NoLayout};

/// The bundled layouts, and the one that all puzzles are for.
#[derive(Debug, Default)]
pub struct KnownBoards {
    asked: Option<Arc<Layout>>,
    /// Read when the first file asks.
    layouts: OnceLock<Layouts>,
}

impl KnownBoards {
    /// All puzzles are for this layout, if there is one.
    pub fn asking(asked: Option<Arc<Layout>>) -> KnownBoards {
        KnownBoards { asked, layouts: OnceLock::new() }
    }
}

impl Boards for KnownBoards {
    fn asked(&self) -> Option<Arc<Layout>> {
        self.asked.clone()
    }

    fn find(&self, wanted: &Wanted) -> Result<Arc<Layout>, String> {
        match wanted {
            Wanted::Named(name) => {
                let layouts = self.layouts.get_or_init(Layouts::bundled);
                layouts.find(name).map_err(|refusal| layouts.sentence(name, &refusal))
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

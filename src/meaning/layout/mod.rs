//! From the text of layouts to [`Layout`]s: their sets and conditions are given their meaning, and
//! what comes out must make sense.

mod known;
mod picture;
mod places;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::board::{Candidate, Cell, Cells, Layout, MOST_HOUSES, Named, Parts};
use crate::language::{
    Diagnostic, LayoutStep, LayoutText, Severity, Source, Span, StepKind, bundled, layout_texts,
    nearest,
};

pub use known::KnownBoards;
use places::Places;

/// Layouts by name: the bundled ones, and those of further files.
#[derive(Debug)]
pub struct Layouts {
    texts: Vec<LayoutText>,
    sources: Vec<Source>,
    /// What is wrong with the words of the further files.
    wrong: Vec<Diagnostic>,
}

/// What of a layout is known so far.
#[derive(Clone, Default)]
struct Draft {
    parts: Parts,
    /// Combinations of cells and digits tried so far.
    tries: usize,
}

/// The most pairs that a layout may have: more than that is no puzzle.
const MOST_PAIRS: usize = 1_000_000;

impl Layouts {
    /// The bundled layouts.
    pub fn bundled() -> Layouts {
        Layouts::with(Vec::new())
    }

    /// The bundled layouts, and those of these files.
    pub fn with(files: Vec<Source>) -> Layouts {
        let mut sources: Vec<Source> = bundled::layouts();
        sources.extend(files);
        let (texts, wrong) = layout_texts(&sources);
        Layouts { texts, sources, wrong }
    }

    /// The texts that spans point into; the bundled ones come first.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The names of all layouts, with their titles; those that hide others come last.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|text| (text.key.as_str(), text.title.as_str()))
    }

    /// The names of the layouts that are in the further files.
    pub fn own(&self) -> impl Iterator<Item = &str> {
        let bundled = bundled::layouts().len();
        let own = move |text: &&LayoutText| usize::from(text.span.source) >= bundled;
        self.texts.iter().filter(own).map(|text| text.key.as_str())
    }

    /// What is wrong with the layouts of the further files.
    pub fn mistakes(&self) -> Vec<Diagnostic> {
        let bundled = bundled::layouts().len();
        let mut found = self.wrong.clone();
        let mut seen = BTreeMap::new();
        for text in self.texts.iter().filter(|text| usize::from(text.span.source) >= bundled) {
            if seen.insert(&text.key, ()).is_some() {
                let message = format!("there is a layout {} already", text.key);
                found.push(Diagnostic::error("E012", text.span, message));
            }
            if let Err(mistake) = self.build(text, &mut Vec::new()) {
                found.push(mistake);
            }
        }
        found.sort_by_key(|d| (d.span, d.severity, d.code));
        found.dedup();
        found
    }

    /// The layout of this name: `x`, or `classic:6`, also written `classic(6)`.
    pub fn find(&self, name: &str) -> Result<Arc<Layout>, NoLayout> {
        let key = name.replace('(', ":").replace(')', "");
        let Some(text) = self.texts.iter().rev().find(|text| text.key == key) else {
            let names: Vec<&str> = self.texts.iter().map(|text| text.key.as_str()).collect();
            let near = nearest(&key, names).map(str::to_string);
            return Err(NoLayout::Unknown(near));
        };
        let broken = self.wrong.iter().filter(|d| d.severity == Severity::Error);
        if let Some(mistake) = { broken }.find(|d| d.span.source == text.span.source) {
            return Err(NoLayout::Wrong(Box::new(mistake.clone())));
        }
        let made = self.build(text, &mut Vec::new());
        let draft = made.map_err(|mistake| NoLayout::Wrong(Box::new(mistake)))?;
        let layout = Layout::new(draft.parts);
        // The classic ones are shared, and known to be such.
        let classic = Layout::classic(layout.size()).filter(|classic| **classic == layout);
        Ok(classic.unwrap_or_else(|| Arc::new(layout)))
    }

    /// Why there is no layout of this name, in a sentence.
    pub fn sentence(&self, name: &str, refusal: &NoLayout) -> String {
        match refusal {
            NoLayout::Wrong(mistake) => format!("layout {name}: {}", mistake.message),
            NoLayout::Unknown(Some(near)) => {
                format!("there is no layout {name}: did you mean {near}?")
            }
            NoLayout::Unknown(None) => {
                let names: Vec<&str> = self.names().map(|(name, _)| name).collect();
                format!("there is no layout {name}; there are {}", names.join(", "))
            }
        }
    }

    /// What a layout is made of; `above` are the layouts that extend it.
    fn build(&self, text: &LayoutText, above: &mut Vec<String>) -> Result<Draft, Diagnostic> {
        above.push(text.key.clone());
        let mut draft = Draft::default();
        for step in &text.steps {
            if let StepKind::Extends(base) = &step.kind {
                draft = self.extended(base, step, &draft, above)?;
            } else {
                draft.take(step)?;
            }
        }
        if draft.parts.size == 0 {
            let message = format!("layout {} has no size", text.key);
            let help = "say `extends classic(9).`, or `size 9.`";
            return Err(Diagnostic::error("E090", text.span, message).help(help));
        }
        above.pop();
        draft.parts.name = text.key.clone();
        draft.parts.title = text.title.clone();
        Ok(draft)
    }

    fn extended(
        &self,
        base: &str,
        step: &LayoutStep,
        draft: &Draft,
        above: &mut Vec<String>,
    ) -> Result<Draft, Diagnostic> {
        if draft.parts.size != 0 {
            let message = "`extends` comes first, and once";
            return Err(Diagnostic::error("E090", step.span, message));
        }
        if above.iter().any(|key| key == base) {
            let circle = above.join(" extends ");
            let message = format!("{circle} extends {base}: this never ends");
            return Err(Diagnostic::error("E091", step.span, message));
        }
        let Some(text) = self.texts.iter().rev().find(|text| text.key == base) else {
            let found = Diagnostic::error("E010", step.span, format!("there is no layout {base}"));
            let names: Vec<&str> = self.texts.iter().map(|text| text.key.as_str()).collect();
            return Err(match nearest(base, names) {
                Some(near) => found.help(format!("did you mean {near}?")),
                None => found,
            });
        };
        self.build(text, above).map_err(|inner| {
            if inner.code == "E091" {
                return Diagnostic::error("E091", step.span, inner.message);
            }
            let message = format!("layout {base} is wrong itself: {}", inner.message);
            Diagnostic::error("E090", step.span, message)
        })
    }
}

/// What is wrong with the layouts of files, as numbered among all of them; those before `from` are
/// bundled rules.
pub fn layout_mistakes(sources: &[Source], from: usize) -> Vec<Diagnostic> {
    let own = &sources[from.min(sources.len())..];
    if !own.iter().any(|source| source.text.contains("layout")) {
        return Vec::new();
    }
    let layouts = Layouts::with(own.to_vec());
    let before = layouts.sources().len() - own.len();
    let mut mistakes = layouts.mistakes();
    mistakes.retain(|mistake| usize::from(mistake.span.source) >= before);
    for mistake in &mut mistakes {
        mistake.span.source = (usize::from(mistake.span.source) - before + from) as u16;
    }
    mistakes
}

/// Why there is no layout to be had.
#[derive(Clone, PartialEq, Debug)]
pub enum NoLayout {
    /// None has this name; perhaps this one was meant.
    Unknown(Option<String>),
    /// It makes no sense.
    Wrong(Box<Diagnostic>),
}

fn wrong(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("E090", span, message)
}

impl Draft {
    fn take(&mut self, step: &LayoutStep) -> Result<(), Diagnostic> {
        let span = step.span;
        let size = self.parts.size;
        match &step.kind {
            StepKind::Size(_) if size != 0 => {
                return Err(wrong(span, format!("the size is {size} already")));
            }
            StepKind::Size(number) => {
                let size = usize::try_from(*number).ok().filter(|size| (2..=25).contains(size));
                self.parts.size = size.ok_or_else(|| wrong(span, "sizes go from 2 to 25"))?;
            }
            _ if size == 0 => {
                let help = "say `extends classic(9).`, or `size 9.`";
                return Err(wrong(span, "the size must be known before this").help(help));
            }
            StepKind::Boxes(height, width) => self.boxes(*height, *width, span)?,
            StepKind::Picture(name, rows) => self.picture(name.as_deref(), rows, span)?,
            StepKind::House { is_full, name, cells } => {
                let layout = Layout::new(self.parts.clone());
                let cells = Places::new(&layout, &mut self.tries).cells(cells, span)?;
                self.house(*is_full, name.clone(), cells, span)?;
            }
            StepKind::Where(claim, checks) => {
                let layout = Layout::new(self.parts.clone());
                let parts = &mut self.parts;
                Places::new(&layout, &mut self.tries).claims(claim, checks, span, parts)?;
                if parts.differ.len() + parts.excluded.len() > MOST_PAIRS {
                    return Err(wrong(span, "a layout has at most 1,000,000 pairs"));
                }
            }
            StepKind::TooMany(most) => {
                return Err(wrong(span, format!("a layout has at most {most} members")));
            }
            StepKind::Extends(_) => {}
        }
        Ok(())
    }

    fn boxes(&mut self, height: i64, width: i64, span: Span) -> Result<(), Diagnostic> {
        let size = self.parts.size;
        if !self.parts.boxes.is_empty() {
            return Err(wrong(span, "there are boxes already: a cell is in one box"));
        }
        if height < 1 || width < 1 || height.checked_mul(width) != Some(size as i64) {
            let message = format!("boxes of {height} by {width} have not {size} cells");
            return Err(wrong(span, message));
        }
        self.parts.boxes = Parts::boxed(height as usize, width as usize).boxes;
        Ok(())
    }

    /// Rows, columns, boxes, houses and groups so far, by their names.
    fn known(&self) -> Vec<Named> {
        let size = self.parts.size;
        let named = |kind: &str, number: usize, cells: Vec<Cell>| Named {
            name: format!("{kind} {}", number + 1),
            cells,
        };
        let line = |across: usize, along: usize| {
            move |number: usize| (0..size).map(|i| Cell::at(number * across + i * along)).collect()
        };
        let (row, column) = (line(size, 1), line(1, size));
        let mut all: Vec<Named> = (0..size).map(|n| named("row", n, row(n))).collect();
        all.extend((0..size).map(|n| named("column", n, column(n))));
        let boxes = self.parts.boxes.iter().enumerate();
        all.extend(boxes.map(|(n, cells)| named("box", n, cells.clone())));
        all.extend(self.parts.houses.iter().chain(&self.parts.groups).cloned());
        all
    }

    /// Adds a house or group.
    fn house(
        &mut self,
        is_full: bool,
        name: String,
        cells: Cells,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let (size, count) = (self.parts.size, cells.len());
        if is_full && count != size {
            let found = wrong(span, format!("{name} has {count} cells, and a house has {size}"));
            return Err(match count < size {
                true => found.help("say `group` for cells that only differ from each other"),
                false => found,
            });
        }
        if !is_full && !(2..=size).contains(&count) {
            let message = format!("{name} has {count} cells, and a group has 2 to {size}");
            return Err(wrong(span, message));
        }
        let cells: Vec<Cell> = cells.iter().collect();
        if let Some(other) = self.known().into_iter().find(|other| other.name == name) {
            let message = format!("there is a {} already", other.name);
            return Err(wrong(span, message).help("another number or name tells them apart"));
        }
        if let Some(other) = self.known().into_iter().find(|other| other.cells == cells) {
            return Err(wrong(span, format!("{name} has the cells of {}", other.name)));
        }
        let parts = &mut self.parts;
        let count = 2 * size + parts.boxes.len() + parts.houses.len() + parts.groups.len();
        if count >= MOST_HOUSES {
            let message = format!("a layout has at most {MOST_HOUSES} houses and groups");
            return Err(wrong(span, message));
        }
        let list = if is_full { &mut parts.houses } else { &mut parts.groups };
        list.push(Named { name, cells });
        Ok(())
    }
}

/// A pair of candidates in one order.
fn sorted(a: Candidate, b: Candidate) -> (Candidate, Candidate) {
    if b < a { (b, a) } else { (a, b) }
}

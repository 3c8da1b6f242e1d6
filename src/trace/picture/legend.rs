//! What each mark of a picture means, in a few words beside its shape.

use std::collections::BTreeSet;

use crate::language::{Line, Paint};
use crate::text::escape;

use super::super::marks::Marks;
use super::super::words::Language;
use super::links::effects;
use super::nodes::shape;
use super::{RIM, number};

/// A sort of mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sign {
    /// A house that the argument starts from.
    Starts,
    /// A house where it ends.
    Ends,
    /// A cell of the pattern.
    Tint,
    /// A candidate of the pattern.
    Ring,
    /// A candidate or a cell in a way of its own.
    Painted(Paint),
    /// A link.
    Link(Line),
    /// From the end of a chain to what it takes away.
    Effect,
    /// Several candidates as one member of a chain.
    Capsule,
    /// A candidate eliminated.
    Struck,
    /// A digit placed.
    Boxed,
}

/// The signs that a picture shows.
pub(crate) fn signs(marks: &Marks) -> BTreeSet<Sign> {
    let mut signs = BTreeSet::new();
    let mut note = |sign: Sign, is_there: bool| {
        if is_there {
            signs.insert(sign);
        }
    };
    note(Sign::Starts, marks.starting > 0);
    note(Sign::Ends, marks.outlined.len() > marks.starting);
    let plain = marks.tinted.iter().any(|cell| !marks.framed.contains_key(&cell));
    note(Sign::Tint, plain);
    note(Sign::Effect, !effects(marks).is_empty());
    note(Sign::Ring, !marks.ringed.is_empty());
    note(Sign::Struck, !marks.struck.is_empty());
    note(Sign::Boxed, !marks.boxed.is_empty());
    for &paint in marks.painted.values().chain(marks.framed.values()) {
        note(Sign::Painted(paint), paint != Paint::Base && paint != Paint::Pattern);
        note(Sign::Ring, paint == Paint::Base || paint == Paint::Pattern);
    }
    for link in &marks.links {
        note(Sign::Link(link.line), link.from != link.to);
        note(Sign::Capsule, link.from.len() > 1 || link.to.len() > 1);
    }
    signs
}

/// The signs as a list of a page.
pub(crate) fn listed(signs: &BTreeSet<Sign>, language: Language) -> String {
    let item = |sign: &Sign| {
        let (shape, name) = (sign.shape(), escape(&sign.name(language)));
        format!("<li><svg viewBox=\"0 0 24 24\" aria-hidden=\"true\">{shape}</svg>{name}</li>")
    };
    format!("<ul>{}</ul>", signs.iter().map(item).collect::<String>())
}

/// Room for a line of a legend.
const LINE: f64 = 24.0;

/// The legend of a picture of this width, with its upper edge at `top`, and how high it is.
pub(super) fn drawn(marks: &Marks, language: Language, width: f64, top: f64) -> (String, f64) {
    let (mut x, mut line, mut svg) = (RIM, 0.0, String::new());
    for sign in signs(marks) {
        let name = sign.name(language);
        let room = 27.0 + 7.4 * name.chars().count() as f64;
        if x > RIM && x + room > width {
            (x, line) = (RIM, line + 1.0);
        }
        let (left, upper) = (number(x), number(top + line * LINE));
        svg += &format!(
            "<g transform=\"translate({left} {upper})\"><g transform=\"scale(.8)\">{}</g>\
             <text class=\"sign\" x=\"23\" y=\"14\">{}</text></g>\n",
            sign.shape(),
            escape(&name)
        );
        x += room + 9.0;
    }
    let height = if svg.is_empty() { 0.0 } else { (line + 1.0) * LINE + 4.0 };
    (svg, height)
}

impl Sign {
    /// What it means.
    pub(crate) fn name(self, language: Language) -> String {
        let (english, french) = match self {
            Sign::Starts => ("base: where it starts", "base : d'où part le raisonnement"),
            Sign::Ends => ("cover: where it ends", "couverture : où il arrive"),
            Sign::Tint => ("pattern cell", "case du motif"),
            Sign::Ring => ("pattern candidate", "candidat du motif"),
            Sign::Struck => ("eliminated", "éliminé"),
            Sign::Boxed => ("placed", "placé"),
            Sign::Effect => ("takes away", "élimine"),
            Sign::Capsule => ("group", "groupe"),
            Sign::Link(Line::Strong) => ("strong: one is true", "fort : l'un est vrai"),
            Sign::Link(Line::Weak) => ("weak: not both", "faible : pas les deux"),
            Sign::Link(Line::Group) => ("belong together", "vont ensemble"),
            Sign::Painted(paint) => match paint {
                Paint::Fin => ("fin", "nageoire"),
                Paint::Cover => ("covered", "couvert"),
                Paint::Blue => ("one colour", "une couleur"),
                Paint::Green => ("the other colour", "l'autre couleur"),
                Paint::Orange => ("third colour", "troisième couleur"),
                Paint::Violet => ("fourth colour", "quatrième couleur"),
                Paint::On => ("so it is", "donc est"),
                Paint::Off => ("is not", "n'est pas"),
                Paint::Pivot => ("pivot", "pivot"),
                Paint::Pincer => ("pincer", "pince"),
                Paint::Set(number) => {
                    let letter = char::from(b'A' + number.saturating_sub(1));
                    let word = if language == Language::En { "set" } else { "ensemble" };
                    return format!("{word} {letter}");
                }
                Paint::Base | Paint::Pattern | Paint::NextSet => ("pattern", "motif"),
            },
        };
        match language {
            Language::En => english.to_string(),
            Language::Fr => french.to_string(),
        }
    }

    /// Its shape, on 24 by 24.
    pub(crate) fn shape(self) -> String {
        let square = |class: &str| {
            format!("<rect class=\"{class}\" x=\"3\" y=\"3\" width=\"18\" height=\"18\"/>")
        };
        match self {
            Sign::Starts => square("starts"),
            Sign::Ends => square("ends"),
            Sign::Tint => square("tint"),
            Sign::Ring => "<circle class=\"ring\" cx=\"12\" cy=\"12\" r=\"9\"/>".to_string(),
            Sign::Struck => "<circle class=\"out\" cx=\"12\" cy=\"12\" r=\"9\"/>\
                <path class=\"strike\" d=\"M5 19L19 5\"/>"
                .to_string(),
            Sign::Boxed => square("box"),
            Sign::Capsule => "<rect class=\"capsule\" x=\"1\" y=\"6\" width=\"22\" \
                height=\"12\" rx=\"6\"/>"
                .to_string(),
            Sign::Link(Line::Strong) => "<path class=\"link\" d=\"M1 12H16\"/>\
                <path class=\"head\" d=\"M16 8L23 12L16 16z\"/>"
                .to_string(),
            Sign::Link(Line::Weak) => "<path class=\"link weak\" d=\"M1 12H22\"/>\
                <path class=\"weak-head\" d=\"M17 8L22 12L17 16\"/>"
                .to_string(),
            Sign::Effect => "<path class=\"effect\" d=\"M1 12H23\"/>".to_string(),
            Sign::Link(Line::Group) => "<path class=\"link group\" d=\"M2 12H22\"/>".to_string(),
            Sign::Painted(Paint::Pivot) => {
                format!(
                    "{}<rect class=\"inner\" x=\"6\" y=\"6\" width=\"12\" height=\"12\"/>",
                    square("tint pivot")
                )
            }
            Sign::Painted(Paint::Cover) => {
                "<circle class=\"ring cover\" cx=\"12\" cy=\"12\" r=\"9\"/>".to_string()
            }
            Sign::Painted(paint) if paint.is_of_cells() => {
                square(&format!("tint {}", paint.name()))
            }
            Sign::Painted(paint) => shape(paint, (12.0, 12.0), 8.0, ""),
        }
    }
}

//! Cells, digits and houses as people say them, in two notations and two languages.

use std::sync::Arc;

use crate::board::{Candidate, Cell, Cells, Digit, Digits, Hole, House, HouseKind, Houses, Layout};

use super::branch::Branch;
use super::step::Conclusion;
use crate::meaning::{Hypothesis, Supposed, Value};

/// How cells are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// `r2c4`
    #[default]
    Rc,
    /// `B4`: a letter for the row, a number for the column.
    A1,
}

/// Which language explanations are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// French.
    Fr,
}

impl Language {
    /// Its name in a rule file: `explain fr "…"`.
    pub fn code(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Fr => "fr",
        }
    }
}

/// A layout, a notation and a language: all that naming something takes.
#[derive(Clone)]
pub struct Words {
    /// Which cells and houses there are.
    pub layout: Arc<Layout>,
    /// How cells are written.
    pub notation: Notation,
    /// Which language.
    pub language: Language,
}

/// More cells than this are written in the compact notation, `r2c1478`.
const CELLS_SPELT_OUT: usize = 3;

impl Words {
    /// The usual words for a layout: `r2c4`, English.
    pub fn plain(layout: Arc<Layout>) -> Words {
        Words { layout, notation: Notation::Rc, language: Language::En }
    }

    /// The one of two texts that is in this language.
    pub fn pick<T>(&self, english: T, french: T) -> T {
        match self.language {
            Language::En => english,
            Language::Fr => french,
        }
    }

    /// A colon and its spaces.
    pub fn colon(&self) -> &'static str {
        self.pick(": ", " : ")
    }

    /// The name of a row on the rim and in sentences: `3`, or `C`.
    pub fn row_label(&self, row: usize) -> String {
        match self.notation {
            Notation::Rc => (row + 1).to_string(),
            Notation::A1 => char::from(b'A' + row as u8).to_string(),
        }
    }

    /// A cell: `r2c4`, or `B4`.
    pub fn cell(&self, cell: Cell) -> String {
        match self.notation {
            Notation::Rc => self.layout.cell_name(cell),
            Notation::A1 => {
                let row = self.row_label(self.layout.row_index(cell));
                format!("{row}{}", self.layout.column_index(cell) + 1)
            }
        }
    }

    /// The cell that people write so, in either notation.
    pub fn cell_named(&self, name: &str) -> Option<Cell> {
        let name = name.trim();
        self.layout.cell_named(name).or_else(|| {
            let row = name.chars().next().filter(char::is_ascii_alphabetic)?.to_ascii_uppercase();
            let row = row as usize - 'A' as usize;
            let column = &name[1..];
            let plain = !column.is_empty() && column.bytes().all(|b| b.is_ascii_digit());
            let column: usize = if plain { column.parse().ok()? } else { return None };
            let size = self.layout.size();
            (row < size && (1..=size).contains(&column))
                .then(|| self.layout.cell_at(row, column - 1))
        })
    }

    /// `r2c4=7`
    pub fn equal(&self, candidate: Candidate) -> String {
        format!("{}={}", self.cell(candidate.cell), candidate.digit)
    }

    /// Cells as a list, `r1c2, r1c5 and r1c9`, or compactly where there are many.
    pub fn cells(&self, cells: Cells) -> String {
        if cells.is_empty() {
            return self.pick("no cell", "aucune case").to_string();
        }
        let compact = self.layout.size() <= 9 && cells.len() > CELLS_SPELT_OUT;
        if compact {
            return self.list(self.compact(cells));
        }
        self.list(cells.iter().map(|c| self.cell(c)).collect())
    }

    /// Cells grouped by rows that share the same columns: `r12c47`, `r5c3`.
    fn compact(&self, cells: Cells) -> Vec<String> {
        let size = self.layout.size();
        let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for row in 0..size {
            let columns: Vec<usize> =
                (0..size).filter(|&c| cells.contains(self.layout.cell_at(row, c))).collect();
            match groups.iter_mut().find(|(_, group)| *group == columns) {
                _ if columns.is_empty() => {}
                Some((rows, _)) => rows.push(row),
                None => groups.push((vec![row], columns)),
            }
        }
        let one = |(rows, columns): &(Vec<usize>, Vec<usize>)| {
            let rows: String = rows.iter().map(|&r| self.row_label(r)).collect();
            let columns: String = columns.iter().map(|c| (c + 1).to_string()).collect();
            match self.notation {
                Notation::Rc => format!("r{rows}c{columns}"),
                Notation::A1 => format!("{rows}{columns}"),
            }
        };
        groups.iter().map(one).collect()
    }

    /// Digits as a list: `2 and 6`.
    pub fn digits(&self, digits: Digits) -> String {
        if digits.is_empty() {
            return self.pick("no digit", "aucun chiffre").to_string();
        }
        self.list(digits.iter().map(|d| d.to_string()).collect())
    }

    /// A house: `row 3`, `ligne 3`.
    pub fn house(&self, house: House) -> String {
        match self.layout.own_name(house) {
            Some(name) => name.to_string(),
            None => format!("{} {}", self.kind(house, false), self.house_label(house)),
        }
    }

    /// Houses as a list: `rows 2 and 5`, `row 2 and box 4`.
    pub fn houses(&self, houses: Houses) -> String {
        let one = |same: &Vec<House>| match same[..] {
            [house] => self.house(house),
            [house, ..] if self.layout.own_name(house).is_some() => {
                self.list(same.iter().map(|&h| self.house(h)).collect())
            }
            _ => {
                let labels = same.iter().map(|&h| self.house_label(h)).collect();
                format!("{} {}", self.kind(same[0], true), self.list(labels))
            }
        };
        self.list(self.by_kind(houses).iter().map(one).collect())
    }

    /// Rows together, columns together, boxes together.
    fn by_kind(&self, houses: Houses) -> Vec<Vec<House>> {
        let mut kinds: Vec<Vec<House>> = Vec::new();
        for house in houses {
            let kind = self.layout.kind(house);
            match kinds.iter_mut().find(|same| self.layout.kind(same[0]) == kind) {
                Some(same) => same.push(house),
                None => kinds.push(vec![house]),
            }
        }
        kinds
    }

    fn kind(&self, house: House, many: bool) -> &'static str {
        let (one, several) = match (self.layout.kind(house), self.language) {
            (HouseKind::Row, Language::En) => ("row", "rows"),
            (HouseKind::Row, Language::Fr) => ("ligne", "lignes"),
            (HouseKind::Column, Language::En) => ("column", "columns"),
            (HouseKind::Column, Language::Fr) => ("colonne", "colonnes"),
            (HouseKind::Box, Language::En) => ("box", "boxes"),
            (HouseKind::Box, Language::Fr) => ("région", "régions"),
            (HouseKind::Extra, Language::En) => ("extra house", "extra houses"),
            (HouseKind::Extra, Language::Fr) => ("zone", "zones"),
        };
        if many { several } else { one }
    }

    fn house_label(&self, house: House) -> String {
        match self.layout.kind(house) {
            HouseKind::Row => self.row_label(self.layout.number(house) - 1),
            _ => self.layout.number(house).to_string(),
        }
    }

    /// A small number in letters: `two`, `deux`.
    pub fn number(&self, number: i64) -> String {
        const ENGLISH: [&str; 10] =
            ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
        const FRENCH: [&str; 10] =
            ["zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"];
        let names = self.pick(ENGLISH, FRENCH);
        match usize::try_from(number).ok().and_then(|n| names.get(n)) {
            Some(name) => name.to_string(),
            None => number.to_string(),
        }
    }

    /// Houses in a sentence. French wants articles: `dans la ligne 3`, `sur les lignes 2 et 5`.
    fn houses_in_sentence(&self, houses: Houses) -> String {
        match self.language {
            Language::En => self.houses(houses),
            Language::Fr => {
                let kinds = self.by_kind(houses);
                let one = |same: &Vec<House>| {
                    let named = self.houses(same.iter().copied().collect());
                    let article = match self.layout.own_name(same[0]) {
                        Some(_) => return named,
                        None if same.len() == 1 => "la",
                        None => "les",
                    };
                    format!("{article} {named}")
                };
                self.list(kinds.iter().map(one).collect())
            }
        }
    }

    /// A value as a rule file would have it: `r1c2`, `{3, 5}`; a house by its name.
    pub fn term(&self, value: &Value) -> String {
        let set = |members: Vec<String>| format!("{{{}}}", members.join(", "));
        match value {
            Value::Cells(cells) => set(cells.iter().map(|c| self.cell(c)).collect()),
            Value::Digits(digits) => set(digits.iter().map(|d| d.to_string()).collect()),
            Value::Houses(houses) => set(houses.iter().map(|h| self.house(h)).collect()),
            other => self.value(other),
        }
    }

    /// Whatever a variable stands for, as it is said in a sentence.
    pub fn value(&self, value: &Value) -> String {
        match *value {
            Value::Cell(cell) => self.cell(cell),
            Value::Digit(digit) => digit.to_string(),
            Value::House(house) => self.houses_in_sentence(Houses::only(house)),
            Value::Number(number) => self.number(number),
            Value::Cells(cells) => self.cells(cells),
            Value::Digits(digits) => self.digits(digits),
            Value::Houses(houses) => self.houses_in_sentence(houses),
        }
    }

    /// The same where it stands for itself; all rows and all columns are not told one by one.
    pub fn whole(&self, value: &Value) -> String {
        let all = |kind| Value::Houses(self.layout.houses_of_kind(kind));
        match value {
            value if *value == all(HouseKind::Row) => self.pick("rows", "lignes").to_string(),
            value if *value == all(HouseKind::Column) => {
                self.pick("columns", "colonnes").to_string()
            }
            value => self.value(value),
        }
    }

    /// `a, b and c`
    pub fn list(&self, items: Vec<String>) -> String {
        self.joined(items, self.pick(" and ", " et "))
    }

    /// `a, b or c`
    pub fn either(&self, items: Vec<String>) -> String {
        self.joined(items, self.pick(" or ", " ou "))
    }

    fn joined(&self, items: Vec<String>, last: &str) -> String {
        match &items[..] {
            [] => String::new(),
            [one] => one.clone(),
            [first @ .., end] => format!("{}{last}{end}", first.join(", ")),
        }
    }

    /// Every effect in signs: `r5c2=4`, `r4c5≠2, r6c5≠2/7`.
    pub fn effects(&self, conclusion: &Conclusion) -> String {
        let mut signs: Vec<String> = conclusion.places.iter().map(|&c| self.equal(c)).collect();
        for (cell, digits) in by_cell(&conclusion.eliminates) {
            let digits: Vec<String> = digits.iter().map(|d| d.to_string()).collect();
            signs.push(format!("{}≠{}", self.cell(cell), digits.join("/")));
        }
        if conclusion.contradiction {
            signs.push(self.pick("no solution is left", "il n'y a plus de solution").to_string());
        }
        signs.join(", ")
    }

    /// A hypothesis in signs: `r5c2=4`, `r1c1=2, r2c2=3`.
    pub fn hypothesis(&self, hypothesis: &Hypothesis) -> String {
        let sign = |supposed: &Supposed| match supposed {
            Supposed::Place(place) => self.equal(*place),
            Supposed::Eliminate(cells, digits) => {
                let of = |cell| digits.iter().map(move |digit| Candidate { cell, digit });
                let eliminates = cells.iter().flat_map(of).collect();
                self.effects(&Conclusion { eliminates, ..Conclusion::default() })
            }
            Supposed::Contradiction | Supposed::Fact(..) => String::new(),
        };
        hypothesis.supposed.iter().map(sign).collect::<Vec<_>>().join(", ")
    }

    /// What the steps under a hypothesis come to, where they do not say it themselves.
    pub fn so(&self, branch: &Branch) -> Option<String> {
        match branch.end.hole() {
            Some(hole) => {
                let why = self.hole(hole);
                Some(self.pick(format!("So {why}."), format!("Donc {why}.")))
            }
            None if branch.steps.is_empty() => {
                let at_once = self.pick("That says it already.", "Cela suffit déjà.");
                Some(at_once.to_string())
            }
            None => None,
        }
    }

    /// What is empty: `no candidate is left in r4c5`.
    pub fn hole(&self, hole: Hole) -> String {
        match hole {
            Hole::Cell(cell) => {
                let cell = self.cell(cell);
                self.pick(
                    format!("no candidate is left in {cell}"),
                    format!("il ne reste aucun candidat en {cell}"),
                )
            }
            Hole::House(house, digit) => {
                let house = self.house(house);
                self.pick(
                    format!("{digit} has no spot left in {house}"),
                    format!("{digit} n'a plus de place dans la {house}"),
                )
            }
        }
    }

    /// Every effect as a request: `Place 4 in r5c2.`, `Remove 2 from r4c5 and r6c5.`
    pub fn request(&self, conclusion: &Conclusion) -> String {
        let mut said = Vec::new();
        for &Candidate { cell, digit } in &conclusion.places {
            let cell = self.cell(cell);
            said.push(
                self.pick(
                    format!("Place {digit} in {cell}."),
                    format!("On place {digit} en {cell}."),
                ),
            );
        }
        for (digits, cells) in by_digits(&conclusion.eliminates) {
            let (digits, cells) = (self.digits(digits), self.cells(cells));
            said.push(self.pick(
                format!("Remove {digits} from {cells}."),
                format!("On retire {digits} de {cells}."),
            ));
        }
        if conclusion.contradiction {
            let none = self.pick("No solution is left.", "Il n'y a plus de solution.");
            said.push(none.to_string());
        }
        said.join(" ")
    }
}

/// Candidates as cells with their digits, in the order of the cells.
fn by_cell(candidates: &[Candidate]) -> Vec<(Cell, Digits)> {
    let mut cells: Vec<(Cell, Digits)> = Vec::new();
    for &Candidate { cell, digit } in candidates {
        match cells.iter_mut().find(|(c, _)| *c == cell) {
            Some((_, digits)) => digits.insert(digit),
            None => cells.push((cell, Digits::only(digit))),
        }
    }
    cells
}

/// Candidates as groups of cells that lose the same digits.
fn by_digits(candidates: &[Candidate]) -> Vec<(Digits, Cells)> {
    let mut groups: Vec<(Digits, Cells)> = Vec::new();
    for (cell, digits) in by_cell(candidates) {
        match groups.iter_mut().find(|(d, _)| *d == digits) {
            Some((_, cells)) => cells.insert(cell),
            None => groups.push((digits, Cells::only(cell))),
        }
    }
    groups
}

/// A digit that a person wrote: a number from 1, or a letter from 10 on where the size allows.
pub fn digit_named(layout: &Layout, text: &str) -> Option<Digit> {
    let number = match text.trim().parse::<usize>() {
        Ok(number) => number,
        Err(_) => {
            let mut letters = text.trim().chars();
            let letter = letters.next().filter(char::is_ascii_alphabetic)?.to_ascii_uppercase();
            letters.next().is_none().then_some(letter as usize - 'A' as usize + 10)?
        }
    };
    (1..=layout.size()).contains(&number).then(|| Digit::new(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(notation: Notation, language: Language) -> Words {
        Words { layout: Layout::classic(9).expect("a classic size"), notation, language }
    }

    fn cells(numbers: &[usize]) -> Cells {
        numbers.iter().map(|&i| Cell::at(i)).collect()
    }

    #[test]
    fn sets_are_said_as_people_say_them() {
        let english = words(Notation::Rc, Language::En);
        assert_eq!(english.cells(cells(&[1, 4, 8])), "r1c2, r1c5 and r1c9");
        assert_eq!(english.cells(cells(&[9, 12, 15, 17])), "r2c1479");
        assert_eq!(english.cells(cells(&[0, 1, 9, 10, 40])), "r12c12 and r5c5");
        assert_eq!(english.houses([1, 4].map(House::at).into_iter().collect()), "rows 2 and 5");
        let mixed = [1, 20].map(House::at).into_iter().collect();
        assert_eq!(english.houses(mixed), "row 2 and box 3");
        let french = words(Notation::A1, Language::Fr);
        assert_eq!(french.cells(cells(&[1, 40])), "A2 et E5");
        assert_eq!(french.houses(mixed), "ligne B et région 3");
    }

    #[test]
    fn effects_are_grouped() {
        let words = words(Notation::Rc, Language::En);
        let candidate = |cell, digit| Candidate { cell: Cell::at(cell), digit: Digit::new(digit) };
        let conclusion = Conclusion {
            places: vec![],
            eliminates: vec![
                candidate(40, 2),
                candidate(49, 2),
                candidate(50, 2),
                candidate(50, 7),
            ],
            contradiction: false,
        };
        assert_eq!(words.effects(&conclusion), "r5c5≠2, r6c5≠2, r6c6≠2/7");
        let request = "Remove 2 from r5c5 and r6c5. Remove 2 and 7 from r6c6.";
        assert_eq!(words.request(&conclusion), request);
    }

    #[test]
    fn cells_are_read_in_both_notations() {
        let words = words(Notation::Rc, Language::En);
        assert_eq!(words.cell_named("r5c2"), Some(Cell::at(37)));
        assert_eq!(words.cell_named("e2"), Some(Cell::at(37)));
        for wrong in ["r5", "r0c1", "r5c10", "J1", "A", "A+1", "é1", ""] {
            assert_eq!(words.cell_named(wrong), None, "{wrong}");
        }
    }
}

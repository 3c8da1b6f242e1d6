//! Calls of helpers with sets among their columns: rows to go through, sieved by what the
//! conditions say about one of the sets.

use crate::language::{Comparison, Function, Kind, Literal, PredicateId, SetOperation, Term, Var};

use super::super::bits::Width;
use super::super::code::{
    AnySet, CellsSet, Compared, Ends, Goes, JoinStep, Reached, RowTerm, SCANS, Scan, Seen, Sieve,
    SmallSet, Test,
};
use super::super::table::{IndexId, TableId};
use super::body::members;
use super::build::Builder;
use super::compile::{Compile, Compiler};
use super::masks::{is_bound, term_mask};

impl<W: Width> Compiler<'_, W> {
    /// A column of a row.
    pub(super) fn row_term(&mut self, term: &Term) -> Option<RowTerm> {
        let numbered = match term {
            Term::Var(v) if self.is_numbered(*v) => Some(self.place(*v)),
            _ => None,
        };
        Some(match (self.kind(term), numbered) {
            (Kind::Cells, Some(register)) => RowTerm::CellsNumber(register),
            (Kind::Digits | Kind::Houses, Some(register)) => RowTerm::SmallNumber(register),
            (Kind::Cells, None) => RowTerm::Cells(self.set(term)?),
            (Kind::Digits | Kind::Houses, None) => RowTerm::Small(self.set(term)?),
            _ => RowTerm::Scalar(self.scalar(term)?),
        })
    }

    /// Whether a table has a row, whatever is in the columns that nobody asks about.
    pub(super) fn row(&mut self, table: TableId, terms: &[Term]) -> Option<Test> {
        let is_told = |term: &Term| term_mask(term) & self.dropped == 0;
        let key: Vec<usize> = (0..terms.len()).filter(|&i| is_told(&terms[i])).collect();
        let reached = self.reached(table, terms);
        let key = if reached.is_some() { &key[1..] } else { &key[..] };
        let rows = self.rows(table, key, &[]);
        let key = key.iter().map(|&i| self.row_term(&terms[i])).collect::<Option<Vec<_>>>()?;
        Some(Test::Row(rows, key, reached))
    }

    /// For the ends of a chain: who reaches them, which is the first column.
    fn reached(&self, table: TableId, terms: &[Term]) -> Option<Reached> {
        let is_ends = self.tables.parts.is_ends(table);
        match terms.first().filter(|_| is_ends) {
            Some(Term::Var(v)) => Some(Reached { ends: table as u16, slot: self.place(*v) }),
            _ => None,
        }
    }

    fn rows(&mut self, table: TableId, key: &[usize], open: &[usize]) -> u16 {
        let id = self.tables.rows(table, key, open);
        if !self.indices.contains(&id) {
            self.indices.push(id);
        }
        match id {
            IndexId::Rows(rows) | IndexId::Cells(rows) | IndexId::Small(rows) => rows,
        }
    }

    fn goes(&self, v: Var) -> Goes {
        let place = self.place(v);
        match self.variables[v.index()].kind {
            Kind::Cells => Goes::Cells(place),
            Kind::Digits | Kind::Houses => Goes::Small(place),
            _ => Goes::Slot(place),
        }
    }
}

/// For `spots(D, A) within common_peers(S)`: D, A and S.
pub(super) fn sees_spots(literal: &Literal) -> Option<(&Term, &Term, &Term)> {
    match literal {
        Literal::Within(
            Term::Call(Function::Spots, spots),
            Term::Call(Function::CommonPeers, cells),
        ) => match &spots[..] {
            [Term::Lone(digit), own @ Term::Var(_)] => Some((digit, own, &cells[0])),
            _ => None,
        },
        _ => None,
    }
}

impl<W: Width> Builder<'_, W> {
    /// Goes through the rows of a helper.
    pub(super) fn scan(
        &mut self,
        place: usize,
        helper: PredicateId,
        terms: &[Term],
    ) -> Option<Scan> {
        let told = |term: &Term| term_mask(term) & self.compiler.dropped == 0;
        let columns = || (0..terms.len()).filter(|&i| told(&terms[i]));
        let key: Vec<usize> = columns().filter(|&i| is_bound(&terms[i], self.bound)).collect();
        let open: Vec<usize> = columns().filter(|i| !key.contains(i)).collect();
        let number = self.next_scan()?;
        let (bound, done) = (self.bound, self.done.clone());
        let reached = self.compiler.reached(helper.0 as usize, terms);
        // Which beginning it is, is a row of bits and not a key.
        let key = if reached.is_some() { &key[1..] } else { &key[..] };
        let rows = self.compiler.rows(helper.0 as usize, key, &open);
        let key = key.iter().map(|&i| self.compiler.row_term(&terms[i]));
        let mut scan = Scan {
            number,
            rows,
            key: key.collect::<Option<Vec<_>>>()?,
            open: Vec::new(),
            same: Vec::new(),
            unlike: Vec::new(),
            compared: Vec::new(),
            seen: Vec::new(),
            cells: Vec::new(),
            small: Vec::new(),
            reached,
            ends: None,
        };
        let mut seen: Vec<Var> = Vec::new();
        for &column in &open {
            let Term::Var(v) = terms[column] else { return None };
            let here = scan.open.len() as u8;
            scan.open.push(self.compiler.goes(v));
            match seen.iter().position(|&w| w == v) {
                Some(first) => scan.same.push((first as u8, here)),
                None => match self.body.kind(v) {
                    Kind::Cells => {
                        scan.seen.extend(self.seen(v, rows, here)?);
                        scan.cells.extend(self.sieve::<CellsSet>(v, rows, here)?);
                    }
                    Kind::Digits | Kind::Houses => {
                        scan.small.extend(self.sieve::<SmallSet>(v, rows, here)?);
                    }
                    _ => {}
                },
            }
            seen.push(v);
        }
        let used = (0..done.len()).filter(|&i| self.done[i] && !done[i]);
        let sieved = used.fold(0, |mask, i| mask | self.masks[i]);
        self.compare_columns(&seen, &mut scan);
        if self.is_for_effects() {
            self.compare_with_bound(&seen, &mut scan);
        }
        for v in seen {
            self.bound |= 1 << v.index();
            self.compiler.numbered |= 1 << v.index();
        }
        let asked = terms.iter().skip(usize::from(reached.is_some())).map(term_mask);
        let looks_at = bound & asked.fold(sieved, |mask, term| mask | term);
        self.link(&scan, looks_at);
        self.done[place] = true;
        if self.sizes.parts.is_begins(helper.0 as usize) {
            self.beginnings = Some((self.steps.len(), self.bound & !bound));
        }
        Some(scan)
    }

    fn next_scan(&mut self) -> Option<u8> {
        self.scans += 1;
        (self.scans <= SCANS).then_some(self.scans as u8 - 1)
    }

    /// Tells the scan of a chain's beginnings of that of its ends, if nothing but tests stands
    /// between them and these look at nothing that the beginning says.
    fn link(&mut self, scan: &Scan, looks_at: u64) {
        let (Some(reached), Some((step, told))) = (scan.reached, self.beginnings.take()) else {
            return;
        };
        let is_test = |step: &JoinStep| matches!(step, JoinStep::Test(_));
        if looks_at & told != 0 || !self.steps[step + 1..].iter().all(is_test) {
            return;
        }
        let JoinStep::Scan(beginnings) = &self.steps[step] else { return };
        let is_row = |goes: &Goes| *goes == Goes::Slot(reached.slot);
        let Some(place) = beginnings.open.iter().position(is_row) else { return };
        let Some(number) = self.next_scan() else {
            self.scans -= 1;
            return;
        };
        let (place, table) = (place as u8, reached.ends);
        let ends = Ends { scan: Scan { number, ..scan.clone() }, place, table };
        if let JoinStep::Scan(beginnings) = &mut self.steps[step] {
            beginnings.ends = Some(Box::new(ends));
        }
    }

    /// Columns of one row that must be the same, or must not be; sets of a kind are if their numbers
    /// are.
    fn compare_columns(&mut self, columns: &[Var], scan: &mut Scan) {
        for (i, literal) in self.body.literals.iter().enumerate() {
            let Literal::Compare(comparison, Term::Var(a), Term::Var(b)) = literal else {
                continue;
            };
            let place = |v: &Var| columns.iter().position(|w| w == v).map(|place| place as u8);
            let (false, Some(a), Some(b)) = (self.done[i], place(a), place(b)) else { continue };
            match comparison {
                Comparison::Equal => scan.same.push((a, b)),
                Comparison::Unequal => scan.unlike.push((a, b)),
                _ => continue,
            }
            self.done[i] = true;
        }
    }

    /// Columns that are compared with what is bound: by their numbers, if they are sets.
    fn compare_with_bound(&mut self, columns: &[Var], scan: &mut Scan) {
        for (i, literal) in self.body.literals.iter().enumerate() {
            let Literal::Compare(comparison, Term::Var(a), Term::Var(b)) = literal else {
                continue;
            };
            let place = |v: &Var| columns.iter().position(|w| w == v).map(|place| place as u8);
            let (place, other, turned) = match (place(a), place(b)) {
                _ if self.done[i] => continue,
                (Some(place), None) => (place, *b, false),
                (None, Some(place)) => (place, *a, true),
                _ => continue,
            };
            let is_bound = self.bound >> other.index() & 1 == 1;
            let has_number = match self.body.kind(other) {
                Kind::Number => false,
                kind => kind.set().is_some() || self.compiler.is_numbered(other),
            };
            let comparison = match (comparison, turned) {
                (Comparison::Unequal, _) => Comparison::Unequal,
                (Comparison::AtMost, false) => Comparison::AtMost,
                (Comparison::AtMost, true) => Comparison::AtLeast,
                _ => continue,
            };
            if is_bound && has_number {
                let with = self.compiler.goes(other);
                scan.compared.push(Compared { place, comparison, with });
                self.done[i] = true;
            }
        }
    }

    /// The cells that all spots of a digit in the set of one column must see.
    fn seen(&mut self, v: Var, rows: u16, place: u8) -> Option<Vec<Seen>> {
        let mut all = Vec::new();
        for i in 0..self.body.literals.len() {
            let fits = !self.done[i] && self.masks[i] & !self.bound == 1 << v.index();
            let Some((digit, own, other)) = sees_spots(&self.body.literals[i]).filter(|_| fits)
            else {
                continue;
            };
            // To see all of them is to be seen by all of them.
            let by = match (own, other) {
                (Term::Var(own), Term::Call(Function::Spots, terms)) if *own != v => {
                    match &terms[..] {
                        [Term::Lone(same), Term::Var(w)] if *w == v && **same == *digit => {
                            let own = Term::Var(*own);
                            Term::Call(Function::Spots, vec![terms[0].clone(), own])
                        }
                        _ => continue,
                    }
                }
                (own, other) if *own == Term::Var(v) && !other.mentions(v) => other.clone(),
                _ => continue,
            };
            let (digit, by) = (self.compiler.scalar(digit)?, self.compiler.set(&by)?);
            all.push(Seen { place, digit, by });
            self.compiler.tables.rows[rows as usize].sieve(place as usize);
            self.done[i] = true;
        }
        Some(all)
    }

    /// What the conditions say about the set of one column, given those bound before.
    fn sieve<S: Compile>(&mut self, v: Var, rows: u16, place: u8) -> Option<Option<Sieve<S>>> {
        let mut sieve = Sieve { place, outside: Vec::new(), inside: Vec::new() };
        for i in 0..self.body.literals.len() {
            let fits = self.masks[i] >> v.index() & 1 == 1
                && self.masks[i] & !self.bound == 1 << v.index();
            if !self.done[i] && fits && self.sieve_by(&self.body.literals[i], v, &mut sieve)? {
                self.done[i] = true;
            }
        }
        let used = sieve.outside.len() + sieve.inside.len() > 0;
        if used {
            self.compiler.tables.rows[rows as usize].sieve(place as usize);
        }
        Some(used.then_some(sieve))
    }

    /// Adds a condition to a sieve, if it is of a kind that can be.
    fn sieve_by<S: Compile>(
        &mut self,
        literal: &Literal,
        v: Var,
        sieve: &mut Sieve<S>,
    ) -> Option<bool> {
        let is = |term: &Term| *term == Term::Var(v);
        match literal {
            Literal::Within(left, right) if is(right) && !left.mentions(v) => {
                sieve.inside.push(self.compiler.set(left)?);
            }
            Literal::Within(left, right) if !right.mentions(v) => {
                let Some(part) = self.part_of::<S>(left, v)? else { return Some(false) };
                sieve.outside.push(match members(right) {
                    Some([]) => part,
                    _ => part.minus(self.compiler.set(right)?),
                });
            }
            Literal::In(x, set) if is(set) => {
                sieve.inside.push(S::only(self.compiler.scalar(x)?));
            }
            Literal::Not(inner) => match &**inner {
                Literal::In(x, set) if is(set) => {
                    sieve.outside.push(S::only(self.compiler.scalar(x)?));
                }
                _ => return Some(false),
            },
            _ => return Some(false),
        }
        Some(true)
    }

    /// For a term that is the part of the variable in some other set: that other set.
    fn part_of<S: Compile>(&mut self, term: &Term, v: Var) -> Option<Option<S>> {
        let is = |term: &Term| *term == Term::Var(v);
        let everything = S::everything(self.body.kind(v));
        Some(Some(match term {
            term if is(term) => everything,
            Term::Operation(SetOperation::Intersection, a, b) if is(a) && !b.mentions(v) => {
                self.compiler.set(b)?
            }
            Term::Operation(SetOperation::Intersection, a, b) if is(b) && !a.mentions(v) => {
                self.compiler.set(a)?
            }
            Term::Operation(SetOperation::Difference, a, b) if is(a) && !b.mentions(v) => {
                everything.minus(self.compiler.set(b)?)
            }
            Term::Call(Function::Spots, terms) if is(&terms[1]) && !terms[0].mentions(v) => {
                let planes = match &terms[0] {
                    Term::Lone(digit) => CellsSet::Plane(self.compiler.scalar(digit)?),
                    digits => CellsSet::Planes(Box::new(self.compiler.set(digits)?)),
                };
                S::of(&AnySet::Cells(planes))?.clone()
            }
            _ => return Some(None),
        }))
    }

    /// The step of a scan, with what it does in words.
    pub(super) fn push_scan(&mut self, scan: Scan, words: String) {
        self.push(JoinStep::Scan(Box::new(scan)), words);
    }
}

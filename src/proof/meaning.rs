//! What a recursive helper means, found by itself: the values its nodes can have.
//!
//! A node is a cell with a digit; it is true where the solution has the digit there. The meaning of
//! a helper is the set of rows of truth values that its nodes can have whenever it holds. It is the
//! least fixpoint over the helper's clauses: a row is added when some clause allows it, the
//! recursive calls in its body taken by their meaning so far. Each clause is thus a step of an
//! induction, and the verdict holds for chains of any length.

use std::sync::Arc;

use crate::board::{Digit, Layout};
use crate::language::{
    Clause, Comparison, Head, Kind, Literal, Predicate, PredicateId, Recursion, Relation, RuleSet,
    Term, TooMany,
};

use super::budget::Budget;
use super::encode::Encoder;
use super::flatten::{Flat, flatten, recursive_helpers, unfolding};
use super::inquiry::{Aim, First, Inquiry, Tally};
use super::lemma::{self, Lemma, held};
use super::sat::Lit;
use super::symbol::Symbol;
use super::walk::Flow;
use super::wording::{argument_names, pair_in_words};
use crate::meaning::{Truth, Value};

/// A cell argument and a digit argument of a helper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    cell: usize,
    digit: usize,
}

/// The rows that the nodes of a helper can have: bit `r` for row `r`, bit `i` of `r` for node `i`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    nodes: Vec<Node>,
    rows: u64,
    /// What is true of its sets besides.
    lemmas: Vec<Lemma>,
}

/// More nodes than this would make too many rows.
const MOST_NODES: usize = 6;
/// More nodes than this in a clause are not tried as free truth values.
const MOST_FREE_NODES: usize = 14;
/// Of such values, so many are tried in a step.
const ROWS_A_STEP: u64 = 30;

impl Meaning {
    /// No rows yet. Nothing for a helper without cells or without digits.
    ///
    /// Arguments that alternate (cell, digit, cell, digit) are paired as they stand; else every
    /// cell goes with every digit.
    fn empty(predicate: &Predicate) -> Option<Meaning> {
        let is = |kind: Kind| matches!(kind, Kind::Cell | Kind::Cells);
        let places = |wanted: &dyn Fn(Kind) -> bool| -> Vec<usize> {
            (0..predicate.kinds.len()).filter(|&i| wanted(predicate.kinds[i])).collect()
        };
        let cells = places(&is);
        let digits = places(&|kind| kind == Kind::Digit);
        let nodes: Vec<Node> = if cells.len() == digits.len()
            && cells.iter().zip(&digits).all(|(&cell, &digit)| digit == cell + 1)
        {
            cells.iter().zip(&digits).map(|(&cell, &digit)| Node { cell, digit }).collect()
        } else {
            let with = |&cell: &usize| digits.iter().map(move |&digit| Node { cell, digit });
            cells.iter().flat_map(with).collect()
        };
        (1..=MOST_NODES).contains(&nodes.len()).then_some(Meaning {
            nodes,
            rows: 0,
            lemmas: Vec::new(),
        })
    }

    fn all_rows(&self) -> u64 {
        match 1u32 << self.nodes.len() {
            64 => u64::MAX,
            rows => (1 << rows) - 1,
        }
    }

    /// The digit of the first node.
    pub(super) fn first_digit(&self, arguments: &[Symbol]) -> Option<Digit> {
        match arguments[self.nodes.first()?.digit] {
            Value::Digit(digit) => Some(digit),
            _ => None,
        }
    }

    /// The truth of each node, for these arguments.
    pub(super) fn nodes(&self, encoder: &mut Encoder, arguments: &[Symbol]) -> Vec<Lit> {
        let mut truths = Vec::new();
        for node in &self.nodes {
            let Value::Digit(digit) = arguments[node.digit] else {
                unreachable!("a node has a digit");
            };
            truths.push(match &arguments[node.cell] {
                Value::Cell(cell) => encoder.solution(*cell, digit),
                Value::Cells(cells) => held(encoder, cells, digit),
                other => unreachable!("{other:?} is not a place"),
            });
        }
        truths
    }

    /// Conditions that together say: the nodes have a row of the meaning, and its lemmas are true.
    pub(super) fn conditions(
        &self,
        encoder: &mut Encoder,
        arguments: &[Symbol],
        out: &mut Vec<Lit>,
    ) {
        if self.rows == 0 {
            return out.push(Lit::FALSE);
        }
        let truths = self.nodes(encoder, arguments);
        for row in (0..1usize << truths.len()).filter(|row| self.rows >> row & 1 == 0) {
            let differs = truths.iter().enumerate();
            let differs = differs.map(|(i, &l)| if row >> i & 1 == 1 { !l } else { l }).collect();
            out.push(encoder.or(differs));
        }
        for lemma in &self.lemmas {
            lemma.conditions(encoder, arguments, out);
        }
    }

    /// In words, with the names of the helper's first clause where it has them.
    pub(super) fn in_words(&self, predicate: &Predicate) -> String {
        let names = argument_names(predicate);
        let node = |i: usize, holds: bool| {
            let Node { cell, digit } = self.nodes[i];
            let verb = match (predicate.kinds[cell], holds) {
                (Kind::Cells, true) => "has",
                (Kind::Cells, false) => "has no",
                (_, true) => "is",
                (_, false) => "is not",
            };
            format!("{} {verb} {}", names[cell], names[digit])
        };
        let count = self.nodes.len();
        let lemmas = self.lemmas.iter().map(|lemma| lemma.in_words(&names));
        let lemmas: Vec<String> = lemmas.collect();
        let said = if !lemmas.is_empty() && self.rows == self.all_rows() {
            lemmas.join("; ")
        } else if self.rows == 0 {
            "never holds".to_string()
        } else if self.rows == self.all_rows() {
            "says nothing certain".to_string()
        } else if count == 1 {
            node(0, self.rows == 0b10)
        } else {
            let mut known = self.all_rows();
            let mut parts = Vec::new();
            for a in 0..count {
                for b in a + 1..count {
                    let pair = self.pair(a, b);
                    let narrower = known & self.rows_with(a, b, pair);
                    if narrower != known {
                        known = narrower;
                        parts.push(pair_in_words(pair, &|x, holds| node([a, b][x], holds)));
                    }
                }
            }
            if known == self.rows {
                parts.join("; ")
            } else {
                format!("one of {} combinations of its nodes", self.rows.count_ones())
            }
        };
        format!("`{}({})`: {said}", predicate.name, names.join(","))
    }

    /// The values that two nodes have together: bit 0 for neither, 1 for the first, 2 for the
    /// second, 3 for both.
    fn pair(&self, a: usize, b: usize) -> u8 {
        let rows = (0..1usize << self.nodes.len()).filter(|row| self.rows >> row & 1 == 1);
        rows.fold(0, |all, row| all | 1 << ((row >> a & 1) | (row >> b & 1) << 1))
    }

    fn rows_with(&self, a: usize, b: usize, pair: u8) -> u64 {
        let rows = (0..1usize << self.nodes.len())
            .filter(|row| pair >> ((row >> a & 1) | (row >> b & 1) << 1) & 1 == 1);
        rows.fold(0, |all, row| all | 1 << row)
    }
}

/// The meanings of the helpers of a rule set, as far as they were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Meanings {
    known: Vec<Option<Meaning>>,
    kept: Vec<PredicateId>,
    inside: Vec<PredicateId>,
    /// Those worth telling an author about.
    told: Vec<PredicateId>,
}

impl Meanings {
    /// A helper's meaning, if it has one.
    pub(super) fn of(&self, helper: PredicateId) -> Option<&Meaning> {
        self.known.get(usize::from(helper.0))?.as_ref()
    }

    fn at(&mut self, helper: PredicateId) -> &mut Option<Meaning> {
        let place = usize::from(helper.0);
        if self.known.len() <= place {
            self.known.resize(place + 1, None);
        }
        &mut self.known[place]
    }

    /// The helpers that are not unfolded although they could be: their lemmas are used instead.
    pub(super) fn kept(&self) -> &[PredicateId] {
        &self.kept
    }

    /// The helpers whose meaning is used where a `forall` says that they hold.
    pub(super) fn inside(&self) -> &[PredicateId] {
        &self.inside
    }

    /// The arguments of a helper that are a set of cells and their candidates.
    pub(super) fn candidates(&self, helper: PredicateId) -> Vec<(usize, usize)> {
        let lemmas = self.of(helper).map_or(&[][..], |meaning| &meaning.lemmas);
        lemmas.iter().filter_map(Lemma::candidates).collect()
    }

    /// The helpers that have one, in words.
    pub(super) fn in_words(&self, rules: &RuleSet) -> Vec<String> {
        let said = |&helper: &PredicateId| Some(self.of(helper)?.in_words(rules.predicate(helper)));
        self.told.iter().filter_map(said).collect()
    }

    /// Finds the meanings of what some clauses rest on: recursive helpers, those with many clauses
    /// about sets, those inside of a `forall`, and the helpers that these call. And the steps it
    /// took.
    pub(super) fn infer(
        rules: &RuleSet,
        layout: &Arc<Layout>,
        clauses: &[Clause],
        symmetry: bool,
        budget: Budget,
    ) -> (Meanings, u64) {
        let meanings = Meanings::asked(rules, clauses, false);
        let inquiry = Inquiry::new(rules, layout, meanings, symmetry, budget);
        Meanings::find(inquiry, clauses)
    }

    /// The same on every layout with so many digits.
    pub(super) fn infer_generally(
        rules: &RuleSet,
        size: usize,
        clauses: &[Clause],
        budget: Budget,
    ) -> (Meanings, u64) {
        let meanings = Meanings::asked(rules, clauses, true);
        Meanings::find(Inquiry::about_all(rules, size, meanings, budget), clauses)
    }

    /// The helpers that are asked for, nothing known of them yet; with `all`, every one that stands
    /// inside of a `forall`.
    fn asked(rules: &RuleSet, clauses: &[Clause], all: bool) -> Meanings {
        let mut told = recursive_helpers(rules, clauses);
        let kept = lemma::kept(rules, clauses);
        told.extend(&kept);
        let resting_on = (!all).then_some(&told[..]);
        let inside = lemma::inside(rules, clauses, resting_on);
        told.extend(inside.iter().filter(|helper| !told.contains(helper)).collect::<Vec<_>>());
        Meanings { known: Vec::new(), kept, inside, told }
    }

    fn find(inquiry: Inquiry, clauses: &[Clause]) -> (Meanings, u64) {
        let rules = inquiry.rules;
        let told = inquiry.meanings.told.clone();
        let recursive = recursive_helpers(rules, clauses).len();
        let mut inference = Inference { inquiry };
        for &helper in &told[recursive..] {
            inference.lemmas(helper);
        }
        // All helpers that one of these rests on, recursive or not, grow together: one that was
        // closed while another was still empty would know too little.
        let all = rules.reachable(told);
        for &helper in &all {
            let meaning = inference.inquiry.meanings.at(helper);
            match (Meaning::empty(rules.predicate(helper)), meaning.as_mut()) {
                (Some(empty), Some(known)) => known.rows = empty.rows,
                (None, Some(_)) => {}
                (empty, None) => *meaning = empty,
            }
        }
        let clauses: Vec<(PredicateId, &Clause)> = all
            .iter()
            .flat_map(|&h| rules.predicate(h).clauses.iter().map(move |clause| (h, clause)))
            .collect();
        inference.close(&clauses);
        let Inquiry { meanings, encoder, .. } = inference.inquiry;
        (meanings, encoder.spent())
    }
}

/// The fixpoint under way.
struct Inference<'a> {
    inquiry: Inquiry<'a>,
}

impl Inference<'_> {
    /// Finds the lemmas of a helper: what of the stock all its clauses allow. Those of the helpers
    /// it rests on are known by now; one that rests on a recursive helper has none, as what that
    /// means is found later.
    fn lemmas(&mut self, helper: PredicateId) {
        let rules = self.inquiry.rules;
        let predicate = rules.predicate(helper);
        let empty = Meaning { nodes: Vec::new(), rows: 1, lemmas: Vec::new() };
        let mut meaning = Meaning::empty(predicate).unwrap_or(empty);
        meaning.rows = meaning.all_rows();
        if !rules.reachable([helper]).iter().any(|&h| rules.predicate(h).recursive) {
            for lemma in Lemma::stock(predicate) {
                let known = meaning.lemmas.iter().any(|other| lemma.follows(other));
                if !known && predicate.clauses.iter().all(|clause| self.allows(clause, lemma)) {
                    meaning.lemmas.push(lemma);
                }
            }
        }
        *self.inquiry.meanings.at(helper) = Some(meaning);
    }

    /// A clause with its helpers unfolded, but for the recursive ones.
    fn unfolded(&mut self, clause: &Clause) -> Result<Vec<Flat>, TooMany> {
        let Inquiry { rules, encoder, meanings, .. } = &mut self.inquiry;
        let budget = encoder.budget();
        let flats = flatten(rules, clause, Recursion::Keep, meanings.kept(), true, budget);
        encoder.count_steps(unfolding(&flats, budget));
        flats
    }

    /// Whether a clause makes a lemma true: no binding goes against it, and all were looked at.
    fn allows(&mut self, clause: &Clause, lemma: Lemma) -> bool {
        let Ok(flats) = self.unfolded(clause) else { return false };
        let before = self.inquiry.tally;
        self.inquiry.last_question = u64::MAX;
        let layout = self.inquiry.encoder.layout().clone();
        flats.iter().all(|flat| {
            let Some(used) = self.inquiry.named(flat) else { return true };
            lemma.cases(&layout, used).iter().all(|case| {
                let flow = self.inquiry.ask(flat, None, Aim::Against(lemma, case), &mut First);
                let Tally { unknown, models, .. } = self.inquiry.tally;
                flow != Flow::Stop && unknown == before.unknown && models == before.models
            })
        })
    }

    /// Adds rows until no clause allows another. Where the work allowed ends first, every row may
    /// be.
    fn close(&mut self, clauses: &[(PredicateId, &Clause)]) {
        loop {
            let mut grown = false;
            for &(helper, clause) in clauses {
                while self.grow(helper, clause) {
                    grown = true;
                }
                if self.inquiry.encoder.is_full() {
                    let known = self.inquiry.meanings.known.iter_mut().flatten();
                    known.for_each(|meaning| meaning.rows = meaning.all_rows());
                    return;
                }
            }
            if !grown {
                return;
            }
        }
    }

    /// Adds a row that a clause allows, if there is one that is not known yet.
    fn grow(&mut self, helper: PredicateId, clause: &Clause) -> bool {
        let Some(meaning) = self.inquiry.meanings.of(helper).cloned() else { return false };
        let (free, tried) = free_rows(&self.inquiry.meanings, &meaning, clause);
        self.inquiry.encoder.count_steps(1 + tried / ROWS_A_STEP);
        let free = free & !meaning.rows;
        if free == 0 {
            return false;
        }
        let rows = match self.exact_row(helper, clause) {
            Some(found) => found,
            None => free,
        };
        let meaning = self.inquiry.meanings.at(helper).as_mut().expect("it was there before");
        let grown = rows & !meaning.rows != 0;
        meaning.rows |= rows;
        grown
    }

    /// A new row as a bit, no bit if there is none, nothing if that is too hard to tell.
    fn exact_row(&mut self, helper: PredicateId, clause: &Clause) -> Option<u64> {
        let flats = self.unfolded(clause).ok()?;
        let last = self.inquiry.tally.questions + self.inquiry.encoder.budget().row_questions();
        for flat in &flats {
            self.inquiry.row = None;
            self.inquiry.last_question = last;
            let unknown = self.inquiry.tally.unknown;
            let flow = self.inquiry.ask(flat, None, Aim::Outside(helper), &mut First);
            if self.inquiry.tally.unknown > unknown {
                return None;
            }
            if let (Flow::Stop, Some(row)) = (flow, self.inquiry.row) {
                return Some(1 << row);
            }
        }
        Some(0)
    }
}

/// The rows that a clause allows when its nodes are free truth values: only its helper calls, by
/// their meanings, and what sees or differs, tie them together. And how many values were tried.
fn free_rows(meanings: &Meanings, head: &Meaning, clause: &Clause) -> (u64, u64) {
    let Some(Head::Helper(formals)) = clause.heads.first() else { return (0, 0) };
    let mut nodes: Vec<(&Term, &Term)> = Vec::new();
    let mut number = |cell, digit| {
        nodes.iter().position(|&node| node == (cell, digit)).unwrap_or_else(|| {
            nodes.push((cell, digit));
            nodes.len() - 1
        })
    };
    let head_nodes: Vec<usize> =
        head.nodes.iter().map(|node| number(&formals[node.cell], &formals[node.digit])).collect();
    let mut calls: Vec<(Vec<usize>, u64)> = Vec::new();
    for goal in &clause.body {
        let Literal::Call(helper, terms) = &goal.literal else { continue };
        let Some(meaning) = meanings.of(*helper) else { continue };
        if meaning.rows == 0 {
            return (0, 0);
        }
        let nodes = meaning
            .nodes
            .iter()
            .map(|node| number(&terms[node.cell], &terms[node.digit]))
            .collect();
        calls.push((nodes, meaning.rows));
    }
    if nodes.len() > MOST_FREE_NODES {
        return (head.all_rows(), 0);
    }
    let mut never_both: Vec<(usize, usize)> = Vec::new();
    for goal in &clause.body {
        for (i, a) in nodes.iter().enumerate() {
            for (j, b) in nodes.iter().enumerate() {
                let excluded = match &goal.literal {
                    Literal::Relation(Relation::Sees, terms) => {
                        a.1 == b.1 && *a.0 == terms[0] && *b.0 == terms[1]
                    }
                    Literal::Relation(Relation::Excludes, terms) => {
                        [*a.0 == terms[0], *a.1 == terms[1], *b.0 == terms[2], *b.1 == terms[3]]
                            == [true; 4]
                    }
                    // One cell has one digit; a set of cells may have two.
                    Literal::Compare(Comparison::Unequal, x, y) => {
                        let one_cell = clause.kind_of(a.0) == Kind::Cell;
                        one_cell && a.0 == b.0 && a.1 == x && b.1 == y
                    }
                    _ => false,
                };
                if excluded {
                    never_both.push((i, j));
                }
            }
        }
    }
    let bit = |value: usize, node: usize| value >> node & 1;
    let row = |value: usize, nodes: &[usize]| -> usize {
        nodes.iter().enumerate().map(|(i, &node)| bit(value, node) << i).sum()
    };
    let mut rows = 0;
    for value in 0..1usize << nodes.len() {
        let fits = calls.iter().all(|(nodes, allowed)| allowed >> row(value, nodes) & 1 == 1)
            && never_both.iter().all(|&(a, b)| bit(value, a) & bit(value, b) == 0);
        if fits {
            rows |= 1 << row(value, &head_nodes);
        }
    }
    (rows, 1 << nodes.len())
}

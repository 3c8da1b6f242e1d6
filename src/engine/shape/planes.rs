//! Clauses about one digit, or one cell, whose houses and cells are known beforehand.
//!
//! With the houses and cells bound, such a clause says: *if this digit has no candidate in these
//! cells, it goes from those cells* (or into that cell). Listing all bindings gives pairs of cell
//! sets, whatever the clause looked like; [`Questions`] asks for whole families of them at once.

use crate::board::Cells;
use crate::language::{
    Comparison, ConstantSet, Function, Head, Kind, Literal, Relation, SetOperation, Term, Var,
};
use crate::trace::Value;

use super::normal::Normal;
use super::questions::{Effect, Pair, Questions};
use crate::meaning::Scene;

/// Bindings tried before a clause is left to the join.
const MOST_BINDINGS: usize = 200_000;
/// Pairs that are still cheaper than a join.
const MOST_PAIRS: usize = 2_000;

/// The questions of a clause, if it has this shape.
pub(super) fn recognise(normal: &Normal, ground: Scene) -> Option<(Effect, Questions)> {
    if let [Head::Place(cell, digit)] = &normal.heads[..]
        && is_alone_in_cell(normal, cell, digit)
    {
        return Some((Effect::Place, Questions { alone_in_cell: true, ..Default::default() }));
    }
    let (effect, digit) = effect_and_digit(&normal.heads)?;
    let mut search = Search {
        digit,
        effect,
        conditions: Vec::new(),
        known: Vec::new(),
        says: Vec::new(),
        heads: &normal.heads,
        eliminated: Vec::new(),
        open: Vec::new(),
        bindings: 0,
        pairs: Vec::new(),
    };
    for head in &normal.heads {
        if let Head::Eliminate(cells, _) = head {
            search.eliminated.push(search.looked(cells));
        }
    }
    for literal in &normal.body {
        search.sort_in(literal, &normal.body)?;
    }
    for v in (0..normal.variables.len()).map(|v| Var(v as u16)) {
        if v != digit && normal.uses(v) {
            if !matches!(normal.variables[v.index()].kind, Kind::Cell | Kind::House) {
                return None;
            }
            search.open.push((v, normal.variables[v.index()].kind));
        }
    }
    if search.conditions.is_empty() {
        return None;
    }
    let layout = ground.layout();
    let open = || search.open.iter().map(|(v, _)| *v);
    let says = |literal: &Literal| open().filter(|v| literal.mentions(*v)).collect();
    search.says = search.known.iter().map(says).collect();
    let all: Vec<usize> = (0..search.known.len()).collect();
    search.bind(&mut { ground }, &all, None)?;
    let questions = match effect {
        Effect::Place => Questions::of_places(search.pairs, layout)?,
        Effect::Eliminate => Questions::of_eliminations(search.pairs, layout),
    };
    (questions.pairs.len() <= MOST_PAIRS).then_some((effect, questions))
}

/// `candidates(C) within {D}` or the like, and nothing else but that C is not placed yet.
fn is_alone_in_cell(normal: &Normal, cell: &Term, digit: &Term) -> bool {
    let (Term::Var(_), Term::Var(_)) = (cell, digit) else { return false };
    let candidates = Term::Call(Function::Candidates, vec![Term::Lone(Box::new(cell.clone()))]);
    let alone = Term::Lone(Box::new(digit.clone()));
    let size = Term::Size(Box::new(candidates.clone()));
    let (mut is_all, mut is_one, mut is_live) = (false, false, false);
    for literal in &normal.body {
        match literal {
            Literal::Within(left, right) | Literal::Compare(Comparison::Equal, left, right)
                if *left == candidates && *right == alone =>
            {
                is_all = true;
            }
            Literal::Compare(Comparison::Equal, left, right)
                if *right == candidates && *left == alone =>
            {
                is_all = true;
            }
            Literal::Compare(Comparison::Equal | Comparison::AtMost, left, Term::Number(1))
                if *left == size =>
            {
                is_one = true;
            }
            Literal::Compare(Comparison::Equal, Term::Number(1), right) if *right == size => {
                is_one = true;
            }
            Literal::In(member, set) if member == digit && *set == candidates => is_live = true,
            Literal::Relation(Relation::Live, terms) if terms[0] == *cell && terms[1] == *digit => {
                is_live = true;
            }
            Literal::In(member, Term::Constant(ConstantSet::Unsolved)) if member == cell => {}
            Literal::In(member, Term::Constant(ConstantSet::Digits)) if member == digit => {}
            _ => return false,
        }
    }
    is_all || (is_one && is_live)
}

fn effect_and_digit(heads: &[Head]) -> Option<(Effect, Var)> {
    let mut found = None;
    for head in heads {
        let (effect, digit) = match head {
            Head::Place(_, Term::Var(digit)) if heads.len() == 1 => (Effect::Place, *digit),
            Head::Eliminate(_, Term::Lone(digit)) => match **digit {
                Term::Var(digit) => (Effect::Eliminate, digit),
                _ => return None,
            },
            _ => return None,
        };
        if found.is_some_and(|(_, other)| other != digit) {
            return None;
        }
        found = Some((effect, digit));
    }
    found
}

/// A term as far as its cells are known: of `spots(D, …)`, those that it looks at.
enum Looked {
    Cells(Term),
    Combined(SetOperation, Box<(Looked, Looked)>),
}

impl Looked {
    fn cells(&self, ground: &Scene) -> Option<Cells> {
        match self {
            Looked::Cells(term) => ground.cells(term),
            Looked::Combined(operation, both) => {
                let (left, right) = (both.0.cells(ground)?, both.1.cells(ground)?);
                Some(operation.of(left, right))
            }
        }
    }
}

/// The bindings of the known variables, one after the other.
struct Search<'a> {
    digit: Var,
    effect: Effect,
    /// The digit's spots in the first are within the second.
    conditions: Vec<(Looked, Looked)>,
    /// Conditions that do not look at candidates.
    known: Vec<Literal>,
    /// Of which of the variables to bind each of them says something.
    says: Vec<Vec<Var>>,
    heads: &'a [Head],
    /// The cells of those heads that eliminate.
    eliminated: Vec<Looked>,
    /// Variables to bind.
    open: Vec<(Var, Kind)>,
    bindings: usize,
    pairs: Vec<Pair>,
}

impl Search<'_> {
    /// Takes a condition in; nothing if it does not belong to this shape.
    fn sort_in(&mut self, literal: &Literal, body: &[Literal]) -> Option<()> {
        let place = match self.heads {
            [Head::Place(cell, _)] => Some(cell),
            _ => None,
        };
        let digit = Term::Var(self.digit);
        let is_place = |term: &Term| place == Some(term);
        match literal {
            Literal::In(cell, Term::Constant(ConstantSet::Unsolved)) if is_place(cell) => {}
            Literal::Relation(Relation::Live, terms)
                if is_place(&terms[0]) && terms[1] == digit => {}
            Literal::In(cell, set) if is_place(cell) && self.is_spots(set) => {}
            Literal::Within(left, right) if self.is_spots(left) => {
                self.add_condition(left, right);
            }
            Literal::Compare(Comparison::Equal, left, right @ Term::Lone(cell))
                if is_place(cell) && self.is_spots(left) =>
            {
                self.add_condition(left, right);
            }
            Literal::Compare(Comparison::Equal, left @ Term::Lone(cell), right)
                if is_place(cell) && self.is_spots(right) =>
            {
                self.add_condition(right, left);
            }
            Literal::Compare(Comparison::Equal | Comparison::AtMost, Term::Size(set), one)
                if *one == Term::Number(1) && self.is_spots(set) =>
            {
                let cell = place?;
                let is_member = |l: &Literal| *l == Literal::In(cell.clone(), (**set).clone());
                body.iter().any(is_member).then_some(())?;
                self.add_condition(set, &Term::Lone(Box::new(cell.clone())));
            }
            other => self.known.push(other.clone()),
        }
        Some(())
    }

    fn add_condition(&mut self, spots: &Term, within: &Term) {
        self.conditions.push((self.looked(spots), self.looked(within)));
    }

    /// Whether a term is `spots(D, …)`, perhaps cut down by other sets.
    fn is_spots(&self, term: &Term) -> bool {
        match term {
            Term::Call(Function::Spots, arguments) => {
                arguments[0] == Term::Lone(Box::new(Term::Var(self.digit)))
            }
            Term::Operation(SetOperation::Intersection, l, r) => {
                self.is_spots(l) || self.is_spots(r)
            }
            Term::Operation(SetOperation::Difference, l, _) => self.is_spots(l),
            Term::Operation(SetOperation::Union, l, r) => self.is_spots(l) && self.is_spots(r),
            _ => false,
        }
    }

    /// Those cells of which a term takes the ones where the digit is possible, or simply its
    /// cells.
    fn looked(&self, term: &Term) -> Looked {
        match term {
            Term::Call(_, arguments) if self.is_spots(term) => Looked::Cells(arguments[1].clone()),
            Term::Operation(operation, l, r) if self.is_spots(term) => {
                Looked::Combined(*operation, Box::new((self.looked(l), self.looked(r))))
            }
            term => Looked::Cells(term.clone()),
        }
    }

    /// Binds the open variables in every way; nothing if there are too many. `unsure` are the
    /// known conditions that were not known to hold before the last variable was bound: what holds
    /// for some of the variables needs no second look, nor what says nothing of the last one.
    fn bind(&mut self, ground: &mut Scene, unsure: &[usize], last: Option<Var>) -> Option<()> {
        self.bindings += 1;
        if self.bindings > MOST_BINDINGS {
            return None;
        }
        let mut still = Vec::with_capacity(unsure.len());
        for &i in unsure {
            let is_same = last.is_some_and(|last| !self.says[i].contains(&last));
            match if is_same { None } else { ground.holds(&self.known[i]) } {
                Some(true) => {}
                Some(false) => return Some(()),
                None => still.push(i),
            }
        }
        let open = self.open.iter().filter(|(v, _)| ground.bound[v.index()].is_none());
        let generated = open.clone().find_map(|&(v, _)| {
            still.iter().enumerate().find_map(|(place, &i)| match &self.known[i] {
                Literal::In(Term::Var(w), set) if *w == v => {
                    ground.value(set).map(|set| (place, v, set.members()))
                }
                _ => None,
            })
        });
        // Houses first: there are fewer, and with them the cells are often given.
        let next = open.min_by_key(|(_, kind)| *kind == Kind::Cell);
        let (var, values) = match (generated, next) {
            (Some((place, var, values)), _) => {
                // Each of them is a member.
                still.remove(place);
                (var, values)
            }
            (None, Some(&(v, Kind::Cell))) => {
                (v, ground.layout().all_cells().iter().map(Value::Cell).collect())
            }
            (None, Some(&(v, _))) => {
                (v, ground.layout().all_houses().iter().map(Value::House).collect())
            }
            (None, None) => return self.leaf(ground, &still),
        };
        for value in values {
            ground.bound[var.index()] = Some(value);
            self.bind(ground, &still, Some(var))?;
        }
        ground.bound[var.index()] = None;
        Some(())
    }

    /// All known variables are bound: adds the pair, if the known conditions hold for any digit.
    fn leaf(&mut self, ground: &Scene, unsure: &[usize]) -> Option<()> {
        let trivial = |i: &usize| {
            matches!(&self.known[*i],
                Literal::In(Term::Var(v), Term::Constant(ConstantSet::Digits)) if *v == self.digit)
        };
        if !unsure.iter().all(trivial) {
            return None;
        }
        let mut pair = Pair { empty: Cells::EMPTY, then: Cells::EMPTY };
        for (left, right) in &self.conditions {
            pair.empty |= left.cells(ground)? - right.cells(ground)?;
        }
        for cells in &self.eliminated {
            pair.then |= cells.cells(ground)?;
        }
        if let [Head::Place(cell, _)] = self.heads {
            pair.then.insert(ground.cell(cell)?);
        }
        if self.effect == Effect::Eliminate {
            pair.then -= pair.empty;
        }
        let layout = ground.layout();
        let impossible = pair.empty.len() >= layout.size()
            && layout.all_houses().iter().any(|h| layout.cells(h).within(&pair.empty));
        if !impossible && !pair.then.is_empty() {
            self.pairs.push(pair);
        }
        Some(())
    }
}

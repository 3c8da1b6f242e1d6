//! A clause as it is asked of a layout that is not known: of all cells only some are looked at.
//!
//! A set stands for its members among the cells and houses that are kept. A set is *whole* if all
//! its members are kept: those that are named, and choices.

use std::collections::HashMap;

use crate::language::{
    Comparison, ConstantSet, Function, Head, Kind, Literal, Relation, SetOperation, Supposition,
    Term, Var, Variable,
};

use super::super::flatten::{Flat, knows_order};
use super::super::meaning::Meanings;
use super::Room;

/// A condition or a term that cannot be said of a part.
struct Lost;

type Said<T> = Result<T, Lost>;

/// The clause, weakened so that it holds of a part of a board where it holds of the whole, and the
/// room that it takes. Nothing if it cannot be.
pub(crate) fn generalised(
    flat: &Flat,
    parameter: Option<i64>,
    size: usize,
    meanings: &Meanings,
) -> Option<(Flat, Room)> {
    if flat.named.iter().any(|term| matches!(term, Term::Cell { .. })) {
        return None;
    }
    let mut rewrite = Rewrite {
        variables: flat.variables.clone(),
        body: Vec::new(),
        free: Vec::new(),
        known: HashMap::new(),
        whole: vec![false; flat.variables.len()],
        of_kinds: vec![false; flat.variables.len()],
        any_kind: if flat.any_kind { Some(oriented(&flat.body)) } else { None },
        meanings,
    };
    rewrite.learn(&flat.body);
    for literal in &flat.body {
        match rewrite.literal(literal, &[]) {
            Ok(said) => rewrite.body.extend(said),
            // Its members would not be named.
            Err(Lost) if matches!(literal, Literal::Choose(..)) => return None,
            Err(Lost) => {}
        }
    }
    let heads: Said<Vec<Head>> = flat.heads.iter().map(|head| rewrite.head(head)).collect();
    let heads = heads.ok()?;
    let Rewrite { variables, body, free, .. } = &rewrite;
    let flat = Flat {
        heads,
        body: body.clone(),
        variables: variables.clone(),
        free: free.clone(),
        general: true,
        ordered: false,
        ..flat.clone()
    };
    // What knows their order tells cells apart that are walked through as if they were alike.
    if flat.body.iter().any(|literal| knows_order(literal, &flat.variables)) {
        return None;
    }
    if flat.any_kind && rewrite.tells_kinds(&flat) {
        return None;
    }
    let room = rewrite.room(&flat, parameter, size)?;
    Some((flat, room))
}

pub(super) struct Rewrite<'m> {
    pub(super) variables: Vec<Variable>,
    body: Vec<Literal>,
    /// Sets of which only bounds are known.
    free: Vec<Var>,
    /// What stands for a term that was met before.
    known: HashMap<Term, Term>,
    /// By variable: whether all members are kept.
    pub(super) whole: Vec<bool>,
    /// By variable: whether it is a set of rows, columns and boxes, which are all kept.
    pub(super) of_kinds: Vec<bool>,
    /// Where rows, columns and boxes are taken for any houses: the variables that stand for all
    /// rows or all columns.
    pub(super) any_kind: Option<Vec<Var>>,
    meanings: &'m Meanings,
}

impl Rewrite<'_> {
    /// Finds the variables that are whole sets.
    fn learn(&mut self, body: &[Literal]) {
        for _ in 0..=body.len() {
            for literal in body {
                match literal {
                    Literal::Choose(Term::Var(v), ..) => {
                        self.whole[v.index()] |= is_chosen(*v, body);
                    }
                    Literal::Compare(Comparison::Equal, a, b) => {
                        for (variable, term) in [(a, b), (b, a)] {
                            if let Term::Var(v) = variable {
                                self.whole[v.index()] |= self.is_whole(term);
                                self.of_kinds[v.index()] |= self.is_of_kinds(term);
                            }
                        }
                    }
                    Literal::Relation(Relation::Orientation, terms) if self.any_kind.is_none() => {
                        for term in terms {
                            if let Term::Var(v) = term {
                                self.of_kinds[v.index()] = true;
                            }
                        }
                    }
                    Literal::Collect(v, member, generator) => {
                        for condition in &generator.conditions {
                            if let Literal::In(Term::Var(m), set) = condition
                                && m == member
                            {
                                self.whole[v.index()] |= self.is_whole(set);
                                self.of_kinds[v.index()] |= self.is_of_kinds(set);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// A new variable.
    fn fresh(&mut self, kind: Kind) -> Var {
        let variable = Var(self.variables.len() as u16);
        self.variables.push(Variable { name: "_".into(), kind });
        self.whole.push(false);
        self.of_kinds.push(false);
        variable
    }

    /// A set of which nothing is known.
    fn any_set(&mut self, kind: Kind) -> Var {
        let variable = self.fresh(kind);
        self.free.push(variable);
        variable
    }

    /// A term whose value is the part that is kept of the value that it has.
    fn term(&mut self, term: &Term, locals: &[Var]) -> Said<Term> {
        if let Some(known) = self.known.get(term) {
            return Ok(known.clone());
        }
        if self.is_any_kind(term) {
            return Err(Lost);
        }
        let said = match term {
            Term::Var(_) | Term::Digit(_) | Term::Number(_) | Term::Parameter => term.clone(),
            Term::Cell { .. } => return Err(Lost),
            Term::Constant(ConstantSet::Pieces) => {
                let pieces = self.any_set(Kind::Houses);
                self.of_kinds[pieces.index()] = true;
                let boxes = Term::Constant(ConstantSet::Boxes);
                both(Term::Var(pieces), boxes)
            }
            Term::Constant(_) => term.clone(),
            Term::Arithmetic(operation, a, b) => {
                let (a, b) = (self.term(a, locals)?, self.term(b, locals)?);
                Term::Arithmetic(*operation, Box::new(a), Box::new(b))
            }
            Term::Size(set) => Term::Size(Box::new(self.term(set, locals)?)),
            Term::Set(kind, members) => Term::Set(*kind, self.terms(members, locals)?),
            Term::Lone(member) => Term::Lone(Box::new(self.term(member, locals)?)),
            Term::CellsOf(house) => Term::CellsOf(Box::new(self.term(house, locals)?)),
            Term::Operation(operation, a, b) => {
                let (a, b) = (self.term(a, locals)?, self.term(b, locals)?);
                Term::Operation(*operation, Box::new(a), Box::new(b))
            }
            Term::Call(function, terms) => return self.call(term, *function, terms, locals),
        };
        if matches!(term, Term::Constant(ConstantSet::Pieces)) {
            self.known.insert(term.clone(), said.clone());
        }
        Ok(said)
    }

    fn terms(&mut self, terms: &[Term], locals: &[Var]) -> Said<Vec<Term>> {
        terms.iter().map(|term| self.term(term, locals)).collect()
    }

    /// A term for a set of which it is enough that it is not too small: what something is in. So
    /// `touching` may forget what it touches.
    fn upper(&mut self, term: &Term, locals: &[Var]) -> Said<Term> {
        match term {
            _ if self.is_any_kind(term) => Ok(Term::Constant(ConstantSet::Houses)),
            Term::Call(Function::Touching, terms) if self.any_kind.is_some() => {
                self.upper(&terms[0], locals)
            }
            Term::Call(Function::Touching, terms) if !self.is_whole(&terms[1]) => {
                self.upper(&terms[0], locals)
            }
            Term::Operation(SetOperation::Difference, a, b) => {
                let (a, b) = (self.upper(a, locals)?, self.term(b, locals)?);
                Ok(Term::Operation(SetOperation::Difference, Box::new(a), Box::new(b)))
            }
            Term::Operation(operation, a, b) => {
                let (a, b) = (self.upper(a, locals)?, self.upper(b, locals)?);
                Ok(Term::Operation(*operation, Box::new(a), Box::new(b)))
            }
            term => self.term(term, locals),
        }
    }

    /// What a function gives. Where that rests on cells that are not kept, it is any set within the
    /// bounds that are known.
    fn call(
        &mut self,
        term: &Term,
        function: Function,
        terms: &[Term],
        locals: &[Var],
    ) -> Said<Term> {
        let exact = match function {
            Function::Peers | Function::Spots => true,
            Function::CommonPeers | Function::Candidates => self.is_whole(&terms[0]),
            Function::Touching => self.is_whole(&terms[1]),
            Function::Cells => self.is_of_kinds(&terms[0]),
            Function::Missing | Function::Row | Function::Column | Function::Box => false,
        };
        let parts = self.terms(terms, locals)?;
        let same = Term::Call(function, parts.clone());
        if exact {
            return Ok(same);
        }
        // One set for all members of a generator would not do.
        if locals.iter().any(|&local| term.mentions(local)) {
            return Err(Lost);
        }
        let said = match function {
            Function::Row | Function::Column | Function::Box => {
                let house = Term::Var(self.fresh(Kind::House));
                let kind = match function {
                    _ if self.any_kind.is_some() => ConstantSet::Houses,
                    Function::Row => ConstantSet::Rows,
                    Function::Column => ConstantSet::Columns,
                    _ => ConstantSet::Boxes,
                };
                self.body.push(Literal::In(house.clone(), Term::Constant(kind)));
                let cells = Term::CellsOf(Box::new(house.clone()));
                self.body.push(Literal::In(parts[0].clone(), cells));
                house
            }
            Function::CommonPeers | Function::Missing => {
                let set = Term::Var(self.any_set(function.result()));
                self.body.push(Literal::Within(set.clone(), same));
                set
            }
            Function::Touching => {
                let set = self.any_set(Kind::Houses);
                self.of_kinds[set.index()] = self.is_of_kinds(&terms[0]);
                let set = both(parts[0].clone(), Term::Var(set));
                self.body.push(Literal::Within(same, set.clone()));
                set
            }
            _ => {
                let set = Term::Var(self.any_set(function.result()));
                self.body.push(Literal::Within(same, set.clone()));
                set
            }
        };
        self.known.insert(term.clone(), said.clone());
        Ok(said)
    }

    /// Conditions that hold of a part where this one holds of the whole.
    fn literal(&mut self, literal: &Literal, locals: &[Var]) -> Said<Vec<Literal>> {
        Ok(vec![match literal {
            Literal::In(member, set) => {
                Literal::In(self.term(member, locals)?, self.upper(set, locals)?)
            }
            Literal::Within(a, b) => Literal::Within(self.term(a, locals)?, self.term(b, locals)?),
            Literal::Choose(..) if !locals.is_empty() => return Err(Lost),
            // A set that something else says may have members that are not kept.
            Literal::Choose(subset, _, most, set) if !self.is_whole(subset) => {
                let (set, subset) = (self.upper(set, locals)?, self.term(subset, locals)?);
                let size = Term::Size(Box::new(subset.clone()));
                let few = Literal::Compare(Comparison::AtMost, size, most.clone());
                return Ok(vec![Literal::Within(subset, set), few]);
            }
            Literal::Choose(subset, least, most, set) => {
                let set = self.upper(set, locals)?;
                Literal::Choose(subset.clone(), least.clone(), most.clone(), set)
            }
            Literal::Compare(comparison, a, b) => self.compare(*comparison, a, b, locals)?,
            Literal::Relation(Relation::Rectangle, _) | Literal::Traced(..) => return Err(Lost),
            Literal::Relation(Relation::Orientation, _) if self.any_kind.is_some() => {
                return Err(Lost);
            }
            Literal::Relation(relation, terms) => {
                Literal::Relation(*relation, self.terms(terms, locals)?)
            }
            Literal::Call(helper, terms) => {
                if !locals.is_empty() && !self.meanings.inside().contains(helper) {
                    return Err(Lost);
                }
                // There is a slot for what is in a set, not one for each member of a generator.
                let varies = |term: &Term| {
                    let is_set = term.kind(&self.variables) == Kind::Cells;
                    is_set && locals.iter().any(|&local| term.mentions(local))
                };
                if terms.iter().any(varies) {
                    return Err(Lost);
                }
                let mut said = vec![Literal::Call(*helper, self.terms(terms, locals)?)];
                for (cells, digits) in self.meanings.candidates(*helper) {
                    let function = Function::Candidates;
                    let found = Term::Call(function, vec![terms[cells].clone()]);
                    if let Ok(found) = self.term(&found, locals) {
                        let listed = self.term(&terms[digits], locals)?;
                        said.push(Literal::Compare(Comparison::Equal, listed, found));
                    }
                }
                return Ok(said);
            }
            Literal::Not(inner) if self.is_exact(inner) => literal.clone(),
            Literal::Not(_) | Literal::Exists(_) => return Err(Lost),
            Literal::Forall(local, set, body) => {
                let set = self.term(set, locals)?;
                let locals: Vec<Var> = locals.iter().copied().chain([*local]).collect();
                let said = body.iter().filter_map(|inner| self.literal(inner, &locals).ok());
                let said: Vec<Vec<Literal>> = said.collect();
                Literal::Forall(*local, set, said.concat())
            }
            Literal::Collect(set, member, generator) => {
                return self.collect(literal, *set, *member, &generator.conditions, locals);
            }
            Literal::Suppose(supposition) if is_about_cells(supposition) => literal.clone(),
            Literal::Suppose(_) => return Err(Lost),
        }])
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        a: &Term,
        b: &Term,
        locals: &[Var],
    ) -> Said<Literal> {
        let kind = a.kind(&self.variables);
        let are_sets = matches!(kind, Kind::Cells | Kind::Digits | Kind::Houses);
        if are_sets && comparison != Comparison::Equal && !(self.is_whole(a) && self.is_whole(b)) {
            return Err(Lost);
        }
        if kind != Kind::Number || self.is_counted(a) && self.is_counted(b) {
            return Ok(Literal::Compare(comparison, self.term(a, locals)?, self.term(b, locals)?));
        }
        // A part is not larger than the whole.
        let (set, comparison, number) = match (a, b) {
            (Term::Size(set), number) if self.is_counted(number) => (set, comparison, number),
            (number, Term::Size(set)) if self.is_counted(number) => {
                (set, comparison.turned(), number)
            }
            _ => return Err(Lost),
        };
        let comparison = match comparison {
            Comparison::Equal | Comparison::AtMost => Comparison::AtMost,
            Comparison::Less => Comparison::Less,
            _ => return Err(Lost),
        };
        let size = Term::Size(Box::new(self.term(set, locals)?));
        Ok(Literal::Compare(comparison, size, self.term(number, locals)?))
    }

    /// A set that is collected, or any set whose members are as far as that can be told.
    fn collect(
        &mut self,
        literal: &Literal,
        set: Var,
        member: Var,
        conditions: &[Literal],
        locals: &[Var],
    ) -> Said<Vec<Literal>> {
        let limits = |l: &&Literal| matches!(l, Literal::In(Term::Var(m), _) if *m == member);
        let limit = conditions.iter().find(limits);
        if limit.is_some() && conditions.iter().all(|condition| self.is_exact(condition)) {
            return Ok(vec![literal.clone()]);
        }
        if !locals.is_empty() {
            return Err(Lost);
        }
        let all = match limit {
            Some(Literal::In(_, all)) => self.upper(all, &[member]).ok(),
            _ => None,
        };
        let Some(all) = all else {
            self.free.push(set);
            return Ok(Vec::new());
        };
        let any = self.any_set(self.variables[set.index()].kind);
        let some = both(all, Term::Var(any));
        Ok(vec![Literal::Compare(Comparison::Equal, Term::Var(set), some)])
    }

    fn head(&mut self, head: &Head) -> Said<Head> {
        Ok(match head {
            Head::Place(cell, digit) => Head::Place(self.term(cell, &[])?, self.term(digit, &[])?),
            Head::Eliminate(cells, digits) => {
                Head::Eliminate(self.term(cells, &[])?, self.term(digits, &[])?)
            }
            Head::Contradiction => Head::Contradiction,
            Head::Helper(terms) => Head::Helper(self.terms(terms, &[])?),
            Head::Asked(..) | Head::Each(..) => return Err(Lost),
        })
    }
}

/// Whether a set is what a condition chooses, and nothing else says what it is.
fn is_chosen(variable: Var, body: &[Literal]) -> bool {
    let is = |term: &Term| *term == Term::Var(variable);
    let says = |literal: &&Literal| match literal {
        Literal::Choose(subset, ..) => is(subset),
        Literal::Compare(Comparison::Equal, a, b) => is(a) || is(b),
        Literal::Collect(set, ..) => *set == variable,
        _ => false,
    };
    body.iter().filter(says).count() == 1
}

/// The variables that stand for all rows or all columns.
fn oriented(body: &[Literal]) -> Vec<Var> {
    let mut found = Vec::new();
    for literal in body {
        if let Literal::Relation(Relation::Orientation, terms) = literal {
            terms.iter().for_each(|term| term.each_variable(&mut |v| found.push(v)));
        }
    }
    found
}

/// Whether all that is supposed and asked is about single candidates.
fn is_about_cells(supposition: &Supposition) -> bool {
    let single = |term: &Term| match term {
        Term::Lone(inner) => matches!(**inner, Term::Var(_)),
        Term::Var(_) => true,
        _ => false,
    };
    let heads = supposition.hypotheses.iter().chain([&supposition.goal]);
    heads.into_iter().all(|head| match head {
        Head::Place(cell, digit) => single(cell) && single(digit),
        Head::Eliminate(Term::Lone(cell), Term::Lone(digit)) => single(cell) && single(digit),
        Head::Contradiction => true,
        _ => false,
    })
}

fn both(a: Term, b: Term) -> Term {
    Term::Operation(SetOperation::Intersection, Box::new(a), Box::new(b))
}

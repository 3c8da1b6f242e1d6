//! A clause with names for what its conditions say is there.
//!
//! "Some cell of S sees some cell of T" is said with sets of which only a part is kept, where the
//! layout is not known; with a name for each of the two cells, both are kept. So a member of a set
//! that is made of others, or collected, is said to be what the set says of its members; a set that
//! is not empty gets a member; and the cell that a conclusion would be wrong about is one of the
//! cells it speaks of.
//!
//! # Why that is so
//!
//! Wherever the clause holds, and is wrong about a cell, one of these clauses holds with some cells
//! for the new names, and is wrong about the same cell:
//!
//! 1. *A conclusion about a set is about each of its cells*, so if it is wrong, it is wrong about
//!    one that is in the set.
//! 2. *A member of a set is what the set is*: in both of `S & T`, in `S` and not in `T` of `S \ T`,
//!    in one of `S + T`, which makes two clauses; equal to one that is listed; of a set `{X : …}`,
//!    what is said of X there. What a variable is equal to is a set like any other.
//! 3. *A cell of a house that touches S* shares this house with a cell of S, so it is that cell or
//!    one of its peers.
//! 4. *A set with a size above 0 has a member.*
//! 5. *A condition that is left out only weakens the body*: those are left out that say nothing of
//!    what the conclusion is about, such as the second of two patterns, and one that would need a
//!    name, if with all names there is too much to walk through. A variable that no condition
//!    mentions any more is bound no more.
//!
//! In `tests/proof`, `colours_either` is wrong if one of the two clauses of a union is forgotten,
//! `colours_of_their_own` if a cell of a house is taken to see all cells that this house touches,
//! `colours_one` if more is said of a member than the set says, `colours_apart` if a set that may be
//! empty gets a member.

use crate::language::{
    Comparison, Function, Generator, Head, Kind, Literal, SetOperation, Term, Var, Variable,
};

use super::super::flatten::Flat;

/// More clauses than this are not made of one.
const MOST_CLAUSES: usize = 64;
/// More conditions than this are not made in one.
const MOST_CONDITIONS: usize = 200;

/// The clauses that say the same with names; nothing if there would be too many. One list for each
/// head, as one head may need what another does not.
pub(crate) fn witnessed(flat: &Flat) -> Option<Vec<Named>> {
    flat.heads.iter().map(|head| Named::all(flat, head)).collect()
}

/// Clauses with names, for one head.
pub(crate) struct Named {
    /// One of them is wrong wherever the clause is wrong with this head.
    pub flats: Vec<Flat>,
    /// The same, each without one of the names: fewer names are fewer ways to bind them.
    pub with_fewer: Vec<Vec<Flat>>,
}

impl Named {
    fn all(flat: &Flat, head: &Head) -> Option<Named> {
        let mut sources = Vec::new();
        let flats = spread(flat, head, None, &mut sources)?;
        let without = |source: &Term| spread(flat, head, Some(source), &mut Vec::new());
        let with_fewer = sources.iter().map(without).collect::<Option<Vec<Vec<Flat>>>>()?;
        Some(Named { flats, with_fewer })
    }
}

/// The clauses for one head, without a name for what is in this set; and the sets that have names
/// for what is in them.
fn spread(
    flat: &Flat,
    head: &Head,
    without: Option<&Term>,
    sources: &mut Vec<Term>,
) -> Option<Vec<Flat>> {
    let mut found = Vec::new();
    let mut first = Spread {
        variables: flat.variables.clone(),
        done: Vec::new(),
        pending: flat.body.iter().rev().cloned().collect(),
        named: Vec::new(),
        without: without.cloned(),
        sources: Vec::new(),
    };
    let head = first.wrong_cell(head);
    let mut open = vec![first];
    while let Some(spread) = open.pop() {
        match spread.finished(flat) {
            Finished::Body(spread) => {
                sources.extend(
                    spread.sources.into_iter().filter(|s| !sources.contains(s)).collect::<Vec<_>>(),
                );
                let (heads, body) = (vec![head.clone()], spread.done);
                let variables = spread.variables;
                found.push(telling(Flat { heads, body, variables, ..flat.clone() }));
            }
            Finished::Either(more) => open.extend(more),
            Finished::TooMany => return None,
        }
        if found.len() + open.len() > MOST_CLAUSES {
            return None;
        }
    }
    Some(found)
}

/// A clause on the way.
#[derive(Clone)]
struct Spread {
    variables: Vec<Variable>,
    done: Vec<Literal>,
    /// Those still to be looked at, the next one last.
    pending: Vec<Literal>,
    /// What was said already to be a member of which variable.
    named: Vec<(Term, Var)>,
    /// The set of which no member gets a name, if it is to be left out.
    without: Option<Term>,
    /// The sets of which a member got a name.
    sources: Vec<Term>,
}

/// What became of it.
enum Finished {
    /// All conditions are looked at.
    Body(Spread),
    /// One of these holds.
    Either(Vec<Spread>),
    TooMany,
}

impl Spread {
    fn fresh(&mut self, kind: Kind) -> Term {
        self.variables.push(Variable { name: "_".into(), kind });
        Term::Var(Var((self.variables.len() - 1) as u16))
    }

    /// A name for a member of a set, unless there is to be none.
    fn some_member(&mut self, source: &Term) -> Option<Term> {
        if self.without.as_ref() == Some(source) {
            return None;
        }
        if !self.sources.contains(source) {
            self.sources.push(source.clone());
        }
        Some(self.fresh(Kind::Cell))
    }

    /// The head about one cell that it could be wrong about.
    fn wrong_cell(&mut self, head: &Head) -> Head {
        match head {
            Head::Eliminate(cells, digits) if !matches!(cells, Term::Lone(_)) => {
                let cell = self.fresh(Kind::Cell);
                self.pending.push(Literal::In(cell.clone(), cells.clone()));
                Head::Eliminate(Term::Lone(Box::new(cell)), digits.clone())
            }
            head => head.clone(),
        }
    }

    /// Looks at conditions until one has to be split.
    fn finished(mut self, flat: &Flat) -> Finished {
        while let Some(literal) = self.pending.pop() {
            if self.done.len() + self.pending.len() > MOST_CONDITIONS {
                return Finished::TooMany;
            }
            let either = match &literal {
                Literal::In(member, set) if member.kind(&self.variables) == Kind::Cell => {
                    self.member(member, set, flat)
                }
                Literal::Compare(comparison, a, b) => {
                    if let Some(set) = not_empty(*comparison, a, b)
                        && set.kind(&self.variables) == Kind::Cells
                        && !matches!(set, Term::Var(_))
                        && let Some(member) = self.some_member(set)
                    {
                        self.pending.push(Literal::In(member, set.clone()));
                    }
                    self.say(literal)
                }
                _ => self.say(literal),
            };
            if let Some(either) = either {
                let with = |more: Literal| {
                    let mut one = self.clone();
                    one.pending.push(more);
                    one
                };
                return Finished::Either(either.into_iter().map(with).collect());
            }
        }
        Finished::Body(self)
    }

    /// Keeps a condition as it is.
    fn say(&mut self, literal: Literal) -> Option<Vec<Literal>> {
        if !self.done.contains(&literal) {
            self.done.push(literal);
        }
        None
    }

    /// What it says of a cell that it is in a set; alternatives, if it says one of several.
    fn member(&mut self, member: &Term, set: &Term, flat: &Flat) -> Option<Vec<Literal>> {
        let is_in = |set: &Term| Literal::In(member.clone(), set.clone());
        let equal =
            |other: &Term| Literal::Compare(Comparison::Equal, member.clone(), other.clone());
        match set {
            Term::Operation(SetOperation::Intersection, a, b) => {
                self.pending.extend([is_in(b), is_in(a)]);
                None
            }
            Term::Operation(SetOperation::Difference, a, b) => {
                self.pending.push(is_in(a));
                self.say(Literal::Not(Box::new(is_in(b))))
            }
            Term::Operation(SetOperation::Union, a, b) => Some(vec![is_in(a), is_in(b)]),
            Term::Lone(other) => self.say(equal(other)),
            Term::Set(_, members) => Some(members.iter().map(equal).collect()),
            Term::Call(Function::Cells, houses) => match &houses[0] {
                Term::Call(Function::Touching, touched) => {
                    let near = self.some_member(&houses[0])?;
                    self.pending.push(Literal::In(near.clone(), touched[1].clone()));
                    // Both at once in one condition: apart, they would make two clauses.
                    let peers = Term::Call(Function::Peers, vec![near.clone()]);
                    let itself = Term::Lone(Box::new(near));
                    let (peers, itself) = (Box::new(peers), Box::new(itself));
                    self.say(is_in(&Term::Operation(SetOperation::Union, peers, itself)))
                }
                _ => self.say(is_in(set)),
            },
            Term::Var(v) => {
                self.defined(member, *v, flat);
                self.say(is_in(set))
            }
            _ => self.say(is_in(set)),
        }
    }

    /// What it says of a cell that it is in a set with a name.
    fn defined(&mut self, member: &Term, set: Var, flat: &Flat) {
        if self.named.contains(&(member.clone(), set)) {
            return;
        }
        self.named.push((member.clone(), set));
        for literal in &flat.body {
            match literal {
                Literal::Compare(Comparison::Equal, a, b) => {
                    for (name, term) in [(a, b), (b, a)] {
                        if *name == Term::Var(set) {
                            self.pending.push(Literal::In(member.clone(), term.clone()));
                        }
                    }
                }
                Literal::Collect(name, own, generator) if *name == set => {
                    self.collected(member, *own, generator);
                }
                _ => {}
            }
        }
    }

    /// The conditions of a set `{X : …}`, of a cell in the place of X.
    fn collected(&mut self, member: &Term, own: Var, generator: &Generator) {
        let mut meant = vec![(own, member.clone())];
        for &(local, kind) in generator.locals.iter().filter(|(local, _)| *local != own) {
            let fresh = self.fresh(kind);
            meant.push((local, fresh));
        }
        let put = |term: &Term| {
            term.map(&|term| match &term {
                Term::Var(v) => {
                    let known = meant.iter().find(|(local, _)| local == v);
                    known.map_or(term.clone(), |(_, meant)| meant.clone())
                }
                _ => term,
            })
        };
        let conditions = generator.conditions.iter().rev();
        self.pending.extend(conditions.map(|condition| condition.map(&put, &|v| v)));
    }
}

/// The set of which it is said that it has a member.
fn not_empty<'t>(comparison: Comparison, a: &'t Term, b: &'t Term) -> Option<&'t Term> {
    let (set, comparison, number) = match (a, b) {
        (Term::Size(set), Term::Number(number)) => (set, comparison, *number),
        (Term::Number(number), Term::Size(set)) => (set, comparison.turned(), *number),
        _ => return None,
    };
    let least = match comparison {
        Comparison::Greater => number + 1,
        Comparison::AtLeast | Comparison::Equal => number,
        _ => return None,
    };
    (least >= 1).then_some(set)
}

/// The clause without the conditions that say nothing of what its head is about.
fn telling(mut flat: Flat) -> Flat {
    let mut about = vec![false; flat.variables.len()];
    for term in flat.heads.iter().flat_map(Head::terms) {
        term.each_variable(&mut |v| about[v.index()] = true);
    }
    let variables: Vec<Vec<Var>> = flat.body.iter().map(Literal::variables).collect();
    loop {
        let mut grown = false;
        for (literal, all) in flat.body.iter().zip(&variables) {
            let leads = match leading(literal) {
                Leading::All => all.iter().any(|v| about[v.index()]),
                Leading::These(these) => these.iter().any(|v| about[v.index()]),
            };
            if leads {
                for v in all {
                    grown |= !std::mem::replace(&mut about[v.index()], true);
                }
            }
        }
        if !grown {
            break;
        }
    }
    let keeps = variables.iter().map(|all| all.iter().all(|v| about[v.index()]));
    let mut keeps = keeps.collect::<Vec<bool>>().into_iter();
    flat.body.retain(|_| keeps.next().unwrap_or(true));
    flat
}

/// The variables from which a condition leads to its others.
enum Leading {
    All,
    These(Vec<Var>),
}

/// A set leads to what it is made of or chosen from, and not back; that two things differ leads
/// nowhere.
fn leading(literal: &Literal) -> Leading {
    match literal {
        Literal::Choose(Term::Var(subset), ..) => Leading::These(vec![*subset]),
        Literal::Collect(set, ..) => Leading::These(vec![*set]),
        Literal::Compare(Comparison::Unequal, ..) => Leading::These(Vec::new()),
        Literal::Compare(Comparison::Equal, a, b) => {
            let names = [a, b].into_iter().filter_map(|term| match term {
                Term::Var(v) => Some(*v),
                _ => None,
            });
            match names.collect::<Vec<Var>>() {
                none if none.is_empty() => Leading::All,
                names => Leading::These(names),
            }
        }
        _ => Leading::All,
    }
}

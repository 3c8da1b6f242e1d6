//! Helpers unfolded: a clause becomes alternatives without helper calls, or with recursive ones
//! only.

use super::clause::{Clause, Goal, Head, Literal, PredicateId, Variable};
use super::rule::RuleSet;

/// A clause whose body has no helper calls left outside of `not` and `forall`, but for recursive
/// ones that were to be kept.
#[derive(Clone, Debug)]
pub struct Unfolded {
    /// What it concludes.
    pub heads: Vec<Head>,
    /// The conditions, each with where it stands.
    pub body: Vec<Goal>,
    /// Its variables: those of the clause first, then those of the helpers.
    pub variables: Vec<Variable>,
}

/// What to do with calls of recursive helpers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recursion {
    /// Leave them.
    Keep,
    /// Unfold each at most so many times; longer derivations are left out.
    Unroll(usize),
}

/// More alternatives, conditions or variables than anyone can walk through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

/// Conditions made on the way, over all alternatives, unless another number is told.
pub const MOST_CONDITIONS: usize = 200_000;
/// Of these, one in so many alternatives.
const CONDITIONS_AN_ALTERNATIVE: usize = 100;
/// And one in so many conditions of one alternative: forty helpers that call the one before twice
/// would have 2⁴⁰.
const CONDITIONS_A_CONDITION: usize = 500;
/// What a person writes by hand is not too wide.
const LEAST_WIDE: usize = 60;

/// A clause on its way; each condition with the unfoldings of recursive helpers left to it.
struct Open {
    heads: Vec<Head>,
    body: Vec<(Goal, usize)>,
    variables: Vec<Variable>,
}

/// What stands in an `exists` as conditions of the clause: its variables are no other's.
fn spread((goal, depth): (Goal, usize)) -> Vec<(Goal, usize)> {
    match goal.literal {
        Literal::Exists(generator) => {
            let goals = generator.conditions.into_iter();
            let goals = goals.map(|literal| (Goal { literal, span: goal.span }, depth));
            goals.flat_map(spread).collect()
        }
        literal => vec![(Goal { literal, ..goal }, depth)],
    }
}

impl RuleSet {
    /// All alternatives of a clause, in the order of the helpers' clauses.
    pub fn unfolded(
        &self,
        clause: &Clause,
        recursion: Recursion,
    ) -> Result<Vec<Unfolded>, TooMany> {
        self.unfolded_within(clause, recursion, &[], MOST_CONDITIONS)
    }

    /// The same, but for the calls of some helpers, which are kept, and with at most so many
    /// conditions made on the way.
    pub fn unfolded_within(
        &self,
        clause: &Clause,
        recursion: Recursion,
        kept: &[PredicateId],
        most: usize,
    ) -> Result<Vec<Unfolded>, TooMany> {
        let most_alternatives = most / CONDITIONS_AN_ALTERNATIVE;
        let most_wide = (most / CONDITIONS_A_CONDITION).max(LEAST_WIDE);
        let depth = match recursion {
            Recursion::Keep => 0,
            Recursion::Unroll(depth) => depth,
        };
        let body = clause.body.iter().map(|goal| (goal.clone(), depth)).collect();
        let variables = clause.variables.clone();
        let mut open = vec![Open { heads: clause.heads.clone(), body, variables }];
        let mut done = Vec::new();
        let mut work = 0;
        while let Some(mut next) = open.pop() {
            next.body = next.body.into_iter().flat_map(spread).collect();
            work += next.body.len() + 1;
            let unfolds = |helper: PredicateId| {
                let recursive = self.predicate(helper).recursive;
                (recursion != Recursion::Keep || !recursive) && !kept.contains(&helper)
            };
            let call = next.body.iter().position(
                |(goal, _)| matches!(goal.literal, Literal::Call(helper, _) if unfolds(helper)),
            );
            match call {
                Some(call) => open.extend(self.alternatives(&next, call).into_iter().rev()),
                None => done.push(Unfolded {
                    heads: next.heads,
                    body: next.body.into_iter().map(|(goal, _)| goal).collect(),
                    variables: next.variables,
                }),
            }
            let wide = open.last().is_some_and(|open| {
                open.body.len() > most_wide || open.variables.len() > usize::from(u16::MAX)
            });
            if wide || work > most || open.len() + done.len() > most_alternatives {
                return Err(TooMany);
            }
        }
        Ok(done)
    }

    /// The alternatives with the call at this place unfolded.
    fn alternatives(&self, open: &Open, place: usize) -> Vec<Open> {
        let (goal, depth) = &open.body[place];
        let Literal::Call(helper, arguments) = &goal.literal else {
            unreachable!("only calls are unfolded");
        };
        let helper = self.predicate(*helper);
        let depth = match helper.recursive {
            true if *depth == 0 => return Vec::new(),
            true => depth - 1,
            false => *depth,
        };
        let alternative = |clause: &Clause| {
            let mut variables = open.variables.clone();
            let unfolded = clause.unfold(arguments, goal.span, &mut variables);
            let mut body = open.body.clone();
            body.remove(place);
            body.extend(unfolded.into_iter().map(|goal| (goal, depth)));
            Open { heads: open.heads.clone(), body, variables }
        };
        helper.clauses.iter().map(alternative).collect()
    }
}

//! Helpers unfolded: a clause becomes alternatives without helper calls, or with recursive ones
//! only.

use super::rule::{Clause, Goal, Head, Literal, PredicateId, RuleSet, Variable};

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

const MOST_ALTERNATIVES: usize = 2_000;
/// Conditions of one alternative: forty helpers that call the one before twice would have 2⁴⁰.
const MOST_CONDITIONS: usize = 400;
/// Conditions made on the way, over all alternatives.
const MOST_WORK: usize = 200_000;

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
                recursion != Recursion::Keep || !self.predicate(helper).recursive
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
                open.body.len() > MOST_CONDITIONS || open.variables.len() > usize::from(u16::MAX)
            });
            if wide || work > MOST_WORK || open.len() + done.len() > MOST_ALTERNATIVES {
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

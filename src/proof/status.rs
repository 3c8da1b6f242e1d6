//! What is known of a rule without proving it again: the bundled rules' verdicts on 9 × 9.
//!
//! The table is keyed by what a rule says: its conditions and conclusions and those of the helpers
//! it uses, not its layout, its names or its words. A rule that was changed is not in it.

use crate::board::Layout;
use crate::language::{Clause, Generator, Head, Instance, Literal, PredicateId, RuleSet};

use super::inquiry::Budget;
use super::judge::{Options, judge};
use super::verdict::Verdict;

/// One line a rule with its parameter: key, verdict, name.
const TABLE: &str = include_str!("proved.txt");

/// The verdict on an instance, if it is in the table.
pub fn known(rules: &RuleSet, instance: &Instance) -> Option<Verdict> {
    let key = format!("{:016x}", key(rules, instance));
    TABLE.lines().find_map(|line| {
        let mut words = line.split(' ');
        let same = words.next() == Some(&key);
        let code = words.next().filter(|_| same)?;
        Verdict::ALL.into_iter().find(|verdict| verdict.code() == code)
    })
}

/// The verdict on an instance on 9 × 9: from the table, or proved on the spot if that is quick.
pub fn status(rules: &RuleSet, instance: usize) -> Option<Verdict> {
    known(rules, &rules.instances()[instance]).or_else(|| {
        let budget =
            Budget { questions: 1_000, conflicts: 5_000, propagations: 5_000_000, steps: 40_000 };
        let options = Options { budget, ..Options::default() };
        let found = judge(rules, instance, &Layout::classic(9)?, &options).verdict;
        (found != Verdict::NotProved).then_some(found)
    })
}

/// What an instance says, as a number.
pub fn key(rules: &RuleSet, instance: &Instance) -> u64 {
    let rule = rules.rule(instance.rule);
    let mut canon = Canon { seen: Vec::new(), hash: 0xcbf2_9ce4_8422_2325 };
    canon.add(&format!("{:?} {}", instance.parameter, rule.assumes_unique));
    for clause in &rule.clauses {
        canon.clause(clause);
    }
    let mut next = 0;
    while next < canon.seen.len() {
        canon.add("helper");
        for clause in &rules.predicate(canon.seen[next]).clauses {
            canon.clause(clause);
        }
        next += 1;
    }
    canon.hash
}

/// Helpers by the order in which they are met, and the hash so far (FNV-1a).
struct Canon {
    seen: Vec<PredicateId>,
    hash: u64,
}

impl Canon {
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([b'\n']) {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn clause(&mut self, clause: &Clause) {
        for head in &clause.heads {
            match head {
                Head::Each(head, generator) => {
                    let generator = self.generator(generator);
                    self.add(&format!("{head:?} for {generator:?}"));
                }
                head => self.add(&format!("{head:?}")),
            }
        }
        for goal in &clause.body {
            let literal = self.numbered(&goal.literal);
            self.add(&format!("{literal:?}"));
        }
        let kinds: Vec<_> = clause.variables.iter().map(|variable| variable.kind).collect();
        self.add(&format!("{kinds:?}"));
    }

    fn generator(&mut self, generator: &Generator) -> Generator {
        let conditions = generator.conditions.iter().map(|inner| self.numbered(inner)).collect();
        Generator { locals: generator.locals.clone(), conditions }
    }

    /// The literal with its helpers numbered as met.
    fn numbered(&mut self, literal: &Literal) -> Literal {
        match literal {
            Literal::Call(helper, terms) => {
                let place = self.seen.iter().position(|seen| seen == helper);
                let place = place.unwrap_or_else(|| {
                    self.seen.push(*helper);
                    self.seen.len() - 1
                });
                Literal::Call(PredicateId(place as u16), terms.clone())
            }
            Literal::Not(inner) => Literal::Not(Box::new(self.numbered(inner))),
            Literal::Forall(local, set, body) => {
                let body = body.iter().map(|inner| self.numbered(inner)).collect();
                Literal::Forall(*local, set.clone(), body)
            }
            Literal::Exists(generator) => Literal::Exists(self.generator(generator)),
            Literal::Collect(set, member, generator) => {
                Literal::Collect(*set, *member, self.generator(generator))
            }
            other => other.clone(),
        }
    }
}

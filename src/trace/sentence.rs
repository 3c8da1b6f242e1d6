//! A match in one sentence: the rule's own template, or what its body says.

use crate::board::Grid;
use crate::language::{Rule, RuleSet, Segment, Template};

use super::branch::Branch;
use super::derivation::Derivation;
use super::statement::{Statement, as_chain, of_derivation, statements};
use super::step::Match;
use super::words::{Language, Words};
use crate::meaning::{Scene, Value};

/// A match with a derivation for each helper that its clause calls: all there is to say about a
/// step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// The match.
    pub found: Match,
    /// A derivation for each helper called in the clause's body, in the order of the body.
    pub premises: Vec<Derivation>,
    /// Where each hypothesis leads that the clause supposes.
    pub branches: Vec<Branch>,
}

impl Account {
    /// How many steps there are under its hypotheses.
    pub fn nested(&self) -> usize {
        self.branches.iter().map(Branch::length).sum()
    }
}

/// Says things about accounts found on a grid.
///
/// ```
/// use dokulog::board::{Grid, Layout};
/// use dokulog::engine::{Engine, tell};
/// use dokulog::language::bundled;
/// use dokulog::trace::{Speaker, Words};
///
/// let rules = bundled::rules();
/// let four = Layout::classic(4).expect("there are 4×4 puzzles");
/// let grid = Grid::from_givens(four.clone(), &[1, 2, 3, 0, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
/// let grid = grid.expect("no digit twice");
/// let story = tell(&rules, &mut Engine::assuming_unique(&rules, &four).worker(), &grid);
/// let words = Words::plain(four);
/// let first = &story.steps[0];
/// let said = Speaker { rules: &rules, words: &words }.sentence(&first.account, &first.before);
/// let reason = "r1c4 is the last empty cell of row 1, and 4 is what row 1 misses";
/// assert_eq!(said, format!("Full house: {reason}. Place 4 in r1c4."));
/// ```
pub struct Speaker<'a> {
    /// The rules.
    pub rules: &'a RuleSet,
    /// Notation and language.
    pub words: &'a Words,
}

impl Speaker<'_> {
    /// The technique's name: `Naked pair`.
    pub fn title(&self, instance: usize) -> String {
        let instance = &self.rules.instances()[instance];
        let rule = self.rules.rule(instance.rule);
        match in_language(&rule.titles, self.words.language) {
            Some(template) => self.fill(rule, template, instance.parameter, &|_| None),
            None => instance.title.clone(),
        }
    }

    /// The reason, without a full stop: `in row 3, the two cells r3c1 and r3c4 hold only 2 and 6`.
    pub fn reason(&self, account: &Account, before: &Grid) -> String {
        let instance = &self.rules.instances()[account.found.instance];
        let rule = self.rules.rule(instance.rule);
        let clause = &rule.clauses[account.found.clause];
        let value = |name: &str| {
            let place = clause.variables.iter().position(|v| v.name == name)?;
            account.found.bindings.get(place).copied()
        };
        let sentences = rule.explanation.as_ref().map(|e| &e.sentences[..]).unwrap_or_default();
        let mut reason = match in_language(sentences, self.words.language) {
            Some(template) => self.fill(rule, template, instance.parameter, &value),
            None => self.plain_reason(account, before),
        };
        if rule.assumes_unique {
            let assumed = self.words.pick(
                " (assuming that the puzzle has one solution)",
                " (si la grille n'a qu'une solution)",
            );
            reason.push_str(assumed);
        }
        reason
    }

    /// Title, reason and effect as full sentences.
    pub fn sentence(&self, account: &Account, before: &Grid) -> String {
        let title = self.title(account.found.instance);
        let reason = self.reason(account, before);
        let request = self.words.request(&account.found.conclusion);
        format!("{title}{}{reason}. {request}", self.words.colon())
    }

    /// The links of the helpers that the rule asks to `trace`, one a line.
    pub fn chain(&self, account: &Account, before: &Grid) -> Vec<String> {
        chain(self.rules, account, before).iter().map(|s| s.say(self.words)).collect()
    }

    /// What the body says, for a rule without `explain`.
    fn plain_reason(&self, account: &Account, before: &Grid) -> String {
        let instance = &self.rules.instances()[account.found.instance];
        let clause = &self.rules.rule(instance.rule).clauses[account.found.clause];
        let bindings = &account.found.bindings;
        let scene = Scene::on(before, instance.parameter, bindings);
        let said = statements(self.rules, clause, &scene, before, &account.premises);
        if !said.is_empty() {
            let said: Vec<String> = said.iter().map(|s| s.say(self.words)).collect();
            return said.join("; ");
        }
        let named = clause.variables.iter().zip(bindings).filter(|(v, _)| v.name != "_");
        let named = named.map(|(v, value)| format!("{} = {}", v.name, self.words.value(value)));
        let all = self.words.list(named.collect());
        self.words.pick(format!("it applies with {all}"), format!("elle s'applique avec {all}"))
    }

    fn fill(
        &self,
        rule: &Rule,
        template: &Template,
        parameter: Option<i64>,
        value: &dyn Fn(&str) -> Option<Value>,
    ) -> String {
        let mut text = String::new();
        for segment in &template.segments {
            match segment {
                Segment::Text(plain) => text.push_str(plain),
                Segment::Variable(name) => match value(name) {
                    Some(value) => text.push_str(&self.words.value(&value)),
                    None => text.push_str(name),
                },
                Segment::Parameter => {
                    let number = parameter.map(|n| self.words.number(n));
                    text.push_str(&number.unwrap_or_default());
                }
                Segment::Choice(options) => {
                    let from = rule.parameter.as_ref().map_or(0, |p| p.from);
                    let place = parameter.and_then(|n| usize::try_from(n - from).ok());
                    if let Some(option) = place.and_then(|p| options.get(p)) {
                        text.push_str(option);
                    }
                }
            }
        }
        text
    }
}

/// The links of the helpers that the rule asks to `trace`.
pub(super) fn chain(rules: &RuleSet, account: &Account, before: &Grid) -> Vec<Statement> {
    let rule = rules.rule_of(account.found.instance);
    let clause = &rule.clauses[account.found.clause];
    let traced = rule.explanation.as_ref().map(|e| &e.trace[..]).unwrap_or_default();
    let mut links = Vec::new();
    for (predicate, names) in traced {
        let value = |name: &String| {
            let place = clause.variables.iter().position(|v| v.name == *name)?;
            account.found.bindings.get(place).copied()
        };
        let arguments: Option<Vec<Value>> = names.iter().map(value).collect();
        let derivation = account.premises.iter().find(|derivation| {
            derivation.predicate == *predicate
                && arguments.as_ref().is_none_or(|a| derivation.arguments == *a)
        });
        if let Some(derivation) = derivation {
            links.extend(as_chain(before, of_derivation(rules, before, derivation)));
        }
    }
    links
}

/// The template in a language, else the first one.
fn in_language(templates: &[Template], language: Language) -> Option<&Template> {
    templates.iter().find(|t| t.language == language.code()).or(templates.first())
}

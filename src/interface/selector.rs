//! Rules by name.

use std::fmt;

use crate::language::{self, Instance, Rule, RuleSet};

/// There is no such rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoRule {
    name: String,
    hint: String,
}

impl fmt::Display for NoRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "there is no rule {}: {}", self.name, self.hint)
    }
}

impl std::error::Error for NoRule {}

/// `naked_subset` or `naked_subset:3`.
#[derive(Clone, Debug)]
pub(crate) struct Selector {
    name: String,
    parameter: Option<String>,
}

impl Selector {
    /// Reads it.
    pub(crate) fn parse(text: &str) -> Selector {
        match text.trim().split_once(':') {
            Some((name, parameter)) => {
                Selector { name: name.to_string(), parameter: Some(parameter.to_string()) }
            }
            None => Selector { name: text.trim().to_string(), parameter: None },
        }
    }

    /// Whether an instance is meant.
    pub(crate) fn matches(&self, rule: &Rule, instance: &Instance) -> bool {
        let value = instance.parameter.map(|value| value.to_string());
        rule.name == self.name && (self.parameter.is_none() || self.parameter == value)
    }

    /// The rule that is meant, or what is wrong with the name.
    pub(crate) fn find<'a>(&self, rules: &'a RuleSet) -> Result<&'a Rule, NoRule> {
        self.find_or(rules, &[])
    }

    /// The same where these other words may be meant, too.
    pub(crate) fn find_or<'a>(
        &self,
        rules: &'a RuleSet,
        others: &[&str],
    ) -> Result<&'a Rule, NoRule> {
        let Some(rule) = rules.rules().iter().find(|rule| rule.name == self.name) else {
            let names = rules.rules().iter().map(|rule| rule.name.as_str());
            let near = || language::nearest(&self.name, names.chain(others.iter().copied()));
            let hint = match self.titled(rules).or_else(near) {
                Some(near) => format!("did you mean {near}?"),
                None if self.name.ends_with(".rules") => {
                    format!("name one of the file's, and the file with --rules {}", self.name)
                }
                None => "`dokulog rules --with extended` lists them, --rules adds those of a file"
                    .to_string(),
            };
            return Err(NoRule { name: self.name.clone(), hint });
        };
        let Some(wanted) = &self.parameter else { return Ok(rule) };
        let problem = match &rule.parameter {
            None => "it has no parameter".to_string(),
            Some(p) if wanted.parse().is_ok_and(|n| (p.from..=p.to).contains(&n)) => {
                return Ok(rule);
            }
            Some(p) => format!("{} goes from {} to {}", p.name, p.from, p.to),
        };
        Err(NoRule { name: format!("{}:{wanted}", self.name), hint: problem })
    }

    /// The instance that people call so: `swordfish`, `naked_pair`.
    fn titled<'a>(&self, rules: &'a RuleSet) -> Option<&'a str> {
        let letters = |text: &str| {
            let letters = text.chars().filter(|c| c.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect::<String>()
        };
        let wanted = letters(&self.name);
        let is_it = |instance: &&Instance| letters(&instance.title) == wanted;
        rules.instances().iter().find(is_it).map(|instance| instance.name.as_str())
    }
}

//! The matches of one instance on one state: by the join, or by the definition where the join has
//! no plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::board::{Candidate, Cells, Digit, Grid, Layout};
use crate::language::{Head, Instance, LeftOut, RuleSet, Term};
use crate::trace::{Changes, Conclusion, Match, Step};

use super::compiled::{BackEnds, Engine};
use super::fruitless::Fruitless;
use super::join::{Effects, Ended, Joins, Purpose};
use super::naive::can_go_on;
use super::suppose::{Net, Reason, TRIES};
use super::{Deducer, Naive};

/// Work of hypotheses that takes as long as a step of the definition.
const WORK_A_STEP: u64 = 1_000;

/// Finds matches; has the scratch memory for it.
pub(super) struct Matcher {
    rules: Arc<RuleSet>,
    /// The definition.
    pub(super) naive: Naive,
    /// Made when first wanted: many a run does without.
    joins: Option<Joins>,
    /// The rules as the joins have them.
    joined: Arc<RuleSet>,
    layout: Arc<Layout>,
    budget: u64,
    /// What the joins leave out of each clause of each rule, where they leave anything out.
    left_out: Vec<Vec<Option<LeftOut>>>,
    /// Whether the joins have the state at hand.
    loaded: bool,
    /// For each instance, and each purpose, whether the join has a plan for all its clauses; known
    /// when asked for.
    joinable: Vec<[Option<bool>; 3]>,
    /// The clause of an instance that was seen to take something away, and what.
    expected: BTreeMap<usize, (usize, Vec<Cells>)>,
    /// What need not be looked at again in this run.
    fruitless: Fruitless,
    /// For each instance, its clauses as nets, if they are.
    nets: Vec<Option<Vec<Net>>>,
    /// Whether it runs under a hypothesis: then the first reason will do.
    pub(super) is_nested: bool,
    /// Instances that the budget stopped in this run: they are not tried again.
    pub(super) cut_off: Vec<usize>,
    /// Inferences of this run.
    pub(super) inferences: u64,
    /// Steps of the definition, over all runs.
    naive_steps: u64,
}

/// What is seen of a clause without telling its matches apart.
enum Seen {
    /// None changes anything.
    Nothing,
    /// The least conclusion.
    Least(Conclusion),
    /// More than that; if conclusions only take candidates away, the first of all these.
    Several(Option<Candidate>),
}

impl Matcher {
    pub(super) fn new(engine: &Engine) -> Matcher {
        let (rules, options) = (engine.rules().clone(), engine.options());
        let (joined, left_out) = match rules.untraced() {
            Some((joined, left_out)) => (Arc::new(joined), left_out),
            None => (rules.clone(), Vec::new()),
        };
        let naive_only = options.back_ends == BackEnds::Naive;
        Matcher {
            naive: Naive::with(&rules, options),
            nets: nets(&rules, naive_only),
            fruitless: Fruitless::new(&rules),
            joins: None,
            joined,
            layout: engine.layout().clone(),
            budget: options.budget,
            left_out,
            loaded: false,
            joinable: vec![[naive_only.then_some(false); 3]; rules.instances().len()],
            expected: BTreeMap::new(),
            is_nested: false,
            cut_off: Vec::new(),
            inferences: 0,
            naive_steps: 0,
            rules,
        }
    }

    /// Another run begins.
    pub(super) fn begin(&mut self) {
        self.cut_off.clear();
        self.expected.clear();
        self.fruitless.forget();
        self.naive.begin();
        self.inferences = 0;
        self.loaded = false;
    }

    /// The state is another one than the joins have at hand.
    pub(super) fn forget(&mut self) {
        self.loaded = false;
    }

    fn joins(&mut self) -> &mut Joins {
        self.joins.get_or_insert_with(|| {
            let mut joins = Joins::new(self.joined.clone(), self.layout.clone());
            joins.set_budget(self.budget);
            joins
        })
    }

    fn load(&mut self, grid: &Grid) {
        if !self.loaded {
            self.joins().load(grid);
            self.loaded = true;
        }
    }

    fn clause_count(&self, instance: usize) -> usize {
        self.rules.rule(self.rules.instances()[instance].rule).clauses.len()
    }

    /// What the joins leave out of the clauses of an instance.
    fn left_out(&self, instance: usize) -> impl Iterator<Item = &LeftOut> {
        let rule = self.rules.instances()[instance].rule;
        self.left_out.get(rule.index()).into_iter().flatten().flatten()
    }

    /// Whether the join has a plan for an instance, if not for all of it. Nothing is planned for
    /// another purpose: that takes as long as many a run.
    pub(super) fn is_joinable(&mut self, instance: usize, purpose: Purpose) -> bool {
        if let Some(known) = self.joinable[instance][purpose as usize] {
            return known;
        }
        let goes_on = self.left_out(instance).all(|part| can_go_on(&self.rules, &part.rest));
        let clauses = self.clause_count(instance);
        let joinable = goes_on && (0..clauses).all(|c| self.joins().supports(instance, c, purpose));
        self.joinable[instance][purpose as usize] = Some(joinable);
        joinable
    }

    /// Whether matches have to be told one by one to know what they conclude.
    fn is_listed(&mut self, instance: usize, purpose: Purpose) -> bool {
        self.left_out(instance).next().is_some() || !self.is_joinable(instance, purpose)
    }

    /// The join's plan of an instance in words.
    pub(super) fn describe(&mut self, instance: usize) -> Vec<String> {
        let clauses = 0..self.clause_count(instance);
        let mut words: Vec<String> =
            clauses.flat_map(|clause| self.joins().describe(instance, clause)).collect();
        if self.left_out(instance).next().is_some() {
            words.push("then, from each of these: what asks for a derivation".to_string());
        }
        words
    }

    fn note_cut_off(&mut self, instance: usize, ended: Ended) {
        if ended == Ended::CutOff && !self.cut_off.contains(&instance) {
            log::info!("{} is cut off", self.rules.instances()[instance].name);
            self.cut_off.push(instance);
        }
    }

    /// What was done in all runs: bindings that the joins tried, steps of the definition.
    pub(super) fn spent(&self) -> (u64, u64) {
        let joined = self.joins.as_ref().map_or(0, Joins::spent);
        (joined, self.naive_steps + self.naive.supposed() / WORK_A_STEP)
    }

    /// What hypotheses took in all runs.
    pub(super) fn supposed(&self) -> u64 {
        self.naive.supposed()
    }

    /// Whether an instance runs as nets of hypotheses.
    pub(super) fn is_net(&self, instance: usize) -> bool {
        self.nets[instance].is_some()
    }

    /// What the nets of an instance change, or some of it.
    fn net_changes(&mut self, instance: usize, grid: &Grid) -> Changes {
        let mut changes = Changes::default();
        let mut is_cut_off = false;
        for net in self.nets[instance].iter().flatten() {
            let (steps, cut_off) = self.naive.net(net, grid, &mut changes);
            self.naive_steps += steps;
            is_cut_off |= cut_off;
        }
        self.note_cut_off(instance, if is_cut_off { Ended::CutOff } else { Ended::Complete });
        changes
    }

    /// The match of an instance with the shortest reason; of those with a step's conclusion, if
    /// one is given.
    fn shortest(&mut self, instance: usize, grid: &Grid, wanted: Option<&Step>) -> Option<Match> {
        let mut found = Vec::new();
        let mut is_cut_off = false;
        for (clause, net) in self.nets[instance].iter().flatten().enumerate() {
            if wanted.is_none_or(|step| step.clause == clause) {
                let (steps, cut_off) =
                    self.naive.reasons(net, (instance, clause), grid, &mut found);
                self.naive_steps += steps;
                is_cut_off |= cut_off;
            }
        }
        if let Some(step) = wanted {
            found.retain(|reason: &Reason| reason.found.conclusion == step.conclusion);
        } else {
            self.note_cut_off(instance, if is_cut_off { Ended::CutOff } else { Ended::Complete });
        }
        let tries = if self.is_nested { 1 } else { TRIES };
        self.naive.shortest(found, grid, tries)
    }

    /// Every match, by the definition, or by it from where the joins leave off.
    fn listed(&mut self, instance: usize, grid: &Grid) -> Vec<Match> {
        let (found, is_cut_off, steps) = match self.is_joinable(instance, Purpose::Matches) {
            true => {
                self.load(grid);
                let mut begun = Vec::new();
                for clause in 0..self.clause_count(instance) {
                    let (found, ended) = self.joins().matches(instance, clause);
                    self.note_cut_off(instance, ended);
                    begun.extend(found);
                }
                let rule = self.rules.instances()[instance].rule.index();
                let part = |found: Match| {
                    let part = self.left_out[rule][found.clause].as_ref();
                    (found, part)
                };
                let begun: Vec<_> = begun.into_iter().map(part).collect();
                self.naive.go_on(instance, grid, &begun)
            }
            false => self.naive.look(instance, grid),
        };
        self.naive_steps += steps;
        self.note_cut_off(instance, if is_cut_off { Ended::CutOff } else { Ended::Complete });
        found
    }

    /// What all matches of an instance change, found match by match.
    pub(super) fn changes(&mut self, instance: usize, grid: &Grid) -> Changes {
        let mut changes = Changes::default();
        if self.cut_off.contains(&instance) {
            return changes;
        }
        if self.is_net(instance) {
            return self.net_changes(instance, grid);
        }
        if self.is_listed(instance, Purpose::Effects) {
            for found in self.listed(instance, grid) {
                changes.add(&found.conclusion);
            }
            return changes;
        }
        self.load(grid);
        let mut effects = Effects::default();
        for clause in 0..self.clause_count(instance) {
            let ended = self.joins().effects(instance, clause, &mut effects);
            self.note_cut_off(instance, ended);
        }
        let Effects { eliminates, places, contradiction, .. } = effects;
        Changes { places, eliminates, contradiction }
    }

    /// The least effective match of an instance: its clause and conclusion. What is sure to have one
    /// is not asked whether it has any.
    pub(super) fn least(&mut self, instance: usize, grid: &Grid, is_sure: bool) -> Option<Step> {
        let step = |clause, conclusion: Conclusion| Step { instance, clause, conclusion };
        if self.cut_off.contains(&instance) {
            return None;
        }
        if self.is_net(instance) {
            let found = self.shortest(instance, grid, None)?;
            return Some(step(found.clause, found.conclusion));
        }
        if self.left_out(instance).next().is_some() {
            return self.least_listed(instance, grid);
        }
        let looks = !is_sure && self.is_joinable(instance, Purpose::Effects);
        for clause in 0..self.clause_count(instance) {
            let mut first = None;
            let left = self.fruitless.left(instance, clause, grid).filter(|_| looks);
            if left.is_some_and(|digits| digits.is_empty()) {
                continue;
            }
            if looks || self.is_joinable(instance, Purpose::Conclusions) {
                let all = self.layout.all_digits();
                self.load(grid);
                self.joins().ask(left.unwrap_or(all));
            }
            if looks && !self.is_expected(instance, clause, grid) {
                match self.look(instance, clause, grid) {
                    Seen::Nothing => continue,
                    Seen::Least(conclusion) => return Some(step(clause, conclusion)),
                    Seen::Several(candidate) => first = candidate,
                }
            }
            if !self.is_joinable(instance, Purpose::Conclusions) {
                return self.least_listed(instance, grid);
            }
            let (least, ended) = self.joins().least(instance, clause, first);
            self.note_cut_off(instance, ended);
            if let Some(conclusion) = least {
                return Some(step(clause, conclusion));
            }
            self.expected.remove(&instance);
        }
        None
    }

    /// The same, of all matches by the definition.
    fn least_listed(&mut self, instance: usize, grid: &Grid) -> Option<Step> {
        let mut found = self.listed(instance, grid);
        found.retain(|found| !found.conclusion.is_empty());
        self.naive.shortest_first(&mut found, grid);
        let Match { instance, clause, conclusion, .. } = found.into_iter().next()?;
        Some(Step { instance, clause, conclusion })
    }

    /// What all matches of a clause change together. Mostly none changes anything, and that is seen
    /// much sooner than the least of them is found; where each changes one candidate, so is that.
    fn look(&mut self, instance: usize, clause: usize, grid: &Grid) -> Seen {
        let mut effects = Effects::default();
        let ended = self.joins().effects(instance, clause, &mut effects);
        if ended == Ended::CutOff {
            return Seen::Several(None);
        }
        self.fruitless.note(instance, clause, grid, &effects.eliminates);
        if effects.firings == 0 {
            return Seen::Nothing;
        }
        let rule = self.rules.rule(self.rules.instances()[instance].rule);
        let of_digit = |(digit, cells): (usize, &Cells)| {
            Some(Candidate { cell: cells.first()?, digit: Digit::at(digit) })
        };
        let gone = effects.eliminates.iter().enumerate().filter_map(of_digit).min();
        let conclusion = match &rule.clauses[clause].heads[..] {
            [Head::Place(..)] if gone.is_none() => {
                let places = effects.places.iter().copied().min().into_iter().collect();
                Conclusion { places, ..Conclusion::default() }
            }
            [Head::Eliminate(Term::Lone(_), Term::Lone(_))] => {
                let eliminates = gone.into_iter().collect();
                Conclusion { eliminates, ..Conclusion::default() }
            }
            [Head::Each(..)] if effects.places.is_empty() && !effects.contradiction => {
                return Seen::Several(gone);
            }
            _ => {
                self.expected.insert(instance, (clause, effects.eliminates));
                return Seen::Several(None);
            }
        };
        Seen::Least(conclusion)
    }

    /// Whether a clause had matches that take away what is still there: then it will have some again,
    /// as a rule, and there is no use in asking.
    fn is_expected(&self, instance: usize, clause: usize, grid: &Grid) -> bool {
        self.expected.get(&instance).is_some_and(|(of, gone)| {
            *of == clause && gone.iter().zip(grid.planes()).any(|(gone, there)| gone.meets(there))
        })
    }

    /// Counts what a Prolog would call for a pass over an instance: by the join's plans, whatever
    /// the back end, or by the definition where there are none.
    pub(super) fn infer(&mut self, instance: usize, grid: &Grid) {
        let clauses = 0..self.clause_count(instance);
        let whole = self.left_out(instance).next().is_none();
        let mut has_plan = |clause| self.joins().supports(instance, clause, Purpose::Effects);
        self.inferences += if whole && clauses.clone().all(&mut has_plan) {
            self.load(grid);
            clauses.map(|clause| self.joins().inferences(instance, clause)).sum()
        } else {
            self.naive.inferences(instance, grid)
        };
    }

    /// Every match of an instance; or, if it is cut off, some.
    pub(super) fn matches(&mut self, instance: usize, grid: &Grid) -> Vec<Match> {
        if self.is_listed(instance, Purpose::Matches) {
            self.loaded = false;
            let found = self.listed(instance, grid);
            self.loaded = false;
            return found;
        }
        self.joins().load(grid);
        self.loaded = false;
        let mut all = Vec::new();
        for clause in 0..self.clause_count(instance) {
            let (found, ended) = self.joins().matches(instance, clause);
            self.note_cut_off(instance, ended);
            all.extend(found);
        }
        all
    }

    /// A match with the step's conclusion.
    pub(super) fn witness(&mut self, step: &Step, before: &Grid) -> Option<Match> {
        if self.is_net(step.instance) {
            self.naive.begin();
            return self.shortest(step.instance, before, Some(step));
        }
        if !self.is_joinable(step.instance, Purpose::Matches) {
            return self.naive.witness(step, before);
        }
        if self.is_listed(step.instance, Purpose::Matches) {
            let found = self.matches(step.instance, before).into_iter();
            let mut found = found.filter(|found| found.clause == step.clause);
            return found.find(|found| found.conclusion == step.conclusion);
        }
        self.joins().load(before);
        self.loaded = false;
        self.joins().witness(step)
    }
}

/// Each instance's clauses as nets, if all of them are.
fn nets(rules: &RuleSet, none: bool) -> Vec<Option<Vec<Net>>> {
    let nets = |instance: &Instance| {
        let rule = rules.rule(instance.rule);
        let net = |clause| Net::of(clause, instance.parameter);
        rule.clauses.iter().map(net).collect::<Option<Vec<Net>>>().filter(|_| !none)
    };
    rules.instances().iter().map(nets).collect()
}

//! Options that several commands share: which rules.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use super::input::{name, shown};
use super::output::ending;
use super::{Context, Failure, files, record, say, say_coloured};
use crate::board::Layout;
use crate::engine::{self, AssumesUnique};
use crate::interface::{NoRule, Selector};
use crate::language::{self, Diagnostic, Instance, Origin, Rule, RuleSet, Severity, Source};
use crate::text::Form;

/// In which form results are written.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct FormOptions {
    /// The layout to write [default: what the output's name ends in, csv, json or pl; else rows for
    /// one puzzle, a line each for many]
    #[arg(long, value_name = "rows|line|marks|729|csv|json|prolog|solo", value_parser = record::parse_to)]
    to: Option<Form>,
}

impl FormOptions {
    /// The layout asked for, else the one that the output's name ends in.
    pub(super) fn to(&self, output: &Option<PathBuf>) -> Option<Form> {
        self.to.or_else(|| match ending(output)? {
            "csv" => Some(Form::Csv),
            "json" => Some(Form::Json),
            "pl" => Some(Form::Prolog),
            _ => None,
        })
    }
}

/// Text for people, or JSON for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum TextOrJson {
    /// For people
    Text,
    /// One object a line
    Json,
}

/// For people or for programs.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct FormatOption {
    /// How to write it
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
}

/// Which rules a command uses.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct RuleOptions {
    /// Add the rules of a file, or of a folder's .rules files; a rule with a bundled rule's name
    /// replaces it
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    pub rules: Vec<PathBuf>,
    /// Use only these rules, such as naked_single,naked_subset:2
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub only: Vec<String>,
    /// Use all but these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub without: Vec<String>,
    /// Add bundled rules that are not standard: `extended`, `advanced`, `forcing`, `all` of these,
    /// or their names
    #[arg(
        long,
        value_name = "extended|advanced|forcing|all|RULE",
        value_delimiter = ',',
        help_heading = "Rules"
    )]
    pub with: Vec<String>,
    /// Leave out rules with a parameter above N: 3 for no quads and no jellyfish
    #[arg(long, value_name = "N", help_heading = "Rules")]
    pub max_subset: Option<i64>,
    /// Use rules that assume that the puzzle has one solution
    #[arg(long, help_heading = "Rules")]
    pub assume_unique: bool,
    /// Cut a rule off when it has tried so many bindings at once; 100000000 if not told. Where
    /// some rule has `forall` inside `forall`, a binding counts as 65 on 9 x 9, and as one per
    /// hundred pairs of cells elsewhere
    #[arg(long, value_name = "N", help_heading = "Rules")]
    pub budget: Option<u64>,
}

impl RuleOptions {
    /// How the engine is made.
    pub(super) fn engine(&self) -> engine::Options {
        let default = engine::Options::default();
        engine::Options { budget: self.budget.unwrap_or(default.budget), ..default }
    }

    /// The rules chosen. Diagnostics of a broken rule file are printed.
    pub(super) fn load(&self) -> Result<RuleSet, Failure> {
        self.load_with(None)
    }

    /// The rules chosen, and the one that another option names.
    pub(crate) fn load_with(&self, named: Option<&str>) -> Result<RuleSet, Failure> {
        let parse = |names: &[String]| names.iter().map(|n| Selector::parse(n)).collect::<Vec<_>>();
        let (only, without) = (parse(&self.only), parse(&self.without));
        let (mut groups, with): (Vec<&str>, Vec<&str>) = self
            .with
            .iter()
            .map(String::as_str)
            .chain(named)
            .partition(|with| GROUPS.contains(with) || *with == ALL);
        if groups.contains(&ALL) {
            groups = GROUPS.to_vec();
        }
        let with: Vec<Selector> = with.into_iter().map(Selector::parse).collect();
        // Rule files that are not asked for are not even parsed.
        let mut rules = load_sources(self.sources(&groups)?)?;
        for more in [&[EXTENDED][..], &GROUPS] {
            let is_known = |selector: &Selector| selector.find(&rules).is_ok();
            if !only.iter().chain(&with).all(is_known) {
                rules = load_sources(self.sources(&[&groups, more].concat())?)?;
            }
        }
        for selector in only.iter().chain(&with) {
            let rule = selector.find_or(&rules, &GROUPS)?;
            if rule.assumes_unique && !self.assume_unique {
                return Err(Failure::new(format!(
                    "rule {} assumes that the puzzle has one solution: add --assume-unique",
                    rule.name
                )));
            }
        }
        if without.iter().any(|selector| selector.find(&rules).is_err()) {
            let all = self.everything()?;
            without.iter().try_for_each(|selector| selector.find(&all).map(|_| ()))?;
        }
        let chosen = |list: &[Selector], rule: &Rule, instance: &Instance| {
            list.iter().any(|selector| selector.matches(rule, instance))
        };
        let loaded = |rule: &Rule, instance: &Instance| {
            let asked = match rule.origin {
                Origin::Extended => groups.contains(&EXTENDED),
                Origin::Advanced => groups.contains(&ADVANCED),
                Origin::Forcing => groups.contains(&FORCING),
                Origin::Standard | Origin::User => true,
            };
            let asked = asked || [&with, &only].iter().any(|list| chosen(list, rule, instance));
            let small = match (self.max_subset, instance.parameter) {
                (Some(limit), Some(value)) => value <= limit,
                _ => true,
            };
            let allowed = !rule.assumes_unique || self.assume_unique;
            asked && small && allowed && !chosen(&without, rule, instance)
        };
        // Whatever is fired, a hypothesis has all of these to lead on.
        let kept = rules.keep(loaded).into_loaded().keep(|rule, instance| {
            only.is_empty() || chosen(&only, rule, instance) || chosen(&with, rule, instance)
        });
        if self.assume_unique && AssumesUnique::find(&kept).is_none() {
            let everything = self.everything()?;
            let all = everything.rules().iter().filter(|rule| rule.assumes_unique);
            let names: Vec<&str> = all.map(|rule| rule.name.as_str()).collect();
            say(&format!(
                "dokulog: --assume-unique changes nothing: none of these rules assumes it; \
                 --with adds {}",
                names.join(", ")
            ));
        }
        Ok(kept)
    }

    /// Whether all groups of bundled rules are asked for.
    pub(super) fn has_all_groups(&self) -> bool {
        let has = |group: &&str| self.with.iter().any(|with| with == group);
        has(&ALL) || GROUPS.iter().all(has)
    }

    /// The rule files are inputs, whether or not they turn out to be needed.
    pub(super) fn protect(&self) {
        self.rules.iter().for_each(|path| protect_rules(path));
    }

    /// All bundled rules and the user's, whatever is chosen: to look one up by name.
    pub(super) fn everything(&self) -> Result<RuleSet, Failure> {
        load_sources(self.sources(&GROUPS)?)
    }

    fn sources(&self, groups: &[&str]) -> Result<Vec<(Origin, Source)>, Failure> {
        let mut sources = language::bundled::helpers();
        sources.extend(language::bundled::standard());
        // The advanced rules share helpers of the extended ones.
        if !groups.is_empty() {
            sources.extend(language::bundled::extended());
        }
        if groups.contains(&ADVANCED) {
            sources.extend(language::bundled::advanced());
        }
        if groups.contains(&FORCING) {
            sources.extend(language::bundled::forcing());
        }
        for source in read_rule_files(&self.rules)? {
            sources.push((Origin::User, source));
        }
        Ok(sources)
    }
}

/// The name for all bundled rules that are not standard.
pub(super) const EXTENDED: &str = "extended";
/// More of them, known to few.
pub(super) const ADVANCED: &str = "advanced";
/// Those that reason under hypotheses.
pub(super) const FORCING: &str = "forcing";
/// All of these.
const ALL: &str = "all";
const GROUPS: [&str; 3] = [EXTENDED, ADVANCED, FORCING];

/// Says on standard error which families of rules have a size left out.
pub(super) fn warn_of_gaps(rules: &RuleSet, context: &Context) {
    let nine = Layout::classic(9).expect("9 is a classic size");
    if !context.quiet {
        for gap in engine::gaps(rules, &nine) {
            say(&format!("warning: {}", gap.sentence(rules)));
        }
    }
}

impl From<NoRule> for Failure {
    fn from(refusal: NoRule) -> Failure {
        Failure::new(refusal.to_string())
    }
}

/// Reads rule files: a file, a folder's `.rules` files in order of name, `-` for standard input.
pub(super) fn read_rule_files(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    paths.iter().for_each(|path| protect_rules(path));
    let mut sources = Vec::new();
    for path in paths {
        if path.is_dir() {
            for file in rule_files_in(path)? {
                sources.push(read_rule_file(&file)?);
            }
        } else {
            sources.push(read_rule_file(path)?);
        }
    }
    Ok(sources)
}

/// The `.rules` files of a folder and of those inside it, in order of name.
pub(super) fn rule_files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |e: std::io::Error| Failure::new(format!("{}: {e}", shown(folder)));
    let mut found = Vec::new();
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?);
    }
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let path = entry.path();
        // A link to a folder is not followed: it may lead back here.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(rule_files_in(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rules") {
            found.push(path);
        }
    }
    Ok(found)
}

/// A rule file, or those of a folder, must not be overwritten.
pub(super) fn protect_rules(path: &Path) {
    match path.is_dir() {
        true => rule_files_in(path).iter().flatten().for_each(|file| files::protect(file)),
        false => files::protect(path),
    }
}

/// The most that is read of a rule file: anything longer is refused by the language anyway.
const READ_LIMIT: u64 = 16 << 20;

/// Reads one rule file; `-` is standard input.
pub(super) fn read_rule_file(path: &Path) -> Result<Source, Failure> {
    files::protect(path);
    let (name, input): (String, Box<dyn Read>) = if path == Path::new("-") {
        ("<stdin>".to_string(), Box::new(std::io::stdin()))
    } else {
        let name = name(path);
        let file = std::fs::File::open(path)
            .map_err(|e| Failure::new(format!("{name}: {}", reason(&e))))?;
        (name, Box::new(file))
    };
    let mut bytes = Vec::new();
    input
        .take(READ_LIMIT)
        .read_to_end(&mut bytes)
        .map_err(|e| Failure::new(format!("{name}: {}", reason(&e))))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { name, text }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count();
            Err(Failure::new(format!("{name}:{line}: not a rule file: the text is not UTF-8")))
        }
    }
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_string(),
        std::io::ErrorKind::PermissionDenied => "not allowed to read it".to_string(),
        _ => error.to_string(),
    }
}

/// Parses and checks; errors are printed, warnings are left to `check`.
fn load_sources(sources: Vec<(Origin, Source)>) -> Result<RuleSet, Failure> {
    let texts: Vec<Source> = sources.iter().map(|(_, source)| source.clone()).collect();
    let (rules, diagnostics) = language::load(sources);
    let (errors, warnings): (Vec<Diagnostic>, Vec<Diagnostic>) =
        diagnostics.into_iter().partition(|d| d.severity == Severity::Error);
    let colour = colour(&std::io::stderr());
    for error in &errors {
        say_coloured(&language::render::text(error, &texts, colour));
    }
    if !warnings.is_empty() {
        log::info!("{} warnings in rule files: `dokulog check` shows them", warnings.len());
    }
    rules.ok_or_else(|| Failure::new("the rule files have errors"))
}

/// Whether to colour what goes to a stream: on a terminal, and not with `NO_COLOR`.
pub(super) fn colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

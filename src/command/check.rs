//! `dokulog check`: diagnostics of rule files.

use std::path::PathBuf;

use super::options::{FormatOption, TextOrJson, colour, read_rule_files};
use super::prove::typed;
use super::{Context, Failure, Run, Status, print_coloured, say};
use crate::language::{self, Origin, RuleSet, Severity, Source};
use crate::meaning::layout_mistakes;
use crate::proof::{Glance, Glimpse, Verdict, known};
use crate::text::visible;
use crate::trace::json;

/// Options of `check`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog check my.rules                 mistakes and warnings of a file
  dokulog check --format json rules/     of a folder, for editors")]
pub(super) struct Arguments {
    /// Rule files, folders, or - for standard input; the bundled rules if there are none
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatOption,
    /// Work that proofs may take here, over all rules together, in steps of about a microsecond;
    /// rules that are left then are not tried
    #[arg(long, value_name = "N", default_value_t = Glance::USUAL)]
    budget: u64,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    let mut sources = language::bundled::sources();
    let bundled = sources.len();
    for source in read_rule_files(&arguments.files)? {
        sources.push((Origin::User, source));
    }
    if sources.len() > usize::from(u16::MAX) {
        return Err(Failure::new("too many rule files"));
    }
    let texts: Vec<Source> = sources.iter().map(|(_, source)| source.clone()).collect();
    let (rules, mut diagnostics) = language::load(sources);
    if !arguments.files.is_empty() {
        diagnostics.retain(|d| usize::from(d.span.source) >= bundled);
        diagnostics.extend(layout_mistakes(&texts, bundled));
        diagnostics.sort_by_key(|d| (d.span, d.severity, d.code));
    }
    let colour = colour(&std::io::stdout());
    let mut out = String::new();
    for diagnostic in &diagnostics {
        match arguments.format.format {
            TextOrJson::Text => out += &language::render::text(diagnostic, &texts, colour),
            TextOrJson::Json => {
                out += &visible(&json::line(&language::render::json(diagnostic, &texts)));
            }
        }
    }
    if let (Some(rules), TextOrJson::Text, false) = (&rules, arguments.format.format, context.quiet)
    {
        out += &proofs(rules, !arguments.files.is_empty(), arguments.budget);
    }
    print_coloured(&out)?;
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    if arguments.format.format == TextOrJson::Text && !context.quiet {
        let files = texts.len() - if arguments.files.is_empty() { 0 } else { bundled };
        say(&format!(
            "{}: {}, {}",
            count(files, "file"),
            count(errors, "error"),
            count(diagnostics.len() - errors, "warning")
        ));
    }
    Ok(if errors > 0 { Status::Failed } else { Status::Done })
}

/// Which rules are proved: one line each of the user's, or one line for all that are bundled.
fn proofs(rules: &RuleSet, own: bool, budget: u64) -> String {
    let instances = rules.instances();
    if !own {
        let proved = instances.iter().filter(|i| known(rules, i).is_some()).count();
        return format!("{proved} of {} bundled rules are proved\n", instances.len());
    }
    let is_own = |&i: &usize| rules.rule(instances[i].rule).origin == Origin::User;
    let mut glance = Glance::new(budget);
    let line = |i: usize| {
        let prove = typed(rules, i);
        let said = match glance.at(rules, i) {
            Glimpse::Known(Verdict::Unsound) => {
                format!("unsound: {prove} shows a puzzle where it goes wrong")
            }
            Glimpse::Known(verdict) => verdict.in_words().to_string(),
            Glimpse::Undecided => format!("not yet proved: run {prove}"),
            Glimpse::NotTried => format!("not tried here: run {prove}"),
        };
        format!("{}: {said}\n", instances[i].name)
    };
    (0..instances.len()).filter(is_own).map(line).collect()
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

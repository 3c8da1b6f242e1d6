//! `dokulog prove`: prove rules sound, or show a puzzle where they go wrong.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::boards::LayoutOption;
use super::options::{RuleOptions, protect_rules};
use super::output::write_file;
use super::progress::progress;
use super::{Context, Failure, Run, Status, files, print, say};
use crate::board::{Layout, SIZES};
use crate::engine::Unfit;
use crate::generate::some_full_grid;
use crate::interface::Selector;
use crate::language::{Instance, Origin, Rule, RuleSet};
use crate::proof::{
    Budget, Claim, Coverage, Judgement, Options, Verdict, as_json, as_svg, as_text, covers, judge,
    superfluous,
};
use crate::random::Random;
use crate::text::{Alphabet, Form, visible_line, write};
use crate::trace::json;

/// Options of `prove`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog prove                            every bundled rule
  dokulog prove my.rules                   the rules of a file
  dokulog prove xy_wing naked_subset:2     rules by name
  dokulog prove --size 16 fish             on 16 x 16
  dokulog prove my.rules --svg wrong.svg   a picture of the counterexample
  dokulog prove --covers skyscraper turbot_fish")]
pub(super) struct Arguments {
    /// Rule files, folders, or rules by name such as xy_wing or naked_subset:2; every bundled rule
    /// if there are none
    #[arg(value_name = "FILE|RULE")]
    what: Vec<OsString>,
    /// The size of the grid
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Boxes of this height and width, such as 2x5, or a layout by name or file; a verdict holds
    /// for the layout it is given on
    #[arg(long, value_name = "HxW|NAME|FILE")]
    layout: Option<String>,
    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Draw the first counterexample into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Also name conditions that the rule would be sound without
    #[arg(long)]
    lint: bool,
    /// Are all conclusions of the first rule conclusions of the second, on the same state?
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["lint", "svg"])]
    covers: Vec<String>,
    /// Work that one rule may take, in steps of about a microsecond; where it is used up, the rule
    /// is not proved. The memory that may be used grows and shrinks with it
    #[arg(long, value_name = "N", default_value_t = Budget::USUAL)]
    budget: u64,
    /// Add the rules of a file; a rule with a bundled rule's name replaces it
    #[arg(long, value_name = "FILE")]
    rules: Vec<PathBuf>,
}

/// How verdicts are written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One object a rule and parameter
    Json,
    /// The picture of the first counterexample
    Svg,
}

/// Runs it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Run {
    if let Some(picture) = &arguments.svg {
        arguments.rules.iter().for_each(|path| protect_rules(path));
        arguments.what.iter().filter(|what| is_file(what)).for_each(|w| protect_rules(w.as_ref()));
        files::claim(picture)?;
    }
    let layout = layout(arguments)?;
    if some_full_grid(&layout, &mut Random::new(1)).is_none() {
        return Err(Failure::new("no full grid of this layout was found: nothing can be proved"));
    }
    let (rules, mut chosen) = choose(arguments)?;
    let options = Options { budget: Budget::new(arguments.budget), ..Options::default() };
    if let [first, second] = &arguments.covers[..] {
        return say_covers(&rules, first, second, &layout, &options);
    }
    let mut refused = Vec::new();
    chosen.retain(|&instance| {
        let unfit = Unfit::find(&rules, &rules.instances()[instance], &layout);
        refused.extend(unfit.map(|unfit| (instance, unfit)));
        unfit.is_none()
    });
    for (instance, unfit) in refused {
        say(&format!("{}: not run on this layout: {unfit}", rules.instances()[instance].name));
        if unfit == Unfit::Unique && arguments.format == Format::Text {
            print(&why_not_run(&rules, instance, &layout, &options))?;
        }
    }
    let bar = progress(chosen.len() as u64, "rules", context);
    let mut verdicts = [0; Verdict::ALL.len()];
    let mut drawn = false;
    let start = Instant::now();
    let judged = |&instance: &usize| {
        bar.set_message(format!(", {}", rules.instances()[instance].name));
        let begun = Instant::now();
        let found = judge(&rules, instance, &layout, &options);
        (instance, found, begun.elapsed())
    };
    in_order(&chosen, judged, |(instance, found, took)| {
        verdicts[found.verdict as usize] += 1;
        let said = report(arguments, &rules, instance, &found, took, &layout, &options);
        bar.suspend(|| print(&said))?;
        if let (Some(shown), false) = (&found.counterexample, drawn) {
            if let Some(file) = &arguments.svg {
                write_file(file, &as_svg(&rules, shown))?;
                drawn = true;
            } else if arguments.format == Format::Svg {
                print(&as_svg(&rules, shown))?;
                drawn = true;
            }
        }
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    if !context.quiet && arguments.format == Format::Text {
        summary(&verdicts, start.elapsed());
    }
    let failed = verdicts[Verdict::Unsound as usize] > 0;
    Ok(if failed { Status::Failed } else { Status::Done })
}

/// Rules proved at the same time: more would take more memory than is promised.
const AT_ONCE: usize = 2;
/// A deep rule needs a deep stack.
const STACK: usize = 64 << 20;

/// Does something for each item, some at the same time, and has the results seen in the items'
/// order as they come.
fn in_order<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut see: impl FnMut(R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(items.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let work = move || {
                while let Some((number, item)) = {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    items.get(number).map(|item| (number, item))
                } {
                    if sender.send((number, work(item))).is_err() {
                        break;
                    }
                }
            };
            let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            started.map_err(|error| Failure::new(format!("no thread can be started: {error}")))?;
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut seen = 0;
        for (number, result) in receiver {
            early.insert(number, result);
            while let Some(result) = early.remove(&seen) {
                seen += 1;
                // Those who still work find nothing more to do.
                see(result).inspect_err(|_| next.store(items.len(), Ordering::Relaxed))?;
            }
        }
        Ok(())
    })
}

/// Whether a file or a folder is meant, and not a rule.
fn is_file(what: &OsString) -> bool {
    let text = what.to_string_lossy();
    text == "-"
        || text.ends_with(".rules")
        || text.contains(['/', '\\'])
        || Path::new(what).is_dir()
}

/// The rules, and the instances to prove: those of the files, those named, or all bundled ones.
fn choose(arguments: &Arguments) -> Result<(RuleSet, Vec<usize>), Failure> {
    let (files, names): (Vec<&OsString>, Vec<&OsString>) =
        arguments.what.iter().partition(|what| is_file(what));
    let mut rule_files = arguments.rules.clone();
    rule_files.extend(files.iter().map(PathBuf::from));
    let options = RuleOptions { rules: rule_files, ..RuleOptions::default() };
    let rules = options.everything()?;
    let selectors: Vec<Selector> =
        names.iter().map(|name| Selector::parse(&name.to_string_lossy())).collect();
    for selector in &selectors {
        selector.find(&rules)?;
    }
    let wanted = |rule: &Rule, instance: &Instance| match arguments.what.is_empty() {
        true => arguments.rules.is_empty() || rule.origin == Origin::User,
        false => {
            (!files.is_empty() && rule.origin == Origin::User)
                || selectors.iter().any(|selector| selector.matches(rule, instance))
        }
    };
    let chosen = rules.instances().iter().enumerate();
    let chosen = chosen.filter(|(_, i)| wanted(rules.rule(i.rule), i)).map(|(n, _)| n).collect();
    Ok((rules, chosen))
}

/// The layout asked for.
fn layout(arguments: &Arguments) -> Result<Arc<Layout>, Failure> {
    let size = arguments.size.unwrap_or(9);
    let Some(name) = &arguments.layout else {
        let sizes = SIZES.map(|size| size.to_string()).join(", ");
        return Layout::classic(size)
            .ok_or_else(|| Failure::new(format!("there is no size {size}: take one of {sizes}")));
    };
    if let Some((height, width)) = name.split_once('x') {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=25).contains(side));
        if let (Some(height), Some(width)) = (side(height), side(width)) {
            let product: usize = height * width;
            if !(2..=25).contains(&product) {
                return Err(Failure::new(format!("boxes of {name} would need {product} digits")));
            }
            if arguments.size.is_some_and(|size| size != product) {
                return Err(Failure::new(format!("boxes of {name} make a grid of {product}")));
            }
            return Ok(Arc::new(Layout::boxed(height, width, &[])));
        }
    }
    LayoutOption { layout: Some(name.clone()) }.find_or(arguments.size)
}

fn report(
    arguments: &Arguments,
    rules: &RuleSet,
    instance: usize,
    found: &Judgement,
    took: Duration,
    layout: &Arc<Layout>,
    options: &Options,
) -> String {
    let millis = took.as_secs_f64() * 1000.0;
    match arguments.format {
        Format::Json => json::line(&as_json(rules, instance, found, millis)),
        Format::Svg => String::new(),
        Format::Text => {
            let name = &rules.instances()[instance].name;
            // Times would make the same proof print differently each time.
            log::info!("{name}: {millis:.1} ms, {} steps", found.steps);
            let mut out = told(rules, instance, found);
            if found.verdict.is_proved() && !layout.is_boxed() {
                out += &match found.general {
                    true => format!("  on every layout with {} digits\n", layout.size()),
                    false => "  on this layout\n".to_string(),
                };
            }
            if arguments.lint && found.verdict.is_proved() {
                for span in superfluous(rules, instance, layout, options) {
                    let condition: Vec<&str> = rules.text(span).split_whitespace().collect();
                    out += &format!("  sound without `{}`\n", condition.join(" "));
                }
            }
            out
        }
    }
}

/// A puzzle on which a rule that assumes one solution goes wrong on a layout.
fn why_not_run(
    rules: &RuleSet,
    instance: usize,
    layout: &Arc<Layout>,
    options: &Options,
) -> String {
    let found = judge(rules, instance, layout, options);
    let name = &rules.instances()[instance].name;
    let shown = found.counterexample.as_ref();
    shown.map_or(String::new(), |shown| format!("{name:<24} not run\n{}", as_text(rules, shown)))
}

/// What is typed to have an instance proved without hurry.
pub(super) fn typed(rules: &RuleSet, instance: usize) -> String {
    let rule = rules.rule_of(instance);
    let what = match rules.sources()[usize::from(rule.span.source)].name.as_str() {
        _ if rule.origin != Origin::User => &rules.instances()[instance].name,
        "<stdin>" => "-",
        file => file,
    };
    format!("`dokulog prove {}`", visible_line(what))
}

/// A verdict with what it rests on, for people.
pub(super) fn told(rules: &RuleSet, instance: usize, found: &Judgement) -> String {
    let (name, verdict) = (&rules.instances()[instance].name, found.verdict.in_words());
    let mut out = format!("{name:<24} {verdict}\n");
    for meaning in &found.meanings {
        out += &format!("  {meaning}\n");
    }
    if !found.reason.is_empty() {
        out += &format!("  {}\n", found.reason);
    }
    if let Some(shown) = &found.counterexample {
        out += &as_text(rules, shown);
    }
    out
}

fn summary(verdicts: &[usize], took: Duration) {
    let counts: Vec<String> = Verdict::ALL
        .iter()
        .zip(verdicts)
        .filter(|(_, count)| **count > 0)
        .map(|(verdict, count)| format!("{count} {}", verdict.in_words()))
        .collect();
    say(&format!("{} in {:.2} s", counts.join(", "), took.as_secs_f64()));
}

fn say_covers(
    rules: &RuleSet,
    first: &str,
    second: &str,
    layout: &Arc<Layout>,
    options: &Options,
) -> Run {
    let of = |name: &str| -> Result<Vec<usize>, Failure> {
        let selector = Selector::parse(name);
        selector.find(rules)?;
        let all = rules.instances().iter().enumerate();
        let meant = all.filter(|(_, i)| selector.matches(rules.rule(i.rule), i));
        Ok(meant.map(|(number, _)| number).collect())
    };
    let (firsts, seconds) = (of(first)?, of(second)?);
    let mut status = Status::Done;
    for &a in &firsts {
        for &b in &seconds {
            let (name, other) = (&rules.instances()[a].name, &rules.instances()[b].name);
            print(&match covers(rules, a, b, layout, options) {
                Coverage::Covered => {
                    format!("{other} covers {name}: whatever {name} concludes, {other} does too\n")
                }
                Coverage::Unknown => {
                    status = Status::Failed;
                    format!("{other} may cover {name}: no difference was found within the budget\n")
                }
                Coverage::NotCovered(shown) => {
                    status = Status::Failed;
                    let (state, claim) = *shown;
                    let what = match claim {
                        Claim::Place(c) => {
                            format!("places {} in {}", c.digit, layout.cell_name(c.cell))
                        }
                        Claim::Eliminate(c) => {
                            format!("eliminates {} from {}", c.digit, layout.cell_name(c.cell))
                        }
                        Claim::Contradiction => "says that there is no solution".to_string(),
                    };
                    let mut marks = Vec::new();
                    write(&state, Form::Marks, Alphabet::default(), &mut marks);
                    format!(
                        "{other} does not cover {name}: here {name} {what}, and {other} does not\n{}",
                        String::from_utf8_lossy(&marks)
                    )
                }
            })?;
        }
    }
    Ok(status)
}

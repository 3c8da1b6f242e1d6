//! Writing results in the order of their blocks.

use std::collections::BTreeMap;

use indicatif::ProgressBar;

use super::super::input::{reason, shown};
use super::super::output::Output;
use super::super::{Failure, print_exact};
use super::inputs::{Inputs, Target};
use super::naming::Naming;
use super::progress;
use super::results::{Results, Tally};

/// Takes results in any order and writes them in the right one.
pub(super) struct Writer<'a> {
    inputs: &'a Inputs,
    head: Vec<u8>,
    next: u64,
    early: BTreeMap<u64, Entry>,
    output: Option<Output>,
    naming: Naming,
    /// Whether the output under way holds a result, and whether it is to be kept.
    useful: bool,
    spoiled: bool,
    /// Whether the head of standard output, or of the one output, was written.
    headed: bool,
    tally: Tally,
    failed: Option<Failure>,
    stopped: bool,
    bar: Option<ProgressBar>,
}

struct Entry {
    input: usize,
    results: Results,
    last: bool,
    read: u64,
}

impl<'a> Writer<'a> {
    /// A writer for these inputs; each output begins with `head`.
    pub(super) fn new(inputs: &'a Inputs, head: Vec<u8>, quiet: bool) -> Writer<'a> {
        let mut writer = Writer {
            inputs,
            head,
            next: 0,
            early: BTreeMap::new(),
            output: None,
            naming: Naming::default(),
            useful: false,
            spoiled: false,
            headed: false,
            tally: Tally::default(),
            failed: None,
            stopped: false,
            bar: progress::bar(inputs.bytes, quiet),
        };
        for sentence in &inputs.failures {
            writer.fail(sentence.clone());
        }
        writer
    }

    /// How many results wait for an earlier one.
    pub(super) fn waiting(&self) -> usize {
        self.early.len()
    }
    /// Whether this block's results is the next to be written.
    pub(super) fn is_next(&self, sequence: u64) -> bool {
        self.next == sequence
    }
    /// Whether nothing more can be written, so that there is no use in going on.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Takes the results of a block.
    pub(super) fn take(
        &mut self,
        sequence: u64,
        input: usize,
        results: Results,
        last: bool,
        read: u64,
    ) {
        self.early.insert(sequence, Entry { input, results, last, read });
        while let Some(entry) = self.early.remove(&self.next) {
            self.next += 1;
            if !self.stopped {
                self.write(entry);
            }
        }
    }

    /// The end: what was counted, and what went wrong.
    pub(super) fn finish(mut self) -> (Tally, Option<Failure>) {
        if self.inputs.one_target && !self.stopped {
            self.close();
        }
        for sentence in self.naming.finish() {
            self.fail(sentence);
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        (self.tally, self.failed)
    }

    fn write(&mut self, entry: Entry) {
        let Entry { input, mut results, last, read } = entry;
        self.tally.add(&results.tally);
        self.say(&results.messages);
        if let Some(sentence) = results.failure.take() {
            self.fail(sentence);
            self.spoiled = true;
        }
        self.useful |= results.useful;
        let target = &self.inputs.list[input].target;
        if let Err(sentence) = self.put(target, &results.bytes) {
            self.output = None;
            self.spoiled = true;
            self.fail(sentence);
            self.stopped = self.inputs.one_target;
        }
        if last && !self.inputs.one_target {
            self.close();
        }
        if let Some(bar) = &self.bar {
            bar.inc(read);
        }
    }

    fn put(&mut self, target: &Target, bytes: &[u8]) -> Result<(), String> {
        if bytes.is_empty() || self.spoiled {
            return Ok(());
        }
        let head = if self.headed { &[][..] } else { &self.head[..] };
        match target {
            Target::Standard => {
                print_exact(head).and_then(|()| print_exact(bytes)).map_err(|f| f.message)?;
            }
            Target::File(path) => {
                if self.output.is_none() {
                    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty())
                        && !folder.exists()
                    {
                        std::fs::create_dir_all(folder).map_err(|error| {
                            format!("{}: cannot be made: {}", shown(folder), reason(&error))
                        })?;
                    }
                    self.output = Some(Output::create(path)?);
                }
                let output = self.output.as_mut().expect("made above");
                output.write(head)?;
                output.write(bytes)?;
            }
        }
        self.headed = true;
        Ok(())
    }

    /// Gives the output its name if it is worth keeping.
    fn close(&mut self) {
        let keep = self.useful && !self.spoiled;
        if let Some(output) = self.output.take().filter(|_| keep) {
            self.naming.take(output);
        }
        (self.useful, self.spoiled, self.headed) = (false, false, false);
    }

    fn say(&self, messages: &str) {
        if messages.is_empty() {
            return;
        }
        let say = || super::super::say(messages.trim_end());
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }

    /// The first failure is kept for the end, the others are said at once.
    fn fail(&mut self, sentence: String) {
        match &self.failed {
            None => self.failed = Some(Failure::new(sentence)),
            Some(_) => self.say(&format!("dokulog: {sentence}")),
        }
    }
}

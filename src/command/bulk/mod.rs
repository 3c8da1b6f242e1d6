//! Many puzzles through one job: read in blocks, worked on by several threads, written in order.
//!
//! ```text
//! Source ──block──▸ worker 1 ──results──▸
//!   (lock)  block──▸ worker 2 ──results──▸ Writer (lock): results in the order of their blocks
//! ```
//!
//! A worker takes the next block from the source, and hands its results to the writer, which keeps
//! results that come too early. So memory is a few blocks a thread however long the input is, and
//! the bytes written do not depend on the number of threads.

mod inputs;
mod naming;
mod progress;
mod results;
mod source;
mod writer;

use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

use crate::text::{Detection, FastLines, Form, Item, Puzzle, Reader};

use super::input::{FromOption, name};
use super::{Context, Run, Status, record};
use source::{Block, Payload, Source};
use writer::Writer;

pub(crate) use inputs::Beside;
pub(crate) use results::{Nine, Place, Results, Tally, signs};

/// Options of the commands that take many puzzles.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct BulkArguments {
    /// Puzzle files, folders of them, `-` for standard input, or a puzzle itself as one line
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Where to write: a file, a folder, or `-` for standard output
    #[arg(short, long, value_name = "FILE|DIR|-")]
    pub output: Option<PathBuf>,
    /// Make the folder that the output goes to, and those it is in
    #[arg(long, requires = "output")]
    pub parents: bool,
    #[command(flatten)]
    pub from: FromOption,
}

/// What is done with each puzzle.
pub(super) trait Job: Sync {
    /// What a thread needs for itself.
    type Tools;
    /// The columns of CSV.
    const COLUMNS: &'static [&'static str] = &[];
    /// Makes one.
    fn tools(&self) -> Self::Tools;
    /// Deals with a puzzle.
    fn puzzle(&self, tools: &mut Self::Tools, place: &Place, puzzle: Puzzle, results: &mut Results);
    /// Deals with a 9×9 puzzle of a list in short; `false` if it wants the long way.
    fn digits(
        &self,
        _tools: &mut Self::Tools,
        _place: &Place,
        _nine: &Nine,
        _results: &mut Results,
    ) -> bool {
        false
    }
    /// The form of the results, if one was asked for.
    fn to(&self) -> Option<Form>;
    /// The sentence at the end.
    fn summary(&self, tally: &Tally) -> String;
}

/// The smallest and largest block.
const BLOCKS: (usize, usize) = (1 << 9, 1 << 17);
/// How long a block should take.
const PACE: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(8));

/// Runs a job over all inputs. It is the last thing that the program does, so neither the job nor
/// what its threads had for themselves is taken apart in the end: that takes as long as a puzzle.
pub(super) fn run<J: Job>(
    job: J,
    arguments: &BulkArguments,
    beside: Beside,
    context: &Context,
) -> Run {
    let job = &*ManuallyDrop::new(job);
    let extension;
    let beside = match beside {
        Beside::Extension(plain) => {
            extension = record::extension(job.to(), plain);
            Beside::Extension(&extension)
        }
        nowhere => nowhere,
    };
    let inputs = inputs::inputs(arguments, beside)?;
    let several = inputs.list.len() > 1 && inputs.one_target;
    // Objects say which puzzle of the file they are about.
    let boards = arguments.from.layout.boards()?;
    let is_json = job.to() == Some(Form::Json);
    let source = Source::new(&inputs.list, arguments.from.from, &boards, is_json);
    let head = match job.to() {
        Some(Form::Csv) => format!("{}\n", J::COLUMNS.join(",")).into_bytes(),
        _ => Vec::new(),
    };
    let writer = Writer::new(&inputs, head, context.quiet);
    let run = BulkRun {
        job,
        source: Mutex::new(source),
        writer: Mutex::new(writer),
        written: Condvar::new(),
        stopped: AtomicBool::new(false),
        target: AtomicUsize::new(BLOCKS.1 / 8),
        context,
        threads: OnceLock::new(),
        paths: inputs.list.iter().map(|input| name(&input.path)).collect(),
        several,
    };
    std::thread::scope(|scope| run.work(scope, None));
    let writer = run.writer.into_inner().unwrap_or_else(|poison| poison.into_inner());
    finish(job, writer, context)
}

fn finish<J: Job>(job: &J, writer: Writer, context: &Context) -> Run {
    let (tally, failed) = writer.finish();
    let sentence = job.summary(&tally);
    if !context.quiet && tally.puzzles > 0 && !sentence.is_empty() {
        super::say(&sentence);
    }
    match failed {
        Some(failure) => Err(failure),
        None if tally.bad > 0 => Ok(Status::Failed),
        None => Ok(Status::Done),
    }
}

/// What the threads share.
struct BulkRun<'a, J: Job> {
    job: &'a J,
    source: Mutex<Source<'a>>,
    writer: Mutex<Writer<'a>>,
    /// Something was written, so that there is room for more.
    written: Condvar,
    stopped: AtomicBool,
    /// The block size that the pace asks for. It moves no byte of the result.
    target: AtomicUsize,
    context: &'a Context,
    /// How many there may be: known when a second one is wanted, as it takes a look at files of
    /// the system.
    threads: OnceLock<usize>,
    /// Their names.
    paths: Vec<String>,
    several: bool,
}

impl<J: Job> BulkRun<'_, J> {
    fn threads(&self) -> usize {
        *self.threads.get_or_init(|| self.context.threads())
    }

    /// Works off blocks. Whoever gets the first of its own has one more begin, if that many more
    /// may, or as many as there may be: a small input does not start threads that have nothing to
    /// do.
    fn work<'s>(&'s self, scope: &'s Scope<'s, '_>, more: Option<usize>) {
        let _alarm = Alarm { stopped: &self.stopped, written: &self.written };
        let mut tools = ManuallyDrop::new(None);
        let mut is_first = true;
        while !self.stopped.load(Ordering::Relaxed) {
            let target = self.target.load(Ordering::Relaxed);
            let Some((block, read)) = lock(&self.source).next(target) else { break };
            let is_all = block.last && block.input + 1 == self.paths.len();
            if std::mem::take(&mut is_first)
                && !is_all
                && let Some(fewer) = more.unwrap_or_else(|| self.threads() - 1).checked_sub(1)
            {
                // Fewer threads do it, too.
                let next = move || self.work(scope, Some(fewer));
                let _ = Builder::new().spawn_scoped(scope, next);
            }
            let begin = Instant::now();
            let (sequence, input, last) = (block.sequence, block.input, block.last);
            let results = self.results(tools.get_or_insert_with(|| self.job.tools()), block);
            self.keep_pace(target, begin.elapsed());
            let mut writer = lock(&self.writer);
            // So many results may wait for an earlier one.
            while !writer.is_next(sequence)
                && writer.waiting() >= 2 * self.threads()
                && !self.stopped.load(Ordering::Relaxed)
            {
                writer = self.written.wait(writer).unwrap_or_else(|poison| poison.into_inner());
            }
            writer.take(sequence, input, results, last, read);
            if writer.is_stopped() {
                self.stopped.store(true, Ordering::Relaxed);
            }
            drop(writer);
            self.written.notify_all();
        }
    }

    /// Blocks that take long are made smaller, so that threads share the work and results come
    /// while they are fresh; blocks that take no time are made larger.
    fn keep_pace(&self, target: usize, took: Duration) {
        if took > PACE.1 && target > BLOCKS.0 {
            self.target.store(target / 2, Ordering::Relaxed);
        } else if took < PACE.0 && target < BLOCKS.1 {
            self.target.store(target * 2, Ordering::Relaxed);
        }
    }

    fn results(&self, tools: &mut J::Tools, block: Block) -> Results {
        let mut results = Results::default();
        let file = self.paths[block.input].as_str();
        let alone = block.alone && !self.several;
        let mut place = Place { file, index: block.first_index, line: 0, alone };
        match block.payload {
            Payload::Lines(bytes, first, detection) => {
                self.lines(tools, &bytes, first, &detection, place, &mut results);
            }
            Payload::Items(items) => {
                for item in items {
                    place.line = item.as_ref().map_or_else(|fault| fault.line, |p| p.line);
                    self.item(tools, &place, item, &mut results);
                    place.index += 1;
                }
            }
            Payload::Refused(fault) => {
                place.line = fault.line;
                results.complain(&fault.in_file(file));
                results.tally.puzzles += 1;
                results.tally.unreadable += 1;
                results.tally.bad += 1;
                if self.job.to() == Some(Form::Json) {
                    record::fault_object(&place, &fault, &mut results);
                }
            }
            Payload::Foreign(fault) => log::info!("passed over {}", fault.in_file(file)),
            Payload::Failed(sentence) => results.failure = Some(sentence),
        }
        results
    }

    fn item(&self, tools: &mut J::Tools, place: &Place, item: Item, results: &mut Results) {
        match item {
            Ok(puzzle) => {
                results.tally.puzzles += 1;
                self.job.puzzle(tools, place, puzzle, results);
            }
            Err(fault) => {
                let columns = J::COLUMNS.len();
                record::fault(self.job.to(), columns, place, &fault, results);
            }
        }
    }

    fn lines(
        &self,
        tools: &mut J::Tools,
        bytes: &[u8],
        first: usize,
        detection: &Detection,
        mut place: Place,
        results: &mut Results,
    ) {
        let mut reader = Reader::new(detection, first);
        let fast = match (detection.form, detection.size) {
            (Form::Line, 9) if detection.board.is_none() => FastLines::new(detection.alphabet),
            _ => None,
        };
        let bytes = match first {
            1 => bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            _ => bytes,
        };
        results.bytes.reserve(bytes.len() + 4096);
        let mut items = Vec::new();
        let mut digits = [0; 81];
        let mut rest = bytes;
        while !rest.is_empty() {
            place.line = reader.next_line();
            if let Some(fast) = &fast
                && let Some((line, [b'\n', others @ ..])) = rest.split_first_chunk::<81>()
                && fast.read(line, &mut digits)
                && self.job.digits(tools, &place, &digits, results)
            {
                rest = others;
                reader.skip_line();
                place.index += 1;
                continue;
            }
            let end = rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |at| at + 1);
            let (line, others) = rest.split_at(end);
            rest = others;
            reader.block(line, &mut items);
            for item in items.drain(..) {
                self.item(tools, &place, item, results);
                place.index += 1;
            }
        }
    }
}

/// Wakes the other threads should one of them fail, so that nobody waits for it.
struct Alarm<'a> {
    stopped: &'a AtomicBool,
    written: &'a Condvar,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stopped.store(true, Ordering::Relaxed);
            self.written.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poison| poison.into_inner())
}

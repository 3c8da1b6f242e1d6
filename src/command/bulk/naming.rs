//! Giving finished outputs their names while the next ones are made.
//!
//! An output is on the disk before it gets its name, and to wait for that takes longer than most
//! results do. Those that wait together wait once.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, scope};

use super::super::output::Output;

/// How many wait together.
const MOST: usize = 32;

/// Names outputs, one soon after the other.
#[derive(Default)]
pub(super) struct Naming {
    thread: Option<(SyncSender<Output>, JoinHandle<Vec<String>>)>,
    failed: Vec<String>,
}

impl Naming {
    /// Takes an output that is complete.
    pub(super) fn take(&mut self, output: Output) {
        if self.thread.is_none() {
            let (sender, queue) = sync_channel(MOST);
            let begun = Builder::new().spawn(move || name_all(&queue));
            self.thread = begun.ok().map(|thread| (sender, thread));
        }
        let left = match &self.thread {
            Some((sender, _)) => sender.send(output).err().map(|unsent| unsent.0),
            None => Some(output),
        };
        self.failed.extend(left.and_then(|output| output.commit().err()));
    }

    /// Waits for all of them; what went wrong, each as a sentence.
    pub(super) fn finish(&mut self) -> Vec<String> {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            self.failed.extend(thread.join().unwrap_or_default());
        }
        self.failed.sort();
        std::mem::take(&mut self.failed)
    }
}

fn name_all(queue: &Receiver<Output>) -> Vec<String> {
    let mut failed = Vec::new();
    while let Ok(first) = queue.recv() {
        let waiting: Vec<Output> = [first].into_iter().chain(queue.try_iter().take(MOST)).collect();
        failed.extend(name_together(waiting));
    }
    failed
}

fn name_together(outputs: Vec<Output>) -> Vec<String> {
    let threads = outputs.len();
    let outputs = Mutex::new(outputs);
    let failed = Mutex::new(Vec::new());
    let next = || outputs.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let work = || {
        while let Some(output) = next() {
            let sentence = output.commit().err();
            failed.lock().unwrap_or_else(PoisonError::into_inner).extend(sentence);
        }
    };
    scope(|scope| {
        for _ in 1..threads {
            // Fewer threads do it, too.
            if Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

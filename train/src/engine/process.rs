//! An outside program with its three pipes. Every wait for it has an end, and so has the program.

use std::io::{BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{children, lines};

/// How long a program that was told to leave, or has closed its output, may take.
const PARTING: Duration = Duration::from_millis(300);

/// Lines that may wait to be read; a program that writes more has to wait itself.
const WAITING: usize = 1_000;

/// A running program that talks in lines.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
    /// The last line it wrote to standard error, which often says why it ends.
    words: Arc<Mutex<String>>,
    /// Ends when standard error does.
    silence: Receiver<()>,
    /// The last line of its output that was no answer.
    last: String,
    /// What makes it leave; said only to a program in order.
    goodbye: &'static str,
    in_order: bool,
    gone: bool,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub(super) fn start(path: &Path, args: &[String], goodbye: &'static str) -> Result<Process, String> {
        let mut command = Command::new(path);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        children::lead(&mut command);
        let mut child = command.spawn().map_err(|fault| format!("cannot start {}: {fault}", path.display()))?;
        children::remember(child.id());
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three are pipes");
        };
        let (sender, receiver) = sync_channel(WAITING);
        let words = Arc::new(Mutex::new(String::new()));
        let last_words = words.clone();
        // Both threads end when the program and whatever it started have closed their ends.
        thread::spawn(move || pass_on(output, &sender));
        let (all_said, silence) = sync_channel(1);
        thread::spawn(move || {
            let _all_said: SyncSender<()> = all_said;
            let mut errors = BufReader::new(errors);
            while let Ok(Some(line)) = lines::next(&mut errors) {
                if !line.is_empty() {
                    *last_words.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
            }
        });
        let last = String::new();
        Ok(Process { child, input, output: receiver, words, silence, last, goodbye, in_order: true, gone: false })
    }

    /// Says a line. A pipe holds far more than is ever said between two answers, so this does not block.
    ///
    /// # Errors
    /// A program that has gone.
    pub(super) fn say(&mut self, line: &str) -> Result<(), String> {
        let said = self.input.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.input.flush());
        said.map_err(|_| {
            self.in_order = false;
            self.told_end(&format!("when told '{}'", lines::short(line)))
        })
    }

    /// Forgets what it has said so far: it cannot be an answer to what comes now.
    pub(super) fn forget(&mut self) {
        // A program that writes without end is read no further than what may wait.
        self.output.try_iter().take(WAITING).for_each(drop);
        self.last.clear();
    }

    /// Waits for the first line that is an answer; `None` where there is none yet.
    pub(super) fn try_wait<T>(&mut self, limit: Duration, answer: impl Fn(&str) -> Option<T>) -> Option<T> {
        let end = Instant::now() + limit;
        while let Ok(line) = self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
            if let Some(answer) = answer(&line) {
                return Some(answer);
            }
            if Instant::now() >= end {
                break;
            }
        }
        None
    }

    /// Waits for the first line that is an answer.
    ///
    /// # Errors
    /// None within the time, or a program that has gone. After either it is not spoken to again.
    pub(super) fn wait<T>(
        &mut self,
        what: &str,
        limit: Duration,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, String> {
        let end = Instant::now() + limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let received = if left.is_zero() { Err(RecvTimeoutError::Timeout) } else { self.output.recv_timeout(left) };
            match received {
                Ok(line) => {
                    if let Some(answer) = answer(&line) {
                        return Ok(answer);
                    }
                    if !line.is_empty() {
                        self.last = line;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.in_order = false;
                    let last = match self.last.as_str() {
                        "" => String::new(),
                        last => format!("; its last line was '{}'", lines::short(last)),
                    };
                    return Err(format!("gave no {what} within {} s{last}", limit.as_secs_f64()));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.in_order = false;
                    return Err(self.told_end(&format!("and gave no {what}")));
                }
            }
        }
    }

    /// How the program ended, for people.
    fn told_end(&mut self, when: &str) -> String {
        let started = Instant::now();
        let mut status = None;
        while status.is_none() && started.elapsed() < PARTING {
            thread::sleep(Duration::from_millis(2));
            status = self.child.try_wait().ok().flatten();
        }
        let ended = match status {
            Some(status) => {
                self.end();
                format!("ended ({status})")
            }
            None => "closed its output".into(),
        };
        // What it wrote before may still be on its way.
        let _ = self.silence.recv_timeout(PARTING);
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let words = if words.is_empty() { words } else { format!("; its last words: {}", lines::short(&words)) };
        format!("{ended} {when}{words}")
    }

    /// Ends the program with all that it started, and takes its exit status, so that nothing of it stays.
    fn end(&mut self) {
        if !self.gone {
            self.gone = true;
            children::kill(&mut self.child);
            let _ = self.child.wait();
            children::forget(self.child.id());
        }
    }
}

/// Passes lines on until nobody writes or nobody listens.
fn pass_on(output: impl std::io::Read, sender: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    while let Ok(Some(line)) = lines::next(&mut output) {
        if sender.send(line).is_err() {
            break;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.in_order && self.say(self.goodbye).is_ok() {
            let end = Instant::now() + PARTING;
            // Its output is at an end when it has gone.
            while self.output.recv_timeout(end.saturating_duration_since(Instant::now())).is_ok() {
                if Instant::now() >= end {
                    break;
                }
            }
        }
        self.end();
    }
}

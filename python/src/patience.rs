//! Long calls: Rust works on a thread of its own while the caller's thread answers signals such as Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How often signals are looked for.
const PULSE: Duration = Duration::from_millis(50);

/// Hands news from the working thread to the caller's, and waits until it was heard.
pub(crate) struct Teller<'a, N> {
    news: SyncSender<(N, SyncSender<()>)>,
    /// Set when the work should end early: somebody pressed Ctrl-C, or a listener had enough or failed.
    pub(crate) stop: &'a Arc<AtomicBool>,
}

impl<N> Teller<'_, N> {
    /// Returns when the news was heard, so that what a listener decides holds from this moment on.
    pub(crate) fn tell(&self, news: N) {
        let (heard, wait) = sync_channel(0);
        if self.news.send((news, heard)).is_ok() {
            // A listener that is gone hears nothing, and says so by closing the channel.
            let _ = wait.recv();
        }
    }
}

/// Runs `work` on another thread, without the interpreter's lock. `hear` gets its news here, with the lock; true asks
/// the work to end early. A signal whose handler raises, or a fault of `hear`, asks for that, too, and is raised once
/// the work has ended; `ended` may add to it.
pub(crate) fn wait_for<R: Send, N: Send>(
    py: Python<'_>,
    work: impl FnOnce(Teller<'_, N>) -> R + Send,
    hear: impl FnMut(Python<'_>, N) -> PyResult<bool> + Send,
    ended: impl FnOnce(Python<'_>, &PyErr) + Send,
) -> PyResult<R> {
    let stop = Arc::new(AtomicBool::new(false));
    let (result, fault) = py.detach(|| {
        thread::scope(|scope| {
            let (news, receive) = sync_channel(0);
            let teller = Teller { news, stop: &stop };
            let worker = scope.spawn(move || work(teller));
            let fault = listen(&receive, &stop, hear);
            (worker.join(), fault)
        })
    });
    if let Some(fault) = fault {
        ended(py, &fault);
        return Err(fault);
    }
    // A panic goes on in the caller's thread, where it becomes an exception.
    result.map_err(|panic| std::panic::resume_unwind(panic))
}

/// Until the working thread is done.
fn listen<N>(
    receive: &Receiver<(N, SyncSender<()>)>,
    stop: &AtomicBool,
    mut hear: impl FnMut(Python<'_>, N) -> PyResult<bool>,
) -> Option<PyErr> {
    let mut first = None;
    loop {
        // The teller waits while this is kept, so it goes only after the wish to stop has been written down.
        let mut heard = None;
        let enough = match receive.recv_timeout(PULSE) {
            // After a fault nobody listens any more.
            Ok((news, teller)) if first.is_none() => {
                heard = Some(teller);
                Python::attach(|py| hear(py, news).and_then(|enough| py.check_signals().map(|()| enough)))
            }
            Ok(_) => Ok(false),
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()).map(|()| false),
            Err(RecvTimeoutError::Disconnected) => return first,
        };
        match enough {
            Ok(false) => {}
            Ok(true) => stop.store(true, Ordering::Relaxed),
            Err(fault) => {
                stop.store(true, Ordering::Relaxed);
                first.get_or_insert(fault);
            }
        }
        drop(heard);
    }
}

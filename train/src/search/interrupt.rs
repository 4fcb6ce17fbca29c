//! Ending a search early when whoever waits for it has had enough, as at Ctrl-C.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Runs work on this thread whose searches end soon after the flag is set. What they answer then is a guess.
pub fn interruptible<R>(flag: Arc<AtomicBool>, work: impl FnOnce() -> R) -> R {
    FLAG.set(Some(flag));
    let result = work();
    FLAG.set(None);
    result
}

/// Whether the searches of this thread are to end.
pub fn interrupted() -> bool {
    FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)))
}

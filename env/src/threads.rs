//! The threads of a [`crate::vector::VecGame`].
//!
//! A step takes well under a millisecond, so what a thread loses by falling asleep and being woken is a large share
//! of it. Everybody therefore waits awake: the calling thread for the others to finish, and the others, for a moment,
//! for the next call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::Error;

/// Fewer games than this are not worth another thread: about 20 us of work.
const LEAST_SHARE: usize = 128;

/// How long a thread stays awake for the next call.
const AWAKE: Duration = Duration::from_micros(200);

/// The calling thread and the others that share its work.
pub(crate) struct Threads {
    /// The others.
    pool: Option<rayon::ThreadPool>,
    /// How often work was handed out; who waits for the next call watches it.
    calls: Arc<AtomicU64>,
}

impl Threads {
    /// So many threads, the calling one included.
    ///
    /// # Errors
    /// None at all, or threads that cannot be started.
    pub(crate) fn new(threads: usize) -> Result<Threads, Error> {
        let pool = match threads {
            0 => return Err(Error::Shape("threads: expected at least 1".into())),
            1 => None,
            n => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(n - 1)
                    .build()
                    .map_err(|fault| Error::Shape(format!("{n} threads could not be started: {fault}")))?,
            ),
        };
        Ok(Threads { pool, calls: Arc::default() })
    }

    /// Cuts work on so many games into equal shares of consecutive games, the first one for the calling thread, and
    /// returns when all are done. A thread gets the same games in each call, so that they stay in its cache.
    ///
    /// `work` gets a [`Barrier`] beside its share, at which it may wait for the other shares to come as far.
    pub(crate) fn share_out<T: Send>(
        &self,
        games: usize,
        whole: T,
        cut: impl Fn(T, usize) -> [T; 2],
        work: impl Fn(T, Barrier<'_>) + Sync,
    ) {
        let threads = self.pool.as_ref().map_or(1, |pool| (pool.current_num_threads() + 1).min(games / LEAST_SHARE));
        let (busy, before) = (AtomicUsize::new(threads.max(1) - 1), AtomicUsize::new(threads.max(1)));
        let Some(pool) = self.pool.as_ref().filter(|_| threads > 1) else { return work(whole, Barrier(&before)) };
        pool.in_place_scope(|scope| {
            let (work, busy, before) = (&work, &busy, &before);
            let (mut rest, mut left) = (whole, games);
            for others in (1..threads).rev() {
                let at = left * others / (others + 1);
                let [head, tail] = cut(rest, at);
                (rest, left) = (head, at);
                let calls = &self.calls;
                scope.spawn(move |_| {
                    {
                        let _done = CountDown(busy);
                        work(tail, Barrier(before));
                    }
                    stay_awake(calls);
                });
            }
            self.calls.fetch_add(1, Ordering::Release);
            work(rest, Barrier(before));
            wait_for(|| busy.load(Ordering::Acquire) == 0);
        });
    }
}

/// Keeps the calling thread of a pool awake until the next call, or for [`AWAKE`].
fn stay_awake(calls: &Arc<AtomicU64>) {
    let calls = calls.clone();
    let (seen, since) = (calls.load(Ordering::Relaxed), Instant::now());
    rayon::spawn(move || {
        wait_for(|| calls.load(Ordering::Acquire) != seen || since.elapsed() >= AWAKE);
    });
}

/// Where the shares of one call wait for each other.
pub(crate) struct Barrier<'a>(&'a AtomicUsize);

impl Barrier<'_> {
    /// Does something, and returns when every share has done so.
    pub(crate) fn after(self, first: impl FnOnce()) {
        {
            let _done = CountDown(self.0);
            first();
        }
        wait_for(|| self.0.load(Ordering::Acquire) == 0);
    }
}

/// Counts one down when it goes away, by a panic too, or who waits for it would wait for ever.
struct CountDown<'a>(&'a AtomicUsize);

impl Drop for CountDown<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Waits awake for some 20 us, then in ever more generous ways, for where there are more threads than free cores.
fn wait_for(ready: impl Fn() -> bool) {
    for tries in 0.. {
        match tries {
            _ if ready() => return,
            ..1_000 => std::hint::spin_loop(),
            1_000..1_200 => std::thread::yield_now(),
            _ => std::thread::sleep(Duration::from_micros(20)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn halves(range: Range<usize>, at: usize) -> [Range<usize>; 2] {
        [range.start..range.start + at, range.start + at..range.end]
    }

    #[test]
    fn a_panic_on_any_thread_reaches_the_caller() {
        let games = 4 * LEAST_SHARE;
        let threads = Threads::new(2).unwrap();
        for at_the_barrier in [false, true] {
            let run = |bad: usize| {
                threads.share_out(games, 0..games, halves, |range, barrier| {
                    let check = || assert!(!range.contains(&bad));
                    if at_the_barrier { barrier.after(check) } else { check() }
                });
            };
            for bad in [0, games - 1] {
                assert!(catch_unwind(AssertUnwindSafe(|| run(bad))).is_err(), "game {bad}");
            }
            run(games);
        }
    }

    #[test]
    fn nobody_passes_the_barrier_before_all_have_come() {
        for count in [1, 2, 3, 5] {
            let threads = Threads::new(count).unwrap();
            let games = 8 * LEAST_SHARE;
            for _ in 0..200 {
                let (checked, late) = (AtomicUsize::new(0), AtomicUsize::new(0));
                threads.share_out(games, 0..games, halves, |range, barrier| {
                    barrier.after(|| {
                        checked.fetch_add(range.len(), Ordering::Relaxed);
                    });
                    late.fetch_add(games - checked.load(Ordering::Relaxed), Ordering::Relaxed);
                });
                assert_eq!(late.into_inner(), 0, "{count} threads");
            }
        }
    }
}

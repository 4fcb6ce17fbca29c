//! Threads that each compute inside a rayon pool of their own.
//!
//! burn's CPU backend spreads every single operation over the current rayon pool. For many small
//! networks at once that is slower than one whole job per core, and two callers in one pool wait for
//! each other. So each worker owns a pool of one thread, and a job runs in there from start to end.

use std::sync::Mutex;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// A fixed set of worker threads, started once and kept.
///
/// The number of threads never changes a result: jobs are cut by the caller, each is computed by one
/// thread, and results come back in the order of the jobs.
#[derive(Debug)]
pub struct Workers {
    pools: Vec<ThreadPool>,
}

impl Workers {
    /// Starts `threads` workers (at least one).
    ///
    /// # Errors
    /// If the system cannot start another thread.
    pub fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let pools = (0..threads.max(1))
            .map(|index| {
                ThreadPoolBuilder::new().num_threads(1).thread_name(move |_| format!("worker-{index}")).build()
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { pools })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.pools.len()
    }

    /// Runs `work(index, job)` for every job and returns the results in the order of the jobs.
    ///
    /// A free worker takes the next job, so jobs may differ in length. A panic in a job ends the call
    /// with that panic.
    pub fn map<T: Send, R: Send>(&self, jobs: Vec<T>, work: impl Fn(usize, T) -> R + Sync) -> Vec<R> {
        let results = Mutex::new(jobs.iter().map(|_| None).collect::<Vec<Option<R>>>());
        // No worker is woken for nothing: a call with one job costs one hand-over.
        let pools = &self.pools[..self.pools.len().min(jobs.len())];
        let queue = Mutex::new(jobs.into_iter().enumerate());
        fan_out(pools, &|| {
            loop {
                // The guard must be gone before the job starts.
                let next = lock(&queue).next();
                let Some((index, job)) = next else { break };
                let result = work(index, job);
                lock(&results)[index] = Some(result);
            }
        });
        results
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .into_iter()
            .map(|result| result.expect("every job is taken once"))
            .collect()
    }
}

/// Runs `work` once in every pool at the same time and returns when all are done.
fn fan_out(pools: &[ThreadPool], work: &(impl Fn() + Sync)) {
    match pools {
        [] => {}
        [last] => last.install(work),
        [first, rest @ ..] => first.in_place_scope(|scope| {
            scope.spawn(|_| work());
            fan_out(rest, work);
        }),
    }
}

/// Nothing is left half-written under these locks, so another worker's panic does not spoil them.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn results_keep_the_order_of_the_jobs_on_any_number_of_threads() {
        let expected: Vec<u64> = (0..100u64).map(|job| job * 1000 + job * job).collect();
        for threads in [1, 2, 4] {
            let workers = Workers::new(threads).unwrap();
            assert_eq!(workers.threads(), threads);
            let results = workers.map((0..100u64).collect(), |index, job| {
                // Uneven work, so that workers overtake each other.
                std::thread::sleep(std::time::Duration::from_micros(job % 7 * 20));
                index as u64 * 1000 + job * job
            });
            assert_eq!(results, expected, "{threads} threads");
        }
    }

    #[test]
    fn each_job_sees_a_pool_of_one_thread() {
        let workers = Workers::new(3).unwrap();
        let sizes = workers.map(vec![(); 10], |_, ()| rayon::current_num_threads());
        assert_eq!(sizes, vec![1; 10]);
        assert_eq!(workers.map(Vec::<()>::new(), |_, ()| 1), Vec::<i32>::new());
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_workers_live_on() {
        let workers = Workers::new(2).unwrap();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            workers.map((0..8).collect(), |_, job: i32| {
                assert_ne!(job, 5, "job five");
                job
            })
        }));
        assert!(outcome.is_err());
        assert_eq!(workers.map(vec![1, 2, 3], |_, job| job * 2), vec![2, 4, 6]);
    }
}

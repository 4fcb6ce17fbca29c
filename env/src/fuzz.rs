//! How long the tests with changed texts run.

use std::io::Write as _;
use std::time::{Duration, Instant};

/// Whether another input is tried: so many of them, or as many as fit into `ANQI_FUZZ_SECONDS` where that is set.
pub(crate) fn inputs(usual: usize) -> impl Fn(usize) -> bool {
    let seconds = std::env::var("ANQI_FUZZ_SECONDS").ok();
    let time =
        seconds.map(|text| Duration::from_secs(text.parse().expect("ANQI_FUZZ_SECONDS: expected whole seconds")));
    let started = Instant::now();
    move |number| match time {
        None => number < usual,
        Some(time) => {
            let going_on = started.elapsed() < time;
            if !going_on {
                let _ = writeln!(std::io::stderr(), "{number} inputs in {} s", time.as_secs());
            }
            going_on
        }
    }
}

//! Matches between agents.

use std::sync::Arc;

use anqi_env::with_family;
use anqi_train::agent::{Agent as Plays, AgentSpec};
use anqi_train::arena::{Match, Score, play_until};
use anqi_train::workers::Workers;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::agent::fault;
use crate::{args, patience};

/// A score with its 95 % interval.
type Interval = (f64, f64, f64);
/// Score of each set, games won, drawn, lost, plies, endings, and the score; then where luck can be measured the score
/// without it, what it gave, and the sets that would be as sure.
type Played = (Vec<f64>, [u32; 3], u64, Vec<(String, u32)>, Interval, Option<(Interval, f64, f64)>);

/// Plays duplicate sets of two agents; `anqi.arena` gives the result its names.
#[pyfunction(name = "_arena")]
#[expect(clippy::too_many_arguments, reason = "the keyword arguments of anqi.arena")]
pub(crate) fn arena(
    py: Python<'_>,
    game: &str,
    first: &str,
    second: &str,
    pairs: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Played> {
    let rules = args::rules(game, None)?;
    let pairs = args::number("pairs", pairs, 1..=1_000_000)? as usize;
    let seed = args::number("seed", seed, 0..=u64::MAX)?;
    let threads = match threads {
        None => std::thread::available_parallelism().map_or(1, usize::from),
        Some(number) => args::number("threads", number, 1..=1024)? as usize,
    };
    let agents = [AgentSpec::parse(first).map_err(fault)?, AgentSpec::parse(second).map_err(fault)?];
    let work = |teller: patience::Teller<'_, usize>| -> Result<Option<Match>, PyErr> {
        let workers = Workers::new(threads).map_err(|fault| PyRuntimeError::new_err(fault.to_string()))?;
        let (told, stop) = (std::sync::Mutex::new(0), teller.stop);
        let played = |count: usize| {
            if callback.is_some()
                && let Ok(mut told) = told.lock()
            {
                *told += count;
                teller.tell(*told);
            }
        };
        with_family!(&rules, game => {
            let [first, second]: [Arc<dyn Plays<_>>; 2] =
                [agents[0].build(game).map_err(fault)?, agents[1].build(game).map_err(fault)?];
            Ok(play_until(game, [&first, &second], pairs, seed, &workers, &played, stop))
        })
    };
    let hear = |py: Python<'_>, done: usize| match &callback {
        Some(callback) => callback.call1(py, (done, pairs)).map(|_| false),
        None => Ok(false),
    };
    let played = patience::wait_for(py, work, hear, |_, _| {})??;
    let played = played.ok_or_else(|| PyValueError::new_err("the match was stopped"))?;
    let interval = |score: Score| (score.score, score.lower, score.upper);
    let score = interval(played.score());
    let adjusted = played.adjusted().ok().map(|found| (interval(found.score), found.luck, found.worth_sets));
    let Match { pairs, wins_draws_losses, plies, endings, .. } = played;
    Ok((pairs, wins_draws_losses, plies, endings, score, adjusted))
}

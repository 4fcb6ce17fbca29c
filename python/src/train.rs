//! Training from Python.

use std::path::PathBuf;

use anqi_train::checkpoint::{self, Rung};
use anqi_train::config::Config;
use anqi_train::launch::{Limits, holds_run, launch, next_run};
use anqi_train::log::Row;
use anqi_train::run::{Folder, Observer, RunError, Update};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::patience::{Teller, wait_for};

/// Hands a run's figures to the listener, as lines of `metrics.jsonl`.
struct Relay<'a> {
    teller: Teller<'a, String>,
    /// Of the last update; a measurement counts as made there.
    counters: anqi_train::run::Counters,
}

impl Relay<'_> {
    fn tell(&self, row: &Row) {
        self.teller.tell(serde_json::Value::Object(row.object()).to_string());
    }
}

impl Observer for Relay<'_> {
    fn updated(&mut self, update: &Update) {
        self.counters = update.counters;
        self.tell(&Row::update(update));
    }

    fn measuring(&mut self, _against: &str, _done: usize, _pairs: usize) {}

    fn measured(&mut self, rung: &Rung) {
        self.tell(&Row::ladder(&self.counters, std::slice::from_ref(rung)));
    }
}

/// Trains by self-play and gives the checkpoint's path; `anqi.train` prepares the arguments.
///
/// `sets` are settings as `key=value`, the value in TOML. `callback` gets each line of figures as JSON; true ends the
/// run early.
#[pyfunction(name = "_train")]
#[expect(clippy::too_many_arguments, reason = "the keyword arguments of anqi.train")]
pub(crate) fn train(
    py: Python<'_>,
    game: Option<&str>,
    preset: Option<&str>,
    config: Option<PathBuf>,
    out: Option<PathBuf>,
    resume: Option<PathBuf>,
    minutes: Option<f64>,
    plies: Option<u64>,
    seed: Option<u64>,
    threads: Option<usize>,
    sets: Vec<String>,
    callback: Option<Py<PyAny>>,
) -> PyResult<PathBuf> {
    let value = |fault: &dyn std::fmt::Display| PyValueError::new_err(fault.to_string());
    let mut settings = Limits { game, minutes, plies, seed, threads }.settings();
    settings.extend(sets);
    let config = match &resume {
        Some(folder) => {
            let checkpoint = checkpoint::find(&folder.join("checkpoint")).map_err(|fault| value(&fault))?;
            Config::load(None, Some(&checkpoint.join("config.toml")), &settings)
        }
        None => Config::load(preset, config.as_deref(), &settings),
    };
    let config = config.map_err(|fault| value(&fault))?;
    let path = match (&resume, out) {
        (Some(path), _) => path.clone(),
        (None, Some(path)) if holds_run(&path) => {
            let path = path.display();
            return Err(value(&format!("out: {path} holds a run; go on with resume=.., or name another folder")));
        }
        (None, Some(path)) => path,
        (None, None) => next_run(&config.game),
    };
    let folder = Folder { path };
    let work = |teller: Teller<'_, String>| {
        let stop = teller.stop;
        let mut relay = Relay { teller, counters: Default::default() };
        launch(&config, &folder, resume.is_some(), &mut relay, stop)
    };
    let hear = |py: Python<'_>, row: String| match &callback {
        Some(callback) => callback.call1(py, (row,))?.is_truthy(py),
        None => Ok(false),
    };
    let ended = |py: Python<'_>, fault: &PyErr| {
        let note = format!("the run stopped early; its checkpoint is {}", folder.checkpoint().display());
        let _ = fault.value(py).call_method1("add_note", (note,));
    };
    let outcome = wait_for(py, work, hear, ended)?;
    outcome.map(|outcome| outcome.checkpoint).map_err(|fault| match fault {
        RunError::Learn { .. } | RunError::Threads { .. } => PyRuntimeError::new_err(fault.to_string()),
        _ => value(&fault),
    })
}

//! `anqi train`

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anqi_env::any::AnyRules;
use serde_json::json;

use super::output::{Output, grouped};
use super::progress::Progress;
use super::{Failure, JsonArgs, scores};
use crate::checkpoint::{self, Rung};
use crate::config::Config;
use crate::launch::{Limits, holds_run, launch, next_run};
use crate::run::{self, End, Folder, Observer, RunError, Update};
use crate::times::Times;

#[derive(clap::Args, Default)]
#[command(after_help = "Examples:\n  anqi train\n  anqi train darkchess:icga --minutes 10 --set net.width=64\n  \
    anqi train duel --minutes 10\n  \
    anqi train --resume runs/darkchess-001\n\nCtrl-C ends a run early with a saved checkpoint.")]
pub(super) struct Args {
    /// Game with profile and options; without it, the preset's
    game: Option<String>,
    /// Settings that come with anqi: quick (the default), strong, variants, mini, value, gumbel, imitate, junqi (the default of its games)
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// Settings from a TOML file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// One setting, such as net.width=128; may stand several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Minutes of training
    #[arg(long)]
    minutes: Option<f64>,
    /// Plies of self-play; such a run gives the same result every time
    #[arg(long)]
    plies: Option<u64>,
    /// Seed of everything
    #[arg(long)]
    seed: Option<u64>,
    /// Threads; without it, one a core
    #[arg(long)]
    threads: Option<usize>,
    /// Folder for checkpoint and figures; without it, a new one in runs/
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on from a run's last checkpoint, with its settings; later arguments change them
    #[arg(long, value_name = "DIR", conflicts_with_all = ["preset", "config", "out", "game"])]
    resume: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

impl Args {
    /// What stands on the command line beside files, as settings.
    fn settings(&self) -> Vec<String> {
        let Args { ref game, minutes, plies, seed, threads, .. } = *self;
        let mut sets = Limits { game: game.as_deref(), minutes, plies, seed, threads }.settings();
        sets.extend(self.sets.iter().cloned());
        sets
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = Output::new(&args.json);
    let settings = args.settings();
    let resumed = args.resume.as_ref().map(|path| Folder { path: path.clone() });
    let config = match &resumed {
        Some(folder) => {
            let checkpoint = checkpoint::find(&folder.checkpoint()).map_err(Failure::input)?;
            Config::load(None, Some(&checkpoint.join("config.toml")), &settings)
        }
        None => Config::load(args.preset.as_deref(), args.config.as_deref(), &settings),
    };
    let config = config.map_err(Failure::input)?;
    let rules = AnyRules::parse(&config.game).map_err(Failure::input)?;
    let folder = match (resumed, &args.out) {
        (Some(folder), _) => folder,
        (None, Some(path)) => Folder { path: fresh(path)? },
        (None, None) => Folder { path: next_run(&config.game) },
    };

    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).map_err(Failure::work)?;

    let limit = match (config.minutes > 0.0, config.plies > 0) {
        (true, true) => format!("{} minutes or {} plies", config.minutes, grouped(config.plies)),
        (true, false) => format!("{} minutes", config.minutes),
        (false, _) => format!("{} plies", grouped(config.plies)),
    };
    let threads = config.threads();
    out.line(format!(
        "training {} for {limit} on {threads} thread{}, seed {}; figures and checkpoints in {}",
        if config.mix.is_empty() { rules.spec().name.clone() } else { config.mix.join(" and ") },
        if threads == 1 { "" } else { "s" },
        config.seed,
        folder.path.display()
    ));
    let mut watcher = Watcher::new(&config);
    let outcome = launch(&config, &folder, args.resume.is_some(), &mut watcher, &stop);
    watcher.finish();
    let outcome = outcome.map_err(failure)?;

    let run::Counters { updates, plies, games, seconds } = outcome.counters;
    out.line(format!(
        "{} plies, {} games, {} updates in {seconds:.0} s ({} plies/s; {})",
        grouped(plies),
        grouped(games),
        grouped(updates),
        grouped((plies as f64 / seconds.max(1e-9)) as u64),
        watcher.times.shares().map(|(name, share)| format!("{name} {:.0} %", 100.0 * share)).join(", "),
    ));
    if !outcome.ladder.is_empty() {
        out.line("");
        out.table(&scores::ladder(&outcome.ladder));
        out.line("");
    }
    match outcome.end {
        End::Limit => {}
        End::Stopped => out.line(format!("{}; go on with: anqi train --resume {}", outcome.end, folder.path.display())),
        End::Unbeaten(_) => out.line(outcome.end.to_string()),
    }
    if let Some(best) = outcome.best {
        out.line(format!("the best network is that of {} plies", grouped(best.plies)));
    }
    out.line(format!("checkpoint: {}", outcome.checkpoint.display()));
    out.figures(&json!({
        "game": rules.spec().name,
        "checkpoint": outcome.checkpoint,
        "stopped": outcome.end == End::Stopped,
        "end": outcome.end.to_string(),
        "best": outcome.best,
        "counters": outcome.counters,
        "rules_seconds": watcher.times.rules,
        "inference_seconds": watcher.times.inference,
        "learning_seconds": watcher.times.learning,
        "ladder": outcome.ladder,
    }))
}

/// A run's fault: the input's, unless it came with the work.
pub(super) fn failure(fault: RunError) -> Failure {
    match fault {
        RunError::Learn { .. } | RunError::Threads { .. } => Failure::work(fault),
        _ => Failure::input(fault),
    }
}

/// A folder that holds no run yet.
pub(super) fn fresh(path: &Path) -> Result<PathBuf, Failure> {
    if holds_run(path) {
        let path = path.display();
        return Err(Failure::Input(format!(
            "--out {path}: holds a run; go on with --resume {path}, or name another folder"
        )));
    }
    Ok(path.to_path_buf())
}

/// Shows a run's progress.
pub(super) struct Watcher {
    progress: Progress,
    times: Times,
    minutes: f64,
    first_seconds: Option<f64>,
}

impl Watcher {
    pub(super) fn new(config: &Config) -> Watcher {
        let progress = Progress::new("training", 1000);
        Watcher { progress, times: Times::default(), minutes: config.minutes, first_seconds: None }
    }

    /// Ends the drawing.
    pub(super) fn finish(&self) {
        self.progress.finish();
    }
}

impl Observer for Watcher {
    fn updated(&mut self, update: &Update) {
        self.times += update.step.times;
        let seconds = update.counters.seconds;
        self.first_seconds.get_or_insert(seconds);
        self.progress.set((1000.0 * update.progress) as u64, || {
            let left = match self.minutes > 0.0 {
                true => self.minutes * 60.0 - seconds,
                false => seconds * (1.0 / update.progress.max(1e-9) - 1.0),
            };
            // A run that imitates has no loss of the policy, and others none of imitation.
            let names = ["policy", "imitation", "value", "entropy"];
            let told = update.step.figures.iter().filter(|(name, x)| names.contains(name) && *x != 0.0);
            let told: Vec<String> = told.map(|(name, x)| format!("{name} {x:.3}")).collect();
            format!(
                "{:.1}k plies/s, {} games, {}, {:.0} s left",
                update.counters.plies as f64 / seconds.max(1e-9) / 1000.0,
                grouped(update.counters.games),
                told.join(" "),
                left.max(0.0)
            )
        });
    }

    fn measuring(&mut self, against: &str, _done: usize, pairs: usize) {
        if std::io::stderr().is_terminal() {
            self.progress.set(1000, || format!("measuring against {against}, {pairs} pairs"));
        }
    }

    fn measured(&mut self, _rung: &Rung) {}
}

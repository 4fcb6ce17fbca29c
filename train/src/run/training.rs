//! The training loop in a folder: updates until the limit, with checkpoints, figures and measurements on the way.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{BANK_PROGRESS, BANK_REPORT, Best, Counters, Observer, RunError, Trainer, best, file_error};
use crate::agent::{AgentSpec, Material};
use crate::checkpoint::{self, Rung};
use crate::log::{Log, Row};

/// The files of a run.
pub struct Folder {
    /// The run's folder.
    pub path: PathBuf,
}

impl Folder {
    /// The newest checkpoint.
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint")
    }

    /// The best network so far, where the run looks for it.
    pub fn best(&self) -> PathBuf {
        self.path.join(checkpoint::BEST)
    }
}

/// What ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its limit of minutes or plies.
    Limit,
    /// Somebody who stopped it.
    Stopped,
    /// Too many measurements in a row in which the best network so far was not beaten.
    Unbeaten(Best),
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Limit => write!(f, "came to its end"),
            End::Stopped => write!(f, "stopped early"),
            End::Unbeaten(Best { plies, unbeaten, .. }) => {
                write!(
                    f,
                    "ended early: the network of {plies} plies was not beaten in {unbeaten} measurements in a row"
                )
            }
        }
    }
}

/// How a run ended.
pub struct Outcome {
    /// The checkpoint: the best network where the run looked for it, else the last one.
    pub checkpoint: PathBuf,
    /// Its strength against the ladder, empty when the run was stopped.
    pub ladder: Vec<Rung>,
    /// The counts.
    pub counters: Counters,
    /// What ended it.
    pub end: End,
    /// The best network, where the run looked for it.
    pub best: Option<Best>,
}

/// Trains until the limit, saving and measuring on the way; ends early, with a checkpoint, when `stop` is set or when
/// the best network has not been beaten for `eval.patience` measurements.
///
/// # Errors
/// See [`RunError`]; checkpoints written before stay.
pub fn train<G: Material>(
    mut trainer: Trainer<G>,
    folder: &Folder,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<Outcome, RunError> {
    let config = trainer.config.clone();
    // A misspelt agent is found out now, not after the training.
    for name in &config.eval.against {
        AgentSpec::parse(name)?.build(&trainer.games[0])?;
    }
    std::fs::create_dir_all(&folder.path).map_err(file_error(&folder.path))?;
    let mut log = Log::open(&folder.path, trainer.counters.updates).map_err(file_error(&folder.path))?;
    // A folder that cannot be written is found out now, not after the first minutes.
    trainer.save(&folder.checkpoint(), true)?;
    if checkpoint::load_card(&folder.best()).is_err() {
        // Somebody has taken the best network away: the next measurement begins anew.
        trainer.best = None;
    }
    let (mut saved_at, mut measured_at) = (trainer.counters.seconds, trainer.counters.seconds);
    let end = loop {
        if stop.load(Ordering::Relaxed) {
            break End::Stopped;
        }
        if trainer.progress() >= 1.0 {
            break End::Limit;
        }
        if let Some(best) = trainer.best
            && config.eval.patience > 0
            && best.unbeaten >= config.eval.patience
        {
            break End::Unbeaten(best);
        }
        let number = trainer.counters.updates + 1;
        let update = trainer.update().map_err(|fault| RunError::Learn {
            update: number,
            fault,
            checkpoint: folder.checkpoint(),
        })?;
        log.write(&Row::update(&update)).map_err(file_error(&folder.path))?;
        observer.updated(&update);
        let seconds = update.counters.seconds;
        if config.eval.minutes > 0.0 && seconds - measured_at >= config.eval.minutes * 60.0 && update.progress < 1.0 {
            (measured_at, saved_at) = (seconds, seconds);
            trainer.measure(BANK_PROGRESS, config.eval.pairs, observer, stop)?;
            log.write(&Row::ladder(&update.counters, &trainer.ladder)).map_err(file_error(&folder.path))?;
            let against_best = trainer.challenge(folder, observer, stop)?;
            if !against_best.is_empty() {
                log.write(&Row::ladder(&update.counters, &against_best)).map_err(file_error(&folder.path))?;
            }
            trainer.save(&folder.checkpoint(), true)?;
        }
        if seconds - saved_at >= config.checkpoint_minutes * 60.0 {
            saved_at = seconds;
            trainer.save(&folder.checkpoint(), true)?;
        }
    };
    trainer.save(&folder.checkpoint(), true)?;
    let ladder = match end {
        End::Stopped => Vec::new(),
        End::Limit | End::Unbeaten(_) => trainer.report(folder, &mut log, observer, stop)?,
    };
    Ok(Outcome {
        checkpoint: if trainer.best.is_some() { folder.best() } else { folder.checkpoint() },
        ladder,
        counters: trainer.counters,
        end,
        best: trainer.best,
    })
}

impl<G: Material> Trainer<G> {
    /// Measures what the run leaves, on deals of their own, and writes it into the card: the last network, or the best
    /// one where the run looked for it.
    fn report(
        &mut self,
        folder: &Folder,
        log: &mut Log,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Vec<Rung>, RunError> {
        let write = |log: &mut Log, counters: &Counters, ladder: &[Rung]| {
            log.write(&Row::ladder(counters, ladder)).map_err(file_error(&folder.path))
        };
        if self.best.is_some() {
            let against_best = self.challenge(folder, observer, stop)?;
            if !against_best.is_empty() {
                write(log, &self.counters, &against_best)?;
            }
        }
        let pairs = self.config.eval.final_pairs;
        if pairs == 0 {
            self.save(&folder.checkpoint(), true)?;
            return Ok(Vec::new());
        }
        let ladder = match self.best {
            Some(_) => {
                let players = self.games.iter().map(|game| best::player(&folder.best(), game, &self.config));
                let ladder =
                    self.climb(&players.collect::<Result<Vec<_>, _>>()?, BANK_REPORT, pairs, observer, stop)?;
                checkpoint::note(&folder.best(), |card| card.ladder.clone_from(&ladder))?;
                ladder
            }
            None => {
                self.measure(BANK_REPORT, pairs, observer, stop)?;
                self.ladder.clone()
            }
        };
        write(log, &self.counters, &ladder)?;
        self.save(&folder.checkpoint(), true)?;
        Ok(ladder)
    }
}

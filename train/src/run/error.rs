//! What may go wrong with a run.

use std::path::PathBuf;

use crate::agent::AgentError;
use crate::checkpoint::CheckpointError;
use crate::config::ConfigError;
use crate::learn::LearnError;
use crate::net::NetError;
use crate::rollout::RolloutError;

/// What ends a run before its time.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Games that one network cannot learn together.
    #[error("mix: {0}")]
    Mix(String),
    /// A way to learn that does not suit the network or the game.
    #[error("{0}")]
    Method(String),
    /// Saved games that cannot be read.
    #[error("saved games: {0}")]
    Saved(serde_json::Error),
    /// A setting.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The game.
    #[error(transparent)]
    Env(#[from] anqi_env::Error),
    /// The games of self-play.
    #[error(transparent)]
    Rollout(#[from] RolloutError),
    /// The network.
    #[error(transparent)]
    Net(#[from] NetError),
    /// The learner's settings or its saved optimiser.
    #[error(transparent)]
    Learner(#[from] LearnError),
    /// The learner met a number that is none.
    #[error("update {update}: {fault}; the last good checkpoint is {}", checkpoint.display())]
    Learn {
        /// The update.
        update: u64,
        /// What happened.
        fault: LearnError,
        /// Where to go on from.
        checkpoint: PathBuf,
    },
    /// A checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// An agent to measure against.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A file of the run's folder.
    #[error("{path}: {message}")]
    File {
        /// The file.
        path: String,
        /// What the system said.
        message: String,
    },
    /// Threads that the system does not give.
    #[error("{threads} threads: {message}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        message: String,
    },
}

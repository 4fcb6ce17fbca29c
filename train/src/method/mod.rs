//! How a run learns: what one update does, and what it keeps from one to the next.

mod critic;
mod ppo;
mod td;
mod teacher;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::agent::{Agent, Material};
use crate::config::Config;
use crate::learn::LearnError;
use crate::net::{Arch, Weight};
use crate::rollout::Ended;
use crate::run::RunError;
use crate::times::Times;
use crate::workers::Workers;

pub use ppo::Ppo;
pub use td::Td;
pub use teacher::ImitateConfig;

/// The kinds of learning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A policy and its value, by clipped policy gradients: every game.
    #[default]
    Ppo,
    /// A policy and its value, by imitating a tree search with Gumbel noise that they guide: dark chess and Tomb Chess.
    Gumbel,
    /// A policy and its value, by imitating what a teacher, any agent, would do where the policy comes to.
    Imitate,
    /// A value alone, from what a short search with it says and how games end: dark chess and Tomb Chess.
    Td,
}

/// What one update did.
#[derive(Clone, Debug)]
pub struct Step {
    /// Plies of the batch.
    pub plies: usize,
    /// Games that ended in it.
    pub ended: Ended,
    /// Where the time went.
    pub times: Times,
    /// The learning rate.
    pub learning_rate: f64,
    /// The learner's figures, by name.
    pub figures: Vec<(&'static str, f64)>,
}

/// A network in training, with its games.
pub trait Method<G: Material>: Send {
    /// Plays a batch and learns from it; the run is `progress` of its length old, 0 to 1.
    ///
    /// # Errors
    /// A loss or gradient that is no number; the network is as it was before.
    fn update(&mut self, progress: f64, workers: &Workers) -> Result<Step, LearnError>;
    /// Starts from other weights, with a new optimiser.
    ///
    /// # Errors
    /// Weights of another network.
    fn start_from(&mut self, weights: Vec<Weight>) -> Result<(), RunError>;
    /// The network's tensors.
    fn weights(&self) -> Vec<Weight>;
    /// The network as a player.
    fn player(&self) -> Arc<dyn Agent<G>>;
    /// The optimiser's state, always the same bytes for the same state.
    ///
    /// # Errors
    /// Only if the format cannot hold it.
    fn optimizer(&self) -> Result<Vec<u8>, LearnError>;
    /// Unfinished games and streams.
    fn save(&self) -> serde_json::Result<serde_json::Value>;
    /// Goes on from what was saved.
    ///
    /// # Errors
    /// What belongs to another network or other games.
    fn load(&mut self, weights: Vec<Weight>, optimizer: &[u8], saved: serde_json::Value) -> Result<(), RunError>;
}

/// Starts what the settings ask for; `games` are what one network learns together.
///
/// # Errors
/// Settings that cannot be, or do not suit the game.
pub fn start<G: Material>(games: &[G], config: &Config) -> Result<Box<dyn Method<G>>, RunError> {
    match (config.method, config.net.arch) {
        (Kind::Ppo | Kind::Gumbel | Kind::Imitate, Arch::Value) => Err(RunError::Method(
            "net.arch = \"value\" has no policy; expected method = \"td\", or another network".into(),
        )),
        (Kind::Ppo | Kind::Gumbel | Kind::Imitate, _) => Ok(Box::new(Ppo::new(games, config)?)),
        (Kind::Td, Arch::Value) => match games {
            [game] => game.value_training(config),
            _ => Err(RunError::Method("method = \"td\" learns one game; expected mix = []".into())),
        },
        (Kind::Td, _) => Err(RunError::Method("method = \"td\" needs net.arch = \"value\"".into())),
    }
}

//! Self-play: weights and games in, a batch of experience out.
//!
//! Games are played in fixed groups, each with its own streams, so a batch depends on the weights, the saved
//! state and nothing else: not on the number of threads, nor on which of them played a group.

mod config;
mod experience;
mod group;
mod guests;
mod openness;
#[cfg(test)]
mod tests;

use anqi_env::game::{Action, Game};
use anqi_env::rng::Rng;
use anqi_env::vector::VecState;
use serde::{Deserialize, Serialize};

use crate::agent::{AgentError, Material, Turn};
use crate::net::Infer;
use crate::returns::Lambdas;
use crate::workers::Workers;

pub use config::RolloutConfig;
pub use experience::{Actor, Ended, Experience, Revealed};
use group::Group;
use guests::Guests;
pub use openness::Openness;

/// How advantages lean away from the network's own value; all 0 is not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bias {
    /// Share of the material balance, as players count the pieces, in the value; 0 to 1.
    pub material: f32,
    /// What a draw costs both sides; 1 is as bad as a loss.
    pub draw_penalty: f32,
}

/// What a search makes of a position for training.
#[derive(Clone, Debug)]
pub struct Improved {
    /// The action to play; none where the network's own policy plays.
    pub action: Option<Action>,
    /// The policy to learn: each legal action with its share.
    pub policy: Vec<(Action, f32)>,
    /// The expected result for the seat to move, from -1 to 1; none where that is not known better.
    pub value: Option<f32>,
    /// How much the policy of this position counts against that of others: 0 where nothing is at stake.
    pub weight: f32,
}

/// Improves a policy by search before it acts.
pub trait Improver<G: Game>: Send + Sync {
    /// Searches from many positions at once.
    fn improve(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Improved>;
}

/// Who plays a batch.
pub struct Player<'a, G: Game> {
    /// The network.
    pub infer: &'a Infer,
    /// A search that improves its policy; none where that itself plays.
    pub improver: Option<&'a dyn Improver<G>>,
    /// A network that sees all pieces: its value takes the place of the player's own in advantages and targets.
    pub critic: Option<&'a Infer>,
}

impl<'a, G: Game> Player<'a, G> {
    /// A network whose policy plays.
    pub fn alone(infer: &'a Infer) -> Self {
        Player { infer, improver: None, critic: None }
    }
}

/// What keeps games from being started.
#[derive(Debug, thiserror::Error)]
pub enum RolloutError {
    /// Sizes that cannot be, or games that cannot be read.
    #[error(transparent)]
    Env(#[from] anqi_env::Error),
    /// An opponent that is none.
    #[error("rollout.opponents: {0}")]
    Opponent(AgentError),
    /// A partner that is none.
    #[error("rollout.partners: {0}")]
    Partner(AgentError),
    /// Partners where there is no seat for them.
    #[error("rollout.partners: {0} has {1} seats; expected a game of four, or []")]
    NoPartners(String, usize),
    /// A teacher that nobody plays against.
    #[error("rollout.teachers: '{0}' is none of rollout.opponents; expected some of them")]
    Teacher(String),
}

/// A saved [`Rollout`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RolloutState {
    groups: Vec<(VecState, Rng)>,
}

/// All games in play.
pub struct Rollout<G: Game> {
    config: RolloutConfig,
    groups: Vec<Group<G>>,
}

impl<G: Material> Rollout<G> {
    /// Deals the games from a seed. Where there are several kinds, which must have the same shapes, they take turns
    /// from group to group.
    ///
    /// # Errors
    /// Sizes that cannot be, an opponent or a partner that is none, or a teacher that is no opponent.
    pub fn new(kinds: &[G], config: &RolloutConfig, seed: u64) -> Result<Self, RolloutError> {
        let count = config.groups()?;
        let guests: Vec<_> = kinds.iter().map(|game| Guests::new(game, config)).collect::<Result<_, RolloutError>>()?;
        let groups = (0..count as u64).map(|number| {
            let seed = Rng::branch(seed, &[number]).bits();
            let kind = number as usize % kinds.len();
            Ok(Group::new(&kinds[kind], guests[kind].clone(), config, seed)?)
        });
        let groups = groups.collect::<Result<_, RolloutError>>()?;
        Ok(Rollout { config: config.clone(), groups })
    }

    /// Plays `plies` plies of every game with the network's policy, or what a search makes of it. Advantages are measured
    /// against the network's value, leaned by `bias`.
    ///
    /// Returns one part a group, all of the same length. Their memory is used again by the next call: fresh memory of
    /// this size costs more time than the rules.
    pub fn run(&mut self, player: &Player<'_, G>, lambdas: Lambdas, bias: Bias, workers: &Workers) -> Vec<&Experience> {
        let config = &self.config;
        let groups = self.groups.iter_mut().collect();
        workers.map(groups, |_, group: &mut Group<G>| group.play(player, config, lambdas, bias));
        self.groups.iter().map(|group| &group.played).collect()
    }

    /// Everything that [`Rollout::load`] needs to go on: unfinished games and streams.
    pub fn save(&self) -> RolloutState {
        RolloutState { groups: self.groups.iter().map(|group| (group.games.save(), group.rng.clone())).collect() }
    }

    /// Goes on from what [`Rollout::save`] gave.
    ///
    /// # Errors
    /// Another number of games or groups, or games that cannot be read.
    pub fn load(&mut self, saved: &RolloutState) -> Result<(), anqi_env::Error> {
        if saved.groups.len() != self.groups.len() {
            let (found, expected) = (saved.groups.len(), self.groups.len());
            return Err(anqi_env::Error::Shape(format!("{found} saved groups of games for {expected}")));
        }
        for (group, (games, rng)) in self.groups.iter_mut().zip(&saved.groups) {
            group.games.load(games)?;
            group.rng = rng.clone();
            group.observe()?;
        }
        Ok(())
    }
}

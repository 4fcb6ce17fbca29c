//! A critic: a second network that sees all pieces and tells the policy in training how the game stands.
//!
//! What luck hid from a player then no longer counts as its merit or its fault, so that advantages vary less. The policy
//! sees what its seat may see, as ever, and its own value learns the same targets.

use anqi_env::game::Game;
use anqi_env::rng::Rng;
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::encode::{critic_plan, plan_of};
use crate::learn::{LearnError, Learner, Losses, Samples, Weights, critic_samples, passes};
use crate::net::{Infer, Net, Weight, device};
use crate::rollout::Experience;
use crate::run::RunError;
use crate::workers::Workers;

/// A critic in training.
pub(super) struct Critic {
    learner: Learner,
    /// Kept for their memory.
    samples: Samples,
    rng: Rng,
}

/// What a critic needs to go on beside its weights.
#[derive(Serialize, Deserialize)]
pub(super) struct Saved {
    optimizer: Vec<u8>,
    rng: Rng,
}

impl Critic {
    /// The critic that the settings ask for, if any.
    ///
    /// # Errors
    /// Sizes that cannot be, or a game whose observations cannot show what is hidden.
    pub(super) fn new<G: Game>(game: &G, config: &Config, seed: u64) -> Result<Option<Critic>, RunError> {
        let Some(size) = config.critic.net(&config.net) else { return Ok(None) };
        let (spec, mut rng) = (game.spec(), Rng::new(seed));
        let state = game.deal(&mut rng);
        if !game.observe_revealed(&state, 0, &mut vec![0; spec.planes_len()], &mut vec![0.0; spec.num_scalars]) {
            let message = "observations have no place for hidden pieces; expected critic.width = 0";
            return Err(RunError::Method(format!("{}: {message}", spec.name)));
        }
        let net = Net::new(&size, critic_plan(plan_of(game)), rng.bits(), &device())?;
        Ok(Some(Critic { learner: Learner::new(net, config.ppo.clone())?, samples: Samples::default(), rng }))
    }

    /// As it judges now.
    pub(super) fn infer(&self) -> Infer {
        Infer::new(self.learner.net(), self.learner.net().shape())
    }

    /// Learns from a `share` of a batch.
    pub(super) fn update<G: Game>(
        &mut self,
        game: &G,
        parts: &[&Experience],
        config: &Config,
        weights: Weights,
        workers: &Workers,
    ) -> Result<Losses, LearnError> {
        critic_samples(game.spec(), parts, config.select.value, &mut self.rng, &mut self.samples);
        let order = passes(self.samples.len(), config.ppo.epochs, &mut self.rng);
        self.learner.update(&self.samples, &order, weights, workers)
    }

    pub(super) fn save(&self) -> Result<Saved, LearnError> {
        Ok(Saved { optimizer: self.learner.optimizer_bytes()?, rng: self.rng.clone() })
    }

    pub(super) fn weights(&self) -> Vec<Weight> {
        self.learner.net().weights()
    }

    /// Starts from other weights, with a new optimiser.
    pub(super) fn start_from(&mut self, weights: Vec<Weight>, config: &Config) -> Result<(), RunError> {
        let net = self.learner.net().clone().with_weights(weights)?;
        self.learner = Learner::new(net, config.ppo.clone())?;
        Ok(())
    }

    /// Goes on from what was saved.
    pub(super) fn load(&mut self, weights: Vec<Weight>, saved: Saved, config: &Config) -> Result<(), RunError> {
        let net = self.learner.net().clone().with_weights(weights)?;
        self.learner = Learner::resume(net, config.ppo.clone(), &saved.optimizer)?;
        self.rng = saved.rng;
        Ok(())
    }
}

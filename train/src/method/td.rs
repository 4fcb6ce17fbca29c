//! Learning a value: self-play by a short search, then steps towards TD(lambda) targets.

use std::sync::Arc;
use std::time::Instant;

use anqi_env::darkchess::DarkChess;
use anqi_env::rng::Rng;
use serde::{Deserialize, Serialize};

use super::{Method, Step};
use crate::agent::Agent;
use crate::config::{Config, at};
use crate::learn::{LearnError, TdLearner, passes};
use crate::net::value::Integer;
use crate::net::{ValueNet, Weight};
use crate::run::RunError;
use crate::search::evaluator::Evaluator;
use crate::search::expectimax::{Expectimax, Limits};
use crate::search::hand::Hand;
use crate::search_rollout::{Play, SearchRollout, SearchRolloutState};
use crate::times::Times;
use crate::workers::Workers;

/// A value in training.
pub struct Td {
    config: Config,
    learner: TdLearner,
    rollout: SearchRollout,
    /// Judges until the network has learned something.
    teacher: Hand,
    rng: Rng,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    rng: Rng,
    games: SearchRolloutState,
}

impl Td {
    /// From the start.
    ///
    /// # Errors
    /// Settings that cannot be.
    pub fn new(game: &DarkChess, config: &Config) -> Result<Td, RunError> {
        let stream = |purpose| Rng::branch(config.seed, &[purpose]);
        let net = ValueNet::new(&config.net, game.rules(), stream(0).bits())?;
        Ok(Td {
            learner: TdLearner::new(net, config.td.clone())?,
            rollout: SearchRollout::new(game, &config.rollout, stream(1).bits())?,
            teacher: Hand::new(game),
            rng: stream(2),
            config: config.clone(),
        })
    }
}

impl Method<DarkChess> for Td {
    fn update(&mut self, progress: f64, workers: &Workers) -> Result<Step, LearnError> {
        let td = &self.config.td;
        let started = Instant::now();
        let net = Integer::new(self.learner.net());
        let evaluator: &dyn Evaluator = if progress < td.teacher { &self.teacher } else { &net };
        let explore = at(td.explore, progress) as f32;
        let limits = Limits { depth: Some(td.depth), nodes: Some(td.nodes), ms: None };
        let play = Play { evaluator, limits, explore, lambda: td.lambda, draws: td.draws };
        let (lessons, ended, decided) = self.rollout.run(play, workers);
        let play_seconds = started.elapsed().as_secs_f64();

        let started = Instant::now();
        let order = passes(lessons.len(), td.epochs, &mut self.rng);
        let learning_rate = at(self.config.schedule.learning_rate, progress);
        let figures = self.learner.update(&lessons, &order, learning_rate, workers)?;
        let times = Times::new(play_seconds, decided.share(), started.elapsed().as_secs_f64());
        let plies = self.config.rollout.games * self.config.rollout.plies;
        Ok(Step { plies, ended, times, learning_rate, figures })
    }

    fn start_from(&mut self, weights: Vec<Weight>) -> Result<(), RunError> {
        let net = self.learner.net().clone().with_weights(weights)?;
        self.learner = TdLearner::new(net, self.config.td.clone())?;
        Ok(())
    }

    fn weights(&self) -> Vec<Weight> {
        self.learner.net().weights()
    }

    fn player(&self) -> Arc<dyn Agent<DarkChess>> {
        Arc::new(Expectimax::of_one_ply(Arc::new(Integer::new(self.learner.net()))))
    }

    fn optimizer(&self) -> Result<Vec<u8>, LearnError> {
        self.learner.optimizer_bytes()
    }

    fn save(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(Saved { rng: self.rng.clone(), games: self.rollout.save() })
    }

    fn load(&mut self, weights: Vec<Weight>, optimizer: &[u8], saved: serde_json::Value) -> Result<(), RunError> {
        let net = self.learner.net().clone().with_weights(weights)?;
        self.learner = TdLearner::resume(net, self.config.td.clone(), optimizer)?;
        let Saved { rng, games } = serde_json::from_value(saved).map_err(RunError::Saved)?;
        self.rollout.load(&games)?;
        self.rng = rng;
        Ok(())
    }
}

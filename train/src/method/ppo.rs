//! Learning a policy and its value: self-play by the policy, then clipped policy gradients; or self-play by a search that
//! improves the policy, which then imitates it (Gumbel AlphaZero, with chance nodes); or imitation of a teacher.

use std::sync::Arc;
use std::time::Instant;

use anqi_env::rng::Rng;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize};

use super::critic::{self, Critic};
use super::teacher::Teacher;
use super::{Kind, Method, Step};
use crate::agent::{Agent, Material, NetAgent};
use crate::config::{Config, Schedule, at};
use crate::encode::{plan_of, shape_of};
use crate::learn::{LearnError, Learner, Plan, Samples, Weights, passes, samples};
use crate::net::critic::{apart, beside};
use crate::net::{Infer, Net, Weight, device};
use crate::rollout::{Bias, Ended, Improver, Openness, Player, Rollout, RolloutState};
use crate::run::RunError;
use crate::times::{Decided, Times};
use crate::workers::Workers;

/// A policy in training.
pub struct Ppo<G: Material> {
    config: Config,
    game: G,
    learner: Learner,
    critic: Option<Critic>,
    /// What the learner learns from; kept for its memory.
    samples: Samples,
    rollout: Rollout<G>,
    /// Who is imitated, where that is no search by the network itself.
    teacher: Option<Teacher<G>>,
    rng: Rng,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    rng: Rng,
    rollout: RolloutState,
    #[serde(default)]
    critic: Option<critic::Saved>,
}

impl<G: Material> Ppo<G> {
    /// From the start.
    ///
    /// # Errors
    /// Settings that cannot be.
    pub fn new(games: &[G], config: &Config) -> Result<Self, RunError> {
        let Some(game) = games.first() else { return Err(RunError::Mix("no game".into())) };
        // Each purpose has a stream of its own, so that a change in one does not shift the others.
        let stream = |purpose| Rng::branch(config.seed, &[purpose]);
        let net = Net::new(&config.net, plan_of(game), stream(0).bits(), &device())?;
        if config.method == Kind::Gumbel {
            game.improver(Infer::new(&net, shape_of(game.spec())), &config.gumbel).map_err(RunError::Method)?;
        }
        let teacher = match (config.method, games) {
            (Kind::Imitate, [game]) => Some(Teacher::new(game, &config.imitate).map_err(RunError::Method)?),
            (Kind::Imitate, _) => {
                return Err(RunError::Method("method = \"imitate\" learns one game; expected mix = []".into()));
            }
            _ => None,
        };
        Ok(Ppo {
            teacher,
            learner: Learner::new(net, config.ppo.clone())?,
            critic: Critic::new(game, config, stream(4).bits())?,
            samples: Samples::default(),
            rollout: Rollout::new(games, &config.rollout, stream(1).bits())?,
            rng: stream(2),
            game: game.clone(),
            config: config.clone(),
        })
    }

    fn infer(&self) -> Infer {
        Infer::new(self.learner.net(), shape_of(self.game.spec()))
    }
}

impl<G: Material> Method<G> for Ppo<G> {
    fn update(&mut self, progress: f64, workers: &Workers) -> Result<Step, LearnError> {
        let Schedule { learning_rate, magnet, material, draw_penalty, imitate } = self.config.schedule;
        let bias = Bias { material: at(material, progress) as f32, draw_penalty: at(draw_penalty, progress) as f32 };
        let started = Instant::now();
        let infer = self.infer();
        let search = match self.config.method {
            Kind::Gumbel => self.game.improver(self.infer(), &self.config.gumbel).ok(),
            Kind::Ppo | Kind::Imitate | Kind::Td => None,
        };
        let teacher = self.teacher.as_ref().map(|teacher| teacher as &dyn Improver<G>);
        let improver = search.as_deref().or(teacher);
        let critic = self.critic.as_ref().map(Critic::infer);
        let player = Player { infer: &infer, improver, critic: critic.as_ref() };
        let parts = self.rollout.run(&player, self.config.lambda, bias, workers);
        let play_seconds = started.elapsed().as_secs_f64();

        let started = Instant::now();
        let searched = improver.is_some();
        let weights = Weights {
            learning_rate: at(learning_rate, progress),
            magnet: at(magnet, progress),
            imitate: if searched { 1.0 } else { at(imitate, progress) },
        };
        let plan = Plan { select: &self.config.select, searched, taught: weights.imitate > 0.0 };
        samples(self.game.spec(), &parts, plan, &mut self.rng, &mut self.samples);
        let plies = parts.iter().map(|part| part.len()).sum();
        let mut ended = Ended::default();
        let (mut decided, mut openness) = (Decided::default(), Openness::default());
        for part in &parts {
            ended.add(part.ended);
            openness.add(part.openness);
            decided.add(part.decided);
        }
        let order = passes(self.samples.len(), self.config.ppo.epochs, &mut self.rng);
        let judged = match &mut self.critic {
            Some(critic) => Some(critic.update(&self.game, &parts, &self.config, weights, workers)?),
            None => None,
        };
        let mut figures = self.learner.update(&self.samples, &order, weights, workers)?.figures();
        figures.extend(openness.figures());
        if let Some(judged) = judged {
            figures.extend([("critic", judged.value), ("critic_explained_variance", judged.explained_variance)]);
        }
        let times = Times::new(play_seconds, decided.share(), started.elapsed().as_secs_f64());
        Ok(Step { plies, ended, times, learning_rate: weights.learning_rate, figures })
    }

    fn start_from(&mut self, weights: Vec<Weight>) -> Result<(), RunError> {
        let (weights, of_critic) = apart(weights);
        let net = self.learner.net().clone().started_from(weights)?;
        self.learner = Learner::new(net, self.config.ppo.clone())?;
        match &mut self.critic {
            Some(critic) if !of_critic.is_empty() => critic.start_from(of_critic, &self.config),
            Some(_) | None => Ok(()),
        }
    }

    fn weights(&self) -> Vec<Weight> {
        beside(self.learner.net().weights(), self.critic.as_ref().map(Critic::weights).unwrap_or_default())
    }

    fn player(&self) -> Arc<dyn Agent<G>> {
        Arc::new(NetAgent::new(self.infer(), self.config.eval.temperature))
    }

    fn optimizer(&self) -> Result<Vec<u8>, LearnError> {
        self.learner.optimizer_bytes()
    }

    fn save(&self) -> serde_json::Result<serde_json::Value> {
        let critic = self.critic.as_ref().map(Critic::save).transpose().map_err(serde_json::Error::custom)?;
        serde_json::to_value(Saved { rng: self.rng.clone(), rollout: self.rollout.save(), critic })
    }

    fn load(&mut self, weights: Vec<Weight>, optimizer: &[u8], saved: serde_json::Value) -> Result<(), RunError> {
        let (weights, of_critic) = apart(weights);
        let net = self.learner.net().clone().with_weights(weights)?;
        self.learner = Learner::resume(net, self.config.ppo.clone(), optimizer)?;
        let Saved { rng, rollout, critic } = serde_json::from_value(saved).map_err(RunError::Saved)?;
        self.rollout.load(&rollout)?;
        // One that was not there before begins now.
        if let (Some(critic), Some(saved)) = (&mut self.critic, critic) {
            critic.load(of_critic, saved, &self.config)?;
        }
        self.rng = rng;
        Ok(())
    }
}

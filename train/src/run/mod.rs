//! A run in memory, and the training loop over it: play, learn, save, measure.

mod best;
mod error;
mod training;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anqi_env::rng::Rng;
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AgentSpec, Material};
use crate::arena;
use crate::checkpoint::{self, Card, CheckpointError, Rung};
use crate::config::Config;
use crate::encode::shape_of;
use crate::learn::LearnError;
use crate::method::{self, Method, Step};
use crate::net::Weight;
use crate::workers::Workers;

pub use best::{BEST, Best};
pub use error::RunError;
pub use training::{End, Folder, Outcome, train};

/// What a run counts. Saved in every checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Updates of the network.
    pub updates: u64,
    /// Plies of self-play.
    pub plies: u64,
    /// Games that ended in self-play.
    pub games: u64,
    /// Seconds of self-play and learning.
    pub seconds: f64,
}

/// The state of a run beside network and optimiser.
#[derive(Serialize, Deserialize)]
struct Saved {
    counters: Counters,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    best: Option<Best>,
    /// What the method keeps: unfinished games and streams.
    games: serde_json::Value,
}

/// What one update did.
#[derive(Clone, Debug)]
pub struct Update {
    /// All so far.
    pub counters: Counters,
    /// How far the run is, 0 to 1.
    pub progress: f64,
    /// The update itself.
    pub step: Step,
}

/// Somebody who watches a run.
pub trait Observer {
    /// An update is done.
    fn updated(&mut self, update: &Update);
    /// A measurement has begun or has got so far.
    fn measuring(&mut self, against: &str, done: usize, pairs: usize);
    /// A measurement is done.
    fn measured(&mut self, rung: &Rung);
}

/// A run in memory.
pub struct Trainer<G: Material> {
    /// What is learned, all of the same shapes; the first gives the checkpoint its name.
    games: Vec<G>,
    config: Config,
    workers: Workers,
    method: Box<dyn Method<G>>,
    counters: Counters,
    ladder: Vec<Rung>,
    best: Option<Best>,
}

impl<G: Material> Trainer<G> {
    /// A run from the start.
    ///
    /// # Errors
    /// Settings that cannot be.
    pub fn new(games: &[G], config: Config) -> Result<Self, RunError> {
        config.check()?;
        let shape = |game: &G| shape_of(game.spec());
        let Some((first, rest)) = games.split_first() else { return Err(RunError::Mix("no game".into())) };
        if let Some(other) = rest.iter().find(|game| shape(game) != shape(first)) {
            let names = [first, other].map(|game| game.spec().name.clone());
            return Err(RunError::Mix(format!(
                "{} and {}: one network needs boards of the same size and the same actions",
                names[0], names[1]
            )));
        }
        let threads = config.threads();
        let workers =
            Workers::new(threads).map_err(|fault| RunError::Threads { threads, message: fault.to_string() })?;
        let mut method = method::start(games, &config)?;
        if !config.start.is_empty() {
            method.start_from(start(Path::new(&config.start), first)?)?;
        }
        Ok(Trainer {
            method,
            games: games.to_vec(),
            counters: Counters::default(),
            ladder: Vec::new(),
            best: None,
            workers,
            config,
        })
    }

    /// A run that goes on from a checkpoint.
    ///
    /// # Errors
    /// A checkpoint that is not whole or belongs to other rules or another network.
    pub fn resume(games: &[G], config: Config, folder: &Path) -> Result<Self, RunError> {
        let mut trainer = Trainer::new(games, config)?;
        let (weights, card) = checkpoint::load_weights(folder)?;
        for game in games {
            let spec = game.spec();
            card.check(folder, spec.rules_hash, spec.encoding, &shape_of(spec))?;
        }
        let state = checkpoint::load_state(folder)?;
        let saved: Saved = serde_json::from_slice(state.blob(RUN_STATE)?)
            .map_err(|fault| CheckpointError::damaged(&folder.join("train_state").join(RUN_STATE), fault))?;
        trainer.method.load(weights, &state.optimizer, saved.games).map_err(|fault| match fault {
            RunError::Net(fault) => CheckpointError::Net { path: folder.into(), fault }.into(),
            RunError::Saved(fault) => {
                CheckpointError::damaged(&folder.join("train_state").join(RUN_STATE), fault).into()
            }
            other => other,
        })?;
        (trainer.counters, trainer.best, trainer.ladder) = (saved.counters, saved.best, card.ladder);
        Ok(trainer)
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The counts so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How far the run is, 0 to 1: by plies, by time, whichever is further.
    pub fn progress(&self) -> f64 {
        let share = |done: f64, limit: f64| if limit > 0.0 { done / limit } else { 0.0 };
        let plies = share(self.counters.plies as f64, self.config.plies as f64);
        plies.max(share(self.counters.seconds, self.config.minutes * 60.0)).min(1.0)
    }

    /// Plays one batch and learns from it.
    ///
    /// # Errors
    /// A loss or gradient that is no number; the network is as it was before.
    pub fn update(&mut self) -> Result<Update, LearnError> {
        let step = self.method.update(self.progress(), &self.workers)?;
        self.counters.updates += 1;
        self.counters.plies += step.plies as u64;
        self.counters.games += step.ended.games;
        self.counters.seconds += step.times.total();
        Ok(Update { counters: self.counters, progress: self.progress(), step })
    }

    /// Saves a whole checkpoint, replacing the one that was there.
    ///
    /// # Errors
    /// A folder that cannot be written; what was there stays.
    pub fn save(&self, folder: &Path, with_state: bool) -> Result<(), RunError> {
        let weights = self.method.weights();
        let spec = self.games[0].spec();
        let hash = |game: &G| format!("{:016x}", game.spec().rules_hash);
        let card = Card {
            game: spec.name.clone(),
            rules_hash: hash(&self.games[0]),
            mix: match self.games.len() {
                1 => Vec::new(),
                _ => self.games.iter().map(|game| (game.spec().name.clone(), hash(game))).collect(),
            },
            encoding: spec.encoding,
            shape: shape_of(spec),
            net: self.config.net.clone(),
            critic: self.config.critic.net(&self.config.net),
            parameters: weights.iter().map(|weight| weight.data.len()).sum(),
            plies: self.counters.plies,
            games: self.counters.games,
            updates: self.counters.updates,
            seconds: self.counters.seconds,
            threads: self.config.threads(),
            seed: self.config.seed,
            ladder: self.ladder.clone(),
            ..Card::here()
        };
        let state = match with_state {
            true => {
                let games = self.method.save().map_err(file_error(folder))?;
                let saved = Saved { counters: self.counters, best: self.best, games };
                let run = serde_json::to_vec(&saved).map_err(file_error(folder))?;
                Some(checkpoint::State::new(self.method.optimizer()?, vec![(RUN_STATE.into(), run)]))
            }
            false => None,
        };
        Ok(checkpoint::save(folder, &weights, &card, &self.config, state.as_ref())?)
    }

    /// Measures the network against every agent of the ladder, on a bank of deals named by `bank`. When `stop` is set
    /// it ends early, with the scores that it has.
    ///
    /// # Errors
    /// An agent that cannot be made.
    pub fn measure(
        &mut self,
        bank: u64,
        pairs: usize,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<(), RunError> {
        let net = self.method.player();
        let players = vec![net; self.games.len()];
        self.ladder = self.climb(&players, bank, pairs, observer, stop)?;
        Ok(())
    }

    /// The scores of a player for each game against every agent of the ladder.
    fn climb(
        &self,
        players: &[Arc<dyn Agent<G>>],
        bank: u64,
        pairs: usize,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Vec<Rung>, RunError> {
        let mut ladder = Vec::new();
        for (game, player) in self.games.iter().zip(players) {
            for (number, name) in self.config.eval.against.iter().enumerate() {
                let opponent = AgentSpec::parse(name)?.build(game)?;
                let seed = Rng::branch(self.config.seed, &[3, bank, number as u64]).bits();
                observer.measuring(name, 0, pairs);
                let told = |_| {};
                let Some(played) =
                    arena::play_until(game, [player, &opponent], pairs, seed, &self.workers, &told, stop)
                else {
                    return Ok(ladder);
                };
                let mut rung = Rung::new(name, &played);
                rung.game = (self.games.len() > 1).then(|| game.spec().name.clone());
                observer.measured(&rung);
                ladder.push(rung);
            }
        }
        Ok(ladder)
    }
}

/// The weights of a checkpoint to start from: other rules will do, another board will not.
fn start<G: Material>(folder: &Path, game: &G) -> Result<Vec<Weight>, RunError> {
    let (weights, card) = checkpoint::load_weights(folder)?;
    let spec = game.spec();
    let ours = u64::from_str_radix(&card.rules_hash, 16).unwrap_or_default();
    card.check(folder, ours, spec.encoding, &shape_of(spec))?;
    Ok(weights)
}

const RUN_STATE: &str = "run.json";

/// Deals that progress is measured on, and deals that results are reported on: never the same.
const BANK_PROGRESS: u64 = 0;
const BANK_REPORT: u64 = 1;

fn file_error<E: std::fmt::Display>(path: &Path) -> impl Fn(E) -> RunError + '_ {
    move |fault| RunError::File { path: path.display().to_string(), message: fault.to_string() }
}

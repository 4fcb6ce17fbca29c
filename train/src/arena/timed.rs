//! How long an agent thinks, and how much it looks at.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anqi_env::game::{Action, Game};

use crate::agent::{Agent, Turn};

/// An agent with a clock beside it.
pub struct Timed<G: Game> {
    agent: Arc<dyn Agent<G>>,
    nanoseconds: AtomicU64,
    plies: AtomicU64,
}

impl<G: Game> Timed<G> {
    /// Puts a clock beside an agent.
    pub fn new(agent: Arc<dyn Agent<G>>) -> Timed<G> {
        Timed { agent, nanoseconds: AtomicU64::new(0), plies: AtomicU64::new(0) }
    }

    /// Mean time for a ply in milliseconds; none before the first one.
    pub fn milliseconds(&self) -> Option<f64> {
        let plies = self.plies.load(Ordering::Relaxed);
        (plies > 0).then(|| self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e6 / plies as f64)
    }

    /// Positions that its searches look at in a second of its thinking; none where it does not search.
    pub fn nodes_per_second(&self) -> Option<f64> {
        let seconds = self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9;
        self.agent.nodes().filter(|_| seconds > 0.0).map(|nodes| nodes as f64 / seconds)
    }
}

impl<G: Game> Agent<G> for Timed<G> {
    fn act(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Action> {
        self.agent.act(game, turns)
    }

    fn try_act(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Result<Action, String>> {
        let started = Instant::now();
        let actions = self.agent.try_act(game, turns);
        self.nanoseconds.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        self.plies.fetch_add(turns.len() as u64, Ordering::Relaxed);
        actions
    }

    fn policy(&self, game: &G, view: &G::View) -> Vec<f32> {
        self.agent.policy(game, view)
    }

    fn value(&self, game: &G, view: &G::View) -> f32 {
        self.agent.value(game, view)
    }

    fn batches(&self) -> bool {
        self.agent.batches()
    }

    fn nodes(&self) -> Option<u64> {
        self.agent.nodes()
    }
}

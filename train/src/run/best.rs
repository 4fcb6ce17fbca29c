//! The best network of a run so far: kept by matches against the one that was best before, all on the same deals.
//!
//! A last network is not always the best one, and scores against weak bots say little once they are near 1. So each
//! measurement lets the network of the day play the best one so far; who scores more than half takes its place.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anqi_env::rng::Rng;
use serde::{Deserialize, Serialize};

use super::{BANK_PROGRESS, Counters, Folder, Observer, RunError, Trainer};
use crate::agent::{Agent, AgentSpec, Material, NetSpec};
use crate::arena;
use crate::checkpoint::Rung;
use crate::config::Config;

/// What the best network is called where a match against it is reported.
pub const BEST: &str = "best so far";

/// Which network is the best so far. Saved in every checkpoint; the network itself lies in the run's folder `best`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Best {
    /// Updates it has learned from.
    pub updates: u64,
    /// Plies it has learned from.
    pub plies: u64,
    /// Later networks, in a row, that did not beat it.
    pub unbeaten: u32,
    /// Updates at the last measurement.
    pub measured: u64,
}

impl<G: Material> Trainer<G> {
    /// The best network so far, where the run looks for it.
    pub fn best(&self) -> Option<Best> {
        self.best
    }

    /// Lets the network play the best one so far; if it scores more than half it is saved in its place. The first one
    /// has nobody to play. When `stop` is set the match ends undecided and the best one stays.
    ///
    /// # Errors
    /// A folder that cannot be written, or one whose network cannot be read.
    pub(super) fn challenge(
        &mut self,
        folder: &Folder,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Vec<Rung>, RunError> {
        let Counters { updates, plies, .. } = self.counters;
        let now = Best { updates, plies, unbeaten: 0, measured: updates };
        match &mut self.best {
            Some(best) if best.measured == updates => Ok(Vec::new()),
            Some(best) => {
                let players = self.games.iter().map(|game| player(&folder.best(), game, &self.config));
                let players: Vec<_> = players.collect::<Result<_, RunError>>()?;
                let mut rungs = Vec::new();
                let pairs = self.config.eval.pairs;
                let seed = Rng::branch(self.config.seed, &[3, BANK_PROGRESS, u64::MAX]).bits();
                let net = self.method.player();
                for (game, best) in self.games.iter().zip(&players) {
                    observer.measuring(BEST, 0, pairs);
                    let played = arena::play_until(game, [&net, best], pairs, seed, &self.workers, &|_| {}, stop);
                    let Some(played) = played else { return Ok(Vec::new()) };
                    let mut rung = Rung::new(BEST, &played);
                    rung.game = (self.games.len() > 1).then(|| game.spec().name.clone());
                    observer.measured(&rung);
                    rungs.push(rung);
                }
                let mean = rungs.iter().map(|rung| rung.score.score).sum::<f64>() / rungs.len() as f64;
                match mean > 0.5 {
                    true => self.crown(now, folder)?,
                    false => *best = Best { unbeaten: best.unbeaten + 1, measured: updates, ..*best },
                }
                Ok(rungs)
            }
            None => {
                self.crown(now, folder)?;
                Ok(Vec::new())
            }
        }
    }

    fn crown(&mut self, now: Best, folder: &Folder) -> Result<(), RunError> {
        self.save(&folder.best(), false)?;
        self.best = Some(now);
        Ok(())
    }
}

/// The best network so far as a player.
pub(super) fn player<G: Material>(folder: &Path, game: &G, config: &Config) -> Result<Arc<dyn Agent<G>>, RunError> {
    Ok(AgentSpec::Net(NetSpec::alone(folder.to_path_buf(), config.eval.temperature)).build(game)?)
}

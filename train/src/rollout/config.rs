//! The settings of self-play.

use serde::{Deserialize, Serialize};

/// How self-play is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RolloutConfig {
    /// Games played at a time.
    pub games: usize,
    /// Games of a group, which one thread plays and the network evaluates together.
    pub group: usize,
    /// Plies of every game in one batch.
    pub plies: usize,
    /// Share of games that start from a random position in the middle of a game, 0 to 1.
    pub midgame: f32,
    /// Agents that play against the network in some of the games.
    pub opponents: Vec<String>,
    /// Share of the games against them, 0 to 1; they take turns.
    pub against: f32,
    /// Agents that play beside the network, in the second seat of its side, in some of the games of four. Their plies
    /// teach nothing.
    pub partners: Vec<String>,
    /// Share of the games beside them, 0 to 1; they take turns.
    pub beside: f32,
    /// Those of the opponents whose plies the network learns from: its policy imitates them (`schedule.imitate`), and its
    /// value expects what comes of them. The plies of other opponents teach nothing.
    pub teachers: Vec<String>,
    /// Show the network each game's board turned at random, another way in every batch.
    pub reflect: bool,
}

impl Default for RolloutConfig {
    fn default() -> Self {
        RolloutConfig {
            games: 512,
            group: 128,
            plies: 64,
            midgame: 0.0,
            opponents: Vec::new(),
            against: 0.0,
            partners: Vec::new(),
            beside: 0.0,
            teachers: Vec::new(),
            reflect: true,
        }
    }
}

impl RolloutConfig {
    /// How many groups there are.
    ///
    /// # Errors
    /// Games that do not make whole groups, or nothing to play.
    pub fn groups(&self) -> Result<usize, anqi_env::Error> {
        let count = self.games / self.group.max(1);
        if self.group == 0 || count * self.group != self.games || self.games == 0 || self.plies == 0 {
            return Err(anqi_env::Error::Shape(format!(
                "rollout.games = {} must be a multiple of rollout.group = {}, and rollout.plies at least 1",
                self.games, self.group
            )));
        }
        Ok(count)
    }
}

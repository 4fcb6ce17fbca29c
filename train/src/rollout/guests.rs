//! Who sits at the boards beside the network that learns.

use std::sync::Arc;

use anqi_env::game::{Game, Seat};

use super::{Actor, RolloutConfig, RolloutError};
use crate::agent::{Agent, AgentError, AgentSpec, Material};

/// The agents of a group's games, and where they sit.
pub(super) struct Guests<G: Game> {
    /// Opponents, each as a teacher or an opponent only, then partners.
    agents: Vec<(Arc<dyn Agent<G>>, Actor)>,
    /// How many of them are opponents.
    opponents: usize,
    /// The first so many games are against opponents.
    against: usize,
    /// The first game of those beside partners, which are the last ones.
    beside: usize,
}

impl<G: Game> Clone for Guests<G> {
    fn clone(&self) -> Self {
        Guests { agents: self.agents.clone(), ..*self }
    }
}

impl<G: Material> Guests<G> {
    /// Builds them.
    ///
    /// # Errors
    /// An agent that is none, a teacher that is no opponent, or partners in a game without.
    pub(super) fn new(game: &G, config: &RolloutConfig) -> Result<Self, RolloutError> {
        let RolloutConfig { opponents, partners, teachers, group, against, beside, .. } = config;
        if let Some(stranger) = teachers.iter().find(|teacher| !opponents.contains(teacher)) {
            return Err(RolloutError::Teacher(stranger.clone()));
        }
        let seats = game.spec().num_seats;
        if !partners.is_empty() && seats < 4 {
            return Err(RolloutError::NoPartners(game.spec().name.clone(), seats));
        }
        let actor = |name| if teachers.contains(name) { Actor::Teacher } else { Actor::Opponent };
        let opposed = opponents.iter().map(|name| Ok((build(game, name)?, actor(name))));
        let mut agents: Vec<_> = opposed.collect::<Result<_, AgentError>>().map_err(RolloutError::Opponent)?;
        let beside_us = partners.iter().map(|name| Ok((build(game, name)?, Actor::Opponent)));
        agents.extend(beside_us.collect::<Result<Vec<_>, AgentError>>().map_err(RolloutError::Partner)?);
        let games =
            |share: f32, of: &[String]| if of.is_empty() { 0 } else { (*group as f32 * share).round() as usize };
        Ok(Guests {
            agents,
            opponents: opponents.len(),
            against: games(*against, opponents),
            beside: group - games(*beside, partners),
        })
    }

    /// Whether a game is against opponents.
    pub(super) fn opposes(&self, row: usize) -> bool {
        row < self.against
    }

    /// Who sits at a seat of a game, by number; none where that is the network. Opponents sit where the parity of the seat
    /// is that of the row, so that the network has either side; a partner has the second seat of the network's side.
    /// Neighbours in the list of games have the same guest.
    pub(super) fn at(&self, row: usize, seat: Seat) -> Option<usize> {
        let seat = usize::from(seat);
        if self.opposes(row) && seat & 1 == row & 1 {
            return Some(row / 2 % self.opponents);
        }
        let partners = self.agents.len() - self.opponents;
        (row >= self.beside && seat == 2 + (row + 1) % 2).then(|| self.opponents + row / 2 % partners)
    }

    /// All of them, with what their plies are to the learner.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(Arc<dyn Agent<G>>, Actor)> {
        self.agents.iter()
    }
}

/// An agent to play with. An outside engine is none: it may fail in the middle of a batch, and does not play the same
/// again.
fn build<G: Material>(game: &G, name: &str) -> Result<Arc<dyn Agent<G>>, AgentError> {
    match AgentSpec::parse(name)? {
        AgentSpec::Engine(_) => {
            let message = "an outside engine cannot play in training; expected an agent of anqi's own";
            Err(AgentError::Option { agent: name.into(), message: message.into() })
        }
        spec => spec.build(game),
    }
}

//! Uniformly random play: the bottom of every ladder.

use anqi_env::game::{Action, Game};

use super::{Agent, Turn};

/// Chooses uniformly among the legal actions.
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn act(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Action> {
        turns.iter_mut().map(|turn| game.sample(turn.view, turn.rng)).collect()
    }

    fn policy(&self, game: &G, view: &G::View) -> Vec<f32> {
        let mut mask = vec![0; game.spec().num_actions];
        game.mask(view, &mut mask);
        let legal = mask.iter().filter(|&&m| m != 0).count().max(1) as f32;
        mask.iter().map(|&m| f32::from(m) / legal).collect()
    }

    /// It has no opinion.
    fn value(&self, _game: &G, _view: &G::View) -> f32 {
        0.0
    }
}

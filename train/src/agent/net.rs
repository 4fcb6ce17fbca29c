//! A network as a player: its policy, without search.

use std::path::Path;

use anqi_env::game::{Action, Game, Symmetry};
use anqi_env::rng::Rng;

use super::{Agent, AgentError, Turn};
use crate::encode::{Encoded, shape_of};
use crate::net::{Infer, Output};

/// A checkpoint's network for a game.
pub(super) fn load<G: Game>(path: &Path, game: &G) -> Result<Infer, AgentError> {
    let (net, card) = crate::checkpoint::load_net(path)?;
    let spec = game.spec();
    card.check(path, spec.rules_hash, spec.encoding, &shape_of(spec))?;
    Ok(Infer::new(&net, card.shape))
}

/// Plays a network's policy.
pub struct NetAgent {
    infer: Infer,
    temperature: f32,
}

impl NetAgent {
    /// Loads a checkpoint's network for a game.
    ///
    /// # Errors
    /// A folder that is no whole checkpoint, or one trained for other rules or another encoding.
    pub fn load<G: Game>(path: &Path, game: &G, temperature: f32) -> Result<NetAgent, AgentError> {
        Ok(NetAgent::new(load(path, game)?, temperature))
    }

    /// A network in memory as a player.
    pub fn new(infer: Infer, temperature: f32) -> NetAgent {
        NetAgent { infer, temperature }
    }

    /// What the network makes of positions, with how the actions of each are turned.
    fn run<'a, G: Game>(&self, game: &'a G, views: &[&G::View]) -> (Output, Vec<&'a Symmetry>) {
        let mut encoded = Encoded::new(game.spec(), views.len());
        let turned = views.iter().enumerate().map(|(row, view)| encoded.write(game, view, row)).collect();
        (self.infer.run(&encoded.planes, &encoded.scalars, &encoded.mask, views.len()), turned)
    }
}

/// An action by its log-probabilities: the most probable at temperature 0, else drawn from the policy
/// raised to 1/temperature. The first of equals.
pub fn choose(log_probs: &[f32], temperature: f32, rng: &mut Rng) -> Action {
    let most = log_probs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if temperature <= 0.0 {
        return log_probs.iter().position(|&p| p == most).unwrap_or(0) as Action;
    }
    // Most actions are illegal, and the exponential of negative infinity takes as long as any.
    let weight = |p: f32| if p == f32::NEG_INFINITY { 0.0 } else { ((p - most) / temperature).exp() };
    let total: f32 = log_probs.iter().map(|&p| weight(p)).sum();
    let mut left = rng.unit() * total;
    let mut chosen = 0;
    for (action, &p) in log_probs.iter().enumerate() {
        let weight = weight(p);
        if weight > 0.0 {
            chosen = action;
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
    }
    chosen as Action
}

impl<G: Game> Agent<G> for NetAgent {
    fn act(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Action> {
        let views: Vec<&G::View> = turns.iter().map(|turn| turn.view).collect();
        let (output, turned) = self.run(game, &views);
        let rows = output.logp.chunks_exact(game.spec().num_actions).zip(turned);
        let choice = |(turn, (row, turned)): (&mut Turn<'_, G>, (_, &Symmetry))| {
            turned.original(choose(row, self.temperature, turn.rng))
        };
        turns.iter_mut().zip(rows).map(choice).collect()
    }

    fn batches(&self) -> bool {
        true
    }

    fn policy(&self, game: &G, view: &G::View) -> Vec<f32> {
        let (output, turned) = self.run(game, &[view]);
        turned[0].actions.iter().map(|&image| output.logp[usize::from(image)].exp()).collect()
    }

    fn value(&self, game: &G, view: &G::View) -> f32 {
        let wdl = self.run(game, &[view]).0.wdl;
        wdl[0] - wdl[2]
    }
}

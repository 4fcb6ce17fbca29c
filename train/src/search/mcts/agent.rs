//! Tree search as a player.

use std::sync::atomic::{AtomicU64, Ordering};

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Action, Actions, Game};
use anqi_env::rng::Rng;

use super::guide::{Guide, Leaf};
use super::tree::{Tree, Walk, Way};
use crate::agent::{Agent, Opinion, Turn};
use crate::rollout::{Improved, Improver};
use crate::search::interrupt::interrupted;

/// Plays the action that a tree search finds. The same position and stream always give the same action.
pub struct Mcts<G> {
    guide: G,
    way: Way,
    /// Leaves judged in all searches.
    nodes: AtomicU64,
}

impl<G: Guide> Mcts<G> {
    /// A player that looks at so many leaves a turn and judges them by a guide.
    pub fn new(guide: G, sims: u32) -> Mcts<G> {
        Mcts { guide, way: Way { sims, scale: 1.0, noise: false }, nodes: AtomicU64::new(0) }
    }

    /// The same for training: with Gumbel noise at the root, results pulling at the policy with a share of the strength
    /// that they have in play.
    pub fn training(guide: G, sims: u32, scale: f32) -> Mcts<G> {
        Mcts { guide, way: Way { sims, scale, noise: true }, nodes: AtomicU64::new(0) }
    }

    /// Searches from many positions side by side, so that their leaves are judged together.
    fn search<'a>(&self, game: &'a DarkChess, positions: impl Iterator<Item = (Position, Rng)>) -> Vec<Tree<'a>> {
        let root = |(position, rng): (Position, Rng)| {
            let mut legal = Actions::new();
            game.legal(&position, &mut legal);
            Leaf { position, legal, rng, logits: Vec::new(), value: 0.0 }
        };
        let mut roots: Vec<Leaf> = positions.map(root).collect();
        self.judge(game, &mut roots);
        let mut trees: Vec<Tree<'a>> = roots.into_iter().map(|root| Tree::new(game, root, self.way)).collect();
        let mut walks: Vec<Walk> = trees.iter().map(|_| Walk::default()).collect();
        for sim in 0..self.way.sims {
            if sim > 0 && interrupted() {
                break;
            }
            let (mut at, mut leaves) = (Vec::new(), Vec::new());
            for (number, (tree, walk)) in trees.iter_mut().zip(&mut walks).enumerate() {
                if let Some(leaf) = tree.descend(walk) {
                    at.push(number);
                    leaves.push(leaf);
                }
            }
            self.judge(game, &mut leaves);
            at.into_iter().zip(leaves).for_each(|(number, leaf)| trees[number].take(&walks[number], leaf));
        }
        trees
    }

    fn judge(&self, game: &DarkChess, leaves: &mut [Leaf]) {
        if !leaves.is_empty() {
            self.nodes.fetch_add(leaves.len() as u64, Ordering::Relaxed);
            self.guide.judge(game, &mut leaves.iter_mut().collect::<Vec<_>>());
        }
    }

    /// One position, for questions that bring no stream.
    fn one<'a>(&self, game: &'a DarkChess, view: &Position) -> Tree<'a> {
        self.search(game, std::iter::once((*view, Rng::new(0)))).remove(0)
    }
}

impl<G: Guide> Improver<DarkChess> for Mcts<G> {
    fn improve(&self, game: &DarkChess, turns: &mut [Turn<'_, DarkChess>]) -> Vec<Improved> {
        let positions = turns.iter_mut().map(|turn| (*turn.view, Rng::new(turn.rng.bits())));
        let improved = |tree: &Tree<'_>| Improved {
            action: Some(tree.best().unwrap_or_default()),
            policy: tree.policy(),
            value: Some(tree.value()),
            weight: 1.0,
        };
        self.search(game, positions).iter().map(improved).collect()
    }
}

impl<G: Guide> Agent<DarkChess> for Mcts<G> {
    fn act(&self, game: &DarkChess, turns: &mut [Turn<'_, DarkChess>]) -> Vec<Action> {
        let positions = turns.iter_mut().map(|turn| (*turn.view, Rng::new(turn.rng.bits())));
        self.search(game, positions).iter().map(|tree| tree.best().unwrap_or_default()).collect()
    }

    fn batches(&self) -> bool {
        true
    }

    fn policy(&self, game: &DarkChess, view: &Position) -> Vec<f32> {
        self.opinion(game, view, false).policy
    }

    fn value(&self, game: &DarkChess, view: &Position) -> f32 {
        self.one(game, view).value()
    }

    fn nodes(&self) -> Option<u64> {
        Some(self.nodes.load(Ordering::Relaxed))
    }

    fn values(&self, game: &DarkChess, view: &Position) -> Vec<(Action, f32)> {
        self.one(game, view).values()
    }

    fn opinion(&self, game: &DarkChess, view: &Position, _: bool) -> Opinion {
        let tree = self.one(game, view);
        let mut policy = vec![0.0; game.spec().num_actions];
        tree.policy().into_iter().for_each(|(action, share)| policy[usize::from(action)] = share);
        Opinion { policy, value: tree.value(), values: tree.values() }
    }
}

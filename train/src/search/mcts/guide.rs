//! What a tree search asks about a leaf: how good it is, and which actions look promising.

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Actions, Game};
use anqi_env::rng::Rng;

use super::tree::softmax;
use crate::encode::Encoded;
use crate::net::Infer;
use crate::search::evaluator::Evaluator;

/// A position where nobody has looked further.
pub struct Leaf {
    /// It, with its game going on.
    pub position: Position,
    /// Its legal actions.
    pub legal: Actions,
    /// A stream of its own.
    pub rng: Rng,
    /// Answer: a logarithm of how promising each legal action is, but for a constant.
    pub logits: Vec<f32>,
    /// Answer: the expected result for the seat to move, from -1 to 1.
    pub value: f32,
}

/// Judges leaves.
pub trait Guide: Send + Sync {
    /// Fills in the answers of leaves, those of many searches at once.
    fn judge(&self, game: &DarkChess, leaves: &mut [&mut Leaf]);
}

/// Judges by an evaluation: a leaf by its value after some random plies, actions by the value of what they lead to.
pub struct Thumb<E> {
    /// The evaluation.
    pub evaluator: E,
    /// Random plies before it, at most.
    pub playout: u32,
}

/// How much better an action looks for each unit of the result.
const STEEP: f32 = 4.0;
/// How much of the promise all actions share alike: rules of thumb err, and what has no promise is never looked at.
const EVEN: f32 = 0.5;

impl<E: Evaluator> Thumb<E> {
    /// The value of a position for a seat.
    fn value(&self, game: &DarkChess, position: &Position, seat: u8) -> f32 {
        let status = game.view_status(position);
        if !status.is_ongoing() {
            return status.value(seat);
        }
        let value = self.evaluator.value(game, position);
        if game.view_to_move(position) == seat { value } else { -value }
    }
}

impl<E: Evaluator> Guide for Thumb<E> {
    fn judge(&self, game: &DarkChess, leaves: &mut [&mut Leaf]) {
        for leaf in leaves {
            let seat = game.view_to_move(&leaf.position);
            let now = self.value(game, &leaf.position, seat);
            let promise = |&action| {
                // What turns up is as likely good as bad.
                if game.is_chance(&leaf.position, action) {
                    return 0.0;
                }
                let mut after = leaf.position;
                game.play_with(&mut after, action, None);
                STEEP * (self.value(game, &after, seat) - now)
            };
            let shares = softmax(&leaf.legal.iter().map(promise).collect::<Vec<f32>>());
            let even = EVEN / shares.len() as f32;
            leaf.logits = shares.into_iter().map(|share| ((1.0 - EVEN) * share + even).ln()).collect();
            leaf.value = match self.playout {
                0 => now,
                plies => self.value(game, &played(game, leaf, plies), seat),
            };
        }
    }
}

/// The position after so many random plies, or after the last; what they show is drawn as in any game.
fn played(game: &DarkChess, leaf: &mut Leaf, plies: u32) -> Position {
    let mut state = game.deal_from(&leaf.position, &mut leaf.rng);
    for _ in 0..plies {
        if !game.status(&state).is_ongoing() {
            break;
        }
        let action = game.sample(game.view(&state, game.to_move(&state)), &mut leaf.rng);
        game.play(&mut state, action);
    }
    *game.view(&state, game.to_move(&state))
}

/// Judges by a network.
pub struct NetGuide(pub Infer);

impl Guide for NetGuide {
    fn judge(&self, game: &DarkChess, leaves: &mut [&mut Leaf]) {
        let mut encoded = Encoded::new(game.spec(), leaves.len());
        for (row, leaf) in leaves.iter().enumerate() {
            encoded.write(game, &leaf.position, row);
        }
        let output = self.0.run(&encoded.planes, &encoded.scalars, &encoded.mask, leaves.len());
        let rows = output.logp.chunks_exact(game.spec().num_actions).zip(output.wdl.chunks_exact(3));
        for (leaf, (logp, wdl)) in leaves.iter_mut().zip(rows) {
            leaf.logits = leaf.legal.iter().map(|&action| logp[usize::from(action)]).collect();
            leaf.value = wdl[0] - wdl[2];
        }
    }
}

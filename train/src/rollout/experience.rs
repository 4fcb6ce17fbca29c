//! What self-play brings.

use serde::{Deserialize, Serialize};

use super::Openness;
use crate::encode::Encoded;
use crate::times::Decided;

/// Who chose an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The network, or a search that improves it.
    Network,
    /// An opponent to learn from.
    Teacher,
    /// An opponent whose plies teach nothing.
    Opponent,
}

/// Experience: every ply of every game of a group in one batch, in order of plies, then games.
#[derive(Clone, Debug, Default)]
pub struct Experience {
    /// What the seats saw.
    pub encoded: Encoded,
    /// [n] actions played.
    pub actions: Vec<u32>,
    /// [n] who chose them.
    pub by: Vec<Actor>,
    /// [n, A] log-probabilities of the policy that played, or of what a search made of it.
    pub logp: Vec<f32>,
    /// [n] how much it counts to imitate the policy; 1 without a search or a teacher.
    pub weights: Vec<f32>,
    /// [n] advantages, not normalised.
    pub advantages: Vec<f32>,
    /// [n, 3] win, draw and loss to learn.
    pub targets: Vec<f32>,
    /// [n, 3] win, draw and loss the network expected, or the critic where there is one.
    pub expected: Vec<f32>,
    /// What a critic saw; nothing without one.
    pub revealed: Revealed,
    /// [n, S] the kinds of hidden pieces, [`SEEN`](crate::learn::SEEN) at other places; nothing for a network that does
    /// not learn them.
    pub hidden: Vec<u8>,
    /// How the games that ended in the batch went.
    pub ended: Ended,
    /// How open the network's policy was.
    pub openness: Openness,
    /// What part of the time inference and agents took.
    pub decided: Decided,
}

/// Positions as a critic sees them: with every piece shown, not turned.
#[derive(Clone, Debug, Default)]
pub struct Revealed {
    /// [n, C, R, W]
    pub planes: Vec<u8>,
    /// [n, K]
    pub scalars: Vec<f32>,
}

impl Revealed {
    /// Adds other positions behind these.
    pub(super) fn extend(&mut self, other: &Revealed) {
        self.planes.extend_from_slice(&other.planes);
        self.scalars.extend_from_slice(&other.scalars);
    }

    fn clear(&mut self) {
        self.planes.clear();
        self.scalars.clear();
    }
}

/// Games that ended: counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// Games.
    pub games: u64,
    /// Of them, drawn.
    pub draws: u64,
    /// Of them, won by seat 0.
    pub first_seat_wins: u64,
    /// Their plies together.
    pub plies: u64,
    /// Of them, those against opponents.
    pub opposed: u64,
    /// Points of the network in those: 2 for a win, 1 for a draw.
    pub points: u64,
}

impl Ended {
    /// Adds another count.
    pub fn add(&mut self, other: Ended) {
        self.games += other.games;
        self.draws += other.draws;
        self.first_seat_wins += other.first_seat_wins;
        self.plies += other.plies;
        self.opposed += other.opposed;
        self.points += other.points;
    }
}

impl Experience {
    /// Forgets everything and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.encoded.planes.clear();
        self.encoded.scalars.clear();
        self.encoded.mask.clear();
        self.actions.clear();
        self.by.clear();
        self.logp.clear();
        self.weights.clear();
        self.expected.clear();
        self.revealed.clear();
        self.hidden.clear();
        self.ended = Ended::default();
        self.openness = Openness::default();
        self.decided = Decided::default();
    }

    /// Plies in the batch.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// True when nothing was played.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }
}

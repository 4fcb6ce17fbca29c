//! Learning: which plies are learned from, the loss, the optimiser and the update.

mod adam;
mod loss;
mod ppo;
mod select;
mod td;
#[cfg(test)]
mod tests;

use anqi_env::rng::Rng;
use thiserror::Error;

use crate::net::Shape;

pub use ppo::{Learner, Losses, PpoConfig, Weights};
pub use select::{Plan, critic_samples, samples};
pub use td::{Lesson, TdConfig, TdLearner};

/// Every row once for each pass, each pass in an order of its own.
pub fn passes(rows: usize, passes: usize, rng: &mut Rng) -> Vec<u32> {
    let mut order = Vec::with_capacity(rows * passes);
    for _ in 0..passes {
        let mut pass: Vec<u32> = (0..rows as u32).collect();
        rng.shuffle(&mut pass);
        order.append(&mut pass);
    }
    order
}

/// Positions to learn from, as arrays of `n` rows behind one another.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Samples {
    /// `[n, C * cells]`
    pub planes: Vec<u8>,
    /// `[n, K]`
    pub scalars: Vec<f32>,
    /// `[n, A]`, zero for illegal actions
    pub mask: Vec<i8>,
    /// `[n]`: the action that was played, which must be legal
    pub action: Vec<u32>,
    /// `[n, A]`: natural logarithms of the probabilities with which the action was chosen. What stands at illegal
    /// actions is not read.
    pub old_logp: Vec<f32>,
    /// `[n]`: how much better than expected the action was, already normalised
    pub advantage: Vec<f32>,
    /// `[n, 3]`: the distribution over win, draw and loss to learn, for the seat to move
    pub target: Vec<f32>,
    /// `[n]`: weight of the row among those whose advantage the policy follows; 0 leaves it out
    pub policy_weight: Vec<f32>,
    /// `[n]`: weight of the row among those where the policy imitates `old_logp` instead, that of a search or a teacher;
    /// 0 leaves it out
    pub imitate_weight: Vec<f32>,
    /// `[n]`: weight of the row in the value's loss; 0 leaves it out
    pub value_weight: Vec<f32>,
    /// `[n, S]`: the kind of the hidden piece on each place, [`SEEN`] where there is none; empty for a network that does
    /// not say what they may be
    pub hidden: Vec<u8>,
}

/// No hidden piece.
pub const SEEN: u8 = u8::MAX;

impl Samples {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.action.len()
    }

    /// Forgets all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.planes.clear();
        self.scalars.clear();
        self.mask.clear();
        self.action.clear();
        self.old_logp.clear();
        self.advantage.clear();
        self.target.clear();
        self.policy_weight.clear();
        self.imitate_weight.clear();
        self.value_weight.clear();
        self.hidden.clear();
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.action.is_empty()
    }

    /// Whether the arrays fit each other and the network.
    ///
    /// # Errors
    /// The first array with another length, or the first row whose action is not legal.
    pub fn check(&self, shape: Shape) -> Result<(), LearnError> {
        let n = self.len();
        for (field, found, expected) in [
            ("planes", self.planes.len(), n * shape.planes()),
            ("scalars", self.scalars.len(), n * shape.scalars),
            ("mask", self.mask.len(), n * shape.actions),
            ("old_logp", self.old_logp.len(), n * shape.actions),
            ("advantage", self.advantage.len(), n),
            ("target", self.target.len(), n * 3),
            ("policy_weight", self.policy_weight.len(), n),
            ("imitate_weight", self.imitate_weight.len(), n),
            ("value_weight", self.value_weight.len(), n),
            ("hidden", self.hidden.len(), if self.hidden.is_empty() { 0 } else { n * shape.places() }),
        ] {
            if found != expected {
                return Err(LearnError::Length { field, found, expected });
            }
        }
        for (row, &action) in self.action.iter().enumerate() {
            let mask = &self.mask[row * shape.actions..][..shape.actions];
            if mask.get(action as usize).is_none_or(|&legal| legal == 0) {
                return Err(LearnError::Action { row, action });
            }
        }
        Ok(())
    }
}

/// What keeps a network from learning.
#[derive(Debug, Error, PartialEq)]
pub enum LearnError {
    /// A loss or gradient that is no number. The learner is as it was before the update.
    #[error("the {what} of minibatch {minibatch} is {value}; a smaller learning rate may help")]
    NotFinite {
        /// Loss or gradient.
        what: &'static str,
        /// Which minibatch of the update, from 0.
        minibatch: usize,
        /// Its value.
        value: f64,
    },
    /// An array that does not fit the others.
    #[error("samples.{field} holds {found} values, but the rows need {expected}")]
    Length {
        /// The array.
        field: &'static str,
        /// Its length.
        found: usize,
        /// The right length.
        expected: usize,
    },
    /// An action that was not legal.
    #[error("row {row} of the samples: action {action} is not legal there")]
    Action {
        /// The row.
        row: usize,
        /// Its action.
        action: u32,
    },
    /// An index without a row.
    #[error("order names row {row}, but there are {rows} rows")]
    Order {
        /// The index.
        row: u32,
        /// How many rows there are.
        rows: usize,
    },
    /// A device that cannot be used.
    #[error("ppo.device = {0}")]
    Device(String),
    /// A setting that cannot be.
    #[error("ppo.{key} = {value}: expected {expected}")]
    Config {
        /// The key of [`PpoConfig`].
        key: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// A setting that cannot be.
    #[error("td.{key} = {value}: expected {expected}")]
    TdConfig {
        /// The key of [`TdConfig`].
        key: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// A saved optimiser that does not fit.
    #[error("optimiser state: {0}")]
    Optimizer(String),
}

//! The value network of dark chess and Tomb Chess: what a position is worth to the seat to move, and no policy.
//!
//! Both sides look at the position, each in its own way ([`features`]), through the same first layer; the view of the
//! seat to move comes first. A ply changes few inputs, so a search keeps the sums of the first layer and adds what has
//! changed ([`integer`]). Learning has loops of its own that touch only the inputs that are set ([`float`]); a test holds
//! them to burn.
//!
//! ```text
//! h = clip(first(x))          for either view, [width]; clip(x) = x between 0 and 1
//! z = clip(second([h, h']))   [SECOND]
//! logit = last(z), value = 2 sigmoid(logit) - 1
//! ```

mod features;
mod float;
mod integer;
mod observed;
#[cfg(test)]
mod tests;

use anqi_env::darkchess::rules::Rules;
use anqi_env::rng::Rng;

use super::{NetConfig, NetError, Weight, fitted};

pub use features::{Features, Look};
pub(crate) use float::{Slopes, Tape};
pub use integer::{Integer, Sight};
pub(crate) use observed::SQUARE_PLANES;

/// Units of the second layer.
pub const SECOND: usize = 32;

/// The width must be a multiple of this.
pub const WIDTH: usize = 32;

/// The largest width.
pub const MAX_WIDTH: usize = 1024;

/// A value network with its weights.
#[derive(Clone, Debug)]
pub struct ValueNet {
    features: Features,
    width: usize,
    /// All weights behind one another: see [`Places`].
    flat: Vec<f32>,
}

/// Where each layer begins in the flat array; the weights of a layer are `[in, out]`.
#[derive(Clone, Copy, Debug)]
struct Places {
    first_bias: usize,
    second: usize,
    second_bias: usize,
    last: usize,
    last_bias: usize,
    end: usize,
}

impl Places {
    fn new(inputs: usize, width: usize) -> Places {
        let first_bias = inputs * width;
        let second = first_bias + width;
        let second_bias = second + 2 * width * SECOND;
        let last = second_bias + SECOND;
        let last_bias = last + SECOND;
        Places { first_bias, second, second_bias, last, last_bias, end: last_bias + 1 }
    }
}

/// The value from -1 (lost) to 1 (won) that a logit stands for.
#[inline]
pub fn value(logit: f32) -> f32 {
    2.0 / (1.0 + (-logit).exp()) - 1.0
}

impl ValueNet {
    /// A network for a set of rules with weights drawn from `seed`.
    ///
    /// # Errors
    /// A size that it cannot have.
    pub fn new(config: &NetConfig, rules: &Rules, seed: u64) -> Result<ValueNet, NetError> {
        config.check_value()?;
        let features = Features::new(rules);
        let (width, mut rng) = (config.width, Rng::new(seed));
        let places = Places::new(features.inputs(), width);
        let mut flat = vec![0.0; places.end];
        // A uniform variable on [-a, a] has standard deviation a / sqrt(3). About two inputs a square are set.
        let active = 1.5 * rules.squares() as f32;
        let layers = [
            (0..places.first_bias, active),
            (places.second..places.second_bias, 2.0 * width as f32),
            (places.last..places.last_bias, SECOND as f32),
        ];
        for (layer, fan_in) in layers {
            let bound = (3.0 / fan_in).sqrt();
            flat[layer].iter_mut().for_each(|weight| *weight = (2.0 * rng.unit() - 1.0) * bound);
        }
        // Units start half open, where they can learn in both directions.
        flat[places.first_bias..places.second].fill(0.25);
        flat[places.second_bias..places.last].fill(0.25);
        Ok(ValueNet { features, width, flat })
    }

    /// What it looks at.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// How many numbers are learned.
    pub fn parameters(&self) -> usize {
        self.flat.len()
    }

    /// All weights behind one another.
    pub(crate) fn flat(&self) -> &[f32] {
        &self.flat
    }

    /// The same, to be changed.
    pub(crate) fn flat_mut(&mut self) -> &mut Vec<f32> {
        &mut self.flat
    }

    fn places(&self) -> Places {
        Places::new(self.features.inputs(), self.width)
    }

    /// All tensors with their names, always in the same order.
    pub fn weights(&self) -> Vec<Weight> {
        let mut rest = self.flat.as_slice();
        let mut weights = Vec::new();
        for (name, shape) in self.shapes() {
            let (own, others) = rest.split_at(shape.iter().product());
            rest = others;
            weights.push(Weight { name, shape, data: own.to_vec() });
        }
        weights
    }

    /// This network with the weights of `found`, in any order.
    ///
    /// # Errors
    /// If a tensor is missing, has another shape or is not known.
    pub fn with_weights(self, found: Vec<Weight>) -> Result<ValueNet, NetError> {
        let flat = fitted(self.shapes(), found)?;
        Ok(ValueNet { flat, ..self })
    }

    fn shapes(&self) -> Vec<(String, Vec<usize>)> {
        let (inputs, width) = (self.features.inputs(), self.width);
        let layer = |name: &str, inputs, outputs| {
            [(format!("{name}.weight"), vec![inputs, outputs]), (format!("{name}.bias"), vec![outputs])]
        };
        [layer("first", inputs, width), layer("second", 2 * width, SECOND), layer("last", SECOND, 1)].concat()
    }
}

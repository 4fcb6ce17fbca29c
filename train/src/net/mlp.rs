//! Fully connected layers with shortcuts: the default network on a CPU.

use burn::Tensor;
use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::activation::relu;

use super::init::Draw;
use super::{Heads, NetConfig, Shape};

/// `h = relu(input(x))`, then `h = relu(h + hidden(h))` for each further layer, then both heads.
///
/// There is no normalisation: batch statistics would make a position's value depend on its
/// neighbours and would not survive saving and loading exactly.
#[derive(Module, Debug)]
pub struct Mlp {
    /// `[C * cells + K] -> [width]`
    pub input: Linear,
    /// `depth - 1` layers `[width] -> [width]`
    pub hidden: Vec<Linear>,
    /// `[width] -> [A]`
    pub policy: Linear,
    /// `[width] -> [3]`
    pub value: Linear,
    #[module(skip)]
    shape: Shape,
}

impl Mlp {
    pub(super) fn new(config: &NetConfig, shape: Shape, draw: &mut Draw<'_>) -> Self {
        let width = config.width;
        // About one plane is set in each cell, so far fewer inputs are at work than there are.
        let active = (shape.cells() + shape.scalars) as f32;
        let fan_in = 1.0 / (width as f32).sqrt();
        Self {
            input: draw.linear(shape.planes() + shape.scalars, width, (2.0 / active).sqrt()),
            hidden: (1..config.depth).map(|_| draw.linear(width, width, fan_in)).collect(),
            // Nearly uniform at first: no opening is preferred before anything is learned.
            policy: draw.linear(width, shape.actions, 0.01 * fan_in),
            value: draw.linear(width, 3, 0.1 * fan_in),
            shape,
        }
    }

    /// What the network takes and returns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Both heads for a batch.
    ///
    /// # Shapes
    /// - `planes`: `[B, C * cells]`
    /// - `scalars`: `[B, K]`
    pub fn forward(&self, planes: Tensor<2>, scalars: Tensor<2>) -> Heads {
        let mut h = relu(self.input.forward(Tensor::cat(vec![planes, scalars], 1))); // [B, width]
        for layer in &self.hidden {
            h = relu(layer.forward(h.clone()) + h); // [B, width]
        }
        Heads {
            logits: self.policy.forward(h.clone()), // [B, A]
            wdl: self.value.forward(h),             // [B, 3]
        }
    }
}

//! A tower of 3x3 convolutions with shortcuts and without normalisation.

use burn::Tensor;
use burn::module::Module;
use burn::nn::Linear;
use burn::nn::conv::Conv2d;
use burn::tensor::activation::relu;

use super::init::Draw;
use super::{Heads, NetConfig, Shape};

/// Channels that the policy head sees of each cell.
const POLICY_CHANNELS: usize = 16;

/// One block: `x + second(relu(first(relu(x))))`.
#[derive(Module, Debug)]
pub struct Block {
    /// `[width, R, columns] -> [width, R, columns]`
    pub first: Conv2d,
    /// `[width, R, columns] -> [width, R, columns]`
    pub second: Conv2d,
}

/// A stem that also takes the scalars, `depth` blocks, a policy head over all cells, and a value head
/// over the mean of the cells.
#[derive(Module, Debug)]
pub struct Residual {
    /// `[C, R, columns] -> [width, R, columns]`
    pub stem: Conv2d,
    /// `[K] -> [width]`, added to every cell of the stem
    pub scalars: Linear,
    /// The tower.
    pub blocks: Vec<Block>,
    /// `[width, R, columns] -> [16, R, columns]`
    pub squeeze: Conv2d,
    /// `[16 * cells + K] -> [A]`
    pub policy: Linear,
    /// `[width + K] -> [width]`
    pub pooled: Linear,
    /// `[width] -> [3]`
    pub value: Linear,
    #[module(skip)]
    shape: Shape,
}

impl Residual {
    pub(super) fn new(config: &NetConfig, shape: Shape, draw: &mut Draw<'_>) -> Self {
        let width = config.width;
        let conv = (2.0 / (9 * width) as f32).sqrt();
        // The blocks add up: each adds 1 / depth of the power, so the sum keeps its size without any
        // normalisation.
        let second = conv / (config.depth as f32).sqrt();
        let flat = POLICY_CHANNELS * shape.cells() + shape.scalars;
        Self {
            // One plane is set in each of the nine cells.
            stem: draw.conv(shape.channels, width, 3, (1.0f32 / 9.0).sqrt()),
            scalars: draw.linear(shape.scalars, width, (1.0 / shape.scalars.max(1) as f32).sqrt()),
            blocks: (0..config.depth)
                .map(|_| Block { first: draw.conv(width, width, 3, conv), second: draw.conv(width, width, 3, second) })
                .collect(),
            squeeze: draw.conv(width, POLICY_CHANNELS, 1, (2.0 / width as f32).sqrt()),
            policy: draw.linear(flat, shape.actions, 0.01 / (flat as f32).sqrt()),
            pooled: draw.linear(width + shape.scalars, width, (2.0 / (width + shape.scalars) as f32).sqrt()),
            value: draw.linear(width, 3, 0.1 / (width as f32).sqrt()),
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
        let batch = planes.dims()[0];
        let Shape { channels, rows, cols, .. } = self.shape;
        let board = planes.reshape([batch, channels, rows, cols]);
        let bias = self.scalars.forward(scalars.clone()); // [B, width]
        let width = bias.dims()[1];
        let mut x = self.stem.forward(board) + bias.reshape([batch, width, 1, 1]); // [B, width, R, columns]
        for block in &self.blocks {
            let inner = block.first.forward(relu(x.clone()));
            x = block.second.forward(relu(inner)) + x;
        }
        let x = relu(x);

        let cells = relu(self.squeeze.forward(x.clone())); // [B, 16, R, columns]
        let cells = cells.reshape([batch, POLICY_CHANNELS * rows * cols]);
        let logits = self.policy.forward(Tensor::cat(vec![cells, scalars.clone()], 1)); // [B, A]

        let mean = x.reshape([batch, width, rows * cols]).mean_dim(2).reshape([batch, width]);
        let pooled = relu(self.pooled.forward(Tensor::cat(vec![mean, scalars], 1))); // [B, width]
        Heads {
            logits,
            wdl: self.value.forward(pooled), // [B, 3]
        }
    }
}

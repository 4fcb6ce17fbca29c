//! How layers start: seeded draws that are the same on every platform.

use burn::Tensor;
use burn::module::Param;
use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::nn::{Linear, PaddingConfig2d};
use burn::tensor::{Device, TensorData};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Draws layers one after another from one stream.
///
/// burn's own generator is one for the whole process and its layers draw at first use, so their
/// weights depend on what else runs. Uniform draws need no logarithm, whose last bit differs between
/// platforms.
pub(super) struct Draw<'a> {
    rng: Xoshiro256PlusPlus,
    device: &'a Device,
}

impl<'a> Draw<'a> {
    pub(super) fn new(seed: u64, device: &'a Device) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), device }
    }

    /// A fully connected layer: weights with standard deviation `std`, no bias at first.
    pub(super) fn linear(&mut self, inputs: usize, outputs: usize, std: f32) -> Linear {
        Linear { weight: self.uniform([inputs, outputs], std), bias: Some(self.zeros(outputs)) }
    }

    /// A convolution that keeps the board's size: weights with standard deviation `std`, no bias at
    /// first.
    pub(super) fn conv(&mut self, inputs: usize, outputs: usize, kernel: usize, std: f32) -> Conv2d {
        // The layer's own weights are lazy and are replaced before anything draws them.
        let mut conv = Conv2dConfig::new([inputs, outputs], [kernel, kernel])
            .with_padding(PaddingConfig2d::Same)
            .init(self.device);
        conv.weight = self.uniform([outputs, inputs, kernel, kernel], std);
        conv.bias = Some(self.zeros(outputs));
        conv
    }

    /// Weights that are given.
    pub(super) fn fixed(&self, values: Vec<f32>, dims: [usize; 2]) -> Param<Tensor<2>> {
        Param::from_data(TensorData::new(values, dims), self.device)
    }

    pub(super) fn uniform<const D: usize>(&mut self, dims: [usize; D], std: f32) -> Param<Tensor<D>> {
        // A uniform variable on [-a, a] has standard deviation a / sqrt(3).
        let bound = std * 3f32.sqrt();
        let values: Vec<f32> = (0..dims.iter().product())
            .map(|_| {
                let unit = (self.rng.next_u64() >> 40) as f32 / (1u32 << 24) as f32;
                (2.0 * unit - 1.0) * bound
            })
            .collect();
        Param::from_data(TensorData::new(values, dims), self.device)
    }

    fn zeros(&self, len: usize) -> Param<Tensor<1>> {
        Param::from_data(TensorData::new(vec![0f32; len], [len]), self.device)
    }
}

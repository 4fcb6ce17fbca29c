//! The forward pass of [`Mlp`](super::Mlp) in plain loops, for acting.
//!
//! A general library multiplies everything with everything. Acting needs less: about a twentieth of
//! the planes is set, so the first layer is a sum of a few rows; and only the legal actions need a
//! logit. What remains is the hidden layers, a small matrix product.
//!
//! Every output is one chain of fused multiply-adds in a fixed order, whatever the batch and the
//! width of the processor's registers: a position gets the same bits alone and among others.

use pulp::{Arch, Simd, WithSimd};

use super::simd::{halved, load, positive, store};
use super::{Mlp, Shape};

/// Columns of a block of the first layer, and the multiple to which rows are filled up with zeros. At most eight lanes
/// of a register times [`VECTORS`].
const WIDE: usize = 64;
/// Registers that add up one block of the first layer or one inner product.
const VECTORS: usize = 8;
/// Columns of a packed panel of a hidden layer.
const PANEL: usize = 16;
/// Registers that hold the columns of a panel that are computed together.
const PAIR: usize = 2;
/// Rows that are computed together by a hidden layer: with two registers each, twelve of AVX2's sixteen.
const ROWS: usize = 6;
/// Rows that pass through all layers before the next ones start, so that they stay in the cache.
const BLOCK: usize = 48;

/// The weights of one network, rearranged.
#[derive(Debug)]
pub(super) struct MlpKernel {
    shape: Shape,
    /// The width, rounded up to a multiple of [`WIDE`]; the extra units are always zero.
    stride: usize,
    /// One row of `stride` weights an input.
    input: Vec<f32>,
    input_bias: Vec<f32>,
    hidden: Vec<Hidden>,
    /// One row of `stride` weights an action.
    policy: Vec<f32>,
    policy_bias: Vec<f32>,
    /// Three rows of `stride` weights.
    value: Vec<f32>,
    value_bias: Vec<f32>,
}

/// A hidden layer in panels of [`PANEL`] columns: `panels[p * stride + k]` are the weights from unit `k` to the columns
/// of panel `p`.
#[derive(Debug)]
struct Hidden {
    panels: Vec<[f32; PANEL]>,
    bias: Vec<[f32; PANEL]>,
}

impl MlpKernel {
    pub(super) fn new(net: &Mlp, shape: Shape) -> Self {
        let width = net.input.weight.dims()[1];
        let stride = width.next_multiple_of(WIDE);
        let inputs = shape.planes() + shape.scalars;
        Self {
            shape,
            stride,
            input: pad(&values(&net.input.weight), inputs, width, stride),
            input_bias: pad(&bias(&net.input), 1, width, stride),
            hidden: net
                .hidden
                .iter()
                .map(|layer| Hidden::new(&values(&layer.weight), &bias(layer), width, stride))
                .collect(),
            policy: columns(&values(&net.policy.weight), width, shape.actions, stride),
            policy_bias: bias(&net.policy),
            value: columns(&values(&net.value.weight), width, 3, stride),
            value_bias: bias(&net.value),
        }
    }

    /// Writes the logits of the legal actions and of win, draw and loss; other logits stay as they are.
    ///
    /// # Shapes
    /// `planes [n, C * cells]`, `scalars [n, K]`, `mask` and `logits [n, A]`, `wdl [n, 3]`
    pub(super) fn run(&self, planes: &[u8], scalars: &[f32], mask: &[i8], logits: &mut [f32], wdl: &mut [f32]) {
        // Compiled once for each set of instructions; the processor decides here.
        Arch::new().dispatch(Pass { net: self, planes, scalars, mask, logits, wdl });
    }

    /// Lists the inputs of row `at` that are not zero.
    #[inline(always)]
    fn gather(&self, at: usize, planes: &[u8], scalars: &[f32], active: &mut Vec<(usize, f32)>) {
        let count = self.shape.planes();
        let scale = self.shape.scale();
        let (words, tail) = planes[at * count..][..count].as_chunks::<8>();
        active.clear();
        for (word, bytes) in words.iter().enumerate() {
            let mut bits = u64::from_le_bytes(*bytes);
            while bits != 0 {
                let byte = bits.trailing_zeros() / 8;
                active.push((word * 8 + byte as usize, scale * f32::from((bits >> (byte * 8)) as u8)));
                bits &= !(0xff << (byte * 8));
            }
        }
        for (index, &value) in tail.iter().enumerate() {
            if value != 0 {
                active.push((words.len() * 8 + index, scale * f32::from(value)));
            }
        }
        for (index, &value) in scalars[at * self.shape.scalars..][..self.shape.scalars].iter().enumerate() {
            if value != 0.0 {
                active.push((count + index, value));
            }
        }
    }

    /// `h = relu(input(x))` for one row.
    #[inline(always)]
    fn first_layer<S: Simd>(&self, simd: S, active: &[(usize, f32)], h: &mut [f32]) {
        let step = VECTORS * S::F32_LANES;
        for (block, h) in h.chunks_exact_mut(step).enumerate() {
            let mut sums = load::<S, VECTORS>(&self.input_bias[block * step..]);
            for &(index, value) in active {
                let weights = load::<S, VECTORS>(&self.input[index * self.stride + block * step..]);
                let value = simd.splat_f32s(value);
                for i in 0..VECTORS {
                    sums[i] = simd.mul_add_f32s(value, weights[i], sums[i]);
                }
            }
            store::<S, VECTORS>(sums, h);
            h.iter_mut().for_each(|x| *x = positive(*x));
        }
    }

    #[inline(always)]
    fn heads<S: Simd>(&self, simd: S, h: &[f32], mask: &[i8], logits: &mut [f32], wdl: &mut [f32]) {
        for (action, (logit, &legal)) in logits.iter_mut().zip(mask).enumerate() {
            if legal != 0 {
                let weights = &self.policy[action * self.stride..][..self.stride];
                *logit = dot(simd, h, weights) + self.policy_bias[action];
            }
        }
        for (outcome, logit) in wdl.iter_mut().enumerate() {
            let weights = &self.value[outcome * self.stride..][..self.stride];
            *logit = dot(simd, h, weights) + self.value_bias[outcome];
        }
    }
}

/// One call of [`MlpKernel::run`].
struct Pass<'a> {
    net: &'a MlpKernel,
    planes: &'a [u8],
    scalars: &'a [f32],
    mask: &'a [i8],
    logits: &'a mut [f32],
    wdl: &'a mut [f32],
}

impl WithSimd for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Pass { net, planes, scalars, mask, logits, wdl } = self;
        let (actions, stride) = (net.shape.actions, net.stride);
        let count = mask.len() / actions;
        let mut h = vec![0.0; BLOCK.min(count) * stride];
        let mut next = h.clone();
        let mut active = Vec::with_capacity(256);
        for start in (0..count).step_by(BLOCK) {
            let rows = BLOCK.min(count - start);
            for (row, h) in h.chunks_exact_mut(stride).take(rows).enumerate() {
                net.gather(start + row, planes, scalars, &mut active);
                net.first_layer(simd, &active, h);
            }
            for layer in &net.hidden {
                layer.apply(simd, &h[..rows * stride], &mut next, stride);
                std::mem::swap(&mut h, &mut next);
            }
            for (row, h) in h.chunks_exact(stride).take(rows).enumerate() {
                let at = start + row;
                let legal = &mask[at * actions..][..actions];
                net.heads(simd, h, legal, &mut logits[at * actions..][..actions], &mut wdl[at * 3..][..3]);
            }
        }
    }
}

impl Hidden {
    fn new(weight: &[f32], bias: &[f32], width: usize, stride: usize) -> Self {
        let mut panels = vec![[0.0; PANEL]; stride / PANEL * stride];
        for k in 0..width {
            for column in 0..width {
                panels[column / PANEL * stride + k][column % PANEL] = weight[k * width + column];
            }
        }
        Self { panels, bias: pad(bias, 1, width, stride).as_chunks().0.to_vec() }
    }

    /// `next = relu(h + layer(h))` for all rows of `h`.
    #[inline(always)]
    fn apply<S: Simd>(&self, simd: S, h: &[f32], next: &mut [f32], stride: usize) {
        let rows = h.len() / stride;
        let step = PAIR * S::F32_LANES;
        for (panel, bias) in self.bias.iter().enumerate() {
            let weights = &self.panels[panel * stride..][..stride];
            for part in (0..PANEL).step_by(step) {
                let column = panel * PANEL + part;
                let mut row = 0;
                while row < rows {
                    let (h, next) = (&h[row * stride..], &mut next[row * stride..]);
                    if row + ROWS <= rows {
                        tile::<S, ROWS>(simd, h, next, stride, weights, bias, part, column);
                        row += ROWS;
                    } else {
                        tile::<S, 1>(simd, h, next, stride, weights, bias, part, column);
                        row += 1;
                    }
                }
            }
        }
    }
}

/// The first `R` rows of `h` times [`PAIR`] registers of a panel, from column `part` of the panel, which is `column` of
/// the layer.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn tile<S: Simd, const R: usize>(
    simd: S,
    h: &[f32],
    next: &mut [f32],
    stride: usize,
    weights: &[[f32; PANEL]],
    bias: &[f32; PANEL],
    part: usize,
    column: usize,
) {
    let rows: [&[f32]; R] = std::array::from_fn(|r| &h[r * stride..][..weights.len()]);
    let mut sums = [load::<S, PAIR>(&bias[part..]); R];
    for (k, weights) in weights.iter().enumerate() {
        let weights = load::<S, PAIR>(&weights[part..]);
        for r in 0..R {
            let value = simd.splat_f32s(rows[r][k]);
            for i in 0..PAIR {
                sums[r][i] = simd.mul_add_f32s(value, weights[i], sums[r][i]);
            }
        }
    }
    for (r, sums) in sums.into_iter().enumerate() {
        let own = r * stride + column..r * stride + column + PAIR * S::F32_LANES;
        let next = &mut next[own.clone()];
        store::<S, PAIR>(sums, next);
        for (next, old) in next.iter_mut().zip(&h[own]) {
            *next = positive(*next + old);
        }
    }
}

/// The inner product of two slices whose length is a multiple of [`WIDE`].
///
/// It always keeps [`WIDE`] sums, so that the order of additions is the same for every width of register.
#[inline(always)]
fn dot<S: Simd>(simd: S, a: &[f32], b: &[f32]) -> f32 {
    let mut partial = [0.0; WIDE];
    let step = VECTORS * S::F32_LANES;
    for (part, partial) in partial.chunks_exact_mut(step).enumerate() {
        let mut sums = [simd.splat_f32s(0.0); VECTORS];
        for at in (part * step..a.len()).step_by(WIDE) {
            let (a, b) = (load::<S, VECTORS>(&a[at..]), load::<S, VECTORS>(&b[at..]));
            for i in 0..VECTORS {
                sums[i] = simd.mul_add_f32s(a[i], b[i], sums[i]);
            }
        }
        store::<S, VECTORS>(sums, partial);
    }
    halved(&mut partial)
}

fn values<const D: usize>(param: &burn::module::Param<burn::Tensor<D>>) -> Vec<f32> {
    param.val().into_data().try_into_vec().expect("weights are f32 on every device used here")
}

fn bias(layer: &burn::nn::Linear) -> Vec<f32> {
    values(layer.bias.as_ref().expect("every layer has a bias"))
}

/// `[rows, width]` to `[rows, stride]`, with zeros.
fn pad(from: &[f32], rows: usize, width: usize, stride: usize) -> Vec<f32> {
    let mut to = vec![0.0; rows * stride];
    for (to, from) in to.chunks_exact_mut(stride).zip(from.chunks_exact(width)) {
        to[..width].copy_from_slice(from);
    }
    to
}

/// `[width, outputs]` to `[outputs, stride]`, with zeros.
fn columns(from: &[f32], width: usize, outputs: usize, stride: usize) -> Vec<f32> {
    let mut to = vec![0.0; outputs * stride];
    for k in 0..width {
        for output in 0..outputs {
            to[output * stride + k] = from[k * outputs + output];
        }
    }
    to
}

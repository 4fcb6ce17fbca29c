//! The forward pass of [`Mlp`](super::Mlp) in plain loops, for acting.
//!
//! A general library multiplies everything with everything. Acting needs less: about a twentieth of
//! the planes is set, so the first layer is a sum of a few rows; and only the legal actions need a
//! logit. What remains is the hidden layers, a small matrix product.
//!
//! Every output is one chain of fused multiply-adds in a fixed order, whatever the batch and the
//! width of the processor's registers: a position gets the same bits alone and among others.

use super::{Mlp, Shape};

/// Columns that are computed together by the first layer.
const WIDE: usize = 64;
/// Columns of a packed panel of a hidden layer.
const PANEL: usize = 16;
/// Rows that are computed together by a hidden layer: with [`PANEL`] columns twelve accumulators of
/// AVX2, which leaves four registers for the operands.
const ROWS: usize = 6;
/// Rows that pass through all layers before the next ones start, so that they stay in the cache.
const BLOCK: usize = 48;

/// The weights of one network, rearranged.
#[derive(Debug)]
pub(super) struct MlpKernel {
    shape: Shape,
    /// The width, rounded up to a multiple of [`WIDE`]; the extra units are always zero.
    stride: usize,
    input: Vec<[f32; WIDE]>,
    input_bias: Vec<[f32; WIDE]>,
    hidden: Vec<Hidden>,
    /// One row of `stride` weights an action.
    policy: Vec<f32>,
    policy_bias: Vec<f32>,
    /// Three rows of `stride` weights.
    value: Vec<f32>,
    value_bias: Vec<f32>,
}

/// One call of [`MlpKernel::run`]. A type of its own and not a closure: the call of a closure may stay a function
/// apart, compiled for the oldest processors, where a fused multiply-add is a call into a library.
struct Pass<'a> {
    kernel: &'a MlpKernel,
    planes: &'a [u8],
    scalars: &'a [f32],
    mask: &'a [i8],
    logits: &'a mut [f32],
    wdl: &'a mut [f32],
}

impl pulp::NullaryFnOnce for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.kernel.run_inlined(self.planes, self.scalars, self.mask, self.logits, self.wdl);
    }
}

/// A hidden layer in panels of [`PANEL`] columns: `panels[p * stride + k]` are the weights from unit
/// `k` to the columns of panel `p`.
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
            input: pad(&values(&net.input.weight), inputs, width, stride)
                .as_chunks()
                .0
                .to_vec(),
            input_bias: pad(&bias(&net.input), 1, width, stride)
                .as_chunks()
                .0
                .to_vec(),
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

    /// Writes the logits of the legal actions and of win, draw and loss; other logits stay as they
    /// are.
    ///
    /// # Shapes
    /// `planes [n, C * cells]`, `scalars [n, K]`, `mask` and `logits [n, A]`, `wdl [n, 3]`
    pub(super) fn run(
        &self,
        planes: &[u8],
        scalars: &[f32],
        mask: &[i8],
        logits: &mut [f32],
        wdl: &mut [f32],
    ) {
        // Compiled a second time with the instructions that this processor has.
        pulp::Arch::new().dispatch(Pass { kernel: self, planes, scalars, mask, logits, wdl });
    }

    #[inline(always)]
    fn run_inlined(
        &self,
        planes: &[u8],
        scalars: &[f32],
        mask: &[i8],
        logits: &mut [f32],
        wdl: &mut [f32],
    ) {
        let Shape { actions, .. } = self.shape;
        let count = mask.len() / actions;
        let mut h = vec![0.0; BLOCK.min(count) * self.stride];
        let mut next = h.clone();
        let mut active = Vec::with_capacity(256);
        for start in (0..count).step_by(BLOCK) {
            let rows = BLOCK.min(count - start);
            let (h, next) = (
                &mut h[..rows * self.stride],
                &mut next[..rows * self.stride],
            );
            for (row, h) in h.chunks_exact_mut(self.stride).enumerate() {
                let at = start + row;
                active.clear();
                self.gather(at, planes, scalars, &mut active);
                self.first_layer(&active, h);
            }
            for layer in &self.hidden {
                layer.apply(h, next, self.stride);
                h.copy_from_slice(next);
            }
            for (row, h) in h.chunks_exact(self.stride).enumerate() {
                let at = start + row;
                self.heads(
                    h,
                    &mask[at * actions..(at + 1) * actions],
                    &mut logits[at * actions..(at + 1) * actions],
                    &mut wdl[at * 3..(at + 1) * 3],
                );
            }
        }
    }

    /// Lists the inputs of row `at` that are not zero.
    #[inline(always)]
    fn gather(&self, at: usize, planes: &[u8], scalars: &[f32], active: &mut Vec<(u32, f32)>) {
        let count = self.shape.planes();
        let planes = &planes[at * count..(at + 1) * count];
        let (words, tail) = planes.as_chunks::<8>();
        for (word, bytes) in words.iter().enumerate() {
            let mut bits = u64::from_le_bytes(*bytes);
            while bits != 0 {
                let byte = bits.trailing_zeros() / 8;
                let value = (bits >> (byte * 8)) as u8;
                active.push((word as u32 * 8 + byte, f32::from(value)));
                bits &= !(0xff << (byte * 8));
            }
        }
        for (index, &value) in tail.iter().enumerate() {
            if value != 0 {
                active.push(((words.len() * 8 + index) as u32, f32::from(value)));
            }
        }
        let own = &scalars[at * self.shape.scalars..(at + 1) * self.shape.scalars];
        for (index, &value) in own.iter().enumerate() {
            if value != 0.0 {
                active.push(((count + index) as u32, value));
            }
        }
    }

    #[inline(always)]
    fn first_layer(&self, active: &[(u32, f32)], h: &mut [f32]) {
        let per_row = self.stride / WIDE;
        for (part, h) in h.as_chunks_mut::<WIDE>().0.iter_mut().enumerate() {
            let mut sum = self.input_bias[part];
            for &(index, value) in active {
                let weights = &self.input[index as usize * per_row + part];
                for (sum, weight) in sum.iter_mut().zip(weights) {
                    *sum = value.mul_add(*weight, *sum);
                }
            }
            *h = sum.map(positive);
        }
    }

    #[inline(always)]
    fn heads(&self, h: &[f32], mask: &[i8], logits: &mut [f32], wdl: &mut [f32]) {
        for (action, (logit, &legal)) in logits.iter_mut().zip(mask).enumerate() {
            if legal != 0 {
                let weights = &self.policy[action * self.stride..(action + 1) * self.stride];
                *logit = dot(h, weights) + self.policy_bias[action];
            }
        }
        for (outcome, logit) in wdl.iter_mut().enumerate() {
            let weights = &self.value[outcome * self.stride..(outcome + 1) * self.stride];
            *logit = dot(h, weights) + self.value_bias[outcome];
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
        Self {
            panels,
            bias: pad(bias, 1, width, stride).as_chunks().0.to_vec(),
        }
    }

    /// `next = relu(h + layer(h))` for all rows.
    #[inline(always)]
    fn apply(&self, h: &[f32], next: &mut [f32], stride: usize) {
        let rows = h.len() / stride;
        for (panel, bias) in self.bias.iter().enumerate() {
            let weights = &self.panels[panel * stride..(panel + 1) * stride];
            let mut row = 0;
            while row + ROWS <= rows {
                tile::<ROWS>(h, next, stride, row, panel, weights, bias);
                row += ROWS;
            }
            while row < rows {
                tile::<1>(h, next, stride, row, panel, weights, bias);
                row += 1;
            }
        }
    }
}

/// `R` rows times one panel.
#[inline(always)]
fn tile<const R: usize>(
    h: &[f32],
    next: &mut [f32],
    stride: usize,
    row: usize,
    panel: usize,
    weights: &[[f32; PANEL]],
    bias: &[f32; PANEL],
) {
    let rows: [&[f32]; R] =
        std::array::from_fn(|r| &h[(row + r) * stride..(row + r) * stride + weights.len()]);
    let mut sums = [*bias; R];
    for (k, weights) in weights.iter().enumerate() {
        for r in 0..R {
            let value = rows[r][k];
            for (sum, weight) in sums[r].iter_mut().zip(weights) {
                *sum = value.mul_add(*weight, *sum);
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        let at = (row + r) * stride + panel * PANEL;
        for ((next, sum), old) in next[at..at + PANEL]
            .iter_mut()
            .zip(sums)
            .zip(&h[at..at + PANEL])
        {
            *next = positive(sum + old);
        }
    }
}

/// The inner product of two slices whose length is a multiple of [`WIDE`].
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; WIDE];
    for (a, b) in a.as_chunks::<WIDE>().0.iter().zip(b.as_chunks::<WIDE>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = a.mul_add(*b, *sum);
        }
    }
    // Halving keeps the order of additions the same for every width of register.
    let mut half = WIDE / 2;
    while half > 0 {
        for at in 0..half {
            sums[at] += sums[at + half];
        }
        half /= 2;
    }
    sums[0]
}

/// ReLU. Unlike `f32::max` it lets a NaN through, so that broken weights show.
#[inline(always)]
fn positive(value: f32) -> f32 {
    if value < 0.0 { 0.0 } else { value }
}

fn values<const D: usize>(param: &burn::module::Param<burn::Tensor<D>>) -> Vec<f32> {
    param
        .val()
        .into_data()
        .try_into_vec()
        .expect("weights are f32 on every device used here")
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

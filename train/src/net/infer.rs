//! Evaluating positions without gradients: what acting, playing and searching call.

use burn::Tensor;
use burn::module::Module;
use burn::tensor::activation::softmax;
use burn::tensor::{Device, TensorData};

use super::graph::GraphKernel;
use super::kernel::MlpKernel;
use super::{Net, Shape};

/// A network to ask, detached from any training.
///
/// It holds a copy of the weights, so training can go on meanwhile. It can be shared by threads: each
/// call uses memory of its own.
#[derive(Debug)]
pub struct Infer {
    shape: Shape,
    body: Body,
}

#[derive(Debug)]
enum Body {
    /// Our own loops.
    Mlp(Box<MlpKernel>),
    /// Our own loops.
    Graph(Box<GraphKernel>),
    /// burn's operations, on the device of the network.
    Burn(Box<(Net, Device)>),
}

/// The answers for `n` positions. Keep one and reuse it: its memory is then allocated once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// Natural logarithms of the policy's probabilities; exactly negative infinity for illegal
    /// actions, which have probability zero.
    ///
    /// # Shapes
    /// `[n, A]`
    pub logp: Vec<f32>,
    /// Probabilities of win, draw and loss for the seat to move.
    ///
    /// # Shapes
    /// `[n, 3]`
    pub wdl: Vec<f32>,
}

impl Infer {
    /// Copies the weights of `net`, which may be one in training.
    pub fn new(net: &Net, shape: Shape) -> Self {
        let body = match net {
            Net::Mlp(mlp) => Body::Mlp(Box::new(MlpKernel::new(mlp, shape))),
            Net::Graph(graph) => Body::Graph(Box::new(GraphKernel::new(graph, net.flat()))),
            Net::Residual(_) => Self::burn_body(net),
        };
        Self { shape, body }
    }

    /// The same through burn's operations for any architecture: slower for an MLP, and the yardstick
    /// for the own loops.
    pub fn through_burn(net: &Net, shape: Shape) -> Self {
        Self { shape, body: Self::burn_body(net) }
    }

    fn burn_body(net: &Net) -> Body {
        // A forward pass with gradients would keep every intermediate result until a backward pass.
        let net = net.valid();
        let device = net.devices().into_iter().next().unwrap_or_else(super::device);
        Body::Burn(Box::new((net, device)))
    }

    /// What the network takes and returns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether the network says what hidden pieces may be.
    pub fn believes(&self) -> bool {
        matches!(&self.body, Body::Graph(kernel) if kernel.kinds().is_some())
    }

    /// How likely each kind is for the pieces of others in `n` positions, `[n, S, kinds]`; nought at places without one.
    /// None where the network does not say that.
    ///
    /// # Shapes
    /// As for [`run`](Self::run).
    pub fn believe(&self, planes: &[u8], scalars: &[f32], n: usize) -> Option<Vec<f32>> {
        let Body::Graph(kernel) = &self.body else { return None };
        let mut shares = vec![0.0; n * self.shape.places() * kernel.kinds()?];
        kernel.believe(planes, scalars, &mut shares);
        Some(shares)
    }

    /// Evaluates `n` positions.
    ///
    /// # Shapes
    /// - `planes`: `[n, C * cells]`
    /// - `scalars`: `[n, K]`
    /// - `mask`: `[n, A]`, zero for illegal actions
    ///
    /// # Panics
    /// If a slice has another length.
    pub fn run(&self, planes: &[u8], scalars: &[f32], mask: &[i8], n: usize) -> Output {
        let mut out = Output::default();
        self.run_into(planes, scalars, mask, n, &mut out);
        out
    }

    /// [`run`](Self::run) that overwrites `out`.
    ///
    /// # Panics
    /// If a slice has another length.
    pub fn run_into(&self, planes: &[u8], scalars: &[f32], mask: &[i8], n: usize, out: &mut Output) {
        let shape = self.shape;
        assert_eq!(planes.len(), n * shape.planes(), "length of planes");
        assert_eq!(scalars.len(), n * shape.scalars, "length of scalars");
        assert_eq!(mask.len(), n * shape.actions, "length of mask");
        // Logits of illegal actions are not read, so what stands there does not matter.
        out.logp.resize(n * shape.actions, 0.0);
        out.wdl.resize(n * 3, 0.0);
        match &self.body {
            Body::Mlp(kernel) => {
                kernel.run(planes, scalars, mask, &mut out.logp, &mut out.wdl);
                out.wdl.chunks_exact_mut(3).for_each(softmax_row);
            }
            Body::Graph(kernel) => {
                kernel.run(planes, scalars, mask, &mut out.logp, &mut out.wdl);
                out.wdl.chunks_exact_mut(3).for_each(softmax_row);
            }
            Body::Burn(body) if n > 0 => {
                let (net, device) = body.as_ref();
                let scale = shape.scale();
                let planes = planes.iter().map(|&value| scale * f32::from(value)).collect();
                let planes = TensorData::new(planes, [n, shape.planes()]);
                let scalars = TensorData::new(scalars.to_vec(), [n, shape.scalars]);
                let heads = net.forward(Tensor::from_data(planes, device), Tensor::from_data(scalars, device));
                copy(heads.logits, &mut out.logp);
                copy(softmax(heads.wdl, 1), &mut out.wdl);
            }
            Body::Burn(_) => {}
        }
        let rows = out.logp.chunks_exact_mut(shape.actions);
        for (logp, mask) in rows.zip(mask.chunks_exact(shape.actions)) {
            log_softmax_row(logp, mask);
        }
    }
}

fn copy(tensor: Tensor<2>, to: &mut [f32]) {
    let data = tensor.into_data();
    to.copy_from_slice(data.as_slice().expect("heads are f32"));
}

/// Turns logits into log-probabilities over the legal actions; the others become negative infinity. Where a legal logit is
/// no number or endless, so are they all; those of illegal actions never are.
pub(crate) fn log_softmax_row(logits: &mut [f32], mask: &[i8]) {
    let mut top = f32::NEG_INFINITY;
    for (logit, &legal) in logits.iter_mut().zip(mask) {
        if legal == 0 {
            *logit = f32::NEG_INFINITY;
        }
        // Unlike `f32::max` this keeps a NaN, which must not vanish.
        top = if *logit <= top { top } else { *logit };
    }
    if top == f32::NEG_INFINITY {
        logits.iter_mut().zip(mask).filter(|(_, legal)| **legal != 0).for_each(|(logit, _)| *logit = f32::NAN);
        return;
    }
    let mut sum = 0.0;
    for &logit in logits.iter() {
        if logit != f32::NEG_INFINITY {
            sum += (logit - top).exp();
        }
    }
    let shift = top + sum.ln();
    for (logit, &legal) in logits.iter_mut().zip(mask) {
        *logit -= if legal == 0 { 0.0 } else { shift };
    }
}

fn softmax_row(row: &mut [f32]) {
    let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in row.iter_mut() {
        *value = (*value - top).exp();
        sum += *value;
    }
    for value in row {
        *value /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SHAPE, config};
    use super::super::{Arch, device};
    use super::*;

    #[test]
    fn a_broken_network_still_chooses_what_is_legal() {
        for broken in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut logits = [0.5, broken, broken, 0.25];
            log_softmax_row(&mut logits, &[0, 1, 1, 0]);
            assert!(logits[1].is_nan() && logits[2].is_nan() && logits[0] == f32::NEG_INFINITY, "{logits:?}");
            for temperature in [0.0, 1.0] {
                assert_eq!(crate::agent::choose(&logits, temperature, &mut anqi_env::rng::Rng::new(1)), 1);
            }
            let mut logits = [0.5, broken, 0.25, 0.25];
            log_softmax_row(&mut logits, &[0, 0, 1, 1]);
            assert_eq!(logits[..2], [f32::NEG_INFINITY; 2]);
            assert!((logits[2].exp() - 0.5).abs() < 1e-6, "what is illegal does not matter: {logits:?}");
        }
    }

    /// Positions that look like dark chess: one plane a cell, a few scalars, some legal actions.
    fn positions(n: usize) -> (Vec<u8>, Vec<f32>, Vec<i8>) {
        let mut planes = vec![0; n * SHAPE.planes()];
        let mut scalars = vec![0.0; n * SHAPE.scalars];
        let mut mask = vec![0; n * SHAPE.actions];
        for row in 0..n {
            for cell in 0..SHAPE.cells() {
                let plane = (row * 7 + cell * 5 + cell * cell) % SHAPE.channels;
                planes[row * SHAPE.planes() + plane * SHAPE.cells() + cell] = 1 + u8::from(plane == 19);
            }
            for index in 0..24 {
                scalars[row * SHAPE.scalars + index] = ((row + index) % 9) as f32 / 8.0;
            }
            for action in (row % 5..SHAPE.actions).step_by(1 + row % 37) {
                mask[row * SHAPE.actions + action] = 1;
            }
        }
        (planes, scalars, mask)
    }

    #[test]
    fn own_loops_agree_with_burn() {
        for (width, depth) in [(128, 1), (256, 2), (72, 4)] {
            // Twice the usual policy: small logits would hide a mistake.
            let net = Net::new(&config(Arch::Mlp, width, depth), SHAPE, 5, &device()).unwrap();
            let flat: Vec<f32> = net.flat().iter().map(|w| 1.2 * w + 0.003).collect();
            let net = net.with_flat(&flat);
            let n = 101;
            let (planes, scalars, mask) = positions(n);
            let own = Infer::new(&net, SHAPE).run(&planes, &scalars, &mask, n);
            let burn = Infer::through_burn(&net, SHAPE).run(&planes, &scalars, &mask, n);
            let mut spread = 0f32;
            for (own, burn) in own.logp.iter().zip(&burn.logp) {
                assert!(own == burn || (own - burn).abs() < 1e-4, "{own} {burn}");
                if own.is_finite() {
                    spread = spread.max(own.abs());
                }
            }
            assert!(spread > 2.0, "{spread}");
            for (own, burn) in own.wdl.iter().zip(&burn.wdl) {
                assert!((own - burn).abs() < 1e-4, "{own} {burn}");
            }
        }
    }

    #[test]
    fn a_position_gets_the_same_bits_alone_and_among_others() {
        let net = Net::new(&config(Arch::Mlp, 96, 3), SHAPE, 5, &device()).unwrap();
        let infer = Infer::new(&net, SHAPE);
        let n = 53;
        let (planes, scalars, mask) = positions(n);
        let all = infer.run(&planes, &scalars, &mask, n);
        for row in [0, 5, 47, 48, 52] {
            let alone = infer.run(
                &planes[row * SHAPE.planes()..][..SHAPE.planes()],
                &scalars[row * SHAPE.scalars..][..SHAPE.scalars],
                &mask[row * SHAPE.actions..][..SHAPE.actions],
                1,
            );
            assert_eq!(alone.logp, all.logp[row * SHAPE.actions..][..SHAPE.actions]);
            assert_eq!(alone.wdl, all.wdl[row * 3..][..3]);
        }
    }

    #[test]
    fn both_heads_are_distributions_and_illegal_actions_have_none() {
        for arch in [Arch::Mlp, Arch::Residual] {
            let net = Net::new(&config(arch, 16, 2), SHAPE, 3, &device().autodiff()).unwrap();
            let n = 9;
            let (planes, scalars, mut mask) = positions(n);
            mask[8 * SHAPE.actions..].fill(0);
            let mut out = Output::default();
            let infer = Infer::new(&net, SHAPE);
            infer.run_into(&planes, &scalars, &mask, n, &mut out);
            for row in 0..8 {
                let mask = &mask[row * SHAPE.actions..][..SHAPE.actions];
                let logp = &out.logp[row * SHAPE.actions..][..SHAPE.actions];
                let sum: f32 = logp.iter().map(|logp| logp.exp()).sum();
                assert!((sum - 1.0).abs() < 1e-4, "{sum}");
                for (logp, &legal) in logp.iter().zip(mask) {
                    assert_eq!(*logp == f32::NEG_INFINITY, legal == 0);
                }
                let sum: f32 = out.wdl[row * 3..][..3].iter().sum();
                assert!((sum - 1.0).abs() < 1e-5, "{sum}");
            }
            let none = &out.logp[8 * SHAPE.actions..];
            assert!(none.iter().all(|&logp| logp == f32::NEG_INFINITY));
            // Memory that was used before must not shine through.
            let first = out.clone();
            infer.run_into(&planes, &scalars, &mask, n, &mut out);
            assert_eq!(out, first);
            infer.run_into(&[], &[], &[], 0, &mut out);
            assert!(out.logp.is_empty() && out.wdl.is_empty());
        }
    }

    #[test]
    fn broken_weights_show() {
        let net = Net::new(&config(Arch::Mlp, 16, 2), SHAPE, 3, &device()).unwrap();
        let mut flat = net.flat();
        flat[3] = f32::NAN;
        let net = net.with_flat(&flat);
        let mut planes = vec![0; SHAPE.planes()];
        planes[0] = 1;
        let out = Infer::new(&net, SHAPE).run(&planes, &[0.0; 32], &[1; 353], 1);
        assert!(out.logp.iter().all(|logp| logp.is_nan()));
        assert!(out.wdl.iter().all(|value| value.is_nan()));
    }
}

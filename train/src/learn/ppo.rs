//! Proximal policy optimisation with a magnet: the update of a network from a batch of plies.
//!
//! A minibatch is cut into micro-batches of a fixed size. Each is computed by one worker, their gradients are added in
//! a fixed order, and one step follows: the result is the same for any number of threads.

use burn::Tensor;
use burn::module::{Module, ModuleVisitor, Param};
use burn::tensor::{Device, Gradients, TensorData};
use serde::{Deserialize, Serialize};

use super::adam::Adam;
use super::loss::{PolicyRow, Sums, belief_row, imitation_row, policy_row, value_row};
use super::{LearnError, SEEN, Samples};
use crate::net::{GraphKernel, Lesson, Net, Shape, device_named};
use crate::workers::Workers;

/// The loss and the optimiser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PpoConfig {
    /// Where gradients are worked out: cpu, or a device that was compiled in, cuda:0 or wgpu. Acting stays on the CPU.
    pub device: String,
    /// How far the probability of the played action may move from the data's, as a share of it, before the loss stops
    /// rewarding it.
    pub clip: f32,
    /// Weight of the divergence of the policy from the data's policy, per nat.
    pub kl_data: f32,
    /// Weight of the value's cross entropy against the policy's loss.
    pub value_weight: f32,
    /// Weight of the cross entropy of what the network believes of hidden pieces, where it does (`net.beliefs`).
    pub belief_weight: f32,
    /// Longest gradient, as the Euclidean norm over all weights; longer ones are shortened to it.
    pub grad_norm: f32,
    /// Rows of one step of the optimiser.
    pub minibatch: usize,
    /// Rows that one worker computes at once. It changes the order of additions and so the last bits of a result; the
    /// number of threads does not.
    pub micro_batch: usize,
    /// Passes over the rows of a batch.
    pub epochs: usize,
    /// Adam's epsilon.
    pub epsilon: f32,
    /// Adam's decay of both moments per step.
    pub betas: [f32; 2],
}

impl Default for PpoConfig {
    fn default() -> Self {
        Self {
            device: "cpu".into(),
            clip: 0.2,
            kl_data: 0.1,
            value_weight: 0.5,
            belief_weight: 0.3,
            grad_norm: 0.5,
            minibatch: 512,
            micro_batch: 128,
            epochs: 1,
            epsilon: 1e-5,
            betas: [0.9, 0.999],
        }
    }
}

impl PpoConfig {
    /// Whether the settings can be used.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn check(&self) -> Result<(), LearnError> {
        let bad = |key, value, expected| Err(LearnError::Config { key, value, expected });
        for (key, count) in [("minibatch", self.minibatch), ("micro_batch", self.micro_batch), ("epochs", self.epochs)]
        {
            if count == 0 {
                return bad(key, 0.0, "at least 1");
            }
        }
        for (key, value) in
            [("kl_data", self.kl_data), ("value_weight", self.value_weight), ("belief_weight", self.belief_weight)]
        {
            if !(0.0..=1e6).contains(&value) {
                return bad(key, value.into(), "a weight from 0 to a million");
            }
        }
        for (key, value) in [("clip", self.clip), ("grad_norm", self.grad_norm), ("epsilon", self.epsilon)] {
            if !(value > 0.0 && value.is_finite()) {
                return bad(key, value.into(), "a number above 0");
            }
        }
        match self.betas.iter().find(|beta| !(0.0..1.0).contains(*beta)) {
            Some(&beta) => bad("betas", beta.into(), "two numbers from 0 to below 1"),
            None => Ok(()),
        }
    }
}

/// The figures of an update: means over its rows by their weights, unless said otherwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Losses {
    /// The clipped objective, without the divergences.
    pub policy: f64,
    /// Cross entropy of the value, in nats.
    pub value: f64,
    /// Cross entropy of what the network believes of hidden pieces, in nats.
    pub belief: f64,
    /// The same of what its observation tells of them, which it has to beat.
    pub belief_told: f64,
    /// Divergence of the policy that is imitated from the own one, in nats.
    pub imitation: f64,
    /// Share of the rows of imitation in which the most probable action is the same.
    pub agreement: f64,
    /// Entropy of the policy, in nats.
    pub entropy: f64,
    /// Entropy as a share of the largest that the legal actions allow, 0 to 1.
    pub entropy_share: f64,
    /// Divergence of the policy from the data's, in nats.
    pub kl_data: f64,
    /// Divergence of the policy from uniform play, in nats.
    pub kl_magnet: f64,
    /// Share of rows whose ratio to the data left the clip range.
    pub clip_fraction: f64,
    /// Mean of |ratio - 1| in the first minibatch, before any step. Near 0 unless acting and learning compute different
    /// policies.
    pub first_drift: f64,
    /// Norm of the gradient before it was shortened, mean over minibatches.
    pub grad_norm: f64,
    /// Share of the variance of the expected result that the value explains: 1 is perfect, 0 no better than the mean.
    pub explained_variance: f64,
    /// Rows, counted once in each pass.
    pub rows: usize,
}

impl Losses {
    /// All figures with their names.
    pub fn figures(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("policy", self.policy),
            ("value", self.value),
            ("belief", self.belief),
            ("belief_told", self.belief_told),
            ("imitation", self.imitation),
            ("agreement", self.agreement),
            ("entropy", self.entropy),
            ("entropy_share", self.entropy_share),
            ("kl_data", self.kl_data),
            ("kl_magnet", self.kl_magnet),
            ("clip_fraction", self.clip_fraction),
            ("first_drift", self.first_drift),
            ("grad_norm", self.grad_norm),
            ("explained_variance", self.explained_variance),
            ("rows", self.rows as f64),
        ]
    }

    fn new(sums: &Sums, first_drift: f64, grad_norm: f64) -> Self {
        let policy = |sum: f64| if sums.policy_weight > 0.0 { sum / sums.policy_weight } else { 0.0 };
        let imitation = |sum: f64| if sums.imitate_weight > 0.0 { sum / sums.imitate_weight } else { 0.0 };
        let both = sums.policy_weight + sums.imitate_weight;
        let either = |sum: f64| if both > 0.0 { sum / both } else { 0.0 };
        let value = |sum: f64| if sums.value_weight > 0.0 { sum / sums.value_weight } else { 0.0 };
        let variance = |[sum, squares]: [f64; 2]| value(squares) - value(sum) * value(sum);
        let spread = variance(sums.target);
        Self {
            policy: policy(sums.policy),
            value: value(sums.value),
            belief: sums.belief / sums.hidden.max(1.0),
            belief_told: sums.told / sums.hidden.max(1.0),
            imitation: imitation(sums.imitation),
            agreement: imitation(sums.agreed),
            entropy: either(sums.entropy),
            entropy_share: either(sums.entropy_share),
            kl_data: policy(sums.kl_data),
            kl_magnet: either(sums.kl_magnet),
            clip_fraction: policy(sums.clipped),
            first_drift,
            grad_norm,
            explained_variance: if spread > 1e-12 { 1.0 - variance(sums.error) / spread } else { 0.0 },
            rows: sums.rows as usize,
        }
    }
}

/// What an update does beside [`PpoConfig`], as schedules change it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Adam's learning rate.
    pub learning_rate: f64,
    /// Weight of the pull towards uniform play, per nat.
    pub magnet: f64,
    /// Weight of imitation against the policy's loss, both as means over their rows.
    pub imitate: f64,
}

/// A network in training with its optimiser.
#[derive(Debug)]
pub struct Learner {
    net: Net,
    /// The weights of `net` behind one another.
    weights: Vec<f32>,
    adam: Adam,
    config: PpoConfig,
    /// Where gradients are worked out.
    device: Device,
    shape: Shape,
}

impl Learner {
    /// Starts training `net`, which may be on a device with or without gradients.
    ///
    /// # Errors
    /// If a setting cannot be used.
    pub fn new(net: Net, config: PpoConfig) -> Result<Self, LearnError> {
        config.check()?;
        let device = device_named(&config.device).map_err(LearnError::Device)?;
        if let (Net::Graph(_), true) = (&net, config.device != "cpu") {
            let told = format!("{}: graph networks learn by loops of their own on the cpu", config.device);
            return Err(LearnError::Device(told));
        }
        let net = net.train();
        let weights = net.flat();
        Ok(Self { adam: Adam::new(weights.len()), shape: net.shape(), net, weights, config, device })
    }

    /// Goes on with an optimiser saved by [`optimizer_bytes`](Self::optimizer_bytes).
    ///
    /// # Errors
    /// If a setting cannot be used or the saved optimiser belongs to another network.
    pub fn resume(net: Net, config: PpoConfig, optimizer: &[u8]) -> Result<Self, LearnError> {
        let mut learner = Self::new(net, config)?;
        learner.adam = Adam::from_bytes(optimizer, learner.weights.len())?;
        Ok(learner)
    }

    /// The network, trained so far.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The optimiser's state, to be saved beside the network: always the same bytes for the same state.
    ///
    /// # Errors
    /// Only if the format cannot hold it.
    pub fn optimizer_bytes(&self) -> Result<Vec<u8>, LearnError> {
        self.adam.to_bytes()
    }

    /// Learns from the rows that `order` names, in its order; a row may come more than once, as in several passes.
    ///
    /// `order` is cut into parts of about `minibatch` rows, all of nearly the same length, so that no step follows from
    /// a few rows only.
    ///
    /// # Errors
    /// A loss or gradient that is no number, or samples that do not fit. The learner is then as it was before.
    pub fn update(
        &mut self,
        samples: &Samples,
        order: &[u32],
        weights: Weights,
        workers: &Workers,
    ) -> Result<Losses, LearnError> {
        samples.check(self.shape)?;
        let rows = samples.len();
        if let Some(&row) = order.iter().find(|&&row| row as usize >= rows) {
            return Err(LearnError::Order { row, rows });
        }
        let before = (self.weights.clone(), self.adam.clone());
        let outcome = self.steps(samples, order, weights, workers);
        if outcome.is_err() {
            (self.weights, self.adam) = before;
        }
        self.net = self.net.clone().with_flat(&self.weights);
        outcome
    }

    fn steps(
        &mut self,
        samples: &Samples,
        order: &[u32],
        weights: Weights,
        workers: &Workers,
    ) -> Result<Losses, LearnError> {
        let (mut sums, mut first_drift, mut norms) = (Sums::default(), 0.0, 0.0);
        let count = (order.len() as f64 / self.config.minibatch as f64).round().max(1.0) as usize;
        let count = count.min(order.len());
        for minibatch in 0..count {
            let cut = |index: usize| order.len() * index / count;
            let rows = &order[cut(minibatch)..cut(minibatch + 1)];
            let (part, gradients) = self.gradients(samples, rows, weights, workers);
            let losses = Losses::new(&part, 0.0, 0.0);
            if minibatch == 0 {
                first_drift = if part.policy_weight > 0.0 { part.drift / part.policy_weight } else { 0.0 };
            }
            let loss = losses.policy + losses.imitation + losses.value + losses.belief + losses.kl_data;
            let norm = gradients.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
            for (what, value) in [("loss", loss), ("gradient", norm)] {
                if !value.is_finite() {
                    return Err(LearnError::NotFinite { what, minibatch, value });
                }
            }
            let scale = (f64::from(self.config.grad_norm) / norm.max(1e-12)).min(1.0) as f32;
            let PpoConfig { betas, epsilon, .. } = self.config;
            self.adam.step(&mut self.weights, &gradients, scale, weights.learning_rate, betas, epsilon);
            self.net = self.net.clone().with_flat(&self.weights);
            sums.add(&part);
            norms += norm;
        }
        Ok(Losses::new(&sums, first_drift, norms / count.max(1) as f64))
    }

    /// Figures and gradient of one minibatch.
    fn gradients(&self, samples: &Samples, rows: &[u32], weights: Weights, workers: &Workers) -> (Sums, Vec<f32>) {
        let total = |weights: &[f32]| rows.iter().map(|&row| f64::from(weights[row as usize])).sum::<f64>();
        let share = |total: f64| if total > 0.0 { (1.0 / total) as f32 } else { 0.0 };
        let places = samples.hidden.len() / samples.len().max(1);
        let of_row =
            |&row: &u32| samples.hidden[row as usize * places..][..places].iter().filter(|&&kind| kind != SEEN);
        let hidden = rows.iter().flat_map(of_row).count() as f64;
        let batch = Batch {
            samples,
            places,
            shape: self.shape,
            config: &self.config,
            device: &self.device,
            magnet: weights.magnet as f32,
            policy_scale: share(total(&samples.policy_weight)),
            imitate_scale: weights.imitate as f32 * share(total(&samples.imitate_weight)),
            value_scale: self.config.value_weight * share(total(&samples.value_weight)),
            belief_scale: self.config.belief_weight * share(hidden),
        };
        let jobs: Vec<&[u32]> = rows.chunks(self.config.micro_batch).collect();
        let parts = match &self.net {
            Net::Graph(net) => {
                let kernel = GraphKernel::learning(net, self.weights.clone());
                workers.map(jobs, |_, rows| batch.along_lines(&kernel, rows))
            }
            _ => workers.map(jobs, |_, rows| batch.gradients(&self.net, rows)),
        };
        let mut parts = parts.into_iter();
        let (mut sums, mut gradients) = parts.next().unwrap_or_default();
        for (other, more) in parts {
            sums.add(&other);
            gradients.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        (sums, gradients)
    }
}

/// What all micro-batches of a minibatch share.
struct Batch<'a> {
    samples: &'a Samples,
    /// Places of the board whose hidden pieces are learned.
    places: usize,
    shape: Shape,
    config: &'a PpoConfig,
    device: &'a Device,
    magnet: f32,
    policy_scale: f32,
    imitate_scale: f32,
    value_scale: f32,
    belief_scale: f32,
}

impl Batch<'_> {
    /// Figures and gradient of one micro-batch.
    fn gradients(&self, net: &Net, rows: &[u32]) -> (Sums, Vec<f32>) {
        let (n, a) = (rows.len(), self.shape.actions);
        // Leaves of its own, or the graphs of all workers would be one behind one lock.
        let device = self.device.clone().autodiff();
        let net = net.clone().fork(&device);
        let heads = net.forward(self.planes(rows, &device), self.scalars(rows, &device));
        let mut logits = floats(heads.logits.clone());
        let mut wdl = floats(heads.wdl.clone());
        let mut sums = Sums { rows: n as f64, ..Sums::default() };
        let outputs = logits.chunks_exact_mut(a).zip(wdl.chunks_exact_mut(3));
        for (&row, (logits, wdl)) in rows.iter().zip(outputs) {
            self.judge(row as usize, logits, wdl, &mut sums);
        }
        // The inner product with fixed slopes has these slopes as its derivative.
        let slopes = |values, width| Tensor::<2>::from_data(TensorData::new(values, [n, width]), &device);
        let pull = (heads.logits * slopes(logits, a)).sum() + (heads.wdl * slopes(wdl, 3)).sum();
        let mut collector = Collector { gradients: pull.backward(), flat: Vec::with_capacity(net.parameters()) };
        net.visit(&mut collector);
        (sums, collector.flat)
    }

    /// The same by a kernel of our own.
    fn along_lines(&self, kernel: &GraphKernel, rows: &[u32]) -> (Sums, Vec<f32>) {
        let mut lesson = Rows { batch: self, rows, sums: Sums { rows: rows.len() as f64, ..Sums::default() } };
        let slopes = kernel.slopes(rows.len(), &mut lesson);
        (lesson.sums, slopes)
    }

    /// Adds a row's figures to `sums` and turns the network's answers into the slopes of the loss by them.
    fn judge(&self, row: usize, logits: &mut [f32], wdl: &mut [f32], sums: &mut Sums) {
        let (a, s) = (self.shape.actions, self.samples);
        let policy = PolicyRow {
            mask: &s.mask[row * a..][..a],
            action: s.action[row] as usize,
            old_logp: &s.old_logp[row * a..][..a],
            advantage: s.advantage[row],
            weight: s.policy_weight[row],
        };
        match s.imitate_weight[row] {
            0.0 => policy_row(&policy, self.config, self.magnet, self.policy_scale, logits, sums),
            weight => imitation_row(&PolicyRow { weight, ..policy }, self.imitate_scale, logits, sums),
        }
        value_row(&s.target[row * 3..][..3], s.value_weight[row], self.value_scale, wdl, sums);
    }

    /// `[B, C * cells]`
    fn planes(&self, rows: &[u32], device: &Device) -> Tensor<2> {
        let (width, scale) = (self.shape.planes(), self.shape.scale());
        let mut values = Vec::with_capacity(rows.len() * width);
        for &row in rows {
            values.extend(self.samples.planes[row as usize * width..][..width].iter().map(|&x| scale * f32::from(x)));
        }
        Tensor::from_data(TensorData::new(values, [rows.len(), width]), device)
    }

    /// `[B, K]`
    fn scalars(&self, rows: &[u32], device: &Device) -> Tensor<2> {
        let width = self.shape.scalars;
        let mut values = Vec::with_capacity(rows.len() * width);
        for &row in rows {
            values.extend_from_slice(&self.samples.scalars[row as usize * width..][..width]);
        }
        Tensor::from_data(TensorData::new(values, [rows.len(), width]), device)
    }
}

/// The rows of a micro-batch.
struct Rows<'a> {
    batch: &'a Batch<'a>,
    rows: &'a [u32],
    sums: Sums,
}

impl Lesson for Rows<'_> {
    fn look(&self, row: usize) -> (&[u8], &[f32], &[i8]) {
        let (row, s, shape) = (self.rows[row] as usize, self.batch.samples, self.batch.shape);
        let (p, k, a) = (shape.planes(), shape.scalars, shape.actions);
        (&s.planes[row * p..][..p], &s.scalars[row * k..][..k], &s.mask[row * a..][..a])
    }

    fn judge(&mut self, row: usize, logits: &mut [f32], wdl: &mut [f32; 3]) -> bool {
        let row = self.rows[row] as usize;
        self.batch.judge(row, logits, wdl, &mut self.sums);
        let s = self.batch.samples;
        s.policy_weight[row] != 0.0 || s.imitate_weight[row] != 0.0
    }

    fn hidden(&self, row: usize, place: usize) -> Option<usize> {
        let Batch { samples, places, .. } = self.batch;
        let kind = *samples.hidden.get(self.rows[row] as usize * places + place)?;
        (kind != SEEN).then_some(usize::from(kind))
    }

    fn believe(&mut self, right: usize, told: f32, logs: &mut [f32]) {
        belief_row(right, told, self.batch.belief_scale, logs, &mut self.sums);
    }
}

fn floats(tensor: Tensor<2>) -> Vec<f32> {
    tensor.into_data().try_into_vec().expect("heads are f32")
}

/// Takes the gradients out in the order of the weights.
struct Collector {
    gradients: Gradients,
    flat: Vec<f32>,
}

impl ModuleVisitor for Collector {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        match param.val().grad_remove(&mut self.gradients) {
            Some(gradient) => {
                let data = gradient.into_data();
                self.flat.extend_from_slice(data.as_slice().expect("gradients are f32"));
            }
            None => self.flat.resize(self.flat.len() + param.shape().num_elements(), 0.0),
        }
    }
}

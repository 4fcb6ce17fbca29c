//! The network's arithmetic backwards: from the slopes of its answers to those of its weights.

use pulp::{Arch, Simd, WithSimd};

use super::kernel::{Ends, GraphKernel, Layer, RoundAt, Trace};
use super::{Graph, Lines};
use crate::net::simd::{add_rows, add_scaled, add_to_rows, dot, multiply, multiply_transposed};

/// Weights `[outputs, inputs]` of the layers through which slopes go back.
#[derive(Debug)]
pub(super) struct Turned {
    /// By round: tell and receive.
    rounds: Vec<[Vec<f32>; 2]>,
    from: Vec<f32>,
    to: Vec<f32>,
}

fn turned(layer: Layer, flat: &[f32]) -> Vec<f32> {
    let weight = layer.weight(flat);
    (0..layer.outputs).flat_map(|output| weight.iter().skip(output).step_by(layer.outputs).copied()).collect()
}

/// Positions to learn from, and what to make of the network's answers.
pub(crate) trait Lesson {
    /// Planes, scalars and mask of a row.
    fn look(&self, row: usize) -> (&[u8], &[f32], &[i8]);
    /// Turns logits of the legal actions and of win, draw and loss into the loss's slopes by them; those of other
    /// actions are not read. False where the policy's are all nought.
    fn judge(&mut self, row: usize, logits: &mut [f32], wdl: &mut [f32; 3]) -> bool;
    /// The kind of the hidden piece on a place, for a network that learns what they may be.
    fn hidden(&self, _row: usize, _place: usize) -> Option<usize> {
        None
    }
    /// Turns logarithms of the probabilities of the kinds that such a piece may be into the loss's slopes; `right` is the true
    /// one among them, and `told` its share as the observation has it.
    fn believe(&mut self, _right: usize, _told: f32, _logs: &mut [f32]) {}
}

impl GraphKernel {
    /// A kernel that can also go backwards.
    pub(crate) fn learning(net: &Graph, flat: Vec<f32>) -> Self {
        let mut kernel = Self::new(net, flat);
        let turn = |layer: Layer| turned(layer, &kernel.flat);
        let rounds = kernel.at.rounds.iter().map(|round| [turn(round.tell), turn(round.receive)]).collect();
        kernel.turned = Some(Turned { rounds, from: turn(kernel.at.from), to: turn(kernel.at.to) });
        kernel
    }

    /// The sum of the slopes of `rows` positions, in the order of the weights.
    pub(crate) fn slopes(&self, rows: usize, lesson: &mut impl Lesson) -> Vec<f32> {
        Arch::new().dispatch(Learn { net: self, rows, lesson })
    }
}

struct Learn<'a, L> {
    net: &'a GraphKernel,
    rows: usize,
    lesson: &'a mut L,
}

impl<L: Lesson> WithSimd for Learn<'_, L> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
        let Learn { net, rows, lesson } = self;
        let turned = net.turned.as_ref().expect("a kernel made for learning");
        let mut trace = Trace::new(net);
        let mut back = Back::new(net);
        let (mut logits, mut wdl) = (vec![0.0; net.shape.actions], [0.0; 3]);
        for row in 0..rows {
            let (planes, scalars, mask) = lesson.look(row);
            trace.look(net, planes, scalars, mask);
            net.forward(simd, &mut trace, &mut logits, &mut wdl);
            let policy = lesson.judge(row, &mut logits, &mut wdl);
            back.held.fill(0.0);
            back.beliefs(net, &trace, lesson, row);
            back.row(simd, net, turned, &trace, policy.then_some(&logits), wdl);
        }
        back.slopes
    }
}

/// Slopes on the way back.
struct Back {
    /// Of the weights, summed.
    slopes: Vec<f32>,
    /// `[S, width]`: of what the places hold.
    held: Vec<f32>,
    /// `[S, width]`: of what a round adds, of what is heard, of what is told.
    gain: Vec<f32>,
    heard: Vec<f32>,
    told: Vec<f32>,
    /// Of what the ends of moves say and hold.
    said: [Vec<f32>; 2],
    ends: Vec<f32>,
}

impl Back {
    fn new(net: &GraphKernel) -> Back {
        let tall = || vec![0.0; net.lines.places * net.width];
        Back {
            slopes: vec![0.0; net.flat.len()],
            held: tall(),
            gain: tall(),
            heard: tall(),
            told: tall(),
            said: [Vec::new(), Vec::new()],
            ends: Vec::new(),
        }
    }

    #[inline(always)]
    fn beliefs(&mut self, net: &GraphKernel, trace: &Trace, lesson: &mut impl Lesson, row: usize) {
        let Some(layer) = net.at.belief else { return };
        let (width, old) = (net.width, layer.weight(&net.flat));
        let held = &trace.held[net.at.rounds.len()];
        let mut logs = Vec::new();
        for (place, x) in held.chunks_exact(width).enumerate() {
            let Some(hidden) = lesson.hidden(row, place) else { continue };
            let kinds = net.doubts(trace, place);
            let Some(right) = kinds.iter().position(|(feature, _)| feature - net.kinds.start == hidden) else {
                continue;
            };
            let all: f32 = kinds.iter().map(|(_, share)| share).sum();
            net.doubt(layer, x, kinds, &mut logs);
            lesson.believe(right, kinds[right].1 / all, &mut logs);
            let (weight, bias) = layer.both(&mut self.slopes);
            let slopes = &mut self.held[place * width..][..width];
            for (&(feature, _), &slope) in kinds.iter().zip(&logs) {
                let kind = feature - net.kinds.start;
                bias[kind] += slope;
                let column = (kind..weight.len()).step_by(layer.outputs);
                for ((at, &x), slopes) in column.zip(x).zip(&mut *slopes) {
                    weight[at] += slope * x;
                    *slopes += slope * old[at];
                }
            }
        }
    }

    /// Adds the slopes of a row's weights; those of the places may hold some already.
    #[inline(always)]
    fn row<S: Simd>(
        &mut self,
        simd: S,
        net: &GraphKernel,
        turned: &Turned,
        trace: &Trace,
        policy: Option<&Vec<f32>>,
        wdl: [f32; 3],
    ) {
        self.value(simd, net, trace, wdl);
        if let Some(slopes) = policy {
            self.moves(simd, net, turned, trace, slopes);
            self.others(simd, net, trace, slopes);
        }
        for (number, at) in net.at.rounds.iter().enumerate().rev() {
            self.round(simd, net, &turned.rounds[number], trace, number, *at);
        }
        self.input(simd, net, trace);
    }

    #[inline(always)]
    fn value<S: Simd>(&mut self, simd: S, net: &GraphKernel, trace: &Trace, wdl: [f32; 3]) {
        if wdl == [0.0; 3] {
            return;
        }
        let (width, at) = (net.width, &net.at);
        let (weight, bias) = at.value.both(&mut self.slopes);
        bias.iter_mut().zip(wdl).for_each(|(bias, slope)| *bias += slope);
        let mut pooled = vec![0.0; width];
        let old = at.value.weight(&net.flat).as_chunks::<3>().0;
        let layer = weight.as_chunks_mut::<3>().0.iter_mut().zip(old);
        for ((slope, &x), (weight, old)) in pooled.iter_mut().zip(&trace.pooled).zip(layer) {
            if x > 0.0 {
                for ((weight, old), wdl) in weight.iter_mut().zip(old).zip(wdl) {
                    *weight += x * wdl;
                    *slope += old * wdl;
                }
            }
        }
        let (weight, bias) = at.pooled.both(&mut self.slopes);
        add_scaled(simd, 1.0, &pooled, bias);
        for (weight, &x) in weight.chunks_exact_mut(width).zip(&trace.seen).filter(|(_, x)| **x != 0.0) {
            add_scaled(simd, x, &pooled, weight);
        }
        let share = 1.0 / net.lines.places as f32;
        let mut mean = vec![0.0; width];
        for (mean, weight) in mean.iter_mut().zip(at.pooled.weight(&net.flat).chunks_exact(width)) {
            *mean = share * dot(simd, weight, &pooled);
        }
        add_to_rows(simd, &mean, &mut self.held);
    }

    #[inline(always)]
    fn moves<S: Simd>(&mut self, simd: S, net: &GraphKernel, turned: &Turned, trace: &Trace, slopes: &[f32]) {
        let (width, at, moves) = (net.width, &net.at, &net.lines.moves);
        let [from_said, to_said] = &mut self.said;
        for (said, ends) in [(&mut *from_said, &trace.from), (&mut *to_said, &trace.to)] {
            said.clear();
            said.resize(ends.said.len(), 0.0);
        }
        for &action in trace.legal.iter().take_while(|&&action| action < moves.len()) {
            let ((from, to), slope) = (moves[action], slopes[action]);
            self.slopes[at.habit + action] += slope;
            let row = |ends: &Ends, place: u16| ends.number[usize::from(place)] * width;
            let (row_from, row_to) = (row(&trace.from, from), row(&trace.to, to));
            add_scaled(simd, slope, trace.to.of(to, width), &mut from_said[row_from..][..width]);
            add_scaled(simd, slope, trace.from.of(from, width), &mut to_said[row_to..][..width]);
        }
        for (layer, turned, ends, number) in
            [(at.from, &turned.from, &trace.from, 0), (at.to, &turned.to, &trace.to, 1)]
        {
            let said = &self.said[number];
            let (weight, bias) = layer.both(&mut self.slopes);
            add_rows(simd, 1.0, said, bias);
            multiply_transposed(simd, &ends.held, said, width, weight);
            self.ends.clear();
            self.ends.resize(said.len(), 0.0);
            multiply(simd, said, turned, width, &mut self.ends);
            for (slopes, &place) in self.ends.chunks_exact(width).zip(&ends.places) {
                add_scaled(simd, 1.0, slopes, &mut self.held[place * width..][..width]);
            }
        }
    }

    #[inline(always)]
    fn others<S: Simd>(&mut self, simd: S, net: &GraphKernel, trace: &Trace, slopes: &[f32]) {
        let (width, flat) = (net.width, &net.flat);
        let first = net.lines.moves.len();
        let Some((matter, choose)) = net.at.others else { return };
        if trace.legal.last().is_none_or(|&action| action < first) {
            return;
        }
        let mut all = vec![0.0; width];
        let (weight, bias) = choose.both(&mut self.slopes);
        for &action in trace.legal.iter().filter(|&&action| action >= first) {
            let (other, slope) = (action - first, slopes[action]);
            bias[other] += slope;
            let column = (other..weight.len()).step_by(choose.outputs);
            for ((at, &x), all) in column.zip(&trace.all).zip(&mut all) {
                weight[at] += slope * x;
                *all += slope * choose.weight(flat)[at];
            }
        }
        let places = trace.held[net.at.rounds.len()].chunks_exact(width).zip(self.held.chunks_exact_mut(width));
        let (weight, bias) = matter.both(&mut self.slopes);
        for ((x, slopes), &share) in places.zip(&trace.matter) {
            add_scaled(simd, share, &all, slopes);
            let slope = dot(simd, &all, x) * share * (1.0 - share);
            bias[0] += slope;
            add_scaled(simd, slope, x, weight);
            add_scaled(simd, slope, matter.weight(flat), slopes);
        }
    }

    #[inline(always)]
    fn round<S: Simd>(
        &mut self,
        simd: S,
        net: &GraphKernel,
        [tell, receive]: &[Vec<f32>; 2],
        trace: &Trace,
        number: usize,
        at: RoundAt,
    ) {
        let (width, half) = (net.width, net.width / 2);
        let (x, round) = (&trace.held[number], &trace.rounds[number]);
        through(&self.held, &round.gain, &mut self.gain);
        let (weight, bias) = at.receive.both(&mut self.slopes);
        let mut whole = vec![0.0; width];
        add_rows(simd, 1.0, &self.gain, &mut whole);
        add_scaled(simd, 1.0, &whole, bias);
        multiply_transposed(simd, &round.heard, &self.gain, width, weight);
        self.heard.fill(0.0);
        multiply(simd, &self.gain, receive, width, &mut self.heard);

        let (weight, bias) = at.whole.both(&mut self.slopes);
        add_scaled(simd, 1.0, &whole, bias);
        for (weight, &x) in weight.chunks_exact_mut(width).zip(&round.mean) {
            add_scaled(simd, x, &whole, weight);
        }
        let share = 1.0 / net.lines.places as f32;
        let mut mean = vec![0.0; width];
        for (mean, weight) in mean.iter_mut().zip(at.whole.weight(&net.flat).chunks_exact(width)) {
            *mean = share * dot(simd, weight, &whole);
        }

        self.told.fill(0.0);
        let Lines { near, along, .. } = &net.lines;
        for (lines, weights, start) in [(near, at.near, 0), (along, at.along, half)] {
            let old = &net.flat[weights..][..lines.len()];
            let slopes = &mut self.slopes[weights..][..lines.len()];
            for ((&(to, from), &weight), slope) in lines.iter().zip(old).zip(slopes) {
                let heard = &self.heard[usize::from(to) * width + start..][..half];
                let from = usize::from(from) * width + start;
                *slope += dot(simd, heard, &round.told[from..][..half]);
                add_scaled(simd, weight, heard, &mut self.told[from..][..half]);
            }
        }
        // The sums of a round are no longer needed: its memory holds the slopes that pass the threshold.
        through(&self.told, &round.told, &mut self.gain);
        let (weight, bias) = at.tell.both(&mut self.slopes);
        add_rows(simd, 1.0, &self.gain, bias);
        multiply_transposed(simd, x, &self.gain, width, weight);
        multiply(simd, &self.gain, tell, width, &mut self.held);
        add_to_rows(simd, &mean, &mut self.held);
    }

    #[inline(always)]
    fn input<S: Simd>(&mut self, simd: S, net: &GraphKernel, trace: &Trace) {
        let (width, at) = (net.width, &net.at);
        through(&self.held, &trace.held[0], &mut self.gain);
        let mut common = vec![0.0; width];
        add_rows(simd, 1.0, &self.gain, &mut common);
        let place = &mut self.slopes[at.place..][..self.gain.len()];
        add_scaled(simd, 1.0, &self.gain, place);
        let (weight, bias) = at.scalars.both(&mut self.slopes);
        add_scaled(simd, 1.0, &common, bias);
        for (weight, &x) in weight.chunks_exact_mut(width).zip(&trace.scalars).filter(|(_, x)| **x != 0.0) {
            add_scaled(simd, x, &common, weight);
        }
        let (weight, bias) = at.input.both(&mut self.slopes);
        add_scaled(simd, 1.0, &common, bias);
        for (number, slopes) in self.gain.chunks_exact(width).enumerate() {
            for &(feature, value) in &trace.set[trace.starts[number]..trace.starts[number + 1]] {
                add_scaled(simd, value, slopes, &mut weight[feature * width..][..width]);
            }
        }
    }
}

/// `to = slopes` where the result was above the threshold, else nought.
#[inline(always)]
fn through(slopes: &[f32], results: &[f32], to: &mut [f32]) {
    for ((to, &slope), &result) in to.iter_mut().zip(slopes).zip(results) {
        *to = if result > 0.0 { slope } else { 0.0 };
    }
}

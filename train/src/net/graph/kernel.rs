//! The network's arithmetic along the lines of the board, a position at a time: the forward pass.
//!
//! The weights stay one flat array in the order of the module, so that slopes can be written into another one.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::{Graph, Lines};
use crate::net::Shape;
use crate::net::simd::{add_rows, add_scaled, add_to_rows, column, dot, multiply, threshold};

/// Where a fully connected layer lies in the flat array: weights `[inputs, outputs]`, then the bias.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layer {
    at: usize,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

impl Layer {
    pub(super) fn weight<'a>(&self, flat: &'a [f32]) -> &'a [f32] {
        &flat[self.at..][..self.inputs * self.outputs]
    }

    pub(super) fn bias<'a>(&self, flat: &'a [f32]) -> &'a [f32] {
        &flat[self.at + self.inputs * self.outputs..][..self.outputs]
    }

    /// Weights and bias.
    pub(super) fn both<'a>(&self, flat: &'a mut [f32]) -> (&'a mut [f32], &'a mut [f32]) {
        flat[self.at..][..(self.inputs + 1) * self.outputs].split_at_mut(self.inputs * self.outputs)
    }
}

/// Where a round lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundAt {
    pub(super) tell: Layer,
    pub(super) near: usize,
    pub(super) along: usize,
    pub(super) receive: Layer,
    pub(super) whole: Layer,
}

/// Where everything lies.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) input: Layer,
    pub(super) scalars: Layer,
    pub(super) place: usize,
    pub(super) rounds: Vec<RoundAt>,
    pub(super) from: Layer,
    pub(super) to: Layer,
    pub(super) habit: usize,
    /// Matter and choice.
    pub(super) others: Option<(Layer, Layer)>,
    pub(super) pooled: Layer,
    pub(super) value: Layer,
    pub(super) belief: Option<Layer>,
}

/// Walks over the flat array.
struct Cursor(usize);

impl Cursor {
    fn array(&mut self, length: usize) -> usize {
        self.0 += length;
        self.0 - length
    }

    fn layer(&mut self, inputs: usize, outputs: usize) -> Layer {
        Layer { at: self.array((inputs + 1) * outputs), inputs, outputs }
    }
}

/// The weights of one network with the lines of its board.
#[derive(Debug)]
pub(crate) struct GraphKernel {
    pub(super) shape: Shape,
    pub(super) width: usize,
    /// Features that tell of the kinds of a piece that is not seen; none in a network that does not say more of them.
    pub(super) kinds: Range<usize>,
    pub(super) lines: Lines,
    pub(super) at: Places,
    pub(super) flat: Vec<f32>,
    /// Weights of layers turned over, for learning: see [`Turned`](super::backward::Turned).
    pub(super) turned: Option<super::backward::Turned>,
}

impl GraphKernel {
    pub(crate) fn new(net: &Graph, flat: Vec<f32>) -> Self {
        let (shape, width, lines) = (net.shape, net.place.dims()[1], net.lines.clone());
        let mut end = Cursor(0);
        let (input, scalars) = (end.layer(shape.features(), width), end.layer(shape.scalars, width));
        let place = end.array(lines.places * width);
        let round = |_| RoundAt {
            tell: end.layer(width, width),
            near: end.array(lines.near.len()),
            along: end.array(lines.along.len()),
            receive: end.layer(width, width),
            whole: end.layer(width, width),
        };
        let rounds = net.rounds.iter().map(round).collect();
        let (from, to) = (end.layer(width, width), end.layer(width, width));
        let habit = end.array(lines.moves.len());
        let count = shape.actions - lines.moves.len();
        let others = net.others.as_ref().map(|_| (end.layer(width, 1), end.layer(width, count)));
        let (pooled, value) = (end.layer(width + shape.scalars, width), end.layer(width, 3));
        let belief = net.belief.as_ref().map(|_| end.layer(width, net.kinds.len()));
        assert_eq!(end.0, flat.len(), "weights of a graph network");
        let at = Places { input, scalars, place, rounds, from, to, habit, others, pooled, value, belief };
        Self { shape, width, kinds: net.kinds.clone(), lines, at, flat, turned: None }
    }

    /// Writes the logits of the legal actions and of win, draw and loss; other logits stay as they are.
    ///
    /// # Shapes
    /// `planes [n, S * features]`, `scalars [n, K]`, `mask` and `logits [n, A]`, `wdl [n, 3]`
    pub(crate) fn run(&self, planes: &[u8], scalars: &[f32], mask: &[i8], logits: &mut [f32], wdl: &mut [f32]) {
        // Compiled once for each set of instructions; the processor decides here.
        Arch::new().dispatch(Pass { net: self, planes, scalars, mask, logits, wdl });
    }
}

impl GraphKernel {
    /// The kinds that it tells of.
    pub(crate) fn kinds(&self) -> Option<usize> {
        self.at.belief.map(|layer| layer.outputs)
    }

    /// Writes how likely each kind is for the pieces that are not the seat's own, where the network says that.
    ///
    /// # Shapes
    /// `planes [n, S * features]`, `scalars [n, K]`, `shares [n, S, kinds]`
    pub(crate) fn believe(&self, planes: &[u8], scalars: &[f32], shares: &mut [f32]) {
        Arch::new().dispatch(Believing { net: self, planes, scalars, shares });
    }

    /// The kinds that somebody else's piece on a place may be, with their shares as the observation has them.
    pub(super) fn doubts<'a>(&self, trace: &'a Trace, place: usize) -> &'a [(usize, f32)] {
        let set = &trace.set[trace.starts[place]..trace.starts[place + 1]];
        let first = set.partition_point(|(feature, _)| *feature < self.kinds.start);
        let after = set.partition_point(|(feature, _)| *feature < self.kinds.end);
        &set[first..after]
    }

    /// Logarithms of the probabilities of those kinds, as the network sees them, `held` being what the place holds.
    #[inline(always)]
    pub(super) fn doubt(&self, layer: Layer, held: &[f32], kinds: &[(usize, f32)], out: &mut Vec<f32>) {
        out.clear();
        let (weight, bias) = (layer.weight(&self.flat), layer.bias(&self.flat));
        out.extend(kinds.iter().map(|&(feature, share)| {
            let kind = feature - self.kinds.start;
            share.ln() + column(held, weight, kind, layer.outputs, bias[kind])
        }));
        let top = out.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let shift = top + out.iter().map(|logit| (logit - top).exp()).sum::<f32>().ln();
        out.iter_mut().for_each(|logit| *logit -= shift);
    }
}

/// One call of [`GraphKernel::believe`].
struct Believing<'a> {
    net: &'a GraphKernel,
    planes: &'a [u8],
    scalars: &'a [f32],
    shares: &'a mut [f32],
}

impl WithSimd for Believing<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Believing { net, planes, scalars, shares } = self;
        let Some(layer) = net.at.belief else { return };
        let (p, k, width) = (net.shape.planes(), net.shape.scalars, net.width);
        let mut trace = Trace::new(net);
        let mut logs = Vec::new();
        shares.fill(0.0);
        for (row, shares) in shares.chunks_exact_mut(net.lines.places * layer.outputs).enumerate() {
            trace.look(net, &planes[row * p..][..p], &scalars[row * k..][..k], &[]);
            net.forward(simd, &mut trace, &mut [], &mut [0.0; 3]);
            let held = &trace.held[net.at.rounds.len()];
            for (place, shares) in shares.chunks_exact_mut(layer.outputs).enumerate() {
                let kinds = net.doubts(&trace, place);
                net.doubt(layer, &held[place * width..][..width], kinds, &mut logs);
                for ((feature, _), log) in kinds.iter().zip(&logs) {
                    shares[feature - net.kinds.start] = log.exp();
                }
            }
        }
    }
}

/// One call of [`GraphKernel::run`].
struct Pass<'a> {
    net: &'a GraphKernel,
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
        let (p, k, a) = (net.shape.planes(), net.shape.scalars, net.shape.actions);
        let mut trace = Trace::new(net);
        for (row, mask) in mask.chunks_exact(a).enumerate() {
            trace.look(net, &planes[row * p..][..p], &scalars[row * k..][..k], mask);
            net.forward(simd, &mut trace, &mut logits[row * a..][..a], &mut wdl[row * 3..][..3]);
        }
    }
}

/// What a forward pass of one position leaves behind.
#[derive(Debug)]
pub(super) struct Trace {
    /// Features that are not nought, with their values, and where each place's begin.
    pub(super) set: Vec<(usize, f32)>,
    pub(super) starts: Vec<usize>,
    pub(super) scalars: Vec<f32>,
    pub(super) legal: Vec<usize>,
    /// `[rounds + 1][S, width]`: what the places hold.
    pub(super) held: Vec<Vec<f32>>,
    pub(super) rounds: Vec<RoundTrace>,
    /// The ends of legal moves.
    pub(super) from: Ends,
    pub(super) to: Ends,
    /// `[S]` how much each matters for the other actions, and `[width]` all places as they matter.
    pub(super) matter: Vec<f32>,
    pub(super) all: Vec<f32>,
    /// `[width + K]` and `[width]`: what the value sees, and what it makes of it.
    pub(super) seen: Vec<f32>,
    pub(super) pooled: Vec<f32>,
}

/// The same of a round.
#[derive(Debug)]
pub(super) struct RoundTrace {
    pub(super) mean: Vec<f32>,
    pub(super) told: Vec<f32>,
    pub(super) heard: Vec<f32>,
    pub(super) whole: Vec<f32>,
    /// What the round adds.
    pub(super) gain: Vec<f32>,
}

/// Places at one end of the legal moves, what they hold and what they say.
#[derive(Debug)]
pub(super) struct Ends {
    /// By place, its number here; `usize::MAX` for those that are none.
    pub(super) number: Vec<usize>,
    pub(super) places: Vec<usize>,
    pub(super) held: Vec<f32>,
    pub(super) said: Vec<f32>,
}

impl Ends {
    fn new(places: usize) -> Ends {
        Ends { number: vec![usize::MAX; places], places: Vec::new(), held: Vec::new(), said: Vec::new() }
    }

    fn clear(&mut self) {
        self.places.iter().for_each(|&place| self.number[place] = usize::MAX);
        self.places.clear();
    }

    fn add(&mut self, place: u16) {
        let place = usize::from(place);
        if self.number[place] == usize::MAX {
            self.number[place] = self.places.len();
            self.places.push(place);
        }
    }

    #[inline(always)]
    fn say<S: Simd>(&mut self, simd: S, layer: Layer, flat: &[f32], held: &[f32]) {
        self.held.clear();
        self.said.clear();
        for &place in &self.places {
            self.held.extend_from_slice(&held[place * layer.inputs..][..layer.inputs]);
            self.said.extend_from_slice(layer.bias(flat));
        }
        multiply(simd, &self.held, layer.weight(flat), layer.inputs, &mut self.said);
    }

    /// What a place says.
    #[inline(always)]
    pub(super) fn of(&self, place: u16, width: usize) -> &[f32] {
        &self.said[self.number[usize::from(place)] * width..][..width]
    }
}

impl Trace {
    pub(super) fn new(net: &GraphKernel) -> Trace {
        let (places, width) = (net.lines.places, net.width);
        let tall = || vec![0.0; places * width];
        let short = || vec![0.0; width];
        let round = || RoundTrace { mean: short(), told: tall(), heard: tall(), whole: short(), gain: tall() };
        Trace {
            set: Vec::with_capacity(1024),
            starts: Vec::with_capacity(places + 1),
            scalars: Vec::with_capacity(net.shape.scalars),
            legal: Vec::with_capacity(256),
            held: (0..=net.at.rounds.len()).map(|_| tall()).collect(),
            rounds: net.at.rounds.iter().map(|_| round()).collect(),
            from: Ends::new(places),
            to: Ends::new(places),
            matter: vec![0.0; places],
            all: short(),
            seen: vec![0.0; width + net.shape.scalars],
            pooled: short(),
        }
    }

    /// Lists what is not nought in a position.
    pub(super) fn look(&mut self, net: &GraphKernel, planes: &[u8], scalars: &[f32], mask: &[i8]) {
        let scale = net.shape.scale();
        self.set.clear();
        self.starts.clear();
        let (places, features) = (net.shape.places(), net.shape.features());
        let (next_place, next_feature) = if net.shape.is_grid() { (1, places) } else { (features, 1) };
        for place in 0..places {
            self.starts.push(self.set.len());
            let of_place = planes[place * next_place..].iter().step_by(next_feature).take(features);
            let set = of_place.enumerate().filter(|(_, value)| **value != 0);
            self.set.extend(set.map(|(feature, &value)| (feature, scale * f32::from(value))));
        }
        self.starts.push(self.set.len());
        self.scalars.clear();
        self.scalars.extend_from_slice(scalars);
        self.legal.clear();
        let (words, tail) = mask.as_chunks::<16>();
        for (word, legal) in words.iter().enumerate() {
            if *legal != [0; 16] {
                self.legal.extend((0..16).filter(|&i| legal[i] != 0).map(|i| word * 16 + i));
            }
        }
        let done = words.len() * 16;
        self.legal.extend((0..tail.len()).filter(|&i| tail[i] != 0).map(|i| done + i));
        self.from.clear();
        self.to.clear();
        for &(from, to) in self.legal.iter().filter_map(|&action| net.lines.moves.get(action)) {
            self.from.add(from);
            self.to.add(to);
        }
    }
}

impl GraphKernel {
    /// `out = bias + x weight` for one row.
    #[inline(always)]
    fn row<S: Simd>(&self, simd: S, layer: Layer, x: &[f32], out: &mut [f32]) {
        out.copy_from_slice(layer.bias(&self.flat));
        multiply(simd, x, layer.weight(&self.flat), layer.inputs, out);
    }

    #[inline(always)]
    pub(super) fn forward<S: Simd>(&self, simd: S, trace: &mut Trace, logits: &mut [f32], wdl: &mut [f32]) {
        let (flat, width) = (&self.flat, self.width);
        self.enter(simd, trace);
        for (number, at) in self.at.rounds.iter().enumerate() {
            let (before, after) = trace.held.split_at_mut(number + 1);
            let (x, next) = (&before[number], &mut after[0]);
            let round = &mut trace.rounds[number];
            mean(simd, x, width, &mut round.mean);
            self.row(simd, at.whole, &round.mean, &mut round.whole);
            fill(&mut round.told, at.tell.bias(flat));
            multiply(simd, x, at.tell.weight(flat), width, &mut round.told);
            threshold(&mut round.told);
            self.hear(simd, *at, &round.told, &mut round.heard);
            fill(&mut round.gain, at.receive.bias(flat));
            add_to_rows(simd, &round.whole, &mut round.gain);
            multiply(simd, &round.heard, at.receive.weight(flat), width, &mut round.gain);
            threshold(&mut round.gain);
            next.copy_from_slice(x);
            add_scaled(simd, 1.0, &round.gain, next);
        }
        let held = &trace.held[self.at.rounds.len()];

        trace.from.say(simd, self.at.from, flat, held);
        trace.to.say(simd, self.at.to, flat, held);
        let moves = &self.lines.moves;
        for &action in trace.legal.iter().take_while(|&&action| action < moves.len()) {
            let (from, to) = moves[action];
            let score = dot(simd, trace.from.of(from, width), trace.to.of(to, width));
            logits[action] = score + flat[self.at.habit + action];
        }
        if let Some((matter, choose)) = self.at.others
            && trace.legal.last().is_some_and(|&action| action >= moves.len())
        {
            trace.all.fill(0.0);
            for (held, share) in held.chunks_exact(width).zip(&mut trace.matter) {
                let score = dot(simd, held, matter.weight(flat)) + matter.bias(flat)[0];
                *share = 1.0 / (1.0 + (-score).exp());
                add_scaled(simd, *share, held, &mut trace.all);
            }
            let (weight, bias) = (choose.weight(flat), choose.bias(flat));
            for &action in trace.legal.iter().filter(|&&action| action >= moves.len()) {
                let other = action - moves.len();
                logits[action] = column(&trace.all, weight, other, choose.outputs, bias[other]);
            }
        }

        mean(simd, held, width, &mut trace.seen[..width]);
        trace.seen[width..].copy_from_slice(&trace.scalars);
        self.row(simd, self.at.pooled, &trace.seen, &mut trace.pooled);
        threshold(&mut trace.pooled);
        let weight = self.at.value.weight(flat);
        for (outcome, logit) in wdl.iter_mut().enumerate() {
            *logit = column(&trace.pooled, weight, outcome, 3, self.at.value.bias(flat)[outcome]);
        }
    }

    /// What the places hold at first.
    #[inline(always)]
    fn enter<S: Simd>(&self, simd: S, trace: &mut Trace) {
        let (flat, width) = (&self.flat, self.width);
        let common = &mut trace.all;
        common.copy_from_slice(self.at.scalars.bias(flat));
        let weights = self.at.scalars.weight(flat).chunks_exact(width);
        for (&scalar, weights) in trace.scalars.iter().zip(weights).filter(|(scalar, _)| **scalar != 0.0) {
            add_scaled(simd, scalar, weights, common);
        }
        add_scaled(simd, 1.0, self.at.input.bias(flat), common);
        let weight = self.at.input.weight(flat);
        let all = &mut trace.held[0];
        let place = &flat[self.at.place..][..all.len()];
        all.copy_from_slice(place);
        for (number, held) in all.chunks_exact_mut(width).enumerate() {
            add_scaled(simd, 1.0, common, held);
            for &(feature, value) in &trace.set[trace.starts[number]..trace.starts[number + 1]] {
                add_scaled(simd, value, &weight[feature * width..][..width], held);
            }
        }
        threshold(all);
    }

    /// What the places hear, neighbours in the first half, others of their lines in the second.
    #[inline(always)]
    fn hear<S: Simd>(&self, simd: S, at: RoundAt, told: &[f32], heard: &mut [f32]) {
        let (width, half) = (self.width, self.width / 2);
        heard.fill(0.0);
        for (lines, weights, start) in [(&self.lines.near, at.near, 0), (&self.lines.along, at.along, half)] {
            for (&(to, from), &weight) in lines.iter().zip(&self.flat[weights..]) {
                let told = &told[usize::from(from) * width + start..][..half];
                add_scaled(simd, weight, told, &mut heard[usize::from(to) * width + start..][..half]);
            }
        }
    }
}

/// The same row for all.
fn fill(rows: &mut [f32], row: &[f32]) {
    for out in rows.chunks_exact_mut(row.len()) {
        out.copy_from_slice(row);
    }
}

/// The mean of all rows.
#[inline(always)]
fn mean<S: Simd>(simd: S, rows: &[f32], width: usize, out: &mut [f32]) {
    out.fill(0.0);
    let share = width as f32 / rows.len() as f32;
    add_rows(simd, share, rows, out);
}

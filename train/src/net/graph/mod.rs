//! A network over the places of a board and the lines between them: Junqi's, and one of dark chess.
//!
//! Every place holds a vector. In each round the places tell their neighbours, and whoever stands on the same straight
//! line, what they hold; how strongly each listens to each other one is learned, from the board's lines as a start. A
//! move's logit is the inner product of what its two ends say, so that Junqi's 5,624 moves need two layers of the width
//! of a place. A flip begins and ends at its square.
//!
//! The burn module says what the network is. Acting and learning run [`kernel`], which follows the lines one by one
//! instead of multiplying by matrices that are nearly all zero; tests hold both to each other.

mod backward;
mod kernel;
#[cfg(test)]
mod tests;

use std::ops::Range;

use anqi_env::game::Wiring;
use burn::Tensor;
use burn::module::{Module, Param};
use burn::nn::Linear;
use burn::tensor::activation::{relu, sigmoid};
use burn::tensor::{Device, Int, TensorData};

pub(crate) use backward::Lesson;
pub(crate) use kernel::GraphKernel;

use super::init::Draw;
use super::{Heads, NetConfig, Shape};

/// The width is a multiple of this.
pub(super) const WIDTH: usize = 2 * super::simd::STEP;

/// One round: `x + relu(receive(heard) + whole(mean x))`.
#[derive(Module, Debug)]
pub struct Round {
    /// `[width] -> [width]`: what a place tells, its neighbours the first half, the others of its line the second
    pub tell: Linear,
    /// `[1, lines]`: how strongly a place listens to each neighbour
    pub near: Param<Tensor<2>>,
    /// `[1, lines]`: and to each other place on a straight line
    pub along: Param<Tensor<2>>,
    /// `[width] -> [width]`: what becomes of what was heard
    pub receive: Linear,
    /// `[width] -> [width]`: of the mean of all places
    pub whole: Linear,
}

/// The actions that are no moves.
#[derive(Module, Debug)]
pub struct Others {
    /// `[width] -> [1]`: how much a place matters for them
    pub matter: Linear,
    /// `[width] -> [actions that are no moves]`: of the places, each as much as it matters
    pub choose: Linear,
}

/// Places, rounds of messages, and three heads.
#[derive(Module, Debug)]
pub struct Graph {
    /// `[features of a place] -> [width]`
    pub input: Linear,
    /// `[K] -> [width]`, the same for all places
    pub scalars: Linear,
    /// `[S, width]`: what a place is beside what stands on it
    pub place: Param<Tensor<2>>,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// `[width] -> [width]`: what a place says as the start of a move
    pub from: Linear,
    /// `[width] -> [width]`: what a place says as the end of a move
    pub to: Linear,
    /// `[1, moves]`: what is common to a move in all positions
    pub habit: Param<Tensor<2>>,
    /// Actions that are no moves, where there are any.
    pub others: Option<Others>,
    /// `[width + K] -> [width]`
    pub pooled: Linear,
    /// `[width] -> [3]`
    pub value: Linear,
    /// `[width] -> [kinds]`: by how much more likely than it seems each kind is for a hidden piece, where it says so
    pub belief: Option<Linear>,
    #[module(skip)]
    kinds: Range<usize>,
    #[module(skip)]
    lines: Lines,
    #[module(skip)]
    shape: Shape,
}

/// The lines of the board and the ends of the moves.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    pub(crate) places: usize,
    /// Who listens to whom.
    pub(crate) near: Vec<(u16, u16)>,
    pub(crate) along: Vec<(u16, u16)>,
    /// From and to.
    pub(crate) moves: Vec<(u16, u16)>,
}

impl Graph {
    /// `beliefs` are the features of a place that tell of the kinds of hidden pieces, for a network that believes.
    pub(super) fn new(
        config: &NetConfig,
        shape: Shape,
        wiring: &Wiring,
        beliefs: Option<Range<usize>>,
        draw: &mut Draw<'_>,
    ) -> Self {
        let (width, places) = (config.width, shape.places());
        let std = |power: f32| (power / width as f32).sqrt();
        let sorted = |lines: &[(u16, u16)]| {
            let mut lines = lines.to_vec();
            lines.sort_unstable();
            lines.dedup();
            lines
        };
        let lines =
            Lines { places, near: sorted(&wiring.near), along: sorted(&wiring.along), moves: wiring.moves.clone() };
        let moves = lines.moves.len();
        let rounds = (0..config.depth).map(|_| Round {
            tell: draw.linear(width, width, std(2.0)),
            near: draw.fixed(listening(&lines.near, places), [1, lines.near.len()]),
            along: draw.fixed(listening(&lines.along, places), [1, lines.along.len()]),
            // The rounds add up, and each brings its share.
            receive: draw.linear(width, width, std(2.0 / config.depth as f32)),
            whole: draw.linear(width, width, std(1.0 / config.depth as f32)),
        });
        let rounds = rounds.collect();
        Self {
            // Two or three features of a place are set, and about half of the scalars.
            input: draw.linear(shape.features(), width, 0.6),
            scalars: draw.linear(shape.scalars, width, (1.0 / shape.scalars.max(1) as f32).sqrt()),
            place: draw.uniform([places, width], 0.3),
            rounds,
            // Nearly uniform at first: no opening is preferred before anything is learned.
            from: draw.linear(width, width, std(0.1)),
            to: draw.linear(width, width, std(0.1)),
            habit: draw.fixed(vec![0.0; moves], [1, moves]),
            others: (shape.actions > moves).then(|| Others {
                matter: draw.linear(width, 1, std(1.0)),
                choose: draw.linear(width, shape.actions - moves, std(0.01 / places as f32)),
            }),
            pooled: draw.linear(width + shape.scalars, width, (2.0 / (width + shape.scalars) as f32).sqrt()),
            value: draw.linear(width, 3, std(0.01)),
            belief: beliefs.as_ref().map(|kinds| draw.linear(width, kinds.len(), std(0.01))),
            kinds: beliefs.unwrap_or_default(),
            lines,
            shape,
        }
    }

    /// What the network takes and returns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The lines that it follows.
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// What the places hold in the end, `[S, B, width]`.
    fn places(&self, planes: Tensor<2>, scalars: Tensor<2>) -> Tensor<3> {
        let batch = planes.dims()[0];
        let (places, features) = (self.shape.places(), self.shape.features());
        let width = self.place.dims()[1];
        let flat = |x: Tensor<3>| x.reshape([places * batch, width]);
        let tall = |x: Tensor<2>| x.reshape([places, batch, width]);

        let planes = match self.shape.is_grid() {
            true => planes.reshape([batch, features, places]).permute([2, 0, 1]),
            false => planes.reshape([batch, places, features]).swap_dims(0, 1),
        };
        let planes = planes.reshape([places * batch, features]);
        let common = self.scalars.forward(scalars).reshape([1, batch, width]);
        let place = self.place.val().reshape([places, 1, width]);
        let mut x = relu(tall(self.input.forward(planes)) + common + place); // [S, B, width]
        for round in &self.rounds {
            let told = tall(relu(round.tell.forward(flat(x.clone()))));
            let hear = |listen: &Param<Tensor<2>>, lines: &[(u16, u16)], half: usize| {
                let told = told.clone().narrow(2, half * width / 2, width / 2).reshape([places, batch * width / 2]);
                self.spread(listen, lines).matmul(told).reshape([places * batch, width / 2])
            };
            let (near, along) = (hear(&round.near, &self.lines.near, 0), hear(&round.along, &self.lines.along, 1));
            let heard = tall(round.receive.forward(Tensor::cat(vec![near, along], 1)));
            let mean = x.clone().mean_dim(0).reshape([batch, width]);
            let whole = round.whole.forward(mean).reshape([1, batch, width]);
            x = relu(heard + whole) + x;
        }
        x
    }

    /// What it believes of the pieces of a batch, `[B, S, kinds]`: unnormalised log-probabilities, to be added to the
    /// logarithms of the shares that the observation tells of; none where the network says nothing of them.
    ///
    /// # Shapes
    /// As for [`forward`](Self::forward).
    pub fn believe(&self, planes: Tensor<2>, scalars: Tensor<2>) -> Option<Tensor<3>> {
        let belief = self.belief.as_ref()?;
        let x = self.places(planes, scalars);
        let [places, batch, width] = x.dims();
        let said = belief.forward(x.reshape([places * batch, width]));
        Some(said.reshape([places, batch, self.kinds.len()]).swap_dims(0, 1))
    }

    /// Both heads for a batch.
    ///
    /// # Shapes
    /// - `planes`: `[B, S * F]`, of a grid `[B, F * S]`
    /// - `scalars`: `[B, K]`
    pub fn forward(&self, planes: Tensor<2>, scalars: Tensor<2>) -> Heads {
        let (batch, device) = (planes.dims()[0], planes.device());
        let x = self.places(planes, scalars.clone());
        let [places, _, width] = x.dims();
        let flat = |x: Tensor<3>| x.reshape([places * batch, width]);
        let tall = |x: Tensor<2>| x.reshape([places, batch, width]);

        let say = |layer: &Linear| tall(layer.forward(flat(x.clone()))).swap_dims(0, 1); // [B, S, width]
        let pairs = say(&self.from).matmul(say(&self.to).swap_dims(1, 2)); // [B, S, S]
        let wanted = self.lines.moves.iter().map(|&(from, to)| i32::from(from) * places as i32 + i32::from(to));
        let wanted = numbers(wanted.collect(), &device);
        let moves = pairs.reshape([batch, places * places]).select(1, wanted) + self.habit.val();
        let logits = match &self.others {
            None => moves,
            Some(others) => {
                let matter = sigmoid(others.matter.forward(flat(x.clone()))).reshape([places, batch, 1]);
                let all = (x.clone() * matter).sum_dim(0).reshape([batch, width]);
                Tensor::cat(vec![moves, others.choose.forward(all)], 1)
            }
        };

        let mean = x.mean_dim(0).reshape([batch, width]);
        let pooled = relu(self.pooled.forward(Tensor::cat(vec![mean, scalars], 1))); // [B, width]
        Heads {
            logits,
            wdl: self.value.forward(pooled), // [B, 3]
        }
    }
}

impl Graph {
    /// `[S, S]`: how strongly each place (row) listens to each other one (columns).
    fn spread(&self, listen: &Param<Tensor<2>>, lines: &[(u16, u16)]) -> Tensor<2> {
        let (places, device) = (self.lines.places, listen.val().device());
        // Where there is no line, the nought behind the weights.
        let mut wanted = vec![lines.len() as i32; places * places];
        for (number, &(to, from)) in lines.iter().enumerate() {
            wanted[usize::from(to) * places + usize::from(from)] = number as i32;
        }
        let weights = Tensor::cat(vec![listen.val(), Tensor::zeros([1, 1], &device)], 1);
        weights.select(1, numbers(wanted, &device)).reshape([places, places])
    }
}

fn numbers(values: Vec<i32>, device: &Device) -> Tensor<1, Int> {
    let count = values.len();
    Tensor::from_data(TensorData::new(values, [count]), device)
}

/// Every place listens to those it is joined with alike, and what it hears keeps its size.
fn listening(lines: &[(u16, u16)], places: usize) -> Vec<f32> {
    let mut count = vec![0f32; places];
    lines.iter().for_each(|&(to, _)| count[usize::from(to)] += 1.0);
    lines.iter().map(|&(to, _)| 1.0 / count[usize::from(to)].sqrt()).collect()
}

//! The networks: what they take, what they return, how they start and how their weights are named.
//!
//! An architecture is one file with one burn module. Training runs the module; acting runs
//! [`Infer`], which holds the same weights in the layout that suits it.

mod device;
mod init;
mod kernel;
mod simd;

pub mod critic;
pub mod graph;
pub mod infer;
pub mod mlp;
pub mod residual;
pub mod value;

use std::ops::Range;

use anqi_env::game::Wiring;
use burn::Tensor;
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Device, TensorData};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use device::{device, named as device_named};
pub use graph::Graph;
pub(crate) use graph::{GraphKernel, Lesson};
pub use infer::{Infer, Output};
pub use mlp::Mlp;
pub use residual::Residual;
pub use value::ValueNet;

/// What a game's encoding gives a network and what it asks back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Planes of the board, `C`.
    pub channels: usize,
    /// Rows of the board, `R`.
    pub rows: usize,
    /// Columns of the board.
    pub cols: usize,
    /// Numbers beside the planes, `K`.
    pub scalars: usize,
    /// Actions, `A`.
    pub actions: usize,
    /// What stands for one in the planes.
    #[serde(default = "one")]
    pub unit: u8,
}

fn one() -> u8 {
    1
}

/// What a network is built for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What it takes and returns.
    pub shape: Shape,
    /// The lines of the board, where it has them.
    pub wiring: Option<Wiring>,
    /// [`Game::belief_features`](anqi_env::game::Game::belief_features), where kinds are hidden.
    pub beliefs: Option<Range<usize>>,
}

impl From<Shape> for Plan {
    fn from(shape: Shape) -> Plan {
        Plan { shape, wiring: None, beliefs: None }
    }
}

impl Shape {
    /// Cells of the board.
    pub fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// Whether there is a plane for each feature, all of them grids; else there is one, with a row a place and a column a
    /// feature.
    pub fn is_grid(&self) -> bool {
        self.channels > 1
    }

    /// Places of a network that holds a vector a place, `S`.
    pub fn places(&self) -> usize {
        if self.is_grid() { self.cells() } else { self.rows }
    }

    /// Features of a place, `F`.
    pub fn features(&self) -> usize {
        if self.is_grid() { self.channels } else { self.cols }
    }

    /// The planes' bytes to shares of one.
    pub fn scale(&self) -> f32 {
        1.0 / f32::from(self.unit)
    }

    /// Values in the planes of one position.
    pub fn planes(&self) -> usize {
        self.channels * self.cells()
    }
}

/// The kinds of network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arch {
    /// Fully connected layers: the fastest on a CPU.
    #[default]
    Mlp,
    /// A tower of 3x3 convolutions: learns more from a position, costs several times as much.
    Residual,
    /// Messages along the lines of the board: Junqi's network, and one for dark chess that sees further than the first.
    Graph,
    /// No policy, only what a position of the dark chess family is worth; see [`ValueNet`].
    Value,
}

/// Which network to build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetConfig {
    /// `"mlp"`, `"residual"`, `"graph"` or `"value"`.
    pub arch: Arch,
    /// Units of a hidden layer (mlp), channels of the tower (residual) or of a place (graph, a multiple of 32), units of
    /// the first layer for each side's view (value, a multiple of 32).
    pub width: usize,
    /// Hidden layers (mlp; value always has 2), blocks of two convolutions (residual) or rounds of messages (graph).
    pub depth: usize,
    /// Whether it also says what hidden pieces may be, where their kinds are hidden: a graph network of Junqi.
    pub beliefs: bool,
}

impl Default for NetConfig {
    fn default() -> Self {
        Self { arch: Arch::Mlp, width: 128, depth: 2, beliefs: false }
    }
}

/// What keeps a network from being built or given weights.
#[derive(Debug, Error, PartialEq)]
pub enum NetError {
    /// A size that no network can have.
    #[error("net.{key} = {value}: must be from {low} to {high}")]
    Size {
        /// The key of [`NetConfig`].
        key: &'static str,
        /// Its value.
        value: usize,
        /// The least value that works.
        low: usize,
        /// The largest value that is allowed.
        high: usize,
    },
    /// Half of a place's channels go along either kind of line, in whole registers.
    #[error("net.width = {0}: arch = \"graph\" needs a multiple of {m}", m = graph::WIDTH)]
    Width(usize),
    /// The loops of a value network take whole registers, and it has a fixed number of layers.
    #[error(
        "net.width = {0}, net.depth = {1}: arch = \"value\" needs a width that is a multiple of {m} up to {most}, and depth 2",
        m = value::WIDTH, most = value::MAX_WIDTH
    )]
    ValueSize(usize, usize),
    /// A network without a policy where one is needed.
    #[error("net.arch = \"value\": such a network has no policy; expected \"mlp\", \"residual\" or \"graph\"")]
    NoPolicy,
    /// A board that is no graph.
    #[error("net.arch = \"graph\": this game's board has no lines; expected \"mlp\" or \"residual\"")]
    NoWiring,
    /// Convolutions over a board that is no grid.
    #[error("net.arch = \"residual\": this game's board is no grid; expected \"graph\" or \"mlp\"")]
    NoGrid,
    /// Beliefs where there is nothing to believe, or nowhere to hold them.
    #[error("net.beliefs: expected false, or arch = \"graph\" and a game that hides the kinds of pieces, such as duel")]
    NoBeliefs,
    /// A tensor that the network needs is not there.
    #[error("tensor {name} is missing; this network needs it with shape {expected:?}")]
    Missing {
        /// The tensor's name.
        name: String,
        /// Its shape in the network.
        expected: Vec<usize>,
    },
    /// A weight that is no number, or an endless one.
    #[error("tensor {name} holds {value} at {place}; expected finite numbers")]
    NotFinite {
        /// The tensor's name.
        name: String,
        /// Where in it, counted through all its axes.
        place: usize,
        /// What stands there.
        value: f32,
    },
    /// A tensor has another shape than the network's.
    #[error("tensor {name} has shape {found:?}, but this network needs {expected:?}")]
    Mismatch {
        /// The tensor's name.
        name: String,
        /// Its shape in the file.
        found: Vec<usize>,
        /// Its shape in the network.
        expected: Vec<usize>,
    },
    /// A tensor that the network has no place for.
    #[error("tensor {name} belongs to no layer of this network")]
    Unknown {
        /// The tensor's name.
        name: String,
    },
}

/// The two answers of a network.
#[derive(Debug)]
pub struct Heads {
    /// Unnormalised log-probabilities of all actions, illegal ones included.
    ///
    /// # Shapes
    /// `[B, A]`
    pub logits: Tensor<2>,
    /// Unnormalised log-probabilities of win, draw and loss for the seat to move.
    ///
    /// # Shapes
    /// `[B, 3]`
    pub wdl: Tensor<2>,
}

/// One named tensor of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Weight {
    /// Its path in the module, such as `input.weight`.
    pub name: String,
    /// Its sizes; the weight of a fully connected layer is `[in, out]`.
    pub shape: Vec<usize>,
    /// Its values, the last axis fastest.
    pub data: Vec<f32>,
}

/// A network of any architecture.
// A process holds a handful of networks, so their size in place does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Module, Debug)]
pub enum Net {
    /// Fully connected layers.
    Mlp(Mlp),
    /// Convolutions.
    Residual(Residual),
    /// Messages along lines.
    Graph(Graph),
}

impl Net {
    /// Builds a network on `device` with weights drawn from `seed`.
    ///
    /// The weights come from a generator of our own with exactly rounded operations only, so the same
    /// seed gives the same bytes on every platform and thread. A device with
    /// [`autodiff`](Device::autodiff) gives a network that can be trained.
    ///
    /// # Errors
    /// If a size of `config` is out of range, or the architecture does not suit the board.
    pub fn new(config: &NetConfig, plan: impl Into<Plan>, seed: u64, device: &Device) -> Result<Self, NetError> {
        config.check()?;
        let Plan { shape, wiring, beliefs } = plan.into();
        let beliefs = match (config.beliefs, config.arch, beliefs) {
            (false, ..) => None,
            (true, Arch::Graph, Some(kinds)) => Some(kinds),
            (true, ..) => return Err(NetError::NoBeliefs),
        };
        let mut draw = init::Draw::new(seed, device);
        Ok(match (config.arch, wiring) {
            (Arch::Mlp, _) => Self::Mlp(Mlp::new(config, shape, &mut draw)),
            (Arch::Residual, _) if shape.is_grid() => Self::Residual(Residual::new(config, shape, &mut draw)),
            (Arch::Residual, _) => return Err(NetError::NoGrid),
            (Arch::Graph, Some(wiring)) => Self::Graph(Graph::new(config, shape, &wiring, beliefs, &mut draw)),
            (Arch::Graph, None) => return Err(NetError::NoWiring),
            (Arch::Value, _) => return Err(NetError::NoPolicy),
        })
    }

    /// Both heads for a batch.
    ///
    /// # Shapes
    /// - `planes`: `[B, C * R * columns]`, shares of one
    /// - `scalars`: `[B, K]`
    pub fn forward(&self, planes: Tensor<2>, scalars: Tensor<2>) -> Heads {
        match self {
            Self::Mlp(net) => net.forward(planes, scalars),
            Self::Residual(net) => net.forward(planes, scalars),
            Self::Graph(net) => net.forward(planes, scalars),
        }
    }

    /// What the network takes and returns.
    pub fn shape(&self) -> Shape {
        match self {
            Self::Mlp(net) => net.shape(),
            Self::Residual(net) => net.shape(),
            Self::Graph(net) => net.shape(),
        }
    }

    /// How many numbers are learned.
    pub fn parameters(&self) -> usize {
        self.num_params()
    }

    /// All tensors with their names, always in the same order.
    pub fn weights(&self) -> Vec<Weight> {
        let mut reader = Reader::default();
        self.visit(&mut reader);
        reader.weights
    }

    /// All weights behind one another, in the order of [`weights`](Self::weights).
    pub fn flat(&self) -> Vec<f32> {
        let mut flat = Vec::with_capacity(self.parameters());
        for weight in self.weights() {
            flat.extend(weight.data);
        }
        flat
    }

    /// This network with other weights, given as [`flat`](Self::flat) returns them.
    ///
    /// # Panics
    /// If `flat` does not hold exactly [`parameters`](Self::parameters) numbers.
    pub fn with_flat(self, flat: &[f32]) -> Self {
        let mut writer = Writer { rest: flat };
        let net = self.map(&mut writer);
        assert!(writer.rest.is_empty(), "more weights than the network has");
        net
    }

    /// This network with the weights of one that may know nothing of hidden pieces, or know what this one does not: what it
    /// believes then stays as it is.
    ///
    /// # Errors
    /// As for [`with_weights`](Self::with_weights).
    pub fn started_from(self, mut found: Vec<Weight>) -> Result<Self, NetError> {
        let of_beliefs = |weight: &Weight| weight.name.starts_with("belief.");
        let (own, given) = (self.weights(), found.iter().any(of_beliefs));
        if given != own.iter().any(of_beliefs) {
            found.retain(|weight| !of_beliefs(weight));
            found.extend(own.into_iter().filter(of_beliefs));
        }
        self.with_weights(found)
    }

    /// This network with the weights of `found`, in any order.
    ///
    /// # Errors
    /// If a tensor is missing, has another shape or is not known.
    pub fn with_weights(self, found: Vec<Weight>) -> Result<Self, NetError> {
        let own = self.weights().into_iter().map(|own| (own.name, own.shape)).collect();
        let flat = fitted(own, found)?;
        Ok(self.with_flat(&flat))
    }
}

/// The values of the tensors in the order in which a network has them, by name and shape.
fn fitted(own: Vec<(String, Vec<usize>)>, mut found: Vec<Weight>) -> Result<Vec<f32>, NetError> {
    let mut flat = Vec::new();
    for (name, shape) in own {
        let Some(at) = found.iter().position(|weight| weight.name == name) else {
            return Err(NetError::Missing { name, expected: shape });
        };
        let weight = found.swap_remove(at);
        if weight.shape != shape {
            return Err(NetError::Mismatch { name, found: weight.shape, expected: shape });
        }
        if let Some(place) = weight.data.iter().position(|x| !x.is_finite()) {
            return Err(NetError::NotFinite { name, place, value: weight.data[place] });
        }
        flat.extend(weight.data);
    }
    match found.into_iter().next() {
        Some(Weight { name, .. }) => Err(NetError::Unknown { name }),
        None => Ok(flat),
    }
}

impl NetConfig {
    fn check(&self) -> Result<(), NetError> {
        for (key, value, low, high) in [("width", self.width, 1, 8192), ("depth", self.depth, 1, 64)] {
            if !(low..=high).contains(&value) {
                return Err(NetError::Size { key, value, low, high });
            }
        }
        match self.arch {
            Arch::Graph if !self.width.is_multiple_of(graph::WIDTH) => Err(NetError::Width(self.width)),
            _ => Ok(()),
        }
    }

    /// Whether a value network can have this size.
    fn check_value(&self) -> Result<(), NetError> {
        if self.beliefs {
            return Err(NetError::NoBeliefs);
        }
        let fits = self.width.is_multiple_of(value::WIDTH) && (1..=value::MAX_WIDTH).contains(&self.width);
        (fits && self.depth == 2).then_some(()).ok_or(NetError::ValueSize(self.width, self.depth))
    }
}

/// Collects names and values.
#[derive(Default)]
struct Reader {
    path: Vec<String>,
    weights: Vec<Weight>,
}

impl ModuleVisitor for Reader {
    fn enter_module(&mut self, name: &str, _container: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        self.weights.push(Weight {
            // The first name is the variant of the enum: the architecture, which the config holds.
            name: self.path[1..].join("."),
            shape: param.dims().to_vec(),
            data: param.val().into_data().try_into_vec().expect("weights are f32 on every device used here"),
        });
    }
}

/// Hands out a flat slice, tensor by tensor, in the order of [`Reader`].
struct Writer<'a> {
    rest: &'a [f32],
}

impl ModuleMapper for Writer<'_> {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let dims = param.dims();
        let (own, rest) =
            self.rest.split_at_checked(dims.iter().product()).expect("fewer weights than the network has");
        self.rest = rest;
        param.map(|old| {
            let data = TensorData::new(own.to_vec(), dims);
            let tensor = Tensor::from_data(data, &old.device());
            tensor.set_require_grad(old.is_require_grad())
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Dark chess on 4x8 cells.
    pub(crate) const SHAPE: Shape = Shape { channels: 20, rows: 4, cols: 8, scalars: 32, actions: 353, unit: 1 };

    pub(crate) fn config(arch: Arch, width: usize, depth: usize) -> NetConfig {
        NetConfig { arch, width, depth, beliefs: false }
    }

    #[test]
    fn the_seed_alone_decides_the_weights() {
        for config in [config(Arch::Mlp, 48, 3), config(Arch::Residual, 8, 2)] {
            let net = |seed| Net::new(&config, SHAPE, seed, &device()).unwrap();
            // A draw from burn's own generator in between must change nothing.
            let first = net(7).flat();
            let _ = Tensor::<1>::random([9], burn::tensor::Distribution::Default, &device());
            assert_eq!(first, net(7).flat());
            assert_ne!(first, net(8).flat());
            assert_eq!(first.len(), net(7).parameters());
            let trainable = Net::new(&config, SHAPE, 7, &device().autodiff()).unwrap();
            assert_eq!(first, trainable.flat());
            assert_eq!(first, trainable.valid().flat());
        }
    }

    #[test]
    fn names_are_plain() {
        let net = Net::new(&config(Arch::Mlp, 8, 2), SHAPE, 1, &device()).unwrap();
        let names: Vec<_> = net.weights().into_iter().map(|w| w.name).collect();
        assert_eq!(
            names,
            [
                "input.weight",
                "input.bias",
                "hidden.0.weight",
                "hidden.0.bias",
                "policy.weight",
                "policy.bias",
                "value.weight",
                "value.bias"
            ]
        );
        assert_eq!(net.weights()[0].shape, [672, 8]);
    }

    #[test]
    fn weights_round_trip_and_defects_are_named() {
        let config = config(Arch::Residual, 8, 1);
        let net = Net::new(&config, SHAPE, 1, &device()).unwrap();
        let other = Net::new(&config, SHAPE, 2, &device()).unwrap();
        let mut weights = net.weights();
        weights.reverse();
        let same = other.clone().with_weights(weights.clone()).unwrap();
        assert_eq!(same.flat(), net.flat());

        let gone = weights.pop().unwrap();
        let error = other.clone().with_weights(weights.clone()).unwrap_err();
        assert_eq!(error.to_string(), "tensor stem.weight is missing; this network needs it with shape [8, 20, 3, 3]");
        let reshaped = Weight { shape: vec![8, 180], ..gone.clone() };
        weights.push(reshaped);
        let error = other.clone().with_weights(weights.clone()).unwrap_err();
        assert!(matches!(error, NetError::Mismatch { .. }), "{error}");
        weights.pop();
        weights.push(Weight { name: "odd".into(), ..gone.clone() });
        weights.push(gone);
        let error = other.with_weights(weights).unwrap_err();
        assert_eq!(error.to_string(), "tensor odd belongs to no layer of this network");
    }

    /// A network that believes begins with the weights of one that does not, and the other way round.
    #[test]
    fn a_start_may_lack_beliefs() {
        let game = anqi_env::junqi::Junqi::parse("luzhanqi").unwrap();
        let net = |beliefs, seed| {
            let config = NetConfig { beliefs, ..config(Arch::Graph, 32, 1) };
            Net::new(&config, crate::encode::plan_of(&game), seed, &device()).unwrap()
        };
        let (plain, believer, other) = (net(false, 1), net(true, 2), net(true, 3));
        let kinds = 12 * (32 + 1);
        let started = believer.clone().started_from(plain.weights()).unwrap().flat();
        assert_eq!(started[..plain.parameters()], plain.flat());
        assert_eq!(started[plain.parameters()..], believer.flat()[plain.parameters()..]);
        assert_eq!(started.len(), plain.parameters() + kinds);
        assert_eq!(
            plain.clone().started_from(believer.weights()).unwrap().flat(),
            believer.flat()[..plain.parameters()]
        );
        assert_eq!(believer.started_from(other.weights()).unwrap().flat(), other.flat());
    }

    #[test]
    fn configs_are_checked() {
        let error = Net::new(&config(Arch::Mlp, 0, 2), SHAPE, 1, &device()).unwrap_err();
        assert_eq!(error.to_string(), "net.width = 0: must be from 1 to 8192");
        let believer = NetConfig { beliefs: true, ..config(Arch::Graph, 32, 1) };
        for arch in [Arch::Mlp, Arch::Graph] {
            let believer = NetConfig { arch, ..believer.clone() };
            let game = anqi_env::darkchess::DarkChess::parse("mini").unwrap();
            let error = Net::new(&believer, crate::encode::plan_of(&game), 1, &device()).unwrap_err();
            assert_eq!(error, NetError::NoBeliefs);
        }
        assert!(toml::from_str::<NetConfig>("arch = \"transformer\"").is_err());
        assert!(toml::from_str::<NetConfig>("layers = 3").is_err());
        let parsed: NetConfig = toml::from_str("arch = \"residual\"\nwidth = 32").unwrap();
        assert_eq!(parsed, config(Arch::Residual, 32, 2));
    }
}

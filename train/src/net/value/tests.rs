//! Our own loops against burn's forward and backward pass, and whole numbers against our own loops.

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::Game as _;
use anqi_env::rng::Rng;
use burn::Tensor;
use burn::module::{Module, Param};
use burn::tensor::activation::sigmoid;
use burn::tensor::{Device, TensorData};

use super::*;
use crate::net::{Arch, device};

/// The network in burn.
#[derive(Module, Debug)]
struct Twin {
    layers: Vec<Param<Tensor<2>>>,
    biases: Vec<Param<Tensor<2>>>,
}

impl Twin {
    fn new(net: &ValueNet, device: &Device) -> Twin {
        let weights = net.weights();
        let param = |at: usize| {
            let Weight { data, shape, .. } = weights[at].clone();
            let dims = if shape.len() == 1 { [1, shape[0]] } else { [shape[0], shape[1]] };
            Param::from_data(TensorData::new(data, dims), device)
        };
        Twin { layers: [0, 2, 4].map(param).into(), biases: [1, 3, 5].map(param).into() }
    }

    fn layer(&self, number: usize, x: Tensor<2>) -> Tensor<2> {
        x.matmul(self.layers[number].val()) + self.biases[number].val()
    }

    /// `[B, inputs]` for the seat to move and for the other; `[B, 1]` logits.
    fn forward(&self, own: Tensor<2>, other: Tensor<2>) -> Tensor<2> {
        let h = Tensor::cat(vec![self.layer(0, own), self.layer(0, other)], 1).clamp(0.0, 1.0);
        let z = self.layer(1, h).clamp(0.0, 1.0);
        self.layer(2, z)
    }
}

/// Positions of random games, a few from each stage.
fn positions(game: &DarkChess, n: usize, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut state = game.deal(&mut rng);
    let mut found = Vec::new();
    while found.len() < n {
        for _ in 0..=rng.below(7) {
            if !game.status(&state).is_ongoing() {
                state = game.deal(&mut rng);
            }
            let action = game.sample(game.view(&state, 0), &mut rng);
            game.play(&mut state, action);
        }
        if game.status(&state).is_ongoing() {
            found.push(*state.position());
        }
    }
    found
}

fn games() -> Vec<DarkChess> {
    let dark = ["taiwan", "mini", "gametower-dark-chain", "mainland60", "board=6x6,pieces=K2G2M2R2N2C2P6"];
    let mut games: Vec<DarkChess> = dark.iter().map(|rules| DarkChess::parse(rules).unwrap()).collect();
    games.push(DarkChess::parse_tomb("").unwrap());
    games
}

/// Weights far from where they start, so that units are shut, open and in between.
fn net(game: &DarkChess, width: usize) -> ValueNet {
    let config = NetConfig { arch: Arch::Value, width, ..NetConfig::default() };
    let mut net = ValueNet::new(&config, game.rules(), 5).unwrap();
    let mut rng = Rng::new(9);
    net.flat.iter_mut().for_each(|weight| *weight = 1.5 * *weight + 0.1 * (rng.unit() - 0.5));
    net
}

fn dense(net: &ValueNet, looks: &[Look], other: u8, device: &Device) -> Tensor<2> {
    let inputs = net.features.inputs();
    let mut values = vec![0f32; looks.len() * inputs];
    let mut set = Vec::new();
    for (row, look) in looks.iter().enumerate() {
        set.clear();
        net.features.list(look, look.mover ^ other, &mut set);
        set.iter().for_each(|&input| values[row * inputs + usize::from(input)] += 1.0);
    }
    assert!(values.iter().all(|&value| value <= 1.0), "an input is listed twice");
    Tensor::from_data(TensorData::new(values, [looks.len(), inputs]), device)
}

fn floats(tensor: Tensor<2>) -> Vec<f32> {
    tensor.into_data().try_into_vec().unwrap()
}

#[test]
fn own_loops_agree_with_burn() {
    for game in games() {
        let net = net(&game, 32);
        let looks: Vec<Look> = positions(&game, 24, 3).iter().map(|p| net.features.look(p)).collect();
        let device = device().autodiff();
        let twin = Twin::new(&net, &device);
        let logits = twin.forward(dense(&net, &looks, 0, &device), dense(&net, &looks, 1, &device));
        let expected = floats(logits.clone());
        let slopes: Vec<f32> = (0..looks.len()).map(|row| (row as f32 - 9.5) / 8.0).collect();
        let weights = Tensor::<2>::from_data(TensorData::new(slopes.clone(), [looks.len(), 1]), &device);
        let gradients = (logits * weights).sum().backward();
        let (mut tape, mut found) = (Tape::default(), vec![0.0; net.parameters()]);
        let mut spread = 0f32;
        for ((look, expected), slope) in looks.iter().zip(&expected).zip(&slopes) {
            let logit = net.logit(look, &mut tape);
            assert!((logit - expected).abs() < 1e-4, "{}: {logit} {expected}", game.spec().name);
            spread = spread.max((logit - net.flat[net.parameters() - 1]).abs());
            net.slopes(&mut tape, *slope, &mut Slopes(&mut found));
        }
        assert!(spread > 0.3, "{spread}");
        let mut burn = Vec::new();
        for (layer, bias) in twin.layers.iter().zip(&twin.biases) {
            for param in [layer, bias] {
                burn.extend(floats(param.val().grad(&gradients).unwrap()));
            }
        }
        assert_eq!(burn.len(), found.len());
        assert!(burn.iter().filter(|x| x.abs() > 1e-3).count() > 500, "most slopes are 0");
        for (at, (burn, own)) in burn.iter().zip(&found).enumerate() {
            assert!((burn - own).abs() < 2e-4 * (1.0 + burn.abs()), "{}: weight {at}: {burn} {own}", game.spec().name);
        }
    }
}

/// Thousands of positions of each game, looked at one after another as in a search and each on its own.
#[test]
fn whole_numbers_agree_with_floats() {
    for game in games() {
        for width in [32, 96] {
            let net = net(&game, width);
            let whole = Integer::new(&net);
            let (mut sight, mut tape) = (whole.sight(), Tape::default());
            let (mut furthest, mut sum) = (0f32, 0f64);
            let positions = positions(&game, 3000, 4);
            for position in &positions {
                let look = net.features.look(position);
                let logit = sight.logit(&look);
                assert_eq!(logit.to_bits(), whole.sight().logit(&look).to_bits(), "carried sums and fresh ones");
                let error = (value(logit) - value(net.logit(&look, &mut tape))).abs();
                furthest = furthest.max(error);
                sum += f64::from(error);
            }
            let mean = sum / positions.len() as f64;
            assert!(furthest < 0.01 && mean < 0.002, "{}: at most {furthest}, mean {mean}", game.spec().name);
        }
    }
}

/// The same board in the other colours, with the other side to move, is worth the same.
#[test]
fn colours_do_not_matter() {
    let game = DarkChess::parse("taiwan").unwrap();
    let net = net(&game, 64);
    let whole = Integer::new(&net);
    let value = |text: &str| whole.sight().logit(&net.features.look(&game.parse_view(text).unwrap()));
    assert_eq!(value("K7/7R/8/p2p3p 0 r - 7 40"), value("k7/7r/8/P2P3P 0 b - 7 40"));
    assert_ne!(value("K7/7R/8/p2p3p 0 r - 7 40"), value("K7/7R/8/p2p3p 0 b - 7 40"));
}

/// Weights so large that the usual scale would overflow get a smaller one.
#[test]
fn large_weights_do_not_overflow() {
    let game = DarkChess::parse("taiwan").unwrap();
    let mut net = net(&game, 32);
    let first = net.places().first_bias;
    net.flat[..first].iter_mut().for_each(|weight| *weight *= 30.0);
    let (whole, mut tape) = (Integer::new(&net), Tape::default());
    let sigmoid_of = |logit: f32| {
        let logit = Tensor::<1>::from_data(TensorData::new(vec![logit], [1]), &device());
        2.0 * sigmoid(logit).into_scalar::<f32>() - 1.0
    };
    for position in positions(&game, 500, 6) {
        let look = net.features.look(&position);
        let (found, expected) = (whole.sight().logit(&look), net.logit(&look, &mut tape));
        assert!((value(found) - value(expected)).abs() < 0.2, "{found} {expected}");
        assert!((value(found) - sigmoid_of(found)).abs() < 1e-5);
    }
}

#[test]
fn sizes_and_tensors_are_checked() {
    let game = DarkChess::parse("mini").unwrap();
    let config = |width, depth| NetConfig { arch: Arch::Value, width, depth, ..NetConfig::default() };
    let fault = |width, depth| ValueNet::new(&config(width, depth), game.rules(), 1).unwrap_err().to_string();
    assert!(fault(100, 2).contains("a multiple of 32 up to 1024, and depth 2"), "{}", fault(100, 2));
    assert!(fault(64, 3).starts_with("net.width = 64, net.depth = 3"));
    let believer = NetConfig { beliefs: true, ..config(32, 2) };
    assert!(
        ValueNet::new(&believer, game.rules(), 1).unwrap_err().to_string().starts_with("net.beliefs: expected false")
    );
    let net = ValueNet::new(&config(32, 2), game.rules(), 1).unwrap();
    let mut weights = net.weights();
    let names: Vec<&str> = weights.iter().map(|weight| weight.name.as_str()).collect();
    assert_eq!(names, ["first.weight", "first.bias", "second.weight", "second.bias", "last.weight", "last.bias"]);
    weights.reverse();
    let other = ValueNet::new(&config(32, 2), game.rules(), 2).unwrap();
    assert_ne!(other.flat, net.flat);
    assert_eq!(other.clone().with_weights(weights.clone()).unwrap().flat, net.flat);
    weights.pop();
    assert!(other.with_weights(weights).unwrap_err().to_string().starts_with("tensor first.weight is missing"));
}

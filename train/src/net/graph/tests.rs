//! Our own loops against burn's forward and backward pass, on real positions.

use std::ops::Range;

use anqi_env::any::AnyRules;
use anqi_env::darkchess::DarkChess;
use anqi_env::game::Game;
use anqi_env::junqi::Junqi;
use anqi_env::rng::Rng;
use anqi_env::with_family;
use burn::Tensor;
use burn::module::{Module as _, ModuleVisitor, Param};
use burn::tensor::activation::{log_softmax, softmax};
use burn::tensor::{Gradients, TensorData};

use super::{GraphKernel, Lesson};
use crate::encode::{Encoded, plan_of};
use crate::net::{Arch, Infer, Net, NetConfig, NetError, Shape, device};

/// Positions from random games, a few from each stage.
fn positions<G: Game>(game: &G, n: usize) -> Encoded {
    let mut encoded = Encoded::new(game.spec(), n);
    let mut rng = Rng::new(3);
    let mut state = game.deal(&mut rng);
    for row in 0..n {
        for _ in 0..17 {
            if !game.status(&state).is_ongoing() {
                state = game.deal(&mut rng);
            }
            let action = game.sample(game.view(&state, game.to_move(&state)), &mut rng);
            game.play(&mut state, action);
        }
        if !game.status(&state).is_ongoing() {
            state = game.deal(&mut rng);
        }
        encoded.write(game, game.view(&state, game.to_move(&state)), row);
    }
    encoded
}

/// A network whose answers are far from uniform, so that a mistake shows.
fn net<G: Game>(game: &G, width: usize, depth: usize) -> Net {
    let beliefs = game.belief_features().is_some();
    let config = NetConfig { arch: Arch::Graph, width, depth, beliefs };
    let net = Net::new(&config, plan_of(game), 5, &device()).unwrap();
    let mut rng = Rng::new(9);
    let flat: Vec<f32> = net.flat().iter().map(|w| 1.3 * w + 0.04 * (rng.unit() - 0.5)).collect();
    net.with_flat(&flat)
}

/// The positions' game, with a network for it and some positions.
fn of_game(name: &str, width: usize, depth: usize, n: usize) -> (Net, Encoded) {
    let rules = AnyRules::parse(name).unwrap();
    with_family!(&rules, game => (net(game, width, depth), positions(game, n)))
}

#[test]
fn own_loops_agree_with_burn() {
    for (name, width, depth) in [
        ("luzhanqi", 32, 1),
        ("siguo", 64, 2),
        ("duel:arms=closed", 32, 2),
        ("luzhanqi:setup=play", 32, 2),
        ("darkchess:gametower-dark-chain", 64, 3),
        ("tombchess", 32, 2),
    ] {
        let n = 12;
        let (net, Encoded { planes, scalars, mask }) = of_game(name, width, depth, n);
        let shape = net.shape();
        let own = Infer::new(&net, shape).run(&planes, &scalars, &mask, n);
        let burn = Infer::through_burn(&net, shape).run(&planes, &scalars, &mask, n);
        let mut spread = 0f32;
        for (own, burn) in own.logp.iter().zip(&burn.logp) {
            assert!(own == burn || (own - burn).abs() < 1e-3, "{name}: {own} {burn}");
            if own.is_finite() {
                spread = spread.max(own.abs());
            }
        }
        assert!(spread > 2.0, "{name}: {spread}");
        for (own, burn) in own.wdl.iter().zip(&burn.wdl) {
            assert!((own - burn).abs() < 1e-4, "{name}: {own} {burn}");
        }
        let own_beliefs = Infer::new(&net, shape).believe(&planes, &scalars, n);
        let beliefs = believed(&net, &planes, &scalars, n);
        let hides_kinds = !matches!(name.split(':').next(), Some("darkchess" | "tombchess"));
        assert_eq!((own_beliefs.is_some(), beliefs.is_some()), (hides_kinds, hides_kinds), "{name}");
        for (own, burn) in own_beliefs.iter().flatten().zip(beliefs.iter().flatten()) {
            assert!((own - burn).abs() < 1e-4, "{name}: {own} {burn}");
        }
        let alone = Infer::new(&net, shape).run(
            &planes[shape.planes()..][..shape.planes()],
            &scalars[shape.scalars..][..shape.scalars],
            &mask[shape.actions..][..shape.actions],
            1,
        );
        assert_eq!(alone.logp, own.logp[shape.actions..][..shape.actions], "{name}: alone and among others");
    }
}

/// What burn's forward pass makes of the pieces of others, with what the planes tell of them.
fn believed(net: &Net, planes: &[u8], scalars: &[f32], n: usize) -> Option<Vec<f32>> {
    let (Net::Graph(graph), shape, device) = (net, net.shape(), device()) else { panic!("a graph network") };
    let tensor = |values: Vec<f32>, width| Tensor::<2>::from_data(TensorData::new(values, [n, width]), &device);
    let planes = tensor(planes.iter().map(|&x| shape.scale() * f32::from(x)).collect(), shape.planes());
    let logits = graph.believe(planes.clone(), tensor(scalars.to_vec(), shape.scalars))?;
    let told = told(planes, shape, graph.kinds.clone());
    // Where there is no piece nothing is believed.
    let there = told.clone().sum_dim(2).greater_elem(0.0).float();
    let shares = softmax(logits + told.clamp_min(1e-30).log(), 2) * there;
    Some(shares.into_data().try_into_vec().unwrap())
}

/// `[n, S, kinds]`: what the planes tell of the pieces of others.
fn told(planes: Tensor<2>, shape: Shape, kinds: Range<usize>) -> Tensor<3> {
    let n = planes.dims()[0];
    planes.reshape([n, shape.places(), shape.features()]).narrow(2, kinds.start, kinds.len())
}

/// Slopes that depend on the row only, as if the loss were a weighted sum of the answers.
struct Weighted<'a> {
    encoded: &'a Encoded,
    shape: Shape,
    slopes: Vec<f32>,
    wdl: Vec<f32>,
    /// The features of the kinds of hidden pieces.
    kinds: Range<usize>,
}

/// What the cross entropy of beliefs counts, summed over places.
const DOUBT: f32 = 0.1;

impl Lesson for Weighted<'_> {
    fn look(&self, row: usize) -> (&[u8], &[f32], &[i8]) {
        let (p, k, a) = (self.shape.planes(), self.shape.scalars, self.shape.actions);
        let Encoded { planes, scalars, mask } = self.encoded;
        (&planes[row * p..][..p], &scalars[row * k..][..k], &mask[row * a..][..a])
    }

    fn judge(&mut self, row: usize, logits: &mut [f32], wdl: &mut [f32; 3]) -> bool {
        logits.copy_from_slice(&self.slopes[row * logits.len()..][..logits.len()]);
        wdl.copy_from_slice(&self.wdl[3 * row..][..3]);
        // One row teaches the value only.
        row != 1
    }

    /// The last kind that a piece may be, where it may be more than one.
    fn hidden(&self, row: usize, place: usize) -> Option<usize> {
        let features = self.shape.features();
        let told = &self.encoded.planes[row * self.shape.planes() + place * features..][..features];
        let kinds = &told.get(self.kinds.clone())?;
        let last = kinds.iter().rposition(|&share| share > 0)?;
        (kinds.iter().position(|&share| share > 0) != Some(last)).then_some(last)
    }

    fn believe(&mut self, right: usize, told: f32, logs: &mut [f32]) {
        assert!((0.0..1.0).contains(&told) && (logs.iter().map(|log| log.exp()).sum::<f32>() - 1.0).abs() < 1e-4);
        for (kind, log) in logs.iter_mut().enumerate() {
            *log = DOUBT * (log.exp() - f32::from(u8::from(kind == right)));
        }
    }
}

struct Collector {
    gradients: Gradients,
    found: Vec<(String, Vec<f32>)>,
    path: Vec<String>,
}

impl ModuleVisitor for Collector {
    fn enter_module(&mut self, name: &str, _container: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let count = param.shape().num_elements();
        let gradient = param.val().grad_remove(&mut self.gradients);
        let values = gradient.map_or(vec![0.0; count], |gradient| gradient.into_data().try_into_vec().unwrap());
        self.found.push((self.path.join("."), values));
    }
}

#[test]
fn own_slopes_agree_with_burn() {
    for (name, width, depth) in [
        ("luzhanqi", 32, 2),
        ("siguo", 32, 1),
        ("luzhanqi:setup=play", 64, 2),
        ("darkchess:gametower-dark-chain", 32, 2),
        ("tombchess", 64, 1),
    ] {
        let n = 6;
        let (net, encoded) = of_game(name, width, depth, n);
        let shape = net.shape();
        let mut rng = Rng::new(4);
        let mut slopes: Vec<f32> = encoded.mask.iter().map(|&legal| f32::from(legal) * (rng.unit() - 0.5)).collect();
        slopes[shape.actions..2 * shape.actions].fill(0.0);
        let mut wdl: Vec<f32> = (0..3 * n).map(|_| rng.unit() - 0.5).collect();
        // One row teaches the policy only.
        wdl[..3].fill(0.0);

        let Net::Graph(graph) = &net else { panic!("a graph network") };
        let kernel = GraphKernel::learning(graph, net.flat());
        let kinds = graph.kinds.clone();
        let mut lesson = Weighted { encoded: &encoded, shape, slopes: slopes.clone(), wdl: wdl.clone(), kinds };
        let own = kernel.slopes(n, &mut lesson);

        let device = device().autodiff();
        let trained = net.clone().train().fork(&device);
        let tensor = |values: Vec<f32>, width| Tensor::<2>::from_data(TensorData::new(values, [n, width]), &device);
        let planes = encoded.planes.iter().map(|&x| shape.scale() * f32::from(x)).collect();
        let (planes, scalars) = (tensor(planes, shape.planes()), tensor(encoded.scalars.clone(), shape.scalars));
        let heads = trained.forward(planes.clone(), scalars.clone());
        let mut pull = (heads.logits * tensor(slopes, shape.actions)).sum() + (heads.wdl * tensor(wdl, 3)).sum();
        let Net::Graph(trained_graph) = &trained else { panic!("a graph network") };
        if let Some(logits) = trained_graph.believe(planes.clone(), scalars) {
            let told = told(planes, shape, lesson.kinds.clone());
            let logs = log_softmax(logits + told.clamp_min(1e-30).log(), 2);
            let mut right = vec![0.0; n * shape.places() * lesson.kinds.len()];
            for (number, place) in right.chunks_exact_mut(lesson.kinds.len()).enumerate() {
                if let Some(kind) = lesson.hidden(number / shape.places(), number % shape.places()) {
                    place[kind] = -DOUBT;
                }
            }
            let right = TensorData::new(right, [n, shape.places(), lesson.kinds.len()]);
            pull = pull + (logs * Tensor::from_data(right, &device)).sum();
        }
        let mut burn = Collector { gradients: pull.backward(), found: Vec::new(), path: Vec::new() };
        trained.visit(&mut burn);

        let mut rest = own.as_slice();
        for (tensor, burn) in &burn.found {
            let (own, after) = rest.split_at(burn.len());
            rest = after;
            let size = burn.iter().fold(0f32, |size, x| size.max(x.abs()));
            for (own, burn) in own.iter().zip(burn) {
                assert!((own - burn).abs() <= 1e-4 + 1e-3 * size, "{name} {tensor}: {own} {burn}, largest {size}");
            }
            assert!(size > 0.0, "{name} {tensor}: every weight matters");
        }
        assert!(rest.is_empty());
    }
}

/// On 2x3 squares a1 has two neighbours and one square further on; flips, steps and lines are moves, `stop` is none.
///
/// ```text
///    1  2  3
/// a  0  1  2
/// b  3  4  5
/// ```
#[test]
fn a_grid_has_lines() {
    let game = DarkChess::parse("mini,board=2x3,pieces=K1C1P1").unwrap();
    let wiring = game.wiring().unwrap();
    let of =
        |lines: &[(u16, u16)], from| lines.iter().filter(|line| line.0 == from).map(|line| line.1).collect::<Vec<_>>();
    assert_eq!((of(&wiring.near, 0), of(&wiring.along, 0)), (vec![1, 3], vec![2]));
    assert_eq!((of(&wiring.near, 4), of(&wiring.along, 4)), (vec![1, 3, 5], vec![]));
    assert_eq!(wiring.moves.len(), game.spec().num_actions - 1);
    for (action, &(from, to)) in wiring.moves.iter().enumerate() {
        let name = game.action_name(action as u16);
        let square = |at: u16| format!("{}{}", ["a", "b"][usize::from(at / 3)], at % 3 + 1);
        let expected = if from == to { square(from) } else { format!("{}-{}", square(from), square(to)) };
        assert_eq!(name, expected);
    }
}

#[test]
fn a_board_without_lines_is_refused() {
    let config = NetConfig { arch: Arch::Graph, width: 32, depth: 1, ..NetConfig::default() };
    let shape = crate::net::tests::SHAPE;
    assert_eq!(Net::new(&config, shape, 1, &device()).unwrap_err(), NetError::NoWiring);
    let game = Junqi::parse("luzhanqi").unwrap();
    let wide = NetConfig { width: 40, ..config.clone() };
    let fault = Net::new(&wide, plan_of(&game), 1, &device()).unwrap_err();
    assert_eq!(fault.to_string(), "net.width = 40: arch = \"graph\" needs a multiple of 32");
    let residual = NetConfig { arch: Arch::Residual, ..config };
    assert_eq!(Net::new(&residual, plan_of(&game), 1, &device()).unwrap_err(), NetError::NoGrid);
}

//! One search: a tree of positions, actions and outcomes.
//!
//! Which action to look at: at the root by sequential halving, below by its mean result and a bonus that its promise
//! and its few visits give it. Both are deterministic.
//!
//! # Source
//! The root: Danihelka et al., "Policy improvement by planning with Gumbel", ICLR 2022; without noise in play, with it in
//! training. Below:
//! Silver et al., "Mastering the game of Go without human knowledge", Nature 2017; that paper's way of the root's source
//! never comes back to an action whose first leaf was misjudged, as rules of thumb do. Chance nodes and the choice among
//! their outcomes are ours.

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Action, Actions, Game, Seat};
use anqi_env::rng::Rng;

use super::guide::Leaf;

/// How strongly values pull at first, and how many visits double it: the paper's.
const PULL: f32 = 50.0;

/// How a root is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    /// Simulations.
    pub(super) sims: u32,
    /// How strongly results pull at the policy, as a share of the paper's.
    pub(super) scale: f32,
    /// Whether promises get Gumbel noise, so that each action is chosen as often as its promise says.
    pub(super) noise: bool,
}
/// How much promise counts against results below the root.
const BONUS: f32 = 1.5;
/// Most actions that the root looks at.
const CONSIDERED: usize = 32;

type Outcome = <DarkChess as Game>::Outcome;

/// A position.
struct Node {
    position: Position,
    seat: Seat,
    /// For the seat to move: the guide's, or the rules' where the game is over.
    value: f32,
    /// None where the game is over.
    edges: Vec<Edge>,
    visits: u32,
}

/// An action in a position.
struct Edge {
    action: Action,
    logit: f32,
    visits: u32,
    /// Sum of results for the position's seat.
    total: f32,
    /// Where it may lead; empty until it is first looked at.
    outcomes: Vec<Branch>,
}

/// One of the positions that an action may lead to.
struct Branch {
    outcome: Option<Outcome>,
    share: f32,
    visits: u32,
    node: Option<usize>,
}

impl Edge {
    fn mean(&self) -> f32 {
        self.total / self.visits as f32
    }
}

/// A walk that ended at a leaf: node and edge of every step.
#[derive(Default)]
pub(super) struct Walk {
    steps: Vec<(usize, usize, usize)>,
}

/// A search from one position.
pub(super) struct Tree<'a> {
    game: &'a DarkChess,
    nodes: Vec<Node>,
    halving: Halving,
    rng: Rng,
    scale: f32,
    /// Of each of the root's actions; all 0 in play.
    noise: Vec<f32>,
}

/// Which of the root's actions are still looked at.
struct Halving {
    considered: Vec<usize>,
    /// Simulations in all, and visits that each action gets before half of them are dropped.
    sims: u32,
    quota: u32,
    phases: u32,
}

impl<'a> Tree<'a> {
    /// A tree of a judged root.
    pub(super) fn new(game: &'a DarkChess, root: Leaf, Way { sims, scale, noise }: Way) -> Tree<'a> {
        let mut rng = root.rng.clone();
        // Minus the logarithm of an exponential draw; what is drawn is never 0.
        let mut gumbel = || if noise { -(-(rng.unit().max(1e-9)).ln()).ln() } else { 0.0 };
        let noise: Vec<f32> = root.legal.iter().map(|_| gumbel()).collect();
        let mut tree = Tree {
            game,
            nodes: vec![node(game, root)],
            halving: Halving { considered: Vec::new(), sims, quota: 0, phases: 1 },
            rng,
            scale,
            noise,
        };
        let promise = |edge: usize| tree.nodes[0].edges[edge].logit + tree.noise[edge];
        let mut order: Vec<usize> = (0..tree.nodes[0].edges.len()).collect();
        order.sort_by(|&a, &b| promise(b).total_cmp(&promise(a)).then(a.cmp(&b)));
        order.truncate(CONSIDERED.min(sims as usize).max(1));
        tree.halving.phases = (order.len() as f32).log2().ceil().max(1.0) as u32;
        tree.halving.considered = order;
        tree.grant();
        tree
    }

    /// Grants each action that is left its visits of the next phase.
    fn grant(&mut self) {
        let halving = &mut self.halving;
        // A finished game has no action to consider.
        let share = halving.sims / (halving.phases * halving.considered.len().max(1) as u32);
        halving.quota += share.max(1);
    }

    /// The root's action to look at now.
    fn root_edge(&mut self) -> usize {
        loop {
            let edges = &self.nodes[0].edges;
            let behind = self.halving.considered.iter().copied().find(|&edge| edges[edge].visits < self.halving.quota);
            if let Some(edge) = behind {
                return edge;
            }
            let scores = self.noisy_scores();
            let considered = &mut self.halving.considered;
            considered.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
            considered.truncate(considered.len().div_ceil(2).max(2));
            self.grant();
        }
    }

    /// Walks down to a position that is not in the tree and returns it for judging, or counts the result where the walk
    /// ends with the game.
    pub(super) fn descend(&mut self, walk: &mut Walk) -> Option<Leaf> {
        walk.steps.clear();
        let mut at = 0;
        loop {
            if self.nodes[at].edges.is_empty() {
                let (seat, value) = (self.nodes[at].seat, self.nodes[at].value);
                self.nodes[at].visits += 1;
                self.count(walk, seat, value);
                return None;
            }
            let edge = if at == 0 { self.root_edge() } else { next_edge(&self.nodes[at]) };
            let branch = self.branch(at, edge);
            walk.steps.push((at, edge, branch));
            let Branch { outcome, node, .. } = self.nodes[at].edges[edge].outcomes[branch];
            match node {
                Some(next) => at = next,
                None => {
                    let mut position = self.nodes[at].position;
                    self.game.play_with(&mut position, self.nodes[at].edges[edge].action, outcome);
                    let mut legal = Actions::new();
                    let status = self.game.view_status(&position);
                    if status.is_ongoing() {
                        self.game.legal(&position, &mut legal);
                        let rng = Rng::new(self.rng.bits());
                        return Some(Leaf { position, legal, rng, logits: Vec::new(), value: 0.0 });
                    }
                    let seat = self.game.view_to_move(&position);
                    let value = status.value(seat);
                    self.attach(walk, Node { position, seat, value, edges: Vec::new(), visits: 0 });
                    self.count(walk, seat, value);
                    return None;
                }
            }
        }
    }

    /// Takes in the leaf that a walk led to, judged.
    pub(super) fn take(&mut self, walk: &Walk, leaf: Leaf) {
        let node = node(self.game, leaf);
        let (seat, value) = (node.seat, node.value);
        self.attach(walk, node);
        self.count(walk, seat, value);
    }

    fn attach(&mut self, walk: &Walk, mut node: Node) {
        node.visits = 1;
        let number = self.nodes.len();
        self.nodes.push(node);
        if let Some(&(at, edge, branch)) = walk.steps.last() {
            self.nodes[at].edges[edge].outcomes[branch].node = Some(number);
        }
    }

    /// Adds a result to every step of a walk.
    fn count(&mut self, walk: &Walk, seat: Seat, value: f32) {
        for &(at, edge, branch) in &walk.steps {
            let node = &mut self.nodes[at];
            node.visits += 1;
            let edge = &mut node.edges[edge];
            edge.visits += 1;
            edge.total += if node.seat == seat { value } else { -value };
            edge.outcomes[branch].visits += 1;
        }
    }

    /// The outcome that is furthest behind its share of the visits: less noise than a draw, and the same in the end.
    fn branch(&mut self, at: usize, edge: usize) -> usize {
        let node = &mut self.nodes[at];
        let edge = &mut node.edges[edge];
        if edge.outcomes.is_empty() {
            let outcomes = self.game.chance_outcomes(&node.position, edge.action);
            let branch = |outcome, share| Branch { outcome, share, visits: 0, node: None };
            edge.outcomes = match outcomes.is_empty() {
                true => vec![branch(None, 1.0)],
                false => outcomes.into_iter().map(|(outcome, share)| branch(Some(outcome), share as f32)).collect(),
            };
        }
        let lag = |branch: &Branch| branch.share * (edge.visits + 1) as f32 - branch.visits as f32;
        let lags: Vec<f32> = edge.outcomes.iter().map(lag).collect();
        first_largest(&lags)
    }

    /// The action to play: the best of those that were looked at most.
    pub(super) fn best(&self) -> Option<Action> {
        let edges = &self.nodes[0].edges;
        let most = edges.iter().map(|edge| edge.visits).max()?;
        let scores = self.noisy_scores();
        let of_the_most = |(edge, score): (&Edge, f32)| if edge.visits == most { score } else { f32::NEG_INFINITY };
        let scores: Vec<f32> = edges.iter().zip(scores).map(of_the_most).collect();
        edges.get(first_largest(&scores)).map(|edge| edge.action)
    }

    /// Logits of the improved policy with the noise.
    fn noisy_scores(&self) -> Vec<f32> {
        scores(&self.nodes[0], self.scale).iter().zip(&self.noise).map(|(score, noise)| score + noise).collect()
    }

    /// The improved policy: each legal action with its share.
    pub(super) fn policy(&self) -> Vec<(Action, f32)> {
        let shares = softmax(&scores(&self.nodes[0], self.scale));
        self.nodes[0].edges.iter().map(|edge| edge.action).zip(shares).collect()
    }

    /// The expected result of each legal action, for those never looked at that of the position.
    pub(super) fn values(&self) -> Vec<(Action, f32)> {
        let root = &self.nodes[0];
        root.edges.iter().map(|edge| edge.action).zip(completed(root)).collect()
    }

    /// The expected result under the improved policy.
    pub(super) fn value(&self) -> f32 {
        let root = &self.nodes[0];
        softmax(&scores(root, self.scale)).iter().zip(completed(root)).map(|(share, value)| share * value).sum()
    }
}

fn node(game: &DarkChess, leaf: Leaf) -> Node {
    let edge = |(&action, &logit): (&Action, &f32)| Edge { action, logit, visits: 0, total: 0.0, outcomes: Vec::new() };
    Node {
        seat: game.view_to_move(&leaf.position),
        value: leaf.value,
        edges: leaf.legal.iter().zip(&leaf.logits).map(edge).collect(),
        position: leaf.position,
        visits: 0,
    }
}

/// The mean result of each action; for those never visited a mixture of the guide's value and the others' results.
fn completed(node: &Node) -> Vec<f32> {
    let shares = softmax(&node.edges.iter().map(|edge| edge.logit).collect::<Vec<_>>());
    let (mut seen, mut sum, mut visits) = (0.0, 0.0, 0);
    for (edge, share) in node.edges.iter().zip(shares).filter(|(edge, _)| edge.visits > 0) {
        // However little promising, what was visited counts.
        let share = share.max(1e-6);
        (seen, sum, visits) = (seen + share, sum + share * edge.mean(), visits + edge.visits);
    }
    let visited = if seen > 0.0 { sum / seen } else { 0.0 };
    let mixed = (node.value + visits as f32 * visited) / (1 + visits) as f32;
    node.edges.iter().map(|edge| if edge.visits > 0 { edge.mean() } else { mixed }).collect()
}

/// Logits of the improved policy.
fn scores(node: &Node, scale: f32) -> Vec<f32> {
    let most = node.edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
    // Results from 0 to 1.
    let pull = scale * (PULL + most as f32) / 2.0;
    node.edges.iter().zip(completed(node)).map(|(edge, value)| edge.logit + pull * value).collect()
}

/// The action to look at below the root.
fn next_edge(node: &Node) -> usize {
    let shares = softmax(&node.edges.iter().map(|edge| edge.logit).collect::<Vec<_>>());
    let bonus = BONUS * (node.visits as f32).sqrt();
    let score = |((edge, value), share): ((&Edge, f32), f32)| value + bonus * share / (1 + edge.visits) as f32;
    let scores: Vec<f32> = node.edges.iter().zip(completed(node)).zip(shares).map(score).collect();
    first_largest(&scores)
}

/// Shares of logits.
pub(super) fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let total: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

fn first_largest(values: &[f32]) -> usize {
    let mut best = 0;
    for (number, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = number;
        }
    }
    best
}

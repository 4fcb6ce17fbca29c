//! A critic's weights beside those of the network that it helps to train, in one file.
//!
//! A critic is a network like any other that sees all pieces and chooses nothing: see
//! [`critic_plan`](crate::encode::critic_plan).

use super::Weight;

/// What the names of a critic's tensors begin with.
const PREFIX: &str = "critic.";

/// A network's tensors and its critic's behind them.
pub fn beside(mut net: Vec<Weight>, critic: Vec<Weight>) -> Vec<Weight> {
    net.extend(critic.into_iter().map(|weight| Weight { name: format!("{PREFIX}{}", weight.name), ..weight }));
    net
}

/// The tensors of a network and those of its critic, none where it has none.
pub fn apart(weights: Vec<Weight>) -> (Vec<Weight>, Vec<Weight>) {
    let (critic, net): (Vec<_>, Vec<_>) = weights.into_iter().partition(|weight| weight.name.starts_with(PREFIX));
    let named = |weight: Weight| Weight { name: weight.name[PREFIX.len()..].into(), ..weight };
    (net, critic.into_iter().map(named).collect())
}

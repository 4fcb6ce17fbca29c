//! Tree search with explicit chance nodes.
//!
//! [`tree`] grows one position's tree, [`guide`] judges its leaves by rules of thumb or by a network, [`agent`] plays
//! from many positions at once, so that a network judges their leaves together.

mod agent;
mod guide;
mod options;
#[cfg(test)]
mod tests;
mod tree;

pub use agent::Mcts;
pub use guide::{Guide, Leaf, NetGuide, Thumb};
pub use options::Options;

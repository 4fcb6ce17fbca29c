//! Expectimax: looking ahead a number of plies over moves and chance.

mod agent;
mod chance;
mod node;
mod options;
mod order;
mod root;
mod score;
mod table;
#[cfg(test)]
mod tests;

pub use agent::Expectimax;
pub use node::Judge;
pub use options::{Limits, MAX_DEPTH, Options};
pub use root::{Found, Searcher};
pub use score::MOST_GUESSED;

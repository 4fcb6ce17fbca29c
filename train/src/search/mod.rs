//! Search: what a position is worth when one looks ahead.
//!
//! [`evaluator`] judges positions without looking ahead, [`hand`] by rules of thumb, [`exchange`] after the next captures,
//! a value network by what it has learned. [`expectimax`] looks ahead a number of plies, [`mcts`] where it looks promising.
//! [`solve`] knows small boards exactly, [`tables`] the last few pieces. [`worlds`] looks ahead in junqi, in games that fit
//! what a seat knows. [`interrupt`] ends a search early.

pub mod evaluator;
mod exact;
pub mod exchange;
pub mod expectimax;
mod geometry;
pub mod hand;
pub mod interrupt;
pub mod mcts;
mod network;
mod number;
pub mod solve;
pub mod tables;
pub mod worlds;

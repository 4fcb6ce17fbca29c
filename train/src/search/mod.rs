//! Search: what a position is worth when one looks ahead.
//!
//! [`evaluator`] judges positions without looking ahead, [`hand`] by rules of thumb. [`expectimax`] looks ahead a
//! number of plies.

pub mod evaluator;
pub mod expectimax;
mod geometry;
pub mod hand;

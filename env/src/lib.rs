//! Board games with hidden pieces: rules, observations and thousands of games at once.
//!
//! The rooms, in the order in which they build on each other:
//!
//! - [`game`]: the contract every family fulfils, [`Game`](game::Game), with explicit chance.
//! - [`darkchess`]: the dark chess family (暗棋). [`junqi`]: the junqi family (軍棋), for two and four seats.
//! - [`vector`]: [`VecGame`](vector::VecGame), one pass over thousands of games without allocating.
//! - [`any`]: one game of any family behind one interface, for the command line and Python.
//! - [`record`]: game records in and out. [`draw`]: positions as text and pictures.
//!
//! ```
//! use anqi_env::{darkchess::DarkChess, game::Game, rng::Rng};
//!
//! let game = DarkChess::parse("taiwan,quiet_limit=50")?;
//! let mut rng = Rng::new(7);
//! let mut state = game.deal(&mut rng);
//! while game.status(&state).is_ongoing() {
//!     let seat = game.to_move(&state);
//!     let action = game.sample(game.view(&state, seat), &mut rng);
//!     game.play(&mut state, action);
//! }
//! # Ok::<(), anqi_env::Error>(())
//! ```

pub mod any;
pub mod darkchess;
pub mod draw;
mod error;
#[cfg(test)]
mod fuzz;
pub mod game;
pub mod junqi;
pub mod matches;
pub mod record;
pub mod rng;
mod running;
mod threads;
pub mod vector;

pub use error::Error;

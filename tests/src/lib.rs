//! Whole-system tests of anqi, and the plain things they lean on.
//!
//! - [`mod@reference`]: the rules of dark chess, Tomb Chess and Junqi a second time, slow and literal, written from the
//!   rule text alone. The engine is compared with it after every ply of seeded random games; whatever the two disagree about is a
//!   mistake in one of them or a hole in the rule text.
//! - [`pair`]: a game of Junqi played by engine and reference side by side.
//! - [`record`]: a small reader of the `anqi` game record, enough to replay the real games in `tests/data/games`.

pub mod pair;
pub mod record;
pub mod reference;

/// The Rust example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

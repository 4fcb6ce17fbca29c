//! Positions for people.

pub mod text;

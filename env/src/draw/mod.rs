//! Positions for people: text for terminals, SVG for everything else.
//!
//! A family turns a view into a [`Diagram`], of squares or of stations, which [`text`] and [`svg`] draw. A view has no
//! field for what is hidden, so no drawing can show it. [`Standings`] draws how a tournament ended.

#[cfg(test)]
mod check;
mod diagram;
mod grid;
mod standings;
mod stations;
pub mod svg;
pub mod text;
mod theme;
mod words;

pub use diagram::Diagram;
pub use grid::Grid;
pub(crate) use grid::dark_chess;
pub use standings::{Figure, Standings};
pub use stations::Stations;
pub(crate) use stations::junqi;
pub use theme::Theme;

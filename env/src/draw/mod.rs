//! Positions for people: text for terminals, SVG for everything else.
//!
//! A family turns a view into a [`Diagram`]; [`text`] and [`svg`] draw any diagram. A view has no field for what is
//! hidden, so no drawing can show it.

mod darkchess;
mod diagram;
mod junqi;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod text;
mod theme;
mod words;

pub(crate) use darkchess::diagram as dark_chess;
pub use diagram::Diagram;
pub(crate) use junqi::diagram as junqi;
pub use theme::Theme;

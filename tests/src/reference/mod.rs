//! Dark chess and Tomb Chess, slow and literal: the twin that the engine is compared with.
//!
//! It shares no code and no tables with the engine and is written from the rule book (the chapters "Dark chess" and
//! "Tomb Chess") alone. It keeps a vector of vectors of cells, walks it with plain loops, copies the whole board after
//! every ply and looks at all of those copies again to find a repetition. Actions, outcomes and positions are text on
//! purpose: two programs that share no types can still agree on text.
//!
//! Where the rule text leaves something open, the most literal reading is taken and stands in a paragraph that begins
//! with "Reading:" beside the code that follows it.
//!
//! ```text
//! piece     colours, kinds, letters, points        game      a game: legal actions and chance
//! rules     every option and the named profiles    play      what a ply does
//! board     cells and squares                      ending    the checks after a ply, in their order
//! reach     what a piece can capture or attack     position  the text of a position, both ways
//! chase     how often a piece was chased in a row
//! ```
//!
//! [`junqi`] is the same for the other family, in a folder of its own.
//!
//! # Paragraph numbers
//! Comments name the rule they follow by its paragraph: 1.1 core, 1.2 draws, 1.3 variants, 1.4 profiles, 1.6 facts to
//! test against, 2 Tomb Chess.

mod board;
mod chase;
mod ending;
mod game;
pub mod junqi;
mod piece;
mod play;
mod position;
mod reach;
mod rules;
#[cfg(test)]
mod tests;

pub use ending::{Reason, Status};
pub use game::Game;
pub use piece::{Colour, Kind};
pub use rules::{Cannon, Chain, DarkFail, Family, Ranking, Repetition, Rules};

//! Junqi 軍棋, slow and literal: the twin that the engine is compared with.
//!
//! Like the reference of dark chess beside it, this one shares no code and no tables with the engine and is written
//! from the rule book (the chapter "Junqi") alone. It keeps a plain list of pieces, walks the graph of the board with
//! plain searches and works everything out again after every ply. Stations are numbers, those of the list in
//! `tests/data/junqi/board.txt`: `seat * 30 + (row - 1) * 5 + (column - 1)`, the centre from 120.
//!
//! Where the rule text leaves something open, the most literal reading is taken and stands in a paragraph that begins
//! with "Reading:" beside the code that follows it.
//!
//! ```text
//! kind    the twelve kinds of pieces            event    what everybody sees of a ply
//! rules   every option, and their text          game     a game: pieces, turn, legal actions
//! board   stations, roads and rail lines        play     what a ply does
//! draw    a position as text, both ways         ending   who goes out, and how a game ends
//! layout  setting up                            deduce   what a viewer can know, by trying everything
//! reach   where a piece can go                  signal   what allies tell each other
//! combat  who stays                             candidates  the same for games of any size, from `facts`
//! ```
//!
//! # Paragraph numbers
//! Comments name the rule they follow by its paragraph: 3.1 boards, 3.2 pieces, 3.3 setting up, 3.4 moving, 3.5 combat,
//! 3.6 public information, 3.7 elimination and the end, 3.8 options, 3.10 signals.

mod board;
mod candidates;
mod combat;
mod deduce;
mod draw;
mod ending;
mod event;
mod facts;
mod game;
mod kind;
mod layout;
mod play;
mod reach;
mod rules;
mod signal;
#[cfg(test)]
mod tests;

pub use board::{Board, Place, Station};
pub use candidates::candidates;
pub use deduce::{Deduced, deduce};
pub use ending::{Draw, Out, Status};
pub use event::{Event, Outcome};
pub use game::{Game, Piece};
pub use kind::Kind;
pub use layout::Layout;
pub use rules::{Reveal, Rules, Variant, View};
pub use signal::SIGNALS;

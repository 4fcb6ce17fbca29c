//! Boards of squares with discs: dark chess and Tomb Chess.

mod darkchess;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod words;

use crate::darkchess::rules::Family;
use crate::darkchess::{Colour, Piece};
use crate::game::{Seat, Status};

pub(crate) use darkchess::diagram as dark_chess;

/// A position on squares, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The game with its profile and options.
    pub(crate) game: String,
    /// The position's text form.
    pub(crate) position: String,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    /// What stands on each square, row by row.
    pub(crate) spots: Vec<Spot>,
    /// Whether the last ply came from or went to a square.
    pub(crate) last: Vec<bool>,
    pub(crate) status: Status,
    pub(crate) to_move: Seat,
    /// The colour of each seat; none before the first flip.
    pub(crate) colours: Vec<Option<Colour>>,
    /// Whose names the colours have.
    pub(crate) family: Family,
    /// Plies played.
    pub(crate) plies: u32,
    /// Plies in a row that were neither a flip nor a capture.
    pub(crate) quiet: u16,
    /// How many of those end the game.
    pub(crate) quiet_limit: Option<u16>,
    /// Every kind of piece in the game, by colour, then rank.
    pub(crate) stock: Vec<Stock>,
}

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    Empty,
    /// A piece face down: nothing but its back.
    Back,
    Face(Tile),
}

/// A piece's face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) letter: char,
    pub(crate) character: char,
    pub(crate) colour: Colour,
}

impl Tile {
    /// A piece's face, as its family draws it.
    pub(crate) fn of(family: Family, piece: Piece) -> Tile {
        Tile { letter: family.letter(piece), character: family.character(piece), colour: piece.colour() }
    }
}

/// How many of a kind of piece are out of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stock {
    pub(crate) tile: Tile,
    /// Still face down, somewhere.
    pub(crate) unseen: u8,
    pub(crate) captured: u8,
}

impl Grid {
    pub(crate) fn colour(&self, seat: Seat) -> Option<Colour> {
        self.colours.get(usize::from(seat)).copied().flatten()
    }

    /// A colour's names, Chinese and English: 紅 and red.
    pub(crate) fn colour_words(&self, colour: Colour) -> (char, &'static str) {
        let (english, chinese) = self.family.colour_name(colour).split_once(' ').unwrap_or_default();
        (chinese.chars().next().unwrap_or_default(), english)
    }

    /// A row's letter: a, b, ..
    pub(crate) fn row_letter(row: usize) -> char {
        (b'a' + row as u8) as char
    }

    /// A row's heavenly stem, as Chinese records name it: 甲, 乙, ..
    pub(crate) fn row_stem(row: usize) -> char {
        ['甲', '乙', '丙', '丁', '戊', '己', '庚', '辛', '壬', '癸'][row]
    }
}

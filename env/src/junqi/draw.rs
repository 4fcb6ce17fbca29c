//! What seats, and the ways in which they go out, are called.

use super::Junqi;
use super::view::Out;
use crate::game::Seat;

impl Junqi {
    /// The letter of a seat: S, E, N, W; in a game of two S and N.
    pub fn seat_letter(&self, seat: Seat) -> char {
        let step = if self.seats() == 2 { 2 } else { 1 };
        b"SENW"[usize::from(seat * step) % 4] as char
    }

    /// The seat of a letter.
    pub fn seat_of_letter(&self, letter: char) -> Option<Seat> {
        (0..self.seats()).find(|&seat| self.seat_letter(seat) == letter.to_ascii_uppercase())
    }
}

impl Out {
    /// All reasons.
    pub const ALL: [Out; 4] = [Out::Flag, Out::NoMoves, Out::Resigned, Out::TimeOuts];

    /// The name used in texts.
    pub fn name(self) -> &'static str {
        ["flag", "no-moves", "resigned", "time-outs"][self as usize]
    }
}

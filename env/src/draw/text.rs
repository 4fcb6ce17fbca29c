//! Drawings for a terminal: plain characters, no colour codes.

use crate::darkchess::{Cell, Colour, DarkChess, Piece, Position};
use crate::game::{Game as _, Status};

/// The board with coordinates, the last ply in brackets, and below it whose turn it is and what is unseen.
pub(crate) fn dark_chess(game: &DarkChess, position: &Position) -> String {
    let [_, rows, cols] = game.spec().planes;
    let mut text = String::from("   ");
    for col in 1..=cols {
        text += &format!(" {col} ");
    }
    text.push('\n');
    for row in 0..rows {
        text += &format!(" {} ", (b'a' + row as u8) as char);
        for col in 0..cols {
            let square = (row * cols + col) as u8;
            let letter = match position.cell(square) {
                Cell::Empty => '.',
                Cell::FaceDown => '#',
                Cell::Up(piece) => piece.letter(),
            };
            let (open, close) = if position.is_last(square) { ('[', ']') } else { (' ', ' ') };
            text.extend([open, letter, close]);
        }
        text.push('\n');
    }
    text += &match position.status() {
        Status::Ongoing => {
            let seat = position.to_move();
            let colour = match position.colour_of(seat) {
                Some(Colour::Red) => "red 紅, capitals",
                Some(Colour::Black) => "black 黑, small letters",
                None => "no colour yet",
            };
            format!("seat {seat} to move ({colour}), ply {}, quiet {}\n", position.plies() + 1, position.quiet())
        }
        Status::Win(seat, reason) => format!("seat {seat} won ({})\n", reason.name()),
        Status::Draw(reason) => format!("drawn ({})\n", reason.name()),
    };
    let unseen = Piece::all().filter(|&piece| position.unseen(piece) > 0);
    let unseen: String = unseen.map(|piece| format!(" {}{}", piece.letter(), position.unseen(piece))).collect();
    if !unseen.is_empty() {
        text += &format!("face down (#):{unseen}\n");
    }
    text
}

//! A position as text, both ways, for tests that show their board.
//!
//! One row of the grid a line, three characters a cell: a blank and a piece (`s0` is the commander of S, see
//! [`Kind::letter`]), or an empty post ` .`, camp `()` or headquarters `[]`, or nothing where there is no station. A
//! drawing may show a part of the grid only; on the rest there is nothing then.

use super::board::{Board, Place};
use super::game::Game;
use super::kind::Kind;
use super::rules::{Rules, Variant};

/// The columns and the rows of the grid that a board uses.
fn grid(rules: &Rules) -> (Vec<i32>, Vec<i32>) {
    match rules.variant {
        // The two halves of the 60-station board stand against each other without the middle.
        Variant::Luzhanqi => ((6..=10).collect(), (0..=5).chain(11..=16).collect()),
        _ => ((0..=16).collect(), (0..=16).collect()),
    }
}

/// How an empty point of the grid is drawn.
fn empty(board: &Board, station: Option<usize>) -> &'static str {
    match station.map(|station| board.place(station)) {
        None => "  ",
        Some(Place::Post) => " .",
        Some(Place::Camp) => "()",
        Some(Place::Headquarters) => "[]",
    }
}

impl Game {
    /// The whole board with everything on it.
    pub fn text(&self) -> String {
        let (columns, rows) = grid(&self.rules);
        let mut text = String::new();
        for y in rows {
            let mut line = String::new();
            for x in &columns {
                let station = self.board.at(*x, y);
                let cell = match station.and_then(|station| self.piece_at(station)) {
                    Some(piece) => format!("{}{}", self.rules.seat_letter(piece.seat), piece.kind.letter()),
                    None => empty(&self.board, station).to_string(),
                };
                line += &format!(" {cell}");
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }

    /// A game from a drawing whose upper left cell is the point `corner` of the grid.
    ///
    /// # Errors
    /// A sentence about a cell that the board does not have or that is drawn as something else.
    pub fn drawn(rules: Rules, corner: (i32, i32), lines: &[&str], first: usize) -> Result<Game, String> {
        let board = Board::of(&rules);
        let (columns, rows) = grid(&rules);
        let left = columns.iter().position(|x| *x == corner.0).ok_or("the corner is not on the grid")?;
        let top = rows.iter().position(|y| *y == corner.1).ok_or("the corner is not on the grid")?;
        let mut pieces = Vec::new();
        for (line, y) in lines.iter().zip(&rows[top..]) {
            let letters: Vec<char> = line.chars().collect();
            for (cell, x) in letters.chunks(3).zip(&columns[left..]) {
                let mut cell: String = cell[1..].iter().collect();
                while cell.len() < 2 {
                    cell.push(' ');
                }
                let station = board.at(*x, *y);
                if cell == empty(&board, station) {
                    continue;
                }
                let seat = cell.chars().next().and_then(|letter| rules.seat_of_letter(letter));
                let kind = cell.chars().nth(1).and_then(Kind::from_letter);
                match (station, seat, kind) {
                    (Some(station), Some(seat), Some(kind)) => pieces.push((seat, station, kind)),
                    _ => return Err(format!("'{cell}' cannot be at {x}, {y}, which is '{}'", empty(&board, station))),
                }
            }
        }
        Game::on(board, rules, &pieces, first)
    }
}

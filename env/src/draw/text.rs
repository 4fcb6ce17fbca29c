//! Drawings for a terminal.

use super::diagram::{Diagram, Spot, Tile};
use crate::darkchess::Colour;
use crate::game::Status;

/// How a position is written in a terminal. The default is plain characters and letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Escape codes for colours. Whether the terminal wants them is the caller's to know.
    pub colour: bool,
    /// The characters on the discs (帥 將) and the rows' stems (甲 乙) in place of letters. Each takes two columns.
    pub chinese: bool,
}

// Indices of the 256-colour palette, every one with its own background, so that the board looks the same on light and
// on dark terminals.
const WOOD: u8 = 180;
const LAST_PLY: u8 = 222;
const LACQUER: u8 = 23;
const GOLD: u8 = 179;
const RED: u8 = 124;
const BLACK: u8 = 16;
const FAINT: u8 = 137;

impl Diagram {
    /// The board with coordinates, the last ply in brackets, and below it whose turn it is and what is unseen.
    pub fn text(&self, style: Style) -> String {
        let mut text = String::from("   ");
        for col in 1..=self.cols {
            // Four columns wide where the characters are, three else.
            text += &if style.chinese { format!(" {col}  ") } else { format!(" {col} ") };
        }
        text.push('\n');
        for row in 0..self.rows {
            let letter = Diagram::row_letter(row);
            text += &match style.chinese {
                true => format!("{}{letter}", Diagram::row_stem(row)),
                false => format!(" {letter} "),
            };
            for square in row * self.cols..(row + 1) * self.cols {
                self.write_spot(square, style, &mut text);
            }
            text.push('\n');
        }
        text += &self.turn_line(style);
        let unseen: String = self
            .stock
            .iter()
            .filter(|stock| stock.unseen > 0)
            .map(|stock| format!(" {}{}", face(stock.tile, style), stock.unseen))
            .collect();
        if !unseen.is_empty() {
            text += &format!("face down ({}):{unseen}\n", back(style));
        }
        text
    }

    fn write_spot(&self, square: usize, style: Style, text: &mut String) {
        let spot = self.spots[square];
        let (open, close) = if self.last[square] { ('[', ']') } else { (' ', ' ') };
        let inside = match spot {
            Spot::Empty => if style.chinese { '．' } else { '.' }.to_string(),
            Spot::Back => back(style).to_string(),
            Spot::Face(tile) => match style.chinese {
                true => tile.character.to_string(),
                false => tile.letter.to_string(),
            },
        };
        if !style.colour {
            text.extend([open.to_string(), inside, close.to_string()]);
            return;
        }
        let (ink, ground) = match spot {
            // The brackets around an empty square matter, its dot does not.
            Spot::Empty => (if self.last[square] { BLACK } else { FAINT }, WOOD),
            Spot::Back => (GOLD, LACQUER),
            Spot::Face(tile) => (ink(tile.colour), WOOD),
        };
        let ground = if self.last[square] { LAST_PLY } else { ground };
        *text += &painted(&format!("{open}{inside}{close}"), ink, ground);
    }

    fn turn_line(&self, style: Style) -> String {
        let seat = self.to_move;
        match self.status {
            Status::Ongoing => {
                let (name, capitals) = match self.colour(seat) {
                    Some(colour @ Colour::Red) => (self.family.colour_name(colour), "capitals"),
                    Some(colour @ Colour::Black) => (self.family.colour_name(colour), "small letters"),
                    None => ("no colour yet", ""),
                };
                let colour = match self.colour(seat) {
                    Some(colour) if style.colour => painted(&format!(" {name} "), ink(colour), WOOD),
                    Some(_) if style.chinese => name.into(),
                    Some(_) => format!("{name}, {capitals}"),
                    None => name.into(),
                };
                format!("seat {seat} to move ({colour}), ply {}, quiet {}\n", self.plies + 1, self.quiet)
            }
            Status::Win(seat, reason) => format!("seat {seat} won ({})\n", reason.name()),
            Status::Draw(reason) => format!("drawn ({})\n", reason.name()),
        }
    }
}

fn back(style: Style) -> char {
    if style.chinese { '＃' } else { '#' }
}

fn face(tile: Tile, style: Style) -> String {
    let face = if style.chinese { tile.character } else { tile.letter }.to_string();
    if style.colour { painted(&face, ink(tile.colour), WOOD) } else { face }
}

fn ink(colour: Colour) -> u8 {
    match colour {
        Colour::Red => RED,
        Colour::Black => BLACK,
    }
}

fn painted(text: &str, ink: u8, ground: u8) -> String {
    format!("\x1b[1;38;5;{ink};48;5;{ground}m{text}\x1b[0m")
}

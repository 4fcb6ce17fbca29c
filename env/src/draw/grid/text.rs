//! Squares in a terminal.

use super::{Grid, Spot, Tile};
use crate::darkchess::Colour;
use crate::darkchess::rules::Family;
use crate::draw::text::{BLACK, LAST_PLY, Style, WOOD, painted};
use crate::game::Status;

const LACQUER: u8 = 23;
const GOLD: u8 = 179;
const RED: u8 = 124;
const GREEN: u8 = 22;
const FAINT: u8 = 137;

impl Grid {
    /// The board with coordinates, the last ply in brackets, and below it whose turn it is and what is unseen.
    pub(in crate::draw) fn text(&self, style: Style) -> String {
        let mut text = String::from("   ");
        for col in 1..=self.cols {
            // Four columns wide where the characters are, three else.
            text += &if style.chinese { format!(" {col}  ") } else { format!(" {col} ") };
        }
        text.push('\n');
        for row in 0..self.rows {
            let letter = Grid::row_letter(row);
            text += &match style.chinese {
                true => format!("{}{letter}", Grid::row_stem(row)),
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
            .map(|stock| format!(" {}{}", self.face(stock.tile, style), stock.unseen))
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
            Spot::Face(tile) => (ink(self.family, tile.colour), WOOD),
        };
        let ground = if self.last[square] { LAST_PLY } else { ground };
        *text += &painted(&format!("{open}{inside}{close}"), ink, ground);
    }

    fn face(&self, tile: Tile, style: Style) -> String {
        let face = if style.chinese { tile.character } else { tile.letter }.to_string();
        if style.colour { painted(&face, ink(self.family, tile.colour), WOOD) } else { face }
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
                    Some(colour) if style.colour => painted(&format!(" {name} "), ink(self.family, colour), WOOD),
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

/// The ink of a colour of the 256-colour palette.
fn ink(family: Family, colour: Colour) -> u8 {
    match (colour, family) {
        (Colour::Red, _) => RED,
        (Colour::Black, Family::DarkChess) => BLACK,
        (Colour::Black, Family::TombChess) => GREEN,
    }
}

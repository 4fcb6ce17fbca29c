//! The text of a position, written and read.
//!
//! `<rows a.. separated by '/'> <seat to move> <colour of seat 0> <bag> <quiet plies> <ply>`: `X` face down, digits for
//! runs of empty squares, the bag as letters with counts, red first. The optional fields that may follow (`last=`,
//! `chain=`, `chase=`, `moves=`) are left out here.

use super::board::{Board, Cell};
use super::game::Game;
use super::piece::{Colour, Face, Piece};
use super::rules::{Family, Rules};

impl Game {
    /// The position as text. The start of dark chess:
    ///
    /// ```
    /// use anqi_tests::reference::{Game, Rules};
    ///
    /// let game = Game::new(Rules::profile("taiwan").unwrap());
    /// assert_eq!(
    ///     game.position(),
    ///     "XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX 0 - K1G2M2R2N2C2P5k1g2m2r2n2c2p5 0 1",
    /// );
    /// ```
    ///
    /// Reading: the seat to move is the one after any forced pass. A game that has ended still hands the turn on, so a
    /// finished position names the seat that would have moved; a capture that leaves its piece more to capture or to
    /// attack leaves the turn with its seat.
    pub fn position(&self) -> String {
        let mut rows = Vec::new();
        for row in &self.board.cells {
            rows.push(row_text(row));
        }
        let colour = match (self.colour, self.rules.family) {
            (None, _) => '-',
            (Some(Colour::Red), _) => 'r',
            (Some(Colour::Black), Family::DarkChess) => 'b',
            (Some(Colour::Black), Family::TombChess) => 'g',
        };
        format!("{} {} {colour} {} {} {}", rows.join("/"), self.to_move, self.bag_text(), self.quiet, self.ply)
    }

    fn bag_text(&self) -> String {
        let mut text = String::new();
        for colour in Colour::BOTH {
            for kind in self.rules.family.kinds() {
                let kind = *kind;
                let face = Face { colour, kind };
                let count = self.in_bag(face);
                if count > 0 {
                    text.push(face.letter());
                    text.push_str(&count.to_string());
                }
            }
        }
        if text.is_empty() {
            text.push('-');
        }
        text
    }

    /// Takes a game up at a position. What happened before it is unknown: no chase is under way and a repetition can
    /// only begin here. Pieces that are missing count as captured.
    ///
    /// # Errors
    /// A sentence that names the part that cannot be read or does not fit the rules.
    pub fn from_position(rules: Rules, text: &str) -> Result<Game, String> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [rows, seat, colour, bag, quiet, ply] = fields[..] else {
            return Err(format!("{} fields instead of 6", fields.len()));
        };
        let mut game = Game::new(rules);
        game.board = board_from(rows, &mut game.next_id)?;
        let shape = game.board.cells.iter().map(Vec::len);
        if !shape.eq(vec![game.rules.cols; game.rules.rows]) {
            return Err(format!("{rows} does not fit the board"));
        }
        game.to_move = match seat {
            "0" => 0,
            "1" => 1,
            _ => return Err(format!("{seat} is no seat")),
        };
        game.colour = match (colour, game.rules.family) {
            ("-", Family::DarkChess) => None,
            ("r", _) => Some(Colour::Red),
            ("b", Family::DarkChess) | ("g", Family::TombChess) => Some(Colour::Black),
            _ => return Err(format!("{colour} is no colour here")),
        };
        game.bag = bag_from(bag)?;
        if game.bag.len() != game.board.face_down_squares().len() {
            return Err(format!("{bag} does not fill the face-down squares"));
        }
        game.quiet = number(quiet)?;
        game.ply = number(ply)?;
        game.check_pieces()?;
        game.take_up();
        Ok(game)
    }

    /// Only pieces of the family, no more of a kind than the rules give, and none face up while the colours are
    /// unbound.
    fn check_pieces(&self) -> Result<(), String> {
        let mut known = 0;
        for colour in Colour::BOTH {
            for kind in self.rules.family.kinds() {
                let kind = *kind;
                let face = Face { colour, kind };
                let there = self.board.count(face) + self.in_bag(face);
                if there > self.rules.count(colour, kind) {
                    return Err(format!("too many {}", face.letter()));
                }
                known += there;
            }
            if self.colour.is_none() && !self.board.pieces_of(colour).is_empty() {
                return Err("face-up pieces, but no colour bound".to_string());
            }
        }
        let mut pieces = self.bag.len();
        for colour in Colour::BOTH {
            pieces += self.board.pieces_of(colour).len();
        }
        if pieces != known {
            return Err("a piece of the other family".to_string());
        }
        Ok(())
    }

    fn take_up(&mut self) {
        let over = self.loss_by_capture().or_else(|| self.pass_or_lose());
        self.origin = (self.board.clone(), self.to_move);
        if let Some(status) = over.or_else(|| self.draw()) {
            self.end(status);
        }
    }
}

fn row_text(row: &[Cell]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for cell in row {
        let letter = match cell {
            Cell::Empty => {
                empty += 1;
                continue;
            }
            Cell::FaceDown => 'X',
            Cell::Up(piece) => piece.face.letter(),
        };
        if empty > 0 {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        text.push(letter);
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

fn board_from(text: &str, next_id: &mut usize) -> Result<Board, String> {
    let mut cells = Vec::new();
    for row in text.split('/') {
        let mut line = Vec::new();
        for letter in row.chars() {
            if let Some(run) = letter.to_digit(10) {
                for _ in 0..run {
                    line.push(Cell::Empty);
                }
            } else if letter == 'X' {
                line.push(Cell::FaceDown);
            } else {
                let face = Face::from_letter(letter).ok_or_else(|| format!("{letter} is no piece"))?;
                line.push(Cell::Up(Piece { face, id: *next_id }));
                *next_id += 1;
            }
        }
        cells.push(line);
    }
    Ok(Board { cells })
}

fn bag_from(text: &str) -> Result<Vec<Face>, String> {
    let mut bag = Vec::new();
    if text == "-" {
        return Ok(bag);
    }
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let face = Face::from_letter(letter).ok_or_else(|| format!("{letter} is no piece"))?;
        rest = &rest[1..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let count = number(&rest[..end])?;
        if count > 36 {
            return Err(format!("{count} pieces are more than any board holds"));
        }
        for _ in 0..count {
            bag.push(face);
        }
        rest = &rest[end..];
    }
    Ok(bag)
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{text} is no number"))
}

//! Setting up: 25 pieces on the own 23 posts and two headquarters (3.3).

use super::board::{Board, Place};
use super::kind::Kind;
use super::rules::Rules;

/// The pieces of one seat on its own 30 stations, row by row from the front, in a row from the owner's left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout(pub [Option<Kind>; 30]);

impl Layout {
    /// Reads 30 letters (see [`Kind::letter`]), `.` for an empty station; blanks and line ends between them are skipped.
    ///
    /// # Errors
    /// A sentence that names the letter or the number of letters.
    pub fn parse(text: &str) -> Result<Layout, String> {
        let letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        if letters.len() != 30 {
            return Err(format!("a layout has 30 letters, this one {}", letters.len()));
        }
        let mut kinds = [None; 30];
        for (kind, letter) in kinds.iter_mut().zip(letters) {
            if letter != '.' {
                *kind = Some(Kind::from_letter(letter).ok_or(format!("{letter} is no letter of a layout"))?);
            }
        }
        Ok(Layout(kinds))
    }

    /// Whether a seat may set its pieces up like this.
    ///
    /// # Errors
    /// A sentence that names what is wrong.
    pub fn check(&self, rules: &Rules, board: &Board) -> Result<(), String> {
        for (station, kind) in self.0.iter().enumerate() {
            let name = &board.stations[station].name[1..];
            match kind {
                Some(kind) if !may_stand(rules, board, *kind, station) => {
                    return Err(format!("{kind:?} may not stand on {name}"));
                }
                None if board.place(station) != Place::Camp => return Err(format!("{name} is empty")),
                _ => {}
            }
        }
        for kind in Kind::ALL {
            let count = self.0.iter().filter(|known| **known == Some(kind)).count();
            if count != kind.count() {
                return Err(format!("{count} of {kind:?} instead of {}", kind.count()));
            }
        }
        Ok(())
    }
}

/// Whether a piece of this kind may be set up on a station, one of the own 30 (3.3).
pub(crate) fn may_stand(rules: &Rules, board: &Board, kind: Kind, station: usize) -> bool {
    let row = station % 30 / 5 + 1;
    match (board.place(station), kind) {
        (Place::Camp, _) => false,
        (place, Kind::Flag) => place == Place::Headquarters,
        (_, Kind::Mine) => row >= 5,
        (_, Kind::Bomb) => row >= 2 || rules.bomb_front_row,
        _ => true,
    }
}

//! The two families that the engine plays: their names, letters, points, profiles and options.

use super::options::{OPTIONS, OptionSpec};
use super::piece::{Colour, Kind, Piece};
use super::profiles::{PROFILES, Profile, TAIWAN, TOMB};
use super::rules::Rules;

/// Which of the two families' names, pieces and colours a game has. Both are played by the same engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Dark chess 暗棋: the first flip binds the colours; cannons, lines and chains exist.
    DarkChess,
    /// Tomb Chess 幽靈戰棋: fixed colours, forced passes, deadlock decided by points.
    TombChess,
}

impl Family {
    /// Both.
    pub const ALL: [Family; 2] = [Family::DarkChess, Family::TombChess];

    /// The name users write.
    pub fn name(self) -> &'static str {
        match self {
            Family::DarkChess => "darkchess",
            Family::TombChess => "tombchess",
        }
    }

    /// The profiles of the family, the default first.
    pub fn profiles(self) -> impl Iterator<Item = &'static Profile> {
        PROFILES.iter().filter(move |profile| profile.rules.family == self)
    }

    /// The options of the family.
    pub fn options(self) -> impl Iterator<Item = &'static OptionSpec> {
        OPTIONS.iter().filter(move |option| option.families.contains(&self))
    }

    /// A kind's capital letter.
    pub fn kind_letter(self, kind: Kind) -> char {
        match self {
            Family::DarkChess => kind.letter(),
            // 魔王 蛇后 殭屍 無頭 骷髏 - 幽靈
            Family::TombChess => b"KQBNR-P"[kind as usize] as char,
        }
    }

    /// A piece's letter: capital red, small black (green in Tomb Chess).
    pub fn letter(self, piece: Piece) -> char {
        match piece.colour() {
            Colour::Red => self.kind_letter(piece.kind()),
            Colour::Black => self.kind_letter(piece.kind()).to_ascii_lowercase(),
        }
    }

    /// The piece of a letter.
    pub fn piece(self, letter: char) -> Option<Piece> {
        Piece::all().find(|&piece| self.letter(piece) == letter && letter != '-')
    }

    /// A piece's Chinese character, as drawn on it.
    pub fn character(self, piece: Piece) -> char {
        match self {
            Family::DarkChess => piece.character(),
            Family::TombChess => ['魔', '蛇', '殭', '無', '骷', '－', '幽'][piece.kind() as usize],
        }
    }

    /// The names of the two colours, as people write them.
    pub fn colour_name(self, colour: Colour) -> &'static str {
        match (self, colour) {
            (_, Colour::Red) => "red 紅",
            (Family::DarkChess, Colour::Black) => "black 黑",
            (Family::TombChess, Colour::Black) => "green 綠",
        }
    }

    /// The letter of a colour in positions.
    pub fn colour_letter(self, colour: Colour) -> char {
        self.colour_name(colour).as_bytes()[0] as char
    }

    /// The points of a lost piece: Tomb Chess decides deadlocks by them, dark chess may end at a limit.
    pub fn points(self, kind: Kind) -> u16 {
        match self {
            Family::DarkChess => [30, 10, 5, 5, 5, 5, 2][kind as usize],
            Family::TombChess => [6, 5, 4, 3, 2, 0, 1][kind as usize],
        }
    }

    /// What a player gives a piece: in dark chess the source's values, in Tomb Chess its points.
    pub fn value(self, kind: Kind) -> u16 {
        match self {
            Family::DarkChess => kind.value().into(),
            Family::TombChess => self.points(kind),
        }
    }

    /// The rules of the default profile.
    pub fn default_rules(self) -> Rules {
        match self {
            Family::DarkChess => TAIWAN,
            Family::TombChess => TOMB,
        }
    }
}

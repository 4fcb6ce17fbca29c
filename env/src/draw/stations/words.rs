//! What is said about a position on stations.

use super::{Side, Stands, Stations};
use crate::draw::words::progress;
use crate::game::{Seat, Status};
use crate::junqi::Kind;

impl Stations {
    /// Whose turn it is or who won, in both languages.
    pub(super) fn headline(&self) -> String {
        let named = |seat: Seat| self.side(seat).map(Side::colour).unwrap_or_default();
        match self.status {
            Status::Ongoing => {
                let (chinese, english) = named(self.to_move);
                let does = if self.places_at.is_some() { "sets up" } else { "to move" };
                format!("{chinese}方 {} {does}", capital(english))
            }
            Status::Win(seat, _) => {
                let winners = (0..self.sides.len() as Seat).filter(|other| (other ^ seat) & 1 == 0);
                let (chinese, english): (String, Vec<String>) =
                    winners.map(named).map(|(chinese, english)| (chinese, capital(english))).unzip();
                format!("{chinese}方 {} won", english.join(" and "))
            }
            Status::Draw(_) => "和棋 Draw".into(),
        }
    }

    /// What stands beside the headline.
    pub(super) fn details(&self) -> String {
        let progress = progress(self.status, self.plies, self.quiet, self.quiet_limit).join(" · ");
        match self.places_at {
            Some(station) => format!("next {} · {progress}", self.stops[station].name),
            None => progress,
        }
    }

    /// The two characters of the seal under a finished game.
    pub(super) fn seal_words(&self) -> Option<[char; 2]> {
        match self.status {
            Status::Ongoing => None,
            Status::Win(..) if self.sides.len() > 2 => Some(['得', '勝']),
            Status::Win(seat, _) => Some([self.side(seat).map_or('得', |side| side.colour().0), '勝']),
            Status::Draw(_) => Some(['和', '棋']),
        }
    }

    /// What a station is and what stands there, for who points at it.
    pub(super) fn tip(&self, station: usize) -> String {
        let stop = &self.stops[station];
        let Some(tile) = stop.tile else { return stop.name.clone() };
        let (chinese, english) = self.side(tile.seat).map(Side::colour).unwrap_or_default();
        let mut tip = match tile.kind {
            Some(kind) => format!("{} {chinese}{} {english} {}", stop.name, kind.name(), english_name(kind)),
            None => format!("{} {chinese} {english} hidden", stop.name),
        };
        if tile.moved {
            tip += ", has moved";
        }
        if tile.survived {
            tip += ", won a combat";
        }
        tip
    }

    /// How a seat stands to the viewer and what it is doing, in both languages.
    pub(super) fn doing(&self, seat: Seat) -> String {
        let Some(side) = self.side(seat) else { return String::new() };
        let stands = match side.stands {
            Stands::Viewer => "己方 you",
            Stands::Ally => "友軍 ally",
            Stands::Enemy => "敵軍 enemy",
        };
        match side.out {
            Some(_) => stands.into(),
            None if !self.status.is_ongoing() || seat != self.to_move => stands.into(),
            None if self.places_at.is_some() => format!("{stands} · 佈陣 sets up"),
            None => format!("{stands} · 走棋 to move"),
        }
    }

    /// How many pieces a seat has left, or why it is out: what it is, and how many or why.
    pub(super) fn left(&self, side: &Side) -> (&'static str, String) {
        match side.out {
            Some(out) => ("出局 out", out.name().replace('-', " ")),
            None => ("餘 left", side.left.to_string()),
        }
    }
}

/// A kind's name in English, with the number that players call it by.
fn english_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Flag => "flag",
        Kind::Mine => "mine",
        Kind::Bomb => "bomb",
        Kind::Commander => "commander 40",
        Kind::General => "general 39",
        Kind::Division => "division 38",
        Kind::Brigade => "brigade 37",
        Kind::Regiment => "regiment 36",
        Kind::Battalion => "battalion 35",
        Kind::Company => "company 34",
        Kind::Platoon => "platoon 33",
        Kind::Engineer => "engineer 32",
    }
}

pub(super) fn capital(word: &str) -> String {
    let (first, rest) = word.split_at_checked(1).unwrap_or_default();
    first.to_ascii_uppercase() + rest
}

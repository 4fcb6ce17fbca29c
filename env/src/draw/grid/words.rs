//! What a picture says about a position.

use super::Grid;
use crate::draw::words::progress;
use crate::game::{Seat, Status};

/// Whose turn it is or who won, in both languages.
pub(super) fn headline(diagram: &Grid) -> String {
    let side = |seat: Seat| match diagram.colour(seat) {
        Some(colour) => {
            let (chinese, english) = diagram.colour_words(colour);
            (format!("{chinese}方"), english[..1].to_ascii_uppercase() + &english[1..])
        }
        None => ("先手".into(), format!("Seat {seat}")),
    };
    match diagram.status {
        Status::Ongoing => {
            let (chinese, english) = side(diagram.to_move);
            format!("{chinese} {english} to move")
        }
        Status::Win(seat, _) => {
            let (chinese, english) = side(seat);
            format!("{chinese} {english} won")
        }
        Status::Draw(_) => "和棋 Draw".into(),
    }
}

/// What stands beside the headline; `seat` is the one it speaks of.
pub(super) fn details(diagram: &Grid, seat: Option<Seat>) -> String {
    let mut parts: Vec<String> =
        seat.filter(|&seat| diagram.colour(seat).is_some()).map(|seat| format!("seat {seat}")).into_iter().collect();
    parts.extend(progress(diagram.status, diagram.plies, diagram.quiet, diagram.quiet_limit));
    parts.join(" · ")
}

/// The two characters of the seal under a finished game.
pub(super) fn seal_words(diagram: &Grid) -> Option<[char; 2]> {
    match diagram.status {
        Status::Ongoing => None,
        Status::Win(seat, _) => Some(match diagram.colour(seat) {
            Some(colour) => [diagram.colour_words(colour).0, '勝'],
            None => ['得', '勝'],
        }),
        Status::Draw(_) => Some(['和', '棋']),
    }
}

//! What a picture says about a position.

use super::diagram::Diagram;
use crate::game::{Seat, Status};

/// Whose turn it is or who won, in both languages.
pub(super) fn headline(diagram: &Diagram) -> String {
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
pub(super) fn details(diagram: &Diagram, seat: Option<Seat>) -> String {
    let mut parts: Vec<String> =
        seat.filter(|&seat| diagram.colour(seat).is_some()).map(|seat| format!("seat {seat}")).into_iter().collect();
    match diagram.status {
        Status::Ongoing => {
            parts.push(format!("ply {}", diagram.plies + 1));
            parts.push(match diagram.quiet_limit {
                Some(limit) => format!("quiet {} of {limit}", diagram.quiet),
                None => format!("quiet {}", diagram.quiet),
            });
        }
        Status::Win(_, reason) | Status::Draw(reason) => {
            parts.push(reason.name().replace('-', " "));
            parts.push(format!("{} plies", diagram.plies));
        }
    }
    parts.join(" · ")
}

/// The two characters of the seal under a finished game.
pub(super) fn seal_words(diagram: &Diagram) -> Option<[char; 2]> {
    match diagram.status {
        Status::Ongoing => None,
        Status::Win(seat, _) => Some(match diagram.colour(seat) {
            Some(colour) => [diagram.colour_words(colour).0, '勝'],
            None => ['得', '勝'],
        }),
        Status::Draw(_) => Some(['和', '棋']),
    }
}

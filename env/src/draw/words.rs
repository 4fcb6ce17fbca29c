//! Words that every picture has.

use crate::game::Status;

/// How far a game has come or how it ended.
pub(super) fn progress(status: Status, plies: u32, quiet: u16, quiet_limit: Option<u16>) -> [String; 2] {
    match status {
        Status::Ongoing => [
            format!("ply {}", plies + 1),
            match quiet_limit {
                Some(limit) => format!("quiet {quiet} of {limit}"),
                None => format!("quiet {quiet}"),
            },
        ],
        Status::Win(_, reason) | Status::Draw(reason) => [reason.name().replace('-', " "), format!("{plies} plies")],
    }
}

//! Tests of the reference itself, each on a drawn board.

mod core;
mod draws;
mod exact;
mod random;
mod tomb;
mod variants;

use super::{Game, Reason, Rules, Status};

/// The rules of a profile that exists.
fn profile(name: &str) -> Rules {
    Rules::profile(name).expect(name)
}

/// Takes a game up at a drawn board: a letter a face-up piece, `X` face down, `.` empty, one string a row from `a` on.
/// `rest` holds the other fields of a position.
fn at(rules: Rules, rows: &[&str], rest: &str) -> Game {
    // A single empty square is the run `1`; longer runs need not be joined to be read.
    let text = format!("{} {rest}", rows.join("/").replace('.', "1"));
    Game::from_position(rules, &text).expect(&text)
}

/// Plays actions without chance.
fn play(game: &mut Game, actions: &[&str]) {
    for action in actions {
        if let Err(defect) = game.play(action, None) {
            panic!("{defect}; legal: {:?}", game.legal());
        }
    }
}

fn is_legal(game: &Game, action: &str) -> bool {
    game.legal().iter().any(|legal| legal == action)
}

fn won(seat: usize, reason: Reason) -> Status {
    Status::Win { seat, reason }
}

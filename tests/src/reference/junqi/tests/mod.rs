//! Tests of the reference itself. Each shows its board.

mod board;
mod candidates;
mod combat;
mod deduce;
mod ending;
mod moves;
mod options;
mod random;
mod setup;

use super::{Event, Game, Rules};

/// The rules of a text.
fn rules(text: &str) -> Rules {
    Rules::parse(text).expect("rules")
}

/// The game of a drawing whose upper left cell is a point of the grid.
fn drawn(rules: &str, corner: (i32, i32), lines: &[&str], first: usize) -> Game {
    Game::drawn(self::rules(rules), corner, lines, first).expect("a drawing")
}

/// Where the piece on a station can go, whoever is to move: names in the order of their numbers.
fn reach(game: &Game, station: &str) -> String {
    let station = game.board.number(station).expect("a station");
    let piece = game.piece_at(station).expect("a piece");
    let names: Vec<&str> = game.reach(piece).iter().map(|to| game.board.stations[*to].name.as_str()).collect();
    names.join(" ")
}

/// Plays one action.
fn play(game: &mut Game, action: &str) -> Event {
    let (from, to) = game.action(action).expect("an action");
    game.play(from, to).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Plays actions that are nothing to look at.
fn play_all(game: &mut Game, actions: &[&str]) {
    for action in actions {
        play(game, action);
    }
}

/// The number of a station.
fn station(game: &Game, name: &str) -> usize {
    game.board.number(name).expect("a station")
}

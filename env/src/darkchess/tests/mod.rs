//! Tests of the family, each with its board as a position text.

mod agreement;
mod observation;
mod rules;
mod text;

use super::{DarkChess, Position};
use crate::game::{Action, Actions, Game, Status};
use crate::rng::Rng;

/// Rules that differ in size, pieces, limits and repetition.
const RULE_SETS: &[&str] = &[
    "taiwan",
    "icga",
    "mini",
    "taiwan,quiet_limit=50,repetition=none",
    "board=8x4",
    "board=2x2,pieces=K1P1,quiet_limit=8,repetition=none",
    "board=1x8,pieces=K1C2P1",
    "board=3x4,pieces=K1G1R1C1P2,quiet_limit=20,repetition=threefold",
    "board=6x6,pieces=K1G2M3R3N2C3P4,quiet_limit=40",
    "board=6x6,pieces=C18,quiet_limit=250,repetition=threefold",
    "board=2x4,pieces=K1C1P2,quiet_limit=0,repetition=none",
];

fn game(rules: &str) -> DarkChess {
    DarkChess::parse(rules).unwrap()
}

/// A position of a text.
fn at(game: &DarkChess, text: &str) -> Position {
    game.parse_view(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

/// The names of the legal actions.
fn legal(game: &DarkChess, position: &Position) -> Vec<String> {
    let mut legal = Actions::new();
    game.legal(position, &mut legal);
    legal.iter().map(|&action| game.action_name(action)).collect()
}

/// The names of the legal steps and captures from a square of a taiwan position.
fn moves_from(text: &str, square: &str) -> Vec<String> {
    let game = game("taiwan");
    let mut names = legal(&game, &at(&game, text));
    names.retain(|name| name.starts_with(&format!("{square}-")));
    names
}

/// Plays named actions such as `a1-a2` and `b3(n)`.
fn play(game: &DarkChess, position: &mut Position, plies: &str) {
    for ply in plies.split_whitespace() {
        let (action, shown) = match ply.trim_end_matches(')').split_once('(') {
            Some((action, shown)) => (action, Some(game.outcome_id(shown).unwrap())),
            None => (ply, None),
        };
        let action = game.action_id(action).unwrap();
        assert!(game.is_legal(position, action), "{ply} in\n{}", game.draw_text(position));
        game.play_with(position, action, shown);
    }
}

/// Plays a random game and calls `each` after the deal and after every ply, the end included.
fn random_game(game: &DarkChess, seed: u64, mut each: impl FnMut(&Position, &mut Rng)) {
    let mut rng = Rng::new(seed);
    let mut state = game.deal(&mut rng);
    for _ in 0..1_000 {
        each(state.position(), &mut rng);
        if !game.status(&state).is_ongoing() {
            break;
        }
        // Half of the quiet plies are taken back where they can be, or hardly anything would ever repeat.
        let back = taking_back(game, state.position()).filter(|_| rng.below(2) == 0);
        let action = back.unwrap_or_else(|| game.sample(state.position(), &mut rng));
        game.play(&mut state, action);
    }
}

/// The action that takes the mover's own ply before last back.
fn taking_back(game: &DarkChess, position: &Position) -> Option<Action> {
    let mut window = game.window(position);
    let (from, to) = window.nth(window.len().checked_sub(2)?)?;
    Some(game.board.lines[usize::from(to)][usize::from(from)]).filter(|&action| game.is_legal(position, action))
}

fn status(game: &DarkChess, position: &Position) -> Status {
    game.view_status(position)
}

//! Tests of the family, each with its board as a drawing where it fails.

mod agreement;
mod board;
mod knowledge;
mod rules;
mod signals;

use super::{Junqi, State};
use crate::game::Game;
use crate::rng::Rng;

/// Rules that differ in game, view, set-up and options.
const RULE_SETS: &[&str] = &[
    "siguo",
    "siguo:double-open",
    "siguo:open,order=clockwise,mine=both",
    "siguo:reveal=combatants,bomb_front_row=yes",
    "siguo:reveal=both,one_turn=yes,setup=library",
    "siguo:hq_moves=yes,bombs_fly=yes,commander_mine=survives",
    "siguo:setup=play,ply_limit=500",
    "siguo:signals=yes",
    "siguo:double-open,setup=play,signals=yes",
    "duel",
    "duel:arms=closed,setup=mixed",
    "luzhanqi",
    "luzhanqi:open,one_turn=yes,bombs_fly=yes",
    "luzhanqi:setup=play,reveal=combatants",
];

fn game(name: &str) -> Junqi {
    Junqi::parse(name).unwrap()
}

/// Plays a random game and calls `each` after the deal and after every ply, the end included.
fn random_game(game: &Junqi, seed: u64, mut each: impl FnMut(&State, &mut Rng)) {
    let mut rng = Rng::new(seed);
    let mut state = game.deal(&mut rng);
    for _ in 0..3_000 {
        each(&state, &mut rng);
        if !game.status(&state).is_ongoing() {
            break;
        }
        let action = game.sample(game.view(&state, game.to_move(&state)), &mut rng);
        game.play(&mut state, action);
    }
}

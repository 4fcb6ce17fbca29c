//! 長捉禁手: how often a seat has chased one enemy piece in a row (1.2, `chase_limit`).
//!
//! Reading: "a seat may not chase" speaks of the seat, so the chasing piece may change from one chase to the next; only
//! the chased piece must be the same one. A move that threatens two pieces is a chase of both.
//!
//! Reading: "a non-capturing move" is a step of a face-up piece to an empty square. A flip, a capture, an attack on a
//! face-down piece that fails and `stop` are none, and break the row. "Could capture" means the capture rules alone
//! (steps, jumps and rushes) of face-up enemy pieces on the board as it stands right after the move.

use super::board::{Board, Cell, Square};
use super::game::{Game, Played};
use super::reach::captures;
use super::rules::Rules;

/// The identities of the enemy pieces that the piece now on `square` could capture next.
pub(crate) fn chased_by(rules: &Rules, board: &Board, square: Square) -> Vec<usize> {
    let mut chased = Vec::new();
    for (_, victim) in captures(rules, board, square) {
        chased.push(victim.id);
    }
    chased
}

/// How many of the last own turns of `seat`, one after the other up to now, chased the piece `id`.
///
/// The plies of one chain of captures are several entries of one turn, none of which chases anything, so counting
/// plies of the seat counts its turns.
pub(crate) fn times_in_a_row(history: &[Played], seat: usize, id: usize) -> usize {
    let mut times = 0;
    for played in history.iter().rev() {
        if played.seat != seat {
            continue;
        }
        if !played.chased.contains(&id) {
            break;
        }
        times += 1;
    }
    times
}

/// Whether stepping from `from` to the empty square `to` would be chase number `chase_limit`.
pub(crate) fn forbidden(game: &Game, from: Square, to: Square) -> bool {
    if game.rules.chase_limit == 0 {
        return false;
    }
    let mut after = game.board.clone();
    after.put(to, game.board.at(from));
    after.put(from, Cell::Empty);
    for id in chased_by(&game.rules, &after, to) {
        if times_in_a_row(&game.history, game.to_move, id) + 1 >= game.rules.chase_limit {
            return true;
        }
    }
    false
}

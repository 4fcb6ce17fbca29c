//! Exact values, and what an action is worth when the positions behind it are known.

use anqi_env::darkchess::{DarkChess, Piece, Position};
use anqi_env::game::{Action, Actions, Game, Seat};

/// A value in units of 2^-30, so that results are whole and means over chance are rounded by less than 10^-9.
pub(in crate::search) type Score = i32;

/// A game won.
pub(in crate::search) const ONE: Score = 1 << 30;

/// As a number from -1 to 1.
pub(in crate::search) fn as_f64(score: Score) -> f64 {
    f64::from(score) / f64::from(ONE)
}

/// Whether an action is a move to an empty square.
#[inline]
pub(super) fn is_quiet(game: &DarkChess, position: &Position, action: Action) -> bool {
    !game.is_chance(position, action) && !game.takes(position, action) && game.stop(position) != Some(action)
}

/// An action's value for the seat to move. `at` knows the positions, chains left out, for their seat to move.
///
/// # Errors
/// The first that `at` gives.
pub(in crate::search) fn action_value<E>(
    game: &DarkChess,
    position: &Position,
    action: Action,
    at: &impl Fn(&Position) -> Result<Score, E>,
) -> Result<Score, E> {
    let seat = position.to_move();
    let behind = |shown| {
        let mut after = *position;
        game.play_with(&mut after, action, shown);
        value_for(game, &after, seat, at)
    };
    if !game.is_chance(position, action) {
        return behind(None);
    }
    let mut sum = 0i64;
    for piece in Piece::all() {
        let weight = i64::from(position.unseen(piece));
        if weight > 0 {
            sum += weight * i64::from(behind(Some(piece))?);
        }
    }
    let total = i64::from(position.face_down());
    Ok((2 * sum + total).div_euclid(2 * total) as Score)
}

/// A position's value for a seat.
fn value_for<E>(
    game: &DarkChess,
    position: &Position,
    seat: Seat,
    at: &impl Fn(&Position) -> Result<Score, E>,
) -> Result<Score, E> {
    let status = position.status();
    if !status.is_ongoing() {
        return Ok(status.value(seat) as Score * ONE);
    }
    let value = if position.chain().is_some() {
        // The mover goes on or stops; either way it comes to an end below.
        let mut legal = Actions::new();
        game.legal(position, &mut legal);
        let mut best = -ONE;
        for &action in legal.iter() {
            best = best.max(action_value(game, position, action, at)?);
        }
        best
    } else {
        at(position)?
    };
    Ok(if position.to_move() == seat { value } else { -value })
}

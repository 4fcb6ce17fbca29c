//! Values inside the search: whole numbers, so that bounds and sums over chance are exact and cutting off can change no
//! result.

use anqi_env::game::{Seat, Status};

use crate::search::tables::Verdict;

/// A value for the seat to move, from -[`ONE`] to [`ONE`].
pub(super) type Score = i32;

/// A game won.
pub(super) const ONE: Score = 1 << 24;

/// Below every value.
pub(super) const BELOW: Score = -ONE - 1;

/// Above every value.
pub(super) const ABOVE: Score = ONE + 1;

/// The largest value of what is only a guess, so that it is never taken for a result.
pub const MOST_GUESSED: f32 = 0.9;

/// An evaluator's value.
#[inline]
pub(super) fn guessed(value: f32) -> Score {
    (value.clamp(-1.0, 1.0) * MOST_GUESSED * ONE as f32) as Score
}

/// What a table knows: almost the result, nearer to it the fewer pieces and then plies stand between. So a winner always
/// comes nearer to the end, and a loser stays away from it.
pub(super) fn known(verdict: Verdict, pieces: i32) -> Score {
    let won = |plies: u16| ONE - 64 * (2048 * pieces + i32::from(plies.min(2047)));
    match verdict {
        Verdict::Win(plies) => won(plies),
        Verdict::Draw => 0,
        Verdict::Loss(plies) => -won(plies),
    }
}

/// A finished game's value for a seat.
#[inline]
pub(super) fn decided(status: Status, seat: Seat) -> Score {
    (status.value(seat) as Score) * ONE
}

/// As a number from -1 to 1.
#[inline]
pub(super) fn value(score: Score) -> f32 {
    score as f32 / ONE as f32
}

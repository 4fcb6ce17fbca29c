//! Exact values of small boards.
//!
//! Positions are solved in the order of their pieces on the board and face down: a capture or a flip leads to fewer and
//! never back. Within a pair of classes (see [`exact`](super::exact)) only quiet plies remain, and the quiet limit
//! ends them: the values with q quiet plies played follow from those with q + 1, from the limit back to none. Once two
//! sweeps agree, all earlier ones do too. Every sweep reads the last one only, so results do not depend on threads.
//!
//! What is refused, and why:
//! - a repetition rule or a chase limit: then a position's value depends on the plies before it;
//! - no quiet limit, or one that rests while pieces are face down: then quiet plies need not end;
//! - boards too large for the memory allowed, counted before anything is solved.

mod solution;
#[cfg(test)]
mod tests;

use anqi_env::darkchess::rules::{Repetition, Rules};
use anqi_env::darkchess::{Colour, DarkChess, Piece, Position};
use anqi_env::game::Game;

use super::exact::{Class, Space};

pub use solution::Solution;

/// Why a board is not solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// Rules under which a position alone does not decide.
    #[error("{option}: the solver needs {needed}")]
    Rules {
        /// The option that stands in the way.
        option: String,
        /// What would do, and why.
        needed: &'static str,
    },
    /// More memory than allowed.
    #[error(
        "{game}: too large: {positions:.3e} positions in {classes:.3e} classes would take about {gib:.3e} GiB, but {allowed} GiB are \
         allowed; choose a smaller board or fewer pieces (board=2x4,pieces=K1G1C1P1), or a position with fewer pieces"
    )]
    TooLarge {
        /// The rules.
        game: String,
        /// Positions to be solved.
        positions: f64,
        /// Sets of pieces they fall into.
        classes: f64,
        /// Memory for them.
        gib: f64,
        /// Memory allowed.
        allowed: f64,
    },
}

/// How much work a solution is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Positions, seen by the seat to move: the other colours' are the same.
    pub positions: f64,
    /// Sets of pieces that they fall into.
    pub classes: f64,
    /// Memory for their values.
    pub bytes: f64,
}

/// Whether rules can be solved at all.
///
/// # Errors
/// The option that stands in the way.
pub fn check(rules: &Rules) -> Result<(), SolveError> {
    let fault = |option: String, needed| Err(SolveError::Rules { option, needed });
    if rules.repetition != Repetition::None {
        let name = if rules.repetition == Repetition::Cycle3 { "cycle3" } else { "threefold" };
        return fault(
            format!("repetition={name}"),
            "repetition=none: with a repetition rule a position's value depends on the plies before it",
        );
    }
    if rules.chase_limit > 0 {
        return fault(
            format!("chase_limit={}", rules.chase_limit),
            "chase_limit=0: with a chase limit a position's value depends on the plies before it",
        );
    }
    if rules.quiet_limit == 0 {
        return fault("quiet_limit=0".into(), "a quiet limit, such as quiet_limit=40: without one, games need not end");
    }
    if rules.quiet_revealed {
        return fault(
            "quiet_revealed=true".into(),
            "quiet_revealed=false: quiet plies that do not count need not end while a piece is face down",
        );
    }
    Ok(())
}

/// The class from which all that may follow is found: of a position, or of any first flip.
fn top(game: &DarkChess, position: &Position) -> Class {
    Class::of(position).unwrap_or_else(|| {
        let counts = [Colour::Red, Colour::Black]
            .map(|colour| anqi_env::darkchess::Kind::ALL.map(|kind| position.unseen(Piece::new(colour, kind))));
        debug_assert_eq!(position.face_down() as usize, game.rules().squares());
        Class { up: Default::default(), unseen: counts }
    })
}

/// How much work it is to solve a position and all that may follow.
pub fn size(game: &DarkChess, position: &Position) -> Size {
    let (positions, classes) = top(game, position).count_below(game.rules().squares());
    let values = if game.rules().chain == anqi_env::darkchess::rules::Chain::None { 1.0 } else { 2.0 };
    // A class's entry takes about 200 bytes, and the largest pair's moves are held for a while.
    Size { positions, classes, bytes: 4.0 * values * positions + 200.0 * classes }
}

/// Solves a position and all that may follow it.
///
/// # Errors
/// Rules that cannot be solved, or more bytes than allowed.
pub fn solve(game: &DarkChess, position: &Position, most_bytes: f64) -> Result<Solution, SolveError> {
    fits(game, position, most_bytes)?;
    Ok(Solution::new(game.clone(), Space::new(game), &top(game, position)))
}

/// Whether a position can be solved in so much memory, without solving it.
///
/// # Errors
/// As [`solve`].
pub fn fits(game: &DarkChess, position: &Position, most_bytes: f64) -> Result<(), SolveError> {
    check(game.rules())?;
    let size = size(game, position);
    if size.bytes > most_bytes {
        const GIB: f64 = (1u64 << 30) as f64;
        return Err(SolveError::TooLarge {
            game: game.spec().name.clone(),
            positions: size.positions,
            classes: size.classes,
            gib: size.bytes / GIB,
            allowed: most_bytes / GIB,
        });
    }
    Ok(())
}

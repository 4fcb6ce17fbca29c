//! Chance nodes: an action that shows a face-down piece is worth the mean over what it may show.
//!
//! The pieces stand for whole numbers of squares, so a mean is an exact quotient, rounded down. Star1 (Ballard 1983):
//! what is known of the outcomes seen and the bounds of the others bound the mean, and with that the window in which
//! the next outcome's value matters. Star2: one promising answer to each outcome bounds its value before any is
//! searched in full.

use anqi_env::darkchess::{DarkChess, Piece, Position};
use anqi_env::game::{Action, Game};

use super::node::{Search, Stopped};
use super::score::{ABOVE, BELOW, ONE, Score};

/// One thing that an action may show.
struct Branch {
    /// How many of the unseen pieces are this one.
    weight: i64,
    after: Position,
    /// Its value, for the seat that acts, lies between these.
    low: Score,
    high: Score,
}

fn branches(game: &DarkChess, position: &Position, action: Action) -> Vec<Branch> {
    let mut branches: Vec<Branch> = Vec::with_capacity(14);
    for piece in Piece::all() {
        let weight = i64::from(position.unseen(piece));
        if weight > 0 {
            let mut after = *position;
            game.play_with(&mut after, action, Some(piece));
            branches.push(Branch { weight, after, low: -ONE, high: ONE });
        }
    }
    // The most probable first: they say most.
    branches.sort_by_key(|branch| -branch.weight);
    branches
}

impl Search<'_> {
    /// The value of an action that shows a piece, each outcome searched `depth` plies deep. At most `alpha` and at
    /// least `beta` are bounds, as everywhere.
    pub(super) fn chance(
        &mut self,
        position: &Position,
        action: Action,
        depth: i32,
        [alpha, beta]: [Score; 2],
        ply: usize,
    ) -> Result<Score, Stopped> {
        let mut branches = branches(self.game, position, action);
        let seat = position.to_move();
        let total: i64 = branches.iter().map(|branch| branch.weight).sum();
        // The mean is at most alpha just when the sum is below `above`, and at least beta just when it reaches `enough`.
        let (above, enough) = ((i64::from(alpha) + 1) * total, i64::from(beta) * total);
        let mut low: i64 = -total * i64::from(ONE);
        let mut high = -low;
        let mean = |sum: i64| sum.div_euclid(total) as Score;
        if self.cuts && depth > 0 {
            for branch in &mut branches {
                let same = branch.after.to_move() == seat;
                let most = above - 1 - (high - branch.weight * i64::from(branch.high));
                let [reply_low, reply_high] = if same {
                    let least = enough - (low - branch.weight * i64::from(branch.low));
                    [BELOW, ceiling(least, branch.weight)]
                } else {
                    [BELOW, -floor(most, branch.weight)]
                };
                let Some(found) = self.probe(&branch.after, depth, [reply_low, reply_high], ply + 1)? else { continue };
                if same {
                    low += branch.weight * i64::from(found - branch.low);
                    branch.low = found;
                    if low >= enough {
                        return Ok(mean(low));
                    }
                } else {
                    high -= branch.weight * i64::from(branch.high + found);
                    branch.high = -found;
                    if high < above {
                        return Ok(mean(high));
                    }
                }
            }
        }
        for branch in &mut branches {
            let (rest_low, rest_high) =
                (low - branch.weight * i64::from(branch.low), high - branch.weight * i64::from(branch.high));
            let window = if self.cuts {
                [floor(above - 1 - rest_high, branch.weight), ceiling(enough - rest_low, branch.weight)]
            } else {
                [BELOW, ABOVE]
            };
            let value = self.reply(seat, &branch.after, depth, window, ply + 1)?;
            if value <= window[0] {
                high = rest_high + branch.weight * i64::from(value.min(branch.high));
                return Ok(mean(high));
            }
            if value >= window[1] {
                low = rest_low + branch.weight * i64::from(value.max(branch.low));
                return Ok(mean(low));
            }
            low = rest_low + branch.weight * i64::from(value);
            high = rest_high + branch.weight * i64::from(value);
        }
        Ok(mean(low))
    }
}

/// A quotient rounded down and kept near the scores.
fn floor(sum: i64, weight: i64) -> Score {
    sum.div_euclid(weight).clamp(i64::from(BELOW), i64::from(ONE)) as Score
}

/// A quotient rounded up and kept near the scores.
fn ceiling(sum: i64, weight: i64) -> Score {
    -((-sum).div_euclid(weight)).clamp(i64::from(BELOW), i64::from(ONE)) as Score
}

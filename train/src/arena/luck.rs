//! What chance gave, and the score without it.
//!
//! Whatever a ply shows is drawn by chance, with probabilities that the public position tells. The *luck* of a game is
//! the sum, over those plies, of what the position is worth after what was shown less its mean worth over all that
//! might have been shown. Whoever plays, and however bad the judgement is, that sum has mean zero: given the plies so
//! far every order of the face-down pieces is equally likely. So it may be taken off the points with any factor that is
//! not chosen by the set itself, and the mean stays the same; what is left varies less. (A control variate; for poker
//! known as DIVAT, Zinkevich et al. 2006.)

use anqi_env::game::{Action, Game, Status};
use serde::{Deserialize, Serialize};

use super::interval::{Score, score, variance};
use crate::agent::Gauge;

/// Parts that the sets are dealt into; each part's factor comes from the others.
const FOLDS: usize = 10;

/// Sets below which the factor would be no more than a guess.
const LEAST: usize = 2 * FOLDS;

/// The luck of a game to the first agent, which has `seat` and its partners: positive where chance was kind. `start` is
/// what is public before the first ply.
pub(super) fn of_game<G: Game>(
    game: &G,
    gauge: &Gauge<G>,
    start: &G::View,
    plies: &[(Action, Option<G::Outcome>)],
    seat: u8,
) -> f64 {
    let worth = |view: &G::View| match game.view_status(view) {
        Status::Ongoing if (game.view_to_move(view) ^ seat) & 1 == 0 => f64::from(gauge(view)),
        Status::Ongoing => -f64::from(gauge(view)),
        over => f64::from(over.value(seat)),
    };
    let mut view = start.clone();
    let mut luck = 0.0;
    for &(action, shown) in plies {
        if shown.is_some() {
            for (outcome, chance) in game.chance_outcomes(&view, action) {
                let mut after = view.clone();
                game.play_with(&mut after, action, Some(outcome));
                // What was shown counts whole, less its own share of the mean.
                let share = f64::from(u8::from(shown == Some(outcome))) - chance;
                luck += share * worth(&after);
            }
        }
        game.play_with(&mut view, action, shown);
    }
    // So few digits survive the way through a file unchanged.
    (luck * 1e9).round() / 1e9
}

/// A score without the luck.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjusted {
    /// Score and interval.
    #[serde(flatten)]
    pub score: Score,
    /// Points that luck gave the first agent, in the mean over sets: what was taken off.
    pub luck: f64,
    /// Sets that would be as sure without the adjustment.
    pub worth_sets: f64,
}

/// Why there is no adjusted score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unadjusted {
    /// Too few sets for a factor.
    #[error("it takes at least 20 sets")]
    Few,
    /// Sets without the figure.
    #[error("luck was not measured in all sets, some of which an older version has played")]
    Unmeasured,
}

/// The adjusted score of sets from their points and luck.
///
/// Set i keeps `points - factor * luck`, where the factor is the slope of points over luck among the sets of the other
/// nine parts (sets are dealt into ten parts in turn). So no set has a say in its own factor, and the mean is exact.
///
/// # Errors
/// Sets that are too few, or that do not all have their luck.
pub fn adjusted(points: &[f64], luck: &[f64]) -> Result<Adjusted, Unadjusted> {
    if points.len() < LEAST {
        return Err(Unadjusted::Few);
    }
    if points.len() != luck.len() {
        return Err(Unadjusted::Unmeasured);
    }
    let factors: [f64; FOLDS] = std::array::from_fn(|fold| {
        let others = || (0..points.len()).filter(|set| set % FOLDS != fold);
        slope(others().map(|set| (luck[set], points[set])))
    });
    let taken = |set: usize| factors[set % FOLDS] * luck[set];
    let left: Vec<f64> = (0..points.len()).map(|set| points[set] - taken(set)).collect();
    let sets = points.len() as f64;
    Ok(Adjusted {
        score: score(&left),
        luck: (0..points.len()).map(taken).sum::<f64>() / sets,
        worth_sets: sets * variance(points) / variance(&left),
    })
}

/// The slope of the line that fits some points best; 0 where all lie above one place.
fn slope(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let count = points.clone().count() as f64;
    let (x, y) = points.clone().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (across, along) = points.fold((0.0, 0.0), |(across, along), point| {
        (across + (point.0 - x) * (point.1 - y), along + (point.0 - x) * (point.0 - x))
    });
    if along > 0.0 { across / along } else { 0.0 }
}

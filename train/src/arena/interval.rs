//! A score and how sure it is.

use serde::{Deserialize, Serialize};

/// A score between 0 and 1 with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Mean result: win 1, draw 1/2, loss 0.
    pub score: f64,
    /// Lower end of the 95 % interval.
    pub lower: f64,
    /// Upper end of the 95 % interval.
    pub upper: f64,
}

/// Normal quantile of a two-sided 95 % interval.
const Z: f64 = 1.959_964;

/// The score of duplicate pairs, each between 0 and 1, or beyond where luck was taken off; the mean is kept within.
///
/// The pair is the unit, for its two games share a deal. The interval is Wilson's, widened or narrowed by the
/// pairs' own spread: n pairs of variance v count as n p(1-p)/v trials, and one pseudo-pair at each end keeps a
/// spread of nothing (all pairs alike) from looking like certainty.
pub fn score(pairs: &[f64]) -> Score {
    let n = pairs.len() as f64;
    if pairs.is_empty() {
        return Score { score: 0.5, lower: 0.0, upper: 1.0 };
    }
    let mean = (pairs.iter().sum::<f64>() / n).clamp(0.0, 1.0);
    let centre = (mean * n + 1.0) / (n + 2.0);
    let trials = n * centre * (1.0 - centre) / variance(pairs);
    let z2 = Z * Z / trials;
    let middle = (mean + z2 / 2.0) / (1.0 + z2);
    let half = Z / (1.0 + z2) * (mean * (1.0 - mean) / trials + Z * Z / (4.0 * trials * trials)).sqrt();
    Score { score: mean, lower: (middle - half).max(0.0), upper: (middle + half).min(1.0) }
}

/// The spread of pairs with one at each end put among them.
pub(super) fn variance(pairs: &[f64]) -> f64 {
    let n = pairs.len() as f64 + 2.0;
    let padded = || pairs.iter().chain(&[0.0, 1.0]);
    let mean = padded().sum::<f64>() / n;
    padded().map(|pair| (pair - mean).powi(2)).sum::<f64>() / n
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_env::rng::Rng;

    /// Draws pairs of a known mean and counts how often the interval holds it.
    #[test]
    fn covers_the_truth_in_about_95_of_100_matches() {
        let mut rng = Rng::new(4);
        // Chances of a pair worth 0, 1/4, 1/2, 3/4, 1.
        for chances in [[0.2; 5], [0.02, 0.03, 0.1, 0.25, 0.6], [0.0, 0.1, 0.8, 0.1, 0.0], [0.0, 0.0, 0.02, 0.08, 0.9]]
        {
            let truth: f64 = chances.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
            let mut held = 0;
            for _ in 0..4000 {
                let mut pair = || {
                    let mut left = f64::from(rng.unit());
                    let found = chances.iter().position(|p| {
                        left -= p;
                        left < 0.0
                    });
                    found.unwrap_or(4) as f64 / 4.0
                };
                let pairs: Vec<f64> = (0..100).map(|_| pair()).collect();
                let Score { lower, upper, .. } = score(&pairs);
                held += usize::from(lower <= truth && truth <= upper);
            }
            let share = held as f64 / 4000.0;
            assert!((0.93..=0.995).contains(&share), "{chances:?}: {share}");
        }
    }

    #[test]
    fn certainty_is_never_claimed() {
        let all_won = score(&[1.0; 50]);
        assert!(all_won.score == 1.0 && all_won.upper == 1.0 && (0.85..0.99).contains(&all_won.lower), "{all_won:?}");
        assert_eq!(score(&[]).lower, 0.0);
    }
}

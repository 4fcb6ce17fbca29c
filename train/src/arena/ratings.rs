//! Ratings of several agents from their results against each other.
//!
//! The Bradley-Terry model with draws (Davidson 1970): agents of strengths p and q win in the ratio p to q and draw
//! in the ratio nu sqrt(p q). Ratings are 400 log10 p, so that 400 Elo are ten wins to one. Intervals come from
//! drawing the sets anew (bootstrap), since the two games of a set are not independent; one set won and one lost are
//! put among those drawn from, so that results all alike do not look like certainty. They also pull every rating towards
//! the others; so how far the draws lie from the ratings of all sets with those two is laid around the rating, too, and
//! the wider of both counts.

use anqi_env::rng::Rng;
use serde::{Deserialize, Serialize};

/// How often the sets are drawn anew for the intervals.
const RESAMPLES: usize = 400;

/// Results of two agents, by number, against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairing {
    /// The first agent.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// Games of each set that the first agent won, drew and lost.
    pub sets: Vec<[u32; 3]>,
}

/// An agent's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// In Elo, above the anchor.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub lower: f64,
    /// Upper end of the 95 % interval.
    pub upper: f64,
}

/// Ratings of `agents` agents; the one with the number `anchor` has 0.
pub fn ratings(agents: usize, pairings: &[Pairing], anchor: usize, seed: u64) -> Vec<Rating> {
    let sum = |sets: &mut dyn Iterator<Item = [u32; 3]>| {
        sets.fold([0.0; 3], |sum, set| std::array::from_fn(|i| sum[i] + f64::from(set[i])))
    };
    let totals: Vec<[f64; 3]> = pairings.iter().map(|pairing| sum(&mut pairing.sets.iter().copied())).collect();
    let best = fit(agents, pairings, &totals, anchor);
    let pulled: Vec<[f64; 3]> = totals.iter().map(|&[won, drawn, lost]| [won + 2.0, drawn, lost + 2.0]).collect();
    let centre = fit(agents, pairings, &pulled, anchor);
    let mut rng = Rng::branch(seed, &[0x0005_7a7e]);
    let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); agents];
    for _ in 0..RESAMPLES {
        let totals: Vec<[f64; 3]> = pairings
            .iter()
            .map(|pairing| {
                let sets = &pairing.sets;
                let all =
                    |i: usize| sets.get(i).copied().unwrap_or(if i == sets.len() { [2, 0, 0] } else { [0, 0, 2] });
                sum(&mut (0..sets.len()).map(|_| all(rng.below(sets.len() as u32 + 2) as usize)))
            })
            .collect();
        let elos = fit(agents, pairings, &totals, anchor);
        elos.iter().zip(&mut drawn).for_each(|(&elo, drawn)| drawn.push(elo));
    }
    best.iter()
        .zip(centre)
        .zip(&mut drawn)
        .map(|((&elo, centre), drawn)| {
            drawn.sort_by(f64::total_cmp);
            let at = |share: f64| drawn[(share * (RESAMPLES - 1) as f64).round() as usize];
            // Whichever is further out: the draws as they are, or moved back to where the rating is.
            let (low, high, back) = (at(0.025), at(0.975), elo - centre);
            Rating { elo, lower: low.min(low + back).min(elo), upper: high.max(high + back).max(elo) }
        })
        .collect()
}

/// The most likely ratings. Each pairing gets half a game won by either side on top, which keeps an agent that wins
/// everything finite.
fn fit(agents: usize, pairings: &[Pairing], totals: &[[f64; 3]], anchor: usize) -> Vec<f64> {
    let mut strengths = vec![1.0f64; agents];
    let mut nu = 1.0f64;
    // Hunter's minorisation; strengths settle geometrically.
    for _ in 0..2_000 {
        let mut gained = vec![0.0; agents];
        let mut expected = vec![0.0; agents];
        let (mut draws, mut expected_draws) = (0.0, 0.0);
        for (pairing, &[wins, drawn, losses]) in pairings.iter().zip(totals) {
            let (wins, losses) = (wins + 0.5, losses + 0.5);
            let (p, q) = (strengths[pairing.first], strengths[pairing.second]);
            let root = (p * q).sqrt();
            let games = wins + drawn + losses;
            let share = games / (p + q + nu * root);
            gained[pairing.first] += wins + drawn / 2.0;
            gained[pairing.second] += losses + drawn / 2.0;
            expected[pairing.first] += share * (1.0 + nu * root / (2.0 * p));
            expected[pairing.second] += share * (1.0 + nu * root / (2.0 * q));
            draws += drawn;
            expected_draws += share * root;
        }
        let mut change = 0.0f64;
        for (agent, strength) in strengths.iter_mut().enumerate() {
            if expected[agent] > 0.0 {
                let next = gained[agent] / expected[agent];
                change = change.max((next / *strength).ln().abs());
                *strength = next;
            }
        }
        if expected_draws > 0.0 {
            let next = (draws / expected_draws).max(1e-6);
            change = change.max((next / nu).ln().abs().min(1.0));
            nu = next;
        }
        let anchored = strengths[anchor];
        strengths.iter_mut().for_each(|strength| *strength /= anchored);
        if change < 1e-9 {
            break;
        }
    }
    strengths.iter().map(|strength| 400.0 * strength.log10()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets drawn from agents of known strengths; so many of their second games go as the first.
    fn sets(rng: &mut Rng, elo: f64, nu: f64, count: usize, together: f32) -> Vec<[u32; 3]> {
        let p = 10f64.powf(elo / 400.0);
        let (win, draw) = (p, nu * p.sqrt());
        let mut game = || {
            let u = f64::from(rng.unit()) * (win + draw + 1.0);
            (usize::from(u >= win) + usize::from(u >= win + draw), rng.unit() < together)
        };
        let mut set = || {
            let ((first, alike), (second, _)) = (game(), game());
            let mut set = [0; 3];
            set[first] += 1;
            set[if alike { first } else { second }] += 1;
            set
        };
        (0..count).map(|_| set()).collect()
    }

    /// 200 simulated tournaments for each case: the truth lies inside in about 95 of 100.
    #[test]
    fn finds_the_strengths_that_made_the_results_and_says_how_sure_it_is() {
        let mut rng = Rng::new(2);
        for (truth, count, together) in
            [([0.0, 150.0, 320.0], 60, 0.0), ([0.0, -40.0, 60.0], 100, 0.6), ([0.0, 500.0, 900.0], 60, 0.3)]
        {
            let (mut held, mut checked) = (0, 0);
            for _ in 0..200 {
                let mut pairings = Vec::new();
                for (first, second) in [(0, 1), (0, 2), (1, 2)] {
                    let sets = sets(&mut rng, truth[first] - truth[second], 0.8, count, together);
                    pairings.push(Pairing { first, second, sets });
                }
                let found = ratings(3, &pairings, 0, 1);
                assert_eq!((found[0].elo, found[0].lower, found[0].upper), (0.0, 0.0, 0.0));
                for (rating, truth) in found.iter().zip(truth).skip(1) {
                    assert!(
                        (rating.elo - truth).abs() < if truth > 400.0 { 500.0 } else { 150.0 },
                        "{rating:?} {truth}"
                    );
                    held += usize::from(rating.lower <= truth && truth <= rating.upper);
                    checked += 1;
                }
            }
            let share = held as f64 / checked as f64;
            assert!((0.92..=0.985).contains(&share), "{truth:?}, {together}: {share}");
        }
    }

    #[test]
    fn one_that_wins_everything_stays_finite() {
        let pairings = [Pairing { first: 0, second: 1, sets: vec![[2, 0, 0]; 50] }];
        let found = ratings(2, &pairings, 1, 1);
        assert!((500.0..1500.0).contains(&found[0].elo), "{found:?}");
    }
}

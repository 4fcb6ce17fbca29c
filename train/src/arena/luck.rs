//! What chance gave, and the score without it.
//!
//! Whatever a ply shows is drawn by chance, with probabilities that the public position tells. The *luck* of a game is
//! the sum, over those plies, of what the position is worth after what was shown less its mean worth over all that
//! might have been shown. Whoever plays, and however bad the judgement is, that sum has mean zero: given the plies so
//! far every order of the face-down pieces is equally likely. So it may be taken off the points with any factor that is
//! not chosen by the set itself, and the mean stays the same; what is left varies less.
//!
//! # Source
//! A control variate; its sum over chance is the advantage sum of Zinkevich, Bowling, Bard, Kan and Billings, *Optimal
//! Unbiased Estimators for Evaluating Agent Performance*, AAAI 2006.

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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::{Agent, Greedy, Material as _, Random, Turn};
    use crate::arena::{Match, play};
    use crate::workers::Workers;
    use anqi_env::any::AnyRules;
    use anqi_env::darkchess::DarkChess;
    use anqi_env::rng::Rng;

    /// All orders of some letters.
    fn orders(letters: &str) -> Vec<String> {
        let without = |place: usize| letters[..place].to_string() + &letters[place + 1..];
        let from = |place: usize| orders(&without(place)).into_iter().map(move |rest| (place, rest));
        match letters.len() {
            0 => vec![String::new()],
            count => {
                (0..count).flat_map(from).map(|(place, rest)| letters[place..=place].to_string() + &rest).collect()
            }
        }
    }

    /// The first agent's luck in one game from a deal, every agent with a random stream that is always the same.
    fn luck_of(game: &DarkChess, gauge: &Gauge<DarkChess>, deal: &str, seat: u8) -> f64 {
        let mut state = game.parse_state(&format!("{} deal={deal}", game.view_text(&game.start()))).unwrap();
        let agents: [&dyn Agent<DarkChess>; 2] = [&Greedy, &Random];
        let mut rngs = [Rng::new(1), Rng::new(2)];
        let (start, mut plies) = (*game.view(&state, 0), Vec::new());
        while game.status(&state).is_ongoing() {
            let number = usize::from(game.to_move(&state) ^ seat);
            let mut turn = [Turn { view: game.view(&state, 0), rng: &mut rngs[number], game: 0 }];
            let action = agents[number].act(game, &mut turn)[0];
            plies.push((action, game.play(&mut state, action)));
        }
        of_game(game, gauge, &start, &plies, seat)
    }

    /// Whoever plays: over all deals, each as likely as the others, the luck of either seat adds up to nothing.
    #[test]
    fn luck_over_all_deals_is_nothing() {
        for (rules, letters) in [
            ("darkchess:board=2x3,pieces=K1C1P1", "KCPkcp"),
            ("darkchess:board=2x3,pieces=C1P2,quiet_limit=8", "CPPcpp"),
            ("darkchess:board=2x3,pieces=K1R1P1,chain=dark", "KRPkrp"),
            ("tombchess:board=2x3,pieces=K1R1P1", "KRPkrp"),
        ] {
            let game = AnyRules::parse(rules).unwrap().game::<DarkChess>().unwrap();
            let gauge = game.gauge().unwrap();
            for seat in [0, 1] {
                let luck: Vec<f64> = orders(letters).iter().map(|deal| luck_of(&game, &gauge, deal, seat)).collect();
                assert_eq!(luck.len(), 720);
                assert!(luck.iter().any(|luck| luck.abs() > 0.05), "{rules}");
                let mean = luck.iter().sum::<f64>() / 720.0;
                // The rounding for files, and sums of numbers of 24 bits.
                assert!(mean.abs() < 1e-8, "{rules}, seat {seat}: {mean}");
            }
        }
    }

    /// Greedy against itself, which both win by luck.
    fn even(rules: &str, sets: usize) -> Match {
        let game = AnyRules::parse(rules).unwrap().game::<DarkChess>().unwrap();
        let greedy: Arc<dyn Agent<DarkChess>> = Arc::new(Greedy);
        play(&game, [&greedy, &greedy], sets, 11, &Workers::new(2).unwrap(), &|_| {})
    }

    #[test]
    fn the_mean_stays_and_the_spread_shrinks() {
        for rules in ["darkchess", "tombchess"] {
            let played = even(rules, 1_500);
            let (plain, found) = (played.score(), played.adjusted().unwrap());
            // What was taken off has mean zero: within four of its own standard errors.
            let spread = variance(&played.pairs) - variance(&played.pairs) * 1_500.0 / found.worth_sets;
            assert!(found.luck.abs() < 4.0 * (spread / 1_500.0).sqrt(), "{rules}: {found:?}");
            assert!((plain.score - found.luck - found.score.score).abs() < 1e-12);
            assert!(found.worth_sets > 1.06 * 1_500.0, "{rules}: {found:?}");
            assert!(found.score.upper - found.score.lower < 0.98 * (plain.upper - plain.lower), "{rules}");
        }
    }

    /// How often the interval holds the truth among matches that `draw` makes.
    fn coverage(truth: f64, matches: usize, mut draw: impl FnMut() -> Vec<(f64, f64)>) -> f64 {
        let held = (0..matches).filter(|_| {
            let (points, luck): (Vec<f64>, Vec<f64>) = draw().into_iter().unzip();
            let Score { lower, upper, .. } = adjusted(&points, &luck).unwrap().score;
            lower <= truth && truth <= upper
        });
        held.count() as f64 / matches as f64
    }

    /// Matches whose sets are drawn from many real ones.
    #[test]
    fn real_sets_are_covered_in_about_95_of_100_matches() {
        let bank = even("tombchess", 1_500);
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let (truth, middle) = (mean(&bank.pairs), mean(&bank.luck));
        let mut rng = Rng::new(6);
        let mut set = || {
            let set = rng.below(1_500) as usize;
            (bank.pairs[set], bank.luck[set] - middle)
        };
        let share = coverage(truth, 2_000, || (0..100).map(|_| set()).collect());
        assert!((0.93..=0.975).contains(&share), "{share}");
    }

    /// Games that are decided by luck more or less, few sets, and scores near the end.
    #[test]
    fn simulated_sets_are_covered_in_about_95_of_100_matches() {
        let mut rng = Rng::new(3);
        // Strength of the first agent, share of luck, sets.
        for (strength, weight, sets) in
            [(0.0, 0.9, 100), (0.0, 0.0, 20), (0.4, 0.6, 40), (0.8, 0.6, 100), (-0.7, 0.5, 200)]
        {
            // A game is won where strength, luck and all the rest add up to more than zero; all three are uniform.
            let mut uniform = || 2.0 * f64::from(rng.unit()) - 1.0;
            let mut set = || {
                let games = [0, 1].map(|_| {
                    let (luck, rest) = (uniform(), uniform());
                    (f64::from(u8::from(strength + weight * luck + (1.0 - weight) * rest > 0.0)), luck)
                });
                ((games[0].0 + games[1].0) / 2.0, (games[0].1 + games[1].1) / 4.0)
            };
            let truth = (0..200_000).map(|_| set().0).sum::<f64>() / 200_000.0;
            let share = coverage(truth, 2_000, || (0..sets).map(|_| set()).collect());
            assert!((0.925..=0.995).contains(&share), "strength {strength}, luck {weight}, {sets} sets: {share}");
        }
    }

    #[test]
    fn what_cannot_be_adjusted_says_why() {
        assert_eq!(adjusted(&[0.5; 19], &[0.0; 19]), Err(Unadjusted::Few));
        assert_eq!(adjusted(&[0.5; 20], &[]), Err(Unadjusted::Unmeasured));
        // Without any luck it is the plain score.
        let found = adjusted(&[0.75; 20], &[0.0; 20]).unwrap();
        assert_eq!((found.score, found.luck, found.worth_sets), (score(&[0.75; 20]), 0.0, 20.0));
        let AnyRules::Junqi(duel) = AnyRules::parse("duel").unwrap() else { panic!("junqi") };
        assert!(duel.gauge().err().unwrap().ends_with("what a fight shows was set up by a player, not left to chance"));
    }
}

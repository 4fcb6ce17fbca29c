//! A sequential test: is one agent stronger than the other by so many Elo, with as few games as that needs?
//!
//! The generalised likelihood ratio over the five results a set can have (pentanomial), as engine testers use it: for
//! each hypothesis the results' own distribution is shifted as little as possible to the mean that the hypothesis
//! demands. Sets, not games, are the trials, since the two games of a set share a deal.

use serde::{Deserialize, Serialize};

/// Both error rates.
const ERROR: f64 = 0.05;

/// What a set may be worth.
const VALUES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A test of "at least `high` Elo stronger" against "at most `low`".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The lower hypothesis in Elo.
    pub low: f64,
    /// The upper one.
    pub high: f64,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The upper hypothesis holds: stronger.
    Accepted,
    /// The lower one holds.
    Rejected,
    /// More sets are needed.
    Open,
}

impl Sprt {
    /// Reads `LO,HI`.
    pub fn parse(text: &str) -> Option<Sprt> {
        let (low, high) = text.split_once(',')?;
        let (low, high): (f64, f64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (low < high && low > -1000.0 && high < 1000.0).then_some(Sprt { low, high })
    }

    /// The log-likelihood ratio of the two hypotheses, given the sets' results.
    pub fn ratio(&self, sets: &[f64]) -> f64 {
        let mut counts = [0.0; 5];
        for set in sets {
            counts[(set * 4.0).round() as usize] += 1.0;
        }
        let played = sets.len() as f64;
        if played == 0.0 {
            return 0.0;
        }
        // A result never seen yet is not impossible.
        let seen = counts.map(|n: f64| n.max(1e-3));
        let total: f64 = seen.iter().sum();
        let shares = seen.map(|n| n / total);
        let tilted = [self.low, self.high].map(|elo| tilt(&shares, 1.0 / (1.0 + 10f64.powf(-elo / 400.0))));
        (0..5).map(|i| counts[i] * (tilted[1][i] / tilted[0][i]).ln()).sum()
    }

    /// The values of the ratio at which the test ends.
    pub fn bounds(&self) -> [f64; 2] {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        [-bound, bound]
    }

    /// How the test stands.
    pub fn verdict(&self, sets: &[f64]) -> Verdict {
        let [lower, upper] = self.bounds();
        match self.ratio(sets) {
            ratio if ratio >= upper => Verdict::Accepted,
            ratio if ratio <= lower => Verdict::Rejected,
            _ => Verdict::Open,
        }
    }

    /// The first number of sets at which the test ends, looking at them one by one.
    pub fn ends_at(&self, sets: &[f64]) -> Option<usize> {
        (1..=sets.len()).find(|&n| self.verdict(&sets[..n]) != Verdict::Open)
    }
}

/// The distribution with this mean that makes the results seen most likely: each share divided by `1 + x (value -
/// mean)`, with `x` such that the shares add up to one.
fn tilt(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    // The sum of share * (value - mean) / (1 + x (value - mean)) falls with x and has its zero between the poles.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let x = (low + high) / 2.0;
        let sum: f64 = (0..5).map(|i| shares[i] * (VALUES[i] - mean) / (1.0 + x * (VALUES[i] - mean))).sum();
        if sum > 0.0 { low = x } else { high = x }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|i| shares[i] / (1.0 + x * (VALUES[i] - mean)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_env::rng::Rng;

    /// A set between agents so many Elo apart, a share of its games drawn. With a chance of |`together`| its second game
    /// goes as the first, or, where that is negative, the other way round as far as the mean allows.
    fn set(rng: &mut Rng, elo: f64, draws: f64, together: f64) -> f64 {
        let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let game = |u: f64| {
            if u < draws / 2.0 || u >= 1.0 - draws / 2.0 {
                0.5
            } else if u < score {
                1.0
            } else {
                0.0
            }
        };
        let (first, mut second) = (f64::from(rng.unit()), f64::from(rng.unit()));
        if f64::from(rng.unit()) < together.abs() {
            second = if together > 0.0 { first } else { 1.0 - first };
        }
        (game(first) + game(second)) / 2.0
    }

    #[test]
    fn the_tilted_distribution_has_the_mean_asked_for() {
        let shares = [0.1, 0.2, 0.4, 0.2, 0.1];
        for mean in [0.3, 0.5, 0.55, 0.9] {
            let tilted = tilt(&shares, mean);
            let found: f64 = (0..5).map(|i| tilted[i] * VALUES[i]).sum();
            assert!((found - mean).abs() < 1e-9 && (tilted.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        // Where the results have that mean already, nothing is tilted.
        assert!((tilt(&shares, 0.5)[0] - 0.1).abs() < 1e-9);
    }

    /// The rates of wrong verdicts are those promised, at either hypothesis, also where the games of a set depend on each
    /// other: at most 8.5 % of 400 matches, which is 5 % and three standard errors.
    #[test]
    fn errs_as_often_as_it_says() {
        let test = Sprt { low: 0.0, high: 40.0 };
        let mut rng = Rng::new(1);
        for (elo, wrong) in [(0.0, Verdict::Accepted), (40.0, Verdict::Rejected)] {
            for (draws, together) in [(0.2, 0.0), (0.6, 0.0), (0.2, 0.7), (0.4, -0.7)] {
                let (mut errors, mut lengths, mut sum) = (0, 0, 0.0);
                for _ in 0..400 {
                    let mut sets = Vec::new();
                    let verdict = loop {
                        sets.push(set(&mut rng, elo, draws, together));
                        let verdict = test.verdict(&sets);
                        if verdict != Verdict::Open {
                            break verdict;
                        }
                    };
                    errors += usize::from(verdict == wrong);
                    lengths += sets.len();
                    sum += sets.iter().sum::<f64>();
                }
                let rate = errors as f64 / 400.0;
                let told = format!("{elo} Elo, draws {draws}, together {together}: {rate}, {} sets", lengths / 400);
                assert!((0.005..0.085).contains(&rate), "{told}");
                // The simulation has the strength that it should have.
                let mean = sum / lengths as f64;
                assert!((mean - 1.0 / (1.0 + 10f64.powf(-elo / 400.0))).abs() < 0.01, "{told}: {mean}");
            }
        }
    }

    #[test]
    fn reads_its_bounds() {
        assert_eq!(Sprt::parse("0,10"), Some(Sprt { low: 0.0, high: 10.0 }));
        for bad in ["10,0", "0", "a,b", "0,0", "-5000,0"] {
            assert_eq!(Sprt::parse(bad), None, "{bad}");
        }
        assert_eq!(Sprt { low: 0.0, high: 10.0 }.ratio(&[]), 0.0);
    }
}
